"""What moves are worth: by following play, by the answer, and to players who see less."""

from __future__ import annotations

from dataclasses import replace

import pytest
from catalog_answers import solved
from speed import sampled

import icgsynth as icg
from icgsynth.errors import IllegalMove, Refused
from icgsynth.game.game import Move
from icgsynth.logic.term import TRUE
from icgsynth.play.reached import Fate, fates
from icgsynth.play.worths import (
    MoveWorth,
    by_lot,
    far_sighted,
    near_sighted,
    parametric_worths,
)
from icgsynth.studio.tasks.worth_tasks import reply_of, worth_of

TURNING = """game turning
var a
legal 0 <= a <= 3
action back pre a >= 2 eff a := a - 2
action round pre a = 3 eff a := 3
action stay pre a = 2 eff a := 3
"""


def test_a_state_that_nobody_can_end_has_no_fate():
    """From 3 go to 1, which is an end, or stay: who stays loses nothing; from 2 go to 0 and win."""
    game = icg.loads(TURNING).game
    known = {}
    assert fates(game, "normal", (3,), known)
    assert known == {(1,): Fate(False, 0), (3,): Fate(True, 1)}
    misere = {}
    assert fates(game, "misere", (3,), misere)
    # To make the last move loses, and a round can be gone for ever.
    assert misere == {(1,): Fate(True, 0)}


def test_too_many_moves_are_not_followed():
    game = icg.load("nim2").game
    known = {}
    assert not fates(game, "normal", (30, 30), known, most=100)
    assert not known
    assert not fates(game, "normal", (9, 9), known, until=0.0)
    assert not known
    assert fates(game, "normal", (3, 3), known) and not known[3, 3].wins


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


def test_perfect_play_wins_fast_and_loses_late():
    slow, fast, draw = worth("slow", 1, 9), worth("fast", 1, 3), worth("draw", 0, 1)
    soon, late, dark = worth("soon", -1, 2), worth("late", -1, 8), worth("dark", None, None)
    assert far_sighted([slow, draw, fast, soon, dark], 0).move.action == "fast"
    assert far_sighted([soon, draw, late], 0).move.action == "draw"
    assert far_sighted([soon, late], 0).move.action == "late"
    assert far_sighted([soon, late], 0).wins is False
    with pytest.raises(IllegalMove):
        far_sighted([], 0)


def test_the_near_sighted_see_no_end_that_is_far():
    moves = [worth("win", 1, 5), worth("trap", -1, 2), worth("quiet", -1, 6)]
    chosen = {near_sighted(moves, 2, seed).move.action for seed in range(30)}
    assert chosen == {"win", "quiet"}
    assert near_sighted(moves, 5, 0).move.action == "win"
    assert {by_lot(moves, seed).move.action for seed in range(30)} == {"win", "trap", "quiet"}


@sampled("state", [(9, 5), (10**30, 7), (10**30, 10**30), (1000, 500), (500, 500)], fast=2, ids=str)
@pytest.mark.parametrize("is_solved", [True, False])
def test_a_state_with_more_moves_than_are_listed_is_not_called_lost_for_that(state, is_solved):
    """In Nim who faces equal piles loses, and otherwise one move wins, wherever it is."""
    game = {"name": "nim2", "rule": "normal"}
    answer = solved("nim2").to_json() if is_solved else None
    data = {"game": game, "state": ",".join(map(str, state)), "answer": answer}
    told = worth_of(data)
    truth = "loss" if state[0] == state[1] else "win"
    assert (
        told["value"] == truth if is_solved or state == (9, 5) else told["value"] in (None, truth)
    )
    for kind in ("perfect", "depth"):
        reply = reply_of({**data, "player": {"kind": kind, "depth": 3}})
        if truth == "win":
            assert "loses" not in reply["reason"]
        if told["value"] == "win" and kind == "perfect":
            assert told["moves"][reply["move"]]["value"] == "win"


def test_an_answer_without_a_proof_is_not_believed():
    right = solved("nim2")
    wrong = replace(right, status="unknown", losing=replace(right.losing, formula=TRUE))
    data = {"game": {"name": "nim2"}, "state": f"{10**30},{10**30}", "answer": wrong.to_json()}
    told = worth_of(data)
    assert told["value"] is None
    assert not any(move["value"] for move in told["moves"].values())


def test_who_has_not_seen_all_moves_calls_no_state_lost():
    seen = [worth("soon", -1, 2), worth("late", -1, 8)]
    for choice in (far_sighted(seen, 0, False), near_sighted(seen, 9, 0, False)):
        assert choice.wins is not False and "loses" not in choice.reason
