"""What the page Play asks: the view of a state, a move made, and the answer of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from icgsynth.errors import IllegalMove, InputError
from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import game_of, rule_of

if TYPE_CHECKING:
    from icgsynth.game.game import ParametricGame, State

__all__ = ["move_made", "solved", "view_of"]


@task
def view_of(data: Data) -> Data:
    """The view of ``state`` of ``game``; of the game's own start where no state is given."""
    from icgsynth.game.game import ParametricGame

    game = game_of(data["game"])
    if isinstance(game, ParametricGame):
        return _parametric(game, data, _state(game, data.get("state")))
    raise InputError("finite games come next")


@task
def move_made(data: Data) -> Data:
    """The view after ``move``, a text as a person types it, in ``state``."""
    from icgsynth.game.game import ParametricGame
    from icgsynth.play.parametric import read_move

    game = game_of(data["game"])
    assert isinstance(game, ParametricGame)
    state = _state(game, data["state"])
    try:
        move = read_move(game, state, str(data["move"]))
    except IllegalMove as error:
        raise InputError(str(error)) from None
    view = _parametric(game, data, game.result(state, move))
    return {**view, "made": str(move)}


@task
def solved(data: Data) -> Data:
    """The answer of an impartial game: ``{"answer": .., "text": ..}``, within ``seconds``."""
    from icgsynth.budget import Budget
    from icgsynth.game.game import ParametricGame
    from icgsynth.process.worker import tell
    from icgsynth.synth.search import solve

    game = game_of(data["game"])
    assert isinstance(game, ParametricGame)
    tell("reading the rules")
    answer = solve(game, rule_of(data["game"]), Budget(data["seconds"]), tell)
    return {"answer": answer.to_json(), "text": str(answer)}


def _state(game: ParametricGame, text: Any) -> State:
    from icgsynth.play.parametric import read_state, some_state

    return some_state(game, 0) if not text else read_state(game, str(text))


def _parametric(game: ParametricGame, data: Data, state: State) -> Data:
    from icgsynth.export.views.parametric_view import parametric_view
    from icgsynth.game.moves import is_over

    view = parametric_view(game, state, str(data.get("kind", "")))
    over = is_over(game, state)
    last = "wins" if rule_of(data["game"]) == "misere" else "loses"
    ended = f"No move is left: whoever is to move {last}." if over else None
    return {"view": {**view, "ended": ended}, "state": ",".join(map(str, state)), "over": over}
