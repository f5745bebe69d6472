"""Machine code for learning: how often a body holds, bit by bit, 64 moves to a word."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled

__all__ = ["KERNELS", "PLANES", "add_parity", "add_up"]

Words = NDArray[np.uint64]
Ints = NDArray[Any]

PLANES = 12
"""Bits of a counter: a body may hold up to 4095 times for one move."""


@compiled
def add_up(truth: Words, columns: Ints, planes: Words) -> bool:
    """Count in ``planes`` (PLANES, w), which start at 0, the rows of ``columns`` that hold.

    ``truth`` (atoms, w); ``columns`` (k, l): atoms that must hold together, ``-1`` for one that
    always does, ``-2 - a`` for the negation of atom a.  False where a counter overflows.
    """
    width = truth.shape[1]
    for i in range(columns.shape[0]):
        for w in range(width):
            carry = ~np.uint64(0)
            for j in range(columns.shape[1]):
                at = columns[i, j]
                if at >= 0:
                    carry &= truth[at, w]
                elif at < -1:
                    carry &= ~truth[-2 - at, w]
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
def add_parity(truth: Words, columns: Ints, keys: Ints, planes: Words) -> bool:
    """Count the keys for which an odd number of rows hold; ``keys`` (k,) is sorted."""
    width = truth.shape[1]
    for w in range(width):
        odd = np.uint64(0)
        for i in range(columns.shape[0]):
            both = ~np.uint64(0)
            for j in range(columns.shape[1]):
                at = columns[i, j]
                if at >= 0:
                    both &= truth[at, w]
                elif at < -1:
                    both &= ~truth[-2 - at, w]
            odd ^= both
            if i + 1 == columns.shape[0] or keys[i + 1] != keys[i]:
                b = 0
                while odd:
                    if b == planes.shape[0]:
                        return False
                    both = planes[b, w] & odd
                    planes[b, w] ^= odd
                    odd = both
                    b += 1
    return True


KERNELS = (add_parity, add_up)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
