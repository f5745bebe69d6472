"""A finite game set up for learning: its rules, its board, and all its raw states solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.finite.arena import Arena, arena_of_board
from icgsynth.finite.board import Board, board_of
from icgsynth.finite.compiled import Progress, silent
from icgsynth.finite.datalog import Rulebook
from icgsynth.finite.encoding import OUTSIDE, Encoding
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.grounder import ground
from icgsynth.finite.symmetry import Symmetry, symmetry_of
from icgsynth.game.game import Move, State
from icgsynth.logic.bits import bit_column, bits_of, move_bits, pack, unpack, words_of

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

    @property
    def source(self) -> NDArray[np.int64]:
        """The state of each move (m,)."""
        return self.arena.source

    @cached_property
    def symmetry(self) -> Symmetry:
        """The automorphisms of the rules that keep the start (found by nauty)."""
        return symmetry_of(self.board)

    @cached_property
    def row(self) -> dict[tuple[int, ...], int]:
        """The row of a state given by its words."""
        return {tuple(words): i for i, words in enumerate(self.states.tolist())}

    @cached_property
    def board_action(self) -> NDArray[np.int64]:
        """The board's index of each of the arena's actions."""
        place = {name: i for i, name in enumerate(self.board.actions)}
        return np.array([place[name] for name in self.arena.actions], np.int64)

    def moves_of(self, state: int) -> range:
        """The moves of a state."""
        return self.arena.moves_of(state)

    def state_at(self, row: int) -> State:
        """A state as the game has it: its words."""
        return tuple(map(int, self.states[row]))

    def move_at(self, move: int) -> Move:
        """A move as the game has it."""
        return Move(self.action_name(move))

    def action_name(self, move: int) -> str:
        """What a move is called."""
        return self.arena.action_name(move)

    def facts(self, state: int) -> tuple[str, ...]:
        """All facts that hold in a state."""
        return tuple(self.board.facts[i] for i in bits_of(self.states[state]))

    def mover_name(self, state: int) -> str:
        """Who moves in a state before the end."""
        return self.arena.roles[int(self.arena.mover[state])]

    def images(self, group: Symmetry) -> Iterator[NDArray[np.uint64]]:
        """What each element of ``group`` sends the states to (n, words)."""
        held = unpack(self.states, len(self.board.facts))
        for element in group.facts:
            moved = np.zeros_like(held)
            moved[:, element] = held
            yield pack(moved)


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
        state = int(bit_column(arena.states, at).argmax())
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
    varied = [place[literal] for literal in arena.literals]
    fixed = board.initial & ~words_of(varied, board.words)
    states = np.tile(fixed, (len(arena.states), 1))
    move_bits(arena.states, range(len(varied)), varied, states)
    return states
