"""A cycle of moves refutes termination; an action may have infinitely many moves."""

from __future__ import annotations

from collections import deque
from itertools import islice

import numpy as np

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import distinct
from icgsynth.explicit.box import MAX_CELLS, Box
from icgsynth.explicit.labels import listable
from icgsynth.explicit.retrograde import Edges
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic.ranges import candidates, ranges

_MOST_PARAMETERS = 8  # of an action whose moves are listed: each of more takes seconds
_NEAR, _MOST = 3, 10_000  # coordinates of states all moves of which are listed, and how many
_STARTS = 50  # states near the origin that a cycle is sought through


def find_cycle(
    game: ParametricGame, box: Box, budget: Budget = UNBOUNDED
) -> tuple[State, ...] | None:
    """A cycle of moves within ``box``, ``(s0, s1, ..., s0)``; None where there is none.

    None says nothing of moves outside the box, nor of actions whose moves cannot be listed.
    :class:`~icgsynth.errors.Refused` past ``MAX_CELLS`` moves,
    :class:`~icgsynth.errors.BudgetSpent` past the budget.
    """
    edges, *_ = listable(game, box, MAX_CELLS, budget)
    left = _unpeeled(edges)
    within = left[edges.source] & left[edges.target]
    if not within.any():
        return None
    follow: dict[int, list[int]] = {}
    pairs = zip(edges.source[within].tolist(), edges.target[within].tolist(), strict=True)
    for row, other in pairs:
        follow.setdefault(row, []).append(other)
    nearest = sorted(follow, key=lambda row: (int(np.abs(box.states[row]).sum()), row))
    found = (_around(row, follow) for row in nearest[:_STARTS])
    cycle = min((c for c in found if c is not None), key=len, default=None)
    if cycle is None:
        cycle = _any_cycle(follow)
    return tuple(tuple(int(x) for x in box.states[i]) for i in cycle)


def _around(start: int, follow: dict[int, list[int]]) -> list[int] | None:
    """A shortest way from ``start`` back to it, by breadth; None where there is none."""
    came_from: dict[int, int] = {}
    level = [start]
    while level:
        following: list[int] = []
        for row in level:
            for other in follow.get(row, ()):
                if other == start:
                    path = [start, row]
                    while path[-1] != start:
                        path.append(came_from[path[-1]])
                    return path[::-1]
                if other not in came_from:
                    came_from[other] = row
                    following.append(other)
        level = following
    return None


def _any_cycle(follow: dict[int, list[int]]) -> list[int]:
    """Every state here has a move that stays here: follow one until a state comes back."""
    path = [next(iter(follow))]
    seen = {path[0]: 0}
    while (row := follow[path[-1]][0]) not in seen:
        seen[row] = len(path)
        path.append(row)
    return [*path[seen[row] :], row]


def _unpeeled(edges: Edges) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(n,): what remains when states without a move are taken away, again and again."""
    left = edges.out_degrees()  # for each state, its moves to states that are not peeled
    peeled = np.flatnonzero(left == 0)
    while len(peeled):
        spent = edges.sources(peeled)
        np.subtract.at(left, spent, 1)
        peeled = distinct(spent[left[spent] == 0])
    return left > 0


def endless_moves(game: ParametricGame) -> str:
    """Which action has infinitely many moves near the origin; empty if none or for quantifiers."""
    if game.is_quantified:
        return ""
    near = Box.of(game, _NEAR)
    for action in game.actions if near.cells <= _MOST else ():
        if len(action.parameters) > _MOST_PARAMETERS:
            continue
        near_all = ranges(game.applicable(action), action.parameters, near.columns()).values()
        if all(end is not None for ends in near_all for end in ends):
            continue
        # What has no bound over all states at once may have one in each.
        for state in map(tuple, near.states.tolist()):
            listed = candidates(game.applicable(action), action.parameters, game.env(state))
            try:
                deque(islice(listed, _MOST), 0)
            except OverflowError as error:
                where = game.show(state)
                return f"{action.name} has infinitely many moves in {where}, for its {error}"
    return ""
