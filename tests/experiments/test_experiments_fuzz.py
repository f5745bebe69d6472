"""The fuzzer: that its judges catch what is wrong, and that it finds nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hand_solved import NIM2 as NIM
from hypothesis import assume, given
from hypothesis import strategies as st
from speed import shared

pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")

import icgsynth as icg
from experiments.attempts import Task, attempt, tried
from experiments.fuzz import exports
from experiments.fuzz.command import CAMPAIGN
from experiments.fuzz.grammar import rules
from experiments.fuzz.readers import READERS, Reader, mutilated
from experiments.judge.claims import Answer
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.errors import InputError
from icgsynth.export import export


@pytest.fixture(scope="module")
def nim():
    """The solution of Nim on two piles, its rules and its answer as the judge reads them."""
    solution = icg.loads(NIM).solve()
    return solution, Play(read_rules(NIM)), Answer.of_json(solution.to_json())


@given(st.integers(0, 10**9))
def test_rules_of_the_grammar_are_read_alike(seed):
    """By icgsynth and by the judge: what is legal.  Quantifiers are eliminated before play."""
    text = rules(random.Random(seed))
    assume("exists" not in text)
    game, play = icg.loads(text).game, Play(read_rules(text))
    for x in (-20, -1, 0, 1, 7, 40):
        state = (x,) * len(game.variables)
        assert game.is_legal(state) == play.legal(*state)


def test_the_exports_of_nim_stand(nim):
    assert exports.wrong_export(*nim, random.Random(1)) == ""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("a != b", "a > b", "is_winning("),
        ("a >= 0 and b >= 0", "a >= 0", "is_legal("),
        ("a - b", "a - b - 1", "no winning move"),
    ],
)
def test_a_wrong_module_is_caught(nim, old, new, said):
    solution, play, answer = nim
    text = export(solution, "python")
    assert old in text
    assert said in exports.wrong_module(text.replace(old, new), play, answer, random.Random(1))


def test_a_wrong_program_is_caught(nim):
    solution, play, answer = nim
    text = export(solution, "asp")
    assert exports.wrong_asp(text, play, answer) == ""
    assert "losing" in exports.wrong_asp(text.replace("A != B.", "A > B."), play, answer)


def test_a_second_proof_is_asked(nim):
    solution, play, answer = nim
    claim = solution.losing
    wrong = replace(
        solution, losing=replace(claim, formula=icg.loads(NIM).solve("misere").losing.formula)
    )
    assert "refutes" in exports.wrong_export(wrong, play, answer, random.Random(1))


@given(st.integers(0, 10**9))
def test_a_file_is_mutilated_by_its_seed_alone(seed):
    again = [mutilated(NIM, "game other var x", random.Random(seed)) for _ in range(2)]
    assert again[0] == again[1]


def fails(source):
    raise ZeroDivisionError


def echoes(source):
    raise InputError("unknown \x1b[31m" + "x" * 5000)


def texts():
    return (NIM,)


def test_a_reader_that_fails_is_caught():
    outcome = attempt(Reader(fails, texts), Task("icg", 0, 0))
    assert outcome.verdict == "crash"
    assert "ZeroDivisionError" in outcome.wrong


def test_messages_are_cut_and_cleaned():
    outcome = attempt(Reader(echoes, texts), Task("icg", 0, 0))
    assert outcome.verdict == "refused"
    message = str(InputError("unknown \x1b[31m" + "x" * 5000))
    assert message == "unknown ?[31m" + "x" * 195 + "..."


@pytest.mark.parametrize("kind", READERS)
def test_every_reader_says_what_is_wrong(kind):
    tally, faults = tried(CAMPAIGN, kind, 1, 60)
    assert faults == []
    assert tally.refused > 20


@pytest.mark.parametrize(("kind", "count"), shared([("games", 40), ("answers", 25)], 8))
def test_no_answer_is_wrong(kind, count):
    tally, faults = tried(CAMPAIGN, kind, 1, count)
    assert [fault for fault in faults if fault.verdict != "late"] == []
    assert tally.attempts == count
