"""A finite box of states as numpy columns: its legal states are numbered in lexicographic order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.int64 import FARTHEST
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Interval
from icgsynth.logic.ranges import box_of

Columns: TypeAlias = dict[str, NDArray[Any]]
Rows: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]

MAX_CELLS = 2**24  # default memory cap: cells of a box, and moves held at once
CHUNK = 2**16  # entries of one enumeration step: some tenths of a second at most
index_dtype = np.int32


@dataclass(frozen=True)
class Box:
    """The legal states with ``lo <= variable <= hi`` for each variable's ``(lo, hi)``.

    They are the rows 0 .. ``size`` - 1, in lexicographic order.
    """

    variables: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]
    legal: t.Formula = t.TRUE

    @staticmethod
    def of(game: ParametricGame, bound: int) -> Box:
        """The legal states of ``game`` with every variable within ``[-bound, bound]``."""
        sides = box_of(game.legal, game.variables, bound)
        return Box(game.variables, sides, game.legal)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(max(0, hi - lo + 1) for lo, hi in self.ranges)

    @property
    def cells(self) -> int:
        """Integer points, legal or not: what memory is needed for."""
        return prod(self.shape)

    def require(self, max_cells: int) -> None:
        """:class:`~icgsynth.errors.Refused` past ``max_cells`` cells, or past 64 bits."""
        if self.cells > max_cells:
            need = self.cells * (8 * len(self.variables) + 4)
            raise Refused(
                f"a box of {self.cells:,} cells (about {need / 2**20:,.0f} MiB) is past the cap of "
                f"{max_cells:,} cells; choose a smaller box"
            )
        if any(abs(end) > FARTHEST for side in self.ranges for end in side):
            raise Refused(f"a box that reaches past {FARTHEST} does not fit 64-bit columns")

    @cached_property
    def _layout(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The legal states (n, variables), and for each cell its row, -1 if not legal."""
        self.require(MAX_CELLS * 8)
        row_of = np.full(self.cells, -1, dtype=index_dtype)
        found: list[NDArray[np.int64]] = []
        count = 0
        lows = np.array([lo for lo, _ in self.ranges], dtype=np.int64)
        for start in range(0, self.cells, CHUNK):
            cells = np.arange(start, min(start + CHUNK, self.cells))
            points = np.stack(np.unravel_index(cells, self.shape), axis=1) + lows
            env = dict(zip(self.variables, points.T, strict=True))
            legal = np.broadcast_to(columns(self.legal, env), cells.shape)
            kept = points[legal]
            row_of[cells[legal]] = np.arange(count, count + len(kept))
            count += len(kept)
            found.append(kept)
        empty = np.zeros((0, len(self.variables)), dtype=np.int64)
        return np.concatenate([empty, *found]), row_of

    @property
    def states(self) -> NDArray[np.int64]:
        """Shape (n, variables): the legal states, in lexicographic order."""
        return self._layout[0]

    @property
    def size(self) -> int:
        return len(self.states)

    def columns(self, rows: Rows | slice = slice(None)) -> Columns:
        """Each variable's column over the states at ``rows``."""
        return {v: self.states[rows, i] for i, v in enumerate(self.variables)}

    def intervals(self) -> dict[str, Interval]:
        """Each variable's side, as bounds for interval reasoning."""
        sides = zip(self.variables, self.ranges, strict=True)
        return {v: Interval(lo, hi) for v, (lo, hi) in sides}

    def rows(self, points: Sequence[NDArray[Any]]) -> Rows:
        """The row of each point, given one column a variable; -1 outside or not legal.

        The columns may hold Python integers (dtype object) of any size.
        """
        inside: Flags = np.ones(len(points[0]), dtype=bool)
        for column, (lo, hi) in zip(points, self.ranges, strict=True):
            inside &= np.asarray((column >= lo) & (column <= hi), dtype=bool)
        cell: Rows = np.zeros(int(inside.sum()), dtype=np.int64)
        for column, (lo, _), side in zip(points, self.ranges, self.shape, strict=True):
            # Only what lies inside is cast, so that nothing is cut to 64 bits.
            cell = cell * side + (column[inside] - lo).astype(np.int64)
        rows = np.full(len(inside), -1, dtype=np.int64)
        rows[inside] = self._layout[1][cell]
        return rows
