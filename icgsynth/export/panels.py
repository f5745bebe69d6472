"""Cut a table of labelled states into two-dimensional panels, and choose their colours.

A :class:`Table` is what an explicit solver found for a box of states.  One variable gives a
strip, two a grid; of three or more each slice, with the last variables held fixed, is a grid.

A table has two colours for who wins, or a scale for values.

Losing states are dark blue.  Values above 0 go from light yellow to dark brown, by lightness, so
that people who see few colours can tell them apart from each other and from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Flags, Ints, distinct_rows
from icgsynth.errors import Refused
from icgsynth.explicit.labels import Labels
from icgsynth.export.sentences import in_prose
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.logic.prose import equalities

ILLEGAL, UNKNOWN, LOSING, WINNING = -2, -1, 0, 1

_CELLS = 4_000_000  # cells of one slice: a picture of 2,000 by 2,000


def table_title(game: ParametricGame, rule: PlayRule) -> str:
    """Return the title of a table, such as ``Two-pile Nim: normal play``."""
    return f"{in_prose(game)}: {'normal' if rule == 'normal' else 'misère'} play"


@dataclass(frozen=True, eq=False)
class Table:
    """A table of legal ``states`` with who wins, or with Grundy values."""

    title: str
    variables: tuple[str, ...]
    states: Ints  # (n, variables)
    # (n,) for the player to move LOSING, WINNING or UNKNOWN; or a Grundy value or UNKNOWN
    outcome: NDArray[np.integer[Any]]
    ending: Flags  # (n,) where the game is over; nowhere in a table of values
    is_valued: bool = False  # the outcomes are Grundy values

    @classmethod
    def of(cls, game: ParametricGame, rule: PlayRule, labels: Labels) -> Table:
        """Return the table of ``labels`` of ``game``, with a title that names game and rule."""
        head = (table_title(game, rule), game.variables)
        return cls(*head, labels.states, labels.outcome, labels.ending)

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of losing, winning and unknown states, by these words."""
        kinds = {name: kind for kind, name in _NAMES.items()}
        return {name: int((self.outcome == kind).sum()) for name, kind in kinds.items()}

    def completed(self, solution: Solution) -> Table:
        """Return the table with unknown states won or lost by ``solution``, if it is proved."""
        unknown = np.flatnonzero(self.outcome == UNKNOWN)
        if not solution.is_proved or not len(unknown):
            return self
        outcome = self.outcome.copy()
        for row, state in zip(unknown, self.states[unknown].tolist(), strict=True):
            if not solution.is_drawn(state):
                outcome[row] = WINNING if solution.is_winning(state) else LOSING
        title = f"{self.title}; the edge of the box by the proved answer"
        return replace(self, title=title, outcome=outcome)

    @classmethod
    def of_values(cls, game: ParametricGame, states: Ints, values: Ints, how: str) -> Table:
        """Return the table of Grundy ``values`` (n,) of ``states``; ``how`` tells their source."""
        over = np.zeros(len(states), dtype=bool)
        title = f"{in_prose(game)}: Grundy values, {how}"
        return cls(title, game.variables, states, values, over, is_valued=True)

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The least and greatest value of each variable in the table; Refused if it is empty."""
        return ranges(self.states)

    @property
    def extent(self) -> str:
        """The ranges of the variables as text: ``a, b from 0 to 40``, or each if they differ."""
        sides = self.ranges
        if len(set(sides)) == 1:
            return f"{', '.join(self.variables)} from {sides[0][0]} to {sides[0][1]}"
        each = zip(self.variables, sides, strict=True)
        return ", ".join(f"{name} from {lo} to {hi}" for name, (lo, hi) in each)


@dataclass(frozen=True, eq=False)
class Panel:
    """A grid of states: ``cells[i, j]`` is where x = ``x0 + i`` and y = ``y0 + j``."""

    caption: str  # the values of the other variables
    names: tuple[str, ...]  # two, or one: then the height is 1
    x0: int
    y0: int
    cells: NDArray[np.integer[Any]]
    ending: Flags

    @property
    def width(self) -> int:
        return int(self.cells.shape[0])

    @property
    def height(self) -> int:
        return int(self.cells.shape[1])


def panels(table: Table, most: int) -> tuple[list[Panel], int]:
    """Return at most ``most`` slices of the table, in each of which all variables but the first two
    are fixed, those nearest to 0, and the number of all slices."""
    sides = require_drawable(table.states)
    flat = sides[:2] if len(sides) > 1 else (*sides, (0, 0))
    fixed = table.states[:, 2:]
    slices, rows = distinct_rows(fixed)
    near = sorted(range(len(slices)), key=lambda i: (sum(map(abs, slices[i])), *slices[i]))
    kept = sorted(near[:most], key=lambda i: slices[i])
    found = [_panel(table, flat, slices[i], np.flatnonzero(rows == i)) for i in kept]
    return found, len(slices)


def ranges(states: Ints) -> tuple[tuple[int, int], ...]:
    """Return the least and the greatest value in each column of ``states`` (n, variables).

    Raises :class:`~icgsynth.errors.Refused` where there is no state.
    """
    if not len(states):
        raise Refused("no legal state lies in this box; choose a larger --bound, or weaken 'legal'")
    lows, highs = states.min(axis=0), states.max(axis=0)
    return tuple((int(lo), int(hi)) for lo, hi in zip(lows, highs, strict=True))


def require_drawable(states: Ints) -> tuple[tuple[int, int], ...]:
    """Return (least, greatest) of each column of ``states``; Refused if too many for a picture."""
    sides = ranges(states)
    if prod(hi - lo + 1 for lo, hi in sides[:2]) > _CELLS:
        raise Refused("the box is too large to draw; choose a smaller --bound, or a .csv file")
    return sides


def _panel(
    table: Table,
    flat: Sequence[tuple[int, int]],
    fixed: Sequence[int],
    rows: NDArray[np.intp],
) -> Panel:
    (x0, x1), (y0, y1) = flat
    cells = np.full((x1 - x0 + 1, y1 - y0 + 1), ILLEGAL, dtype=table.outcome.dtype)
    ending = np.zeros(cells.shape, dtype=bool)
    x = (table.states[rows, 0] - x0).astype(np.int64)
    y = np.zeros_like(x)
    if len(table.variables) > 1:
        y = (table.states[rows, 1] - y0).astype(np.int64)
    cells[x, y] = table.outcome[rows]
    ending[x, y] = table.ending[rows]
    others = zip(table.variables[2:], fixed, strict=True)
    return Panel(equalities(others), table.variables[:2], x0, y0, cells, ending)


def ticks(lo: int, hi: int, most: int) -> list[int]:
    """Return about ``most`` round numbers from ``lo`` to ``hi``, for the marks of an axis."""
    step, factor = 1, 0
    while (hi - lo) // step + 1 > max(2, most):
        step = step * 5 // 2 if factor % 3 == 1 else step * 2
        factor += 1
    return list(range(-(-lo // step) * step, hi + 1, step))


INK = "#22272e"
COLOURS = {LOSING: "#1b3a5c", WINNING: "#dbe6f1", UNKNOWN: "#c6c9ce"}
_NAMES = {LOSING: "losing", WINNING: "winning", UNKNOWN: "unknown"}
# red, green, blue of values from small (pale) to large (dark)
_SCALE = ((255, 247, 214), (254, 217, 118), (246, 150, 50), (189, 82, 18), (88, 32, 12))
_SWATCHES = 12  # values that a legend names


@dataclass(frozen=True)
class Palette:
    """The colours and names of the ``kinds`` of cells in a picture; ``largest`` is the greatest
    value, None where cells say who wins."""

    largest: int | None
    kinds: tuple[int, ...]

    @staticmethod
    def of(found: Iterable[Panel], is_valued: bool) -> Palette:
        """Return the palette for the kinds of cells that occur in the panels ``found``."""
        kinds = {int(kind) for panel in found for kind in np.unique(panel.cells)} - {ILLEGAL}
        order = sorted(kinds, key=lambda kind: (kind == UNKNOWN, kind))
        return Palette(max(kinds, default=0) if is_valued else None, tuple(order))

    def colour(self, kind: int) -> str:
        """Return as ``#rrggbb`` the colour of cells of a ``kind``: a value, LOSING, WINNING, .."""
        if self.largest is None or kind in (LOSING, UNKNOWN):
            return COLOURS[kind]
        place = (kind - 1) / max(1, self.largest - 1) * (len(_SCALE) - 1)
        at = min(int(place), len(_SCALE) - 2)
        mixed = (a + (b - a) * (place - at) for a, b in zip(*_SCALE[at : at + 2], strict=True))
        return "#" + "".join(f"{round(part):02x}" for part in mixed)

    def ink(self, kind: int) -> str:
        """Return as ``#rrggbb`` the colour of letters on a cell of this ``kind``, dark or white."""
        red, green, blue = (int(self.colour(kind)[i : i + 2], 16) for i in (1, 3, 5))
        return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 130 else INK

    def name(self, kind: int) -> str:
        """Return the text for a ``kind`` in the legend: a value, or who wins, as "losing"."""
        return _NAMES[kind] if self.largest is None or kind == UNKNOWN else str(kind)

    def list_kinds(self) -> tuple[int, ...]:
        """Return the kinds that a legend shows: of many values a sample with both ends."""
        values = [kind for kind in self.kinds if kind != UNKNOWN]
        if len(values) > _SWATCHES:
            step = (len(values) - 1) / (_SWATCHES - 1)
            values = [values[round(i * step)] for i in range(_SWATCHES)]
        return (*values, *(kind for kind in self.kinds if kind == UNKNOWN))
