"""Quantifiers eliminated by isl, which projects sets of integer points exactly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd
from typing import Any, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import Refused, TooLarge
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.deciders.presburger.direct import IslReader

_Linear: TypeAlias = dict[t.Term | None, int]  # a factor for each atom; that of None is alone
_OPERATIONS = 20_000_000  # of isl, about ten seconds
_MOST_PIECES = 200  # cases of a formula; provers would not cope with more


def without_quantifier(formula: t.Quantified, budget: Budget) -> t.Formula:
    """Return a formula without quantifiers that is equivalent to ``formula``, found by isl.
    Raises :class:`~icgsynth.errors.TooLarge` where isl does not finish or finds too many cases."""
    from icgsynth.prove.deciders.presburger.library import isl

    names = tuple(sorted(free_names(formula)))
    try:
        points = IslReader.over(names, budget, _OPERATIONS).region(formula)
        pieces = points.compute_divs().coalesce().get_basic_sets()
        if len(pieces) > _MOST_PIECES:
            raise TooLarge(f"without its quantifier '{formula}' has {len(pieces)} cases")
        return disjunction(conjunction(known_constraints(piece, names)) for piece in pieces)
    except (isl.Error, Refused, RecursionError) as error:
        raise TooLarge(f"could not eliminate the quantifier in '{formula}'") from error


def known_constraints(piece: Any, names: Sequence[str]) -> Iterator[t.Formula]:
    """Yield the constraints of ``piece``, a basic set of isl over ``names``, as formulas.
    Each of its integer divisions must have a known form."""
    if piece.is_empty():
        yield t.FALSE
        return
    quotients = _quotients(piece, names)
    for constraint in piece.get_constraints():
        sum_ = _sum(constraint, names, quotients, 1)
        yield _comparison(sum_, "=" if constraint.is_equality() else ">=")


def _quotients(piece: Any, names: Sequence[str]) -> list[tuple[_Linear, int]]:
    """Return (factors by atom, divisor) of each integer division of the basic set ``piece``, in
    isl's order; the factor of None is the constant."""
    from icgsynth.prove.deciders.presburger.library import isl

    space = piece.get_local_space()
    found: list[tuple[_Linear, int]] = []
    for i in range(piece.dim(isl.dim_type.div)):
        affine = space.get_div(i)
        divisor = int(_fraction(affine.get_denominator_val()))
        found.append((_sum(affine, names, found, divisor), divisor))
    return found


def _sum(
    affine: Any, names: Sequence[str], quotients: Sequence[tuple[_Linear, int]], scale: int
) -> _Linear:
    """Return ``scale`` times ``affine``, an expression or constraint of isl, as factors of atoms.
    ``names`` and ``quotients`` say what its variables and divisions are, in isl's order."""
    from icgsynth.prove.deciders.presburger.library import isl

    def factor(kind: Any, i: int) -> int:
        return _whole(affine.get_coefficient_val(kind, i), scale)

    # An expression has its variables on its "in" side, a constraint on its only one.
    here = isl.dim_type.in_ if isinstance(affine, isl.Aff) else isl.dim_type.set
    total: _Linear = {None: _whole(affine.get_constant_val(), scale)}
    for i, name in enumerate(names):
        _add(total, {t.Name(name): 1}, factor(here, i))
    for i, (inner, divisor) in enumerate(quotients):
        by = factor(isl.dim_type.div, i)
        if by and by % divisor == 0:
            # divisor * floor(x / divisor) = x - x mod divisor, which reads better
            _add(total, inner, by // divisor)
            _add(total, {t.Mod(_term(inner), t.Int(divisor)): 1}, -by // divisor)
        elif by:
            _add(total, {t.Div(_term(inner), t.Int(divisor)): 1}, by)
    return total


def _add(total: _Linear, other: Mapping[t.Term | None, int], factor: int) -> None:
    for atom, by in other.items():
        total[atom] = total.get(atom, 0) + factor * by
        if atom is not None and not total[atom]:
            del total[atom]


def _whole(number: Any, scale: int) -> int:
    exact = _fraction(number) * scale
    if exact.denominator != 1:
        raise Refused(f"isl gave the fraction {exact}")
    return exact.numerator


def _fraction(number: Any) -> Fraction:
    return Fraction(number.to_str())


def _comparison(total: _Linear, op: str) -> t.Formula:
    """Return ``total op 0``, from factors by atom, with positive factors on both sides."""
    divisor = gcd(*total.values()) or 1
    factors = {atom: by // divisor for atom, by in total.items()}
    if op == "=" and sum(by > 0 for by in factors.values()) * 2 < len(factors):
        factors = {atom: -by for atom, by in factors.items()}
    left = {atom: by for atom, by in factors.items() if by > 0}
    right = {atom: -by for atom, by in factors.items() if by < 0}
    return t.compare(_term(left), op, _term(right))


def _term(factors: Mapping[t.Term | None, int]) -> t.Term:
    atoms = {atom: by for atom, by in factors.items() if atom is not None}
    return linear_sum(atoms, factors.get(None, 0))
