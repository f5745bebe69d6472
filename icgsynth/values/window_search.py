"""Piles of which a player leaves any number from a certain one on: the window, seen in a box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import distinct
from icgsynth.errors import Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.game.labels import LabelLimits, listed_moves
from icgsynth.game.value_forms import WindowValue
from icgsynth.logic import term as t
from icgsynth.logic.simplify import linear_sum
from icgsynth.synth.boxes import sides

__all__ = ["window"]

_BOUND = 240  # of the states that are looked at
_MOST_MOVES = 2**20
_LARGEST = 24  # denominator of the part of a pile that may be left

Ints = NDArray[np.int64]


def window(game: ParametricGame, budget: Budget) -> WindowValue | None:
    """What the moves of a box suggest; None where they are no windows, or of one width."""
    if len(game.variables) != 1:
        return None
    box = Box(game.variables, sides(game, _BOUND), game.legal)
    try:
        edges, barred = listed_moves(game, box, LabelLimits(_MOST_MOVES, budget))
    except Refused:
        return None
    states = box.states[:, 0]
    if len(states) < 2 or barred.any() or (np.diff(states) != 1).any():
        return None
    low = states.copy()
    np.minimum.at(low, edges.source, states[edges.target])
    moves = distinct(edges.source.astype(np.int64) * len(states) + edges.target)
    counts = np.bincount(moves // len(states), minlength=len(states))
    if (counts != states - low).any() or (edges.target >= edges.source).any():
        return None
    variable, least = game.variables[0], int(states[0])
    term = _fitting(t.Name(variable), states, low)
    return None if term is None else WindowValue(variable, term, least)


def _fitting(variable: t.Name, states: Ints, low: Ints) -> t.Term | None:
    """A rounded multiple that ``low`` is, at least where there is a move."""
    moving = low < states
    if not moving.any():
        return None
    for below in range(2, _LARGEST + 1):
        for above in range(1, below):
            rest = below * low[moving] - above * states[moving]
            first, last = int(rest.max()), int(rest.min()) + below - 1
            if first > last:
                continue
            offset = min(max(0, first), last)
            found = (above * states + offset) // below
            term = t.Div(linear_sum({variable: above}, offset), t.Int(below))
            least = int(states[0])
            if (found == low).all():
                return term
            if (np.minimum(found, states) == low).all():
                return t.Min(term, variable)
            if (np.maximum(found, least) == low).all():
                return t.Max(term, t.Int(least))
    return None
