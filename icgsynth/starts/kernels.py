"""Machine code for :mod:`icgsynth.starts.dense`: sweeps over words of boards.

The arrays are those of :class:`~icgsynth.starts.board_index.Layout`; a *set* is (words,) of uint64.
Every word is a uint64 and every index an int64: mixed, they would turn into floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import compiled

__all__ = ["KERNELS", "backward", "balanced", "boards", "forward", "ranks"]

Words = NDArray[np.uint64]
Ints = NDArray[Any]

U = np.uint64
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_NONE = np.uint64(0)
_ONE = np.uint64(1)


@compiled
def popcount(x: U) -> int:
    """The bits set in a word (Warren, *Hacker's Delight*, 5-1)."""
    x = x - ((x >> U(1)) & U(0x5555555555555555))
    x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
    x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * U(0x0101010101010101)) >> U(56))  # type: ignore[return-value]


@compiled
def trailing(x: U) -> int:
    """The number of the lowest bit of a word that is not 0."""
    return popcount((x & (~x + _ONE)) - _ONE)


@compiled
def line_mask(
    board: U, code: int, low: U, match: int, upright: Words, holds: Words, shifts: Ints
) -> U:
    """The inner codes with which one player's ``board`` of the digits has a line."""
    filled = board | low
    need = _NONE
    for d in range(len(shifts)):
        step = U(shifts[d])
        alone = board
        joined = filled
        far = U(0)
        for _ in range(match - 1):
            far += step
            alone &= board >> far
            joined &= filled >> far
        if alone:
            return _ALL
        if step != _ONE:  # up column 0 is in ``upright``
            need |= joined & low
    return upright[code] | holds[np.int64(need)]  # type: ignore[no-any-return]


@compiled
def forward(
    sets: Words,
    start: U,
    rows: int,
    match: int,
    inner_rows: int,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    to_x: Words,
    to_o: Words,
    parity: Words,
    upright: Words,
    holds: Words,
    shifts: Ints,
    won: Words,
    totals: Ints,
) -> None:
    """All boards that play reaches from the empty one; ``sets`` begins empty.

    Leaves in ``sets`` those where play goes on, in ``won`` (where not of length 0) those that X
    has won, in ``totals`` how many there are of all, won by X, won by O.
    """
    low = (_ONE << U(inner_rows)) - _ONE
    digits = len(radix)
    above = inner_rows < rows
    code = np.zeros(max(digits, 1), np.int64)
    sets[0] = start
    for w in range(len(sets)):
        r = sets[w]
        if r == _NONE:
            continue
        left = w
        x = _NONE
        o = _NONE
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            x |= stones[0, d, code[d]]
            o |= stones[1, d, code[d]]
        top = code[0] if above else 0
        won_x = line_mask(x, top, low, match, upright[0], holds[0], shifts)
        won_o = line_mask(o, top, low, match, upright[1], holds[1], shifts)
        goes_on = ~(won_x | won_o)
        odd = popcount(x | o) & 1
        turn_x = parity[odd]
        turn_o = parity[1 - odd]
        before = _NONE
        while before != r:
            before = r
            for k in range(len(masks)):
                r |= (r & goes_on & turn_x & masks[k]) << to_x[k]
                r |= (r & goes_on & turn_o & masks[k]) << to_o[k]
        live = r & goes_on
        for d in range(digits):
            for m in range(counts[d, code[d]]):
                allowed = live & legal[d, code[d], m]
                if allowed & turn_x:
                    sets[w + steps[0, d, code[d], m]] |= allowed & turn_x
                if allowed & turn_o:
                    sets[w + steps[1, d, code[d], m]] |= allowed & turn_o
        totals[0] += popcount(r)
        totals[1] += popcount(r & won_x)
        totals[2] += popcount(r & won_o)
        if len(won):
            won[w] = r & won_x
        sets[w] = live


@compiled
def balanced(
    sets: Words,
    rows: int,
    match: int,
    inner_rows: int,
    radix: Ints,
    stones: Words,
    balance: Words,
    upright: Words,
    holds: Words,
    shifts: Ints,
) -> None:
    """All boards without a line on which the players have taken turns, reached or not."""
    low = (_ONE << U(inner_rows)) - _ONE
    digits = len(radix)
    above = inner_rows < rows
    for w in range(len(sets)):
        left = w
        x = _NONE
        o = _NONE
        top = 0
        for d in range(digits):
            code = left % radix[d]
            left //= radix[d]
            if d == 0 and above:
                top = code
            x |= stones[0, d, code]
            o |= stones[1, d, code]
        lead = popcount(x) - popcount(o)
        r = _NONE
        for total in range(2):
            if -inner_rows <= total - lead <= inner_rows:
                r |= balance[total - lead + inner_rows]
        if r:
            won_x = line_mask(x, top, low, match, upright[0], holds[0], shifts)
            won_o = line_mask(o, top, low, match, upright[1], holds[1], shifts)
            sets[w] = r & ~(won_x | won_o)


@compiled
def backward(
    sets: Words,
    target: Words,
    nested: bool,
    reach: Words,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    to_x: Words,
    to_o: Words,
    parity: Words,
) -> None:
    """How soon X can force a win, one sweep from the last word to the first.

    ``reach`` (words, most + 1) begins empty.  With ``nested``, bit b of ``reach[w, j]`` says
    that X can win with at most j + 1 stones of its own.  Without it, the sets are the paper's:
    X_0 = EPre(T1), B_j = APre(X_j) less the earlier B, X_j+1 = EPre(B_j).  T1 is ``target``
    where it has words; otherwise whatever a move of X leads to that is not in ``sets``.
    """
    digits = len(radix)
    most = reach.shape[1]
    code = np.zeros(max(digits, 1), np.int64)
    given = len(target) > 0
    for w in range(len(sets) - 1, -1, -1):
        live = sets[w]
        if live == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code[d]] | stones[1, d, code[d]]) & 1
        on_x = live & parity[odd]
        on_o = live & parity[1 - odd]
        soon = _NONE
        can = _NONE
        for k in range(len(masks)):
            end = target[w] if given else ~live
            soon |= (end >> to_x[k]) & masks[k]
            can |= masks[k]
        for d in range(digits):
            for m in range(counts[d, code[d]]):
                child = w + steps[0, d, code[d], m]
                end = target[child] if given else ~sets[child]
                soon |= end & legal[d, code[d], m]
                can |= legal[d, code[d], m]
        soon &= on_x
        earlier = _NONE
        for j in range(most):
            wins = soon
            if j:
                wins = _NONE
                for k in range(len(masks)):
                    wins |= (reach[w, j - 1] >> to_x[k]) & masks[k]
                for d in range(digits):
                    for m in range(counts[d, code[d]]):
                        child = w + steps[0, d, code[d], m]
                        wins |= reach[child, j - 1] & legal[d, code[d], m]
                wins &= on_x
                if nested:
                    wins |= reach[w, j - 1] & on_x
            reach[w, j] = wins
            lost = on_o & can
            for k in range(len(masks)):
                lost &= (wins >> to_o[k]) | ~masks[k]
            for d in range(digits):
                for m in range(counts[d, code[d]]):
                    if lost == _NONE:
                        break
                    child = w + steps[1, d, code[d], m]
                    lost &= reach[child, j] | ~legal[d, code[d], m]
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
    sets: Words,
    reach: Words,
    parity: Words,
    radix: Ints,
    stones: Words,
    seat: int,
    found: Ints,
    counts: Ints,
) -> None:
    """``found[rank]``: the least j of a board on which ``seat`` moves, -1 for none; counted."""
    digits = len(radix)
    rank = 0
    for w in range(len(sets)):
        live = sets[w]
        if live == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code] | stones[1, d, code]) & 1
        turn = parity[odd ^ seat]
        while live:
            bit = live & (~live + _ONE)
            live ^= bit
            if bit & turn:
                for j in range(reach.shape[1]):
                    if reach[w, j] & bit:
                        found[rank] = j
                        counts[j] += 1
                        break
            rank += 1


@compiled
def boards(
    sets: Words, first: Ints, wanted: Ints, radix: Ints, stones: Words, inner: Words, out: Words
) -> None:
    """``out[i]``: the stones of X and of O of the board whose rank is ``wanted[i]`` (rising)."""
    digits = len(radix)
    w = 0
    for i in range(len(wanted)):
        while w + 1 < len(sets) and first[w + 1] <= wanted[i]:
            w += 1
        live = sets[w]
        for _ in range(wanted[i] - first[w]):
            live &= live - _ONE
        code = trailing(live)
        x = inner[0, code]
        o = inner[1, code]
        left = w
        for d in range(digits):
            x |= stones[0, d, left % radix[d]]
            o |= stones[1, d, left % radix[d]]
            left //= radix[d]
        out[i, 0] = x
        out[i, 1] = o


@compiled
def one_step(
    sets: Words,
    seat: int,
    every: bool,
    target: Words,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    shift: Words,
    parity: Words,
    out: Words,
) -> None:
    """EPre and APre: where ``seat`` has a move into ``target``, or (``every``) only such moves."""
    digits = len(radix)
    code = np.zeros(max(digits, 1), np.int64)
    for w in range(len(sets)):
        live = sets[w]
        if live == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code[d]] | stones[1, d, code[d]]) & 1
        some = _NONE
        can = _NONE
        all_ = _ALL
        for k in range(len(masks)):
            there = target[w] >> shift[k]
            some |= there & masks[k]
            all_ &= there | ~masks[k]
            can |= masks[k]
        for d in range(digits):
            for m in range(counts[d, code[d]]):
                there = target[w + steps[seat, d, code[d], m]]
                allowed = legal[d, code[d], m]
                some |= there & allowed
                all_ &= there | ~allowed
                can |= allowed
        out[w] = live & parity[odd ^ seat] & ((all_ & can) if every else some)


@compiled
def ends(
    sets: Words,
    radix: Ints,
    stones: Words,
    counts: Ints,
    steps: Ints,
    legal: Words,
    masks: Words,
    to_x: Words,
    to_o: Words,
    parity: Words,
    won_x: Words,
    won_o: Words,
) -> None:
    """T1 and T2: what the moves lead to that is not among the boards where play goes on."""
    digits = len(radix)
    code = np.zeros(max(digits, 1), np.int64)
    for w in range(len(sets)):
        live = sets[w]
        if live == _NONE:
            continue
        left = w
        odd = 0
        for d in range(digits):
            code[d] = left % radix[d]
            left //= radix[d]
            odd ^= popcount(stones[0, d, code[d]] | stones[1, d, code[d]]) & 1
        on_x = live & parity[odd]
        on_o = live & parity[1 - odd]
        for k in range(len(masks)):
            won_x[w] |= ((on_x & masks[k]) << to_x[k]) & ~live
            won_o[w] |= ((on_o & masks[k]) << to_o[k]) & ~live
        for d in range(digits):
            for m in range(counts[d, code[d]]):
                child = w + steps[0, d, code[d], m]
                won_x[child] |= on_x & legal[d, code[d], m] & ~sets[child]
                child = w + steps[1, d, code[d], m]
                won_o[child] |= on_o & legal[d, code[d], m] & ~sets[child]


@compiled
def size(boards: Words) -> int:
    """How many boards a set holds."""
    total = 0
    for w in range(len(boards)):
        if boards[w]:
            total += popcount(boards[w])
    return total


KERNELS = (forward, balanced, backward, ranks, distances, boards, one_step, ends, size)
"""All of them, for :func:`~icgsynth.finite.compiled.announce`."""
