"""Values that repeat: the period told is that of the values by definition.

Faults it sees: a period or a pre-period that is too short or too long, a saltus that is left out,
a list that begins at the wrong number, flags that are exchanged, and a term whose comparisons
change beyond the numbers that were looked at.
"""

from __future__ import annotations

import json
import random

import pytest
from commands import call

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.digits.numeration import base
from icgsynth.game.grundy import periods
from icgsynth.logic.evaluate import value
from icgsynth.spec.icg import parse_term
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source
from icgsynth.synth.values.grundy_search import grundy

ONE = Source("g", "game g var n legal n >= 0 action a pre n >= 1 eff n := n - 1")
FAR = 600  # numbers by definition


def values_of(after, legal, least=0):
    """The Grundy values of 0 .. FAR by definition; ``after`` lists what moves leave."""
    worth = {}
    for n in range(least, FAR):
        met = {worth[m] for m in after(n) if m >= least and legal(m)}
        worth[n] = next(w for w in range(len(met) + 1) if w not in met)
    return [worth[n] for n in range(least, FAR)]


def told(found, count):
    """The values that a period says of the first ``count`` numbers."""
    early, period = found["preperiod"], found["period"]
    said = list(found["values"])
    assert len(said) == early + period
    while len(said) < count:
        said.append(said[len(said) - period] + found["saltus"])
    return said


def is_least(found, values):
    """Whether no shorter period, and no smaller pre-period, is right for the values."""
    early, period, saltus = found["preperiod"], found["period"], found["saltus"]

    def repeats(start, length):
        steps = {b - a for a, b in zip(values[start:], values[start + length :], strict=False)}
        return len(steps) == 1

    late = len(values) // 2
    is_shortest = not any(repeats(late, shorter) for shorter in range(1, period))
    return is_shortest and (early == 0 or values[early - 1 + period] - values[early - 1] != saltus)


def answer(capfd, tmp_path, text):
    path = tmp_path / "game.icg"
    path.write_text(text, "utf-8")
    done = call(capfd, "value", path, "-q", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("sizes", "least"),
    [((2, 5, 7), 0), pytest.param((1, 6, 9), 3, marks=pytest.mark.slow)],
)
def test_a_subtraction_game_has_a_period(capfd, tmp_path, sizes, least):
    text = (
        f"game s var n legal n >= {least} "
        f"action take(k) pre k in {{{', '.join(map(str, sizes))}}} eff n := n - k"
    )
    found = answer(capfd, tmp_path, text)
    values = values_of(lambda n: [n - k for k in sizes], lambda _: True, least)
    assert (found["first"], told(found, len(values))) == (least, values)
    assert is_least(found, values)


@pytest.mark.slow
def test_values_that_grow_with_each_period(capfd, tmp_path):
    """All but 2 may be taken: with each period the values grow."""
    text = "game s var n legal n >= 0 action take(k) pre 1 <= k <= n and k != 2 eff n := n - k"
    found = answer(capfd, tmp_path, text)
    values = values_of(lambda n: [n - k for k in range(1, n + 1) if k != 2], lambda _: True)
    assert found["saltus"] > 0
    assert told(found, len(values)) == values and is_least(found, values)


@pytest.mark.slow
def test_each_value_of_a_flag_has_its_period(capfd, tmp_path):
    """Take 2, 4 or 6, and pass once; the pass is no move where fewer than 2 are left."""
    text = (
        "game p var v, p legal v >= 0 and 0 <= p <= 1 "
        "action take(k) pre (k = 2 or k = 4 or k = 6) and k <= v eff v := v - k "
        "action pass pre p = 1 and v >= 2 eff p := 0"
    )
    found = answer(capfd, tmp_path, text)
    worth = {}
    for v in range(FAR):
        for p in (0, 1):
            met = {worth[v - k, p] for k in (2, 4, 6) if k <= v}
            met |= {worth[v, 0]} if p == 1 and v >= 2 else set()
            worth[v, p] = next(w for w in range(len(met) + 1) if w not in met)
    shown = found.get("periods", [])
    assert [one["given"] for one in shown] == [{"p": 0}, {"p": 1}]
    for one in shown:
        values = [worth[v, one["given"]["p"]] for v in range(FAR)]
        assert told(one, FAR) == values and is_least(one, values)


def _drawn(rng, depth):
    """A term in n, at random: comparisons, remainders, lists, sums."""
    if depth == 0:
        return rng.choice(
            [
                str(rng.randrange(9)),
                f"(n mod {rng.randrange(2, 7)})",
                f"(n div {rng.randrange(2, 5)})",
            ]
        )
    one, other = _drawn(rng, depth - 1), _drawn(rng, depth - 1)
    conditions = [
        f"n <= {rng.randrange(40)}",
        f"n in {{{rng.randrange(9)}, {rng.randrange(30)}}}",
        f"not ({rng.randrange(9)} < n < {rng.randrange(60)})",
        f"n mod {rng.randrange(2, 6)} = 1",
    ]
    cases = f"if {rng.choice(conditions)} then {one} else {other}"
    return f"({rng.choice([cases, f'{one} + {other}', f'{one} - 2 * {other}'])})"


@pytest.mark.parametrize("seed", range(3))
def test_the_period_of_a_term_is_that_of_its_values(seed):
    """Terms at random, evaluated one by one far beyond what was looked at."""
    rng = random.Random(seed)
    game = load_spec(
        Source("g", "game g var n legal n >= 0 action a pre n >= 1 eff n := n - 1"), {}
    )
    met = 0
    for _ in range(12):
        term = parse_term(_drawn(rng, 3), ("n",), "term", base(2))
        shown = periods(term, game)
        values = [value(term, {"n": n}) for n in range(2_500)]
        if shown:
            met += 1
            found = shown[0].to_json()
            assert told(found, len(values)) == values, str(term)
            assert found["preperiod"] < 1_000 and is_least(found, values), str(term)
    assert met > 3


def test_no_period_is_told_of_digits():
    term = parse_term("lowpart(n)", ("n",), "term", base(2))
    game = load_spec(
        Source("g", "game g var n legal n >= 0 action a pre n >= 1 eff n := n - 1"), {}
    )
    assert periods(term, game) == ()


@pytest.mark.parametrize("far", [10**9, 10**30])
def test_a_variable_with_few_values_far_apart_has_no_list(far):
    """Fault it sees: all numbers between are gone through, which takes 18 GB for 10^9 of them."""
    rules = f"game g var n, p legal n >= 0 and p in {{1, {far}}} action a pre n >= 1 eff n := n - 1"
    game = load_spec(Source("g", rules), {})
    assert periods(parse_term("n mod 2", game.variables, "term", base(2)), game) == ()


def test_some_hundreds_of_values_without_a_period_are_a_list():
    """A number becomes a proper divisor: g is how many prime factors it has.  Sees a list that ends
    at 400 numbers.
    """
    rules = (
        "game g var n legal 1 <= n <= 450 action to(d) pre 1 <= d < n and d divides n eff n := d"
    )
    found = grundy(loads(rules).game, Budget(60), has_strategy=False)
    assert found.is_proved
    factors = [0] * 411
    for n in range(2, 411):
        factors[n] = 1 + factors[n // next(d for d in range(2, n + 1) if n % d == 0)]
    assert [found((n,)) for n in range(1, 411)] == factors[1:]
