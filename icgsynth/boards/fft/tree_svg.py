"""Draw a fast-and-frugal tree as an SVG image, with a small board for every rule.

What must hold is drawn, what must not is struck through, and the cell of the move is framed and
tinted (on a graph, the line has a halo). Facts that are on no board stand below it in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from icgsynth.boards.finite.layout import Cell, Layout, layout_of
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule
from icgsynth.boards.text.dark import on_dark
from icgsynth.boards.text.drawn_states import NAMED
from icgsynth.export.canvas import Style, document, element, group

_INK, _FAINT, _LINE, _MOVE, _STRIKE = "#22272e", "#68707c", "#c6c9ce", "#2f9e44", "#d6336c"
_TINT, _HALO = "#d8f5dd", "#b2f2bb"  # colours of the cell, and of the line, of a move
_PAPER, _ON_DISC = "#ffffff", "#fff"  # background; letters on discs, white on dark pages too
_COLOURS = ("#1864ab", "#e07b39", "#5f3dc4", "#087f5b")
_DARK = {
    _INK: "#e8e6e0",
    _FAINT: "#a6adb9",
    _LINE: "#4a5363",
    _MOVE: "#5fcf80",
    _STRIKE: "#f06595",
    _TINT: "#1c3a29",
    _HALO: "#24563a",
    _PAPER: "#1d222b",
    "#1864ab": "#6ea8fe",
    "#5f3dc4": "#b197fc",
    "#087f5b": "#38d9a9",
    "#c92a2a": "#ff6b6b",
    "#2b8a3e": "#69db7c",
}
_SIDE = 132  # pixels of a board
_PANEL = 168  # pixels of a panel's width
_ACROSS = 5
_MARGIN, _TOP, _CAPTION, _TEXT = 16, 62, 20, 14
_CHARS = 26  # characters of a line of text below a board

Point = tuple[float, float]


def tree_svg(tree: Tree, facts: Sequence[str], title: str, subtitle: str = "") -> str:
    """Return a tree as an SVG document, headed by ``title`` and ``subtitle``; ``facts`` are all
    facts of the game."""
    layout = layout_of(facts)
    pen = _Pen(layout, facts)
    body: list[str] = []
    top, number, widest = float(_TOP), 0, 1
    for name, rules in _groups(tree):
        if name:
            body.append(_text(_MARGIN, top + 14, name, 13, weight="bold"))
            top += 24
        for start in range(0, len(rules), _ACROSS):
            row = rules[start : start + _ACROSS]
            widest = max(widest, len(row))
            panels = [pen.panel(number + i + 1, rule) for i, rule in enumerate(row)]
            for i, panel in enumerate(panels):
                body += group(panel.elements, _MARGIN + i * _PANEL, top)
            number += len(row)
            top += max(panel.height for panel in panels) + 14
    legend, wide = _legend(layout, tree)
    body += group(legend, _MARGIN, top)
    top += 26
    wide = max(wide, widest * _PANEL) + 2 * _MARGIN
    width = max(wide, 12 + 9 * len(title), 24 + 7 * len(subtitle))
    elements = [
        on_dark("drawn-tree", _DARK),
        element("rect", width="100%", height="100%", fill=_PAPER),
        _text(_MARGIN, 27, title, 16, weight="bold"),
        _text(_MARGIN, 47, subtitle, 13, _FAINT),
        *body,
    ]
    look: Style = {"fill": _INK, "role": "img", "class": "drawn-tree"}
    return document((width, top), title, elements, "", **look)


def _groups(tree: Tree) -> Iterator[tuple[str, Sequence[TreeRule]]]:
    """Yield (name, rules) for each meta-rule, and for the rules between them with an empty name."""
    loose: list[TreeRule] = []
    for item in tree.items:
        if isinstance(item, Meta):
            if loose:
                yield "", loose
                loose = []
            yield item.name, item.rules
        else:
            loose.append(item)
    if loose:
        yield "", loose


def _legend(layout: Layout | None, tree: Tree) -> tuple[list[str], float]:
    """Return the legend as SVG elements, with an entry for each sign that ``tree`` needs, and its
    width. ``layout`` is None where the game has no board."""
    literals = [literal for rule in tree.rules for literal in rule.literals]
    placed = [one for one in literals if layout is not None and layout.place(one.atom)]
    sign = "mark" if layout is None or layout.shape == "grid" else "line"
    entries: list[tuple[list[str], str]] = []
    if layout is not None:
        halo = [_line((0, 7), (14, 7), _HALO, 9), _line((0, 7), (14, 7), _MOVE, 2, "1 4")]
        entries.append(([_frame(1, 1, 12)] if sign == "mark" else halo, "the move"))
    if any(literal.holds for literal in placed):
        entries.append(([], f"a {sign}: it must be there"))
    if not all(literal.holds for literal in placed):
        struck = [_line((1, 13), (13, 1), _STRIKE, 2)]
        entries.append((struck, f"a {sign} struck out: it must not be there"))
    entries.append(([], "the first rule that applies decides"))
    parts: list[str] = []
    x = 0.0
    for drawn, words in entries:
        parts += group(drawn, x, 0)
        x += 20 if drawn else 0
        parts.append(_text(x, 11, words, 11, _FAINT))
        x += 5.8 * len(words) + 22
    return parts, x


def _frame(x: float, y: float, side: float) -> str:
    look: Style = {"fill": _TINT, "stroke": _MOVE, "stroke_width": 3}
    return element("rect", x=x + 1.5, y=y + 1.5, width=side - 3, height=side - 3, rx=2, **look)


@dataclass(frozen=True)
class _Panel:
    elements: list[str]
    height: float


class _Pen:
    """Draws the rules of one game as small boards."""

    def __init__(self, layout: Layout | None, facts: Sequence[str]) -> None:
        self.layout = layout
        self._colour: dict[str, str] = {}
        if layout is None:
            return
        for i, value in enumerate(layout.values):
            self._colour[value] = NAMED.get(value, _COLOURS[i % len(_COLOURS)])
        step = _SIDE / max(len(layout.rows), len(layout.columns))
        self._step = step
        self._points = {
            point: (
                _SIDE / 2 + 0.42 * _SIDE * sin(2 * pi * i / len(layout.rows)),
                _SIDE / 2 - 0.42 * _SIDE * cos(2 * pi * i / len(layout.rows)),
            )
            for i, point in enumerate(layout.rows)
        }

    def panel(self, number: int, rule: TreeRule) -> _Panel:
        """Return the drawing of a rule: its number and move, the board, other facts in words."""
        parts = [
            _text(0, 12, str(number), 12, weight="bold"),
            _text(10 + 7 * len(str(number)), 12, rule.action, 11, _MOVE),
        ]
        rest, height = list(rule.literals), float(_CAPTION)
        if self.layout is not None:
            at = {literal: self.layout.place(literal.atom) for literal in rest}
            placed = [(*cell, one.holds) for one, cell in at.items() if cell is not None]
            rest = [one for one in rest if at[one] is None]
            draw = self._grid if self.layout.shape == "grid" else self._graph
            parts += group(draw(placed, self.layout.cells(rule.action)), 0, _CAPTION)
            height += _SIDE
        for line in _break_lines(rest):
            height += _TEXT
            parts.append(_text(0, height, line, 11))
        if self.layout is None and not rest:
            height += _TEXT
            parts.append(_text(0, height, "always", 11, _FAINT))
        return _Panel(parts, height + 4)

    # --- grids -------------------------------------------------------------------

    def _centre(self, cell: Cell) -> Point:
        assert self.layout is not None
        row, column = self.layout.rows.index(cell[0]), self.layout.columns.index(cell[1])
        return (column + 0.5) * self._step, (row + 0.5) * self._step

    def _grid(self, placed: list[tuple[Cell, str, bool]], move: Sequence[Cell]) -> Iterator[str]:
        assert self.layout is not None
        step = self._step
        wide, high = len(self.layout.columns) * step, len(self.layout.rows) * step
        for cell in move:
            x, y = self._centre(cell)
            yield _frame(x - step / 2, y - step / 2, step)
        for i in range(len(self.layout.columns) + 1):
            yield _line((i * step, 0), (i * step, high), _LINE, 1)
        for i in range(len(self.layout.rows) + 1):
            yield _line((0, i * step), (wide, i * step), _LINE, 1)
        cells: dict[Cell, list[tuple[str, bool]]] = {}
        for cell, value, holds in placed:
            cells.setdefault(cell, []).append((value, holds))
        for cell, marks in cells.items():
            x, y = self._centre(cell)
            for i, (value, holds) in enumerate(marks):
                size = step * (0.62 if len(marks) == 1 else 0.42)
                at = x + step * 0.42 * (i - (len(marks) - 1) / 2)
                yield self._mark(at, y, value, holds, size)
        if len(move) == 2:
            yield _line(self._centre(move[0]), self._centre(move[1]), _MOVE, 2)

    def _mark(self, x: float, y: float, value: str, holds: bool, size: float) -> str:
        colour = self._colour.get(value, _INK) if holds else _FAINT
        if len(value) <= 2:
            shown = value or "■"
            drawn = _text(x, y + 0.35 * size, shown, size, colour, "bold", "middle")
        else:
            letter = _text(x, y + 0.2 * size, value[0], 0.6 * size, _ON_DISC, "bold", "middle")
            drawn = element("circle", cx=x, cy=y, r=size / 2, fill=colour) + letter
        if holds:
            return drawn
        r = 0.5 * size
        return drawn + _line((x - r, y + r), (x + r, y - r), _STRIKE, 2)

    # --- graphs ------------------------------------------------------------------

    def _graph(self, placed: list[tuple[Cell, str, bool]], move: Sequence[Cell]) -> Iterator[str]:
        for a, b in move:
            yield _line(self._points[a], self._points[b], _HALO, 9)
            yield _line(self._points[a], self._points[b], _MOVE, 2, "1 4")
        seen: dict[Cell, int] = {}
        for (a, b), value, holds in placed:
            colour = self._colour.get(value, _INK)
            p, q = self._points[a], self._points[b]
            if holds:
                yield _line(p, q, colour, 4)
                continue
            # Two values that an edge must not have are struck at different places.
            seen[a, b] = seen.get((a, b), 0) + 1
            t = 0.5 if seen[a, b] == 1 else 0.3
            x, y = p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])
            yield _line(p, q, colour, 1.5, "5 4")
            yield _line((x - 5, y - 5), (x + 5, y + 5), _STRIKE, 2)
            yield _line((x - 5, y + 5), (x + 5, y - 5), _STRIKE, 2)
        for name, (x, y) in self._points.items():
            yield element("circle", cx=x, cy=y, r=8, fill=_PAPER, stroke=_FAINT)
            yield _text(x, y + 4, name, 11, _INK, "normal", "middle")


def _break_lines(literals: Iterable[Literal]) -> list[str]:
    lines: list[str] = []
    for literal in literals:
        text = str(literal)
        if lines and len(lines[-1]) + len(text) + 2 <= _CHARS:
            lines[-1] += f", {text}"
        else:
            lines.append(text)
    return lines


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str = _INK,
    weight: str = "normal",
    anchor: str = "start",
) -> str:
    style: Style = {"font_size": size, "fill": colour, "font_weight": weight, "text_anchor": anchor}
    return element("text", text, x=x, y=y, **style)


def _line(p: Point, q: Point, colour: str, width: float, dashes: str = "") -> str:
    ends: Style = {"x1": p[0], "y1": p[1], "x2": q[0], "y2": q[1]}
    dashed: Style = {"stroke_dasharray": dashes} if dashes else {}
    return element("line", **ends, stroke=colour, stroke_width=width, **dashed)
