"""What the studio tells of the moves of a state is true, also of states far out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from catalog_answers import solved
from speed import sampled

from icgsynth.logic.term import TRUE
from icgsynth.studio.tasks.play_tasks import reply_of, worth_of


@sampled("state", [(9, 5), (1000, 500), (500, 500), (10**30, 7), (10**30, 10**30)], fast=2, ids=str)
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


def test_moves_of_which_some_were_followed_to_the_end_and_some_were_not(monkeypatch):
    """Of a large state the moves to small piles have a known length, the others have none."""
    monkeypatch.setattr("icgsynth.boards.play.worths._SECONDS", 60)
    data = {"game": {"name": "nim2", "rule": "normal"}, "state": f"{10**30},4"}
    told = worth_of({**data, "answer": solved("nim2").to_json()})
    assert told["value"] == "win"
    lengths = {move["distance"] is None for move in told["moves"].values()}
    assert lengths == {True, False}


def test_an_answer_without_a_proof_is_not_believed():
    right = solved("nim2")
    wrong = replace(right, status="unknown", losing=replace(right.losing, formula=TRUE))
    data = {"game": {"name": "nim2"}, "state": f"{10**30},{10**30}", "answer": wrong.to_json()}
    told = worth_of(data)
    assert told["value"] is None
    assert not any(move["value"] for move in told["moves"].values())
