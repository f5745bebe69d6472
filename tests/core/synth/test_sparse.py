"""Sparse losing sets: tables of them, and automata learned from their members alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import gcd
from random import Random

import numpy as np
import pytest
from automatic_solved import wythoff_lost, wythoff_pair
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from speed import examples

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base, ostrowski
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.automata.cones import cones
from icgsynth.prove.recheck.steep_bounds import bounds_of
from icgsynth.solve.search import solve
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, conjectures
from icgsynth.synth.digits.cube import SparseTable
from icgsynth.synth.digits.marks import Marks, MoveCase
from icgsynth.synth.digits.slopes import candidates

RULES = """
game pairs "pairs"
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a {single}  eff a := a - k
action take_b(k)  pre 1 <= k <= b {single}  eff b := b - k
action both{both}
"""
EVEN = "and k mod 2 = 0"
WYTHOFF = "(k)  pre 1 <= k <= min(a, b)  eff a := a - k, b := b - k"
FIRST = """(k)
  pre 1 <= k <= min(a, b) and (a >= b and a - k >= 2 and b - k >= 3 or
                               b >= a and b - k >= 2 and a - k >= 3)
  eff a := a - k, b := b - k"""
RATIO = "(j, k)  pre 1 <= j <= a and 1 <= k <= b and 5 * j = 3 * k  eff a := a - j, b := b - k"
CONE = """(j, k)
  pre 1 <= j <= a and 1 <= k <= b and (j <= k and k < 2 * j + 1 or k <= j and j < 2 * k + 1)
  eff a := a - j, b := b - k"""

Both = Callable[[int, int, int, int], bool]  # whether a move by ``both`` leads from a, b to x, y

# Each with the same said in Python: whether single takes are even, and what ``both`` does.
GAMES: dict[str, tuple[str, str, bool, Both]] = {
    "wythoff": ("", WYTHOFF, False, lambda a, b, x, y: a - x == b - y),
    "first": (
        EVEN,
        FIRST,
        True,
        lambda a, b, x, y: (
            a - x == b - y and ((a >= b and x >= 2 and y >= 3) or (b >= a and y >= 2 and x >= 3))
        ),
    ),
    "ratio": (EVEN, RATIO, True, lambda a, b, x, y: 5 * (a - x) == 3 * (b - y)),
    "cone": ("", CONE, False, lambda a, b, x, y: in_cone(a - x, b - y)),
    "even cone": (EVEN, CONE, True, lambda a, b, x, y: in_cone(a - x, b - y)),
}


def in_cone(j: int, k: int) -> bool:
    return max(j, k) < 2 * min(j, k) + 1


def game(name: str) -> ParametricGame:
    single, both, *_ = GAMES[name]
    return load_spec(Source("pairs.icg", RULES.format(single=single, both=both)))


def moves(name: str, a: int, b: int) -> list[tuple[int, int]]:
    _, _, even, both = GAMES[name]
    step = 2 if even else 1
    found = [(a - k, b) for k in range(step, a + 1, step)]
    found += [(a, b - k) for k in range(step, b + 1, step)]
    return found + [(x, y) for x, y in product(range(a), range(b)) if both(a, b, x, y)]


def brute_force(
    name: str, rule: PlayRule, side: int
) -> tuple[set[tuple[int, int]], NDArray[np.bool_]]:
    """The losing states below ``side``, and where no move is left, from the definition."""
    lost: set[tuple[int, int]] = set()
    ending = np.zeros((side, side), np.bool_)
    for a, b in sorted(product(range(side), repeat=2), key=sum):
        options = moves(name, a, b)
        ending[a, b] = not options
        wins = rule == "misere" if not options else any(option in lost for option in options)
        if not wins:
            lost.add((a, b))
    return lost, ending


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", GAMES)
def test_a_table_agrees_with_brute_force(name: str, rule: PlayRule) -> None:
    lost, ending = brute_force(name, rule, 24)
    table = SparseTable.of(game(name), rule, ending[:12, :12])
    assert table is not None
    found = table.losing(24, Budget(60))
    assert found is not None
    assert {(int(a), int(b)) for a, b in found} == lost


SLOPES = [(a, b) for a in range(-2, 3) for b in (-2, -1, -1, 1, 1, 2) if gcd(a, b) == 1]
rests = st.tuples(st.integers(-2, 2), st.integers(-2, 2), st.integers(-9, 9), st.integers(1, 2))
bounds = st.tuples(
    st.sampled_from([*SLOPES, (1, 0), (-1, 0), (0, 0)]),
    st.lists(rests, min_size=1, max_size=2).map(tuple),
)


@examples(
    40,
    150,
    st.lists(bounds, max_size=4, unique_by=lambda bound: bound[0]).map(tuple),
    st.integers(1, 3),
    st.randoms(use_true_random=False),
    st.sets(st.tuples(st.integers(0, 15), st.integers(0, 59)), max_size=8),
)
def test_marks_are_those_of_each_state_before(
    given: tuple[tuple[tuple[int, int], tuple[tuple[int, int, int, int], ...]], ...],
    stride: int,
    random: Random,
    losing: set[tuple[int, int]],
) -> None:
    """Whatever the bounds are: settled or not, parallel, parting or closing."""
    allowed = [stride == 1 or random.random() < 0.7 for _ in range(stride**4)]
    residues = np.array(allowed).reshape(stride, stride, -1)
    case = MoveCase(tuple(a for a, _ in given), tuple(b for _, b in given), residues)
    x, y = np.indices((60, 60), np.int64)
    expected = np.zeros((60, 60), np.bool_)
    for u, v in losing:
        here = residues[x % stride, y % stride, u % stride * stride + v % stride] & (x > u)
        for (a, b), rest in given:
            for c, d, e, f in rest:
                here &= a * x + b * y + (c * u + d * v + e) // f >= 0
        expected |= here
    marks = Marks(case, 60)
    for i in range(60):
        row = np.zeros(60, np.bool_)
        marks.mark(row, i)
        assert np.array_equal(row, expected[i])
        for u, v in losing:
            if u == i:
                marks.note(u, v)


def test_far_rows_that_are_not_legal_have_no_losing_states() -> None:
    """The moves from the states that are left are those of Wythoff's game."""
    rules = RULES.format(single="", both=WYTHOFF).replace("a >= 0", "0 <= a <= 70")
    ending = np.zeros((12, 12), np.bool_)
    ending[0, 0] = True
    table = SparseTable.of(load_spec(Source("narrow.icg", rules)), "normal", ending)
    assert table is not None
    found = table.losing(90, Budget(60))
    assert found is not None
    lost = {(a, b) for a, b in product(range(71), range(90)) if wythoff_lost(a, b)}
    assert {(int(a), int(b)) for a, b in found} == lost


def test_other_rules_have_no_table() -> None:
    none = np.zeros((8, 8), np.bool_)
    three = "game g var a, b, c legal a >= 0 action t(k) pre 1 <= k <= a eff a := a - k"
    assert SparseTable.of(load_spec(Source("g.icg", three)), "normal", none) is None
    half = "game g var a, b legal a >= 0 action t(k) pre 1 <= k <= a div 2 eff a := a - k"
    assert SparseTable.of(load_spec(Source("g.icg", half)), "normal", none) is None
    # Ends anywhere: what a cube shows of them does not say where the others are.
    assert SparseTable.of(game("wythoff"), "normal", ~none) is None


@pytest.mark.parametrize("number", [2**41, 2**62, 2**63, 10**30])
def test_numbers_whose_sums_pass_64_bits_have_no_table(number: int) -> None:
    rules = (
        f"game g var a, b legal a >= 0 action t(k) pre 1 <= k <= a and b < {number} eff a := a - k"
    )
    none = np.zeros((8, 8), np.bool_)
    assert SparseTable.of(load_spec(Source("g.icg", rules)), "normal", none) is None


def test_a_table_keeps_its_budget() -> None:
    table = SparseTable.of(game("wythoff"), "normal", np.zeros((8, 8), np.bool_))
    assert table is not None
    with pytest.raises(BudgetSpent):
        table.losing(10**4, Budget(0))


def test_a_dense_set_is_given_up() -> None:
    """Nobody has a move: all states are lost."""
    still = "game g var a, b legal a >= 0 and b >= 0 action t pre a < 0 eff a := a - 1"
    table = SparseTable.of(load_spec(Source("g.icg", still)), "normal", np.zeros((8, 8), np.bool_))
    assert table is not None
    assert table.losing(64, Budget(60)) is None


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
def test_the_slope_of_a_table_tells_the_system(slope: float, system: str) -> None:
    """Pairs n, floor(n slope), and mirrored: rays of the base of a system, or of a fraction.

    A cone of the rules whose base is no slope of the table, b^2 = 4 b + 2, changes nothing.
    """
    near = [(n, int(n * slope)) for n in range(2_600)]
    members = np.array([p for x, y in near for p in {(x, y), (y, x)} if max(p) < 2_600])
    grid = np.zeros((100, 100), np.bool_)
    for cone in ((), [(2, 3)]):
        assert str(candidates(grid, [3, 5], cone, members)[0]) == system


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
@pytest.mark.parametrize("name", ["first", "ratio", "even cone"])
def test_sparse_games_are_solved(name: str) -> None:
    """Their automata take longer words than the labels of a small cube have."""
    rules = game(name)
    answer = solve(rules, "normal", Budget(120))
    assert answer.is_proved
    assert answer.losing is not None
    lost, _ = brute_force(name, "normal", 30)
    for a, b in product(range(30), repeat=2):
        assert satisfies(answer.losing.formula, {"a": a, "b": b}) == ((a, b) in lost)
