"""What is known of a sum: the proved values of its components, and so those of its positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import xor
from typing import Any, NamedTuple, TypeAlias

from icgsynth.errors import Refused
from icgsynth.game.answers import SCHEMA
from icgsynth.game.game import State
from icgsynth.game.game_sum import PartGame, Position, SumGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.heap_rows import HeapRows
from icgsynth.game.heaps import HeapAnswer

__all__ = ["Lowering", "PartAnswer", "SumAnswer", "part_value"]

PartAnswer: TypeAlias = "GrundyAnswer | HeapAnswer"


class Lowering(NamedTuple):
    """A way to win: a move of one component from the value ``now`` to ``target``.

    ``place`` is which component, 0 for the first.
    """

    place: int
    now: int
    target: int


@dataclass(frozen=True)
class SumAnswer:
    """The answers of the components of a sum, in order; ``seconds`` is how long they took.

    Values add by xor (Sprague 1935, Grundy 1939), so the sum needs no proof of its own.
    """

    parts: tuple[PartAnswer, ...]
    seconds: float = 0.0

    @property
    def game(self) -> SumGame:
        return SumGame(tuple(map(_game, self.parts)))

    @property
    def is_proved(self) -> bool:
        """Whether the value of every position is proved."""
        return all(map(_is_proved, self.parts))

    @property
    def missing(self) -> dict[str, str]:
        """By the name of each component whose values are not proved, why not."""
        return {_game(part).name: _why(part) for part in self.parts if not _is_proved(part)}

    @property
    def may_never_end(self) -> tuple[str, ...]:
        """The components in which play is known to go on for ever from some state."""
        return tuple(dict.fromkeys(_game(part).name for part in self.parts if _is_endless(part)))

    def values(self, position: Position) -> tuple[int | None, ...]:
        """The proved value of each component's state; None where none is proved."""
        return tuple(map(part_value, self.parts, position))

    def value(self, position: Position) -> int | None:
        """The value of a position: the xor of those of its components; None as for these."""
        values = [value for value in self.values(position) if value is not None]
        return reduce(xor, values, 0) if len(values) == len(self.parts) else None

    def aims(self, position: Position) -> Iterator[Lowering]:
        """Each component that has a winning move, and to which value; none in a lost position.

        Where the xor x of all values is not 0, some value g has a 1 where x has its first 1, so
        that g xor x < g; and a component can be moved to any smaller value.
        """
        total = self.value(position)
        if total is None:
            return
        for place, value in enumerate(self.values(position)):
            if value is not None and value ^ total < value:
                yield Lowering(place, value, value ^ total)

    def groups(self) -> Iterator[tuple[PartAnswer, int]]:
        """The components, those that are equal and stand side by side together, and how many."""
        for _, same in groupby(self.parts, key=_game):
            first, *others = same
            yield first, 1 + len(others)

    def to_json(self) -> dict[str, Any]:
        """The value of its file: the answers of the components with how often they stand there."""
        data = {
            "schema": SCHEMA,
            "kind": "value",
            "sum": self.game.name,
            "rule": "normal",
            "status": "solved" if self.is_proved else "unknown",
            "components": [
                {"times": times, "answer": part.to_json()} for part, times in self.groups()
            ],
            "seconds": {"total": round(self.seconds, 3)},
        }
        notes = [f"{name}: {why}" for name, why in self.missing.items()]
        return data | ({"notes": notes} if notes else {})


def part_value(part: PartAnswer, state: State) -> int | None:
    """The proved value of a component's state; None where none is proved."""
    if isinstance(part, HeapAnswer):
        values = [part.value(heap) for heap in state]
        known = [value for value in values if value is not None]
        return reduce(xor, known, 0) if len(known) == len(values) else None
    try:
        return part.at(state)
    except Refused:
        return None


def _game(part: PartAnswer) -> PartGame:
    return HeapRows(part.code) if isinstance(part, HeapAnswer) else part.game


def _is_proved(part: PartAnswer) -> bool:
    return part.is_periodic if isinstance(part, HeapAnswer) else part.is_proved


def _why(part: PartAnswer) -> str:
    return part.why if isinstance(part, HeapAnswer) else "; ".join(part.notes)


def _is_endless(part: PartAnswer) -> bool:
    return isinstance(part, GrundyAnswer) and part.proof.get("termination") == "refuted"
