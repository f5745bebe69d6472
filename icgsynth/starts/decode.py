"""Machine code that reads a word of boards: its digits, its moves, its lines.

The arrays are those of :class:`~icgsynth.starts.tables.BoardTables`.  Every word is a uint64 and
every index an int64: mixed, they would turn into floats.  Arrays are taken out of the tuple before
a loop: taken out within, each costs a count of references.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.finite.compiled import compiled, inlined
from icgsynth.logic.bits import Words
from icgsynth.starts.tables import MOST, BoardTables, Ints

__all__ = [
    "ALL",
    "NONE",
    "ONE",
    "column_lines",
    "decoded",
    "hastened",
    "into",
    "movable",
    "only_into",
    "popcount",
    "trailing",
    "window_score",
]

U = np.uint64
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
NONE = np.uint64(0)
ONE = np.uint64(1)


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
    return popcount((x & (~x + ONE)) - ONE)


@inlined
def window_score(x: U, o: U, windows: Words, start: int, stop: int, weights: Ints) -> int:
    """The worth to X of the windows from ``start`` to before ``stop``.

    ``weights[k]`` is that of a window with k stones of X and none of O; those of O count
    negatively.
    """
    score = 0
    for i in range(start, stop):
        mine = x & windows[i]
        theirs = o & windows[i]
        if theirs == NONE:
            score += weights[popcount(mine)]
        elif mine == NONE:
            score -= weights[popcount(theirs)]
    return score


@inlined
def hastened(value: Any) -> Any:
    """A value one move before: a win is worth one less, and a loss one more."""
    if value > MOST:
        return value - 1
    return value + 1 if value < -MOST else value


@inlined
def decoded(tables: BoardTables, word: int, code: Ints) -> tuple[U, U]:
    """Write the digits of ``word`` into ``code`` (d,); the stones of X and O in these columns."""
    radix, stones = tables.radix, tables.stones
    left = word
    x = NONE
    o = NONE
    for d in range(len(radix)):
        digit = left % radix[d]
        left //= radix[d]
        code[d] = digit
        x |= stones[0, d, digit]
        o |= stones[1, d, digit]
    return x, o


@inlined
def into(tables: BoardTables, code: Ints, word: int, seat: int, sets: Words, j: int, flip: U) -> U:
    """The inner codes in which ``seat`` has a move into set ``j`` of ``sets`` (words, sets).

    ``code`` holds the digits of ``word``; with ``flip`` of all ones the complement is meant.
    """
    masks, counts, legal = tables.masks, tables.counts, tables.legal
    shifts, steps = tables.shifts, tables.steps
    some = NONE
    for k in range(len(masks)):
        some |= ((sets[word, j] ^ flip) >> shifts[seat, k]) & masks[k]
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            child = word + steps[seat, d, code[d], m]
            some |= (sets[child, j] ^ flip) & legal[d, code[d], m]
    return some


@inlined
def only_into(
    tables: BoardTables, code: Ints, word: int, seat: int, sets: Words, j: int, among: U
) -> U:
    """Of the inner codes ``among`` those in which all moves of ``seat`` lead into set ``j``."""
    masks, counts, legal = tables.masks, tables.counts, tables.legal
    shifts, steps = tables.shifts, tables.steps
    kept = among
    for k in range(len(masks)):
        kept &= (sets[word, j] >> shifts[seat, k]) | ~masks[k]
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            if kept == NONE:
                break
            child = word + steps[seat, d, code[d], m]
            kept &= sets[child, j] | ~legal[d, code[d], m]
    return kept


@inlined
def movable(tables: BoardTables, code: Ints) -> U:
    """The inner codes in which there is a move."""
    masks, counts, legal = tables.masks, tables.counts, tables.legal
    some = NONE
    for k in range(len(masks)):
        some |= masks[k]
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            some |= legal[d, code[d], m]
    return some


@inlined
def column_lines(tables: BoardTables, board: U, seat: int, digit: int) -> U:
    """The inner codes with which ``seat`` has a line.

    ``board`` holds its stones in the columns of the digits, ``digit`` is the first of these.
    """
    line_steps, match = tables.line_steps, tables.sizes[2]
    low = (ONE << U(tables.sizes[0])) - ONE
    filled = board | low
    need = NONE
    for d in range(len(line_steps)):
        step = U(line_steps[d])
        alone = board
        joined = filled
        far = U(0)
        for _ in range(match - 1):
            far += step
            alone &= board >> far
            joined &= filled >> far
        if alone:
            return ALL
        if step != ONE:  # lines up column 0 are in ``upright``
            need |= joined & low
    top = digit if tables.sizes[1] else 0
    return tables.upright[seat, top] | tables.holds[seat, np.int64(need)]  # type: ignore[no-any-return]
