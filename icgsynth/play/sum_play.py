"""Matches of sums of games: what people type, and the player who knows the values.

Matches of rows of heaps under misère play, and the player who knows their quotient.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from icgsynth.errors import IllegalMove, InputError
from icgsynth.game.game import Move, PlayRule, State
from icgsynth.game.game_sum import Lowering, PartGame, Position, SumAnswer, SumGame, move_there
from icgsynth.game.heap_rows import HeapMove, HeapRows
from icgsynth.game.misere import MisereQuotient, Row
from icgsynth.play.match import Choice, Player, RuledTable, Seat
from icgsynth.play.parametric import actions_text, delaying_move, read_move, read_state
from icgsynth.spec.source import Source

# --- sum play ------------------------------------------------------------------------------------

_NUMBERED = re.compile(r"\s*([0-9]{1,4})\s+(.*)", re.DOTALL)
_HEAP = re.compile(r"[0-9]{1,1000}")


# --- states --------------------------------------------------------------------------------------


def read_position(game: SumGame, text: str) -> Position:
    """``3,7;5;12,5`` as the states of the components, in order; of heaps a row of any length.

    :class:`~icgsynth.errors.InputError` with the place of a state that is none.
    """
    source, pieces = Source("<state>", text), text.split(";")
    if len(pieces) != len(game.parts):
        wanted = f"{len(game.parts)} component{'s' * (len(game.parts) != 1)}"
        message = f"{len(pieces)} state{'s' * (len(pieces) != 1)} for {wanted}"
        raise source.error(message, 0, f"write one for each, separated by ';': {game.name}")
    found: list[State] = []
    at = 0
    for part, piece in zip(game.parts, pieces, strict=True):
        place = at + len(piece) - len(piece.lstrip())
        try:
            read = _row(piece) if isinstance(part, HeapRows) else read_state(part, piece)
        except InputError as error:
            raise source.error(f"{part.name}: {error.message}", place, error.mend) from None
        found.append(read)
        at += len(piece) + 1
    return tuple(found)


def _row(text: str) -> State:
    words = re.split(r"[,\s]\s*", text.strip().removeprefix("(").removesuffix(")").strip())
    if not all(map(_HEAP.fullmatch, words)):
        mend = "write the sizes of its heaps: 12, or 12,5"
        raise InputError("heaps are natural numbers of 1,000 digits at most", mend=mend)
    return tuple(map(int, words))


# --- one game from start to end ------------------------------------------------------------------


class SumSession(RuledTable[SumGame]):
    """A sum under way, by normal or misère play.

    People write the number of a component, and then a move as in that game.
    """

    def __init__(self, game: SumGame, position: Position, rule: PlayRule = "normal") -> None:
        if not game.is_legal(position):
            raise IllegalMove(f"{position} is not a legal position of {game.name}")
        super().__init__(game, position, rule)

    def mover(self, state: Position, seat: Seat) -> Seat | None:
        return None if self.game.some_move(state) is None else seat

    def help(self, state: Position) -> str:
        parts = self.game.parts
        lines = ["the number of a component, and a move in it, as in: 1 " + _example(parts[0])]
        for number, part in enumerate(parts, 1):
            lines += [f"{number}  {part.name}", _explained(part)]
        return "\n".join(lines)

    def read(self, state: Position, text: str) -> Move:
        return read_sum_move(self.game, state, text)


def read_sum_move(game: SumGame, state: Position, text: str) -> Move:
    """``2 take 3``; for heaps ``3 take 1 leave 4,6``; the number of an only one is optional.

    :class:`IllegalMove` says what is wrong.
    """
    found = _NUMBERED.fullmatch(text)
    if found is None and len(game.parts) > 1:
        example = f"2 {_example(game.parts[1])}"
        raise IllegalMove(f"write the number of a component, and a move in it: {example}")
    number, said = (int(found[1]), found[2]) if found is not None else (1, text)
    if not 1 <= number <= len(game.parts):
        raise IllegalMove(f"there is no component {number}: they are 1 to {len(game.parts)}")
    part, here = game.parts[number - 1], state[number - 1]
    if not isinstance(part, HeapRows):
        return game.numbered(number - 1, read_move(part, here, said))
    option = HeapMove.read(said)
    if refusal := part.why_not(here, option):
        raise IllegalMove(refusal)
    return game.numbered(number - 1, option.move)


def _example(part: PartGame) -> str:
    if isinstance(part, HeapRows):
        return "take 1 leave 4,6"
    action = part.actions[0]
    return " ".join([action.name, *("3" for _ in action.parameters)])


def _explained(part: PartGame) -> str:
    if isinstance(part, HeapRows):
        return "  take K leave HEAPS; what is taken and left is a heap: take 1 leave 4,6 of 11"
    return actions_text(part)


@dataclass(frozen=True, slots=True)
class SumPlayer(Player[SumGame]):
    """Wins from every position that is won: ``winning`` finds the move and its aim.

    In a lost position it makes a small move.
    """

    answer: SumAnswer
    winning: Callable[[Position], tuple[Lowering, Move] | None]
    name: str = "the values"

    def choose(self, game: SumGame, state: Position) -> Choice:
        values = ", ".join("?" if v is None else str(v) for v in self.answer.values(state))
        said = f"the values are {values}" if len(game.parts) > 1 else f"the value is {values}"
        found = self.winning(state)
        if found is None:
            return Choice(_delaying(game, state), f"delaying: {said}, xor 0", wins=False)
        aim, move = found
        reason = f"{said}; {aim.now} becomes {aim.target}, and the xor 0"
        return Choice(game.numbered(aim.place, move), reason, wins=True)


def _delaying(game: SumGame, position: Position) -> Move:
    """A small move in the first component that has one."""
    for index, (part, state) in enumerate(zip(game.parts, position, strict=True)):
        if (move := move_there(part, state)) is not None:
            if not isinstance(part, HeapRows):
                move = delaying_move(part, state)
            return game.numbered(index, move)
    raise IllegalMove("the game is over")


# --- misere play ---------------------------------------------------------------------------------


def row_of(position: Position) -> Row:
    """All heaps of a sum of rows."""
    return tuple(heap for state in position for heap in state)


@dataclass(frozen=True, slots=True)
class MiserePlayer(Player[SumGame]):
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
