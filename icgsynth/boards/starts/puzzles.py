"""Puzzles from positions: how play reaches one, its solution, and a move that tempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.boards.starts.hardness import Level, category, expected_class, level_of
from icgsynth.boards.starts.lines import LineGame, Position, Seat
from icgsynth.boards.starts.query import Query

_DEPTH = 4  # moves of X that a solution writes out


def cell_name(game: LineGame, cell: int) -> str:
    """Return the name of ``cell``, such as ``b3``: column as a letter, row from the bottom."""
    row, column = game.place(cell)
    return f"{chr(ord('a') + column)}{row + 1}"


@dataclass(frozen=True)
class Reply:
    """X's winning answer after O has taken any one of ``cells``."""

    cells: tuple[int, ...]
    answer: WinningMove


@dataclass(frozen=True)
class WinningMove:
    """A winning move of X and X's answers to all replies, as a tree; ``others`` win as soon.

    Where it makes the line there is no reply; where cut off, ``rest`` more stones of X win."""

    cell: int
    others: tuple[int, ...]
    replies: tuple[Reply, ...]
    rest: int = 0

    def value(self, game: LineGame) -> dict[str, Any]:
        """Return the move, with all answers to replies, as JSON."""
        return {
            "move": cell_name(game, self.cell),
            "also": [cell_name(game, c) for c in self.others],
            "rest": self.rest,
            "replies": [
                {
                    "reply": [cell_name(game, c) for c in reply.cells],
                    "then": reply.answer.value(game),
                }
                for reply in self.replies
            ],
        }


@dataclass(frozen=True)
class Temptation:
    """A move that looks best to a depth-k player but spoils the win, and what refutes it.

    After ``cell`` and ``reply``, ``outcome`` wins with best play, None for a draw; where X still
    wins, but later than asked, ``slow`` says with how many stones in all."""

    cell: int
    depth: int
    reply: int | None
    outcome: Seat | None
    slow: int | None = None

    @property
    def verdict(self) -> str:
        """The outcome of the move in a few words."""
        if self.slow is not None:
            return f"X still wins, but in {self.slow}"
        return {0: "X still wins", 1: "O wins", None: "a draw at best"}[self.outcome]

    def value(self, game: LineGame) -> dict[str, Any]:
        """Return the tempting move, its reply and its outcome as JSON."""
        return {
            "move": cell_name(game, self.cell),
            "depth": self.depth,
            "reply": None if self.reply is None else cell_name(game, self.reply),
            "outcome": self.verdict,
        }


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: X is to move from ``state`` and wins with ``moves`` stones of its own.

    ``chances[k - 1]`` is what a depth-k player wins against O at depth ``opponent``."""

    game: LineGame
    state: Position
    moves: int
    you: int
    opponent: int
    chances: tuple[float, ...]
    path: tuple[int, ...] | None
    answer: WinningMove
    temptation: Temptation | None
    category: int

    @property
    def chance(self) -> float:
        return self.chances[self.you - 1]

    @property
    def level(self) -> Level:
        return level_of(self.chance)

    @property
    def keys(self) -> tuple[int, ...]:
        """The first moves, as cells, with which X wins in time."""
        return (self.answer.cell, *self.answer.others)

    def value(self) -> dict[str, Any]:
        """Return the puzzle as JSON: the board (rows from the top), level, chances, path, solution
        and tempting move; cells are named as ``b3``."""
        game = self.game
        return {
            "board": game.show(self.state),
            "moves": self.moves,
            "level": self.level,
            "category": self.category,
            "chance": round(self.chance, 6),
            "chances": [round(chance, 6) for chance in self.chances],
            "expected_class": expected_class(self.chance),
            "path": None if self.path is None else [cell_name(game, c) for c in self.path],
            "first_moves": [cell_name(game, c) for c in self.keys],
            "solution": self.answer.value(game),
            "temptation": None if self.temptation is None else self.temptation.value(game),
        }


def puzzle_of(
    query: Query,
    state: Position,
    moves: int,
    you: int,
    opponent: int,
    chances: Sequence[float],
    path: tuple[int, ...] | None,
) -> Puzzle:
    """Return the puzzle of ``state``, from which X is known to win with ``moves`` stones and no
    fewer. ``you`` and ``opponent`` are look-ahead depths; ``chances`` those of X by depth; ``path``
    the cells by which play reaches the state."""
    answer = solution(query, state, moves)
    return Puzzle(
        query.game,
        state,
        moves,
        you,
        opponent,
        tuple(float(c) for c in chances),
        path,
        answer,
        _temptation(query, state, moves, you),
        category(chances),
    )


def solution(query: Query, state: Position, moves: int, depth: int = _DEPTH) -> WinningMove:
    """Return X's winning move, with its answers to every reply of O, up to ``depth`` moves of X
    deep. X, to move in ``state``, wins with ``moves`` own stones."""
    game = query.game
    first = query.winning(state, moves)
    after = game.put(state, first[0])
    if moves == 1 or depth == 1:
        return WinningMove(first[0], first[1:], (), moves - 1)
    # The winning answers of each reply; an answer that serves many is shown once.
    options = {}
    for reply in game.empty(after):
        at = game.put(after, reply)
        soonest = query.soonest(at, moves - 1)
        assert soonest is not None, "a reply escapes"
        options[reply] = soonest, query.winning(at, soonest)
    replies = []
    left = dict(options)
    while left:
        # Quick wins first; among the cells that win as soon, the one that answers most replies.
        least, _ = min(left.values())
        serves: dict[int, list[int]] = {}
        for reply, (soonest, cells) in left.items():
            if soonest == least:
                for cell in cells:
                    serves.setdefault(cell, []).append(reply)
        cell, covered = max(serves.items(), key=lambda item: (len(item[1]), -item[0]))
        if least > 1:
            covered = covered[:1]  # what follows differs
        at = game.put(after, covered[0])
        replies.append(Reply(tuple(covered), _through(query, at, cell, least, depth - 1)))
        for reply in covered:
            del left[reply]
    replies.sort(key=lambda reply: (_length(reply.answer), len(reply.cells)), reverse=True)
    return WinningMove(first[0], first[1:], tuple(replies))


def _through(query: Query, state: Position, cell: int, moves: int, depth: int) -> WinningMove:
    """Return how X wins from ``state`` with ``moves`` stones, written out for ``depth`` moves of X.
    With ``moves`` 1 the stone goes on ``cell``, which makes a line."""
    if moves == 1:
        return WinningMove(cell, (), ())
    return solution(query, state, moves, depth)


def _length(answer: WinningMove) -> int:
    return 1 + answer.rest + max((_length(reply.answer) for reply in answer.replies), default=0)


def _temptation(query: Query, state: Position, moves: int, you: int) -> Temptation | None:
    """Return the move by which a player who looks up to ``you`` rounds ahead may spoil X's win with
    ``moves`` stones, with what refutes it; the deepest such player counts. None if none does."""
    game = query.game
    for depth in range(you, 0, -1):
        for cell in query.choices(state, depth)[1]:
            after = game.put(state, cell)
            # The move wins in time: it is no mistake.
            if query.soonest(after, moves - 1) is not None:
                continue
            slow = query.soonest(after, game.cells)
            if slow is not None:
                return Temptation(cell, depth, None, 0, slow + 1)
            outcome = query.outcome(after)
            return Temptation(cell, depth, _refutation(query, after, outcome), outcome)
    return None


def _refutation(query: Query, state: Position, outcome: Seat | None) -> int:
    """Return a cell for O that keeps ``outcome``: O's soonest win, else the first such cell."""
    game = query.game
    kept = [c for c in game.empty(state) if query.outcome(game.put(state, c)) == outcome]
    if outcome == 1:
        return min(kept, key=lambda c: query.soonest(game.put(state, c), game.cells, 1) or 0)
    return kept[0]
