"""A perfect index of the boards of a line game, such as Connect: each board is one bit.

A board is one bit of an array of words.  Which word: a number in mixed radix whose digits are the
codes of columns 1, 2, ... and of what lies in column 0 above its lowest cells.  Which bit of the
word: the code of the lowest cells of column 0.  Codes are numbered so that a stone only ever raises
them, hence every move leads to a greater word, or to a higher bit of the same word; a move is one
shift of a whole word, or one step in the array, the same for 64 boards at once.

Under full gravity a column is a stack, ``2**height`` plus a bit for each X: five cells fill 63 of
64 bits.  Otherwise three cells are a ternary number and take 27.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from icgsynth.boards.starts.decode import BoardTables, Ints
from icgsynth.boards.starts.lines import LineGame
from icgsynth.digits.arrays import Words

_ALL = (1 << 64) - 1  # all 64 bits: an open cell allows every inner code

_Column = tuple[int, int]  # the rows of X and of O in one column


def _columns(height: int, lowest: int) -> list[_Column]:
    """Return every content of a column of ``height`` cells that play can make, as bits (X, O),
    fewest stones first. A stone goes to one of the ``lowest`` lowest empty cells."""
    # Breadth first over moves; a list may grow while it is read.
    found: list[_Column] = [(0, 0)]
    seen = set(found)
    for x, o in found:
        for row in _free(x | o, height, lowest):
            for after in ((x | 1 << row, o), (x, o | 1 << row)):
                if after not in seen:
                    seen.add(after)
                    found.append(after)
    # By the number of stones first: so each move leads to a greater code.
    return sorted(found, key=lambda code: ((code[0] | code[1]).bit_count(), code))


def _free(taken: int, height: int, lowest: int) -> list[int]:
    return [row for row in range(height) if not taken >> row & 1][:lowest]


@dataclass(frozen=True)
class BoardIndex:
    """The perfect index of the boards of one line game, as tables for compiled kernels."""

    game: LineGame

    # --- the inner code ----------------------------------------------------------------------

    @cached_property
    def inner_rows(self) -> int:
        """The number of lowest cells of column 0 whose content the bit within a word encodes."""
        return min(self.game.rows, 5 if self.game.lowest == 1 else 3)

    def _inner_code(self, x: int, o: int) -> int:
        # A stack of h stones is 2^h + (the bits of X): from 1 for none to 2^(h + 1) - 1, each h in
        # a range of its own. With up to five stones all codes are below 64.
        if self.game.lowest == 1:
            return (1 << (x | o).bit_count()) + x
        # Else each cell is a ternary digit: 0 empty, 1 for X, 2 for O; 3^3 = 27 codes fit a word.
        return sum(
            3**row * (1 if x >> row & 1 else 2 if o >> row & 1 else 0)
            for row in range(self.inner_rows)
        )

    @cached_property
    def inner(self) -> dict[_Column, int]:
        """The code, a bit number below 64, of each content (rows of X, rows of O, as bits) of the
        lowest cells of column 0."""
        cells = _columns(self.inner_rows, min(self.game.lowest, self.inner_rows))
        return {code: self._inner_code(*code) for code in cells}

    @cached_property
    def inner_moves(self) -> tuple[Words, Words]:
        """The moves in the lowest cells of column 0, whose content has a code: ``masks`` (p,),
        ``shifts`` (2, p). A code in the bit set ``masks[k]`` rises by ``shifts[0, k]`` for a stone
        X, by ``shifts[1, k]`` for O."""
        # A stone raises the code by an amount that often depends on the row alone: in ternary by
        # 3^row or 2 * 3^row. Boards of one shift move together, by one shift of the whole word.
        grouped: dict[tuple[int, int, int], int] = {}
        for (x, o), code in self.inner.items():
            for row in _free(x | o, self.inner_rows, self.game.lowest):
                to_x = self.inner[x | 1 << row, o] - code
                to_o = self.inner[x, o | 1 << row] - code
                key = row, to_x, to_o
                grouped[key] = grouped.get(key, 0) | 1 << code
        keys = sorted(grouped)
        return (
            np.array([grouped[key] for key in keys], np.uint64),
            np.array([key[1:] for key in keys], np.uint64).reshape(-1, 2).T.copy(),
        )

    def _codes_where(self, holds: Callable[[int, int], bool]) -> int:
        return sum(1 << code for (x, o), code in self.inner.items() if holds(x, o))

    @cached_property
    def parity(self) -> Words:
        """Two bit sets: the codes of contents of column 0's lowest cells with an even, and with an
        odd, number of stones."""
        odd = self._codes_where(lambda x, o: (x | o).bit_count() % 2 == 1)
        return np.array([self._codes_where(lambda *_: True) ^ odd, odd], np.uint64)

    @cached_property
    def holds(self) -> Words:
        """Bit sets (2, 2**inner_rows) of the codes for column 0's lowest cells: those where X, or
        O, has a stone on some row of the mask of rows that is the index."""
        # holds[seat, mask] is a set of codes: one word answers for all boards of a word which of
        # them have a stone of the seat on a row of the mask.
        table = np.zeros((2, 1 << self.inner_rows), np.uint64)
        masks = np.arange(1 << self.inner_rows)
        for stones, code in self.inner.items():
            for seat in (0, 1):
                table[seat, masks & stones[seat] != 0] |= np.uint64(1 << code)
        return table

    # --- the digits ----------------------------------------------------------------------------

    @cached_property
    def _digits(self) -> list[list[_Column]]:
        """For each digit of the number of a word of boards, the contents of a column (rows of X,
        rows of O, as bits) that its codes mean."""
        game, low = self.game, self.inner_rows
        digits = []
        if low < game.rows:
            # Each content of column 0 above the inner cells once, whatever is below it.
            above = sorted(
                {(x >> low << low, o >> low << low) for x, o in _columns(game.rows, game.lowest)},
                key=lambda code: ((code[0] | code[1]).bit_count(), code),
            )
            digits.append(above)
        # All other columns have the same contents, and each is one digit.
        digits += [_columns(game.rows, game.lowest)] * (game.columns - 1)
        return digits

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The column that each digit of a word's number encodes; column 0 comes first if it has
        more cells than the lowest ones, which the bit encodes."""
        extra = (0,) if self.inner_rows < self.game.rows else ()
        return (*extra, *range(1, self.game.columns))

    @cached_property
    def words(self) -> int:
        """The number of 64-bit words of a bit set of boards."""
        return prod(map(len, self._digits))

    @cached_property
    def radix(self) -> Ints:
        return np.array([len(digit) for digit in self._digits], np.int64)

    @cached_property
    def strides(self) -> Ints:
        # Digit d counts for the product of the radices before it: the first digit is the least.
        return np.cumprod([1, *self.radix])[:-1]

    @cached_property
    def stones(self) -> Words:
        """The stones of X and of O, as bits of the board, that each code of each digit of a word's
        number means (2, digits, codes)."""
        table = np.zeros((2, len(self._digits), self._most), np.uint64)
        for d, (digit, column) in enumerate(zip(self._digits, self.columns, strict=True)):
            for c, code in enumerate(digit):
                for seat in (0, 1):
                    table[seat, d, c] = code[seat] << (column * (self.game.rows + 1))
        return table

    @cached_property
    def _most(self) -> int:
        return max((len(digit) for digit in self._digits), default=1)

    @cached_property
    def digit_moves(self) -> tuple[Ints, Ints, Words]:
        """The moves that change a digit of the number of a word: ``count``, ``steps`` and
        ``legal``. ``count`` (digits, codes): how many; ``steps`` (2, digits, codes, m): what X and
        O add to the number; ``legal`` (digits, codes, m): the bit set of the contents of column 0's
        lowest cells that allow it."""
        game, low = self.game, self.inner_rows
        shape = len(self._digits), self._most
        count = np.zeros(shape, np.int64)
        steps = np.zeros((2, *shape, game.rows), np.int64)
        legal = np.zeros((*shape, game.rows), np.uint64)
        for d, (digit, column) in enumerate(zip(self._digits, self.columns, strict=True)):
            number = {code: c for c, code in enumerate(digit)}
            stride = int(self.strides[d])
            for c, (x, o) in enumerate(digit):
                for row in range(low if column == 0 else 0, game.rows):
                    if (x | o) >> row & 1:
                        continue
                    mask = self._open(x | o, row, column)
                    after = (x | 1 << row, o), (x, o | 1 << row)
                    if not mask or after[0] not in number:
                        continue
                    m = int(count[d, c])
                    for seat in (0, 1):
                        # A move changes one digit alone, so the word changes by the difference of
                        # codes times the stride; positive, for codes rise with stones.
                        steps[seat, d, c, m] = (number[after[seat]] - c) * stride
                    legal[d, c, m] = mask
                    count[d, c] += 1
        return count, steps, legal

    def _open(self, taken: int, row: int, column: int) -> int:
        """Return the bit set of the codes of contents of column 0's lowest cells with which the
        cell (row, column) may be played. ``taken``: the rows of its column that have a stone above
        these cells, as bits."""
        low = self.inner_rows if column == 0 else 0
        # A cell may be played if fewer than `lowest` cells below it are empty: gaps among the cells
        # of the digit, and in column 0 those among the inner cells, which depend on the inner code.
        gaps = sum(not taken >> r & 1 for r in range(low, row))
        if column:
            return _ALL if gaps < self.game.lowest else 0
        full = (1 << low) - 1
        return self._codes_where(
            lambda x, o: low - ((x | o) & full).bit_count() + gaps < self.game.lowest
        )

    @cached_property
    def upright(self) -> Words:
        """Bit sets (2, codes of digit 0) of the contents of column 0's lowest cells with which X,
        or O, has a line up column 0."""
        game, low = self.game, self.inner_rows
        above = self._digits[0] if low < game.rows else [(0, 0)]
        table = np.zeros((2, len(above)), np.uint64)
        if "C" not in game.win:
            return table
        for r in range(game.rows - game.match + 1):
            # Rows r to r + match - 1 of column 0. A line of inner cells counts with every digit.
            line = ((1 << game.match) - 1) << r
            if r >= low:
                continue  # lies in the digit alone
            for c, code in enumerate(above):
                for seat in (0, 1):
                    for low_cells, inner in self.inner.items():
                        if (low_cells[seat] | code[seat]) & line == line:
                            table[seat, c] |= np.uint64(1 << inner)
        return table

    @cached_property
    def line_steps(self) -> Ints:
        """The number of bits between neighbouring cells of a line, for each way to win."""
        # Columns are rows + 1 bits apart: the bit between them is never set, so a shifted line does
        # not run on from the top of one column into the bottom of the next (as in Fhourstones).
        up = self.game.rows + 1
        steps = {"R": (up,), "C": (1,), "D": (up + 1, up - 1)}
        return np.array([s for way in self.game.win for s in steps[way]], np.int64)

    @cached_property
    def tables(self) -> BoardTables:
        """All tables of the index together, as the compiled kernels take them."""
        masks, shifts = self.inner_moves
        counts, steps, legal = self.digit_moves
        sizes = (self.inner_rows, self.inner_rows < self.game.rows, self.game.match)
        return BoardTables(
            radix=self.radix,
            stones=self.stones,
            counts=counts,
            steps=steps,
            legal=legal,
            masks=masks,
            shifts=shifts,
            parity=self.parity,
            inner=self.inner_boards,
            upright=self.upright,
            holds=self.holds,
            line_steps=self.line_steps,
            sizes=np.array(sizes, np.int64),
        )

    @cached_property
    def inner_boards(self) -> Words:
        """The stones of X and of O in the lowest cells of column 0, as bits, for each code of their
        content (2, 64)."""
        table = np.zeros((2, 64), np.uint64)
        for (x, o), code in self.inner.items():
            table[0, code], table[1, code] = x, o
        return table
