"""Matches of line games (Tic-tac-toe, Connect) from any position, and a player who looks ahead."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from icgsynth.boards.starts.decode import WIN
from icgsynth.boards.starts.lines import LineGame, Position
from icgsynth.boards.starts.puzzles import cell_name
from icgsynth.boards.starts.query import Query
from icgsynth.boards.starts.reward import Reward
from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move
from icgsynth.play.match import Choice, MatchTable, Player, Seat

_MOST_PLIES = 27  # a value that is this near to a win means a win


@dataclass(frozen=True, eq=False)
class DepthPlayer(Player[LineGame]):
    """A player of line games who searches ``depth`` rounds ahead and draws among the best moves."""

    depth: int
    seed: int = 0
    reward: Reward = field(default_factory=Reward)
    name: str = field(init=False)
    _rng: random.Random = field(init=False, repr=False)
    _queries: dict[LineGame, Query] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", random.Random(self.seed))
        rounds = f"{self.depth} round{'s' * (self.depth != 1)}"
        object.__setattr__(self, "name", f"a player who looks {rounds} ahead")

    def choose(self, game: LineGame, state: Position) -> Choice:
        """Return a move in ``state``, with its reason; :class:`IllegalMove` where play is over."""
        best, cells = self._best(game, state)
        reason = _reason(best, len(cells))
        return Choice(game.move(self._rng.choice(cells)), reason, wins=_fate(best))

    def options(self, game: LineGame, state: Position) -> tuple[Move, ...]:
        return tuple(map(game.move, self._best(game, state)[1]))

    def _best(self, game: LineGame, state: Position) -> tuple[int, tuple[int, ...]]:
        """Return the best value of a move in ``state``, as the search sees it, and all cells whose
        moves have it. IllegalMove where play is over."""
        query = self._queries.setdefault(game, Query(game, self.reward))
        best, cells = query.choices(state, self.depth)
        if not cells:
            raise IllegalMove(f"the game is over in {game.show(state)}")
        return best, cells


def _fate(best: int) -> bool | None:
    """Return True if the value ``best`` is a win that is seen, False if a loss, None otherwise."""
    return None if abs(best) <= WIN - _MOST_PLIES else best > 0


def _reason(best: int, ties: int) -> str:
    drawn = f", one of {ties} alike" if ties > 1 else ""
    fate = _fate(best)
    if fate is None:
        return f"worth {best:+d} as far as it looks{drawn}"
    if not fate:
        return f"it sees that it loses{drawn}"
    return f"it wins{drawn}" if best == WIN else f"it sees a win{drawn}"


class LineSession(MatchTable[LineGame]):
    """A match of a line game in progress; the board is shown with row 1 at the bottom.

    A move is the letter of its column where stones fall, else that and the number of the row."""

    def __init__(self, game: LineGame, state: Position | None = None) -> None:
        at = game.initial if state is None else state
        if not game.is_legal(at):
            raise IllegalMove(f"{at} is not a position of {game.name}")
        super().__init__(game, at, game.mover(at))

    def mover(self, state: Position, seat: Seat) -> Seat | None:
        is_over = next(self.game.moves(state), None) is None
        return None if is_over else seat

    def won_by(self, state: Position) -> Seat | None:
        return self.game.winner(state)

    def show(self, state: Position) -> str:
        rows = self.game.grid(state)
        lines = [f"{len(rows) - i:>2} {' '.join(row)}" for i, row in enumerate(rows)]
        letters = " ".join(chr(ord("a") + column) for column in range(self.game.columns))
        return "\n".join([*lines, f"   {letters}"])

    def help(self, state: Position) -> str:
        what = "a column" if self.game.lowest == 1 else "a cell"
        moves = [self.say(state, move) for move in self.game.moves(state)]
        return f"  {what}: {' '.join(moves)}"

    def read(self, state: Position, text: str) -> Move:
        return read_line_move(self.game, state, text)

    def say(self, state: Position, move: Move) -> str:
        bit = self.game.cell(state, move)
        if bit is None:
            return str(move)
        name = cell_name(self.game, bit)
        return name[0] if self.game.lowest == 1 else name


def read_line_move(game: LineGame, state: Position, text: str) -> Move:
    """Return the legal move that ``text`` names: ``c3`` or ``mark(3,2)``; under full gravity
    ``c``, ``3``, ``c3`` or ``drop(3)``. IllegalMove for another."""
    words = "".join(text.lower().split())
    example = ""
    for bit in game.empty(state) if game.winner(state) is None else ():
        move, cell = game.move(bit), cell_name(game, bit)
        names = {"".join(str(move).split()), cell}
        if game.lowest == 1:
            names |= {cell[0], str(game.place(bit)[1] + 1)}
        if words in names:
            return move
        example = example or cell
    raise IllegalMove(f"{text.strip()[:40]!r} is no move here; write a cell, as in {example}")
