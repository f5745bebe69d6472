"""``icgsynth play`` of a finite game: against a tree, or against perfect play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from icgsynth.cli.keyboard import Quit, ask
from icgsynth.cli.output import teller

if TYPE_CHECKING:
    from icgsynth.finite.board import Board
    from icgsynth.finite.datalog import Rulebook
    from icgsynth.finite.encoding import Encoding
    from icgsynth.finite.game import FiniteGame
    from icgsynth.finite.layout import Layout
    from icgsynth.game.game import State
    from icgsynth.play import Choice
    from icgsynth.play.finite import FiniteSession
    from icgsynth.play.match import Player
    from icgsynth.spec.source import Source

__all__ = ["finite_rules", "play_finite"]

_LEARNED = "icgsynth/learned/"  # the schema of what learn writes


def finite_rules(spec: str) -> Rulebook | Encoding | None:
    """The rules of the finite game that SPEC means; None where it means another game."""
    from icgsynth.spec.asp import is_encoding
    from icgsynth.spec.catalog import resolve_finite
    from icgsynth.spec.finite import finite_game
    from icgsynth.spec.gdl import looks_like_gdl
    from icgsynth.spec.source import Source

    path = resolve_finite(spec)
    text = Source.read(path, spec).text
    finite = is_encoding(path, text) or looks_like_gdl(text)
    return finite_game(str(path)) if finite else None


def play_finite(
    rules: Rulebook | Encoding, tree: str | None, first: str, seed: int, quiet: bool
) -> int:
    """One game in the terminal; 0 however it ends."""
    from icgsynth.errors import InputError
    from icgsynth.finite.board import board_of
    from icgsynth.finite.game import FiniteGame
    from icgsynth.finite.grounder import ground
    from icgsynth.finite.layout import layout_of
    from icgsynth.play.finite import FiniteSession
    from icgsynth.play.match import match
    from icgsynth.spec.source import Source

    source = None if tree is None else Source.read(Path(tree), tree)
    board = board_of(ground(rules))
    game = FiniteGame(board)
    if len(game.roles) != 2:
        raise InputError(f"{game.name} is no game for two", mend="play one with two roles")
    if source is not None and _is_learned(source):
        machine = _learned(rules, source, seed, quiet)
    else:
        machine = _machine(board, source, seed, quiet)
    people = _Person(layout_of(board.facts, game.facts(game.initial)))
    players: tuple[Player[FiniteGame], Player[FiniteGame]] = (people, machine)
    session = FiniteSession(game)
    seat = session.seat if first == "you" else 1 - session.seat
    players = (people, machine) if seat == 0 else (machine, people)
    click.echo(
        f"{game.name}: you are {game.roles[seat]}, {machine.name} is {game.roles[1 - seat]}."
    )
    try:
        for turn in match(session, players):
            if turn.seat != seat:
                people.look(game, turn.before)
                click.echo(f"machine: {turn.choice.move}   [{turn.choice.reason}]")
    except Quit:
        click.echo("Good-bye.")
        return 0
    people.look(game, session.state)
    click.echo(_end(session, seat))
    return 0


def _is_learned(source: Source) -> bool:
    """Whether a file holds what ``icgsynth learn`` writes: its schema tells, and no name in it."""
    try:
        value = json.loads(source.text)
    except (ValueError, RecursionError):
        return False
    if isinstance(value, dict) and isinstance(value.get("strategy"), dict):
        value = value["strategy"]
    return isinstance(value, dict) and str(value.get("schema")).startswith(_LEARNED)


def _machine(board: Board, tree: Source | None, seed: int, quiet: bool) -> Player[FiniteGame]:
    """A fast-and-frugal tree, or perfect play."""
    from icgsynth.fft.tiers import strategy_of
    from icgsynth.finite.arena import arena_of_board
    from icgsynth.finite.lookup import Lookup
    from icgsynth.play.finite import PerfectPlayer, TierPlayer
    from icgsynth.spec.tree import parse_tree

    arena = arena_of_board(board, progress=teller(quiet))
    if tree is None:
        return PerfectPlayer(Lookup(arena).worth)
    read = parse_tree(tree, arena.literals, arena.actions)
    return TierPlayer(strategy_of(read, arena), seed)


def _learned(
    rules: Rulebook | Encoding, source: Source, seed: int, quiet: bool
) -> Player[FiniteGame]:
    """What ``icgsynth learn`` wrote."""
    from icgsynth.learn.saved import read_strategy
    from icgsynth.learn.stage import stage_of
    from icgsynth.play.finite import TierPlayer

    strategy = read_strategy(source, stage_of(rules, progress=teller(quiet)))
    return TierPlayer(strategy, seed, "the learned strategy")


class _Person:
    """Whoever sits at the keyboard, and what is shown to them."""

    name = "you"

    def __init__(self, layout: Layout | None) -> None:
        self._layout = layout

    def look(self, game: FiniteGame, state: State) -> None:
        """Print a state: as a grid, where there is one."""
        facts = game.facts(state)
        lines = [" ".join(facts)] if self._layout is None else self._layout.shown(facts)
        click.echo("\n" + "\n".join(lines))

    def choose(self, game: FiniteGame, state: State) -> Choice:
        from icgsynth.errors import IllegalMove
        from icgsynth.play.finite import read_finite_move
        from icgsynth.play.match import Choice

        self.look(game, state)
        while True:
            text = ask("your move> ")
            if text in ("help", "h", "?", ""):
                click.echo("  " + " ".join(str(move) for move in game.moves(state)))
                continue
            try:
                return Choice(read_finite_move(game, state, text), "")
            except IllegalMove as illegal:
                click.echo(f"  {illegal}")


def _end(session: FiniteSession, seat: int) -> str:
    if session.winner is None:
        return "A draw."
    return "You win." if session.winner == seat else "The machine wins."
