"""Sizes that nobody has in mind: states far from 0, hundreds of names, a handful of states."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from plain_play import loser, worth
from speed import sampled

import icgsynth as icg
from experiments.adversary import sizes
from experiments.adversary.command import CAMPAIGN
from experiments.attempts import tried
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.digits.int64 import as_float, combinations_of, spoken_count
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.explicit.steps import steps_of
from icgsynth.game.solution import Claim, Solution
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.term import FALSE, TRUE
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.subjects import position_questions
from icgsynth.synth.checked import bounds, nearer
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.values.grundy_search import grundy

FAR = [10**20, -(10**20) - 40, 2**62]


def game_of(text):
    return parse(Source("test", text)).game()


# --- far from 0 -----------------------------------------------------------------------------------


def window(low):
    """Take 1 to 3, where the rest is no multiple of 5 beside the least number."""
    return (
        f"game far var n legal {low} <= n <= {low + 40} "
        f"action take(k) pre 1 <= k <= 3 and n mod 5 != 2 eff n := n - k"
    )


@sampled("low", FAR)
def test_few_states_are_solved_wherever_they_lie(low):
    """Boxes past 2^60 were refused, and games of 41 states unknown."""
    game = game_of(window(low))
    for rule in ("normal", "misere"):
        solution = icg.loads(window(low)).solve(rule, timeout=30)
        is_lost = loser(game, rule)
        assert solution.is_proved
        for n in range(low, low + 41):
            assert satisfies(solution.losing_formula, {"n": n}) == is_lost((n,)), n


def test_two_variables_of_which_one_is_far_are_solved():
    """The chain of ``legal`` kept the far number, so the answer came in digits and was lost."""
    low = 2**62
    game = game_of(
        f"game near var a, b legal {low} <= a <= {low + 6} and 0 <= b <= 5 "
        "action x(k) pre 1 <= k <= 2 eff a := a - k action y(k) pre 1 <= k <= b eff b := b - k"
    )
    assert str(nearer(game).game.legal) == "0 <= a <= 6 and 0 <= b <= 5"
    solution, is_lost = solve(game, "normal", Budget(30.0)), loser(game, "normal")
    assert solution.is_proved
    for a in range(low, low + 7):
        for b in range(6):
            assert satisfies(solution.losing_formula, {"a": a, "b": b}) == is_lost((a, b))


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_play_from_a_state_is_followed_wherever_it_leads(rule):
    """States near 0 and states near 10^20: no box holds both, and few are on the way."""
    far = 10**20
    game = game_of(
        f"game two var v legal 0 <= v <= 5 or {far} <= v <= {far + 5} "
        f"action t(k) pre 1 <= k <= 2 eff v := v - k "
        f"action j pre v >= {far} eff v := v - {far}"
    )
    is_lost = loser(game, rule)
    for state in [(n,) for low in (0, far) for n in range(low, low + 6)]:
        nothing = position_questions.PositionAnswer(state, game, rule)
        (found,) = position_questions.by_play([nothing], Budget(10.0))
        assert found.is_proved and found.winner == ("losing" if is_lost(state) else "winning")
        assert found.move is None or is_lost(game.result(state, found.move))


@pytest.mark.parametrize("low", FAR)
def test_labels_far_from_0_are_those_of_plain_play(low):
    game = game_of(window(low))
    labels = label(game, Box(("n",), ((low, low + 40),), game.legal), "normal")
    is_lost = loser(game, "normal")
    assert labels.states[:, 0].tolist() == list(range(low, low + 41))
    assert [o == LOSING for o in labels.outcome.tolist()] == [
        is_lost((n,)) for n in range(low, low + 41)
    ]


def test_the_values_of_few_states_far_from_0_are_proved():
    low = 10**20
    text = (
        f"game far var n legal {low} <= n <= {low + 40} action t(k) pre 1 <= k <= 3 eff n := n - k"
    )
    game = game_of(text)
    answer, value_of = grundy(game, Budget(60.0)), worth(game)
    assert answer.is_proved
    assert [value(answer.term, {"n": n}) for n in range(low, low + 41)] == [
        value_of((n,)) for n in range(low, low + 41)
    ]


def test_commands_on_few_states_far_from_0(tmp_path, capsys):
    low, rules = 10**20, tmp_path / "far.icg"
    rules.write_text(window(low))
    game = game_of(window(low))
    lost, value_of = loser(game, "normal"), worth(game)
    assert run(["table", str(rules), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["states"]
    assert {row["state"][0]: row["outcome"] == "losing" for row in rows} == {
        n: lost((n,)) for n in range(low, low + 41)
    }
    assert run(["value", str(rules), f"--at={low + 18}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] == value_of((low + 18,))
    assert run(["solve", str(rules), f"--at={low + 18}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["winning"] != lost((low + 18,))
    assert run(["verify", str(rules), "--losing", "false"]) == 3


def test_rules_counted_from_another_number_are_the_rules():
    """Moves and legal states of the two games correspond."""
    low = 10**20
    text = (
        f"game two var a, b legal {low} <= a <= {low + 9} and b >= 0 and b <= a - {low} "
        f"action x(k) pre 1 <= k <= b + 1 eff a := a - k, b := min(b, a - k - {low}) "
        "action y(k) pre 1 <= k and k mod 2 = a mod 2 eff b := b - k"
    )
    game = game_of(text)
    there = nearer(game).game
    for a in range(10):
        for b in range(a + 1):
            after = [game.result((low + a, b), move) for move in game.moves((low + a, b))]
            assert there.is_legal((a, b))
            counted = [there.result((a, b), move) for move in there.moves((a, b))]
            assert [(x - low, y) for x, y in after] == counted
    assert nearer(there) is None


# --- many names -----------------------------------------------------------------------------------


def piles(count, fixed=False):
    """So many piles; ``fixed``: all but the first have one counter for ever."""
    names = [f"p{i}" for i in range(count)]
    legal = [f"{name} >= 0" for name in names]
    if fixed:
        legal = ["0 <= p0 <= 9", *(f"{name} = 1" for name in names[1:])]
    moved = names[:1] if fixed else names
    moves = " ".join(f"action t{p}(k) pre 1 <= k <= {p} eff {p} := {p} - k" for p in moved)
    return f"game many var {', '.join(names)} legal {' and '.join(legal)} {moves}"


def test_boxes_of_more_variables_than_an_array_has_sides():
    game = game_of(piles(66, fixed=True))
    box = Box.of(game, 9)
    assert box.states.tolist() == [[n, *[1] * 65] for n in range(10)]
    assert label(game, box, "normal").outcome.tolist() == [LOSING, *[1] * 9]
    with pytest.raises(Refused):
        _ = box.grid


def test_a_box_of_many_variables_is_refused_in_few_digits():
    names = tuple(f"p{i}" for i in range(1_100))
    for bound in (1, 10_000):
        with pytest.raises(Refused) as refused:
            Box(names, ((0, bound),) * 1_100).require(2**24)
        assert len(str(refused.value)) < 200


def test_the_boxes_of_a_game_of_300_variables_are_counted():
    """The number of states was made a float, which holds no more than some 10^308."""
    assert list(bounds(game_of(piles(300))))


@pytest.mark.slow
@pytest.mark.parametrize("count", [65, 400])
@pytest.mark.parametrize("verb", ["check", "solve", "value", "table"])
def test_commands_take_hundreds_of_variables(verb, count, tmp_path, capsys):
    rules = tmp_path / "many.icg"
    rules.write_text(piles(count))
    assert run([verb, str(rules), "--timeout", "1"]) in (2, 4)
    assert "internal error" not in capsys.readouterr().err


def test_65_variables_of_which_one_varies_are_solved(capsys, tmp_path):
    rules = tmp_path / "many.icg"
    rules.write_text(piles(65, fixed=True))
    assert run(["table", str(rules), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["states"]
    assert [row["outcome"] for row in rows] == ["losing", *["winning"] * 9]


def test_integers_become_floats_in_one_place():
    assert as_float(10**400) == inf
    assert as_float(-(10**400)) == -inf
    assert as_float(2**53) == 2.0**53
    assert combinations_of([10**200, 10**200]) == inf
    assert combinations_of([inf, 10**400, 0]) == 0
    assert combinations_of([3, 5]) == 15
    assert spoken_count(1_234_567) == "1,234,567"
    assert spoken_count(10**5_000 + 1) == "about 10^5000"


def test_no_move_is_looked_for_once_the_time_is_over():
    """Bounds of 200 parameters take seconds, between which nobody looked at the time."""
    game = game_of("game g var n legal n >= 0 action t(k) pre 1 <= k <= n eff n := n - k")
    spent = Budget(0.0)
    with pytest.raises(BudgetSpent):
        steps_of(game, Box.of(game, 9), 1_000, spent)
    (step,) = steps_of(game, Box.of(game, 9), 1_000)
    with pytest.raises(BudgetSpent):
        list(replace(step, budget=spent).out_of(np.arange(10)))


def test_the_move_that_refutes_a_formula_is_looked_for_within_the_budget(monkeypatch):
    """At a state of 10^30 `verify` went through 100,000 moves after the time was over."""
    game = game_of("game g var n legal n >= 0 action t(k) pre 1 <= k <= n eff n := n - k")
    claim = Solution(game, "normal", "unknown", winning=Claim(TRUE), losing=Claim(FALSE))
    looked = list[int]()
    monkeypatch.setattr(position_questions, "satisfies", lambda *_: looked.append(1))
    assert position_questions._to_lost(claim, (10**30,), Budget(0.0)) == (None, False)
    assert not looked


# --- tiny -----------------------------------------------------------------------------------------


def test_a_learner_whose_wider_box_has_no_known_label_looks_at_the_other():
    """``closed()`` is empty where the label of the least state is not known."""
    examples = Examples(("p",), np.arange(20)[:, None], np.arange(20) % 3 == 0)
    none = Examples(("p",), np.zeros((0, 1), np.int64), np.zeros(0, bool))
    learner = FormulaLearner(examples, 24, Budget(20.0), wide=none)
    assert any(not len(examples.mismatches(formula)) for formula in learner.guesses())


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_game_whose_small_states_have_no_known_label(rule):
    text = "game g var p legal p >= 1 action m(k) pre 2 <= k <= 9 and p < 20 eff p := k * p"
    game = game_of(text)
    is_lost = loser(game, rule)
    losing = icg.loads(text).solve(rule, timeout=30).losing_formula
    for p in range(1, 200):
        assert satisfies(losing, {"p": p}) == is_lost((p,))


# --- the kinds of the adversary -------------------------------------------------------------------


@sampled("kind", ["tiny", "offsets", "large"])
def test_the_adversary_finds_nothing(kind):
    tally, faults = tried(CAMPAIGN, kind, 4, 2)
    assert not faults, faults[0].wrong
    assert tally.attempts == 2


def test_the_adversary_sees_a_wrong_table(monkeypatch):
    text, rng = (
        "game g var n legal 0 <= n <= 9 action t pre n >= 1 eff n := n - 1",
        random.Random(3),
    )
    rows = [{"state": [n], "outcome": "winning" if n % 2 else "losing"} for n in range(10)]
    monkeypatch.setattr(sizes.random.Random, "choice", lambda self, these: next(iter(these)))
    monkeypatch.setattr(sizes, "_asked", lambda *_: (0, json.dumps({"states": rows})))
    assert sizes.wrong_by_command(text, "normal", rng) == ""
    rows[7]["outcome"] = "losing"
    assert "(7,)" in sizes.wrong_by_command(text, "normal", rng)
