"""Positions asked one by one, and a second for each command: what is wrong is seen."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from catalog_answers import solved
from commands import all_commands

from experiments.budgets import INPUTS, QUESTIONS, _questions
from experiments.judge.graph import box, explored, outcomes
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from experiments.positions import asked_at, drawn, judged
from icgsynth.game.game import Move
from icgsynth.spec.catalog import resolve

PLAY = Play(read_rules(resolve("nim2").read_text("utf-8")))
LABELS = outcomes(explored(PLAY, box(PLAY, 100), 100, random.Random(0)), "normal")


def take(pile: str, count: int) -> Move:
    return Move(f"take_{pile}", (("k", count),))


@pytest.mark.parametrize(
    ("state", "change", "verdict"),
    [
        ((5, 3), {}, "right"),
        ((3, 3), {}, "right"),
        ((0, 0), {}, "right"),
        ((5, 3), {"winner": None}, "unknown"),
        ((5, 3), {"winner": "losing"}, "wrong"),
        ((3, 3), {"winner": "winning"}, "wrong"),
        ((3, 3), {"winner": "drawn"}, "wrong"),
        ((5, 3), {"move": None}, "wrong"),
        ((5, 3), {"move": take("a", 1)}, "wrong"),
        ((5, 3), {"move": take("a", 6)}, "wrong"),
        ((5, 3), {"move": Move("take_c", ())}, "wrong"),
        ((3, 3), {"move": take("a", 1)}, "wrong"),
    ],
)
def test_a_wrong_answer_is_seen(state, change, verdict):
    said = replace(asked_at(solved("nim2"), state), **change)
    assert judged(PLAY, LABELS, said)[0] == verdict


def test_some_of_the_positions_are_lost():
    found = list(drawn(LABELS, 200, random.Random(1)))
    lost = sum(LABELS[state] == "lost" for state in found)
    assert len(found) == 200
    assert not list(drawn({}, 200, random.Random(1)))  # the judge knows of no state
    assert 20 < lost < 100


def test_every_command_with_a_budget_is_asked_with_a_second():
    """Each place of a question is filled, and each kind of input has questions."""
    assert {asked.kind for asked in INPUTS} == set(QUESTIONS)
    assert len(INPUTS) >= 20
    asked = list(_questions())
    for name, command in all_commands():
        is_of_answers = name == ("export",)  # which are found when the experiment runs
        if not is_of_answers and any(option.name == "timeout" for option in command.params):
            assert any(words[: len(name)] == name for words in asked), name
    for words in asked:
        assert words[-2:] == ("--timeout", "1")
        assert all(words), words
        assert not {"*", "FILE", "STATE", "TREE"} & set(words)
