"""Reports on line games: the counts of positions, and one graded position, as JSON and text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from icgsynth.boards.starts.hardness import expected_class, level_of, percent
from icgsynth.boards.starts.lines import LineGame


def rules_value(game: LineGame) -> dict[str, Any]:
    """Return a line game's name, rows, columns, length of a line, directions, gravity as JSON."""
    return {
        "game": game.name,
        "rows": game.rows,
        "columns": game.columns,
        "match": game.match,
        "win": game.win,
        "gravity": game.gravity,
    }


@dataclass(frozen=True)
class Counted:
    """The numbers of reachable positions, of won ones, and of positions in each set W_j."""

    game: LineGame
    engine: str
    reachable: int
    won: tuple[int, int]
    counts: Sequence[int]

    def value(self) -> dict[str, Any]:
        """Return as JSON how many positions play reaches, X and O won, X wins in 1, 2, .. moves."""
        return {
            **rules_value(self.game),
            "engine": self.engine,
            "reachable": self.reachable,
            "T1": self.won[0],
            "T2": self.won[1],
            "W": list(self.counts),
        }

    def lines(self) -> Iterator[str]:
        """Yield as text how many positions play reaches, X and O won, X wins in 1, 2, .. moves."""
        reached = f"{self.reachable:,} positions that play reaches ({self.engine} engine)"
        yield f"{self.game}: {reached}"
        yield f"  won by X    {self.won[0]:>15,}"
        yield f"  won by O    {self.won[1]:>15,}"
        for j, size in enumerate(self.counts):
            yield f"  X wins in {j + 1:<2}{size:>15,}   W_{j}"


@dataclass(frozen=True)
class GradedPosition:
    """A graded position: how soon X wins, and the chance of X with a limited look-ahead.

    ``most`` is how many marks the win was looked for; ``you`` and ``opponent`` are depths in
    rounds; ``values`` are what the moves are worth to X, as the player to move sees it."""

    game: LineGame
    board: tuple[int, int]
    most: int
    soonest: int | None
    you: int
    opponent: int
    chance: float
    values: dict[str, int]

    @property
    def mover(self) -> str:
        """The player to move, ``X`` or ``O``."""
        return "XO"[self.game.mover(self.board)]

    def value(self) -> dict[str, Any]:
        """Return the position, how soon X wins, X's chance, and the worth of each move, as JSON."""
        return {
            **rules_value(self.game),
            "board": self.game.show(self.board),
            "mover": self.mover,
            "wins_in": self.soonest,
            "you": self.you,
            "opponent": self.opponent,
            "chance": round(self.chance, 9),
            "level": level_of(self.chance),
            "expected_class": expected_class(self.chance),
            "values": self.values,
        }

    def lines(self) -> Iterator[str]:
        """Yield as text the position, how soon X wins, X's chance, and the worth of each move."""
        yield from (f"  {row}" for row in self.game.grid(self.board))
        wins = f"a win in {self.soonest}" if self.soonest else f"no win in {self.most}"
        yield f"{self.mover} to move; X forces {wins}"
        chance = f"{percent(self.chance, '.4g')} %, {level_of(self.chance)}"
        yield f"chance of X ({self.you} rounds ahead) against O ({self.opponent} ahead): {chance}"
        depth = self.you if self.mover == "X" else self.opponent
        worth = ", ".join(f"{name} {v:+d}" for name, v in self.values.items())
        yield f"worth of each move to X, as {self.mover} sees it {depth} rounds ahead: {worth}"
