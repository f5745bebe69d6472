"""A flaw as a line of play that any simulator of the game replays.

A game that is solved up to symmetry knows one state of each orbit, and moves between these.  The
line is walked again from the initial state by the rules themselves: in each state the image of
the move is made, under the symmetry that leads from the stored state to this one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.fft.workshop import Flaw
from icgsynth.finite.arena import Arena
from icgsynth.finite.board import Board, in_order
from icgsynth.logic.bits import bits_of

__all__ = ["Counterexample", "replayed"]


@dataclass(frozen=True)
class Counterexample:
    """A play from the initial state to one where a tree is wrong.

    ``line`` holds who moves, and the action; ``state`` all facts that hold at its end.  There rule
    ``rule`` (an index; None where no rule applies) plays ``moves``; ``optimal`` are the good ones.
    """

    line: tuple[tuple[str, str], ...]
    state: tuple[str, ...]
    rule: int | None
    moves: tuple[str, ...]
    optimal: tuple[str, ...]


def replayed(flaw: Flaw, arena: Arena, board: Board | None) -> Counterexample:
    """``flaw`` of a tree of ``arena`` played by the rules of ``board``.

    Without a board the arena must be raw: its rows are the states themselves.
    """
    walk = _Walk(arena, board)
    line = []
    for action, after in flaw.line:
        who = arena.mover_name(walk.row)
        line.append((who, walk.image(action)))
        walk.step(who, line[-1][1], after)
    moves = tuple(sorted(map(walk.image, flaw.moves), key=in_order))
    optimal = tuple(sorted(map(walk.image, flaw.optimal), key=in_order))
    return Counterexample(tuple(line), walk.facts(), flaw.rule, moves, optimal)


class _Walk:
    """A raw state on its way, and the row of the arena that stands for it."""

    def __init__(self, arena: Arena, board: Board | None) -> None:
        self.arena, self.board, self.row = arena, board, 0
        self._action = {name: i for i, name in enumerate(arena.actions)}
        self._varies = frozenset(arena.literals)
        self._state = None if board is None else board.initial
        self._turn()

    def facts(self) -> tuple[str, ...]:
        """All facts that hold now."""
        if self.board is None or self._state is None:
            return self.arena.facts(self.row)
        return tuple(self.board.facts[i] for i in bits_of(self._state))

    def image(self, action: str) -> str:
        """What an action of the row is in the state itself."""
        image = self.arena.action_images[self._element, self._action[action]]
        return self.arena.actions[int(image)]

    def step(self, who: str, action: str, after: int) -> None:
        """``who`` plays ``action``, which leads to a state that the row ``after`` stands for."""
        if self.board is not None and self._state is not None:
            self._state = _after(self.board, self._state, who, action)
        self.row = after
        self._turn()

    def _turn(self) -> None:
        """Find the symmetry that sends the row to the state."""
        held = bits_of(self.arena.states[self.row])
        there = self._varies.intersection(self.facts())
        for element, images in enumerate(self.arena.literal_images):
            if {self.arena.literals[int(images[i])] for i in held} == there:
                self._element = element
                return
        raise AssertionError("a state on the line of play is none of the solved game")


def _after(board: Board, state: NDArray[np.uint64], who: str, action: str) -> NDArray[np.uint64]:
    """The state after a move, by the rules of the board."""
    role = board.roles.index(who)
    found = board.successors(state[None, :])
    for chosen, target in zip(found.chosen, found.target, strict=True):
        if board.actions[int(chosen[role])] == action:
            after: NDArray[np.uint64] = target
            return after
    raise AssertionError(f"{action} on the line of play is not legal")
