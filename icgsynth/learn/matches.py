"""Optimised matches: from a position, the play that ends best if both players help.

The pruned minimax of Hahn and Shankar (2020, section 3.2.2) asks for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.finite.compiled import compiled
from icgsynth.learn.stage import Stage

__all__ = ["ByTable", "Finder", "topological"]

_Ints: TypeAlias = "NDArray[np.signedinteger[Any]]"


class Finder(Protocol):
    """Finds optimised matches, under rules that narrow the moves of some states."""

    def best(
        self, prefix: Sequence[int], banned: Iterable[int], maximise: bool
    ) -> list[int] | None:
        """The moves of a whole match: ``prefix``, then none of ``banned``, then what ends best.

        Best is the greatest outcome for the main player with ``maximise``, else the least;
        None where no match is left.
        """
        ...

    def narrow(self, state: int, moves: Sequence[int]) -> None:
        """From now on, only ``moves`` are played in ``state``."""
        ...


def topological(stage: Stage) -> NDArray[np.int64]:
    """The states, each after its successors; :class:`Refused` where play can come back."""
    arena = stage.arena
    count = len(arena.mover)
    into = np.bincount(arena.target, minlength=count)
    order = [int(s) for s in np.flatnonzero(into == 0)]
    for s in order:  # grows while it is walked
        for t in arena.target[arena.first[s] : arena.first[s + 1]]:
            into[t] -= 1
            if not into[t]:
                order.append(int(t))
    if len(order) < count:
        raise Refused(f"{stage.arena.name}: play can come back to a state: there is no game tree")
    return np.array(order[::-1], np.int64)


class ByTable:
    """Reads matches off the solved game; of equally good moves it takes the first."""

    def __init__(self, stage: Stage, main: int) -> None:
        arena = stage.arena
        self._stage = stage
        self._order = topological(stage)
        self._allowed = np.ones(len(arena.target), np.bool_)
        self._outcome = (arena.value if main == 0 else -arena.value).astype(np.int64)
        self._best = {sign: np.zeros(len(arena.mover), np.int64) for sign in (1, -1)}
        self._stale = {1, -1}

    def narrow(self, state: int, moves: Sequence[int]) -> None:
        span = self._stage.arena.moves_of(state)
        self._allowed[span.start : span.stop] = False
        self._allowed[list(moves)] = True
        self._stale = {1, -1}

    def best(
        self, prefix: Sequence[int], banned: Iterable[int], maximise: bool
    ) -> list[int] | None:
        arena, sign = self._stage.arena, 1 if maximise else -1
        best = self._best[sign]
        if sign in self._stale:
            _outlook(
                self._order, arena.first, arena.target, self._allowed, self._outcome, sign, best
            )
            self._stale.discard(sign)
        state = int(arena.target[prefix[-1]]) if prefix else 0
        match, out = list(prefix), set(banned)
        while arena.mover[state] >= 0:
            open_moves = [
                m for m in self._stage.arena.moves_of(state) if self._allowed[m] and m not in out
            ]
            if not open_moves:
                return None
            move = max(open_moves, key=lambda m: int(best[arena.target[m]]))
            if best[arena.target[move]] < -1:
                return None
            match.append(move)
            state, out = int(arena.target[move]), set()
        return match


@compiled
def _outlook(
    order: _Ints,
    first: _Ints,
    target: _Ints,
    allowed: NDArray[np.bool_],
    outcome: _Ints,
    sign: int,
    best: _Ints,
) -> None:
    """The best end that a play can reach if both players help, for ``sign`` +1 or -1.

    ``order`` (n,): every state after its successors; ``allowed`` (m,) moves; ``outcome`` (n,)
    is read at the ends; ``best`` (n,) is written, -9 where every play is cut off.
    """
    for s in order:
        if first[s] == first[s + 1]:
            best[s] = sign * outcome[s]
            continue
        top = -9
        for m in range(first[s], first[s + 1]):
            if allowed[m] and best[target[m]] > top:
                top = best[target[m]]
        best[s] = top
