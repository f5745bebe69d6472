"""Compute the values of a code by definition, each heap from all its options.

The work grows with the square of the number of heaps, and with three heaps in a move with that
times the largest value.  Numpy alone; the first thousands of heaps need nothing faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.heaps.rules.heaps import HeapCode

Ints = NDArray[np.integer[Any]]
Bits = NDArray[np.bool_]


def extend_plainly(code: HeapCode, known: Ints, count: int, budget: Budget) -> Ints:
    """Return G(0), .., G(count - 1), which begin with ``known``; fewer if the budget is spent."""
    values = np.zeros(count, np.int32)
    values[: len(known)] = known
    top = _above(known)
    pairs = _Pairs(code, values, len(known), top)
    for heap in range(len(known), count):
        if budget.is_spent:
            return values[:heap]
        pairs.add(heap, top)
        met = np.zeros(top + 1, np.bool_)  # values below top are met, so one up to top is not
        if heap in code.taking(0):
            met[0] = True
        for k in code.taking(1):
            if k < heap:
                met[values[heap - k]] = True
        for k in code.taking(2):
            met[_two(values, heap - k, k in code.unequal)] = True
        for k in code.taking(3):
            met[:top] |= pairs.with_a_third(heap - k, top)
        values[heap] = met.argmin()
        top = max(top, _above(values[heap : heap + 1]))
    return values


def _above(values: Ints) -> int:
    """Return the least power of two above all ``values``: their xors stay below it."""
    return 1 << int(values.max(initial=0)).bit_length()


def _two(values: Ints, size: int, unequal: bool) -> Ints:
    """Return G(a) xor G(b) for all heaps a <= b, a + b = ``size``; a < b if ``unequal``."""
    last = (size - 1 if unequal else size) // 2
    if last < 1:
        return values[:0]
    return values[1 : last + 1] ^ values[size - 1 : size - last - 1 : -1]


class _Pairs:
    """The values of pairs of heaps, by their total size, for moves that leave three heaps."""

    def __init__(self, code: HeapCode, values: Ints, known: int, top: int) -> None:
        self._values = values
        wanted = len(values) if code.taking(3) else 0
        self._met: Bits = np.zeros((wanted, top), np.bool_)
        for size in range(min(known, wanted)):
            self.add(size, top)

    def add(self, size: int, top: int) -> None:
        """Note the values, below ``top``, of all pairs of heaps of total size ``size``."""
        if size >= len(self._met):
            return
        if top > self._met.shape[1]:
            wider = ((0, 0), (0, top - self._met.shape[1]))
            self._met = np.pad(self._met, wider)
        self._met[size, _two(self._values, size, False)] = True

    def with_a_third(self, size: int, top: int) -> Bits:
        """Return whether three heaps of total size ``size`` have the value v < ``top`` (top,)."""
        least = np.arange(1, size // 3 + 1)
        # v is met if some third heap a leaves two heaps with the value v ^ G(a).
        others = np.arange(top) ^ self._values[least][:, None]
        found: Bits = self._met[(size - least)[:, None], others].any(axis=0)
        return found
