"""The arguments of ``icgsynth play``, from which each kind of game starts its match."""

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
    """The arguments of a match of the game ``named``; the person has ``seat`` 0 (first) or 1."""

    named: Named
    rule: PlayRule
    start: str | None  # the state where play begins
    seat: Seat
    solution: str | None  # a file that the machine plays by
    tree: str | None  # another such file
    board: LineOptions
    seed: int
    delivery: Delivery  # how long the machine may prepare itself

    def seat_beside(self, first: Seat) -> Seat:
        """Return the person's seat where seat ``first`` begins: that seat if the person is to
        begin, else the other."""
        return first if self.seat == 0 else (1, 0)[first]

    def require_plain(self, given: Mapping[str, object], what: str, mend: str) -> None:
        """Raise InputError if one of the ``given`` options is set, which ``what`` does not take."""
        if wrong := next((name for name, value in given.items() if value), None):
            raise InputError(f"{self.named.spec}: {wrong} is not for {what}", mend=mend)
