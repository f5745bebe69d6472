"""A finite box of states as numpy columns: its legal states are numbered in lexicographic order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.int64 import FARTHEST, spoken_count
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
_NARROW = 8  # variables; more take the memory of so many times more cells
_MOST_FAR = 2**15  # cells past 64 bits: Python integers are some fifty times slower
_MOST_SIDES = 64  # of a numpy array
index_dtype = np.int32


class Purpose(NamedTuple):
    """The limits of a box for one purpose: points, and where given coordinates, moves, seconds.
    ``farthest`` is the largest coordinate, ``moves`` are held at once, ``seconds`` are spent."""

    states: int
    farthest: int = 0
    moves: int = 0
    seconds: float = 0.0


# What boxes are played out for, from the smallest to the largest.
FIRST_CYCLE = Purpose(300)  # looked at before a ranking is looked for, which takes longer
CYCLE = Purpose(3_000)  # where no ranking is found: a cycle mostly lies near the origin
ALL_STATES = Purpose(16_000, moves=4_000_000, seconds=5.0)  # instead of a proof: all that there are
POSITION = Purpose(20_000, farthest=1_000)  # around the one state that a person asks about
COMPARED = Purpose(20_000, farthest=64)  # with an answer, some 0.1 s each time
COMPARED_WHOLE = Purpose(20_000, farthest=1_000)  # where all legal states are that near
DRAWS = Purpose(100_000, moves=6_000_000)  # counted back from all ends, some seconds
TABLE = Purpose(200_000, farthest=20)  # shown to a person: more do not fit a screen
LEARNING = Purpose(400_000)  # formulas are learned from it: a second or two for each box
OPENINGS = Purpose(400_000)  # a start is drawn from it, and all its states are listed
LENGTHS = Purpose(400_000, moves=1 << 20)  # of play, for one try early in a search


@dataclass(frozen=True)
class Box:
    """The legal states with ``lo <= variable <= hi`` for each variable's ``(lo, hi)``.  They are
    the rows 0 .. ``size`` - 1, in lexicographic order.  The box may lie anywhere: far from 0 its
    columns hold Python integers."""

    variables: tuple[str, ...]
    ranges: tuple[tuple[int, int], ...]
    legal: t.Formula = t.TRUE

    @staticmethod
    def of(game: ParametricGame, bound: int) -> Box:
        """Return the box of those legal states of ``game`` in which each variable is between
        -``bound`` and ``bound``."""
        sides = box_of(game.legal, game.variables, bound)
        return Box(game.variables, sides, game.legal)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(max(0, hi - lo + 1) for lo, hi in self.ranges)

    @property
    def cells(self) -> int:
        """Return the number of integer points of the box, legal or not: so many entries of memory
        it needs."""
        return prod(self.shape)

    @property
    def is_far(self) -> bool:
        """Return whether the box reaches past the coordinates that are computed with in 64 bits."""
        return any(abs(end) > FARTHEST for side in self.ranges for end in side)

    @property
    def grid(self) -> tuple[int, ...]:
        """Return the shape of an array with an entry for each integer point of the box;
        :class:`~icgsynth.errors.Refused` where an array cannot have so many dimensions."""
        if len(self.ranges) > _MOST_SIDES:
            raise Refused(f"an array has at most {_MOST_SIDES} sides, not {len(self.ranges)}")
        return self.shape

    def require(self, max_cells: int) -> None:
        """Raise Refused if the box has more than ``max_cells`` integer points; fewer are allowed
        where it is far from 0 or has many variables."""
        width = len(self.variables)
        most = max_cells if width <= _NARROW else max_cells * _NARROW // width
        if self.cells > most:
            mebibytes = self.cells * (8 * width + 4) >> 20
            raise Refused(
                f"a box of {spoken_count(self.cells)} cells ({spoken_count(mebibytes)} MiB) is "
                f"past the cap of {most:,} cells; choose a smaller box"
            )
        if self.is_far and self.cells > _MOST_FAR:
            raise Refused(
                f"a box of {self.cells:,} cells that reaches past {FARTHEST}, where at most "
                f"{_MOST_FAR:,} are played out; choose a smaller box"
            )

    @cached_property
    def _layout(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the legal states (n, variables), and for each integer point of the box the number
        of its row in them, -1 if it is not legal."""
        self.require(MAX_CELLS * 8)
        row_of = np.full(self.cells, -1, dtype=index_dtype)
        width, count = len(self.variables), 0
        empty = np.zeros((0, width), dtype=object if self.is_far else np.int64)
        found = [empty]
        for start in range(0, self.cells, chunk := CHUNK * _NARROW // max(_NARROW, width)):
            cells = np.arange(start, min(start + chunk, self.cells))
            points = self._points(cells).astype(empty.dtype)
            points += np.array([lo for lo, _ in self.ranges], dtype=empty.dtype)
            env = dict(zip(self.variables, points.T, strict=True))
            legal = np.broadcast_to(columns(self.legal, env), cells.shape).astype(bool)
            kept = points[legal]
            row_of[cells[legal]] = np.arange(count, count + len(kept))
            count += len(kept)
            found.append(kept)
        return np.concatenate(found), row_of

    def _points(self, cells: NDArray[np.int64]) -> NDArray[np.int64]:
        points = np.zeros((len(cells), len(self.variables)), dtype=np.int64)
        for place in reversed(range(len(self.variables))):
            cells, points[:, place] = np.divmod(cells, self.shape[place])
        return points

    @property
    def states(self) -> NDArray[np.int64]:
        """Return the legal states (n, variables), in lexicographic order."""
        return self._layout[0]

    @property
    def size(self) -> int:
        return len(self.states)

    def columns(self, rows: Rows | slice = slice(None)) -> Columns:
        """Return {variable: its values} over the legal states numbered ``rows``, by default all."""
        return {v: self.states[rows, i] for i, v in enumerate(self.variables)}

    def intervals(self) -> dict[str, Interval]:
        """Return {variable: the interval of its values in the box}, for interval reasoning."""
        sides = zip(self.variables, self.ranges, strict=True)
        return {v: Interval(lo, hi) for v, (lo, hi) in sides}

    def rows(self, points: Sequence[NDArray[Any]]) -> Rows:
        """Return for each of n points its number among the legal states, -1 if it lies outside or
        is not legal.  ``points`` has a column for each variable, maybe of Python integers of any
        size."""
        inside: Flags = np.ones(len(points[0]), dtype=bool)
        for column, (lo, hi) in zip(points, self.ranges, strict=True):
            inside &= np.asarray((column >= lo) & (column <= hi), dtype=bool)
        cell: Rows = np.zeros(int(inside.sum()), dtype=np.int64)
        for column, (lo, _), side in zip(points, self.ranges, self.shape, strict=True):
            # Only what lies inside is cast, so that nothing is cut to 64 bits.
            there = column[inside].astype(object) if abs(lo) > FARTHEST else column[inside]
            cell = cell * side + (there - lo).astype(np.int64)  # the last side counts fastest
        rows = np.full(len(inside), -1, dtype=np.int64)
        rows[inside] = self._layout[1][cell]
        return rows
