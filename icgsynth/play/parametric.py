"""Matches of parametric games: strategies, and what people type.

A :class:`Session` holds the state and whose turn it is.  For people, :func:`read_move` and
:func:`read_state` turn what they type into moves and states.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from icgsynth.errors import IllegalMove, InputError, Refused
from icgsynth.export.board_text import board_lines
from icgsynth.export.views.parametric_view import parametric_board
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
from icgsynth.game.openings import openings
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import IntoLosing
from icgsynth.play.match import Choice, Player, RuledTable, Seat

_MAX_DIGITS = 1_000


@dataclass(frozen=True, slots=True)
class StrategyPlayer(Player[ParametricGame]):
    """Plays a solution and names the rule behind each of its moves.

    It follows the solution's ``plan``, in a drawn state with a move that keeps the draw.  In a
    losing state it makes a small move and says so.
    """

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
        """Whether the player to move wins, as far as the solution says; None where it is drawn."""
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
    """The move that changes the state least, so that the game lasts."""

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
    """A parametric game under way, by normal or misère play."""

    def __init__(self, game: ParametricGame, rule: PlayRule, state: State) -> None:
        without_blocking(game)
        require_defined(game, rule)
        if game.is_quantified:
            raise Refused(f"{game.name} has a rule with a quantifier: it cannot be played")
        state = tuple(game.env(state).values())
        if not game.is_legal(state):
            raise IllegalMove(f"{state} is not a legal state of {game.name}: {game.legal}")
        super().__init__(game, state, rule)

    def mover(self, state: State, seat: Seat) -> Seat | None:
        return None if is_over(self.game, state) else seat

    def after(self, state: State, move: Move) -> State:
        if refusal := why_not(self.game, state, move):
            raise IllegalMove(refusal)
        return self.game.result(state, move)

    def shown(self, state: State) -> str:
        board = parametric_board(self.game, state)
        if board["kind"] == "squares":
            board |= {"names": self.game.variables}
        return "\n".join([self.game.show(state), *board_lines(board)])

    def help(self, state: State) -> str:
        return actions_text(self.game)

    def read(self, state: State, text: str) -> Move:
        return read_move(self.game, state, text)


def actions_text(game: ParametricGame) -> str:
    """The actions of a game, a line each: parameters, condition and effects."""
    return "\n".join(map(_described, game.actions))


def _described(action: Action) -> str:
    parameters = "".join(f" {p.upper()}" for p in action.parameters)
    effects = ", ".join(f"{v} := {t}" for v, t in action.effects)
    return f"  {action.name}{parameters}   if {action.precondition}; then {effects}"


# --- what people type -----------------------------------------------------------------------

_MOVE = re.compile(
    r"\s*([A-Za-z_][A-Za-z0-9_]*\b(?!\s*[=:]))?\s*(?:\((.*)\)|([^()]*))\s*", re.DOTALL
)
_ARGUMENT = re.compile(r"(?:([A-Za-z_][A-Za-z0-9_]*)[=:])?([+-]?[0-9]+)")


def read_move(game: ParametricGame, state: State, text: str) -> Move:
    """``take_a 3``, ``take_a(3)`` or ``take_a k=3`` as a move that applies in ``state``.

    With one action its name may be left out.  :class:`IllegalMove` says what is wrong.
    """
    match_ = _MOVE.fullmatch(text)
    if match_ is None or not text.strip():
        raise IllegalMove(f"write a move such as: {_example(game.actions[0])}")
    name, inner, loose = match_.groups()
    action = _action(game, name)
    given = _arguments(inner if inner is not None else loose, action.parameters)
    if len(given) != len(action.parameters):
        wanted = f"{len(action.parameters)} number{'s' * (len(action.parameters) != 1)}"
        raise IllegalMove(f"{action.name} takes {wanted}, not {len(given)}: {_example(action)}")
    move = Move(action.name, tuple((name, given[name]) for name in action.parameters))
    if refusal := why_not(game, state, move):
        raise IllegalMove(refusal)
    return move


def _action(game: ParametricGame, name: str | None) -> Action:
    actions = {action.name: action for action in game.actions}
    if name is None and len(actions) == 1:
        return game.actions[0]
    if name is not None and name in actions:
        return actions[name]
    known = ", ".join(map(_example, game.actions))
    if name is None:
        raise IllegalMove(f"which action? The actions are: {known}")
    close = get_close_matches(name, actions, 1)
    hint = f"did you mean {close[0]}? " if close else ""
    raise IllegalMove(f"there is no action '{_short(name)}'; {hint}the actions are: {known}")


def _arguments(text: str, parameters: tuple[str, ...]) -> dict[str, int]:
    """The numbers in ``text`` by parameter; too many are kept under their positions."""
    given: dict[str, int] = {}
    joined = re.sub(r"\s*([=:])\s*", r"\1", text.strip())
    for position, part in enumerate(re.split(r"\s*,\s*|\s+", joined) if joined else ()):
        found = _ARGUMENT.fullmatch(part)
        if found is None:
            raise IllegalMove(f"'{_short(part)}' is not an integer")
        if len(found.group(2)) > _MAX_DIGITS:
            raise IllegalMove(f"'{_short(part)}' has more than {_MAX_DIGITS:,} digits")
        at = parameters[position] if position < len(parameters) else f"#{position}"
        name = found.group(1) or at
        if found.group(1) is not None and name not in parameters:
            raise IllegalMove(f"no parameter '{_short(name)}'; there is {', '.join(parameters)}")
        if name in given:
            raise IllegalMove(f"'{name}' is given twice")
        given[name] = int(found.group(2))
    return given


def read_state(game: ParametricGame, text: str) -> State:
    """``7,4``, ``(7, 4)`` or ``a=7 b=4`` as a legal state; :class:`InputError` otherwise."""
    shown = ", ".join(game.variables)
    mend = f"write a number for each of {shown}: {','.join('7' for _ in game.variables)}"
    try:
        given = _arguments(text.strip().removeprefix("(").removesuffix(")"), game.variables)
    except IllegalMove as error:
        raise InputError(str(error), mend=mend) from None
    if set(given) != set(game.variables):
        count = len(game.variables)
        message = f"a state of {game.name} has {count} number{'s' * (count != 1)}, not {len(given)}"
        raise InputError(message, mend=mend)
    state = tuple(given[name] for name in game.variables)
    return game.legal_state(state)


def some_state(
    game: ParametricGame, seed: int, loses: Callable[[State], bool] | None = None
) -> State:
    """A state to begin with, best one that one move wins; InputError where none is found."""
    found = next(openings(game, seed, loses), None)
    if found is None:
        raise InputError("no state with a move was found", mend="give one with --start")
    return found


def _example(action: Action) -> str:
    return " ".join([action.name, *action.parameters])


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
