"""The role of a constant: a function of it that gives the integers found for some of its values.

Families of functions are tried from few coefficients to many.  A function is made from a first
part of the points, at least one more than it has coefficients, so that it could fail; at least
one point is left to test it on.  Too few points for that: no fit.

Polynomials in the constant of a family, as terms of the language.

Integers that matter modulo another only: 100 mod (n + 1), seen as 0, 1, 0, 0, 4, 2, ...

Such residues look like noise to a polynomial.  The number behind them is found with the Chinese
remainder theorem, and believed where the residues say clearly more than the number does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import lcm, log2

import sympy
from sympy.ntheory.modular import crt

from icgsynth.logic import term as t
from icgsynth.logic.build import fold, size
from icgsynth.logic.evaluate import value

# --- fit -----------------------------------------------------------------------------------------

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


# --- polynomial ----------------------------------------------------------------------------------

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


# --- residues ------------------------------------------------------------------------------------

_RESIDUE_SLOPES = (0, 1, -1, 2, -2, 3, -3)  # values of p, the plainest first
_SURPLUS = 10.0  # bits: residues by chance would fit so well once in a thousand times
_FEWEST = 4  # points


def fit_residue(
    points: Sequence[Point], moduli: Sequence[int], name: str, modulus: t.Term, inside: bool
) -> Fit | None:
    """``p * n + s``, whose residues modulo ``moduli`` are those of ``points``.

    It is made from a first part of the points, at least one less than all.  Where the integer
    stands ``inside`` a term that is read modulo ``modulus``, any number with the residue serves;
    elsewhere ``mod modulus`` is written.  None where no small ``p`` serves, or too little speaks
    for it; a modulus below 1, or an outside integer that is no residue, never fits.
    """
    if any(m < 1 or not (inside or 0 <= v < m) for (_, v), m in zip(points, moduli, strict=True)):
        return None
    for used in range(max(_FEWEST - 1, (len(points) + 1) // 2), len(points)):
        for slope in _RESIDUE_SLOPES:
            rests = [v - slope * k for k, v in points[:used]]
            offset = _smallest(moduli[:used], rests)
            if offset is None or _surplus(moduli[:used], slope, offset) < _SURPLUS:
                continue
            term = linear(slope, offset, t.Name(name))
            exact = all(
                (slope * k + offset - v) % m == 0 for (k, v), m in zip(points, moduli, strict=True)
            )
            return Fit(term if inside else t.Mod(term, modulus), used, exact)
    return None


def _smallest(moduli: Sequence[int], rests: Sequence[int]) -> int | None:
    """The number nearest to 0 with these rests; None where there is none."""
    solved = crt(list(moduli), [rest % m for rest, m in zip(rests, moduli, strict=True)])
    if solved is None:
        return None
    number, period = int(solved[0]), lcm(*moduli)
    return number if 2 * number <= period else number - period


def _surplus(moduli: Sequence[int], slope: int, offset: int) -> float:
    """Bits that the residues say beyond those that choose slope and offset."""
    return sum(log2(m) for m in moduli) - log2(2 * abs(offset) + 1) - log2(2 * abs(slope) + 1)
