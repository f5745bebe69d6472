"""Formulas that many members of a family agree with, each with the part of the range where they do.

No short formula may be about all members where each of a few is about many: taking 3, 5 or 7 of a
pile is the game of all of 3 to 7, and taking 2, 3 or 9 is not.  Formulas of one or two comparisons
are compared with the table member by member.  A range is a conjunction of conditions on the
constants which excludes the members that disagree, and as few of the others as can be.

Formulas by cases: another one for each remainder of a constant, or value of a small variable.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, permutations, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.families.search.learned import formulas_for
from icgsynth.families.search.member_columns import column_tiers, few_valued
from icgsynth.families.search.member_table import MemberTable
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold, free_names, size
from icgsynth.logic.simplify import simplified_term

# --- consensus -----------------------------------------------------------------------------------

_MODULI = 8  # that are looked at for formulas
_BEST = 4  # formulas of one modulus
_FEWEST = 3  # members that make a range worth a word
_LITERALS = 60  # conditions on the constants that may be taken
_CONDITIONS = 4  # of them in a range
_OFFERED = 8  # pairs of a formula and a range

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Agreed:
    """The player to move loses iff ``losing``, in the members where ``where``, it seems."""

    losing: t.Formula
    where: t.Formula
    wanted: int


def find_agreed(
    table: MemberTable, wanted: Collection[tuple[int, ...]], budget: Budget
) -> list[Agreed]:
    """Those about most of the ``wanted`` members first; about games of one pile alone.

    ``wanted`` are values of the constants, in their order; only those in the table count.
    :class:`~icgsynth.errors.BudgetSpent` once the time is over.
    """
    own = table.family.game.variables[len(table.family.free) :]
    if len(own) != 1 or not len(table.rows):
        return []
    work = _Members(table, frozenset(wanted))
    found = []
    for modulus in islice(work.periods(t.Mod(t.Name(own[0]), t.Int(1)), budget), _MODULI):
        residue = t.Mod(t.Name(own[0]), modulus)
        for losing, right in islice(work.formulas(residue, budget), _BEST):
            where = work.range_of(modulus, right, budget)
            if where is not None:
                found.append(Agreed(losing, *where))
    found.sort(key=lambda each: (-each.wanted, size(each.losing) + size(each.where)))
    return [each for each in found if each.wanted or not wanted][:_OFFERED]


class _Members:
    """The rows of each member together; members are numbered, and sets of them are bits."""

    def __init__(self, table: MemberTable, wanted: frozenset[tuple[int, ...]]) -> None:
        self.names = [t.Name(name) for name in table.family.free]
        count = len(self.names)
        order = np.lexsort(table.rows[:, :count].T[::-1])
        rows = table.rows[order]
        is_first = (rows[1:, :count] != rows[:-1, :count]).any(axis=1)
        self.starts = np.concatenate([[0], np.flatnonzero(is_first) + 1])
        self.table, self.order, self.losing = table, order, table.losing[order]
        self.number = np.repeat(np.arange(len(self.starts)), np.diff([*self.starts, len(rows)]))
        self.constants = rows[self.starts][:, :count]
        self.wanted = np.array([tuple(map(int, row)) in wanted for row in self.constants])

    def values(self, node: t.Term | t.Formula) -> NDArray[np.int64]:
        return np.broadcast_to(self.table.values(node), len(self.order))[self.order]

    def each(self, rows: Bits) -> Bits:
        """Of which members all rows are true; ``rows`` (.., n) to (.., members)."""
        found: Bits = np.logical_and.reduceat(rows, self.starts, axis=-1)
        return found

    # --- formulas ------------------------------------------------------------------------------

    def periods(self, residue: t.Mod, budget: Budget) -> Iterator[t.Term]:
        """Moduli of which the residues tell the labels in each of some members."""
        rated: list[tuple[int, int, int, t.Term]] = []
        for i, modulus in enumerate(self._moduli()):
            budget.check()
            r = self.values(t.Mod(residue.arg, modulus))
            key = self.number * (int(r.max()) + 1) + r
            lost, all_ = np.bincount(key, weights=self.losing), np.bincount(key)
            told = self.each(((lost == 0) | (lost == all_))[key])
            if told.sum() >= _FEWEST:
                rated.append((-int((told & self.wanted).sum()), -int(told.sum()), i, modulus))
        yield from (modulus for *_, modulus in sorted(rated, key=lambda each: each[:3]))

    def _moduli(self) -> Iterator[t.Term]:
        """Two constants, or one, or one and a small number."""
        sums = [t.Sum(pair) for pair in combinations(self.names, 2)]
        ones = [t.Sum((x, t.Int(1))) for x in self.names]
        twice: list[t.Term] = [t.Mul(t.Int(2), x) for x in self.names]
        for modulus in (t.Int(2), *self.names, *ones, *sums, *twice):
            if int(self.table.values(modulus).min()) >= 1:
                yield modulus

    def formulas(self, residue: t.Mod, budget: Budget) -> Iterator[tuple[t.Formula, Bits]]:
        """One or two comparisons of the residue, with the members that agree, many first."""
        atoms = list(dict.fromkeys(self._atoms(residue)))
        data = np.array([self.values(atom).astype(bool) for atom in atoms])
        found: list[tuple[t.Formula, Bits]] = []
        found += zip(atoms, self.each(data == self.losing), strict=True)
        for i, atom in enumerate(atoms):
            budget.check()
            for join, rows in ((conjunction, data[i] & data), (disjunction, data[i] | data)):
                right = self.each(rows[i + 1 :] == self.losing)
                for j in np.flatnonzero(right.any(axis=1)):
                    found.append((join((atom, atoms[i + 1 + j])), right[j]))
        found.sort(key=lambda each: (-(each[1] & self.wanted).sum(), -each[1].sum(), size(each[0])))
        seen: set[bytes] = set()
        for formula, right in found:
            if right.sum() >= _FEWEST and right.tobytes() not in seen:
                seen.add(right.tobytes())
                yield formula, right

    def _atoms(self, residue: t.Mod) -> Iterator[t.Formula]:
        sides: list[t.Term] = [t.Int(1), *self.names]
        sides += [_less(x, y) for x, y in permutations(self.names, 2)]
        for side in sides:
            for sign in ("<", ">=", "="):
                yield t.compare(residue, sign, side)
        for name in self.names:
            if int(self.table.values(name).min()) >= 1:
                inner = t.Mod(residue, simplified_term(t.Mul(t.Int(2), name)))
                yield from (t.compare(inner, sign, name) for sign in ("<", ">="))
        for number in (2, 3):
            inner = t.Mod(residue, t.Int(number))
            yield from (t.compare(inner, "=", rest) for rest in range(number))

    # --- ranges --------------------------------------------------------------------------------

    def range_of(
        self, modulus: t.Term, right: Bits, budget: Budget
    ) -> tuple[t.Formula, int] | None:
        """What to add to the range, and how many wanted members are in it."""
        literals: dict[int, t.Formula] = {}
        for literal in self._literals(modulus):
            holds = self.values(literal).astype(bool)[self.starts]
            if not holds.all() and (holds & right).sum() >= _FEWEST:
                literals.setdefault(_bits(holds), literal)
        agree, wanted = _bits(right), _bits(self.wanted)

        def rate(members: int, conditions: int = 0) -> tuple[int, int, int]:
            return (members & wanted).bit_count(), members.bit_count(), -conditions

        best: tuple[tuple[int, int, int], tuple[int, ...]] | None = None
        rated = sorted(literals, key=lambda held: rate(held & agree), reverse=True)[:_LITERALS]
        todo = [((1 << len(right)) - 1, tuple[int, ...]())]
        while todo:  # of the members left, all that disagree have to be excluded
            budget.check()
            left, chosen = todo.pop()
            kept = rate(left & agree, len(chosen))
            if kept[1] < _FEWEST or (best is not None and kept <= best[0]):
                continue
            wrong = left & ~agree
            if not wrong:
                best = kept, chosen
            elif len(chosen) < _CONDITIONS:
                first = wrong & -wrong
                more = [held for held in rated if not held & first]
                todo += [(left & held, (*chosen, held)) for held in reversed(more)]
        if best is None:
            return None
        return conjunction(literals[held] for held in best[1]), best[0][0]

    def _literals(self, modulus: t.Term) -> Iterator[t.Formula]:
        names = self.names
        for x, y in permutations(names, 2):
            yield from _bounds(x, (y, simplified_term(t.Mul(t.Int(2), y))))
        for x, y, z in permutations(names, 3):
            if str(y) < str(z):
                yield from _bounds(x, (t.Sum((y, z)),))
        for x in names:
            if x.name not in free_names(modulus):
                rest = t.Mod(x, modulus)
                yield from _bounds(rest, (t.Int(0), *(y for y in names if y != x)))
            for number in (2, 3):
                rests = range(number)
                yield from (t.compare(t.Mod(x, t.Int(number)), "=", r) for r in rests)


def _bits(members: Bits) -> int:
    """A set of members as an integer."""
    return int.from_bytes(np.packbits(members, bitorder="little").tobytes(), "little")


def _bounds(term: t.Term, sides: Sequence[t.Term]) -> Iterator[t.Formula]:
    for side in sides:
        yield from (t.compare(term, sign, side) for sign in ("=", "<=", ">="))


def _less(x: t.Term, y: t.Term) -> t.Term:
    return t.Sum((x, t.Neg(y)))


# --- member cases --------------------------------------------------------------------------------

_TIERS = 4  # of columns in which the formula of a case is looked for
_SHORT, _COSTLY = 8, 3  # sets of columns of a tier


def formulas_by_cases(
    table: MemberTable,
    budget: Budget,
    find: Callable[[MemberTable, Budget], t.Formula | None] | None = None,
) -> Iterator[t.Formula]:
    """Formulas that agree with the whole table, of two cases first.

    ``find`` gives the formula of one case, or None; by default the first that is learned.
    """
    known: dict[t.Formula, t.Formula | None] = {}
    for cases in _splits(table):
        # The case with the most states is mostly the one without a formula.
        for case in sorted(cases, key=lambda case: -table.values(case).sum()):
            if budget.is_spent:
                return
            if case not in known:
                try:
                    known[case] = (find or _of_case)(table.where(case), budget)
                except (BudgetSpent, OutOfReach):
                    return
            if known[case] is None:
                break
        else:
            parts = [(case, found) for case in cases if (found := known[case]) is not None]
            yield fold(disjunction(map(conjunction, parts)))


def _of_case(table: MemberTable, budget: Budget) -> t.Formula | None:
    """The first formula found for this case alone; none without a state of it."""
    if not len(table.rows):
        return None
    for _, tier in zip(range(_TIERS), column_tiers(table, budget), strict=False):
        for costly, most in ((False, _SHORT), (True, _COSTLY)):
            for chosen in tier[:most]:
                for formula in formulas_for(table, chosen, budget, costly):
                    return formula
    return None


def _splits(table: MemberTable) -> Iterator[list[t.Formula]]:
    """Conditions of which exactly one holds in every state."""
    family = table.family
    few = [[_is(x, n) for n in values] for x, values in few_valued(family).items()]
    several = [values for values in few if len(values) > 1]
    yield from several
    free = [t.Name(name) for name in family.free]
    apart = [t.Sum((y, t.Neg(x))) for x, y in permutations(free, 2) if _is_above(table, y, x)]
    halves = [_from_least(table, term, 1) for term in apart]
    for c in free:
        for n in (2, 3):
            rest = t.Mod(c, t.Int(n))
            halves.append([_is(rest, 0), t.compare(rest, "!=", 0)])
    halves += [_from_least(table, c, 1) for c in free]
    yield from halves
    for c in free:
        for n in (3, 4):
            yield [_is(t.Mod(c, t.Int(n)), r) for r in range(n)]
        yield _from_least(table, c, 2)
    for one, other in product(several, halves):
        yield [conjunction(pair) for pair in product(one, other)]


def _is_above(table: MemberTable, one: t.Term, other: t.Term) -> bool:
    """Whether the first of two constants is at least the other one, for all members."""
    return bool((table.values(one) >= table.values(other)).all())


def _from_least(table: MemberTable, term: t.Term, count: int) -> list[t.Formula]:
    """So many of the least values one by one, and all that are larger."""
    least = int(table.values(term).min())
    last = t.compare(term, ">", least + count - 1)
    return [*(_is(term, least + i) for i in range(count)), last]


def _is(term: t.Term, number: int) -> t.Formula:
    return t.compare(term, "=", number)
