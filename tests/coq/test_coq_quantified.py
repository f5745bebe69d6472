"""Rules with quantifiers in Coq: the theorem is about the rules as they were written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from coq_here import as_data_alone, is_accepted, require_accepted, require_coq

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE
from icgsynth.coq import equivalences
from icgsynth.coq.certificates import SearchSteps
from icgsynth.coq.equivalences import Equivalences
from icgsynth.coq.gallina import library
from icgsynth.coq.statement import IMPORTS
from icgsynth.coq.witnesses import find_witnesses
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.logic.build import free_names
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.prove.deciders import quantifiers
from icgsynth.spec.icg import parse_formula, parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

SECONDS = 60.0  # for an answer, which takes some tenths

HEAD = "game even\nvar a\nlegal a >= 0\n"
EVEN = HEAD + "action take(k) pre 1 <= k <= a and (exists q. k = 2 * q) eff a := a - k\n"
# The quantifier stands in each of the places, in each of the shapes that the tests of the other
# parts of the program have: a multiple, a remainder, a quotient, a window, two names, "forall".
GAMES = {
    "a multiple": (EVEN, "normal"),
    "a remainder": (
        HEAD + "action take(k) pre 1 <= k <= a and k <= 30 and "
        "(exists q. q mod 5 >= 1 and 3 * q = k) eff a := a - k",
        "normal",
    ),
    "a quotient, not": (
        HEAD + "action take(k) pre 1 <= k <= a and k <= 6 and "
        "not (exists q. q div 2 = 1 and q = k) eff a := a - k",
        "misere",
    ),
    "a window at the end": (
        HEAD + "end exists q. 3 * q <= a < 3 * q + 2 and a <= 4 and q >= 0\n"
        "action take(k) pre 1 <= k <= a and k <= 5 eff a := a - k",
        "misere",
    ),
    "an end that is false": (
        HEAD + "end (exists q. 7*q <= a < 7*q + 2 and (2*q - 1) mod 2 < 1)\n"
        "action take(k) pre 1 <= k <= a and k <= 5 eff a := a - k",
        "normal",
    ),
    "legal": (
        "game g\nvar a, b\nlegal a >= 0 and b >= 0 and (exists q. a + b = 2 * q)\n"
        "action take_a(k) pre 1 <= k <= a eff a := a - k\n"
        "action take_b(k) pre 1 <= k <= b eff b := b - k",
        "normal",
    ),
    "two names": (
        HEAD + "action take(k) pre 1 <= k <= a and k <= 9 and "
        "(exists r, q. 0 <= r <= 1 and 4 * q = k - r - 1) eff a := a - k",
        "normal",
    ),
    "all": (
        HEAD + "action take(k) pre 1 <= k <= a and k <= 9 and "
        "(forall j. (0 < 3 * j -> k < 3 * j)) eff a := a - k",
        "misere",
    ),
    "one in the other": (
        HEAD + "action take(k) pre 1 <= k <= a and k <= 9 and "
        "(forall j. j < 1 or j > 2 or (exists i. k + j != 3 * i + 4)) eff a := a - k",
        "normal",
    ),
}


def answered(name, seconds=SECONDS):
    text, rule = GAMES[name]
    found = icg.loads(text).solve(rule, seconds)
    assert found.is_proved
    return found


def written_file(folder, answer, **changes):
    """The path of an answer file."""
    file = folder / "answer.json"
    file.write_text(json.dumps(answer.to_json() | changes), "utf-8")
    return str(file)


# --- the answer file ----------------------------------------------------------------------------


def test_an_answer_keeps_the_rules_as_they_were_written(tmp_path, capsys):
    data = answered("a multiple").to_json()
    assert "exists q. k = 2 * q" in data["written"] and "exists" not in data["rules"]
    (tmp_path / "a.json").write_text(json.dumps(data), "utf-8")
    assert run(["export", str(tmp_path / "a.json"), "--to", "json"]) == DONE
    again = json.loads(capsys.readouterr().out)
    assert (again["written"], again["rules"]) == (data["written"], data["rules"])


def test_an_answer_to_rules_without_quantifiers_has_them_once():
    assert "written" not in icg.loads(HEAD + "action t pre a > 0 eff a := a - 1").solve().to_json()


def test_written_rules_that_cannot_be_read_are_bad_input(tmp_path, capsys):
    file = written_file(tmp_path, answered("a multiple"), written="game even var")
    assert run(["export", file, "--to", "coq"]) == BAD_INPUT
    assert "answer.json" in capsys.readouterr().err


# --- what a file says ---------------------------------------------------------------------------


def test_the_definitions_are_the_rules_as_they_were_written():
    text = export(answered("a multiple"), "coq")
    pre = "((1 <= k /\\ k <= a) /\\ "
    assert f"  | 0%nat, [a; k] => {pre}(exists q : Z, k = (2 * q)))\n" in text
    assert f"  ({pre}(k mod 2) = 0), [(a - k)]) := eq_refl.\n" in text
    assert "pre 1 <= k <= a and (exists q. k = 2 * q)" in text.split("*)")[0]
    assert "Theorem answer : right written rules found.\n" in text


def test_quantifiers_in_a_term_are_refused():
    rules = "action take(k) pre 1 <= k <= 2 and k <= a\n  eff a := if {} then a - k else a - 1"
    answer = icg.loads(HEAD + rules.format("(exists q. k = 2 * q)")).solve("normal", SECONDS)
    assert answer.is_proved
    with pytest.raises(Refused, match="in the condition of an 'if'"):
        export(answer, "coq")


def test_what_is_not_eliminated_is_refused(monkeypatch):
    answer = answered("a multiple")
    monkeypatch.setattr(equivalences, "find_witnesses", lambda *_: None)
    with pytest.raises(Refused, match="no proof was found for Coq that 'exists q"):
        export(answer, "coq")


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (EVEN.replace("(exists q. k = 2 * q)", "k mod 2 = 1"), "no proof was found"),
        (EVEN.replace("(exists q. k = 2 * q)", "k mod 4 = 0"), "no proof was found"),
        (EVEN.replace("(exists q. k = 2 * q)", "k mod 2 = 0").replace("- k", "- 2"), "other moves"),
    ],
)
def test_rules_that_are_not_the_written_ones_are_not_exported(tmp_path, capsys, rules, why):
    """Other moves, fewer moves, another effect: the answer file was edited."""
    file = written_file(tmp_path, answered("a multiple"), rules=rules)
    assert run(["export", file, "--to", "coq"]) == BAD_INPUT
    assert not capsys.readouterr().out
    with pytest.raises(Refused, match=why):  # also where no small state refutes the answer
        export(read_solution(Source("a.json", Path(file).read_text("utf-8"))), "coq")


# --- witnesses ----------------------------------------------------------------------------------

CONDITIONS = [
    "exists q. a = 2 * q",
    "exists q. q mod 5 >= 1 and 3 * q = a",
    "exists q. 0 <= q <= 4 and a = 3 * q",
    "exists q. q > a and q < b and q mod 3 = 1",
    "exists q. min(q, a) = 3 and abs(q - b) <= 2",
    "exists q. q div 3 = a and (q = b or q in {5, 7})",
    "exists q. a = 6 * q or a = 4 * q + 1",
    "exists q. (if q < a then q else b) = 5 and q != b",
    "exists q. 2 * q = 7",
    "exists q. q mod 7 = 3 and (q div 2) mod 3 = 1",
]


@pytest.mark.parametrize("text", CONDITIONS)
def test_one_of_the_terms_is_a_witness_where_there_is_one(text):
    """Compared with trying the numbers one by one: in each state one is among the first 40."""
    formula = parse_formula(text, ("a", "b"))
    plain = quantifiers.without_quantifiers(formula, Budget(SECONDS))
    (name,) = formula.names
    terms = find_witnesses(formula.body, name, plain, Budget(SECONDS))
    assert terms is not None and all(name not in free_names(term) for term in terms)
    for a in range(-12, 13):
        for b in range(-4, 9):
            here = {"a": a, "b": b}
            there_is = any(satisfies(formula.body, here | {name: q}) for q in range(-40, 41))
            by_term = any(satisfies(formula.body, here | {name: value(t, here)}) for t in terms)
            assert there_is == by_term, here


def test_without_a_witness_there_are_no_terms():
    formula = parse_formula("exists q. 2 * q = a", ("a",))
    wrong = parse_formula("a mod 4 <= 2", ("a",))
    assert find_witnesses(formula.body, "q", wrong, Budget(SECONDS)) is None


# --- what Coq says ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_coq_accepts_the_rules_as_they_were_written(name, tmp_path):
    require_coq()
    require_accepted(export(answered(name), "coq"))


@pytest.mark.slow
def test_coq_accepts_answers_in_digits(tmp_path):
    """Nim on two piles by exclusive or, where the last counter of both may not be taken alone."""
    require_coq()
    text = "game nim\nvar a, b, c\nlegal a >= 0 and b >= 0 and c >= 0\n" + "".join(
        f"action take_{p}(k) pre 1 <= k <= {p} and (exists q. k = q + 1 and q >= 0) "
        f"eff {p} := {p} - k\n"
        for p in "abc"
    )
    answer = icg.loads(text).solve("normal", 2 * SECONDS)
    assert answer.is_proved and not answer.is_linear and answer.written is not None
    said = export(answer, "coq")
    assert "exists q : Z" in said.split("Module Plain.")[0]
    require_accepted(said)


@pytest.mark.slow
def test_verify_asks_coq_about_the_rules_of_spec(tmp_path, capsys):
    require_coq()
    rules = tmp_path / "even.icg"
    rules.write_text(EVEN, "utf-8")
    file = written_file(tmp_path, answered("a multiple"))
    assert run(["verify", str(rules), file, "--coq", "--timeout", "300"]) == DONE
    assert re.search(r"^  coq +proved .*Coq", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
def test_coq_accepts_values(tmp_path, capsys):
    """Of the piles from which an odd number is taken, at most 3."""
    require_coq()
    rules = tmp_path / "odd.icg"
    rules.write_text(
        HEAD + "action take(k) pre 1 <= k <= a and k <= 3 and (exists q. k = 2 * q + 1)\n"
        "  eff a := a - k\n",
        "utf-8",
    )
    file = str(tmp_path / "odd.json")
    assert run(["value", str(rules), "-o", file, "--quiet"]) == DONE
    assert "exists q. k = 2 * q + 1" in (tmp_path / "odd.json").read_text("utf-8")
    capsys.readouterr()
    assert run(["export", file, "--to", "coq"]) == DONE
    text = capsys.readouterr().out
    assert "exists q : Z, k = ((2 * q) + 1)" in text.split("(* ---- The answer. ---- *)")[0]
    require_accepted(text)
    assert not is_accepted(text.replace("exists q : Z, k =", "exists q : Z, 1 ="))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("most", "rule"),
    [
        ("(exists j. k = j and 0 <= j - 1 < n)", "normal"),
        ("(forall j. j < 1 or j > k or j <= n)", "misere"),
    ],
)
def test_coq_accepts_theorems_about_families(tmp_path, capsys, most, rule):
    require_coq()
    rules = tmp_path / "take.icg"
    rules.write_text(
        f"game take\nconst n = 2\nvar v\nlegal v >= 0\n"
        f"action take(k) pre 1 <= k <= v and {most} eff v := v - k\n",
        "utf-8",
    )
    file = str(tmp_path / "take.json")
    asked = ["family", str(rules), "--over", "n=1..8", "--rule", rule, "-o", file, "--quiet"]
    assert run(asked) == DONE
    capsys.readouterr()
    assert run(["export", file, "--to", "coq", "--spec", str(rules)]) == DONE
    text = capsys.readouterr().out
    assert f"{most[1:7]} j : Z" in text.split("(* ---- The answer. ---- *)")[0]
    require_accepted(text)
    written = "is_legal s := match s with [n; v] =>"
    assert text.count(written) == 1
    assert not is_accepted(text.replace(written, f"{written} n < 9 /\\"))


def of_conditions(*pairs):
    """A file with the equivalences alone, and what it is that ``pairs`` are of."""
    found = Equivalences(SearchSteps())
    for written, plain in pairs:
        found.term(written, plain)
    opening = IMPORTS
    libraries = ("tactics", "no_functions", "no_readers", "formulas", "alike", "checker")
    parts = [opening, *map(library, libraries), *(proof.text for proof in found.proofs)]
    last = f"same_{len(found.proofs)}"
    return "\n".join([*parts, f"Print Assumptions {last}.\n"])


@pytest.mark.slow
@pytest.mark.parametrize("text", [*CONDITIONS, *(f"not ({text})" for text in CONDITIONS[:2])])
def test_coq_accepts_single_conditions(text):
    require_coq()
    formula = parse_formula(text, ("a", "b"))
    plain = quantifiers.without_quantifiers(formula, Budget(SECONDS))
    require_accepted(of_conditions((formula, plain)))


WRONG = [
    ("exists q. a = 2 * q", "a mod 4 = 0", ["a div 2"]),
    ("exists q. a = 2 * q", "a mod 2 <= 1", ["a div 2"]),
    ("exists q. a = 2 * q and q >= 0", "a mod 2 = 0 and a >= 1", ["a div 2"]),
    ("exists q. a = 2 * q and q >= 0", "a mod 2 = 0 and a >= -2", ["a div 2"]),
    ("forall q. q > a or q < 3", "a <= 3", ["a", "3"]),
    ("forall q. q > a or q < 3", "a <= 1", ["a", "3"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("written", "plain", "terms"), WRONG)
def test_coq_refuses_wrong_eliminations(monkeypatch, written, plain, terms):
    """Too few states and too many, with the right terms for the right elimination."""
    require_coq()
    formula, wrong = parse_formula(written, ("a",)), parse_formula(plain, ("a",))
    given = tuple(parse_term(term, ("a",)) for term in terms)
    monkeypatch.setattr(equivalences, "find_witnesses", lambda *_: given)
    monkeypatch.setattr(equivalences, "_require", lambda *_: None)
    right = quantifiers.without_quantifiers(formula, Budget(SECONDS))
    assert is_accepted(of_conditions((formula, right)))
    assert not is_accepted(of_conditions((formula, wrong)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The rules without quantifiers.
        ("(Eq (Rest (X 1) (K 2)) (K 0))", "(Eq (Rest (X 1) (K 4)) (K 0))"),
        ("(Eq (Rest (X 1) (K 2)) (K 0))", "(Ge (Rest (X 1) (K 2)) (K 0))"),
        ("=> ((1 <= k /\\ k <= a) /\\ (exists q : Z, k = (2 * q)))", "=> k = 2"),
        ("exists q : Z, k = (2 * q)", "exists q : Z, k = (3 * q)"),
        ("exists q : Z, k = (2 * q)", "exists q : Z, k = (2 * q) /\\ q < 10 ^ 9"),
        ("losing := (Le (X 0) (K 1))", "losing := (Le (X 0) (K 0))"),
        ("winning := (Gt (X 0) (K 1))", "winning := (Gt (X 0) (K 2))"),
    ],
)
def test_coq_refuses_a_file_where_one_side_is_edited(old, new):
    """Wherever the text stands, or in the definitions alone, where a reader looks."""
    require_coq()
    text = as_data_alone(export(answered("a multiple"), "coq"))
    definitions, mark, rest = text.partition("(* ---- What helps the proof")
    assert old in definitions and mark
    assert not is_accepted(text.replace(old, new))
    assert not is_accepted(definitions.replace(old, new) + mark + rest)
