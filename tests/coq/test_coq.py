"""Files for Coq: what they state, that Coq accepts the right ones, and that it refuses wrong ones.

Coq is asked in the slow tests; where its command is missing they are skipped, unless the
environment variable ICGSYNTH_REQUIRE_COQ is set, as it is in CI.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from hashlib import sha256
from importlib.metadata import version

import pytest
from catalog_answers import solved
from coq_here import MINUTES, is_accepted, require_accepted

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, UNKNOWN
from icgsynth.coq import gallina
from icgsynth.coq.coqc import check_file
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.game.strategy import Strategy
from icgsynth.logic import term as t
from icgsynth.prove.certificate import certify
from icgsynth.spec.icg import parse_formula
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

# --- what a file says ---------------------------------------------------------------------------


def test_the_rules_stand_in_the_file_three_times():
    """As a comment, as data, and as what the data say in the names of the rules."""
    text = export(solved("nim2"), "coq")
    assert "   action take_a(k)\n     pre 1 <= k <= a\n     eff a := a - k\n" in text
    assert "pre := (And (Le (K 1) (X 2)) (Le (X 2) (X 0)));" in text
    assert "effects := [(Minus (X 0) (X 2)); (X 1)] |}." in text
    assert "  ((1 <= k /\\ k <= a), [(a - k); b]) := eq_refl." in text
    assert "  says (losing found) [a; b] = (a = b) := eq_refl." in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"), [("k <= a)", "k < a)"), ("[(a - k); b]", "[a; b]"), ("= (a = b)", "= (a <= b)")]
)
def test_coq_refuses_other_words_for_the_data(coq, old, new):
    """A reader looks at these lines, so they may say nothing else; the data stay as they are."""
    text = export(solved("nim2"), "coq")
    assert text.count(f"{old}") == 1
    assert not is_accepted(text.replace(old, new))


@pytest.mark.parametrize("question", ["solve nim2", "value nim2", "value 0.77"])
def test_a_file_names_its_version_and_the_hash_of_its_rules(question, tmp_path, capsys):
    """The rules as the answer's file has them, title and all; it kills a hash of anything else."""
    command, game = question.split()
    file = tmp_path / "answer.json"
    assert run([command, game, "-o", str(file), "--quiet"]) == DONE
    assert run(["export", str(file), "--to", "coq"]) == DONE
    opening = capsys.readouterr().out.partition("*)")[0]
    rules = json.loads(file.read_text("utf-8")).get("rules", game)
    assert sha256(rules.encode()).hexdigest() in opening
    assert f"Written by icgsynth {version('icgsynth')}." in opening


def test_a_comment_in_a_title_does_not_end_the_comment():
    answer = solved("nim2")
    title, name = '*) Axiom "a (* b', 'g*) Axiom "c'
    text = export(replace(answer, game=replace(answer.game, title=title, name=name)), "coq")
    opening = text.partition("*)\n")[0]
    assert "Axiom" in opening and opening.count("(*") == 1
    assert "(* ---- The game g* ) Axiom 'c; the numbers of a state are [a; b]. ---- *)" in text


def test_nested_sums_are_written_once(monkeypatch):
    """Each summand once: a first one that was written twice would double the time at each level."""
    asked = []
    monkeypatch.setattr(gallina, "name", lambda text: asked.append(text) or text)
    term = t.Name("a")
    for _ in range(8):
        term = t.Sum((term, t.Neg(t.Name("b"))))
    assert gallina.proposition(term) == "(" * 8 + "a" + " - b)" * 8
    assert sorted(asked) == ["a", *["b"] * 8]


def test_answers_that_are_not_whole_are_refused():
    answer = solved("nim2")
    for lacking, why in [
        (replace(answer, status="conditional"), "conditional, not proved"),
        (replace(answer, strategy=Strategy(), tree=Strategy(), proof={}), "no strategy"),
        (replace(answer, ranking=()), "what each move decreases"),
    ]:
        with pytest.raises(Refused, match=why):
            export(lacking, "coq")


@pytest.mark.parametrize("asked", ["solve nim2", "value nim2", "value 0.77"])
def test_without_coq_one_message_names_the_package(asked, tmp_path, monkeypatch, capsys):
    """At once: in this time nothing is proved."""
    command, game = asked.split()
    file = str(tmp_path / "answer.json")
    assert run([command, game, "-o", file, "--quiet"]) == DONE
    capsys.readouterr()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert run(["verify", game, file, "--coq", "--timeout", "0.001"]) == BAD_INPUT
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
    require_accepted(export(solved(game, rule), "coq"))


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
    assert not is_accepted(assumed)
    assert "Syntax error" in check_file(text.replace("Theorem answer", "Theorem"), MINUTES).why
    assert check_file(text, 0.01).why == "its time was over"
    monkeypatch.setattr("icgsynth.coq.coq_file.coq", lambda *_: assumed)
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
    assert not is_accepted(export(wrong, "coq"))


PILES = """game piles
var a, b, c
legal a >= 0 and b >= 0 and 0 <= c <= 3
action take_a(k)  pre 1 <= k <= 4 and k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= 4 and k <= b  eff b := b - k
action take_c(k)  pre 1 <= k <= 4 and k <= c  eff c := c - k
"""


@pytest.mark.slow
def test_coq_accepts_three_piles_with_a_remainder(coq):
    """At most 4 are taken, the third pile is small; another losing formula is refused."""
    answer = icg.loads(PILES).solve(timeout=120)
    assert answer.is_proved
    require_accepted(export(answer, "coq"))
    losing = replace(answer.losing, formula=parse_formula("(a - b) mod 5 = c", "abc"))
    assert not is_accepted(export(replace(answer, losing=losing), "coq"))
