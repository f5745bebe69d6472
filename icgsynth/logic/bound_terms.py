"""Bounds on a parameter as terms, for programs that list moves without interval reasoning.

:mod:`icgsynth.logic.ranges` bounds the unknowns in one state; here the same is done once for all
states: the bounds of ``k`` in ``1 <= k and k <= a - b`` are the terms ``1`` and ``a - b``.  They
are sound, never exact by promise: every value that satisfies the formula lies between them, and
whoever lists the values between them checks each.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from icgsynth.logic.comparisons import NEGATED
from icgsynth.logic.ranges import linear
from icgsynth.logic.term import (
    Abs,
    And,
    Compare,
    Div,
    Formula,
    If,
    Implies,
    Int,
    Max,
    Member,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Not,
    Or,
    Sum,
    Term,
    Truth,
    fold,
    free_names,
    negation,
)

__all__ = ["Ends", "bound_terms"]


class Ends(NamedTuple):
    """A lower and an upper bound, both inclusive; None is no bound.

    With ``never`` nothing satisfies the formula.
    """

    low: Term | None = None
    high: Term | None = None
    never: bool = False

    def meet(self, other: Ends) -> Ends:
        """Where both hold."""
        return Ends(
            _either(Max, self.low, other.low),
            _either(Min, self.high, other.high),
            self.never or other.never,
        )

    def join(self, other: Ends) -> Ends:
        """Where one of them holds."""
        if self.never or other.never:
            return other if self.never else self
        return Ends(_both(Min, self.low, other.low), _both(Max, self.high, other.high))


def bound_terms(formula: Formula, name: str, unknown: Iterable[str] = ()) -> Ends:
    """Bounds on ``name`` wherever ``formula`` holds, without a name in ``unknown``."""
    whole = fold(formula)
    return _Bounds(whole, name, frozenset(unknown) | {name}).of(whole)


def _either(kind: type[Min] | type[Max], one: Term | None, other: Term | None) -> Term | None:
    if one is None or other is None or one == other:
        return other if one is None else one
    return fold(kind(one, other))


def _both(kind: type[Min] | type[Max], one: Term | None, other: Term | None) -> Term | None:
    if one is None or other is None:
        return None
    return one if one == other else fold(kind(one, other))


class _Bounds(NamedTuple):
    """What is looked for: the bounds on ``name``; ``unknown`` are names that have no value yet.

    Of the formula ``whole`` no part counts that speaks of a name in ``without``.
    """

    whole: Formula
    name: str
    unknown: frozenset[str]
    without: frozenset[str] = frozenset()

    def of(self, formula: Formula) -> Ends:
        match formula:
            case Truth(value):
                return Ends(never=not value)
            case And(args):
                return reduce(Ends.meet, map(self.of, args))
            case Or(args):
                return reduce(Ends.join, map(self.of, args))
            case Implies(left, right):
                return self.of(Or((Not(left), right)))
            case Not(Compare(terms, ops)):
                return reduce(Ends.join, map(self.of, _links(terms, [NEGATED[o] for o in ops])))
            case Not(arg) if (turned := negation(arg)) != formula:
                return self.of(turned)
            case Compare((left, right), (op,)):
                return self._link(left, op, right)
            case Compare(terms, ops):
                return reduce(Ends.meet, map(self.of, _links(terms, ops)))
            case Member(term, values):
                return reduce(Ends.join, (self._link(term, "=", value) for value in values))
            case _:
                return Ends()

    def _link(self, left: Term, op: str, right: Term) -> Ends:
        """Bounds from one comparison; ``!=`` gives none."""
        gap = Sum((left, Neg(right)))
        under = Sum((right, Neg(left)))
        match op:
            case "=":
                return self.natural(gap).meet(self.natural(under))
            case ">=" | ">":
                return self.natural(Sum((gap, Int(-1))) if op == ">" else gap)
            case "<=" | "<":
                return self.natural(Sum((under, Int(-1))) if op == "<" else under)
            case _:
                return Ends()

    def natural(self, term: Term) -> Ends:
        """Bounds from ``term >= 0``."""
        form = linear(term)
        mine = form.factors.get(Name(self.name), 0)
        rest: list[Term] = [Int(form.constant)]
        for atom, factor in form.factors.items():
            if atom == Name(self.name):
                continue
            if not free_names(atom) & self.unknown:
                rest.append(_times(factor, atom))
                continue
            others = [_times(f, a) for a, f in form.factors.items() if a != atom]
            if isinstance(atom, Name):
                end = self._outer(atom.name, factor > 0)
                return Ends() if end is None else self._replaced(others, form.constant, factor, end)
            return self._taken_apart(atom, factor, Sum((Int(form.constant), *others)))
        if not mine:
            return Ends()
        room = fold(Sum(tuple(rest)))
        if mine < 0:
            return Ends(high=_quotient(room, -mine))
        return Ends(low=fold(Neg(_quotient(room, mine))))

    def _outer(self, other: str, upper: bool) -> Term | None:
        """A bound on another unknown, which does not speak of this one."""
        without = self.without | {self.name}
        if other in without:
            return None
        ends = _Bounds(self.whole, other, self.unknown, without).limited()
        return ends.high if upper else ends.low

    def limited(self) -> Ends:
        """Bounds from the parts of the whole formula that count."""
        parts = self.whole.args if isinstance(self.whole, And) else (self.whole,)
        links: list[Formula] = []
        for part in parts:
            links += _links(part.terms, part.ops) if isinstance(part, Compare) else [part]
        known = [link for link in links if not free_names(link) & self.without]
        return reduce(Ends.meet, map(self.of, known), Ends())

    def _replaced(self, others: Sequence[Term], constant: int, factor: int, end: Term) -> Ends:
        return self.natural(Sum((Int(constant), *others, _times(factor, end))))

    def _taken_apart(self, atom: Term, factor: int, rest: Term) -> Ends:
        """Bounds from ``factor * atom + rest >= 0``, for an atom that is not linear."""

        def plus(term: Term, times: int = factor) -> Ends:
            return self.natural(Sum((rest, _times(times, term))))

        match atom:
            case Min(left, right):
                return plus(left).meet(plus(right)) if factor > 0 else plus(left).join(plus(right))
            case Max(left, right):
                return plus(left).join(plus(right)) if factor > 0 else plus(left).meet(plus(right))
            case Abs(arg):
                return self._taken_apart(Max(arg, Neg(arg)), factor, rest)
            case If(condition, then, otherwise):
                yes = self.of(condition).meet(plus(then))
                return yes.join(self.of(negation(condition)).meet(plus(otherwise)))
            case Mod(_, Int(divisor)):
                return plus(Int(divisor - 1 if factor > 0 else 0))
            case Div(arg, Int(divisor)):
                low = Sum((arg, Int(1 - divisor)))
                scaled = _times(factor, arg if factor > 0 else low)
                return self.natural(Sum((_times(divisor, rest), scaled)))
            case _:
                return Ends()


def _links(terms: Sequence[Term], ops: Sequence[str]) -> list[Compare]:
    pairs = zip(terms, ops, terms[1:], strict=False)
    return [Compare((left, right), (op,)) for left, op, right in pairs]


def _times(factor: int, term: Term) -> Term:
    return fold(Mul(Int(factor), term))


def _quotient(term: Term, by: int) -> Term:
    return term if by == 1 else fold(Div(term, Int(by)))
