"""Tournaments of impartial games within a bound: the game, and who can play it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from icgsynth.cli.answer_source import answer_source
from icgsynth.errors import InputError
from icgsynth.fft.tiers import strategy_of
from icgsynth.finite.bounded import BoundedPlay, bounded_table, on_box
from icgsynth.finite.worth import ArenaTable, Lookup
from icgsynth.game.game import PlayRule
from icgsynth.play.finite import PerfectPlayer, TierPlayer
from icgsynth.play.match import Player
from icgsynth.play.tournament import Human, Random
from icgsynth.spec.answer_file import kind_of
from icgsynth.spec.catalog import find
from icgsynth.spec.heap_names import catalog_dir
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.tree import parse_tree
from icgsynth.subjects.finite_spec import FiniteSpec

_KINDS = "random, perfect, fft:FILE, answer:FILE, human"
_FINITE = (("asp", ".lp"), ("gdl", ".kif"))


def is_impartial(game: str) -> bool:
    """Whether GAME is an ``.icg`` file, or a name of the catalog that no finite game has."""
    if game.endswith(".icg"):
        return True
    finite = (catalog_dir() / folder / f"{game}{end}" for folder, end in _FINITE)
    return find(game) is not None and not any(path.is_file() for path in (Path(game), *finite))


def refuse_box(game: str, bound: int | None, start: str | None, rule: PlayRule) -> None:
    """:class:`~icgsynth.errors.InputError` where options of impartial games are given."""
    if bound or start or rule != "normal":
        given = "--bound" if bound else "--start" if start else "--rule"
        message = f"{game} is a finite game: {given} is for impartial games"
        raise InputError(message, mend=f"leave {given} out")


def boxed_game(
    game: str, bound: int | None, start: str | None, rule: PlayRule, constants: Mapping[str, int]
) -> ArenaTable[BoundedPlay]:
    """The game with all its states within ``bound``, or those that play reaches from ``start``."""
    spec = FiniteSpec(game, bound, start, rule, constants)
    if spec.parametric is None:
        raise InputError(f"{game} is no impartial game", mend="give a game in the .icg language")
    return bounded_table(spec.parametric, spec.box, rule, spec.initial)


def boxed_agent(name: str, table: ArenaTable[BoundedPlay]) -> Player[Any]:
    """The agent that ``name`` names; ``ask`` asks whoever sits at the keyboard."""
    kind, _, rest = name.partition(":")
    if kind in ("fft", "answer") and rest:
        return _of_file(rest, table, name)
    if name == "random":
        return Random()
    if name == "perfect":
        return PerfectPlayer(Lookup(table.arena), name=name)
    if name == "human":
        return Human(ask)
    raise InputError(f"an impartial game has no agent {name[:60]!r}", mend=f"--agents of: {_KINDS}")


def _of_file(path: str, table: ArenaTable[BoundedPlay], name: str) -> Player[Any]:
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


def ask(position: str, legal: tuple[str, ...]) -> str:
    """Have whoever sits at the keyboard choose a move, on stderr."""
    click.echo(f"\n{position}", err=True)
    for number, action in enumerate(legal, start=1):
        click.echo(f"  {number}  {action}", err=True)
    chosen = click.prompt(
        "your move", type=click.IntRange(1, len(legal)), err=True, show_choices=False
    )
    return legal[chosen - 1]
