"""A solution as a drawing: the box around the origin, coloured by its formulas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.export.panels import LOSING, WINNING, Table
from icgsynth.export.svg import table_svg
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import box_of

_BOUNDS = {1: 120, 2: 24}


@dataclass(frozen=True, eq=False)
class _Coloured:
    states: NDArray[np.int64]
    outcome: NDArray[np.int8]
    ending: NDArray[np.bool_]


def picture(solution: Solution) -> str:
    """SVG for one or two variables and a known formula; empty text otherwise.

    Empty as well where states may be drawn: the picture has two colours.
    """
    game = solution.game
    bound = _BOUNDS.get(len(game.variables))
    if bound is None or solution.losing is None or solution.draws is not None:
        return ""
    sides = box_of(game.legal, game.variables, bound)
    grid = np.meshgrid(*(np.arange(lo, hi + 1) for lo, hi in sides), indexing="ij")
    states = np.stack([g.ravel() for g in grid], axis=1)
    states = states[_holds(solution, states, legal=True)]
    lost = _holds(solution, states, legal=False)
    outcome = np.where(lost, LOSING, WINNING).astype(np.int8)
    coloured = _Coloured(states, outcome, np.zeros(len(states), bool))
    return table_svg(Table.of(game, solution.rule, coloured))


def _holds(solution: Solution, states: NDArray[np.int64], legal: bool) -> NDArray[np.bool_]:
    formula = solution.game.legal if legal else solution.losing_formula
    return on_states(formula, solution.game.variables, states)
