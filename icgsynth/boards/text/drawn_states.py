"""Draw states of impartial and finite games on a printed page: piles, grids, graphs, facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.text.finite_view import FiniteBoard, finite_board
from icgsynth.boards.text.sheet import Frame
from icgsynth.formats.paper import FAINT, INK, RULE, Page, fitting, text_width
from icgsynth.game.game import State

NAMED = {
    "red": "#c92a2a",
    "blue": "#1864ab",
    "green": "#2b8a3e",
    "yellow": "#e8b100",
    "black": "#22272e",
    "white": "#8d96a3",  # on white paper
}
"""The colours in which marks are drawn that are named after a colour."""
_COLOURS = ("#1b4f8f", "#c4571a", "#3c7d3c", "#7a3c8f")
_SMALL = 8.0  # points; the letters of the text below a board
_LINE = 10.0  # points from one line of text to the next
_MOST_LINES = 9
_MOST_STONES = 40  # stones; a larger pile is drawn as a number only
_WIDEST_CELL = 24.0


def draw_state(page: Page, game: FiniteGame, state: State, frame: Frame) -> None:
    """Draw a state's board on ``page`` within ``frame``, with the mover and other facts below."""
    board, facts, mover = finite_board(game), game.facts(state), game.mover(state)
    drawn = board.draw(facts)
    said = board.say(game, facts, mover)
    across = max(10, int(frame.width / text_width("n", _SMALL)))
    lines = wrap(", ".join(said), across)[: _MOST_LINES if drawn is None else 2]
    room = frame._replace(height=frame.height - _LINE * len(lines))
    if drawn is not None:
        _draw_board(page, board, drawn, room)
    for i, line in enumerate(lines):
        base = frame.y + (_LINE if drawn is None else room.height + _LINE) + _LINE * i
        page.text(frame.x, base, line, fitting(line, frame.width, _SMALL), INK)


def _draw_board(page: Page, board: FiniteBoard, drawn: Mapping[str, Any], frame: Frame) -> None:
    match drawn["kind"]:
        case "piles":
            counts = map(int, drawn["counts"])
            draw_piles(page, dict(zip(drawn["names"], counts, strict=True)), frame)
        case "grid":
            assert board.layout is not None
            names = board.layout.rows, board.layout.columns
            _draw_grid(page, drawn, names[::-1] if board.falls else names, frame)
        case "graph":
            _draw_graph(page, drawn, frame)


def draw_piles(page: Page, piles: Mapping[str, int], frame: Frame) -> None:
    """Draw ``piles`` on ``page``, within ``frame``: columns of stones, with their names below."""
    step = frame.width / len(piles)
    bottom = frame.y + frame.height
    for i, (name, value) in enumerate(piles.items()):
        middle = frame.x + (i + 0.5) * step
        page.text(middle, bottom, f"{name} = {value}", 9, INK, align=0.5)
        if not 0 <= value <= _MOST_STONES:
            continue
        # Rows of up to five, from below.
        across = min(5, max(1, int(step // 9)), max(1, -(-value // 8)))
        rows = max(1, -(-value // across))
        size = min(5.0, (frame.height - 18) / (2.2 * rows), step / (2.3 * across))
        for n in range(value):
            at = middle + (n % across - (across - 1) / 2) * 2.2 * size
            page.disc(at, bottom - 16 - (n // across) * 2.2 * size, size, _COLOURS[0])


def _draw_grid(
    page: Page, drawn: Mapping[str, Any], names: tuple[Sequence[str], ...], frame: Frame
) -> None:
    """Draw the grid ``drawn``, and the ``names`` of its rows (not if men fall) and its columns."""
    rows, columns = drawn["rows"], drawn["columns"]
    side = min(_WIDEST_CELL, (frame.width - 14) / columns, (frame.height - 12) / rows)
    x, y = frame.x + 14, frame.y
    right, bottom = x + side * columns, y + side * rows
    for i in range(rows + 1):
        page.line((x, y + i * side), (right, y + i * side), colour=RULE, width=0.7)
    for j in range(columns + 1):
        page.line((x + j * side, y), (x + j * side, bottom), colour=RULE, width=0.7)
    marks = [str(cell["mark"]) for cell in drawn["cells"]]
    kinds = list(dict.fromkeys(sorted(marks)))
    for mark, cell in zip(marks, drawn["cells"], strict=True):
        row, column = cell["at"]
        left, top = x + column * side, y + row * side
        colour = _COLOURS[kinds.index(mark) % len(_COLOURS)]
        if mark == "■":
            page.box(left + 1.5, top + 1.5, side - 3, side - 3, colour)
            continue
        if mark in NAMED:
            page.disc(left + side / 2, top + side / 2, 0.42 * side, NAMED[mark])
            mark, colour = mark[0].upper(), "#ffffff"
        size = fitting(mark, 0.86 * side, 0.62 * side)
        page.text(left + side / 2, top + side / 2 + 0.36 * size, mark, size, colour, True, 0.5)
    for i, name in enumerate(() if drawn["drops"] else names[0]):
        base = y + (i + 0.5) * side + 2.5
        page.text(x - 3, base, name, fitting(name, 11, 7), FAINT, align=1)
    for j, name in enumerate(names[1]):
        size = fitting(name, 0.9 * side, 7)
        page.text(x + (j + 0.5) * side, bottom + 9, name, size, FAINT, align=0.5)


def _draw_graph(page: Page, drawn: Mapping[str, Any], frame: Frame) -> None:
    size = min(frame.width, frame.height) - 24
    left, top = frame.x + 12 + (frame.width - 24 - size) / 2, frame.y + 12
    at = {
        node["name"]: (left + size * node["at"][0], top + size * node["at"][1])
        for node in drawn["nodes"]
    }
    kinds = sorted({edge["mark"] for edge in drawn["edges"] if edge["mark"]})
    for edge in drawn["edges"]:
        one, other = (at[name] for name in edge["ends"])
        if mark := edge["mark"]:
            colour = NAMED.get(mark, _COLOURS[kinds.index(mark) % len(_COLOURS)])
            page.line(one, other, colour=colour, width=1.4 + 1.2 * kinds.index(mark))
            middle = (0.6 * one[0] + 0.4 * other[0], 0.6 * one[1] + 0.4 * other[1])
            page.text(*middle, mark, 6, colour, True, 0.5)
        else:
            page.line(one, other, colour=RULE, width=0.5)
    for name, (x, y) in at.items():
        page.disc(x, y, 7, INK)
        page.text(x, y + 2.8, name, fitting(name, 12, 8), "#ffffff", True, 0.5)
