"""Masks over all moves of a solved game: which moves a player may choose, in all states at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.play.match import Player


def mask_of(player: Player[Any], table: ArenaTable[Any]) -> NDArray[np.bool_]:
    """Return a mask (m,) over all moves of a solved game: True for the moves ``player`` may choose.
    The player's own method ``mask`` gives it, or else the player is asked in every state."""
    if (fast := getattr(player, "mask", None)) is not None:
        known: NDArray[np.bool_] = fast(table)
        return known
    return asked_everywhere(player, table)


def asked_everywhere(player: Player[Any], table: ArenaTable[Any]) -> NDArray[np.bool_]:
    """Return the mask (m,) of the moves that ``player`` may choose, by asking it in every state."""
    arena, mask = table.arena, np.zeros(len(table.arena.target), bool)
    for state in np.flatnonzero(arena.mover >= 0):
        options = set(player.options(table.game, table.state_at(int(state))))
        for move in arena.moves_of(int(state)):
            mask[move] = table.move_at(move) in options
    return mask
