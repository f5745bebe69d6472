"""Every state that play can reach, breadth first, one representative for each orbit."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget, Progress, silent
from icgsynth.errors import OutOfReach
from icgsynth.finite import arena_kernels as kernels
from icgsynth.finite.board import Board
from icgsynth.finite.compiled import announce
from icgsynth.finite.symmetry import Symmetry

MAX_STATES = 5_000_000
_MAX_MOVES = 80_000_000
_SAY_EVERY = 5.0  # seconds
_WORK = 1 << 21  # images of moves between two looks at the clock
_LEAST = 64  # states of a batch


@dataclass(frozen=True, eq=False)
class Explored:
    """n states, the initial one first, and m joint moves in the order of their source.

    ``states`` (n, words); ``mover`` (n,) 0 or 1 as in the board's roles, -1 at the end; ``goals``
    (n, 2), -1 before the end; ``first`` (n + 1,); ``chosen`` (m, 2) actions; ``target`` (m,)
    rows; ``orbit`` (n,) how many raw states each row stands for.
    """

    states: NDArray[np.uint64]
    mover: NDArray[np.int8]
    goals: NDArray[np.int32]
    first: NDArray[np.int64]
    chosen: NDArray[np.int32]
    target: NDArray[np.int32]
    orbit: NDArray[np.int64]


def explore(
    board: Board,
    symmetry: Symmetry,
    max_states: int = MAX_STATES,
    seconds: float = float("inf"),
    progress: Progress = silent,
) -> Explored:
    """All reachable states of ``board``, up to ``symmetry``.

    :class:`~icgsynth.errors.Refused` past ``max_states`` or ``seconds`` (with the count
    reached), and in a state where both players have a choice (with that state).
    """
    board.warm(progress)
    folding = [kernels.canonical] if symmetry.order > 1 else []
    announce([kernels.insert, kernels.rehash, *folding], progress)
    watch = _Watch(board, max_states, seconds, progress)
    store = _Store(board.words)
    store.add(*_canonical(board.initial[None, :], symmetry, watch))
    pieces: list[tuple[NDArray[np.int8], NDArray[np.int32]]] = []
    edges: list[tuple[NDArray[np.int32], NDArray[np.int32]]] = []
    counts: list[NDArray[np.int64]] = []
    done = 0
    while done < store.count:
        fan = max(1, watch.moves // max(1, done))
        size = min(board.batch, max(_LEAST, _WORK // fan))
        batch = store.states[done : min(done + size, store.count)]
        found = board.successors(batch)
        mover = board.movers(batch, found)
        target, fixing = _canonical(found.target, symmetry, watch)
        pieces.append((mover, found.goals))
        counts.append(np.bincount(found.source, minlength=len(batch)))
        done += len(batch)
        edges.append((found.chosen, store.add(target, fixing)))
        watch.states = store.count
        watch.moves += len(target)
        watch.look()
    first = np.zeros(store.count + 1, np.int64)
    np.cumsum(np.concatenate(counts), out=first[1:])
    return Explored(
        store.states[: store.count].copy(),
        np.concatenate([p[0] for p in pieces]),
        np.concatenate([p[1] for p in pieces]),
        first,
        np.concatenate([e[0] for e in edges]),
        np.concatenate([e[1] for e in edges]),
        symmetry.order // store.fixing[: store.count],
    )


def _canonical(
    states: NDArray[np.uint64], symmetry: Symmetry, watch: _Watch
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The least image of each state, and how many elements of the group fix it."""
    fixing = np.ones(len(states), np.int64)
    if symmetry.order == 1:
        return states, fixing
    out = np.empty_like(states)
    step = max(1, _WORK // symmetry.order)
    for start in range(0, len(states), step):
        part = slice(start, start + step)
        kernels.canonical(states[part], symmetry.facts, out[part], fixing[part])
        watch.look()
    return out, fixing


class _Watch:
    """The limits of an exploration, and a word now and then for the person who waits."""

    def __init__(self, board: Board, max_states: int, seconds: float, progress: Progress) -> None:
        self.name = board.name
        self.max_states, self.budget, self.progress = max_states, Budget(seconds), progress
        self.said = time.monotonic()
        self.states = self.moves = 0

    def look(self) -> None:
        """:class:`~icgsynth.errors.Refused` past a limit."""
        now = time.monotonic()
        reached = f"{self.states:,} states and {self.moves:,} moves"
        limits = ((self.states, self.max_states, "states"), (self.moves, _MAX_MOVES, "moves"))
        for count, most, what in limits:
            if count > most:
                more = f"the game has more {what} than the limit of {most:,}"
                raise OutOfReach(f"{self.name}: {more} (exploration reached {reached})")
        if self.budget.is_spent:
            raise OutOfReach(
                f"{self.name}: exploration took more than {self.budget.seconds:.3g} s; "
                f"it reached {reached}"
            )
        if now - self.said > _SAY_EVERY:
            self.said = now
            self.progress(f"exploring {self.name}: {reached} so far")


class _Store:
    """States by row and by hash; both tables double when they fill up."""

    def __init__(self, words: int) -> None:
        self.states = np.zeros((1 << 12, words), np.uint64)
        self.fixing = np.ones(1 << 12, np.int64)
        self.table = np.full(1 << 13, -1, np.int64)
        self.count = 0

    def add(self, found: NDArray[np.uint64], fixing: NDArray[np.int64]) -> NDArray[np.int32]:
        """The rows of ``found`` (k, words), new states appended in their order."""
        rows = np.empty(len(found), np.int32)
        step = 1 << 12
        for start in range(0, len(found), step):
            part = slice(start, start + step)
            self._reserve(self.count + step)
            before = self.count
            self.count = kernels.insert(
                self.table, self.states, before, np.ascontiguousarray(found[part]), rows[part]
            )
            if self.count > before:
                self.fixing[rows[part]] = fixing[part]
        return rows

    def _reserve(self, needed: int) -> None:
        if needed > len(self.states):
            room = 2 * len(self.states)
            grown = np.zeros((room, self.states.shape[1]), np.uint64)
            grown[: self.count] = self.states[: self.count]
            self.states = grown
            self.fixing = np.concatenate([self.fixing, np.ones(room - len(self.fixing), np.int64)])
            self.table = np.full(2 * room, -1, np.int64)
            kernels.rehash(self.table, self.states, self.count)
