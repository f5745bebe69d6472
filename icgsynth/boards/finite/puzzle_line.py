"""Search for one line of play to the best goal of a game of one role with very many states.

The rules name the goals; an end with the best of them cannot be improved upon, so one line to it
says who wins, and through which moves.  The states that were met last are looked at first, a batch
at a time, each state once: in an order that is drawn, or first what few moves lead on from (as
Warnsdorff goes with a knight), or first what many do (as a filler of squares keeps its freedom), or
first where a better goal holds, though play goes on (as no queen attacks another so far).  These
four take turns, each with twice as many states as the time before.  Where one meets all states the
best goal among their ends is the best that can be reached.
"""

from __future__ import annotations

from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.circuit import NEVER
from icgsynth.boards.finite.explore import MAX_STATES, Grown, StateStore
from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import Words

_BATCH = 512  # states expanded together: a wide batch is breadth-first search
_FIRST = 1 << 18  # states of the first attempts: a second's work
_Order: TypeAlias = Literal["drawn", "few", "many", "worth"]
_ORDERS: tuple[_Order, ...] = get_args(_Order)


Ints: TypeAlias = NDArray[Any]


class PuzzleLine(NamedTuple):
    """A line of play of a game of one role: ``actions`` from the start to an end worth ``goal``.

    ``states`` were met on the way; no line leads to an end with a better goal.
    """

    actions: tuple[str, ...]
    goal: int
    states: int


def find_line(
    board: Board, most: int = MAX_STATES, budget: Budget = UNBOUNDED
) -> PuzzleLine | None:
    """Search a game of one role for a line to the best goal that can be reached.  None where none
    was found: after ``most`` states or the ``budget``, or where play never ends."""
    for attempt in count():
        # Each order in turn, with twice as many states in each round: none is left out for long.
        order, size = _ORDERS[attempt % len(_ORDERS)], min(_FIRST << attempt // len(_ORDERS), most)
        tree = _Tree(board, attempt)
        best, at = tree.grow(order, size, budget)
        if best >= 0 and (best == tree.wanted or not tree.pending):
            return PuzzleLine(tree.line(at), best - board.ground.raised, tree.store.count)
        if not tree.pending or budget.is_spent or (size == most and order == _ORDERS[-1]):
            return None
    raise AssertionError("the attempts are counted without end")


class _Tree:
    """A search tree: the states met so far, each with the move by which it was first reached."""

    def __init__(self, board: Board, seed: int) -> None:
        self.board = board
        self.wanted = max((value for value, row in board.goals[0] if row != NEVER), default=-1)
        self.store = StateStore(len(board.facts), folded=False)
        self.parent, self.action = Grown(np.int32), Grown(np.int32)
        self.pending: list[NDArray[np.int32]] = []  # rows, the last ones to be looked at first
        self._rng = np.random.default_rng(seed)
        none = np.full(1, -1)
        self._add(none, none, board.initial[None, :], none)

    def grow(self, order: _Order, most: int, budget: Budget) -> tuple[int, int]:
        """Search until the best goal is met, or ``most`` states, or the ``budget`` is spent; return
        the best goal met (-1 if none) and its row. ``order`` ranks new states."""
        best, at = -1, 0
        while self.pending and best < self.wanted and self.store.count <= most:
            if budget.is_spent:
                break
            # Depth first in batches: the newest states are next, the best ranked ones first.
            rows = self._take()
            states = self.store.words(rows)
            found = self.board.successors(states)
            # Goals are -1 before the end.
            if (goals := found.goals[:, 0]).max() > best:
                best, at = int(goals.max()), int(rows[goals.argmax()])
            rank = self._rank(order, states, found.options[:, 0])[found.source]
            self._add(rows[found.source], found.chosen[:, 0], found.target, rank)
        return best, at

    def _rank(self, order: _Order, states: Words, options: Ints) -> Ints:
        """Return a key (n,) of ``states`` (n, words) for the search ``order``: the least go first.
        ``options`` (n,) are their numbers of moves."""
        if order == "worth":
            return -self.board.worth(states)
        sign = {"drawn": 0, "few": 1, "many": -1}[order]
        return sign * options

    def _take(self) -> NDArray[np.int32]:
        rows = self.pending.pop()
        if len(rows) > _BATCH:
            self.pending.append(rows[_BATCH:])
        return rows[:_BATCH]

    def _add(self, parent: Ints, action: Ints, states: Words, rank: Ints) -> None:
        """Add the new ones of ``states`` (n, words), the next to be expanded, by rising ``rank``.
        ``parent`` and ``action`` (n,) say from which row, and by which action, each was reached."""
        known = self.store.count
        rows = self.store.add(states, np.zeros(0, np.uint16))
        new, first = np.unique(rows, return_index=True)
        first = first[new >= known]
        self.parent.add(parent[first])
        self.action.add(action[first])
        if len(first):
            # A stable sort of a random order: equal ranks are taken by lot, anew in each attempt.
            drawn = self._rng.permutation(first)
            self.pending.append(rows[drawn[np.argsort(rank[drawn], kind="stable")]])

    def line(self, row: int) -> tuple[str, ...]:
        """Return the actions that lead from the start to the state in ``row``."""
        actions: list[str] = []
        while (parent := int(self.parent.array[row])) >= 0:
            actions.append(self.board.actions[int(self.action.array[row])])
            row = parent
        return tuple(reversed(actions))
