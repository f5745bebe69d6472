"""Mark the states of a game in the plane from which moves lead to losing states, row by row.

The moves are split into cases.  Moves of a case from row x into (x', y') begin at an interval of y,
or at every m-th state of an interval, whose bounds are linear in x, x' and y'.

In a row far enough from a losing state its marks lie between two lines.  Marks between parallel
lines are noted once, in a :class:`_Strip`.  Between lines that diverge, marks that touch never
come apart again, so that few intervals are left of many, a :class:`_Wedge`.  Only marks that end
somewhere, or whose lines are not settled yet, are made anew in each row, which is cheap."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Protocol

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.explicit.steps import primed, solved_for
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.ranges import difference, linear
from icgsynth.prove.automata.cones import cases

_LARGEST_STRIDE = 12  # largest modulus; residues have a table of its 4th power, 20,736 cells
_LARGEST = 2**40  # largest number in a bound


@dataclass(frozen=True, eq=False)
class MoveCase:
    """A case of moves from (x, y) to (x', y'): all moves where every bound is at least 0.

    A bound is ``a x + b y`` for (a, b) of ``slopes``, all of them different, and the least of
    ``(c x' + d y' + e) // f`` for (c, d, e, f) of ``rests``.  ``residues`` (m, m, m * m), m being
    the ``stride``, says for x and y, and then for ``m x' + y'``, all modulo m, whether they allow
    the move."""

    slopes: tuple[tuple[int, int], ...]
    rests: tuple[tuple[tuple[int, int, int, int], ...], ...]
    residues: Flags

    @cached_property
    def stride(self) -> int:
        return len(self.residues)

    @cached_property
    def allowed(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The pairs (x, y) modulo the stride that allow a move, by :meth:`code` of its target."""
        places = np.argwhere(self.residues.reshape(-1, self.stride**2).T)
        found: list[list[tuple[int, int]]] = [[] for _ in range(self.stride**2)]
        for code, place in places.tolist():
            found[code].append(divmod(place, self.stride))
        return tuple(map(tuple, found))

    @cached_property
    def is_within_rows(self) -> bool:
        """Whether a move may stay in its row, with equal x; False if one bound excludes it."""
        return not any(
            b == 0 and c == -a * f and d == 0 and e < 0
            for (a, b), rest in zip(self.slopes, self.rests, strict=True)
            for c, d, e, f in rest
        )

    def rest(self, x: int, y: int) -> list[int]:
        """Return by bound the summand that depends on (x, y), the state to which moves lead."""
        found = []
        for (c, d, e, f), *others in self.rests:
            least = (c * x + d * y + e) // f
            for c, d, e, f in others:
                least = min(least, (c * x + d * y + e) // f)
            found.append(least)
        return found

    def code(self, x: int, y: int) -> int:
        """Return an index of (x, y) modulo the stride, the last index of ``residues``."""
        return x % self.stride * self.stride + y % self.stride

    def interval(self, rest: list[int], x: int) -> tuple[int, int | None]:
        """Return the least and largest y such that a move may begin at (x, y), by the summand
        ``rest`` of each bound; (1, 0) for no y at all, None for the largest if there is none."""
        low, high = 0, None
        for (a, b), constant in zip(self.slopes, rest, strict=True):
            value = a * x + constant
            if b > 0:
                low = max(low, -(value // b))
            elif b < 0:
                high = value // -b if high is None else min(high, value // -b)
            elif value < 0:
                return 1, 0
        return low, high


def move_cases(game: ParametricGame) -> tuple[MoveCase, ...] | None:
    """Return the moves of ``game`` as cases, sets of moves between linear bounds; None if it has
    not two variables, or if moves need other conditions."""
    if len(game.variables) != 2 or game.is_quantified or game.block:
        return None
    try:
        return tuple(case for action in game.actions for case in _of_action(game, action))
    except Unsupported:
        return None


def flags(formula: t.Formula, env: dict[str, Ints]) -> Flags:
    """Return whether ``formula`` holds at each entry of ``env``, which has an array for each name,
    all of one shape; flags of this shape."""
    shape = next(iter(env.values())).shape
    names = free_names(formula)
    found = columns(formula, {name: column for name, column in env.items() if name in names})
    return np.broadcast_to(np.asarray(found, np.bool_), shape).copy()


def _of_action(game: ParametricGame, action: Action) -> Iterator[MoveCase]:
    effects = game.after(action)
    solved, left = solved_for(action.parameters, effects)
    if len(solved) < len(action.parameters):
        raise Unsupported("a parameter that the states do not tell")
    parts: list[t.Formula] = [action.precondition]
    parts += [t.Compare((t.Name(primed(v)), effects[v]), ("=",)) for v in left]
    for name, term in reversed(solved):
        parts = [substitute(part, {name: term}) for part in parts]
    (relation,) = normal([conjunction(parts)])
    for case in cases(relation):
        yield _case(game, case)


def _case(game: ParametricGame, links: tuple[t.Compare, ...]) -> MoveCase:
    x, y = game.variables
    names = [t.Name(name) for name in (x, y, primed(x), primed(y))]
    bounds: dict[tuple[int, int], list[tuple[int, int, int, int]]] = {}
    others: list[t.Formula] = []
    stride = 1
    for link in links:
        left, right = link.terms
        forms = [difference(left, right), difference(right, left)]
        if not all(factor in names for factor in forms[0].factors):
            stride = lcm(stride, *map(_modulus, forms[0].factors))
            others.append(link)
            continue
        for form, sign in zip(forms, _SIGNS[link.ops[0]], strict=True):
            if sign is not None:
                a, b, c, d = (form.factors.get(name, 0) for name in names)
                e, f = form.constant + sign, gcd(a, b) or 1
                if max(map(abs, (a, b, c, d, e))) > _LARGEST:
                    raise Unsupported("large numbers")
                bounds.setdefault((a // f, b // f), []).append((c, d, e, f))
    if stride > _LARGEST_STRIDE:
        raise Unsupported("a large divisor")
    residues = np.indices((stride,) * 4, np.int64).reshape(4, -1)
    env = dict(zip((name.name for name in names), residues, strict=True))
    allowed = flags(conjunction(others), env).reshape(stride, stride, -1)
    return MoveCase(tuple(bounds), tuple(map(tuple, bounds.values())), allowed)


# The numbers to add to left - right, and to right - left, for terms that are at least 0.
_SIGNS: dict[str, tuple[int | None, int | None]] = {
    ">=": (0, None),
    ">": (-1, None),
    "<=": (None, 0),
    "<": (None, -1),
    "=": (0, 0),
}


def _modulus(term: t.Term) -> int:
    """Return m for a term ``(..) mod m`` with a linear dividend; raise Unsupported for others."""
    match term:
        case t.Mod(arg, t.Int(divisor)) if all(
            isinstance(part, t.Name) for part in linear(arg).factors
        ):
            return divisor
    raise Unsupported(str(term))


_FAR = 2**60  # beyond every row and every y
_STEEPEST = 64  # largest slope of a strip, which needs this many times the memory of a row


@dataclass(frozen=True)
class _Line:
    """Lines ``y = (rise x + c) / run``; the bound with index ``place`` gives c, None: no bound."""

    rise: int
    run: int
    place: int | None

    @property
    def slope(self) -> Fraction:
        return Fraction(self.rise, self.run)

    def constant(self, rest: list[int]) -> int:
        """Return c of an upper line ``y = (rise x + c) / run``, -c of a lower one, where ``rest``
        has a number for each bound; a huge number for a missing line."""
        return _FAR if self.place is None else rest[self.place]

    def crosses(self, other: _Line) -> int:
        """Return a number with the sign of the slope of this line minus that of ``other``."""
        return self.rise * other.run - other.rise * self.run


class _Shape(Protocol):
    """The won states that a case of moves marks, for one residue of x and one of y."""

    def add(self, low: int, high: int) -> None:
        """Add the states between two lines, which have the constants ``low`` and ``high``."""

    def mark(self, won: Flags, x: int, first: int, step: int) -> None:
        """Set ``won[y]`` for y = first, first + step, .. where (``x``, y) is between added
        lines."""


class Marks:
    """Marks the states from which moves of ``case`` lead to losing states, in rows of ``side``."""

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
        """Set ``won[z]`` where a move from (``x``, z) leads to the losing state (``x``, ``y``)."""
        if self._case.is_within_rows:
            self._mark(won, x, self._case.rest(x, y), self._case.code(x, y))

    def mark(self, won: Flags, x: int) -> None:
        """Set ``won[y]`` where a move from (``x``, y) leads to a losing state that was noted."""
        stride = self._case.stride
        if self._young:
            self._young = [young for young in self._young if self._stays(won, x, *young)]
        for (row, first), shape in self._shapes.items():
            if row == x % stride:
                shape.mark(won, x, first, stride)

    def note(self, x: int, y: int) -> None:
        """Record the losing state (``x``, ``y``), so that moves to it are marked in later rows."""
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
        """Return (first, last): the row from which on two lines alone bound the marks of a losing
        state, or a huge number, and the last row with marks.  ``rest`` has by bound its summand for
        this state; ``begin`` and ``end`` are the first and last row by bounds without y."""
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
        """Mark row ``x`` for the losing state of ``rest`` and ``code``; return True.  But return
        False past row ``end``, and from row ``settled`` on, where two lines alone bound marks."""
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
    """The won states between parallel lines: ``low <= run y - rise x <= high``."""

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
    """The intervals of won states between two diverging lines, joined where they touch."""

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
