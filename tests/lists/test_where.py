"""States that satisfy a formula: who wins each, against play by hand.

Faults it sees: a state that is left out or does not satisfy the formula, a move that does not win,
drawn states among the lost ones, and a list whose end is not told.
"""

from __future__ import annotations

import json

import pytest
from commands import call, refused

from icgsynth import load
from icgsynth.lists.where_questions import ListAnswer, states_where
from icgsynth.subjects.position_questions import PositionAnswer


def listed(capfd, *arguments):
    return json.loads(call(capfd, "solve", *arguments, "--json").stdout)


def losers(moves, states, misere=False):
    """The lost ones of ``states``, each after those that its moves lead to."""
    lost = set()
    for state in states:
        after = list(moves(state))
        if (misere and not after) or any(next_ in lost for next_ in after):
            continue
        lost.add(state)
    return lost


def nim(state):
    a, b = state
    yield from ((a - k, b) for k in range(1, a + 1))
    yield from ((a, b - k) for k in range(1, b + 1))


def wythoff(state):
    a, b = state
    yield from nim(state)
    yield from ((a - k, b - k) for k in range(1, min(state) + 1))


SMALL = [(a, b) for a in range(16) for b in range(16)]


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize(("name", "moves"), [("nim2", nim), ("wythoff", wythoff)])
def test_each_state_is_listed_with_who_wins_and_by_which_move(capfd, name, moves, rule):
    found = listed(capfd, name, "--where", "a + b = 15 or a = 2 * b and b <= 3", "--rule", rule)
    lost = losers(moves, SMALL, rule == "misere")
    wanted = {(a, b) for a, b in SMALL if a + b == 15 or (a == 2 * b and b <= 3)}
    assert {tuple(state) for state in found["losing"]} == wanted & lost
    assert {tuple(each["state"]) for each in found["winning"]} == wanted - lost
    for each in found["winning"]:
        state = tuple(each["state"])
        if each["move"] is None:
            assert rule == "misere" and not list(moves(state))
        else:
            assert tuple(each["move"]["state"]) in lost & set(moves(state))
    assert found["kind"] == "positions" and found["drawn"] == []


@pytest.mark.slow
def test_states_too_large_to_be_played_out_are_told_by_the_answer(capfd):
    found = listed(capfd, "nim2", "--where", f"a = b and {10**30} <= a <= {10**30 + 2}")
    assert found["losing"] == [[10**30 + i] * 2 for i in range(3)]
    assert "proved" in found["why"]


def test_drawn_states_are_listed_apart(capfd, tmp_path):
    """From 0 one may go to 1 and back; 2 leads to the end 3 alone."""
    path = tmp_path / "g.icg"
    path.write_text(
        "game g var n legal 0 <= n <= 3 action swap pre n <= 1 eff n := 1 - n "
        "action on pre n = 2 eff n := 3"
    )
    found = listed(capfd, path, "--where", "n >= 0")
    assert (found["drawn"], found["losing"]) == ([[0], [1]], [[3]])
    assert [each["state"] for each in found["winning"]] == [[2]]
    shown = call(capfd, "solve", path, "--where", "true", "--all").stdout
    assert "1 is lost, 1 is won, 2 are drawn" in shown and "2 by on to 3" in shown


@pytest.mark.parametrize("formula", ["a = b", "a > 300", "a + b = 7 or a <= 3"])
def test_the_mend_of_a_formula_without_bounds_makes_a_list(capfd, formula):
    """Faults it sees: a bound below the numbers of the formula, or one that leaves too many."""
    mend = refused(capfd, "solve", "nim2", "--where", formula).split("as with '")[1].split("'")[0]
    assert 0 < len(states_where(load("nim2").game, f"({formula}) {mend}")) <= 1_000


def test_what_is_proved_once_is_conditional():
    """Faults it sees: "solved" as the status of states that one engine alone has decided."""
    once = PositionAnswer((1, 1), load("nim2").game, "normal", "losing", by="proved once")
    both = (once, PositionAnswer((2, 2), once.game, "normal", "losing", is_proved=True))
    assert [each.value["status"] for each in both] == ["conditional", "solved"]
    listed = [ListAnswer(once.game, "normal", "a = b", some) for some in (both, both[1:])]
    assert [each.value["status"] for each in listed] == ["conditional", "solved"]


def test_a_table_shows_these_states_alone(capfd):
    found = json.loads(call(capfd, "table", "nim2", "--where", "a + b = 6", "--json").stdout)
    outcomes = {tuple(each["state"]): each["outcome"] for each in found["states"]}
    assert outcomes == {(a, 6 - a): "losing" if a == 3 else "winning" for a in range(7)}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "nim2", "--where", "a = b"), "infinitely many"),
        (("solve", "subtraction_134", "--where", "v xor 3 <= 5"), "many states may satisfy"),
        (("solve", "nim2", "--where", "a <= 200 and b <= 200"), "more than 10,000 states"),
        (("solve", "nim2", "--where", "a = c"), "unknown name 'c'"),
        (("solve", "nim2", "--where", "a"), "ends too early"),
        (("solve", "0.77", "--where", "n = 3"), "--where is not for"),
        (("table", "0.77", "--where", "n = 3"), "--where is not for"),
        (("table", "nim2", "--where", "a < 0"), "no legal state satisfies 'a < 0'"),
        (("table", "nim2", "--where", "false"), "weaken the formula"),
        (("table", "nim2", "--where", "a = 99"), "try a larger --bound"),
        (("solve", "nim2", "--where", "a = 1", "--at", "1,1"), "does nothing here"),
    ],
)
def test_what_cannot_be_listed_is_refused(capfd, arguments, said):
    assert said in refused(capfd, *arguments)
