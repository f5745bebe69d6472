"""Why linear inequalities over the integers contradict each other, where rational numbers show it.

Unknowns are eliminated one by one, as Fourier and Motzkin do, and each row remembers of which of
the given rows it is a sum; a row without unknowns that is wrong is the answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, inf
from typing import NamedTuple

from icgsynth.export.coq.linear_facts import AffineForm, Row

__all__ = ["Outcome", "contradiction"]

_MOST = 3000  # rows of one elimination; past that the answer is that none was found

_CUTS = 40  # that are offered


class Outcome(NamedTuple):
    """Multipliers of the rows that contradict each other.

    Without them, ``cuts`` are sums of rows that whole numbers make sharper, and ``gap`` is an
    unknown without a whole number between its bounds, with the number below them.
    """

    multipliers: Mapping[int, int] | None
    cuts: tuple[Mapping[int, int], ...] = ()
    gap: tuple[int, int] | None = None


class _Sum(NamedTuple):
    form: AffineForm
    is_equal: bool
    of: dict[int, int]

    def plus(self, times: int, other: _Sum, by: int) -> _Sum:
        form = AffineForm({}, 0).plus(self.form, times).plus(other.form, by)
        of = {place: times * number for place, number in self.of.items()}
        for place, number in other.of.items():
            of[place] = of.get(place, 0) + by * number
        common = gcd(*form.of.values(), form.constant, *of.values()) or 1
        if common > 1:
            parts = {place: n // common for place, n in form.of.items()}
            form = AffineForm(parts, form.constant // common)
            of = {place: n // common for place, n in of.items()}
        return _Sum(form, self.is_equal and other.is_equal, of)


def contradiction(rows: Sequence[Row]) -> Outcome:
    """Multipliers by the places of ``rows``: those of inequalities are not negative."""
    left = [_Sum(row.form, row.is_equal, {i: 1}) for i, row in enumerate(rows)]
    stages: list[tuple[int, list[_Sum]]] = []
    while True:
        for wrong in (s for s in left if not s.form.of):
            constant = wrong.form.constant
            if constant < 0:
                return Outcome(wrong.of)
            if wrong.is_equal and constant:
                return Outcome({place: -number for place, number in wrong.of.items()})
        left = [s for s in left if s.form.of]
        if not left or len(left) > _MOST:
            break
        unknown, with_it, left = _eliminated(left)
        stages.append((unknown, with_it))
    cuts = [cut for _, with_it in stages for row in with_it for cut in _cuts(row)]
    return Outcome(None, tuple(cuts[:_CUTS]), None if left else _gap(stages))


def _cuts(row: _Sum) -> list[Mapping[int, int]]:
    """The row, and where it is an equation its negative, if its bound is no whole number."""
    if len(row.of) < 2 or row.form.constant % gcd(*row.form.of.values()) == 0:
        return []
    negative = {place: -number for place, number in row.of.items()}
    return [row.of, negative] if row.is_equal else [row.of]


def _eliminated(rows: list[_Sum]) -> tuple[int, list[_Sum], list[_Sum]]:
    """The unknown that costs least, the rows it is in, and what is left without it."""
    signs: dict[int, list[int]] = {}
    for row in rows:
        common = _common_of_others(row) if row.is_equal else {}
        for place, number in row.form.of.items():
            counts = signs.setdefault(place, [0, 0, 0, 0, 0])
            counts[0 if row.is_equal else 1 if number > 0 else 2] += 1
            counts[3] += row.is_equal and abs(number) == 1
            counts[4] = max(counts[4], common.get(place, 0))

    def cost(place: int) -> tuple[bool, int, bool, int, int]:
        equal, low, high, whole, common = signs[place]  # "whole" equations have whole solutions
        return not whole, 0 if whole else -common, not equal, low * high, place

    unknown = min(signs, key=cost)
    with_it = [row for row in rows if unknown in row.form.of]
    rest = [row for row in rows if unknown not in row.form.of]
    equal = [row for row in with_it if row.is_equal]
    if equal:
        pivot = min(equal, key=lambda row: abs(row.form.of[unknown]))
        a = pivot.form.of[unknown]
        for row in with_it:
            if row is not pivot:
                b = row.form.of[unknown]
                rest.append(row.plus(abs(a), pivot, -b if a > 0 else b))
        return unknown, with_it, rest
    lows = [row for row in with_it if row.form.of[unknown] > 0]
    highs = [row for row in with_it if row.form.of[unknown] < 0]
    for low in lows:
        a = low.form.of[unknown]
        rest += [low.plus(-high.form.of[unknown], high, a) for high in highs]
    return unknown, with_it, rest


def _common_of_others(row: _Sum) -> dict[int, int]:
    """For each unknown of an equation the greatest divisor of the factors of the others.

    Bounds of an unknown for which it is more than 1 become sharper when it is eliminated.
    """
    places = row.form.of
    return {place: gcd(*(n for p, n in places.items() if p != place)) for place in places}


def _gap(stages: list[tuple[int, list[_Sum]]]) -> tuple[int, int] | None:
    """A solution in whole numbers is put together from the last unknown on; where one has none."""
    known: dict[int, int] = {}
    for unknown, rows in reversed(stages):
        low, high = -inf, inf
        for row in rows:
            a = row.form.of[unknown]
            rest = row.form.constant
            rest += sum(n * known.get(p, 0) for p, n in row.form.of.items() if p != unknown)
            # a * unknown + rest >= 0, or = 0
            if row.is_equal and rest % a:
                return unknown, -rest // a
            if a > 0 or row.is_equal:
                low = max(low, -(rest // abs(a)) if a > 0 else rest // -a)
            if a < 0 or row.is_equal:
                high = min(high, rest // -a if a < 0 else -(rest // a))
        if low > high:
            return unknown, int(high)
        known[unknown] = int(low if low > -inf else high if high < inf else 0)
    return None
