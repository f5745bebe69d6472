"""Bounds on the unknowns of a formula by interval reasoning: sound, but not always exact.

Every value that satisfies the formula lies within the bounds; not every value within the
bounds satisfies it.  :func:`narrow` shrinks a domain, of one state or of columns of states
(:mod:`icgsynth.logic.intervals`), with a formula.  No solver is used here: this is the independent
cross-check of the prover, and how a player lists moves.
"""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import accumulate, chain, repeat
from math import prod
from types import MappingProxyType

import numpy as np

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names, links, negation, substitute, walk
from icgsynth.logic.evaluate import apply_term
from icgsynth.logic.intervals import Bound, Domain, Interval, Value, hull

_DEEPEST = 5  # terms with cases, one in another, whose parts are bounded one by one
_MOST_CASES = 64  # choices of a part of each ``or`` that are bounded one by one

# --- terms -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Linear:
    """The linear form ``sum(factor * atom) + constant``; atoms are names or nonlinear terms."""

    factors: Mapping[t.Term, int]
    constant: int

    def parts(self, atoms: Iterable[Interval]) -> list[Interval]:
        """Return the interval of each summand ``factor * atom`` of this sum, where ``atoms`` has
        the interval of each atom, in order."""
        return [a.scaled(f) for a, f in zip(atoms, self.factors.values(), strict=True)]


@lru_cache(maxsize=4096)
def linear(term: t.Term) -> Linear:
    """Return ``term`` as {atom: factor} and a constant; an atom is a name or a nonlinear term.  For
    ``a - k + a`` these are {a: 2, k: -1} and 0."""
    factors: dict[t.Term, int] = {}
    constant = _collect(term, 1, factors)
    return Linear(MappingProxyType({part: f for part, f in factors.items() if f}), constant)


@lru_cache(maxsize=4096)
def difference(left: t.Term, right: t.Term) -> Linear:
    """Return ``left`` minus ``right`` as {atom: factor} and a constant, as :func:`linear` does."""
    return linear(t.Sum((left, t.Neg(right))))


def _collect(term: t.Term, factor: int, factors: dict[t.Term, int]) -> int:
    """Add the factor of each atom, a name or nonlinear term, in ``factor * term`` to ``factors``;
    return the constant part."""
    match term:
        case t.Int(number):
            return factor * number
        case t.Sum(args):
            return sum(_collect(arg, factor, factors) for arg in args)
        case t.Neg(arg):
            return _collect(arg, -factor, factors)
        case t.Mul(t.Int(number), arg) | t.Mul(arg, t.Int(number)):
            return _collect(arg, factor * number, factors)
    factors[term] = factors.get(term, 0) + factor
    return 0


def as_number(term: t.Term) -> int | None:
    """Return the value of ``term`` if it is constant, as 2 of ``a - a + 2``; None if it is not."""
    form = linear(term)
    return None if form.factors else form.constant


def has_products(formulas: Iterable[t.Node]) -> bool:
    """Return whether one of ``formulas`` contains a product of two terms that are not constant, or
    a divisor that is not constant."""
    return any(map(_has_product, formulas))


@lru_cache(maxsize=4096)
def _has_product(formula: t.Node) -> bool:
    return any(map(is_product, walk(formula)))


def is_product(node: t.Node) -> bool:
    """Return whether ``node`` is a product of two terms that are not constant, or a ``mod`` or
    ``div`` by a term that is not constant."""
    match node:
        case t.Mod(_, divisor) | t.Div(_, divisor):
            return not isinstance(divisor, t.Int) and as_number(divisor) is None
        case t.Mul(left, right):
            is_plain = isinstance(left, t.Int) or isinstance(right, t.Int)
            return not is_plain and as_number(left) is None and as_number(right) is None
    return False


def _enclose(term: t.Term, domain: Domain) -> Interval:
    """Return an interval that holds every value of ``term`` for values of names in ``domain``."""
    match term:
        case t.Int(number):
            return Interval(number, number)
        case t.Name(name):
            return domain.intervals[name]
        case t.Mod(arg, t.Int(divisor)):
            return _enclose(arg, domain).modulo(divisor)
        case t.Div(arg, t.Int(divisor)):
            return _enclose(arg, domain).floor(divisor)
        case t.Min(left, right):
            return _enclose(left, domain).least(_enclose(right, domain))
        case t.Max(left, right):
            return _enclose(left, domain).most(_enclose(right, domain))
        case t.Abs(arg):
            return _enclose(arg, domain).absolute()
        case t.If(condition, then, otherwise):
            yes, no = narrow(condition, domain), narrow(t.Not(condition), domain)
            ends = _enclose(then, yes), _enclose(otherwise, no)
            return hull(ends[0], yes.possible, ends[1], no.possible)
    form = linear(term)
    if term in form.factors:  # a product of two terms, a divisor that is no constant, or digits
        parts = [_enclose(part, domain) for part in t.children(term) if isinstance(part, t.Term)]
        known = [part.lo for part in parts if part.is_point and part.lo is not None]
        if len(known) < len(parts) or not isinstance(term, t.Mul | t.Mod | t.Div | t.Digital):
            return Interval()
        here = apply_term(term, known)
        return Interval(here, here)
    return _total(form.constant, form.parts(_enclose(atom, domain) for atom in form.factors))


def _total(constant: int, parts: Sequence[Interval]) -> Interval:
    return reduce(operator.add, parts, Interval(constant, constant))


# --- formulas --------------------------------------------------------------------------


def narrow(formula: t.Formula, domain: Domain) -> Domain:
    """Return ``domain``, an interval for each name, narrowed: no values that satisfy ``formula``
    are lost, but some that do not may stay."""
    if domain.is_empty:
        return domain
    match formula:
        case t.Compare((left, right), ("!=",)):
            return _differ(difference(left, right), domain)
        case t.Compare((left, right), (op,)):
            return _within(difference(left, right), ROOM[op], domain)
        case t.And() | t.Compare():
            return _all(list(links(formula)), domain)
        case t.Truth(value):
            return domain.only(value)
        case t.Or(args):
            return reduce(Domain.join, (narrow(arg, domain) for arg in args))
        case t.Member(term, values):
            return _member(term, values, domain)
        case t.Recognised() | t.Not(t.Recognised()):
            return domain  # what an automaton accepts says nothing of ranges
        case t.Not(arg):
            return narrow(_deny(arg), domain)
        case t.Implies(left, right):
            return narrow(t.Or((t.Not(left), right)), domain)
        case t.Iff(left, right):
            if any(isinstance(n, t.Iff) for side in (left, right) for n in walk(side)):
                return domain  # each level would double the work
            neither = t.And((t.Not(left), t.Not(right)))
            return narrow(t.Or((t.And((left, right)), neither)), domain)
        case t.Quantified(_, names, body):
            return _read_quantifier(names, body, domain)


def _all(formulas: Sequence[t.Formula], domain: Domain) -> Domain:
    """Return ``domain`` narrowed by each of ``formulas`` in turn, again and again until nothing
    changes, but in a limited number of rounds."""
    # A bound may creep down by 1 a round without end, so the rounds are limited; a chain of
    # dependent names needs at most one round a name.
    rounds = len(domain.intervals) + 3
    idle = 0  # how many in a row changed nothing
    for formula in chain.from_iterable(repeat(formulas, rounds)):
        narrowed = narrow(formula, domain)
        idle = idle + 1 if narrowed.same_as(domain) else 0
        if idle == len(formulas):
            break
        domain = narrowed
    return domain


def narrow_by_cases(formula: t.Formula, domain: Domain) -> Domain:
    """Return ``domain`` narrowed by ``formula``; where a name stays unbounded, each choice of
    disjuncts of ``or`` is tried as well, and the results are joined."""
    return _by_cases(list(links(formula)), narrow(formula, domain), _MOST_CASES)


def _by_cases(formulas: Sequence[t.Formula], domain: Domain, most: int) -> Domain:
    """Return ``domain`` narrowed by the conjunction of ``formulas``, one disjunct of each ``or`` at
    a time, joined; at most ``most`` choices are tried.  In
    ``(a = 0 or k <= a) and (b = 0 or k <= b) and a + b >= 1`` neither ``or`` bounds ``k`` alone,
    for one of its parts says nothing of ``k``; but a choice of a part of each does."""
    loose = {name for name, ends in domain.intervals.items() if ends.lo is None or ends.hi is None}
    if domain.is_empty or not loose:
        return domain
    for i, formula in enumerate(formulas):
        cases = _cases(formula)
        if 1 < len(cases) <= most and not loose.isdisjoint(_names(formula)):
            rest = [*formulas[:i], *formulas[i + 1 :]]
            chosen = ([*rest, *links(case)] for case in cases)
            left = most // len(cases)
            return reduce(
                Domain.join, (_by_cases(each, _all(each, domain), left) for each in chosen)
            )
    return domain


def _cases(formula: t.Formula) -> tuple[t.Formula, ...]:
    """Return formulas whose disjunction is ``formula``: the parts of an ``or``, else itself."""
    match formula:
        case t.Or(args):
            return args
        case t.Implies(left, right):
            return t.Not(left), right
        case t.Not(t.And() | t.Compare() as arg):
            return _cases(_deny(arg))
    return (formula,)


_names = lru_cache(maxsize=4096)(free_names)


def _deny(formula: t.Formula) -> t.Formula:
    """Return the negation of ``formula``, with ``not`` pushed below the outermost connective."""
    match formula:
        case t.Compare(ops=ops) if len(ops) > 1:
            return t.Or(tuple(negation(t.compare(*link)) for link in formula.links))
        case t.Member(term, values):
            return t.And(tuple(t.compare(term, "!=", v) for v in values))
        case t.Implies(left, right):
            return t.And((left, t.Not(right)))
        case t.Iff(left, right):
            return t.Iff(left, t.Not(right))
        case t.Quantified(kind, names, body):
            return t.Quantified("forall" if kind == "exists" else "exists", names, t.Not(body))
        case t.And(args):
            return t.Or(tuple(t.Not(a) for a in args))
        case t.Or(args):
            return t.And(tuple(t.Not(a) for a in args))
        case _:
            return negation(formula)


def _read_quantifier(names: Sequence[str], body: t.Formula, domain: Domain) -> Domain:
    """Return ``domain`` narrowed by ``exists names. body``, which follows from ``forall``, too; the
    bounds of the quantified ``names`` stay as they are."""
    inner = reduce(lambda d, name: d.put(name, Interval()), names, domain)
    outer = narrow(body, inner)
    kept = {n: domain.intervals[n] if n in names else outer.intervals[n] for n in domain.intervals}
    return Domain(kept, outer.possible)


_UNIT = Interval(1, 1)
ROOM = {  # where left - right lies
    "<": Interval(None, -1),
    "<=": Interval(None, 0),
    "=": Interval(0, 0),
    ">=": Interval(0, None),
    ">": Interval(1, None),
}


def _within(form: Linear, room: Interval, domain: Domain) -> Domain:
    """Return ``domain`` with the interval of each variable narrowed by ``form in room``.  Each
    summand ``factor * atom`` is in ``room`` minus the range of all other summands."""
    atoms = [_enclose(atom, domain) for atom in form.factors]
    parts = form.parts(atoms)
    total = _total(form.constant, parts)
    if total.lies_in(room):
        return domain
    domain = domain.only(total.meets(room))
    constant = Interval(form.constant, form.constant)
    before = list(accumulate(parts, initial=constant))
    after = list(accumulate(reversed(parts[1:]), initial=Interval(0, 0)))[::-1]
    for i, (atom, factor) in enumerate(form.factors.items()):
        if not (isinstance(atom, t.Name) and atoms[i].is_point):
            others = before[i] + after[i]
            domain = _refine(atom, (room - others).divided(factor), domain)
    return domain


def _refine(atom: t.Term, room: Interval, domain: Domain) -> Domain:
    """Return ``domain`` narrowed so that ``atom``, a name or a nonlinear term, lies in ``room``;
    unchanged where ``min``, ``max``, ``abs`` and ``if`` nest too deep."""
    if (room.lo is None and room.hi is None) or _depth(atom) > _DEEPEST:
        return domain
    match atom:
        case t.Name(name):
            return domain.meet(name, room)
        case t.Div(arg, t.Int(divisor)):
            return _within(linear(arg), room.unfloored(divisor), domain)
        case t.Min(left, right):
            both = [linear(left), linear(right)]
            above, below = Interval(room.lo, None), Interval(None, room.hi)
            domain = reduce(lambda d, form: _within(form, above, d), both, domain)
            one, other = (_within(form, below, domain) for form in both)
            return one.join(other)
        case t.Max(left, right):
            return _refine(t.Min(t.Neg(left), t.Neg(right)), room.scaled(-1), domain)
        case t.Abs(arg):
            return _refine(t.Max(arg, t.Neg(arg)), room, domain)
        case t.Mul(left, right):
            # Where one factor is at least 1, the other is no farther from 0 than the product.
            near = Interval(room.least(_UNIT).lo, room.most(_UNIT.scaled(-1)).hi)
            for one_side, other_side in ((left, right), (right, left)):
                low = _enclose(one_side, domain).lo
                if low is not None and np.all(low >= 1):
                    domain = _within(linear(other_side), near, domain)
            return domain
        case t.If(condition, then, otherwise):
            yes = _within(linear(then), room, narrow(condition, domain))
            return yes.join(_within(linear(otherwise), room, narrow(t.Not(condition), domain)))
        case _:
            return domain


@lru_cache(maxsize=4096)
def _depth(term: t.Node) -> int:
    inner = max(map(_depth, t.children(term)), default=0)
    return inner + isinstance(term, t.Min | t.Max | t.Abs | t.If)


def _differ(form: Linear, domain: Domain) -> Domain:
    """Return ``domain`` narrowed by ``form != 0``: it is impossible where ``form`` is surely 0, and
    an end of the interval of the only variable that is a zero of ``form`` moves inwards by 1."""
    total = _total(form.constant, form.parts(_enclose(atom, domain) for atom in form.factors))
    domain = domain.only(total.without(0).filled)
    if len(form.factors) != 1:
        return domain
    ((atom, factor),) = form.factors.items()
    if not isinstance(atom, t.Name) or form.constant % factor:
        return domain
    gap = -form.constant // factor
    return domain.meet(atom.name, domain.intervals[atom.name].without(gap))


def _member(term: t.Term, values: Sequence[t.Term], domain: Domain) -> Domain:
    """Return ``domain`` narrowed by ``term in {values}``: the ends of the term's interval move
    inwards to members."""
    members = sorted(v.value for v in values if isinstance(v, t.Int))
    if not members or len(members) < len(values):
        return domain
    return _within(linear(term), _enclose(term, domain).snapped(members), domain)


# --- what callers ask ------------------------------------------------------------------


def ranges(
    formula: t.Formula, unknowns: Sequence[str], env: Mapping[str, Value]
) -> dict[str, tuple[Bound, Bound]]:
    """Return inclusive bounds ``(lo, hi)`` for each of ``unknowns`` wherever ``formula`` can hold.
    ``env`` gives the other names: an integer, a column of shape (n,), or an :class:`Interval` of
    either; an interval for an unknown says what is known of it before. With any column in ``env``
    the bounds are columns of shape (n,).  None is no bound; ``(0, -1)`` says that nothing satisfies
    the formula."""
    domain = narrow_by_cases(_at(formula, env), Domain.of(env, unknowns))
    return {name: domain.bounds(name) for name in unknowns}


def ends_of(term: t.Term, known: Sequence[t.Formula]) -> tuple[Bound, Bound]:
    """Return inclusive bounds of ``term`` wherever all of ``known`` hold; None is no bound."""
    it = t.Name("=")  # no name of a rule
    room = conjunction([*known, t.compare(it, "=", term)])
    return narrow(room, Domain.of({}, free_names(room))).bounds(it.name)


def candidates(
    formula: t.Formula, parameters: Sequence[str], env: Mapping[str, int]
) -> Iterator[tuple[int, ...]]:
    """Yield every tuple of ``parameters`` that could satisfy ``formula``, in lexicographic order.

    A superset: the caller checks each.  ``env`` gives the other names.  The bounds of a parameter
    are taken anew for each value of those before it.  OverflowError where one lacks a bound.
    """
    yield from _extend(_at(formula, env), tuple(parameters), Domain.of(env, parameters))


def _at(formula: t.Formula, env: Mapping[str, Value]) -> t.Formula:
    """Return ``formula`` with its constant parts computed.  If it has products of unknowns, names
    are first replaced by those values in ``env`` that are integers."""
    if not has_products((formula,)):
        return fold(formula)
    known = {name: t.Int(number) for name, number in env.items() if isinstance(number, int)}
    return fold(substitute(formula, known))


def _extend(
    formula: t.Formula, parameters: tuple[str, ...], domain: Domain
) -> Iterator[tuple[int, ...]]:
    domain = narrow_by_cases(formula, domain)
    if domain.is_empty:
        return
    if not parameters:
        yield ()
        return
    name, rest = parameters[0], parameters[1:]
    ends = domain.intervals[name]
    if not isinstance(ends.lo, int) or not isinstance(ends.hi, int):
        state = " + ".join(n for n, i in domain.intervals.items() if i.is_point)
        lacks = f"upper bound: add one, as {name} <= {state or 1}"
        if ends.lo is None:
            lacks = f"lower bound: add one, as 1 <= {name}"
        raise OverflowError(f"parameter '{name}' has no {lacks}")
    for number in range(ends.lo, ends.hi + 1):
        if not rest:
            yield (number,)
            continue
        point = domain.put(name, Interval(number, number))
        for others in _extend(formula, rest, point):
            yield (number, *others)


def box_of(legal: t.Formula, variables: Sequence[str], bound: int) -> tuple[tuple[int, int], ...]:
    """Return (least, largest) of each of ``variables`` in states within ``bound`` of 0 where the
    formula ``legal`` holds, or wider bounds; ``((0, -1), ...)`` where no legal state lies there."""
    room = {name: Interval(-bound, bound) for name in variables}
    box: list[tuple[int, int]] = []
    for lo, hi in ranges(legal, variables, room).values():
        assert isinstance(lo, int) and isinstance(hi, int)  # they only shrink
        box.append((lo, hi))
    return tuple(box)


def sides_of(legal: t.Formula, variables: Sequence[str]) -> list[tuple[int, int] | None]:
    """Return (least, largest) of each of ``variables`` where ``legal`` holds; None if unbounded."""
    ends = ranges(legal, variables, {}).values()
    return [(lo, hi) if isinstance(lo, int) and isinstance(hi, int) else None for lo, hi in ends]


def bound_of_box(legal: t.Formula, variables: Sequence[str], most: int, points: int) -> int:
    """Return the largest b from 1 to ``most`` with at most ``points`` points in the box
    (:func:`box_of`) of the ``legal`` states of ``variables`` for bound b; 1 if there is none."""

    def count(bound: int) -> int:
        return prod(max(0, hi - lo + 1) for lo, hi in box_of(legal, variables, bound))

    return max(1, bisect_right(range(most + 1), points, lo=1, key=count) - 1)
