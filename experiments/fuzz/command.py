"""``python -m experiments fuzz``: random games and mutilated files, for wrong answers and crashes.

The games come from a grammar.  Each answer is judged by brute force that shares no code with
icgsynth, each export is played against the answer, and ``verify`` and cvc5 are asked as well.  An
answer made wrong must not be proved.  Files of every format are mutilated: each is read, or
refused with a message.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from experiments.adversary.attempt import RULES, solve_and_judge
from experiments.adversary.mutations import mutated
from experiments.attempts import Campaign, Outcome, run
from experiments.fuzz.exports import wrong_export
from experiments.fuzz.grammar import rules
from experiments.fuzz.readers import READERS

__all__ = ["CAMPAIGN", "main"]

_SECONDS = 3.0  # for one game


def games(rng: random.Random) -> Outcome:
    """A game of the grammar under either rule."""
    text, rule = rules(rng), rng.choice(RULES)
    return solve_and_judge(text, rule, rng, _SECONDS, cells=400, far=25, more=wrong_export)


def answers(rng: random.Random) -> Outcome:
    """The right answer for a game of the grammar, made wrong, for ``verify``."""
    return mutated(rules(rng), rng)


CAMPAIGN = Campaign(
    "fuzz", {"games": games, "answers": answers, **READERS}, Path(__file__).parents[1] / "fuzz.csv"
)


def main(arguments: Sequence[str]) -> int:
    """Make attempts of each kind in turn; see :mod:`experiments.attempts`."""
    return run(CAMPAIGN, arguments)
