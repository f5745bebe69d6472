"""Who wins, and how soon, counted back from the ends over moves that are listed.

This is the only retrograde analysis: boxes of states, arenas, and what play reaches from a state
bring their moves here.  A state is won as soon as one move to a win is known, and lost when all
its moves are known to lead to losses; what neither holds of is drawn, or not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import distinct

Flags = NDArray[np.bool_]
_LOW = (1 << 32) - 1


@dataclass(frozen=True, eq=False)
class Edges:
    """Moves between n states, sorted by where they lead and then by where they come from.

    Those into state i are ``source[begin[i]:begin[i + 1]]``.
    """

    source: NDArray[np.int32]
    begin: NDArray[np.int64]

    @staticmethod
    def of(source: NDArray[Any], target: NDArray[Any], count: int) -> Edges:
        """The moves (m,) from ``source`` to ``target``, of ``count`` states."""
        pairs = target.astype(np.int64) << 32
        pairs |= source
        pairs.sort()
        return _unpacked(pairs, count)

    @cached_property
    def target(self) -> NDArray[np.int32]:
        """Where each move leads."""
        return np.repeat(np.arange(len(self.begin) - 1, dtype=np.int32), np.diff(self.begin))

    def without_repeats(self) -> Edges:
        """With one entry for all moves from one state to another."""
        pairs = distinct(self.target.astype(np.int64) << 32 | self.source)
        return _unpacked(pairs, len(self.begin) - 1)

    def out_degrees(self) -> NDArray[np.int64]:
        """(n,): the number of moves from each state."""
        return np.bincount(self.source, minlength=len(self.begin) - 1)

    def into(self, rows: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Where the moves into ``rows`` come from, one entry a move; how many lead into each."""
        counts = self.begin[rows + 1] - self.begin[rows]
        first = np.repeat(self.begin[rows] - (np.cumsum(counts) - counts), counts)
        return self.source[first + np.arange(len(first))], counts

    def sources(self, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Where the moves into ``rows`` come from, one entry a move."""
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
    """Write to ``value`` and ``plies`` (n,) what is not given there, where it follows.

    ``plies`` is -1 where nothing is given, and stays so where nothing follows: the winner hurries
    and the loser delays.  A ``value`` is +1 or -1, or 0 for a given draw.  With ``mover`` (n,) it
    is 1 where player 1 wins and -1 where player -1 does, and ``mover`` says whose turn it is.
    Without it players take turns, and the value is that of the player to move.

    A state that is ``open_ended`` (n,) may have further moves: it is not found to be lost.  Up to
    ``spare`` moves of a state may be forbidden by the opponent.  Given are the ends, and the states
    all moves of which may be forbidden.
    """
    wants = np.full(len(value), -1, np.int8) if mover is None else mover
    gets = np.ones(len(value), np.int8) if mover is None else mover
    left, good = edges.out_degrees(), np.zeros(len(value) if spare else 0, np.int64)
    given = np.flatnonzero((plies >= 0) & (value != 0))
    given = given[np.argsort(plies[given], kind="stable")]
    level, new = 0, given[:0]
    while len(new) or len(given):
        budget.check()
        rows = new
        if len(given):
            level = level if len(new) else int(plies[given[0]])
            count = int(np.searchsorted(plies[given], level, side="right"))
            rows, given = np.concatenate([new, given[:count]]), given[count:]
        source, counts = edges.into(rows)
        waits = plies[source] < 0
        source, after = source[waits], np.repeat(value[rows], counts)[waits]
        helps = after == wants[source]  # these stay among what is left: who wins is not lost
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
        new = distinct(won, spent)
