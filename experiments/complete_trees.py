"""Complete game trees and alpha-beta beside them: values and sizes under stated conventions.

Size of the complete tree: moves, that is nodes without the root; a state that is reached twice
counts twice (this is the convention of Tables 1 and 2 of Hahn and Shankar 2020).
Size of an alpha-beta search: states it looks at, the root among them; with a table, each state
(or class of states under the symmetries of the rules) that is not answered from the table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.symmetry import symmetry_of
from icgsynth.boards.learn.pruned import topological
from icgsynth.boards.learn.stage import Stage
from icgsynth.process.compiled import compiled

__all__ = ["AlphaBeta", "Complete", "alpha_beta", "complete"]


@dataclass(frozen=True, slots=True)
class Complete:
    """The complete tree: its value for the main player, and its moves."""

    value: int
    nodes: int


@dataclass(frozen=True, slots=True)
class AlphaBeta:
    """An alpha-beta search: its value for the main player, and the states looked at."""

    value: int
    states: int


def complete(stage: Stage, main: int, walk: bool = True) -> Complete:
    """Minimax over the complete tree; node by node, or (``walk`` false) counted by states.

    :class:`~icgsynth.errors.Refused` where play can come back to a state.
    """
    arena = stage.arena
    order = topological(stage)
    worth = arena.value.astype(np.int64) * (1 if main == 0 else -1)
    if walk:
        maximises = (arena.mover == main).astype(np.int64)
        value, nodes = walk_tree(arena.first, arena.target, maximises, worth)
        return Complete(int(value), int(nodes))
    below = [0] * len(order)
    for s in order:
        below[s] = sum(1 + below[t] for t in arena.target[arena.first[s] : arena.first[s + 1]])
    return Complete(int(worth[0]), below[0])


def alpha_beta(stage: Stage, main: int, table: bool = False, symmetric: bool = False) -> AlphaBeta:
    """Depth-first search with bounds that start at the greatest and least outcomes.

    The moves are tried in the order of the arena.  A table keeps exact values and bounds.
    """
    arena = stage.arena
    topological(stage)
    worth = arena.value.astype(int) * (1 if main == 0 else -1)
    ended = arena.mover < 0
    key = _classes(stage) if symmetric else list(range(len(arena.mover)))
    known: dict[int, tuple[int, int]] = {}
    looked = 0

    def search(state: int, low: int, high: int) -> int:
        nonlocal looked
        if table and key[state] in known:
            least, most = known[key[state]]
            if least == most or least >= high or most <= low:
                return least if least == most or least >= high else most
        looked += 1
        if ended[state]:
            return int(worth[state])
        greedy = arena.mover[state] == main
        best = -2 if greedy else 2
        a, b = low, high
        for move in stage.arena.moves_of(state):
            found = search(int(arena.target[move]), a, b)
            best = max(best, found) if greedy else min(best, found)
            if greedy:
                a = max(a, best)
            else:
                b = min(b, best)
            if a >= b:
                break
        if table:
            known[key[state]] = (
                (best, best) if low < best < high else (best, 1) if best >= high else (-1, best)
            )
        return best

    return AlphaBeta(search(0, -1, 1), looked)


def _classes(stage: Stage) -> list[int]:
    """Return a number for each state, equal where a symmetry of the rules maps one to the other.

    Not all of these symmetries keep the start.
    """
    best: list[tuple[int, ...]] = list(stage.row)
    anywhere = symmetry_of(replace(stage.board, initial=np.zeros_like(stage.board.initial)))
    for image in anywhere.images(stage.states):
        best = [min(b, tuple(row)) for b, row in zip(best, image.tolist(), strict=True)]
    numbers: dict[tuple[int, ...], int] = {}
    return [numbers.setdefault(b, len(numbers)) for b in best]


@compiled
def walk_tree(
    first: NDArray[Any], target: NDArray[Any], maximises: NDArray[Any], outcome: NDArray[Any]
) -> tuple[int, int]:
    """Minimax over the complete tree from state 0, node by node: its value and its moves.

    ``maximises`` (n,) is 1 where the player to move wants the greatest outcome, else 0.
    """
    deepest = 4096
    state = [0] * deepest
    place = [0] * deepest
    value = [0] * deepest
    depth = 0
    nodes = 0
    place[0] = first[0]
    value[0] = -9 if maximises[0] else 9
    while True:
        s = state[depth]
        ended = first[s] == first[s + 1]
        if not ended and place[depth] < first[s + 1] and depth + 1 < deepest:
            t = target[place[depth]]
            place[depth] += 1
            nodes += 1
            depth += 1
            state[depth] = t
            place[depth] = first[t]
            value[depth] = -9 if maximises[t] else 9
            continue
        found = outcome[s] if ended else value[depth]
        if depth == 0:
            return found, nodes
        depth -= 1
        s = state[depth]
        if maximises[s]:
            value[depth] = max(value[depth], found)
        else:
            value[depth] = min(value[depth], found)
