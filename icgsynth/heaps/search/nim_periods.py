"""Find the least period of a sequence that enough of its values show.

The Z-function of the reversed sequence says how far back from the end G(n) = G(n - p) holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.heaps.rules.heaps import NO_HEAP, HeapCode, NimPeriod, SparseMask
from icgsynth.heaps.search.prefixes import least_step

Ints = NDArray[np.integer[Any]]
_SHORT = 4_096  # values for which the Z-function is not worth the start of a compiler


class Shift(NamedTuple):
    """A repetition: from ``start`` on, G(n + step) = G(n) + ``rise`` as far as was looked."""

    start: int
    step: int
    rise: int


def least_period(code: HeapCode, values: Ints) -> NimPeriod | None:
    """Return the least period that ``values`` prove, if they are right; None where there is none.

    A multiple of a period has the same preperiod and needs more values, so that the least shift
    with values enough is the least period.
    """
    if not code.unequal and (shift := _shift_of(code, values)) is not None:
        cut = values[: shift.start + shift.step].copy()
        return NimPeriod(code, shift.start, shift.step, cut, SparseMask())
    return None


def least_rise(code: HeapCode, values: Ints) -> NimPeriod | None:
    """Return a claim that no theorem proves: values that rise, or heaps that must be unequal. It is
    seen on as many ``values`` as would prove a period; None where none is."""
    if (shift := least_saltus(code, values)) is None or not (shift.rise or code.unequal):
        return None
    cut = values[: shift.start + shift.step].copy()
    return NimPeriod(code, shift.start, shift.step, cut, saltus=shift.rise)


def least_saltus(code: HeapCode, values: Ints) -> Shift | None:
    """Return the least shift G(n + step) = G(n) + rise that as many values show as a proof of a
    period needs; or None."""
    return _risen(values, _shift_of(code, np.diff(values)))


def least_seen(values: Ints) -> Shift | None:
    """Return the least shift G(n + step) = G(n) + rise that the last two thirds of ``values``, or
    more, show; or None."""
    return _risen(values, _least_shift(3, 0, np.diff(values)))


def seen_on_heaps(values: Ints) -> Shift | None:
    """Return the shift of :func:`least_seen`, but not before the first legal heap; or None."""
    heaps = np.flatnonzero(values != NO_HEAP)
    shift = least_seen(values) if len(heaps) else None
    return None if shift is None else shift._replace(start=max(shift.start, int(heaps[0])))


def _risen(values: Ints, shift: Shift | None) -> Shift | None:
    if shift is None:
        return None
    rise = int(values[shift.start + shift.step]) - int(values[shift.start])
    return shift._replace(rise=rise)


def _shift_of(code: HeapCode, values: Ints) -> Shift | None:
    return _least_shift(max(1, code.most_heaps), code.most_taken, values)


def _least_shift(heaps: int, taken: int, values: Ints) -> Shift | None:
    """Return the least period s of ``values`` from some m >= 1 on, as a shift without rise, that
    ``heaps`` * (m + s) + ``taken`` values show; or None."""
    count = len(values)
    # heaps * step values are needed, so no step is longer than count / heaps.
    room = max(1, count // heaps + 1)
    lengths: NDArray[np.int64] = np.zeros(room, np.int32 if count < 1 << 31 else np.int64)
    step = _machine(count)(values if count > _SHORT else values.tolist(), heaps, taken, lengths)
    if not step:
        return None
    return Shift(max(0, count - step - int(lengths[step])), step, 0)


def _machine(count: int) -> Callable[..., int]:
    if count <= _SHORT:
        return least_step
    from icgsynth.heaps.search.nim_kernels import least_step_compiled

    return least_step_compiled
