"""Small systems of linear inequalities without a solution, by elimination in Python integers.

Fourier and Motzkin's elimination, where each inequality is first divided by the common divisor
of its coefficients and its constant rounded down (Schrijver, *Theory of Linear and Integer
Programming*, 1986, sections 12.2 and 23.1).  That refutes most of what the residue classes of a
game leave; what it does not refute, another decider is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import TypeAlias

from icgsynth.logic import term as t
from icgsynth.logic.normal import conjuncts

__all__ = ["refutes"]

Row: TypeAlias = tuple[int, ...]  # coefficients, and a constant at the end: their sum is >= 0
_Rows: TypeAlias = dict[tuple[int, ...], int]  # the least constant for each vector of coefficients

_MOST_ROWS = 120  # inequalities at a time: elimination may square their number
_MOST_LEAVES = 200  # alternatives looked at for one question


def refutes(formulas: Iterable[t.Formula], names: Sequence[str]) -> bool:
    """Whether the conjunction certainly has no solution over the integers.

    ``formulas`` are of ``And``, ``Or``, ``Truth`` and comparisons of a sum of integer
    multiples of names with an integer.  False says nothing.
    """
    place = {name: i for i, name in enumerate(names)}
    leaves = [_MOST_LEAVES]
    return _closed({}, list(formulas), place, leaves)


def _closed(rows: _Rows, todo: list[t.Formula], place: dict[str, int], leaves: list[int]) -> bool:
    """Whether every branch of ``todo`` contradicts ``rows``."""
    rows, choices = dict(rows), []
    for formula in conjuncts(todo):
        if isinstance(formula, t.Truth):
            if not formula.value:
                return True
        elif isinstance(formula, t.Compare) and formula.ops[0] != "!=":
            for row in _rows(formula, place):
                if not _add(rows, row):
                    return True
        else:
            choices.append(formula)
    if _empty(rows):
        return True
    if not choices or leaves[0] <= 0:
        return False
    choices.sort(key=lambda choice: len(choice.args) if isinstance(choice, t.Or) else 2)
    for branch in _branches(choices[0]):
        leaves[0] -= 1
        if not _closed(rows, [branch, *choices[1:]], place, leaves):
            return False
    return True


def _branches(choice: t.Formula) -> Iterable[t.Formula]:
    if isinstance(choice, t.Or):
        return choice.args
    assert isinstance(choice, t.Compare)
    return [t.Compare(choice.terms, (op,)) for op in ("<", ">")]


def _rows(link: t.Compare, place: dict[str, int]) -> list[Row]:
    """``link`` as inequalities with 0."""
    left, right = (_linear(term, place) for term in link.terms)
    over = [a - b for a, b in zip(left, right, strict=True)]
    under = [-x for x in over]
    match link.ops[0]:
        case ">=":
            return [tuple(over)]
        case ">":
            return [(*over[:-1], over[-1] - 1)]
        case "<=":
            return [tuple(under)]
        case "<":
            return [(*under[:-1], under[-1] - 1)]
        case _:
            return [tuple(over), tuple(under)]


def _linear(term: object, place: dict[str, int]) -> list[int]:
    row = [0] * (len(place) + 1)
    for part in term.args if isinstance(term, t.Sum) else (term,):
        match part:
            case t.Int(number):
                row[-1] += number
            case t.Name(name):
                row[place[name]] += 1
            case t.Mul(t.Int(factor), t.Name(name)):
                row[place[name]] += factor
            case _:
                raise TypeError(f"not linear: {part}")
    return row


# --- elimination -----------------------------------------------------------------------


def _add(rows: _Rows, row: Row) -> bool:
    """Keep ``row``, tightened; False where it contradicts one that is there."""
    *factors, constant = row
    divisor = gcd(*factors)
    if divisor == 0:
        return constant >= 0
    vector = tuple(f // divisor for f in factors)
    constant //= divisor
    rows[vector] = constant = min(constant, rows.get(vector, constant))
    opposite = rows.get(tuple(-f for f in vector))
    return opposite is None or constant + opposite >= 0


def _empty(rows: _Rows) -> bool:
    """Whether elimination, one name after the other, ends in a contradiction."""
    while rows:
        counts = []
        for i in range(len(next(iter(rows)))):
            lower = sum(vector[i] > 0 for vector in rows)
            upper = sum(vector[i] < 0 for vector in rows)
            if lower or upper:
                counts.append((lower * upper - lower - upper, i))
        if not counts or min(counts)[0] + len(rows) > _MOST_ROWS:
            return False
        i = min(counts)[1]
        left: _Rows = {}
        rest = [(*vector, constant) for vector, constant in rows.items()]
        above = [row for row in rest if row[i] > 0]
        below = [row for row in rest if row[i] < 0]
        for row in rest:
            if row[i] == 0:
                left[row[:-1]] = row[-1]
        for one in above:
            for other in below:
                sum_ = tuple(a * -other[i] + b * one[i] for a, b in zip(one, other, strict=True))
                if not _add(left, sum_):
                    return True
        rows = left
    return False
