"""The same formula in fewer leaves: sets for equations of one term, chains for its bounds.

``a = 2 or a = 3`` becomes ``a in {2, 3}``, ``a > 1 and a <= 5`` becomes ``1 < a <= 5``, and
``a mod 9 in {0, 1, 2}`` becomes ``a mod 9 <= 2``.  Every step keeps the meaning, for all
integers, and is taken only where it makes the formula shorter.

The disjunctive cover of a winning formula (Wu et al., AAMAS 2020, "Refining").

Literals of the forms ``!=``, ``<=``, ``>=`` and "not congruent" become disjunctions of the
others, conjunction is distributed over disjunction, and contradictory cells are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import lcm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, size
from icgsynth.logic.comparisons import MEANING, SWAPPED
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.deciders.portfolio import decide

# --- refine --------------------------------------------------------------------------------------

_MOST_CELLS = 64  # more are not a cover that anybody reads
_LARGEST_COUNTED = 10_000  # modulus whose residues are listed, to be counted then


@dataclass(frozen=True)
class Legal:
    """The legal states of ``game``: some at hand, all of them through the solver.

    ``states`` (n, d) are legal; a formula that holds on one of them needs no solver to be
    satisfiable, and most do.  ``share`` is the part of the budget for one question.
    """

    game: ParametricGame
    states: NDArray[np.int64]
    budget: Budget
    share: float = 1.0

    def where(self, formula: t.Formula) -> NDArray[np.bool_]:
        """Rows (n,) of the states at hand on which ``formula`` holds."""
        return on_states(formula, self.game.variables, self.states)

    def may_hold(self, *parts: t.Formula) -> bool:
        """Whether the conjunction holds somewhere; True also where that is not known."""
        return bool(self.where(conjunction(parts)).any()) or not self.excludes(*parts)

    def excludes(self, *parts: t.Formula) -> bool:
        """Whether it is proved that the conjunction holds in no legal state."""
        budget = self.budget.share(self.share)
        return decide((self.game.legal, *parts), self.game.variables, budget).kind == "unsat"

    def are_equal(self, one: t.Formula, other: t.Formula) -> bool:
        """Whether both hold in the same states; False also where that is not known."""
        return one == other or not self.may_hold(negation(t.Iff(one, other)))

    def part(self, *given: t.Formula) -> Part:
        """The legal states where ``given`` holds."""
        return Part(given, self.where(conjunction(given)))


class Part(NamedTuple):
    """The legal states where ``given`` holds; ``rows`` (n,) are those of them at hand."""

    given: tuple[t.Formula, ...]
    rows: NDArray[np.bool_]


def refine(legal: Legal, winning: t.Formula) -> tuple[t.Formula, ...]:
    """Cells whose disjunction is ``winning`` on legal states, none of them empty."""
    cells = split(winning)
    if cells is None:
        return winning.args if isinstance(winning, t.Or) else (winning,)
    return tuple(cell for cell in cells if legal.may_hold(cell))


def tidy(legal: Legal, formula: t.Formula, given: tuple[t.Formula, ...] = ()) -> t.Formula:
    """``formula`` without what is true, or false, in all legal states where it is asked.

    That is where ``given`` holds, and with each part of a conjunction, or link of a chain, the
    others too; a part of a disjunction is asked only where the others fail.
    """
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
        return negation(_tidy(legal, formula.arg, asked))
    if bounds := _bounds(formula):
        return min((formula, _tidy(legal, t.And(bounds), asked)), key=size)
    if not isinstance(formula, t.And | t.Or):
        return formula
    return in_context(legal, formula, asked, _tidy)


def in_context(
    legal: Legal,
    formula: t.And | t.Or,
    asked: Part,
    said: Callable[[Legal, t.Formula, Part], t.Formula],
) -> t.Formula:
    """The formula with each part as it is ``said`` where it matters, the long parts first.

    That is within ``asked`` where the other parts hold, or fail in a disjunction.
    """
    is_all, kept = isinstance(formula, t.And), list(formula.args)
    lets = [legal.where(part) == is_all for part in kept]  # where the others matter
    for i in sorted(range(len(kept)), key=lambda i: (-size(kept[i]), -i)):
        others = kept[:i] + kept[i + 1 :]
        given = (*asked.given, *(others if is_all else map(negation, others)))
        rows = np.logical_and.reduce([asked.rows, *lets[:i], *lets[i + 1 :]])
        kept[i] = said(legal, kept[i], Part(given, rows))
        lets[i] = legal.where(kept[i]) == is_all
    return conjunction(kept) if is_all else disjunction(kept)


def _bounds(formula: t.Formula) -> tuple[t.Formula, ...]:
    """The links of a chain, or the two bounds that say that a term is one of adjacent numbers."""
    match formula:
        case t.Compare(_, (_, _, *_)):
            return tuple(t.compare(*link) for link in formula.links)
        case t.Member(term, members):
            values = sorted({m.value for m in members if isinstance(m, t.Int)})
            if len(values) == len(members) == values[-1] - values[0] + 1:
                return t.compare(term, ">=", values[0]), t.compare(term, "<=", values[-1])
    return ()


def with_equations(legal: Legal, formula: t.Formula) -> t.Formula:
    """``a = 0`` in place of ``a <= 0`` where a is at least 0 in all legal states."""
    match formula:
        case t.Compare(terms, ("<=" | ">=" as op,)):
            beyond = t.Compare(terms, (op[0],))
            return formula if legal.may_hold(beyond) else t.Compare(terms, ("=",))
        case t.And(args) | t.Or(args):
            return type(formula)(tuple(with_equations(legal, part) for part in args))
        case _:
            return formula


def split(formula: t.Formula) -> list[t.Formula] | None:
    """The cells before contradictions are dropped; None where there would be too many."""
    match formula:
        case t.Truth(value):
            return [formula] if value else []
        case t.Or(args):
            parts = [split(a) for a in args]
            if any(p is None for p in parts):
                return None
            flat = dict.fromkeys(cell for p in parts if p is not None for cell in p)
            return list(flat) if len(flat) <= _MOST_CELLS else None
        case t.And(args):
            factors = [split(a) for a in args]
            count = 1
            for factor in factors:
                if factor is None:
                    return None
                count *= len(factor)
            if count > _MOST_CELLS:
                return None
            return [
                conjunction(choice) for choice in product(*(f for f in factors if f is not None))
            ]
        case t.Implies(left, right):
            return split(t.Or((negation(left), right)))
        case t.Iff(left, right):
            return split(t.Or((t.And((left, right)), t.And((negation(left), negation(right))))))
        case t.Not(arg):
            pushed = negation(arg)
            return _literal(formula) if isinstance(pushed, t.Not) else split(pushed)
        case _:
            return _literal(formula)


def _literal(literal: t.Formula) -> list[t.Formula]:
    """The disjuncts of one literal; itself where they would be too many."""
    cells = _disjuncts(literal)
    return cells if len(cells) <= _MOST_CELLS else [literal]


def _disjuncts(literal: t.Formula) -> list[t.Formula]:
    match literal:
        case t.Compare((t.Mod(_, t.Int(modulus)), _), ("!=",)) | t.Not(
            t.Member(t.Mod(_, t.Int(modulus)), _)
        ) if modulus > _LARGEST_COUNTED:
            return [literal]
        case t.Compare((t.Mod(_, t.Int(modulus)) as term, t.Int(residue)), ("!=",)):
            others = (r for r in range(modulus) if r != residue)
            return [t.compare(term, "=", r) for r in others]
        case t.Compare((left, right), ("!=",)):
            return [t.compare(left, ">", right), t.compare(left, "<", right)]
        case t.Compare((left, right), ("<=",)):
            return [t.compare(left, "<", right), t.compare(left, "=", right)]
        case t.Compare((left, right), (">=",)):
            return [t.compare(left, ">", right), t.compare(left, "=", right)]
        case t.Member(term, values):
            return [t.compare(term, "=", v) for v in values]
        case t.Not(t.Member(t.Mod(_, t.Int(modulus)) as term, values)):
            excluded = set(values)
            return [t.compare(term, "=", r) for r in range(modulus) if t.Int(r) not in excluded]
        case _:
            return [literal]


# --- polish --------------------------------------------------------------------------------------

_LARGEST_MODULUS = 200  # of joined congruences
_LARGEST_LISTED = 100_000  # modulus whose residues are listed


def shorter(formula: t.Formula) -> t.Formula:
    """``formula`` with sets and chains where they are shorter."""
    match formula:
        case t.Or(args):
            return _joined(disjunction(map(shorter, args)), t.Or, disjunction, _any_of)
        case t.And(args):
            return _joined(conjunction(map(shorter, args)), t.And, conjunction, _all_of)
        case t.Not(arg) if not isinstance(arg, t.Member):
            inner = shorter(arg)
            return min((negation(inner), t.Not(inner)), key=size)
        case t.Not():
            known = _Known.read(formula)  # which of equal sizes says what is in the set
            return min((*_written(known), formula), key=size) if known else formula
        case t.Member() | t.Compare():
            known = _Known.read(formula)
            return min((formula, *_written(known)), key=size) if known else formula
        case _:
            return formula


def values_of(term: t.Term, values: Iterable[int]) -> t.Formula:
    """``term`` is one of ``values`` (at least one), as short as that can be said."""
    numbers = tuple(sorted(set(values)))
    modulus = (
        term.divisor.value if isinstance(term, t.Mod) and isinstance(term.divisor, t.Int) else 0
    )
    return min(_written(_Known(term, modulus, numbers, True)), key=size)


@dataclass(frozen=True, slots=True)
class _Known:
    """``term in values``, or not in them; with a modulus they are residues."""

    term: t.Term
    modulus: int
    values: tuple[int, ...]
    holds: bool

    @staticmethod
    def read(formula: t.Formula) -> _Known | None:
        """Of an equation, an inequation or a membership; else None, and for large moduli."""
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
                return _known(term, values, True)
            case t.Compare((left, t.Int(value)), ("=" | "!=" as op,)):
                return _known(left, [value], op == "=")
            case t.Compare((t.Mod() as left, t.Int(value)), ("<=" | "<" | ">" | ">=" as op,)):
                assert isinstance(left, t.Mod)
                if not isinstance(left.divisor, t.Int):
                    return None
                values = [r for r in range(left.divisor.value) if MEANING[op](r, value)]
                return _known(left, values, True) if values else None
            case t.Compare(
                (t.Int(low), t.Mod(_, t.Int(modulus)) as left, t.Int(high)), (first, second)
            ):
                if not {first, second} <= {"<", "<="}:
                    return None
                least, most = low + (first == "<"), high - (second == "<")
                values = [r for r in range(modulus) if least <= r <= most]
                return _known(left, values, True) if values else None
            case t.Compare((left, right), ("=" | "!=" as op,)):
                form = linear(t.Sum((left, t.Neg(right))))
                names = [part for part in form.factors if isinstance(part, t.Name)]
                if not names or len(names) < len(form.factors):
                    return None
                sign = 1 if form.factors[min(names, key=lambda n: n.name)] > 0 else -1
                term = linear_sum({part: sign * f for part, f in form.factors.items()}, 0)
                return _Known(term, 0, (-sign * form.constant,), op == "=")
        return None


def _known(term: t.Term, values: Sequence[int], holds: bool) -> _Known | None:
    if isinstance(term, t.Mod):
        if not isinstance(term.divisor, t.Int):
            return None
        modulus = term.divisor.value
        return _Known(term, modulus, tuple(sorted({v for v in values if 0 <= v < modulus})), holds)
    return _Known(term, 0, tuple(sorted(set(values))), holds)


def _written(known: _Known) -> list[t.Formula]:
    """The ways to say it."""
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
    return conjunction(chained(whole.args)) if isinstance(whole, t.And) else whole


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
    """Residues of one term modulo several numbers, modulo their least common multiple."""
    common = lcm(*(k.modulus for k in known))
    if common > _LARGEST_MODULUS:
        return None
    term = known[0].term
    assert isinstance(term, t.Mod)
    lifted = [{r for r in range(common) if r % k.modulus in _residues(k)} for k in known]
    inside = tuple(sorted(combine(*lifted)))
    return min(_written(_Known(t.Mod(term.arg, t.Int(common)), common, inside, True)), key=size)


def _residues(known: _Known) -> set[int]:
    inside = set(known.values)
    return inside if known.holds else set(range(known.modulus)) - inside


def chained(parts: Sequence[t.Formula], constants: Collection[str] = ()) -> list[t.Formula]:
    """The conjuncts with two bounds of one term as a chain: ``a < b`` and ``b <= c`` in one.

    A comparison is in one chain at most; what is between the bounds is no number, nor made of
    ``constants`` alone.
    """
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
    """An inequality of two terms, the smaller one first."""
    match formula:
        case t.Compare((_, _), ("<" | "<=",)):
            return formula
        case t.Compare((left, right), (">" | ">=" as op,)):
            return t.compare(right, SWAPPED[op], left)
        case _:
            return None
