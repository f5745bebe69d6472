"""Places where the truth of a formula can change: linear forms in unknown integers.

A :class:`Reader` lists, for each comparison in a formula, the linear form that is compared with
0.  A remainder ``t mod d`` of an unknown is not linear; in a form it counts as some number from 0
to d - 1, so a form has a lower and an upper constant.  Unknowns being integers, and all else
given, this holds:

    Between two neighbouring zones, where a form lies within its constants of 0, the truth of the
    formula depends only on the unknown modulo :attr:`Reader.period`.

``min``, ``max``, ``abs`` and ``if`` are linear on each side of a comparison of their own, which
is listed too.  :func:`eliminate` gives the forms that are left when one unknown is quantified.
This is the idea of Cooper's method (Theorem proving in arithmetic without multiplication, 1972)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from typing import TypeAlias

from icgsynth.errors import IcgError
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names
from icgsynth.logic.nodes import NEGATED, SWAPPED

_MOST_VARIANTS = 64  # linear forms that one term may take
_MOST_FORMS = 600  # of one formula: eliminating an unknown may square their number

_names = lru_cache(maxsize=8192)(free_names)


# Whole numbers stay integers, for fractions are slow; only a Fraction is divided with ``/``.
Rational: TypeAlias = int | Fraction


class TooHard(IcgError):
    """Raised where deciding exactly takes more steps than are allowed."""


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of numbers with coefficients, and a constant somewhere from ``low`` to ``high``.
    The numbers are unknowns, other names, and terms without an unknown in them."""

    parts: tuple[tuple[t.Term, Rational], ...] = ()
    low: Rational = 0
    high: Rational = 0

    @staticmethod
    def constant(low: int, high: int | None = None) -> Form:
        return Form((), low, low if high is None else high)

    @staticmethod
    def of(term: t.Term) -> Form:
        return Form(((term, 1),))

    def coefficient(self, key: t.Term) -> Rational:
        return next((c for k, c in self.parts if k == key), 0)

    def clear(self) -> tuple[dict[t.Term, int], int, int]:
        """Return (coefficients, low, high) times the least number that makes them all whole."""
        numbers = [*(c for _, c in self.parts), self.low, self.high]
        scale = math.lcm(*(n.denominator for n in numbers))
        parts = {key: int(c * scale) for key, c in self.parts}
        return parts, int(self.low * scale), int(self.high * scale)


def combine(parts: Iterable[tuple[Rational, Form]]) -> Form:
    """Return the sum of ``factor * form`` over the pairs (factor, form) in ``parts``."""
    total: dict[t.Term, Rational] = {}
    low: Rational = 0
    high: Rational = 0
    for factor, form in parts:
        for key, coefficient in form.parts:
            total[key] = total.get(key, 0) + factor * coefficient
        ends = sorted((factor * form.low, factor * form.high))
        low, high = low + ends[0], high + ends[1]
    return Form(tuple((k, c) for k, c in total.items() if c), low, high)


# What a name stands for: an unknown, or the term that an action gives a variable.
Scope = Mapping[str, Sequence[Form]]


@dataclass
class Reader:
    """A reader that collects the forms of formulas in ``found``; names out of scope are known."""

    unknowns: set[t.Term] = field(default_factory=set)
    found: dict[Form, None] = field(default_factory=dict)
    period: int = 1

    def unknown(self, name: str) -> Form:
        """Return a new unknown, as a form; two of one ``name`` are different unknowns."""
        key = t.Name(f"{name}#{len(self.unknowns)}")
        self.unknowns.add(key)
        return Form.of(key)

    # --- terms ------------------------------------------------------------------------

    def term(self, node: t.Term, scope: Scope) -> list[Form]:
        """Return the linear forms that ``node`` may be, each in some region of the unknowns.
        ``scope`` has the forms that each name may be; other names are known numbers."""
        match node:
            case t.Int(number):
                return [Form.constant(number)]
            case t.Name(name):
                return list(scope.get(name, (Form.of(node),)))
            case t.Sum(args):
                return self._each([self.term(a, scope) for a in args], [1] * len(args))
            case t.Neg(arg):
                return self._each([self.term(arg, scope)], [-1])
            case t.Mul() if (parts := _factor(node)) is not None:
                factor, other = parts
                return self._each([self.term(other, scope)], [factor])
        if _names(node).isdisjoint(scope):
            return [Form.of(node)]
        return _few(self._bent(node, scope))

    def _bent(self, node: t.Term, scope: Scope) -> list[Form]:
        match node:
            case t.Mod(_, divisor) | t.Div(_, divisor) if not isinstance(fold(divisor), t.Int):
                return self.product(node)
            case t.Mod(arg, divisor) | t.Div(arg, divisor):
                kind = "mod" if isinstance(node, t.Mod) else "div"
                return self.divided(kind, self.term(arg, scope), number(divisor))
            case t.Min(left, right) | t.Max(left, right):
                sides = self.term(left, scope), self.term(right, scope)
                self._note(self._each(sides, [1, -1]))
                return [*sides[0], *sides[1]]
            case t.Abs(arg):
                forms = self.term(arg, scope)
                self._note(forms)
                return [*forms, *self._each([forms], [-1])]
            case t.If(condition, then, otherwise):
                self.formula(condition, scope)
                return [*self.term(then, scope), *self.term(otherwise, scope)]
            case t.Digital(args=args):
                return self.digits(args, scope)
            case _:
                return self.product(node)

    def divided(self, kind: str, forms: list[Form], divisor: int) -> list[Form]:
        """Return the forms of a term's remainder ("mod") or quotient ("div") by ``divisor``.
        ``forms`` are those that the term may be; the period becomes a multiple of its own."""
        for form in forms:
            for key, c in form.parts:
                if key in self.unknowns:
                    step = c.denominator * divisor // math.gcd(c.numerator, divisor)
                    self.period = math.lcm(self.period, step)
        if kind == "mod":
            return [Form.constant(0, divisor - 1)]
        rest = Form((), Fraction(1 - divisor, divisor))
        return [combine([(Fraction(1, divisor), form), (1, rest)]) for form in forms]

    def digits(self, terms: Sequence[t.Term], scope: Scope) -> list[Form]:
        """Raise :class:`TooHard`: a function of the digits of ``terms`` is never linear."""
        raise TooHard(f"the digits of an unknown number: {', '.join(map(str, terms))}")

    def product(self, node: t.Term) -> list[Form]:
        """Raise :class:`TooHard`: ``node``, a product or quotient of unknowns, is never linear."""
        raise TooHard(f"a product or divisor that is not a number: {node}")

    def _each(self, parts: Sequence[list[Form]], factors: Sequence[int]) -> list[Form]:
        """Return all sums of one form from each list in ``parts``, times the factor of the list."""
        sums = [Form()]
        for forms, factor in zip(parts, factors, strict=True):
            sums = _few([combine([(1, s), (factor, f)]) for s in sums for f in forms])
        return sums

    def _note(self, forms: Iterable[Form]) -> None:
        for form in forms:
            if any(key in self.unknowns for key, _ in form.parts):
                self.found[form] = None
        if len(self.found) > _MOST_FORMS:
            raise TooHard("a formula with too many comparisons")

    # --- formulas ---------------------------------------------------------------------

    def formula(self, node: t.Formula, scope: Scope) -> None:
        """Add to ``found`` the forms that comparisons in ``node`` put against 0.
        ``scope`` has the forms that a name may be; a comparison without such a name is left out."""
        if _names(node).isdisjoint(scope):
            return
        match node:
            case t.Compare(terms, _):
                sides = [self.term(part, scope) for part in terms]
                for left, right in pairwise(sides):
                    self._note(self._each([left, right], [1, -1]))
            case t.Member(term, values):
                left = self.term(term, scope)
                for value in values:
                    self._note(self._each([left, self.term(value, scope)], [1, -1]))
            case t.Quantified():
                self.quantifier(node, scope)
            case t.Recognised():
                self.digits(node.terms, scope)
            case t.Not(arg):
                self.formula(arg, scope)
            case t.And(args) | t.Or(args):
                for arg in args:
                    self.formula(arg, scope)
            case t.Implies(left, right) | t.Iff(left, right):
                self.formula(left, scope)
                self.formula(right, scope)

    def quantifier(self, node: t.Quantified, scope: Scope) -> None:
        """Add to ``found`` the forms in the body of ``node``, its quantified names eliminated."""
        bound = {name: [self.unknown(name)] for name in node.names}
        outer, self.found = self.found, {}
        self.formula(node.body, {**scope, **bound})
        inner = list(self.found)
        self.found = outer
        for (form,) in bound.values():
            inner, self.period = eliminate(inner, form.parts[0][0], self.period, self.unknowns)
        self._note(inner)


def _few(forms: list[Form]) -> list[Form]:
    kept = list(dict.fromkeys(forms))
    if len(kept) > _MOST_VARIANTS:
        raise TooHard("a term with too many cases")
    return kept


def _factor(node: t.Mul) -> tuple[int, t.Term] | None:
    left, right = fold(node.left), fold(node.right)
    if isinstance(left, t.Int):
        return left.value, node.right
    if isinstance(right, t.Int):
        return right.value, node.left
    return None


def number(term: t.Term) -> int:
    """Return the value of ``term``, which has no names; :class:`TooHard` if it is no integer."""
    folded = fold(term)
    if isinstance(folded, t.Int):
        return folded.value
    raise TooHard(f"not a number: {term}")


# --- one unknown less -------------------------------------------------------------------------


def eliminate(
    forms: Sequence[Form], key: t.Term, period: int, unknowns: set[t.Term]
) -> tuple[list[Form], int]:
    """Return (forms, period) of ``exists key. formula``, given those of the formula.

    Between the zeros of its forms a formula depends on the ``unknowns`` modulo the period alone.
    So numbers within a period of a zero settle whether one exists.  They are at bounded distances:
    every other form, with one of them put in, is a form again, with wider constants."""
    with_key = [f for f in forms if f.coefficient(key)]
    kept = dict.fromkeys(f for f in forms if not f.coefficient(key))
    stretch = 1
    for form in with_key:
        a = Fraction(form.coefficient(key))
        ends = sorted((-form.low / a, -form.high / a))
        near, far = ends[0] - period - 1, ends[1] + period + 1
        middle = Form(tuple((k, -c / a) for k, c in form.parts if k != key))
        for other in with_key:
            if other is form:
                continue
            b = other.coefficient(key)
            rest = Form(tuple(p for p in other.parts if p[0] != key), other.low, other.high)
            kept[combine([(1, rest), (b, middle), (b, Form((), near, far))])] = None
        shares = (c.denominator for k, c in middle.parts if k in unknowns)
        stretch = math.lcm(stretch, *shares)
        if len(kept) > _MOST_FORMS:
            raise TooHard("quantifiers that leave too many comparisons")
    return list(kept), period * stretch


# --- what has to hold ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Limit:
    """A comparison that has to hold: ``form`` is at most 0, at least 0, or both."""

    form: Form
    at_most: bool
    at_least: bool


def require(
    formula: t.Formula, scope: Scope, read: Callable[[t.Term, Scope], list[Form]]
) -> Iterator[Limit]:
    """Yield linear comparisons that follow from ``formula``; ``read`` gives the forms of terms.
    ``scope`` has the forms that a name may be."""
    for left, op, right in chain.from_iterable(map(_with_roots, _conjuncts(formula, True))):
        try:
            sides = read(left, scope), read(right, scope)
        except TooHard:
            continue
        if len(sides[0]) == len(sides[1]) == 1 and op != "!=":
            strict = Form.constant({"<": 1, ">": -1}.get(op, 0))
            form = combine([(1, sides[0][0]), (-1, sides[1][0]), (1, strict)])
            yield Limit(form, op in ("<", "<=", "="), op in (">", ">=", "="))


def _with_roots(link: tuple[t.Term, str, t.Term]) -> Iterator[tuple[t.Term, str, t.Term]]:
    """Yield the comparison ``link`` (left, op, right), and what it says of x if one side is the
    square x * x: as x <= x * x, x is at most what the square is."""
    yield link
    left, op, right = link
    if not isinstance(left, t.Mul):
        left, op, right = right, SWAPPED[op], left
    if isinstance(left, t.Mul) and left.left == left.right and op in ("<", "<=", "="):
        yield left.left, "<=", right
        yield t.Neg(left.left), "<=", right


def _conjuncts(formula: t.Formula, holds: bool) -> Iterator[tuple[t.Term, str, t.Term]]:
    match formula:
        case t.And(args) if holds:
            for arg in args:
                yield from _conjuncts(arg, True)
        case t.Or(args) if not holds:
            for arg in args:
                yield from _conjuncts(arg, False)
        case t.Not(arg):
            yield from _conjuncts(arg, not holds)
        case t.Implies(left, right) if not holds:
            yield from _conjuncts(left, True)
            yield from _conjuncts(right, False)
        case t.Compare() if holds:
            yield from formula.links
        case t.Compare((left_term, right_term), (op,)):
            yield left_term, NEGATED[op], right_term
        case t.Member(term, values) if holds and values:
            ends = sorted(number(v) for v in values)
            yield term, ">=", t.Int(ends[0])
            yield term, "<=", t.Int(ends[-1])
