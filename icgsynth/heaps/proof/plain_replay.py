"""Check nim sequences a second time, in Python's own integers: each value from its definition.

It shares with :mod:`~icgsynth.heaps.proof.heap_replay` the code of the game and the claim, and
nothing that computes: no numpy, no masks, and no choice of pairs.  All options of each of the
first heaps are looked at, and of some later ones that are drawn at random, and of the last.

Many values are packed into one long integer, a few bytes each, so that one xor combines them all.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Sequence
from itertools import repeat
from operator import contains
from random import Random
from typing import TypeAlias

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.heaps.rules.heaps import HeapCode, NimPeriod

_EXACT = 5_000  # heaps looked at one by one, where a move leaves two of them at most
_EXACT_OF_THREE = 400  # heaps looked at one by one, where a move may leave three
_DRAWN = 20  # later heaps, drawn at random
_Row: TypeAlias = "array[int]"  # G(0), G(1), .., in the fewest bytes that hold the largest


def looked_at(code: HeapCode, count: int) -> int:
    """Return how many of the first ``count`` heaps the second proof, in plain Python, checks one by
    one."""
    return min(count, _EXACT if code.most_heaps < 3 else _EXACT_OF_THREE)


def wrong_heap(claim: NimPeriod, budget: Budget) -> int | None:
    """Return a heap whose Grundy value is not the one in ``claim``; None where none is found.

    A theorem must hold of the claim: :attr:`NimPeriod.has_theorem`.
    :class:`~icgsynth.errors.BudgetSpent` where there is no time to look at all of them.
    """
    values = row(claim.values.data)
    begin, block = values[: claim.preperiod], values[claim.preperiod :]
    values = (begin + block * (1 + (claim.needed - len(begin)) // claim.period))[: claim.needed]
    first = looked_at(claim.code, len(values))
    later = range(first, len(values))
    drawn = Random(0).sample(later, min(_DRAWN, len(later)))
    heaps: list[int] = [*range(first), *sorted(drawn), len(values) - 1]
    for heap in heaps:
        budget.check()
        if least_unmet(option_values(claim.code, heap, values, budget)) != values[heap]:
            return heap
    return None


def row(values: Sequence[int]) -> _Row:
    """Return ``values`` as an array with as few bytes for each value as the largest needs."""
    largest = max(values, default=0)
    return array("B" if largest < 1 << 8 else "H" if largest < 1 << 16 else "L", values)


def least_unmet(values: Sequence[Container[int]]) -> int:
    """Return the least natural number that is in none of the containers ``values``."""
    number = 0
    while any(map(contains, values, repeat(number))):
        number += 1
    return number


def option_values(
    code: HeapCode, heap: int, values: _Row, budget: Budget = UNBOUNDED
) -> list[Container[int]]:
    """Return containers that together hold the Grundy values of all options of a heap of size
    ``heap``.

    ``values[n]`` is G(n).  Values that fit are in bytes, which are searched faster than a set is
    made.
    """
    met: list[Container[int]] = []
    for taken, digit in enumerate(code.digits):
        size = heap - taken
        if digit & 1 and size == 0:
            met.append((0,))
        if digit & 2 and size > 0:
            met.append((values[size],))
        if digit & 4:
            two = _of_two(size, values)
            met.append(two if isinstance(two, bytes) else set(two))
        if digit & 8:
            three: set[int] = set()
            for third in range(1, size - 1):
                budget.check()
                three.update(values[third] ^ value for value in _of_two(size - third, values))
            met.append(three)
    return met


def _of_two(size: int, values: _Row) -> bytes | _Row:
    """Return G(a) xor G(b), by ``values``, for all 1 <= a <= b with a + b = ``size``."""
    half = max(0, size // 2)
    smaller, larger = values[1 : half + 1], values[size - 1 : size - half - 1 : -1]
    # Values lie side by side as octets of two long integers: one xor combines all pairs.
    first, second = int.from_bytes(smaller, "little"), int.from_bytes(larger, "little")
    both = (first ^ second).to_bytes(half * values.itemsize, "little")
    return both if values.itemsize == 1 else array(values.typecode, both)
