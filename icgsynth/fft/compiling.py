"""The kernels of the search, compiled before a budget starts to run.

They are run once on a game of a few states: the layout of a view is the same for all games, so
that this is all the compiling there is.  With machine code in the cache it takes a moment.
"""

from __future__ import annotations

import numpy as np

from icgsynth.fft.anneal import anneal
from icgsynth.fft.greedy import algorithm_2, simplify
from icgsynth.fft.optimality import adopt, match
from icgsynth.fft.synthesis import greedy, minimise
from icgsynth.fft.workshop import Workshop
from icgsynth.finite.arena import Arena, GameGraph, solved, unfolded
from icgsynth.finite.compiled import Progress, announce
from icgsynth.finite.tree import EMPTY

__all__ = ["warm"]

_JUDGING = (match, adopt)
_SEARCH = (*_JUDGING, simplify, algorithm_2, anneal)


def warm(progress: Progress, search: bool = True) -> None:
    """Compile or load the kernels of verdicts, or those of the ``search`` as well.

    It says so first where one has to be compiled.
    """
    announce(_SEARCH if search else _JUDGING, progress)
    shop = Workshop(_toy(), 0, "signed")
    if not search:
        shop.is_optimal(EMPTY)
        return
    tree = greedy(shop)
    assert tree is not None
    minimise(shop, tree)
    size = shop.load(tree)
    shop.stands(size, True, 0)
    anneal(shop.view, shop.bench, size, 1, 1.0, True)


def _toy() -> Arena:
    """Player 0 chooses p or q, player 1 has no choice, and then p wants a and q wants b."""
    facts = [(), ("p",), ("q",), ("p", "r"), ("q", "r"), ("end",), ("end", "r")]
    names = ("p", "q", "r", "end")
    states = [[sum(1 << names.index(fact) for fact in held)] for held in facts]
    moves = [[(0, 1), (1, 2)], [(0, 3)], [(0, 4)], [(0, 5), (1, 6)], [(0, 6), (1, 5)], [], []]
    first = np.zeros(len(facts) + 1, np.int64)
    np.cumsum([len(found) for found in moves], out=first[1:])
    flat = [move for found in moves for move in found]
    graph = GameGraph(
        name="toy",
        roles=("first", "second"),
        literals=names,
        actions=("a", "b"),
        states=np.array(states, np.uint64),
        mover=np.array([0, 1, 1, 0, 0, -1, -1], np.int8),
        first=first,
        action=np.array([action for action, _ in flat], np.int32),
        target=np.array([target for _, target in flat], np.int32),
        **unfolded(4, 2, len(facts)),
    )
    return solved(graph, np.array([0, 0, 0, 0, 0, 1, -1], np.int8))
