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
from icgsynth.synth.linear.quotient import ultimate_period


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
    tail_values = values[start : start + period]
    residues = sorted(int(v) % period for v in tail_values[target[start : start + period]])
    early = [int(v) for v, y in zip(values[:start], target[:start], strict=True) if y]
    if not residues:
        return disjunction([member(name, early)]) if early else None
    periodic = _residues(name, residues, period)
    extra = [v for v in early if v % period not in residues]
    wrong = [v for v in map(int, values[:start]) if v % period in residues and v not in early]
    if not wrong:
        kept: t.Formula = periodic
    else:
        from_then_on = t.compare(name, ">=", max(wrong) + 1)
        excepted = [t.compare(name, "!=", v) for v in wrong]
        options = [conjunction((periodic, from_then_on)), conjunction((periodic, *excepted))]
        kept = min(options, key=size)
        if kept is options[0]:
            extra = [v for v in early if v <= max(wrong)]
    return disjunction([kept, member(name, extra)]) if extra else kept


def member(name: t.Name, values: list[int]) -> t.Formula:
    """``name = v``, or ``name in {...}``."""
    if len(values) == 1:
        return t.compare(name, "=", values[0])
    return t.Member(name, tuple(t.Int(v) for v in values))


def _residues(name: t.Name, residues: list[int], period: int) -> t.Formula:
    if period == 1:
        return t.TRUE
    term = t.Mod(name, t.Int(period))
    if len(residues) == 1:
        return t.compare(term, "=", residues[0])
    if len(residues) == period - 1:
        (missing,) = set(range(period)) - set(residues)
        return t.compare(term, "!=", missing)
    return t.Member(term, tuple(t.Int(r) for r in residues))
