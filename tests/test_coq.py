"""Files for Coq: what they state, that Coq accepts the right ones, and that it refuses wrong ones.

Coq is asked in the slow tests; where its command is missing they are skipped, unless the
environment variable ICGSYNTH_REQUIRE_COQ is set, as it is in CI.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from catalog_answers import solved
from coq_here import require_coq

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.codes import BAD_INPUT, DONE, UNKNOWN
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.export.coq.coqc import checked
from icgsynth.export.coq.gallina import number
from icgsynth.export.coq.statement import CoqStatement
from icgsynth.game.game import Move
from icgsynth.game.strategy import Strategy
from icgsynth.prove.certificate import certify
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

MINUTES = 300.0  # seconds that Coq may take, on any machine; it takes one or two


@pytest.fixture(scope="module")
def coq():
    """Coq has to be there."""
    require_coq()


# --- what a file says ---------------------------------------------------------------------------


def test_the_rules_stand_in_the_file_twice():
    """As a comment, to be read, and as definitions; and nothing else is assumed."""
    text = export(solved("nim2"), "coq")
    assert "   action take_a(k)\n     pre 1 <= k <= a\n     eff a := a - k\n" in text
    assert "| take_a k => (1 <= k /\\ k <= a)\n| take_b k => (1 <= k /\\ k <= b)\nend." in text
    assert "| take_a k => St (a - k) b\n| take_b k => St a (b - k)\nend." in text
    assert "Definition losing (s : state) : Prop := let 'St a b := s in\n  a = b." in text
    assert not re.search(r"\b(Axiom|Parameter|Admitted|admit|Conjecture|Hypothesis)\b", text)
    assert text.endswith("Print Assumptions answer.\n")


def test_a_comment_in_a_title_does_not_end_the_comment():
    answer = solved("nim2")
    odd = replace(answer, game=replace(answer.game, title='*) Axiom "a (* b'))
    opening = export(odd, "coq").partition("*)\n")[0]
    assert "Axiom" in opening and opening.count("(*") == 1


def test_answers_that_are_not_whole_are_refused():
    answer = solved("nim2")
    for lacking, why in [
        (replace(answer, status="conditional"), "conditional, not proved"),
        (replace(answer, strategy=Strategy(), tree=Strategy(), proof={}), "no strategy"),
        (replace(answer, ranking=()), "what each move decreases"),
    ]:
        with pytest.raises(Refused, match=why):
            export(lacking, "coq")


def test_without_coq_one_message_names_the_package(tmp_path, monkeypatch, capsys):
    file = written(tmp_path, "nim2")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["verify", "nim2", file, "--coq"]) == BAD_INPUT
    out, err = capsys.readouterr()
    assert not out and err.count("\n") == 2 and re.search("install .* coq", err)


@pytest.mark.slow
def test_values_that_grow_like_a_logarithm_are_not_for_coq(coq, tmp_path, capsys):
    assert run(["value", "delete_nim", "-o", str(tmp_path / "v.json"), "--quiet"]) == DONE
    assert run(["verify", "delete_nim", str(tmp_path / "v.json"), "--coq"]) == UNKNOWN
    assert "no automaton tells" in capsys.readouterr().out


def written(folder, game, rule="normal", answer=None):
    """The path of an answer file."""
    file = folder / "answer.json"
    file.write_text(json.dumps((answer or solved(game, rule)).to_json()), "utf-8")
    return str(file)


# --- what Coq says ------------------------------------------------------------------------------

GAMES = [
    ("nim2", "normal"),
    ("nim2", "misere"),
    ("corner_knight", "normal"),  # moves without parameters
    ("chomp_2row", "misere"),
    ("subtraction_23", "misere"),
    ("chomp_3row_third", "normal"),
    ("cyclic_nimhoff", "normal"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rule"), GAMES)
def test_coq_accepts(coq, game, rule):
    found = checked(export(solved(game, rule), "coq"), MINUTES)
    assert found.is_proved, found.why


@pytest.mark.slow
def test_verify_says_what_coq_says(coq, tmp_path, capsys):
    file = written(tmp_path, "nim2")
    assert run(["verify", "nim2", file, "--coq", "--timeout", "300"]) == DONE
    out = capsys.readouterr().out
    assert re.search(r"^  coq +proved .*Coq 8\.\d+\S* in \d", out, re.MULTILINE)
    assert run(["verify", "nim2", file, "--coq", "--json", "--timeout", "300"]) == DONE
    said = json.loads(capsys.readouterr().out)["coq"]
    assert said["verdict"] == "proved" and said["checker"].startswith("Coq 8.")


@pytest.mark.slow
def test_what_coq_does_not_accept_is_not_proved(coq, tmp_path, monkeypatch, capsys):
    """An axiom, an error and too little time; ``verify`` then ends with "unknown"."""
    text = export(solved("nim2"), "coq")
    assumed = text.replace("Theorem answer", "Axiom more : False.\nTheorem answer")
    assumed = re.sub(
        r"Qed\.\n\nPrint", "Qed.\nTheorem answer2 : False. Proof more.\nPrint", assumed
    )
    assumed = assumed.replace("Print Assumptions answer.", "Print Assumptions answer2.")
    assert not checked(assumed, MINUTES).is_proved
    assert "Syntax error" in checked(text.replace("Theorem answer", "Theorem"), MINUTES).why
    assert checked(text, 0.01).why == "its time was over"
    monkeypatch.setattr("icgsynth.export.coq.coq_file.coq", lambda *_: assumed)
    assert run(["verify", "nim2", written(tmp_path, "nim2"), "--coq"]) == UNKNOWN
    assert re.search("^  coq +unknown  asked", capsys.readouterr().out, re.MULTILINE)


def edited(answer, place, text):
    """An answer read from its file, with one formula, condition or argument replaced.

    ``place`` is "winning", "losing", or the number of a rule with "when" or a parameter.
    """
    data = answer.to_json()
    part, _, key = place.partition(" ")
    if not key:
        assert data[part]["formula"] != text
        data[part]["formula"] = text
    else:
        rule = data["strategy"][int(part)]
        inner = rule if key == "when" else rule["args"]
        assert inner[key] != text
        inner[key] = text
    source = Source("answer", json.dumps(data | {"cover": [], "fft": []}))
    return read_solution(source, answer.game, answer.rule)


WRONG = [
    ("nim2", "normal", "losing", "a = b + 1"),
    ("nim2", "normal", "losing", "a <= b"),
    ("nim2", "normal", "winning", "a > b"),
    ("nim2", "normal", "losing", "a = b and a != 1000000000007"),
    ("nim2", "normal", "losing", "a = b or a = 1000000000007 and b = 3"),
    ("nim2", "normal", "0 k", "a - b - 1"),
    ("nim2", "normal", "0 when", "a >= b"),
    ("nim2", "normal", "1 k", "b - a + 1"),
    ("nim2", "misere", "losing", "a = b"),
    ("nim2", "misere", "winning", "a != b"),
    ("cyclic_nimhoff", "normal", "losing", "a = b"),
    ("cyclic_nimhoff", "normal", "winning", "true"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rule", "place", "text"), WRONG)
def test_coq_refuses_wrong_answers(coq, game, rule, place, text):
    wrong = edited(solved(game, rule), place, text)
    assert certify(wrong, Budget(60)).refuted, "it is wrong, by another proof"
    assert not checked(export(wrong, "coq"), MINUTES).is_proved


@pytest.mark.slow
@pytest.mark.parametrize(("game", "rule"), [("cyclic_nimhoff", "normal"), ("chomp_2row", "misere")])
def test_the_rules_in_coq_are_the_rules(coq, game, rule):
    """Random moves, some that apply and some that do not, as goals about ``step``."""
    said = CoqStatement(solved(game, rule))
    rules, draw = said.game, random.Random(1)
    goals, counts = [], {True: 0, False: 0}
    while min(counts.values()) < 10:
        state = tuple(draw.randint(-1, 7) for _ in rules.variables)
        action = draw.choice(rules.actions)
        numbers = [draw.randint(-1, 7) for _ in action.parameters]
        move = Move(action.name, tuple(zip(action.parameters, numbers, strict=True)))
        applies = rules.applies(state, move)
        if counts[applies] == 10:
            continue
        counts[applies] += 1
        words = " ".join([said.constructor(action.name), *map(number, numbers)])
        here = f"(St {' '.join(map(number, state))})"
        if applies:
            there = f"(St {' '.join(map(number, rules.result(state, move)))})"
            goals.append(f"Goal step {here} ({words}) {there}.\nProof. repeat split; {SHOWN}. Qed.")
        else:
            goals.append(f"Goal ~ step {here} ({words}) (after {here} ({words})).")
            goals.append(f"Proof. intros (L & E & P & _ & T); {SHOWN}. Qed.")
    text = export(said.solution, "coq").replace(
        "Print Assumptions", "\n".join(goals) + "\nPrint Assumptions"
    )
    found = checked(text, MINUTES)
    assert found.is_proved, found.why


SHOWN = "unfolded; try reflexivity; try lia"

ODD = """
game answer
var t, S, fix, lin
legal t >= 0 and S >= 0 and fix = 0 and lin = 0
action one(m, H1) pre 1 <= m <= t and H1 = m and t > 0 eff t := t - m
action S2(_) pre 1 <= _ <= S eff S := S - _
action legal2(less) pre less = 1 and false eff fix := 1
"""


@pytest.mark.slow
def test_any_names_will_do(coq):
    found = checked(export(icg.loads(ODD).solve(timeout=60), "coq"), MINUTES)
    assert found.is_proved, found.why
