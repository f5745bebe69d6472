"""Finite games solved whole, and their trees; kept in the worker for long work."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from icgsynth.errors import InputError
from icgsynth.game.strategy import Strategy
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data
from icgsynth.studio.tasks.games import game_of

if TYPE_CHECKING:
    from icgsynth.fft.tiers import ImageRule
    from icgsynth.finite.arena import Arena
    from icgsynth.finite.game import FiniteGame
    from icgsynth.finite.worth import Lookup

_KEPT = 4  # games whose states are kept
_arenas: dict[str, tuple[Arena, Lookup]] = {}


def _key(game: Data) -> str:
    return json.dumps([game.get(word) for word in ("name", "text", "constants")])


def kept_arena(game: Data) -> bool:
    """Whether the game was solved in this process."""
    return _key(game) in _arenas


def arena_of(game: Data, seconds: float, tell: Any) -> Arena:
    """The game solved whole up to symmetry, once; :class:`~icgsynth.errors.Refused` past limits."""
    from icgsynth.finite.arena import arena_of_board
    from icgsynth.finite.worth import Lookup

    if _key(game) not in _arenas:
        found = _finite(game)
        arena = arena_of_board(found.board, seconds=seconds, progress=tell)
        while len(_arenas) >= _KEPT:
            _arenas.pop(next(iter(_arenas)))
        _arenas[_key(game)] = (arena, Lookup(arena))
    return _arenas[_key(game)][0]


def lookup_of(game: Data) -> Lookup:
    """The values of a game that was solved in this process."""
    return _arenas[_key(game)][1]


def tree_strategy(game: Data, tree: str) -> Strategy[ImageRule]:
    """The tree of a text as a strategy for a game that was solved in this process."""
    return _strategy(_key(game), tree)


@lru_cache(maxsize=16)
def _strategy(key: str, text: str) -> Strategy[ImageRule]:
    from icgsynth.fft.tiers import strategy_of
    from icgsynth.spec.tree import parse_tree

    arena = _arenas[key][0]
    return strategy_of(parse_tree(Source("tree", text), arena.literals, arena.actions), arena)


def _finite(game: Data) -> FiniteGame:
    from icgsynth.finite.game import FiniteGame

    found = game_of(game)
    if not isinstance(found, FiniteGame):
        raise InputError(f"{found.name} is no finite game")
    return found
