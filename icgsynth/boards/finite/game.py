"""A finite game as a :class:`~icgsynth.game.game.Game` for play, one state at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.turns import Successors
from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Move, State


@dataclass(frozen=True, eq=False)
class FiniteGame:
    """A finite game played by a compiled board; a state is its uint64 words as a tuple of integers.

    Moves are those of the player whose turn it is, named ``mark(1,1)`` without arguments.
    """

    board: Board

    @property
    def name(self) -> str:
        return self.board.name

    @property
    def roles(self) -> tuple[str, ...]:
        return self.board.roles

    def for_two(self) -> FiniteGame:
        """Return the game itself; :class:`~icgsynth.errors.InputError` unless it has two roles."""
        if len(self.roles) != 2:
            raise InputError(f"{self.name} is no game for two", mend="play one with two roles")
        return self

    @property
    def initial(self) -> State:
        """The initial state."""
        return tuple(int(word) for word in self.board.initial)

    def is_legal(self, state: State) -> bool:
        """Return whether ``state`` is a set of the game's facts, reachable in play or not."""
        if len(state) != self.board.words or not all(0 <= word < 1 << 64 for word in state):
            return False
        spare = 64 * self.board.words - len(self.board.facts)
        return not state[-1] >> (64 - spare) if spare < 64 else not any(state)

    def mover(self, state: State) -> int:
        """Return the index in :attr:`roles` of the player to move; -1 in a terminal state."""
        return self._after(state)[0]

    def goals(self, state: State) -> tuple[int, ...]:
        """Return the goal of each role in a terminal ``state``; -1 for each before the end."""
        return tuple(int(g) for g in self._after(state)[1].goals[0][: len(self.roles)])

    def moves(self, state: State) -> Iterator[Move]:
        if not self.is_legal(state):
            return
        for action, _ in self._options(state):
            yield Move(self.board.actions[action])

    def applies(self, state: State, move: Move) -> bool:
        return self.is_legal(state) and move in self.moves(state)

    def result(self, state: State, move: Move) -> State:
        if self.is_legal(state):
            for action, after in self._options(state):
                if self.board.actions[action] == move.action and not move.arguments:
                    return tuple(int(word) for word in after)
        raise IllegalMove(f"{move} does not apply in {self.show(state)}")

    def show(self, state: State) -> str:
        """Return the facts that hold in ``state`` as text, separated by blanks."""
        return self.board.show(np.array(state, np.uint64)) if self.is_legal(state) else str(state)

    def facts(self, state: State) -> tuple[str, ...]:
        """Return the names of the facts that hold in ``state``."""
        return tuple(self.board.facts[i] for i in bits_of(np.array(state, np.uint64)))

    def state_of(self, facts: Iterator[str] | tuple[str, ...]) -> State:
        """Return the state in which exactly ``facts`` hold; InputError for an unknown fact."""
        words = [0] * self.board.words
        for fact in facts:
            if fact not in self._place:
                raise InputError(f"{self.name} has no fact {fact}", mend="see the game's rules")
            words[self._place[fact] >> 6] |= 1 << (self._place[fact] & 63)
        return tuple(words)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {fact: i for i, fact in enumerate(self.board.facts)}

    def _after(self, state: State) -> tuple[int, Successors]:
        states = np.array([state], np.uint64)
        found = self.board.successors(states)
        return int(self.board.movers(states, found)[0]), found

    def _options(self, state: State) -> list[tuple[int, NDArray[np.uint64]]]:
        turn, found = self._after(state)
        return [(int(c[turn]), t) for c, t in zip(found.chosen, found.target, strict=True)]
