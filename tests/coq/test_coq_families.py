"""Theorems with free constants as files for Coq: what they state, and what Coq says of them.

Coq is asked in the slow tests; see ``test_coq.py``.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from coq_here import as_data_alone, is_accepted, require_accepted

from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, UNKNOWN
from icgsynth.coq.theorem_file import family_coq
from icgsynth.errors import Refused
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.rules.family_file import read_family
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source

TAKE = """game take
const n = 3
var v
legal v >= 0
action take(k)  pre 1 <= k <= n and k <= v  eff v := v - k
"""
COINS = """game coins
const p = 2
const q = 3
var a, b
legal a >= 0 and b >= 0
action take_a(k)  pre 1 <= k <= p and k <= a  eff a := a - k
action take_b(k)  pre 1 <= k <= q and k <= b  eff b := b - k
"""
RESIDUES = "a mod (p + 1)", "b mod (q + 1)"
TAKE_ANSWER = {
    "game": "take",
    "constants": ["n"],
    "for": "n >= 1",
    "losing": "v mod (n + 1) = 0",
    "strategy": [("v mod (n + 1) != 0", "take", "v mod (n + 1)")],
}
MISERE_ANSWER = TAKE_ANSWER | {
    "rule": "misere",
    "losing": "v mod (n + 1) = 1",
    "strategy": [("v >= 1 and v mod (n + 1) != 1", "take", "(v - 1) mod (n + 1)")],
}
COINS_ANSWER = {
    "game": "coins",
    "constants": ["p", "q"],
    "for": "p >= 1 and q >= 1",
    "losing": f"{RESIDUES[0]} = {RESIDUES[1]}",
    "strategy": [
        (f"{RESIDUES[0]} > {RESIDUES[1]}", "take_a", f"{RESIDUES[0]} - {RESIDUES[1]}"),
        (f"{RESIDUES[1]} > {RESIDUES[0]}", "take_b", f"{RESIDUES[1]} - {RESIDUES[0]}"),
    ],
}


def entry(answer, status="theorem"):
    """An answer file."""
    strategy = [{"when": w, "action": a, "args": {"k": k}} for w, a, k in answer["strategy"]]
    said = {"schema": "icgsynth/solution/2", "kind": "family", "fixed": {}, "rule": "normal"}
    said |= answer | {"status": status, "losing": {"formula": answer["losing"]}}
    return json.dumps(said | {"strategy": strategy})


def claim_of(rules: str, answer) -> FamilyClaim:
    return read_family(Source("answer", entry(answer)), parse(Source("rules", rules))).claim


# --- what a file says ---------------------------------------------------------------------------


def test_the_constants_are_variables_that_no_move_changes():
    text = family_coq(claim_of(TAKE, TAKE_ANSWER))
    assert "says (legal rules) [n; v] = ((n >= 1 /\\ v >= 0)) := eq_refl." in text
    assert "  (((1 <= k /\\ k <= n) /\\ k <= v), [n; (v - k)]) := eq_refl." in text
    assert "says (losing found) [n; v] = ((v mod (n + 1)) = 0) := eq_refl." in text
    assert "Theorem answer : right (of_data rules) rules found." in text


def test_no_proof_is_looked_for_where_there_is_none():
    """The decision finds a model, and there is no file for Coq to refuse."""
    wrong = TAKE_ANSWER | {"losing": "v mod (n + 2) = 0"}
    with pytest.raises(Refused, match="no proof was found"):
        family_coq(claim_of(TAKE, wrong))


def test_an_answer_without_a_strategy_is_refused():
    with pytest.raises(Refused, match="no strategy"):
        family_coq(replace(claim_of(TAKE, TAKE_ANSWER), strategy=()))


def test_only_a_theorem_is_exported(tmp_path, capsys):
    rules, answer = files(tmp_path, TAKE, TAKE_ANSWER, "conjecture")
    assert run(["export", answer, "--spec", rules, "--to", "coq"]) == BAD_INPUT
    assert "is no theorem" in capsys.readouterr().err


def files(folder, rules, answer, status="theorem"):
    """The paths of a file with rules and one with an answer."""
    (folder / "rules.icg").write_text(rules, "utf-8")
    (folder / "answer.json").write_text(entry(answer, status), "utf-8")
    return str(folder / "rules.icg"), str(folder / "answer.json")


# --- what Coq says ------------------------------------------------------------------------------

THEOREMS = {
    "take": (TAKE, TAKE_ANSWER),
    "misere": (TAKE, MISERE_ANSWER),
    "coins": (COINS, COINS_ANSWER),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(THEOREMS))
def test_coq_accepts(coq, name):
    require_accepted(family_coq(claim_of(*THEOREMS[name])))


# What stands in the file of take-away, and what is false instead: the range with n = -1, where
# nothing is divided by 0 but a divisor is not positive; another residue; a larger move, also one
# that is only sometimes too large; a move that applies elsewhere; an end that is not one.
LOSING = "losing := (Eq (Rest (X 1) (Plus (X 0) (K 1))) (K 0))"
PRE = "(Le (X 2) (X 0))) (Le (X 2) (X 1)))"
TAKEN = "(Rest (X 1) (Plus (X 0) (K 1)))"
CHANGES = [
    ("(Ge (X 0) (K 1))", "(Ge (X 0) (K (-1)))"),
    (LOSING, LOSING.replace("(K 0)", "(K 1)")),
    (LOSING, LOSING.replace("(K 1)", "(K 2)")),
    (LOSING, LOSING.replace("(Eq", "(And (Lt (X 1) (K 1000)) (Eq") + ")"),
    (f"taken := [{TAKEN}]", f"taken := [(Plus {TAKEN} (K 1))]"),
    (PRE, PRE.replace("(X 0)", "(Plus (X 0) (K 1))")),
    (PRE, PRE.replace("(Le (X 2) (X 1))", "(Lt (X 2) (X 1))")),
    ("(Minus (X 1) (X 2))", "(Minus (Minus (X 1) (X 2)) (K 1))"),
    ("(Ge (X 1) (K 0))", "(Ge (X 1) (K (-1)))"),
]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(CHANGES)))
def test_coq_refuses_what_is_false(coq, place):
    """A change of the data alone, with the proofs of the true ones."""
    text = as_data_alone(family_coq(claim_of(TAKE, TAKE_ANSWER)))
    old, new = CHANGES[place]
    statement, mark, proofs = text.partition("(* ---- What helps the proof")
    assert statement.count(old) == 1 and mark
    assert not is_accepted(statement.replace(old, new) + mark + proofs)


@pytest.mark.slow
def test_coq_accepts_the_data_alone(coq):
    require_accepted(as_data_alone(family_coq(claim_of(TAKE, TAKE_ANSWER))))


@pytest.mark.slow
def test_verify_says_what_coq_says(coq, tmp_path, capsys):
    rules, answer = files(tmp_path, TAKE, TAKE_ANSWER)
    assert run(["verify", rules, answer, "--coq", "--timeout", "300"]) == DONE
    out = capsys.readouterr().out
    assert re.search(r"^  coq +proved .*Coq 8\.\d+\S* in \d", out, re.MULTILINE)


@pytest.mark.slow
def test_what_is_not_proved_is_not_put_to_coq(coq, tmp_path, capsys):
    open_ = TAKE_ANSWER | {"strategy": []}
    rules, answer = files(tmp_path, TAKE, open_)
    assert run(["verify", rules, answer, "--coq", "--timeout", "300"]) == UNKNOWN
    assert "not asked" in capsys.readouterr().out
