"""Answers of the catalog's games, and of rules, for tests of what is done with an answer.

Tests of how it is found call ``solve`` themselves.
"""

from __future__ import annotations

from functools import cache

from store import stored

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.solve.search import solve

BUDGET = 60.0  # seconds, for any machine: the games that are asked for take a few
LONGER = {"welter3": 300.0}  # half a minute on an idle machine


@cache
def solved(name: str, rule: PlayRule = "normal") -> Solution:
    """Return the answer for the game ``name`` of the catalog, solved once for all tests."""
    seconds = LONGER.get(name, BUDGET)
    return stored(
        f"solve {name} {rule}", lambda: icg.load(name).solve(rule=rule, timeout=seconds), "solve"
    )


def answered(game: ParametricGame, rule: PlayRule = "normal") -> Solution:
    """Return the answer for rules that several tests write down, solved once for all tests."""
    return stored(f"solve {game} {rule}", lambda: solve(game, rule, Budget(BUDGET)), "solve")
