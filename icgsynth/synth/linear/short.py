"""The shortest condition between two sets of sample states: one literal, or two.

Unlike the bank of formulas, which excludes whole sizes, this looks only at literals of up to
four leaves and at pairs of them, so that it can be asked many times.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import distinct
from icgsynth.logic import term as t
from icgsynth.logic.bits import pack
from icgsynth.logic.build import conjunction, disjunction, walk
from icgsynth.synth.linear.bank import Target, above, below, joined
from icgsynth.synth.linear.literal import linear_term
from icgsynth.synth.linear.literals import LiteralTable
from icgsynth.synth.linear.sample import StateSample

__all__ = ["smallest_between"]

_LARGEST = 4  # leaves of a literal
_PAIRS = 4_000_000  # pairs of literals of two sizes, at most

Flags = NDArray[np.bool_]


def smallest_between(
    sample: StateSample, lower: Flags, upper: Flags, longest: int
) -> t.Formula | None:
    """A shortest formula that holds on ``lower`` and nowhere outside ``upper``, shape (n,).

    None where none of up to ``longest`` leaves and connectives was found.
    """
    target = Target(pack(lower[None])[0], ~pack(~upper[None])[0])
    tables = {s: sample.terse.of_size(s) for s in range(2, min(longest, _LARGEST) + 1)}
    sides = {s: _Side(table, target) for s, table in tables.items() if table is not None}
    variables = sample.goal.game.variables
    for s in range(2, longest + 1):
        found: list[t.Formula] = []
        if s in sides:
            side = sides[s]
            fits = np.intersect1d(side.above, side.below, assume_unique=True)
            found += [side.table.literal(int(i)).formula(variables) for i in fits]
        for left in range(2, (s - 1) // 2 + 1):
            right = s - 1 - left
            if left not in sides or right not in sides:
                continue
            one, other = sides[left], sides[right]
            for is_and in (True, False):
                sample.budget.check()
                join = conjunction if is_and else disjunction
                rows = (one.above, other.above) if is_and else (one.below, other.below)
                pairs = joined(one.table.bits, other.table.bits, rows, target, is_and, _PAIRS)
                for i, j in pairs or ():
                    parts = (one.table.literal(i), other.table.literal(j))
                    found.append(join([part.formula(variables) for part in parts]))
        if found:
            return min(found, key=_plainness)
    members = (f for size, f in _members(sample, lower, upper) if size <= longest)
    return next(members, None)


class _Side:
    """Literals of one size; ``above`` hold wherever they must, ``below`` only where they may."""

    def __init__(self, table: LiteralTable, target: Target) -> None:
        self.table = table
        self.above = above(table.bits, target)
        self.below = below(table.bits, target)


def _members(sample: StateSample, lower: Flags, upper: Flags) -> Iterator[tuple[int, t.Formula]]:
    """``t mod m in {...}`` for the moduli at hand: the residues of ``lower``, shortest first."""
    goal = sample.goal
    moduli = {
        n.divisor.value
        for f in (goal.losing, *goal.game.formulas())
        for n in walk(f)
        if isinstance(n, t.Mod) and isinstance(n.divisor, t.Int)
    }
    found: list[tuple[int, t.Formula]] = []
    for form in _forms(sample.states.shape[1]):
        values = sample.states @ np.array(form, dtype=np.int64)
        for modulus in sorted(m for m in moduli if 1 < m <= 64):
            residues = values % modulus
            needed = distinct(residues[lower])
            if len(needed) > 1 and not np.isin(residues[~upper], needed).any():
                term = t.Mod(linear_term(form, goal.game.variables), t.Int(modulus))
                formula = t.Member(term, tuple(t.Int(int(r)) for r in needed))
                found.append((sum(map(abs, form)) + 1 + len(needed), formula))
    return iter(sorted(found, key=lambda f: f[0]))


def _forms(count: int) -> Iterator[tuple[int, ...]]:
    """``x``, ``x + y`` and ``x - y`` for all variables."""
    unit = np.eye(count, dtype=np.int64)
    for i in range(count):
        yield tuple(map(int, unit[i]))
        for j in range(i + 1, count):
            yield tuple(map(int, unit[i] + unit[j]))
            yield tuple(map(int, unit[i] - unit[j]))


def _plainness(formula: t.Formula) -> int:
    """Among formulas of one size ``=`` reads best, then ``!=``."""
    ops = [op for node in walk(formula) if isinstance(node, t.Compare) for op in node.ops]
    return sum({"=": 0, "!=": 1}.get(op, 2) for op in ops)
