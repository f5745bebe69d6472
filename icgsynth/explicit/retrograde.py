"""Retrograde analysis: who wins, counted back from the ends of play; and cycles of moves.

A state is won as soon as one move to a state that is lost for the other player is known, and lost
when all its moves are known to lead to states that the other wins; what neither holds of is drawn,
or not known.  There are two orders.

* :func:`settle`, over moves that are listed: in an arena, whatever the game was made from, in a
  box of states, and in what play reaches from a state.  It says how soon, too.
* :func:`settle_by_rank`, where moves are too many to list and all go down in rank: a large box.

Elsewhere it is decided where states are too many to number, or a second time on purpose:

* :mod:`icgsynth.boards.starts.walk_back`: sets of boards of a game of lines, as bits or as decision
  diagrams.
* :mod:`icgsynth.boards.starts.query`: one such board, by a search that leaves most others out.
* :mod:`icgsynth.boards.finite.proof_numbers`: the start of a game, by the states that decide it.
* :mod:`icgsynth.heaps.search.heap_values`: rows of heaps under misère play, from the row that is
  asked.
* :mod:`icgsynth.synth.digits.cube`: far losing states in the plane, row by row; a
  conjecture, which has to agree with the labels of a box.
* :mod:`icgsynth.boards.fft.raw_check`: an arena once more, to hold the first result against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import distinct

Flags = NDArray[np.bool_]
Into: TypeAlias = Callable[[NDArray[Any]], Iterator[tuple[NDArray[Any], NDArray[Any]]]]
"""From rows to the moves into them, in pieces: where they come from, and where they lead."""

_LOW = (1 << 32) - 1  # the lower half of 64 bits: the row
_STARTS = 50  # states near the origin that a cycle is sought through


class Options:
    """A counter of the different losing options of each of n states; ``count`` has shape (n,).  All
    moves into one state have to be noted before they are counted, so that two moves from one state
    to another are one option."""

    def __init__(self, size: int) -> None:
        self.count = np.zeros(size, dtype=np.int64)
        self._noted = list[NDArray[np.int64]]()

    def note(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        """Note the m moves from the states ``source`` (m,) to the losing states ``target`` (m,),
        which :meth:`count_noted` will count."""
        self._noted.append(source.astype(np.int64) * len(self.count) + target)

    def count_noted(self) -> NDArray[np.int64]:
        """Add the moves noted since the last call to ``count``, those from one state to another
        once, and return the states that they start from."""
        if not self._noted:
            return np.zeros(0, dtype=np.int64)
        sources = distinct(np.concatenate(self._noted)) // len(self.count)
        self._noted.clear()
        changes = np.append(True, sources[1:] != sources[:-1])
        first = np.flatnonzero(changes[: len(sources)])
        rows = sources[first]
        self.count[rows] += np.diff(np.append(first, len(sources)))
        return rows


@dataclass(frozen=True, eq=False)
class Edges:
    """Moves between n states, sorted by where they lead and then by where they come from.  Those
    into state i are ``source[begin[i]:begin[i + 1]]``."""

    source: NDArray[np.int32]
    begin: NDArray[np.int64]

    @staticmethod
    def of(source: NDArray[Any], target: NDArray[Any], count: int) -> Edges:
        """Return the m moves from ``source`` (m,) to ``target`` (m,), between ``count`` states."""
        # One number for each move, the target above the source: one sort orders by both.
        pairs = target.astype(np.int64) << 32
        pairs |= source
        pairs.sort()
        return _unpacked(pairs, count)

    @cached_property
    def target(self) -> NDArray[np.int32]:
        """Return the state (m,) that each of the m moves leads to."""
        return np.repeat(np.arange(len(self.begin) - 1, dtype=np.int32), np.diff(self.begin))

    def without_repeats(self) -> Edges:
        """Return the edges with one entry for all moves that lead from one state to another."""
        pairs = distinct(self.target.astype(np.int64) << 32 | self.source)
        return _unpacked(pairs, len(self.begin) - 1)

    def out_degrees(self) -> NDArray[np.int64]:
        """Return the number of moves from each of the n states, shape (n,)."""
        return np.bincount(self.source, minlength=len(self.begin) - 1)

    def into(self, rows: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return an array of the states from which moves lead into the states ``rows``, row by row,
        and an array of how many there are for each row."""
        counts = self.begin[rows + 1] - self.begin[rows]
        if len(rows) == 1:  # as on a long line of play: six steps less
            begin = int(self.begin[rows[0]])
            return self.source[begin : begin + int(counts[0])], counts
        first = np.repeat(self.begin[rows] - (np.cumsum(counts) - counts), counts)
        return self.source[first + np.arange(len(first))], counts

    def sources(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Return the states from which moves lead into ``rows``, an entry for each move."""
        return self.into(rows)[0]


def _unpacked(pairs: NDArray[np.int64], count: int) -> Edges:
    begin = np.searchsorted(pairs, np.arange(count + 1) << 32)
    return Edges((pairs & _LOW).astype(np.int32), begin)


def settle(
    edges: Edges,
    value: NDArray[np.int8],
    plies: NDArray[np.int32],
    mover: NDArray[np.int8] | None = None,
    *,
    open_ended: Flags | None = None,
    spare: int = 0,
    budget: Budget = UNBOUNDED,
) -> None:
    """Write who wins to ``value`` (n,), and in how many moves to ``plies`` (n,), for n states.

    ``edges`` are the moves.  Ends are given; ``plies`` is -1 elsewhere, and stays so where nothing
    follows: the winner hurries and the loser delays.  A ``value`` is +1 or -1, or 0 for a given
    draw.  With ``mover`` (n,) it is 1 where player 1 wins and -1 where player -1 does, and
    ``mover`` says whose turn it is.  Without it players take turns, and the value is that of the
    player to move.

    A state that is ``open_ended`` (n,) may have further moves: it is not found to be lost.  Up to
    ``spare`` moves of a state may be forbidden by the opponent.  Given are the ends, and the states
    all moves of which may be forbidden.  BudgetSpent past the ``budget``.
    """
    wants = np.full(len(value), -1, np.int8) if mover is None else mover
    gets = np.ones(len(value), np.int8) if mover is None else mover
    left, good = edges.out_degrees(), np.zeros(len(value) if spare else 0, np.int64)
    given = np.flatnonzero((plies >= 0) & (value != 0))
    given = given[np.argsort(plies[given], kind="stable")]
    level, new = 0, given[:0]
    while len(new) or len(given):
        budget.check()
        # Given states join at the level of their plies: states are taken by rising plies.
        rows = new
        if len(given):
            level = level if len(new) else int(plies[given[0]])
            count = int(np.searchsorted(plies[given], level, side="right"))
            rows, given = np.concatenate([new, given[:count]]), given[count:]
        source, counts = edges.into(rows)
        waits = plies[source] < 0
        source, after = source[waits], np.repeat(value[rows], counts)[waits]
        helps = after == wants[source]  # these stay among what is left: who wins is not lost
        # ``won``: the mover has a move to a state that it wins.  ``spent``: one move less that may
        # still save it; at 0 left (or ``spare``) the state is lost.
        won, spent = source[helps], source[~helps]
        level += 1
        if len(won):
            if spare:
                np.add.at(good, won, 1)
                won = won[good[won] > spare]
            plies[won], value[won] = level, gets[won]
        if len(spent):
            np.subtract.at(left, spent, 1)
            spent = spent[left[spent] <= spare]
            if open_ended is not None:
                spent = spent[~open_ended[spent]]
            plies[spent], value[spent] = level, -gets[spent]
        # By rising level the first winning move is the quickest, and the last lost one the slowest.
        new = distinct(won, spent)


def settle_by_rank(
    into: Into,
    rank: NDArray[np.int64],
    won: Flags,
    doubtful: Flags,
    *,
    spare: int = 0,
    budget: Budget = UNBOUNDED,
) -> NDArray[np.int8] | None:
    """Return an array (n,): 1 where the player to move wins, -1 where it loses, 0 if not known.

    None where a move is met that does not go down in ``rank`` (n,).  States are taken by rising
    rank.  ``into`` yields the moves into given states, as arrays (from, to); it is asked only for
    states that are lost or not known: a move between others is not looked at, even if it goes up.
    A state that is ``won`` (n,) is so from the beginning, one that is ``doubtful`` (n,) is not
    found to be lost.  Up to ``spare`` of the states that moves lead to may be forbidden by the
    opponent.  BudgetSpent past the ``budget``.
    """
    won, doubtful = won.copy(), doubtful.copy()
    value = np.zeros(len(rank), np.int8)
    options = Options(len(rank)) if spare else None
    order = np.argsort(rank, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(rank[order])) + 1):
        budget.check()
        value[rows[won[rows]]] = 1
        rows = rows[~won[rows]]
        lost, unknown = rows[~doubtful[rows]], rows[doubtful[rows]]
        value[lost] = -1
        for found, marks in ((lost, won), (unknown, doubtful)):
            for source, target in into(found):
                budget.check()
                if (rank[source] <= rank[target]).any():
                    return None
                if options is not None and marks is won:
                    options.note(source, target)
                else:
                    marks[source] = True
        if options is not None:
            rows = options.count_noted()
            won[rows] |= options.count[rows] > spare
    return value


# --- cycles --------------------------------------------------------------------------------------


def find_cycle(edges: Edges, distance: NDArray[Any]) -> list[int]:
    """Return the states of a cycle of the moves ``edges``, the first state again at the end; [] if
    there is no cycle.  ``distance`` (n,) tells where to begin: at the states with the least."""
    left = _find_unpeeled(edges)
    within = left[edges.source] & left[edges.target]
    follow: dict[int, list[int]] = {}
    pairs = zip(edges.source[within].tolist(), edges.target[within].tolist(), strict=True)
    for row, other in pairs:
        follow.setdefault(row, []).append(other)
    nearest = sorted(follow, key=lambda row: (int(distance[row]), row))
    found = (_around(row, follow) for row in nearest[:_STARTS])
    cycle = min((c for c in found if c is not None), key=len, default=None)
    return _any_cycle(follow) if follow and cycle is None else cycle or []


def _around(start: int, follow: dict[int, list[int]]) -> list[int] | None:
    """Return a shortest cycle ``[start, .., start]``; None if there is none.  ``follow`` maps a
    state to its successors."""
    came_from: dict[int, int] = {}
    level = [start]
    while level:
        following: list[int] = []
        for row in level:
            for other in follow.get(row, ()):
                if other == start:
                    path = [start, row]
                    while path[-1] != start:
                        path.append(came_from[path[-1]])
                    return path[::-1]
                if other not in came_from:
                    came_from[other] = row
                    following.append(other)
        level = following
    return None


def _any_cycle(follow: dict[int, list[int]]) -> list[int]:
    """Return a cycle, its first state again at the end.  ``follow`` maps each state to its
    successors, of which there is at least one."""
    path = [next(iter(follow))]
    seen = {path[0]: 0}
    while (row := follow[path[-1]][0]) not in seen:
        seen[row] = len(path)
        path.append(row)
    return [*path[seen[row] :], row]


def _find_unpeeled(edges: Edges) -> Flags:
    """Return flags (n,) of the states left when those without a move are removed, repeatedly."""
    left = edges.out_degrees()  # for each state, its moves to states that are not peeled
    peeled = np.flatnonzero(left == 0)
    while len(peeled):
        spent = edges.sources(peeled)
        np.subtract.at(left, spent, 1)
        peeled = distinct(spent[left[spent] == 0])
    return left > 0
