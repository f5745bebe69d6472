"""Find the board of a finite game, and the place of facts and actions on it, from their names.

Two shapes are known.  A *grid*: ``cell(1,2,x)``, or ``square(1,2)`` without a value, for all rows
and columns.  A *graph*: ``line(1,2,red)``, for all pairs of points with the first less. The cell
may also be a term of its own, with the value on either side: ``has(x,cell(1,2))``. Row and column,
as the game names them, first and second: nothing says which way is up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from typing import Literal, TypeAlias

from icgsynth.boards.finite.names import is_number, words

Cell: TypeAlias = tuple[str, str]

_CELL_TERM = re.compile(
    r"([^(),]+)\((?:([^(),]+),)?[^(),]+\(([^(),]+),([^(),]+)\)(?:,([^(),]+))?\)"
)
_LEAST = 2  # rows and columns of a board at least
_POINTS = 3


@dataclass(frozen=True)
class Layout:
    """A board told by facts ``relation(row,column)``, with a value as third argument if ``valued``.

    Of a graph ``rows`` and ``columns`` are both the points.  ``values`` come in the order in
    which the game's facts name them.  ``vacant`` is the relation that holds of the cells on which
    nothing stands, empty where there is none.
    """

    shape: Literal["grid", "graph"]
    relation: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    valued: bool
    values: tuple[str, ...]
    vacant: str = ""

    def place(self, fact: str) -> tuple[Cell, str] | None:
        """Return the cell (row, column) of ``fact`` and its value or ""; None for other facts."""
        relation, *rest = _read(fact)
        if relation != self.relation or len(rest) != 2 + self.valued:
            return None
        cell = (rest[0], rest[1])
        return (cell, rest[2] if self.valued else "") if self._has(cell) else None

    def cells(self, action: str) -> tuple[Cell, ...]:
        """Return the cells (row, column) that ``action`` names, in order: one to mark, two to move
        between; () if it names none."""
        rest = words(action)[1:]
        # An even number of arguments is read in pairs, each a row and a column; of an odd number
        # the first two neighbours that are a cell.
        if len(rest) % 2 == 0 and rest:
            found = list(zip(rest[::2], rest[1::2], strict=True))
        else:
            found = [cell for cell in pairwise(rest) if self._has(cell)][:1]
        return tuple(found) if all(map(self._has, found)) else ()

    def _has(self, cell: Cell) -> bool:
        row, column = cell
        if row not in self.rows or column not in self.columns:
            return False
        return self.shape == "grid" or self.rows.index(row) < self.columns.index(column)


def layout_of(facts: Sequence[str], start: Iterable[str] = ()) -> Layout | None:
    """Return the largest board that the names of ``facts`` describe, or None.

    ``start`` are the facts of the initial state: a relation without values that has one fact for
    each row there is a counter, and no board.
    """
    held = tuple(start)
    groups: dict[tuple[str, int], list[tuple[str, ...]]] = {}
    for fact in facts:
        relation, *rest = _read(fact)
        if len(rest) in (2, 3):
            groups.setdefault((relation, len(rest)), []).append(tuple(rest))
    found = [_board(name, rest) for (name, _), rest in groups.items()]
    boards = [board for board in found if board is not None and not _counts(board, held)]
    board = max(boards, key=lambda b: (len(b.rows) * len(b.columns), b.valued), default=None)
    if board is None or not board.valued:
        return board
    # The vacant cells are those of which the values say nothing at the start.
    free = set(product(board.rows, board.columns)) - _cells(board, held)
    vacant = (b.relation for b in boards if not b.valued and _cells(b, held) == free)
    return replace(board, vacant=next(vacant, ""))


def _read(fact: str) -> tuple[str, ...]:
    """Split ``fact`` into relation, row, column and any value; also one as ``has(x,cell(1,2))``."""
    found = _CELL_TERM.fullmatch(fact)
    if found is None:
        return words(fact)
    relation, before, row, column, after = found.groups()
    return (relation, row, column, *(value for value in (before, after) if value is not None))


def _cells(board: Layout, facts: Iterable[str]) -> set[Cell]:
    return {at[0] for fact in facts if (at := board.place(fact)) is not None}


def _counts(board: Layout, start: tuple[str, ...]) -> bool:
    """Return whether ``start`` has one unvalued fact for each row: a counter, as ``has(3,5)``."""
    placed = [at[0][0] for fact in start if (at := board.place(fact)) is not None]
    return not board.valued and sorted(placed) == sorted(board.rows)


def _board(relation: str, rest: list[tuple[str, ...]]) -> Layout | None:
    rows, columns = (tuple(dict.fromkeys(part[i] for part in rest)) for i in (0, 1))
    rows, columns = _order_names(rows), _order_names(columns)
    values = tuple(dict.fromkeys(part[2] for part in rest if len(part) == 3))
    valued = len(rest[0]) == 3
    cells = {(part[0], part[1]) for part in rest}
    if min(len(rows), len(columns)) >= _LEAST and cells == set(product(rows, columns)):
        if not valued and not all(map(is_number, (*rows, *columns))):
            return None  # such as heap(a,3): a name and a number
        return Layout("grid", relation, rows, columns, valued, values)
    points = _order_names(tuple(dict.fromkeys((*rows, *columns))))
    # Each pair of points once, the smaller one first: the edges of a complete graph.
    if len(points) >= _POINTS and cells == set(combinations(points, 2)):
        return Layout("graph", relation, points, points, valued, values)
    return None


def _order_names(names: tuple[str, ...]) -> tuple[str, ...]:
    if all(map(is_number, names)):
        return tuple(sorted(names, key=int))
    return names
