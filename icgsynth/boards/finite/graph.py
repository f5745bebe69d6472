"""Graph games: who wins from each node, in how many moves, and the nodes' Sprague-Grundy values.

A token stands on a node, and who is to move takes it along an edge; who cannot move loses, under
misère play wins.  Play along a cycle may never end, which is a draw.

The values are Grundy's where play ends, and else those of loopy games: C. A. B. Smith, "Graphs and
composite games" (1966), A. S. Fraenkel and Y. Yesha, "The generalized Sprague-Grundy function and
its invariance under certain mappings" (1986).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import Refused
from icgsynth.explicit.retrograde import Edges, settle
from icgsynth.game.game import PlayRule

Word: TypeAlias = Literal["won", "lost", "drawn"]
LoopyValue: TypeAlias = "int | frozenset[int]"
"""A nimber, or for the value "infinity with K" the set K: the nimbers of the successors."""

_OPEN, _ENDLESS = -1, -2  # labels of nodes without a value so far, and without a nimber


@dataclass(frozen=True, eq=False)
class GraphGame:
    """A directed graph on which a token is moved; ``after[i]`` are the successors of node i."""

    name: str
    nodes: tuple[str, ...]
    after: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, name: str, nodes: Sequence[str], pairs: Sequence[tuple[int, int]]) -> GraphGame:
        """Return the graph with ``nodes`` and edges ``pairs`` (tail, head); repeats are dropped."""
        after: list[dict[int, None]] = [{} for _ in nodes]
        for tail, head in pairs:
            after[tail][head] = None
        return cls(name, tuple(nodes), tuple(map(tuple, after)))

    @cached_property
    def place(self) -> dict[str, int]:
        """A dictionary from each node's name to its number."""
        return {node: i for i, node in enumerate(self.nodes)}

    @cached_property
    def edges(self) -> int:
        """The number of edges of the graph."""
        return sum(map(len, self.after))

    @cached_property
    def before(self) -> list[list[int]]:
        """The predecessors of each node, in ascending order."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for tail, heads in enumerate(self.after):
            for head in heads:
                found[head].append(tail)
        return found


@dataclass(frozen=True, eq=False)
class GraphOutcomes:
    """The solution of a graph game: who wins from each node of ``graph`` under ``rule``.

    ``won`` (n,) is 1 where the player to move wins, -1 where the other one does, 0 for a draw;
    ``length`` (n,) counts the moves to the end (the winner hurries, the loser delays), -1 for a
    draw.
    """

    graph: GraphGame
    rule: PlayRule
    won: NDArray[np.int8]
    length: NDArray[np.int32]

    def word(self, node: int) -> Word:
        """Return the outcome of ``node`` for the player to move: won, lost or drawn."""
        found = int(self.won[node])
        return "won" if found > 0 else "lost" if found < 0 else "drawn"

    def best(self, node: int) -> list[int]:
        """Return the successors of ``node`` that keep its outcome, the best first: the soonest win
        or the latest loss."""
        # Turns alternate: a move keeps the outcome if the next player's is the opposite.
        wanted = -int(self.won[node])
        kept = [to for to in self.graph.after[node] if int(self.won[to]) == wanted]
        late = int(self.won[node]) < 0
        return sorted(kept, key=lambda to: -int(self.length[to]) if late else int(self.length[to]))

    def count(self, word: Word) -> int:
        """Return how many nodes have the outcome ``word``."""
        wanted = {"won": 1, "lost": -1, "drawn": 0}[word]
        return int((self.won == wanted).sum())


def outcomes(
    graph: GraphGame, rule: PlayRule = "normal", budget: Budget = UNBOUNDED
) -> GraphOutcomes:
    """Return who wins from each node of ``graph``, by retrograde analysis within ``budget``.  Who
    cannot move has lost, or has won if ``rule`` is misère. :class:`~icgsynth.errors.Refused` where
    the outcomes contradict the definition (a fault here)."""
    count = len(graph.nodes)
    tails = np.repeat(np.arange(count), [len(heads) for heads in graph.after])
    heads = np.array([to for heads in graph.after for to in heads], np.int64)
    ends = np.array([not heads for heads in graph.after], bool)
    won = np.where(ends, 1 if rule == "misere" else -1, 0).astype(np.int8)
    length = np.where(ends, 0, -1).astype(np.int32)
    settle(Edges.of(tails, heads, count), won, length, budget=budget)
    if not _obeys_definition(graph, rule, won.tolist(), length.tolist()):
        raise Refused(f"{graph.name}: the outcomes contradict the definition: please report this")
    return GraphOutcomes(graph, rule, won, length)


def _obeys_definition(
    graph: GraphGame, rule: PlayRule, won: Sequence[int], length: Sequence[int]
) -> bool:
    """Return whether each node's outcome ``won`` (1, 0, -1) and ``length``, the moves to the end,
    follow from those of its successors."""
    # By induction over the length nothing else is: a decided node is a move further from the end
    # than the successor that the winner hurries to, or that the loser puts the end off by.
    end = (1 if rule == "misere" else -1, 0)
    for node, heads in enumerate(graph.after):
        best = max((-won[to] for to in heads), default=0)
        ends = [length[to] for to in heads if -won[to] == best]
        far = 1 + (min(ends) if best > 0 else max(ends)) if best else -1
        if (won[node], length[node]) != ((best, far) if heads else end):
            return False
    return True


def loopy_values(graph: GraphGame, budget: Budget = UNBOUNDED) -> list[LoopyValue]:
    """Return the generalized Sprague-Grundy value of each node of ``graph``, under normal play.

    For m = 0, 1, .. in turn: a node gets m where no move leads to an m, and where each move to a
    node without a nimber can be answered by one to an m.  Then the nodes left have no nimber.
    BudgetSpent after the ``budget``.
    """
    label = [_OPEN] * len(graph.nodes)
    level = 0
    while any(found == _OPEN for found in label):
        budget.check()
        _label(graph, label, level)
        level += 1
    return [
        found if found >= 0 else frozenset(label[to] for to in graph.after[node] if label[to] >= 0)
        for node, found in enumerate(label)
    ]


def _label(graph: GraphGame, label: list[int], level: int) -> None:
    """Set ``label`` to the nimber ``level`` at all nodes that have it, and to _ENDLESS (no nimber)
    at _OPEN nodes from which no move leads to these.  Lesser nimbers are in ``label`` already."""
    # A node gets the level when no move reaches it and each move to a node without a nimber (open
    # or endless) can be answered by a move to this level: doubts counts the moves not yet answered.
    reaches = [False] * len(label)  # whether a move leads to a node of this level
    open_nodes = [node for node, found in enumerate(label) if found == _OPEN]
    doubts = {
        node: sum(label[to] < 0 for to in graph.after[node]) for node in open_nodes
    }  # moves to nodes without a nimber that cannot be answered so far
    ready = [node for node in open_nodes if not doubts[node]]
    while ready:
        node = ready.pop()
        if reaches[node] or label[node] != _OPEN:
            continue
        label[node] = level
        for near in graph.before[node]:
            if reaches[near]:
                continue
            reaches[near] = True
            if label[near] >= 0:
                continue
            # near can now be answered by a move to this level: a doubt less before it.
            for far in graph.before[near]:
                if label[far] == _OPEN and far in doubts:
                    doubts[far] -= 1
                    if not doubts[far]:
                        ready.append(far)
    for node in open_nodes:
        if label[node] == _OPEN and not reaches[node]:
            label[node] = _ENDLESS
