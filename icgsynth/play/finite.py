"""Matches of finite games: a table, a player by tiers, a perfect one, and what people type."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Protocol

from icgsynth.errors import IllegalMove
from icgsynth.export.views.finite_view import FiniteBoard, finite_board
from icgsynth.fft.tiers import ImageRule
from icgsynth.finite.game import FiniteGame
from icgsynth.finite.names import unquoted, words
from icgsynth.game.game import Move, State
from icgsynth.game.strategy import Strategy, Tier
from icgsynth.play.board_text import board_lines, grid_lines
from icgsynth.play.match import Choice, Seat, Turn

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
        reasons: list[tuple[int, Tier[FiniteGame, Any]]] = []
        for number, tier, kept in self.strategy.steps(game, state, moves):
            # A preference among equals explains nothing.
            if not tier.narrows or len(kept) < len(moves):
                reasons.append((number, tier))
            moves = kept
        move = self._rng.choice(moves)
        said = "; ".join(_reason(number, tier, game.facts(state), move) for number, tier in reasons)
        last = reasons[-1][1] if reasons else None
        return Choice(move, said or "no rule applies: any move", last)


def _reason(number: int, tier: Tier[FiniteGame, Any], facts: tuple[str, ...], move: Move) -> str:
    """The rule behind a move; of a rule with images also the image that names this move."""
    if isinstance(tier, ImageRule):
        image = tier.image(facts, str(move))
        if image is not None and image != tier.rule:
            return f"an image of rule {number}: {image}"
    return f"rule {number}: {tier}"


class Oracle(Protocol):
    """What best play makes of a state (:class:`~icgsynth.finite.worth.Worth`)."""

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
    """How people play a finite game: its board where there is one, other facts; names of moves."""

    def shown(self, game: FiniteGame, state: State) -> str:
        board, facts, mover = finite_board(game), game.facts(state), game.mover(state)
        drawn = board.drawn(facts)
        lines = [] if drawn is None else self._lines(board, drawn)
        turns = self._turns(game)
        said = [f for f in facts if not board.shows(f) and words(f)[0] not in turns]
        if mover >= 0:
            said.insert(0, f"{game.roles[mover]} to move")
        return "\n".join([*lines, *([", ".join(said)] if said else [])])

    @staticmethod
    def _turns(game: FiniteGame) -> set[str]:
        """The relations that say whose turn it is, as ``control(x)`` does at the start."""
        mover = game.mover(game.initial)
        parts = map(words, game.facts(game.initial))
        return {part[0] for part in parts if mover >= 0 and part[1:] == (game.roles[mover],)}

    @staticmethod
    def _lines(board: FiniteBoard, drawn: dict[str, Any]) -> list[str]:
        if drawn["kind"] != "grid" or board.layout is None:
            return board_lines(drawn)
        names = board.layout.rows, board.layout.columns
        return grid_lines(drawn, *(names[::-1] if board.falls else names))

    def help(self, game: FiniteGame, state: State) -> str:
        return "  " + " ".join(str(move) for move in game.moves(state))

    def read(self, game: FiniteGame, state: State, text: str) -> Move:
        return read_finite_move(game, state, text)

    def said(self, game: FiniteGame, state: State, move: Move) -> str:
        return str(move)
