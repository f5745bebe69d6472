"""Whose move a state is, in a game where both players say something at every step.

A player with a choice is the mover.  Where neither has one, it is the player whose only move is
not what that player says while the other chooses (``noop``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.board import Board
from icgsynth.finite.explore import Explored
from icgsynth.finite.game import IDLE

__all__ = ["movers_of"]


def movers_of(board: Board, found: Explored) -> NDArray[np.int8]:
    """(n,): 0 or 1 as in ``board.roles``; -1 where the game has ended."""
    mover = np.full(len(found.ended), -1, np.int8)
    live = ~found.ended
    if len(board.roles) == 1:
        mover[live] = 0
        return mover
    first, second = found.options[:, 0] > 1, found.options[:, 1] > 1
    mover[live & first] = 0
    mover[live & second] = 1
    forced = np.flatnonzero(live & ~first & ~second)
    start = found.first[:-1]
    idle = np.zeros((2, len(board.actions)), bool)
    for role, busy in ((0, second), (1, first)):
        idle[role, found.chosen[start[live & busy], role]] = True
    if not idle.any():
        named = [action.split("(")[0] in IDLE for action in board.actions]
        idle[:] = named
    said = found.chosen[start[forced]]
    waits = np.stack([idle[role, said[:, role]] for role in range(2)], axis=1)
    mover[forced] = np.where(waits[:, 0] & ~waits[:, 1], 1, 0)
    return mover
