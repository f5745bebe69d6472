"""Machine code for :mod:`icgsynth.starts.hardness`: players who look a few rounds ahead.

Arrays over boards are by rank (see :class:`~icgsynth.starts.dense.Space`).  The moves of a
board are numbered as they are met: those that change a digit first, then those in the word.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled
from icgsynth.starts.kernels import popcount, trailing
from icgsynth.starts.reward import MOST, WIN

__all__ = ["KERNELS", "chances", "look", "rewards"]

Words = NDArray[np.uint64]
Ints = NDArray[Any]

U = np.uint64
_NONE = np.uint64(0)
_ONE = np.uint64(1)


@compiled
def _score(x: U, o: U, windows: Words, start: int, stop: int, weights: Ints) -> int:
    score = 0
    for i in range(start, stop):
        mine = x & windows[i]
        theirs = o & windows[i]
        if theirs == _NONE:
            score += weights[popcount(mine)]
        elif mine == _NONE:
            score -= weights[popcount(theirs)]
    return score


@compiled
def rewards(
    sets: Words,
    radix: Ints,
    stones: Words,
    inner: Words,
    windows: Words,
    outer: int,
    weights: Ints,
    out: Ints,
) -> None:
    """The reward of every board; the first ``outer`` windows touch no inner cell."""
    digits = len(radix)
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == _NONE:
            continue
        left = w
        x = _NONE
        o = _NONE
        for d in range(digits):
            x |= stones[0, d, left % radix[d]]
            o |= stones[1, d, left % radix[d]]
            left //= radix[d]
        shared = _score(x, o, windows, 0, outer, weights)
        while live:
            v = trailing(live)
            live &= live - _ONE
            out[rank] = shared + _score(
                x | inner[0, v], o | inner[1, v], windows, outer, len(windows), weights
            )
            rank += 1


@compiled
def _gather(
    w: int,
    seat: int,
    sets: Words,
    first: Ints,
    code: Ints,
    counts: Ints,
    steps: Ints,
    legal: Words,
    child: Words,
    base: Ints,
    allowed: Words,
) -> int:
    """The words that moves of ``seat`` on the digits lead to; how many."""
    n = 0
    for d in range(len(code)):
        for m in range(counts[d, code[d]]):
            to = w + steps[seat, d, code[d], m]
            child[n] = sets[to]
            base[n] = first[to]
            allowed[n] = legal[d, code[d], m]
            n += 1
    return n


@compiled
def look(
    sets: Words,
    first: Ints,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    to_x: Words,
    to_o: Words,
    parity: Words,
    before: Ints,
    haste: bool,
    after: Ints,
    best: Ints,
) -> None:
    """One ply of min-max: ``after`` from the values ``before`` of the boards one move on.

    ``best`` (ranks,), where not of length 0, gets the moves of the best value as bits.
    """
    digits = len(radix)
    code = np.zeros(digits, np.int64)
    child = np.zeros(64, np.uint64)
    base = np.zeros(64, np.int64)
    allowed = np.zeros(64, np.uint64)
    keep = len(best) > 0
    start = 0
    for w in range(len(sets)):
        here = sets[w]
        if here == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code[d]] | stones[1, d, code[d]]) & 1
        for side in range(2):
            n = _gather(w, side, sets, first, code, counts, steps, legal, child, base, allowed)
            shift = to_x if side == 0 else to_o
            sign = 1 if side == 0 else -1
            live = here & parity[odd ^ side]
            while live:
                bit = live & (~live + _ONE)
                live ^= bit
                rank = start + popcount(here & (bit - _ONE))
                top = np.int64(-WIN - 1)
                chosen = 0
                met = 0
                for m in range(n):
                    if allowed[m] & bit:
                        value = np.int64(WIN)
                        if child[m] & bit:
                            value = sign * np.int64(
                                before[base[m] + popcount(child[m] & (bit - _ONE))]
                            )
                        if value > top:
                            top = value
                            chosen = 0
                        if value == top:
                            chosen |= 1 << met
                        met += 1
                for k in range(len(masks)):
                    if masks[k] & bit:
                        value = np.int64(WIN)
                        to = bit << shift[k]
                        if here & to:
                            value = sign * np.int64(before[start + popcount(here & (to - _ONE))])
                        if value > top:
                            top = value
                            chosen = 0
                        if value == top:
                            chosen |= 1 << met
                        met += 1
                if met == 0:
                    top = np.int64(0)
                elif haste:
                    if top > MOST:
                        top -= 1
                    elif top < -MOST:
                        top += 1
                after[rank] = sign * top
                if keep:
                    best[rank] = chosen
        start += popcount(here)


@compiled
def _highest(word: U, skip: Any) -> U:
    """The bit of ``word`` above its ``skip`` lowest."""
    for _ in range(skip):
        word &= word - _ONE
    return word & (~word + _ONE)


@compiled
def chances(
    sets: Words,
    first: Ints,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    to_x: Words,
    to_o: Words,
    parity: Words,
    best: Ints,
    reply: Ints,
    won: Ints,
) -> None:
    """``won[rank, a]``: the chance of X, who plays the moves of ``best[a]``, against ``reply``.

    A move is drawn evenly among those whose bit is set.  Nothing is won on a full board.
    """
    digits = len(radix)
    players = len(best)
    code = np.zeros(digits, np.int64)
    child = np.zeros(64, np.uint64)
    base = np.zeros(64, np.int64)
    allowed = np.zeros(64, np.uint64)
    total = np.zeros(players)
    ways = np.zeros(players)
    for w in range(len(sets) - 1, -1, -1):
        here = sets[w]
        if here == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code[d]] | stones[1, d, code[d]]) & 1
        start = np.int64(first[w])
        # Within a word a move leads to a higher bit, and so to the other side's turn: the
        # boards are taken from the highest bit down, the children of one word gathered twice.
        n_x = _gather(w, 0, sets, first, code, counts, steps, legal, child, base, allowed)
        n_o = _gather(
            w, 1, sets, first, code, counts, steps, legal, child[n_x:], base[n_x:], allowed[n_x:]
        )
        for rank in range(start + popcount(here) - 1, start - 1, -1):
            bit = _highest(here, rank - start)
            side = 0 if bit & parity[odd] else 1
            low = 0 if side == 0 else n_x
            shift = to_x if side == 0 else to_o
            chosen = np.int64(0)
            for a in range(players):
                total[a] = 0.0
                ways[a] = 0.0
                chosen |= np.int64(best[a, rank])
            if side == 1:
                chosen = np.int64(reply[rank])
            met = 0
            for m in range(low, low + (n_x if side == 0 else n_o)):
                if allowed[m] & bit:
                    if (chosen >> met) & 1:
                        to = np.int64(-1)
                        if child[m] & bit:
                            to = base[m] + popcount(child[m] & (bit - _ONE))
                        for a in range(players):
                            if side == 1 or (np.int64(best[a, rank]) >> met) & 1:
                                ways[a] += 1.0
                                if to >= 0:
                                    total[a] += won[to, a]
                                elif side == 0:
                                    total[a] += 1.0
                    met += 1
            for k in range(len(masks)):
                if masks[k] & bit:
                    if (chosen >> met) & 1:
                        to = np.int64(-1)
                        if here & (bit << shift[k]):
                            to = start + popcount(here & ((bit << shift[k]) - _ONE))
                        for a in range(players):
                            if side == 1 or (np.int64(best[a, rank]) >> met) & 1:
                                ways[a] += 1.0
                                if to >= 0:
                                    total[a] += won[to, a]
                                elif side == 0:
                                    total[a] += 1.0
                    met += 1
            for a in range(players):
                won[rank, a] = total[a] / ways[a] if ways[a] > 0 else 0.0


KERNELS = (rewards, look, chances)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
