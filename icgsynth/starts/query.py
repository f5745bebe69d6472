"""Questions about one position, answered at once: no board is enumerated beforehand.

Among them: how play comes to it, move by move from the empty board.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

import numpy as np

from icgsynth.budget import Progress, silent
from icgsynth.finite.compiled import announce
from icgsynth.starts.board_index import BoardIndex
from icgsynth.starts.decode import BoardJudge, LineRules, Memory
from icgsynth.starts.lines import LineGame, Position, Seat
from icgsynth.starts.reward import Reward

# --- paths ---------------------------------------------------------------------------------------


def path_to(
    game: LineGame,
    state: Position,
    rng: random.Random,
) -> tuple[int, ...] | None:
    """Cells that X and O take in turn to reach ``state``; None where play does not come.

    Stones are taken back one by one, in an order drawn by ``rng``, and a dead end is not
    entered twice.  Of a board without a line every part is without one, so that only gravity
    and the turns matter; a board with a line must lose it with the last stone.
    """
    if not game.is_legal(state):
        return None
    dead: set[Position] = set()
    path: list[int] = []
    open_: list[list[Position]] = [_before(game, state, rng)]
    while open_:
        if len(path) == (state[0] | state[1]).bit_count():
            return tuple(reversed(path))
        if not open_[-1]:
            open_.pop()
            if path:
                path.pop()
            continue
        at = open_[-1].pop()
        if at in dead:
            continue
        dead.add(at)  # left for good, or on the way and then not needed again
        after = _last(state, path)
        path.append((after[0] | after[1]) ^ (at[0] | at[1]))
        open_.append(_before(game, at, rng))
    return () if state == game.initial else None


def _last(state: Position, taken_back: list[int]) -> Position:
    """The board after some stones were taken back."""
    gone = sum(taken_back)
    return state[0] & ~gone, state[1] & ~gone


def _before(
    game: LineGame,
    state: Position,
    rng: random.Random,
) -> list[Position]:
    """The boards one move earlier, in random order."""
    seat = 1 - game.mover(state)
    ended = game.has_line(state[seat])
    found = []
    left = state[seat]
    while left:
        bit = left & -left
        left ^= bit
        x, o = state
        before = (x ^ bit, o) if seat == 0 else (x, o ^ bit)
        if game.may_take(before, bit) and not (ended and game.has_line(before[seat])):
            found.append(before)
    rng.shuffle(found)
    return found


# --- query ---------------------------------------------------------------------------------------

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

    def choices(self, state: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """What its best cells are worth to a depth-k player, and these, from which it draws."""
        sign = 1 if self.game.mover(state) == 0 else -1
        found = {cell: sign * worth for cell, worth in self.values(state, depth).items()}
        best = max(found.values(), default=0)
        return best, tuple(cell for cell, worth in found.items() if worth == best)

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
