"""Compute the Grundy values of small states by definition, without a Grundy function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.prove.boxcheck import few_states
from icgsynth.prove.recheck.definition import defined_values
from icgsynth.synth.values.grundy_search import nothing_known

_LARGEST = 2_000  # largest coordinate of a small state
_SHARE = 0.2  # share of the budget for these values


def known_at(game: ParametricGame, states: Sequence[State], budget: Budget) -> GrundyAnswer | None:
    """Return an answer with the Grundy values of ``states`` and of all states reachable from them,
    computed twice by independent code: in plain Python, and by columns for a box around these
    states.  None where they are too many, or play may never end."""
    is_far = max(abs(x) for state in states for x in state) > _LARGEST
    if game.is_quantified or (is_far and few_states(game.legal, game.variables) is None):
        return None
    share = budget.share(_SHARE)
    try:
        known = defined_values(game, states, share)
        columns = np.array(list(known), dtype=object)
        ranges = tuple(zip(columns.min(0).tolist(), columns.max(0).tolist(), strict=True))
        found = box_values(game, Box(game.variables, ranges, game.legal), share)
    except (Refused, BudgetSpent, MemoryError):
        return None
    rows = found.box.states[found.known].tolist()
    again = dict(zip(map(tuple, rows), found.values[found.known].tolist(), strict=True))
    if any(again.get(state) != value for state, value in known.items()):
        return None
    return replace(nothing_known(game, "no function is known"), known=known)
