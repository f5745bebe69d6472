"""One variable: ultimately periodic sets, read off the labels.

Every Presburger set of integers that is bounded below is ultimately periodic.  The
smallest (pre-period, period) that the labels show is fitted, and the pre-period's
exceptions are listed.  It is a guess from finitely many labels; the proof comes later.  A period of
thousands is said so at once, while a vocabulary has no room for all of its residues.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size
from icgsynth.synth.linear.polish import values_of
from icgsynth.synth.linear.quotient import ultimate_period

_MOST_RUNS = 40  # intervals of the longest list that a person may still read


def listed_intervals(
    values: NDArray[np.int64], target: NDArray[np.bool_], variable: str
) -> t.Formula | None:
    """Where ``target`` (n,) holds among ``values`` (n,), all there are, ascending: by intervals.

    None where they are more than a person may read.
    """
    starts = np.flatnonzero(np.diff(target, prepend=~target[:1]))
    stops = np.append(starts[1:], len(target))
    runs = [(a, b) for a, b in zip(starts.tolist(), stops.tolist(), strict=True) if target[a]]
    if len(runs) > _MOST_RUNS:
        return None
    name = t.Name(variable)
    single = {int(values[a]) for a, b in runs if b == a + 1}
    parts = [] if not single else [values_of(name, single)]
    for a, b in runs:
        if b > a + 1:
            low = () if a == 0 else (t.compare(name, ">=", int(values[a])),)
            high = () if b == len(values) else (t.compare(name, "<=", int(values[b - 1])),)
            parts.append(conjunction((*low, *high)))
    return disjunction(parts)


def periodic_formula(
    values: NDArray[np.int64], target: NDArray[np.bool_], variable: str
) -> t.Formula | None:
    """A formula for the ``target`` among ``values`` (consecutive integers, ascending)."""
    if len(values) < 4 or np.any(np.diff(values) != 1) or values[0] < 0:
        return None
    fit = ultimate_period(target)
    if fit is None:
        return None
    start, period = fit
    name = t.Name(variable)
    early = {int(v) for v in values[:start][target[:start]]}
    residues = {int(v) % period for v in values[start:][target[start:]]}
    if not residues:
        return values_of(name, early) if early else None
    kept = values_of(t.Mod(name, t.Int(period)), residues)
    extra = {v for v in early if v % period not in residues}
    wrong = [v for v in map(int, values[:start]) if v % period in residues and v not in early]
    if wrong:
        from_then_on = conjunction((kept, t.compare(name, ">=", max(wrong) + 1)))
        excepted = conjunction((kept, *(t.compare(name, "!=", v) for v in wrong)))
        kept = min(from_then_on, excepted, key=size)
        if kept is from_then_on:
            extra |= {v for v in early if v <= max(wrong)}
    return disjunction((kept, values_of(name, extra))) if extra else kept
