"""A slow referee for starting positions: boards are strings, rules are read off the paper.

It shares no code and no representation with ``icgsynth.boards.starts``: a board is a string of rows
from the top, joined by '/', and chances are fractions.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache


class Oracle:
    """A game of lines: rows, columns, match, winning directions, lowest cells that one may take."""

    def __init__(self, rows, columns, match, win, lowest):
        self.rows, self.columns, self.match, self.win = rows, columns, match, win
        self.lowest = lowest
        self.empty = "/".join("." * columns for _ in range(rows))
        self.lines = list(self._lines())

    def _lines(self):
        for r in range(self.rows):
            for c in range(self.columns):
                for name, dr, dc in (("R", 0, 1), ("C", 1, 0), ("D", 1, 1), ("D", 1, -1)):
                    cells = [(r + dr * i, c + dc * i) for i in range(self.match)]
                    inside = all(0 <= a < self.rows and 0 <= b < self.columns for a, b in cells)
                    if name in self.win and inside:
                        yield cells

    @staticmethod
    def mover(board):
        return "X" if board.count("X") == board.count("O") else "O"

    def won(self, board, who):
        grid = board.split("/")
        return any(all(grid[r][c] == who for r, c in line) for line in self.lines)

    def over(self, board):
        return "." not in board or self.won(board, "X") or self.won(board, "O")

    def children(self, board):
        """Return the boards one move on, by columns, each column from below."""
        if self.won(board, "X") or self.won(board, "O"):
            return []
        grid = [list(row) for row in board.split("/")]
        found = []
        for c in range(self.columns):
            free = [r for r in reversed(range(self.rows)) if grid[r][c] == "."]
            for r in free[: self.lowest]:
                grid[r][c] = self.mover(board)
                found.append("/".join("".join(row) for row in grid))
                grid[r][c] = "."
        return found

    @cache  # noqa: B019
    def reach(self):
        """Return every board that play reaches."""
        seen, todo = {self.empty}, [self.empty]
        while todo:
            for after in self.children(todo.pop()):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return frozenset(seen)

    @cache  # noqa: B019
    def exact(self, board):
        """Return how many own stones X needs to force a win; None where it cannot."""
        if self.won(board, "X"):
            return 0
        after = [self.exact(child) for child in self.children(board)]
        if self.mover(board) == "X":
            return (
                1 + min((n for n in after if n is not None), default=-(10**6))
                if any(n is not None for n in after)
                else None
            )
        return max(after) if after and None not in after else None

    def paper(self, most):
        """Return W_0 to W_most among the reachable boards, by the decoded rule, as sets."""
        boards = [b for b in self.reach() if not self.over(b)]
        on_x = {b for b in boards if self.mover(b) == "X"}
        on_o = {b for b in boards if self.mover(b) == "O"}
        target = {b for b in self.reach() if self.won(b, "X")}

        def some(into):
            return {b for b in on_x if any(child in into for child in self.children(b))}

        def every(into):
            return {b for b in on_o if all(child in into for child in self.children(b))}

        wins = some(target)
        found, all_wins, all_lost = [wins], set(wins), set()
        for _ in range(most):
            lost = every(wins) - all_lost
            all_lost |= lost
            wins = some(lost)
            found.append(wins - all_wins)
            all_wins |= wins
        return [one - {self.empty} for one in found]

    # --- players ---------------------------------------------------------------------------

    def reward(self, board):
        """Return own stones in open lines that hold two or more, less those of the other."""
        grid = board.split("/")
        total = 0
        for line in self.lines:
            held = [grid[r][c] for r, c in line]
            if "O" not in held and held.count("X") >= 2:
                total += held.count("X")
            if "X" not in held and held.count("O") >= 2:
                total -= held.count("O")
        return total

    @cache  # noqa: B019
    def value(self, board, plies):
        """Return the min-max value for X; a win is worth 1000 less the moves to it."""
        if self.won(board, "X"):
            return 1000
        if self.won(board, "O"):
            return -1000
        after = self.children(board)
        if not after:
            return 0
        if plies == 0:
            return self.reward(board)
        best = (max if self.mover(board) == "X" else min)(self.value(b, plies - 1) for b in after)
        return best - 1 if best > 500 else best + 1 if best < -500 else best

    @cache  # noqa: B019
    def chance(self, board, yours, theirs):
        """Return the chance that X wins, as a fraction."""
        if self.over(board):
            return Fraction(int(self.won(board, "X")))
        depth = yours if self.mover(board) == "X" else theirs
        after = self.children(board)
        values = [self.value(b, 2 * depth - 1) for b in after]
        best = (max if self.mover(board) == "X" else min)(values)
        drawn = [b for b, v in zip(after, values, strict=True) if v == best]
        return sum(self.chance(b, yours, theirs) for b in drawn) / len(drawn)
