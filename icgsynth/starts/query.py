"""Questions about one position, answered at once: no board is enumerated beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

import numpy as np

from icgsynth.finite.compiled import Progress, announce, silent
from icgsynth.starts.board_index import BoardIndex
from icgsynth.starts.lines import LineGame, Position, Seat
from icgsynth.starts.reward import Reward
from icgsynth.starts.tables import BoardJudge, LineRules, Memory

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
        board = np.uint64(state[0]), np.uint64(state[1])
        known = Memory.empty(_PLACES, np.float64)
        plies = 2 * yours, 2 * theirs
        return float(
            self._kernels.chance(board, plies, self._rules, self._judge, self._memory, known)
        )

    def values(self, state: Position, depth: int) -> dict[int, int]:
        """What a depth-k player thinks each cell is worth to X; 127 and a little less are wins."""
        if self.game.winner(state) is not None:
            return {}
        cells, worth = np.zeros(64, np.uint64), np.zeros(64, np.int64)
        x, o = np.uint64(state[0]), np.uint64(state[1])
        out = self._kernels.Cells(cells, worth)
        n = self._kernels.values(x, o, 2 * depth, self._rules, self._judge, self._memory, out)
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
        found = int(self._kernels.soonest(mine, theirs, turn, most, self._rules, self._wins))
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
    def _kernels(self) -> ModuleType:
        """The compiled kernels; numba is imported when the first question is asked."""
        from icgsynth.starts import query_kernels

        announce(query_kernels.KERNELS, self.progress)
        return query_kernels

    @cached_property
    def _rules(self) -> LineRules:
        game = self.game
        columns = [
            sum(game.bit(row, column) for row in range(game.rows)) for column in range(game.columns)
        ]
        steps = BoardIndex(game).line_steps
        return LineRules(np.array(columns, np.uint64), game.lowest, steps, game.match)

    @cached_property
    def _judge(self) -> BoardJudge:
        table = self.reward.table(self.game)
        return BoardJudge(np.array(self.game.windows, np.uint64), table, self.reward.haste)

    @cached_property
    def _memory(self) -> Memory:
        return Memory.empty(_PLACES, np.int16)

    @cached_property
    def _wins(self) -> Memory:
        return Memory.empty(_PLACES, np.int16)
