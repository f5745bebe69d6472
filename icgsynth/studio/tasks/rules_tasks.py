"""What the page Rules asks: whether a text is a game, and what is wrong with it."""

from __future__ import annotations

from icgsynth.studio.faults import Data, task
from icgsynth.studio.tasks.games import game_of

__all__ = ["checked"]


@task
def checked(data: Data) -> Data:
    """What the rules in ``game`` come to: the name of the game and its title."""
    from icgsynth.game.game import ParametricGame

    game = game_of(data["game"])
    title = game.title if isinstance(game, ParametricGame) else game.name
    return {"name": game.name, "title": title or game.name}
