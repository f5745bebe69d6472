"""Residue classes of integer vectors, and what a quasi-affine term is on each of them.

With ``x = M * q + r`` for every name, where ``M`` is a multiple of all the moduli that ``x``
meets, a quasi-affine term becomes a linear form in the quotients ``q``.  Its coefficients are
the same for all classes; only its constant depends on the residues ``r``.  So one numpy array
holds a term, or the truth of a congruence, for all classes at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm, prod

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.int64 import WithinReach, fits
from icgsynth.logic import term as t
from icgsynth.logic.intervals import Domain, Interval
from icgsynth.logic.normal import Unsupported, weight
from icgsynth.logic.ranges import narrow

_MOST_NUMBERS = 100_000_000  # of all columns, as if each had the size of the last
_AXES = 32  # numpy has no arrays of more dimensions before its version 2, of 64 since
_FEW = 16  # a bounded name of so few values is enumerated in any case
_SHORT = 12  # conjuncts of so few comparisons are searched for bounds


@dataclass(frozen=True, slots=True)
class Column:
    """The value of a term on every class: ``sum(factors[i] * q[i]) + offsets``, q the quotients."""

    factors: tuple[int, ...]
    offsets: WithinReach

    @property
    def is_constant(self) -> bool:
        """Return whether the value on each residue class is one number, for all quotients."""
        return not any(self.factors)

    def plus(self, other: Column) -> Column:
        factors = tuple(a + b for a, b in zip(self.factors, other.factors, strict=True))
        return Column(factors, self.offsets.plus(other.offsets))

    def times(self, factor: int) -> Column:
        return Column(tuple(f * factor for f in self.factors), self.offsets.times(factor))


@dataclass(frozen=True, slots=True)
class Axis:
    """The values of one name on all classes: ``modulus * q + residues``, ``low <= q <= high``.
    A modulus of 0 says that the name has the values ``residues``.  No bound is None."""

    modulus: int
    residues: WithinReach
    low: WithinReach | None
    high: WithinReach | None

    def take(self, shape: tuple[int, ...], where: NDArray[np.intp]) -> Axis:
        """Return the axis on the classes at the flat positions ``where`` in a grid of ``shape``."""

        def pick(column: WithinReach) -> WithinReach:
            return column.replace(np.broadcast_to(column.numbers, shape).ravel()[where])

        return replace(
            self,
            residues=pick(self.residues),
            low=None if self.low is None else pick(self.low),
            high=None if self.high is None else pick(self.high),
        )


@dataclass(frozen=True)
class Grid:
    """A grid of residue classes: one axis a name, broadcast against each other."""

    axes: Mapping[str, Axis]

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return np.broadcast_shapes(*(a.residues.numbers.shape for a in self.axes.values()))

    @cached_property
    def inhabited(self) -> NDArray[np.bool_]:
        """Return a mask over the residue classes, True where bounds leave each quotient a value."""
        alive = np.ones((1,) * len(self.shape), bool)
        for axis in self.axes.values():
            if axis.low is not None and axis.high is not None:
                alive = alive & (axis.low.numbers <= axis.high.numbers)
        return alive

    def take(self, where: NDArray[np.intp]) -> Grid:
        """Return the grid of the classes at the flat positions ``where``, in one dimension."""
        return Grid({n: a.take(self.shape, where) for n, a in self.axes.items()})

    @cached_property
    def _columns(self) -> dict[t.Term, Column]:
        found: dict[t.Term, Column] = {}
        for i, (name, axis) in enumerate(self.axes.items()):
            factors = tuple(axis.modulus if i == j else 0 for j in range(len(self.axes)))
            found[t.Name(name)] = Column(factors, axis.residues)
        return found

    def column(self, term: t.Term) -> Column:
        """Return ``term`` on every residue class, as a linear form in the quotients of the names.
        Raises Unsupported where the moduli of the axes do not settle a remainder in it."""
        known = self._columns.get(term)
        if known is None:
            known = self._columns[term] = self._compute(term)
            if len(self._columns) * known.offsets.numbers.size > _MOST_NUMBERS:
                raise Unsupported("too many numbers to keep")
        return known

    def _compute(self, term: t.Term) -> Column:
        match term:
            case t.Int(number):
                return Column((0,) * len(self.axes), WithinReach.point(number, len(self.shape)))
            case t.Sum(args):
                total = self.column(args[0])
                for arg in args[1:]:
                    total = total.plus(self.column(arg))
                return total
            case t.Neg(arg):
                return self.column(arg).times(-1)
            case t.Mul(t.Int(factor), arg):
                return self.column(arg).times(factor)
            case t.Mod(arg, t.Int(divisor)):
                inner = self._divisible(arg, divisor)
                return Column((0,) * len(self.axes), inner.offsets.modulo(divisor))
            case t.Div(arg, t.Int(divisor)):
                inner = self._divisible(arg, divisor)
                factors = tuple(f // divisor for f in inner.factors)
                return Column(factors, inner.offsets.floor(divisor))
        raise Unsupported(str(term))

    def _divisible(self, term: t.Term, divisor: int) -> Column:
        inner = self.column(term)
        if any(f % divisor for f in inner.factors):
            raise Unsupported(f"the classes do not settle '{term}' modulo {divisor}")
        return inner


# --- which classes ---------------------------------------------------------------------


def grid_of(conjuncts: Sequence[t.Formula], names: Sequence[str], most: int) -> Grid:
    """Return residue classes of ``names`` on which all remainders in ``conjuncts`` are fixed.

    A name of few values is enumerated by value, which settles comparisons too.  Raises Unsupported
    where there are more classes than ``most``."""
    if len(names) > _AXES:
        raise Unsupported(f"a grid of {len(names)} axes")
    steps = moduli(conjuncts, names)
    bounds = _bounds(conjuncts, names)
    spans = {
        n: range(b.lo, b.hi + 1)
        for n, b in bounds.items()
        if isinstance(b.lo, int) and isinstance(b.hi, int)
    }
    by_value = {n for n, span in spans.items() if len(span) <= max(steps[n], _FEW)}
    sizes = {n: len(spans[n]) if n in by_value else steps[n] for n in names}
    if prod(sizes.values()) > most:
        by_value = {n for n in by_value if len(spans[n]) <= steps[n]}
        sizes = {n: len(spans[n]) if n in by_value else steps[n] for n in names}
    if prod(sizes.values()) > most:
        raise Unsupported(f"{prod(sizes.values())} residue classes")
    axes: dict[str, Axis] = {}
    for i, name in enumerate(names):
        shape = tuple(-1 if i == j else 1 for j in range(len(names)))
        if name in by_value:
            span = spans[name]
            values = WithinReach.span(span.start, span.stop - 1)
            axes[name] = Axis(0, values.replace(values.numbers.reshape(shape)), None, None)
        else:
            axes[name] = _residue_axis(steps[name], shape, bounds[name])
    return Grid(axes)


def _bounds(conjuncts: Sequence[t.Formula], names: Sequence[str]) -> Mapping[str, Interval]:
    """Return an interval that contains each name's values, by the short ones of ``conjuncts``.
    Raises Unsupported for a bound of more than 62 bits."""
    plain = [c for c in conjuncts if weight(c) <= _SHORT and _is_clause(c)]
    domain = narrow(t.And(tuple(plain)), Domain.of({}, names))
    if domain.is_empty:
        return dict.fromkeys(names, Interval(0, -1))
    for name, interval in domain.intervals.items():
        ends = (e for e in (interval.lo, interval.hi) if e is not None)
        if any(not isinstance(e, int) or not fits(abs(e)) for e in ends):
            raise Unsupported(f"the bounds of '{name}' have more than 62 bits")
    return domain.intervals


def _is_clause(formula: t.Formula) -> bool:
    parts = formula.args if isinstance(formula, t.Or) else (formula,)
    return all(isinstance(part, t.Compare) for part in parts)


def _residue_axis(step: int, shape: tuple[int, ...], bounds: Interval) -> Axis:
    values = WithinReach.span(0, step - 1)
    residues = values.replace(values.numbers.reshape(shape))
    # Quotients: ceil((lo - residue) / step) to floor((hi - residue) / step).
    low = high = None
    if isinstance(bounds.lo, int):
        low = residues.plus(-bounds.lo).floor(step).times(-1)
    if isinstance(bounds.hi, int):
        high = residues.times(-1).plus(bounds.hi).floor(step)
    return Axis(step, residues, low, high)


# --- moduli --------------------------------------------------------------------------------------


def moduli(formulas: Iterable[t.Formula], names: Sequence[str]) -> dict[str, int]:
    """Return for each name the least modulus M such that its remainder by M settles each ``mod``
    and ``div`` in ``formulas``."""
    found = dict.fromkeys(names, 1)
    seen: dict[t.Term, Mapping[str, Fraction]] = {}

    def divide(arg: t.Term, divisor: int) -> Mapping[str, Fraction]:
        inner = slopes(arg)
        for name, slope in inner.items():
            # The least K with slope * K in divisor * Z.
            step = slope.denominator * (divisor // gcd(divisor, slope.numerator))
            found[name] = lcm(found[name], step)
        return inner

    def slopes(term: t.Term) -> Mapping[str, Fraction]:
        """Return by name the slope of ``term``, without what is periodic in the names."""
        known = seen.get(term)
        if known is None:
            known = seen[term] = compute(term)
        return known

    def compute(term: t.Term) -> Mapping[str, Fraction]:
        match term:
            case t.Name(name):
                return {name: Fraction(1)}
            case t.Sum(args):
                total: dict[str, Fraction] = {}
                for arg in args:
                    for name, slope in slopes(arg).items():
                        total[name] = total.get(name, Fraction(0)) + slope
                return {name: slope for name, slope in total.items() if slope}
            case t.Neg(arg):
                return {name: -slope for name, slope in slopes(arg).items()}
            case t.Mul(t.Int(factor), arg):
                return {n: s * factor for n, s in slopes(arg).items()} if factor else {}
            case t.Mod(arg, t.Int(divisor)):
                divide(arg, divisor)
                return {}
            case t.Div(arg, t.Int(divisor)):
                return {n: s / divisor for n, s in divide(arg, divisor).items()}
            case _:
                return {}

    stack: list[t.Node] = list(formulas)
    done: set[int] = set()  # equal comparisons are one object
    while stack:
        top = stack.pop()
        if isinstance(top, t.Compare):
            if id(top) not in done:
                done.add(id(top))
                for term in top.terms:
                    slopes(term)
        elif not isinstance(top, t.Truth):
            stack.extend(t.children(top))
    return found
