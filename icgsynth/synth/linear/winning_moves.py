"""The winning moves from sample states, enumerated as numpy columns.

The bounds of parameters come from the comparisons that they stand in, or else from interval
reasoning as in :mod:`icgsynth.explicit.steps`; the precondition, the legality of the result and
the losing formula there are evaluated.  So a move is found or left out, never wrong, and states
outside a labelled box are as good as any.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Ints, scattered
from icgsynth.digits.int64 import FARTHEST
from icgsynth.explicit.steps import spread
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.intervals import Domain, Interval, hull
from icgsynth.logic.ranges import ROOM, difference, narrow
from icgsynth.logic.simplify import linear_sum

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
    found = limits(relation, name, known)
    if found.lo is None or found.hi is None:
        domain = narrow(relation, Domain.of(known, [n for n in names if n not in known]))
        found = Interval(*domain.bounds(name))
    shape = cells[_ROW].shape
    reach = 20 + max((int(np.abs(c).max()) for c in known.values() if c.size), default=0)
    low = np.broadcast_to(np.asarray(-reach if found.lo is None else found.lo), shape)
    high = np.broadcast_to(np.asarray(reach if found.hi is None else found.hi), shape)
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


# --- limits --------------------------------------------------------------------------------------

_FREE = Interval()


def limits(formula: t.Formula, name: str, known: Mapping[str, NDArray[Any]]) -> Interval:
    """Ends, (n,) or one number, for ``name`` wherever ``formula`` holds; None is no limit.

    ``known`` gives columns (n,) for other names; what speaks of names beyond these is passed
    over.  Cheaper and coarser than :func:`icgsynth.logic.ranges.narrow`: each comparison that is
    linear in ``name`` is solved for it as it stands.
    """
    match formula:
        case t.And(args):
            return reduce(Interval.clipped, (limits(a, name, known) for a in args), _FREE)
        case t.Or(args):
            sides = [limits(a, name, known) for a in args if a != t.Truth(False)]
            return reduce(_either, sides) if sides else _FREE
        case t.Not(arg):
            pushed = negation(arg)
            return _FREE if isinstance(pushed, t.Not) else limits(pushed, name, known)
        case t.Compare():
            solved = (_limit(*link, name, known) for link in formula.links)
            return reduce(Interval.clipped, solved, _FREE)
        case _:
            return _FREE


def _either(one: Interval, other: Interval) -> Interval:
    return hull(one, True, other, True)


def _limit(
    left: t.Term, op: str, right: t.Term, name: str, known: Mapping[str, NDArray[Any]]
) -> Interval:
    form = difference(left, right)
    factor = form.factors.get(t.Name(name), 0)
    others = {term: f for term, f in form.factors.items() if term != t.Name(name)}
    if not factor or op == "!=" or any(not free_names(term) <= known.keys() for term in others):
        return _FREE
    # factor * name + rest op 0
    column = columns(linear_sum(others, form.constant), known)
    rest = column if column.ndim else int(column)
    return (ROOM[op] - Interval(rest, rest)).divided(factor)
