"""Sums of games: a position has a state of each component, and a move is made in one of them.

The answer on a sum has the proved values of its components, and so of its positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import xor
from typing import Any, NamedTuple, TypeAlias

from icgsynth.errors import IllegalMove, InputError, Refused
from icgsynth.game.answers import SCHEMA, SHOWN
from icgsynth.game.game import GivenState, Move, ParametricGame, PlainMove, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.moves import any_move
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heaps import HeapAnswer, OfHeaps
from icgsynth.logic.nodes import ShownByName

# --- game sum ------------------------------------------------------------------------------------

PartGame: TypeAlias = "ParametricGame | HeapRows"
"""A game that can be a component."""

SumState: TypeAlias = tuple[State, ...]
"""The states of the components, in order; of heaps a row of any length."""

_NUMBERED = re.compile(r"([0-9]{1,4}) (.*)", re.DOTALL)


@dataclass(frozen=True, repr=False)
class SumGame(ShownByName):
    """The sum of the games ``parts``; a player who can move in none of them has lost.

    Its moves are those of a component, with the number of the component, from 1 on, before the
    name of the action: ``2 take(3)``.
    """

    parts: tuple[PartGame, ...]

    @property
    def name(self) -> str:
        """The name, such as ``nim2 + 2*0.77``: equal components side by side are counted."""
        groups = ((part.name, len([*same])) for part, same in groupby(self.parts))
        return " + ".join(name if count == 1 else f"{count}*{name}" for name, count in groups)

    def legal_position(self, given: Iterable[GivenState]) -> SumState:
        """Return ``given``, one state for each component in order, as the tuple of these states. A
        component of heaps has a row of sizes. InputError if one is illegal."""
        try:
            states = list(given)
        except TypeError:
            states = []
        if len(states) != len(self.parts):
            message = f"{given!r} is no position of {self.name}"
            mend = f"give a state for each component, {len(self.parts)} in all"
            raise InputError(message, mend=mend)
        rows = zip(self.parts, states, strict=True)
        return tuple(part.legal_state(state) for part, state in rows)

    def is_legal(self, position: SumState) -> bool:
        return len(position) == len(self.parts) and all(
            part.is_legal(state) for part, state in zip(self.parts, position, strict=True)
        )

    def moves(self, position: SumState) -> Iterator[Move]:
        """Yield every move from ``position``; OverflowError where a parameter has no bound."""
        for index, (part, state) in enumerate(zip(self.parts, position, strict=True)):
            for move in part.moves(state):
                yield self.number_move(index, move)

    def applies(self, position: SumState, move: Move) -> bool:
        try:
            index, inner = self.inner(move)
        except IllegalMove:
            return False
        return self.parts[index].applies(position[index], inner)

    def result(self, position: SumState, move: Move) -> SumState:
        index, inner = self.inner(move)
        after = self.parts[index].result(position[index], inner)
        return (*position[:index], after, *position[index + 1 :])

    def some_move(self, position: SumState) -> Move | None:
        """Return some move of the sum from ``position``; None where the game is over.
        :class:`~icgsynth.errors.Refused` where that is too hard to tell."""
        for index, (part, state) in enumerate(zip(self.parts, position, strict=True)):
            if (move := move_there(part, state)) is not None:
                return self.number_move(index, move)
        return None

    def show(self, position: SumState) -> str:
        """Return ``position`` as text: a line for each component, with its number."""
        rows = zip(self.parts, position, strict=True)
        width = max(len(part.name) for part in self.parts)
        return "\n".join(
            f"  {number}  {part.name:<{width}}  {part.show(state)}"
            for number, (part, state) in enumerate(rows, 1)
        )

    def number_move(self, index: int, move: Move) -> Move:
        """Return the move of the sum that makes ``move`` in the component ``index``, counted from
        0. Its name begins with ``index`` + 1, as ``2 take(3)``."""
        return Move(f"{index + 1} {move.action}", move.arguments)

    def inner(self, move: Move) -> tuple[int, Move]:
        """Return the component, counted from 0, that ``move`` is made in, and the move there: 1 and
        ``take(3)`` for ``2 take(3)``. IllegalMove if it names no component."""
        found = _NUMBERED.fullmatch(move.action)
        if found is None or not 1 <= int(found[1]) <= len(self.parts):
            raise IllegalMove(f"{move} names none of the {len(self.parts)} components")
        return int(found[1]) - 1, Move(found[2], move.arguments)


def move_there(part: PartGame, state: State) -> Move | None:
    """Return some move of the component ``part`` in its ``state``; None where it has none."""
    return part.some_move(state) if isinstance(part, HeapRows) else any_move(part, state)


# --- sum answer ----------------------------------------------------------------------------------

PartAnswer: TypeAlias = "GrundyAnswer | HeapAnswer"


class Lowering(NamedTuple):
    """A winning move's aim: component ``place``, from 0, goes from value ``now`` to ``target``."""

    place: int
    now: int
    target: int


@dataclass(frozen=True)
class SumAnswer(OfHeaps):
    """The answers of the components of a sum, in order; ``seconds`` is how long they took. Values
    add by xor (Sprague 1935, Grundy 1939), so the sum needs no proof of its own."""

    parts: tuple[PartAnswer, ...]
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<SumAnswer {self.game.name}: {'solved' if self.is_proved else 'unknown'}>"

    @property
    def game(self) -> SumGame:
        return SumGame(tuple(map(_game, self.parts)))

    @property
    def is_proved(self) -> bool:
        """Whether the value of every position is proved."""
        return all(map(_is_proved, self.parts))

    @property
    def missing(self) -> dict[str, str]:
        """The reasons why values of components are not proved, by the components' names."""
        return {_game(part).name: _why(part) for part in self.parts if not _is_proved(part)}

    @property
    def may_never_end(self) -> tuple[str, ...]:
        """The names of the components in which play is known to go on for ever from some state."""
        return tuple(dict.fromkeys(_game(part).name for part in self.parts if _is_endless(part)))

    def __call__(self, position: Iterable[GivenState]) -> int:
        """Return the Grundy value of ``position``; Refused if unproved, InputError if illegal."""
        return self._proved_value(self.game.legal_position(position))

    def known_values(self, position: SumState) -> tuple[int | None, ...]:
        """Return the Grundy value of each component's state, in order; None for an unproved one."""
        return tuple(map(part_value, self.parts, position))

    def known_at(self, position: SumState) -> int | None:
        """Return the Grundy value of ``position``, or None if that of a component is unproved."""
        values = [value for value in self.known_values(position) if value is not None]
        return reduce(xor, values, 0) if len(values) == len(self.parts) else None

    def aims(self, position: SumState) -> Iterator[Lowering]:
        """Yield for each component in which a move wins the :class:`Lowering` (its place, its
        Grundy value, the value to move to); nothing if the position is lost or a value is not
        proved.

        Where the xor x of all values is not 0, some value g has a 1 where x has its first 1, so
        that g xor x < g; and a component can be moved to any smaller value.
        """
        # g xor x < g iff g has a 1 at the highest 1 of x; some component has one, for x is the xor
        # of all.
        total = self.known_at(position)
        if total is None:
            return
        for place, value in enumerate(self.known_values(position)):
            if value is not None and value ^ total < value:
                yield Lowering(place, value, value ^ total)

    def is_winning(self, position: Iterable[GivenState]) -> bool:
        """Return whether the player to move wins ``position``; Refused if its value is not proved,
        InputError if it is illegal."""
        return self(position) != 0

    def move(self, position: Iterable[GivenState]) -> PlainMove | None:
        """Return a winning move, such as ``("2 take", {"k": 3})``; None in a lost position.

        :class:`~icgsynth.errors.InputError` where a component is given no legal state,
        :class:`~icgsynth.errors.Refused` where its value is not proved or no move is found.
        """
        here = self.game.legal_position(position)
        if self._proved_value(here) == 0:
            return None
        place, move = SHOWN["sum_move"](self, here)
        return self.game.number_move(place, move).plain

    def _proved_value(self, position: SumState) -> int:
        value = self.known_at(position)
        if value is None:
            raise Refused(f"the value of {self.game.show(position).strip()} is not proved")
        return value

    def groups(self) -> Iterator[tuple[PartAnswer, int]]:
        """Yield (answer, length) of each run of equal components that stand side by side."""
        for _, same in groupby(self.parts, key=_game):
            first, *others = same
            yield first, 1 + len(others)

    def to_json(self) -> dict[str, Any]:
        """Return the dict for the answer's JSON file; a run of equal components is one entry."""
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
    """Return the Grundy value of ``state`` by ``part``, a component's answer; None if unproved."""
    if isinstance(part, HeapAnswer):
        values = [part.known_at(heap) for heap in state]
        # The state of a component of heaps is a row, itself a sum: its value is known where all
        # are.
        known = [value for value in values if value is not None]
        return reduce(xor, known, 0) if len(known) == len(values) else None
    return part.known_at(state)


def _game(part: PartAnswer) -> PartGame:
    return HeapRows(part.code) if isinstance(part, HeapAnswer) else part.game


def _is_proved(part: PartAnswer) -> bool:
    return part.is_periodic if isinstance(part, HeapAnswer) else part.is_proved


def _why(part: PartAnswer) -> str:
    return part.why if isinstance(part, HeapAnswer) else "; ".join(part.notes)


def _is_endless(part: PartAnswer) -> bool:
    return isinstance(part, GrundyAnswer) and part.proof.get("termination") == "refuted"
