"""Matches of rows of heaps under misère play, and the player who knows their quotient."""

from __future__ import annotations

from dataclasses import dataclass

from icgsynth.errors import IllegalMove
from icgsynth.game.game_sum import Position, SumGame
from icgsynth.game.misere import MisereQuotient, Row
from icgsynth.play.match import Choice, Seat
from icgsynth.play.sum_play import SumSession

__all__ = ["MiserePlayer", "MisereSession", "row_of"]


def row_of(position: Position) -> Row:
    """All heaps of a sum of rows."""
    return tuple(heap for state in position for heap in state)


class MisereSession(SumSession):
    """A sum under way, in which whoever cannot move has won."""

    @property
    def winner(self) -> Seat | None:
        return self.seat if self.is_over else None


@dataclass(frozen=True, slots=True)
class MiserePlayer:
    """Wins from every row of heaps that is won; in a lost one it makes a small move."""

    quotient: MisereQuotient
    name: str = "the quotient"

    def choose(self, game: SumGame, state: Position) -> Choice:
        words, row = self.quotient.presentation.words, row_of(state)
        said = f"the product of the heaps is {words[self.quotient.product(row)]}"
        option = self.quotient.winning_move(row)
        if option is None:
            move = game.some_move(state)
            if move is None:
                raise IllegalMove("the game is over")
            return Choice(move, f"delaying: {said}, in P", wins=False)
        place = next(i for i, heaps in enumerate(state) if option.heap in heaps)
        move = game.numbered(place, option.move)
        after = words[self.quotient.product(row_of(game.result(state, move)))]
        return Choice(move, f"{said}; it becomes {after}, in P", wins=True)
