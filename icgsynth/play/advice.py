"""Advice to a person who plays: who wins from here, and which move of theirs was a mistake."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from icgsynth.play.match import AnyState, Choice, MatchTable, Playable, Player, Seat, Turn

_G = TypeVar("_G", bound=Playable)


class Guide(NamedTuple, Generic[_G]):
    """A player whose choices advise a person; ``knows``: what it says of winning is proved.  Where
    ``knows`` is set, a choice that neither wins nor loses is a draw."""

    player: Player[_G]
    knows: bool


class Slip(NamedTuple):
    """A person's mistake in their ``number``-th move; ``better`` "wins" or "keeps the draw"."""

    turn: Turn
    number: int
    better: Choice
    keeps: str


def standing(guide: Guide[_G], game: _G, state: AnyState) -> str:
    """Return a sentence on whether the player to move can win in ``state`` of ``game``; "" unless
    what ``guide``, an adviser, knows of winning is proved."""
    if not guide.knows:
        return ""
    wins = guide.player.choose(game, state).wins
    if wins is None:
        return "with best play from here nobody wins"
    return "you can win from here" if wins else "you lose from here against best play"


def slip(guide: Guide[_G], table: MatchTable[_G], seat: Seat) -> Slip | None:
    """Return the last move of ``seat``, 0 or 1, on ``table`` that worsened its outcome, with a
    better one; None without such a move, or where what ``guide``, an adviser, knows of winning is
    not proved."""
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
    if turn is table.turns[-1] and table.is_over:
        return 0 if table.winner is None else 1 if table.winner == turn.seat else -1
    return -_worth(guide.player.choose(table.game, turn.after).wins)
