"""Compiled loops that count how often a body holds for each move, 64 moves to a word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.process.compiled import compiled, part

Words = NDArray[np.uint64]
Ints = NDArray[Any]

PLANES = 21
"""Bits of a counter: more than a part of a body has substitutions (``bodies.MOST_INSTANCES``)."""


@part
def _hold(truth: Words, columns: Ints, i: int, w: int) -> Any:
    """Return the moves (bits of word ``w``) for which all literals in ``columns[i]`` hold: a row of
    ``truth`` (atoms, w), -1 for what always holds, -2 - a for the negation of row a."""
    held = ~np.uint64(0)
    for j in range(columns.shape[1]):
        at = columns[i, j]
        if at >= 0:
            held &= truth[at, w]
        elif at < -1:
            held &= ~truth[-2 - at, w]
    return held


@part
def _count(planes: Words, w: int, carry: Any) -> bool:
    """Add 1 to the counter of each move with a bit in ``carry``, in word ``w`` of ``planes``, which
    has bit b of each counter in row b; return False where a counter overflows."""
    b = 0
    while carry:
        if b == planes.shape[0]:
            return False
        both = planes[b, w] & carry
        planes[b, w] ^= carry
        carry = both
        b += 1
    return True


@compiled
def add_up(truth: Words, columns: Ints, planes: Words) -> bool:
    """Count in ``planes`` (PLANES, w), for each move, the rows of ``columns`` that hold.  Bit b of
    a move's counter is in ``planes[b]``.  ``truth`` (atoms, w) has a bit for each move; ``columns``
    (k, l): atoms that must hold together, ``-1`` for one that always does, ``-2 - a`` for the
    negation of atom a.  False where a counter overflows."""
    width = truth.shape[1]
    for i in range(columns.shape[0]):
        for w in range(width):
            if not _count(planes, w, _hold(truth, columns, i, w)):
                return False
    return True


@compiled
def add_parity(truth: Words, columns: Ints, keys: Ints, planes: Words) -> bool:
    """Count in ``planes``, for each move, the ``keys`` of which an odd number of rows hold.
    ``keys`` (k,) are sorted, one for each row of ``columns`` (k, l): atoms, -1 for what always
    holds, -2 - a for the negation of atom a.  ``truth`` (atoms, w) has a bit for each move; bit b
    of a move's counter is in ``planes[b]``.  False where a counter overflows."""
    width = truth.shape[1]
    for w in range(width):
        odd = np.uint64(0)
        for i in range(columns.shape[0]):
            odd ^= _hold(truth, columns, i, w)
            if i + 1 == columns.shape[0] or keys[i + 1] != keys[i]:
                if not _count(planes, w, odd):
                    return False
                odd = np.uint64(0)
    return True
