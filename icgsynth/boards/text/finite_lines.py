"""Print states of finite games in a terminal, as lines of plain characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.text.finite_view import finite_board
from icgsynth.export.parametric_board import board_lines
from icgsynth.game.game import State

_SHORT = 2  # characters; a longer mark is shown by a letter
_RING_HIGH, _RING_WIDE = 7, 15  # characters of a ring of points; a cell is twice as high as wide
_NAME = 4  # characters of the name of a point in the ring


def finite_lines(game: FiniteGame, state: State) -> list[str]:
    """Return a state as lines of text: its board, if any, then who moves and the other facts."""
    board, facts, mover = finite_board(game), game.facts(state), game.mover(state)
    drawn = board.draw(facts)
    lines = [] if drawn is None else drawn_lines(drawn)
    if drawn is not None and drawn["kind"] == "grid" and board.layout is not None:
        names = board.layout.rows, board.layout.columns
        lines = grid_lines(drawn, *(names[::-1] if board.falls else names))
    said = board.say(game, facts, mover)
    return [*lines, *([", ".join(said)] if said else [])]


def drawn_lines(board: Mapping[str, Any]) -> list[str]:
    """Return the picture ``board``, given as JSON, as lines of text; [] for one that shows only
    facts. Rows and columns of a grid count from 1; :func:`grid_lines` names them."""
    match board["kind"]:
        case "grid":
            rows = [str(i) for i in range(1, board["rows"] + 1)]
            return grid_lines(board, rows, [str(i) for i in range(1, board["columns"] + 1)])
        case "graph":
            return _graph(board)
        case _:
            return board_lines(board)


def grid_lines(board: Mapping[str, Any], rows: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return a grid, given as JSON, as lines of text, with the names of its ``rows`` and
    ``columns``. Row names stand at the left, column names above. A dot is an empty cell. Where men
    fall the columns alone have names, and stand below."""
    marks = {tuple(cell["at"]): str(cell["mark"]).replace("■", "#") for cell in board["cells"]}
    letters = _letters(list(marks.values()))
    if max(map(len, letters), default=0) <= _SHORT:
        letters = {mark: mark for mark in letters}
    falls = board["drops"]
    table = []
    for i, name in enumerate(rows):
        cells = [letters.get(marks.get((i, j), ""), ".") for j in range(len(columns))]
        table.append(["" if falls else name, *cells])
    table.insert(len(table) if falls else 0, ["", *columns])
    width = max(len(text) for row in table for text in row)
    lines = [" ".join(f"{text:>{width}}" for text in row).rstrip() for row in table]
    return [*lines, *_legend(letters)]


def _legend(letters: Mapping[str, str]) -> list[str]:
    """Return [line], such as ``x = cross o = nought``; [] if each mark is its own letter."""
    if all(mark == letter for mark, letter in letters.items()):
        return []
    return ["  ".join(f"{letter} = {mark}" for mark, letter in letters.items())]


def _graph(board: Mapping[str, Any]) -> list[str]:
    """Return a graph as lines of text: nodes on a circle, and a table of the edges' marks."""
    # A table of half the pairs: the row of 2 and the column of 5 are the line from 2 to 5.
    names = [str(node["name"]) for node in board["nodes"]]
    marks = {tuple(edge["ends"]): edge["mark"] for edge in board["edges"]}
    letters = _letters([mark for mark in marks.values() if mark])
    width = max(map(len, names))
    table = [["", *names[1:]]]
    for i, one in enumerate(names[:-1]):
        cells = [letters.get(marks.get((one, other)) or "", ".") for other in names[i + 1 :]]
        table.append([one, *[""] * i, *cells])
    lines = [" ".join(f"{text:>{width}}" for text in row) for row in table]
    ring = _ring(board)
    wide = max(map(len, ring))
    pairs = zip_longest(ring, [*lines, *_legend(letters)], fillvalue="")
    return [f"  {left:<{wide}}    {right}".rstrip() for left, right in pairs]


def _ring(board: Mapping[str, Any]) -> list[str]:
    canvas = [[" "] * (_RING_WIDE + _NAME) for _ in range(_RING_HIGH)]
    for node in board["nodes"]:
        x, y = node["at"]
        row, column = round(y * (_RING_HIGH - 1)), round(x * (_RING_WIDE - 1))
        for k, letter in enumerate(str(node["name"])[:_NAME]):
            canvas[row][column + k] = letter
    return ["".join(row).rstrip() for row in canvas]


def _letters(marks: Sequence[str]) -> dict[str, str]:
    """Return a letter for each mark: the first letter of the mark that is still free, or ``*``."""
    found: dict[str, str] = {}
    for mark in dict.fromkeys(marks):
        free = [letter for letter in mark if letter not in found.values()]
        found[mark] = free[0] if free else "*"
    return dict(sorted(found.items()))
