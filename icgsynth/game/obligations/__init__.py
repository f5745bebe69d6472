"""What has to hold for an answer to be right, as formulas that must have no model.

:mod:`~icgsynth.game.obligations.game` says it of the rules and of each part of an answer,
:mod:`~icgsynth.game.obligations.endless_play` where play may never end,
:mod:`~icgsynth.game.obligations.termination` of a ranking, and
:mod:`~icgsynth.game.obligations.stated` of a whole solution, part by part.
"""

from icgsynth.game.obligations.game import (
    Obligation,
    after,
    cell_obligations,
    closure,
    cover_obligations,
    ending_has_no_move,
    fires,
    moves_to,
    never_wins,
    strategy_obligations,
    tree_obligations,
    winning_obligations,
)

__all__ = [
    "Obligation",
    "after",
    "cell_obligations",
    "closure",
    "cover_obligations",
    "ending_has_no_move",
    "fires",
    "moves_to",
    "never_wins",
    "strategy_obligations",
    "tree_obligations",
    "winning_obligations",
]
