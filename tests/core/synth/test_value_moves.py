"""The strategy of a Grundy function: each rule makes a legal move to the value it was asked for.

The oracle is the definition: values by recursion over explicit moves, and for far states what
Bouton and others say of each game in one line of Python.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, REFUTED
from icgsynth.errors import InputError
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.game.beside_heap import aiming
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy, TargetRule
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Int, Name
from icgsynth.prove.value_strategy import judge_strategy
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer
from icgsynth.synth.values.value_moves import moves_of_sum

FAR = st.integers(0, 10**30)


@cache
def _answer(name: str) -> GrundyAnswer:
    return icg.load(name).values()


def _check(answer: GrundyAnswer, state: tuple[int, ...], value: int, worth: Any) -> None:
    """Each smaller value is reached by a legal move of the strategy."""
    game = answer.game
    for target in {*range(min(value, 12)), value // 2, max(value - 1, 0)} - {value}:
        move = answer.mover(state, target)
        assert move is not None, (state, target)
        assert game.applies(state, move)
        assert worth(game.result(state, move)) == target


@pytest.mark.parametrize(
    ("name", "bound"),
    [
        ("take_away", 20),
        ("subtraction_134", 40),
        ("race_to_goal", 100),
        pytest.param("bounded_wythoff", 12, marks=pytest.mark.slow),
        pytest.param("two_sided_take_away", 12, marks=pytest.mark.slow),
        pytest.param("mixed_take_away2", 16, marks=pytest.mark.slow),
        pytest.param("circular_nim_2_2", 9, marks=pytest.mark.slow),
        pytest.param("mark", 60, marks=pytest.mark.slow),  # an automaton
        pytest.param("yama_nim", 10, marks=pytest.mark.slow),
        pytest.param("chocolate", 8, marks=pytest.mark.slow),
    ],
)
def test_every_smaller_value_is_reached_in_a_box(name: str, bound: int) -> None:
    answer = _answer(name)
    game = answer.game
    assert answer.strategy
    low = 0 if name != "two_sided_take_away" else -bound
    found = box_values(game, Box(game.variables, ((low, bound),) * len(game.variables), game.legal))
    worth = dict(zip(map(tuple, found.box.states.tolist()), found.values.tolist(), strict=True))
    checked = 0
    for state, value in worth.items():
        if value > 0:
            _check(answer, state, value, worth.__getitem__)
            checked += 1
    assert checked > 10


@pytest.mark.slow
def test_rules_in_digits_are_said_where_they_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two piles of Nim that an action without a move keeps together: terms, not automata."""
    monkeypatch.setattr("icgsynth.synth.values.value_moves._DIGITS_SECONDS", 60.0)
    rules = "game g var a, b legal a >= 0 and b >= 0 "
    rules += "action x(k) pre 1 <= k <= a eff a := a - k "
    rules += "action y(k) pre 1 <= k <= b eff b := b - k "
    rules += "action none(k) pre 1 <= k <= a and a + b < k eff a := a - k, b := b - k"
    answer = icg.loads(rules).values()
    assert answer.is_proved and answer.strategy
    assert all(isinstance(rule, Rule) for rule in answer.strategy)


def test_where_all_values_are_zero_there_is_no_rule() -> None:
    """No value is smaller; a rule would only be in the way."""
    rules = "game g var n legal n >= 0 and n mod 3 = 0 "
    rules += "action take(k) pre 1 <= k <= 2 and k <= n eff n := n - k"
    answer = icg.loads(rules).values()
    assert answer.is_proved and answer.value == Int(0) and not answer.strategy


def test_a_part_without_rules_leaves_the_sum_without() -> None:
    """Else the sum would have rules for the other part alone."""
    answer = _answer("take_away")
    assert answer.term is not None
    parts, terms = [answer, replace(answer, strategy=Strategy(()))], [answer.term, answer.term]
    assert moves_of_sum(parts[:1], terms[:1], Name("t"))
    assert not moves_of_sum(parts, terms, Name("t"))
    assert moves_of_sum(parts, [answer.term, Int(0)], Name("t"))  # 0 has no smaller value


@settings(max_examples=25, deadline=None)
@given(FAR, FAR, FAR, FAR)
def test_each_part_of_a_sum_aims_at_the_xor_of_the_others(x: int, y: int, z: int, t: int) -> None:
    """Seen: a part among its own others, or one of them left out."""
    parts = []
    for name in "xyz":
        rules = f"game g var {name} legal {name} >= 0 action none pre {name} < 0 eff {name} := 0"
        part = GrundyAnswer(icg.loads(rules).game, "solved", value=Name(name))
        falls = parse_formula(f"{part.target} < {name}", (name, part.target))
        rule = Rule(falls, SemiGroundAction("none", ()))
        parts.append(replace(part, strategy=Strategy((rule,))))
    moves = moves_of_sum(parts, [*map(Name, "xyz")], Name("t"))
    aims = [satisfies(rule.when, {"x": x, "y": y, "z": z, "t": t}) for rule in moves]
    assert aims == [t ^ y ^ z < x, t ^ x ^ z < y, t ^ x ^ y < z]


@settings(max_examples=30, deadline=None)
@given(FAR, FAR, FAR)
def test_nim_is_played_as_bouton_says(a: int, b: int, target: int) -> None:
    assume(target < a ^ b)
    answer = _answer("nim2")
    move = answer.mover((a, b), target)
    assert move is not None
    x, y = answer.game.result((a, b), move)
    assert (x ^ y, x <= a, y <= b, (x < a) + (y < b)) == (target, True, True, 1)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(FAR, FAR)
def test_far_states_reach_each_smaller_value(a: int, b: int) -> None:
    for name, worth in {
        "mixed_take_away2": lambda s: s[0] % 3 ^ s[1] % 5,
    }.items():
        _check(_answer(name), (a, b), worth((a, b)), worth)
    _check(_answer("take_away"), (a,), a % 4, lambda s: s[0] % 4)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**30))
def test_a_target_that_an_automaton_computes_is_reached_far_out(v: int) -> None:
    answer = _answer("mark")
    assert any(isinstance(rule, TargetRule) for rule in answer.strategy)
    _check(answer, (v,), answer((v,)), answer)


def test_a_name_that_the_game_uses_is_not_the_target() -> None:
    answer = icg.loads(
        "game g const n = 4 var w legal w >= 0 action take(w1) pre 1 <= w1 <= n eff w := w - w1"
    ).values()
    assert answer.target == "w2"
    assert {rule["target"] for rule in answer.to_json()["strategy"]} == {"w2"}
    _check(answer, (10**30 + 4,), (10**30 + 4) % 5, lambda s: s[0] % 5)


# --- files -----------------------------------------------------------------------------------


def _verdict(spec: str, data: dict[str, Any], folder: Path) -> int:
    file = folder / "changed.json"
    file.write_text(json.dumps(data), "utf-8")
    return run(["verify", spec, str(file), "--quiet"])


def test_take_away_says_what_people_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["value", "take_away", "--json"]) == DONE
    data = json.loads(capsys.readouterr().out)
    arguments = {"k": "v mod 4 - w"}
    rule = {"when": "w < v mod 4", "action": "take", "arguments": arguments, "target": "w"}
    assert data["strategy"] == [rule]


@pytest.mark.parametrize(
    "spec",
    ["take_away", *(pytest.param(s, marks=pytest.mark.slow) for s in ("nim2", "mark", "chomp_l"))],
)
def test_what_is_written_is_proved_and_what_is_changed_is_not(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = _answer(spec).to_json()
    assert _verdict(spec, data, tmp_path) == DONE
    assert "the strategy leads to each smaller value" in capsys.readouterr().out
    rule, *rest = data["strategy"]
    without = data | {"strategy": rest or [rule | {"when": "w < 0"}]}
    assert _verdict(spec, without, tmp_path) == REFUTED
    if "arguments" in rule:
        off = {name: f"{term} + 1" for name, term in rule["arguments"].items()}
        wrong = data | {"strategy": [rule | {"arguments": off}, *rest]}
        assert _verdict(spec, wrong, tmp_path) == REFUTED


@pytest.mark.slow
def test_a_rule_of_a_sum_that_does_not_say_where_it_applies_is_refuted(tmp_path: Path) -> None:
    data = _answer("nim2").to_json()
    for when in ("w < a xor b", "a > 0"):
        rule = data["strategy"][0] | {"when": when}
        changed = data | {"strategy": [rule, *data["strategy"][1:]]}
        assert _verdict("nim2", changed, tmp_path) == REFUTED


@pytest.mark.slow
def test_rules_in_other_words_are_proved(tmp_path: Path) -> None:
    data = _answer("nim2").to_json()
    data["strategy"][0]["when"] = "b xor w <= a"  # equal only where w is the value
    for rule in data["strategy"]:
        for name, term in rule["arguments"].items():
            rule["arguments"][name] = term.replace("b xor w", "w xor b").replace(
                "a xor w", "w xor a"
            )
    assert _verdict("nim2", data, tmp_path) == DONE
    data = _answer("take_away").to_json()
    data["strategy"][0] |= {"when": "true", "arguments": {"k": "(v - w) mod 4"}}
    assert _verdict("take_away", data, tmp_path) == DONE


def _is_right(answer: GrundyAnswer, bound: int) -> bool:
    """Whether in a box the first rule whose condition holds leads to the target, wherever it is."""
    game, there = answer.game, aiming(answer.game)
    for state in map(tuple, Box.of(game, bound).states.tolist()):
        for target in range(answer(state)):
            env = there.env((*state, target))
            rules = (rule for rule in answer.strategy if satisfies(rule.when, env))
            move = next((r.act.ground(there, (*state, target)) for r in rules), None)
            if move is None or not game.applies(state, move):
                return False
            if answer(game.result(state, move)) != target:
                return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "bound"), [("subtraction_134", 40), ("nim2", 9)])
def test_no_mutated_rule_is_proved_that_is_wrong(spec: str, bound: int) -> None:
    rng, data, verdicts = random.Random(16), _answer(spec).to_json(), set[tuple[str, bool]]()
    names = [*data["variables"], "w", "0", "1"]
    for _ in range(16):
        changed = json.loads(json.dumps(data))
        rule = rng.choice(changed["strategy"])
        place, key = rng.choice(
            [(rule, "when"), (rule["arguments"], next(iter(rule["arguments"])))]
        )
        words = re.findall(r"\w+|\W+", place[key])
        at = rng.choice([i for i, word in enumerate(words) if word in names or word.isdigit()])
        words[at] = rng.choice(names) if words[at] in names else str(int(words[at]) + 1)
        place[key] = "".join(words)
        try:
            answer = read_value_answer(Source("changed", json.dumps(changed)))
        except InputError:
            continue  # a variable in a set, say
        assert answer.value is not None
        moves = tuple(answer.strategy)
        judged = judge_strategy(answer.game, answer.value, moves, Budget(30.0))
        verdicts.add((str(judged.verdict), _is_right(answer, bound)))
    assert ("proved", False) not in verdicts
    assert ("refuted", False) in verdicts


@pytest.mark.slow
def test_no_automaton_of_moves_with_a_wrong_transition_is_proved(tmp_path: Path) -> None:
    rng, data = random.Random(16), _answer("mark").to_json()
    for _ in range(3):
        changed = json.loads(json.dumps(data))
        rows = rng.choice(changed["strategy"])["to"]["transitions"]
        state, symbol = rng.randrange(1, len(rows)), rng.randrange(len(rows[0]))
        rows[state][symbol] = (rows[state][symbol] + 1) % len(rows)
        found = _verdict("mark", changed, tmp_path)
        if found == DONE:  # then it names the same moves, or other right ones
            answer = read_value_answer(Source("changed", json.dumps(changed)))
            for v in range(200):
                _check(answer, (v,), answer((v,)), _answer("mark"))


@pytest.mark.parametrize(
    "change",
    [
        {"target": "v"},
        {"target": None},
        {"action": "nim"},
        {"arguments": {"k": "z"}},
        {"arguments": {}},
        {"when": "v <"},
    ],
)
def test_a_broken_rule_is_bad_input(change: dict[str, Any], tmp_path: Path) -> None:
    data = _answer("take_away").to_json()
    data["strategy"][0] |= change
    assert _verdict("take_away", data, tmp_path) == BAD_INPUT
