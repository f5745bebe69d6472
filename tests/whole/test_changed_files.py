"""A file is text that anyone may have changed: nothing is called proved because a file says so.

Each case is an answer that is right, and one change to its file.  The fault that it shows is an
export, or a player, that repeats "proved for all states" of what is false.
"""

from __future__ import annotations

import json
import re

import pytest

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.errors import FalseClaim

TAKE = """game take "Take 1, 3 or 4"
var v
legal v >= 0
action take(k) pre k in {1, 3, 4} and k <= v eff v := v - k
"""
THEOREM = {
    "schema": "icgsynth/solution/2",
    "kind": "family",
    "game": "take_away",
    "constants": ["n"],
    "fixed": {},
    "rule": "normal",
    "status": "theorem",
    "for": "n >= 1",
    "losing": {"formula": "v mod (n + 1) = 0"},
    "strategy": [{"when": "v mod (n + 1) != 0", "action": "take", "args": {"k": "v mod (n + 1)"}}],
}


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A function that writes an answer with some keys changed to a file, and gives its path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "take.icg").write_text(TAKE)

    def write(data, **changed):
        path = tmp_path / "answer.json"
        path.write_text(json.dumps(data | changed))
        return str(path)

    return write


def made(capfd, *arguments):
    assert run([*arguments, "--json", "--quiet"]) == 0
    return json.loads(capfd.readouterr().out)


def refused(capfd, *arguments):
    """Nothing on stdout, and the exit code of what is false."""
    code = run(list(arguments))
    out, err = capfd.readouterr()
    assert (code, out) == (3, ""), (code, out, err)
    return err


FAR = {"winning": {"formula": "a != b or a > 1000"}, "losing": {"formula": "a = b and a <= 1000"}}


MANY = [pytest.param(f, marks=pytest.mark.slow) for f in ("fft", "python", "smt2", "asp", "json")]


@pytest.mark.parametrize("fmt", ["latex", *MANY, pytest.param("html", marks=pytest.mark.slow)])
def test_a_formula_that_is_false_far_out_is_exported_by_no_format(file, capfd, fmt):
    path = file(made(capfd, "solve", "nim2"), **FAR)
    assert "refuted" in refused(capfd, "export", path, "--to", fmt)


def test_a_false_formula_is_read_by_no_program_and_played_by_no_machine(file, capfd):
    path = file(made(capfd, "solve", "nim2"), **FAR)
    with pytest.raises(FalseClaim):
        icg.read(path)
    refused(capfd, "play", "nim2", "--solution", path, "--start", "2000,2000")


def test_what_a_file_says_of_its_proofs_is_not_repeated(file, capfd):
    found = made(capfd, "solve", "nim2")
    found["winning"]["constants_up_to"] = 10**6
    boasts = {"confirmed": {"winning": ["an oracle"]}, "ranking": ["0"]}
    path = file(found, **boasts, explicit={"bound": 7, "states": 10**15, "disagreements": 0})
    assert run(["export", path, "--to", "json"]) == 0
    out = capfd.readouterr().out
    assert "an oracle" not in out and not re.search("10{6}|10{15}", out)
    assert json.loads(out)["ranking"] == ["a + b"]


def test_a_file_without_a_proof_is_exported_as_not_proved(file, capfd):
    """Fault it sees: without time to prove it, a file is called proved, or compared with states."""
    path = file(made(capfd, "solve", "nim2"))
    answer = icg.read(path, timeout=1e-9)
    assert answer.status == "conditional" and "proved for all states" not in answer.export("fft")
    assert "Checked" not in str(answer)
    assert run(["export", path, "--to", "fft", "--timeout", "1e-9"]) in (0, 4)
    out, err = capfd.readouterr()
    assert "proved for all states" not in out and "more time" in err


@pytest.mark.parametrize("fmt", ["python", pytest.param("json", marks=pytest.mark.slow)])
def test_another_value_or_other_rules_are_refuted(file, capfd, fmt):
    found = made(capfd, "value", "take.icg")
    for changed in ({"value": {"term": "v mod 5"}}, {"rules": TAKE.replace("{1, 3, 4}", "{1, 2}")}):
        refused(capfd, "export", file(found, **changed), "--to", fmt)
    path = file(found)
    refused(capfd, "export", path, "--to", fmt, "--spec", "subtraction_23")
    assert run(["export", path, "--to", fmt]) == 0


def test_a_period_that_the_values_do_not_have_is_refuted(file, capfd):
    found = made(capfd, "value", "take.icg")
    assert found["period"] == 7
    for changed in ({"period": 5, "values": [0, 1, 2, 3, 4]}, {"preperiod": 3}, {"saltus": 1}):
        assert run(["verify", "take.icg", file(found, **changed)]) == 3
    assert "is not that of its values" in capfd.readouterr().out


def test_values_of_heaps_are_replayed(file, capfd):
    found = made(capfd, "value", "0.77")
    wrong = [*found["values"]]
    wrong[-1] ^= 1
    for changed in ({"values": wrong}, {"code": "0.07"}):
        refused(capfd, "export", file(found, **changed), "--to", "python")


def test_constants_are_those_of_the_rules(file, capfd):
    assert run(["solve", "take_away", "--set", "n=3", "--json", "--quiet"]) == 0
    found = json.loads(capfd.readouterr().out)
    for constants in ({"n": 7}, {"n": 3, "m": 9}):
        assert run(["export", file(found, constants=constants), "--to", "fft"]) == 2
        assert "answer.json:1:" in capfd.readouterr().err


def test_rules_of_a_file_that_are_others_are_told(file, capfd):
    found = made(capfd, "solve", "nim2")
    path = file(found, rules=found["rules"].replace("k <= a", "k <= a and a <= 500", 1))
    assert run(["verify", "nim2", path]) == 0
    assert "other rules" in capfd.readouterr().err
    refused(capfd, "export", path, "--to", "fft")
    assert run(["verify", "nim2", file(found, rules="game x")]) == 2


def test_what_is_proved_is_what_was_read(file, capfd):
    """Faults it sees: a key that readers skip turns the proof off, or another object is proved."""
    false = THEOREM | {"losing": {"formula": "v mod (n + 2) = 0"}}
    for path in (
        file(false, components=[]),
        file(made(capfd, "value", "0.77"), strategy=false),
        file(false, code="0.77", components=[{"answer": made(capfd, "value", "0.77")}]),
    ):
        code = run(["export", path, "--to", "fft", "--spec", "take_away"])
        assert code in (2, 3) and capfd.readouterr().out == ""


def test_one_of_two_theorems_is_chosen_by_the_rule(tmp_path, capfd):
    path = tmp_path / "both.json"
    other = {"losing": {"formula": "v mod (n + 1) = 1"}, "rule": "misere", "strategy": []}
    path.write_text(json.dumps([THEOREM, THEOREM | other]))
    assert run(["export", str(path), "--to", "fft", "--spec", "take_away"]) == 2
    assert "choose one with --rule" in capfd.readouterr().err
    command = ["export", str(path), "--to", "fft", "--spec", "take_away", "--rule", "normal"]
    assert run(command) == 0 and "v mod (n + 1) = 0" in capfd.readouterr().out


def test_a_theorem_is_proved_before_it_is_exported_or_played(file, capfd):
    path = file(THEOREM, losing={"formula": "v mod (n + 2) = 0"})
    refused(capfd, "export", path, "--to", "python", "--spec", "take_away")
    refused(capfd, "play", "take_away", "--set", "n=4", "--theorem", path, "--start", "6")
