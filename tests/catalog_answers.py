"""The answers of the catalog's games, and of rules, for tests of what is done with an answer.

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
    """The answer for a game as the catalog has it."""
    seconds = LONGER.get(name, BUDGET)
    return stored(
        f"solve {name} {rule}", lambda: icg.load(name).solve(rule=rule, timeout=seconds), "solve"
    )


def answered(game: ParametricGame, rule: PlayRule = "normal") -> Solution:
    """The answer for rules that several tests write down themselves."""
    return stored(f"solve {game} {rule}", lambda: solve(game, rule, Budget(BUDGET)), "solve")
