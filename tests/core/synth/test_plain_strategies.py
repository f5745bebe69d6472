"""A strategy reads as a person would write it: numbers where a case fixes them, few rules."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from catalog_answers import solved
from hand_solved import rules
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import sampled

import icgsynth as icg
from experiments.catalog import committed
from icgsynth.budget import Budget
from icgsynth.claims.game import fires
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.term import FALSE, TRUE, Compare, Int, Name
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.linear.pairs import find_pairs, word_rules
from icgsynth.synth.linear.sample import Goal, StateSample

# What good looks like, worked out by hand from the games of the seed paper (Wu et al., AAMAS 2020):
# the cases, then the tree where it says something else.
BY_HAND = {
    # Ferguson, Game Theory, I.1: leave a multiple of 4; under misère, one more than that.
    ("take_away", "normal"): (["if v mod 4 != 0: take(v mod 4)"], ["take(v mod 4)"]),
    ("take_away", "misere"): (
        ["if v mod 4 != 1 and v != 0: take((v - 1) mod 4)"],
        ["take((v - 1) mod 4)"],
    ),
    # 0 and 1 modulo 5 lose.  From 2 only 2 leaves one of them, from 4 only 3; from 3 either does.
    ("subtraction_23", "normal"): (
        ["if v mod 5 = 2: take(2)", "if v mod 5 >= 3: take(3)"],
        ["if v mod 5 = 2: take(2)", "take(3)"],
    ),
    # 2 and 3 modulo 5 lose.  From 4 it is 2; from 0 and 1 it is 3, where there is so much to take.
    ("subtraction_23", "misere"): (
        ["if v mod 5 = 4: take(2)", "if v mod 5 <= 1 and v > 1: take(3)"],
        ["if v mod 5 = 4: take(2)", "take(3)"],
    ),
    # 0 and 2 modulo 7 lose; from 4, 5 and 6 one number alone leaves one of them: 4, 3 and 4.
    # Two rules that aim at 0 and at 2 are fewer than three with numbers.
    ("subtraction_134", "normal"): (
        [
            "if v mod 7 in {1, 3}: take(1)",
            "if v mod 7 in {4, 6}: take(4)",
            "if v mod 7 = 5: take(3)",
        ],
        ["take(v mod 7)", "take(v mod 7 - 2)"],
    ),
    # 1 and 3 modulo 7 lose; two rules aim at them, where numbers would take three.
    ("subtraction_134", "misere"): (
        [
            "if v mod 7 in {2, 5}: take(v mod 7 - 1)",
            "if v mod 7 in {0, 4, 6} and v != 0: take((v - 3) mod 7)",
        ],
        ["take(v mod 7 - 1)", "take((v - 3) mod 7)"],
    ),
    # 1, 2 and 4 are no multiples of 3: leave one.
    ("subtraction_124", "normal"): (["if v mod 3 != 0: take(v mod 3)"], ["take(v mod 3)"]),
    # Bouton 1901: make the piles equal.
    ("nim2", "normal"): (
        ["if a > b: take_a(a - b)", "if a < b: take_b(b - a)"],
        ["take_a(a - b)", "take_b(b - a)"],
    ),
    # Leave two losing squares at most: (2, 0) where the second row is empty, else (1, 1).
    ("chomp_2row", "misere"): (
        ["if a > 2 and b = 0: eat1(3)", "if a != 1 and b != 0: eat1(2)"],
        ["if b = 0: eat1(3)", "eat1(2)"],
    ),
    # Leave a multiple of 3, by one pile or by both; where a is 0 nothing but b is in play.  The
    # tree has no condition: where the first pile has too few, the next is asked.
    ("monotonic_2diet_wythoff", "normal"): (
        [
            "if a = 0 and b mod 3 != 0: take_b(b mod 3)",
            "if a != 0 and (a + b) mod 3 = 1: take_a(1)",
            "if a != 0 and (a + b) mod 3 = 2: take_both",
        ],
        ["take_b((a + b) mod 3)", "take_a((a + b) mod 3)", "take_both"],
    ),
    # Ferguson 1998: both odd loses, and 1 with an odd rest is what an even box can be split into.
    ("empty_and_divide", "normal"): (
        ["if b mod 2 = 0: divide_b(1)", "if a mod 2 = 0: divide_a(1)"],
        ["if b mod 2 = 0: divide_b(1)", "divide_a(1)"],
    ),
}


@sampled(("name", "rule"), BY_HAND, fast=6)
def test_the_strategy_is_the_one_chosen_by_hand(name, rule):
    cases, tree = BY_HAND[name, rule]
    solution = solved(name, rule)
    assert list(map(str, solution.strategy)) == cases
    assert list(map(str, solution.tree)) == tree


# --- numbers where a case fixes a parameter --------------------------------------------------


def boxed(game):
    """All legal states (n, d) of a box."""
    bound = {1: 300, 2: 40, 3: 16, 4: 8}.get(len(game.variables), 4)
    side = range(-bound, bound + 1) if game.legal == TRUE else range(bound + 1)
    states = np.array(list(itertools.product(side, repeat=len(game.variables))), dtype=np.int64)
    return states[on_states(game.legal, game.variables, states)]


def computed_in_vain(game, rule, states):
    """Arguments of ``rule`` that have one and the same value on ``states``, and are no numbers."""
    for name, term in rule.act.arguments:
        if not isinstance(term, Int) and len(states):
            values = on_states(term, game.variables, states)
            if (values == values[0]).all():
                yield f"{rule}: {name} = {values[0]}"


def in_vain(game, winning, strategy, tree):
    """All that could be numbers: in the cases of a strategy, and in the last rule of a tree."""
    states = boxed(game)
    states = states[on_states(winning, game.variables, states)]
    for rule in strategy:
        case = on_states(rule.when, game.variables, states)
        yield from computed_in_vain(game, rule, states[case])
    for rule in tree[:-1]:
        here = [on_states(f, game.variables, states) for f in (rule.when, fires(game, rule.act))]
        states = states[~np.logical_and(*here)]
    yield from computed_in_vain(game, tree[-1], states) if tree else ()


CLAIMED = [
    key
    for key, row in committed().items()
    if row["logic"] == "lia" and row["cases"] != "0" and row["pace"] == "quick"
]


@sampled(("name", "rule"), CLAIMED, fast=20)
def test_what_a_case_fixes_is_a_number(name, rule):
    """On all winning states of a box, in the strategies of the catalog that time does not cut."""
    answer = solved(name, rule)
    stated = answer.strategy, answer.tree
    assert not list(in_vain(answer.game, answer.winning.formula, *stated))


SUBTRACTION = """\
game s
var v
legal v >= 0
action take(k)
  pre k in {{{members}}} and k <= v
  eff v := v - k
"""


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(
    st.sets(st.integers(1, 7), min_size=2, max_size=3),
    st.sampled_from(["normal", "misere"]),
)
def test_what_a_case_fixes_is_a_number_in_any_subtraction_game(numbers, rule):
    members = ", ".join(map(str, sorted(numbers)))
    game = parse(Source("s.icg", SUBTRACTION.format(members=members))).game()
    solution = solve(game, rule, Budget(60))
    if not solution.is_proved:
        return
    assert not list(
        in_vain(solution.game, solution.winning.formula, solution.strategy, solution.tree)
    )
    wins = {0: rule == "misere"}
    for v in range(1, 100):
        moves = [k for k in numbers if k <= v]
        wins[v] = (not moves and rule == "misere") or any(not wins[v - k] for k in moves)
        for each in (solution.strategy, solution.tree):
            if wins[v] and moves:
                (kept,) = next(k for k in (r.keep(game, (v,), None) for r in each) if k)
                assert not wins[v - dict(kept.arguments)["k"]]


# --- nothing that is not proved --------------------------------------------------------------


def taken(states):
    """The sample of take-away, its losing states 0 modulo 4, with ``states`` alone."""
    game = icg.load("take_away").game
    losing = parse_formula("v mod 4 = 0", game.variables)
    goal = Goal(game, "normal", negation(losing), losing, FALSE)
    pairs = rules(game, ("v mod 4 != 0", "take", "v mod 4"))
    return StateSample(goal, np.array(states, dtype=np.int64)[:, None], Budget(20)), pairs


def test_a_number_that_only_the_sample_suggests_is_not_printed():
    """On these states 1 wins wherever the remainder does; a counterexample says where not."""
    sample, pairs = taken([0, 1, 4, 5, 9])
    assert list(map(str, word_rules(sample, pairs))) == ["if v mod 4 != 0: take(1)"]
    found, finding, grown = find_pairs(sample, Budget(20))
    assert finding.is_proved
    assert len(grown.states) > len(sample.states)
    for v in (v for v in range(1, 200) if v % 4):
        (kept,) = next(k for k in (r.keep(sample.goal.game, (v,), None) for r in found) if k)
        assert (v - dict(kept.arguments)["k"]) % 4 == 0


def test_a_case_with_too_many_cells_stays():
    sample, _ = taken(range(400))
    many = " or ".join(f"v mod {m} = 1" for m in range(101, 190))
    (pair,) = rules(sample.goal.game, (many, "take", "v mod 4"))
    (kept,) = word_rules(sample, (pair,))
    assert kept.act == pair.act
    assert (sample.holds(kept.when) == sample.holds(pair.when)).all()


def test_cases_of_the_same_move_become_one():
    sample, _ = taken(range(40))
    pairs = rules(
        sample.goal.game,
        ("v mod 4 = 1", "take", "v mod 4"),
        ("v mod 4 = 2", "take", "2"),
        ("v mod 8 = 7", "take", "3"),
        ("v mod 8 = 3", "take", "v mod 8"),
    )
    found = word_rules(sample, pairs)
    assert list(map(str, found)) == [
        "if v mod 4 = 1: take(1)",
        "if v mod 4 = 2: take(2)",
        "if v mod 4 = 3: take(3)",  # 3 and 7 modulo 8
    ]


# --- what rules and answers say of themselves ----------------------------------------------------


@given(st.integers(0, 9), st.booleans())
def test_a_rule_names_its_condition_if_it_has_one(number, has_condition):
    """Seen: a condition that is not said, and one that is said though there is none."""
    when = Compare((Name("a"), Int(number)), (">=",)) if has_condition else TRUE
    act = SemiGroundAction("take", (("k", Int(number)),))
    text = str(Rule(when, act))
    assert str(act) in text
    assert ("if" in text.split()) == has_condition
    assert (str(when) in text) == has_condition


def test_an_answer_lists_the_formulas_that_it_has():
    """Seen: a missing side that is asked for its formula."""
    answer = solved("nim2")
    both = {answer.winning.formula, answer.losing.formula}
    assert both <= set(answer.formulas())
    for side, other in (("winning", "losing"), ("losing", "winning")):
        found = list(replace(answer, **{side: None}).formulas())
        assert getattr(answer, other).formula in found
        assert getattr(answer, side).formula not in found
        assert replace(answer, **{side: None}).is_linear
