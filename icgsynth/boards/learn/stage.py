"""Finite games set up for learning: rules, board, and all states solved without symmetry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from icgsynth.boards.finite.arena import whole_states
from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.boards.finite.bit_sets import bit_column, bits_of
from icgsynth.boards.finite.board import Board, board_of
from icgsynth.boards.finite.datalog import Rulebook
from icgsynth.boards.finite.encoding import OUTSIDE, Encoding
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.symmetry import Symmetry, symmetry_of
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import Refused


@dataclass(frozen=True, eq=False)
class Stage(ArenaTable[FiniteGame]):
    """A finite game with the rules it was made from, and all its raw states solved.

    ``states`` (n, words of the board) hold all facts, also those that never change.  The
    players are ``arena.roles``: player 0 moves first.
    """

    book: Rulebook | Encoding

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.arena.name

    @property
    def board(self) -> Board:
        """The compiled rules of the game."""
        return self.game.board

    @cached_property
    def symmetry(self) -> Symmetry:
        """The automorphisms of the rules that keep the initial state (found by nauty)."""
        return symmetry_of(self.board)

    def facts(self, state: int) -> tuple[str, ...]:
        """Return the names of all facts that hold in the state with the row ``state``."""
        return tuple(self.board.facts[i] for i in bits_of(self.states[state]))


class Unsolved(NamedTuple):
    """A game's rules and compiled board, without its solved states, to read strategies."""

    book: Rulebook | Encoding
    board: Board

    @property
    def name(self) -> str:
        return self.board.name


def unsolved_game(book: Rulebook | Encoding) -> Unsolved:
    """Return the game of ``book``, grounded and compiled, without exploring any states."""
    return Unsolved(book, board_of(ground(book)))


def stage_of(
    book: Rulebook | Encoding,
    max_states: int = 1_000_000,
    seconds: float = float("inf"),
    progress: Progress = silent,
) -> Stage:
    """Solve the game of ``book`` in all its states, for learning; ``progress`` gets lines of text.
    :class:`~icgsynth.errors.Refused` past ``max_states`` or ``seconds``, if it begins at an end, or
    if play leads to a fact that ``base`` does not list."""
    return stage_at(SolvingTable(book, Budget(seconds), progress), max_states)


def stage_at(table: SolvingTable, max_states: int = 1_000_000) -> Stage:
    """Solve the game of ``table`` in all its states without symmetry, for learning.
    :class:`~icgsynth.errors.OutOfReach` past ``max_states`` or the budget of ``table``, and
    :class:`~icgsynth.errors.Refused` where play reaches a fact that ``base`` does not list."""
    board, book = table.board(), table.rules
    arena = table.arena(board, False, max_states)
    if OUTSIDE in arena.literals:
        at = arena.literals.index(OUTSIDE)
        state = int(bit_column(arena.states, at).argmax())
        raise Refused(
            f"{board.name}: play leads to a fact that 'base' does not list, in "
            f"{' '.join(arena.facts(state))}"
        )
    states = whole_states(board, arena.literals, arena.states)
    return Stage(FiniteGame(board), arena, states, book)
