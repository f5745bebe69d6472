"""One person at the keyboard, and one game against them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move
from icgsynth.play.match import AnyState, Choice, MatchTable, Player, Seat, match

__all__ = ["Manner", "Person", "Quit", "dialogue"]

_G = TypeVar("_G")
_G_contra = TypeVar("_G_contra", contravariant=True)


class Manner(Protocol[_G_contra]):
    """How the games of a kind are shown to people, and how people write their moves."""

    def shown(self, game: _G_contra, state: AnyState) -> str:
        """The state, as a line or as a board."""
        ...

    def help(self, game: _G_contra, state: AnyState) -> str:
        """What can be typed."""
        ...

    def read(self, game: _G_contra, state: AnyState, text: str) -> Move:
        """The move that a text means; :class:`~icgsynth.errors.IllegalMove` says why none."""
        ...


class Quit(Exception):
    """The person has left, or the input has ended."""


@dataclass(frozen=True)
class Person(Generic[_G]):
    """Whoever sits at the keyboard; :class:`Quit` when they leave."""

    manner: Manner[_G]
    name: str = "you"

    def choose(self, game: _G, state: AnyState) -> Choice:
        """The move that they type; asked again until it is one."""
        _say(f"\n{self.manner.shown(game, state)}")
        while True:
            text = _ask("your move> ")
            if text in ("help", "h", "?", ""):
                _say(self.manner.help(game, state))
                continue
            try:
                return Choice(self.manner.read(game, state, text), "")
            except IllegalMove as illegal:
                _say(f"  {illegal}")


def dialogue(
    table: MatchTable[_G], manner: Manner[_G], machine: Player[_G], seat: Seat, last: str = ""
) -> None:
    """Let the person in ``seat`` play against ``machine`` until the end, or until they leave.

    ``last`` is said behind the last state.
    """
    person = Person(manner)
    players: tuple[Player[_G], Player[_G]]
    players = (person, machine) if seat == 0 else (machine, person)
    try:
        for turn in match(table, players):
            if turn.seat != seat:
                _say(f"\n{manner.shown(table.game, turn.before)}")
                _say(f"machine: {turn.choice.move}   [{turn.choice.reason}]")
    except Quit:
        _say("Good-bye.")
        return
    _say(f"\n{manner.shown(table.game, table.state)}{last}")
    if table.winner is None:
        _say("A draw.")
    else:
        _say("You win." if table.winner == seat else "The machine wins.")


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _ask(prompt: str) -> str:
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line or line.strip() in ("quit", "q", "exit"):
        raise Quit
    return line.strip()
