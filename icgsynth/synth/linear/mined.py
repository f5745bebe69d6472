"""Semi-ground actions mined from winning moves.

A winning move with parameter ``k`` from a state where the base ``t`` has the value ``v`` is an
instance of ``t + (k - v)``.  All winning moves under all bases at once, grouped by base and
offset: each group is a semi-ground action, and its states are where that action wins.  So no
term is ever evaluated in vain.

Groups are scored by the number of states times the square of the number of distance windows
that they reach into, for each leaf.  (By the number of states alone ``v - 13``, ``v - 26``, ...
look best.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.synth.linear.parameters import Base
from icgsynth.synth.linear.winning_moves import WinningMoves

WINDOWS = 6  # rings around 0 that states are sorted into
_OFFSETS = {1: 60, 2: 20, 3: 4}  # largest offset, by the number of parameters
_INSTANCES = 2_000_000  # moves times tuples of bases
_ALIKE = 3  # groups of the same states that are kept, the shortest


@dataclass(frozen=True, slots=True)
class Tuples:
    """Tuples of bases, one a parameter: ``chosen`` (t, p) are rows of ``values`` (b, n)."""

    bases: Sequence[Base]
    values: Ints
    chosen: Ints


@dataclass(frozen=True, slots=True)
class MinedGroup:
    """One semi-ground action: rows of the bases and an offset to each."""

    bases: tuple[int, ...]
    offsets: tuple[int, ...]


def windows(states: Ints) -> Ints:
    """Return for each state (n, d) in which of ``WINDOWS`` rings around 0 it lies, shape (n,)."""
    distance = np.abs(states).sum(axis=1)
    # The last ring is for the few states far out.
    most = 0
    if len(distance):
        below, fifths = divmod(4 * (len(distance) - 1), 5)
        low, high = np.sort(distance)[[below, min(below + 1, len(distance) - 1)]]
        most = int(low + (high - low) * fifths // 5)
    return np.asarray(np.minimum(distance * (WINDOWS - 1) // (most + 1), WINDOWS - 1))


def groups(
    moves: WinningMoves, tuples: Tuples, rings: Ints, most: int, reach: int | None = None
) -> list[MinedGroup]:
    """The ``most`` groups of highest score, and a cover of all states that a group has.

    ``reach`` is the largest offset; without it, that for so many parameters.
    """
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
    code += np.arange(len(tuples.chosen))[:, None]
    good = np.ones(shape, bool)
    for i in range(moves.values.shape[1]):
        taken = tuples.chosen[:, i]
        value = moves.values[:, i]
        offset = value - tuples.values[taken][:, moves.rows]
        for t in np.flatnonzero(moduli[taken]):
            modulus = moduli[taken[t]]
            offset[t] %= modulus
            offset[t] -= modulus * (offset[t] > reach)
            good[t] &= (value >= 0) & (value < modulus)
        good &= np.abs(offset) <= reach
        code = code * (2 * reach + 1) + offset + reach
    tuple_row, entry = np.nonzero(good)
    return code[tuple_row, entry], moves.rows[entry]


def _renumbered(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, and for each entry which of them it is."""
    low = int(codes.min())
    present = np.zeros(int(codes.max()) - low + 1, bool)
    present[codes - low] = True
    used = np.flatnonzero(present)
    number = np.cumsum(present) - 1
    return used + low, number[codes - low]


# --- what a group is worth ---------------------------------------------------------


def _leaves(tuples: Tuples, index: Ints, offsets: Ints) -> NDArray[np.float64]:
    """Return the cost of naming each group, shape (g,): leaves, and a little for large offsets."""
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
    """Return which groups to keep: of those with the same rows a few of the shortest."""
    draw = Random(count).random
    key = np.array([draw() for _ in range(count)])
    sums = np.round(np.bincount(codes, weights=key[rows], minlength=len(leaves)), 9)
    order = np.lexsort((leaves, sums))
    ranked = sums[order]
    kept = np.zeros(len(leaves), bool)
    kept[order[:_ALIKE]] = True
    kept[order[_ALIKE:]] = ranked[_ALIKE:] != ranked[:-_ALIKE]
    return kept


def _cover(codes: Ints, rows: Ints, rings: Ints, score: NDArray[np.float64]) -> list[int]:
    """Greedily, each group scored on the states that those before it leave."""
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
