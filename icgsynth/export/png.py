"""A table as a PNG image, drawn with matplotlib (the extra ``plot``)."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from icgsynth.errors import InputError
from icgsynth.export.panels import ILLEGAL, Palette, Panel, Table, panels
from icgsynth.export.svg import ENDING_COLOUR, MOST_PANELS

_WRAP = 20  # states in a row of a strip, or a multiple that keeps the image about square
_NUMBERED = 32  # cells on a side up to which a value can be read in them
_LINED = 60  # cells on a side up to which lines between them can be seen


def table_png(table: Table) -> bytes:
    """The image file; :class:`InputError` that names the extra where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        mend = "pip install 'icgsynth[plot]', or write an .svg or .csv file"
        raise InputError("a PNG image needs matplotlib", mend=mend) from None

    found, total = panels(table, MOST_PANELS)
    palette = Palette.of(found, table.is_valued)
    if len(table.variables) == 1:
        found = [_wrapped(found[0])]
    across = min(len(found), 4)
    down = -(-len(found) // across)
    first, side = found[0], 7.0 if len(found) == 1 else 2.9
    # Beside a grid there is half an inch of numbers; below it as much, and above it the caption.
    high = max(0.6, (side - 0.5) * first.height / max(first.width, first.height)) + 0.5
    high += 0.4 if first.caption else 0.1
    figure = Figure(figsize=(max(5.5, side * across), high * down + 0.8), layout="compressed")
    axes = figure.subplots(down, across, squeeze=False).reshape(-1)
    for axis, panel in zip(axes, found, strict=False):
        _grid(axis, panel, palette)
    for axis in axes[len(found) :]:
        axis.set_visible(False)
    if len(table.variables) == 1:
        _label_rows(axes[0], first)
    note = f"; {len(found)} of {total} slices" if total > len(found) else ""
    figure.suptitle(f"{table.title}\n{table.extent}{note}", fontsize=11)
    _legend(figure, found, palette)
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    return stream.getvalue()


def _grid(axis: Any, panel: Panel, palette: Palette) -> None:
    """One panel; what is not legal stays white."""
    from matplotlib.colors import to_rgb

    pixels = np.ones((*panel.cells.shape, 3))
    for kind in palette.kinds:
        pixels[panel.cells == kind] = to_rgb(palette.colour(kind))
    x0, y0 = panel.x0 - 0.5, panel.y0 - 0.5
    extent = (x0, x0 + panel.width, y0, y0 + panel.height)
    axis.imshow(pixels.transpose(1, 0, 2), origin="lower", extent=extent, interpolation="nearest")
    if max(panel.width, panel.height) <= _LINED:
        axis.hlines(np.arange(y0, extent[3]), *extent[:2], color="white", linewidth=0.6)
        axis.vlines(np.arange(x0, extent[1]), *extent[2:], color="white", linewidth=0.6)
    if palette.largest is not None and max(panel.width, panel.height) <= _NUMBERED:
        _values(axis, panel, palette)
    ending = np.argwhere(panel.ending)
    size = max(5.0, min(40.0, 1000.0 / max(panel.width, panel.height)))
    axis.scatter(
        ending[:, 0] + panel.x0, ending[:, 1] + panel.y0, s=size, color=ENDING_COLOUR, zorder=3
    )
    axis.set(xlabel=panel.names[0], ylabel=panel.names[-1])
    axis.set_title(panel.caption, fontsize=9)
    axis.locator_params(integer=True)


def _values(axis: Any, panel: Panel, palette: Palette) -> None:
    """The value of each cell."""
    size = min(11.0, 330 / max(panel.width, panel.height) / max(2, len(str(palette.largest))))
    for i, j in np.argwhere(panel.cells >= 0).tolist():
        value = int(panel.cells[i, j])
        at = panel.x0 + i, panel.y0 + j, str(value)
        axis.text(*at, ha="center", va="center", fontsize=size, color=palette.ink(value))


def _wrapped(strip: Panel) -> Panel:
    """The states of one variable in rows: x is the place in the row, y the row."""
    across = max(_WRAP, int(strip.width**0.5) // _WRAP * _WRAP)
    start = strip.x0 // across * across
    places = np.arange(strip.width) + strip.x0 - start
    shape = (across, int(places[-1]) // across + 1)
    cells, ending = np.full(shape, ILLEGAL, dtype=strip.cells.dtype), np.zeros(shape, dtype=bool)
    cells[places % across, places // across] = strip.cells[:, 0]
    ending[places % across, places // across] = strip.ending[:, 0]
    return Panel("", strip.names, 0, start // across, cells, ending)


def _label_rows(axis: Any, panel: Panel) -> None:
    """Rows from the top, each labelled with its first state."""
    first, last = panel.y0, panel.y0 + panel.height - 1
    axis.set_ylim(last + 0.5, first - 0.5)
    shown = range(first, last + 1, -(-panel.height // 15))
    axis.set_yticks(shown, [str(row * panel.width) for row in shown])
    axis.set(xlabel=f"{panel.names[0]} = the number of its row + this", ylabel="")


def _legend(figure: Any, found: list[Panel], palette: Palette) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    marks: list[Any] = [
        Patch(facecolor=palette.colour(kind), label=palette.name(kind)) for kind in palette.told()
    ]
    if any(bool(panel.ending.any()) for panel in found):
        dot = Line2D(
            [], [], marker="o", linestyle="", color=ENDING_COLOUR, label="the game is over"
        )
        marks.append(dot)
    look = {"handlelength": 1.0, "columnspacing": 1.0} if len(marks) > 6 else {}
    place = "outside lower center"
    figure.legend(handles=marks, loc=place, ncols=len(marks), frameon=False, **look)
