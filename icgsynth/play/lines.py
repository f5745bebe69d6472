"""Games of lines (Tic-tac-toe, Connect) under way from any position, and who looks ahead."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move, State
from icgsynth.play.match import Choice, Seat, Turn
from icgsynth.starts.decode import WIN
from icgsynth.starts.lines import LineGame, Position
from icgsynth.starts.query import Query
from icgsynth.starts.reward import Reward

_MOST_PLIES = 27  # a value this near to a win is one


@dataclass(frozen=True, eq=False)
class DepthPlayer:
    """One of the moves that a look ``depth`` rounds ahead values most, each as likely as another.

    The same ``seed`` makes the same draws.
    """

    depth: int
    seed: int = 0
    reward: Reward = field(default_factory=Reward)
    _rng: random.Random = field(init=False, repr=False)
    _queries: dict[LineGame, Query] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", random.Random(self.seed))

    @property
    def name(self) -> str:
        """What it is called in a dialogue."""
        return f"a player who looks {self.depth} round{'s' * (self.depth != 1)} ahead"

    def choose(self, game: LineGame, state: State) -> Choice:
        """A move that applies in ``state``; :class:`IllegalMove` where play is over."""
        at = _position(state)
        query = self._queries.setdefault(game, Query(game, self.reward))
        worth = query.values(at, self.depth)
        if not worth:
            raise IllegalMove(f"the game is over in {game.show(at)}")
        sign = 1 if game.mover(at) == 0 else -1
        best = max(sign * value for value in worth.values())
        cells = [cell for cell, value in worth.items() if sign * value == best]
        reason = _reason(best, len(cells))
        return Choice(game.move(self._rng.choice(cells)), reason, wins=_fate(best))


def _position(state: State) -> Position:
    x, o = state
    return x, o


def _fate(best: int) -> bool | None:
    """Whether a value says that its player wins, or loses; None for neither."""
    return None if abs(best) <= WIN - _MOST_PLIES else best > 0


def _reason(best: int, ties: int) -> str:
    drawn = f", one of {ties} alike" if ties > 1 else ""
    fate = _fate(best)
    if fate is None:
        return f"worth {best:+d} as far as it looks{drawn}"
    if not fate:
        return f"it sees that it loses{drawn}"
    return f"it wins{drawn}" if best == WIN else f"it sees a win{drawn}"


class LineSession:
    """A game of lines under way (:class:`~icgsynth.play.MatchTable`), from any position."""

    def __init__(self, game: LineGame, state: Position | None = None) -> None:
        at = game.initial if state is None else state
        if not game.is_legal(at):
            raise IllegalMove(f"{at} is not a position of {game.name}")
        self.game = game
        self.turns: list[Turn] = []
        self._set(at)

    def _set(self, state: Position) -> None:
        self.state: State = state
        self.seat: Seat = self.game.mover(state)
        self.is_over = next(self.game.moves(state), None) is None

    @property
    def winner(self) -> Seat | None:
        """Who has a line; None for a draw, or while play goes on."""
        return self.game.winner(_position(self.state))

    def play(self, move: Move | Choice) -> Turn:
        """Make a move; :class:`IllegalMove` where it does not apply, and nothing changes."""
        choice = move if isinstance(move, Choice) else Choice(move, "")
        before = _position(self.state)
        after = self.game.result(before, choice.move)
        turn = Turn(len(self.turns) + 1, self.seat, before, choice, after)
        self.turns.append(turn)
        self._set(after)
        return turn


def read_line_move(game: LineGame, state: State, text: str) -> Move:
    """``c``, ``3``, ``c3`` or ``drop(3)`` as a move that applies; IllegalMove otherwise."""
    at = _position(state)
    words = "".join(text.lower().split())
    example = ""
    for move in game.moves(at):
        bit = game.cell(at, move)
        assert bit is not None
        row, column = game.place(bit)
        cell = f"{_letter(column)}{row + 1}"
        names = {"".join(str(move).split()), cell}
        if game.lowest == 1:
            names |= {_letter(column), str(column + 1)}
        if words in names:
            return move
        example = example or cell
    raise IllegalMove(f"{text.strip()[:40]!r} is no move here; write a cell, as in {example}")


def _letter(column: int) -> str:
    return chr(ord("a") + column)


class LineManner:
    """How people play a game of lines: a board with its columns named, row 1 at the bottom.

    A move is the letter of its column where stones fall, else that and the number of the row.
    """

    def shown(self, game: LineGame, state: State) -> str:
        rows = game.grid(_position(state))
        lines = [f"{len(rows) - i:>2} {' '.join(row)}" for i, row in enumerate(rows)]
        letters = " ".join(map(_letter, range(game.columns)))
        return "\n".join([*lines, f"   {letters}"])

    def help(self, game: LineGame, state: State) -> str:
        what = "a column" if game.lowest == 1 else "a cell"
        moves = [self.said(game, state, move) for move in game.moves(_position(state))]
        return f"  {what}: {' '.join(moves)}"

    def read(self, game: LineGame, state: State, text: str) -> Move:
        return read_line_move(game, state, text)

    def said(self, game: LineGame, state: State, move: Move) -> str:
        bit = game.cell(_position(state), move)
        if bit is None:
            return str(move)
        row, column = game.place(bit)
        return _letter(column) + ("" if game.lowest == 1 else str(row + 1))
