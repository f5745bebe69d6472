"""Find witnesses of an ``exists`` as terms: one of them will do wherever anything does.

In linear arithmetic a number that makes a formula true can be taken next to a bound of it, or is
any small one where nothing bounds it, up to as many steps as the formula takes to repeat by its
remainders (Cooper, *Theorem proving in arithmetic without multiplication*, 1972).  So the terms
are the solutions of each comparison as an equation, and their neighbours; which of them are needed
is found by counterexamples, and proved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, gcd, lcm
from typing import NamedTuple, TypeAlias

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, negation, substitute, walk
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.prove.deciders.portfolio import decide

_ROUNDS = 60  # questions to the deciders, and so terms, at most
_MOST_CASES = 64  # ways to read one term, by its min, max, abs and if
_FARTHEST = 60  # steps from a bound that are tried

_Rest: TypeAlias = Mapping[t.Term | None, Fraction]  # a factor for each term; that of None is alone


class _Line(NamedTuple):
    """A term up to ``blur``: ``slope`` times the name, plus ``rest``."""

    slope: Fraction
    rest: _Rest
    blur: Fraction = Fraction(0)

    def times(self, factor: Fraction) -> _Line:
        rest = {term: by * factor for term, by in self.rest.items()}
        return _Line(self.slope * factor, rest, self.blur * abs(factor))

    def plus(self, other: _Line) -> _Line:
        rest = dict(self.rest)
        for term, by in other.rest.items():
            rest[term] = rest.get(term, Fraction(0)) + by
        return _Line(self.slope + other.slope, rest, self.blur + other.blur)


def find_witnesses(
    body: t.Formula, name: str, given: t.Formula, budget: Budget
) -> tuple[t.Term, ...] | None:
    """Return terms for ``name``: wherever ``given`` holds, ``body`` does with one of the terms.
    Neither formula has a quantifier, and ``given`` does not speak of ``name``. None where such
    terms are not found, as where ``given`` does not say that there is such a number."""
    names = sorted((free_names(body) | free_names(given)) - {name})
    # Counterexample-guided: a state in which all terms so far fail gives a new term that works
    # there. When no such state is left, the terms are enough wherever `given` holds.
    terms = list(_candidates(body, name))
    failing: dict[t.Term, t.Formula] = {}
    for _ in range(_ROUNDS):
        answer = decide((given, *failing.values()), names, budget)
        if answer.kind == "unsat":
            return _find_needed(given, failing, names, budget)
        if answer.model is None:
            return None
        state = {n: answer.model.get(n, 0) for n in names}
        # The state is not covered yet: the first term that makes the body true there joins the
        # others.
        found = (part for part in terms if satisfies(body, state | {name: value(part, state)}))
        if (term := next(found, None)) is None:
            return None
        failing[term] = negation(substitute(body, {name: term}))
    return None


def _find_needed(
    given: t.Formula, failing: Mapping[t.Term, t.Formula], names: Sequence[str], budget: Budget
) -> tuple[t.Term, ...]:
    """Return those terms of ``failing`` that are needed so that in each state of ``given`` one of
    them is a witness. ``failing`` has for each term the formula that it is none."""
    kept = dict(failing)
    for term in failing:
        others = [formula for each, formula in kept.items() if each != term]
        if decide((given, *others), names, budget).kind == "unsat":
            del kept[term]
    return tuple(kept)


def _candidates(body: t.Formula, name: str) -> Iterator[t.Term]:
    """Yield terms that may be a witness for ``name``: the solutions of the comparisons in ``body``
    as equations, then their neighbours, the nearest first."""
    bounds, blur = _bounds(body, name)
    period = lcm(*(_period(node, name) for node in walk(body)))
    # If the body holds for some number, it holds for one within a period of a point where a
    # comparison changes, or near 0 if there is none (Cooper 1972).
    for step in range(min(period + blur, _FARTHEST) + 1):
        for bound in (*bounds, t.Int(0)):
            yield fold(t.Sum((bound, t.Int(step))))
            if step:
                yield fold(t.Sum((bound, t.Neg(t.Int(step)))))


def _bounds(body: t.Formula, name: str) -> tuple[list[t.Term], int]:
    """Return the comparisons in ``body`` as equations solved for ``name``, rounded down, as terms;
    and by how much these may be wrong at most."""
    found: dict[t.Term, None] = {}
    blur = 0
    for left, right in _find_pairs(body):
        for line in _lines(t.Sum((left, t.Neg(right))), name):
            if line.slope:
                found[_solve(line)] = None
                blur = max(blur, ceil(line.blur / abs(line.slope)))
    return list(found), blur


def _find_pairs(body: t.Formula) -> Iterator[tuple[t.Term, t.Term]]:
    """Yield pairs of terms in ``body`` such that something changes where they are equal."""
    for node in walk(body):
        match node:
            case t.Compare(terms):
                yield from pairwise(terms)
            case t.Member(term, values):
                yield from ((term, v) for v in values)
            case t.Min(left, right) | t.Max(left, right):
                yield left, right
            case t.Abs(arg):
                yield arg, t.Int(0)


def _lines(term: t.Term, name: str) -> list[_Line]:
    """Return ``term`` as a multiple of ``name`` and a rest, once for each choice among the parts of
    its min, max, abs and if; [] where it is not linear."""
    if name not in free_names(term):
        if isinstance(term, t.Int):
            return [_Line(Fraction(0), {None: Fraction(term.value)})]
        if not isinstance(term, t.Sum | t.Neg | t.Mul):
            return [_Line(Fraction(0), {term: Fraction(1)})]
    match term:
        case t.Name():
            return [_Line(Fraction(1), {})]
        case t.Sum(args):
            # min, max and if have two readings each; sums have all combinations, up to a limit.
            ways = product(*(_lines(arg, name) for arg in args))
            lines = [_total(parts) for parts, _ in zip(ways, range(_MOST_CASES), strict=False)]
        case t.Neg(arg):
            lines = [line.times(Fraction(-1)) for line in _lines(arg, name)]
        case t.Mul(left, right):
            if free_names(left):
                left, right = right, left
            if free_names(left):
                return []
            factor = Fraction(value(left, {}))
            lines = [line.times(factor) for line in _lines(right, name)]
        case t.Mod(_, divisor):
            # A remainder is 0, up to the divisor; a quotient is arg / divisor, up to 1.
            return [_Line(Fraction(0), {}, Fraction(value(divisor, {})))]
        case t.Div(arg, divisor):
            by = Fraction(1, value(divisor, {}))
            lines = [line.times(by)._replace(blur=line.blur * by + 1) for line in _lines(arg, name)]
        case t.Min(left, right) | t.Max(left, right) | t.If(_, left, right):
            lines = [*_lines(left, name), *_lines(right, name)]
        case t.Abs(arg):
            lines = [way for line in _lines(arg, name) for way in (line, line.times(Fraction(-1)))]
        case _:
            return []
    return lines[:_MOST_CASES]


def _total(lines: Sequence[_Line]) -> _Line:
    total = _Line(Fraction(0), {})
    for line in lines:
        total = total.plus(line)
    return total


def _solve(line: _Line) -> t.Term:
    """Return the value of the name at which ``line`` is 0, rounded down, as a term."""
    where = {term: -by / line.slope for term, by in line.rest.items()}
    divisor = lcm(*(by.denominator for by in where.values()))
    parts: list[t.Term] = []
    for term, by in sorted(where.items(), key=lambda item: item[0] is None):
        factor = int(by * divisor)
        size: t.Term = t.Int(abs(factor)) if term is None else t.Mul(t.Int(abs(factor)), term)
        if factor:
            parts.append(size if factor > 0 else t.Neg(size))
    total = fold(t.Sum(tuple(parts))) if len(parts) > 1 else fold(parts[0]) if parts else t.Int(0)
    return total if divisor == 1 else fold(t.Div(total, t.Int(divisor)))


def _period(node: t.Node, name: str) -> int:
    """Return by how much ``name`` has to grow until the value of ``node`` by it repeats."""
    periods = [1]
    if isinstance(node, t.Mod | t.Div) and name in free_names(node.arg):
        divisor = value(node.divisor, {})
        for line in _lines(node.arg, name):
            # The least s > 0 with slope * s divisible by the divisor: turn / gcd(turn, numerator).
            turn = divisor * line.slope.denominator
            periods.append(turn // gcd(turn, line.slope.numerator))
    return lcm(*periods)
