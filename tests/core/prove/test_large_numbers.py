"""Numbers past 64 bits: in columns, in rules, in states, on the command line."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from speed import sampled

from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, label
from icgsynth.logic.evaluate import INTEGERS, columns, evaluate
from icgsynth.logic.intervals import Interval
from icgsynth.logic.term import FALSE
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.linear.sample import Goal, StateSample

BIG = [2**31, 2**53, 2**61, 2**62, 2**63, 2**64, 10**30]
big = st.sampled_from(BIG).flatmap(lambda n: st.sampled_from([n - 1, n, n + 1, -n]))
numbers = st.integers(-9, 9) | big


def game_of(text):
    return parse(Source("test", text)).game()


# --- intervals: every operation holds every value of it -----------------------------------------


def column_of(values):
    """Return ``values`` as an array: int64 where they fit, else Python integers."""
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        return np.array(values, dtype=object)


def ends(interval, i):
    """The interval of entry ``i``, as Python integers."""
    return [
        x if x is None or isinstance(x, int) else int(np.broadcast_to(x, 2)[i])
        for x in (interval.lo, interval.hi)
    ]


def holds(interval, i, number):
    lo, hi = ends(interval, i)
    return (lo is None or lo <= number) and (hi is None or number <= hi)


OPERATIONS = {
    "scaled": lambda x, c: (x * c, lambda a: a.scaled(c)),
    "floor": lambda x, c: (x // (abs(c) + 1), lambda a: a.floor(abs(c) + 1)),
    "modulo": lambda x, c: (x % (abs(c) + 1), lambda a: a.modulo(abs(c) + 1)),
    "unfloored": lambda x, c: (x * (abs(c) + 1), lambda a: a.unfloored(abs(c) + 1)),
    "plus": lambda x, c: (x + c, lambda a: a + Interval(c, c)),
    "minus": lambda x, c: (c - x, lambda a: Interval(c, c) - a),
    "least": lambda x, c: (min(x, c), lambda a: a.least(Interval(c, c))),
    "most": lambda x, c: (max(x, c), lambda a: a.most(Interval(c, c))),
    "absolute": lambda x, c: (abs(x), lambda a: a.absolute()),
}


@pytest.mark.parametrize("name", OPERATIONS)
@given(st.lists(numbers, min_size=2, max_size=2), numbers, st.integers(0, 3))
def test_intervals_of_columns_are_exact(name, lows, c, wide):
    interval = Interval(column_of(lows), column_of([low + wide for low in lows]))
    for i, low in enumerate(lows):
        for x in range(low, low + wide + 1):
            image, operate = OPERATIONS[name](x, c)
            assert holds(operate(interval), i, image)
        if c:
            assert all(holds(interval.scaled(c).divided(c), i, x) for x in (low, low + wide))


def test_zeros_times_a_number_past_64_bits():
    """The column fits, the factor does not."""
    zeros = Interval(np.zeros(2, np.int64), np.zeros(2, np.int64))
    for factor in (2**63, -(2**63) - 1, 2**64, 10**30):
        assert ends(zeros.scaled(factor), 0) == [0, 0]


FORMULAS = [
    "{0} * a + {1} * b <= {2}",
    "({0} * a - b) mod {3} = {1} or a div {3} > {2}",
    "a in {{{0}, {1}}} or max({0} * a, b) = {2}",
    "(if a < {0} then {1} * b else a) >= {2} and abs(a - {1}) != b",
    "min({0} - a, {1}) + {2} * b < {0} * a",
]


@given(st.sampled_from(FORMULAS), st.lists(numbers, min_size=6, max_size=6))
def test_columns_are_exact(text, found):
    a, b, *constants = found
    text = text.format(*constants[:3], abs(constants[3]) + 1)
    formula = parse_formula(text, ("a", "b"))
    env = {"a": column_of([a, 0, a]), "b": column_of([b, 0, b])}
    expected = [evaluate(formula, {"a": x, "b": y}, INTEGERS) for x, y in ((a, b), (0, 0), (a, b))]
    assert np.broadcast_to(columns(formula, env), 3).tolist() == expected


# --- boxes and the search ------------------------------------------------------------------------

SPECS = {
    "takes too many": """var v legal v >= 0
        action m(k) pre k in {1, 2, BIG} and k <= v eff v := v - k""",
    "up to a large number": """var v legal v >= 0
        action m(k) pre 1 <= k <= BIG and k <= v eff v := v - k""",
    "a large factor": """var v legal v >= 0
        action m(k) pre 1 <= k <= 3 and BIG * k <= BIG * v eff v := v - k""",
    "a large divisor": """var v legal v >= 0
        action m(k) pre 1 <= k <= 3 and v div BIG = 0 and v mod BIG >= k eff v := v - k""",
    "a large result": """var a, b legal a >= 0 and b >= 0
        action m(k) pre 1 <= k <= a eff a := a - k
        action n(k) pre k = 1 and b >= 1 eff b := b - 1, a := min(a, BIG * a)""",
    "an end far out": """var v legal v >= 0 end v = BIG
        action m(k) pre 1 <= k <= 2 eff v := v - k""",
}


def outcomes(game, bound):
    """Who wins each state of the box; every move leads to a smaller sum."""
    found = {}
    box = [()]
    for _ in game.variables:
        box = [(*s, x) for s in box for x in range(bound + 1)]
    for state in sorted(box, key=sum):
        after = [game.result(state, move) for move in game.moves(state)]
        found[state] = any(not found[s] for s in after)
    return found


@sampled("name", SPECS)
@sampled("number", [2**62, 2**63])
def test_labels_and_answers_with_large_numbers(name, number):
    game = game_of("game g " + SPECS[name].replace("BIG", str(number)))
    found = outcomes(game, 7)
    labels = label(game, Box.of(game, 7), "normal")
    for state, wins in found.items():
        assert labels.at(state) in (UNKNOWN, WINNING if wins else LOSING)
    assert labels.at(tuple(number for _ in game.variables)) == UNKNOWN
    solution = solve(game, "normal", Budget(1))
    if solution.losing is not None:
        for state, wins in found.items():
            assert evaluate(solution.losing.formula, game.env(state), INTEGERS) != wins


def test_a_state_far_out_has_no_label():
    game = game_of("game g var v legal v >= -9 action m(k) pre 1 <= k <= 2 eff v := v - k")
    labels = label(game, Box.of(game, 12), "normal")
    assert labels.at((-9,)) == LOSING
    for far in BIG:
        assert labels.at((far,)) == labels.at((-far,)) == UNKNOWN


CRASHED = [  # the search did, on each
    """var a, b legal a >= 0 and b >= 0
    action m(k) pre k in {18446744073709551617} and b div 2147483648 != 0 eff a := a - k""",
    """var a, b legal a >= 0 and b >= -9
    action m(k) pre 1 <= k <= b eff b := b - k
    action n(k) pre 1 <= k <= 9223372036854775806 and k <= a eff a := a - k""",
    "var a legal a >= 0 action m(k) pre 1 <= k <= 18446744073709551616 and k <= a eff a := a - k",
]


@sampled("text", CRASHED)
@sampled("rule", ["normal", "misere"])
def test_the_search_survives(text, rule):
    assert solve(game_of("game g " + text), rule, Budget(3)).status in (
        "solved",
        "conditional",
        "unknown",
    )


@sampled("n", [100, 201, 5_000])
@pytest.mark.parametrize(("rule", "rest"), [("normal", 0), ("misere", 1)])
def test_a_large_constant_is_no_harder_than_a_small_one(n, rule, rest):
    text = f"game g var v legal v >= 0 action take(k) pre 1 <= k <= {n} and k <= v eff v := v - k"
    found = solve(game_of(text), rule, Budget(60))
    # Whatever the opponent takes, up to n + 1 is to be filled up: Ball and Coxeter.
    assert found.status == "solved" and str(found.losing.formula) == f"v mod {n + 1} = {rest}"
    assert len(found.cover) < 100  # no cell for each residue


def test_a_counterexample_far_out_is_no_sample():
    game = game_of("game g var v legal v >= 0 action m(k) pre 1 <= k <= v eff v := v - k")
    losing = parse_formula("v = 0", ("v",))
    goal = Goal(game, "normal", parse_formula("v > 0", ("v",)), losing, FALSE)
    sample = StateSample(goal, np.array([[0], [1]]), Budget(10))
    for far in BIG[2:]:
        assert sample.with_state((far,)) is sample
    assert len(sample.with_state((40,)).states) == 5


def slow(*arguments):
    return pytest.param(arguments, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "take_away", "--set", f"n={2**64}"),
        slow("solve", "take_away", "--set", f"n={2**64}", "--timeout", "2"),
        slow("solve", "take_away", "--set", f"n={2**63 - 1}", "--timeout", "2"),
        slow("solve", "take_away", "--set", f"n=-{2**64}", "--timeout", "2"),
        ("table", "take_away", "--set", f"n={2**64}", "--bound", "9"),
        slow("family", "take_away", "--over", f"n={2**63 - 1}..{2**63}", "--timeout", "1"),
        ("fft", "synth", "nim2", "--start", f"{10**30},1"),
        ("play", "nim2", "--start", f"{10**30},1"),
    ],
)
def test_commands_take_them(arguments):
    """In a process of their own: a run that spends its budget may be ended with its process."""
    done = subprocess.run(
        [sys.executable, "-m", "icgsynth", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, 2, 4)
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
