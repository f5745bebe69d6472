"""Who wins at one position, by which move, and why: one JSON for every kind of game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from icgsynth.game.answers import SCHEMA


def move_json(
    after: Sequence[Any],
    action: str | None = None,
    arguments: Mapping[str, int] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a move as JSON: ``action``, its ``arguments`` by name, and the state ``after`` it;
    ``more`` are further keys.  Of a row of heaps or a sum ``component`` is the place, from 1, of
    what is changed, ``leaves`` are the heaps left of it, and ``value`` is its Grundy value then."""
    named = {name: str(number) for name, number in (arguments or {}).items()}
    return {"action": action, "args": named, "state": list(after), **more}


@dataclass(frozen=True)
class Position:
    """The outcome of one ``state`` of a game for the player to move, and the move to make.

    A state is a list: of numbers, of heaps, of the facts that hold on a board, of one node.
    ``winner`` is "winning", "losing" or "drawn", "over" where nobody is to move and ``more`` tells
    who has won, None if unknown; then play ``may_never_end``, or there was no time.
    ``move`` is one that wins, or keeps a draw.  ``why`` tells the rule that names it, or what is in
    the way of an answer; ``by`` says what the answer rests on.  ``more`` are keys that not every
    position has: ``value``; ``values`` of heaps, ``components`` of a sum, ``element`` of quotients.
    """

    game: str
    rule: str
    state: Sequence[Any]
    winner: str | None = None
    move: Mapping[str, Any] | None = None
    why: str = ""
    by: str = ""
    is_proved: bool = False
    may_never_end: bool = False
    constants: Mapping[str, int] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @staticmethod
    def of_value(game: str, state: Sequence[Any], value: int | None, **given: Any) -> Position:
        """Return the position in ``state`` of ``game`` with the Grundy value ``value``: lost if it
        is 0, not known if it is None.  ``given`` are other fields of :class:`Position`."""
        winner = None if value is None else "winning" if value else "losing"
        more = {"value": value, **given.pop("more", {})}
        if value is not None:
            given["by"] = given.get("by") or f"its Grundy value is {value}"
            some = "some move leads" if value else "no move leads"
            given["why"] = given.get("why") or f"{some} to a state of the value 0"
        return Position(
            game, "normal", state, winner, is_proved=value is not None, more=more, **given
        )

    def to_json(self) -> dict[str, Any]:
        """Return who wins at this position, and the move to make and why, as a dict for JSON."""
        unknown = "refuted" if self.may_never_end else "unknown"
        shown: dict[str, Any] = {
            "schema": SCHEMA,
            "kind": "position",
            "game": self.game,
            "constants": dict(self.constants),
            "rule": self.rule,
            "status": unknown if not self.winner else "solved" if self.is_proved else "conditional",
            "state": list(self.state),
        }
        if self.winner not in (None, "over"):
            shown["winning"] = self.winner == "winning"
        if self.winner == "drawn":
            shown["drawn"] = True
        shown |= {**self.more, "move": None if self.move is None else dict(self.move)}
        return shown | {"why": self.why, "by": self.by, "proved": self.is_proved}
