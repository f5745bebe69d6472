"""Rules that divide by unknowns, and games of few states, against play in plain Python."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, reduce
from operator import xor

import numpy as np
import pytest
from catalog_answers import answered
from commands import call
from coq_here import require_accepted
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import loser
from speed import examples

from icgsynth.budget import Budget, silent
from icgsynth.errors import InputError
from icgsynth.explicit.box import ALL_STATES, Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.export import export
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.game.value_forms import value_at
from icgsynth.heaps.search.pile_search import PileSearch
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import has_products
from icgsynth.prove import boxcheck
from icgsynth.prove.boxcheck import (
    NAMES,
    every_label,
    judge_everywhere,
    labels_of_all,
    values_everywhere,
)
from icgsynth.prove.certificate import certify
from icgsynth.prove.recheck.far import check_all, check_values
from icgsynth.prove.values import judge_value
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.values.grundy_search import grundy

MOST = ALL_STATES.states
RULES = "var n legal {} action take(k) pre {} eff n := {}"


def game_of(pre, effect="n - k", legal="n >= 1"):
    return parse(Source("text", "game g " + RULES.format(legal, pre, effect))).game()


@cache
def answer(pre, effect="n - k", legal="n >= 1", rule="normal"):
    return answered(game_of(pre, effect, legal), rule)


# --- rules that divide ----------------------------------------------------------------------------

PROPER = "1 <= k < n and n mod k = 0"
MOVES = {
    PROPER: lambda n: [n - k for k in range(1, n) if n % k == 0],
    "1 <= k and n mod k = 0 and 2 * k <= n": lambda n: [n - k for k in range(1, n) if n % k == 0],
    "2 <= k < n and n mod k >= 1": lambda n: [n - k for k in range(2, n) if n % k],
    "1 <= k < n and n mod (k + 1) = 1": lambda n: [n - k for k in range(1, n) if n % (k + 1) == 1],
    "1 <= k < n and n div k >= 3": lambda n: [n - k for k in range(1, n) if n // k >= 3],
}


def lost(moves, last, misere=False):
    found: set[int] = set()
    for n in range(1, last + 1):
        after = moves(n)
        if not any(m in found for m in after) and (after or not misere):
            found.add(n)
    return found


@pytest.mark.parametrize("pre", MOVES)
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_labels_are_those_of_plain_division(pre, rule):
    """Faults it sees: a divisor left out, mod for div, a remainder of a negative number."""
    game = game_of(pre)
    labels = label(game, Box.of(game, 150), rule)
    found = {*labels.states[labels.outcome == LOSING, 0].tolist()}
    assert found == lost(MOVES[pre], 150, rule == "misere")


@pytest.mark.parametrize(
    ("pre", "rule", "losing"),
    [
        # LeetCode 1025: who has an odd number leaves an even one, for its divisors are odd.
        (PROPER, "normal", "n mod 2 = 1"),
        (PROPER, "misere", "n = 2 or n > 3 and n mod 2 = 1"),  # by play, below
        ("2 <= k < n and n mod k >= 1", "normal", None),
    ],
)
def test_what_is_proved_of_all_numbers_is_true_of_the_first(pre, rule, losing):
    """Faults it sees: a fact about products that is false, so that a wrong formula is proved."""
    found = answer(pre, rule=rule)
    here = lost(MOVES[pre], 300, rule == "misere")
    if losing is not None:
        assert found.is_proved
        formula = parse_formula(losing, ["n"])
        assert all(satisfies(formula, {"n": n}) == (n in here) for n in range(1, 301))
    if found.losing is not None:
        said = {n for n in range(1, 301) if satisfies(found.losing.formula, {"n": n})}
        assert said == here


def test_the_proof_is_refused_for_a_formula_that_is_wrong_far_out():
    """A mutant that takes a model with a wrong product for none proves it."""
    right = answer(PROPER)
    wrong = parse_formula("n mod 2 = 1 and n != 1001", ["n"])
    claim = replace(
        right,
        losing=replace(right.losing, formula=wrong),
        winning=replace(right.winning, formula=negation(wrong)),
        cover=(negation(wrong),),
    )
    assert certify(claim, Budget(30)).verdict != "proved"


@pytest.mark.slow
def test_coq_accepts_the_divisor_game(coq):
    """Of all numbers: with a library that lacks the lemma on residues it is refused."""
    text = export(answer(PROPER), "coq")
    assert "product_residue" in text
    require_accepted(text)


def test_an_unknown_answer_says_how_to_settle_the_first_numbers(capfd, tmp_path):
    path = tmp_path / "g.icg"
    path.write_text("game g " + RULES.format("n >= 1", "2 <= k < n and n mod k = 0", "n - k"))
    assert "add 'n <= 1000' to 'legal'" in call(capfd, "solve", path, "-t", 6).stdout


# --- few states -----------------------------------------------------------------------------------

DELETING = ("2 <= k < n and n mod k = 0", "n - k", "1 <= n <= 200")


def test_codeforces_1537d_is_proved_up_to_its_bound():
    """Lost are the odd numbers and the powers of 2 with an odd exponent, says the editorial."""
    found = answer(*DELETING)
    assert found.is_proved
    assert found.confirmed["winning"] == NAMES
    said = {n for n in range(1, 201) if satisfies(found.losing.formula, {"n": n})}
    assert said == {n for n in range(1, 201) if n % 2 or n in (2, 8, 32, 128)}


def test_a_square_may_be_taken_from_so_many():
    """OEIS A030193: from these numbers whoever takes squares loses."""
    found = answer("k in squares and 1 <= k <= n", legal="0 <= n <= 100")
    assert found.is_proved
    said = [n for n in range(101) if satisfies(found.losing.formula, {"n": n})]
    assert said == [0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34, 39, 44, 52, 57, 62, 65, 67, 72, 85, 95]


@examples(
    8,
    40,
    st.integers(1, 200),
    st.sampled_from(["losing", "winning", "cover", "strategy"]),
)
def test_one_wrong_state_is_found_by_both_opinions(state, part):
    """Faults it sees: a part, a state or a move that one of them passes over."""
    right = answer(*DELETING)
    one = t.compare(t.Name("n"), "=", state)
    flipped = t.Not(t.Iff(right.losing.formula, one))
    lacking = t.And((right.winning.formula, t.Not(one)))
    match part:
        case "losing":
            wrong = replace(right, losing=replace(right.losing, formula=flipped))
        case "winning":
            wrong = replace(right, winning=replace(right.winning, formula=t.Not(flipped)))
        case "cover":
            wrong = replace(right, cover=(lacking,))
        case "strategy":
            rules = [Rule(t.And((rule.when, t.Not(one))), rule.act) for rule in right.strategy]
            wrong = replace(right, strategy=Strategy(tuple(rules)))
    is_wrong = part in ("losing", "winning") or satisfies(right.winning.formula, {"n": state})
    verdicts = {finding.verdict for finding in judge_everywhere(wrong).values()}
    assert (Verdict.REFUTED in verdicts) == is_wrong
    again = check_all(wrong, Budget(30), MOST, wrong.ranking)
    assert (again.disagreements > 0) == is_wrong
    assert not is_wrong or again.witness["n"] <= 200


@pytest.mark.parametrize("rule", ["normal", "misere"])
@settings(deadline=None, max_examples=25)
@given(
    takes=st.sets(st.integers(1, 9), min_size=1, max_size=3),
    ended=st.sets(st.integers(0, 40), max_size=2),
)
def test_few_states_are_judged_as_recursion_judges_them(rule, takes, ended):
    """Faults it sees: a declared end, or who wins there, that is read the wrong way round."""
    listed = ", ".join(map(str, sorted(takes)))
    over = " or ".join(f"n = {n}" for n in sorted(ended)) or "false"
    move = f"action t(k) pre k in {{{listed}}} eff n := n - k"
    game = parse(Source("text", f"game g var n legal 0 <= n <= 40 end {over} {move}")).game()
    is_lost = loser(game, rule)
    labels = every_label(game, rule)
    found = {*labels.states[labels.outcome == LOSING, 0].tolist()}
    assert found == {n for n in range(41) if is_lost((n,))}


@pytest.mark.parametrize(
    "text",
    [
        "game g var n legal n >= 0 action t(k) pre 1 <= k <= 3 and k <= n eff n := n - k",
        f"game g var n legal 0 <= n <= {MOST + 1} action t() pre n >= 1 eff n := n - 1",
        "game g var n legal 0 <= n <= 9 action t() pre true eff n := 9 - n",  # for ever
    ],
)
def test_many_states_and_endless_play_are_not_judged_so(text):
    """A mutant that looks at the states of a box alone calls the first answer proved."""
    assert every_label(parse(Source("text", text)).game(), "normal") is None


@pytest.mark.parametrize("legal", ["n in {5, 100_000}", "n = 5 or n = 70_000", "0 <= n and n != 3"])
def test_states_far_apart_are_not_taken_for_those_near_by(legal):
    """A mutant that clips the bounds of legal states looks at n = 5 alone."""
    rules = f"game g var n legal {legal} action t() pre n > 5 eff n := 5".replace("_", "")
    labels = every_label(parse(Source("text", rules)).game(), "normal")
    assert labels is None or labels.states.max() > 5


@pytest.mark.parametrize("first", [-(10**9), -20, 10**6, 2**31 - 9, 2**62 - 9, 10**30])
def test_few_states_may_lie_anywhere(first):
    """Faults it sees: a box around 0 that has none of them, numbers cut to machine words."""
    move = "action t(k) pre 1 <= k <= 2 eff n := n - k"
    text = f"game g var n legal {first} <= n <= {first + 30} {move}"
    game = parse(Source("text", text)).game()
    labels = every_label(game, "normal")
    if labels is not None:
        lost = {*labels.states[labels.outcome == LOSING, 0].tolist()}
        assert lost == {n for n in range(first, first + 31) if (n - first) % 3 == 0}
    found = solve(game, "normal", Budget(60))
    assert found.is_proved or first > 2**61  # past machine words no state is labelled
    assert not found.is_proved or all(
        satisfies(found.losing.formula, {"n": n}) == ((n - first) % 3 == 0)
        for n in range(first, first + 31)
    )


def test_moves_that_cannot_be_listed_leave_no_second_opinion():
    """Faults it sees: a list of moves that is cut, or what is too hard taken for a winning move."""
    rules = "game g var n legal 0 <= n <= 1 action t(k) pre n >= 1 and k >= 1{} eff n := n - 1"
    losing, winning = (Claim(parse_formula(f"n = {n}", ["n"])) for n in (0, 1))

    def judged(more):
        game = parse(Source("text", rules.format(more))).game()
        said = Solution(game, "normal", "unknown", winning=winning, losing=losing)
        return check_all(said, Budget(30), MOST, (t.Name("n"),))

    assert judged("") is None
    assert judged(" and k <= n").states == 2


def test_a_ranking_that_does_not_fall_with_each_move_is_refused():
    """A mutant looks at moves from losing states alone, or at a sample."""
    right = answer(*DELETING)
    wrong = (t.If(t.compare(t.Name("n"), "=", 200), t.Int(0), t.Name("n")),)
    assert check_all(right, Budget(30), MOST, wrong).disagreements == 1
    assert check_all(right, Budget(30), MOST, right.ranking).disagreements == 0


def test_an_answer_without_a_ranking_has_no_second_opinion():
    right = answer(*DELETING)
    assert check_all(right, Budget(30), MOST, ()) is None
    assert check_all(right, Budget(30), 10, right.ranking) is None
    assert np.isfinite(check_all(right, Budget(30), MOST, right.ranking).states)


def test_no_condition_of_an_answer_divides_by_an_unknown():
    """Such a condition has no value where its divisor is 0, and its file could not be read back.

    A mutant that takes the weakest precondition of any move names one.
    """
    text = """game g var a, b legal 1 <= a <= 15 and 1 <= b <= 8
    action s(k) pre 3 <= k <= a div 2 and (a + 2) mod (k + 2) >= 1 eff a := a - k
    action t(k) pre 3 <= k <= 22 and (b + 1) mod (2 * k) >= 2 eff b := (b - 1) div k
    action u(k) pre 1 <= k <= b - 1 and (a + b) mod (k + 2) = 0 eff b := b - k"""
    found = solve(parse(Source("text", text)).game(), "normal", Budget(60))
    rules = [*found.strategy, *found.tree]
    assert found.is_proved
    assert not has_products((*(rule.when for rule in rules), *found.cover))


def test_labels_alone_refute_nothing(monkeypatch):
    """With a fault in the labels a right answer stands, and a wrong one is still refuted."""
    text = "game g var n legal 0 <= n <= 60 action t(k) pre 1 <= k <= 2 and k <= n eff n := n - k"
    right = solve(parse(Source("text", text)).game(), "normal", Budget(60))

    def faulty(*given, **more):
        found = label(*given, **more)
        found.outcome[9] = 1 - found.outcome[9]
        return found

    monkeypatch.setattr(boxcheck, "label", faulty)
    labels_of_all.cache_clear()
    assert certify(right, Budget(60)).verdict == "proved"
    said = parse_formula("n mod 3 = 0 and n != 9", ["n"])  # as the faulty labels have it
    wrong = replace(
        right,
        losing=Claim(said),
        winning=Claim(negation(said)),
        cover=(negation(said),),
        strategy=Strategy(()),
        tree=Strategy(()),
    )
    assert certify(wrong, Budget(60)).verdict == "refuted"
    labels_of_all.cache_clear()


# --- values of few states -------------------------------------------------------------------------

PILES = {
    PROPER: lambda n: [n - k for k in range(1, n) if n % k == 0],
    "k in primes and k <= n": lambda n: [
        n - k for k in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29) if k <= n
    ],
    "1 <= k and k * k <= n": lambda n: [n - k for k in range(1, n + 1) if k * k <= n],
}


def values_of(moves, last):
    """The Grundy values of 1, .., ``last`` and of 0, by their definition."""
    found: list[int] = []
    for n in range(last + 1):
        met = {found[m] for m in moves(n)}
        found.append(next(v for v in range(last + 2) if v not in met))
    return found


@pytest.mark.parametrize("pre", PILES)
def test_values_of_few_states_are_those_of_the_definition(pre):
    """A mutant that stops at the values of the box it learns from is not proved beyond."""
    game, values = game_of(pre, legal="1 <= n <= 30"), values_of(PILES[pre], 30)
    found = grundy(game, Budget(30))
    assert found.is_proved
    if "k <= n" in pre:  # 0 is not legal here: what is left is at least 1
        moves = PILES[pre]
        values = values_of(lambda n: [m for m in moves(n) if m], 30)
    assert [value_at(found.value, {"n": n}) for n in range(1, 31)] == values[1:]


@pytest.mark.parametrize("state", [1, 2, 13, 20])
@pytest.mark.parametrize("other", [-1, 0, 1, 5])
def test_a_value_that_is_wrong_at_one_state_is_not_proved(state, other):
    """Faults it sees: heaps up to less than the largest value that is claimed; states with a value
    of which no heap is played; a negative value."""
    game, values = game_of(PROPER, legal="1 <= n <= 30"), values_of(PILES[PROPER], 30)
    name = t.Name("n")
    term: t.Term = t.Int(0)
    for n, number in enumerate(values[1:], 1):
        said = values[state] + other if n == state else number
        term = t.If(t.compare(name, "=", n), t.Int(said), term)
    judged = judge_value(game, term, Budget(30))
    assert (judged.verdict == "proved") == (other == 0)
    assert not judged.is_contradicted
    assert values_everywhere(game, term).is_proved == (other == 0)
    assert (check_values(game, term, Budget(30), MOST, (name,)).disagreements == 0) == (other == 0)


def test_values_of_a_declared_end_of_many_states_and_of_a_ranking_that_rises():
    """Faults it sees: a state at which play is over has a value by its moves; a sample for all
    states; moves along which nothing falls."""
    name, pile = t.Name("n"), "game g var n legal 0 <= n <= {} {} action take(k) pre 1 <= k <= n"
    ends = parse(Source("text", pile.format(30, "end n <= 3") + " eff n := n - k")).game()
    right = t.If(t.compare(name, "<=", 3), t.Int(0), t.Sum((name, t.Int(-3))))
    for value in (right, name):
        assert values_everywhere(ends, value).is_proved == (value == right)
        found = check_values(ends, value, Budget(30), MOST, (name,))
        assert (found.disagreements == 0) == (value == right)
    assert check_values(ends, right, Budget(30), MOST, (t.Neg(name),)).disagreements
    assert check_values(ends, right, Budget(30), 30, (name,)) is None
    many = parse(Source("text", pile.format(20_000, "") + " eff n := n - k")).game()
    assert values_everywhere(many, name) is None


@settings(max_examples=30, deadline=None)
@given(
    pre=st.sampled_from(sorted(PILES)),
    piles=st.lists(st.integers(1, 12), min_size=1, max_size=3),
)
def test_piles_with_sets_and_divisors_are_lost_as_in_plain_play(pre, piles):
    answer = solved_piles(pre)
    moves = PILES[pre]

    @cache
    def wins(position):
        after = (
            tuple(sorted((*position[:i], m, *position[i + 1 :])))
            for i, n in enumerate(position)
            for m in moves(n)
            if m >= 1
        )
        return any(not wins(position) for position in after)

    assert answer.theorem is not None
    value = reduce(xor, (value_at(answer.theorem.function.value, {"n": n}) for n in piles))
    assert (value != 0) == wins(tuple(sorted(piles)))


@cache
def solved_piles(pre):
    text = f"piles g {RULES.format('1 <= n <= 30', pre, 'n - k')}"
    return PileSearch(
        parse(Source("text", text)).piles(), "normal", Budget(30), silent, False
    ).run()


def test_only_where_one_pile_is_touched_rules_have_sets_and_divisors():
    for touch in ("touch all", "touch at most 2", "touch first"):
        for pre, said in (
            (PROPER, "not linear"),
            ("k in primes and k <= n", "primes in these rules"),
        ):
            text = f"piles g {RULES.format('1 <= n <= 30', pre, 'n - k')} {touch}"
            with pytest.raises(InputError, match=said):
                parse(Source("text", text)).piles()
