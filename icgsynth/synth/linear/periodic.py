"""Fit ultimately periodic sets of one variable to labels.

Every Presburger set of integers that is bounded below is ultimately periodic.  The
smallest (pre-period, period) that the labels show is fitted, and the pre-period's
exceptions are listed.  The set is a guess from finitely many labels; the proof comes later.  This
finds periods of thousands at once, while a vocabulary has no room for so many residues."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, reading
from icgsynth.synth.linear.polish import values_of
from icgsynth.synth.linear.quotient import label_places, ultimate_period

_MOST_CASES = 16  # most cases of the variables beside the one that shows a period
_MOST_STRETCHES = 40  # most stretches in a list that a person reads
_LONGEST_IN_STRETCH = 20  # longest period in a stretch
_LISTED = 3  # members of a stretch below which they are listed one by one


def listed_intervals(values: Ints, target: Flags, variable: str, most: int) -> t.Formula | None:
    """Return a formula over ``variable`` that lists the intervals of ``values`` (n,) where
    ``target`` (n,) is true, short ones as single numbers; None for more than ``most`` intervals.
    ``values`` are all values of the variable, ascending, so that the last interval needs no end."""
    starts = np.flatnonzero(np.diff(target, prepend=~target[:1]))
    stops = np.append(starts[1:], len(target))
    runs = [(a, b) for a, b in zip(starts.tolist(), stops.tolist(), strict=True) if target[a]]
    if len(runs) > most:
        return None
    name = t.Name(variable)
    single = set[int]()
    long: list[t.Formula] = []
    for a, b in runs:
        if b == a + 1 or (b < a + 4 and a > 0 and b < len(values)):
            single |= {*values[a:b].tolist()}
        else:
            low = () if a == 0 else (t.compare(name, ">=", int(values[a])),)
            high = () if b == len(values) else (t.compare(name, "<=", int(values[b - 1])),)
            long.append(conjunction((*low, *high)))
    parts = [values_of(name, single), *long] if single else long
    return disjunction(parts)


def listed_stretches(values: Ints, target: Flags, variable: str) -> t.Formula | None:
    """Return a formula over ``variable`` of the ``values`` (n,) where ``target`` (n,) is true, by
    ranges with a period in each: ``v <= 49 and v mod 2 = 1``.  None where the ``values``, which
    ascend, have gaps, and for many ranges."""
    if len(values) != values[-1] - values[0] + 1:
        return None
    name, single, parts = t.Name(variable), set[int](), list[t.Formula]()
    start = 0
    for _ in range(_MOST_STRETCHES):
        stop, period = _stretch(target, start)
        members = values[start:stop][target[start:stop]]
        if len(members) < _LISTED:
            single |= {*members.tolist()}
        else:
            low = t.compare(name, ">=", int(values[start])) if start else t.TRUE
            high = t.compare(name, "<=", int(values[stop - 1])) if stop < len(values) else t.TRUE
            residues = {*(members % period).tolist()}
            told = values_of(t.Mod(name, t.Int(period)), residues) if period > 1 else t.TRUE
            parts.append(conjunction((low, high, told)))
        if stop == len(values):
            return disjunction([values_of(name, single), *parts] if single else parts)
        start = stop
    return None


def _stretch(target: Flags, start: int) -> tuple[int, int]:
    """Return (stop, period): ``target[start:stop]`` has this period, chosen to reach farthest."""
    # The period is the one with the longest stretch beyond two periods.
    ways: list[tuple[int, int, int]] = []
    rest = target[start:]
    for period in range(1, _LONGEST_IN_STRETCH + 1):
        differs = np.flatnonzero(rest[period:] != rest[:-period])
        stop = start + period + int(differs[0]) if len(differs) else len(target)
        ways.append((stop - start - 2 * period, stop, -period))
    _, stop, negated = max(ways)
    return stop, -negated


def periodic_formula(values: Ints, target: Flags, variable: str) -> t.Formula | None:
    """Return a formula over ``variable`` of the ascending ``values`` (n,) where ``target`` (n,) is
    true, if it is periodic from some value on; None if not, and for negative or few values."""
    if len(values) < 4 or values[0] < 0:
        return None
    fit = ultimate_period(label_places(values - values[0], target))
    if fit is None:
        return None
    start, period = int(values[0]) + fit[0], fit[1]
    name, late = t.Name(variable), values >= start
    early = {*values[~late & target].tolist()}
    residues = {*(values[late & target] % period).tolist()}
    if not residues:
        return values_of(name, early) if early else None
    kept = values_of(t.Mod(name, t.Int(period)), residues)
    wrong = [v for v in values[~late & ~target].tolist() if v % period in residues]
    first = max(wrong, default=-1) + 1  # from this number on the residues are right
    from_then_on = conjunction((kept, t.compare(name, ">=", first))) if wrong else kept
    excepted = conjunction((kept, *(t.compare(name, "!=", v) for v in wrong)))
    ways: list[t.Formula] = []
    for way, right in ((from_then_on, first), (excepted, 0)):
        extra = {v for v in early if v < right or v % period not in residues}
        ways.append(disjunction((way, values_of(name, extra))) if extra else way)
    return min(ways, key=reading)


def periodic_by_cases(
    states: Ints, target: Flags, variables: Sequence[str], along: int
) -> tuple[Ints, dict[t.Formula, Flags]]:
    """Return (cases, formulas) for ``target`` (n,) on ``states`` (n, d), if it is periodic in the
    variable of the column ``along`` for all values of the others.

    The cases (m, d - 1) are these values.  The formulas, over the one variable, are the keys of a
    dict; its values are flags (m,) of the cases in which the states of the formula are in
    ``target``.  There are no formulas where a case shows no period, or where the cases are many."""
    name, column = variables[along], states[:, along]
    cases, case_of = np.unique(np.delete(states, along, axis=1), axis=0, return_inverse=True)
    if len(cases) > _MOST_CASES:
        return cases, {}
    values = np.unique(column)
    in_all = ~np.isin(values, column[~target])
    whole = periodic_formula(values, in_all, name) if in_all.any() else None
    found = {} if whole is None else {whole: np.ones(len(cases), bool)}
    said = np.isin(column, values[in_all]) & (whole is not None)
    for case in range(len(cases)):
        rows = np.flatnonzero(case_of == case)
        rows = rows[np.argsort(column[rows])]
        if not (target & ~said)[rows].any():
            continue
        ways = [periodic_formula(column[rows], p[rows], name) for p in (target, target & ~said)]
        right = [way for way in ways if way is not None]
        if not right:
            return cases, {}
        found.setdefault(min(right, key=reading), np.zeros(len(cases), bool))[case] = True
    return cases, found
