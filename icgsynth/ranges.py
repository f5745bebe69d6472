"""Bounds on the unknowns of a formula, by interval reasoning: sound, never exact by promise.

Every value that satisfies the formula lies within the bounds; not every value within the
bounds satisfies it.  A :class:`Domain` maps each name to an interval whose ends are Python
integers (one state, unbounded) or numpy columns (one entry a state); :func:`narrow` shrinks
it with a formula.  No solver is used here: this is the independent cross-check of the prover,
and how a player lists moves.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.term import (
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
    Node,
    Not,
    Or,
    Quantified,
    Sum,
    Term,
    Truth,
    fold,
    negation,
)

__all__ = ["Domain", "Interval", "Linear", "box_of", "candidates", "linear", "narrow", "ranges"]

Number: TypeAlias = int | NDArray[Any]
Bound: TypeAlias = Number | None
Mask: TypeAlias = bool | NDArray[np.bool_]
Value: TypeAlias = "Number | Interval"

# Sums of two columns below this stay within 64 bits.
_SAFE = 2**62


# --- numbers: exact, one or many ---------------------------------------------------


def _reach(number: Number) -> int:
    """The largest absolute value; columns of Python integers count as too large for 64 bits."""
    if isinstance(number, int):
        return abs(number)
    if number.dtype == object:
        return _SAFE
    return max(abs(int(number.min())), abs(int(number.max()))) if number.size else 0


def _exactly(compute: Callable[[Any, Any], Any], left: Number, right: Number, grown: int) -> Any:
    """``compute`` on columns, on Python integers where ``grown`` could pass 64 bits."""
    if grown >= _SAFE:
        left, right = np.asarray(left, dtype=object), np.asarray(right, dtype=object)
    return compute(left, right)


def _add(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    total: Number = _exactly(operator.add, left, right, _reach(left) + _reach(right))
    return total


def _scale(factor: int, number: Number) -> Number:
    if isinstance(number, int):
        return factor * number
    scaled: Number = _exactly(operator.mul, number, factor, max(1, abs(factor)) * _reach(number))
    return scaled


def _least(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return min(left, right)
    least: Number = _exactly(np.minimum, left, right, max(_reach(left), _reach(right)))
    return least


def _most(left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        return max(left, right)
    most: Number = _exactly(np.maximum, left, right, max(_reach(left), _reach(right)))
    return most


def _floor(number: Number, divisor: int) -> Number:
    if isinstance(number, int):
        return number // divisor
    quotient: Number = _exactly(operator.floordiv, number, divisor, max(divisor, _reach(number)))
    return quotient


def _ceil(number: Number, divisor: int) -> Number:
    return _scale(-1, _floor(_scale(-1, number), divisor))


def _at_most(left: Bound, right: Bound) -> Mask:
    """Where ``left <= right``; an absent bound never contradicts."""
    if left is None or right is None:
        return True
    if isinstance(left, int) and isinstance(right, int):
        return left <= right
    mask: Mask = _exactly(operator.le, left, right, max(_reach(left), _reach(right)))
    return mask


def _choose(mask: Mask, then: Number, otherwise: Number) -> Number:
    if isinstance(mask, bool):
        return then if mask else otherwise
    grown = max(_reach(then), _reach(otherwise))
    chosen: Number = _exactly(lambda x, y: np.where(mask, x, y), then, otherwise, grown)
    return chosen


def _not(mask: Mask) -> Mask:
    return not mask if isinstance(mask, bool) else ~mask


def _some(mask: Mask) -> bool:
    return mask if isinstance(mask, bool) else bool(mask.any())


# --- intervals -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """All integers from ``lo`` to ``hi``; None is no bound (for every entry of a column)."""

    lo: Bound = None
    hi: Bound = None

    @property
    def is_point(self) -> bool:
        """Known to hold one value; judged by identity, so never by comparing columns."""
        return self.lo is not None and self.lo is self.hi

    def map(self, rising: Callable[[Number], Number]) -> Interval:
        """The image under a monotone function."""
        lo = None if self.lo is None else rising(self.lo)
        if self.is_point:
            return Interval(lo, lo)
        return Interval(lo, None if self.hi is None else rising(self.hi))

    def scaled(self, factor: int) -> Interval:
        if factor == 1:
            return self
        if factor == 0:
            return _ZERO
        image = self.map(lambda number: _scale(factor, number))
        return image if factor > 0 else Interval(image.hi, image.lo)

    def __add__(self, other: Interval) -> Interval:
        lo = None if self.lo is None or other.lo is None else _add(self.lo, other.lo)
        if self.is_point and other.is_point:
            return Interval(lo, lo)
        return Interval(
            lo, None if self.hi is None or other.hi is None else _add(self.hi, other.hi)
        )

    def divided(self, factor: int) -> Interval:
        """Every x with ``factor * x`` in this interval; ``factor`` is not 0."""
        if factor < 0:
            return self.scaled(-1).divided(-factor)
        if factor == 1:
            return self
        lo = None if self.lo is None else _ceil(self.lo, factor)
        return Interval(lo, None if self.hi is None else _floor(self.hi, factor))

    def least(self, other: Interval) -> Interval:
        """The interval of ``min(x, y)``."""
        lo = None if self.lo is None or other.lo is None else _least(self.lo, other.lo)
        if self.is_point and other.is_point:
            return Interval(lo, lo)
        return Interval(lo, _tighter(_least, self.hi, other.hi))

    def most(self, other: Interval) -> Interval:
        """The interval of ``max(x, y)``."""
        return self.scaled(-1).least(other.scaled(-1)).scaled(-1)


_ZERO = Interval(0, 0)


def _tighter(pick: Callable[[Number, Number], Number], left: Bound, right: Bound) -> Bound:
    if left is None or right is None:
        return right if left is None else left
    return pick(left, right)


def _hull(left: Interval, here: Mask, right: Interval, there: Mask) -> Interval:
    """What holds both: ``left`` counts where ``here``, ``right`` where ``there``."""
    if left is right or not _some(there):
        return left
    if not _some(here):
        return right

    def end(pick: Callable[[Number, Number], Number], x: Bound, y: Bound) -> Bound:
        if x is None or y is None:
            return None
        return _choose(here, _choose(there, pick(x, y), x), y)

    return Interval(end(_least, left.lo, right.lo), end(_most, left.hi, right.hi))


# --- domains -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """An interval for each name, and where (in which entries) the whole is possible."""

    intervals: Mapping[str, Interval]
    possible: Mask = True

    @staticmethod
    def of(env: Mapping[str, Value], unknowns: Iterable[str] = ()) -> Domain:
        """Known values as points; ``unknowns`` that ``env`` does not bound are unbounded."""
        intervals: dict[str, Interval] = {name: Interval() for name in unknowns}
        possible: Mask = True
        for name, given in env.items():
            ends = (given.lo, given.hi) if isinstance(given, Interval) else (given,)
            known = [None if end is None else _number(end) for end in ends]
            intervals[name] = Interval(known[0], known[-1])
            for end in known:
                if isinstance(end, np.ndarray):
                    possible = possible & np.ones(end.shape, dtype=bool)
        domain = Domain(intervals, possible)
        for interval in intervals.values():
            domain = domain.only(_at_most(interval.lo, interval.hi))
        return domain

    def only(self, mask: Mask) -> Domain:
        """Possible at most where ``mask``; this very domain if that changes nothing."""
        if isinstance(mask, bool):
            if mask:
                return self
            none = False if isinstance(self.possible, bool) else np.zeros_like(self.possible)
            return Domain(self.intervals, none) if _some(self.possible) else self
        possible = self.possible & mask
        return self if np.array_equal(possible, self.possible) else Domain(self.intervals, possible)

    def meet(self, name: str, lo: Bound, hi: Bound) -> Domain:
        """With ``lo <= name <= hi`` added; this very domain if that changes nothing."""
        old = self.intervals[name]
        if old.is_point:
            mask = _at_most(lo, old.lo) & _at_most(old.hi, hi)
            return self.only(mask)
        new = Interval(_tighter(_most, old.lo, lo), _tighter(_least, old.hi, hi))
        if _same(new.lo, old.lo) and _same(new.hi, old.hi):
            return self
        return self.put(name, new).only(_at_most(new.lo, new.hi))

    def put(self, name: str, interval: Interval) -> Domain:
        return Domain({**self.intervals, name: interval}, self.possible)

    def join(self, other: Domain) -> Domain:
        """Everything that lies in one of the two."""
        if not _some(self.possible) or self is other:
            return other
        if not _some(other.possible):
            return self
        intervals = {
            name: _hull(interval, self.possible, other.intervals[name], other.possible)
            for name, interval in self.intervals.items()
        }
        return Domain(intervals, self.possible | other.possible)

    def same_as(self, other: Domain) -> bool:
        """Whether nothing differs; cheap where the parts are the very same objects."""
        if self is other:
            return True
        return bool(np.array_equal(self.possible, other.possible)) and all(
            i is o or (_same(i.lo, o.lo) and _same(i.hi, o.hi))
            for i, o in ((i, other.intervals[n]) for n, i in self.intervals.items())
        )

    def bounds(self, name: str) -> tuple[Bound, Bound]:
        """The ends for ``name``: ``(0, -1)`` where nothing is possible."""
        interval = self.intervals[name]
        if not _some(self.possible):
            interval = Interval(0, -1)
        lo = None if interval.lo is None else _choose(self.possible, interval.lo, 0)
        return lo, None if interval.hi is None else _choose(self.possible, interval.hi, -1)


def _number(number: Number) -> Number:
    if isinstance(number, np.ndarray):
        return number if number.dtype == object else number.astype(np.int64, copy=False)
    return operator.index(number)


def _same(left: Bound, right: Bound) -> bool:
    if left is right:
        return True
    if left is None or right is None:
        return False
    return bool(np.all(np.equal(left, right)))


# --- terms -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Linear:
    """``sum(factor * atom) + constant``; an atom is a name or a term that is not linear."""

    factors: Mapping[Term, int]
    constant: int


@lru_cache(maxsize=4096)
def linear(term: Term) -> Linear:
    """The linear form of ``term``, with like atoms collected: ``a - k + a`` is ``2a - k``."""
    factors: dict[Term, int] = {}
    constant = _collect(term, 1, factors)
    return Linear(MappingProxyType({t: f for t, f in factors.items() if f}), constant)


def _collect(term: Term, factor: int, factors: dict[Term, int]) -> int:
    """Add ``factor * term`` to ``factors``; returns the constant part."""
    match term:
        case Int(number):
            return factor * number
        case Sum(args):
            return sum(_collect(arg, factor, factors) for arg in args)
        case Neg(arg):
            return _collect(arg, -factor, factors)
        case Mul(Int(number), arg) | Mul(arg, Int(number)):
            return _collect(arg, factor * number, factors)
    factors[term] = factors.get(term, 0) + factor
    return 0


def _enclose(term: Term, domain: Domain) -> Interval:
    """An interval that holds every value of ``term`` over ``domain``."""
    match term:
        case Int(number):
            return Interval(number, number)
        case Name(name):
            return domain.intervals[name]
        case Mod(arg, Int(divisor)):
            return _remainder(_enclose(arg, domain), divisor)
        case Div(arg, Int(divisor)):
            return _enclose(arg, domain).map(lambda number: _floor(number, divisor))
        case Min(left, right):
            return _enclose(left, domain).least(_enclose(right, domain))
        case Max(left, right):
            return _enclose(left, domain).most(_enclose(right, domain))
        case Abs(arg):
            inner = _enclose(arg, domain)
            return _tightened(inner.most(inner.scaled(-1)), 0)
        case If(condition, then, otherwise):
            yes, no = narrow(condition, domain), narrow(Not(condition), domain)
            ends = _enclose(then, yes), _enclose(otherwise, no)
            return _hull(ends[0], yes.possible, ends[1], no.possible)
    form = linear(term)
    if term in form.factors:  # a product of two unknowns, or a divisor that is no constant
        return Interval()
    return _total(form, [_enclose(atom, domain) for atom in form.factors])


def _total(form: Linear, atoms: Sequence[Interval]) -> Interval:
    parts = [atom.scaled(f) for atom, f in zip(atoms, form.factors.values(), strict=True)]
    return reduce(operator.add, parts, Interval(form.constant, form.constant))


def _tightened(interval: Interval, lo: int) -> Interval:
    if interval.is_point:
        return interval
    return Interval(_tighter(_most, interval.lo, lo), interval.hi)


def _remainder(inner: Interval, divisor: int) -> Interval:
    """The interval of ``x mod divisor``: exact where x stays within one period."""
    if inner.lo is None or inner.hi is None:
        return Interval(0, divisor - 1)
    periods = _floor(inner.lo, divisor)
    lo = _add(inner.lo, _scale(-divisor, periods))
    if inner.is_point:
        return Interval(lo, lo)
    hi = _add(inner.hi, _scale(-divisor, periods))
    within = _at_most(hi, divisor - 1)
    return Interval(_choose(within, lo, 0), _choose(within, hi, divisor - 1))


# --- formulas --------------------------------------------------------------------------


def narrow(formula: Formula, domain: Domain) -> Domain:
    """A smaller domain that still holds everything in ``domain`` that satisfies ``formula``."""
    if not _some(domain.possible):
        return domain
    match formula:
        case Truth(value):
            return domain.only(value)
        case And(args):
            return _all(args, domain)
        case Or(args):
            return reduce(Domain.join, (narrow(arg, domain) for arg in args))
        case Compare((left, right), (op,)):
            return _link(left, op, right, domain)
        case Compare(terms, ops):
            links = zip(terms, ops, terms[1:], strict=False)
            return _all([Compare((s, t), (op,)) for s, op, t in links], domain)
        case Member(term, values):
            return _member(term, values, domain)
        case Not(arg):
            return narrow(_denied(arg), domain)
        case Implies(left, right):
            return narrow(Or((Not(left), right)), domain)
        case Iff(left, right):
            neither = And((Not(left), Not(right)))
            return narrow(Or((And((left, right)), neither)), domain)
        case Quantified(_, names, body):
            return _quantified(names, body, domain)


def _all(formulas: Sequence[Formula], domain: Domain) -> Domain:
    """``narrow`` by each in turn until nothing changes, or for a few rounds.

    A bound may creep down by 1 a round without end, so the rounds are limited; a chain of
    dependent names needs at most one round a name.
    """
    for _ in range(len(domain.intervals) + 3):
        before = domain
        for formula in formulas:
            domain = narrow(formula, domain)
        if domain.same_as(before):
            break
    return domain


def _denied(formula: Formula) -> Formula:
    """``not formula`` with the negation one level down."""
    match formula:
        case Compare(terms, ops) if len(ops) > 1:
            links = zip(terms, ops, terms[1:], strict=False)
            return Or(tuple(negation(Compare((s, t), (op,))) for s, op, t in links))
        case Member(term, values):
            return And(tuple(Compare((term, v), ("!=",)) for v in values))
        case Implies(left, right):
            return And((left, Not(right)))
        case Iff(left, right):
            return Iff(left, Not(right))
        case Quantified(kind, names, body):
            return Quantified("forall" if kind == "exists" else "exists", names, Not(body))
        case And(args):
            return Or(tuple(Not(a) for a in args))
        case Or(args):
            return And(tuple(Not(a) for a in args))
        case _:
            return negation(formula)


def _quantified(names: Sequence[str], body: Formula, domain: Domain) -> Domain:
    """What holds for all holds for some: both kinds bound the free names in the same way."""
    inner = reduce(lambda d, name: d.put(name, Interval()), names, domain)
    outer = narrow(body, inner)
    kept = {n: domain.intervals[n] if n in names else outer.intervals[n] for n in domain.intervals}
    return Domain(kept, outer.possible)


_TARGET: dict[str, tuple[Bound, Bound]] = {
    "<": (None, -1),
    "<=": (None, 0),
    "=": (0, 0),
    ">=": (0, None),
    ">": (1, None),
}


def _link(left: Term, op: str, right: Term, domain: Domain) -> Domain:
    form = linear(Sum((left, Neg(right))))
    if op == "!=":
        return _differ(form, domain)
    return _within(form, *_TARGET[op], domain)


def _within(form: Linear, lo: Bound, hi: Bound, domain: Domain) -> Domain:
    """Where ``lo <= form <= hi``: each atom is bounded by what the others leave it."""
    atoms = [_enclose(atom, domain) for atom in form.factors]
    total = _total(form, atoms)
    domain = domain.only(_at_most(total.lo, hi) & _at_most(lo, total.hi))
    for i, (atom, factor) in enumerate(form.factors.items()):
        if isinstance(atom, Name) and atoms[i].is_point:
            continue
        others = [_ZERO if j == i else a for j, a in enumerate(atoms)]
        room = Interval(lo, hi) + _total(form, others).scaled(-1)
        room = room.divided(factor)
        domain = _refine(atom, room.lo, room.hi, domain)
    return domain


def _refine(atom: Term, lo: Bound, hi: Bound, domain: Domain) -> Domain:
    """Where ``lo <= atom <= hi``."""
    if lo is None and hi is None:
        return domain
    match atom:
        case Name(name):
            return domain.meet(name, lo, hi)
        case Div(arg, Int(divisor)):
            least = None if lo is None else _scale(divisor, lo)
            most = None if hi is None else _add(_scale(divisor, hi), divisor - 1)
            return _within(linear(arg), least, most, domain)
        case Min(left, right):
            both = [linear(left), linear(right)]
            domain = reduce(lambda d, form: _within(form, lo, None, d), both, domain)
            one = [_within(form, None, hi, domain) for form in both]
            return one[0].join(one[1]) if hi is not None else domain
        case Max(left, right):
            mirror = Min(Neg(left), Neg(right))
            ends = Interval(lo, hi).scaled(-1)
            return _refine(mirror, ends.lo, ends.hi, domain)
        case Abs(arg):
            return _refine(Max(arg, Neg(arg)), lo, hi, domain)
        case If(condition, then, otherwise):
            yes = _within(linear(then), lo, hi, narrow(condition, domain))
            return yes.join(_within(linear(otherwise), lo, hi, narrow(Not(condition), domain)))
        case _:
            return domain


def _differ(form: Linear, domain: Domain) -> Domain:
    """Where ``form != 0``: impossible if both sides are known equal; else an end may go."""
    total = _enclose_form(form, domain)
    if total.lo is not None and total.is_point:
        return domain.only(_not(_equal(total.lo, 0)))
    if len(form.factors) != 1:
        return domain
    ((atom, factor),) = form.factors.items()
    if not isinstance(atom, Name) or form.constant % factor:
        return domain
    gap, ends = -form.constant // factor, domain.intervals[atom.name]
    lo, hi = ends.lo, ends.hi
    if lo is not None:
        lo = _choose(_equal(lo, gap), gap + 1, lo)
    if hi is not None:
        hi = _choose(_equal(hi, gap), gap - 1, hi)
    return domain.meet(atom.name, lo, hi)


def _enclose_form(form: Linear, domain: Domain) -> Interval:
    return _total(form, [_enclose(atom, domain) for atom in form.factors])


def _equal(left: Number, right: int) -> Mask:
    return _at_most(left, right) & _at_most(right, left)


def _member(term: Term, values: Sequence[Term], domain: Domain) -> Domain:
    """``term in {values}``: the ends snap to members, so a known value is decided."""
    members = sorted(v.value for v in values if isinstance(v, Int))
    if not members or len(members) < len(values):
        return domain
    inner = _enclose(term, domain)
    lo: Number = members[-1] + 1
    for member in reversed(members):
        lo = _choose(_at_most(inner.lo, member), member, lo)
    hi: Number = members[0] - 1
    for member in members:
        hi = _choose(_at_most(member, inner.hi), member, hi)
    return _within(linear(term), lo, hi, domain)


# --- what callers ask ------------------------------------------------------------------


def ranges(
    formula: Formula, unknowns: Sequence[str], env: Mapping[str, Value]
) -> dict[str, tuple[Bound, Bound]]:
    """Inclusive bounds ``(lo, hi)`` for each unknown wherever ``formula`` can hold.

    ``env`` gives the other names: an integer, a column of shape (n,), or an
    :class:`Interval` of either; an interval for an unknown says what is known of it before.
    With any column in ``env`` the bounds are columns of shape (n,).  None is no bound;
    ``(0, -1)`` says that nothing satisfies the formula.
    """
    domain = narrow(_folded(formula), Domain.of(env, unknowns))
    return {name: domain.bounds(name) for name in unknowns}


def candidates(
    formula: Formula, parameters: Sequence[str], env: Mapping[str, int]
) -> Iterator[tuple[int, ...]]:
    """Every tuple of ``parameters`` that could satisfy ``formula``, in lexicographic order.

    A superset: the caller checks each.  The bounds of a parameter are taken anew for each
    value of those before it.  OverflowError where a parameter has no bound on some side.
    """
    yield from _extend(_folded(formula), tuple(parameters), Domain.of(env, parameters))


def _extend(
    formula: Formula, parameters: tuple[str, ...], domain: Domain
) -> Iterator[tuple[int, ...]]:
    domain = narrow(formula, domain)
    if not domain.possible:
        return
    if not parameters:
        yield ()
        return
    name, rest = parameters[0], parameters[1:]
    ends = domain.intervals[name]
    if not isinstance(ends.lo, int) or not isinstance(ends.hi, int):
        side = "lower" if ends.lo is None else "upper"
        raise OverflowError(f"parameter '{name}' has no {side} bound here: {formula}")
    for number in range(ends.lo, ends.hi + 1):
        if not rest:
            yield (number,)
            continue
        point = domain.put(name, Interval(number, number))
        for others in _extend(formula, rest, point):
            yield (number, *others)


def box_of(legal: Formula, variables: Sequence[str], bound: int) -> tuple[tuple[int, int], ...]:
    """Inclusive bounds of the legal states with every variable within ``[-bound, bound]``.

    ``((0, -1), ...)`` where no legal state lies there.
    """
    room = {name: Interval(-bound, bound) for name in variables}
    box: list[tuple[int, int]] = []
    for lo, hi in ranges(legal, variables, room).values():
        assert isinstance(lo, int) and isinstance(hi, int)  # they only shrink
        box.append((lo, hi))
    return tuple(box)


def _folded(formula: Formula) -> Formula:
    folded: Node = fold(formula)
    return folded  # type: ignore[return-value]
