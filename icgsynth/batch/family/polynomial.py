"""Polynomials in the constant of a family, as terms of the language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import lcm

import sympy

from icgsynth.logic import term as t
from icgsynth.logic.build import fold, size

__all__ = ["Point", "interpolated", "linear", "polynomial_term"]

Point = tuple[int, int]  # a value of the constant, and the integer found there


def interpolated(points: Sequence[Point], degree: int) -> sympy.Poly | None:
    """The polynomial with rational coefficients through all of ``points``, if one of at most
    ``degree`` goes through them.  At least ``degree + 1`` points are needed for an answer."""
    if len(points) <= degree:
        return None
    x = sympy.Symbol("x")
    through = sympy.interpolate(list(points[: degree + 1]), x)
    found = sympy.Poly(through, x, domain="QQ")
    return found if all(found.eval(k) == value for k, value in points) else None


def polynomial_term(polynomial: sympy.Poly, name: str) -> t.Term:
    """``polynomial`` in the constant ``name``, expanded or factored, whichever is smaller.

    A common denominator becomes one ``div``, which is exact wherever the value is an integer.
    """
    rational = [sympy.Rational(c) for c in polynomial.all_coeffs()]
    denominator = lcm(*[int(c.q) for c in rational])
    whole = [int(c * denominator) for c in rational]
    forms = [_expanded(whole, name)]
    if len(whole) > 2:
        forms.insert(0, _factored(whole, name))
    if denominator > 1:
        forms = [t.Div(form, t.Int(denominator)) for form in forms]
    return min(forms, key=size)


def linear(slope: int, offset: int, term: t.Term) -> t.Term:
    """``slope * term + offset``, an offset before a negative slope."""
    product = fold(t.Mul(t.Int(slope), term))
    if slope == 0:
        return t.Int(offset)
    if offset == 0:
        return product
    if slope < 0 < offset:
        return t.Sum((t.Int(offset), t.Neg(fold(t.Mul(t.Int(-slope), term)))))
    return t.Sum((product, t.Int(offset)))


def _expanded(coefficients: Sequence[int], name: str) -> t.Term:
    """The sum of the powers; ``coefficients`` from the highest."""
    degree = len(coefficients) - 1
    if degree <= 1:
        *slope, offset = coefficients
        return linear(slope[0] if slope else 0, offset, t.Name(name))
    summands: list[t.Term] = []
    for i, coefficient in enumerate(coefficients):
        if coefficient:
            power = degree - i
            summands.append(_product(coefficient, [t.Name(name)] * power))
    return t.Sum(tuple(summands)) if len(summands) > 1 else summands[0]


def _factored(coefficients: Sequence[int], name: str) -> t.Term:
    """The product of the irreducible factors over the integers."""
    x = sympy.Symbol("x")
    content, factors = sympy.factor_list(sympy.Poly(list(coefficients), x, domain="ZZ"))
    terms: list[t.Term] = []
    for factor, power in factors:
        terms += [_expanded([int(c) for c in factor.all_coeffs()], name)] * power
    # A bare constant before a sum: n * (n + 1).
    terms.sort(key=lambda term: not isinstance(term, t.Name))
    return _product(int(content), terms)


def _product(coefficient: int, factors: Sequence[t.Term]) -> t.Term:
    if not factors:
        return t.Int(coefficient)
    if coefficient == 1:
        return reduce(t.Mul, factors)
    if coefficient == -1:
        return t.Neg(reduce(t.Mul, factors))
    return reduce(t.Mul, [t.Int(coefficient), *factors])
