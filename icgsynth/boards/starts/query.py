"""Questions about one position, answered at once: no board is enumerated beforehand.

Among them: how play comes to it, move by move from the empty board.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType

import numpy as np

from icgsynth.boards.starts.board_index import BoardIndex
from icgsynth.boards.starts.decode import WIN, BoardJudge, LineRules, Memory
from icgsynth.boards.starts.lines import LineGame, Position, Seat
from icgsynth.boards.starts.reward import Reward
from icgsynth.budget import Progress, silent
from icgsynth.process.compiled import announce

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
    dead: set[Position] = set()

    def back(at: Position) -> tuple[int, ...] | None:
        """The cells that lead to ``at``."""
        if at == game.initial:
            return ()
        dead.add(at)  # left for good, or on the way and then not needed again
        for before in reversed(_before(game, at, rng)):
            if before not in dead and (path := back(before)) is not None:
                return (*path, (at[0] | at[1]) ^ (before[0] | before[1]))
        return None

    return back(state) if game.is_legal(state) else None


def _before(
    game: LineGame,
    state: Position,
    rng: random.Random,
) -> list[Position]:
    """The boards one move earlier, in random order."""
    seat = 1 - game.mover(state)
    # The last stone is the one of the player who is not to move.
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
    """The judgements and choices of players of one reward on single positions of a game."""

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
        return float(self._kernels.chance(board, plies, self._rules, *self._looks, known))

    def values(self, state: Position, depth: int) -> dict[int, int]:
        """Return each cell's worth to X for a depth-k player; 127 and a little less are wins."""
        if self.game.winner(state) is not None:
            return {}
        after = ((cell, self.game.put(state, cell)) for cell in self.game.empty(state))
        return {cell: self._worth(next_, 2 * depth - 1, *self._looks) for cell, next_ in after}

    def _worth(self, state: Position, plies: int, judge: BoardJudge, memory: Memory) -> int:
        """Return the worth of a board to X for a player who looks ``plies`` ahead."""
        if (winner := self.game.winner(state)) is not None:
            return -WIN if winner else WIN
        board = np.uint64(state[0]), np.uint64(state[1])
        return int(self._kernels.value(board, plies, self._rules, judge, memory))

    def choices(self, state: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """What its best cells are worth to a depth-k player, and these, from which it draws."""
        sign = 1 if self.game.mover(state) == 0 else -1
        found = {cell: sign * worth for cell, worth in self.values(state, depth).items()}
        best = max(found.values(), default=0)
        return best, tuple(cell for cell, worth in found.items() if worth == best)

    def forces(self, state: Position, stones: int, seat: Seat = 0) -> bool:
        """Return whether ``seat`` can have a line with at most so many more stones of its own."""
        plies = 2 * stones - (self.game.mover(state) == seat)
        left = self.game.cells - (state[0] | state[1]).bit_count()
        # Each stone of one's own takes two plies, but for the first where it is one's turn.
        return self._worth(state, max(0, min(plies, left)), *self._wins[seat]) == (WIN, -WIN)[seat]

    def soonest(self, state: Position, most: int, seat: Seat = 0) -> int | None:
        """Return with how few own stones, at most ``most``, ``seat`` forces a line; else None.

        0 where it has one.  On the other's move, the other has still to reply.
        """
        if not self.forces(state, most, seat):
            return None
        return next(stones for stones in range(most + 1) if self.forces(state, stones, seat))

    def outcome(self, state: Position) -> Seat | None:
        """Return who wins if both play perfectly; None for a draw.  Searches to the end."""
        seats: tuple[Seat, ...] = (0, 1)
        return next((seat for seat in seats if self.forces(state, self.game.cells, seat)), None)

    def winning(self, state: Position, most: int) -> tuple[int, ...]:
        """The cells with which X, to move, still wins with ``most`` stones in all."""
        after = ((cell, self.game.put(state, cell)) for cell in self.game.empty(state))
        return tuple(cell for cell, next_ in after if self.forces(next_, most - 1))

    # --- what the kernels are given -----------------------------------------------------------

    @cached_property
    def _kernels(self) -> ModuleType:
        """The compiled kernels; numba is imported when the first question is asked."""
        from icgsynth.boards.starts import query_kernels

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
    def _looks(self) -> tuple[BoardJudge, Memory]:
        """Return the judge of boards by the reward, and a cache of values."""
        table = self.reward.table(self.game)
        windows = np.array(self.game.windows, np.uint64)
        judge = BoardJudge(windows, table, self.reward.haste, -WIN, WIN)
        return judge, Memory.empty(_PLACES, np.int16)

    @cached_property
    def _wins(self) -> tuple[tuple[BoardJudge, Memory], ...]:
        """Return two judges with their memories: one asks whether X wins, one whether O does."""
        none, weights = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        # With a window of width 1 alpha-beta asks one yes-or-no question, and cuts most.
        judges = (BoardJudge(none, weights, False, *window) for window in ((0, 1), (-1, 0)))
        return tuple((judge, Memory.empty(_PLACES, np.int16)) for judge in judges)
