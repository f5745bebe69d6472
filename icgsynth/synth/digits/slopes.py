"""Choose the numeration systems to try for a set of losing states, the promising ones first.

A set with rays of irrational slope is no Presburger set, but may be automatic in the system
whose weights are the denominators of the slope's continued fraction: Wythoff's pairs
(floor(n phi), floor(n phi) + n) in Zeckendorf's.  Where all late partial quotients of the slope are
one number a, the system is Ostrowski's for [..; a, a, a, ...]; the tail matters,
since slopes with equal tails differ by a Moebius map (Allouche, Shallit, Automatic
Sequences, 2003, sections 2.7 and 3.9).  Longer periods are not searched; a slope
that looks quadratic also yields the simple Parry systems of its field, last.

Slopes are only measured, so the choice only orders the attempts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from math import inf, isqrt, sqrt

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Flags, Ints, distinct
from icgsynth.digits.numeration import Numeration, base, ostrowski, parry, unit

_FEWEST = 8  # least number of points of a ray
_LONG = 100  # points from which a slope can be told from simple fractions
_SMALL = 12  # largest denominator of these fractions
_BETTER = 0.25  # least difference of two spreads that counts
_MOST = 8  # most rays in a plane: its points are at most this many times its side
_LARGEST_QUOTIENT = 12  # largest partial quotient that is tried
_LARGEST_UNIT = 20  # largest digit of the systems of a field
_HEIGHT = 6  # largest coefficient of a quadratic equation for a slope
_OF_A_FIELD = 3  # most systems of one field
_MOST_BASES = 2  # most systems for the slope of one ray
_BASES = range(3, 20)

Points = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ray:
    """A ray: points (x, y), shape (points, 2), near a line ``y = slope x + c``."""

    points: Points
    slope: float

    def spread(self, slope: float) -> float:
        """Return the width of the range of ``y - slope x`` over the points (x, y): 0 on a line."""
        return float(np.ptp(self.points[:, 1] - slope * self.points[:, 0]))

    def agrees(self, slope: float) -> bool:
        """Return whether a line with ``slope`` fits the points about as well as the best line.
        With a wrong slope the spread grows with the length of the ray, so long rays are strict."""
        return self.spread(slope) <= 1.5 * self.spread(self.slope) + 0.5

    @property
    def rational(self) -> float | None:
        """The fraction with denominator at most 3 that fits the slope best; None if none fits."""
        near = [round(self.slope * q) / q for q in (1, 2, 3)]
        return min(filter(self.agrees, near), key=self.spread, default=None)

    @cached_property
    def is_irrational(self) -> bool:
        """Whether the ray is long, and its slope fits better than all with small denominators."""
        if len(self.points) < _LONG:
            return False
        near = (round(self.slope * q) / q for q in range(1, _SMALL + 1))
        return self.spread(self.slope) + _BETTER < min(map(self.spread, near))

    @cached_property
    def tails(self) -> list[tuple[int, float]]:
        """Pairs (a, value) of continued fractions [..; a, a, a, ...] whose value fits the slope.
        At most two other partial quotients come before, as few as possible; empty if more than two
        numbers a fit: then the ray is too short to tell."""
        before: list[int] = []
        rest = self.slope
        for _ in range(3):
            slopes = [(a, _unfold(before, a)) for a in range(1, _LARGEST_QUOTIENT + 1)]
            found = [(a, slope) for a, slope in slopes if self.agrees(slope)]
            if found:
                return found if len(found) <= 2 else []
            # One partial quotient off: slope = quotient + 1 / rest.
            before.append(int(rest))
            if rest - int(rest) < 1e-9:
                break
            rest = 1 / (rest - int(rest))
        return []

    @property
    def clear_tails(self) -> list[int]:
        """The numbers a for which [..; a, a, a, ...] fits better than a simple fraction."""
        bound = inf if self.rational is None else self.spread(self.rational)
        return [a for a, slope in self.tails if self.spread(slope) < bound]


def candidates(
    grid: Flags,
    rules_constants: Iterable[int],
    cones: Iterable[tuple[int, int]] = (),
    members: Ints | None = None,
) -> tuple[Numeration, ...]:
    """Return the numeration systems to try in order, for the losing states marked in ``grid``, or
    listed in ``members``, (n, 2), if given.

    Systems that a slope and the ``cones`` of the rules, (s, t) for l < s k + t, suggest; then
    Ostrowski's for clear slopes; systems whose base may be the steepest irrational slope, and other
    systems of its field; base 2; bases k, then k + 1, for constants k of the rules, and the product
    of the least and the largest constant (powers of an earlier base last: they recognise equal
    sets); Zeckendorf's; Ostrowski's for slopes that may be rational; other systems of these slopes'
    fields; tribonacci; systems whose base may be the steepest slope."""
    found = rays(grid) if members is None else _rays_of(members.astype(float))
    clear = dict.fromkeys(a for ray in found for a in ray.clear_tails)
    vague = dict.fromkeys(a for ray in found for a, _ in ray.tails)
    fields = [(ray, _of_field(ray)) for ray in found if ray.rational is None]
    irrational = [ray for ray in found if ray.is_irrational]
    systems = [
        *_of_cones(found, cones),
        *_of_slope([ray for ray in irrational if _is_base(ray)]),
        *(system for a in clear for system in _ostrowski_systems(a)),
        *_of_slope(irrational),
        *(system for ray, systems in fields if ray.is_irrational for system in systems),
        base(2),
        *map(base, _bases(rules_constants)),
        ostrowski(1),
        *(system for a in vague for system in _ostrowski_systems(a)),
        *(system for _, systems in fields for system in systems),
        parry((1, 1, 1)),
        *_of_slope(found),
    ]
    return tuple(dict.fromkeys(systems))


def _of_cones(found: list[Ray], cones: Iterable[tuple[int, int]]) -> Iterator[Numeration]:
    """Yield for each (s, t) of ``cones``, moves with l < s k + t, the system of base b with b^2 =
    (s + t - 1) b + s, if a ray has slope b, as in Fraenkel's (s, t)-Wythoff game (Heap games,
    numeration systems and sequences, Annals of Combinatorics 2, 1998)."""
    for s, t in cones:
        c = s + t - 1
        if t >= 1 and c <= _LARGEST_UNIT and any(ray.agrees(_base(c, s)) for ray in found):
            yield parry((c, s))


def _of_slope(found: list[Ray]) -> list[Numeration]:
    """Return systems whose base is near the slope of the steepest ray, best fit first."""
    steep = [ray for ray in found if ray.rational is None]
    if not steep:
        return []
    fits = _fits(max(steep, key=lambda ray: ray.slope))
    return [_BASED[i][1] for _, i in fits[:_MOST_BASES]]


def _fits(ray: Ray) -> list[tuple[float, int]]:
    """Return (spread, index in ``_BASED``) of systems whose base fits the slope, best first."""
    agreed = [i for i, (slope, _) in enumerate(_BASED) if ray.agrees(slope)]
    return sorted((ray.spread(_BASED[i][0]), i) for i in agreed)


def _is_base(ray: Ray) -> bool:
    """Return whether a base in ``_BASED`` fits better than all fractions in ``ray.tails``."""
    least = min((ray.spread(slope) for _, slope in ray.tails), default=inf)
    return any(spread + _BETTER < least for spread, _ in _fits(ray)[:1])


def _base(c: int, d: int) -> float:
    return (c + sqrt(c * c + 4 * d)) / 2


# Systems of two weights with their base b: b^2 = c b + d, or b^2 = c b - 1.
_BASED = [
    (_base(c, d), parry((c, d)) if d > 0 else unit(c))
    for c in range(2, _LARGEST_QUOTIENT + 1)
    for d in (*range(2, c + 1), -1)
    if d > 0 or c > 2
]


def _ostrowski_systems(a: int) -> Iterator[Numeration]:
    """Yield Ostrowski's systems for partial quotients ``a``, of second weights a + 1, a, .., 2."""
    return (ostrowski(a, second) for second in range(a + 1, 1, -1))


def _bases(constants: Iterable[int]) -> list[int]:
    given = [k for k in dict.fromkeys(constants) if k > 1]
    several = [min(given) * max(given)] if len(given) > 1 else []
    made = dict.fromkeys([*given, *(k + 1 for k in given), *several])
    wanted = [k for k in made if k in _BASES]
    roots = {r**e for r in (2, *wanted) for e in (2, 3, 4)}
    return sorted(wanted, key=lambda k: k in roots)


# --- rays ----------------------------------------------------------------------------------


def rays(grid: Flags) -> list[Ray]:
    """Return the rays of the losing states in ``grid``, longest first: in planes of two variables,
    all others 0 or 1, and of the points (n, n-th losing value), which show floor(n alpha)."""
    found = [ray for cloud in _planes(grid) for ray in _rays_of(cloud)]
    if grid.ndim == 1:
        found += _rays_above(_count(np.flatnonzero(grid).astype(float)))
    return sorted(found, key=lambda ray: -len(ray.points))


def _rays_of(cloud: Points) -> list[Ray]:
    """Return the rays of points in a plane, (points, 2), longest first, without mirror images."""
    found: dict[tuple[int, float], Ray] = {}
    for flipped in (cloud, cloud[:, ::-1]):
        above = flipped[flipped[:, 1] >= flipped[:, 0]]
        for ray in (*_rays_above(above), *_rays_above(_count(above[:, 0]))):
            found.setdefault((len(ray.points), round(ray.slope, 9)), ray)
    return sorted(found.values(), key=lambda ray: -len(ray.points))


def _planes(grid: Flags) -> Iterator[Points]:
    """Yield the losing points (n, 2) of each plane of two variables, all others 0 (or 1 if the
    plane has too few or too many points so)."""
    for first, second in combinations(range(grid.ndim), 2):
        for rest in (0, 1):
            at = (slice(None) if t in (first, second) else rest for t in range(grid.ndim))
            plane = grid[tuple(at)]
            if _FEWEST <= np.count_nonzero(plane) <= _MOST * len(plane):
                yield np.argwhere(plane).astype(float)
                break


def _count(values: Points) -> Points:
    """Return rows (n, n-th distinct of ``values``), n from 0: a line if values are evenly apart."""
    ordered = distinct(values)
    return np.column_stack([np.arange(len(ordered)), ordered])


def _rays_above(points: Points) -> list[Ray]:
    """Return the rays among points with x <= y; those near 0, perhaps exceptions, are left out."""
    if len(points) < _FEWEST:
        return []
    far = points[points[:, 1] >= points[:, 1].max() / 4]
    far = far[far[:, 0] > 0]
    ratio = far[:, 0] / far[:, 1]
    far, ratio = far[np.argsort(ratio)], np.sort(ratio)
    # Points at a bounded distance from a line have ratios within about 4 / size.
    gap = max(0.02, 4 / (1 + points[:, 1].max()))
    parts = np.split(far, np.flatnonzero(np.diff(ratio) > gap) + 1)
    fitted = (_fit(part) for part in parts if len(part) >= _FEWEST)
    return [ray for ray in fitted if ray.spread(ray.slope) <= 8]


def _fit(points: Points) -> Ray:
    x, y = (points - points.mean(axis=0)).T
    square = float((x * x).sum())
    return Ray(points, float((x * y).sum()) / square if square else 0.0)


# --- quadratic slopes ----------------------------------------------------------------------


def _unfold(before: list[int], a: int) -> float:
    """Return the value of the continued fraction [before; a, a, a, ...]."""
    value = (a + sqrt(a * a + 4)) / 2
    for quotient in reversed(before):
        value = quotient + 1 / value
    return value


def _of_field(ray: Ray) -> list[Numeration]:
    """Return systems whose weights grow by a unit of the slope's quadratic field, small first."""
    # The slope looks like a root of A s^2 + B s + C = 0 with least |A| + |B| + |C|. The systems are
    # Ostrowski's of x^2 = a x + 1 and those of x^2 = a x - 1.
    reach = range(-_HEIGHT, _HEIGHT + 1)
    equations = product(range(1, _HEIGHT + 1), reach, reach)
    for a, b, c in sorted(equations, key=lambda e: (sum(map(abs, e)), e)):
        square = b * b - 4 * a * c
        if square <= 0 or isqrt(square) ** 2 == square:
            continue
        if any(ray.agrees((sign * sqrt(square) - b) / (2 * a)) for sign in (1, -1)):
            return _with_units_of(_squarefree(square))
    return []


def _with_units_of(d: int) -> list[Numeration]:
    """Return a few numeration systems with units of Q(sqrt(d)), d squarefree, small first."""
    found = [
        system(a)
        for a in range(1, _LARGEST_UNIT + 1)
        for system, square in ((ostrowski, a * a + 4), (unit, a * a - 4))
        if square > 0 and _squarefree(square) == d
    ]
    return found[:_OF_A_FIELD]


def _squarefree(number: int) -> int:
    factor = 2
    while factor * factor <= number:
        while number % (factor * factor) == 0:
            number //= factor * factor
        factor += 1
    return number
