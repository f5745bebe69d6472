"""A match of the machine against a person at the keyboard."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TypeVar

from icgsynth.errors import IllegalMove
from icgsynth.play.advice import Guide, slip, standing
from icgsynth.play.match import AnyState, Choice, MatchTable, Playable, Player, Seat, match

_G = TypeVar("_G", bound=Playable)

COMMANDS = "  hint names a good move, why says how you stand, undo takes your move back, quit ends"
"""The line of help on the commands that can be typed instead of a move."""


class Quit(Exception):
    """The person has left, or the input has ended."""


class _Undone(Exception):
    """The person has taken a move back."""


@dataclass(frozen=True)
class Dialogue(Player[_G]):
    """A game of the person in ``seat`` against ``machine``; ``guide`` advises the person."""

    table: MatchTable[_G]
    machine: Player[_G]
    seat: Seat
    guide: Guide[_G]
    name: str = "you"

    def run(self, last: str) -> None:
        """Play to the end, and print ``last`` and who has won; :class:`Quit` if the person
        leaves."""
        players: tuple[Player[_G], Player[_G]]
        players = (self, self.machine) if self.seat == 0 else (self.machine, self)
        while True:
            try:
                for turn in match(self.table, players):
                    if turn.seat != self.seat:
                        _say(f"\n{self.table.show(turn.before)}")
                        _say(f"machine: {self._say_move(turn.before, turn.choice)}")
                self._end(last)
            except _Undone:
                continue
            return

    def choose(self, game: _G, state: AnyState) -> Choice:
        """Return the move that the person types in ``state``; ask again until it is legal."""
        _say(f"\n{self.table.show(state)}")
        while True:
            text = _ask("your move> ")
            if self._is_command(text, state):
                continue
            try:
                return Choice(self.table.read(state, text), "")
            except IllegalMove as illegal:
                _say(f"  {illegal}")

    def _is_command(self, text: str, state: AnyState) -> bool:
        """Return whether ``text``, typed in ``state``, is a command, and if so carry it out.
        Raises ``_Undone`` if that took a move back."""
        match text:
            case "help" | "h" | "?" | "":
                _say(self.table.help(state))
                _say(COMMANDS)
            case "hint":
                _say(f"  {self._say_move(state, self.guide.player.choose(self.table.game, state))}")
            case "why":
                self._why(state)
            case "undo":
                if not self.table.take_back(self.seat):
                    _say("  you have not moved yet")
                    return True
                raise _Undone
            case _:
                return False
        return True

    def _why(self, state: AnyState) -> None:
        theirs = [turn for turn in self.table.turns if turn.seat != self.seat]
        if theirs:
            _say(f"  the machine played {self._say_move(theirs[-1].before, theirs[-1].choice)}")
        else:
            _say("  the machine has not moved yet")
        if not self.table.is_over and (said := standing(self.guide, self.table.game, state)):
            _say(f"  {said}")
        # The last mistake of the person.
        found = slip(self.guide, self.table, self.seat)
        if found is not None:
            before = found.turn.before
            made = self.table.say(before, found.turn.choice.move)
            better = self.table.say(before, found.better.move)
            _say(f"  {made} in your move {found.number} gave it away; {better} {found.keeps}")

    def _end(self, last: str) -> None:
        winner = self.table.winner
        _say(f"\n{self.table.show(self.table.state)}{last}")
        if winner is None:
            _say("A draw.")
        else:
            _say("You win." if winner == self.seat else "The machine wins.")
        while sys.stdin.isatty() and winner != self.seat:
            text = _ask("why, undo or quit> ")
            if text not in ("why", "undo") or not self._is_command(text, self.table.state):
                return

    def _say_move(self, state: AnyState, choice: Choice) -> str:
        return f"{self.table.say(state, choice.move)}   [{choice.reason}]"


def dialogue(
    table: MatchTable[_G],
    machine: Player[_G],
    seat: Seat,
    guide: Guide[_G],
    last: str = "",
) -> None:
    """Let the person in ``seat`` play on ``table`` against ``machine`` until the end or "quit".
    ``guide`` advises the person; ``last`` is printed after the last state."""
    try:
        Dialogue(table, machine, seat, guide).run(last)
    except Quit:
        _say("Good-bye.")


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
