"""The states in which no move applies, found by a search for one applicable move each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.game.box import Flags, Rows
from icgsynth.game.steps import Boundless, Step

_PATIENCE = 2**12  # values of a boundless parameter tried before a state stays undecided


def moveless(steps: Sequence[Step], movable: Flags, budget: Budget) -> tuple[Flags, Flags]:
    """Where no move applies, and where that is not decided; both of shape (n,).

    ``movable`` (n,) marks states that are known to have a move, of ``steps`` or of others;
    a declared end stops all moves of ``steps`` (:attr:`Step.live`).
    :class:`~icgsynth.errors.BudgetSpent` past the budget.
    """
    movable, unsure = movable.copy(), np.zeros_like(movable)
    for step in steps:
        _search(step, movable, unsure, budget)
    unsure &= ~movable
    return ~movable & ~unsure, unsure


def _search(step: Step, movable: Flags, unsure: Flags, budget: Budget) -> None:
    """Try values of the first parameter, from the end of its range that is known."""
    rows = np.flatnonzero(step.live & ~movable)
    possible, domain = step.reach(rows)
    rows = rows[possible]
    if not len(rows):
        return
    if not step.action.parameters:
        for source, _ in step.out_of(rows):
            movable[source] = True
        return
    ends = domain.bounds(step.action.parameters[0])
    lo, hi = (
        None if end is None else np.broadcast_to(end, possible.shape)[possible] for end in ends
    )
    if lo is not None:
        _sweep(step, rows, lo, 1, hi, movable, unsure, budget)
    elif hi is not None:
        _sweep(step, rows, hi, -1, None, movable, unsure, budget)
    else:
        _sweep(step, rows, np.zeros_like(rows), 1, None, movable, unsure, budget)
        _sweep(step, rows, np.full_like(rows, -1), -1, None, movable, unsure, budget)


def _sweep(
    step: Step,
    rows: Rows,
    start: NDArray[Any],
    direction: int,
    stop: NDArray[Any] | None,
    movable: Flags,
    unsure: Flags,
    budget: Budget,
) -> None:
    """Try ``start``, then blocks that double, on the states that still have no move.

    Most states have a move at the first value, so the blocks stay small where many states
    are left; ``stop`` (upwards only) is the last value, None for none.
    """
    done, width = 0, 1
    while len(rows) and (stop is not None or done < _PATIENCE):
        near, far = start + direction * done, start + direction * (done + width - 1)
        lo, hi = (near, far) if direction > 0 else (far, near)
        if stop is not None:
            hi = np.minimum(hi, stop)
        try:
            for source, _ in step.out_of(rows, first=(lo, hi)):
                budget.check()
                movable[source] = True
        except Boundless:
            break
        left = ~movable[rows]
        done += width
        width *= 2
        if stop is not None:
            left &= np.asarray(start + done <= stop, dtype=bool)
            stop = stop[left]
        rows, start = rows[left], start[left]
    unsure[rows] = True
