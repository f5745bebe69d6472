"""Matches of parametric games: a player that follows a solution, and a match under way.

A :class:`Session` holds the state and whose turn it is.  What people type is read by
:mod:`icgsynth.spec.state_text`.
"""

from __future__ import annotations

from dataclasses import dataclass

from icgsynth.errors import IllegalMove, Refused
from icgsynth.export.parametric_board import board_lines, parametric_board
from icgsynth.game.game import (
    Action,
    Move,
    ParametricGame,
    PlayRule,
    State,
    require_defined,
    without_blocking,
)
from icgsynth.game.moves import any_move, is_over, some_moves, why_not
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import IntoLosing
from icgsynth.logic.prose import in_rules
from icgsynth.play.match import Choice, Player, RuledTable, Seat
from icgsynth.spec.state_text import parse_move


@dataclass(frozen=True, slots=True)
class StrategyPlayer(Player[ParametricGame]):
    """A player that follows a solution and names the rule behind each of its moves.  In won and
    drawn states it follows the solution's ``plan``, which wins or keeps the draw.  In a losing
    state it makes a small move and says that it only delays the end."""

    solution: Solution
    name: str = "the strategy"

    def choose(self, game: ParametricGame, state: State) -> Choice:
        wins = self.wins(game, state)
        if wins is not False and (found := self.solution.plan.choose(game, state)) is not None:
            number, tier, (move, *_) = found
            if isinstance(tier, IntoLosing):
                reason = f"it leads to a losing state: {tier.losing}{self._doubt}"
                return Choice(move, reason, wins=True)
            drawn = "this state is drawn; " * (self.solution.draws is not None and wins is None)
            return Choice(move, f"{drawn}rule {number}: {tier}{self._doubt}", tier, wins)
        return Choice(delaying_move(game, state), self._lament(wins), wins=wins)

    def wins(self, game: ParametricGame, state: State) -> bool | None:
        """Return whether the player to move in ``state`` wins, as the solution says; None if
        ``state`` is drawn or the solution does not say."""
        if self.solution.winning is None and self.solution.losing is None:
            return None
        return None if self.solution.is_drawn(state) else self.solution.is_winning(state)

    @property
    def _doubt(self) -> str:
        return "" if self.solution.is_proved else " (not proved)"

    def _lament(self, wins: bool | None) -> str:
        if wins is False:
            losing = self.solution.outcomes[1]
            return f"delaying: this state is losing, {losing}{self._doubt}"
        if wins is None:
            return "delaying: who wins here is not known"
        return f"delaying: no rule fits here{self._doubt}"


def delaying_move(game: ParametricGame, state: State) -> Move:
    """Return the move in ``state`` that changes it least (sum of the differences), so that play
    lasts. Raises :class:`IllegalMove` where no move is legal."""

    def change(move: Move) -> int:
        return sum(abs(x - y) for x, y in zip(game.result(state, move), state, strict=True))

    if open_moves := list(some_moves(game, state)):
        return min(open_moves, key=change)
    found = any_move(game, state)
    if found is None:
        raise IllegalMove(f"the game is over in {game.show(state)}")
    return found


# --- one game from start to end ----------------------------------------------------------


class Session(RuledTable[ParametricGame]):
    """A match of a parametric game under way, by normal or misère play."""

    def __init__(self, game: ParametricGame, rule: PlayRule, state: State) -> None:
        without_blocking(game)
        require_defined(game, rule)
        if game.is_quantified:
            raise Refused(f"{game.name} has a rule with a quantifier: it cannot be played")
        state = tuple(game.env(state).values())
        if not game.is_legal(state):
            raise IllegalMove(
                f"{state} is not a legal state of {game.name}: {in_rules(game.legal)}"
            )
        super().__init__(game, state, rule)

    def mover(self, state: State, seat: Seat) -> Seat | None:
        return None if is_over(self.game, state) else seat

    def after(self, state: State, move: Move) -> State:
        if refusal := why_not(self.game, state, move):
            raise IllegalMove(refusal)
        return self.game.result(state, move)

    def show(self, state: State) -> str:
        board = parametric_board(self.game, state)
        if board["kind"] == "squares":
            board |= {"names": self.game.variables}
        return "\n".join([self.game.show(state), *board_lines(board)])

    def help(self, state: State) -> str:
        return actions_text(self.game)

    def read(self, state: State, text: str) -> Move:
        return parse_move(self.game, state, text)


def actions_text(game: ParametricGame) -> str:
    """Return text with a line for each action of ``game``: parameters, condition, effects."""
    return "\n".join(map(_describe, game.actions))


def _describe(action: Action) -> str:
    parameters = "".join(f" {p.upper()}" for p in action.parameters)
    effects = ", ".join(f"{v} := {in_rules(t)}" for v, t in action.effects)
    return f"  {action.name}{parameters}   if {in_rules(action.precondition)}; then {effects}"
