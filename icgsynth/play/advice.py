"""Advice to a person who plays: how they stand, and which of their moves gave the game away."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from icgsynth.play.match import AnyState, Choice, MatchTable, Playable, Player, Seat, Turn

_G = TypeVar("_G", bound=Playable)


class Guide(NamedTuple, Generic[_G]):
    """Who advises; ``knows`` says that what it says of winning and losing is sure.

    Of such a player a choice that neither wins nor loses is a draw.
    """

    player: Player[_G]
    knows: bool


class Slip(NamedTuple):
    """A move of a person that gave something away: their ``number``-th, and what ``keeps`` it."""

    turn: Turn
    number: int
    better: Choice
    keeps: str


def standing(guide: Guide[_G], game: _G, state: AnyState) -> str:
    """Whether the player to move can win; empty where that is not known for sure."""
    if not guide.knows:
        return ""
    wins = guide.player.choose(game, state).wins
    if wins is None:
        return "with best play from here nobody wins"
    return "you can win from here" if wins else "you lose from here against best play"


def slip(guide: Guide[_G], table: MatchTable[_G], seat: Seat) -> Slip | None:
    """The last move of ``seat`` after which it was worth less than before; None without one."""
    if not guide.knows:
        return None
    mine = [turn for turn in table.turns if turn.seat == seat]
    for number, turn in reversed(list(enumerate(mine, 1))):
        better = guide.player.choose(table.game, turn.before)
        before, after = _worth(better.wins), _after(guide, table, turn)
        if after < before:
            return Slip(turn, number, better, "wins" if before > 0 else "keeps the draw")
    return None


def _worth(wins: bool | None) -> int:
    return 0 if wins is None else 1 if wins else -1


def _after(guide: Guide[_G], table: MatchTable[_G], turn: Turn) -> int:
    """Return the worth of the state after ``turn`` to whoever moved."""
    if turn is table.turns[-1] and table.is_over:
        return 0 if table.winner is None else 1 if table.winner == turn.seat else -1
    return -_worth(guide.player.choose(table.game, turn.after).wins)
