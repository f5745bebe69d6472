"""Masks over all moves of a solved game: which moves a player may choose, in all states at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena_table import ArenaTable
from icgsynth.play.match import Player


def mask_of(player: Player[Any], table: ArenaTable[Any]) -> NDArray[np.bool_]:
    """Return a boolean mask (m,) over the moves of a solved game: the moves ``player`` may choose.

    A player that knows them faster has a method ``mask`` for it.
    """
    if (fast := getattr(player, "mask", None)) is not None:
        known: NDArray[np.bool_] = fast(table)
        return known
    return asked_everywhere(player, table)


def asked_everywhere(player: Player[Any], table: ArenaTable[Any]) -> NDArray[np.bool_]:
    """Return the mask (m,) of a player's options, by asking the player in every state."""
    arena, mask = table.arena, np.zeros(len(table.arena.target), bool)
    for state in np.flatnonzero(arena.mover >= 0):
        options = set(player.options(table.game, table.state_at(int(state))))
        for move in arena.moves_of(int(state)):
            mask[move] = table.move_at(move) in options
    return mask
