"""What ``icgsynth play`` is asked: each kind of game takes the match that is its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from icgsynth.errors import InputError

if TYPE_CHECKING:
    from icgsynth.cli.asking import Delivery
    from icgsynth.game.game import PlayRule
    from icgsynth.play.match import Seat
    from icgsynth.spec.resolve import Named


class LineOptions(NamedTuple):
    """The options of a game of lines: how far the machine looks ahead, and the board's shape."""

    opponent: int | None
    size: str | None
    length: int | None
    win: str
    gravity: str | None


class AskedPlay(NamedTuple):
    """One match of the game ``named``; the person has the ``seat`` 0 or 1, 0 moves first.

    ``solution`` and ``tree`` are files that the machine plays by; ``start`` is where play begins.
    ``delivery`` says how long the machine may prepare itself.
    """

    named: Named
    rule: PlayRule
    start: str | None
    seat: Seat
    solution: str | None
    tree: str | None
    board: LineOptions
    seed: int
    delivery: Delivery

    def seat_beside(self, first: Seat) -> Seat:
        """The person's seat in a game where the ``first`` of the seats is to move."""
        return first if self.seat == 0 else (1, 0)[first]

    def require_plain(self, given: Mapping[str, object], what: str, mend: str) -> None:
        """:class:`~icgsynth.errors.InputError` where one of the options has a value."""
        if wrong := next((name for name, value in given.items() if value), None):
            raise InputError(f"{self.named.spec}: {wrong} is not for {what}", mend=mend)
