"""Matches of sums of games: what people type, and a player that knows the values.

Matches of rows of heaps under misère play, and the player who knows their quotient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move, PlayRule
from icgsynth.heaps.rules.game_sum import (
    Lowering,
    PartGame,
    SumAnswer,
    SumGame,
    SumState,
    move_there,
)
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.misere import MisereQuotient, Row
from icgsynth.heaps.rules.position_text import example, parse_sum_move
from icgsynth.play.match import Choice, Player, RuledTable, Seat
from icgsynth.play.parametric import actions_text, delaying_move


class SumSession(RuledTable[SumGame]):
    """A match of a sum of games under way, by normal or misère play. People write the number of a
    component, and then a move as in that game."""

    def __init__(self, game: SumGame, position: SumState, rule: PlayRule = "normal") -> None:
        if not game.is_legal(position):
            raise IllegalMove(f"{position} is not a legal position of {game.name}")
        super().__init__(game, position, rule)

    def mover(self, state: SumState, seat: Seat) -> Seat | None:
        return None if self.game.some_move(state) is None else seat

    def help(self, state: SumState) -> str:
        parts = self.game.parts
        lines = ["the number of a component, and a move in it, as in: 1 " + example(parts[0])]
        for number, part in enumerate(parts, 1):
            lines += [f"{number}  {part.name}", _explain(part)]
        return "\n".join(lines)

    def read(self, state: SumState, text: str) -> Move:
        return parse_sum_move(self.game, state, text)


def _explain(part: PartGame) -> str:
    if isinstance(part, HeapRows):
        return "  take K leave HEAPS; what is taken and left is a heap: take 1 leave 4,6 of 11"
    return actions_text(part)


@dataclass(frozen=True, slots=True)
class SumPlayer(Player[SumGame]):
    """A player of sums: wins by the move that ``winning`` finds, and moves a little where lost."""

    answer: SumAnswer
    winning: Callable[[SumState], tuple[Lowering, Move] | None]
    name: str = "the values"

    def choose(self, game: SumGame, state: SumState) -> Choice:
        values = ", ".join("?" if v is None else str(v) for v in self.answer.known_values(state))
        said = f"the values are {values}" if len(game.parts) > 1 else f"the value is {values}"
        found = self.winning(state)
        if found is None:
            return Choice(_delaying(game, state), f"delaying: {said}, xor 0", wins=False)
        aim, move = found
        reason = f"{said}; {aim.now} becomes {aim.target}, and the xor 0"
        return Choice(game.number_move(aim.place, move), reason, wins=True)


def _delaying(game: SumGame, position: SumState) -> Move:
    """Return a small move of the first component that has a move; IllegalMove if none has."""
    for index, (part, state) in enumerate(zip(game.parts, position, strict=True)):
        if (move := move_there(part, state)) is not None:
            if not isinstance(part, HeapRows):
                move = delaying_move(part, state)
            return game.number_move(index, move)
    raise IllegalMove("the game is over")


def row_of(position: SumState) -> Row:
    """Return the row of all heaps in ``position``, a sum of rows of heaps."""
    return tuple(heap for state in position for heap in state)


@dataclass(frozen=True, slots=True)
class MiserePlayer(Player[SumGame]):
    """A player of misère rows: wins every won row of heaps, and moves a little in lost ones."""

    quotient: MisereQuotient
    name: str = "the quotient"

    def choose(self, game: SumGame, state: SumState) -> Choice:
        words, row = self.quotient.presentation.words, row_of(state)
        said = f"the product of the heaps is {words[self.quotient.product(row)]}"
        option = self.quotient.winning_move(row)
        if option is None:
            move = game.some_move(state)
            if move is None:
                raise IllegalMove("the game is over")
            return Choice(move, f"delaying: {said}, a lost element", wins=False)
        place = next(i for i, heaps in enumerate(state) if option.heap in heaps)
        move = game.number_move(place, option.move)
        after = words[self.quotient.product(row_of(game.result(state, move)))]
        return Choice(move, f"{said}; it becomes {after}, a lost element", wins=True)
