"""Convert formulas and terms to expressions of SymPy, and SymPy's expressions to text.

A construct that the other language lacks raises :class:`~icgsynth.errors.InputError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import lcm
from typing import Any, NamedTuple

from icgsynth import wings
from icgsynth.errors import InputError
from icgsynth.logic import term as t

try:
    import sympy as sp
except ImportError:
    raise wings.lacking("this needs SymPy", "sympy") from None

_PLAIN = "SymPy has Mod, floor, Min, Max, Abs, Piecewise, comparisons, And, Or and Not"
_TEXT = "use integers, symbols, +, *, Mod, floor, Min, Max, Abs, Piecewise, comparisons, And, Or"
_RELATIONS = {"=": sp.Eq, "!=": sp.Ne, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}
_SIGNS = {relation: sign for sign, relation in _RELATIONS.items()}


# --- to SymPy ---------------------------------------------------------------------------------


def expression(node: t.Node) -> Any:
    """Return ``node`` as an expression of SymPy; variables become integer symbols.

    Raises :class:`~icgsynth.errors.InputError` for functions of digits, sets of an automaton and
    quantifiers, which SymPy does not have.
    """
    parts = [expression(part) for part in t.children(node)]
    match node:
        case t.Int(value):
            return sp.Integer(value)
        case t.Name(name):
            return sp.Symbol(name, integer=True)
        case t.Truth(value):
            return sp.true if value else sp.false
        case t.Mod(_, divisor) | t.Div(_, divisor) if not parts[1].is_positive:
            raise InputError(f"SymPy is not told that {divisor} is positive", mend=_PLAIN)
        # `div` rounds down for positive divisors, which the case above has checked.
        case t.Div():
            return sp.floor(parts[0] / parts[1])
        case t.If():
            return sp.Piecewise((parts[1], parts[0]), (parts[2], True))
        case t.Compare(ops=ops):
            links = zip(parts, ops, parts[1:], strict=False)
            return sp.And(*(_RELATIONS[op](left, right) for left, op, right in links))
        case t.Member():
            return sp.Or(*(sp.Eq(parts[0], value) for value in parts[1:]))
        case t.Digital() | t.Recognised() | t.Quantified() | t.Gcd():
            raise InputError(f"SymPy has no {_name(node)}: {node}", mend=_PLAIN)
    make = {t.Sum: sp.Add, t.Neg: lambda x: -x, t.Mul: sp.Mul, t.Mod: sp.Mod, t.Min: sp.Min}
    make |= {t.Max: sp.Max, t.Abs: sp.Abs, t.Not: sp.Not, t.And: sp.And, t.Or: sp.Or}
    make |= {t.Implies: sp.Implies, t.Iff: sp.Equivalent}
    return make[type(node)](*parts)


def _name(node: t.Node) -> str:
    """Return the kind of ``node``, which SymPy does not have, in words for an error."""
    match node:
        case t.Digital("nimsum", _, _, 2):
            return "xor of numbers"
        case t.Digital(kind):
            return f"function '{kind}' of digits"
        case t.Gcd():
            return "common divisor of unknown integers"
        case t.Recognised():
            return "set that an automaton of digits recognises"
        case _:
            return "quantifier over the integers"


# --- from SymPy -------------------------------------------------------------------------------


class _Fraction(NamedTuple):
    """A term over a positive denominator ``below``: SymPy has fractions, rules have none."""

    term: t.Term
    below: int = 1

    def over(self, below: int) -> t.Term:
        """Return the numerator of this fraction over ``below``, a multiple of its denominator."""
        factor = below // self.below
        return self.term if factor == 1 else _product(t.Int(factor), self.term)


def language(given: Any) -> str:
    """Return an expression of SymPy as text in the language of rules.

    Raises :class:`~icgsynth.errors.InputError` for what is no formula or term of integers.
    """
    if given.is_Boolean or given.is_Relational:
        return str(_formula(given))
    found = _fraction(given)
    if found.below != 1:
        raise InputError(f"{given} need not be an integer", mend="write floor(...)")
    return str(found.term)


def _formula(given: Any) -> t.Formula:
    if given in (sp.true, sp.false):
        return t.TRUE if given == sp.true else t.FALSE
    if (sign := _SIGNS.get(type(given))) is not None:
        sides = [_fraction(side) for side in given.args]
        # Both sides are multiplied by their common denominator, which is positive: the comparison
        # stays.
        below = lcm(*(side.below for side in sides))
        return t.compare(sides[0].over(below), sign, sides[1].over(below))
    if isinstance(given, sp.Or | sp.And | sp.Not | sp.Implies | sp.Equivalent | sp.Xor | sp.ITE):
        parts = [_formula(arg) for arg in given.args]
        match given:
            case sp.And():
                return t.And(tuple(parts))
            case sp.Or():
                return t.Or(tuple(parts))
            case sp.Not():
                return t.Not(parts[0])
            case sp.Implies():
                return t.Implies(*parts)
            case sp.Equivalent():
                return t.And(tuple(t.Iff(parts[0], part) for part in parts[1:]))
            case sp.Xor():
                return reduce(lambda left, right: t.Not(t.Iff(left, right)), parts)
        asked, then, otherwise = parts
        return t.Or((t.And((asked, then)), t.And((t.Not(asked), otherwise))))
    raise _unknown(given)


def _unknown(given: Any) -> InputError:
    return InputError(f"no formula has {type(given).__name__}, as in {given}", mend=_TEXT)


def _fraction(given: Any) -> _Fraction:
    match given:
        case sp.Rational():
            return _Fraction(t.Int(int(given.p)), int(given.q))
        case sp.Symbol():
            return _Fraction(t.Name(given.name))
        case sp.Mul():
            parts = [_fraction(arg) for arg in given.args]
            below = reduce(lambda product, part: product * part.below, parts, 1)
            terms = [part.term for part in parts if part.term != t.Int(1)] or [t.Int(1)]
            return _Fraction(reduce(_product, terms), below)
        case sp.Add():
            return _combine(given.args, lambda terms: t.Sum(tuple(terms)))
        case sp.Min() | sp.Max():
            kind = t.Min if isinstance(given, sp.Min) else t.Max
            return _combine(given.args, lambda terms: reduce(kind, terms))
        case sp.Abs():
            return _combine(given.args, lambda terms: t.Abs(*terms))
        case sp.Mod():
            return _combine(given.args, lambda terms: t.Mod(terms[0], _positive(terms[1], given)))
        case sp.floor():
            inner = _fraction(given.args[0])
            return _Fraction(t.Div(inner.term, t.Int(inner.below)))
        case sp.ceiling():
            inner = _fraction(given.args[0])
            return _Fraction(t.Neg(t.Div(t.Neg(inner.term), t.Int(inner.below))))
        case sp.Piecewise():
            return _piecewise(given)
    raise _unknown(given)


def _product(left: t.Term, right: t.Term) -> t.Term:
    return t.Neg(right) if left == t.Int(-1) else t.Mul(left, right)


def _combine(args: Sequence[Any], make: Any) -> _Fraction:
    """Return ``make(numerators)`` as a fraction: ``args`` are put over a common denominator."""
    parts = [_fraction(arg) for arg in args]
    below = lcm(*(part.below for part in parts))
    return _Fraction(make([part.over(below) for part in parts]), below)


def _positive(divisor: t.Term, given: Any) -> t.Term:
    """Return the ``divisor`` of a remainder; InputError if it is a number, and not positive."""
    match divisor:
        case t.Mul(t.Int(factor), t.Int(value)):
            divisor = t.Int(factor * value)
    if isinstance(divisor, t.Int) and divisor.value <= 0:
        raise InputError(f"the divisor in {given} is not positive", mend="divide by 1, 2, ..")
    return divisor


def _piecewise(given: Any) -> _Fraction:
    """Return a Piecewise as nested if-then-else; InputError unless the last condition is true."""
    *first, (_, otherwise) = given.args
    if otherwise != sp.true:
        raise InputError(f"{given} has no value somewhere", mend="end with (value, True)")

    def choose(terms: list[t.Term]) -> t.Term:
        found = terms[-1]
        for (_, condition), term in zip(reversed(first), reversed(terms[:-1]), strict=True):
            found = t.If(_formula(condition), term, found)
        return found

    return _combine([value for value, _ in given.args], choose)
