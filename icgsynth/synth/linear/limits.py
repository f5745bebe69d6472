"""Limits on one unknown of a formula in one pass, as columns.

Cheaper and coarser than :func:`icgsynth.logic.ranges.narrow`: each comparison that is linear in the
unknown is solved for it as it stands, with the other names known.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from numpy.typing import NDArray

from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, negation
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Interval, hull
from icgsynth.logic.ranges import ROOM, linear
from icgsynth.logic.simplify import linear_sum

__all__ = ["limits"]

_FREE = Interval()


def limits(formula: t.Formula, name: str, known: Mapping[str, NDArray[Any]]) -> Interval:
    """Ends, (n,) or one number, for ``name`` wherever ``formula`` holds; None is no limit.

    ``known`` gives columns (n,) for other names; what speaks of names beyond these is passed
    over.
    """
    match formula:
        case t.And(args):
            return reduce(Interval.clipped, (limits(a, name, known) for a in args), _FREE)
        case t.Or(args):
            sides = [limits(a, name, known) for a in args if a != t.Truth(False)]
            return reduce(_either, sides) if sides else _FREE
        case t.Not(arg):
            pushed = negation(arg)
            return _FREE if isinstance(pushed, t.Not) else limits(pushed, name, known)
        case t.Compare(terms, ops):
            links = zip(terms, ops, terms[1:], strict=False)
            solved = (_solved(x, op, y, name, known) for x, op, y in links)
            return reduce(Interval.clipped, solved, _FREE)
        case _:
            return _FREE


def _either(one: Interval, other: Interval) -> Interval:
    return hull(one, True, other, True)


def _solved(
    left: t.Term, op: str, right: t.Term, name: str, known: Mapping[str, NDArray[Any]]
) -> Interval:
    form = linear(t.Sum((left, t.Neg(right))))
    factor = form.factors.get(t.Name(name), 0)
    others = {term: f for term, f in form.factors.items() if term != t.Name(name)}
    if not factor or op == "!=" or any(not free_names(term) <= known.keys() for term in others):
        return _FREE
    # factor * name + rest op 0
    column = columns(linear_sum(others, form.constant), known)
    rest = column if column.ndim else int(column)
    return (ROOM[op] - Interval(rest, rest)).divided(factor)
