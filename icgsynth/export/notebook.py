"""Show answers in a notebook: HTML with the report, and a picture where there is one.

The picture of a solution is a box of states around the origin, coloured by its formulas.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.export import picture_of, report_of
from icgsynth.export.panels import LOSING, WINNING, Table, table_title
from icgsynth.export.report import as_html
from icgsynth.export.svg import table_svg
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import box_of


def notebook_html(answer: Any) -> str:
    """Return ``answer``, of any kind, as HTML without scripts; text of the game is escaped.

    Below the report stands a drawing of the states, or of the tree over the board's facts.
    """
    drawn = picture(answer) if isinstance(answer, Solution) else picture_of(answer)
    parts = (as_html(report_of(answer)), drawn)
    return "\n".join(['<div class="icgsynth">', *filter(None, parts), "</div>"])


# --- a solution as a drawing ---------------------------------------------------------------------

_BOUNDS = {1: 120, 2: 24}


def picture(solution: Solution) -> str:
    """Return an SVG of lost and won states, for one or two variables; "" without a formula.

    Also "" where states may be drawn: the picture has two colours.
    """
    game, names = solution.game, solution.game.variables
    bound = _BOUNDS.get(len(names))
    if bound is None or solution.losing is None or solution.draws is not None:
        return ""
    sides = box_of(game.legal, names, bound)
    grid = np.meshgrid(*(np.arange(lo, hi + 1) for lo, hi in sides), indexing="ij")
    states = np.stack([g.ravel() for g in grid], axis=1)
    states = states[on_states(game.legal, names, states)]
    lost = on_states(solution.losing_formula, names, states)
    outcome = np.where(lost, LOSING, WINNING).astype(np.int8)
    head, ending = (table_title(game, solution.rule), names), np.zeros(len(states), bool)
    return table_svg(Table(*head, states, outcome, ending))
