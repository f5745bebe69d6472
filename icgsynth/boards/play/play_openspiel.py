"""``icgsynth play`` of a game of OpenSpiel: against a tree, or against perfect play."""

from __future__ import annotations

from typing import NoReturn

import click

from icgsynth.boards.fft.tiers import strategy_of
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.play.finite import PerfectPlayer, TierPlayer, TwoPlayerSession
from icgsynth.boards.rules.openspiel import OpenSpielGame, played_out, told_apart
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.budget import Budget
from icgsynth.cli.options import answer_source
from icgsynth.cli.output import watchdog
from icgsynth.cli.playing import AskedPlay
from icgsynth.errors import BudgetSpent
from icgsynth.play.advice import Guide
from icgsynth.play.match import Player, Seat
from icgsynth.play.person import dialogue


def play_openspiel(game: OpenSpielGame, asked: AskedPlay, timeout: float, quiet: bool) -> int:
    """One game in the terminal, against a tree or perfect play; 0 however it ends."""
    steps = WorkSteps(game.name)

    def give_up() -> NoReturn:
        raise BudgetSpent(steps.too_large(f"the budget of {timeout:g} s is spent"))

    with watchdog(timeout, give_up):
        arena = told_apart(played_out(game, (), Budget(timeout), steps).arena)
    perfect = PerfectPlayer[OpenSpielGame](Lookup(arena), asked.seed)
    machine: Player[OpenSpielGame] = perfect
    if (tree := asked.tree or asked.solution) is not None:
        read = parse_tree(answer_source(tree), arena.literals, arena.actions)
        machine = TierPlayer[OpenSpielGame](strategy_of(read, arena), asked.seed)
    session = TwoPlayerSession(game)
    seat: Seat = session.seat if asked.seat == 0 else (1, 0)[session.seat]
    if not quiet:
        roles = game.roles
        click.echo(f"{game.name}: you are {roles[seat]}, {machine.name} is {roles[1 - seat]}.")
    dialogue(session, machine, seat, Guide(perfect, True))
    return 0
