"""Proof-number search: what the two roles of a game can force from its start, without all states.

A game whose states are too many may still be decided by few of them: one move of a role that can
force an end, and all moves of the other one.  The state that is looked at next is one that decides
the start soonest, by how many open states have to be decided for either role (Allis, van der
Meulen, van den Herik 1994, "Proof-number search").  It is asked whether role 0 can force a goal of
some level or more, for one level after another; the states that were met stay known.

What the search says is not believed: :func:`follow` plays the strategy from the start against every
reply, by the rules and without symmetry, and sees that each move brings an end nearer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite import proof_kernels as kernels
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.explore import Grown, StateStore, least_states
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.symmetry import Symmetry
from icgsynth.budget import UNBOUNDED, Budget, Progress, silent
from icgsynth.digits.arrays import Words
from icgsynth.errors import OutOfReach, Unconfirmed
from icgsynth.process.compiled import announce

MAX_MET = 40_000_000  # states: some four gigabytes, half of them for moves
_FAN = 5  # moves for each state in memory: a move takes twelve octets
_TOGETHER = 64  # states expanded at once: one machine word of them
_LONGEST = 4_096  # plies from the start to an expanded state at most
_BLOCK = 1 << 12  # states of a strategy that are checked at once
_NO_FIXING = np.zeros(0, np.uint16)  # no stabilizer sizes are stored

Depths: TypeAlias = Callable[[int, Words], NDArray[np.int32]]
"""A function: plies to the end in states (n, words) that a role has won; -1 elsewhere."""


class Plan(NamedTuple):
    """A strategy of ``role`` from the start of a game, for every reply of the other role.

    ``states`` (n, words) are those that play can come to, the start first; ``action`` (n,) is what
    ``role`` does there, -1 where it does not choose.  Play lasts at most ``length`` plies.
    """

    role: int
    states: Words
    action: NDArray[np.int32]
    length: int


class Forced(NamedTuple):
    """The goals that both roles get under best play from the start, and strategies that force them.

    Of the two ``plans`` the first forces the goal of role 0 or more for it, the second no more than
    that; a plan is None where the rules name no goal that is worse for its role.  ``met`` states
    were met, up to symmetry.
    """

    goals: tuple[int, int]
    plans: tuple[Plan | None, Plan | None]
    met: int


def find_forced(
    board: Board,
    symmetry: Symmetry,
    most: int = MAX_MET,
    budget: Budget = UNBOUNDED,
    progress: Progress = silent,
    steps: WorkSteps | None = None,
) -> Forced:
    """Return what the two roles of ``board`` can force from its start, by proof-number search.

    States are met up to ``symmetry``; ``progress`` gets lines of text, ``steps`` a record of the
    work. :class:`~icgsynth.errors.OutOfReach` where ``most`` states or the ``budget`` are not
    enough, neither role can force an end, the rules name one goal alone for role 0, or the goals
    have different sums at two ends.
    """
    levels = sorted({value for value, _ in board.goals[0]})
    if len(levels) == 1:  # nothing can be forced, and what role 1 gets is not known
        raise OutOfReach(f"{board.name}: every end is worth the same to {board.roles[0]}")
    board.warm(progress)
    announce(kernels.KERNELS, progress)
    search = _Search(board, symmetry, most, budget)
    if steps is not None:
        steps.begin("deciding", lambda: f"{search.store.count:,} states")
    plans: list[Plan | None] = [None, None]
    low, high = 0, len(levels) - 1  # what role 0 can force, and what role 1 can hold it to
    asked = sum(2 * level <= levels[0] + levels[-1] for level in levels)  # the first that wins
    while low < high:
        if search.can_force(levels[asked]):
            low, role = asked, 0
        else:
            high, role = asked - 1, 1
        plans[role] = follow(board, role, levels[asked], search.depths, budget)
        asked = (low + high + 1) // 2
    goals = levels[low] - board.ground.raised, search.total - levels[low] - board.ground.raised
    return Forced(goals, (plans[0], plans[1]), search.store.count)


def follow(board: Board, role: int, level: int, depths: Depths, budget: Budget = UNBOUNDED) -> Plan:
    """Return a strategy of ``role`` built from ``depths``, checked by play against all replies.

    ``depths(role, states)`` are the plies to the end where ``role`` has won, -1 elsewhere.  It
    makes the move after which the end is nearest, and leads to ends where role 0's goal is
    ``level`` or more (for role 1, less). :class:`~icgsynth.errors.Unconfirmed` where it does not,
    or where a move does not bring an end nearer; OutOfReach past the ``budget``.
    """
    store, actions = StateStore(len(board.facts), folded=False), Grown(np.int32)
    store.add(board.initial[None, :], _NO_FIXING)
    while actions.count < store.count:
        states = store.words(slice(actions.count, min(actions.count + _BLOCK, store.count)))
        found = board.successors(states)
        mover, near = board.movers(states, found), depths(role, states)
        after = depths(role, found.target)
        order = np.lexsort((np.where(after < 0, kernels.SURE, after), found.source))
        own = np.flatnonzero(mover == role)
        best = order[np.searchsorted(found.source[order], own)]
        kept = mover[found.source] != role
        kept[best] = True
        nearer = (after[kept] >= 0) & (after[kept] < near[found.source[kept]])
        wins = (found.goals[found.ended, 0] >= level) == (role == 0)
        if not (nearer.all() and wins.all()):
            raise Unconfirmed(f"{board.name}: a strategy that was found fails: please report this")
        chosen = np.full(len(states), -1, np.int32)
        chosen[own] = found.chosen[best, role]
        actions.add(chosen)
        store.add(found.target[kept], _NO_FIXING)
        if budget.is_spent or store.count > MAX_MET:
            count = f"{store.count:,} states of a strategy were played"
            raise OutOfReach(f"{board.name}: there is no time or room for more: {count}")
    length = int(depths(role, board.initial[None, :])[0])
    return Plan(role, store.take_states(), actions.whole(), length)


class _Search:
    """A proof-number search: the states met, up to symmetry, with moves and proof numbers."""

    def __init__(self, board: Board, symmetry: Symmetry, most: int, budget: Budget) -> None:
        self.board, self.symmetry, self.most, self.budget = board, symmetry, most, budget
        self.store = StateStore(len(board.facts), folded=False)
        self.total = 0  # the sum of the goals of both roles at the ends that were met
        self._goal = Grown(np.int32)  # of role 0 at an end, -1 elsewhere
        self._states = [Grown(kind, width) for kind, width in kernels.STATE_FIELDS]
        self._moves = [Grown(np.int32) for _ in kernels.MOVE_FIELDS]
        self.graph = kernels.ProofGraph(*(g.array for g in (*self._states, *self._moves)))
        self._level = 0
        self._rows(board.initial[None, :])

    def can_force(self, level: int) -> bool:
        """Search until it is decided whether role 0 can force a goal of ``level`` or more.
        :class:`~icgsynth.errors.OutOfReach` where the budget or the states are not enough, or play
        can go round for ever wherever it is not decided."""
        graph, self._level = self.graph, level
        kernels.begin(graph, self._goal.array, level, self.store.count)
        paths = np.zeros((_TOGETHER, _LONGEST), np.int32)
        lengths = np.zeros(_TOGETHER, np.int64)
        while graph.numbers[0].all():
            taken = kernels.take(graph, paths, lengths)
            if taken:
                self._open(paths[np.arange(taken), lengths[:taken] - 1])
            elif graph.numbers[0].min() == kernels.SURE - 1:  # all that is left goes round
                raise OutOfReach(f"{self.board.name}: neither role can force an end")
            kernels.back_up_all(graph, paths, lengths[:taken])
            full = max(self.store.count, self._moves[0].count // _FAN) > self.most
            if full or self.budget.is_spent:
                why = f"it needs more than {self.most:,} states" if full else "the time is over"
                met = f"the search from the start met {self.store.count:,} states"
                raise OutOfReach(f"{self.board.name}: {why}; {met}")
        return bool(graph.numbers[0, 0] == 0)

    def depths(self, role: int, states: Words) -> NDArray[np.int32]:
        """Return the plies (n,) to the end in ``states`` (n, words) won by ``role``, else -1."""
        rows = self._rows(states)
        won = self.graph.numbers[rows, role] == 0
        return np.where(won, self.graph.depth[rows], -1).astype(np.int32)

    def _open(self, rows: NDArray[np.int32]) -> None:
        """Expand the states ``rows``: store their moves, and the states that these lead to."""
        graph, states = self.graph, self.store.words(rows)
        found = self.board.successors(states)
        mover = self.board.movers(states, found)
        begin = self._moves[0].count
        target = self._rows(found.target)
        for part, values in zip(self._moves, (target, rows[found.source], target), strict=True):
            part.add(values)
        counts = np.bincount(found.source, minlength=len(rows))
        graph.turn[rows], graph.moves[rows] = mover, counts
        graph.first[rows] = begin + np.cumsum(counts) - counts
        kernels.link(graph, begin, self._moves[0].count)

    def _rows(self, states: Words) -> NDArray[np.int32]:
        """Return the rows of ``states`` (n, words) up to symmetry; new states are added."""
        known = self.store.count
        least, _ = least_states(states, self.symmetry, lambda: None)
        rows = self.store.add(least, _NO_FIXING)
        for start in range(known, self.store.count, self.board.batch):
            new = slice(start, min(start + self.board.batch, self.store.count))
            self._note(self.store.words(new), new)
        return rows

    def _note(self, states: Words, rows: slice) -> None:
        """Store new ``states`` (n, words) as ``rows``; OutOfReach if ends' goal sums differ."""
        ended, goals, options = self.board.look(states)
        if ended.any():
            sums = goals[ended].sum(axis=1)
            self.total = self.total or int(sums[0])
            if (sums != self.total).any():
                raise OutOfReach(f"{self.board.name}: the goals of two ends have different sums")
        self._goal.add(goals[:, 0])
        # Whose turn it will be where one role alone has a choice; else it is not known yet.
        turn = np.where(ended, -1, np.where((options > 1).all(axis=1), -1, options.argmax(axis=1)))
        blank = np.zeros(len(states), np.int32)
        values: tuple[NDArray[Any], ...] = (
            *(np.ones((len(states), 2), np.int32), blank, turn, blank + kernels.OPEN),
            *(options.max(axis=1), blank - 1, blank),
        )
        for part, added in zip(self._states, values, strict=True):
            part.add(added)
        kernels.guess(self.graph, self._goal.array, self._level, rows.start, rows.stop)
