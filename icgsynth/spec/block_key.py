"""The key "block" of a solution file: how many options may be forbidden before each move."""

from __future__ import annotations

from icgsynth.game.game import ParametricGame
from icgsynth.spec.json_text import Located

__all__ = ["require_block"]


def require_block(entry: Located, game: ParametricGame) -> None:
    """:class:`~icgsynth.errors.InputError` unless ``game`` has the same 'block' as the file."""
    place = entry.get("block")
    if (most := 0 if place is None else place.integer()) != game.block:
        message = f"the solution is for 'block {most}', {game.name} has 'block {game.block}'"
        raise (place or entry).error(message, "solve the game anew")
