"""The plots of the comparison, from the rows of ``compare.csv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from experiments.cases import SERIES, Series
from experiments.measure import OURS, TOOLS

__all__ = ["draw"]

_Rows = Sequence[Mapping[str, str]]

# Colours that people with any colour vision tell apart (Okabe and Ito), and a shape for each.
_LOOKS: dict[str, dict[str, Any]] = {
    OURS: {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    "enumerator": {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    "cvc5": {"color": "#009E73", "marker": "^", "linestyle": "-."},
}
_SECONDS = "seconds, whole process"
_LETTERS = "#747c87"  # told apart from white paper as well as from a dark page
_STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": _LETTERS,
    "grid.alpha": 0.25,
    "text.color": _LETTERS,
    "axes.labelcolor": _LETTERS,
    "axes.edgecolor": _LETTERS,
    "xtick.color": _LETTERS,
    "ytick.color": _LETTERS,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "svg.hashsalt": "icgsynth",  # the same rows make the same file
}


def draw(rows: _Rows, folder: Path) -> None:
    """``comparison-solved.svg`` and ``comparison-scaling.svg`` in ``folder``."""
    with matplotlib.rc_context(_STYLE):
        for name, figure in (("solved", _cactus(rows)), ("scaling", _scaling(rows))):
            path = folder / f"comparison-{name}.svg"
            figure.savefig(path, metadata={"Date": None})


def _solved(rows: _Rows, tool: str, part: str = "s") -> list[float]:
    """Its times on what it solved, in the order of ``rows``."""
    return [float(r[f"{tool}_{part}"]) for r in rows if r[f"{tool}_status"] == "solved"]


def _cactus(rows: _Rows) -> Figure:
    """How many games each tool solves within a time."""
    tabled = [row for row in rows if row["group"] in ("seed", "benchmark")]
    figure = Figure(figsize=(7.2, 4.2), layout="constrained")
    axis = figure.subplots()
    for tool in TOOLS:
        times = sorted(_solved(tabled, tool))
        axis.plot(range(1, len(times) + 1), times, markersize=4, label=tool, **_LOOKS[tool])
    _log_seconds(axis)
    axis.set_ylabel(_SECONDS)
    axis.set(xlabel=f"games solved, of {len(tabled)}, the fastest first", xlim=(0, len(tabled)))
    axis.legend(frameon=False)
    return figure


def _scaling(rows: _Rows) -> Figure:
    """The cost against what grows; a tool's line ends where it first finds no answer."""
    figure = Figure(figsize=(7.2, 6.6), layout="constrained")
    axes = figure.subplots(2, 2, sharey=True).ravel()
    for axis, series in zip(axes, SERIES, strict=True):
        _series(axis, series, [row for row in rows if row["group"] == series.name])
    for axis in axes[::2]:
        axis.set_ylabel(_SECONDS)
    cross = Line2D([], [], marker="x", linestyle="", color=_LETTERS, label="no answer in the time")
    handles = [*axes[0].get_legend_handles_labels()[0], cross]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, frameon=False)
    return figure


def _series(axis: Any, series: Series, rows: _Rows) -> None:
    for tool in TOOLS:
        sizes = [int(row["size"]) for row in rows if row[f"{tool}_status"] == "solved"]
        axis.plot(sizes, _solved(rows, tool), markersize=4, label=tool, **_LOOKS[tool])
        for row in rows:
            if row[f"{tool}_status"] not in ("solved", "not run"):
                axis.plot(int(row["size"]), float(row["limit_s"]), "x", color=_LOOKS[tool]["color"])
    axis.set_title(series.legend, fontsize=9)
    axis.set_xlabel(series.axis)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    _log_seconds(axis)


def _log_seconds(axis: Any) -> None:
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(FixedLocator([0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200]))
    axis.yaxis.set_minor_locator(NullLocator())
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
