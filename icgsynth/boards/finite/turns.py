"""The successors of a batch of states, and who moves in each, also in games with ``noop``."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Words
from icgsynth.errors import Refused

IDLE = frozenset({"noop", "pass", "wait", "idle", "skip", "null", "nil", "none"})
"""Usual names of the move of a player who waits for the other."""

_LOOK = 1_024  # states at most from which the idle moves are learned


class Successors(NamedTuple):
    """The successors of a batch of n states, m joint moves in all.

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
        """Each role's first move in each state before the end (k, 2), as an action's index."""
        live = np.flatnonzero(~self.ended)
        return self.chosen[np.searchsorted(self.source, live)]


def with_choices_that_count(found: Successors) -> Successors:
    """Return ``found`` with one move for a role in each state where its choice has no effect.
    There, whatever the other role does, all its moves lead to one and the same state.  So a role
    may have ``noop`` and other moves that do nothing while the other one is to move."""
    kept = np.ones(len(found.source), bool)
    options = found.options.copy()
    # Joint moves of a state stand in one span, a table whose rows are moves of role 0.
    both = np.flatnonzero((found.options > 1).all(axis=1))
    for state, start in zip(both, np.searchsorted(found.source, both), strict=True):
        shape = tuple(found.options[state])
        span = slice(start, start + shape[0] * shape[1])
        after = found.target[span].reshape(*shape, -1)
        stays = kept[span].reshape(shape)  # a view: what is written here is written there
        # All columns are equal: the move of role 1 changes nothing, so its first one stands for
        # all. Else all rows may be equal, and the same holds of role 0.
        if (after == after[:, :1]).all():
            stays[:, 1:], options[state, 1] = False, 1
        elif (after == after[:1]).all():
            stays[1:], options[state, 0] = False, 1
    if kept.all():
        return found
    return found._replace(
        options=options,
        source=found.source[kept],
        chosen=found.chosen[kept],
        target=found.target[kept],
    )


def movers(found: Successors, idle: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return who moves in each state of a batch (n,): 0 or 1, -1 at the end, 2 where both choose.
    ``found`` has their successors.  Who has a choice moves.  Where neither has one, it is the role
    whose only move is not ``idle`` (2, actions), and role 0 where that settles nothing."""
    mover = np.full(len(found.ended), -1, np.int8)
    said = found.said
    # If only one role has a choice, that role moves; if none has, the second role moves where the
    # only move of the first role is idle and its own is not.
    first, second = (found.options[~found.ended] > 1).T
    forced = idle[0, said[:, 0]] & ~idle[1, said[:, 1]]
    mover[~found.ended] = np.where(first & second, 2, np.where(first | second, second, forced))
    return mover


def idle_moves(
    after: Callable[[Words], Successors], initial: Words, actions: tuple[str, ...]
) -> NDArray[np.bool_]:
    """Return a mask (2, actions): a role's moves such as noop, by which it waits for the other.

    They are learned from the states, at most 1,024, that play from ``initial`` comes to in the
    first rounds; whole rounds, so that a symmetry of the rules is one of the answer.  ``after``
    gives the successors by all moves.  A role that never waits there waits by ``actions`` in
    :data:`IDLE`.
    """
    idle = np.zeros((2, len(actions)), bool)
    seen: set[bytes] = set()
    states = initial[None, :]
    with suppress(Refused):  # whoever plays on from there learns of it
        while len(states) and len(seen) + len(states) <= _LOOK:
            seen.update(map(bytes, states))
            said = after(states)
            found = with_choices_that_count(said)
            chooses = found.options > 1
            for role in range(2):
                # Where only the other role has a choice, the one move of this role is idle.
                waits = chooses[:, 1 - role] & ~chooses[:, role]
                idle[role, said.chosen[waits[said.source], role]] = True
            states = np.unique(found.target, axis=0)
            states = states[[bytes(state) not in seen for state in states]]
    named = np.array([action.partition("(")[0] in IDLE for action in actions], bool)
    return np.where(idle.any(axis=1, keepdims=True), idle, named)
