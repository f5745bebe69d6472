"""Compiled code that extends long nim sequences: :mod:`icgsynth.heaps.search.sparse_space`."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

from icgsynth.heaps.search.prefixes import least_step
from icgsynth.process.compiled import compiled, part

Ints = NDArray[Any]


class HeapMoves(NamedTuple):
    """The numbers that a move may take (int64), by the number of heaps that it leaves.
    ``unequal[i]`` is 1 where the two heaps that are left after taking ``two[i]`` must differ."""

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


class PairLists(NamedTuple):
    """Heaps that are tried first as one of the two heaps that a move leaves.

    ``rare`` are the rare heaps found so far, ascending, ``counts[0]`` of them.  ``useful`` are the
    heaps that lately gave a value which was looked for, roughly the most useful first, and 0 where
    there are none yet; the next one is written to the place ``counts[1]``.
    """

    rare: Ints
    useful: Ints
    counts: Ints


least_step_compiled = compiled(least_step)


@part
def _meet(values: Ints, heap: int, moves: HeapMoves, lists: PairLists, seen: Ints) -> None:
    """Set ``seen[v]`` to ``heap`` for the value v of each of its options, but for pairs of heaps
    that are both common: not in ``lists.rare``."""
    for k in moves.whole:
        if k == heap:
            seen[0] = heap
    for k in moves.one:
        if k < heap:
            seen[values[heap - k]] = heap
    for j in range(len(moves.two)):
        size = heap - moves.two[j]
        # 2 a = size would leave two equal heaps; where they must differ, that pair is no option.
        middle = size if moves.unequal[j] else -1
        for i in range(lists.counts[0]):
            a = lists.rare[i]
            # Rare heaps ascend: no later one leaves a second heap of at least 1.
            if a >= size:
                break
            if 2 * a != middle:
                seen[values[a] ^ values[size - a]] = heap


class Sought(NamedTuple):
    """The values that pairs of common heaps may still have: ``missing`` ones below ``below``."""

    below: int
    missing: int


@part
def _meet_useful(
    values: Ints, heap: int, moves: HeapMoves, lists: PairLists, sought: Sought, seen: Ints
) -> int:
    """Set ``seen[v]`` to ``heap`` for values v < ``sought.below`` of options that are two heaps,
    one in ``lists.useful``; return how many of the ``sought.missing`` values are not met yet."""
    useful, missing = lists.useful, sought.missing
    for j in range(len(moves.two)):
        size = heap - moves.two[j]
        middle = size if moves.unequal[j] else -1
        for i in range(len(useful)):
            a = useful[i]
            if a == 0:
                break
            if a < size:
                value = values[a] ^ values[size - a]
                if value < sought.below and seen[value] != heap and 2 * a != middle:
                    seen[value] = heap
                    # Swap with the heap at half the place: heaps that are useful often come to the
                    # front.
                    useful[i] = useful[i // 2]
                    useful[i // 2] = a
                    missing -= 1
                    if missing == 0:
                        return 0
    return missing


@part
def _meet_common(
    values: Ints, heap: int, moves: HeapMoves, lists: PairLists, sought: Sought, seen: Ints
) -> int:
    """Set ``seen[v]`` to ``heap`` for values v < ``sought.below`` of options that are two heaps,
    until ``sought.missing`` are met; note one of the heaps in ``lists.useful``. Return how many
    still lack."""
    missing = sought.missing
    for j in range(len(moves.two)):
        size = heap - moves.two[j]
        middle = size if moves.unequal[j] else -1
        # Both orders of a pair have one value, so a goes up to half the size.
        for a in range(1, size // 2 + 1):
            value = values[a] ^ values[size - a]
            if value < sought.below and seen[value] != heap and 2 * a != middle:
                seen[value] = heap
                lists.useful[lists.counts[1]] = a
                lists.counts[1] += 1
                if lists.counts[1] == len(lists.useful):
                    # The list is full: its back half is written anew, its front half stays.
                    lists.counts[1] //= 2
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
    lists: PairLists,
    seen: Ints,
) -> int:
    """Write G(start), .., G(end - 1) to ``values``, and rare heaps (by ``classes``) to
    ``lists.rare``; return the first heap that is not done.

    That is before ``end`` where a value reaches the limit, a power of two, which ``classes.odd``
    and ``seen`` are long.  ``seen`` holds numbers of heaps, none of them from ``start`` on.
    """
    limit = len(seen)
    for heap in range(start, end):
        _meet(values, heap, moves, lists, seen)
        shift = 0
        if classes.by_position and len(moves.two):
            shift = (heap - moves.two[0]) & 1
        # Two common heaps have a value of the parity of shift.  So the least other value that is
        # not met by now is no option's, and G(heap) is that or a smaller one of shift's parity.
        found = 0
        missing = 0
        # missing: the values of shift's parity below it that are not met yet.
        while found < limit and (seen[found] == heap or classes.odd[found] == shift):
            if seen[found] != heap:
                missing += 1
            found += 1
        if missing:
            missing = _meet_useful(values, heap, moves, lists, Sought(found, missing), seen)
        if missing:
            missing = _meet_common(values, heap, moves, lists, Sought(found, missing), seen)
        if missing:
            found = 0
            while seen[found] == heap or classes.odd[found] != shift:
                found += 1
        # All values below the limit are met; the caller enlarges the tables and goes on here.
        if found == limit:
            return heap
        values[heap] = found
        # Heap 0 is never one of two heaps that are left.
        if heap and classes.odd[found] ^ (classes.by_position & heap & 1) == classes.rare:
            lists.rare[lists.counts[0]] = heap
            lists.counts[0] += 1
    return end


KERNELS = (least_step_compiled, extend)
