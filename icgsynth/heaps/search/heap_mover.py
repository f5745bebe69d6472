"""Find a move of a heap to a given value, for heaps of any number of digits."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import chain
from operator import xor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.game.game import Move, State
from icgsynth.heaps.rules.heap_rows import HeapMove, HeapRows
from icgsynth.heaps.rules.heaps import HeapAnswer, HeapCode, NimPeriod

_AT_ONCE = 1 << 16  # pairs of heaps that are looked at together

Ints = NDArray[np.int64]


def row_move(answer: HeapAnswer, row: State, target: int) -> Move | None:
    """Return a move of ``row`` to a row of the Grundy value ``target``; None where none is found.

    A row is a sum of heaps: with x the row's value xor ``target``, some heap of a value g has g xor
    x < g, and is moved to the value g xor x.
    """
    known = [value for heap in row if (value := answer.known_at(heap)) is not None]
    if len(known) < len(row):
        return None
    change = reduce(xor, known, target)
    for heap, value in zip(row, known, strict=True):
        if value ^ change < value:
            option = heap_option(answer, heap, value ^ change)
            if option is not None and _leads_there(answer, row, option, target):
                return option.move
    return None


def heap_option(answer: HeapAnswer, heap: int, target: int) -> HeapMove | None:
    """Return a move of ``heap`` to the Grundy value ``target`` that leaves few heaps, or None.

    Let the values have the period p from heap n on, and m be the larger of 1 and n.  If some move
    leads to ``target``, then so does one that leaves all its heaps but the largest below m + p. For
    as long as a heap that is not the largest has m + p or more, take p from it and add p to the
    largest: both keep their values, the number taken stays, and unequal heaps stay unequal. The
    largest heap is what is left, so that each pair of the number taken and of the smaller heaps is
    one move.  And the largest is so large, where the whole heap is, that p more or less do not
    change its value: a heap of 10^30 has the moves of a small one with the same remainder.
    """
    period = answer.period if answer.is_periodic else None
    if period is not None and period.saltus:
        rows = HeapRows(answer.code)
        return next(filter(rows.allows, _rising_options(period, heap, target)), None)
    code, far, bound = answer.code, 0, heap
    if period is not None:
        bound = max(1, period.preperiod) + period.period
        enough = code.most_taken + 3 * bound
        # A heap smaller by whole periods, but still large enough for the argument above, is
        # searched in its place; what was taken off is added to the largest heap left.
        far = max(0, (heap - enough) // period.period) * period.period
    elif heap >= len(answer.values):
        return None
    for option in _options(code, _Values(answer, period), heap - far, bound, target):
        if not far:
            return option
        if option.left:  # a heap so large cannot be taken whole
            return HeapMove(option.take, (option.left[0] + far, *option.left[1:]))
    return None


class _Values:
    """The Grundy values of many heaps at once: maps heaps (n,) to values (n,)."""

    def __init__(self, answer: HeapAnswer, period: NimPeriod | None) -> None:
        self._values: NDArray[Any] = answer.values if period is None else period.values
        self._period = period

    def __call__(self, heaps: Ints) -> Ints:
        if (period := self._period) is not None:
            start = period.preperiod
            late = start + (heaps - start) % period.period
            heaps = np.where(heaps < start, heaps, late)
        return self._values[heaps].astype(np.int64)


def _options(
    code: HeapCode, values: _Values, heap: int, bound: int, target: int
) -> Iterator[HeapMove]:
    """Yield moves of a heap of size ``heap`` to the Grundy value ``target``; all heaps left but the
    largest are below ``bound``."""
    if target == 0 and heap in code.taking(0):
        yield HeapMove(heap, ())
    for take in code.taking(1):
        if heap > take and values(np.array([heap - take]))[0] == target:
            yield HeapMove(take, (heap - take,))
    rows = HeapRows(code)
    for heaps in (2, 3):
        for take in code.taking(heaps):
            for left in _splits(values, heap - take, heaps, bound, target):
                if rows.allows(option := HeapMove(take, left)):
                    yield option


def _splits(
    values: _Values, size: int, heaps: int, bound: int, target: int, least: int = 1
) -> Iterator[tuple[int, ...]]:
    """Yield ``size`` as ``heaps`` parts (2 or 3), the largest first, whose values xor to
    ``target``; all but the largest are from ``least`` to ``bound`` - 1."""
    # The smallest of the heaps is no more than its share.
    most = min(size // heaps, bound - 1)
    if heaps == 3:
        for small in range(least, most + 1):
            value = int(values(np.array([small]))[0])
            for left in _splits(values, size - small, 2, bound, target ^ value, small):
                yield (*left, small)
        return
    for begin in range(least, most + 1, _AT_ONCE):
        block = np.arange(begin, min(begin + _AT_ONCE, most + 1), dtype=np.int64)
        met = values(block) ^ values(size - block) == target
        for part in block[met].tolist():
            yield (size - part, part)


def _leads_there(answer: HeapAnswer, row: State, option: HeapMove, target: int) -> bool:
    """Return whether ``option`` is legal in ``row`` and leads to the Grundy value ``target``."""
    rows = HeapRows(answer.code)
    if not rows.applies(row, option.move):
        return False
    after = rows.result(row, option.move)
    known = [value for heap in after if (value := answer.known_at(heap)) is not None]
    return len(known) == len(after) and reduce(xor, known, 0) == target


# --- values that rise ----------------------------------------------------------------------------


def _rising_options(period: NimPeriod, heap: int, target: int) -> Iterator[HeapMove]:
    """Yield some moves of ``heap`` to the Grundy value ``target`` where values rise for ever."""
    # They leave one heap; two, of which one is small or which are nearly equal; or three of which
    # two are equal: their xor is 0, so that the third has the value ``target``, as few heaps have.
    code, value = period.code, period.value
    if target == 0 and heap in code.taking(0):
        yield HeapMove(heap, ())
    for take in code.taking(1):
        if heap > take and value(heap - take) == target:
            yield HeapMove(take, (heap - take,))
    few = period.preperiod + 2 * period.period
    for take in code.taking(2):
        half = (heap - take) // 2
        for small in chain(range(1, min(half, few) + 1), range(half, max(0, half - few), -1)):
            rest = heap - take - small
            if value(small) ^ value(rest) == target:
                yield HeapMove(take, (rest, small))
    for take in code.taking(3):
        for one in _heaps_with(period, target):
            # The rest after `one` has to fall into two equal heaps.
            twin, odd = divmod(heap - take - one, 2)
            if twin > 0 and one > 0 and not odd:
                yield HeapMove(take, tuple(sorted((one, twin, twin), reverse=True)))


def _heaps_with(period: NimPeriod, target: int) -> Iterator[int]:
    """Yield all heaps of the Grundy value ``target`` where the values rise for ever."""
    for heap, value in enumerate(period.values.tolist()):
        # The value rises by the saltus with each period.
        periods, rest = divmod(target - value, period.saltus)
        if heap < period.preperiod and value == target:
            yield heap
        elif heap >= period.preperiod and periods >= 0 and not rest:
            yield heap + periods * period.period
