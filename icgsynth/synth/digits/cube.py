"""Label the growing cubes of states from which automata are learned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from icgsynth.budget import Budget, Progress
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, Labels, label
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns

# Rising sides by number of variables: cubes that take a fraction of a second, then larger ones.
_SIDES: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {
    1: ((120, 1_024), (4_400, 16_384)),
    2: ((36, 100), (250, 620, 1_600, 2_600)),
    3: ((9, 17), (33, 65, 129)),
    4: ((9, 17), (33,)),
    5: ((8,), (16,)),
}
# Sides for a blocking game in the plane: to learn an automaton of some dozen states in Zeckendorf's
# system takes words of 13 digits, the numbers up to 609.
_BLOCKING_SIDES = (36,), (100, 611, 1_600)
_MOST_MOVES = 2**25  # most moves in memory at once
_LINES = 16  # most points a row, on average, of a sparse set


def sides(variables: int, quick: bool, blocking: bool = False) -> tuple[int, ...]:
    """Return the rising sides of cubes to label: ``quick`` or larger ones; () past 6 variables."""
    if blocking and variables == 2:
        return _BLOCKING_SIDES[0 if quick else 1]
    return _SIDES.get(variables, ((4, 8), ()) if variables == 6 else ((), ()))[0 if quick else 1]


@dataclass(frozen=True, eq=False)
class Cube:
    """A cube of states with coordinates below ``side``, and their ``labels``: flags ``losing`` and
    ``known``, of shape (side,) * variables; a cell that is no legal state is known and not losing.
    """

    side: int
    losing: Flags
    known: Flags
    labels: Labels

    @property
    def is_whole(self) -> bool:
        """Whether the label of every state is known."""
        return bool(self.known.all())

    @cached_property
    def members(self) -> Ints:
        """The states that are known to be losing, shape (n, variables)."""
        return np.argwhere(self.losing & self.known)

    def leading(self, game: ParametricGame, step: Action) -> Ints:
        """Return the states, (n, variables), from which ``step``, once or more, leads to a loss."""
        env = self.labels.box.columns()
        applies, after = game.applicable(step), game.after(step)
        rows = np.flatnonzero(np.broadcast_to(columns(applies, env), (len(self.labels.states),)))
        there = [columns(after[v], {n: c[rows] for n, c in env.items()}) for v in game.variables]
        following = self.labels.box.rows([np.broadcast_to(c, rows.shape) for c in there])
        leads = np.zeros(len(self.labels.states) + 1, bool)  # the last is a state outside the box
        goal = np.append(self.labels.outcome == LOSING, False)
        while True:
            more = goal[following] | leads[following]
            if (leads[rows] == more).all():
                return self.labels.states[leads[:-1]]
            leads[rows] = more

    @property
    def unknown(self) -> Ints:
        """The states whose label is not known, shape (n, variables)."""
        return self.members[:0] if self.is_whole else np.argwhere(~self.known)

    @property
    def is_sparse(self) -> bool:
        """Whether all losing states are known and few: in the plane a few in each row."""
        few = _LINES * self.side ** (self.losing.ndim - 1)
        return self.losing.ndim > 1 and self.is_whole and len(self.members) <= few


def cube(
    game: ParametricGame,
    rule: PlayRule,
    side: int,
    ranking: tuple[t.Term, ...] | None,
    budget: Budget,
) -> Cube:
    """Label the cube of ``side`` and return it; :class:`~icgsynth.errors.Refused` if too large."""
    box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
    labels = label(game, box, rule, ranking, _MOST_MOVES, budget)
    if not len(labels.states):
        raise Refused(f"no legal state has all coordinates below {side}")
    shape, cells = box.grid, tuple(labels.states.T)
    losing, known = np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
    losing[cells] = labels.outcome == LOSING
    known[cells] = labels.known
    return Cube(side, losing, known, labels)


class Cubes:
    """Makes the cubes of one game under one rule, each larger than the cubes before.

    ``ranking`` proves that play ends.
    """

    def __init__(
        self, game: ParametricGame, rule: PlayRule, ranking: tuple[t.Term, ...], progress: Progress
    ) -> None:
        self.game, self.rule, self.ranking, self.progress = game, rule, ranking, progress
        self.side = 0  # side of the largest cube so far
        self.was_cut = False  # whether a cube was left out for lack of time
        self._seconds = 0.0  # time that the last cube took

    def of_usual_sides(self, quick: bool, budget: Budget) -> Iterator[Cube]:
        """Yield labelled cubes of ``quick`` sides, or of larger ones, while there is time."""
        for side in sides(len(self.game.variables), quick, self.game.block > 0):
            budget.check()
            if side <= self.side:
                continue
            if self._labelling_takes(side) > budget.remaining():
                self.was_cut = True
                return
            yield self._of(side, budget)

    def _of(self, side: int, budget: Budget) -> Cube:
        self.progress(f"labelling the cube of side {side}")
        start = budget.runtime
        found = cube(self.game, self.rule, side, self.ranking, budget)
        self.side, self._seconds = side, budget.runtime - start
        return found

    def _labelling_takes(self, side: int) -> float:
        """Return the seconds that labelling a cube of ``side`` may take, by the last cube."""
        if not self.side:
            return 0.0
        return float(self._seconds * (side / self.side) ** len(self.game.variables))
