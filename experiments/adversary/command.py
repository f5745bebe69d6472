"""``python -m experiments adversary``: tries to make icgsynth claim something false.

Each kind of attempt makes a game, an answer, a conjunction or a formula at random, asks icgsynth,
and has what it claims judged by plain integers, with a reader, an evaluator and brute force of the
judge's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.adversary.conjunctions import compiler, conjunctions
from experiments.adversary.games import boxes, digits, huge, quantified
from experiments.adversary.mutations import mutations
from experiments.attempts import Campaign, run

__all__ = ["CAMPAIGN", "main"]

CAMPAIGN = Campaign(
    "adversary",
    {
        "quantified": quantified,
        "huge": huge,
        "boxes": boxes,
        "digits": digits,
        "mutations": mutations,
        "conjunctions": conjunctions,
        "compiler": compiler,
    },
    Path(__file__).parents[1] / "adversary.csv",
)


def main(arguments: Sequence[str]) -> int:
    """Attack each kind in turn; see :mod:`experiments.attempts`."""
    return run(CAMPAIGN, arguments)
