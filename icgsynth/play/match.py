"""A game under way between two players, whatever the game is.

:class:`MatchTable` is a session: the state, whose turn it is, the turns so far.  A kind of game
(:mod:`~icgsynth.play.parametric`, ``finite``, ``lines``, ``sum_play``) adds its rules of play and
how people see its states and write its moves.  :class:`Player` is whoever chooses the moves.
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
"""A state, as its game has it: of numbers, or in a sum of the states of its components."""


class Playable(Protocol):
    """A game as a session asks it, whatever its states are."""

    def result(self, state: Any, move: Move) -> Any:
        """The state after ``move``; :class:`~icgsynth.errors.IllegalMove` if it does not apply."""
        ...

    def show(self, state: Any) -> str:
        """The state in words."""
        ...


_G = TypeVar("_G", bound=Playable)
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


class Player(ABC, Generic[_G_contra]):
    """Who chooses moves: a strategy, perfect play, a look ahead, chance or a person.

    Every player chooses; one of whom several moves may be expected says also which.
    """

    name: str

    @abstractmethod
    def choose(self, game: _G_contra, state: AnyState) -> Choice:
        """A move that applies in ``state``, which is not ending."""

    def options(self, game: _G_contra, state: AnyState) -> tuple[Move, ...]:
        """The moves it is ready to make, each as likely as another: at least one."""
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
    """A game under way: its state, whose turn it is, and the turns so far."""

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
        """Whose move it is; None at the end.  ``seat``: whose it is where players alternate."""

    @abstractmethod
    def won_by(self, state: AnyState) -> Seat | None:
        """Who has won at the end, in ``state``; None for nobody.  ``seat`` is to move there."""

    def after(self, state: AnyState, move: Move) -> AnyState:
        """The state after a move; :class:`~icgsynth.errors.IllegalMove` says why there is none."""
        after: AnyState = self.game.result(state, move)
        return after

    # --- how people play it ------------------------------------------------------------------

    def show(self, state: AnyState) -> str:
        """The state, as a line or as a board."""
        return self.game.show(state)

    @abstractmethod
    def help(self, state: AnyState) -> str:
        """Return what can be typed."""

    @abstractmethod
    def read(self, state: AnyState, text: str) -> Move:
        """The move that a text means; :class:`~icgsynth.errors.IllegalMove` says why none."""

    def say(self, state: AnyState, move: Move) -> str:
        """The move as people write it."""
        return str(move)

    # --- the session -------------------------------------------------------------------------

    @property
    def winner(self) -> Seat | None:
        """Who has won; None for nobody, or not yet."""
        return self.won_by(self.state) if self.is_over else None

    def play(self, move: Move | Choice) -> Turn:
        """Make a move; :class:`~icgsynth.errors.IllegalMove` changes nothing."""
        choice = move if isinstance(move, Choice) else Choice(move, "")
        after = self.after(self.state, choice.move)
        turn = Turn(len(self.turns) + 1, self.seat, self.state, choice, after)
        self._enter(after, 1 if self.seat == 0 else 0)
        self.turns.append(turn)
        return turn

    def take_back(self, seat: Seat) -> bool:
        """Undo the last move of ``seat`` and all after it; False where it has made none."""
        mine = [i for i, turn in enumerate(self.turns) if turn.seat == seat]
        if not mine:
            return False
        self.state, self.seat, self.is_over = self.turns[mine[-1]].before, seat, False
        del self.turns[mine[-1] :]
        return True


class RuledTable(MatchTable[_G]):
    """A game that whoever cannot move has lost, or under misère play has won."""

    def __init__(self, game: _G, state: AnyState, rule: PlayRule) -> None:
        super().__init__(game, state)
        self.rule = rule

    def won_by(self, state: AnyState) -> Seat | None:
        return self.seat if self.rule == "misere" else 1 if self.seat == 0 else 0


def match(
    table: MatchTable[_G], players: tuple[Player[_G], Player[_G]], most: int = 100_000
) -> Iterator[Turn]:
    """Let two ``players`` alternate until play is over; :class:`Refused` after ``most`` turns."""
    while not table.is_over:
        if len(table.turns) >= most:
            raise Refused(f"the game is not over after {most:,} moves")
        yield table.play(players[table.seat].choose(table.game, table.state))
