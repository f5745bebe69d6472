"""Solve finite games whole, and keep the results in files that all workers read."""

from __future__ import annotations

import json
import pickle
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icgsynth.game.strategy import Strategy
from icgsynth.process.aside import write_aside
from icgsynth.spec.source import Source
from icgsynth.studio.faults import Data
from icgsynth.studio.tasks.games import finite_of

if TYPE_CHECKING:
    from icgsynth.boards.fft.tiers import ImageRule
    from icgsynth.boards.finite.arena import Arena
    from icgsynth.boards.finite.arena_table import Lookup

_KEPT = 4  # games whose states are kept in memory
_folder: Path  # where the files of all solved games are


def keep_in(folder: str) -> None:
    """Let this process keep the games it solves in ``folder``, which all studio processes share."""
    global _folder
    _folder = Path(folder)


def _file(key: str) -> Path:
    return _folder / sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _key(game: Data) -> str:
    return json.dumps([game.get(word) for word in ("name", "text", "constants")])


def kept_arena(game: Data) -> bool:
    """Return whether some process of the studio has solved ``game`` and kept the result."""
    return _file(_key(game)).exists()


def arena_of(game: Data, seconds: float, tell: Any) -> Arena:
    """Return ``game`` solved whole, up to symmetry, and keep it; Refused past limits or
    ``seconds``. ``tell`` hears of the work."""
    from icgsynth.boards.finite.arena import arena_of_board

    key = _key(game)
    if not _file(key).exists():
        arena = arena_of_board(finite_of(game).board, seconds=seconds, progress=tell)
        write_aside(_file(key), pickle.dumps(arena))
    return _read(key)[0]


def lookup_of(game: Data) -> Lookup:
    """Return what finds a state of ``game``, by its facts, with who wins it and in how many moves;
    the game must have been solved."""
    return _read(_key(game))[1]


@lru_cache(maxsize=_KEPT)
def _read(key: str) -> tuple[Arena, Lookup]:
    from icgsynth.boards.finite.arena_table import Lookup

    arena = pickle.loads(_file(key).read_bytes())  # which only the studio's own processes write
    return arena, Lookup(arena)


def tree_strategy(game: Data, tree: str) -> Strategy[ImageRule]:
    """Return the tree with the text ``tree`` as a strategy of ``game``, which must be solved."""
    return _strategy(_key(game), tree)


@lru_cache(maxsize=16)
def _strategy(key: str, text: str) -> Strategy[ImageRule]:
    from icgsynth.boards.fft.tiers import strategy_of
    from icgsynth.boards.rules.tree import parse_tree

    arena = _read(key)[0]
    return strategy_of(parse_tree(Source("tree", text), arena.literals, arena.actions), arena)
