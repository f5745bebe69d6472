"""List terms for the parameters of an action: small ones, and solutions of its constraints.

A base ``t`` stands for the terms ``t + c``, or ``(t + c) mod m``, over all integers ``c``.
The offsets ``c`` are read off the winning moves (:mod:`icgsynth.synth.linear.mined`), not tried.
The smallest bases are listed; others are read off boundaries.

A move has to be one that the rules allow, into a state that is legal and loses.  A formula of
linear arithmetic that holds for some value of a parameter holds for one near a boundary of one of
its comparisons, or for the next value of the right residue (Cooper 1972; Loos and Weispfenning
1993).  So each comparison is solved for one parameter, the solution is substituted in the others,
and so on, until all parameters are terms over the state.

Where the rules tie two parameters, as in ``2 * j = 3 * k``, they are multiples of one unknown:
here of three and two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise, product
from math import gcd

from icgsynth.explicit.steps import primed
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjuncts, free_names, size, substitute, walk
from icgsynth.logic.ranges import difference, linear
from icgsynth.logic.simplify import linear_sum

_MODULI = 8  # most moduli that are tried, the smallest first
LARGEST = 2**31  # largest modulus or divisor, so that results fit machine words


@dataclass(frozen=True)
class Base:
    """The terms ``term + c``, or with ``modulus`` ``(term + c) mod modulus``, for integers c."""

    term: t.Term
    modulus: int = 0

    def at(self, offset: int) -> t.Term:
        """Return ``term + offset``, modulo the modulus if any, as people write it: ``3 - b``."""
        if not self.modulus:
            return _plus(self.term, offset)
        shift = offset % self.modulus
        if 2 * shift > self.modulus and not isinstance(self.term, t.Neg):
            shift -= self.modulus
        return t.Mod(_plus(self.term, shift), t.Int(self.modulus))

    @cached_property
    def size(self) -> int:
        """The leaves of the term without an offset; 0 for the base of all integers."""
        return 0 if self.term == t.Int(0) else size(self.at(0))


def _plus(term: t.Term, number: int) -> t.Term:
    if not number:
        return term
    if term == t.Int(0):
        return t.Int(number)
    if isinstance(term, t.Neg) and number > 0:
        return t.Sum((t.Int(number), term))
    head = term.args if isinstance(term, t.Sum) else (term,)
    return t.Sum((*head, t.Int(number)))


def simple_bases(game: ParametricGame, losing: t.Formula) -> Iterator[Base]:
    """Yield the small bases, terms that give arguments of moves by adding a constant: 0, variables,
    minima, remainders by moduli of the rules and of ``losing``, sums and differences."""
    names = [t.Name(v) for v in game.variables]
    divisors = moduli(game, losing)
    yield Base(t.Int(0))
    yield from map(Base, names)
    yield from map(Base, _sums(names, 2))
    yield from (Base(t.Min(x, y)) for x, y in combinations(names, 2))
    yield from (Base(t.Mod(x, t.Int(modulus))) for modulus in divisors for x in names)
    yield from map(Base, _sums(names, 3))
    yield from (Base(term, modulus) for modulus in divisors for term in _sums(names, 2))


def _sums(names: Sequence[t.Name], count: int) -> Iterator[t.Term]:
    for signs in product((1, -1), repeat=count):
        for some in combinations(names, count):
            if max(signs) > 0:
                yield linear_sum(dict(zip(some, signs, strict=True)))


def moduli(game: ParametricGame, losing: t.Formula) -> list[int]:
    """Return the smallest divisors of ``mod`` in the rules and in ``losing``, ascending."""
    found = {
        n.divisor.value
        for formula in (losing, *game.formulas())
        for n in walk(formula)
        if isinstance(n, t.Mod) and isinstance(n.divisor, t.Int)
    }
    return sorted(m for m in found if 1 < m <= LARGEST)[:_MODULI]


_TUPLES = 400  # most tuples of terms for some of the parameters, the shortest
_NEXT = 4  # largest modulus for which the next value of a residue is tried
_STARTS = 6  # boundaries from which next values are tried, or that are combined in min and max
_REMAINDERS = 8  # numerators tried for one division

_Row = Mapping[t.Term, int]  # a sum of multiples of terms, up to an integer


def goal_points(
    game: ParametricGame, losing: t.Formula, action: Action, aims: Sequence[t.Formula] = ()
) -> list[tuple[Base, ...]]:
    """Return tuples of bases, terms up to a constant, for the parameters of ``action``, at which it
    may lead to a state where ``losing`` holds.

    Where ``losing`` is not linear, ``aims`` are solved in its place.  In ``aims`` a primed name is
    a variable after the move, any other name a variable before the move or a parameter."""
    names = [t.Name(p) for p in action.parameters]
    after = game.after(action)
    later = {primed(name): term for name, term in after.items()}
    goal = [substitute(aim, later) for aim in aims]
    if not aims:
        goal = [action.precondition, *(substitute(f, after) for f in (losing, game.legal))]
    boundaries = list(_boundaries(goal, set(names)))
    found = [tuple(point.base for point in points) for points in _tuples(boundaries, names)]
    times = t.Name("")
    for unit in _ties(game, losing, action):
        tied = [_tie(boundary, unit, times) for boundary in boundaries]
        for (point,) in _tuples(tied, [times]):
            if not point.modulus:
                found.append(tuple(_Point(_scaled(point.row, unit[n])).base for n in names))
    return found


# --- boundaries ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Point:
    """A sum ``row``, or with a ``modulus`` its remainder; as a boundary, an equation with 0."""

    row: _Row
    modulus: int = 0

    @property
    def base(self) -> Base:
        return Base(linear_sum(self.row), self.modulus)

    @property
    def value(self) -> _Row:
        """The value of a parameter at this point, as a sum: a dict from terms to factors."""
        return {self.base.at(0): 1} if self.modulus else self.row

    @property
    def size(self) -> int:
        return sum(size(term) + (abs(f) > 1) for term, f in self.row.items()) + (self.modulus > 0)

    def put(self, name: t.Term, value: _Row) -> _Point:
        """Return the point with the sum ``value`` substituted for ``name``."""
        factor = self.row.get(name, 0)
        if not factor:
            return self
        rest = {term: f for term, f in self.row.items() if term != name}
        return _Point(_sum(rest, _scaled(value, factor)), self.modulus)

    def solve(self, name: t.Term, open_: set[t.Name]) -> Iterator[_Point]:
        """Yield values of ``name`` for which this sum is 0, or 0 modulo its modulus, without
        quotients whose dividend has a parameter of ``open_``."""
        factor = self.row.get(name, 0)
        if not 0 < abs(factor) <= LARGEST or (self.modulus and abs(factor) > 1):
            return
        sign = -1 if factor > 0 else 1
        rest = {term: sign * f for term, f in self.row.items() if term != name}
        if abs(factor) == 1:
            yield _Point(rest, self.modulus)
        else:
            yield from map(_Point, _divided(rest, abs(factor), open_))


def _sum(one: _Row, other: _Row) -> _Row:
    total = {term: one.get(term, 0) + other.get(term, 0) for term in {**one, **other}}
    return {term: f for term, f in total.items() if f}


def _scaled(row: _Row, factor: int) -> _Row:
    return {term: factor * f for term, f in row.items()}


def _divided(row: _Row, divisor: int, open_: set[t.Name]) -> Iterator[_Row]:
    """Yield sums for ``(row + c) / divisor`` rounded down, for some c from 0 to ``divisor - 1``;
    none if the dividend of a quotient would have a name of ``open_``."""
    whole = {term: f // divisor for term, f in row.items() if f % divisor == 0}
    parts = {term: f for term, f in row.items() if f % divisor}
    if not parts:
        yield whole
    if not parts or not open_.isdisjoint(parts):
        return
    # floor((c - s) / d) is -floor((s - c + d - 1) / d): no sum of negative terms alone.
    sign = -1 if all(f < 0 for f in parts.values()) else 1
    few = min(divisor, _REMAINDERS)
    for c in sorted({i * (divisor - 1) // (few - 1) for i in range(few)}):
        numerator = linear_sum(_scaled(parts, sign), c)
        yield _sum(whole, {t.Div(numerator, t.Int(divisor)): sign})


def _boundaries(goal: Iterable[t.Formula], names: set[t.Name]) -> Iterator[_Point]:
    """Yield once each boundary of a comparison in ``goal``, a sum that is 0 there, perhaps modulo a
    number, in which some of the parameters ``names`` are summands, and occur nowhere else."""
    parameters = [name.name for name in names]
    seen: set[tuple[frozenset[tuple[t.Term, int]], int]] = set()
    for point in (p for formula in goal for node in walk(formula) for p in _of_literal(node)):
        key = (frozenset(point.row.items()), point.modulus)
        others = {name for term in point.row.keys() - names for name in free_names(term)}
        # Boundaries with a parameter inside min or div, say, are not solved.
        if key not in seen and names & point.row.keys() and others.isdisjoint(parameters):
            seen.add(key)
            yield point


def _of_literal(literal: t.Node) -> Iterator[_Point]:
    match literal:
        case (
            t.Compare((t.Mod(arg, t.Int(modulus)), _), _)
            | t.Member(t.Mod(arg, t.Int(modulus)), _)
            | t.Compare((_, t.Mod(arg, t.Int(modulus)), _), _)
        ):
            if 1 < modulus <= LARGEST:
                yield _Point(linear(arg).factors, modulus)
        case t.Compare(terms, _) if not _has_residue(*terms):
            for left, right in pairwise(terms):
                yield _Point(difference(left, right).factors)
        case t.Member(arg, _) if not _has_residue(arg):
            yield _Point(linear(arg).factors)


def _has_residue(*terms: t.Term) -> bool:
    return any(isinstance(n, t.Mod | t.Div) for term in terms for n in walk(term))


# --- points --------------------------------------------------------------------------------------


def _tuples(boundaries: Sequence[_Point], names: Sequence[t.Name]) -> list[tuple[_Point, ...]]:
    """Return tuples of a value for each of the parameters ``names``, over the state alone, that
    solve some of the ``boundaries`` one after the other; the shortest ones."""
    partial: list[dict[t.Name, _Point]] = [{}]
    for _ in names:
        found: dict[frozenset[tuple[t.Name, Base]], dict[t.Name, _Point]] = {}
        for known in partial:
            for more in _extend(boundaries, known, names):
                found.setdefault(frozenset((n, p.base) for n, p in more.items()), more)
        partial = sorted(found.values(), key=lambda k: sum(p.size for p in k.values()))[:_TUPLES]
    return [tuple(known[name] for name in names) for known in partial]


def _extend(
    boundaries: Sequence[_Point], known: Mapping[t.Name, _Point], names: Sequence[t.Name]
) -> Iterator[dict[t.Name, _Point]]:
    here = list(boundaries)
    for name, point in known.items():
        here = [boundary.put(name, point.value) for boundary in here]
    for name in names:
        if name in known:
            continue
        open_ = set(names) - {name, *known}
        for point in _points(here, name, open_, len(names) == 1):
            if not (point.modulus and open_):
                others = {n: p.put(name, point.value) for n, p in known.items()}
                yield {**others, name: point}


def _points(
    boundaries: Iterable[_Point], name: t.Name, open_: set[t.Name], is_alone: bool
) -> Iterator[_Point]:
    """Yield values of the parameter ``name``: 0, solutions of ``boundaries``, and the next numbers
    of a right residue; for an only parameter (``is_alone``) also the minimum and maximum of two
    solutions.  ``open_`` are the other parameters without a value so far."""
    solved = [point for boundary in boundaries for point in boundary.solve(name, open_)]
    plain = {p.base: p for p in (_Point({}), *solved) if not p.modulus}
    yield from plain.values()
    closed = [point for point in plain.values() if open_.isdisjoint(point.row)][:_STARTS]
    for one, other in combinations(closed if is_alone else (), 2):
        yield from _ends(one.row, other.row)
    for point in (p for p in solved if p.modulus and open_.isdisjoint(p.row)):
        yield point
        for start in closed if point.modulus <= _NEXT else ():
            gap = _Point(_sum(point.row, _scaled(start.row, -1)), point.modulus).base
            for c in range(point.modulus):
                yield _Point(_sum(start.row, {gap.at(c): 1}))


def _ends(one: _Row, other: _Row) -> Iterator[_Point]:
    """Yield the minimum and the maximum of two sums; none if functions of digits are in them."""
    both = {term: f for term, f in one.items() if other.get(term) == f}
    rest = [{term: f for term, f in row.items() if term not in both} for row in (one, other)]
    if all(rest) and not any(isinstance(term, t.Digital) for row in rest for term in row):
        # The lesser of -x and -y is written -max(x, y).
        sign = -1 if all(f < 0 for row in rest for f in row.values()) else 1
        left, right = sorted((linear_sum(_scaled(row, sign)) for row in rest), key=str)
        for end in (t.Min(left, right), t.Max(left, right)):
            yield _Point(_sum(both, {end: sign}))


# --- tied parameters -----------------------------------------------------------------------------


def _ties(game: ParametricGame, losing: t.Formula, action: Action) -> Iterator[dict[t.Name, int]]:
    """Yield dicts {j: u, k: v} for two parameters j, k that an equation of the precondition ties:
    they are u and v times one unknown number."""
    names = {t.Name(p) for p in action.parameters}
    for part in conjuncts(action.precondition):
        if not isinstance(part, t.Compare) or part.ops != ("=",):
            continue
        form = difference(*part.terms)
        if form.constant or set(form.factors) != names or len(names) != 2:
            continue
        (j, p), (k, q) = ((name, form.factors[name]) for name in names)
        if p * q < 0 and p != -q:
            common = gcd(p, q)
            for step in (1, *moduli(game, losing)):  # multiples of a modulus keep residues
                yield {j: abs(q) // common * step, k: abs(p) // common * step}


def _tie(boundary: _Point, unit: Mapping[t.Name, int], times: t.Name) -> _Point:
    for name, number in unit.items():
        boundary = boundary.put(name, {times: number})
    return boundary
