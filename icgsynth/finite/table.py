"""A solved game row by row: its states and moves as the game itself has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.arena import Arena
from icgsynth.game.game import Move, State

__all__ = ["ArenaTable"]

_G_co = TypeVar("_G_co", covariant=True)


@dataclass(frozen=True, eq=False)
class ArenaTable(Generic[_G_co]):
    """The :class:`~icgsynth.game.strategy.MoveTable` of an arena that no symmetry folds.

    Row i of ``states`` (n, words) is row i of ``arena`` as ``game`` has it; from row 0 there is
    a move, else :class:`~icgsynth.errors.Refused`.
    """

    game: _G_co
    arena: Arena
    states: NDArray[Any]

    def __post_init__(self) -> None:
        self.arena.require_move()

    @property
    def source(self) -> NDArray[np.int64]:
        """The state of each move (m,)."""
        return self.arena.source

    @cached_property
    def row(self) -> dict[State, int]:
        """The row of each state."""
        return {tuple(words): i for i, words in enumerate(self.states.tolist())}

    def state_at(self, row: int) -> State:
        """A state as the game has it."""
        return tuple(map(int, self.states[row]))

    def move_at(self, move: int) -> Move:
        """A move as the game has it."""
        return Move(self.arena.action_name(move))
