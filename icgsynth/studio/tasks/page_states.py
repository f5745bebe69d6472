"""States of both kinds of games on a page: read, written and drawn, with their moves in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.explicit.openings import some_state
from icgsynth.export.sentences import move_said
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.spec.state_text import format_state, parse_move, parse_state
from icgsynth.studio.faults import Data

if TYPE_CHECKING:
    from icgsynth.boards.finite.game import FiniteGame

Game: TypeAlias = "ParametricGame | FiniteGame"

_SECONDS = 3.0  # seconds to look for a state to begin in: a person waits for the page
_BOUND, _CELLS = 20, 50_000  # of the box that tells a state to begin in


def state_of(game: Game, text: Any, rule: PlayRule = "normal") -> State:
    """Return the state that ``text`` of a page means, as ``3,5`` or facts; without a text, one to
    begin in, by ``rule``."""
    if isinstance(game, ParametricGame):
        return parse_state(game, str(text)) if text else _some_state(game, rule)
    return game.state_of(tuple(str(text).split())) if text else game.initial


def _some_state(game: ParametricGame, rule: PlayRule) -> State:
    """Return a state to begin in: with a move to a state that is lost under ``rule``, if a box of
    states shows one soon."""
    box = Box.of(game, _BOUND)
    if box.cells > _CELLS:
        return some_state(game, 0)
    try:
        labels = label(game, box, rule, budget=Budget(_SECONDS))
    except (BudgetSpent, OutOfReach):
        return some_state(game, 0)
    return some_state(game, 0, lambda state: labels.at(state) == LOSING)


def text_of(game: Game, state: State) -> str:
    """Return the text of ``state`` in a permalink."""
    if isinstance(game, ParametricGame):
        return format_state(state)
    return " ".join(game.facts(state))


def read(game: Game, state: State, text: str) -> Move:
    """Return the move that ``text`` means; :class:`~icgsynth.errors.IllegalMove` if illegal."""
    if isinstance(game, ParametricGame):
        return parse_move(game, state, text)
    from icgsynth.boards.play.finite import read_finite_move

    return read_finite_move(game, state, text)


def say_move(game: Game, state: State, move: Move) -> str:
    """Return ``move`` in words, as lists of moves have it: ``take 4 from a: a = 5``."""
    if isinstance(game, ParametricGame):
        return move_said(game, state, game.result(state, move))
    from icgsynth.boards.text.finite_view import finite_move_said

    return finite_move_said(move)


def moves_of(game: Game, state: State) -> list[Move]:
    """Return the moves in ``state``, [] at the end; of very many, some near their bounds."""
    if isinstance(game, ParametricGame):
        from icgsynth.boards.play.worths import listed_moves

        return listed_moves(game, state)[0]
    return [] if game.mover(state) < 0 else list(game.moves(state))


def state_view(game: Game, state: State, kind: str = "") -> Data:
    """Return as JSON how a page shows ``state`` on a board ``kind``; "" is the game's own."""
    if isinstance(game, ParametricGame):
        from icgsynth.studio.tasks.board_views import parametric_view

        return parametric_view(game, state, kind)
    from icgsynth.boards.text.finite_view import finite_view

    return finite_view(game, state, kind)


class Ply(NamedTuple):
    """A move in a line of play on a page, who makes it, and by which rule."""

    move: Move
    by: str
    rule: int | None = None


def line_of(game: Game, state: State, step: Callable[[State, int], Ply | None]) -> list[Data]:
    """Return play from ``state`` on as JSON: each state with the move that is made there. ``step``
    gives the move in a state after so many plies; None where the play ends."""
    line: list[Data] = [{"state": text_of(game, state)}]
    while (made := step(state, len(line) - 1)) is not None:
        line[-1] |= {"made": str(made.move), "by": made.by, "rule": made.rule}
        state = game.result(state, made.move)
        line.append({"state": text_of(game, state)})
    return line
