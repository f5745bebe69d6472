"""Write a table of labelled states as CSV, JSON, a picture, or text for the terminal.

The :class:`Table` is made by ``Table.of(game, rule, labels)``, with the labels of
:func:`icgsynth.explicit.labels.label`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from icgsynth.export.json import csv_text
from icgsynth.export.panels import ILLEGAL, LOSING, UNKNOWN, WINNING, Panel, Table, panels, ticks
from icgsynth.export.svg import table_png, table_svg

_WORDS = {LOSING: "losing", WINNING: "winning", UNKNOWN: "unknown"}


def table_value(table: Table) -> dict[str, Any]:
    """Return the table as JSON: variables, and each legal state with its outcome in words."""
    columns = (table.states.tolist(), table.outcome.tolist(), table.ending.tolist())
    states = [
        {"state": state, "outcome": _WORDS[outcome], "ending": bool(ending)}
        for state, outcome, ending in zip(*columns, strict=True)
    ]
    return {"variables": list(table.variables), "states": states}


def table_csv(table: Table) -> str:
    """Return the table as CSV, one line for each legal state: its variables, ``outcome`` in words
    and ``ending`` 0 or 1; or its ``value``, empty where that is unknown."""
    taken, new = set(table.variables), ["value"] if table.is_valued else ["outcome", "ending"]
    added = [name if name not in taken else f"{name}_" for name in new]
    rows: list[list[Any]] = [[*table.variables, *added]]
    columns = (table.states.tolist(), table.outcome.tolist(), table.ending.tolist())
    for state, outcome, ending in zip(*columns, strict=True):
        if table.is_valued:
            rows.append([*state, "" if outcome == UNKNOWN else outcome])
        else:
            rows.append([*state, _WORDS[outcome], int(ending)])
    return csv_text(rows)


# --- the terminal ----------------------------------------------------------------------

# The mark of each kind, then the marks of losing and winning states where the game is over.
_SIGNS = {LOSING: "■", WINNING: "·", UNKNOWN: "?", ILLEGAL: " "}
_OVER = {LOSING: "◆", WINNING: "◇"}
_SLICES = 4  # most slices of a box that a screen shows
_WIDEST_STEP = 6  # most characters of a column's head in a strip, unless values are longer


def draw_table(table: Table, path: str) -> str | bytes:
    """Return what to write to ``path``: a picture (.svg, .png) or data (.csv), by its ending."""
    writers: dict[str, Callable[[Table], str | bytes]]
    writers = {".csv": table_csv, ".svg": table_svg, ".png": table_png}
    return writers[Path(path).suffix.lower()](table)


def table_text(table: Table, width: int = 80, height: int = 60) -> str:
    """Return the table as text, about ``width`` characters wide, with up to ``height`` rows of
    states a panel, and axes and captions besides; a line tells what is cut off."""
    found, total = panels(table, _SLICES)
    lines = [table.title, table.extent, ""]
    for panel in found:
        if len(panel.names) == 1:
            lines += _strip(panel, width, height)
        else:
            lines += [f"{panel.caption}:"] if panel.caption else []
            lines += _grid(panel, width, height)
        lines.append("")
    if total > len(found):
        lines += [f"{len(found)} of {total} slices; a file (-o) shows more.", ""]
    return "\n".join(line.rstrip() for line in [*lines, _legend(found)]) + "\n"


def values_text(table: Table, width: int = 80, height: int = 60) -> str:
    """Return a table of values as text, about ``width`` characters wide, with up to ``height`` rows
    a panel; a line tells what is cut off."""
    found, total = panels(table, _SLICES)
    digits = max(1, len(str(int(table.outcome.max(initial=0)))))
    lines = [table.title, table.extent, ""]
    for panel in found:
        lines += [f"{panel.caption}:"] if panel.caption else []
        lines += _numbers(panel, digits, width, height)
        lines.append("")
    if total > len(found):
        lines += [f"{len(found)} of {total} slices; a file shows more.", ""]
    if (table.outcome == UNKNOWN).any():
        lines += ["? unknown: it depends on states outside the box", ""]
    return "\n".join(line.rstrip() for line in lines)


def _numbers(panel: Panel, digits: int, width: int, height: int) -> Iterator[str]:
    """Yield the lines of a panel of values of up to ``digits`` digits: a grid with y upwards, or
    for one variable rows that begin at round numbers."""
    column = max(digits, len(str(panel.x0)), len(str(panel.x0 + panel.width - 1))) + 1
    is_strip = len(panel.names) == 1
    margin = max(len(str(n)) for n in (panel.y0, panel.y0 + panel.height - 1)) + 1
    margin = max(margin, *(len(name) + 1 for name in panel.names[1:]), column * is_strip)
    room = max(4, (width - margin - 2) // column)
    if is_strip:
        column = min(column, max(digits, _WIDEST_STEP) + 1)  # the row says the rest of the number
        across = 20 if 20 * max(column, 4) <= room * column else 10
        column = max(column, len(str(across)) + 2)
        start = panel.x0 // across * across
        head = "".join(f"{f'+{i}':>{column}}" for i in range(across))
        yield f"{panel.names[0]:>{margin}} │{head}"
        yield "─" * (margin + 1) + "┼" + "─" * (column * across)
        rows = range(start, panel.x0 + panel.width, across)
        for row in rows[:height]:
            places = range(row - panel.x0, row - panel.x0 + across)
            cells = (_value(panel, i, 0) if 0 <= i < panel.width else "" for i in places)
            yield f"{row:>{margin}} │" + "".join(f"{cell:>{column}}" for cell in cells)
        if len(rows) > height:
            yield f"Only {panel.names[0]} up to {rows[height] - 1} fits here; a file shows all."
        return
    xs = _window(panel.x0, panel.width, room)
    ys = _window(panel.y0, panel.height, max(4, height))
    yield f"{panel.names[1]:>{margin}}"
    for y in reversed(ys):
        cells = (_value(panel, x - panel.x0, y - panel.y0) for x in xs)
        yield f"{y:>{margin}} │" + "".join(f"{cell:>{column}}" for cell in cells)
    yield " " * (margin + 1) + "└" + "─" * (column * len(xs))
    yield " " * (margin + 2) + "".join(f"{x:>{column}}" for x in xs) + f"  {panel.names[0]}"
    if len(xs) < panel.width or len(ys) < panel.height:
        shown = f"{panel.names[0]} {xs[0]} to {xs[-1]}, {panel.names[1]} {ys[0]} to {ys[-1]}"
        yield f"Only {shown} fit here; a file shows all."


def _value(panel: Panel, i: int, j: int) -> str:
    kind = int(panel.cells[i, j])
    return {UNKNOWN: "?", ILLEGAL: ""}.get(kind, str(kind))


def _legend(found: list[Panel]) -> str:
    used: dict[str, str] = {}
    for panel in found:
        for kind, word in _WORDS.items():
            here = panel.cells == kind
            if (here & ~panel.ending).any():
                used[_SIGNS[kind]] = word
            if (here & panel.ending).any():
                used[_OVER.get(kind, "?")] = f"{word}, the game is over"
    return "   ".join(f"{sign} {word}" for sign, word in used.items())


def _sign(panel: Panel, i: int, j: int) -> str:
    kind = int(panel.cells[i, j])
    return _OVER.get(kind, "?") if panel.ending[i, j] else _SIGNS[kind]


def _grid(panel: Panel, width: int, height: int) -> Iterator[str]:
    """Yield the lines of a grid of signs: y upwards, x to the right, spaced if ``width`` allows."""
    xs = _window(panel.x0, panel.width, max(4, width - 10))
    ys = _window(panel.y0, panel.height, max(4, height))
    margin = max(len(str(ys[0])), len(str(ys[-1])), len(panel.names[1])) + 1
    gap = " " if 2 * len(xs) + margin + 2 <= width else ""
    shown = set(ticks(ys[0], ys[-1], 11 if len(ys) > 12 else len(ys)))
    yield f"{panel.names[1]:>{margin}}"
    for y in reversed(ys):
        label = str(y) if y in shown else ""
        row = gap.join(_sign(panel, x - panel.x0, y - panel.y0) for x in xs)
        yield f"{label:>{margin}} │{gap}{row}"
    yield " " * (margin + 1) + "└" + "─" * (len(xs) * (1 + len(gap)))
    yield " " * (margin + 2) + _ruler(xs, gap, panel.names[0])
    if len(xs) < panel.width or len(ys) < panel.height:
        ranges = f"{panel.names[0]} {xs[0]} to {xs[-1]}, {panel.names[1]} {ys[0]} to {ys[-1]}"
        yield f"Only {ranges} fit here; a file (-o) shows all."


def _strip(panel: Panel, width: int, height: int) -> Iterator[str]:
    """Yield lines of 5, 10, 20, 50 or 100 signs, each line with its first state as label."""
    end = panel.x0 + panel.width - 1
    margin = max(len(str(panel.x0)), len(str(end))) + 2
    lengths = [n for n in (10, 20, 50, 100) if 2 * n + margin + 2 <= width]
    across = next((n for n in lengths if n >= panel.width), lengths[-1] if lengths else 5)
    start = panel.x0 // across * across
    rows = list(range(start, end + 1, across))
    for row in rows[: max(1, height)]:
        places = range(row - panel.x0, row - panel.x0 + across)
        cells = (_sign(panel, i, 0) if 0 <= i < panel.width else " " for i in places)
        yield f"{row:>{margin}} │ {' '.join(cells)}"
    if len(rows) > height:
        shown = f"{panel.names[0]} up to {rows[height] - 1}"
        yield f"Only {shown} fits here; a file (-o) shows all."


def _window(start: int, count: int, room: int) -> range:
    """Return as many as ``room`` of the ``count`` numbers from ``start`` on, those nearest to 0."""
    if count <= room:
        return range(start, start + count)
    first = int(np.clip(-room // 2, start, start + count - room))
    return range(first, first + room)


def _ruler(xs: range, gap: str, name: str) -> str:
    """Return labels of the numbers ``xs``, below signs with ``gap`` between them, and ``name``."""
    pitch = 1 + len(gap)
    digits = max(len(str(xs[0])), len(str(xs[-1])))
    text = ""
    for value in ticks(xs[0], xs[-1], max(2, len(xs) * pitch // (digits + 4))):
        column = (value - xs[0]) * pitch + len(gap)
        if column >= len(text):
            text = text.ljust(column) + f"{value} "
    return f"{text} {name}"
