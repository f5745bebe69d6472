"""Answer questions about single positions of line games, without enumerating all boards.

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
    """Return the cells that X and O take in turn to reach ``state``; None for an unreachable state.
    Stones are taken back one by one, in an order drawn by ``rng``, and a dead end is not entered
    twice. Of a board without a line every part is without one, so that only gravity and the turns
    matter; a board with a line must lose it with the last stone."""
    dead: set[Position] = set()

    def back(at: Position) -> tuple[int, ...] | None:
        """Return the cells that lead from the empty board to ``at``, or None."""
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
    """Return the boards from which a move leads to ``state``, in an order drawn by ``rng``."""
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

_PLACES = 1 << 16  # places of a hash table; more would not fit the processor's cache


@dataclass(frozen=True, eq=False)
class Query:
    """Searches of a line game from single positions, by players who judge boards by ``reward``."""

    game: LineGame
    reward: Reward = field(default_factory=Reward)
    progress: Progress = field(default=silent, repr=False)

    def __post_init__(self) -> None:
        self.reward.table(self.game)  # complains where it does not fit

    def chance(self, state: Position, yours: int, theirs: int) -> float:
        """Return the chance that X, who looks ``yours`` rounds ahead, beats O, ``theirs`` ahead."""
        if (winner := self.game.winner(state)) is not None:
            return float(winner == 0)
        board = np.uint64(state[0]), np.uint64(state[1])
        known = Memory.empty(_PLACES, np.float64)
        plies = 2 * yours, 2 * theirs
        return float(self._kernels.chance(board, plies, self._rules, *self._looks, known))

    def values(self, state: Position, depth: int) -> dict[int, int]:
        """Return a dict from each cell (bit mask) to the worth to X of a stone there, by a search
        of ``depth`` rounds: 127 or a bit less is a win, the negative a loss. {} if play has
        ended."""
        if self.game.winner(state) is not None:
            return {}
        after = ((cell, self.game.put(state, cell)) for cell in self.game.empty(state))
        return {cell: self._worth(next_, 2 * depth - 1, *self._looks) for cell, next_ in after}

    def _worth(self, state: Position, plies: int, judge: BoardJudge, memory: Memory) -> int:
        """Return the worth of ``state`` to X, searched ``plies`` deep; ``judge`` says what boards
        at that depth are worth, and ``memory`` stores results."""
        if (winner := self.game.winner(state)) is not None:
            return -WIN if winner else WIN
        board = np.uint64(state[0]), np.uint64(state[1])
        return int(self._kernels.value(board, plies, self._rules, judge, memory))

    def choices(self, state: Position, depth: int) -> tuple[int, tuple[int, ...]]:
        """Return the best worth of a move to the player to move, who looks ``depth`` rounds ahead,
        and all cells whose moves have it."""
        sign = 1 if self.game.mover(state) == 0 else -1
        found = {cell: sign * worth for cell, worth in self.values(state, depth).items()}
        best = max(found.values(), default=0)
        return best, tuple(cell for cell, worth in found.items() if worth == best)

    def forces(self, state: Position, stones: int, seat: Seat = 0) -> bool:
        """Return whether ``seat`` can force a line with at most ``stones`` more own stones."""
        plies = 2 * stones - (self.game.mover(state) == seat)
        left = self.game.cells - (state[0] | state[1]).bit_count()
        # Each stone of ``seat`` takes two plies, but the first takes one if ``seat`` is to move.
        return self._worth(state, max(0, min(plies, left)), *self._wins[seat]) == (WIN, -WIN)[seat]

    def soonest(self, state: Position, most: int, seat: Seat = 0) -> int | None:
        """Return the least number of own stones, up to ``most``, with which ``seat`` can force a
        line. 0 where it has one, None where none suffice."""
        if not self.forces(state, most, seat):
            return None
        return next(stones for stones in range(most + 1) if self.forces(state, stones, seat))

    def outcome(self, state: Position) -> Seat | None:
        """Return who wins under perfect play (0: X, 1: O, None: a draw), by search to the end."""
        seats: tuple[Seat, ...] = (0, 1)
        return next((seat for seat in seats if self.forces(state, self.game.cells, seat)), None)

    def winning(self, state: Position, most: int) -> tuple[int, ...]:
        """Return the cells on which X, to move, still wins with ``most`` stones, this included."""
        after = ((cell, self.game.put(state, cell)) for cell in self.game.empty(state))
        return tuple(cell for cell, next_ in after if self.forces(next_, most - 1))

    # --- what the kernels are given -----------------------------------------------------------

    @cached_property
    def _kernels(self) -> ModuleType:
        """The module of compiled kernels, imported at the first use."""
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
        """The judge of boards by the reward, and a hash table for the values that it gives."""
        table = self.reward.table(self.game)
        windows = np.array(self.game.windows, np.uint64)
        judge = BoardJudge(windows, table, self.reward.haste, -WIN, WIN)
        return judge, Memory.empty(_PLACES, np.int16)

    @cached_property
    def _wins(self) -> tuple[tuple[BoardJudge, Memory], ...]:
        """Judges of boards, with hash tables: the first tests whether X wins, the second O."""
        none, weights = np.zeros(0, np.uint64), np.zeros(0, np.int64)
        # With a window of width 1 alpha-beta asks one yes-or-no question, and cuts most.
        judges = (BoardJudge(none, weights, False, *window) for window in ((0, 1), (-1, 0)))
        return tuple((judge, Memory.empty(_PLACES, np.int16)) for judge in judges)
