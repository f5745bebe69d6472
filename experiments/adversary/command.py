"""``python -m experiments adversary``: tries to make icgsynth claim something false.

Each kind of attempt makes a game, an answer, a conjunction, a formula or a bias at random, asks
icgsynth, and has what it claims judged by plain integers, or by play state by state, with a
reader, an evaluator and brute force of the judge's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from experiments.adversary.conjunctions import compiler, conjunctions
from experiments.adversary.constraints import constraints
from experiments.adversary.exported import answers, digit_values, texts
from experiments.adversary.games import boxes, digits, huge, quantified
from experiments.adversary.kernel import kernel
from experiments.adversary.members import families
from experiments.adversary.mutations import mutations
from experiments.adversary.repeated import ended, pile_sums
from experiments.adversary.sheets import sheets
from experiments.adversary.sizes import large, offsets, tiny
from experiments.adversary.trees import trees
from experiments.adversary.values import heap_values, misere_rows, values
from experiments.attempts import Campaign, run

__all__ = ["CAMPAIGN", "main"]

CAMPAIGN = Campaign(
    "adversary",
    {
        "quantified": quantified,
        "huge": huge,
        "boxes": boxes,
        "digits": digits,
        "offsets": offsets,
        "tiny": tiny,
        "large": large,
        "mutations": mutations,
        "conjunctions": conjunctions,
        "compiler": compiler,
        "constraints": constraints,
        "values": values,
        "heap_values": heap_values,
        "families": families,
        "ended": ended,
        "pile_sums": pile_sums,
        "misere_rows": misere_rows,
        "kernel": kernel,
        "texts": texts,
        "exports": answers,
        "digit_values": digit_values,
        "trees": trees,
        "sheets": sheets,
    },
    Path(__file__).parents[1] / "adversary.csv",
)


def main(arguments: Sequence[str]) -> int:
    """Attack each kind in turn; see :mod:`experiments.attempts`."""
    return run(CAMPAIGN, arguments)
