"""Draw a table of states as SVG or PNG; equal cells are one path, so that large boxes are fast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import isqrt
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.export.canvas import Style, document, element, group, number, pattern, png
from icgsynth.export.panels import ILLEGAL, INK, UNKNOWN, Palette, Panel, Table, panels, ticks

_Cells: TypeAlias = NDArray[np.integer[Any]]

_MOST_PANELS = 12  # most slices in a picture: more do not fit a page
_ENDING_COLOUR = "#e07b39"
_FAINT = "#68707c"

_SIDE = 620  # pixels that a single grid aims at
_SMALL_SIDE = 210  # pixels that one of several grids aims at
_LEFT, _TOP, _BOTTOM, _GAP = 52, 64, 44, 30
_LEGIBLE = 6.5  # pixels of the smallest legible font
_LINED = 6  # pixels of the smallest cell with lines around it
_CHAR = 6.4  # width of a character of the 11 px font
_CAPTION, _CAPTION_CHAR = 13, 7.6  # pixels of the caption, and of a character of it
_FINE = 250_000  # states up to which a PNG image has twice as many pixels as the drawing


def table_svg(table: Table, is_styled: bool = True) -> str:
    """Return the table as a complete SVG document.

    Without ``is_styled`` it has no dark mode: the page that shows it has ``table.css``.
    """
    found, total = panels(table, _MOST_PANELS)
    palette = Palette.of(found, table.is_valued)
    if len(table.variables) == 1:
        drawing = _strip(found[0], palette)
    else:
        drawing = _grids(found, total, palette)
    return _document(table, drawing, _dark() if is_styled else "")


def table_png(table: Table) -> bytes:
    """Return the table as a PNG image; InputError where the extra ``plot`` is missing."""
    return png(table_svg(table, is_styled=False), 2 if len(table.states) <= _FINE else 1)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """SVG elements within ``width`` x ``height``, with the data for legend and subtitle."""

    width: float
    height: float
    elements: list[str]
    palette: Palette
    has_ending: bool
    note: str = ""
    framed: bool = False  # ending states have a frame, as their cells hold a number


def _document(table: Table, drawing: _Drawing, style: str) -> str:
    subtitle = f"{table.extent}{f'; {drawing.note}' if drawing.note else ''}"
    swatches, legend_width = _legend(drawing)
    texts = max(len(table.title) * 9.2, len(subtitle) * _CAPTION_CHAR)
    width = float(round(max(drawing.width, texts + 20, legend_width) + 24))
    height = float(round(drawing.height + _TOP + 32))
    elements = [
        *([style] if style else []),
        _PATTERN,
        element("rect", width="100%", height="100%", fill="#ffffff"),
        element("text", table.title, x=16, y=27, font_size=16, font_weight="bold"),
        element("text", subtitle, x=16, y=47, font_size=_CAPTION, fill=_FAINT),
        *group(drawing.elements, 0, _TOP),
        *group(swatches, 16, height - 26),
    ]
    look: Style = {"font_size": 11, "fill": INK, "role": "img", "class": "states"}
    return document((width, height), table.title, elements, "", **look)


@cache
def _dark() -> str:
    rules = Path(__file__).with_name("table.css").read_text("utf-8").split("*/")[1]
    return element("style", f"@media (prefers-color-scheme: dark) {{{rules}}}")


_PATTERN = pattern(
    "unknown",
    5,
    (
        element("rect", width=5, height=5, fill="#e6e8eb"),
        element("rect", width=1.6, height=5, fill="#b4b9c1"),
    ),
)


def _fill(kind: int, palette: Palette) -> str:
    return "url(#unknown)" if kind == UNKNOWN else palette.colour(kind)


def _legend(drawing: _Drawing) -> tuple[list[str], float]:
    """Return the SVG elements of the legend, swatches with words, and its width in pixels."""
    parts: list[str] = []
    x = 0.0
    for kind in drawing.palette.list_kinds():
        name, fill = drawing.palette.name(kind), _fill(kind, drawing.palette)
        parts.append(element("rect", x=x, width=14, height=14, fill=fill))
        parts.append(element("text", name, x=x + 20, y=11))
        x += 36 + len(name) * _CHAR
    if drawing.has_ending:
        if drawing.framed:
            parts += group(_frames(np.ones((1, 1), dtype=bool), 14), x, 0)
        else:
            parts.append(element("circle", cx=x + 7, cy=7, r=4.5, fill=_ENDING_COLOUR))
        parts.append(element("text", "the game is over", x=x + 20, y=11))
        x += 36 + 16 * _CHAR
    return parts, x + 16


# --- two variables and more: grids ---------------------------------------------------------


def _grids(found: list[Panel], total: int, palette: Palette) -> _Drawing:
    first = found[0]
    side = _SIDE if len(found) == 1 else _SMALL_SIDE
    size = max(2, min(24, side // max(first.width, first.height)))
    across = 1 if len(found) == 1 else min(len(found), 4 if len(found) > 6 else 3)
    label = max(len(str(t)) for t in (first.y0, first.y0 + first.height - 1)) * _CHAR
    left = max(_LEFT, label + 34)
    caption = 20 if first.caption else 0
    step_x = left + first.width * size + 8
    step_y = caption + first.height * size + _BOTTOM + 8
    elements: list[str] = []
    for i, panel in enumerate(found):
        x, y = (i % across) * step_x + left, (i // across) * step_y + caption
        elements += group(_grid(panel, size, palette), x, y)
    down = -(-len(found) // across)
    note = f"{len(found)} of {total} slices" if total > len(found) else ""
    has_ending = any(bool(panel.ending.any()) for panel in found)
    width = across * step_x
    return _Drawing(width, down * step_y, elements, palette, has_ending, note)


def _grid(panel: Panel, size: int, palette: Palette) -> Iterator[str]:
    """Yield the SVG of a grid of cells ``size`` pixels wide, the least values at the lower left."""
    wide, high = panel.width * size, panel.height * size
    if panel.caption:
        yield element("text", panel.caption, x=0, y=-7, font_weight="bold")
    upright = panel.cells[:, ::-1].T  # rows from the top
    yield from _colour(upright, size, palette)
    if size >= _LINED:
        lines = "".join(f"M{x} 0v{high}" for x in range(size, wide, size))
        lines += "".join(f"M0 {y}h{wide}" for y in range(size, high, size))
        if lines:
            yield element("path", stroke="#ffffff", stroke_width=size / 16, d=lines)
    yield element("rect", width=wide, height=high, fill="none", stroke=_FAINT)
    yield from _ending_marks(panel.ending[:, ::-1].T, size)
    if palette.largest is not None:
        yield from _values(upright, size, palette)
    yield from _axes(panel, size)


def _colour(rows: _Cells, size: int, palette: Palette) -> Iterator[str]:
    for kind in reversed(palette.kinds):
        if (path := _runs(rows == kind, size)) != "":
            fill = _fill(kind, palette)
            yield element("path", fill=fill, shape_rendering="crispEdges", d=path)


def _values(rows: _Cells, size: int, palette: Palette) -> Iterator[str]:
    """Yield a text element with each value of ``rows``, from the top; none where cells, ``size``
    pixels wide, are too small for it."""
    digits = len(str(palette.largest))
    font = min(12.0, 0.62 * size, (size - 2) / (0.6 * digits))
    if font < _LEGIBLE:
        return
    for row, column in np.argwhere(rows >= 0).tolist():
        value = int(rows[row, column])
        x, y = (column + 0.5) * size, (row + 0.5) * size + 0.36 * font
        look: Style = {"text_anchor": "middle", "font_size": font, "fill": palette.ink(value)}
        yield element("text", str(value), x=x, y=y, **look)


def _runs(mask: NDArray[np.bool_], size: int) -> str:
    """Return an SVG path of the true cells of ``mask``, ``size`` pixels wide; rows from the top."""
    edges = np.diff(np.pad(mask.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    starts, stops = np.argwhere(edges == 1), np.argwhere(edges == -1)
    return "".join(
        f"M{x0 * size} {y * size}h{(x1 - x0) * size}v{size}h{(x0 - x1) * size}z"
        for (y, x0), (_, x1) in zip(starts.tolist(), stops.tolist(), strict=True)
    )


def _ending_marks(mask: NDArray[np.bool_], size: int) -> Iterator[str]:
    if not mask.any():
        return
    if size < 5 and mask.sum() > 50:
        yield element("path", fill=_ENDING_COLOUR, d=_runs(mask, size))
        return
    r, half = max(2.5, min(5.0, size * 0.3)), size / 2
    arcs = f"a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0"
    dots = "".join(
        f"M{x * size + half - r:g} {y * size + half:g}{arcs}" for y, x in np.argwhere(mask).tolist()
    )
    yield element("path", fill=_ENDING_COLOUR, stroke="#ffffff", stroke_width=0.8, d=dots)


def _axes(panel: Panel, size: int) -> Iterator[str]:
    wide, high = panel.width * size, panel.height * size
    x_end, y_end = panel.x0 + panel.width - 1, panel.y0 + panel.height - 1
    digits = max(len(str(panel.x0)), len(str(x_end)))
    for value in ticks(panel.x0, x_end, min(11, int(wide / (digits * _CHAR + 14)) + 1)):
        x = (value - panel.x0) * size + size / 2
        yield element("path", stroke=_FAINT, d=f"M{number(x)} {high}v4")
        yield element("text", str(value), x=x, y=high + 16, text_anchor="middle")
    for value in ticks(panel.y0, y_end, min(11, high // 22 + 1)):
        y = high - (value - panel.y0) * size - size / 2
        yield element("path", stroke=_FAINT, d=f"M0 {number(y)}h-4")
        yield element("text", str(value), x=-8, y=y + 4, text_anchor="end")
    label = max(len(str(panel.y0)), len(str(y_end))) * _CHAR
    x_name, y_name = panel.names
    yield _label_axis(x_name, "middle", x=wide / 2, y=high + 33)
    turned = f"translate({number(-18 - label)} {number(high / 2)}) rotate(-90)"
    yield _label_axis(y_name, "middle", transform=turned)


def _label_axis(name: str, anchor: str, **attributes: str | float) -> str:
    style: Style = {"font_style": "italic", "font_size": 13, "fill": INK, "text_anchor": anchor}
    return element("text", name, **attributes, **style)


# --- one variable: a strip in rows ------------------------------------------------------------


def _strip(panel: Panel, palette: Palette) -> _Drawing:
    """Draw a panel of one variable, with 10, 20, 50, or 100 or more states in a row."""
    # Each row begins at a round number; many hundreds in a row keep a large image about square.
    count, wide = panel.width, max(100, isqrt(panel.width) // 100 * 100)
    across = next((n for n, most in ((10, 60), (20, 400), (50, 2_000)) if count <= most), wide)
    size = {10: 44, 20: 32, 50: 16}.get(across, max(1, 800 // across))
    start = panel.x0 // across * across
    padded = _padded(panel.cells[:, 0], panel.x0 - start, across, ILLEGAL)
    ending = _padded(panel.ending[:, 0].astype(np.int8), panel.x0 - start, across, 0) == 1
    rows, left = padded.shape[0], max(_LEFT, len(str(panel.x0 + panel.width)) * _CHAR + 24)
    elements = list(_colour(padded, size, palette))
    if size >= _LINED:
        lines = "".join(f"M{x * size} 0v{rows * size}" for x in range(1, across))
        lines += "".join(f"M0 {y * size}h{across * size}" for y in range(1, rows))
        elements.append(element("path", stroke="#ffffff", stroke_width=size / 16, d=lines))
    if palette.largest is not None:
        elements += _values(padded, size, palette)
    elif size >= 30:
        elements += _numbers(padded, start, size, palette)
        elements += _frames(ending, size)
    else:
        elements += _ending_marks(ending, size)
    for row in range(0, rows, max(1, 14 // size)):
        y = row * size + size / 2 + 4
        first = str(start + row * across)
        elements.append(element("text", first, x=-10, y=y, text_anchor="end", fill=_FAINT))
    elements = group([*elements, _label_axis(panel.names[0], "start", x=0, y=-8)], left, 22)
    width, height = left + across * size + 8, rows * size + 40
    has_ending = bool(panel.ending.any())
    return _Drawing(width, height, elements, palette, has_ending, framed=size >= 30)


def _padded(column: _Cells, before: int, across: int, blank: int) -> _Cells:
    """Return ``column`` in rows of ``across`` cells, after ``before`` added cells ``blank``."""
    rows = -(-(before + len(column)) // across)
    padded = np.full(rows * across, blank, dtype=column.dtype)
    padded[before : before + len(column)] = column
    return padded.reshape(rows, across)


def _numbers(padded: _Cells, start: int, size: int, palette: Palette) -> Iterator[str]:
    across = padded.shape[1]
    for row, column in np.argwhere(padded != ILLEGAL).tolist():
        ink = palette.ink(int(padded[row, column]))
        x, y = (column + 0.5) * size, (row + 0.5) * size + 4
        value = str(start + row * across + column)
        yield element("text", value, x=x, y=y, text_anchor="middle", fill=ink)


def _frames(mask: NDArray[np.bool_], size: int) -> Iterator[str]:
    """Yield a frame around each true cell of ``mask``, ``size`` pixels wide: an ending state."""
    for row, column in np.argwhere(mask).tolist():
        x, y, side = column * size + 2.5, row * size + 2.5, size - 5
        look: Style = {"fill": "none", "stroke": _ENDING_COLOUR, "stroke_width": 2.5}
        yield element("rect", x=x, y=y, width=side, height=side, rx=size / 8, **look)
