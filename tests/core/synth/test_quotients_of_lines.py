"""Losing sets on lines of the plane, and between many piles; each compared with plain play."""

from __future__ import annotations

import re
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.logic.evaluate import on_states
from icgsynth.prove.deciders import smt
from icgsynth.prove.deciders.portfolio import second_opinion
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.checked import bounds
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.sample import candidates

EVEN_PILES = """
game even_piles
var x, y
legal x >= 0 and y >= 0
action one(k) pre 1 <= k <= x and k mod 2 = 0 eff x := x - k
action other(k) pre 1 <= k <= y and k mod 2 = 0 eff y := y - k
action both(k) pre k in {SET} and k <= x and k <= y eff x := x - k, y := y - k
"""
CIRCULAR = """
game circle
var a, b, c, d, e
legal a >= 0 and b >= 0 and c >= 0 and d >= 0 and e >= 0
action abc(i, j, k) pre 0 <= i <= a and 0 <= j <= b and 0 <= k <= c and i + j + k >= 1
  eff a := a - i, b := b - j, c := c - k
"""


def _plane(moves: tuple[int, ...], width: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Labels of even piles by plain backward induction."""
    losing: dict[tuple[int, int], bool] = {}
    for x, y in product(range(width), repeat=2):
        after = [(x - k, y) for k in range(2, x + 1, 2)]
        after += [(x, y - k) for k in range(2, y + 1, 2)]
        after += [(x - k, y - k) for k in moves if k <= min(x, y)]
        losing[x, y] = not any(losing[s] for s in after)
    return np.array(list(losing)), np.array(list(losing.values()))


def _circle(width: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Labels of five piles in a circle, of which three neighbours are reduced."""
    losing: dict[tuple[int, ...], bool] = {}
    for state in product(range(width), repeat=5):
        losing[state] = True
        for first in range(5):
            places = [(first + i) % 5 for i in range(3)]
            for values in product(*(range(state[p] + 1) for p in places)):
                new = list(state)
                for place, value in zip(places, values, strict=True):
                    new[place] = value
                if tuple(new) != state and losing[tuple(new)]:
                    losing[state] = False
                    break
            if not losing[state]:
                break
    return np.array(list(losing)), np.array(list(losing.values()))


def test_an_open_parameter_may_be_a_number_of_the_rules() -> None:
    """Where ``y`` loses at 0 the move says nothing of ``k``; the rules let it be 7 alone."""
    rules = "game g var x, y legal x >= 0 and y >= 0 action a(k, j) "
    rules += "pre k = 7 and k <= x and 1 <= j <= y eff x := x - k, y := y - j"
    game = parse(Source("g.icg", rules)).game()
    losing, states = parse_formula("y = 0", game.variables), np.array([(7, 2), (9, 4), (8, 5)])
    found = candidates(game, losing, states, states[:, 1] > 0, Budget(30))
    assert "a(7, y)" in [str(candidate.act) for candidate in found]


def test_five_piles_in_a_circle_lose_where_three_relations_hold() -> None:
    names = tuple("abcde")
    states, target = _circle(5)
    examples = Examples(names, states, target)
    learner = FormulaLearner(examples, 4, Budget(30), wide=examples, free=range(5))
    formula = next(learner.of_relations())
    farther = np.array(list(product(range(8), repeat=5)))
    turned = [np.roll(farther, i, axis=1).T for i in range(5)]
    expected = [(a == 0) & (b == e) & (b == c + d) for a, b, c, d, e in turned]
    assert (on_states(formula, names, farther) == np.logical_or.reduce(expected)).all()


@cache
def _hands_lose(p: int, q: int, r: int, s: int) -> bool:
    """Whether one loses Chopsticks with p hands of one finger and q of two, against r and s."""
    after = [(r - 1, s + 1, p, q)] if p and r else []
    after += [(r, s - 1, p, q)] if p + q and s else []
    after += [(r - 1, s, p, q)] if q and r else []
    return not any(_hands_lose(*state) for state in after)


@pytest.mark.slow
def test_relations_may_be_parities_and_compare_two_sums() -> None:
    """Faults it sees: an order of sums without its parity; two relations that hold by chance."""
    names, states = tuple("pqrs"), np.array(list(product(range(7), repeat=4)))
    target = np.array([_hands_lose(*state) for state in states.tolist()])
    examples = Examples(names, states, target)
    learner = FormulaLearner(examples, 4, Budget(60), wide=examples, free=range(4))
    formula = next(learner.of_relations())
    far = np.random.default_rng(0).integers(0, 25, (3_000, 4))
    expected = [_hands_lose(*state) for state in far.tolist()]
    assert (on_states(formula, names, far) == expected).all()


def test_relations_are_not_seen_in_a_pattern_without_any() -> None:
    states = np.array(list(product(range(4), repeat=4)))
    target = np.bitwise_xor.reduce(states * np.array([1, 3, 5, 7]), axis=1) % 11 == 1
    examples = Examples(tuple("abcd"), states, target)
    learner = FormulaLearner(examples, 4, Budget(30), wide=examples, free=range(4))
    for formula in learner.of_relations():
        assert (on_states(formula, tuple("abcd"), states) == target).all()


def test_a_small_box_comes_first_only_where_moves_are_very_many() -> None:
    five = ", ".join("abcde")
    legal = " and ".join(f"{v} >= 0" for v in "abcde")
    head = f"game piles\nvar {five}\nlegal {legal}\n"
    one = [f"action {v}1(k) pre 1 <= k <= {v} eff {v} := {v} - k" for v in "abcde"]
    few = parse(Source("few", head + "\n".join(one))).game()
    assert next(bounds(few)) == 6
    move = CIRCULAR.split("action abc")[1]

    def around(i: int) -> str:
        """The move of three piles in a row that begins with pile ``i``."""
        return re.sub(r"\b[abc]\b", lambda found: "abcdeab"["abc".index(found[0]) + i], move)

    three = [f"action t{i}{around(i)}" for i in range(5)]
    many = parse(Source("many", head + "".join(three))).game()
    assert next(bounds(many)) == 3


def test_the_core_of_many_parts_is_no_proof_of_what_it_does_not_imply() -> None:
    names = ("x", "y")
    texts = ["x >= 0", "y >= 0", "x + y <= 9", "x != 3", "y != 4", "x > y"]
    parts = [parse_formula(text, names) for text in texts]
    for first in (frozenset({"z3"}), frozenset({"residue classes"}), frozenset({"isl", "z3"})):
        assert second_opinion(parts, names, first, Budget(10)).kind != "unsat"
    parts.append(parse_formula("x < 0", names))
    for first in (frozenset({smt.NAME}), frozenset({"residue classes", smt.NAME})):
        assert second_opinion(parts, names, first, Budget(10)).kind == "unsat"


@pytest.mark.slow
@pytest.mark.parametrize("diagonal", [(3,), pytest.param((3, 4), marks=pytest.mark.nightly)])
def test_even_piles_with_diagonal_moves_are_solved(diagonal: tuple[int, ...]) -> None:
    game = parse(Source("test", EVEN_PILES.replace("SET", ", ".join(map(str, diagonal))))).game()
    solution = solve(game, "normal", Budget(300, work=60))
    assert solution.status == "solved"
    states, labels = _plane(diagonal, 80)
    assert solution.losing is not None and len(solution.strategy) > 0
    assert (on_states(solution.losing.formula, ("x", "y"), states) == labels).all()


def test_a_slice_may_have_every_second_number_alone() -> None:
    """Take 1 to 3; who has an even number of stones in the end wins: n and both parities.

    Faults it sees: a period of a slice counted in its states and not in n.
    """
    rules = """game parity
    var n, mine, yours
    legal n >= 0 and 0 <= mine <= 1 and 0 <= yours <= 1 and (n + mine + yours) mod 2 = 1
    action take(k) pre 1 <= k <= 3 and k <= n
      eff n := n - k, mine := yours, yours := (mine + k) mod 2
    action won pre n = 0 and mine = 0 and yours = 1 eff mine := 1, yours := 0
    """
    solution = solve(parse(Source("rules", rules)).game(), budget=Budget(60))
    assert solution.is_proved
    assert solution.logic == "lia"
    lost: dict[tuple[int, int, int], bool] = {}
    for n in range(40):
        for mine, yours in product((0, 1), repeat=2):
            after = [(n - k, yours, (mine + k) % 2) for k in (1, 2, 3) if k <= n]
            wins = n == 0 and (mine, yours) == (0, 1)
            lost[n, mine, yours] = not wins and not any(lost[state] for state in after)
            if (n + mine + yours) % 2:
                says = solution.is_winning({"n": n, "mine": mine, "yours": yours})
                assert says != lost[n, mine, yours]
