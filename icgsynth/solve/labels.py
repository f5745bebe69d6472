"""Who wins, for every legal state of a box, by backward induction: exact or UNKNOWN.

A state is WINNING as soon as one move to a LOSING state is known, LOSING when all moves are
known and lead to WINNING states.  What depends on a state outside the box, on a cycle, or on
moves that cannot be enumerated stays UNKNOWN: nothing is guessed.

Two orders give the same labels.  With a ``ranking`` the states are taken by rising rank and
only the predecessors of losing and unknown states are looked at; what that found is then
checked forwards, and where the ranking was wrong, the other order is used.  Without one, all
moves in the box are listed once and counted down (retrograde analysis).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.evaluate import columns
from icgsynth.game import ParametricGame, PlayRule, State
from icgsynth.solve.box import MAX_CELLS, Boundless, Box, Flags, Rows, Step, index_dtype
from icgsynth.term import FALSE, Term

__all__ = ["LOSING", "UNKNOWN", "WINNING", "Labels", "find_cycle", "label"]

LOSING, WINNING, UNKNOWN = 0, 1, -1

_PATIENCE = 2**12  # values of a boundless parameter tried before a state stays undecided


@dataclass(frozen=True, eq=False)
class Labels:
    """The legal states of a box with their outcomes for the player to move.

    ``states`` (n, variables) in lexicographic order; ``outcome`` (n,) int8 of LOSING, WINNING,
    UNKNOWN; ``ending`` (n,) bool, where the declared end holds or no action applies, exact
    except where ``undecided`` (n,).
    """

    box: Box
    states: NDArray[np.int64]
    outcome: NDArray[np.int8]
    ending: Flags
    undecided: Flags

    @property
    def known(self) -> Flags:
        return np.not_equal(self.outcome, UNKNOWN)

    @property
    def counts(self) -> dict[str, int]:
        """How many states are losing, winning and unknown."""
        kinds = {"losing": LOSING, "winning": WINNING, "unknown": UNKNOWN}
        return {name: int((self.outcome == kind).sum()) for name, kind in kinds.items()}

    def losing(self) -> NDArray[np.int64]:
        """The losing states, by sum and then lexicographically."""
        found: NDArray[np.int64] = self.states[self.outcome == LOSING]
        return found[np.argsort(found.sum(axis=1), kind="stable")]

    def at(self, state: State) -> int:
        """The outcome of one state; UNKNOWN outside the box."""
        row = int(self.box.rows([np.array([x]) for x in state])[0])
        return int(self.outcome[row]) if row >= 0 else UNKNOWN


@dataclass(frozen=True)
class _Board:
    """What both orders start from; every array has shape (n,)."""

    steps: tuple[Step, ...]
    barred: Flags  # a move may leave the box or cannot be listed: never LOSING
    ending: Flags
    undecided: Flags  # whether a move applies is not known: matters under misère only
    misere: bool

    @property
    def doubtful(self) -> Flags:
        """Never LOSING: something about the moves is not known (a copy)."""
        return self.barred | self.undecided if self.misere else self.barred.copy()


def label(
    game: ParametricGame,
    box: Box,
    rule: PlayRule,
    ranking: tuple[Term, ...] | None = None,
    max_cells: int = MAX_CELLS,
) -> Labels:
    """The outcomes of all legal states of ``box`` under ``rule``.

    ``ranking`` is a hint: terms whose tuple decreases lexicographically with every move.
    :class:`~icgsynth.errors.Refused` where the box, or the moves that would have to be held
    at once, pass ``max_cells``; also where a rule has a quantifier.
    """
    _require(game, box, max_cells)
    opaque: frozenset[str] = frozenset()
    while True:
        board = _board(game, box, rule == "misere", opaque)
        try:
            outcome = _by_rank(board, box, ranking) if ranking else None
            if outcome is None:
                outcome = _by_counting(board, box, max_cells)
        except _Opaque as found:
            # Its moves cannot be listed backwards: begin anew with the action as opaque.
            opaque |= {found.action}
            continue
        return Labels(box, box.states, outcome, board.ending, board.undecided)


class _Opaque(Exception):
    """An action whose moves into a state cannot be enumerated."""

    def __init__(self, action: str) -> None:
        super().__init__(action)
        self.action = action


def _require(game: ParametricGame, box: Box, max_cells: int) -> None:
    if game.is_quantified:
        raise Refused("a rule with a quantifier cannot be solved explicitly; eliminate it first")
    box.require(max_cells)


def _board(game: ParametricGame, box: Box, misere: bool, opaque: frozenset[str]) -> _Board:
    declared = np.array(np.broadcast_to(columns(game.end, box.columns()), (box.size,)), dtype=bool)
    steps = tuple(Step.of(game, box, action, ~declared) for action in game.actions)
    barred = np.zeros(box.size, dtype=bool)
    for step in steps:
        if step.action.name in opaque:
            barred |= step.possible(np.arange(box.size))
        else:
            _bar_leaving(step, barred)
    listed = tuple(step for step in steps if step.action.name not in opaque)
    moveless, undecided = _moveless(steps, ~declared)
    return _Board(listed, barred, moveless, undecided, misere)


def _bar_leaving(step: Step, barred: Flags) -> None:
    """Mark the states from which ``step`` leads to a legal state outside the box."""
    if step.leaving == FALSE:
        return
    rows = np.flatnonzero(step.live & ~barred)
    rows = rows[step.possible(rows, step.leaving)]
    try:
        for source, _, _ in step.out_of(rows, step.leaving):
            barred[source] = True
    except Boundless:
        barred[rows] = True


# --- states without a move ---------------------------------------------------------


def _moveless(steps: Sequence[Step], live: Flags) -> tuple[Flags, Flags]:
    """Where no move applies (or the end is declared), and where that is not decided."""
    movable = np.zeros_like(live)
    unsure = np.zeros_like(live)
    for step in steps:
        rows = np.flatnonzero(live & ~movable)
        rows = rows[step.possible(rows)]
        if step.action.parameters:
            _search(step, rows, movable, unsure)
        else:
            for source, _, _ in step.out_of(rows):
                movable[source] = True
    unsure &= ~movable
    return ~movable & ~unsure, unsure


def _search(step: Step, rows: Rows, movable: Flags, unsure: Flags) -> None:
    """Try values of the first parameter, from the end of its range that is known."""
    if not len(rows):
        return
    lo, hi = step.bounds(step.action.parameters[0], step.box.columns(rows) | {"": rows})
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
    """Try ``start``, then blocks that double, on the states that still have no move.

    Most states have a move at the first value, so the blocks stay small where many states
    are left; ``stop`` (upwards only) is the last value, None for none.
    """
    done, width = 0, 1
    while len(rows) and (stop is not None or done < _PATIENCE):
        near, far = start + direction * done, start + direction * (done + width - 1)
        lo, hi = (near, far) if direction > 0 else (far, near)
        if stop is not None:
            hi = np.minimum(hi, stop)
        try:
            for source, _, _ in step.out_of(rows, first=(lo, hi)):
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


# --- by rank -------------------------------------------------------------------------


def _by_rank(board: _Board, box: Box, ranking: tuple[Term, ...]) -> NDArray[np.int8] | None:
    """Outcomes level by level; None where the ranking turns out not to rank the moves."""
    level = _levels(box, ranking)
    if level is None:
        return None
    outcome = np.full(box.size, UNKNOWN, dtype=np.int8)
    wins = board.ending.copy() if board.misere else np.zeros(box.size, dtype=bool)
    doubt = board.doubtful
    order = np.argsort(level, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(level[order])) + 1):
        open_rows = rows[~wins[rows]]
        outcome[rows[wins[rows]]] = WINNING
        losing, unknown = open_rows[~doubt[open_rows]], open_rows[doubt[open_rows]]
        outcome[losing] = LOSING
        for found, marks in ((losing, wins), (unknown, doubt)):
            for source, target in _into(board.steps, found):
                if (level[source] <= level[target]).any():
                    return None
                marks[source] = True
    return outcome if _upheld(board, outcome, level) else None


def _levels(box: Box, ranking: tuple[Term, ...]) -> NDArray[np.int64] | None:
    """Each state's place in the order of the ranking (n,); None past 64 bits."""
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


def _into(steps: Sequence[Step], rows: Rows) -> Iterator[tuple[Rows, Rows]]:
    if not len(rows):
        return
    for step in steps:
        try:
            yield from step.into(rows)
        except Boundless:
            raise _Opaque(step.action.name) from None


def _upheld(board: _Board, outcome: NDArray[np.int8], level: NDArray[np.int64]) -> bool:
    """Whether every move out of a losing state goes down in rank to a winning state.

    A winning state has, by the way it was found, a move down to a losing one; so with this
    each outcome rests on lower ranks alone, even if other moves go up.
    """
    rows = np.flatnonzero(outcome == LOSING)
    for step in board.steps:
        try:
            for source, target, _ in step.out_of(rows[step.live[rows]]):
                if (target < 0).any() or (outcome[target] != WINNING).any():
                    return False
                if (level[target] >= level[source]).any():
                    return False
        except Boundless:
            return False
    return True


# --- by counting -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Edges:
    """All listed moves within a box, sorted by where they lead."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]
    begin: NDArray[np.int64]  # (n + 1,): the moves into row i are begin[i] .. begin[i + 1] - 1

    @staticmethod
    def of(steps: Sequence[Step], box: Box, max_cells: int) -> _Edges:
        found: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
        count = 0
        for source, target in _into(steps, np.arange(box.size)):
            found.append((source.astype(index_dtype), target.astype(index_dtype)))
            count += len(source)
            if count > max_cells:
                raise Refused(
                    f"the box has {box.size:,} states and more than {max_cells:,} moves (over "
                    f"{max_cells * 16 / 2**20:,.0f} MiB), past the cap; choose a smaller box, or "
                    "give a ranking"
                )
        empty = np.zeros(0, dtype=index_dtype)
        sources = np.concatenate([empty, *(s for s, _ in found)])
        targets = np.concatenate([empty, *(t for _, t in found)])
        order = np.argsort(targets, kind="stable")
        targets = targets[order]
        return _Edges(sources[order], targets, np.searchsorted(targets, np.arange(box.size + 1)))

    def sources(self, rows: Rows) -> NDArray[np.int32]:
        """Where the moves into ``rows`` come from, one entry a move."""
        counts = self.begin[rows + 1] - self.begin[rows]
        first = np.repeat(self.begin[rows] - (np.cumsum(counts) - counts), counts)
        return self.source[first + np.arange(len(first))]


def _by_counting(board: _Board, box: Box, max_cells: int) -> NDArray[np.int8]:
    """Retrograde analysis: each state counts its moves not yet known to lead to a win."""
    edges = _Edges.of(board.steps, box, max_cells)
    left = np.bincount(edges.source, minlength=box.size)
    outcome = np.full(box.size, UNKNOWN, dtype=np.int8)
    if board.misere:
        outcome[board.ending] = WINNING
    else:
        outcome[(left == 0) & ~board.barred] = LOSING
    never_losing = board.doubtful
    losing, winning = np.flatnonzero(outcome == LOSING), np.flatnonzero(outcome == WINNING)
    while len(losing) or len(winning):
        before = np.unique(edges.sources(losing))
        won = before[outcome[before] == UNKNOWN]
        outcome[won] = WINNING
        spent = edges.sources(winning)
        np.subtract.at(left, spent, 1)
        spent = np.unique(spent)
        lost = spent[(left[spent] == 0) & (outcome[spent] == UNKNOWN) & ~never_losing[spent]]
        outcome[lost] = LOSING
        losing, winning = lost.astype(np.int64), won.astype(np.int64)
    return outcome


# --- cycles ---------------------------------------------------------------------------


def find_cycle(
    game: ParametricGame, labels: Labels, max_cells: int = MAX_CELLS
) -> tuple[State, ...] | None:
    """A cycle of moves within the box, ``(s0, s1, ..., s0)``; None where there is none.

    It refutes termination; None says nothing of moves outside the box, nor of actions whose
    moves cannot be listed.  :class:`~icgsynth.errors.Refused` past ``max_cells`` moves.
    """
    box = labels.box
    _require(game, box, max_cells)
    declared = np.array(np.broadcast_to(columns(game.end, box.columns()), (box.size,)), dtype=bool)
    listed: list[Step] = []
    for action in game.actions:
        step = Step.of(game, box, action, ~declared)
        try:
            for _ in step.into(np.arange(box.size)):
                pass
        except Boundless:
            continue
        listed.append(step)
    edges = _Edges.of(listed, box, max_cells)
    left = np.bincount(edges.source, minlength=box.size)
    peeled = np.flatnonzero(left == 0)
    while len(peeled):
        spent = edges.sources(peeled)
        np.subtract.at(left, spent, 1)
        spent = np.unique(spent)
        peeled = spent[left[spent] == 0].astype(np.int64)
    within = (left[edges.source] > 0) & (left[edges.target] > 0)
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
