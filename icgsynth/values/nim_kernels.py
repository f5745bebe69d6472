"""Machine code for long nim sequences; see :mod:`icgsynth.values.sparse_space`."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled, part
from icgsynth.values.prefixes import z_lengths

__all__ = ["KERNELS", "Classes", "HeapMoves", "RareList", "extend", "z_lengths_compiled"]

Ints = NDArray[Any]


class HeapMoves(NamedTuple):
    """How many may be taken (int64), by the number of heaps that are left.

    ``unequal[i]`` is 1 where the two heaps that are left after taking ``two[i]`` must differ.
    """

    whole: Ints
    one: Ints
    two: Ints
    unequal: Ints


class Classes(NamedTuple):
    """Which heaps are rare: ``odd[v]`` is the parity of the masked bits of a value v < limit.

    The class of a heap n is ``odd[G(n)]``, and the parity of n is added where ``by_position``
    is 1.  Heaps of the class ``rare`` are rare.
    """

    odd: Ints
    by_position: int
    rare: int


class RareList(NamedTuple):
    """The rare heaps found so far, ascending: the first ``length[0]`` of ``heaps``."""

    heaps: Ints
    length: Ints


z_lengths_compiled = compiled(z_lengths)


@part
def _meet(values: Ints, heap: int, moves: HeapMoves, rare: RareList, seen: Ints) -> None:
    """Stamp the values of all options of ``heap`` but the pairs of two common heaps."""
    for k in moves.whole:
        if k == heap:
            seen[0] = heap
    for k in moves.one:
        if k < heap:
            seen[values[heap - k]] = heap
    for j in range(len(moves.two)):
        size = heap - moves.two[j]
        middle = size if moves.unequal[j] else -1
        for i in range(rare.length[0]):
            a = rare.heaps[i]
            if a >= size:
                break
            if 2 * a != middle:
                seen[values[a] ^ values[size - a]] = heap


@part
def _meet_common(
    values: Ints, heap: int, moves: HeapMoves, below: int, missing: int, seen: Ints
) -> int:
    """Stamp values below ``below`` of pairs until none of the ``missing`` ones is left.

    Returns how many are missing still when all pairs have been met.
    """
    for j in range(len(moves.two)):
        size = heap - moves.two[j]
        middle = size if moves.unequal[j] else -1
        for a in range(1, size // 2 + 1):
            value = values[a] ^ values[size - a]
            if value < below and seen[value] != heap and 2 * a != middle:
                seen[value] = heap
                missing -= 1
                if missing == 0:
                    return 0
    return missing


@compiled
def extend(
    values: Ints,
    start: int,
    end: int,
    moves: HeapMoves,
    classes: Classes,
    rare: RareList,
    seen: Ints,
) -> int:
    """Write G(start), .., G(end - 1) and note rare heaps; the first heap that was not done.

    That is before ``end`` where a value reaches the limit, a power of two, which ``odd`` and
    ``seen`` are long.  ``seen`` holds numbers of heaps, none of them from ``start`` on.
    """
    limit = len(seen)
    for heap in range(start, end):
        _meet(values, heap, moves, rare, seen)
        shift = 0
        if classes.by_position and len(moves.two):
            shift = (heap - moves.two[0]) & 1
        # Two common heaps have a value of the parity of shift.  So the least other value that is
        # not met by now is no option's, and G(heap) is that or a smaller one of shift's parity.
        found = 0
        missing = 0
        while found < limit and (seen[found] == heap or classes.odd[found] == shift):
            if seen[found] != heap:
                missing += 1
            found += 1
        if missing and _meet_common(values, heap, moves, found, missing, seen):
            found = 0
            while seen[found] == heap or classes.odd[found] != shift:
                found += 1
        if found == limit:
            return heap
        values[heap] = found
        if heap and classes.odd[found] ^ (classes.by_position & heap & 1) == classes.rare:
            rare.heaps[rare.length[0]] = heap
            rare.length[0] += 1
    return end


KERNELS = (z_lengths_compiled, extend)
