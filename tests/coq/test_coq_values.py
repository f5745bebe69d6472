"""Values as files for Coq: what they state, and what Coq says of them.

Coq is asked in the slow tests; see ``test_coq.py``.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from coq_here import as_data_alone, is_accepted, require_accepted
from speed import sampled

from icgsynth.cli import run
from icgsynth.cli.output import DONE, REFUTED, UNKNOWN
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.game.value_forms import WindowValue
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heaps import HeapAnswer, NimPeriod
from icgsynth.logic.term import Name
from icgsynth.spec.source import Source
from icgsynth.spec.value_file import read_value_answer

SUBTRACTION = """game subtraction
var v
legal v >= 0
action take(k)  pre (k = 1 or k = 2) and k <= v  eff v := v - k
"""
TWO_PILES = """game piles
var a, b
legal a >= 0 and b >= 0
action take_a  pre 1 <= a  eff a := a - 1
action take_b  pre 1 <= b  eff b := b - 1
"""
# Take 1 or 2: v mod 3, and w is reached by taking v - w mod 3.  One counter from one of two piles:
# the parity of all.
SUBTRACTION_ANSWER = {
    "game": "subtraction",
    "value": {"term": "v mod 3"},
    "ranking": ["v"],
    "strategy": [("true", "take", {"k": "v mod 3 - w"})],
}
PILES_ANSWER = {
    "game": "piles",
    "value": {"term": "(a + b) mod 2"},
    "ranking": ["a + b"],
    "strategy": [("a >= 1", "take_a", {}), ("b >= 1", "take_b", {})],
}
GAMES = {"piles": (TWO_PILES, PILES_ANSWER), "subtraction": (SUBTRACTION, SUBTRACTION_ANSWER)}

NIM = """game nim
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= b  eff b := b - k
"""
# Bouton (1902); and about half a pile, by whether that is odd.
NIM_ANSWER = {
    "game": "nim",
    "logic": "base-2",
    "value": {"term": "a xor b"},
    "ranking": ["a + b"],
    "strategy": [],
}
HALVES = "if a mod 2 = 1 then (a + 1) div 2 else if a <= 0 then 0 else (a - 2) div 2"

# Kayles and Dawson's Kayles as Guy and Smith (1956) print them, and 4.7: split, or take one.
CODES = {"0.77": (71, 12), "0.07": (53, 34), "4.7": (1, 2)}


def entry(rules, answer):
    """An answer file."""
    strategy = [
        {"when": w, "action": a, "arguments": k, "target": "w"} for w, a, k in answer["strategy"]
    ]
    said = {"schema": "icgsynth/solution/2", "kind": "value", "rule": "normal", "status": "solved"}
    return json.dumps(said | {"rules": rules} | answer | {"strategy": strategy})


def text_of(rules, answer):
    return export(read_value_answer(Source("answer", entry(rules, answer))), "coq")


def by_definition(code, count):
    """G(0), .., by the definition, for codes that leave at most two heaps."""
    values = []
    for heap in range(count):
        met = set()
        for k, digit in enumerate(code.digits[: heap + 1]):
            rest = heap - k
            if digit & 1 and rest == 0:
                met.add(0)
            if digit & 2 and rest > 0:
                met.add(values[rest])
            if digit & 4:
                met |= {values[a] ^ values[rest - a] for a in range(1, rest)}
        values.append(next(v for v in range(heap + 2) if v not in met))
    return values


def heaps(name, change=None):
    """The answer for heaps, with the value of one heap changed."""
    code, (preperiod, period) = read_code(name), CODES[name]
    values = by_definition(code, preperiod + period)
    if change is not None:
        values[change] += 1
    claim = NimPeriod(code, preperiod, period, np.array(values))
    return HeapAnswer(code, claim.values, claim, proved=True, checked_to=claim.needed)


# --- what a file says ---------------------------------------------------------------------------


def test_the_function_is_stated_for_all_states():
    text = text_of(*GAMES["subtraction"])
    assert "value (env [v]) (grundy found) = (v mod 3) := eq_refl." in text
    assert "Theorem answer : right (of_data rules) rules found." in text


def test_the_period_is_stated_for_the_sequence_of_the_code():
    text = export(heaps("0.77"), "coq")
    assert "Definition code : list N := [0; 7; 7]%N." in text
    assert "(forall n, 71 <= n -> g (n + 12) = g n)" in text


def test_what_has_no_theorem_is_refused():
    answer = read_value_answer(Source("answer", entry(*GAMES["subtraction"])))
    for lacking, why in [
        (replace(answer, status="unknown"), "no Grundy function"),
        (replace(answer, ranking=()), "no Grundy function"),
        (replace(answer, value=WindowValue("v", Name("v"), 0)), "no automaton tells"),
    ]:
        with pytest.raises(Refused, match=why):
            export(lacking, "coq")
    known = heaps("0.77")
    with pytest.raises(Refused, match="Guy and Smith"):
        export(replace(known, proved=False), "coq")
    long = replace(known.period, preperiod=400)
    with pytest.raises(Refused, match="at most 600"):
        export(replace(known, period=long), "coq")


# --- what Coq says ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(GAMES))
def test_coq_accepts_a_function(coq, game):
    require_accepted(text_of(*GAMES[game]))


# The function, a move, and a condition of the strategy, each wrong.
VALUE = "grundy := (Rest (X 0) (K 3))"
CHANGES = [
    (VALUE, "grundy := (Rest (X 0) (K 4))"),
    (VALUE, "grundy := (Plus (Rest (X 0) (K 3)) (Times (K 3) (Quot (X 0) (K 1000))))"),
    ("(Eq (X 1) (K 2))", "(Eq (X 1) (K 3))"),
    ("effects := [(Minus (X 0) (X 1))]", "effects := [(Minus (Minus (X 0) (X 1)) (K 1))]"),
    ("taken := [(Minus (Rest (X 0) (K 3)) (X 1))]", "taken := [(K 1)]"),
    ("(Ge (X 0) (K 0))", "(Ge (X 0) (K (-1)))"),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(CHANGES)))
def test_coq_refuses_a_false_function(coq, place):
    """A change of the data alone, with the proofs of the true ones."""
    old, new = CHANGES[place]
    text = as_data_alone(text_of(*GAMES["subtraction"]))
    assert text.count(old) == 1
    assert not is_accepted(text.replace(old, new))


@pytest.mark.slow
def test_coq_accepts_the_data_alone_and_no_other_words_for_them(coq):
    text = text_of(*GAMES["subtraction"])
    require_accepted(as_data_alone(text))
    assert text.count("(grundy found) = (v mod 3)") == 1
    assert not is_accepted(text.replace("(grundy found) = (v mod 3)", "(grundy found) = (v mod 4)"))


def test_values_in_digits_are_stated_as_a_term():
    text = text_of(NIM, NIM_ANSWER)
    assert "says (graph found) [a; b; z] = (z = (nimsum 2 [a; b]))" in text
    assert "(Value state (mv m g) s z <-> 0 <= z /\\ says (graph x) (s ++ [z]))" in text


def test_a_function_of_very_many_cases_is_stated_by_its_automaton():
    """Faults it sees: a file that coqc does not get through, or one that does not say so."""
    term = "a xor b"
    for place in range(9):
        term = f"if a = {place} then {place} xor b else ({term})"
    text = text_of(NIM, NIM_ANSWER | {"value": {"term": term}})
    assert "Definition found : solution := {| graph := (Reads Values " in text
    assert "has too many cases" in text


def test_values_of_states_with_negative_numbers_are_refused():
    rules = SUBTRACTION.replace("legal v >= 0", "legal v >= -3").replace("k <= v", "k <= v + 3")
    answer = SUBTRACTION_ANSWER | {"value": {"term": "(v + 3) mod 3"}, "strategy": []}
    with pytest.raises(Refused, match="negative numbers have no digits"):
        text_of(rules, answer)


@pytest.mark.slow
def test_coq_accepts_values_in_digits(coq):
    require_accepted(text_of(NIM, NIM_ANSWER))


@pytest.mark.slow
def test_the_words_of_the_file_may_be_names_of_the_game(coq):
    rules = NIM.replace("take_a(k)", "machine(k)").replace("take_b(k)", "read(k)")
    answer = json.dumps(NIM_ANSWER)
    for old, new in [("a", "graph"), ("b", "reads"), ("k", "nimsum")]:
        rules = re.sub(rf"\b{old}\b", new, rules)
        answer = re.sub(rf"\b{old}\b", new, answer)
    require_accepted(text_of(rules, json.loads(answer)))


@pytest.mark.slow
def test_coq_accepts_quotients_of_negative_numbers_that_no_value_is(coq):
    """From an odd pile all odd numbers, from an even one all even ones but the whole pile."""
    rules = """game halves
    var a
    legal a >= 0
    action take(k)  pre 1 <= k <= a and (k mod 2 = 0 or k = a) and (k < a or k mod 2 = 1)
      eff a := a - k
    """
    values = []
    for pile in range(40):
        met = {values[pile - k] for k in range(2, pile, 2)} | ({0} if pile % 2 else set())
        values.append(next(v for v in range(pile + 2) if v not in met))
    halves = [(a + 1) // 2 if a % 2 else 0 if a <= 0 else (a - 2) // 2 for a in range(40)]
    assert values == halves
    answer = {"game": "halves", "value": {"term": HALVES}, "ranking": ["a"], "strategy": []}
    require_accepted(text_of(rules, answer))


# Wrong values, and what makes the proofs of the right ones those of another game.
WRONG_TERMS = ["a xor b xor 1", "a + b", "(a xor b) + 8 * (a div 64)", "max(a, b) - min(a, b)"]
STATED = "(Eq (X 2) (Of (Nimsum 2) (Next (X 0) (Next (X 1) Nil))))"
WRONG_RULES = [
    (STATED, f"(And {STATED} (Ne (X 0) (K 5)))"),
    (STATED, STATED.replace("(X 1)", "(X 0)")),
    ("legal := (And", "legal := (And (Ne (X 0) (K 5))"),
    (
        "pre := (And (Le (K 1) (X 2)) (Le (X 2) (X 0)))",
        "pre := (And (Le (K 2) (X 2)) (Le (X 2) (X 0)))",
    ),
    ("[(Minus (X 0) (X 2)); (X 1)]", "[(Minus (X 0) (X 2)); (Plus (X 1) (K 1))]"),
]


@pytest.mark.slow
@sampled("term", WRONG_TERMS, 2, pytest.mark.nightly)
def test_coq_refuses_wrong_values_in_digits(coq, term):
    assert not is_accepted(text_of(NIM, NIM_ANSWER | {"value": {"term": term}}))


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(WRONG_RULES)))
def test_coq_refuses_values_in_digits_of_another_game(coq, place):
    """A change of the data alone, with the proofs of the true ones."""
    old, new = WRONG_RULES[place]
    text = as_data_alone(text_of(NIM, NIM_ANSWER))
    assert text.count(old) == 1
    assert not is_accepted(text.replace(old, new))


@pytest.mark.slow
@sampled("code", CODES, 2, pytest.mark.nightly)
def test_coq_accepts_a_period(coq, code):
    require_accepted(export(heaps(code), "coq"))


@pytest.mark.slow
@sampled("heap", [0, 75, 40], 2, pytest.mark.nightly)
def test_coq_refuses_a_wrong_value(coq, heap):
    assert not is_accepted(export(heaps("0.77", heap), "coq"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [("71 12", "70 12"), ("71 12", "71 11"), ("[0; 7; 7]", "[0; 7; 3]")]
)
def test_coq_refuses_a_wrong_period(coq, change):
    """Coq refuses other numbers for Kayles, also where they are the values of another game."""
    text = export(heaps("0.77"), "coq")
    old, new = change
    assert old in text
    assert not is_accepted(text.replace(old, new))


@pytest.mark.slow
def test_verify_says_what_coq_says(coq, tmp_path, capsys):
    (tmp_path / "rules.icg").write_text(SUBTRACTION, "utf-8")
    for answer, code, said in [
        (SUBTRACTION_ANSWER, DONE, "checked by Coq"),
        (SUBTRACTION_ANSWER | {"value": {"term": "v mod 4"}}, REFUTED, "not asked"),
        (SUBTRACTION_ANSWER | {"strategy": []}, DONE, "checked by Coq"),
        (SUBTRACTION_ANSWER | {"ranking": []}, UNKNOWN, "no Grundy function"),
    ]:
        file = tmp_path / "answer.json"
        file.write_text(entry(SUBTRACTION, answer), "utf-8")
        asked = ["verify", str(tmp_path / "rules.icg"), str(file), "--coq", "--timeout", "300"]
        assert run(asked) == code
        assert said in capsys.readouterr().out


@pytest.mark.slow
def test_verify_of_heaps_says_what_coq_says(coq, tmp_path, capsys):
    file = tmp_path / "kayles.json"
    file.write_text(json.dumps(heaps("0.77").to_json()), "utf-8")
    assert run(["verify", "0.77", str(file), "--coq", "--timeout", "300"]) == DONE
    assert "checked by Coq" in capsys.readouterr().out
