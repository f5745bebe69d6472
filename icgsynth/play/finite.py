"""Matches of finite games: a table, a player by tiers, a perfect one, and what people type."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Protocol

from icgsynth.errors import IllegalMove
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.layout import Layout
from icgsynth.finite.names import unquoted, words
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.play.match import Choice, Seat, Turn

__all__ = ["FiniteManner", "FiniteSession", "PerfectPlayer", "TierPlayer", "read_finite_move"]

_MOST = 12  # moves named in a message


class FiniteSession:
    """A finite game under way; seat 0 is the game's first role."""

    def __init__(self, game: FiniteGame) -> None:
        self.game = game
        self.turns: list[Turn] = []
        self._enter(game.initial)

    def _enter(self, state: State) -> None:
        mover = self.game.mover(state)
        self.state = state
        self.is_over = mover < 0
        self.seat: Seat = 1 if mover == 1 else 0

    @property
    def winner(self) -> Seat | None:
        """Who has the better goal; None before the end, and where the goals are equal."""
        if not self.is_over:
            return None
        goals = self.game.goals(self.state)
        if len(goals) < 2 or goals[0] == goals[1]:
            return None
        return 0 if goals[0] > goals[1] else 1

    def play(self, move: Move | Choice) -> Turn:
        """Make a move; :class:`IllegalMove` where it does not apply, and changes nothing."""
        choice = move if isinstance(move, Choice) else Choice(move, "")
        after = self.game.result(self.state, choice.move)
        turn = Turn(len(self.turns) + 1, self.seat, self.state, choice, after)
        self.turns.append(turn)
        self._enter(after)
        return turn


@dataclass(frozen=True)
class TierPlayer:
    """Plays a strategy and names the tiers behind each move; of several moves one at random."""

    strategy: Strategy[Tier[FiniteGame, Any]]
    seed: int = 0
    name: str = "the tree"
    _rng: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_rng", random.Random(self.seed))

    def choose(self, game: FiniteGame, state: State) -> Choice:
        moves = tuple(game.moves(state))
        reasons, last = [], None
        for number, tier, kept in self.strategy.steps(game, state, moves):
            # A preference among equals explains nothing.
            if not tier.narrows or len(kept) < len(moves):
                reasons.append(f"rule {number}: {tier}")
                last = tier
            moves = kept
        reason = "; ".join(reasons) or "no rule applies: any move"
        return Choice(self._rng.choice(moves), reason, last)


class Oracle(Protocol):
    """What best play makes of a state (:class:`~icgsynth.finite.lookup.Worth`)."""

    @property
    def value(self) -> int: ...

    @property
    def distance(self) -> int: ...

    @property
    def optimal(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class PerfectPlayer:
    """Keeps the value of every state, winning fast and losing late.

    ``worth`` tells what the facts of a state are worth to the player to move.
    """

    worth: Callable[[tuple[str, ...]], Oracle]
    name: str = "perfect play"

    def choose(self, game: FiniteGame, state: State) -> Choice:
        found = self.worth(game.facts(state))
        move = Move(found.optimal[0])
        if found.value == 0:
            return Choice(move, "keeps the draw")
        plies = f"{found.distance} pl{'y' if found.distance == 1 else 'ies'} to the end"
        if found.value > 0:
            return Choice(move, f"wins: {plies}", wins=True)
        return Choice(move, f"delaying: lost, {plies}", wins=False)


def read_finite_move(game: FiniteGame, state: State, text: str) -> Move:
    """``mark(1,1)``, ``mark 1 1``, or ``1 1`` where one action fits, as a move that applies.

    A name in full, also between backquotes as in a tree, means itself and nothing else.
    :class:`IllegalMove` names the moves there are.
    """
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


@dataclass(frozen=True)
class FiniteManner:
    """How people play a finite game: its facts, as a grid where there is one; names of moves."""

    layout: Layout | None

    def shown(self, game: FiniteGame, state: State) -> str:
        facts = game.facts(state)
        return " ".join(facts) if self.layout is None else "\n".join(self.layout.shown(facts))

    def help(self, game: FiniteGame, state: State) -> str:
        return "  " + " ".join(str(move) for move in game.moves(state))

    def read(self, game: FiniteGame, state: State, text: str) -> Move:
        return read_finite_move(game, state, text)
