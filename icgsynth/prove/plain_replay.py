"""A second replay of nim sequences, in Python's own integers: each value from its definition.

It shares with :mod:`~icgsynth.prove.heap_replay` the code of the game and the claim, and nothing
that computes: no arrays, no masks, and no choice of pairs.  All options of each of the first heaps
are looked at, and of some later ones that are drawn at random, and of the last.
"""

from __future__ import annotations

from operator import xor
from random import Random

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.game.heaps import HeapCode, NimPeriod

_EXACT = 5_000  # heaps looked at one by one, where a move leaves two of them at most
_EXACT_OF_THREE = 400  # the same where it may leave three
_DRAWN = 20  # later heaps


def looked_at(code: HeapCode, count: int) -> int:
    """How many of ``count`` heaps, from 0 on, are looked at one by one."""
    return min(count, _EXACT if code.most_heaps < 3 else _EXACT_OF_THREE)


def wrong_heap(claim: NimPeriod, budget: Budget) -> int | None:
    """A heap with another value than ``claim`` says; None where none is found.

    The claim has to be one that values prove, see :attr:`NimPeriod.has_theorem`.
    :class:`~icgsynth.errors.BudgetSpent` where there is no time to look at all of them.
    """
    values: list[int] = claim.values.tolist()
    while len(values) < claim.needed:
        values.append(values[-claim.period])
    first = looked_at(claim.code, len(values))
    later = range(first, len(values))
    drawn = Random(0).sample(later, min(_DRAWN, len(later)))
    heaps: list[int] = [*range(first), *sorted(drawn), len(values) - 1]
    for heap in heaps:
        if least_unmet(option_values(claim.code, heap, values, budget)) != values[heap]:
            return heap
    return None


def least_unmet(values: set[int]) -> int:
    """The least natural number that is not among ``values``."""
    number = 0
    while number in values:
        number += 1
    return number


def option_values(
    code: HeapCode, heap: int, values: list[int], budget: Budget = UNBOUNDED
) -> set[int]:
    """The values of all that a move leaves of ``heap``: the xor of those of its heaps."""
    met: set[int] = set()
    for taken, digit in enumerate(code.digits):
        size = heap - taken
        budget.check()
        if digit & 1 and size == 0:
            met.add(0)
        if digit & 2 and size > 0:
            met.add(values[size])
        if digit & 4:
            met.update(_of_two(size, values))
        if digit & 8:
            for third in range(1, size - 1):
                budget.check()
                met.update(values[third] ^ value for value in _of_two(size - third, values))
    return met


def _of_two(size: int, values: list[int]) -> set[int]:
    """The values of two heaps of at least 1 that are ``size`` together."""
    half = max(0, size // 2)
    return set(map(xor, values[1 : half + 1], reversed(values[size - half : size])))
