"""The heuristic worth of a board without a line, to a player who looks a few rounds ahead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.starts.decode import MOST
from icgsynth.boards.starts.lines import LineGame
from icgsynth.errors import InputError


@dataclass(frozen=True)
class Reward:
    """A heuristic that gives a board without a line its worth to X at the end of a look-ahead.

    ``weights[k]`` is what a window (a line that could still be filled: no stone of the other side)
    with k own stones is worth; those of O count negatively; missing ones are 0.  Without weights
    the paper's reward is meant: the number of own stones, from two on.  That is what reproduces its
    figures 2 to 4; its text says the number of pairs.

    With ``haste`` a nearer win is worth more, and a nearer loss less, than a farther one, which
    fits the paper's tables better than all wins being alike."""

    weights: tuple[int, ...] = ()
    haste: bool = True

    def __post_init__(self) -> None:
        if any(abs(w) > MOST for w in self.weights):
            raise InputError("a weight is out of bounds", mend=f"-{MOST} to {MOST}")

    def table(self, game: LineGame) -> NDArray[np.int64]:
        """Return the worths (match + 1,) of lines that have 0, 1, .. stones of one player and none
        of the other. InputError where a board could be worth more than a win."""
        given = self.weights or tuple(k if k >= 2 else 0 for k in range(game.match + 1))
        table = np.zeros(game.match + 1, np.int64)
        table[: len(given)] = given[: game.match + 1]
        if (worth := int(np.abs(table[: game.match]).max()) * len(game.windows)) > MOST:
            raise InputError(
                f"this reward may reach {worth} on {game.name}, and a win counts {MOST}",
                mend="give smaller weights, as in --reward 0,0,1",
            )
        return table


PAPER = Reward()
"""The paper's reward, with haste."""
