"""The tables of the kernels for line games, and how a kernel decodes a word of boards.

Every word is a uint64 and every index an int64: mixed, they would turn into floats.  Arrays are
taken out of a tuple before a loop: taken out within, each costs a count of references.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_kernels import ALL, NONE, ONE, U, popcount
from icgsynth.digits.arrays import Words
from icgsynth.process.compiled import inlined

# --- tables --------------------------------------------------------------------------------------

Ints = NDArray[Any]


WIN = 127
"""The value to X of a win; with haste one less for every move until then."""

MOST = 100
"""The greatest worth of a board without a line; greater values are wins, and of -MOST losses."""


class BoardTables(NamedTuple):
    """The tables of a :class:`~icgsynth.boards.starts.board_index.BoardIndex`: d digits, c codes.

    A board is bit ``b`` of word ``w``: the digits of ``w`` in mixed radix are the codes of the
    columns, ``b`` is the code of the lowest cells of column 0, the inner code. A move changes one
    digit (at most m moves for each code) or the inner code (p kinds). Seat 0 is X, seat 1 is O."""

    radix: Ints  # int64 (d,): how many codes each digit has
    stones: Words  # (2, d, c): the board bits of each seat under each code
    counts: Ints  # int64 (d, c): how many moves change the digit
    steps: Ints  # int64 (2, d, c, m): what a move adds to the word
    legal: Words  # (d, c, m): the inner codes that allow it
    masks: Words  # (p,): the inner codes in which a move within the word applies
    shifts: Words  # (2, p): how far such a move shifts the bit
    parity: Words  # (2,): the inner codes with an even and an odd count of stones
    inner: Words  # (2, 64): the stones of each seat under each inner code
    upright: Words  # (2, c): inner codes that make a line up column 0, by the code of digit 0
    holds: Words  # (2, 2 ** inner rows): inner codes where a seat holds a cell of a mask
    line_steps: Ints  # int64 (directions,): bits from one cell of a line to the next
    sizes: Ints  # int64 (3,): the inner rows; whether digit 0 is column 0; stones in a line


class Ranked(NamedTuple):
    """A bit set of boards with its members numbered by rank; both arrays (words,)."""

    sets: Words
    first: Ints  # uint32: how many boards lie in earlier words


class WordMoves(NamedTuple):
    """Scratch memory for the moves of all boards in one word, by board from the lowest bit."""

    first: Ints  # int64 (65,): those of the i-th board are first[i]:first[i + 1]
    child: Ints  # int64 (moves,): the rank of the board after it, -1 where play ends
    seat: Ints  # int64 (64,): whose turn it is on the i-th board
    # For the moves of each seat that lead to other words:
    there: Words  # (2, 64): the word
    base: Ints  # int64 (2, 64): the rank of its first board
    allowed: Words  # (64,): the inner codes that allow the move


class LineRules(NamedTuple):
    """The rules of a line game for kernels that look at one board at a time."""

    columns: Words  # (columns,): the cells of each
    lowest: int  # of the empty cells of a column, how many a player may choose from
    steps: Ints  # int64 (directions,): bits from one cell of a line to the next
    match: int  # stones in a line


class BoardJudge(NamedTuple):
    """How a search judges boards (:class:`~icgsynth.boards.starts.reward.Reward`), and a window."""

    windows: Words  # (windows,): the lines that could be filled
    weights: Ints  # int64 (match + 1,): worth of a window by own stones
    haste: bool
    low: int  # of a value that is at most ``low``, or at least ``high``, no more is asked
    high: int


class Memory(NamedTuple):
    """A hash table of results for boards; one entry a place, and a later entry replaces it.

    The places are a power of two, and a tag of 0 marks an unused one."""

    boards: Words  # (places, 2)
    tags: Ints  # int8 (places,)
    found: Ints  # (places,)

    @classmethod
    def empty(cls, places: int, kind: type[np.generic]) -> Memory:
        """Return an empty hash table with ``places`` places for results of type ``kind``."""
        return cls(
            np.zeros((places, 2), np.uint64), np.zeros(places, np.int8), np.zeros(places, kind)
        )


# --- decode --------------------------------------------------------------------------------------


@inlined
def window_score(x: U, o: U, windows: Words, start: int, stop: int, weights: Ints) -> int:
    """Return the worth to X of the lines ``windows[start:stop]`` on the board (``x``, ``o``).
    ``weights[k]`` is that of a line with k stones of X and none of O; of O alone, the negative."""
    score = 0
    for i in range(start, stop):
        # A window with stones of both cannot be filled by either, and counts nothing.
        mine = x & windows[i]
        theirs = o & windows[i]
        if theirs == NONE:
            score += weights[popcount(mine)]
        elif mine == NONE:
            score -= weights[popcount(theirs)]
    return score


@inlined
def step_back(value: Any) -> Any:
    """Return a board's value as seen one move earlier: that of a win, above ``MOST``, is 1 less,
    that of a loss, below ``-MOST``, 1 more."""
    if value > MOST:
        return value - 1
    return value + 1 if value < -MOST else value


@inlined
def decode_word(tables: BoardTables, word: int, code: Ints) -> tuple[U, U]:
    """Write the digits of the word number ``word`` to ``code`` (d + 1,), with the number at the
    end; return the stones of X and of O that they mean. ``code`` held another word's: few divisions
    lead from there."""
    radix, stones = tables.radix, tables.stones
    more, code[-1] = word - code[-1], word
    x = o = NONE
    for d in range(len(radix)):
        # The difference of the two words is added to the lowest digit; what exceeds a digit's range
        # is carried on to the next one.
        digit, more = code[d] + more, 0
        if digit < 0 or digit >= radix[d]:
            more, digit = divmod(digit, radix[d])
        code[d] = digit
        x |= stones[0, d, digit]
        o |= stones[1, d, digit]
    return x, o


@inlined
def into(tables: BoardTables, code: Ints, word: int, seat: int, after: Words, flip: U) -> U:
    """Return the bit set of the boards in the word of number ``word`` on which ``seat`` (0: X, 1:
    O) can move into the bit set ``after``, or into its complement if ``flip`` is all ones. ``code``
    has the digits of the word."""
    masks, counts, legal = tables.masks, tables.counts, tables.legal
    shifts, steps = tables.shifts, tables.steps
    some: U = NONE
    for k in range(len(masks)):
        # Within the word: the boards whose image under the shift is in the set.
        some |= ((after[word] ^ flip) >> shifts[seat, k]) & masks[k]
    for d in range(len(counts)):
        for m in range(counts[d, code[d]]):
            child = word + steps[seat, d, code[d], m]
            some |= (after[child] ^ flip) & legal[d, code[d], m]
    return some


@inlined
def column_lines(tables: BoardTables, board: U, seat: int, digit: int) -> U:
    """Return the bit set of the codes of contents of column 0's lowest cells with which ``seat``
    has a line. ``board`` has its stones in all other cells; ``digit`` is the word's first digit."""
    line_steps, match = tables.line_steps, tables.sizes[2]
    low = (ONE << U(tables.sizes[0])) - ONE
    filled = board | low
    need = NONE
    for d in range(len(line_steps)):
        step = U(line_steps[d])
        # Bit i of ``alone`` stays where a line from i on is full already, of ``joined`` where it is
        # full once the seat holds the inner cells of the line as well.
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
