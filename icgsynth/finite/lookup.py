"""A solved game asked about one state at a time, as play does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from icgsynth.errors import InputError
from icgsynth.finite.arena import Arena
from icgsynth.logic.bits import pack

__all__ = ["Lookup", "Worth"]


@dataclass(frozen=True)
class Worth:
    """A state as best play sees it, for the player to move.

    ``value`` +1 a win, 0 a draw, -1 a loss; ``distance`` plies to the end, -1 where a draw has
    none; ``optimal`` the moves that keep the value, the quickest win or slowest loss first.
    """

    value: int
    distance: int
    optimal: tuple[str, ...]


class Lookup:
    """Rows of an arena by the facts of a state, up to the arena's symmetries."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._bit = {name: i for i, name in enumerate(arena.literals)}
        self._rows = {row.tobytes(): i for i, row in enumerate(arena.states)}

    def row(self, facts: Iterable[str]) -> tuple[int, int]:
        """The row that stands for a state, and the element of the group that leads there.

        Facts that the arena does not know are passed over; :class:`InputError` for a state
        that play does not reach.
        """
        arena = self._arena
        known = np.array([self._bit[fact] for fact in facts if fact in self._bit], np.int64)
        moved = arena.literal_images[:, known].astype(np.int64)
        truth = np.zeros((len(moved), len(arena.literals)), bool)
        np.put_along_axis(truth, moved, True, axis=1)
        words = pack(truth)
        for element, image in enumerate(words):
            row = self._rows.get(image.tobytes())
            if row is not None:
                return row, element
        raise InputError(f"play of {arena.name} does not reach this state", mend="start elsewhere")

    def worth(self, facts: Iterable[str]) -> Worth:
        """What the player to move can get, and how."""
        arena = self._arena
        row, element = self.row(facts)
        back = {int(image): a for a, image in enumerate(arena.action_images[element])}
        sign = -1 if arena.mover[row] == 1 else 1
        value = sign * int(arena.value[row])
        best = []
        for move in arena.moves_of(row):
            if arena.optimal[move]:
                distance = int(arena.distance[arena.target[move]])
                name = arena.actions[back[int(arena.action[move])]]
                best.append((value * distance, name))
        return Worth(value, int(arena.distance[row]), tuple(name for _, name in sorted(best)))
