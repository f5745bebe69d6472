"""Explore all states that play can reach, breadth first, one representative for each orbit.

Memory decides how large a game can be.  A state takes as many octets as its facts need and 5 to 7
of a table that finds it; a move takes 5 or 6.  Arrays grow in place, a sixteenth at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from icgsynth.boards.finite import arena_kernels as kernels
from icgsynth.boards.finite.board import Board
from icgsynth.boards.finite.least_image import least_images
from icgsynth.boards.finite.steps import WorkSteps
from icgsynth.boards.finite.symmetry import Symmetry
from icgsynth.budget import Budget, Progress, silent
from icgsynth.digits.arrays import words_for
from icgsynth.errors import OutOfReach
from icgsynth.process.compiled import announce

MAX_STATES = 20_000_000  # states by default
_MAX_MOVES = 200_000_000  # moves, solved in 3 gigabytes
_FAN = 10  # moves allowed for each state, where a caller allows more states
_SAY_EVERY = 5.0  # seconds between two reports of progress
_WORK = 1 << 20  # images of moves computed between two looks at the clock
_LEAST = 64  # states of a batch at least
_PIECE = 1 << 10  # states looked up in the table at once
_FULL = 0.8  # share of a hash table that may be in use
_GROWTH = 1.3  # how many times as many states a new table has room for


@dataclass(frozen=True, eq=False)
class Explored:
    """All states and moves that exploration found: n states, the initial one first, and m moves.

    ``states`` (n, words); ``mover`` (n,) 0 or 1 as in the board's roles, -1 at the end; ``goals``
    (k, 2) of the k ends; ``first`` (n + 1,); ``action`` (m,) of the mover; ``target`` (m,) rows;
    ``orbit`` (n,) how many raw states each row stands for.
    """

    states: NDArray[np.uint64]
    mover: NDArray[np.int8]
    goals: NDArray[np.int32]
    first: NDArray[np.int64]
    action: NDArray[np.int32]
    target: NDArray[np.int32]
    orbit: NDArray[np.uint16]


def explore(
    board: Board,
    symmetry: Symmetry,
    max_states: int = MAX_STATES,
    seconds: float = float("inf"),
    progress: Progress = silent,
    steps: WorkSteps | None = None,
) -> Explored:
    """Explore all reachable states of ``board``, up to ``symmetry``, and all moves between them.

    ``progress`` gets lines of text, ``steps`` a record of the work.  OutOfReach past ``max_states``
    or ``seconds`` (with the count), Refused in a state where both players have a choice (with it).
    """
    board.warm(progress)
    folding = [least_images] if symmetry.order > 1 else []
    announce([kernels.insert, kernels.rehash, *folding], progress)
    watch = _Watch(board, max_states, seconds, progress)
    if steps is not None:
        steps.begin("exploring", lambda: watch.reached)
    store = StateStore(len(board.facts), symmetry.order > 1)
    store.add(*least_states(board.initial[None, :], symmetry, watch.look))
    mover, goals = Grown(np.int8), Grown(np.int32, 2)
    counts, target = Grown(np.int32), Grown(np.int32)
    action = Grown(np.min_scalar_type(len(board.actions)))
    while mover.count < store.count:
        # Breadth first: states up to mover.count are done.  A batch may have _WORK images of moves,
        # if its states have as many moves each as those before.
        done, fan = mover.count, max(1, target.count // max(1, mover.count))
        size = min(board.batch, max(_LEAST, _WORK // fan))
        batch = store.words(slice(done, min(done + size, store.count)))
        found = board.successors(batch)
        mover.add(board.movers(batch, found))
        goals.add(found.goals[found.ended])
        counts.add(np.bincount(found.source, minlength=len(batch)))
        # Of a pair the move of the player who has a choice is stored; an end has no moves.
        turn = np.maximum(mover.array[done + found.source], 0)
        action.add(np.take_along_axis(found.chosen, turn[:, None], axis=1)[:, 0])
        target.add(store.add(*least_states(found.target, symmetry, watch.look)))
        watch.states, watch.moves = store.count, target.count
        watch.look()
    first = np.zeros(store.count + 1, np.int64)
    np.cumsum(counts.whole(), out=first[1:])
    return Explored(
        store.take_states(),
        mover.whole(),
        goals.whole(),
        first,
        action.whole().astype(np.int32),
        target.whole(),
        # An orbit has (order of the group) / (elements that fix the state) states.
        symmetry.order // store.fixing.whole()
        if store.folded
        else np.ones(len(first) - 1, np.uint16),
    )


def least_states(
    states: NDArray[np.uint64], symmetry: Symmetry, look: Callable[[], None]
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return each state's least symmetric image (n, words) and the size of its stabilizer (n,).
    ``states`` are (n, words); ``look`` is called after a second's work, to check the time."""
    fixing = np.ones(len(states), np.uint16)
    if symmetry.order == 1:
        return states, fixing
    # Pieces of so many states as make _WORK images, so that the limits are looked at in time.
    out = np.zeros_like(states)
    step = max(1, _WORK // symmetry.order)
    for start in range(0, len(states), step):
        part = slice(start, start + step)
        least_images(states[part], *symmetry.tree, out[part], fixing[part])
        look()
    return out, fixing


class _Watch:
    """Checks the limits of an exploration, and reports its progress now and then."""

    def __init__(self, board: Board, max_states: int, seconds: float, progress: Progress) -> None:
        self.name = board.name
        self.max_states = min(max_states, kernels.MOST_STATES)
        self.budget, self.progress = Budget(seconds), progress
        self.said = time.monotonic()
        self.states = self.moves = 0

    @property
    def reached(self) -> str:
        """The number of states and moves found so far, as words for a message."""
        return f"{self.states:,} states and {self.moves:,} moves"

    def look(self) -> None:
        """Raise :class:`~icgsynth.errors.OutOfReach` past a limit; report progress if due."""
        now, reached = time.monotonic(), self.reached
        moves = max(_MAX_MOVES, _FAN * self.max_states)
        limits = ((self.states, self.max_states, "states"), (self.moves, moves, "moves"))
        for count, most, what in limits:
            if count > most:
                more = f"the game has more {what} than the limit of {most:,}"
                raise OutOfReach(f"{self.name}: {more} (exploration reached {reached})")
        if self.budget.is_spent:
            raise OutOfReach(f"{self.name}: the time is over; exploration reached {reached}")
        if now - self.said > _SAY_EVERY:
            self.said = now
            self.progress(f"exploring {self.name}: {reached} so far")


class Grown:
    """An array that can grow at its end; no other object may keep a view of the array meanwhile."""

    def __init__(self, kind: DTypeLike, width: int = 0) -> None:
        self.array: NDArray[Any] = np.zeros((0, width) if width else 0, kind)
        self.count = 0

    def reserve(self, more: int) -> None:
        """Make room for ``more`` rows at the end of the array."""
        if (needed := self.count + more) > len(self.array):
            self._resize(needed + needed // 16)

    def add(self, rows: NDArray[Any]) -> None:
        """Append ``rows`` to the array."""
        self.reserve(len(rows))
        self.array[self.count : self.count + len(rows)] = rows
        self.count += len(rows)

    def whole(self) -> NDArray[Any]:
        """Return the array of all rows added, without spare room."""
        self._resize(self.count)
        return self.array

    def _resize(self, rows: int) -> None:
        self.array.resize((rows, *self.array.shape[1:]), refcheck=False)


class StateStore:
    """A hash table of states, numbered by row; if ``folded``, with each one's stabilizer size."""

    def __init__(self, facts: int, folded: bool) -> None:
        self._states = Grown(np.uint8, max(1, -(-facts // 8)))
        self._width = words_for(facts)
        self.folded, self.fixing = folded, Grown(np.uint16)
        self._table = np.full(2 * _PIECE, kernels.FREE)

    @property
    def count(self) -> int:
        """The number of states in the store."""
        return self._states.count

    @property
    def nbytes(self) -> int:
        """The memory that the store takes, in bytes."""
        return self._states.array.nbytes + self._table.nbytes + self.fixing.array.nbytes

    def add(self, found: NDArray[np.uint64], fixing: NDArray[np.uint16]) -> NDArray[np.int32]:
        """Return the rows (k,) of the states ``found`` (k, words); new ones are added at the end.
        ``fixing`` (k,) are their stabilizers' sizes, not read unless the store is folded."""
        rows = np.empty(len(found), np.int32)
        parts = found.astype("<u8", copy=False).view(np.uint8)[:, : self._states.array.shape[1]]
        for start in range(0, len(found), _PIECE):
            part = slice(start, start + _PIECE)
            self._reserve()
            before, piece = self.count, np.ascontiguousarray(parts[part])
            count = kernels.insert(self._table, self._states.array, before, piece, rows[part])
            self._states.count = count
            # An element fixes a state or not whichever way the state was found, so a number that is
            # written twice is the same both times.
            if self.folded:
                self.fixing.add(np.ones(count - before, np.uint16))
                self.fixing.array[rows[part]] = fixing[part]
        return rows

    def words(self, rows: slice | NDArray[np.int32]) -> NDArray[np.uint64]:
        """Return the states of the given ``rows`` as (k, words)."""
        # States are kept as the first octets (little-endian) of their words, as many as hold facts.
        kept = self._states.array[rows]
        parts = np.zeros((len(kept), 8 * self._width), np.uint8)
        parts[:, : kept.shape[1]] = kept
        return parts.view("<u8").astype(np.uint64, copy=False)

    def take_states(self) -> NDArray[np.uint64]:
        """Return all states (n, words), and drop the hash table, so that none can be added."""
        self._table = np.full(0, kernels.FREE)
        return self.words(slice(self.count))

    def _reserve(self) -> None:
        self._states.reserve(_PIECE)
        needed = self.count + _PIECE
        if needed > _FULL * len(self._table):
            self._table = np.full(0, kernels.FREE)  # let go of it first
            self._table = np.full(int(needed * _GROWTH / _FULL), kernels.FREE)
            kernels.rehash(self._table, self._states.array, self.count)
