"""Sums of games: a position has a state of each component, and a move is made in one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move, ParametricGame, State
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.moves import any_move

__all__ = ["PartGame", "Position", "SumGame", "move_there"]

PartGame: TypeAlias = "ParametricGame | HeapRows"
"""A game that can be a component."""

Position: TypeAlias = tuple[State, ...]
"""The states of the components, in order; of heaps a row of any length."""

_NUMBERED = re.compile(r"([0-9]{1,4}) (.*)", re.DOTALL)


@dataclass(frozen=True)
class SumGame:
    """The sum of ``parts``; whoever cannot move in any of them has lost.

    Its moves are those of a component, with the number of the component, from 1 on, before the
    name of the action: ``2 take(3)``.
    """

    parts: tuple[PartGame, ...]

    @property
    def name(self) -> str:
        """``nim2 + 2*0.77``: equal components that stand side by side are counted."""
        groups = ((part.name, len([*same])) for part, same in groupby(self.parts))
        return " + ".join(name if count == 1 else f"{count}*{name}" for name, count in groups)

    def is_legal(self, position: Position) -> bool:
        return len(position) == len(self.parts) and all(
            part.is_legal(state) for part, state in zip(self.parts, position, strict=True)
        )

    def moves(self, position: Position) -> Iterator[Move]:
        """Every move that applies; OverflowError where a parameter has no bound."""
        for index, (part, state) in enumerate(zip(self.parts, position, strict=True)):
            for move in part.moves(state):
                yield self.numbered(index, move)

    def applies(self, position: Position, move: Move) -> bool:
        try:
            index, inner = self.inner(move)
        except IllegalMove:
            return False
        return self.parts[index].applies(position[index], inner)

    def result(self, position: Position, move: Move) -> Position:
        index, inner = self.inner(move)
        after = self.parts[index].result(position[index], inner)
        return (*position[:index], after, *position[index + 1 :])

    def some_move(self, position: Position) -> Move | None:
        """A move that applies; None where the game is over.

        :class:`~icgsynth.errors.Refused` where that is too hard to tell.
        """
        for index, (part, state) in enumerate(zip(self.parts, position, strict=True)):
            if (move := move_there(part, state)) is not None:
                return self.numbered(index, move)
        return None

    def show(self, position: Position) -> str:
        """A line for each component, with its number."""
        rows = zip(self.parts, position, strict=True)
        width = max(len(part.name) for part in self.parts)
        return "\n".join(
            f"  {number}  {part.name:<{width}}  {part.show(state)}"
            for number, (part, state) in enumerate(rows, 1)
        )

    def numbered(self, index: int, move: Move) -> Move:
        """The move of the sum that is ``move`` in the component at ``index``."""
        return Move(f"{index + 1} {move.action}", move.arguments)

    def inner(self, move: Move) -> tuple[int, Move]:
        """The index of the component in which ``move`` is made, and the move there."""
        found = _NUMBERED.fullmatch(move.action)
        if found is None or not 1 <= int(found[1]) <= len(self.parts):
            raise IllegalMove(f"{move} names none of the {len(self.parts)} components")
        return int(found[1]) - 1, Move(found[2], move.arguments)


def move_there(part: PartGame, state: State) -> Move | None:
    """A move of one component; as :meth:`SumGame.some_move`."""
    return part.some_move(state) if isinstance(part, HeapRows) else any_move(part, state)
