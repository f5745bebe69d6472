"""The role of a constant: a function of it that gives the integers found for some of its values.

Families of functions are tried from few coefficients to many.  A function is made from a first
part of the points, at least one more than it has coefficients, so that it could fail; at least
one point is left to test it on.  Too few points for that: no fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sympy

from icgsynth.batch.family.polynomial import Point, interpolated, linear, polynomial_term
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import value

__all__ = ["Fit", "fit", "part", "term_at"]

_DEGREES = (0, 1, 2, 3)  # of polynomials
_FLOORS = (2, 3, 4, 5)  # divisors of (p * n + s) div d
_STEPS = (2, 3, 4, 5, 6)  # moduli of a * n + b + c * (n mod m)
_PIECES = ((3, 0), (2, 1), (4, 0), (3, 1), (2, 2))  # modulus, degree for each residue
_SLOPES = 8  # largest p of a floor


@dataclass(frozen=True, slots=True)
class Fit:
    """A function of the constant as a term; ``used`` points, from the first, made it.

    ``exact`` says that the points it was not made from lie on it as well.
    """

    term: t.Term
    used: int
    exact: bool


@dataclass(frozen=True, slots=True)
class _Family:
    """``through`` gives the function through all of the points, None where there is none."""

    coefficients: int
    through: Callable[[Sequence[Point], str], t.Term | None]


def fit(points: Sequence[Point], name: str) -> Fit | None:
    """The simplest function of the constant ``name`` that the points, in order, speak for.

    One that goes through all of them comes before one that goes through its part alone; the
    latter is given too, for then it is the rest that has to be shown.
    """
    first: Fit | None = None
    for family in _families():
        used = part(len(points), family.coefficients)
        if used is None:
            continue
        term = family.through(points[:used], name)
        if term is None:
            continue
        found = Fit(term, used, all(term_at(term, name, k) == v for k, v in points))
        if found.exact:
            return found
        first = first or found
    return first


def part(count: int, coefficients: int) -> int | None:
    """How many of ``count`` points are fitted on; None where that leaves too few.

    >>> part(10, 2), part(4, 2), part(3, 2)
    (5, 3, None)
    """
    return max((count + 1) // 2, coefficients + 1) if count >= coefficients + 2 else None


def term_at(term: t.Term, name: str, k: int) -> int:
    """The value of ``term`` where the constant is ``k``."""
    return value(term, {name: k})


def _families() -> Iterator[_Family]:
    """All families, by the number of their coefficients."""
    found = [_Family(degree + 1, _polynomial(degree)) for degree in _DEGREES]
    found += [_Family(3, _floor(divisor)) for divisor in _FLOORS]
    # The choice of the modulus counts as a coefficient.
    found += [_Family(4, _steps(modulus)) for modulus in _STEPS]
    found += [_Family(m * (degree + 1) + 1, _pieces(m, degree)) for m, degree in _PIECES]
    yield from sorted(found, key=lambda family: family.coefficients)


def _polynomial(degree: int) -> Callable[[Sequence[Point], str], t.Term | None]:
    def through(points: Sequence[Point], name: str) -> t.Term | None:
        found = interpolated(points, degree)
        return None if found is None else polynomial_term(found, name)

    return through


def _floor(divisor: int) -> Callable[[Sequence[Point], str], t.Term | None]:
    """``(p * n + s) div d + t`` with a fraction p / d in lowest terms."""

    def through(points: Sequence[Point], name: str) -> t.Term | None:
        for slope in sorted(range(-_SLOPES, _SLOPES + 1), key=lambda p: (abs(p), -p)):
            if sympy.gcd(slope, divisor) != 1:
                continue
            k, v = points[0]
            for offset in range(v * divisor - slope * k, (v + 1) * divisor - slope * k):
                if all((slope * k + offset) // divisor == v for k, v in points):
                    whole, rest = divmod(offset, divisor)
                    return linear(
                        1, whole, t.Div(linear(slope, rest, t.Name(name)), t.Int(divisor))
                    )
        return None

    return through


def _steps(modulus: int) -> Callable[[Sequence[Point], str], t.Term | None]:
    """``a * n + b + c * (n mod m)``, rational a and c; ``n div m`` is one of these."""

    def through(points: Sequence[Point], name: str) -> t.Term | None:
        some = points[: 2 * modulus]  # the rest only has to agree
        rows = [(k // modulus, k % modulus, 1) for k, _ in some]
        system = (sympy.Matrix(rows), sympy.Matrix([v for _, v in some]))
        solutions = list(sympy.linsolve(system, *sympy.symbols("q r one")))
        if not solutions or not all(c.is_Integer for c in solutions[0]):
            return None  # none, many, or not always an integer
        by_quotient, by_rest, offset = map(int, solutions[0])
        if any(
            by_quotient * (k // modulus) + by_rest * (k % modulus) + offset != v for k, v in points
        ):
            return None
        return _shortest_steps(by_quotient, by_rest, offset, modulus, name)

    return through


def _shortest_steps(by_quotient: int, by_rest: int, offset: int, modulus: int, name: str) -> t.Term:
    """``by_quotient * (n div m) + by_rest * (n mod m) + offset`` with any two of n, div, mod."""
    n = t.Name(name)
    quotient, rest = t.Div(n, t.Int(modulus)), t.Mod(n, t.Int(modulus))
    weighed: list[list[tuple[int, t.Term]]] = [[(by_quotient, quotient), (by_rest, rest)]]
    if by_quotient % modulus == 0:
        slope = by_quotient // modulus
        weighed.append([(slope, n), (by_rest - slope, rest)])
    weighed.append([(by_rest, n), (by_quotient - by_rest * modulus, quotient)])
    forms = []
    for parts in weighed:
        used = [linear(weight, 0, term) for weight, term in parts if weight]
        summands = (*used, *((t.Int(offset),) if offset or not used else ()))
        forms.append(t.Sum(summands) if len(summands) > 1 else summands[0])
    return min(forms, key=size)


def _pieces(modulus: int, degree: int) -> Callable[[Sequence[Point], str], t.Term | None]:
    """A polynomial for each residue of the constant."""

    def through(points: Sequence[Point], name: str) -> t.Term | None:
        terms: list[t.Term] = []
        for residue in range(modulus):
            own = [(k, v) for k, v in points if k % modulus == residue]
            found = interpolated(own, degree) if len(own) > degree + 1 else None
            if found is None:
                return None
            terms.append(polynomial_term(found, name))
        *before, chosen = terms
        for residue, term in reversed(list(enumerate(before))):
            here = t.Compare((t.Mod(t.Name(name), t.Int(modulus)), t.Int(residue)), ("=",))
            chosen = t.If(here, term, chosen)
        return chosen

    return through
