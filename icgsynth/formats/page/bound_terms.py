"""Compute bounds on a parameter as terms, for programs that list moves without intervals.

:mod:`icgsynth.logic.ranges` bounds unknowns in one state; the bounds here hold in all
states: the bounds of ``k`` in ``1 <= k and k <= a - b`` are the terms ``1`` and ``a - b``.  Bounds
are sound, but not always tight: every value that satisfies the formula lies between the bounds,
and a program that lists the values between the bounds checks each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, links, negation
from icgsynth.logic.nodes import NEGATED
from icgsynth.logic.ranges import linear


class Ends(NamedTuple):
    """A lower and an upper bound, inclusive (None: no bound); ``never``: the set is empty."""

    low: t.Term | None = None
    high: t.Term | None = None
    never: bool = False

    def meet(self, other: Ends) -> Ends:
        """Return the bounds of the intersection of this interval and ``other``."""
        return Ends(
            _either(t.Max, self.low, other.low),
            _either(t.Min, self.high, other.high),
            self.never or other.never,
        )

    def join(self, other: Ends) -> Ends:
        """Return bounds of the least interval that has this interval and ``other`` in it."""
        if self.never or other.never:
            return other if self.never else self
        return Ends(_both(t.Min, self.low, other.low), _both(t.Max, self.high, other.high))


def bound_terms(formula: t.Formula, name: str, unknown: Iterable[str] = ()) -> Ends:
    """Return bounds on ``name`` implied by ``formula``, as terms without names in ``unknown``."""
    whole = fold(formula)
    return _Bounds(whole, name, frozenset(unknown) | {name}).of(whole)


def _either(
    kind: type[t.Min] | type[t.Max], one: t.Term | None, other: t.Term | None
) -> t.Term | None:
    if one is None or other is None or one == other:
        return other if one is None else one
    return fold(kind(one, other))


def _both(
    kind: type[t.Min] | type[t.Max], one: t.Term | None, other: t.Term | None
) -> t.Term | None:
    if one is None or other is None:
        return None
    return one if one == other else fold(kind(one, other))


class _Bounds(NamedTuple):
    """Computes bounds on ``name`` from formulas; ``unknown`` are names without a value yet. Parts
    of the formula ``whole`` that contain a name in ``without`` are not used."""

    whole: t.Formula
    name: str
    unknown: frozenset[str]
    without: frozenset[str] = frozenset()

    def of(self, formula: t.Formula) -> Ends:
        match formula:
            case t.Truth(value):
                return Ends(never=not value)
            case t.And(args):
                return reduce(Ends.meet, map(self.of, args))
            case t.Or(args):
                return reduce(Ends.join, map(self.of, args))
            case t.Implies(left, right):
                return self.of(t.Or((t.Not(left), right)))
            case t.Not(t.Compare() as chain):
                ends = (self._link(a, NEGATED[op], b) for a, op, b in chain.links)
                return reduce(Ends.join, ends)
            case t.Not(arg) if (turned := negation(arg)) != formula:
                return self.of(turned)
            case t.Compare():
                return reduce(Ends.meet, (self._link(*link) for link in formula.links))
            case t.Member(term, values):
                return reduce(Ends.join, (self._link(term, "=", value) for value in values))
            case _:
                return Ends()

    def _link(self, left: t.Term, op: str, right: t.Term) -> Ends:
        """Return the bounds on the name that ``left op right`` gives; none where ``op`` is
        ``!=``."""
        # Comparisons become terms that are at least 0: left >= right is gap >= 0, left < right is
        # under - 1 >= 0.
        gap = t.Sum((left, t.Neg(right)))
        under = t.Sum((right, t.Neg(left)))
        match op:
            case "=":
                return self.natural(gap).meet(self.natural(under))
            case ">=" | ">":
                return self.natural(t.Sum((gap, t.Int(-1))) if op == ">" else gap)
            case "<=" | "<":
                return self.natural(t.Sum((under, t.Int(-1))) if op == "<" else under)
            case _:
                return Ends()

    def natural(self, term: t.Term) -> Ends:
        """Return the bounds on ``name`` that ``term >= 0`` gives."""
        form = linear(term)
        # mine * x + rest >= 0. Another unknown in the rest is replaced by its own bound, upper or
        # lower as its factor asks, so that the inequality stays implied.
        mine = form.factors.get(t.Name(self.name), 0)
        rest: list[t.Term] = [t.Int(form.constant)]
        for atom, factor in form.factors.items():
            if atom == t.Name(self.name):
                continue
            if not free_names(atom) & self.unknown:
                rest.append(_times(factor, atom))
                continue
            others = [_times(f, a) for a, f in form.factors.items() if a != atom]
            if isinstance(atom, t.Name):
                end = self._outer(atom.name, factor > 0)
                return Ends() if end is None else self._bring(others, form.constant, factor, end)
            # min, max, abs, if, mod and div of an unknown are split into linear cases.
            return self._taken_apart(atom, factor, t.Sum((t.Int(form.constant), *others)))
        if not mine:
            return Ends()
        room = fold(t.Sum(tuple(rest)))
        # mine * x + room >= 0: x >= -(room div mine); for mine < 0 x <= room div -mine.
        if mine < 0:
            return Ends(high=_quotient(room, -mine))
        return Ends(low=fold(t.Neg(_quotient(room, mine))))

    def _outer(self, other: str, upper: bool) -> t.Term | None:
        """Return a term without ``name`` that bounds ``other``, from above if ``upper`` and else
        from below; None if none is found."""
        # A bound of ``other`` that uses ``name`` in turn would recurse for ever.
        without = self.without | {self.name}
        if other in without:
            return None
        ends = _Bounds(self.whole, other, self.unknown, without).limit()
        return ends.high if upper else ends.low

    def limit(self) -> Ends:
        """Return bounds on the name from those conjuncts of ``whole`` that have no name in
        ``without``."""
        known = [link for link in links(self.whole) if not free_names(link) & self.without]
        return reduce(Ends.meet, map(self.of, known), Ends())

    def _bring(self, others: Sequence[t.Term], constant: int, factor: int, end: t.Term) -> Ends:
        return self.natural(t.Sum((t.Int(constant), *others, _times(factor, end))))

    def _taken_apart(self, atom: t.Term, factor: int, rest: t.Term) -> Ends:
        """Return bounds on the name from ``factor * atom + rest >= 0``, for a term that is not
        linear."""

        def plus(term: t.Term, times: int = factor) -> Ends:
            return self.natural(t.Sum((rest, _times(times, term))))

        match atom:
            # For factor > 0 the minimum is large enough if both terms are; for factor < 0 if one
            # is small enough.
            case t.Min(left, right):
                return plus(left).meet(plus(right)) if factor > 0 else plus(left).join(plus(right))
            case t.Max(left, right):
                return plus(left).join(plus(right)) if factor > 0 else plus(left).meet(plus(right))
            case t.Abs(arg):
                return self._taken_apart(t.Max(arg, t.Neg(arg)), factor, rest)
            case t.If(condition, then, otherwise):
                yes = self.of(condition).meet(plus(then))
                return yes.join(self.of(negation(condition)).meet(plus(otherwise)))
            # 0 <= remainder < divisor; arg - divisor < divisor * quotient <= arg.
            case t.Mod(_, t.Int(divisor)):
                return plus(t.Int(divisor - 1 if factor > 0 else 0))
            case t.Div(arg, t.Int(divisor)):
                low = t.Sum((arg, t.Int(1 - divisor)))
                scaled = _times(factor, arg if factor > 0 else low)
                return self.natural(t.Sum((_times(divisor, rest), scaled)))
            case _:
                return Ends()


def _times(factor: int, term: t.Term) -> t.Term:
    return fold(t.Mul(t.Int(factor), term))


def _quotient(term: t.Term, by: int) -> t.Term:
    return term if by == 1 else fold(t.Div(term, t.Int(by)))
