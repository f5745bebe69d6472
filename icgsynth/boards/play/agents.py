"""Build the game and the players of a tournament from the words of a command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from icgsynth.boards.fft.tiers import strategy_of
from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.arena_table import ArenaTable, Lookup
from icgsynth.boards.finite.bounded_play import BoundedPlay, bounded_table, on_box
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.learn.best_do import lift_rules, pruned_tree
from icgsynth.boards.learn.bias import bias_of
from icgsynth.boards.learn.kinds import kinds_of, sound_kinds
from icgsynth.boards.learn.las import read_task
from icgsynth.boards.learn.problem import of_stage
from icgsynth.boards.learn.saved import read_learned
from icgsynth.boards.learn.stage import Stage, stage_of
from icgsynth.boards.learn.tiers import Act
from icgsynth.boards.learn.tiers import strategy_of as strategy_of_weak
from icgsynth.boards.learn.weak_learner import learn_weak
from icgsynth.boards.play.finite import PerfectPlayer, TierPlayer
from icgsynth.boards.play.tournament import Human, Random
from icgsynth.boards.rules.finite import bias_file, finite_game
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.boards.subject.finite_spec import FiniteSpec
from icgsynth.budget import Progress
from icgsynth.cli.options import answer_source
from icgsynth.errors import InputError, Refused
from icgsynth.game.game import PlayRule
from icgsynth.game.strategy import Strategy
from icgsynth.play.match import Player
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

_KINDS = "random, perfect, rules, weak, fft, answer, human"
_KINDS_OF_BOXES = "random, perfect, fft:FILE, answer:FILE, human"


def tournament_of(
    game: str,
    agents: str,
    bound: int | None,
    start: str | None,
    rule: PlayRule,
    constants: Mapping[str, int],
    tell: Progress,
) -> tuple[ArenaTable[Any], list[Player[Any]]]:
    """Return the solved game that ``game`` names, and the players that ``agents`` lists, by commas.
    An impartial game has the states within ``bound``, or those that play reaches from ``start``.
    InputError for a wrong name; ``tell`` is told how far the work is."""
    names = [name.strip() for name in agents.split(",") if name.strip()]
    if len(names) < 2:
        raise InputError("a tournament needs two agents", mend=f"--agents A,B of: {_KINDS}")
    if len(set(names)) < len(names):
        raise InputError("an agent is named twice", mend="leave one out")
    spec = FiniteSpec(game, bound, start, rule, constants)
    if spec.parametric is not None:
        table = bounded_table(spec.parametric, spec.box, rule, spec.initial)
        return table, [_boxed_agent(name, table) for name in names]
    if rule != "normal":
        message = f"{game} is a finite game: --rule is for impartial games"
        raise InputError(message, mend="leave --rule out")
    stage = _stage_of_game(game, constants, tell)
    return stage, [_finite_agent(name, game, stage, tell) for name in names]


def _stage_of_game(game: str, constants: Mapping[str, int], tell: Progress) -> Stage:
    """Return the finite game ``game``, solved; InputError unless it has two players."""
    stage = stage_of(finite_game(game, constants), progress=tell)
    stage.game.for_two()
    return stage


def _plain_agent(name: str, table: ArenaTable[Any]) -> Player[Any] | None:
    """Return the random, perfect or human player of the solved game ``table``, as ``name`` says;
    None for another name."""
    match name:
        case "random":
            return Random()
        case "perfect":
            return PerfectPlayer(Lookup(table.arena), name=name)
        case "human":
            return Human(_ask)
    return None


def _ask(position: str, legal: tuple[str, ...]) -> str:
    click.echo(f"\n{position}", err=True)
    for number, action in enumerate(legal, start=1):
        click.echo(f"  {number}  {action}", err=True)
    chosen = click.prompt(
        "your move", type=click.IntRange(1, len(legal)), err=True, show_choices=False
    )
    return legal[chosen - 1]


def _boxed_agent(name: str, table: ArenaTable[BoundedPlay]) -> Player[Any]:
    """Return the player of the bounded impartial game in ``table`` that ``name`` describes, as
    ``perfect`` or ``fft:FILE``; else InputError."""
    if (plain := _plain_agent(name, table)) is not None:
        return plain
    word, _, path = name.partition(":")
    if word not in ("fft", "answer") or not path:
        mend = f"--agents of: {_KINDS_OF_BOXES}"
        raise InputError(f"an impartial game has no agent {name[:60]!r}", mend=mend)
    source, game = answer_source(path), table.game
    kind = kind_of(source)
    if kind == "learned":
        raise InputError(
            f"{path} is a learned strategy, and {game.name} an impartial game",
            mend="what is learned plays games of facts: GDL, or clingo's language",
        )
    if kind == "tree":
        tree = parse_tree(source, table.arena.literals, table.arena.actions)
        return TierPlayer(strategy_of(tree), name=name)
    return TierPlayer(on_box(read_solution(source, game.parametric, game.rule).plan), name=name)


def _finite_agent(spec: str, game: str, stage: Stage, tell: Progress) -> Player[FiniteGame]:
    """Return the player of the finite game ``game`` that ``spec`` names, as ``weak:ttt``; else
    InputError. ``stage`` is the solved game."""
    if (plain := _plain_agent(spec, stage)) is not None:
        return plain
    kind, _, rest = spec.partition(":")
    if kind in ("random", "perfect", "human"):
        raise InputError(f"{kind} takes nothing after ':'", mend=f"--agents of: {_KINDS}")
    if kind == "fft":
        return _fft(rest, stage, spec)
    if kind == "answer":
        return _answer(rest, game, stage)
    if kind not in ("rules", "weak"):
        raise InputError(f"there is no agent {spec[:60]!r}", mend=f"known: {_KINDS}")
    if kind == "weak" and rest.endswith(".json"):
        return _read_player(rest, stage, spec)
    school = stage if not rest or rest == game else _stage_of_game(rest, {}, tell)
    return _taught(kind, rest or game, school, stage, spec, tell)


def _taught(
    kind: str, lesson: str, school: Stage, stage: Stage, name: str, tell: Progress
) -> Player[FiniteGame]:
    """Return a player for the game ``stage``, called ``name``, whose strategy is learned on
    ``school``. ``kind`` is "weak" (weak constraints in the bias of the game ``lesson``; Refused if
    none are learned) or "rules" (the rules of a pruned decision tree)."""
    if kind == "weak":
        path = bias_file(lesson)
        task = read_task(Source.read(path)) if path else None
        bias = task.bias if task is not None and task.bias is not None else bias_of(school)
        found = learn_weak(school, of_stage(school), bias, "auto", 60.0, tell)
        if found.hypothesis is None:
            raise Refused(f"{name}: nothing was learned from {lesson} in its bias")
        return TierPlayer(strategy_of_weak(found.hypothesis, stage), name=name)
    main = school.arena.roles.index(school.board.roles[0])
    kinds = sound_kinds(school, kinds_of(school))
    rules = lift_rules(school, kinds, pruned_tree(school, main, kinds).decisions)
    return TierPlayer(Strategy((Act(rules.rules),)), name=name)


def _read_player(path: str, stage: Stage, name: str) -> Player[FiniteGame]:
    return TierPlayer(read_learned(answer_source(path), stage).strategy, name=name)


def _fft(path: str, stage: Stage, name: str) -> Player[FiniteGame]:
    arena = arena_of_board(stage.board)
    tree = parse_tree(answer_source(path), arena.literals, arena.actions)
    return TierPlayer(strategy_of(tree, arena), name=name)


def _answer(path: str, game: str, stage: Stage) -> Player[FiniteGame]:
    """Return a player by the file ``path``, a tree or a learned strategy; InputError for another
    kind. ``game`` is the game's name, and ``stage`` the solved game."""
    kind = kind_of(answer_source(path))
    if kind in ("strategy", "family"):
        message = f"{path} is an answer for an impartial game, and {game} is a finite one"
        raise InputError(message, mend="name the impartial game: tournament nim2 --bound 9")
    if kind == "tree":
        return _fft(path, stage, f"answer:{path}")
    return _read_player(path, stage, f"answer:{path}")
