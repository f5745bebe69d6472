"""Machine code for :mod:`icgsynth.starts.hardness`: players who look a few rounds ahead.

Arrays over boards are by rank (see :class:`~icgsynth.starts.dense.Space`).  The moves of a
board are numbered as they are met: those that change a digit first, then those in the word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.finite.compiled import compiled, inlined
from icgsynth.logic.bits import Words
from icgsynth.starts.decode import (
    NONE,
    ONE,
    WIN,
    BoardTables,
    Children,
    Draws,
    Ints,
    Ranked,
    decoded,
    hastened,
    popcount,
    trailing,
    window_score,
)

U = np.uint64


@compiled
def rewards(
    tables: BoardTables, sets: Words, windows: Words, outer: int, weights: Ints, out: Ints
) -> None:
    """The reward of every board; the first ``outer`` windows touch no inner cell."""
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    inner = tables.inner
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == NONE:
            continue
        x, o = decoded(tables, w, code)
        shared = window_score(x, o, windows, 0, outer, weights)
        while live:
            v = trailing(live)
            live &= live - ONE
            out[rank] = shared + window_score(
                x | inner[0, v], o | inner[1, v], windows, outer, len(windows), weights
            )
            rank += 1


@inlined
def _gather(
    tables: BoardTables, code: Ints, word: int, seat: int, ranked: Ranked, room: Children, at: int
) -> int:
    """Put what moves of ``seat`` on the digits lead to into ``room`` from ``at`` on; the end."""
    counts, steps, legal = tables.counts, tables.steps, tables.legal
    sets, first = ranked
    child, base, allowed = room
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            to = word + steps[seat, d, code[d], m]
            child[at] = sets[to]
            base[at] = first[to]
            allowed[at] = legal[d, code[d], m]
            at += 1
    return at


@inlined
def _better(top: Any, chosen: int, value: Any, met: int) -> tuple[Any, int]:
    """The best value so far and the moves that have it, as bits, with move ``met`` considered."""
    if value > top:
        return value, 1 << met
    if value == top:
        return top, chosen | 1 << met
    return top, chosen


@compiled
def look(
    tables: BoardTables, ranked: Ranked, before: Ints, haste: bool, after: Ints, best: Ints
) -> None:
    """One ply of min-max: ``after`` from the values ``before`` of the boards one move on.

    ``best`` (ranks,), where not of length 0, gets the moves of the best value as bits.
    """
    masks, shifts, parity = tables.masks, tables.shifts, tables.parity
    sets = ranked.sets
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    room = Children(np.zeros(64, np.uint64), np.zeros(64, np.int64), np.zeros(64, np.uint64))
    child, base, allowed = room
    keep = len(best) > 0
    start = 0
    for w in range(len(sets)):
        here = sets[w]
        if here == NONE:
            continue
        x, o = decoded(tables, w, code)
        odd = popcount(x | o) & 1
        for side in range(2):
            n = _gather(tables, code, w, side, ranked, room, 0)
            sign = 1 if side == 0 else -1
            live = here & parity[odd ^ side]
            while live:
                bit = live & (~live + ONE)
                live ^= bit
                rank = start + popcount(here & (bit - ONE))
                top = np.int64(-WIN - 1)
                chosen = 0
                met = 0
                for m in range(n):
                    if allowed[m] & bit:
                        value = np.int64(WIN)
                        if child[m] & bit:
                            value = sign * np.int64(
                                before[base[m] + popcount(child[m] & (bit - ONE))]
                            )
                        top, chosen = _better(top, chosen, value, met)
                        met += 1
                for k in range(len(masks)):
                    if masks[k] & bit:
                        value = np.int64(WIN)
                        to = bit << shifts[side, k]
                        if here & to:
                            value = sign * np.int64(before[start + popcount(here & (to - ONE))])
                        top, chosen = _better(top, chosen, value, met)
                        met += 1
                if met == 0:
                    top = np.int64(0)
                elif haste:
                    top = hastened(top)
                after[rank] = sign * top
                if keep:
                    best[rank] = chosen
        start += popcount(here)


@inlined
def _highest(word: U, skip: Any) -> U:
    """The bit of ``word`` above its ``skip`` lowest."""
    for _ in range(skip):
        word &= word - ONE
    return word & (~word + ONE)


@inlined
def _tally(draws: Draws, rank: int, met: int, side: int, to: Any) -> None:
    """Count move ``met`` of a board for each player that may draw it.

    It leads to the board of rank ``to``, or ends the game where that is negative.
    """
    best, won, total, ways = draws
    for a in range(len(best)):
        if side == 1 or (np.int64(best[a, rank]) >> met) & 1:
            ways[a] += 1.0
            if to >= 0:
                total[a] += won[to, a]
            elif side == 0:
                total[a] += 1.0


@compiled
def chances(tables: BoardTables, ranked: Ranked, draws: Draws, reply: Ints) -> None:
    """``draws.won[rank, a]``: the chance of X, as player a draws moves, against ``reply``.

    A move is drawn evenly among those whose bit is set.  Nothing is won on a full board.
    """
    masks, shifts, parity = tables.masks, tables.shifts, tables.parity
    sets, first = ranked
    best, won, total, ways = draws
    players = len(best)
    code = np.zeros(max(len(tables.radix), 1), np.int64)
    room = Children(np.zeros(64, np.uint64), np.zeros(64, np.int64), np.zeros(64, np.uint64))
    child, base, allowed = room
    for w in range(len(sets) - 1, -1, -1):
        here = sets[w]
        if here == NONE:
            continue
        x, o = decoded(tables, w, code)
        odd = popcount(x | o) & 1
        start = np.int64(first[w])
        # Within a word a move leads to a higher bit, and so to the other side's turn: the
        # boards are taken from the highest bit down, the children of one word gathered twice.
        n_x = _gather(tables, code, w, 0, ranked, room, 0)
        n_o = _gather(tables, code, w, 1, ranked, room, n_x)
        for rank in range(start + popcount(here) - 1, start - 1, -1):
            bit = _highest(here, rank - start)
            side = 0 if bit & parity[odd] else 1
            chosen = np.int64(0)
            for a in range(players):
                total[a] = 0.0
                ways[a] = 0.0
                chosen |= np.int64(best[a, rank])
            if side == 1:
                chosen = np.int64(reply[rank])
            met = 0
            for m in range(0 if side == 0 else n_x, n_x if side == 0 else n_o):
                if allowed[m] & bit:
                    if (chosen >> met) & 1:
                        to = np.int64(-1)
                        if child[m] & bit:
                            to = base[m] + popcount(child[m] & (bit - ONE))
                        _tally(draws, rank, met, side, to)
                    met += 1
            for k in range(len(masks)):
                if masks[k] & bit:
                    if (chosen >> met) & 1:
                        to = np.int64(-1)
                        after = bit << shifts[side, k]
                        if here & after:
                            to = start + popcount(here & (after - ONE))
                        _tally(draws, rank, met, side, to)
                    met += 1
            for a in range(players):
                won[rank, a] = total[a] / ways[a] if ways[a] > 0 else 0.0


KERNELS = (rewards, look, chances)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
