"""Starting positions judged: who wins in how many moves, and the chances of who looks ahead.

Everything is said of one state at a time, by recursion; a move is an action with its parameters,
and chances are fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from experiments.judge.gdl import Board

__all__ = ["Grades"]

_WIN = 1_000
_THIRD = Fraction(1, 3)


class Grades:
    """The states of a board for whoever is to move there; play must end."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.plies = cache(self._plies)
        self.own = cache(self._own)
        self._sees = cache(self._seen)
        self.drawn = cache(self._drawn)
        self.chance = cache(self._chance)

    def wins(self, state: int) -> bool:
        """Whether the player to move wins."""
        mover = self.board.mover[state]
        return mover >= 0 and self.board.value[state] == (1, -1)[mover]

    def _plies(self, state: int) -> int:
        """Moves to the end of a decided state: the winner hurries, the loser delays."""
        board = self.board
        after = [board.moves[state][move] for move in board.good(state)]
        if not after:
            return 0
        return 1 + (min if self.wins(state) else max)(map(self.plies, after))

    def _own(self, state: int) -> int:
        """How many of these moves are the winner's, who takes the fewest where it may choose."""
        board = self.board
        kept = [board.moves[state][move] for move in board.good(state)]
        after = [s for s in kept if self.plies(s) == self.plies(state) - 1]
        if not after:
            return 0
        if self.wins(state):
            return 1 + min(map(self.own, after))
        return max(map(self.own, after))

    def _seen(self, state: int, plies: int) -> int:
        """What a state is worth to the role that begins, who sees the ends so far off."""
        board, after = self.board, self.board.moves[state].values()
        if board.mover[state] < 0:
            return _WIN * board.worth[state]
        if not plies:
            return 0
        best = (max, min)[board.mover[state]](self._sees(to, plies - 1) for to in after)
        return best - (best > 0) + (best < 0)

    def _drawn(self, state: int, depth: int) -> tuple[str, ...]:
        """The moves that a player draws from who looks ``depth`` rounds ahead."""
        moves = self.board.moves[state]
        if not depth:
            return tuple(moves)
        worth = {move: self._sees(to, 2 * depth - 1) for move, to in moves.items()}
        best = (max, min)[self.board.mover[state]](worth.values())
        return tuple(move for move, value in worth.items() if value == best)

    def _chance(self, state: int, player: int, depths: tuple[int, int]) -> Fraction:
        """How likely a player wins, each move drawn as likely as another.

        ``depths`` are those of the player and of the other one.
        """
        board, mover = self.board, self.board.mover[state]
        if mover < 0:
            return Fraction(int(board.worth[state] == (1, -1)[player]))
        drawn = self.drawn(state, depths[mover != player])
        after = (self.chance(board.moves[state][move], player, depths) for move in drawn)
        return sum(after, Fraction(0)) / len(drawn)

    def level(self, state: int, depths: tuple[int, int]) -> str:
        """Easy, medium or hard for the player to move."""
        chance = self.chance(state, self.board.mover[state], depths)
        return "easy" if chance >= 2 * _THIRD else "hard" if chance <= _THIRD else "medium"

    def wrong_line(self, state: int, line: Sequence[str]) -> str:
        """What is wrong with play that is said to be best, from a state that is won."""
        board = self.board
        for move in line:
            after = board.moves[state].get(move)
            if after is None or move not in board.good(state):
                return f"{move} is not a best move of {line}"
            if self.plies(after) != self.plies(state) - 1:
                return f"{move} of {line} comes to the end too soon or too late"
            state = after
        return "" if board.mover[state] < 0 else f"{line} does not come to the end"
