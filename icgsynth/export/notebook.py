"""Answers in a notebook: one piece of HTML with the report, and a picture where there is one.

A solution as a drawing is the box around the origin, coloured by its formulas.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.digits.arrays import Flags, Ints
from icgsynth.export import picture_of, report_of
from icgsynth.export.panels import LOSING, WINNING, Table, table_title
from icgsynth.export.report import as_html
from icgsynth.export.svg import table_svg
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import box_of


def notebook_html(answer: Any) -> str:
    """``answer``, of any kind, as HTML without scripts; all text of the game is escaped."""
    parts = (as_html(report_of(answer)), _draw(answer))
    return "\n".join(['<div class="icgsynth">', *filter(None, parts), "</div>"])


def _draw(answer: Any) -> str:
    """SVG of the states, or of the tree over the board's facts; empty without either."""
    if isinstance(answer, Solution):
        return picture(answer)
    return picture_of(answer)


# --- a solution as a drawing ---------------------------------------------------------------------

_BOUNDS = {1: 120, 2: 24}


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
    head, ending = (table_title(game, solution.rule), game.variables), np.zeros(len(states), bool)
    return table_svg(Table(*head, states, outcome, ending))


def _holds(solution: Solution, states: Ints, legal: bool) -> Flags:
    formula = solution.game.legal if legal else solution.losing_formula
    return on_states(formula, solution.game.variables, states)
