"""Limits on one unknown of a formula in one pass, as columns.

Cheaper and coarser than :func:`icgsynth.ranges.narrow`: each comparison that is linear in the
unknown is solved for it as it stands, with the other names known.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.evaluate import columns
from icgsynth.ranges import linear
from icgsynth.simplify import linear_sum
from icgsynth.term import (
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

__all__ = ["Limits", "limits"]

End: TypeAlias = "NDArray[Any] | None"
Limits: TypeAlias = tuple[End, End]

_FREE: Limits = (None, None)


def limits(formula: Formula, name: str, known: Mapping[str, NDArray[Any]]) -> Limits:
    """Ends, (n,) or one number, for ``name`` wherever ``formula`` holds; None is no limit.

    ``known`` gives columns (n,) for other names; what speaks of names beyond these is passed
    over.
    """
    match formula:
        case And(args):
            return reduce(_both, (limits(a, name, known) for a in args), _FREE)
        case Or(args):
            sides = [limits(a, name, known) for a in args if a != Truth(False)]
            return reduce(_either, sides[1:], sides[0]) if sides else _FREE
        case Not(arg):
            pushed = negation(arg)
            return _FREE if isinstance(pushed, Not) else limits(pushed, name, known)
        case Compare(terms, ops):
            links = zip(terms, ops, terms[1:], strict=False)
            return reduce(_both, (_solved(x, op, y, name, known) for x, op, y in links), _FREE)
        case _:
            return _FREE


def _solved(
    left: Term, op: str, right: Term, name: str, known: Mapping[str, NDArray[Any]]
) -> Limits:
    form = linear(Sum((left, Neg(right))))
    factor = form.factors.get(Name(name), 0)
    others = {t: f for t, f in form.factors.items() if t != Name(name)}
    if not factor or op == "!=" or any(not free_names(t) <= known.keys() for t in others):
        return _FREE
    # factor * name + rest op 0
    rest = columns(linear_sum(others, form.constant), known)
    if factor < 0:
        factor, rest = -factor, -rest
        op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op)
    most = (-rest - (op == "<")) // factor
    least = -((rest - (op == ">")) // factor)
    return (None if op in ("<", "<=") else least, None if op in (">", ">=") else most)


def _both(one: Limits, other: Limits) -> Limits:
    return _met(one[0], other[0], np.maximum), _met(one[1], other[1], np.minimum)


def _met(one: End, other: End, tighter: np.ufunc) -> End:
    if one is None or other is None:
        return other if one is None else one
    return np.asarray(tighter(one, other))


def _either(one: Limits, other: Limits) -> Limits:
    low = None if one[0] is None or other[0] is None else np.minimum(one[0], other[0])
    high = None if one[1] is None or other[1] is None else np.maximum(one[1], other[1])
    return low, high
