"""Machine code for :mod:`icgsynth.starts.dense`: sweeps over words of boards.

A *set* is (words,) of uint64, one bit a board; see :mod:`icgsynth.starts.decode`.
"""

from __future__ import annotations

import numpy as np

from icgsynth.finite.compiled import compiled
from icgsynth.logic.bits import Words
from icgsynth.starts.decode import (
    ALL,
    NONE,
    ONE,
    column_lines,
    decoded,
    into,
    movable,
    only_into,
    popcount,
    trailing,
)
from icgsynth.starts.tables import BoardTables, Ints, Ranked

__all__ = [
    "KERNELS",
    "backward",
    "balanced",
    "boards",
    "distances",
    "forward",
    "ranks",
]

U = np.uint64


@compiled
def forward(tables: BoardTables, sets: Words, start: U, won: Words, totals: Ints) -> None:
    """All boards that play reaches from the one of bit ``start`` of word 0; ``sets`` begins empty.

    Leaves in ``sets`` those where play goes on, in ``won`` (where not of length 0) those that X
    has won, in ``totals`` how many there are of all, won by X, won by O.
    """
    digits = len(tables.radix)
    masks = tables.masks
    code = np.zeros(max(digits, 1), np.int64)
    sets[0] = start
    for w in range(len(sets)):
        r = sets[w]
        if r == NONE:
            continue
        x, o = decoded(tables, w, code)
        won_x = column_lines(tables, x, 0, code[0])
        won_o = column_lines(tables, o, 1, code[0])
        goes_on = ~(won_x | won_o)
        odd = popcount(x | o) & 1
        turn_x = tables.parity[odd]
        turn_o = tables.parity[1 - odd]
        before = NONE
        while before != r:
            before = r
            for k in range(len(masks)):
                r |= (r & goes_on & turn_x & masks[k]) << tables.shifts[0, k]
                r |= (r & goes_on & turn_o & masks[k]) << tables.shifts[1, k]
        live = r & goes_on
        for d in range(digits):
            for m in range(tables.counts[d, code[d]]):
                allowed = live & tables.legal[d, code[d], m]
                if allowed & turn_x:
                    sets[w + tables.steps[0, d, code[d], m]] |= allowed & turn_x
                if allowed & turn_o:
                    sets[w + tables.steps[1, d, code[d], m]] |= allowed & turn_o
        totals[0] += popcount(r)
        totals[1] += popcount(r & won_x)
        totals[2] += popcount(r & won_o)
        if len(won):
            won[w] = r & won_x
        sets[w] = live


@compiled
def balanced(tables: BoardTables, sets: Words) -> None:
    """All boards without a line on which the players have taken turns, reached or not."""
    inner_rows = tables.sizes[0]
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    for w in range(len(sets)):
        x, o = decoded(tables, w, code)
        lead = popcount(x) - popcount(o)
        r = NONE
        for total in range(2):
            if -inner_rows <= total - lead <= inner_rows:
                r |= tables.balance[total - lead + inner_rows]
        if r:
            won_x = column_lines(tables, x, 0, code[0])
            won_o = column_lines(tables, o, 1, code[0])
            sets[w] = r & ~(won_x | won_o)


@compiled
def backward(tables: BoardTables, sets: Words, target: Words, nested: bool, reach: Words) -> None:
    """How soon X can force a win, one sweep from the last word to the first.

    ``sets`` is (words, 1).  ``reach`` (words, most + 1) begins empty.  With ``nested``, bit b of
    ``reach[w, j]`` says that X can win with at most j + 1 stones of its own.  Without it, the
    sets are the paper's: X_0 = EPre(T1), B_j = APre(X_j) less the earlier B, X_j+1 = EPre(B_j).
    T1 is ``target`` (words, 1) where it has words; otherwise whatever a move of X leads to that
    is not in ``sets``.
    """
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    ends = target if len(target) else sets
    flip = NONE if len(target) else ALL
    for w in range(len(sets) - 1, -1, -1):
        live = sets[w, 0]
        if live == NONE:
            continue
        x, o = decoded(tables, w, code)
        odd = popcount(x | o) & 1
        on_x = live & tables.parity[odd]
        can_o = live & tables.parity[1 - odd] & movable(tables, code)
        wins = into(tables, code, w, 0, ends, 0, flip) & on_x
        earlier = NONE
        for j in range(reach.shape[1]):
            if j:
                wins = into(tables, code, w, 0, reach, j - 1, NONE) & on_x
                if nested:
                    wins |= reach[w, j - 1] & on_x
            reach[w, j] = wins
            lost = only_into(tables, code, w, 1, reach, j, can_o)
            if not nested:
                lost &= ~earlier
                earlier |= lost
            reach[w, j] = wins | lost


@compiled
def ranks(sets: Words, first: Ints) -> int:
    """``first[w]``: how many boards lie in earlier words; their number in all."""
    total = 0
    for w in range(len(sets)):
        first[w] = total
        if sets[w]:
            total += popcount(sets[w])
    return total


@compiled
def distances(
    tables: BoardTables, sets: Words, reach: Words, seat: int, found: Ints, counts: Ints
) -> None:
    """``found[rank]``: the least j of a board on which ``seat`` moves, -1 for none; counted."""
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == NONE:
            continue
        x, o = decoded(tables, w, code)
        turn = tables.parity[(popcount(x | o) & 1) ^ seat]
        while live:
            bit = live & (~live + ONE)
            live ^= bit
            if bit & turn:
                for j in range(reach.shape[1]):
                    if reach[w, j] & bit:
                        found[rank] = j
                        counts[j] += 1
                        break
            rank += 1


@compiled
def boards(tables: BoardTables, ranked: Ranked, wanted: Ints, out: Words) -> None:
    """``out[i]``: the stones of X and of O of the board whose rank is ``wanted[i]`` (rising)."""
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    w = 0
    for i in range(len(wanted)):
        while w + 1 < len(ranked.sets) and ranked.first[w + 1] <= wanted[i]:
            w += 1
        live = ranked.sets[w]
        for _ in range(wanted[i] - ranked.first[w]):
            live &= live - ONE
        low = trailing(live)
        x, o = decoded(tables, w, code)
        out[i, 0] = x | tables.inner[0, low]
        out[i, 1] = o | tables.inner[1, low]


KERNELS = (forward, balanced, backward, ranks, distances, boards)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
