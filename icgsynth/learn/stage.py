"""A finite game set up for learning: its rules, its board, and all its raw states solved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import InputError, Refused
from icgsynth.finite.arena import Arena, arena_of_board
from icgsynth.finite.board import Board, bits_of, board_of
from icgsynth.finite.clingo import misread
from icgsynth.finite.compiled import Progress, silent
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import OUTSIDE, Encoding
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.finite.symmetry import Symmetry, symmetry_of

if TYPE_CHECKING:
    from icgsynth.learn.view import View

__all__ = ["Stage", "stage_of"]


@dataclass(frozen=True, eq=False)
class Stage:
    """n states and m moves of ``arena``, which is raw: no symmetry folds its states.

    ``states`` (n, words of the board) hold all facts, also those that never change.  The
    players are ``arena.roles``: player 0 moves first.
    """

    book: Rulebook | Encoding
    board: Board
    arena: Arena
    states: NDArray[np.uint64]

    @property
    def name(self) -> str:
        return self.board.name

    @cached_property
    def game(self) -> FiniteGame:
        """The same game one state at a time."""
        return FiniteGame(self.board)

    @cached_property
    def source(self) -> NDArray[np.int64]:
        """The state of each move (m,)."""
        return np.repeat(np.arange(len(self.arena.mover)), np.diff(self.arena.first))

    @cached_property
    def symmetry(self) -> Symmetry:
        """The automorphisms of the rules that keep the start (found by nauty)."""
        return symmetry_of(self.board)

    @cached_property
    def row(self) -> dict[tuple[int, ...], int]:
        """The row of a state given by its words."""
        return {tuple(map(int, words)): i for i, words in enumerate(self.states)}

    @cached_property
    def board_action(self) -> NDArray[np.int64]:
        """The board's index of each of the arena's actions."""
        place = {name: i for i, name in enumerate(self.board.actions)}
        return np.array([place[name] for name in self.arena.actions], np.int64)

    def moves_of(self, state: int) -> range:
        """The moves of a state."""
        return range(int(self.arena.first[state]), int(self.arena.first[state + 1]))

    def action_name(self, move: int) -> str:
        """What a move is called."""
        return self.arena.actions[int(self.arena.action[move])]

    def facts(self, state: int) -> tuple[str, ...]:
        """All facts that hold in a state."""
        return tuple(self.board.facts[i] for i in bits_of(self.states[state]))

    def mover_name(self, state: int) -> str:
        """Who moves in a state before the end."""
        return self.arena.roles[int(self.arena.mover[state])]

    def view(self, background: str, signatures: tuple[tuple[str, int], ...]) -> View:
        """What the literals of ``signatures`` say of each move."""
        from icgsynth.learn.view import view_of

        return view_of(self, background, signatures)


def stage_of(
    book: Rulebook | Encoding,
    max_states: int = 1_000_000,
    seconds: float = float("inf"),
    progress: Progress = silent,
) -> Stage:
    """The stage of a game; :class:`~icgsynth.errors.Refused` past the limits, or without play."""
    board = board_of(ground(book))
    arena = arena_of_board(board, False, max_states, seconds, progress)
    if OUTSIDE in arena.literals:
        at = arena.literals.index(OUTSIDE)
        bit = np.uint64(1) << np.uint64(at & 63)
        state = int((arena.states[:, at >> 6] & bit != 0).argmax())
        raise Refused(
            f"{board.name}: play leads to a fact that 'base' does not list, in "
            f"{' '.join(arena.facts(state))}"
        )
    if arena.mover[0] < 0:
        raise Refused(f"{board.name}: the game is over before it begins")
    return Stage(book, board, arena, _whole_states(board, arena))


def _whole_states(board: Board, arena: Arena) -> NDArray[np.uint64]:
    """The arena's states with the facts that never change put back (n, words)."""
    place = {fact: i for i, fact in enumerate(board.facts)}
    fixed = board.initial.copy()
    for literal in arena.literals:
        at = place[literal]
        fixed[at >> 6] &= ~(np.uint64(1) << np.uint64(at & 63))
    states = np.tile(fixed, (len(arena.states), 1))
    for i, literal in enumerate(arena.literals):
        at = place[literal]
        bit = (arena.states[:, i >> 6] >> np.uint64(i & 63)) & np.uint64(1)
        states[:, at >> 6] |= bit << np.uint64(at & 63)
    return states


def with_background(book: Encoding, background: str) -> Encoding:
    """The encoding with rules added that look at positions and moves.

    :class:`~icgsynth.errors.InputError` for what clingo would misread.
    """
    from icgsynth.errors import Span
    from icgsynth.finite.encoding import Statement

    if found := misread(background):
        raise InputError(
            f"the background of a strategy holds {found[1]}: {background[found[0] :][:40]!r}",
            mend="see clingo's language",
        )
    lines = [line for line in background.split("\n") if line.strip()]
    extra = tuple(
        Statement(line, Span("background", i + 1, 1, line)) for i, line in enumerate(lines)
    )
    return replace(book, statements=book.statements + extra)
