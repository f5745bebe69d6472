"""What the compiled kernels are given: arrays under names, as few arguments.

Nothing here needs numba, which takes a NamedTuple of arrays as one argument.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic.bits import Words

__all__ = [
    "MOST",
    "WIN",
    "BoardJudge",
    "BoardTables",
    "Children",
    "Draws",
    "Ints",
    "LineRules",
    "Memory",
    "Ranked",
]

Ints = NDArray[Any]


WIN = 127
"""The value of a line of X; with haste one less for every further move."""

MOST = 100
"""No board without a line is worth more, or less than its negative: values beyond are wins."""


class BoardTables(NamedTuple):
    """A :class:`~icgsynth.starts.board_index.BoardIndex` as arrays: d digits of at most c codes.

    A board is bit ``b`` of word ``w``: the digits of ``w`` in mixed radix are the codes of the
    columns, ``b`` is the code of the lowest cells of column 0, the inner code.  A move changes
    one digit (at most m moves for each code) or the inner code (p kinds of moves).  Seat 0 is
    X, seat 1 is O.
    """

    radix: Ints  # int64 (d,): how many codes each digit has
    stones: Words  # (2, d, c): the board bits of each seat under each code
    counts: Ints  # int64 (d, c): how many moves change the digit
    steps: Ints  # int64 (2, d, c, m): what a move adds to the word
    legal: Words  # (d, c, m): the inner codes that allow it
    masks: Words  # (p,): the inner codes in which a move within the word applies
    shifts: Words  # (2, p): how far such a move shifts the bit
    parity: Words  # (2,): the inner codes with an even and an odd count of stones
    balance: Words  # (2 * inner rows + 1,): those by how many more stones X has than O
    inner: Words  # (2, 64): the stones of each seat under each inner code
    upright: Words  # (2, c): inner codes that make a line up column 0, by the code of digit 0
    holds: Words  # (2, 2 ** inner rows): inner codes where a seat holds a cell of a mask
    line_steps: Ints  # int64 (directions,): bits from one cell of a line to the next
    sizes: Ints  # int64 (3,): the inner rows; whether digit 0 is column 0; stones in a line


class Ranked(NamedTuple):
    """A set of boards whose members are numbered; (words,) each."""

    sets: Words
    first: Ints  # uint32: how many boards lie in earlier words


class Children(NamedTuple):
    """Room for the words that the moves of one word lead to (64,) each, in the order met."""

    sets: Words
    first: Ints  # int64
    allowed: Words  # the inner codes that allow the move


class Draws(NamedTuple):
    """Players a of X who draw among moves, and how they fare."""

    best: Ints  # (players, ranks): the moves that each draws from, as bits
    won: Ints  # float32 (ranks, players): the chance to win
    total: Ints  # float64 (players,): room for the sum of the chances after the moves of a board
    ways: Ints  # float64 (players,): room for how many moves these are


class LineRules(NamedTuple):
    """A game of lines for kernels that look at one board at a time."""

    columns: Words  # (columns,): the cells of each
    lowest: int  # of the empty cells of a column, how many a player may choose from
    steps: Ints  # int64 (directions,): bits from one cell of a line to the next
    match: int  # stones in a line


class BoardJudge(NamedTuple):
    """What a board is worth (see :class:`~icgsynth.starts.reward.Reward`)."""

    windows: Words  # (windows,): the lines that could be filled
    weights: Ints  # int64 (match + 1,): worth of a window by own stones
    haste: bool


class Memory(NamedTuple):
    """What was found out about boards, one place for each; the last one stays.

    The places are a power of two, and a tag of 0 marks an unused one.
    """

    boards: Words  # (places, 2)
    tags: Ints  # int8 (places,)
    found: Ints  # (places,)

    @classmethod
    def empty(cls, places: int, kind: type[np.generic]) -> Memory:
        """No board known; results are of ``kind``."""
        return cls(
            np.zeros((places, 2), np.uint64), np.zeros(places, np.int8), np.zeros(places, kind)
        )
