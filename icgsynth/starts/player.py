"""A player who looks k rounds ahead, for people to play against from any position."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cached_property

from icgsynth.errors import IllegalMove
from icgsynth.game import Move
from icgsynth.starts.hardness import WIN, Reward
from icgsynth.starts.lines import LineGame, Position, Seat
from icgsynth.starts.query import Query

__all__ = ["DepthChoice", "DepthPlayer", "LineSession"]


@dataclass(frozen=True, slots=True)
class DepthChoice:
    """A move and why; ``wins`` is what the player sees of its own fate, None for nothing."""

    move: Move
    reason: str
    wins: bool | None = None


@dataclass(frozen=True, eq=False)
class DepthPlayer:
    """Draws evenly among the moves that a look ``depth`` rounds ahead values most.

    The same ``seed`` makes the same draws.
    """

    depth: int
    seed: int = 0
    reward: Reward = field(default_factory=Reward)
    _rng: random.Random = field(init=False, repr=False)
    _queries: dict[LineGame, Query] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", random.Random(self.seed))

    @cached_property
    def name(self) -> str:
        """What it is called in a dialogue."""
        return f"a player who looks {self.depth} round{'s' * (self.depth != 1)} ahead"

    def choose(self, game: LineGame, state: Position) -> DepthChoice:
        """A move that applies in ``state``; :class:`IllegalMove` where play is over."""
        query = self._queries.setdefault(game, Query(game, self.reward))
        worth = query.values(state, self.depth)
        if not worth or game.winner(state) is not None:
            raise IllegalMove(f"the game is over in {game.show(state)}")
        sign = 1 if game.mover(state) == 0 else -1
        best = max(sign * value for value in worth.values())
        cells = [cell for cell, value in worth.items() if sign * value == best]
        chosen = self._rng.choice(cells)
        return DepthChoice(game.move(chosen), _reason(best, len(cells), len(worth)), _fate(best))


def _fate(best: int) -> bool | None:
    return None if abs(best) <= WIN - 27 else best > 0


def _reason(best: int, ties: int, moves: int) -> str:
    drawn = f", drawn from {ties}" if ties > 1 else ""
    if (fate := _fate(best)) is None:
        return f"worth {best:+d}{drawn}"
    if best in (WIN, -WIN) and fate:
        return "it wins"
    return ("it will win" if fate else "all moves lose") + drawn * (ties < moves)


class LineSession:
    """A game under way from any position: whose turn it is, the moves so far, how it ended."""

    def __init__(self, game: LineGame, state: Position) -> None:
        if not game.is_legal(state):
            raise IllegalMove(f"{state} is not a position of {game.name}")
        self.game = game
        self.state = state
        self.moves: list[Move] = []

    @property
    def seat(self) -> Seat:
        """Who is to move; 0 is X."""
        return self.game.mover(self.state)

    @property
    def is_over(self) -> bool:
        return next(self.game.moves(self.state), None) is None

    @property
    def winner(self) -> Seat | None:
        """Who has a line; None for a draw, or while play goes on."""
        return self.game.winner(self.state)

    def play(self, move: Move) -> None:
        """Make a move; :class:`IllegalMove` where it does not apply, and nothing changes."""
        self.state = self.game.result(self.state, move)
        self.moves.append(move)

    def read_move(self, text: str) -> Move:
        """``c``, ``c3`` or ``drop(3)`` as a move that applies; :class:`IllegalMove` otherwise."""
        words = text.strip().lower()
        for move in self.game.moves(self.state):
            bit = self.game.cell(self.state, move)
            assert bit is not None
            row, column = self.game.place(bit)
            letter = chr(ord("a") + column)
            names = {str(move).replace(" ", ""), f"{letter}{row + 1}"}
            if self.game.lowest == 1:
                names |= {letter, str(column + 1)}
            if words.replace(" ", "") in names:
                return move
        raise IllegalMove(f"{text.strip()[:40]!r} is no move here; write a cell, as in b3")
