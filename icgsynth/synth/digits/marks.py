"""The states from which the moves of one case lead into the losing states found so far, by rows.

In a row far enough from a losing state its marks lie between two lines.  Between parallel lines
they stand still for one who walks along: they are noted once, in a :class:`_Strip`.  Between lines
that part, marks that touch never come apart again, so that a few intervals are left of many, a
:class:`_Wedge`.  Only marks that end somewhere, or whose lines are not settled yet, are made anew
in each row.  So a row costs little more than to read it.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from icgsynth.digits.arrays import Flags
from icgsynth.synth.digits.sparse_moves import MoveCase

_FAR = 2**60  # beyond every row and every y
_STEEPEST = 64  # line of a strip: it takes so many times the memory of a row


@dataclass(frozen=True)
class _Line:
    """``y = (rise x + c) / run`` for any c; ``place`` is the bound that says which, if one does."""

    rise: int
    run: int
    place: int | None

    @property
    def slope(self) -> Fraction:
        return Fraction(self.rise, self.run)

    def constant(self, rest: list[int]) -> int:
        """c of an upper bound, -c of a lower one; where nothing bounds y, beyond all states."""
        return _FAR if self.place is None else rest[self.place]

    def crosses(self, other: _Line) -> int:
        """0 for parallel lines, and more than 0 where this one is the steeper one."""
        return self.rise * other.run - other.rise * self.run


class _Shape(Protocol):
    """The settled marks of a case, for one residue of the row and one of y."""

    def add(self, low: int, high: int) -> None:
        """Marks between the lines with these constants."""

    def mark(self, won: Flags, x: int, first: int, step: int) -> None:
        """Mark every ``step``-th state of row ``x`` from ``first`` on, if it is between."""


class Marks:
    """What ``case`` marks in rows of the given ``side``."""

    def __init__(self, case: MoveCase, side: int) -> None:
        self._case, self._side = case, side
        self._young: list[tuple[list[int], int, int, int]] = []
        below = [_Line(-a, b, i) for i, (a, b) in enumerate(case.slopes) if b > 0]
        above = [_Line(a, -b, i) for i, (a, b) in enumerate(case.slopes) if b < 0]
        if not below:
            least = min(above, key=_slope, default=_Line(0, 1, None))
            below = [_Line(least.rise - least.run, least.run, None)]
        if not above:
            most = max(below, key=_slope)
            above = [_Line(most.rise + most.run, most.run, None)]
        self._low, *self._lower = sorted(below, key=_slope, reverse=True)
        self._high, *self._upper = sorted(above, key=_slope)
        self._parts = self._high.crosses(self._low)
        self._shapes: dict[tuple[int, int], _Shape] = {}

    def mark_here(self, won: Flags, x: int, y: int) -> None:
        """Mark what moves within row ``x`` lead from into (x, y)."""
        if self._case.is_within_rows:
            self._mark(won, x, self._case.rest(x, y), self._case.code(x, y))

    def mark(self, won: Flags, x: int) -> None:
        """Mark what moves lead from, in row ``x``, into the states noted before."""
        stride = self._case.stride
        if self._young:
            self._young = [young for young in self._young if self._stays(won, x, *young)]
        for (row, first), shape in self._shapes.items():
            if row == x % stride:
                shape.mark(won, x, first, stride)

    def note(self, x: int, y: int) -> None:
        """(x, y) is losing."""
        rest, code = self._case.rest(x, y), self._case.code(x, y)
        begin, end = x + 1, self._side - 1
        for (a, b), constant in zip(self._case.slopes, rest, strict=True):
            if b == 0 and a == 0 and constant < 0:
                return
            if b == 0 and a > 0:
                begin = max(begin, -(constant // a))
            if b == 0 and a < 0:
                end = min(end, constant // -a)
        settled, end = self._settle_rows(rest, begin, end)
        if begin > end:
            return
        if settled <= x + 1:
            self._settle(rest, code)
        else:
            self._young.append((rest, code, settled, end))

    def _settle_rows(self, rest: list[int], begin: int, end: int) -> tuple[int, int]:
        """The first row from which on two lines alone are the bounds, and the last one."""
        low, high = -self._low.constant(rest), self._high.constant(rest)
        if self._parts < 0:
            end = min(end, (high * self._low.run - low * self._high.run) // -self._parts)
            return _FAR, end
        steepest = max(abs(self._low.rise), self._low.run)
        if end < self._side - 1 or (self._parts == 0 and steepest > _STEEPEST):
            return _FAR, end
        for line in self._lower:
            least = -line.constant(rest) * self._low.run - low * line.run
            begin = max(begin, -(-least // self._low.crosses(line)))
        for line in self._upper:
            least = high * line.run - line.constant(rest) * self._high.run
            begin = max(begin, -(-least // line.crosses(self._high)))
        return begin, end

    def _stays(
        self, won: Flags, x: int, rest: list[int], code: int, settled: int, end: int
    ) -> bool:
        """Mark row ``x``, unless the marks have ended or are settled now."""
        if x > end:
            return False
        if x >= settled:
            self._settle(rest, code)
            return False
        self._mark(won, x, rest, code)
        return True

    def _mark(self, won: Flags, x: int, rest: list[int], code: int) -> None:
        low, high = self._case.interval(rest, x)
        stride = self._case.stride
        stop = len(won) if high is None else max(0, high + 1)
        for row, first in self._case.allowed[code]:
            if row == x % stride:
                won[low + (first - low) % stride : stop : stride] = True

    def _settle(self, rest: list[int], code: int) -> None:
        low, high = -self._low.constant(rest), self._high.constant(rest)
        for key in self._case.allowed[code]:
            if key not in self._shapes:
                self._shapes[key] = self._shape()
            self._shapes[key].add(low, high)

    def _shape(self) -> _Shape:
        return _Wedge(self._low, self._high) if self._parts else _Strip(self._low, self._side)


class _Strip:
    """Marks between parallel lines: ``low <= run y - rise x <= high``."""

    def __init__(self, line: _Line, side: int) -> None:
        self._line, self._zero = line, abs(line.rise) * side
        self._flags = np.zeros(2 * self._zero + line.run * side, np.bool_)

    def add(self, low: int, high: int) -> None:
        self._flags[max(0, self._zero + low) : max(0, self._zero + high + 1)] = True

    def mark(self, won: Flags, x: int, first: int, step: int) -> None:
        run = self._line.run
        start = self._zero - self._line.rise * x + run * first
        row = won[first::step]
        row |= self._flags[start : start + run * step * len(row) : run * step]


class _Wedge:
    """Marks between lines that part: what touches stays together."""

    def __init__(self, low: _Line, high: _Line) -> None:
        self._low, self._high = low, high
        self._spans: list[tuple[int, int]] = []

    def add(self, low: int, high: int) -> None:
        insort(self._spans, (low, high))

    def mark(self, won: Flags, x: int, first: int, step: int) -> None:
        below, above = self._low, self._high
        joined: list[tuple[int, int]] = []
        for low, high in self._spans:
            if joined:
                least, most = joined[-1]
                gap = (below.rise * x + low) * above.run - (above.rise * x + most) * below.run
                if gap <= 1:  # no y is between
                    joined[-1] = least, max(most, high)
                    continue
            joined.append((low, high))
        self._spans = joined
        for low, high in joined:
            begin = max(0, -(-(below.rise * x + low) // below.run))
            end = (above.rise * x + high) // above.run
            if end >= begin:
                won[begin + (first - begin) % step : end + 1 : step] = True


def _slope(line: _Line) -> Fraction:
    return line.slope
