"""Enumerate formulas in order of size, up to observational equivalence on sample states.

Level ``s`` of the bank holds one formula of exactly ``s`` leaves and connectives for every
bit vector that no smaller formula has (Udupa et al., TRANSIT, PLDI 2013).  Because each
literal comes with its complement and negation can be pushed down without adding anything,
``and`` and ``or`` suffice.

The last connective is never enumerated: a conjunction that fits must have both sides fit
from above, a disjunction from below, and few formulas do.  So the answer of size ``s``
needs full levels only up to ``s - 3``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Flags, Ints, Words, pack
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.synth.linear.literals import Literals, LiteralTable, meets, row_keys

Rows: TypeAlias = Ints  # indices of the rows of a table of bits

_SMALLEST = 2  # leaves of the smallest literal
_MOST_JOINS = 64  # most formulas of one shape that are returned


@dataclass(frozen=True, slots=True)
class EnumerationEffort:
    """Bounds on the work of an enumeration, not on time, so that results are reproducible."""

    rows: int = 300_000
    pairs: int = 60_000_000


@dataclass(frozen=True, slots=True)
class Target:
    """Bounds on a formula as bit sets: it must hold on ``lower`` and nowhere outside ``upper``."""

    lower: Words
    upper: Words


@dataclass(frozen=True, slots=True)
class _Level:
    """Formulas of one size: literals, then composites ``pairs[i]`` = (is_and, size, row, ..)."""

    bits: Words
    literals: LiteralTable
    pairs: Ints


class Bank:
    """A bank of formulas over ``literals``, by size, built level by level when needed."""

    def __init__(self, literals: Literals, effort: EnumerationEffort) -> None:
        self.literals = literals
        self.effort = effort
        self._levels: dict[int, _Level] = {}
        self._seen: NDArray[np.void] | None = None

    def fits(self, size: int, target: Flags, variables: Sequence[str]) -> list[t.Formula] | None:
        """Return formulas of exactly ``size`` leaves and connectives that hold in the sample states
        flagged in ``target`` (n,) and in no other; None if that takes more than the allowed effort.
        They need not be all, but where there are none, no formula of the grammar fits.  ``target``
        is neither all true nor all false; ``variables`` are names for the formulas."""
        exact = self.literals.exact(size, target)
        found: list[t.Formula] = [literal.formula(variables) for literal in exact]
        bits = pack(target[None])[0]
        # A connective counts one: size = left + 1 + right. The order of the sides does not matter,
        # so left <= right.
        for left in range(_SMALLEST, (size - 1) // 2 + 1):
            for is_and in (True, False):
                joined = self._joins(left, size - 1 - left, is_and, Target(bits, bits))
                if joined is None:
                    return None
                found += [
                    self._join(left, i, size - 1 - left, j, is_and, variables) for i, j in joined
                ]
        return found

    # --- levels ------------------------------------------------------------

    def _level(self, size: int) -> _Level | None:
        """Return the stored formulas of ``size`` leaves and connectives, after building all smaller
        sizes; None if that takes more than the allowed effort."""
        for s in range(_SMALLEST, size + 1):
            if s not in self._levels:
                level = self._build(s)
                if level is None:
                    return None
                self._levels[s] = level
        return self._levels[size]

    def _build(self, size: int) -> _Level | None:
        table = self.literals.of_size(size)
        if table is None:
            return None
        bits = [table.bits]
        pairs = [np.zeros((0, 5), np.int64)]
        rows = len(table)
        for left in range(_SMALLEST, (size - 1) // 2 + 1):
            a, b = self._levels[left].bits, self._levels[size - 1 - left].bits
            rows += 2 * len(a) * len(b)
            self.literals.budget.check()
            if rows > 8 * self.effort.rows:
                return None
            for block, pair in _all_pairs(a, left, b, size - 1 - left):
                bits.append(block)
                pairs.append(pair)
        return self._deduplicate(np.concatenate(bits), table, np.concatenate(pairs))

    def _deduplicate(self, bits: Words, table: LiteralTable, pairs: Ints) -> _Level:
        keys = row_keys(bits)
        # ``first`` is rising: literals stand before composites, so that a bit vector of both
        # stays a literal.
        _, first = np.unique(keys, return_index=True)
        first = np.sort(first)
        fresh = keys[first].view(f"S{keys.itemsize}")
        if self._seen is not None:
            new = ~np.isin(fresh, self._seen, assume_unique=True)
            first, fresh = first[new], fresh[new]
        self._seen = fresh if self._seen is None else np.concatenate([self._seen, fresh])
        literals = first[first < len(table)]
        composites = first[first >= len(table)] - len(table)
        return _Level(bits[first], table.take(literals), pairs[composites])

    # --- the last connective ---------------------------------------------------

    def _joins(
        self, left: int, right: int, is_and: bool, target: Target
    ) -> list[tuple[int, int]] | None:
        self.literals.budget.check()
        one, other = self._level(left), self._level(right)
        if one is None or other is None:
            return None
        side = above if is_and else below
        rows = side(one.bits, target), side(other.bits, target)
        return find_joins(one.bits, other.bits, rows, target, is_and, self.effort.pairs)

    def _join(
        self, left: int, i: int, right: int, j: int, is_and: bool, variables: Sequence[str]
    ) -> t.Formula:
        sides = (self._formula(left, i, variables), self._formula(right, j, variables))
        return conjunction(sides) if is_and else disjunction(sides)

    def _formula(self, size: int, row: int, variables: Sequence[str]) -> t.Formula:
        level = self._levels[size]
        if row < len(level.literals):
            return level.literals.literal(row).formula(variables)
        is_and, left, i, right, j = (int(x) for x in level.pairs[row - len(level.literals)])
        return self._join(left, i, right, j, bool(is_and), variables)


def above(bits: Words, target: Target) -> Rows:
    """Return the indices of the rows of ``bits``, sets of states, that contain ``target.lower``."""
    return np.flatnonzero(~(target.lower & ~bits).any(axis=1))


def below(bits: Words, target: Target) -> Rows:
    """Return the indices of the rows of ``bits``, sets of states, within ``target.upper``."""
    return np.flatnonzero(~(bits & ~target.upper).any(axis=1))


def find_joins(
    one: Words, other: Words, rows: tuple[Rows, Rows], target: Target, is_and: bool, most_pairs: int
) -> list[tuple[int, int]] | None:
    """Return at most 64 pairs (i, j), i of ``rows[0]`` and j of ``rows[1]``, such that row i of
    ``one`` and row j of ``other``, sets of states, have an intersection (if ``is_and``, else union)
    that fits ``target``.  All these rows contain its lower bound (else lie in its upper one).
    None if there are more than ``most_pairs`` to try."""
    rows_a, rows_b = rows
    if len(rows_a) * len(rows_b) > most_pairs:
        return None
    a, b = one[rows_a], other[rows_b]
    # A conjunction is wrong where both sides hold outside ``upper``, a disjunction where both
    # sides fail on ``lower``: no such state may be left.
    if is_and:
        a, b = a & ~target.upper, b & ~target.upper
    else:
        a, b = target.lower & ~a, target.lower & ~b
    found: list[tuple[int, int]] = []
    step = max(1, 2_000_000 // max(1, len(b)))
    for start in range(0, len(a), step):
        # In steps, so that at most some two million pairs are in memory.
        i, j = np.nonzero(~meets(a[start : start + step], b))
        found += zip(rows_a[start + i].tolist(), rows_b[j].tolist(), strict=True)
        if len(found) > _MOST_JOINS:
            return found[:_MOST_JOINS]
    return found


def _all_pairs(a: Words, size_a: int, b: Words, size_b: int) -> Iterator[tuple[Words, Ints]]:
    if not len(a) or not len(b):
        return
    i, j = (x.ravel() for x in np.meshgrid(np.arange(len(a)), np.arange(len(b)), indexing="ij"))
    for is_and in (1, 0):
        block = a[i] & b[j] if is_and else a[i] | b[j]
        pair = np.empty((len(i), 5), np.int64)
        pair[:, 0], pair[:, 1], pair[:, 2], pair[:, 3], pair[:, 4] = is_and, size_a, i, size_b, j
        yield block, pair
