"""Matches of turn-taking games, finite ones and impartial ones within a bound, and their players.

There are sessions, a player by tiers, a perfect one, and a reader of what people type.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from icgsynth.boards.fft.tiers import FactGame, ImageRule
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.names import unquoted, words
from icgsynth.boards.play.worths import far_sighted, keeping
from icgsynth.boards.text.finite_lines import finite_lines
from icgsynth.errors import IllegalMove
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.play.match import Choice, MatchTable, Player, Seat

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from icgsynth.boards.finite.arena_table import ArenaTable, Lookup

_MOST = 12  # moves named in a message


class TwoPlayerGame(FactGame, Protocol):
    """A game in whose states it is known who moves: a finite game, or a bounded impartial one."""

    def mover(self, state: State) -> int:
        """Return the index in ``roles`` of the player to move; -1 in a terminal state."""
        ...

    def goals(self, state: State) -> tuple[float, ...]:
        """Return the payoff of each player in a terminal state."""
        ...


_G = TypeVar("_G", bound=TwoPlayerGame)


class TwoPlayerSession(MatchTable[_G]):
    """A match in progress of a game of two roles; seat 0 is the first role."""

    def __init__(self, game: _G) -> None:
        super().__init__(game, game.initial)

    def mover(self, state: State, seat: Seat) -> Seat | None:
        mover = self.game.mover(state)
        return None if mover < 0 else 1 if mover == 1 else 0

    def won_by(self, state: State) -> Seat | None:
        """Return the seat with the higher payoff in a terminal state; None for a draw."""
        goals = self.game.goals(state)
        if len(goals) < 2 or goals[0] == goals[1]:
            return None
        return 0 if goals[0] > goals[1] else 1

    def help(self, state: State) -> str:
        return "  " + " ".join(str(move) for move in self.game.moves(state))

    def read(self, state: State, text: str) -> Move:
        return read_finite_move(self.game, state, text)


class FiniteSession(TwoPlayerSession[FiniteGame]):
    """A match of a finite game in progress; a state is shown as a board, if any, and facts."""

    def show(self, state: State) -> str:
        return "\n".join(finite_lines(self.game, state))


@dataclass(frozen=True)
class TierPlayer(Player[_G]):
    """A player that follows a strategy of tiers and explains each move; ties are broken at random.

    Where no tier keeps a move, every move is an option."""

    strategy: Strategy[Tier[_G]]
    seed: int = 0
    name: str = "the tree"
    _rng: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", random.Random(self.seed))

    def options(self, game: _G, state: State) -> tuple[Move, ...]:
        return self.strategy.keep(game, state, tuple(game.moves(state)))

    def mask(self, table: ArenaTable[_G]) -> NDArray[np.bool_]:
        return table.mask(self.strategy)

    def choose(self, game: _G, state: State) -> Choice:
        moves = tuple(game.moves(state))
        reasons: list[tuple[int, Tier[_G]]] = []
        for number, tier, kept in self.strategy.steps(game, state, moves):
            # A preference among equals explains nothing.
            if not tier.narrows or len(kept) < len(moves):
                reasons.append((number, tier))
            moves = kept
        move = self._rng.choice(moves)
        said = "; ".join(_reason(number, tier, game.facts(state), move) for number, tier in reasons)
        last = reasons[-1][1] if reasons else None
        return Choice(move, said or "no rule applies: any move", last)


def _reason(number: int, tier: Tier[Any], facts: tuple[str, ...], move: Move) -> str:
    """Return as the reason for ``move`` the text of rule ``number``, ``tier``, or of the symmetric
    image of it that applies where ``facts`` hold."""
    if isinstance(tier, ImageRule):
        image = tier.image(facts, str(move))
        if image is not None and image != tier.rule:
            return f"an image of rule {number}: {image}"
    return f"rule {number}: {tier}"


@dataclass(frozen=True)
class PerfectPlayer(Player[_G]):
    """A perfect player, who wins as fast and loses as late as possible; ties are drawn by seed."""

    lookup: Lookup
    seed: int = 0
    name: str = "perfect play"

    def choose(self, game: _G, state: State) -> Choice:
        return far_sighted(self.lookup.worths(game.facts(state)), self.seed)

    def options(self, game: _G, state: State) -> tuple[Move, ...]:
        """Return all moves of ``state`` that keep its value."""
        return keeping(self.lookup.worths(game.facts(state)))

    def mask(self, table: ArenaTable[_G]) -> NDArray[np.bool_]:
        return table.arena.optimal


def read_finite_move(game: TwoPlayerGame, state: State, text: str) -> Move:
    """Parse ``text``, which a person typed, into a legal move of ``state`` in ``game``. The text is
    ``mark(1,1)``, ``mark 1 1``, or ``1 1`` where one action fits. A name in full, also between
    backquotes as in a tree, is that move. Else :class:`IllegalMove` lists the moves."""
    moves = list(game.moves(state))
    exact = unquoted(text.strip()) or text.strip()
    wanted = words(text.strip().lower())
    for fits in (
        [move for move in moves if move.action == exact],
        [move for move in moves if words(move.action.lower()) == wanted],
        [move for move in moves if words(move.action.lower())[1:] == wanted],
    ):
        if len(fits) == 1:
            return fits[0]
    names = [str(move) for move in moves]
    near = get_close_matches(text.strip().lower(), names, 1, 0.6)
    hint = f"did you mean {near[0]}? " if near else ""
    listed = ", ".join(names[:_MOST]) + (", ..." if len(names) > _MOST else "")
    what = f"{text.strip()[:40]} is no move here" if text.strip() else "which move?"
    raise IllegalMove(f"{what}; {hint}the moves are: {listed}")
