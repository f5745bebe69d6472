"""A cycle of moves refutes termination."""

from __future__ import annotations

import numpy as np

from icgsynth.game import ParametricGame, State
from icgsynth.solve.box import MAX_CELLS, Box
from icgsynth.solve.labels import Edges, Labels
from icgsynth.solve.steps import Opaque, steps_of

__all__ = ["find_cycle"]


def find_cycle(
    game: ParametricGame, labels: Labels, max_cells: int = MAX_CELLS
) -> tuple[State, ...] | None:
    """A cycle of moves within the box, ``(s0, s1, ..., s0)``; None where there is none.

    None says nothing of moves outside the box, nor of actions whose moves cannot be listed.
    :class:`~icgsynth.errors.Refused` past ``max_cells`` moves.
    """
    box = labels.box
    edges = _edges(game, box, max_cells)
    left = _unpeeled(edges)
    within = left[edges.source] & left[edges.target]
    if not within.any():
        return None
    # What is left has a move to what is left: follow any one until a state comes back.
    follow = dict(zip(edges.source[within].tolist(), edges.target[within].tolist(), strict=True))
    path = [next(iter(follow))]
    seen = {path[0]: 0}
    while (row := follow[path[-1]]) not in seen:
        seen[row] = len(path)
        path.append(row)
    cycle = [*path[seen[row] :], row]
    return tuple(tuple(int(x) for x in box.states[i]) for i in cycle)


def _edges(game: ParametricGame, box: Box, max_cells: int) -> Edges:
    """The moves of all actions whose moves can be listed."""
    steps = steps_of(game, box, max_cells)
    while True:
        try:
            return Edges.of(steps, box, max_cells)
        except Opaque as found:
            steps = tuple(step for step in steps if step.action.name != found.action)


def _unpeeled(edges: Edges) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """(n,): what remains when states without a move are taken away, again and again."""
    left = edges.out_degrees()
    peeled = np.flatnonzero(left == 0)
    while len(peeled):
        spent = edges.sources(peeled)
        np.subtract.at(left, spent, 1)
        peeled = np.unique(spent[left[spent] == 0])
    return left > 0
