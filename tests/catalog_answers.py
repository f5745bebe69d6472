"""The answers of the catalog's games, each found once in a run of the tests.

For tests of what is done with an answer; those of how it is found call ``solve`` themselves.
"""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path

import icgsynth as icg
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Solution

FOLDER = "ICGSYNTH_TEST_ANSWERS"  # the environment variable that ``conftest.py`` sets
BUDGET = 60.0  # seconds, for any machine: the games that are asked for take a few


@cache
def solved(name: str, rule: PlayRule = "normal") -> Solution:
    """The answer for a game as the catalog has it, from whichever worker found it first."""
    kept = Path(os.environ[FOLDER]) / f"{name}.{rule}.pickle"
    if kept.exists():
        known: Solution = pickle.loads(kept.read_bytes())
        return known
    found = icg.load(name).solve(rule=rule, timeout=BUDGET)
    aside = kept.with_suffix(f".{os.getpid()}")
    aside.write_bytes(pickle.dumps(found))
    aside.replace(kept)
    return found
