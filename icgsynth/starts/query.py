"""Questions about one position, answered at once: no board is enumerated beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.finite.compiled import Progress, announce, silent
from icgsynth.starts.board_index import Layout
from icgsynth.starts.lines import LineGame, Position, Seat
from icgsynth.starts.reward import Reward

__all__ = ["Query"]

_PLACES = 1 << 16  # more would not fit the cache of a processor, and be slower


@dataclass(frozen=True, eq=False)
class Query:
    """What players of one reward think and do on single positions of a game."""

    game: LineGame
    reward: Reward = field(default_factory=Reward)
    progress: Progress = field(default=silent, repr=False)

    def __post_init__(self) -> None:
        self.reward.table(self.game)  # complains where it does not fit

    def chance(self, state: Position, yours: int, theirs: int) -> float:
        """The chance of X at depth ``yours`` against O at depth ``theirs``; draws are not won."""
        if (winner := self.game.winner(state)) is not None:
            return float(winner == 0)
        x, o = np.uint64(state[0]), np.uint64(state[1])
        boards, tags, won = _table(np.float64)
        kernel = self._kernels[1]
        rules = *self._rules, *self._judge, *self._memory
        return float(kernel(x, o, 2 * yours, 2 * theirs, *rules, boards, tags, won))

    def values(self, state: Position, depth: int) -> dict[int, int]:
        """What a depth-k player thinks each cell is worth to X; 127 and a little less are wins."""
        if self.game.winner(state) is not None:
            return {}
        cells, worth = np.zeros(64, np.uint64), np.zeros(64, np.int64)
        x, o = np.uint64(state[0]), np.uint64(state[1])
        rules = *self._rules, *self._judge, *self._memory
        n = self._kernels[0](x, o, 2 * depth, *rules, cells, worth)
        return {int(c): int(w) for c, w in zip(cells[:n], worth[:n], strict=True)}

    def choices(self, state: Position, depth: int) -> tuple[int, ...]:
        """The cells that a depth-k player draws from."""
        found = self.values(state, depth)
        best = (max if self.game.mover(state) == 0 else min)(found.values(), default=0)
        return tuple(cell for cell, worth in found.items() if worth == best)

    def soonest(self, state: Position, most: int, seat: Seat = 0) -> int | None:
        """With how few stones of its own, at most ``most``, ``seat`` forces a line; else None.

        0 where it has one.  On the other's move, the other has still to reply.
        """
        if (winner := self.game.winner(state)) is not None:
            return 0 if winner == seat else None
        mine, theirs = np.uint64(state[seat]), np.uint64(state[1 - seat])
        turn = self.game.mover(state) == seat
        found = int(self._kernels[2](mine, theirs, turn, most, *self._rules, *self._wins))
        return found if found <= most else None

    def outcome(self, state: Position) -> Seat | None:
        """Who wins if both play perfectly; None for a draw.  Searches to the end."""
        most = self.game.cells  # more stones than are left
        if self.soonest(state, most, 0) is not None:
            return 0
        return 1 if self.soonest(state, most, 1) is not None else None

    def winning(self, state: Position, most: int) -> tuple[int, ...]:
        """The cells with which X, to move, still wins with ``most`` stones in all."""
        after = ((cell, self.game.put(state, cell)) for cell in self.game.empty(state))
        return tuple(c for c, next_ in after if self.soonest(next_, most - 1) is not None)

    # --- what the kernels are given -----------------------------------------------------------

    @cached_property
    def _kernels(self) -> tuple[Any, ...]:
        from icgsynth.starts.query_kernels import KERNELS

        announce(KERNELS, self.progress)
        return KERNELS

    @cached_property
    def _rules(self) -> tuple[Any, ...]:
        game = self.game
        columns = [
            sum(game.bit(row, column) for row in range(game.rows)) for column in range(game.columns)
        ]
        return np.array(columns, np.uint64), game.lowest, Layout(game).shifts, game.match

    @cached_property
    def _judge(self) -> tuple[Any, ...]:
        table = self.reward.table(self.game)
        return np.array(self.game.windows, np.uint64), table, self.reward.haste

    @cached_property
    def _memory(self) -> tuple[NDArray[Any], ...]:
        return _table(np.int16)

    @cached_property
    def _wins(self) -> tuple[NDArray[Any], ...]:
        return _table(np.int16)


def _table(kind: type[np.generic]) -> tuple[NDArray[Any], ...]:
    """Boards (places, 2), tags and results (places,), all unused."""
    return np.zeros((_PLACES, 2), np.uint64), np.zeros(_PLACES, np.int8), np.zeros(_PLACES, kind)
