"""Intervals of integers, for one state or for a column of states, without overflow.

The ends of an :class:`Interval` are Python integers (one state, unbounded) or numpy columns
(one entry a state); where a column could leave 64 bits, it holds Python integers instead.  A
:class:`Domain` has an interval for each name.  :mod:`icgsynth.logic.ranges` narrows one by a
formula.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.int64 import SAFE

Number: TypeAlias = int | NDArray[Any]
Bound: TypeAlias = Number | None
Mask: TypeAlias = bool | NDArray[np.bool_]
Value: TypeAlias = "Number | Interval"


# --- numbers: exact, one or many ---------------------------------------------------


def _width(number: Number) -> int:
    """Return |``number``| of an int, 2^62 for an array of Python integers, 0 for one of int64."""
    if isinstance(number, int):
        return abs(number)
    return SAFE if number.dtype == object else 0


def _reach(number: Number) -> int:
    """Return the largest absolute value in ``number``; 2^62 for an array of Python integers."""
    if isinstance(number, int) or number.dtype == object or not number.size:
        return _width(number)
    return max(abs(int(np.minimum.reduce(number))), abs(int(np.maximum.reduce(number))))


def _pair(left: Number, right: Number, grown: int) -> tuple[Any, Any]:
    """Return (``left``, ``right``), as arrays of Python integers where ``grown``, a bound on the
    result of an operation on them, is 2^62 or more."""
    if grown < SAFE:
        return left, right
    return np.asarray(left, dtype=object), np.asarray(right, dtype=object)


def _exactly(compute: Callable[[Any, Any], Any], left: Number, right: Number, grown: int) -> Number:
    number: Number = compute(*_pair(left, right, grown))
    return number


def _add(left: Number, right: Number) -> Number:
    if isinstance(right, int) and (right == 0 or isinstance(left, int)):
        return left + right if right else left
    return _exactly(operator.add, left, right, _reach(left) + _reach(right))


def _scale(factor: int, number: Number) -> Number:
    if isinstance(number, int):
        return factor * number
    # The factor has to fit as well, whatever it is multiplied with.
    return _exactly(operator.mul, number, factor, max(1, abs(factor)) * max(1, _reach(number)))


def _least(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    return _exactly(np.minimum, left, right, max(_width(left), _width(right)))


def _most(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right)
    return _exactly(np.maximum, left, right, max(_width(left), _width(right)))


def _floor(number: Number, divisor: int) -> Number:
    if isinstance(number, int):
        return number // divisor
    return _exactly(operator.floordiv, number, divisor, max(divisor, _width(number)))


def _ceil(number: Number, divisor: int) -> Number:
    return _scale(-1, _floor(_scale(-1, number), divisor))


def _at_most(left: Bound, right: Bound) -> Mask:
    """Return elementwise whether ``left <= right``; True everywhere if one is None, for no
    bound."""
    if left is None or right is None:
        return True
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    x, y = _pair(left, right, max(_width(left), _width(right)))
    mask: Mask = x <= y
    return mask


def _equal(left: Number, right: int) -> Mask:
    return _at_most(left, right) & _at_most(right, left)


def _choose(mask: Mask, then: Number, otherwise: Number) -> Number:
    if isinstance(mask, bool):
        return then if mask else otherwise
    grown = max(_width(then), _width(otherwise))
    return _exactly(lambda x, y: np.where(mask, x, y), then, otherwise, grown)


def _some(mask: Mask) -> bool:
    return mask if isinstance(mask, bool) else bool(mask.any())


def _every(mask: Mask) -> bool:
    return mask if isinstance(mask, bool) else bool(mask.all())


# --- intervals -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """All integers from ``lo`` to ``hi``; None is no bound (for every entry of a column)."""

    lo: Bound = None
    hi: Bound = None

    @property
    def is_point(self) -> bool:
        """Return whether it is known that the interval holds one number alone: its ends are one
        object."""
        return self.lo is not None and self.lo is self.hi

    # --- arithmetic: each holds every value of the operation ----------------------

    def map(self, rising: Callable[[Number], Number]) -> Interval:
        """Return the interval from ``rising(lo)`` to ``rising(hi)``, where ``rising`` is a monotone
        function; an end that is None stays None."""
        lo = None if self.lo is None else rising(self.lo)
        if self.is_point:
            return Interval(lo, lo)
        return Interval(lo, None if self.hi is None else rising(self.hi))

    def scaled(self, factor: int) -> Interval:
        if factor == 1:
            return self
        if factor == 0:
            return Interval(0, 0)
        image = self.map(lambda number: _scale(factor, number))
        return image if factor > 0 else Interval(image.hi, image.lo)

    def __add__(self, other: Interval) -> Interval:
        lo = None if self.lo is None or other.lo is None else _add(self.lo, other.lo)
        if self.is_point and other.is_point:
            return Interval(lo, lo)
        return Interval(
            lo, None if self.hi is None or other.hi is None else _add(self.hi, other.hi)
        )

    def __sub__(self, other: Interval) -> Interval:
        return self + other.scaled(-1)

    def floor(self, divisor: int) -> Interval:
        return self.map(lambda number: _floor(number, divisor))

    def modulo(self, divisor: int) -> Interval:
        """Return an interval of all ``x mod divisor`` for x in this interval: exact where x stays
        within one period, else 0 to ``divisor`` - 1."""
        if self.lo is None or self.hi is None:
            return Interval(0, divisor - 1)
        periods = _floor(self.lo, divisor)
        lo = _add(self.lo, _scale(-divisor, periods))
        if self.is_point:
            return Interval(lo, lo)
        hi = _add(self.hi, _scale(-divisor, periods))
        within = _at_most(hi, divisor - 1)
        return Interval(_choose(within, lo, 0), _choose(within, hi, divisor - 1))

    def least(self, other: Interval) -> Interval:
        """Return the interval of ``min(x, y)`` for x in this interval and y in ``other``."""
        lo = None if self.lo is None or other.lo is None else _least(self.lo, other.lo)
        if self.is_point and other.is_point:
            return Interval(lo, lo)
        return Interval(lo, _tighter(_least, self.hi, other.hi))

    def most(self, other: Interval) -> Interval:
        """Return the interval of ``max(x, y)`` for x in this interval and y in ``other``."""
        return self.scaled(-1).least(other.scaled(-1)).scaled(-1)

    def absolute(self) -> Interval:
        size = self.most(self.scaled(-1))
        return size if size.is_point else Interval(_tighter(_most, size.lo, 0), size.hi)

    # --- backwards: each holds every x whose image lies in this interval ----------

    def divided(self, factor: int) -> Interval:
        """Return the interval of all integers x with ``factor * x`` in this interval; ``factor``
        must not be 0."""
        if factor < 0:
            return self.scaled(-1).divided(-factor)
        if factor == 1:
            return self
        lo = None if self.lo is None else _ceil(self.lo, factor)
        return Interval(lo, None if self.hi is None else _floor(self.hi, factor))

    def unfloored(self, divisor: int) -> Interval:
        """Return the interval of all integers x with ``x div divisor`` in this interval."""
        lo = None if self.lo is None else _scale(divisor, self.lo)
        return Interval(
            lo, None if self.hi is None else _add(_scale(divisor, self.hi), divisor - 1)
        )

    def clipped(self, room: Interval) -> Interval:
        """Return the intersection with ``room``; it is empty where its ends have crossed."""
        return Interval(_tighter(_most, self.lo, room.lo), _tighter(_least, self.hi, room.hi))

    # --- comparison ----------------------------------------------------------------

    @property
    def filled(self) -> Mask:
        """Return whether the interval is not empty; if its ends are columns, an array of booleans
        with an entry for each of theirs."""
        return self.is_point or _at_most(self.lo, self.hi)

    def meets(self, other: Interval) -> Mask:
        """Return, entry by entry, whether this interval and ``other``, both not empty, overlap."""
        return _at_most(self.lo, other.hi) & _at_most(other.lo, self.hi)

    def lies_in(self, other: Interval) -> bool:
        """Return whether this interval is contained in ``other``; if ends are columns, in every
        entry."""
        above = other.lo is None or (self.lo is not None and _every(_at_most(other.lo, self.lo)))
        if not above or other.hi is None:
            return above
        return self.hi is not None and _every(_at_most(self.hi, other.hi))

    def without(self, number: int) -> Interval:
        """Return the interval in which an end that equals ``number`` is moved inwards by 1."""
        lo, hi = self.lo, self.hi
        if lo is not None:
            lo = _choose(_equal(lo, number), number + 1, lo)
        if hi is not None:
            hi = _choose(_equal(hi, number), number - 1, hi)
        return Interval(lo, hi)

    def snapped(self, members: Sequence[int]) -> Interval:
        """Return the interval with its ends moved inwards to the nearest of ``members``, ascending
        integers; it is empty if none of them lies in it."""
        lo: Number = members[-1] + 1
        for member in reversed(members):
            lo = _choose(_at_most(self.lo, member), member, lo)
        hi: Number = members[0] - 1
        for member in members:
            hi = _choose(_at_most(member, self.hi), member, hi)
        return Interval(lo, hi)


def _tighter(pick: Callable[[Number, Number], Number], left: Bound, right: Bound) -> Bound:
    if left is None or right is None:
        return right if left is None else left
    return pick(left, right)


def hull(left: Interval, here: Mask, right: Interval, there: Mask) -> Interval:
    """Return, entry by entry, the least interval that holds ``left`` where the mask ``here`` is
    true and ``right`` where ``there`` is true."""
    if left is right or not _some(there):
        return left
    if not _some(here):
        return right

    def end(pick: Callable[[Number, Number], Number], x: Bound, y: Bound) -> Bound:
        if x is None or y is None:
            return None
        return _choose(here, _choose(there, pick(x, y), x), y)

    return Interval(end(_least, left.lo, right.lo), end(_most, left.hi, right.hi))


# --- domains -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """An interval for each name, and a mask of the entries in which any value is possible."""

    intervals: Mapping[str, Interval]
    possible: Mask = True

    @staticmethod
    def of(env: Mapping[str, Value], unknowns: Iterable[str] = ()) -> Domain:
        """Return the domain with the values ``env``: a number, a column or an interval for each
        name. Other ``unknowns`` are unbounded; entries with an empty interval are impossible."""
        intervals: dict[str, Interval] = {name: Interval() for name in unknowns}
        possible: Mask = True
        for name, given in env.items():
            ends = (given.lo, given.hi) if isinstance(given, Interval) else (given,)
            known = [None if end is None else _number(end) for end in ends]
            intervals[name] = Interval(known[0], known[-1])
            for end in known:
                if isinstance(end, np.ndarray):
                    possible = possible & np.ones(end.shape, dtype=bool)
        domain = Domain(intervals, possible)
        for interval in intervals.values():
            domain = domain.only(interval.filled)
        return domain

    @property
    def is_empty(self) -> bool:
        """Return whether no values of the names are possible, whichever entry of the columns is
        taken."""
        return not _some(self.possible)

    def only(self, mask: Mask) -> Domain:
        """Return the domain in which entries of the columns where ``mask`` is False are impossible;
        the domain itself if nothing changes."""
        if _every(mask):
            return self
        if isinstance(mask, bool):
            none = False if isinstance(self.possible, bool) else np.zeros_like(self.possible)
            return self if self.is_empty else Domain(self.intervals, none)
        possible = self.possible & mask
        return self if np.array_equal(possible, self.possible) else Domain(self.intervals, possible)

    def meet(self, name: str, room: Interval) -> Domain:
        """Return the domain with the interval of ``name`` intersected with ``room``; the domain
        itself if nothing changes."""
        old = self.intervals[name]
        if old.is_point:
            return self.only(old.meets(room))
        new = old.clipped(room)
        if _same(new.lo, old.lo) and _same(new.hi, old.hi):
            return self
        return self.put(name, new).only(new.filled)

    def put(self, name: str, interval: Interval) -> Domain:
        return Domain({**self.intervals, name: interval}, self.possible)

    def join(self, other: Domain) -> Domain:
        """Return a domain that holds all values that are possible in this domain or in ``other``:
        each interval is the hull of two."""
        if self.is_empty or self is other:
            return other
        if other.is_empty:
            return self
        intervals = {
            name: hull(interval, self.possible, other.intervals[name], other.possible)
            for name, interval in self.intervals.items()
        }
        return Domain(intervals, self.possible | other.possible)

    def same_as(self, other: Domain) -> bool:
        """Return whether this domain has the intervals and possible entries of ``other``; quick
        where they share their parts."""
        if self is other:
            return True
        if self.possible is not other.possible and not np.array_equal(
            self.possible, other.possible
        ):
            return False
        pairs = ((i, other.intervals[name]) for name, i in self.intervals.items())
        return all(i is o or (_same(i.lo, o.lo) and _same(i.hi, o.hi)) for i, o in pairs)

    def bounds(self, name: str) -> tuple[Bound, Bound]:
        """Return the (least, largest) value of ``name``: None for no bound, and (0, -1) in entries
        where nothing is possible."""
        interval = Interval(0, -1) if self.is_empty else self.intervals[name]
        lo = None if interval.lo is None else _choose(self.possible, interval.lo, 0)
        return lo, None if interval.hi is None else _choose(self.possible, interval.hi, -1)


def _number(number: Number) -> Number:
    if isinstance(number, np.ndarray):
        return number if number.dtype == object else number.astype(np.int64, copy=False)
    return operator.index(number)


def _same(left: Bound, right: Bound) -> bool:
    if left is right:
        return True
    if left is None or right is None:
        return False
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return bool(np.all(np.equal(left, right)))
