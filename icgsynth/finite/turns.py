"""Whose move a state is, in a game where both players say something at every step.

A player with a choice is the mover.  Where neither has one, it is the player whose only move is
not what that player says while the other chooses (``noop``), and the first role where that
settles nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.logic.bits import Words

__all__ = ["BOTH", "IDLE", "Successors", "idle_moves", "movers"]

IDLE = frozenset({"noop", "pass", "wait", "idle", "skip", "null", "nil", "none"})
"""What a player who is not to move is wont to say."""

BOTH = 2
"""In place of the player to move: both have a choice."""

_LOOK = 1_024  # states, breadth first, in which the idle moves are learned


class Successors(NamedTuple):
    """What follows a batch of n states, m joint moves in all.

    ``ended`` (n,); ``goals`` (n, 2) where ended, elsewhere -1; ``options`` (n, 2) how many
    moves each role has; ``source`` (m,) into the batch, ascending; ``chosen`` (m, 2) indices of
    actions; ``target`` (m, words).  With one role, the other has one move, the action -1.
    """

    ended: NDArray[np.bool_]
    goals: NDArray[np.int32]
    options: NDArray[np.int64]
    source: NDArray[np.int64]
    chosen: NDArray[np.int32]
    target: Words

    @property
    def said(self) -> NDArray[np.int32]:
        """The first move of each role in each state before the end (k, 2)."""
        live = np.flatnonzero(~self.ended)
        return self.chosen[np.searchsorted(self.source, live)]


def movers(found: Successors, idle: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Who moves in each state (n,): 0 or 1, :data:`BOTH`, or -1 where play is over.

    ``idle`` as :func:`idle_moves` has it.
    """
    mover = np.full(len(found.ended), -1, np.int8)
    live, said = ~found.ended, found.said
    first, second = (found.options[live] > 1).T
    waits, other_waits = idle[0, said[:, 0]], idle[1, said[:, 1]]
    forced = np.where(waits & ~other_waits, 1, 0)
    mover[live] = np.where(first & second, BOTH, np.where(first, 0, np.where(second, 1, forced)))
    return mover


def idle_moves(
    after: Callable[[Words], Successors], initial: Words, actions: tuple[str, ...]
) -> NDArray[np.bool_]:
    """What each player says while the other chooses (2, actions), as the first states show it.

    Those are the states that play reaches first, some 1,000; ``after`` says what follows a batch.
    A player whom they do not show waiting is taken to wait with the moves of :data:`IDLE`.
    """
    idle = np.zeros((2, len(actions)), bool)
    seen: set[bytes] = set()
    states = initial[None, :]
    with suppress(Refused):  # whoever plays on from there learns of it
        while len(states) and len(seen) < _LOOK:
            seen.update(map(bytes, states))
            found = after(states)
            chooses = found.options[~found.ended] > 1
            for role in range(2):
                waits = chooses[:, 1 - role] & ~chooses[:, role]
                idle[role, found.said[waits, role]] = True
            states = np.unique(found.target, axis=0)[:_LOOK]
            states = states[[bytes(state) not in seen for state in states]]
    named = np.array([action.partition("(")[0] in IDLE for action in actions], bool)
    return np.where(idle.any(axis=1, keepdims=True), idle, named)
