"""Subtraction games: each has a period, and its answer is a formula with that period.

The referee is recursion over all moves, far past the period.
"""

from __future__ import annotations

import random

import pytest
from speed import sampled

import icgsynth as icg
from icgsynth.logic.evaluate import satisfies

FAR = 1_500  # states that the formula is compared on; each period here is below 400


def wins(taken: list[int], is_misere: bool) -> list[bool]:
    """Whether the player to move wins with so many counters."""
    found: list[bool] = []
    for v in range(FAR):
        after = [found[v - k] for k in taken if k <= v]
        found.append(not all(after) if after else is_misere)
    return found


def require_formula(taken: list[int], rule: str) -> None:
    some = ", ".join(map(str, taken))
    rules = f"game taken var v legal v >= 0 action take(k) pre k in {{{some}}} and k <= v"
    solution = icg.loads(f"{rules} eff v := v - k").solve(rule=rule)
    assert (solution.status, solution.logic) == ("solved", "lia")
    expected = wins(taken, rule == "misere")
    winning = solution.winning.formula
    assert [satisfies(winning, {"v": v}) for v in range(FAR)] == expected


@pytest.mark.parametrize("rule", ["normal", "misere"])
@sampled("taken", [[1, 4, 9, 10], [1, 4, 7, 8]], ids=str)
def test_a_period_past_the_first_box_is_a_formula(taken, rule):
    """An automaton was found first (periods 31 and 25), where all boxes come before digits."""
    require_formula(taken, rule)


@sampled("seed", range(24))
def test_sets_of_two_to_four_numbers(seed):
    drawn = random.Random(seed)
    taken = sorted(drawn.sample(range(1, 31), drawn.randint(2, 4)))
    require_formula(taken, drawn.choice(["normal", "misere"]))
