"""Rules that take a multiple of a variable: ``a := a - k * b`` repeats the step ``a := a - b``."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import pytest
from catalog_answers import answered
from hypothesis import given
from hypothesis import strategies as st
from plain_play import loser
from speed import examples

from icgsynth.budget import Budget
from icgsynth.claims.over_sets import parts_of
from icgsynth.errors import OutsideLogic
from icgsynth.export import export
from icgsynth.game.repeated import most_times, steps_of_multiples, stepwise
from icgsynth.game.run_rule import RunRule
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import has_products
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.well_formed import check_twice
from icgsynth.spec.icg import parse, parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

EUCLID = """game euclid
var a, b
legal a >= 0 and b >= 0
end a = 0 or b = 0
action take_a(k)  pre 1 <= k and k * b <= a and b >= 1  eff a := a - k * b
action take_b(k)  pre 1 <= k and k * a <= b and a >= 1  eff b := b - k * a
"""


def game_of(text):
    return parse(Source("rules", text)).game()


def one_action(pre, eff, legal="a >= 0 and b >= 0", more=""):
    return f"game g\nvar a, b\nlegal {legal}\n{more}\naction t(k) pre {pre} eff {eff}\n"


def repeated(game, state):
    """The states after one step of the only action, after two, .., as long as it applies."""
    while moves := list(game.moves(state)):
        state = game.result(state, moves[0])
        yield state


TAKES = "1 <= k and k * b <= a and b >= 1"


# The usual rule, the first of each list, and what may stand there instead.
PARTS = {
    "least": ["1 <= k", "k > 0", "2 <= k", "1 <= k <= 2", "true"],
    "room": [
        *("k * b <= a", "a >= b * k", "k * b + 2 <= a", "a - k * b > 0", "k * b <= 2 * a"),
        *("2 * k * b <= a", "k * b < a + b", "k * b <= 6", "k * b <= a and k * b <= 6"),
    ],
    "other": ["b >= 1", "b > 0", "b != 0", "b >= 0", "b >= 1 and a >= 4", "b >= 2", "b mod 2 = 1"],
    "effect": [
        *("a := a - k * b", "a := a - b * k", "a := a - 2 * k * b", "a := a - k * b + 1"),
        *("a := a - k * b, b := b - 1", "a := a - k * b, b := b - k * a"),
    ],
    "legal": [
        *("a >= 0 and b >= 0", "a >= 0 and b >= 0 and a != 3", "a >= 0 and b >= 1"),
        *("a >= 0 and b >= 0 and a mod 2 = 0", "a >= 0 and b >= 0 and a + b <= 9"),
    ],
    "end": ["", "end a = 0", "end a = 4", "end b = 2"],
}
ONE_OTHER = [{part: text} for part, texts in PARTS.items() for text in texts]


def require_repeated(parts):
    """What is read as a repeated step leads where the step does, made once, twice, ..

    What is not has its products left.
    """
    usual = {part: texts[0] for part, texts in PARTS.items()} | parts
    pre = f"{usual['least']} and {usual['room']} and {usual['other']}"
    text = one_action(pre, usual["effect"], usual["legal"], usual["end"])
    game = game_of(text)
    if not steps_of_multiples(game):
        assert has_products([game.actions[0].precondition]) or "k <= 2" in pre
        return
    once = stepwise(game)
    for state in filter(game.is_legal, product(range(9), repeat=2)):
        there = {game.result(state, move) for move in game.moves(state)}
        assert there == set(repeated(once, state))


@pytest.mark.parametrize("parts", ONE_OTHER, ids=lambda parts: ", ".join(parts.values()))
def test_a_rule_that_differs_in_one_part_has_products_or_repeats_its_step(parts):
    """Kills each condition of ``_is_repeated`` that is left out."""
    require_repeated(parts)


@given(st.fixed_dictionaries({part: st.sampled_from(texts) for part, texts in PARTS.items()}))
def test_rules_that_differ_in_many_parts_have_products_or_repeat_their_step(parts):
    require_repeated(parts)


def test_the_usual_ways_to_write_a_multiple_are_read():
    """Kills a reader that refuses all of them, with which the test above would pass."""
    for pre in (TAKES, "k > 0 and a >= b * k and b > 0", "k >= 1 and a - k * b >= 0 and 0 < b"):
        game = game_of(one_action(pre, "a := a - k * b"))
        assert [str(a.precondition) for a in steps_of_multiples(game).values()]


@given(st.integers(-3, 4), st.integers(0, 17), st.integers(0, 9), st.integers(0, 9))
def test_a_product_of_a_parameter_of_few_values_is_read_value_by_value(low, more, a, b):
    """Against plain arithmetic; of 17 values it is not.

    Faults it sees: a value left out at either end, or taken for another; a bound that holds only
    with the product itself believed; a limit that is off by one.
    """
    pre = f"{low} <= k <= {low + more} and (k + 1) * b <= 2 * a"
    text = one_action(pre, "a := a + 3 * k * b, b := b - 1 * k")
    game = game_of(text)
    assert has_products([game.actions[0].precondition]) == (more >= 16)
    fits = [k for k in range(low, low + more + 1) if (k + 1) * b <= 2 * a]
    there = [(k, (a + 3 * k * b, b - k)) for k in fits if a + 3 * k * b >= 0 and b >= k]
    found = [(dict(move.arguments)["k"], game.result((a, b), move)) for move in game.moves((a, b))]
    assert found == there


@given(st.integers(-1, 4), st.integers(0, 17), st.integers(0, 40), st.integers(0, 9))
def test_a_parameter_may_divide(low, more, a, b):
    """Against Python's own division; where a value is below 1, it is refused.

    Faults it sees: a case for a wrong divisor, mod for div, a division by 0 that is read.
    """
    text = one_action(
        f"{low} <= k <= {low + more} and a mod k = 0", "a := b + a div k, b := 7 mod (k + 1)"
    )
    if low < 1:
        with pytest.raises(OutsideLogic, match="is not linear"):
            game_of(text)
        return
    game = game_of(text)
    there = [(k, (b + a // k, 7 % (k + 1))) for k in range(low, low + more + 1) if a % k == 0]
    found = [(dict(move.arguments)["k"], game.result((a, b), move)) for move in game.moves((a, b))]
    assert found == there


@examples(20, 100, st.integers(0, 60))
def test_parameters_of_few_values_may_stand_in_products_within_products(n):
    """Faults it sees: a product within another that is replaced first, so that the other stays."""
    pre = "2 <= k <= 4 and 2 <= j <= 3 and n >= 1 and k * (n div j) <= n"
    text = (
        f"game g var n legal n >= 0 action t(k, j) pre {pre} eff n := k * (n div j) mod k + n div k"
    )
    found = {
        (m.arguments[0][1], m.arguments[1][1], game_of(text).result((n,), m))
        for m in game_of(text).moves((n,))
    }
    there = {
        (k, j, (k * (n // j) % k + n // k,))
        for k in (2, 3, 4)
        for j in (2, 3)
        if n >= 1 and k * (n // j) <= n
    }
    assert found == there


@pytest.mark.parametrize(
    "text",
    [
        one_action("0 <= k <= a and a mod k = 0", "a := a - k"),
        one_action("1 <= k <= a and a mod (k - 1) = 0", "a := a - k"),
        one_action("1 <= k <= a and a mod (b div k) = 0", "a := a - k"),
        one_action("a mod k = 0 and (k >= 1 or a = 0) and k <= a", "a := a - k"),
        one_action(
            "1 <= k <= a and a mod k = 0", "a := a - k", "a >= 1 and b >= 1 and a mod b = 0"
        ),
        one_action("1 <= k <= a and a mod k = 0", "a := a - k", more="block 1"),
        one_action("1 <= k <= a and a mod k = 0 and (exists j. 2 * j = a)", "a := a - k"),
        one_action("1 <= k <= a and (exists j. 1 <= j and a mod j = k)", "a := a - k"),
        one_action("1 <= k <= a and a mod k = 0 and k in powers_of_2", "a := a - k"),
        one_action(TAKES, "a := a - k * b", "a >= 0 and b >= 0 and a * b <= 9"),
        one_action(TAKES, "a := a - k * b", more="block 1"),
        one_action(f"{TAKES} and (exists j. j = a)", "a := a - k * b"),
        "heaps h\nvar a, b\nlegal a >= 0 and b >= 0\n"
        f"action t(k) pre {TAKES} into (a - k * b, b)\n",
        "heaps h\nvar a\nlegal a >= 0\naction t(k) pre 1 <= k <= a and a mod k = 0 into a - k\n",
    ],
)
def test_other_products_are_refused_at_their_place(text):
    source = Source("rules", text)
    with pytest.raises(OutsideLogic) as refused:
        spec = parse(source)
        spec.heaps() if text.startswith("heaps") else spec.game(blocking=True)
    assert "is not linear" in refused.value.message
    assert refused.value.span.line >= 3


@given(st.integers(0, 10**40))
def test_the_last_number_that_holds_is_found(last):
    assert most_times(lambda n: n <= last) == last


@cache
def answer(rule):
    return answered(game_of(EUCLID), rule)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_euclid_is_solved_from_its_natural_rules(rule):
    """Normal play is Cole and Davie's theorem: a state without 0 is lost where both piles are
    different and the larger is less than phi times the smaller, which needs integers only."""
    found = answer(rule)
    assert found.is_proved
    assert found.explicit.far.states > 0
    is_lost = loser(found.game, rule)
    for a, b in product(range(40), repeat=2):
        losing = satisfies(found.losing_formula, {"a": a, "b": b})
        assert losing == is_lost((a, b))
        if rule == "normal":
            large, small = max(a, b), min(a, b)
            below_phi = large * (large - small) < small * small
            assert losing == (small == 0 or (small < large and below_phi))


def test_a_move_is_found_however_often_the_step_has_to_be_made():
    found = answer("normal")
    for state in [(10**30, 7), (7, 10**30), (10**30 + 1, 10**29 - 3), (5, 5)]:
        kept = found.strategy.choose(found.game, state)
        assert kept is not None
        after = found.game.result(state, kept.move)
        assert satisfies(found.losing_formula, found.game.env(after))


def test_an_exported_program_repeats_the_step_as_often():
    """Its moves are judged by play: they lead to states without a winning move.

    Faults it sees: one step too few or too many, a step that adds to the wrong pile.
    """
    module: dict[str, Any] = {}
    exec(export(answer("normal"), "python"), module)
    is_lost = loser(game_of(EUCLID), "normal")
    for state in product(range(40), repeat=2):
        move = module["move"](*state)
        assert (move is None) == is_lost(state)
        assert move is None or is_lost(module["result"](*move, *state))
    action, given = module["move"](10**40 + 7, 10**18 + 3)
    assert not module["is_winning"](*module["result"](action, given, 10**40 + 7, 10**18 + 3))


def stands(solution):
    report = check_twice(solution.game, Budget(30))
    parts = certify(solution, Budget(60), Given(report)).parts
    return {part: parts[part].is_proved for part in parts_of(solution)}


def with_run(solution, place, **changes):
    rules = list(solution.strategy)
    rules[place] = replace(rules[place], **changes)
    return replace(solution, strategy=type(solution.strategy)(tuple(rules)))


def test_wrong_runs_prove_nothing():
    """Kills a proof that takes the automaton of a repeated step for granted."""
    found = answer("normal")
    places = [i for i, rule in enumerate(found.strategy) if isinstance(rule, RunRule)]
    assert len(places) == 2
    assert all(stands(found).values())
    for place in places:
        target = found.strategy[place].target
        turned = tuple(not accepts for accepts in target.accepting)
        never = tuple(False for _ in target.accepting)
        for accepting in (turned, never):
            wrong = with_run(found, place, target=replace(target, accepting=accepting))
            assert not stands(wrong)["winning"]
    alone = replace(found, strategy=type(found.strategy)(tuple(found.strategy)[:1]))
    assert not any(stands(alone)[part] for part in ("winning", "strategy"))


def test_a_repeated_step_is_read_back_from_its_file():
    found = answer("misere")
    text = json.dumps(found.to_json())
    again = read_solution(Source("answer", text), found.game)
    assert tuple(again.strategy) == tuple(found.strategy)
    assert next(iter(again.strategy)).aim({"a": 20, "b": 3}) == {"a": 2}


@pytest.mark.parametrize("step", ["a - b", "a + b"])
def test_an_automaton_that_accepts_everything_makes_no_endless_run(step):
    """Kills a search for the last step without an end: wrong files may hold such automata."""
    rule = next(iter(answer("normal").strategy))
    everything = replace(rule.target, accepting=(True,) * len(rule.target.accepting))
    wrong = replace(rule, target=everything, step=(("a", parse_term(step, ("a", "b"))),))
    assert wrong.aim({"a": 5, "b": 0}) is None
    assert wrong.aim({"a": 5, "b": 3}) is not None
    assert not wrong.keep(answer("normal").game, (5, 3), None)
