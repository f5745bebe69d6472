"""Small disjunctions of cells, found as a weighted set cover over bit vectors.

Where formulas outgrow plain enumeration, most are still two levels deep: a disjunction of
cells (conjunctions of one to three literals), or the complement of one.  Every cell that
holds only inside the target is a set of sample states with a weight, its size; a cheapest
cover by branch and bound is a small formula.  Nothing is claimed about minimality here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import distinct
from icgsynth.logic import term as t
from icgsynth.logic.bits import Words, pack
from icgsynth.logic.build import conjunction, size
from icgsynth.synth.linear.cells import (
    Weighted,
    as_integer,
    best_for_each,
    cheapest_cover,
    factored,
)
from icgsynth.synth.linear.literals import Literals, LiteralTable, linear_term, meets

_POOL = 60_000  # literals of one size at most
_PER_STATE = 16  # cells kept for each state, the best by states covered per leaf
_PAIRS = 900_000  # pairs of literals of two sizes at most


@dataclass(frozen=True, slots=True)
class Cell:
    """A conjunction of literals and the sample states where it holds."""

    states: int  # bit set over the sample, as a Python integer
    weight: int  # leaves and connectives, and one for the "or" that joins it
    formula: t.Formula


def smallest_cover(
    literals: Literals, target: NDArray[np.bool_], variables: Sequence[str]
) -> t.Formula | None:
    """A small formula that holds on exactly the ``target`` rows of the sample, or None."""
    if not target.any() or target.all():
        return None
    cells = cells_inside(literals, target, variables)
    sets = [Weighted(c.states, c.weight) for c in cells]
    chosen = cheapest_cover(sets, as_integer(pack(target[None])[0]))
    return None if chosen is None else factored([cells[i].formula for i in chosen])


def cells_inside(
    literals: Literals,
    target: NDArray[np.bool_],
    variables: Sequence[str],
    per_state: int = _PER_STATE,
    largest: int = 4,
    beyond: int = 0,
) -> list[Cell]:
    """Cells that hold only on ``target`` rows: for each row the ``per_state`` best.

    Literals up to size ``largest`` (2 to 4) are used, and in each cell one past ``beyond``
    or else three of them.
    """
    return _Pools(literals, target, variables, largest).cells(per_state, beyond)


# --- cells ---------------------------------------------------------------------


class _Pools:
    """Literals by size, and the cells that they make inside the target."""

    def __init__(
        self,
        literals: Literals,
        target: NDArray[np.bool_],
        variables: Sequence[str],
        largest: int,
    ) -> None:
        self.states, self.target, self.variables = literals.states, target, variables
        self.constants_up_to = literals.constants_up_to
        self.inside = pack(target[None])[0]
        self.outside = pack(~target[None])[0]
        self.tables: dict[int, LiteralTable] = {}
        for s in range(2, largest + 1):
            table = literals.of_size(s)
            if table is None or len(table) > _POOL:
                break
            self.tables[s] = table.take(np.flatnonzero((table.bits & self.inside).any(axis=1)))
        self.bits: list[Words] = []
        self.sizes: list[NDArray[np.int64]] = []
        self.recipes: list[NDArray[np.int64]] = []
        self.members: list[t.Formula] = []

    def cells(self, per_state: int, beyond: int) -> list[Cell]:
        """The most useful cells for each state of the target."""
        for s, table in self.tables.items():
            if s > beyond:
                rows = np.flatnonzero(~(table.bits & self.outside).any(axis=1))
                self._add(table.bits[rows], s, [(s, rows)])
        if beyond == 0:
            self._residue_sets()
        for left, right in ((2, 2), (2, 3), (3, 3), (2, 4), (3, 4)):
            if left in self.tables and right in self.tables:
                product = len(self.tables[left]) * len(self.tables[right])
                if max(left, right) > beyond and product <= _PAIRS:
                    self._pairs(left, right)
        reached = np.bitwise_or.reduce(np.concatenate(self.bits)) if self.bits else self.inside * 0
        if (self.inside & ~reached).any():
            self._triples()
        if not self.bits:
            return []
        return self._best(np.concatenate(self.bits), per_state)

    def _add(self, bits: Words, size: int, parts: list[tuple[int, NDArray[np.int64]]]) -> None:
        """Cells with the pool sizes and rows of their literals, one column pair a literal."""
        recipe = np.full((len(bits), 6), -1, np.int64)
        for i, (pool, rows) in enumerate(parts):
            recipe[:, 2 * i], recipe[:, 2 * i + 1] = pool, rows
        self.bits.append(bits)
        self.sizes.append(np.full(len(bits), size, np.int64))
        self.recipes.append(recipe)

    def _pairs(self, left: int, right: int) -> None:
        """Two literals, neither inside the target alone, whose conjunction is."""
        a, b = self.tables[left].bits, self.tables[right].bits
        rows_a = np.flatnonzero((a & self.outside).any(axis=1))
        rows_b = np.flatnonzero((b & self.outside).any(axis=1))
        if not len(rows_a) or not len(rows_b):
            return
        a, b = a[rows_a], b[rows_b]
        # Word by word on whole matrices of pairs: no loop over rows.
        wrong = meets(a & self.outside, b)
        i, j = np.nonzero(~wrong & meets(a & self.inside, b))
        parts = [(left, rows_a[i]), (right, rows_b[j])]
        self._add(a[i] & b[j], left + right + 1, parts)

    def _triples(self) -> None:
        """Three two-leaf literals."""
        if 2 not in self.tables or len(self.tables[2]) > 130:
            return
        bits = self.tables[2].bits
        i, j = np.triu_indices(len(bits), 1)
        both = bits[i] & bits[j]
        open_ = (both & self.outside).any(axis=1) & (both & self.inside).any(axis=1)
        i, j, both = i[open_], j[open_], both[open_]
        if not len(i):
            return
        good = ~meets(both & self.outside, bits) & meets(both & self.inside, bits)
        pair, third = np.nonzero(good)
        later = third > j[pair]  # each set of three once
        pair, third = pair[later], third[later]
        self._add(both[pair] & bits[third], 8, [(2, i[pair]), (2, j[pair]), (2, third)])

    def _residue_sets(self) -> None:
        """``t mod m in {...}`` with all the residues that occur only inside the target."""
        for form in _short_forms(self.states.shape[1]):
            values = self.states @ np.array(form)
            for modulus in range(2, self.constants_up_to + 1):
                residues = values % modulus
                pure = distinct(residues[self.target])
                pure = pure[~np.isin(pure, residues[~self.target])]
                if len(pure) > 1:
                    bits = pack(np.isin(residues, pure)[None])
                    term = t.Mod(linear_term(form, self.variables), t.Int(modulus))
                    self.members.append(t.Member(term, tuple(t.Int(int(r)) for r in pure)))
                    self._add(
                        bits, size(self.members[-1]), [(0, np.array([len(self.members) - 1]))]
                    )

    def _best(self, bits: Words, per_state: int) -> list[Cell]:
        """For each state the cells that cover most per leaf; one cell a set of states."""
        sizes, recipes = np.concatenate(self.sizes), np.concatenate(self.recipes)
        return [
            Cell(as_integer(bits[row]), int(sizes[row]) + 1, self._formula(recipes[row]))
            for row in best_for_each(bits, sizes, self.target, per_state)
        ]

    def _formula(self, recipe: NDArray[np.int64]) -> t.Formula:
        parts = [(int(s), int(row)) for s, row in recipe.reshape(3, 2) if s >= 0]
        return conjunction(
            self.members[row] if s == 0 else self.tables[s].literal(row).formula(self.variables)
            for s, row in parts
        )


def _short_forms(count: int) -> list[tuple[int, ...]]:
    """``x``, ``x + y`` and ``x - y`` for all variables."""
    unit = np.eye(count, dtype=np.int64)
    vectors = [unit[i] for i in range(count)]
    for i in range(count):
        for j in range(i + 1, count):
            vectors += [unit[i] + unit[j], unit[i] - unit[j]]
    return [tuple(int(x) for x in v) for v in vectors]
