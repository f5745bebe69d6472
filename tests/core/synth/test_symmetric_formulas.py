"""Formulas of games whose two piles may change places: over the least of them and their sum."""

from __future__ import annotations

from itertools import product
from operator import itemgetter

import numpy as np
import pytest
from family_rules import RULES
from plain_play import loser

from icgsynth.budget import Budget
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import satisfies
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner, sorted_terms

SIDE = 48
LONGEST = 20  # what is found without these terms has 80 leaves and more


def published(k, n, m):
    """Who loses Codeforces 36D by its published solution, for k >= 2."""
    least = min(n, m)
    return least % (k + 1) != k and (n + m + least // (k + 1)) % 2 == 0


@pytest.mark.parametrize("k", [2, 3])
def test_a_quotient_of_the_least_pile_makes_the_published_formula(k):
    """Without the raised sum the answer is a table of remainders, 80 leaves or more."""
    game = parse(Source("chess", "game chess " + RULES["chess piece"])).game({"k": k})
    losing = solve(game, budget=Budget(60)).losing.formula
    assert size(losing) < LONGEST
    for a, b in product(range(SIDE), repeat=2):
        assert satisfies(losing, {"a": a, "b": b}) == published(k, a, b)


def test_labels_that_tell_the_order_are_not_called_symmetric():
    states = np.array([*product(range(6), repeat=2)])
    one, either = states[:, 0] % 3 == 0, states.sum(axis=1) % 3 == 0
    assert not Examples(("a", "b"), states, one).is_symmetric
    assert Examples(("a", "b"), states, either).is_symmetric


def test_a_sum_that_does_not_tell_the_label_is_not_offered():
    """The square of the least does not follow from remainders of the least and of a sum."""
    states = np.array([*product(range(40), repeat=2)])
    target = np.isin(states.min(axis=1), np.arange(7) ** 2)
    assert not [*sorted_terms(Examples(("a", "b"), states, target), (2, 3, 5))]


def test_remainders_of_a_distance_are_said_of_the_distance():
    """1 to 3 go from the larger pile to the smaller, so their distance falls by 2, 4 or 6.

    Faults it sees: ``(min(a, b) - max(a, b)) mod 8``, for which nobody asks.
    """
    rules = """game balance
    var a, b
    legal a >= 0 and b >= 0
    action ab(k) pre 1 <= k <= 3 and a - k >= b + k eff a := a - k, b := b + k
    action ba(k) pre 1 <= k <= 3 and b - k >= a + k eff b := b - k, a := a + k
    """
    losing = solve(parse(Source("balance", rules)).game(), budget=Budget(60)).losing.formula
    assert size(losing) == size(parse_formula("abs(a - b) mod 8 <= 1", "ab"))
    for a, b in product(range(30), repeat=2):
        assert satisfies(losing, {"a": a, "b": b}) == (abs(a - b) % 8 <= 1)


def test_the_largest_of_three_piles_and_how_many_are_odd_are_counted():
    """Faults it sees: a middle pile taken for the largest, a count of odd piles off by one."""
    states = np.array([*product(range(7), repeat=3)])
    lost = (states.max(axis=1) % 3 == 0) & ((states % 2).sum(axis=1) <= 1)
    examples = Examples(tuple("abc"), states, lost)
    learner = FormulaLearner(examples, 4, Budget(60), wide=examples, free=range(3))
    _, formula = min(learner.of_sorted(), key=itemgetter(0))
    for state in product(range(10), repeat=3):
        holds = max(state) % 3 == 0 and sum(n % 2 for n in state) <= 1
        assert satisfies(formula, dict(zip("abc", state, strict=True))) == holds, state


SLOW_PAIRS = """game slow_pairs
var a, b, c
legal a >= 0 and b >= 0 and c >= 0
action ab pre a >= 1 and b >= 1 eff a := a - 1, b := b - 1
action ac pre a >= 1 and c >= 1 eff a := a - 1, c := c - 1
action bc pre b >= 1 and c >= 1 eff b := b - 1, c := c - 1
action abc pre a >= 1 and b >= 1 and c >= 1 eff a := a - 1, b := b - 1, c := c - 1
"""


@pytest.mark.nightly
def test_three_piles_are_said_in_order_of_size():
    """Slow {2, 3}-Nim: 60 leaves without the largest pile and the number of odd ones.

    Faults it sees: a middle pile taken for another, a count of odd piles that is off by one.
    """
    game = parse(Source("rules", SLOW_PAIRS)).game()
    solution = solve(game, budget=Budget(60))
    assert solution.is_proved
    is_lost = loser(game, "normal")
    for state in product(range(9), repeat=3):
        assert satisfies(solution.losing.formula, game.env(state)) == is_lost(state), state
    text = str(solution)
    assert "most = the largest of a, b, c" in text
    assert "odd = how many are odd of a, b, c" in text
