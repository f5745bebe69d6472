"""The winning moves from sample states, enumerated as numpy columns.

The bounds of parameters come from interval reasoning, as in :mod:`icgsynth.explicit.steps`; the
precondition, the legality of the result and the losing formula there are evaluated.  So a move is
found or left out, never wrong, and states outside a labelled box are as good as any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Ints, scattered
from icgsynth.digits.int64 import FARTHEST
from icgsynth.explicit.steps import spread
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Domain
from icgsynth.logic.ranges import narrow

_ROW = ""  # columns hold the row numbers they came from under this name
_WIDEST = 4_096  # values tried for one parameter of one state
_ENTRIES = 1_000_000  # choices of parameters looked at for one action


@dataclass(frozen=True, slots=True)
class WinningMoves:
    """Moves of one action: ``rows`` (m,) of the states they start from, ``values`` (m, p)."""

    rows: Ints
    values: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def some(self, most: int) -> WinningMoves:
        """Return at most ``most`` moves, always the same and without a pattern, in their order."""
        if len(self) <= most:
            return self
        kept = np.sort(scattered(len(self), most))
        return WinningMoves(self.rows[kept], self.values[kept])


def winning_moves(
    game: ParametricGame,
    losing: t.Formula,
    action: Action,
    states: Ints,
    rows: Ints,
    budget: Budget,
) -> WinningMoves:
    """The moves of ``action`` from ``states[rows]`` (n, d) that lead to a losing state.

    Rows with very many choices are left out, and some where all together have too many.
    """
    applies = game.applicable(action)
    there: t.Formula = substitute(losing, game.after(action))
    names = action.parameters
    # The losing formula narrows a second parameter once the first is chosen.
    relation = conjunction((applies, there)) if len(names) > 1 else applies
    cells: dict[str, NDArray[Any]] = {v: states[rows, i] for i, v in enumerate(game.variables)}
    cells[_ROW] = rows

    def bounds(name: str, chosen: dict[str, NDArray[Any]]) -> tuple[Any, Any]:
        budget.check()
        lo, hi = _bound_parameter(relation, names, name, chosen)
        wide = hi - lo >= _WIDEST
        return np.where(wide, 0, lo), np.where(wide, -1, hi)

    if names:
        cells = _affordable(relation, names, cells)
    found_rows, found_values = [], []
    for piece in spread(cells, names, bounds):
        kept = _holding(there, _holding(applies, piece))
        found_rows.append(kept[_ROW])
        found_values.append(
            np.stack([kept[n] for n in names], axis=1)
            if names
            else np.zeros((len(kept[_ROW]), 0), np.int64)
        )
    if not found_rows:
        return WinningMoves(np.zeros(0, np.int64), np.zeros((0, len(names)), np.int64))
    return WinningMoves(np.concatenate(found_rows), np.concatenate(found_values))


def _bound_parameter(
    relation: t.Formula, names: tuple[str, ...], name: str, cells: dict[str, NDArray[Any]]
) -> tuple[Ints, Ints]:
    """Bounds (n,) for one parameter; where there are none, as far as the states reach."""
    # They are ``(0, -1)`` where they are too large for 64 bits.
    known = {n: c for n, c in cells.items() if n != _ROW}
    domain = narrow(relation, Domain.of(known, [n for n in names if n not in known]))
    lo, hi = domain.bounds(name)
    shape = cells[_ROW].shape
    reach = 20 + max((int(np.abs(c).max()) for c in known.values() if c.size), default=0)
    low = np.broadcast_to(np.asarray(-reach if lo is None else lo), shape)
    high = np.broadcast_to(np.asarray(reach if hi is None else hi), shape)
    far = np.zeros(shape, dtype=bool)
    for ends in (low, high):  # a least value may be far above as well
        far |= np.asarray((ends < -FARTHEST) | (ends > FARTHEST), dtype=bool)
    return np.where(far, 0, low).astype(np.int64), np.where(far, -1, high).astype(np.int64)


def _affordable(
    relation: t.Formula, names: tuple[str, ...], cells: dict[str, NDArray[Any]]
) -> dict[str, NDArray[Any]]:
    """The rows, those with few choices of parameters where all together have too many."""
    if len(names) == 1 or not len(cells[_ROW]):
        return cells
    choices = np.ones(len(cells[_ROW]))
    for name in names:
        low, high = _bound_parameter(relation, names, name, cells)
        choices = choices * np.clip(high - low + 1, 0, _WIDEST)
    if choices.sum() <= _ENTRIES:
        return cells
    order = np.argsort(choices, kind="stable")
    kept = np.sort(order[np.cumsum(choices[order]) <= _ENTRIES])
    return {name: column[kept] for name, column in cells.items()}


def _holding(formula: t.Formula, cells: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    count = len(cells[_ROW])
    env = {name: column for name, column in cells.items() if name != _ROW}
    holds = np.flatnonzero(np.broadcast_to(columns(formula, env), (count,)))
    if len(holds) == count:
        return cells
    return {name: column[holds] for name, column in cells.items()}
