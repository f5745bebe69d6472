"""Shorten formulas: sets for equations of one term, chains for its bounds.

``a = 2 or a = 3`` becomes ``a in {2, 3}``, ``a > 1 and a <= 5`` becomes ``1 < a <= 5``, and
``a mod 9 in {0, 1, 2}`` becomes ``a mod 9 <= 2``.  Every step keeps the meaning, for all
integers, and is taken only where it makes the formula shorter.

Parts that hold, or fail, in all relevant legal states are left out, and comparisons are replaced
by plainer ones equivalent on these states.  Each step is proved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import gcd, lcm
from typing import NamedTuple

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, reading, size
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.nodes import MEANING, SWAPPED
from icgsynth.logic.ranges import difference, linear
from icgsynth.logic.simplify import linear_sum, simplified
from icgsynth.prove.deciders.portfolio import decide

# --- legal --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Legal:
    """Answers questions about the legal states of ``game``, by samples and by a solver.  ``states``
    (n, d) are legal; a formula that holds on one of these states is satisfiable, and needs no
    solver.  ``share`` is the part of the budget for one question."""

    game: ParametricGame
    states: Ints
    budget: Budget
    share: float = 1.0

    def where(self, formula: t.Formula) -> Flags:
        """Return flags (n,) of the sample states in which ``formula`` holds."""
        return on_states(formula, self.game.variables, self.states)

    def may_hold(self, *parts: t.Formula) -> bool:
        """Return whether ``parts`` may all hold in one legal state; True if that is unknown."""
        return bool(self.where(conjunction(parts)).any()) or not self.excludes(*parts)

    def excludes(self, *parts: t.Formula) -> bool:
        """Return whether it is proved that in no legal state all formulas ``parts`` hold."""
        budget = self.budget.share(self.share)
        return decide((self.game.legal, *parts), self.game.variables, budget).kind == "unsat"

    def are_equal(self, one: t.Formula, other: t.Formula, asked: Part | None = None) -> bool:
        """Return whether it is proved that ``one`` and ``other`` are equivalent in the states
        ``asked``, or in all legal states for None."""
        given, rows = asked or self.part()
        if (rows & (self.where(one) != self.where(other))).any():
            return False
        return one == other or self.excludes(*given, t.Not(t.Iff(one, other)))

    def part(self, *given: t.Formula) -> Part:
        """Return the part of the legal states in which all formulas ``given`` hold."""
        return Part(given, self.where(conjunction(given)))


class Part(NamedTuple):
    """The legal states where ``given`` holds; ``rows`` (n,) marks the sample states among them."""

    given: tuple[t.Formula, ...]
    rows: Flags


def tidy(legal: Legal, formula: t.Formula, given: tuple[t.Formula, ...] = ()) -> t.Formula:
    """Return ``formula`` without parts proved true, or false, in all legal states that matter.
    States matter where ``given`` holds; for a part of a conjunction, or link of a chain, where the
    other parts hold; for a part of a disjunction, where the others fail."""
    return _tidy(legal, formula, legal.part(*given))


def _tidy(legal: Legal, formula: t.Formula, asked: Part) -> t.Formula:
    if legal.budget.is_spent:
        return formula
    held = legal.where(formula)
    if not (asked.rows & held).any() and legal.excludes(*asked.given, formula):
        return t.FALSE
    if not (asked.rows & ~held).any() and legal.excludes(*asked.given, negation(formula)):
        return t.TRUE
    if isinstance(formula, t.Not):
        inner = _tidy(legal, formula.arg, asked)
        return min((negation(inner), t.Not(inner)), key=reading)
    if bounds := _bounds(formula):
        return min((formula, _tidy(legal, t.And(bounds), asked)), key=reading)
    if not isinstance(formula, t.And | t.Or):
        return formula
    return in_context(legal, formula, asked, _tidy)


def in_context(
    legal: Legal,
    formula: t.And | t.Or,
    asked: Part,
    put: Callable[[Legal, t.Formula, Part], t.Formula],
) -> t.Formula:
    """Return ``formula`` with each part p replaced by ``put(legal, p, states)``: the states are
    those of ``asked`` where the other parts hold (in a disjunction: fail), so that p matters."""
    is_all, kept = isinstance(formula, t.And), list(formula.args)
    lets = [legal.where(part) == is_all for part in kept]  # where the other parts matter
    for i in sorted(range(len(kept)), key=lambda i: (-size(kept[i]), -i)):
        if legal.budget.is_spent:
            break
        others = kept[:i] + kept[i + 1 :]
        given = (*asked.given, *(others if is_all else map(negation, others)))
        rows = np.logical_and.reduce([asked.rows, *lets[:i], *lets[i + 1 :]])
        kept[i] = put(legal, kept[i], Part(given, rows))
        lets[i] = legal.where(kept[i]) == is_all
    return conjunction(kept) if is_all else disjunction(kept)


def _bounds(formula: t.Formula) -> tuple[t.Formula, ...]:
    """Return the comparisons that a chain, or a set of adjacent numbers, is the conjunction of:
    ``t >= 3`` and ``t <= 5`` for ``t in {3, 4, 5}``; () for other formulas."""
    match formula:
        case t.Compare(_, (_, _, *_)):
            return tuple(t.compare(*link) for link in formula.links)
        case t.Member(term, members):
            values = sorted({m.value for m in members if isinstance(m, t.Int)})
            if len(values) == len(members) == values[-1] - values[0] + 1:
                return t.compare(term, ">=", values[0]), t.compare(term, "<=", values[-1])
    return ()


def say_plainly(legal: Legal, formula: t.Formula, given: tuple[t.Formula, ...] = ()) -> t.Formula:
    """Return a plainer formula that is equivalent to ``formula`` in the legal states where all
    formulas ``given`` hold: needless parts are left out, and comparisons as plain as possible."""
    return plain(legal, tidy(legal, formula, given), legal.part(*given))


def plain(legal: Legal, formula: t.Formula, asked: Part) -> t.Formula:
    """Return ``formula`` with each comparison as plain as possible, proved equivalent in the states
    ``asked``: ``a = 0`` replaces ``a <= 0`` where a is at least 0 in all of these."""
    if legal.budget.is_spent:
        return formula
    if isinstance(formula, t.And | t.Or):
        whole = in_context(legal, formula, asked, plain)
        return conjunction(_equal(whole.args)) if isinstance(whole, t.And) else whole
    least = reading(formula)
    ways = sorted((way for way in _ways(legal, formula) if reading(way) < least), key=reading)
    ways = [t.TRUE, t.FALSE, *ways]  # the rewording of another part may make this one constant
    return next((way for way in ways if legal.are_equal(way, formula, asked)), formula)


def _ways(legal: Legal, formula: t.Formula) -> Iterator[t.Formula]:
    match formula:
        case t.Compare((left, right), (op,)):
            if op in ("<=", ">="):
                yield t.compare(left, "=", right)
            if op != "=" and isinstance(right, t.Int):
                yield from (t.compare(left, "=", right.value + n) for n in (1, -1))
                yield from (t.compare(left, sign, 0) for sign in "<>")
            yield from _remainders(formula)
            form = difference(left, right)
            names = [t.Name(name) for name in legal.game.variables]
            used = [name for name in names if name.name in free_names(formula)]
            for terms in (used, form.factors) if form.factors and not form.constant else ():
                yield t.Compare((*terms, t.Int(0)), ("=",) * len(terms))
                yield t.compare(linear_sum(dict.fromkeys(terms, 1)), "!=", 0)
            for distance in (part for part in form.factors if isinstance(part, t.Abs)):
                yield simplified(t.compare(distance.arg, "=" if op in "<=" else "!=", 0))
            for dropped in form.factors:  # a term may be 0 on all relevant states
                rest = {term: factor for term, factor in form.factors.items() if term != dropped}
                yield simplified(t.compare(linear_sum(rest, form.constant), op, 0))
            if len(form.factors) > 1:
                yield from (t.compare(name, "=", 0) for name in names)
        case t.Compare((t.Int(low), term, t.Int(high)), ("<=", "<=")) if low == -high:
            yield t.compare(t.Abs(term), "<=", high)
        case t.Not(t.Compare((*terms, t.Int(0)), ops)) if {*ops} == {"="}:
            yield t.compare(linear_sum(dict.fromkeys(terms, 1)), "!=", 0)


def _remainders(formula: t.Compare) -> Iterator[t.Formula]:
    """Yield wordings to try for ``(a - b) mod 4 = 0``: ``a = b``, ``a = b mod 4``, and two more."""
    match formula:
        case t.Compare((t.Mod(arg, t.Int(modulus) as divisor), t.Int(0)), ("=" | "!=" as op,)):
            form = linear(arg)
            factors = sorted(factor % modulus for factor in form.factors.values())
            if factors == [1, modulus - 1] and not form.constant:
                both = [(part, t.Mod(part, divisor)) for part in sorted(form.factors, key=str)]
                yield from (t.compare(one, op, other) for one, other in product(*both))


def _equal(parts: Sequence[t.Formula]) -> list[t.Formula]:
    """Return conjuncts ``parts`` with equations that share a term as a chain: ``a = b = c``."""
    found: list[t.Formula] = []
    for part in parts:
        chains = ((i, _one_chain(other, part)) for i, other in enumerate(found))
        i, chain = next(((i, chain) for i, chain in chains if chain), (len(found), part))
        found[i : i + 1] = [chain]
    return found if len(found) == len(parts) else _equal(found)


def _one_chain(one: t.Formula, other: t.Formula) -> t.Formula | None:
    """Return the chain ``a = b = c``, names first, of two equations that share a term, or None."""
    match one, other:
        case t.Compare(left, ops), t.Compare(right, more) if {*ops, *more} == {"="}:
            terms = sorted({*left, *right}, key=lambda x: (isinstance(x, t.Int), size(x), str(x)))
            shared = {term for term in left if term in right}
            unknown = {term for term in terms if not isinstance(term, t.Int)}
            if shared & unknown or (shared and {*map(type, unknown)} == {t.Name}):
                return t.Compare(tuple(terms), ("=",) * (len(terms) - 1))
    return None


# --- polish --------------------------------------------------------------------------------------

_LARGEST_MODULUS = 200  # largest modulus of joined congruences
_LARGEST_LISTED = 100_000  # largest modulus whose residues are listed


def shorter(formula: t.Formula) -> t.Formula:
    """Return a formula equivalent to ``formula`` for all integers, with sets and chains of
    comparisons where these are shorter: ``a in {2, 3}``, ``1 < a <= 5``."""
    match formula:
        case t.Or(args):
            return _joined(disjunction(map(shorter, args)), t.Or, disjunction, _any_of)
        case t.And(args):
            return _joined(conjunction(map(shorter, args)), t.And, conjunction, _all_of)
        case t.Not(arg) if not isinstance(arg, t.Member):
            inner = shorter(arg)
            return min((negation(inner), t.Not(inner)), key=reading)
        case t.Not():
            known = _Known.read(formula)  # of equal sizes the positive wording comes first
            return min((*_list_wordings(known), formula), key=reading) if known else formula
        case t.Member() | t.Compare():
            known = _Known.read(formula)
            return min((formula, *_list_wordings(known)), key=reading) if known else formula
        case _:
            return formula


def values_of(term: t.Term, values: Iterable[int]) -> t.Formula:
    """Return a shortest formula that ``term`` is one of ``values`` (at least one value)."""
    known = _find_known(term, values, True) or _Known(term, 0, tuple(sorted({*values})), True)
    return min(_list_wordings(known), key=reading)


@dataclass(frozen=True, slots=True)
class _Known:
    """The fact ``term in values``, or its negation; with a modulus the values are residues."""

    term: t.Term
    modulus: int
    values: tuple[int, ...]
    holds: bool

    @staticmethod
    def read(formula: t.Formula) -> _Known | None:
        """Return the fact that ``formula`` tells on the values of one term: = or != a number, (not)
        in a set, bounds of a remainder.  None for others, as ``x <= 5``, or moduli past 10^5."""
        moduli = (part.divisor for part in t.children(formula) if isinstance(part, t.Mod))
        if any(isinstance(m, t.Int) and m.value > _LARGEST_LISTED for m in moduli):
            return None
        match formula:
            case t.Not(t.Member() as inner):
                known = _Known.read(inner)
                return known and _Known(known.term, known.modulus, known.values, False)
            case t.Member(term, members):
                values = [m.value for m in members if isinstance(m, t.Int)]
                if len(values) < len(members):
                    return None
                return _find_known(term, values, True)
            case t.Compare((left, t.Int(value)), ("=" | "!=" as op,)):
                return _find_known(left, [value], op == "=")
            case t.Compare((t.Mod() as left, t.Int(value)), ("<=" | "<" | ">" | ">=" as op,)):
                assert isinstance(left, t.Mod)
                if not isinstance(left.divisor, t.Int):
                    return None
                values = [r for r in range(left.divisor.value) if MEANING[op](r, value)]
                return _find_known(left, values, True) if values else None
            case t.Compare(
                (t.Int(low), t.Mod(_, t.Int(modulus)) as left, t.Int(high)), (first, second)
            ):
                if not {first, second} <= {"<", "<="}:
                    return None
                least, most = low + (first == "<"), high - (second == "<")
                values = [r for r in range(modulus) if least <= r <= most]
                return _find_known(left, values, True) if values else None
            case t.Compare((left, right), ("=" | "!=" as op,)):
                form = difference(left, right)
                names = [part for part in form.factors if isinstance(part, t.Name)]
                if not names or len(names) < len(form.factors):
                    return None
                sign = 1 if form.factors[min(names, key=lambda n: n.name)] > 0 else -1
                term = linear_sum({part: sign * f for part, f in form.factors.items()}, 0)
                return _Known(term, 0, (-sign * form.constant,), op == "=")
        return None


def _find_known(term: t.Term, values: Iterable[int], holds: bool) -> _Known | None:
    """Return the fact that ``term`` is in ``values`` (is not, unless ``holds``), for a remainder
    with the least modulus; None if the modulus is no constant."""
    given = {*values}
    if not isinstance(term, t.Mod):
        return _Known(term, 0, tuple(sorted(given)), holds)
    if not isinstance(term.divisor, t.Int):
        return None
    form, modulus = linear(term.arg), term.divisor.value
    factors = form.factors.values()
    step = gcd(modulus, *factors) * (-1 if max(factors, default=0) < 0 else 1)
    count = modulus // abs(step)
    inside = {x for x in range(count) if (step * x + form.constant) % modulus in given}
    divisors = (d for d in range(1, count + 1) if count % d == 0)
    least = next(d for d in divisors if all((x + d) % count in inside for x in inside))
    kept = tuple(sorted({x % least for x in inside}))
    arg = linear_sum({p: f for p, n in form.factors.items() if (f := n // step) % least})
    return _Known(t.Mod(arg, t.Int(least)), least, kept, holds)


def _list_wordings(known: _Known) -> list[t.Formula]:
    term, modulus = known.term, known.modulus
    others = tuple(sorted(set(range(modulus)) - set(known.values)))
    inside, outside = (known.values, others) if known.holds else (others, known.values)
    if modulus and not (inside and outside):
        return [t.TRUE if inside else t.FALSE]
    ways = _as_set(term, inside, True) + _as_set(term, outside, False)
    is_run = bool(inside) and inside[-1] - inside[0] == len(inside) - 1
    if not is_run or (not modulus and len(inside) <= 2):
        return ways
    if modulus and inside[0] == 0:
        return [*ways, t.compare(term, "<=", inside[-1])]
    if modulus and inside[-1] == modulus - 1:
        return [*ways, t.compare(term, ">=", inside[0])]
    return [*ways, t.Compare((t.Int(inside[0]), term, t.Int(inside[-1])), ("<=", "<="))]


def _as_set(term: t.Term, values: Sequence[int], holds: bool) -> list[t.Formula]:
    if not values:
        return []
    if len(values) == 1:
        return [t.compare(term, "=" if holds else "!=", values[0])]
    member = t.Member(term, tuple(t.Int(v) for v in values))
    return [member if holds else t.Not(member)]


# --- several literals of one term ------------------------------------------------------------


def _joined(
    formula: t.Formula,
    kind: type[t.And] | type[t.Or],
    join: Callable[[Iterable[t.Formula]], t.Formula],
    merge: Callable[[list[_Known]], t.Formula | None],
) -> t.Formula:
    if not isinstance(formula, kind):
        return formula
    groups: dict[tuple[t.Term, bool], list[tuple[t.Formula, _Known]]] = {}
    for part in formula.args:
        known = _Known.read(part)
        if known is not None:
            form = known.term.arg if isinstance(known.term, t.Mod) else known.term
            groups.setdefault((form, known.modulus > 0), []).append((part, known))
    replaced: dict[t.Formula, t.Formula | None] = {}
    for group in groups.values():
        parts = [part for part, _ in group]
        merged = merge([known for _, known in group]) if len(group) > 1 else None
        if merged is not None and size(merged) < size(join(parts)):
            replaced |= dict.fromkeys(parts)
            replaced[parts[0]] = merged
    kept = [replaced.get(part, part) for part in formula.args]
    whole = join(part for part in kept if part is not None)
    return conjunction(chain_bounds(whole.args)) if isinstance(whole, t.And) else whole


def _any_of(known: list[_Known]) -> t.Formula | None:
    if known[0].modulus:
        return _of_residues(known, set.union)
    if not all(k.holds for k in known):
        return None
    term, values = known[0].term, [v for k in known for v in k.values]
    if max(values) <= 0:
        term, values = (
            linear_sum({part: -f for part, f in linear(term).factors.items()}, 0),
            [-v for v in values],
        )
    return values_of(term, values) if min(values) >= 0 else None


def _all_of(known: list[_Known]) -> t.Formula | None:
    if known[0].modulus:
        return _of_residues(known, set.intersection)
    if any(k.holds for k in known):
        return None
    merged = _any_of([_Known(k.term, 0, k.values, True) for k in known])
    return None if merged is None else negation(merged)


def _of_residues(known: list[_Known], combine: Callable[..., set[int]]) -> t.Formula | None:
    """Return one formula for several facts on the residues of one term, with ``combine`` (union or
    intersection) of their sets modulo the lcm of the moduli; None if that is large."""
    common = lcm(*(k.modulus for k in known))
    if common > _LARGEST_MODULUS:
        return None
    term = known[0].term
    assert isinstance(term, t.Mod)
    lifted = [{r for r in range(common) if r % k.modulus in _residues(k)} for k in known]
    return values_of(t.Mod(term.arg, t.Int(common)), combine(*lifted))


def _residues(known: _Known) -> set[int]:
    inside = set(known.values)
    return inside if known.holds else set(range(known.modulus)) - inside


def chain_bounds(parts: Sequence[t.Formula], constants: Collection[str] = ()) -> list[t.Formula]:
    """Return the conjuncts ``parts`` with two bounds of one term as a chain: ``a < b <= c``.  A
    comparison is in one chain at most; the term between has a name that is not in ``constants``."""
    found = list(parts)
    for low, high in permutations(parts, 2):
        below, above = _upwards(low), _upwards(high)
        if not below or not above or low not in found or high not in found:
            continue
        (least, term), (same, most) = below.terms, above.terms
        if term == same and not free_names(term) <= set(constants):
            first = min(found.index(low), found.index(high))
            rest = [part for part in found if part not in (low, high)]
            chain = t.Compare((least, term, most), (*below.ops, *above.ops))
            found = [*rest[:first], chain, *rest[first:]]
    return found


def _upwards(formula: t.Formula) -> t.Compare | None:
    match formula:
        case t.Compare((_, _), ("<" | "<=",)):
            return formula
        case t.Compare((left, right), (">" | ">=" as op,)):
            return t.compare(right, SWAPPED[op], left)
        case _:
            return None
