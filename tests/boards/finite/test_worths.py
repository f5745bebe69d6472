"""What moves are worth: by following play, by the answer, and to players who see less."""

from __future__ import annotations

from dataclasses import replace

import pytest
from catalog_answers import solved

import icgsynth as icg
from icgsynth.boards.finite.arena_table import MoveWorth
from icgsynth.boards.play.worths import parametric_worths
from icgsynth.errors import Refused
from icgsynth.game.game import Move
from icgsynth.logic.term import TRUE


def test_an_answer_that_differs_from_the_rules_is_refused():
    nim = icg.load("nim2")
    answer = solved("nim2")
    moves = list(nim.game.moves((3, 1)))
    found = parametric_worths(nim.game, "normal", (3, 1), moves, answer, {})
    assert {str(w.move): w.value for w in found if w.value == 1} == {"take_a(2)": 1}
    wrong = replace(answer, losing=replace(answer.losing, formula=TRUE))
    with pytest.raises(Refused, match="differ"):
        parametric_worths(nim.game, "normal", (3, 1), moves, wrong, {})
    unproved = replace(wrong, status="conditional")
    assert parametric_worths(nim.game, "normal", (3, 1), moves, unproved, {}) == found


def worth(name, value, plies):
    return MoveWorth(Move(name), value, plies)
