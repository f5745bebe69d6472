"""The check of far states: right answers pass it, and no planted fault does."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import automatic_solved
import catalog_answers
import hand_solved
import pytest
from hand_solved import chomp, game, nim2, nim2_misere, rules, solved, take_away, take_away_misere
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import sampled

from icgsynth.budget import Budget
from icgsynth.digits.numeration import base
from icgsynth.game.answers import FarCheck
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy
from icgsynth.prove.recheck.far import check_far
from icgsynth.prove.recheck.plain import holds
from icgsynth.spec.icg import parse_formula, parse_term

BINARY = base(2)


def check(solution: Solution, ranking: tuple[str, ...] | None = None, **more: int) -> FarCheck:
    names = solution.game.variables
    said = solution.ranking if ranking is None else ranking
    return check_far(
        solution, Budget(60.0), ranking=[parse_term(str(t), names) for t in said], **more
    )


def losing(solution: Solution, text: str) -> Solution:
    """Return ``solution`` with ``text`` for its losing states and its negation for the others."""
    names = solution.game.variables
    return replace(
        solution,
        winning=Claim(parse_formula(f"not ({text})", names)),
        losing=Claim(parse_formula(text, names)),
        cover=(),
    )


def is_caught(found: FarCheck, of: Solution) -> None:
    """Something disagrees, and the witness is a legal state."""
    assert found.disagreements >= 1
    assert found.claim
    assert found.witness is not None
    assert set(of.game.variables) <= set(found.witness)
    assert holds(of.game.legal, found.witness)


# --- right answers ----------------------------------------------------------------------------


WITHOUT_DIAGONAL = (automatic_solved.wythoff, automatic_solved.wythoff_in_words)


@sampled("make", [*hand_solved.ALL, *automatic_solved.ALL], fast=7)
def test_right_answers_written_by_hand(make):
    solution = make()
    if make in WITHOUT_DIAGONAL:
        solution = replace(solution, strategy=Strategy())
    found = check(solution)
    assert found.disagreements == 0, (found.claim, found.witness)
    assert found.states >= 400
    assert found.up_to == 10**30


@pytest.mark.parametrize("make", WITHOUT_DIAGONAL)
def test_a_strategy_that_leaves_winning_states_out_is_noticed(make):
    """From (1, 1) and its like only a move on both piles wins, and no rule says so."""
    found = check(make())
    is_caught(found, make())
    assert found.claim == "the strategy has a move for every winning state"


QUICK = ["subtraction_134", "greedy_nim2"]
MORE = [
    "wythoff_parity",
    "nim3",
    "all_but_nim2",
    "bounded_wythoff",
    "circular_nim_4_2",
    "end_nim3",
    "greedy_nim3",
    "modular_nim2",
    "mark",
    "pointed_nim3",
    "slow_nim2",
    "welter2",
    "wythoff",
    "wythoff_terminal",
    "yama_nim",
]


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(n, marks=pytest.mark.slow) for n in MORE)])
def test_right_answers_of_the_catalog(name, rule):
    solution = catalog_answers.solved(name, rule)
    assert solution.status == "solved"
    found = check(solution)
    assert found.disagreements == 0, (found.claim, found.witness)
    assert found.states >= 400


# --- the faults of issue 8's sections A, B and C, believed --------------------------------------

QUANTIFIED = """
game qe1 var v legal v >= 0
action take(k)
  pre 1 <= k <= v and k <= 30 and (exists q. q mod 5 >= 1 and 3 * q = k)
  eff v := v - k
"""
LARGE = """
game ovf5 var a, b, c
legal 0 <= a <= 4000000000000000000 and 0 <= b <= 4000000000000000000
  and 0 <= c <= 4000000000000000000
action take(k) pre 1 <= k <= 2 and k <= a eff a := a - k
action jump pre a + b + c >= 100000 eff {effect}
"""
NIM_AND_ONE_MORE = (
    automatic_solved.NIM3
    + """
action z
  pre {k} * a + {k} * b >= {k} * 1000 and b = a and c = 0
  eff a := 0, b := 0
"""
)


def test_a_quantifier_eliminated_wrongly_is_noticed():
    solution = solved(game(QUANTIFIED), "normal", "false", "true")
    found = check(solution)
    is_caught(found, solution)
    # 3 divides what was taken, and 15 does not.
    assert found.witness["k"] % 3 == 0
    assert found.witness["k"] % 15 != 0


@pytest.mark.parametrize("effect", ["a := a - 3", "a := a"])
def test_a_move_overlooked_because_of_large_numbers_is_noticed(effect):
    believed = ("a mod 3 != 0", "take", "a mod 3")
    solution = solved(
        game(LARGE.format(effect=effect)), "normal", "a mod 3 != 0", "a mod 3 = 0", believed
    )
    found = check(solution, ranking=())
    is_caught(found, solution)
    assert sum(found.witness[n] for n in "abc") >= 100_000


@pytest.mark.parametrize("factor", [1, 2**31, 2**62, 2**64, 10**20])
def test_a_far_exception_to_nim_is_noticed(factor):
    rules_of = game(NIM_AND_ONE_MORE.format(k=factor))
    solution = replace(automatic_solved.nim3(), game=rules_of)
    found = check(solution)
    is_caught(found, solution)
    assert found.witness["a"] == found.witness["b"] >= 500


def test_a_ranking_that_a_far_move_keeps_is_noticed():
    """The far move leads from winning states only, to a state that wins as well."""
    text = hand_solved.NIM2 + "action stay pre a >= 100000 + b eff a := a"
    solution = replace(nim2(), game=game(text))
    found = check(solution)
    is_caught(found, solution)
    assert found.claim.startswith("the ranking")


# --- right answers made wrong -----------------------------------------------------------------


FALSE_LOSING = [
    (nim2, "a = b or (a = 100000000000000000001 and b = 3)"),
    (nim2, "a = b and not (a = 100000000000000000000 and b = 100000000000000000000)"),
    (nim2, "a = b or (a = 3 * b and b > 1000000000000000000000000)"),
    (nim2, "a = b or (b = 7 and a mod 1000000007 = 5 and a > 1000000000000)"),
    (nim2, "a <= b and b <= a and a < 10000000000000000000000000"),
    (nim2, "a = b or (a + b = 9223372036854775808 and a = 1)"),
    (nim2, "a = b or (exists q. a = 1000000007 * q and b = 12 and q > 1000000000)"),
    (nim2_misere, "(a = b and a >= 3) or a + b = 1"),
    (nim2_misere, "(a = b and a >= 1) or a + b = 1"),
    (nim2_misere, "(a = b and a >= 2) or a + b <= 1"),
    (take_away, "v mod 4 = 0 and v != 4000000000000000000000"),
    (take_away, "(v < 1000000000000 and v mod 4 = 0) or (v >= 1000000000000 and v mod 5 = 0)"),
    (take_away, "v mod 4 = 0 or v = 18446744073709551617"),
    (
        take_away,
        "(v > 1000000000000000000000 and v mod 4 = 1)"
        " or (v <= 1000000000000000000000 and v mod 4 = 0)",
    ),
    (take_away, "v mod 4 = 0 and v mod 1000003 != 7"),
    (take_away_misere, "v mod 4 = 1 or v = 0"),
    (chomp, "a = b + 1 or (a = b + 5 and b = 4611686018427387904)"),
]


@pytest.mark.parametrize(("make", "text"), FALSE_LOSING)
def test_a_wrong_losing_set_is_noticed(make, text):
    solution = losing(make(), text)
    is_caught(check(solution), solution)


far_numbers = st.one_of(
    st.integers(0, 50), st.integers(0, 10**30), st.integers(0, 100).map(lambda n: 2**n)
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.sampled_from([nim2, nim2_misere]), far_numbers, far_numbers)
def test_a_single_wrong_state_is_noticed_wherever_it_is(make, a, b):
    right = make()
    text = f"({right.losing.formula}) <-> not (a = {a} and b = {b})"
    solution = losing(right, text)
    is_caught(check(solution), solution)


@settings(max_examples=15, deadline=None)
@given(far_numbers, st.integers(2, 30), st.integers(0, 29))
def test_a_congruence_changed_from_some_place_on_is_noticed(place, modulus, rest):
    if (modulus, rest % modulus) == (4, 0):
        return
    right = take_away()
    text = f"(v < {place} and v mod 4 = 0) or (v >= {place} and v mod {modulus} = {rest % modulus})"
    solution = losing(right, text)
    is_caught(check(solution), solution)


WRONG_PAIRS = [
    ("a > b", "take_a", "if a > 9223372036854775808 then a - b - 1 else a - b"),
    ("a > b", "take_a", "if b = 123456789012345678901 then a else a - b"),
    ("a > b and a != 10000000000000000000000000", "take_a", "a - b"),
    ("a > b", "take_b", "b - a"),
    ("a > b", "take_a", "(a - b) mod 1000000000000000000000000"),
]


@pytest.mark.parametrize("pair", WRONG_PAIRS)
@pytest.mark.parametrize("where", ["strategy", "tree"])
def test_a_wrong_strategy_is_noticed(where, pair):
    pairs = rules(nim2().game, pair, ("a < b", "take_b", "b - a"))
    solution = replace(nim2(), **{where: pairs})
    is_caught(check(solution), solution)


def test_a_tree_goes_on_where_a_rule_does_not_apply_and_a_strategy_does_not():
    pairs = rules(nim2().game, ("true", "take_a", "a - b"), ("true", "take_b", "b - a"))
    assert check(replace(nim2(), tree=pairs)).disagreements == 0
    solution = replace(nim2(), strategy=Strategy(tuple(pairs)))
    is_caught(check(solution), solution)


@pytest.mark.parametrize("cell", ["a > b and a < 100000000000000000000", "a >= b"])
def test_a_wrong_cover_is_noticed(cell):
    names = ("a", "b")
    cover = (parse_formula(cell, names), parse_formula("a < b", names))
    solution = replace(nim2(), cover=cover)
    found = check(solution)
    is_caught(found, solution)
    assert "cover" in found.claim


@pytest.mark.parametrize("make", [nim2, chomp])
@pytest.mark.parametrize(
    "ranking", [("a",), ("a - b",), ("0",), ("a mod 1000", "b"), ("min(a, 1000) + min(b, 1000)",)]
)
def test_a_wrong_ranking_is_noticed(make, ranking):
    if (make, ranking) == (chomp, ("a",)):
        ranking = ("b", "a mod 7")
    found = check(make(), ranking=ranking)
    is_caught(found, make())
    assert "ranking" in found.claim


@pytest.mark.parametrize("ranking", [("a + b",), ("a", "b"), ("2 * a + b", "a"), ()])
def test_a_right_ranking_is_not(ranking):
    assert check(nim2(), ranking=ranking).disagreements == 0


def test_a_losing_and_winning_set_that_overlap_far_away():
    names = ("a", "b")
    solution = replace(
        nim2(),
        winning=Claim(parse_formula("a != b or a = 10000000000000000000000", names)),
        cover=(),
    )
    found = check(solution)
    is_caught(found, solution)
    assert found.claim == "each state is either winning or losing"


def test_without_a_strategy_a_winning_move_is_searched():
    solution = replace(nim2(), strategy=Strategy(), cover=())
    assert check(solution).disagreements == 0
    everything = losing(solution, "false")
    is_caught(check(everything), everything)


# --- digits -----------------------------------------------------------------------------------


def digits(text: str) -> Claim:
    return Claim(parse_formula(text, ("a", "b", "c"), system=BINARY))


def test_a_far_exception_in_digits_is_noticed():
    far = "a xor b xor c = 0 or (a = 1099511627776 and b = 77 and c = 10000000000000000000000000)"
    wrong = replace(
        automatic_solved.nim3(), losing=digits(far), winning=digits(f"not ({far})"), cover=()
    )
    is_caught(check(wrong), wrong)


def test_a_wrong_move_in_digits_is_noticed():
    right = automatic_solved.nim3()
    pair = right.strategy[0]
    assert isinstance(pair, Rule)
    ((name, term),) = pair.act.arguments
    off = parse_term(
        f"if a > 1000000000000000000000 then 1 else {term}", ("a", "b", "c"), system=BINARY
    )
    act = SemiGroundAction(pair.act.action, ((name, off),))
    wrong = replace(right, strategy=Strategy((Rule(pair.when, act), *right.strategy[1:])))
    is_caught(check(wrong), wrong)


def test_a_wrong_automaton_is_noticed():
    """One accepting state turned: the words that end there are taken for the others."""
    right = automatic_solved.nim3_by_automata()
    flags = right.automaton.accepting
    for state in range(len(flags)):
        turned = tuple(f != (i == state) for i, f in enumerate(flags))
        wrong = replace(right, automaton=replace(right.automaton, accepting=turned))
        is_caught(check(wrong), wrong)


# --- where legal states are few or thin -----------------------------------------------------------

ONE_PILE = """
game one var a, b legal {legal}
action step pre a >= 1 and false eff a := a - 1
"""


@pytest.mark.parametrize(
    ("legal", "least", "most"),
    [
        ("a + b = 10000000000000000000000000 and a >= 0 and b >= 0", 500, 4_000),
        ("2 * a = 3 * b", 500, 4_000),
        ("a = 100000000000000000000 and b <= 0", 500, 4_000),
        ("a mod 1000000000000000 = 3 and b = a", 100, 4_000),
        ("exists q. a = 100000000000000000000 * q and b = q", 1, 4_000),
        ("a < b and b < a", 0, 0),
        ("a != a", 0, 0),
    ],
)
def test_thin_sets_of_states(legal, least, most):
    """Without a move every state is lost: the check counts the states it finds, each once."""
    solution = solved(game(ONE_PILE.format(legal=legal)), "normal", "false", "true")
    found = check(solution, ranking=("0",))
    assert least <= found.states <= most
    assert found.disagreements == 0
    wrong = solved(solution.game, "misere", "false", "true")
    refuted = check(wrong, ranking=())
    assert refuted.disagreements == refuted.states == min(found.states, 20)


@pytest.mark.parametrize(
    ("legal", "is_legal"),
    [
        ("a = 7 and b = 2", lambda a, b: a == 7 and b == 2),
        ("0 <= a <= 9 and -3 <= b <= 3", lambda a, b: 0 <= a <= 9 and -3 <= b <= 3),
        ("0 <= a and a <= 2 * b and b <= 6 - a", lambda a, b: 0 <= a <= 2 * b and b <= 6 - a),
        (
            "a in {3, 8} and a < b < 20 and b mod 3 = 1",
            lambda a, b: a in {3, 8} and a < b < 20 and b % 3 == 1,
        ),
        ("3 * a = 5 * b and 0 <= b < 40", lambda a, b: 3 * a == 5 * b and 0 <= b < 40),
    ],
)
def test_where_states_are_few_all_are_checked(legal, is_legal):
    count = sum(is_legal(a, b) for a in range(-100, 100) for b in range(-100, 100))
    solution = solved(game(ONE_PILE.format(legal=legal)), "normal", "false", "true")
    assert check(solution, ranking=("0",)).states == count


# --- how it behaves -----------------------------------------------------------------------------


def test_the_seed_decides():
    wrong = losing(nim2(), "a = b or (a = 100000000000000000001 and b = 3)")
    assert check(wrong, seed=1) == check(wrong, seed=1)
    assert check(wrong, seed=1).disagreements
    assert check(wrong, seed=2).disagreements


def test_no_more_states_than_asked_for():
    assert check(nim2(), states=50).states == 50


def test_a_spent_budget_checks_nothing():
    assert check_far(nim2(), Budget(0.0)) == FarCheck(0, 0, 0)


def test_without_an_answer_nothing_is_checked():
    assert check_far(replace(nim2(), losing=None), Budget(9.0)) == FarCheck(0, 0, 0)


def test_what_is_too_hard_is_not_counted():
    text = """
    game hard var v legal v >= 0
    action take pre v >= 1 and (exists q. q mod 1000003 = 5 and q mod 999983 = 7 and q > v)
      eff v := v - 1
    """
    found = check(solved(game(text), "normal", "false", "true"), ranking=())
    assert found.disagreements == 0
    assert found.states < 100


def test_numbers_larger_than_all_others_are_reached():
    """An exception at 10^40: the integers of the answer are met wherever they are."""
    wrong = losing(nim2(), f"a = b or (a = {10**40} and b = 1)")
    found = check(wrong)
    is_caught(found, wrong)
    assert found.up_to >= 10**40


def test_negative_states():
    text = """
    game up var v
    legal v <= 0
    action add(k) pre 1 <= k <= 3 and k <= -v eff v := v + k
    """
    right = solved(
        game(text), "normal", "v mod 4 != 0", "v mod 4 = 0", ("v mod 4 != 0", "add", "-v mod 4")
    )
    assert check(right, ranking=("-v",)).disagreements == 0
    wrong = losing(right, "v mod 4 = 0 and v != -400000000000000000000")
    is_caught(check(wrong, ranking=()), wrong)


def test_the_check_shares_nothing_with_the_provers():
    """Nothing that it imports imports a decider or a normal form."""
    code = (
        "import sys, icgsynth.prove.recheck.far; "
        "print([m for m in sys.modules if m.split('.')[0] in {'z3', 'islpy', 'cvc5'} "
        "or m.startswith(('icgsynth.prove.deciders', 'icgsynth.logic.normal', "
        "'icgsynth.prove.certificate', 'icgsynth.prove.automata', 'icgsynth.synth'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
