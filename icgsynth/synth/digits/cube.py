"""The labelled cube that automata are learned from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.labels import LOSING, Labels, label
from icgsynth.logic import term as t

Flags = NDArray[np.bool_]

# Rising sides for each number of variables; what is before the bar costs a fraction of a second.
_SIDES: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    1: ((120, 1_024), (4_400, 16_384)),
    2: ((36, 100), (250, 620, 1_600, 2_600)),
    3: ((9, 17), (33, 65, 129)),
    4: ((9, 17), (33,)),
    5: ((8,), (16,)),
}
# Of a blocking game in the plane: an automaton of some dozen states in Zeckendorf's system takes
# words of 13 digits to learn, the numbers up to 609.
_BLOCKING_SIDES = (36,), (100, 611, 1_600)
_MOST_MOVES = 2**25  # held at once
_LINES = 16  # that the points of a sparse set lie on
_MOST_FLAGGED = 2_600  # side of the flags, where the losing states are listed


def sides(variables: int, quick: bool, blocking: bool = False) -> tuple[int, ...]:
    """The sides of the cubes to label, the quick ones or the others; none past 6 variables."""
    if blocking and variables == 2:
        return _BLOCKING_SIDES[0 if quick else 1]
    return _SIDES.get(variables, ((4, 8), ()) if variables == 6 else ((), ()))[0 if quick else 1]


@dataclass(frozen=True, eq=False)
class Cube:
    """All states with coordinates below ``side``: ``losing`` and ``known``, both of shape
    (side,) * variables; a cell that is no legal state is known and not losing.

    ``labels`` are those of this cube, or of a smaller one that it agrees with.  In the second case
    ``listed``, (n, variables), are all losing states, and the flags may be those of a part only.
    """

    side: int
    losing: Flags
    known: Flags
    labels: Labels
    listed: NDArray[np.int64] | None = None

    @property
    def is_whole(self) -> bool:
        return bool(self.known.all())

    @property
    def labelled_side(self) -> int:
        """The side of the cube that ``labels`` are of."""
        return int(self.labels.box.shape[0])

    @property
    def has_flags(self) -> bool:
        """Whether ``losing`` and ``known`` are those of the whole cube."""
        return len(self.losing) == self.side

    @cached_property
    def ending(self) -> Flags:
        """The ending states of the labelled cube, of shape (labelled side,) * variables."""
        found = np.zeros((self.labelled_side,) * self.losing.ndim, dtype=bool)
        found[tuple(self.labels.states[self.labels.ending].T)] = True
        return found

    def grown(self, members: NDArray[np.int64], side: int) -> Cube | None:
        """The cube of that ``side`` whose losing states are ``members``, (n, variables); None
        where this one says otherwise."""
        flagged = min(side, _MOST_FLAGGED)
        losing = np.zeros((flagged,) * self.losing.ndim, dtype=bool)
        losing[tuple(members[(members < flagged).all(axis=1)].T)] = True
        if not np.array_equal(losing[tuple(slice(n) for n in self.losing.shape)], self.losing):
            return None
        return Cube(side, losing, np.ones_like(losing), self.labels, members)

    @cached_property
    def members(self) -> NDArray[np.int64] | None:
        """(n, variables): the losing states, where they are all known and sparse: in the plane,
        near a few lines."""
        if self.listed is not None:
            return self.listed
        few = _LINES * len(self.losing) ** (self.losing.ndim - 1)
        if self.losing.ndim < 2 or not self.is_whole or np.count_nonzero(self.losing) > few:
            return None
        return np.argwhere(self.losing)


def cube(
    game: ParametricGame,
    rule: PlayRule,
    side: int,
    ranking: tuple[t.Term, ...] | None,
    budget: Budget,
) -> Cube:
    """:class:`~icgsynth.errors.Refused` where the cube is too large."""
    box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
    labels = label(game, box, rule, ranking, _MOST_MOVES, budget)
    if not len(labels.states):
        raise Refused(f"no legal state has all coordinates below {side}")
    shape = (side,) * len(game.variables)
    cells = tuple(labels.states.T)
    losing, known = np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
    losing[cells] = labels.outcome == LOSING
    known[cells] = labels.known
    return Cube(side, losing, known, labels)
