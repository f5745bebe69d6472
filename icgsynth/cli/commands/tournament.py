"""``icgsynth tournament``: agents play each other; what can be exact is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from icgsynth.cli.boxed_agents import boxed_agent, boxed_game, is_impartial, refuse_box
from icgsynth.cli.codes import DONE
from icgsynth.cli.options import (
    json_option,
    output_option,
    quiet_option,
    rule_option,
    seeded,
    set_option,
)

if TYPE_CHECKING:
    from icgsynth.finite.game import FiniteGame
    from icgsynth.game.game import PlayRule
    from icgsynth.learn.stage import Stage
    from icgsynth.play.tournament import Agent, SolvedTable

__all__ = ["tournament"]

_KINDS = "random, perfect, minimax, pruned, rules, weak, clingo, fft, answer, human"


@click.command()
@click.argument("game", metavar="GAME")
@click.option(
    "--agents",
    default="perfect,random",
    show_default=True,
    metavar="A,B,...",
    help="Who plays; every two meet.",
)
@click.option(
    "--matches",
    type=click.IntRange(1, 1_000_000),
    default=300,
    show_default=True,
    help="How often each two meet.",
)
@seeded(1)
@click.option(
    "--exact/--no-exact", default=True, help="Value against random play, and worst case, exactly."
)
@set_option
@click.option(
    "--bound",
    type=click.IntRange(1, 10_000),
    metavar="N",
    help="Of an impartial game (.icg): all variables from 0 to N; by default some 1,000 states.",
)
@click.option(
    "--start",
    metavar="7,4",
    help="Of an impartial game: where play starts; by default in the greatest state.",
)
@rule_option(both=False)
@json_option
@output_option("Write the JSON there.")
@quiet_option
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
    as_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """Let agents play GAME, a finite game or an impartial one, against each other, taking turns.

    \b
    An agent is one of
      random           any legal move
      perfect          any optimal move
      minimax[:GAME]   the complete tree of GAME (by default the game itself), else random
      pruned[:GAME]    the pruned tree of GAME, else random
      rules[:GAME]     best_do rules learned on GAME
      weak[:GAME]      weak constraints learned on GAME; or weak:FILE.json from 'learn -o'
      clingo[:GAME]    the same weak constraints, asked of clingo at every move
      fft:FILE         a fast-and-frugal tree, as 'fft' writes it
      answer:FILE      an answer file of any kind: of 'solve', 'fft synth' or 'learn'
      human            you

    A move's time is all that the agent does to find it.  Intervals are Wilson's, 95 %.

    \b
    Try:  icgsynth tournament mnk --agents weak:ttt_l,random --matches 300

    \b
    Exit codes: 0 done; 2 bad usage or bad input.
    """
    from icgsynth.cli.output import teller
    from icgsynth.play.tournament import ByClingo, Random, round_robin
    from icgsynth.play.tournament_report import exact_value, tournament_value

    tell, names = teller(quiet), _names(agents)
    table: SolvedTable[Any]
    made: Sequence[Agent[Any]]
    if is_impartial(game):
        table = box = boxed_game(game, bound, start, rule, dict(constants))
        made = [boxed_agent(name, box, _ask) for name in names]
    else:
        refuse_box(game, bound, start, rule)
        table = stage = _stage(game, dict(constants), tell)
        made = [_agent(name, game, stage, dict(constants), tell) for name in names]
    pairings, standings = round_robin(table.game, made, matches, seed)
    exacts = {
        agent.name: exact_value(table, agent)
        for agent in made
        if exact and agent.name != "human" and not isinstance(agent, (Random, ByClingo))
    }
    value = tournament_value(table.name, matches, seed, pairings, standings, exacts)
    return _deliver(value, as_json, output)


def _deliver(value: dict[str, Any], as_json: bool, output: str | None) -> int:
    from icgsynth.cli.output import as_json as json_text
    from icgsynth.cli.output import write_file
    from icgsynth.play.tournament_report import tournament_lines

    if output:
        write_file(output, json_text(value) + "\n")
    click.echo(json_text(value) if as_json else "\n".join(tournament_lines(value)))
    return DONE


def _names(agents: str) -> list[str]:
    """The words of ``--agents``."""
    from icgsynth.errors import InputError

    names = [name.strip() for name in agents.split(",") if name.strip()]
    if len(names) < 2:
        raise InputError("a tournament needs two agents", mend=f"--agents A,B of: {_KINDS}")
    if len(set(names)) < len(names):
        raise InputError("an agent is named twice", mend="leave one out")
    return names


def _stage(game: str, constants: dict[str, int], tell: Any) -> Stage:
    from icgsynth.learn.stage import stage_of
    from icgsynth.spec.finite import finite_game

    return stage_of(finite_game(game, constants), progress=tell)


def _agent(
    spec: str, game: str, stage: Stage, constants: dict[str, int], tell: Any
) -> Agent[FiniteGame]:
    """The agent that ``spec`` names."""
    from icgsynth.errors import InputError
    from icgsynth.play.tournament import Human, Perfect, Random

    kind, _, rest = spec.partition(":")
    if kind in ("random", "perfect", "human") and rest:
        raise InputError(f"{kind} takes nothing after ':'", mend=f"--agents of: {_KINDS}")
    if kind == "random":
        return Random()
    if kind == "perfect":
        return Perfect(stage)
    if kind == "human":
        return Human(_ask)
    if kind == "fft":
        return _fft(rest, game, constants, f"fft:{rest}")
    if kind == "answer":
        return _answer(rest, game, stage, constants)
    if kind not in ("minimax", "pruned", "rules", "weak", "clingo"):
        raise InputError(f"there is no agent {spec[:60]!r}", mend=f"known: {_KINDS}")
    if kind == "weak" and rest.endswith(".json"):
        return _saved(rest, stage, spec)
    school = stage if not rest or rest == game else _stage(rest, {}, tell)
    return _taught(kind, rest or game, school, stage, spec, tell)


def _taught(
    kind: str, lesson: str, school: Stage, stage: Stage, name: str, tell: Any
) -> Agent[FiniteGame]:
    """An agent that learned on ``school`` and plays on ``stage``."""
    from icgsynth.finite.encoding import Encoding
    from icgsynth.game.strategy import Strategy
    from icgsynth.learn.automatic_bias import bias_of
    from icgsynth.learn.kinds import kinds_of, sound_kinds
    from icgsynth.learn.las import read_task
    from icgsynth.learn.learner import learn_weak
    from icgsynth.learn.matches import ByTable, MatchesByClingo
    from icgsynth.learn.problem import of_stage
    from icgsynth.learn.pruned import pruned_minimax
    from icgsynth.learn.rules import Lifting, lifted
    from icgsynth.learn.saved import playing_program
    from icgsynth.learn.tiers import Act, strategy_of
    from icgsynth.play.tournament import ByClingo as ByProgram
    from icgsynth.play.tournament import Strategic, TreeAgent
    from icgsynth.spec.finite import bias_file
    from icgsynth.spec.source import Source

    roles = school.arena.roles
    main = roles.index(school.board.roles[0])
    if kind == "minimax":
        return TreeAgent.complete(school, main, name)
    if kind in ("weak", "clingo"):
        path = bias_file(lesson)
        task = read_task(Source.read(path)) if path else None
        bias = task.bias if task is not None and task.bias is not None else bias_of(school)
        found = learn_weak(school, of_stage(school), bias, "auto", 60.0, tell)
        if found.hypothesis is None:
            from icgsynth.errors import Refused

            raise Refused(f"{name}: nothing was learned from {lesson} in its bias")
        if kind == "clingo":
            head = playing_program(stage.name, stage.book, found.hypothesis)
            return ByProgram(head, name)
        return Strategic(strategy_of(found.hypothesis, stage), name)
    finder = (
        MatchesByClingo(school, main)
        if isinstance(school.book, Encoding)
        else ByTable(school, main)
    )
    if kind == "pruned":
        tree = pruned_minimax(school, finder, main)
        return TreeAgent.of(school, tree.root, main, name)
    kinds = sound_kinds(school, kinds_of(school))
    tree = pruned_minimax(school, finder, main, Lifting(school, kinds).images)
    rules = lifted(school, kinds, [(d.state, d.good) for d in tree.decisions])
    return Strategic(Strategy((Act(rules.rules),)), name)


def _saved(path: str, stage: Stage, name: str) -> Agent[FiniteGame]:
    from icgsynth.learn.saved import read_learned
    from icgsynth.play.tournament import Strategic
    from icgsynth.spec.source import Source

    return Strategic(read_learned(Source.read(Path(path))).strategy(stage), name)


def _fft(path: str, game: str, constants: dict[str, int], name: str) -> Agent[FiniteGame]:
    from icgsynth.fft.tiers import strategy_of
    from icgsynth.finite.arena import arena_of_board
    from icgsynth.finite.board import board_of
    from icgsynth.finite.grounder import ground
    from icgsynth.play.tournament import Strategic
    from icgsynth.spec.finite import finite_game
    from icgsynth.spec.source import Source
    from icgsynth.spec.tree import parse_tree

    arena = arena_of_board(board_of(ground(finite_game(game, constants))))
    tree = parse_tree(Source.read(Path(path), path), arena.literals, arena.actions)
    return Strategic(strategy_of(tree, arena), name)


def _answer(path: str, game: str, stage: Stage, constants: dict[str, int]) -> Agent[FiniteGame]:
    """The agent of an answer file, whatever its kind."""
    from icgsynth.errors import InputError
    from icgsynth.spec.answer_file import kind_of
    from icgsynth.spec.source import Source

    kind = kind_of(Source.read(Path(path), path))
    if kind == "strategy":
        message = f"{path} is an answer for an impartial game, and {game} is a finite one"
        raise InputError(message, mend="name the impartial game: tournament nim2 --bound 9")
    if kind == "tree":
        return _fft(path, game, constants, f"answer:{path}")
    return _saved(path, stage, f"answer:{path}")


def _ask(position: str, legal: tuple[str, ...]) -> str:
    click.echo(f"\n{position}", err=True)
    for number, action in enumerate(legal, start=1):
        click.echo(f"  {number}  {action}", err=True)
    chosen = click.prompt(
        "your move", type=click.IntRange(1, len(legal)), err=True, show_choices=False
    )
    return legal[chosen - 1]
