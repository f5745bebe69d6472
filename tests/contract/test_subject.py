"""What every kind of subject keeps to, whoever asks it.

Faults it sees: a late answer that claims a proof or leaves out why there is none; a file that the
subject itself does not read again or calls right after a change; a refusal that names a question
which is refused as well.
"""

from __future__ import annotations

import json
import re

import pytest

from icgsynth.budget import Budget, silent
from icgsynth.errors import BudgetSpent, InputError
from icgsynth.game.answers import Verdict
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedTable, AskedValue, AskedVerdict, subject
from icgsynth.subjects.exports import prove_again, write_answer

KAYLES = (
    "heaps kayles var n legal n >= 0 "
    "action hit(k, i) pre 1 <= k <= 2 and 0 <= i <= n - k into i, n - k - i"
)
SUBJECTS = {
    "game": ("nim2", None),
    "family": ("take_away", None),
    "code": ("0.77", None),
    "heaps": ("kayles by rules", KAYLES),
    "sum": ("take_away + 2*0.77", None),
    "finite": ("tictactoe", None),
    "graph": ("a graph", "digraph { a -> b -> c; b -> a; c -> d }"),
}
QUESTIONS = {
    "solve": lambda asked: asked.to_solve("normal"),
    "solve misere": lambda asked: asked.to_solve("misere"),
    "value": lambda asked: asked.to_value(AskedValue(for_file=True)),
    "table": lambda asked: asked.to_table(AskedTable(bound=4)),
    "check": lambda asked: asked.to_check(),
}


def named(kind):
    spec, text = SUBJECTS[kind]
    return subject(spec, None, text)


def asked(kind, question):
    """The question, or why it is refused."""
    try:
        return QUESTIONS[question](named(kind))
    except InputError as refused:
        return str(refused)


SLOW = {("sum", "value"), ("sum", "solve"), ("game", "value")}  # proved several times again
EACH = [(kind, question) for kind in SUBJECTS for question in QUESTIONS]


@pytest.mark.parametrize(("kind", "question"), EACH)
def test_what_is_known_too_late_claims_nothing_and_says_why(kind, question):
    put = asked(kind, question)
    if isinstance(put, str):
        return
    search = put.search(Budget(0), silent)
    try:
        told = put.shown(search.unknown("the owl has called"))
    except BudgetSpent as spent:
        assert "the owl has called" in str(spent)
        return
    assert told.verdict is not Verdict.PROVED
    assert "the owl has called" in told.text()
    json.dumps(told.value())


@pytest.mark.parametrize(("kind", "question"), EACH)
def test_a_question_is_answered_or_refused_with_those_that_are_answered(kind, question):
    put = asked(kind, question)
    if isinstance(put, str):
        able = re.findall(r"\b(solve|value|table|check)\b", put.partition("use icgsynth")[2])
        assert all(not isinstance(asked(kind, word), str) for word in able), put
        return
    told = put.shown(put.answer(timeout=60))
    assert told.verdict is Verdict.PROVED
    assert told.text().strip()
    json.dumps(told.value())


FILES = [
    pytest.param(kind, question, marks=[pytest.mark.slow] if (kind, question) in SLOW else [])
    for kind, question in EACH
    if question in ("solve", "value") and kind not in ("finite", "graph")
]


@pytest.mark.parametrize(("kind", "question"), FILES)
def test_a_file_is_proved_again_and_not_after_a_change(kind, question):
    put = asked(kind, question)
    told = put.shown(put.answer(timeout=60))
    file = (told.file or told.value)()
    assert verdict(kind, file) is Verdict.PROVED
    changes = list(_changed(file))
    assert changes
    for changed in changes:
        assert verdict(kind, changed) is not Verdict.PROVED, changed


@pytest.mark.parametrize("at", [None, "3,4"])
def test_values_are_of_games_all_of_whose_moves_may_be_made(at):
    """A blocking game is another one than its rules without the word: 3 and 4 are worth 7 there."""
    with pytest.raises(InputError, match="is a blocking game"):
        subject("blocking_nim").to_value(AskedValue(at))


@pytest.mark.parametrize("kind", ["game", "heaps", "codes", "sums", "question", "nonsense"])
def test_an_answer_of_a_kind_that_is_none_is_bad_input(kind):
    file = Source("file", json.dumps({"schema": "icgsynth/solution/2", "kind": kind}))
    with pytest.raises(InputError):
        write_answer(prove_again(file, Budget(60)), "latex")
    with pytest.raises(InputError):
        named("game").to_verify(file, AskedVerdict())


def verdict(kind, file):
    put = named(kind).to_verify(Source("file", json.dumps(file)), AskedVerdict())
    return put.shown(put.answer(timeout=60)).verdict


def _changed(file):
    """The file with another losing formula, other values, or another number in its period."""
    if "losing" in file:
        yield file | {"losing": {"formula": "0 = 1"}, "winning": {"formula": "0 = 0"}}
    if isinstance(file.get("value"), dict):
        yield file | {"value": {"term": "1"}, "strategy": []}
    if isinstance(file.get("values"), list):
        yield file | {"values": [value + (i == 3) for i, value in enumerate(file["values"])]}
    for index, part in enumerate(file.get("components", ())):
        for inner in _changed(part["answer"]):
            parts = list(file["components"])
            parts[index] = part | {"answer": inner}
            yield file | {"components": parts}
