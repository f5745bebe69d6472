"""What an export says is proved is what the answer has; nothing to list is said in words.

Faults it sees: obligations that are said to prove a strategy that is not there, a strategy that a
file calls proved after its rules were deleted, and a sentence above an empty list.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import catalog_answers
import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.errors import FalseClaim, Refused
from icgsynth.export import export
from icgsynth.formats.answer_sheet import answer_sheet
from icgsynth.game.answers import Verdict
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Strategy
from icgsynth.logic import term as t
from icgsynth.spec.icg import parse_formula, parse_term
from icgsynth.spec.source import Source
from icgsynth.subjects.exports import prove_again, write_answer

BARE = "game still var n legal n >= 0 action t pre n < 0 eff n := n - 1"


def exported(data, fmt):
    """The export of an answer file with these data."""
    source = Source("a.json", json.dumps(data))
    return write_answer(prove_again(source, Budget(60)), fmt)


def file_of(name, rule, **changed):
    """The data of the file of a catalog game's answer."""
    return json.loads(json.dumps(catalog_answers.solved(name, rule).to_json())) | changed


def without_rules(name, rule):
    """The answer that is proved of a file out of which the rules were deleted."""
    source = Source("a.json", json.dumps(file_of(name, rule, strategy=[], fft=[])))
    return prove_again(source, Budget(60))


@pytest.mark.parametrize(("name", "rule"), [("nim2", "normal"), ("take_away", "misere")])
def test_obligations_speak_of_a_strategy_only_where_there_is_one(name, rule):
    said = comments(export(catalog_answers.solved(name, rule), "smt2"))
    assert "the strategy, and that play always ends" in said
    said = comments(export(without_rules(name, rule), "smt2"))
    assert "the strategy" not in said.replace("moves of the strategy", "")
    assert "No strategy is part of this file" in said


def comments(text):
    lines = [line.lstrip("; ") for line in text.splitlines() if line.startswith(";")]
    return " ".join(lines)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("fmt", ["python", "latex"])
def test_deleted_rules_are_not_called_proved(fmt, rule):
    text = export(without_rules("take_away", rule), fmt)
    assert "solved, proved for all states" not in text and "Theorem" not in text
    assert not re.search(r"proved:.*strategy", text)
    assert "Proved for all states" not in text


@pytest.mark.parametrize("fmt", ["latex"])  # what is false is refused before a format is asked
@pytest.mark.parametrize("part", ["strategy", "winning"])
def test_what_small_states_refute_is_not_called_proved(part, fmt):
    """A file of whose two rules one was deleted, or whose formulas are those of other rules."""
    data = file_of("nim2", "normal")
    assert "not all of it is proved" not in exported(data, fmt)
    if part == "strategy":
        data["strategy"], data["fft"] = data["strategy"][:1], []
    else:
        data["winning"]["formula"], data["losing"]["formula"] = "a > b", "a <= b"
    with pytest.raises(FalseClaim, match=rf"{part} +refuted"):
        exported(data, fmt)


@pytest.mark.parametrize("fmt", ["latex"])
def test_moves_to_values_that_small_states_refute_are_refused(fmt):
    """One takes 1, 2 or 3: the value is n mod 4.  Of two rules in the file one is deleted."""
    game = icg.loads(
        "game g var n legal n >= 0 action t(k) pre 1 <= k <= 3 and k <= n eff n := n - k"
    ).game
    rules = [
        {"when": f"w < n mod 4 and {when}", "action": "t", "arguments": {"k": k}, "target": "w"}
        for when, k in (("w >= 1", "n mod 4 - w"), ("w = 0", "n mod 4"))
    ]
    answer = GrundyAnswer(game, "solved", value=parse_term("n mod 4", ("n",)))
    for kept in (rules, rules[:1]):
        data = answer.to_json() | {"strategy": kept}
        if kept == rules:
            assert "theorem" in exported(data, fmt).lower() or fmt != "latex"
        else:
            with pytest.raises(FalseClaim, match="the value is proved, and not the strategy"):
                exported(data, fmt)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_an_answer_that_needs_no_rules_is_still_proved(rule):
    losing, winning = (t.TRUE, t.FALSE) if rule == "normal" else (t.FALSE, t.TRUE)
    game = icg.loads(BARE).game
    proof = dict.fromkeys(("termination", "winning", "strategy"), Verdict.PROVED)
    answer = Solution(game, rule, "solved", Claim(winning), Claim(losing), proof=proof)
    assert answer.needs_no_move
    text = export(answer, "smt2")
    assert re.search(r"proved:.*strategy", text) and "solved, proved for all states" in text


def test_a_page_without_rules_says_so():
    page = export(replace(without_rules("nim2", "normal"), proof={}), "html")
    assert "make the first move that applies" not in page and '<ol id="strategy"' not in page
    assert "make a move to a state where the player to move loses" in page


def test_the_page_of_values_without_rules_says_what_is_proved():
    value = parse_term("n mod 2", ("n",))
    game = icg.loads(
        "game g var n legal n >= 0 action t(k) pre k = 1 and k <= n eff n := n - k"
    ).game
    page = export(GrundyAnswer(game, "solved", value=value), "html")
    assert "Who wins and who loses is proved for all states" in page
    assert "make the first move that applies" not in page
    assert '<table class="facts"></table>' not in page


def test_pages_and_sheets_of_states_that_begin_far_out_have_positions():
    pytest.importorskip("fpdf", reason="a sheet is a PDF")
    game = icg.loads(
        "game far var n legal n >= 1000 action t(k) pre 1 <= k <= 3 eff n := n - k"
    ).game
    losing = parse_formula("n mod 4 = 0", ("n",))
    answer = Solution(game, "normal", "unknown", Claim(t.Not(losing)), Claim(losing))
    starts = re.search(r"starts: (\[.*\])", export(answer, "html"))
    assert starts and all(int(number) >= 1000 for (number,) in json.loads(starts[1]))
    assert answer_sheet(answer)[:4] == b"%PDF"


def test_a_game_without_moves_has_no_page_and_says_why():
    game = icg.loads(BARE).game
    answer = Solution(game, "normal", "unknown", Claim(t.FALSE), Claim(t.TRUE), strategy=Strategy())
    with pytest.raises(Refused, match="no state of still that has a move"):
        export(answer, "html")
