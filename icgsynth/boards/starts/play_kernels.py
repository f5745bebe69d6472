"""Compiled loops for :mod:`icgsynth.boards.starts.hardness`: players who look a few rounds ahead.

Arrays over boards are by rank (see :class:`~icgsynth.boards.starts.dense.Space`).  The moves of a
board are numbered as they are met: those that change a digit first, then those in the word.
"""

from __future__ import annotations

import numpy as np

from icgsynth.boards.finite.bit_kernels import NONE, ONE, lowest, popcount
from icgsynth.boards.starts.decode import (
    WIN,
    BoardTables,
    Ints,
    Ranked,
    WordMoves,
    decode_word,
    step_back,
    window_score,
)
from icgsynth.digits.arrays import Words
from icgsynth.process.compiled import compiled, inlined


@compiled
def rewards(
    tables: BoardTables, sets: Words, windows: Words, outer: int, weights: Ints, out: Ints
) -> None:
    """Write the worth to X of each board in the bit set ``sets`` to ``out`` (boards,).

    ``windows`` are all winning lines; the first ``outer`` have none of column 0's lowest cells.
    ``weights[k]`` is the worth of one with k own stones."""
    code = np.zeros(len(tables.radix) + 1, np.int64)
    inner = tables.inner
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == NONE:
            continue
        x, o = decode_word(tables, w, code)
        # Windows without an inner cell score the same on all boards of the word.
        shared = window_score(x, o, windows, 0, outer, weights)
        while live:
            v = lowest(live)
            live &= live - ONE
            out[rank] = shared + window_score(
                x | inner[0, v], o | inner[1, v], windows, outer, len(windows), weights
            )
            rank += 1


@inlined
def _room() -> WordMoves:
    long, word = np.int64, np.uint64
    return WordMoves(
        np.zeros(65, long),
        np.zeros(4096, long),
        np.zeros(64, long),
        np.zeros((2, 64), word),
        np.zeros((2, 64), long),
        np.zeros(64, word),
    )


@inlined
def _moves_of_word(
    tables: BoardTables, ranked: Ranked, word: int, code: Ints, moves: WordMoves
) -> int:
    """Write the moves of all boards in the word ``word``, and the rank of the board after each (-1
    if play ends), to ``moves``; return how many boards there are. ``code`` gets the digits."""
    # ``code`` holds the digits of ``word``.
    counts, steps, legal = tables.counts, tables.steps, tables.legal
    masks, shifts, parity = tables.masks, tables.shifts, tables.parity
    sets, ranks = ranked
    # child[first[i] : first[i + 1]] are the ranks after the moves of board i of the word, -1 where
    # play ends. there, base: for moves to other words, the boards there and the first one's rank.
    first, child, seat, there, base, allowed = moves
    here = sets[word]
    x, o = decode_word(tables, word, code)
    odd = popcount(x | o) & 1
    start = np.int64(ranks[word])
    others = 0
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            allowed[others] = legal[d, code[d], m]
            for side in range(2):
                to = word + steps[side, d, code[d], m]
                there[side, others] = sets[to]
                base[side, others] = ranks[to]
            others += 1
    boards = at = 0
    live = here
    while live:
        bit = live & (~live + ONE)
        live ^= bit
        # X is to move on an even number of stones; ``odd`` counts those outside the inner cells.
        side = 0 if bit & parity[odd] else 1
        first[boards] = at
        seat[boards] = side
        boards += 1
        for m in range(others):
            if allowed[m] & bit:
                child[at] = np.int64(-1)
                if there[side, m] & bit:
                    # The rank: how many boards lie in earlier words, and below it in its own.
                    child[at] = base[side, m] + popcount(there[side, m] & (bit - ONE))
                at += 1
        # Moves within the word: the same word after a shift.
        for k in range(len(masks)):
            if masks[k] & bit:
                after = bit << shifts[side, k]
                child[at] = np.int64(-1)
                if here & after:
                    child[at] = start + popcount(here & (after - ONE))
                at += 1
    first[boards] = at
    return boards


@compiled
def look(
    tables: BoardTables, ranked: Ranked, before: Ints, haste: bool, after: Ints, best: Ints
) -> None:
    """Write min-max values of all boards to ``after``, one ply deeper than the values ``before``
    (boards,). With ``haste`` a win that is farther off is worth less. ``best`` (boards,), where not
    of length 0, gets the moves of the best value as bits."""
    code = np.zeros(len(tables.radix) + 1, np.int64)
    moves = _room()
    first, child, seat = moves.first, moves.child, moves.seat
    keep = len(best) > 0
    rank = 0
    for w in range(len(ranked.sets)):
        if ranked.sets[w] == NONE:
            continue
        for i in range(_moves_of_word(tables, ranked, w, code, moves)):
            # Values are to X; with the sign, to the player who moves, who takes the greatest.
            sign = 1 if seat[i] == 0 else -1
            top = np.int64(-WIN - 1)
            chosen = 0
            for m in range(first[i], first[i + 1]):
                # A move after which play does not go on made a line.
                value = np.int64(WIN)
                if child[m] >= 0:
                    value = sign * np.int64(before[child[m]])
                if value > top:
                    top = value
                    chosen = 0
                if value == top:
                    chosen |= 1 << (m - first[i])
            if first[i] == first[i + 1]:
                top = np.int64(0)
            elif haste:
                top = step_back(top)
            after[rank] = sign * top
            if keep:
                best[rank] = chosen
            rank += 1


@compiled
def chances(tables: BoardTables, ranked: Ranked, best: Ints, reply: Ints, won: Ints) -> None:
    """Write the chance of X on each board, for several players against O, to ``won`` (boards,
    players). ``best`` (players, boards) and ``reply`` (boards,) have as bits the moves that X and O
    draw from, evenly. Nothing is won on a full board."""
    code = np.zeros(len(tables.radix) + 1, np.int64)
    moves = _room()
    first, child, seat = moves.first, moves.child, moves.seat
    # A move leads to a board of greater rank: from the last board down, all that follow are known.
    rank = len(reply)
    for w in range(len(ranked.sets) - 1, -1, -1):
        if ranked.sets[w] == NONE:
            continue
        # Within a word a move leads to a higher bit: the boards are taken from the highest down.
        for i in range(_moves_of_word(tables, ranked, w, code, moves) - 1, -1, -1):
            rank -= 1
            for a in range(len(best)):
                drawn = np.int64(best[a, rank]) if seat[i] == 0 else np.int64(reply[rank])
                # X's chance: the mean after the drawn moves; a line of X counts 1, one of O 0.
                total = 0.0
                ways = 0.0
                for m in range(first[i], first[i + 1]):
                    if (drawn >> (m - first[i])) & 1:
                        ways += 1.0
                        if child[m] >= 0:
                            total += won[child[m], a]
                        elif seat[i] == 0:
                            total += 1.0
                won[rank, a] = total / ways if ways > 0 else 0.0


KERNELS = (rewards, look, chances)
"""All kernels of this module, for :func:`~icgsynth.process.compiled.announce`."""
