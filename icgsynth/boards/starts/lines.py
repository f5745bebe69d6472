"""Line games, one parametric family: Tic-tac-toe, Connect, Bottom-l and variants (section 4).

Two players, X (player 1) and O (player 2), put stones on a board of ``rows`` by ``columns``; who
first has ``match`` stones in a line, in a direction that counts, has won.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Move

Position: TypeAlias = tuple[int, int]
"""The stones of X and of O: bit ``column * (rows + 1) + row`` of each, row 0 at the bottom.

The spare bit above every column keeps lines from running over the edge.
"""

Seat: TypeAlias = Literal[0, 1]
_MOST_BITS = 64  # bits of a board: one for each cell and one more for each column


@dataclass(frozen=True)
class LineGame:
    """A game of the n-in-a-row family; its states are pairs of integers (:data:`Position`).

    ``win`` is a part of ``RCD`` (rows, columns, both diagonals).  ``lowest`` is how many of the
    lowest empty cells of a column a player may choose from: 1 is full gravity, ``rows`` none."""

    rows: int
    columns: int
    match: int
    win: str = "RCD"
    lowest: int = 1

    def __post_init__(self) -> None:
        if self.rows < 1 or self.columns < 1 or self.columns * (self.rows + 1) > _MOST_BITS:
            raise InputError(
                f"a board of {self.rows}x{self.columns} is not possible",
                mend="columns * (rows + 1) is at most 64, as on 7x8",
            )
        directions = "".join(d for d in "RCD" if d in self.win.upper())
        if not directions or set(self.win.upper()) - set("RCD"):
            raise InputError(
                f"no such way to win: {self.win[:20]!r}",
                mend="some of R (rows), C (columns), D (diagonals), as in RCD",
            )
        if not 2 <= self.match <= max(self.rows, self.columns):
            raise InputError(
                f"no {self.match} in a line on {self.rows}x{self.columns}",
                mend=f"--match 2 to {max(self.rows, self.columns)}",
            )
        if self.lowest < 1:
            raise InputError("gravity leaves no cell to choose", mend="1 or more lowest cells")
        object.__setattr__(self, "win", directions)
        object.__setattr__(self, "lowest", min(self.lowest, self.rows))

    # --- what it is called -----------------------------------------------------------------

    @property
    def gravity(self) -> str:
        """The name of the gravity: ``full``, ``none`` or ``bottom-l``."""
        if self.lowest == self.rows:
            return "full" if self.rows == 1 else "none"
        return "full" if self.lowest == 1 else f"bottom-{self.lowest}"

    @property
    def name(self) -> str:
        """The name of the game, such as ``connect-4 5x5 RCD``."""
        noun = {"full": "connect", "none": "tictactoe"}.get(self.gravity, self.gravity)
        return f"{noun}-{self.match} {self.rows}x{self.columns} {self.win}"

    def __str__(self) -> str:
        return self.name

    # --- the board ----------------------------------------------------------------------------

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def bit(self, row: int, column: int) -> int:
        """Return the bit mask of the cell at ``row``, counted from the bottom, and ``column``."""
        return 1 << (column * (self.rows + 1) + row)

    def place(self, bit: int) -> tuple[int, int]:
        """Return the (row, column) of the cell with the bit mask ``bit``."""
        column, row = divmod(bit.bit_length() - 1, self.rows + 1)
        return row, column

    @cached_property
    def all_cells(self) -> int:
        return sum(self.bit(r, c) for r in range(self.rows) for c in range(self.columns))

    @cached_property
    def windows(self) -> tuple[int, ...]:
        """All winning lines as bit masks of cells."""
        steps = {"R": ((0, 1),), "C": ((1, 0),), "D": ((1, 1), (1, -1))}
        found = set()
        for direction in self.win:
            for up, right in steps[direction]:
                for row in range(self.rows):
                    for column in range(self.columns):
                        last = row + up * (self.match - 1), column + right * (self.match - 1)
                        if 0 <= last[0] < self.rows and 0 <= last[1] < self.columns:
                            found.add(
                                sum(
                                    self.bit(row + up * k, column + right * k)
                                    for k in range(self.match)
                                )
                            )
        return tuple(sorted(found))

    def has_line(self, stones: int) -> bool:
        """Return whether ``stones``, the bit mask of one player's, contain a winning line."""
        return any(stones & window == window for window in self.windows)

    @property
    def initial(self) -> Position:
        """The empty board."""
        return 0, 0

    def mover(self, state: Position) -> Seat:
        """Return the player to move, by the number of stones: 0 is X, 1 is O."""
        return 0 if (state[0] | state[1]).bit_count() % 2 == 0 else 1

    def winner(self, state: Position) -> Seat | None:
        """Return the player (0 is X, 1 is O) who has a winning line; None if nobody has."""
        for seat in (0, 1):
            if self.has_line(state[seat]):
                return seat
        return None

    def empty(self, state: Position) -> Iterator[int]:
        """Yield the bit masks of cells where a stone may go, by columns, from left and below."""
        taken = state[0] | state[1]
        for column in range(self.columns):
            free = 0
            for row in range(self.rows):
                bit = self.bit(row, column)
                if not taken & bit:
                    yield bit
                    free += 1
                    if free == self.lowest:
                        break

    def may_take(self, state: Position, bit: int) -> bool:
        """Return whether gravity allows a stone on the empty cell ``bit``, and allows the stones of
        ``state``. That a line may have ended play is ignored."""
        row, column = self.place(bit)
        # The cells of the same column under this one: rows less the stones there are its gaps.
        below = (bit - 1) & (((1 << row) - 1) << column * (self.rows + 1))
        stones_below = ((state[0] | state[1]) & below).bit_count()
        return row - stones_below < self.lowest and self._stands(state[0] | state[1])

    def put(self, state: Position, bit: int) -> Position:
        """Return the state after the player to move takes the cell ``bit``, legal or not."""
        x, o = state
        return (x | bit, o) if self.mover(state) == 0 else (x, o | bit)

    # --- the protocol of a game -------------------------------------------------------------

    def is_legal(self, state: Position) -> bool:
        """Return whether a state has legal stones: no overlap, right counts, and by gravity.
        Whether play reaches it is not asked; see :func:`icgsynth.boards.starts.query.path_to`."""
        x, o = state
        if len(state) != 2 or min(x, o) < 0 or x & o or (x | o) & ~self.all_cells:
            return False
        return x.bit_count() - o.bit_count() in (0, 1) and self._stands(x | o)

    def _stands(self, taken: int) -> bool:
        """Return whether gravity allows the stones ``taken`` (a bit mask): in its column each has
        fewer than ``lowest`` empty cells below it."""
        for column in range(self.columns):
            gaps = 0
            for row in range(self.rows):
                if not taken & self.bit(row, column):
                    gaps += 1
                elif gaps >= self.lowest:
                    return False
        return True

    def moves(self, state: Position) -> Iterator[Move]:
        if self.is_legal(state) and self.winner(state) is None:
            for bit in self.empty(state):
                yield self.move(bit)

    def move(self, bit: int) -> Move:
        """Return the move that takes the cell ``bit``: ``drop(3)`` under full gravity, else
        ``mark(2, 3)``. Columns count from 1 at the left, rows from 1 at the bottom."""
        row, column = self.place(bit)
        if self.lowest == 1:
            return Move("drop", (("column", column + 1),))
        return Move("mark", (("column", column + 1), ("row", row + 1)))

    def cell(self, state: Position, move: Move) -> int | None:
        """Return the bit mask of the cell that ``move`` takes; None for an illegal move."""
        if not self.is_legal(state) or self.winner(state) is not None:
            return None
        return next((bit for bit in self.empty(state) if self.move(bit) == move), None)

    def applies(self, state: Position, move: Move) -> bool:
        return self.cell(state, move) is not None

    def result(self, state: Position, move: Move) -> Position:
        bit = self.cell(state, move)
        if bit is None:
            raise IllegalMove(f"{move} does not apply in {self.show(state)}")
        return self.put(state, bit)

    # --- text ----------------------------------------------------------------------------------

    def show(self, state: Position) -> str:
        """Return a state as text, rows from the top: ``..O/.XX/OXO``."""
        return "/".join(self.grid(state))

    def grid(self, state: Position) -> tuple[str, ...]:
        """Return the rows from the top as strings, with a character a cell: ``X``, ``O``, ``.``."""
        x, o = state
        return tuple(
            "".join(
                "X" if x & self.bit(r, c) else "O" if o & self.bit(r, c) else "."
                for c in range(self.columns)
            )
            for r in reversed(range(self.rows))
        )

    def read(self, text: str) -> Position:
        """Return the state that ``text`` shows, written as by :meth:`show`; else InputError."""
        rows = text.strip().split("/")
        mend = f"{self.rows} rows of {self.columns} characters X, O or . with / between"
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise InputError(f"{text[:80]!r} is not a board of {self.name}", mend=mend)
        x = o = 0
        for r, row in enumerate(reversed(rows)):
            for c, mark in enumerate(row.upper()):
                if mark not in "XO.":
                    raise InputError(f"{mark!r} is no mark", mend=mend)
                x |= self.bit(r, c) * (mark == "X")
                o |= self.bit(r, c) * (mark == "O")
        if not self.is_legal((x, o)):
            raise InputError(
                f"{text} is not a position of {self.name}",
                mend="X moves first and the players take turns; no stone hangs above "
                f"{self.lowest} empty cells"
                if self.lowest < self.rows
                else "X moves first and the players take turns",
            )
        return x, o

    # --- symmetry -------------------------------------------------------------------------------

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The symmetries of the board: each maps cell ``row * columns + column`` to a bit index.
        The mirror; without gravity also upside down, and on a square board, where rows and columns
        count alike, turned. The first is the identity."""
        column, row = np.meshgrid(range(self.columns), range(self.rows))
        # Each list is doubled: by the mirror, upside down, and across the diagonal.
        images = [column * (self.rows + 1) + row]
        images += [image[:, ::-1] for image in images]
        if self.lowest == self.rows:
            images += [image[::-1] for image in images]
            if self.rows == self.columns and ("R" in self.win) == ("C" in self.win):
                images += [image.T for image in images]
        return tuple(dict.fromkeys(tuple(image.ravel().tolist()) for image in images))

    def images(self, state: Position) -> tuple[Position, ...]:
        """Return the images of a state under all symmetries, the state itself first."""
        stones = [
            [i for i in range(self.cells) if side & self.bit(*divmod(i, self.columns))]
            for side in state
        ]
        return tuple(
            (sum(1 << image[i] for i in stones[0]), sum(1 << image[i] for i in stones[1]))
            for image in self.symmetries
        )

    def canonical(self, state: Position) -> Position:
        """Return the least image of a state under all symmetries."""
        return min(self.images(state))


PRESETS: dict[str, tuple[int, int, int, str]] = {
    "connect": (5, 5, 4, "full"),
    "tictactoe": (3, 3, 3, "none"),
    "bottom": (4, 4, 3, "bottom-2"),
}
"""The default rows, columns, match length and gravity of each named game."""

_SIZE = re.compile(r"(\d{1,2})x(\d{1,2})")


def line_game(
    preset: str,
    size: str | None = None,
    match: int | None = None,
    win: str = "RCD",
    gravity: str | None = None,
) -> LineGame:
    """Return the line game ``preset`` with changes, as in ``line_game("connect", "4x4", 3)``.
    ``size`` is ROWSxCOLUMNS; ``match`` how many in a row win, ``win`` the directions (some of R, C,
    D); ``gravity``: ``none``, ``full`` or ``bottom-l``. None: as in the preset. Else InputError."""
    rows, columns, length, pull = PRESETS[preset]
    if size is not None:
        found = _SIZE.fullmatch(size.strip().lower())
        if found is None:
            raise InputError(f"{size[:20]!r} is no size", mend="ROWSxCOLUMNS, as in 5x5")
        rows, columns = int(found[1]), int(found[2])
        length = min(length, max(rows, columns))
    pull = gravity or pull
    if pull == "full":
        lowest = 1
    elif pull == "none":
        lowest = max(rows, 1)
    elif (found := re.fullmatch(r"bottom-(\d{1,2})", pull)) is not None:
        lowest = int(found[1])
    else:
        raise InputError(f"no such gravity: {pull[:20]!r}", mend="none, full or bottom-2")
    return LineGame(rows, columns, length if match is None else match, win, lowest)
