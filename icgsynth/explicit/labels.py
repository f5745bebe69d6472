"""Who wins, for every legal state of a box, by backward induction: exact or UNKNOWN.

A state is WINNING as soon as one move to a LOSING state is known, LOSING when all moves are
known and lead to WINNING states.  What depends on a state outside the box, on a cycle, or on
moves that cannot be enumerated stays UNKNOWN: nothing is guessed.

The two orders of :mod:`icgsynth.explicit.retrograde` give the same labels.  In the first, all moves
in the box are listed once and counted down.  With a ``ranking``, and where that list would be long,
the states are taken by rising rank; what that found is then checked forwards, and where the ranking
was wrong, the first order is used.

In a blocking game the opponent forbids up to ``block`` options, the states that moves lead to.
There a state is WINNING as soon as more LOSING options are known than that, and LOSING when all
moves are known and at most so many options are not WINNING.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import Refused
from icgsynth.explicit import retrograde
from icgsynth.explicit.box import MAX_CELLS, Box, Flags, Rows, index_dtype
from icgsynth.explicit.retrograde import Edges, Options, settle, settle_by_rank
from icgsynth.explicit.steps import Boundless, Opaque, Step, arrivals, moves_within, steps_of
from icgsynth.game.game import ParametricGame, PlayRule, State, require_defined
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import candidates, ranges

LOSING, WINNING, UNKNOWN = 0, 1, -1

_PATIENCE = 2**12  # values of a boundless parameter tried before a state stays undecided
_MOST_PARAMETERS = 8  # of an action whose moves are listed: each of more takes seconds
_NEAR, _MOST = 3, 10_000  # coordinates of states all moves of which are listed, and how many
_TRIES = 1_000  # entries of a list of all moves that cost as much as a step at one level


@dataclass(frozen=True, eq=False)
class Labels:
    """The legal states of a box with their outcomes for the player to move.  ``states`` (n,
    variables) in lexicographic order; ``outcome`` (n,) int8 of LOSING, WINNING, UNKNOWN; ``ending``
    (n,) bool, where the declared end holds or no action applies, exact except where ``undecided``
    (n,)."""

    box: Box
    states: NDArray[np.int64]
    outcome: NDArray[np.int8]
    ending: Flags
    undecided: Flags

    @property
    def known(self) -> Flags:
        return np.not_equal(self.outcome, UNKNOWN)

    def losing(self) -> NDArray[np.int64]:
        """Return the losing states (k, variables), ordered by the sum of their coordinates and then
        lexicographically."""
        found: NDArray[np.int64] = self.states[self.outcome == LOSING]
        return found[np.argsort(found.sum(axis=1), kind="stable")]

    def at(self, state: State) -> int:
        """Return the outcome of ``state`` for the player to move: LOSING, WINNING or UNKNOWN, which
        it is outside the box as well."""
        row = int(self.box.rows([np.array([x], dtype=object) for x in state])[0])
        return int(self.outcome[row]) if row >= 0 else UNKNOWN


def label(
    game: ParametricGame,
    box: Box,
    rule: PlayRule,
    ranking: tuple[t.Term, ...] | None = None,
    max_cells: int = MAX_CELLS,
    budget: Budget = UNBOUNDED,
) -> Labels:
    """Return the outcomes of all legal states of ``box`` under ``rule``.  ``ranking`` is a hint:
    terms whose tuple decreases lexicographically with every move.
    :class:`~icgsynth.errors.Refused` where the box, or the moves held at once, pass ``max_cells``,
    and where a rule has a quantifier. :class:`~icgsynth.errors.BudgetSpent` where it takes longer
    than ``budget``."""
    require_defined(game, rule)
    steps = steps_of(game, box, max_cells, budget)
    level = _levels(box, ranking) if ranking else None
    opaque: list[str] = []
    while True:
        listed = [step for step in steps if step.action.name not in opaque]
        hidden = [step for step in steps if step.action.name in opaque]
        try:
            ending = _Ending(rule == "misere", game.block)
            return _label(box, listed, hidden, ending, level, max_cells, budget)
        except Opaque as found:
            # Its moves cannot be listed backwards: begin anew without them.
            opaque.append(found.action)


class _Ending(NamedTuple):
    """How play ends: whether a player who cannot move wins, how many options may be forbidden."""

    misere: bool
    block: int


@dataclass(frozen=True, eq=False)
class _Board:
    """The arrays, each (n,), from which the states of a box are labelled, in either order."""

    box: Box
    steps: Sequence[Step]
    barred: Flags  # a move may leave the box or cannot be listed: never LOSING
    ending: Flags
    undecided: Flags  # whether a move applies is not known: matters under misère only
    how: _Ending

    @property
    def misere(self) -> bool:
        return self.how.misere

    @property
    def doubtful(self) -> Flags:
        """Return flags (n,) of the states that must not be labelled LOSING, for it is not known
        whether all their moves are known."""
        return self.barred | self.undecided if self.misere else self.barred

    def label(self, outcome: NDArray[np.int8]) -> Labels:
        return Labels(self.box, self.box.states, outcome, self.ending, self.undecided)


def _label(
    box: Box,
    listed: Sequence[Step],
    hidden: Sequence[Step],
    how: _Ending,
    level: NDArray[np.int64] | None,
    max_cells: int,
    budget: Budget,
) -> Labels:
    """Return who wins each legal state of ``box``, computed level by level or by counting back
    listed moves, whichever costs less.  ``listed`` steps have moves that can be listed, those of
    ``hidden`` ones are unknown; ``level`` (n,) falls with each move, None if that is not known.
    ``how`` says how play ends.  At most ``max_cells`` moves are held, for ``budget``."""
    barred = _find_barred(box, listed, hidden)
    if level is not None and not _is_short_list(box, listed, level, max_cells):
        none_known = np.zeros(box.size, dtype=bool)
        lost = moveless([*listed, *hidden], none_known)
        board = _Board(box, listed, barred, *lost, how)
        outcome = _by_rank(board, level, budget)
        if outcome is not None:
            return board.label(outcome)
    edges = _edges(listed, box, max_cells, budget)
    if how.block:
        edges = edges.without_repeats()
    searched = [*hidden, *(step for step in listed if step.leaving != t.FALSE)]
    lost = moveless(searched, edges.out_degrees() > 0)
    board = _Board(box, listed, barred, *lost, how)
    return board.label(_by_counting(board, edges, budget))


def _is_short_list(
    box: Box, steps: Sequence[Step], level: NDArray[np.int64], max_cells: int
) -> bool:
    """Return whether listing all moves of ``steps`` tries at most ``max_cells`` choices, and costs
    less than taking the states by rising ``level`` (n,), one level at a time."""
    tried = box.size * sum(step.fan for step in steps)
    levels = int(level.max(initial=0)) + 1
    return tried <= min(max_cells, _TRIES * levels * len(steps))


def _find_barred(box: Box, listed: Sequence[Step], hidden: Sequence[Step]) -> Flags:
    """Return flags (n,) of the states that have, or may have, a move out of the box to a legal
    state, by ``listed`` steps, or a move by ``hidden`` steps, whose moves cannot be listed."""
    barred = np.zeros(box.size, dtype=bool)
    for step in hidden:
        barred |= step.reach(np.arange(box.size))[0]
    for step in listed:
        if step.leaving == t.FALSE:
            continue
        rows = np.flatnonzero(step.live & ~barred)
        rows = rows[step.reach(rows, step.leaving)[0]]
        try:
            for source, _ in step.out_of(rows, step.leaving):
                barred[source] = True
                step.budget.check()
        except Boundless:
            barred[rows] = True
    return barred


def listed_moves(
    game: ParametricGame, box: Box, max_cells: int, budget: Budget
) -> tuple[Edges, Flags]:
    """Return the moves of ``game`` within ``box``, and flags (n,) of the states that have, or may
    have, other moves.  At most ``max_cells`` moves are held, for ``budget``.  Raises as
    :func:`label` does."""
    edges, listed, hidden = listable(game, box, max_cells, budget)
    return edges, _find_barred(box, listed, hidden)


def listable(
    game: ParametricGame, box: Box, max_cells: int, budget: Budget
) -> tuple[Edges, Sequence[Step], Sequence[Step]]:
    """Return the moves of ``game`` within ``box``, the steps (actions) whose moves can be listed,
    and the other steps.  At most ``max_cells`` moves are held, for ``budget``."""
    listed, hidden = list(steps_of(game, box, max_cells, budget)), list[Step]()
    while True:
        try:
            return _edges(listed, box, max_cells, budget), listed, hidden
        except Opaque as found:
            hidden += [step for step in listed if step.action.name == found.action]
            listed = [step for step in listed if step.action.name != found.action]


def find_cycle(
    game: ParametricGame, box: Box, budget: Budget = UNBOUNDED
) -> tuple[State, ...] | None:
    """Return a cycle of moves within ``box``, ``(s0, s1, ..., s0)``; None where there is none.
    None says nothing of moves outside the box, nor of actions whose moves cannot be listed.
    :class:`~icgsynth.errors.Refused` past ``MAX_CELLS`` moves,
    :class:`~icgsynth.errors.BudgetSpent` past the ``budget``."""
    edges, *_ = listable(game, box, MAX_CELLS, budget)
    cycle = retrograde.find_cycle(edges, np.abs(box.states).sum(axis=1))
    return tuple(tuple(map(int, box.states[row])) for row in cycle) or None


def endless_moves(game: ParametricGame) -> str:
    """Return a phrase that says why some action of ``game`` has infinitely many moves in a state
    near 0; "" if none is found."""
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


# --- by rank -------------------------------------------------------------------------


def _by_rank(board: _Board, level: NDArray[np.int64], budget: Budget) -> NDArray[np.int8] | None:
    """Return the outcomes (n,), computed by rising ``level`` (n,); None if some move does not lead
    to a lower level."""
    into, won, spare = partial(arrivals, board.steps), board.ending & board.misere, board.how.block
    value = settle_by_rank(into, level, won, board.doubtful, spare=spare, budget=budget)
    if value is None:
        return None
    outcome = outcomes(value)
    return outcome if _upheld(board, outcome, level) else None


def _levels(box: Box, ranking: tuple[t.Term, ...]) -> NDArray[np.int64] | None:
    """Return for each state the number (n,) of its class, in the order of its tuple of values of
    the terms ``ranking``; None if a value passes 64 bits."""
    env = box.columns()
    ranks = [np.broadcast_to(columns(term, env), (box.size,)) for term in ranking]
    if any(rank.dtype == object for rank in ranks):
        return None
    order = np.lexsort(ranks[::-1])
    steps = np.zeros(box.size, dtype=np.int64)
    for rank in ranks:
        steps[1:] |= np.diff(rank[order]) != 0
    level = np.empty(box.size, dtype=np.int64)
    level[order] = np.cumsum(steps)
    return level


def _upheld(board: _Board, outcome: NDArray[np.int8], level: NDArray[np.int64]) -> bool:
    """Return whether every move out of a LOSING state, by ``outcome`` (n,), leads to a WINNING
    state of a lower ``level`` (n,); in a blocking game a few options of each may be LOSING."""
    # A winning state has, by the way it was found, a move down to a losing one; so with this each
    # outcome rests on lower ranks alone, even if other moves go up.  In a blocking game a losing
    # state may have moves to so many other states that are losing.
    rows = np.flatnonzero(outcome == LOSING)
    options = Options(board.box.size)
    for step in board.steps:
        try:
            for source, target in step.out_of(rows[step.live[rows]]):
                if (target < 0).any() or (outcome[target] == UNKNOWN).any():
                    return False
                if (level[target] >= level[source]).any():
                    return False
                lost = outcome[target] == LOSING
                if not board.how.block and lost.any():
                    return False
                options.note(source[lost], target[lost])
        except Boundless:
            return False
    options.count_noted()
    return int(options.count.max(initial=0)) <= board.how.block


# --- by counting -----------------------------------------------------------------------


def outcomes(value: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return (n,) WINNING, LOSING and UNKNOWN for the entries 1, -1 and 0 of ``value`` (n,)."""
    return np.array([UNKNOWN, WINNING, LOSING], np.int8)[value]


def _edges(steps: Sequence[Step], box: Box, most: int, budget: Budget) -> Edges:
    # Refused past so many moves; may raise Opaque, BudgetSpent.
    found: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    count = 0
    for source, target in moves_within(steps):
        found.append((source.astype(index_dtype), target.astype(index_dtype)))
        count += len(source)
        budget.check()
        if count > most:
            raise Refused(
                f"the box has {box.size:,} states and more than {most:,} moves (over "
                f"{most * 16 / 2**20:,.0f} MiB), past the cap; choose a smaller box, or "
                "give a ranking"
            )
    empty = np.zeros(0, dtype=index_dtype)
    sources = np.concatenate([empty, *(s for s, _ in found)])
    return Edges.of(sources, np.concatenate([empty, *(target for _, target in found)]), box.size)


def _by_counting(board: _Board, edges: Edges, budget: Budget) -> NDArray[np.int8]:
    """Return the outcomes (n,), counted back along ``edges``, the moves within the box; in a
    blocking game these have one entry for all moves from one state to another."""
    value, plies = np.zeros(board.box.size, np.int8), np.full(board.box.size, -1, np.int32)
    if board.misere:
        value[board.ending] = 1
    else:
        value[(edges.out_degrees() <= board.how.block) & ~board.barred] = -1
    plies[value != 0] = 0
    settle(edges, value, plies, open_ended=board.doubtful, spare=board.how.block, budget=budget)
    return outcomes(value)


def moveless(steps: Sequence[Step], movable: Flags) -> tuple[Flags, Flags]:
    """Return flags (n,) of the states without a move, and of those where that is not decided.
    ``movable`` (n,) marks states that are known to have a move, of ``steps`` or of others; a
    declared end stops all moves of ``steps`` (:attr:`Step.live`).
    :class:`~icgsynth.errors.BudgetSpent` past the budget of a step."""
    movable, unsure = movable.copy(), np.zeros_like(movable)
    for step in steps:
        _search(step, movable, unsure)
    unsure &= ~movable
    return ~movable & ~unsure, unsure


def _search(step: Step, movable: Flags, unsure: Flags) -> None:
    """Set ``movable`` (n,) in states where a move of ``step`` is found, and ``unsure`` (n,) in
    those where the search gives up."""
    rows = np.flatnonzero(step.live & ~movable)
    possible, domain = step.reach(rows)
    rows = rows[possible]
    if not len(rows):
        return
    if not step.action.parameters:
        for source, _ in step.out_of(rows):
            movable[source] = True
        return
    ends = domain.bounds(step.action.parameters[0])
    lo, hi = (
        None if end is None else np.broadcast_to(end, possible.shape)[possible] for end in ends
    )
    if lo is not None:
        _sweep(step, rows, lo, 1, hi, movable, unsure)
    elif hi is not None:
        _sweep(step, rows, hi, -1, None, movable, unsure)
    else:
        _sweep(step, rows, np.zeros_like(rows), 1, None, movable, unsure)
        _sweep(step, rows, np.full_like(rows, -1), -1, None, movable, unsure)


def _sweep(
    step: Step,
    rows: Rows,
    start: NDArray[Any],
    direction: int,
    stop: NDArray[Any] | None,
    movable: Flags,
    unsure: Flags,
) -> None:
    """Set ``movable`` and ``unsure`` (n,) as :func:`_search` does, for the states ``rows``: the
    first parameter is tried from ``start``, a column like ``rows``, upwards or downwards
    (``direction`` 1 or -1), up to ``stop``, a column; None for no end (downwards always)."""
    # Most states have a move at the first value, so the blocks, which double, stay small where many
    # states are left.
    done, width = 0, 1
    while len(rows) and (stop is not None or done < _PATIENCE):
        near, far = start + direction * done, start + direction * (done + width - 1)
        lo, hi = (near, far) if direction > 0 else (far, near)
        if stop is not None:
            hi = np.minimum(hi, stop)
        try:
            for source, _ in step.out_of(rows, first=(lo, hi)):
                step.budget.check()
                movable[source] = True
        except Boundless:
            break
        left = ~movable[rows]
        done += width
        width *= 2
        if stop is not None:
            left &= np.asarray(start + done <= stop, dtype=bool)
            stop = stop[left]
        rows, start = rows[left], start[left]
    unsure[rows] = True
