"""Formulas that many members of a family agree with, each with the part of the range where they do.

No short formula may be about all members where each of a few is about many: taking 3, 5 or 7 of a
pile is the game of all of 3 to 7, and taking 2, 3 or 9 is not.  Formulas of one or two comparisons
are compared with the table member by member.  A range is a conjunction of conditions on the
constants which excludes the members that disagree, and as few of the others as can be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, islice, permutations

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.families.proof.families import FamilyProof
from icgsynth.families.search.member_table import GameFamily, MemberTable, large_grid
from icgsynth.families.search.theorem_search import theorem_about
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, size
from icgsynth.logic.simplify import simplified_term

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


def theorems_for_some(
    family: GameFamily,
    wanted: Sequence[Mapping[str, int]],
    budget: Budget,
) -> Iterator[FamilyProof]:
    """Theorems about parts of the range, those about most of the ``wanted`` members first."""
    with suppress(BudgetSpent, Refused, OverflowError):  # the last: no table holds a number
        plain = family.without_quantifiers(budget.share(0.2))
        members = [*large_grid(family), *(m for m in wanted if family.includes(m))]
        table = MemberTable.of(plain, members, budget.share(0.3))
        rows = {tuple(member[name] for name in family.free) for member in wanted}
        for found in find_agreed(table, rows, budget.share(0.6)):
            some = replace(family, range_=conjunction((family.range_, found.where)))
            proof = theorem_about(some, found.losing, budget.share(0.4))
            if proof is not None:
                yield proof


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
        # Sorted by the constants, the rows of a member are one stretch: starts[i]:starts[i + 1].
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
            # A number for each pair of a member and a residue; all of its rows, or none, must be
            # lost.
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
                # Pairs i < j alone: the order of two comparisons does not matter.
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
            # Branch and bound: a further condition never adds a member.
            kept = rate(left & agree, len(chosen))
            if kept[1] < _FEWEST or (best is not None and kept <= best[0]):
                continue
            wrong = left & ~agree
            if not wrong:
                best = kept, chosen
            elif len(chosen) < _CONDITIONS:
                # The first member that disagrees has to go, so one of the conditions that exclude
                # it is chosen.
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
