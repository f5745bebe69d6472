"""Find winning moves from sample states, as numpy columns, and mine semi-ground actions.

The bounds of parameters come from interval reasoning, as in :mod:`icgsynth.explicit.steps`; the
precondition, the legality of the result and the losing formula after the move are evaluated.  So a
move may be missed but is never wrong, and states may lie outside a labelled box.

A winning move with parameter ``k`` from a state where the base ``t`` has the value ``v`` is an
instance of ``t + (k - v)``.  All winning moves under all bases are grouped by base and
offset: each group is a semi-ground action, which wins in the states of the group.  So no
term is ever evaluated in vain.

The score of a group is its number of states times the square of the number of distance windows
with such states, divided by its leaves.  (By states alone ``v - 13``, ``v - 26``, .. look best.)"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints, pick_scattered
from icgsynth.digits.int64 import FARTHEST
from icgsynth.explicit.steps import spread
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Domain
from icgsynth.logic.ranges import narrow
from icgsynth.synth.linear.points import Base

WINDOWS = 6  # rings around 0 that states are sorted into
_OFFSETS = {1: 60, 2: 20, 3: 4}  # largest offset, by the number of parameters
_INSTANCES = 2_000_000  # most moves times tuples of bases
_ALIKE = 3  # groups with equal states that are kept, the shortest
_ROW = ""  # the name of the column with the row numbers of the states
_WIDEST = 4_096  # most values tried for one parameter of one state
_ENTRIES = 1_000_000  # most choices of parameters tried for one action


@dataclass(frozen=True, slots=True)
class WinningMoves:
    """Winning moves of one action: rows (m,) of start states, parameter ``values`` (m, p)."""

    rows: Ints
    values: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def some(self, most: int) -> WinningMoves:
        """Return at most ``most`` of the moves in order: scattered ones, the same in each call."""
        if len(self) <= most:
            return self
        kept = np.sort(pick_scattered(len(self), most))
        return WinningMoves(self.rows[kept], self.values[kept])


def winning_moves(
    game: ParametricGame,
    losing: t.Formula,
    action: Action,
    states: Ints,
    rows: Ints,
    budget: Budget,
) -> WinningMoves:
    """Return the moves of ``action`` that lead to a state where ``losing`` holds, from those of
    ``states`` (n, d) with the indices ``rows``.  Left out are rows with very many choices of
    parameters, and more if all choices are too many."""
    applies = game.applicable(action)
    there: t.Formula = substitute(losing, game.after(action))
    names = action.parameters
    # The losing formula narrows a second parameter once the first is chosen.
    relation = conjunction((applies, there)) if len(names) > 1 else applies
    cells: dict[str, NDArray[Any]] = {v: states[rows, i] for i, v in enumerate(game.variables)}
    cells[_ROW] = rows

    def bounds(name: str, chosen: dict[str, NDArray[Any]]) -> tuple[Any, Any]:
        budget.check()
        lo, hi = _bound_parameter(relation, names, name, chosen)
        wide = hi - lo >= _WIDEST
        return np.where(wide, 0, lo), np.where(wide, -1, hi)

    if names:
        cells = _affordable(relation, names, cells)
    found_rows, found_values = [], []
    for piece in spread(cells, names, bounds):
        kept = _holding(there, _holding(applies, piece))
        found_rows.append(kept[_ROW])
        found_values.append(
            np.stack([kept[n] for n in names], axis=1)
            if names
            else np.zeros((len(kept[_ROW]), 0), np.int64)
        )
    if not found_rows:
        return WinningMoves(np.zeros(0, np.int64), np.zeros((0, len(names)), np.int64))
    return WinningMoves(np.concatenate(found_rows), np.concatenate(found_values))


def _bound_parameter(
    relation: t.Formula, names: tuple[str, ...], name: str, cells: dict[str, NDArray[Any]]
) -> tuple[Ints, Ints]:
    """Return (low, high), bounds (n,) by ``relation`` of the parameter ``name`` in n states, (0,
    -1) past 64 bits; ``cells`` has columns (n,) of variables, other parameters and row numbers."""
    known = {n: c for n, c in cells.items() if n != _ROW}
    domain = narrow(relation, Domain.of(known, [n for n in names if n not in known]))
    lo, hi = domain.bounds(name)
    shape = cells[_ROW].shape
    reach = 20 + max((int(np.abs(c).max()) for c in known.values() if c.size), default=0)
    low = np.broadcast_to(np.asarray(-reach if lo is None else lo), shape)
    high = np.broadcast_to(np.asarray(reach if hi is None else hi), shape)
    far = np.zeros(shape, dtype=bool)
    for ends in (low, high):  # a lower bound may be a large number as well
        far |= np.asarray((ends < -FARTHEST) | (ends > FARTHEST), dtype=bool)
    return np.where(far, 0, low).astype(np.int64), np.where(far, -1, high).astype(np.int64)


def _affordable(
    relation: t.Formula, names: tuple[str, ...], cells: dict[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """Return ``cells``, columns (n,) of states, without the states that have the most choices of
    the parameters ``names``, if the choices are too many in all."""
    if len(names) == 1 or not len(cells[_ROW]):
        return cells
    choices = np.ones(len(cells[_ROW]))
    for name in names:
        low, high = _bound_parameter(relation, names, name, cells)
        choices = choices * np.clip(high - low + 1, 0, _WIDEST)
    if choices.sum() <= _ENTRIES:
        return cells
    order = np.argsort(choices, kind="stable")
    kept = np.sort(order[np.cumsum(choices[order]) <= _ENTRIES])
    return {name: column[kept] for name, column in cells.items()}


def _holding(formula: t.Formula, cells: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    count = len(cells[_ROW])
    env = {name: column for name, column in cells.items() if name != _ROW}
    holds = np.flatnonzero(np.broadcast_to(columns(formula, env), (count,)))
    if len(holds) == count:
        return cells
    return {name: column[holds] for name, column in cells.items()}


@dataclass(frozen=True, slots=True)
class Tuples:
    """Tuples of bases, one for each parameter: ``chosen`` (t, p) are rows of ``values`` (b, n)."""

    bases: Sequence[Base]
    values: Ints
    chosen: Ints


@dataclass(frozen=True, slots=True)
class MinedGroup:
    """A mined semi-ground action: for each parameter the row of a base and an offset."""

    bases: tuple[int, ...]
    offsets: tuple[int, ...]


def windows(states: Ints) -> Ints:
    """Return (n,) for each of ``states`` (n, d) the number of its ring around 0: 0 for the
    innermost ring, ``WINDOWS - 1`` for the few states far out."""
    distance = np.abs(states).sum(axis=1)
    # The last ring has the few states far out.
    most = 0
    if len(distance):
        below, fifths = divmod(4 * (len(distance) - 1), 5)
        low, high = np.sort(distance)[[below, min(below + 1, len(distance) - 1)]]
        most = int(low + (high - low) * fifths // 5)
    return np.asarray(np.minimum(distance * (WINDOWS - 1) // (most + 1), WINDOWS - 1))


def groups(
    moves: WinningMoves, tuples: Tuples, rings: Ints, most: int, reach: int | None = None
) -> list[MinedGroup]:
    """Return the ``most`` groups of winning moves of highest score, and more so that each state in
    which some group wins has one.

    A group is a choice of ``tuples`` of bases and of an offset for each, at most ``reach``; it has
    the ``moves`` whose parameters are base plus offset.  ``rings`` (n,) are by :func:`windows`."""
    if not len(moves) or not len(tuples.chosen):
        return []
    moves = moves.some(max(1_000, _INSTANCES // len(tuples.chosen)))
    if reach is None:
        reach = _OFFSETS.get(moves.values.shape[1], 2)
    codes, rows = _instances(moves, tuples, reach)
    if not len(codes):
        return []
    used, codes = _renumbered(codes)
    index, *digits = np.unravel_index(
        used, (len(tuples.chosen), *[2 * reach + 1] * moves.values.shape[1])
    )
    offsets = np.stack(digits, axis=1) - reach
    leaves = _leaves(tuples, index, offsets)
    score = _scores(codes, rows, rings, leaves)
    kept = _shortest_alike(codes, rows, leaves, len(rings))
    score[~kept] = 0
    best = np.argsort(-score, kind="stable")[:most]
    chosen = dict.fromkeys(int(g) for g in best if score[g] > 0)
    chosen |= dict.fromkeys(_cover(codes, rows, rings, score))
    return [
        MinedGroup(tuple(map(int, tuples.chosen[index[g]])), tuple(map(int, offsets[g])))
        for g in chosen
    ]


# --- instances: entries (group, row), each once ----------------------------------


def _instances(moves: WinningMoves, tuples: Tuples, reach: int) -> tuple[Ints, Ints]:
    moduli = np.array([b.modulus for b in tuples.bases], dtype=np.int64)
    shape = (len(tuples.chosen), len(moves))
    code = np.zeros(shape, np.int64)
    # Group and offsets as one number, in mixed radix: tuple first, then each offset from -reach to
    # reach.
    code += np.arange(len(tuples.chosen))[:, None]
    good = np.ones(shape, bool)
    for i in range(moves.values.shape[1]):
        taken = tuples.chosen[:, i]
        value = moves.values[:, i]
        offset = value - tuples.values[taken][:, moves.rows]
        for row in np.flatnonzero(moduli[taken]):
            modulus = moduli[taken[row]]
            offset[row] %= modulus
            offset[row] -= modulus * (offset[row] > reach)
            good[row] &= (value >= 0) & (value < modulus)
        good &= np.abs(offset) <= reach
        code = code * (2 * reach + 1) + offset + reach
    tuple_row, entry = np.nonzero(good)
    return code[tuple_row, entry], moves.rows[entry]


def _renumbered(codes: Ints) -> tuple[Ints, Ints]:
    """Return the distinct ``codes``, ascending, and for each entry of ``codes`` its index there."""
    low = int(codes.min())
    present = np.zeros(int(codes.max()) - low + 1, bool)
    present[codes - low] = True
    used = np.flatnonzero(present)
    number = np.cumsum(present) - 1
    return used + low, number[codes - low]


# --- the score of a group ----------------------------------------------------------


def _leaves(tuples: Tuples, index: Ints, offsets: Ints) -> NDArray[np.float64]:
    """Return (g,) the leaves of the arguments of each group, plus a little for large offsets; a
    group is row ``index`` of the chosen tuples of bases, with its row of ``offsets``."""
    sizes = np.array([b.size for b in tuples.bases], dtype=np.float64)[tuples.chosen[index]]
    shown = (offsets != 0) | (sizes == 0)
    odd = 0.001 * np.abs(offsets) + 0.0001 * tuples.chosen[index]
    return np.asarray((sizes + shown + odd).sum(axis=1) + 4.0)


def _scores(
    codes: Ints, rows: Ints, rings: Ints, leaves: NDArray[np.float64]
) -> NDArray[np.float64]:
    counts = np.bincount(codes * WINDOWS + rings[rows], minlength=len(leaves) * WINDOWS)
    counts = counts.reshape(len(leaves), WINDOWS)
    reached = (counts > 0).sum(axis=1)
    return np.asarray(counts.sum(axis=1) * reached**2 / leaves)


def _shortest_alike(codes: Ints, rows: Ints, leaves: NDArray[np.float64], count: int) -> Flags:
    """Return flags (groups,) of those to keep: of groups that win in equal sets of states only a
    few with the fewest ``leaves``.  Group ``codes[i]`` wins in state ``rows[i]`` of ``count``."""
    draw = Random(count).random
    # Each state has a random number; groups with equal states have equal sums, and hardly any
    # other groups do.
    key = np.array([draw() for _ in range(count)])
    sums = np.round(np.bincount(codes, weights=key[rows], minlength=len(leaves)), 9)
    order = np.lexsort((leaves, sums))
    ranked = sums[order]
    kept = np.zeros(len(leaves), bool)
    kept[order[:_ALIKE]] = True
    kept[order[_ALIKE:]] = ranked[_ALIKE:] != ranked[:-_ALIKE]
    return kept


def _cover(codes: Ints, rows: Ints, rings: Ints, score: NDArray[np.float64]) -> list[int]:
    """Return groups that together win in all states in which some group of ``score`` above 0 wins,
    each the best for the states left.  Group ``codes[i]`` wins in state ``rows[i]``, for all i;
    ``rings`` are by :func:`windows`."""
    leaves = np.ones(len(score))
    eligible = score > 0
    chosen: list[int] = []
    while len(codes):
        gain = np.where(eligible, _scores(codes, rows, rings, leaves), 0)
        best = int(gain.argmax())
        if gain[best] <= 0:
            break
        chosen.append(best)
        left = np.ones(len(rings), bool)
        left[rows[codes == best]] = False
        open_entries = left[rows]
        codes, rows = codes[open_entries], rows[open_entries]
    return chosen
