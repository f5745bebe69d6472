"""The command ``icgsynth tournament``: agents play each other, and exact values are computed."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import click

from icgsynth.boards.fft.fft_command import box_option
from icgsynth.cli.asking import Delivery, deliver, deliver_by, wait_for
from icgsynth.cli.completion import complete_names
from icgsynth.cli.options import (
    output_option,
    rule_option,
    seed_option_from,
    set_option,
    timeout_option,
)

if TYPE_CHECKING:
    from icgsynth.boards.finite.arena_table import ArenaTable
    from icgsynth.budget import Budget, Progress
    from icgsynth.game.game import PlayRule
    from icgsynth.play.match import Player


@click.command()
@click.argument("game", metavar="GAME", shell_complete=complete_names("gdl", "asp", "icg"))
@click.option(
    "--agents",
    default="perfect,random",
    show_default=True,
    metavar="A,B,...",
    help="The agents; every two of them play.",
)
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=300,
    show_default=True,
    help="How many matches every two agents play.",
)
@seed_option_from(1)
@click.option(
    "--exact/--no-exact",
    default=True,
    help="Compute the value against random play and the worst case, exactly.",
)
@set_option
@box_option
@click.option(
    "--start",
    metavar="7,4",
    help="Of an impartial game: where play starts; by default in the greatest state with a move.",
)
@rule_option(both=False)
@deliver_by(timeout_option(None, whole=True), output_option("Write the JSON there.", "", ".json"))
def tournament(
    game: str,
    agents: str,
    matches: int,
    seed: int,
    exact: bool,
    constants: tuple[tuple[str, int], ...],
    bound: int | None,
    start: str | None,
    rule: PlayRule,
    delivery: Delivery,
) -> int:
    """Let agents play GAME, a finite game or an impartial one, against each other, taking turns.

    \b
    An agent is one of
      random           any legal move
      perfect          any optimal move
      rules[:GAME]     best_do rules learned on GAME, by default this one
      weak[:GAME]      weak constraints learned on GAME; or weak:FILE.json
      fft:FILE         a fast-and-frugal tree, as 'fft' writes it
      answer:FILE      an answer file of 'solve', 'fft synth' or 'learn'
      human            you

    A move's time is all that the agent does to find it.  Intervals hold in 95 % (Wilson's).

    \b
    Try:  icgsynth tournament mnk --agents weak:ttt_l,random --matches 300

    \b
    Exit codes: 0 done; 2 bad usage or bad input; 4 the game is too large.
    """
    from icgsynth.boards.play.agents import tournament_of
    from icgsynth.boards.play.tournament import Human, Random, round_robin
    from icgsynth.boards.play.tournament_report import (
        exact_value,
        tournament_lines,
        tournament_value,
    )
    from icgsynth.game.answers import Verdict
    from icgsynth.subjects.question import Told, Work

    def search(_: Budget, tell: Progress) -> Work[tuple[ArenaTable[Any], list[Player[Any]]]]:
        return Work(lambda: tournament_of(game, agents, bound, start, rule, dict(constants), tell))

    table, made = wait_for(search, delivery._replace(timeout=inf))  # the option bounds all
    pairings, standings = round_robin(table.game, made, matches, seed)
    counted = (a for a in made if exact and not isinstance(a, (Human, Random)))
    exacts = {agent.name: exact_value(table, agent) for agent in counted}
    value = tournament_value(table.arena.name, matches, seed, pairings, standings, exacts)
    text = "\n".join(tournament_lines(value))
    return deliver([Told(Verdict.PROVED, lambda: text, lambda: value)], delivery)
