"""Bounds by interval reasoning: no satisfying value may lie outside them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from drawn_formulas import OPERATORS, Drawing
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

from icgsynth.digits.numeration import base
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.intervals import Interval
from icgsynth.logic.ranges import box_of, candidates, ranges
from icgsynth.logic.term import (
    And,
    Compare,
    Digital,
    Div,
    Formula,
    Int,
    Mod,
    Mul,
    Name,
    Sum,
    compare,
)
from icgsynth.spec.icg import parse_formula

NAMES = ("a", "b", "k", "l")
REACH = 6  # the unknowns k and l are tried from -REACH to REACH

numbers = st.integers(-5, 5)
drawing = Drawing(
    NAMES,
    numbers,
    divisors=st.integers(1, 4),
    factors=st.integers(-3, 3),
    more_terms=lambda inner: st.builds(Mul, inner, inner),
)
leaves, formulas = drawing.leaves(), drawing.formulas(5, 4)
small = st.integers(-5, 5)


def solutions(formula: Formula, env: dict[str, int]) -> list[tuple[int, int]]:
    tries = itertools.product(range(-REACH, REACH + 1), repeat=2)
    return [(k, m) for k, m in tries if satisfies(formula, env | {"k": k, "l": m})]


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(formulas, small, small)
def test_one_state_is_bounded_soundly(formula: Formula, a: int, b: int) -> None:
    bounds = ranges(formula, ["k", "l"], {"a": a, "b": b})
    for values in solutions(formula, {"a": a, "b": b}):
        for (lo, hi), value in zip(bounds.values(), values, strict=True):
            assert lo is None or lo <= value
            assert hi is None or value <= hi


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(formulas, st.lists(st.tuples(small, small), min_size=1, max_size=4), st.booleans())
def test_columns_are_bounded_soundly(
    formula: Formula, states: list[tuple[int, int]], exact: bool
) -> None:
    a, b = np.array(states, dtype=object if exact else np.int64).T
    bounds = ranges(formula, ["k", "l"], {"a": a, "b": b})
    for i, state in enumerate(states):
        for values in solutions(formula, dict(zip("ab", state, strict=True))):
            for (lo, hi), value in zip(bounds.values(), values, strict=True):
                assert lo is None or lo[i] <= value
                assert hi is None or value <= hi[i]


@pytest.mark.slow
@settings(max_examples=120, deadline=None)
@given(formulas, small, small, st.integers(0, 4))
def test_intervals_are_narrowed_soundly(formula: Formula, low: int, b: int, width: int) -> None:
    room = {"a": Interval(low, low + width), "k": Interval(-2, None), "b": b}
    bounds = ranges(formula, ["k", "l", "a"], room)
    for a in range(low, low + width + 1):
        for k, m in solutions(formula, {"a": a, "b": b}):
            for (lo, hi), value in zip(bounds.values(), (k, m, a), strict=True):
                if k >= -2:
                    assert lo is None or lo <= value
                    assert hi is None or value <= hi


products = st.builds(
    lambda s, t, u, op: And((Compare((Int(1), s), ("<=",)), Compare((Mul(s, t), u), (op,)))),
    *[st.one_of(leaves, st.builds(lambda x, y: Sum((x, y)), leaves, leaves))] * 3,
    st.sampled_from(OPERATORS),
)


@examples(50, 200, products, small, small)
def test_a_product_bounds_its_other_factor_soundly(formula: Formula, a: int, b: int) -> None:
    columns = {"a": np.array([a, b]), "b": np.array([b, a])}
    one = ranges(formula, ["k", "l"], {"a": a, "b": b})
    many = ranges(formula, ["k", "l"], columns)
    for values in solutions(formula, {"a": a, "b": b}):
        for (lo, hi), (los, his), value in zip(one.values(), many.values(), values, strict=True):
            assert lo is None or lo <= value
            assert hi is None or value <= hi
            assert los is None or los[0] <= value
            assert his is None or value <= his[0]


def test_a_positive_factor_bounds_the_other_by_the_product() -> None:
    formula = parse_formula("1 <= a and 1 <= k and a * k <= b", (), constants="abk")
    assert ranges(formula, ["a", "k"], {"b": 20})["k"] == (1, 20)
    assert ranges(formula, ["k"], {"a": 3, "b": 20}) == {"k": (1, 6)}
    below = parse_formula("1 <= a and a * k >= -b", (), constants="abk")
    assert ranges(below, ["a", "k"], {"b": 20})["k"] == (-20, None)
    unknown = parse_formula("a * k <= b", (), constants="abk")
    assert ranges(unknown, ["a", "k"], {"b": 20})["k"] == (None, None)
    assert ranges(unknown, ["k"], {"a": -3, "b": 20})["k"] == (-6, None)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(formulas, small, small)
def test_candidates_hold_every_solution_in_order(formula: Formula, a: int, b: int) -> None:
    within = And(
        (formula, Compare((Int(-REACH), Name("k"), Name("l"), Int(REACH)), ("<=", "<=", "<=")))
    )
    env = {"a": a, "b": b}
    listed = list(candidates(within, ("k", "l"), env))
    assert listed == sorted(set(listed))
    assert {s for s in solutions(formula, env) if s[0] <= s[1]} <= set(listed)


def bounds_of(text: str, **env: int) -> dict[str, tuple[int | None, int | None]]:
    return ranges(parse_formula(text, ["k", "l", *env]), ["k", "l"], env)  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 <= k <= min(a, b)", (1, 4)),
        ("max(k, 3) <= a and k + 2 > b", (6, 4)),
        ("k in {1, 3, 8} and k <= a", (1, 3)),
        ("0 <= 2 * k <= a", (0, 2)),
        ("abs(k - a) <= 2", (2, 6)),
        ("3 * k = b", (0, -1)),
        ("(k = a or k = b) and k != 4", (7, 7)),
        ("0 <= k div 3 <= 1", (0, 5)),
        ("(a > 5 -> k = 9) and (a <= 5 -> 1 <= k <= l and l <= 2)", (1, 2)),
        ("k >= 1 and a + k <= b + 3 - k", (1, 3)),
        ("exists x. 0 <= x <= 2 and k = a + x", (4, 6)),
        ("not (k < 2 or k > a)", (2, 4)),
    ],
)
def test_bounds_are_tight_where_games_need_it(text: str, expected: tuple[int, int]) -> None:
    lo, hi = bounds_of(text, a=4, b=7)["k"]
    assert lo is not None and hi is not None
    assert (lo, hi) == expected or (lo > hi and expected[0] > expected[1])


@pytest.mark.parametrize(
    "rules",
    [
        "(a = 0 or k <= a) and (b = 0 or k <= b) and a + b >= 1 and k >= 1",
        "(a > 0 -> k <= a) and not (b > 0 and k > b) and not a = b = 0 and k >= 1",
    ],
)
def test_bounds_are_seen_under_or_at_many_states_at_once(rules: str) -> None:
    """Of each ``or`` one part says nothing of k, so that only a choice of parts has a bound.

    Faults it sees: the cases are not tried; they are tried for an ``or`` alone and not for
    what says the same; a part of an ``or`` is left out.
    """
    a, b = np.array([0, 2, 3, 3]), np.array([4, 0, 1, 5])
    lo, hi = ranges(parse_formula(rules, "abk"), ["k"], {"a": a, "b": b})["k"]
    assert (lo.tolist(), hi.tolist()) == ([1, 1, 1, 1], [4, 2, 1, 3])


def test_unbounded_and_impossible() -> None:
    assert bounds_of("k >= a", a=3) == {"k": (3, None), "l": (None, None)}
    assert bounds_of("k >= a and k < a", a=3)["l"] == (0, -1)
    with pytest.raises(OverflowError, match="'k' has no upper bound"):
        list(candidates(parse_formula("k >= a", "ak"), ("k",), {"a": 3}))
    assert list(candidates(parse_formula("k >= a and a > 3", "ak"), ("k",), {"a": 3})) == []
    assert list(candidates(parse_formula("a > 3", "a"), (), {"a": 4})) == [()]


def test_bounds_of_a_parameter_follow_those_before_it() -> None:
    formula = parse_formula("l >= 1 and l <= k and 1 <= k <= a", "akl")
    found = list(candidates(formula, ("k", "l"), {"a": 4}))
    assert found == [(k, m) for k in range(1, 5) for m in range(1, k + 1)]


def test_a_thousand_digits_are_exact() -> None:
    huge = 10**999 + 7
    assert bounds_of("7 * k = a", a=7 * huge)["k"] == (huge, huge)
    column = np.array([7 * huge, 0], dtype=object)
    lo, hi = ranges(parse_formula("7 * k = a", "ak"), ["k"], {"a": column})["k"]
    assert lo.tolist() == hi.tolist() == [huge, 0]
    near = np.array([2**61, -(2**61)])
    lo, _ = ranges(parse_formula("k >= 9 * a", "ak"), ["k"], {"a": near})["k"]
    assert lo.tolist() == [9 * 2**61, -9 * 2**61]


def test_the_box_of_the_legal_states() -> None:
    chomp = parse_formula("a >= 1 and 0 <= b <= a", "ab")
    assert box_of(chomp, ("a", "b"), 9) == ((1, 9), (0, 9))
    assert box_of(parse_formula("a + b = 12 and a >= b - 2", "ab"), "ab", 7)[0][1] == 7
    assert box_of(parse_formula("a > 9", "ab"), "ab", 9) == ((0, -1), (0, -1))


far = st.integers(-8, 8) | st.sampled_from([2**31, 2**62, 2**63, -(2**64), 10**30])


@examples(
    20,
    150,
    st.sampled_from(
        [
            "3 * k < a + b and 2 * k + 1 >= b",
            "k = a or k = b - 2 or (k >= 2 and k < 5)",
            "b < k <= a + 1 and k mod 2 = 1",
            "k >= 18446744073709551616 * b and k <= a",
            "k = 9223372036854775808 or 4611686018427387904 * k = 4611686018427387904 * a",
        ]
    ),
    far,
    far,
    far,
)
def test_columns_of_far_numbers_are_bounded_soundly(text: str, a: int, b: int, c: int) -> None:
    formula = parse_formula(text, ("a", "b", "k"))
    env = {"a": np.array([a, c], dtype=object), "b": np.array([b, b], dtype=object)}
    low, high = ranges(formula, ["k"], env)["k"]
    near = {x + d for x in (0, a, b, c, 2**63, b * 2**64) for d in range(-8, 9)}
    for i, first in enumerate((a, c)):
        for k in near:
            if satisfies(formula, {"a": first, "b": b, "k": k}):
                assert low is None or low[i] <= k
                assert high is None or k <= high[i]


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("not (k < 2 or k > a)", 2, 9),
        ("not k > a", None, 9),
        ("k = 3 or 5 <= k < a", 3, 8),
        ("2 * k + 1 >= a", 4, None),
        ("k != 3", None, None),
    ],
)
def test_bounds_are_the_ends_of_what_holds(text: str, low: int | None, high: int | None) -> None:
    """Faults it sees: nothing is read below "not"; one end of a comparison is passed over."""
    found = ranges(parse_formula(text, ("a", "k")), ["k"], {"a": np.array([9])})["k"]
    assert [end if end is None else end.tolist() for end in found] == [
        end if end is None else [end] for end in (low, high)
    ]


A, B = Name("a"), Name("b")
KNOWN = [(3, 7), (2**62, 2**62), (10**30, 6), (12, 2**31)]


@pytest.mark.parametrize(
    ("term", "by_definition"),
    [
        (Mul(A, B), lambda a, b: a * b),
        (Div(A, B), lambda a, b: a // b),
        (Mod(A, B), lambda a, b: a % b),
        (Digital("lowpart", (A,), base(2)), lambda a, b: a & -a),
    ],
)
def test_products_quotients_and_digits_of_known_numbers_are_bounds(term, by_definition):
    """Fault it sees: such a term has no bounds, so that moves of many states were not looked at."""
    room, right = compare(Name("k"), "<=", term), [by_definition(*pair) for pair in KNOWN]
    columns = dict(zip("ab", np.array(KNOWN, dtype=object).T, strict=True))
    assert ranges(room, ["k"], columns)["k"][1].tolist() == right
    alone = [ranges(room, ["k"], dict(zip("ab", pair, strict=True))) for pair in KNOWN]
    assert [found["k"] for found in alone] == [(None, number) for number in right]
