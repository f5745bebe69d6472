"""A match between two players of any game: its state, its turns, and the loop that plays it.

:class:`MatchTable` is a session: the state, whose turn it is, the turns so far.  A kind of game
(:mod:`~icgsynth.play.parametric`, ``finite``, ``lines``, ``sum_play``) adds its rules of play and
how people see its states and write its moves.  A :class:`Player` chooses moves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

from icgsynth.errors import Refused
from icgsynth.game.game import Move, PlayRule

Seat: TypeAlias = Literal[0, 1]
AnyState: TypeAlias = tuple[Any, ...]
"""A state of a game: a tuple of numbers, or for a sum a tuple of the states of its components."""


class Playable(Protocol):
    """A game that can be played: it applies moves to states and shows states."""

    def result(self, state: Any, move: Move) -> Any:
        """Return the state after ``move`` in ``state``; IllegalMove if it is not legal."""
        ...

    def show(self, state: Any) -> str:
        """Return ``state`` in words."""
        ...


_G = TypeVar("_G", bound=Playable)
_G_contra = TypeVar("_G_contra", contravariant=True)


@dataclass(frozen=True, slots=True)
class Choice:
    """A move with its reason; ``rule`` is the rule of a strategy that chose it, if one did.
    ``wins``: whether the player knows that the mover wins (True) or loses; None for neither."""

    move: Move
    reason: str
    rule: object | None = None
    wins: bool | None = None


class Player(ABC, Generic[_G_contra]):
    """A player, which chooses moves: a strategy, perfect play, a look ahead, chance or a person.  A
    player that may choose one of several moves at random overrides :meth:`options`."""

    name: str

    @abstractmethod
    def choose(self, game: _G_contra, state: AnyState) -> Choice:
        """Return a legal move in ``state``, where play is not over, with the reason for it."""

    def options(self, game: _G_contra, state: AnyState) -> tuple[Move, ...]:
        """Return the moves, at least one, of which this player makes each equally likely."""
        return (self.choose(game, state).move,)


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of a match; ``choice`` says why it was made."""

    number: int
    seat: Seat
    before: AnyState
    choice: Choice
    after: AnyState


class MatchTable(ABC, Generic[_G]):
    """A match under way: its state, whose turn it is, and the turns so far."""

    def __init__(self, game: _G, state: AnyState, seat: Seat = 0) -> None:
        self.game = game
        self.turns: list[Turn] = []
        self._enter(state, seat)

    def _enter(self, state: AnyState, seat: Seat) -> None:
        mover = self.mover(state, seat)
        self.is_over = mover is None
        self.state = state
        self.seat: Seat = seat if mover is None else mover

    # --- the rules of play of a kind of game -------------------------------------------------

    @abstractmethod
    def mover(self, state: AnyState, seat: Seat) -> Seat | None:
        """Return who moves in ``state``, 0 or 1; None at the end of play.  ``seat`` moves if
        players alternate."""

    @abstractmethod
    def won_by(self, state: AnyState) -> Seat | None:
        """Return who has won in ``state``, where play is over and ``self.seat`` would be next to
        move; None for a draw."""

    def after(self, state: AnyState, move: Move) -> AnyState:
        """Return the state after ``move`` in ``state``; IllegalMove if it is not legal."""
        after: AnyState = self.game.result(state, move)
        return after

    # --- how people play it ------------------------------------------------------------------

    def show(self, state: AnyState) -> str:
        """Return ``state`` as text: a line or a board."""
        return self.game.show(state)

    @abstractmethod
    def help(self, state: AnyState) -> str:
        """Return help for a person: which moves can be typed in ``state``."""

    @abstractmethod
    def read(self, state: AnyState, text: str) -> Move:
        """Return the move in ``state`` that the typed ``text`` means;
        :class:`~icgsynth.errors.IllegalMove` if it means none."""

    def say(self, state: AnyState, move: Move) -> str:
        """Return ``move`` from ``state`` as text, as people write it."""
        return str(move)

    # --- the session -------------------------------------------------------------------------

    @property
    def winner(self) -> Seat | None:
        """Return who has won, 0 or 1; None for a draw, or as long as play goes on."""
        return self.won_by(self.state) if self.is_over else None

    def play(self, move: Move | Choice) -> Turn:
        """Make ``move``, or the move of a choice, and return the turn; if :class:`IllegalMove` is
        raised, the match is unchanged."""
        choice = move if isinstance(move, Choice) else Choice(move, "")
        after = self.after(self.state, choice.move)
        turn = Turn(len(self.turns) + 1, self.seat, self.state, choice, after)
        self._enter(after, 1 if self.seat == 0 else 0)
        self.turns.append(turn)
        return turn

    def take_back(self, seat: Seat) -> bool:
        """Undo the last move of ``seat``, 0 or 1, and all moves after it; return whether there was
        one."""
        mine = [i for i, turn in enumerate(self.turns) if turn.seat == seat]
        if not mine:
            return False
        self.state, self.seat, self.is_over = self.turns[mine[-1]].before, seat, False
        del self.turns[mine[-1] :]
        return True


class RuledTable(MatchTable[_G]):
    """A match that the player who cannot move loses, or under misère play wins."""

    def __init__(self, game: _G, state: AnyState, rule: PlayRule) -> None:
        super().__init__(game, state)
        self.rule = rule

    def won_by(self, state: AnyState) -> Seat | None:
        return self.seat if self.rule == "misere" else 1 if self.seat == 0 else 0


def match(
    table: MatchTable[_G], players: tuple[Player[_G], Player[_G]], most: int = 100_000
) -> Iterator[Turn]:
    """Play ``table`` by the choices of ``players`` to its end, and yield each turn;
    :class:`Refused` if it is not over after ``most`` turns."""
    while not table.is_over:
        if len(table.turns) >= most:
            raise Refused(f"the game is not over after {most:,} moves")
        yield table.play(players[table.seat].choose(table.game, table.state))
