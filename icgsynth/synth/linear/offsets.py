"""Two unbounded variables: losing states on lines, each line a problem in one variable.

Where all but a few losing states lie within a bounded distance of some lines of known directions,
each parallel of such a line is a row of states like those of a game with one variable: its labels
are ultimately periodic, and its period may be long or another than that of its neighbour.  So
there are periods here that no quotient of the whole plane could show in the same box.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.synth.linear.literals import LinearLiteral
from icgsynth.synth.linear.periodic import periodic_formula

_STEEPEST = 8  # coefficient of a direction
_PARALLELS = 40  # lines with losing states at most, all directions together
_RECURRING = 3  # losing states in the outer half of the box, on each of the lines
_POINTS = 12  # losing states on none of the lines at most

Slope = tuple[int, int]  # (a, b): the lines a * x - b * y = t, where a or b is 1


@dataclass(frozen=True, slots=True)
class _Line:
    """The states where ``a * x - b * y = t``; along it one coordinate takes every integer."""

    slope: Slope
    t: int

    @property
    def along(self) -> int:
        """Which coordinate takes every integer; the smaller one on a diagonal."""
        a, b = self.slope
        if a == b:
            return int(self.t > 0)
        return int(a == 1)

    def on(self, states: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which states (n, 2) are on it."""
        a, b = self.slope
        return np.asarray(a * states[:, 0] - b * states[:, 1] == self.t)


def offsets_formula(
    states: NDArray[np.int64], target: NDArray[np.bool_], variables: Sequence[str]
) -> t.Formula | None:
    """A formula for the ``target`` (n,) among all ``states`` (n, 2) of a box from 0 on.

    None where the losing states are not on few lines, or the labels along one are not periodic.
    """
    if not target.any() or int(states.min()) < 0:
        return None
    left = target.copy()
    cells: list[t.Formula] = []
    lines = 0
    for slope in _slopes():
        for line in _parallels(states[left], slope, int(states.max())):
            lines += 1
            cell = _periodic(states, target, line, variables)
            if cell is None or lines > _PARALLELS:
                return None
            cells.append(cell)
            left &= ~line.on(states)
    if not cells or int(left.sum()) > _POINTS:
        return None
    points = [
        conjunction(
            t.Compare((t.Name(v), t.Int(int(x))), ("=",))
            for v, x in zip(variables, point, strict=True)
        )
        for point in states[left]
    ]
    return disjunction([*cells, *points])


def _slopes() -> list[Slope]:
    """The diagonal and both axes first, then steeper ones."""
    steeper = [slope for n in range(2, _STEEPEST + 1) for slope in ((1, n), (n, 1))]
    return [(1, 1), (0, 1), (1, 0), *steeper]


def _parallels(losing: NDArray[np.int64], slope: Slope, end: int) -> list[_Line]:
    """The lines of this slope with losing states again and again in the outer half of the box."""
    outer = losing[losing.max(axis=1) > end // 2]
    values, counts = np.unique(outer @ np.array([slope[0], -slope[1]]), return_counts=True)
    near = np.abs(values) <= end // 3
    return [_Line(slope, int(offset)) for offset in values[near & (counts >= _RECURRING)]]


def _periodic(
    states: NDArray[np.int64], target: NDArray[np.bool_], line: _Line, variables: Sequence[str]
) -> t.Formula | None:
    rows = np.flatnonzero(line.on(states))
    rows = rows[np.argsort(states[rows, line.along])]
    along = periodic_formula(states[rows, line.along], target[rows], variables[line.along])
    if along is None:
        return None
    a, b = line.slope
    here = LinearLiteral((a, -b), "=", line.t).formula(variables)
    # Each cell is one conjunction, so that actions can aim at it.
    parts = along.args if isinstance(along, t.Or) else (along,)
    cells = [(*p.args,) if isinstance(p, t.And) else (p,) for p in parts]
    return disjunction([conjunction((here, *cell)) for cell in cells])
