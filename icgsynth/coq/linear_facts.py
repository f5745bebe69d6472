"""Make linear facts from formulas, step for step as ``checker.v`` makes them.

A proof for the checker speaks of facts by their places, so both have to agree on every one of
them; where they do not, the checker refuses the proof, and nothing worse happens.

Then find why linear inequalities contradict each other, where rational numbers show it: unknowns
are eliminated one by one, as Fourier and Motzkin do, and each row remembers of which of the given
rows it is a sum; a row without unknowns that is wrong is the answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import gcd, inf
from typing import NamedTuple, TypeAlias

from icgsynth.coq.gallina import data
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.logic.nodes import NEGATED
from icgsynth.logic.normal import Unsupported

# --- linear facts --------------------------------------------------------------------------------

Coefficients: TypeAlias = Mapping[int, int]


class AffineForm(NamedTuple):
    """A sum of terms of a table times integers, by the terms' places, and a constant."""

    of: Coefficients
    constant: int

    def plus(self, other: AffineForm, times: int = 1) -> AffineForm:
        """Return this form plus ``times`` the form ``other``."""
        total = dict(self.of)
        for place, number in other.of.items():
            total[place] = total.get(place, 0) + times * number
        kept = {place: number for place, number in total.items() if number}
        return AffineForm(kept, self.constant + times * other.constant)


class Row(NamedTuple):
    """A linear fact: ``form >= 0``, or ``form = 0`` where ``is_equal``."""

    form: AffineForm
    is_equal: bool


class Both(NamedTuple):
    """Two facts joined by "and", or by "or"."""

    left: Fact
    right: Fact
    is_and: bool


Fact: TypeAlias = bool | Row | Both
SURE, NEVER = True, False


def join(left: Fact, right: Fact, is_and: bool) -> Fact:
    """Return "``left`` and ``right``", or their "or"; SURE and NEVER are simplified away."""
    neutral, decisive = (SURE, NEVER) if is_and else (NEVER, SURE)
    if left is neutral:
        return right
    if right is neutral:
        return left
    if left is decisive or right is decisive:
        return decisive
    return Both(left, right, is_and)


def row(form: AffineForm, is_equal: bool = False) -> Fact:
    """Return the fact ``form >= 0``, or ``form = 0`` if ``is_equal``, without a common factor."""
    number = form.constant
    if not form.of:
        return number == 0 if is_equal else number >= 0
    common = gcd(*form.of.values())
    if common == 1:
        return Row(form, is_equal)
    if is_equal and number % common:
        return NEVER
    # common * f + number >= 0 for an integer f says f + floor(number / common) >= 0.
    parts = {place: n // common for place, n in form.of.items()}
    return Row(AffineForm(parts, number // common), is_equal)


def negated(fact: Fact) -> Fact:
    """Return the negation of ``fact``, in the form that ``checker.v`` gives a negated formula."""
    if isinstance(fact, bool):
        return not fact
    if isinstance(fact, Row):
        # not (f >= 0) is -f - 1 >= 0; not (f = 0) is that or f - 1 >= 0.
        below = row(AffineForm({}, -1).plus(fact.form, -1))
        if not fact.is_equal:
            return below
        return join(below, row(fact.form.plus(AffineForm({}, -1))), is_and=False)
    if isinstance(fact.left, Row) and isinstance(fact.right, Row) and not fact.is_and:
        # "f >= 1 or f <= -1" is how "f = 0" is denied: the equation is the shorter negation.
        apart = fact.right.form.plus(AffineForm({}, 1))
        equal = row(apart, is_equal=True)
        if negated(equal) == fact:
            return equal
    return join(negated(fact.left), negated(fact.right), is_and=not fact.is_and)


def add_fact(fact: Fact, facts: Sequence[Fact]) -> list[Fact] | None:
    """Return ``facts`` and then ``fact``, a conjunction by its parts; None if it is never true."""
    if fact is SURE:
        return list(facts)
    if fact is NEVER:
        return None
    if isinstance(fact, Both) and fact.is_and:
        some = add_fact(fact.left, facts)
        return None if some is None else add_fact(fact.right, some)
    return [*facts, fact]


class Unknowns:
    """The table of the terms that count as unknowns: names, and terms that are not linear. Two
    terms are one unknown where the checker is told of both in the same words, as it is of ``(a + b)
    + c`` and ``a + b + c``."""

    def __init__(self) -> None:
        self.terms: list[t.Term] = []
        self._places: dict[t.Term, int] = {}
        self._told: dict[str, int] = {}

    def __iter__(self) -> Iterator[t.Term]:
        """Iterate over all terms; those that are added meanwhile come as well."""
        return iter(self.terms)

    def unknown(self, term: t.Term) -> AffineForm:
        place = self._places.get(term)
        if place is None:
            told = data(term, {name: name for name in free_names(term)})
            place = self._places[term] = self._told.setdefault(told, len(self.terms))
            if place == len(self.terms):
                self.terms.append(term)
        return AffineForm({place: 1}, 0)

    def linear(self, term: t.Term) -> AffineForm:
        """Return ``term`` as a linear form over this table; unknowns that it lacks are added."""
        match term:
            case t.Int(value):
                return AffineForm({}, value)
            case t.Sum(args):
                total = self.linear(args[0])
                for arg in args[1:]:
                    total = total.plus(self.linear(arg))
                return total
            case t.Neg(arg):
                return AffineForm({}, 0).plus(self.linear(arg), -1)
            case t.Mul(left, right):
                one, two = self.linear(left), self.linear(right)
                if not one.of:
                    return AffineForm({}, 0).plus(two, one.constant)
                if not two.of:
                    return AffineForm({}, 0).plus(one, two.constant)
            case t.Mod(arg, divisor) | t.Div(arg, divisor):
                # (by f + c) mod by = c mod by, and the quotient is f + c div by: no unknown is
                # needed.
                form, by = self.linear(arg), self.number(divisor)
                if by and all(n % by == 0 for n in form.of.values()):
                    if isinstance(term, t.Mod):
                        return AffineForm({}, form.constant % by)
                    parts = {place: n // by for place, n in form.of.items()}
                    return AffineForm(parts, form.constant // by)
        return self.unknown(term)

    def number(self, divisor: t.Term) -> int:
        """Return the value of ``divisor`` if it is a number of at least 1; otherwise 0."""
        form = self.linear(divisor)
        return 0 if form.of else max(0, form.constant)

    # --- formulas ------------------------------------------------------------------------------

    def less(self, left: t.Term, right: t.Term) -> Fact:
        form = self.linear(right).plus(self.linear(left), -1)
        return row(form.plus(AffineForm({}, -1)))

    def most(self, left: t.Term, right: t.Term) -> Fact:
        return row(self.linear(right).plus(self.linear(left), -1))

    def equal(self, left: t.Term, right: t.Term) -> Fact:
        return row(self.linear(left).plus(self.linear(right), -1), is_equal=True)

    def compare(self, left: t.Term, op: str, right: t.Term) -> Fact:
        match op:
            case "=":
                return self.equal(left, right)
            case "!=":
                return join(self.less(left, right), self.less(right, left), is_and=False)
            case "<":
                return self.less(left, right)
            case "<=":
                return self.most(left, right)
            case ">":
                return self.less(right, left)
            case _:
                return self.most(right, left)

    def chain(self, parts: Sequence[Fact], is_and: bool) -> Fact:
        """Return ``parts`` joined from the right: by "and" if ``is_and``, else by "or"."""
        *first, last = parts
        for part in reversed(first):
            last = join(part, last, is_and)
        return last

    def restate(self, formula: t.Formula, holds: bool = True) -> Fact:
        """Return ``formula``, or unless ``holds`` its negation, as a fact; Unsupported for a
        formula that is not of linear arithmetic."""
        match formula:
            case t.Truth(value):
                return value == holds
            case t.Compare():
                links = ((a, op if holds else NEGATED[op], b) for a, op, b in formula.links)
                parts = [self.compare(*link) for link in links]
                return self.chain(parts, is_and=holds)
            case t.Member(item, values):
                op = "=" if holds else "!="
                parts = [self.compare(item, op, value) for value in values]
                return self.chain(parts, is_and=not holds)
            case t.Not(arg):
                return self.restate(arg, not holds)
            case t.And(args) | t.Or(args):
                parts = [self.restate(arg, holds) for arg in args]
                return self.chain(parts, isinstance(formula, t.And) == holds)
            case t.Implies(left, right):
                one, two = self.restate(left, not holds), self.restate(right, holds)
                return join(one, two, is_and=not holds)
            case t.Iff(left, right):
                one = join(self.restate(left), self.restate(right, holds), is_and=True)
                two = join(self.restate(left, False), self.restate(right, not holds), is_and=True)
                return join(one, two, is_and=False)
        raise Unsupported(str(formula))

    def about(self, term: t.Term) -> Fact:
        """Return the facts that define ``term``, not linear: mod or div by a number >= 1 by bounds;
        min, max, abs, if by cases.  SURE, which tells nothing, for all others."""
        nil = t.Int(0)
        match term:
            case t.Mod(arg, divisor) if d := self.number(divisor):
                # arg = d (arg div d) + arg mod d with 0 <= arg mod d < d.
                whole = t.Sum((t.Mul(t.Int(d), t.Div(arg, divisor)), term))
                bounds = join(self.most(nil, term), self.less(term, t.Int(d)), is_and=True)
                return join(self.equal(arg, whole), bounds, is_and=True)
            case t.Div(arg, divisor) if d := self.number(divisor):
                # d q <= arg < d q + d for the quotient q.
                low = t.Mul(t.Int(d), term)
                above = self.less(arg, t.Sum((low, t.Int(d))))
                return join(self.most(low, arg), above, is_and=True)
            case t.Min(a, b):
                return self.cases(term, self.most(a, b), a, self.less(b, a), b)
            case t.Max(a, b):
                return self.cases(term, self.most(b, a), a, self.less(a, b), b)
            case t.Abs(a):
                return self.cases(term, self.most(nil, a), a, self.less(a, nil), t.Neg(a))
            case t.If(condition, a, b):
                return self.cases(
                    term, self.restate(condition), a, self.restate(condition, False), b
                )
        return SURE

    def cases(self, term: t.Term, first: Fact, a: t.Term, second: Fact, b: t.Term) -> Fact:
        """Return the fact: ``term`` is ``a`` and ``first`` holds, or ``b`` and ``second``."""
        one = join(first, self.equal(term, a), is_and=True)
        two = join(second, self.equal(term, b), is_and=True)
        return join(one, two, is_and=False)

    def list_facts(self, formulas: Sequence[t.Formula]) -> list[Fact] | None:
        """Return the facts of ``formulas``, and those on the unknown terms in them, in the
        checker's order; None if one is never true."""
        facts: list[Fact] | None = []
        for formula in formulas:
            said = self.restate(formula)
            facts = None if facts is None else add_fact(said, facts)
        for term in self:
            about = self.about(term)
            facts = None if facts is None else add_fact(about, facts)
        return facts


# --- farkas --------------------------------------------------------------------------------------

_MOST = 3000  # rows of one elimination, past which no contradiction is found

_CUTS = 40  # cuts that are offered at most


class Outcome(NamedTuple):
    """The result of an elimination: multipliers of rows whose sum is a contradiction, or None.
    Without them, ``cuts`` are sums of rows that whole numbers make sharper, and ``gap`` is an
    unknown without a whole number between its bounds, with the number below them."""

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
        # Divided by what all numbers have in common, multipliers too, so that they stay small.
        common = gcd(*form.of.values(), form.constant, *of.values()) or 1
        if common > 1:
            parts = {place: n // common for place, n in form.of.items()}
            form = AffineForm(parts, form.constant // common)
            of = {place: n // common for place, n in of.items()}
        return _Sum(form, self.is_equal and other.is_equal, of)


def contradiction(rows: Sequence[Row]) -> Outcome:
    """Return multipliers, not negative for inequalities, by which ``rows`` add up to a
    contradiction; where rational numbers show none, cuts or a gap by which integers may."""
    left = [_Sum(row.form, row.is_equal, {i: 1}) for i, row in enumerate(rows)]
    stages: list[tuple[int, list[_Sum]]] = []
    # Invariant: each sum left follows from the rows, with the multipliers ``of``; the unknowns of
    # earlier stages are gone from it.
    while True:
        for wrong in (s for s in left if not s.form.of):
            constant = wrong.form.constant
            if constant < 0:
                return Outcome(wrong.of)
            # An equation 0 = c with c > 0: its negative is the contradiction 0 >= c.
            if wrong.is_equal and constant:
                return Outcome({place: -number for place, number in wrong.of.items()})
        left = [s for s in left if s.form.of]
        if not left or len(left) > _MOST:
            break
        unknown, with_it, left = _eliminate(left)
        stages.append((unknown, with_it))
    cuts = [cut for _, with_it in stages for row in with_it for cut in _cuts(row)]
    return Outcome(None, tuple(cuts[:_CUTS]), None if left else _gap(stages))


def _cuts(row: _Sum) -> list[Mapping[int, int]]:
    """Return in a list the multipliers of ``row``, and of its negative if it is an equation, if its
    bound is sharper for integers; else []."""
    if len(row.of) < 2 or row.form.constant % gcd(*row.form.of.values()) == 0:
        return []
    negative = {place: -number for place, number in row.of.items()}
    return [row.of, negative] if row.is_equal else [row.of]


def _eliminate(rows: list[_Sum]) -> tuple[int, list[_Sum], list[_Sum]]:
    """Eliminate an unknown; return its place, the ``rows`` that have it, and rows without it."""
    signs: dict[int, list[int]] = {}
    for row in rows:
        common = _common_of_others(row) if row.is_equal else {}
        for place, number in row.form.of.items():
            counts = signs.setdefault(place, [0, 0, 0, 0, 0])
            # By unknown: equations, lower and upper bounds, equations with the factor 1 or -1, and
            # what the other factors of an equation have in common.
            counts[0 if row.is_equal else 1 if number > 0 else 2] += 1
            counts[3] += row.is_equal and abs(number) == 1
            counts[4] = max(counts[4], common.get(place, 0))

    # First unknowns with an equation in which their factor is 1 or -1, for solving it keeps whole
    # solutions; then those whose elimination sharpens a bound; then those with few products of
    # lower and upper bounds.
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
                # |a| row - (b sign a) pivot has no such unknown; |a| > 0, so that ">=" stays what
                # it is.
                rest.append(row.plus(abs(a), pivot, -b if a > 0 else b))
        return unknown, with_it, rest
    # Fourier and Motzkin: a x + f >= 0 and -c x + g >= 0 with a, c > 0 give c f + a g >= 0.
    lows = [row for row in with_it if row.form.of[unknown] > 0]
    highs = [row for row in with_it if row.form.of[unknown] < 0]
    for low in lows:
        a = low.form.of[unknown]
        rest += [low.plus(-high.form.of[unknown], high, a) for high in highs]
    return unknown, with_it, rest


def _common_of_others(row: _Sum) -> dict[int, int]:
    """Return for each unknown the greatest common divisor of the other unknowns' factors."""
    # Bounds of an unknown for which it is more than 1 become sharper when it is eliminated.
    places = row.form.of
    return {place: gcd(*(n for p, n in places.items() if p != place)) for place in places}


def _gap(stages: list[tuple[int, list[_Sum]]]) -> tuple[int, int] | None:
    """Return the place of an unknown that has no integer between its bounds, and the integer below;
    or None. ``stages`` has each unknown that was eliminated, with the rows that had it."""
    known: dict[int, int] = {}
    for unknown, rows in reversed(stages):
        # Bounds of this unknown by the values chosen for later ones. If no whole number lies
        # between them, that gap is where the proof has to split.
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
