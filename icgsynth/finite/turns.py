"""What follows a state, and what a player says who is not to move (``noop``)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.logic.bits import Words

IDLE = frozenset({"noop", "pass", "wait", "idle", "skip", "null", "nil", "none"})
"""What a player who is not to move is wont to say."""

_LOOK = 1_024  # states at most in which the idle moves are learned


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


def idle_moves(
    after: Callable[[Words], Successors], initial: Words, actions: tuple[str, ...]
) -> NDArray[np.bool_]:
    """What each player says while the other chooses (2, actions), as the first states show it.

    Those are the states after so many moves as lead to 1,024 states at most, whole rounds, so
    that a symmetry of the rules is one of the answer; ``after`` says what follows a batch.  A
    player whom they do not show waiting is taken to wait with the moves of :data:`IDLE`.
    """
    idle = np.zeros((2, len(actions)), bool)
    seen: set[bytes] = set()
    states = initial[None, :]
    with suppress(Refused):  # whoever plays on from there learns of it
        while len(states) and len(seen) + len(states) <= _LOOK:
            seen.update(map(bytes, states))
            found = after(states)
            chooses = found.options[~found.ended] > 1
            for role in range(2):
                waits = chooses[:, 1 - role] & ~chooses[:, role]
                idle[role, found.said[waits, role]] = True
            states = np.unique(found.target, axis=0)
            states = states[[bytes(state) not in seen for state in states]]
    named = np.array([action.partition("(")[0] in IDLE for action in actions], bool)
    return np.where(idle.any(axis=1, keepdims=True), idle, named)
