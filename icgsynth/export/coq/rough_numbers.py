"""Proofs by what is known of numbers roughly: a remainder, and bounds (``numbers.v``).

Each name is below a number, one of some numbers, or at least another with one of its remainders.
In a case where some formula is false whatever the names are, the formulas contradict each other;
what is found here is how to split the names so that all cases are such.  Coq goes through them
again.  All cases are looked at together, as columns: :class:`Rough` is what is known of a term in
each, and a formula is 1 where it is true, -1 where it is false and 0 where that is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, walk
from icgsynth.logic.evaluate import Algebra, evaluate
from icgsynth.logic.ranges import ranges

_MOST_CASES = 200_000  # of which those are closed that the names before already decide
_MOST_VALUES = 100  # of one name, each a case
_LARGEST = 1 << 20  # the largest number of a formula: columns have 64 bits

Column = NDArray[Any]


class NameSplit(NamedTuple):
    """The cases of a name: below ``low``, each number from there to ``high`` - 1, and from
    ``high`` on each remainder by ``period``."""

    name: str
    low: int
    high: int
    period: int


@dataclass(frozen=True, eq=False)
class Rough:
    """Numbers that are ``rest`` and a multiple of ``period`` (of 0: ``rest`` itself), in bounds.

    Columns, or what broadcasts against them; a bound that is not known is infinite.
    """

    period: Column
    rest: Column
    low: Column
    high: Column

    @staticmethod
    def number(value: int) -> Rough:
        """One number."""
        exact = np.asarray(value), np.asarray(float(value))
        return Rough(np.asarray(0), exact[0], exact[1], exact[1])

    @property
    def is_exact(self) -> bool:
        return not self.period.any()

    def at(self, places: Column) -> Rough:
        """Some of the columns' entries."""
        return Rough(*(c[places] for c in (self.period, self.rest, self.low, self.high)))

    def __add__(self, other: Rough) -> Rough:
        period = np.gcd(self.period, other.period)
        low, high = self.low + other.low, self.high + other.high
        return Rough(period, self.rest + other.rest, low, high)

    def __neg__(self) -> Rough:
        return Rough(self.period, -self.rest, -self.high, -self.low)

    def __mul__(self, other: Rough) -> Rough:
        if not self.is_exact:
            return other * self if other.is_exact else _ANY
        c = self.rest
        ends = [
            np.where(c == 0, 0.0, c * np.where(c == 0, 0.0, e)) for e in (other.low, other.high)
        ]
        low, high = np.minimum(*ends), np.maximum(*ends)
        return Rough(np.abs(c) * other.period, c * other.rest, low, high)

    def __mod__(self, other: Rough) -> Rough:
        if not other.is_exact or not (other.rest > 0).all():
            return _ANY
        d = other.rest
        whole = self.period % d == 0
        rest = self.rest % d
        period = np.where(whole, 0, np.gcd(self.period, d))
        return Rough(period, rest, np.where(whole, rest, 0.0), np.where(whole, rest, d - 1.0))

    def __floordiv__(self, other: Rough) -> Rough:
        if not other.is_exact or not (other.rest > 0).all():
            return _ANY
        d = other.rest
        whole = self.period % d == 0
        period, rest = np.where(whole, self.period // d, 1), np.where(whole, self.rest // d, 0)
        return Rough(period, rest, np.floor(self.low / d), np.floor(self.high / d))

    def _is_zero(self) -> Column:
        exact = self.period == 0
        off = self.rest % np.where(exact, 1, self.period) != 0
        never = off | (self.low > 0) | (self.high < 0)
        return np.where(exact, np.where(self.rest == 0, 1, -1), np.where(never, -1, 0))

    def is_positive(self) -> Column:
        return np.where(self.low > 0, 1, np.where(self.high <= 0, -1, 0))

    def __eq__(self, other: object) -> Any:
        return (self + -other)._is_zero() if isinstance(other, Rough) else NotImplemented

    def __ne__(self, other: object) -> Any:
        return -(self == other) if isinstance(other, Rough) else NotImplemented

    def __lt__(self, other: Rough) -> Column:
        return (other + -self).is_positive()

    def __gt__(self, other: Rough) -> Column:
        return other < self

    def __le__(self, other: Rough) -> Column:
        return -(other < self)

    def __ge__(self, other: Rough) -> Column:
        return -(self < other)


_ANY = Rough(np.asarray(1), np.asarray(0), np.asarray(-np.inf), np.asarray(np.inf))


def _chosen(condition: Column, then: Rough, otherwise: Rough) -> Rough:
    def column(of: Callable[[Rough], Column]) -> Column:
        known = np.where(condition == -1, of(otherwise), of(_ANY))
        return np.where(condition == 1, of(then), known)

    return Rough(
        column(lambda r: r.period),
        column(lambda r: r.rest),
        column(lambda r: r.low),
        column(lambda r: r.high),
    )


def _none(*_: Any) -> Any:
    raise Refused("no formula of linear arithmetic without quantifiers")


_ROUGHLY = Algebra(
    constant=Rough.number,
    truth=lambda truth: np.asarray(1 if truth else -1),
    conjunction=lambda parts: reduce(np.minimum, parts),
    disjunction=lambda parts: reduce(np.maximum, parts),
    negation=np.negative,
    minimum=lambda a, b: _chosen((a + -b).is_positive(), b, a),
    maximum=lambda a, b: _chosen((a + -b).is_positive(), a, b),
    absolute=lambda a: _chosen(a.is_positive(), a, -a),
    choose=_chosen,
    div=Rough.__floordiv__,
    quantify=_none,
)


def splits(
    formulas: Sequence[t.Formula], names: Sequence[str], periods: Mapping[str, int]
) -> list[NameSplit] | None:
    """How to split ``names`` so that in each case some formula is false; None if that fails.

    ``periods`` says by how much a name may grow without a change of remainders.
    """
    bounds = ranges(conjunction(formulas), names, {})
    numbers = [n.value for f in formulas for n in walk(f) if isinstance(n, t.Int)]
    numbers += [end for pair in bounds.values() for end in pair if isinstance(end, int)]
    if max(map(abs, [*numbers, *periods.values()]), default=0) > _LARGEST:
        return None
    parts = list(conjuncts(*formulas))
    for is_exact in (False, True):  # small numbers one by one only where remainders are not enough
        found = []
        for name in names:
            past = max(_compared(name, formulas), default=0)
            found.append(_split(name, *bounds[name], periods.get(name, 1), past, is_exact))
        try:
            needed = _needed(found, parts)
        except Refused:
            return None
        if needed is not None:
            return found[:needed]
    return None


def _needed(found: Sequence[NameSplit], formulas: Sequence[t.Formula]) -> int | None:
    """How many of the splits leave no case open; None if all of them do, or there are too many."""
    known = {split.name: _ANY for split in found}
    count = 1
    for place in range(len(found) + 1):
        left = np.arange(count)
        for formula in formulas:
            truth = evaluate(formula, _of(known, left), _ROUGHLY)
            left = left[np.broadcast_to(truth, (len(left),)) != -1]
            if not len(left):
                return place
        if place == len(found):
            return None
        low, high, period = found[place][1:]
        count = len(left) * (1 + high - low + period)
        if count > _MOST_CASES:
            return None
        cases = _cases(found[place])
        before, each = np.divmod(np.arange(count), len(cases.rest))
        known = {**_of(known, left[before]), found[place].name: cases.at(each)}
    return None


def _of(known: Mapping[str, Rough], places: Column) -> dict[str, Rough]:
    """The cases at these places; a name that is not split yet is the same in all of them."""
    return {name: rough.at(places) if rough.rest.ndim else rough for name, rough in known.items()}


def _split(name: str, low: Any, high: Any, period: int, past: int, is_exact: bool) -> NameSplit:
    """``past`` is the largest number that the name is compared with.

    Small numbers are cases of their own where the name is bounded, or where that ``is_exact``.
    """
    first = low if isinstance(low, int) else 0
    if isinstance(high, int) and first <= high and (last := max(high, past)) < first + _MOST_VALUES:
        return NameSplit(name, first, last + 1, 1)
    end = min(max(first, past) + period, first + _MOST_VALUES) if is_exact else first
    return NameSplit(name, first, end, period)


def _compared(name: str, formulas: Iterable[t.Formula]) -> list[int]:
    """The numbers that the name itself is compared with."""
    found = []
    for formula in formulas:
        for node in walk(formula):
            terms = t.children(node) if isinstance(node, t.Compare | t.Member) else ()
            if t.Name(name) in terms:
                found += [term.value for term in terms if isinstance(term, t.Int)]
    return found


def _cases(split: NameSplit) -> Rough:
    """The cases of a name, a row each."""
    exact, rests = np.arange(split.low, split.high), np.arange(split.period)
    zeros = np.zeros(len(exact), np.int64)
    return Rough(
        np.concatenate(([1], zeros, np.full(len(rests), split.period))),
        np.concatenate(([0], exact, rests)),
        np.concatenate(([-np.inf], exact, np.full(len(rests), float(split.high)))),
        np.concatenate(([split.low - 1.0], exact, np.full(len(rests), np.inf))),
    )
