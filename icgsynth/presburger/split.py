"""Formulas with many congruences, split by the remainders of their variables, then read by isl.

With ``x = M q + r`` a congruence of x is true or false, and isl, whose sets multiply where many
congruences are negated, gets small formulas about q.  A class of remainders is given up as soon
as a part of the conjunction is false on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import lcm
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.presburger.direct import Reader, ways_of
from icgsynth.recheck.plain import compiled
from icgsynth.smt import Answer
from icgsynth.term import (
    FALSE,
    TRUE,
    Abs,
    And,
    Compare,
    Div,
    Formula,
    If,
    Iff,
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
    Quantified,
    Sum,
    Term,
    Truth,
    conjunction,
    disjunction,
    free_names,
    holds,
    walk,
)

__all__ = ["refute_by_remainders"]

# A factor for each name, or each term that is not linear, and a constant.
_Linear: TypeAlias = tuple[Mapping[Term, int], int]
_MOST_CLASSES = 20_000


def refute_by_remainders(
    parts: Iterable[Formula], names: Sequence[str], budget: Budget, operations: int
) -> Answer:
    """ "unsat" where the conjunction of ``parts`` has no model, else "unknown".

    At most ``operations`` of isl are spent; "unknown" for quantifiers.
    """
    import islpy as isl

    given = tuple(parts)
    nodes = [node for part in given for node in walk(part)]
    divided = [node for node in nodes if isinstance(node, Mod | Div)]
    divisors = [n.divisor.value for n in divided if isinstance(n.divisor, Int)]
    split = sorted(frozenset().union(*(free_names(node.arg) for node in divided)))
    modulus = lcm(*divisors) if all(d > 0 for d in divisors) else 0
    too_many = not modulus or modulus ** len(split) > _MOST_CLASSES
    if not split or too_many or any(isinstance(node, Quantified) for node in nodes):
        return Answer("unknown")
    try:
        reader = Reader.over(names, budget, operations)
        if _is_empty(reader, given, split, modulus):
            return Answer("unsat", by=frozenset(("isl",)))
    except (isl.Error, Refused, BudgetSpent, RecursionError):
        pass
    return Answer("unknown")


def _is_empty(reader: Reader, parts: Sequence[Formula], split: Sequence[str], modulus: int) -> bool:
    """Whether no class of remainders of the names in ``split`` leaves a point."""
    asked = conjunction(_by_remainders(part, True) for part in parts)
    may_hold = compiled(asked, tuple(split))
    for remainders in product(range(modulus), repeat=len(split)):
        if not may_hold(*remainders):
            continue
        reader.budget.check()
        on_class = _Class(modulus, dict(zip(split, remainders, strict=True)))
        left: list[tuple[Formula, bool]] = []
        for part in parts:
            settled = on_class.formula(part)
            if settled == FALSE:
                break
            left.append((settled, True))
        else:
            if not reader.is_empty(reader.everything, left):
                return False
    return True


def _by_remainders(formula: Formula, positive: bool) -> Formula:
    """What ``formula``, or its negation, asks of remainders alone; a weaker formula."""
    ways = ways_of(formula, positive)
    if ways is None:
        is_settled = isinstance(formula, Compare) and all(map(_is_settled, formula.terms))
        return (formula if positive else Not(formula)) if is_settled else TRUE
    return disjunction(conjunction(_by_remainders(*signed) for signed in way) for way in ways)


def _is_settled(term: Term) -> bool:
    """Whether remainders alone determine the value: names stand below a ``mod`` only."""
    match term:
        case Int():
            return True
        case Mod(arg, Int()):
            return not any(isinstance(n, Div | Min | Max | Abs | If) for n in walk(arg))
        case Neg(arg) | Mul(Int(), arg):
            return _is_settled(arg)
        case Sum(args):
            return all(map(_is_settled, args))
        case _:
            return False


@dataclass(frozen=True, slots=True)
class _Class:
    """The integers ``modulus * q + remainder``; in what it settles, names stand for quotients."""

    modulus: int
    remainders: Mapping[str, int]

    def formula(self, formula: Formula) -> Formula:
        """``formula`` on the class, as far as the class settles it."""
        match formula:
            case Compare(terms, ops):
                sides = [self.term(term) for term in terms]
                links = zip(sides, ops, sides[1:], strict=False)
                return _all(_compared(a, op, b) for a, op, b in links)
            case Member(term, values):
                here = self.term(term)
                return _any(_compared(here, "=", self.term(value)) for value in values)
            case Not(arg):
                inner = self.formula(arg)
                return Truth(not inner.value) if isinstance(inner, Truth) else Not(inner)
            case And(args):
                return _all(map(self.formula, args))
            case Or(args):
                return _any(map(self.formula, args))
            case Implies(left, right):
                return _any(map(self.formula, (Not(left), right)))
            case Iff(left, right):
                return Iff(self.formula(left), self.formula(right))
            case _:
                return formula

    def term(self, term: Term) -> _Linear:
        """``term`` on the class, as a sum."""
        match term:
            case Int(number):
                return {}, number
            case Name(name):
                remainder = self.remainders.get(name)
                return ({term: 1}, 0) if remainder is None else ({term: self.modulus}, remainder)
            case Neg(arg):
                return _scaled(self.term(arg), -1)
            case Mul(Int(factor), arg) | Mul(arg, Int(factor)):
                return _scaled(self.term(arg), factor)
            case Sum(args):
                return _total([self.term(arg) for arg in args])
            case Mod(arg, Int(divisor)) | Div(arg, Int(divisor)):
                factors, constant = inner = self.term(arg)
                if any(factor % divisor for factor in factors.values()):
                    return {type(term)(_said(inner), Int(divisor)): 1}, 0
                if isinstance(term, Mod):
                    return {}, constant % divisor
                return {t: f // divisor for t, f in factors.items()}, constant // divisor
            case Min(left, right) | Max(left, right):
                return {type(term)(_said(self.term(left)), _said(self.term(right))): 1}, 0
            case Abs(arg):
                return {Abs(_said(self.term(arg))): 1}, 0
            case If(condition, then, otherwise):
                where = self.formula(condition)
                if isinstance(where, Truth):
                    return self.term(then if where.value else otherwise)
                sides = _said(self.term(then)), _said(self.term(otherwise))
                return {If(where, *sides): 1}, 0
        raise Refused(f"isl cannot read {term}")


def _all(parts: Iterable[Formula]) -> Formula:
    kept: list[Formula] = []
    for part in parts:
        if part == FALSE:
            return FALSE
        kept.append(part)
    return conjunction(kept)


def _any(parts: Iterable[Formula]) -> Formula:
    kept: list[Formula] = []
    for part in parts:
        if part == TRUE:
            return TRUE
        kept.append(part)
    return disjunction(kept)


def _compared(left: _Linear, op: str, right: _Linear) -> Formula:
    factors, constant = total = _total([left, _scaled(right, -1)])
    if not factors:
        return Truth(holds(op, constant, 0))
    return Compare((_said(total), Int(0)), (op,))


def _total(parts: Sequence[_Linear]) -> _Linear:
    factors: dict[Term, int] = {}
    for part, _ in parts:
        for term, factor in part.items():
            factors[term] = factors.get(term, 0) + factor
    return {t: f for t, f in factors.items() if f}, sum(constant for _, constant in parts)


def _scaled(linear: _Linear, factor: int) -> _Linear:
    return {t: f * factor for t, f in linear[0].items() if factor}, linear[1] * factor


def _said(linear: _Linear) -> Term:
    terms: list[Term] = [Mul(Int(f), t) for t, f in linear[0].items()]
    return Sum((*terms, Int(linear[1]))) if terms else Int(linear[1])
