"""Limits on one unknown of a formula in one pass, as columns.

Cheaper and coarser than :func:`icgsynth.logic.ranges.narrow`: each comparison that is linear in the
unknown is solved for it as it stands, with the other names known.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any

from numpy.typing import NDArray

from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Interval, hull
from icgsynth.logic.ranges import ROOM, linear
from icgsynth.logic.simplify import linear_sum
from icgsynth.logic.term import (
    And,
    Compare,
    Formula,
    Name,
    Neg,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    free_names,
    negation,
)

__all__ = ["limits"]

_FREE = Interval()


def limits(formula: Formula, name: str, known: Mapping[str, NDArray[Any]]) -> Interval:
    """Ends, (n,) or one number, for ``name`` wherever ``formula`` holds; None is no limit.

    ``known`` gives columns (n,) for other names; what speaks of names beyond these is passed
    over.
    """
    match formula:
        case And(args):
            return reduce(Interval.clipped, (limits(a, name, known) for a in args), _FREE)
        case Or(args):
            sides = [limits(a, name, known) for a in args if a != Truth(False)]
            return reduce(_either, sides) if sides else _FREE
        case Not(arg):
            pushed = negation(arg)
            return _FREE if isinstance(pushed, Not) else limits(pushed, name, known)
        case Compare(terms, ops):
            links = zip(terms, ops, terms[1:], strict=False)
            solved = (_solved(x, op, y, name, known) for x, op, y in links)
            return reduce(Interval.clipped, solved, _FREE)
        case _:
            return _FREE


def _either(one: Interval, other: Interval) -> Interval:
    return hull(one, True, other, True)


def _solved(
    left: Term, op: str, right: Term, name: str, known: Mapping[str, NDArray[Any]]
) -> Interval:
    form = linear(Sum((left, Neg(right))))
    factor = form.factors.get(Name(name), 0)
    others = {term: f for term, f in form.factors.items() if term != Name(name)}
    if not factor or op == "!=" or any(not free_names(term) <= known.keys() for term in others):
        return _FREE
    # factor * name + rest op 0
    column = columns(linear_sum(others, form.constant), known)
    rest = column if column.ndim else int(column)
    return (ROOM[op] - Interval(rest, rest)).divided(factor)
