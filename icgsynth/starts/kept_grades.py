"""Graded positions that an earlier run has found: to grade a whole board takes half a minute."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import numpy as np

from icgsynth.finite.compiled import Progress, silent
from icgsynth.process.kept import Arrays, keep, kept
from icgsynth.starts.choose import Graded, Wanted, grade
from icgsynth.starts.hardness import EPSILON
from icgsynth.starts.lines import LineGame
from icgsynth.starts.query import Query

__all__ = ["graded"]

_TRIED = 8  # kept positions that are graded again, one by one, before the others are believed


def graded(game: LineGame, wanted: Wanted, progress: Progress = silent) -> Graded:
    """:func:`~icgsynth.starts.choose.grade`, from the disk where an earlier run left it there.

    Some of what is found there is computed anew; where that differs, all is.
    """
    key = _key(game, wanted)
    query = Query(game, wanted.reward, progress)
    if (found := kept(key)) is not None and _holds(found, query, wanted):
        states, chances = np.asarray(found["states"], np.uint64), found["chances"]
        return Graded(wanted, query, states, np.asarray(chances, np.float32))
    source = grade(game, wanted, progress)
    keep(key, {"states": source.states, "chances": source.chances})
    return source


def _key(game: LineGame, wanted: Wanted) -> dict[str, Any]:
    """All that the grades depend on: the game, what is wanted, and the code that finds them."""
    from icgsynth.starts import board_sweeps, play_kernels

    kernels: Any = (*board_sweeps.KERNELS, *play_kernels.KERNELS)
    return {
        "what": "graded positions",
        "code": [kernel.sources for kernel in kernels],
        "game": [game.rows, game.columns, game.match, game.win, game.lowest],
        "moves": wanted.moves,
        "depths": list(wanted.depths),
        "opponent": wanted.opponent,
        "reward": list(astuple(wanted.reward)),
        "rule": wanted.rule,
    }


def _holds(found: Arrays, query: Query, wanted: Wanted) -> bool:
    """Whether the arrays have their shapes, and some of the positions their chances."""
    states, chances = found.get("states"), found.get("chances")
    if states is None or chances is None:
        return False
    shapes = (len(states), 2), (len(states), len(wanted.depths))
    kinds = states.dtype == np.uint64 and chances.dtype == np.float32
    if (states.shape, chances.shape) != shapes or not kinds:
        return False
    rng = np.random.default_rng(wanted.seed)
    for row in rng.choice(len(states), min(_TRIED, len(states)), replace=False):
        x, o = map(int, states[row])
        if not query.game.is_legal((x, o)):
            return False
        for depth, chance in zip(wanted.depths, chances[row], strict=True):
            if abs(query.chance((x, o), depth, wanted.opponent) - float(chance)) > EPSILON:
                return False
    return True
