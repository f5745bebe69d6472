"""Comparisons in a plain form: like terms collected, positive parts left, negative right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, rebuild, size
from icgsynth.logic.nodes import SWAPPED
from icgsynth.logic.ranges import difference, linear


def simplified(formula: t.Formula) -> t.Formula:
    """Return an equivalent of ``formula``, no longer: ``a >= 0`` for ``b - (b - a) >= 0``."""
    return fold(_simplified(fold(formula)))


def _simplified(node: t.Kind) -> t.Kind:
    match node:
        case t.Compare(terms, ops):
            plain = conjunction(_link(terms[i], op, terms[i + 1]) for i, op in enumerate(ops))
            return plain if size(plain) <= size(node) or len(ops) == 1 else node
        case t.Mod(arg, divisor):
            return t.Mod(simplified_term(arg), divisor)
        case t.Member(term, members):
            return t.Member(simplified_term(term), members)
        case _:
            return rebuild(node, tuple(_simplified(c) for c in t.children(node)))


def _link(left: t.Term, op: str, right: t.Term) -> t.Formula:
    """Return ``left op right`` with like terms merged, without minus signs, and divided by the gcd
    of the coefficients; as it is given if that is shorter."""
    # A mere number stands on the right, as in ``b mod 2 = 0``.
    left, right = simplified_term(left), simplified_term(right)
    given = t.compare(left, op, right)
    form = difference(left, right)
    common = gcd(form.constant, *form.factors.values()) or 1
    positive = {term: f // common for term, f in form.factors.items() if f > 0}
    negative = {term: -f // common for term, f in form.factors.items() if f < 0}
    constant = form.constant // common
    more, less = linear_sum(positive, max(constant, 0)), linear_sum(negative, max(-constant, 0))
    if negative and not positive:
        more, op, less = less, SWAPPED[op], more
    shorter = t.compare(more, op, less)
    return shorter if size(shorter) <= size(given) else given


def simplified_term(term: t.Term) -> t.Term:
    """Return an equal term, ``2 * a`` for ``a + b + a - b``; ``term`` itself if that is longer."""
    match term:
        case t.Mod(arg, divisor):
            return t.Mod(simplified_term(arg), divisor)
        case _:
            plain = collect_atoms(term)
            return plain if size(plain) <= size(term) else term


def collect_atoms(term: t.Term) -> t.Term:
    """Return a term equal to ``term``, its like summands merged, the positive ones first."""
    form = linear(term)
    return linear_sum(form.factors, form.constant)


def sum_of(parts: Iterable[tuple[t.Term, int]], constant: int = 0) -> t.Term:
    """Return the sum of ``constant`` and of factor * term for each pair (term, factor) in
    ``parts``, as a term; equal terms are merged."""
    total: dict[t.Term, int] = {}
    for term, number in parts:
        total[term] = total.get(term, 0) + number
    return linear_sum(total, constant)


def linear_sum(factors: Mapping[t.Term, int], constant: int = 0) -> t.Term:
    """Return the sum of ``constant`` and of factor * term for each {term: factor} in ``factors``,
    as a term; the positive parts come first."""
    parts: list[t.Term] = []
    for term, factor in sorted(factors.items(), key=lambda part: part[1] < 0):
        if not factor:
            continue
        scaled = term if abs(factor) == 1 else t.Mul(t.Int(abs(factor)), term)
        parts.append(scaled if factor > 0 else t.Neg(scaled))
    if constant or not parts:
        parts.append(t.Int(constant))
    return t.Sum(tuple(parts)) if len(parts) > 1 else parts[0]
