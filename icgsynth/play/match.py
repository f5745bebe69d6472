"""Players and the match between two of them, whatever the game is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from icgsynth.errors import Refused
from icgsynth.game.game import Move

Seat: TypeAlias = Literal[0, 1]
AnyState: TypeAlias = tuple[Any, ...]
"""A state, as its game has it: of numbers, or in a sum of the states of its components."""

_G = TypeVar("_G")
_G_contra = TypeVar("_G_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Choice:
    """A move and why; ``rule`` is the tier of a strategy that chose it, where one did.

    ``wins`` is what the player knows of the state it moves in, None for nothing.
    """

    move: Move
    reason: str
    rule: object | None = None
    wins: bool | None = None


class Player(Protocol[_G_contra]):
    """Who chooses moves."""

    @property
    def name(self) -> str: ...

    def choose(self, game: _G_contra, state: AnyState) -> Choice:
        """A move that applies in ``state``, which is not ending."""
        ...


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a match; ``choice`` says why it was made."""

    number: int
    seat: Seat
    before: AnyState
    choice: Choice
    after: AnyState


class MatchTable(Protocol[_G]):
    """A game under way: its state, whose turn it is, and the turns so far."""

    game: _G
    state: AnyState
    seat: Seat
    turns: list[Turn]
    is_over: bool

    @property
    def winner(self) -> Seat | None:
        """Who has won; None for nobody, or not yet."""
        ...

    def play(self, move: Move | Choice) -> Turn:
        """Make a move; :class:`~icgsynth.errors.IllegalMove` changes nothing."""
        ...


def match(
    table: MatchTable[_G], players: tuple[Player[_G], Player[_G]], most: int = 100_000
) -> Iterator[Turn]:
    """Let two players alternate until the game is over; :class:`Refused` after ``most`` turns."""
    while not table.is_over:
        if len(table.turns) >= most:
            raise Refused(f"the game is not over after {most:,} moves")
        yield table.play(players[table.seat].choose(table.game, table.state))


def take_back(table: MatchTable[Any], seat: Seat) -> bool:
    """Undo the last move of ``seat`` and all after it; False where it has made none."""
    if all(turn.seat != seat for turn in table.turns):
        return False
    while True:
        turn = table.turns.pop()
        if turn.seat == seat:
            table.state, table.seat, table.is_over = turn.before, seat, False
            return True
