"""Learn formulas of losing states of many piles from small relations between variables.

With four and more unbounded variables a box is too narrow to show a quotient, and tables of all
literals of a size are too long.  But the losing states often lie where a few small relations
hold at once, as ``a = 0 and b = e and b = c + d``.  From a losing state, relations that hold in
this state are added by information gain until no winning state is left
where all of them hold (Quinlan, Learning logical definitions from relations, 1990): this gives a
cell.  A cheapest cover of the losing states by cells is a formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.literals import Coefficients, LinearLiteral

_TOGETHER = 4  # most variables of one relation
_SUM = 2  # largest number that a sum of variables is compared with
_FEWEST, _MOST = 3, 2_000  # least and most losing states for which relations are learned
_LONGEST = 8  # most literals of one cell
_LEAF = 0.02  # fraction by which each leaf lowers the information gain


def small_relations(count: int) -> list[LinearLiteral]:
    """Return literals on ``count`` variables: factors 0, 1, -1, compared with small numbers."""
    found: list[LinearLiteral] = []
    for form in _forms(count):
        used = sum(map(abs, form))
        if used in (1, count) and min(form) >= 0:
            found += [LinearLiteral(form, "=", rest, 2) for rest in (0, 1)]
        if min(form) < 0:
            found += [LinearLiteral(form, op, 0) for op in ("=", "!=")]
            found += [LinearLiteral(form, op, n) for op in ("<=", ">") for n in (1, 0, -1, -2)]
        else:
            numbers = range(_SUM + 1) if used < count else range(count + 1)
            found += [LinearLiteral(form, op, n) for op in ("=", "<=", ">") for n in numbers]
    return found


def _forms(count: int) -> Iterator[Coefficients]:
    """Yield factors 0, 1, -1 of few of ``count`` variables, the first one above 0, and all 1."""
    for form in product((0, 1, -1), repeat=count):
        used = sum(map(abs, form))
        is_total = used == count == sum(form)
        if next((c for c in form if c), -1) > 0 and (used <= _TOGETHER or is_total):
            yield form


def cells_of_relations(
    variables: Sequence[str], states: Ints, target: Flags, budget: Budget
) -> t.Formula | None:
    """Return a disjunction of conjunctions of relations like ``a = b + c`` that holds in just those
    of ``states`` (n, d) that are flagged in ``target`` (n,).  None where the relations do not
    separate the states, or need too many conjunctions or too much time."""
    if not _FEWEST <= int(target.sum()) <= min(_MOST, len(target) // 2):
        return None
    points = states[target]
    literals = small_relations(len(variables))
    forms = np.array([x.coefficients for x in literals], dtype=np.int64)
    holds = np.stack([x.on(v) for x, v in zip(literals, forms @ states.T, strict=True)])
    cells = _Cells(literals, holds[:, target], holds[:, ~target])
    found = _find(cells, points, budget)
    if found is None:
        return None
    weights = [cells.weight(c) for c in found]
    chosen = cover_of([c.inside for c in found], weights, np.ones(len(points), bool)) or []
    return disjunction([cells.formula(found[i], variables) for i in chosen])


@dataclass(frozen=True, eq=False)
class _Cell:
    """A cell: the indices of its ``literals``, and flags of the losing states ``inside``.  With a
    ``point`` the cell is this losing state alone."""

    literals: Sequence[int]
    inside: Flags
    point: Ints | None = None


def _find(cells: _Cells, points: Ints, budget: Budget) -> list[_Cell] | None:
    """Return conjunctions that hold in no winning state and together in all losing states
    ``points`` (n, d); None if they are too many, or the time is spent."""
    count = len(points)
    covered = np.zeros(count, bool)
    found: list[_Cell] = []
    # States far from the origin come first, for few relations hold in them by chance.
    for seed in map(int, np.argsort(-np.abs(points).sum(axis=1), kind="stable")):
        if covered[seed]:
            continue
        cell = None if budget.is_spent else cells.around(seed)
        if cell is None:
            return None
        if (cell.inside & ~covered).sum() == 1:
            cell = _Cell((), np.arange(count) == seed, points[seed])
        covered |= cell.inside
        found.append(cell)
        if len(found) > count // 2:
            return None  # the cells list the states, and tell no rule
    return found


@dataclass(frozen=True, eq=False)
class _Cells:
    """The truth of literals on losing and on winning states, flags (literals, states)."""

    literals: Sequence[LinearLiteral]
    losing: Flags
    winning: Flags

    def weight(self, cell: _Cell) -> int:
        if cell.point is not None:
            return 3 * len(cell.point)
        return sum(self.literals[i].size + 1 for i in cell.literals)

    def formula(self, cell: _Cell, variables: Sequence[str]) -> t.Formula:
        if cell.point is not None:
            values = zip(map(t.Name, variables), map(t.Int, map(int, cell.point)), strict=True)
            return conjunction(t.Compare(equal, ("=",)) for equal in values)
        literals = [self.literals[i] for i in cell.literals]
        ordered = sorted(literals, key=lambda x: (x.op != "=", x.size))
        return conjunction(x.formula(variables) for x in ordered)

    def around(self, seed: int) -> _Cell | None:
        """Return a conjunction that holds in the losing state number ``seed``, and in no winning
        state; None if none is short enough."""
        usable = [int(i) for i in np.flatnonzero(self.losing[:, seed])]
        sizes = np.array([self.literals[i].size for i in usable])
        inside, outside = self.losing[usable], self.winning[usable]
        chosen: list[int] = []
        while not (last := _last_two(inside, outside, sizes)):
            kept, wrong = inside.sum(axis=1), outside.sum(axis=1)
            before = np.log2(inside.shape[1] / (inside.shape[1] + outside.shape[1]))
            gain = kept * (np.log2(kept / (kept + wrong)) - before) * (1 - _LEAF * sizes)
            best = int(gain.argmax())
            if len(chosen) == _LONGEST or wrong[best] == outside.shape[1]:
                return None
            chosen.append(best)
            inside, outside = inside[:, inside[best]], outside[:, outside[best]]
        found = self._pruned([usable[i] for i in {*chosen, *last}])
        return _Cell(found, np.asarray(self.losing[found].all(axis=0)))

    def _pruned(self, cell: list[int]) -> list[int]:
        """Return ``cell``, indices of literals, without some that it does not need to hold in no
        winning state; equations are dropped last."""
        for literal in sorted(cell, key=lambda i: (self.literals[i].op == "=", -i)):
            rest = [i for i in cell if i != literal]
            if rest and not self.winning[rest].all(axis=0).any():
                cell = rest
        return cell


def _last_two(inside: Flags, outside: Flags, sizes: Ints) -> set[int]:
    """Return the indices of one or two literals that together exclude all winning states, and hold
    in many losing ones; empty if no two do.  The truth of each literal is given in losing states
    ``inside`` and in winning states ``outside``, its size in ``sizes``."""
    on_both, wrong = (x.astype(np.float32) @ x.T.astype(np.float32) for x in (inside, outside))
    gain = np.where(wrong == 0, on_both * (1 - _LEAF * (sizes + sizes[:, None])), -1)
    best = np.unravel_index(gain.argmax(), gain.shape)
    return {*map(int, best)} if gain[best] > 0 else set()
