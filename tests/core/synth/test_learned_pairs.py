"""Pairs near a line: the systems that its slope tells, and automata learned from the pairs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from automatic_solved import wythoff_pair
from hypothesis import given
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base, ostrowski
from icgsynth.game.game import ParametricGame
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.automata.cones import cones
from icgsynth.prove.recheck.steep_bounds import bounds_of
from icgsynth.solve.search import solve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, conjectures
from icgsynth.synth.digits.slopes import candidates

RULES = """
game pairs "pairs"
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a and k mod 2 = 0  eff a := a - k
action take_b(k)  pre 1 <= k <= b and k mod 2 = 0  eff b := b - k
action both{both}
"""
FIRST = """(k)
  pre 1 <= k <= min(a, b) and (a >= b and a - k >= 2 and b - k >= 3 or
                               b >= a and b - k >= 2 and a - k >= 3)
  eff a := a - k, b := b - k"""
RATIO = "(j, k)  pre 1 <= j <= a and 1 <= k <= b and 5 * j = 3 * k  eff a := a - j, b := b - k"

Both = Callable[[int, int, int, int], bool]  # whether a move by ``both`` leads from a, b to x, y

# What ``both`` does, in the language of rules and in Python.
GAMES: dict[str, tuple[str, Both]] = {
    "first": (
        FIRST,
        lambda a, b, x, y: (
            a - x == b - y and ((a >= b and x >= 2 and y >= 3) or (b >= a and y >= 2 and x >= 3))
        ),
    ),
    "ratio": (RATIO, lambda a, b, x, y: 5 * (a - x) == 3 * (b - y)),
}


def game(name: str) -> ParametricGame:
    return load_spec(Source("pairs.icg", RULES.format(both=GAMES[name][0])))


def lost_states(name: str, side: int) -> set[tuple[int, int]]:
    """The states below ``side`` that are lost in normal play, from the definition."""
    both, lost = GAMES[name][1], set[tuple[int, int]]()
    for a, b in sorted(product(range(side), repeat=2), key=sum):
        options = [(a - k, b) for k in range(2, a + 1, 2)]
        options += [(a, b - k) for k in range(2, b + 1, 2)]
        options += [(x, y) for x, y in product(range(a), range(b)) if both(a, b, x, y)]
        if not any(option in lost for option in options):
            lost.add((a, b))
    return lost


# --- learning --------------------------------------------------------------------------------


def accepts(learned: LearnedAutomaton, digits: list[tuple[int, ...]]) -> bool:
    length = max(map(len, digits))
    words = [(0,) * (length - len(word)) + word for word in digits]
    state, size = 0, round(learned.transitions.shape[1] ** (1 / len(words)))
    for column in zip(*words, strict=True):
        symbol = 0
        for digit in column:
            symbol = symbol * size + digit
        state = int(learned.transitions[state, symbol])
    return bool(learned.accepting[state])


def test_wythoffs_pairs_are_learned_from_those_below_two_hundred() -> None:
    near = [wythoff_pair(n) for n in range(200)]
    members = np.array([p for x, y in near for p in {(x, y), (y, x)} if max(p) < 200])
    system = ostrowski(1)
    (learned,) = conjectures(system, members, members[:0], 200, Budget(60))
    for n in range(1000, 1200):
        x, y = wythoff_pair(n)
        told = [
            accepts(learned, [system.representation(a), system.representation(b)])
            for a, b in ((x, y), (y, x), (x + 1, y), (x, y + 1))
        ]
        assert told == [True, True, False, False]


@given(st.sets(st.tuples(st.integers(0, 70), st.integers(0, 70)), max_size=12))
def test_a_conjecture_is_right_below_the_bound(points: set[tuple[int, int]]) -> None:
    """Whatever the points are: those of at most six binary digits are accepted, no others."""
    members = np.array(sorted(points), np.int64).reshape(-1, 2)
    for learned in conjectures(base(2), members, members[:0], 71, Budget(60)):
        for a, b in product(range(0, 64, 3), range(64)):
            digits = [base(2).representation(a), base(2).representation(b)]
            told = accepts(learned, digits) if a or b else bool(learned.accepting[0])
            assert told == ((a, b) in points)


@pytest.mark.parametrize(
    ("slope", "system"),
    [
        (2 + 3**0.5, "unit-4"),  # b^2 = 4 b - 1
        (4 + 15**0.5, "unit-8"),  # b^2 = 8 b - 1
        (3 + 14**0.5, "parry-6-5"),  # b^2 = 6 b + 5
        (1 + 2**0.5, "ostrowski-2"),  # [2; 2, 2, ...]
        (27 / 4, "base-2"),
    ],
)
def test_the_slope_of_the_losing_states_tells_the_system(slope: float, system: str) -> None:
    """Pairs n, floor(n slope), and mirrored: rays of the base of a system, or of a fraction.

    A cone of the rules whose base is no slope of theirs, b^2 = 4 b + 2, changes nothing.
    """
    grid = np.zeros((2_600, 2_600), np.bool_)
    for n in range(2_600):
        if (other := int(n * slope)) < 2_600:
            grid[n, other] = grid[other, n] = True
    for cone in ((), [(2, 3)]):
        assert str(candidates(grid, [3, 5], cone)[0]) == system


def test_nothing_is_conjectured_without_time() -> None:
    members = np.array([[1, 1], [2, 2], [4, 4]])
    assert not list(conjectures(base(2), members, members[:0], 64, Budget(0)))


# --- answers ---------------------------------------------------------------------------------


def test_moves_in_a_fixed_ratio_are_no_cone() -> None:
    """Their relation is small: no way around it is needed."""
    rules = game("ratio")
    assert cones(rules, rules.actions[2]) is None
    assert not bounds_of(rules, rules.actions[2])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["first", "ratio"])
def test_games_with_even_single_takes_are_solved(name: str) -> None:
    """Their automata take longer words than the labels of a small cube have."""
    rules = game(name)
    answer = solve(rules, "normal", Budget(120))
    assert answer.is_proved
    assert answer.losing is not None
    lost = lost_states(name, 30)
    for a, b in product(range(30), repeat=2):
        assert satisfies(answer.losing.formula, {"a": a, "b": b}) == ((a, b) in lost)
