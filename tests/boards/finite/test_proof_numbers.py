"""Strategies from the start of a game, found by proof numbers where its states are too many."""

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from commands import call

from experiments.judge import whole
from icgsynth.boards.finite.bit_sets import bits_of
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.proof_numbers import find_forced, follow
from icgsynth.boards.finite.symmetry import symmetry_of, trivial
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.rules.finite import finite_game
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.budget import Budget
from icgsynth.errors import OutOfReach, Unconfirmed
from icgsynth.spec.source import Source

SPECS = Path(__file__).parents[3] / "specs/gdl"

DRIFT = """(role a) (role b) (init (turn a)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6) (s 6 7)
(s 7 8) (<= (legal ?r up) (true (turn ?r))) (<= (legal ?r down) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at ?y ?m)) (true (at ?x ?n)) (s ?m ?n) (s ?x ?y) (does ?r up))
(<= (next (at ?y ?m)) (true (at ?x ?n)) (s ?m ?n) (s ?y ?x) (does ?r down))
(<= terminal (true (at ?x 0))) (<= terminal (true (at 0 ?n))) (<= terminal (true (at 8 ?n)))
(<= (goal a ?v) (true (at ?x ?n)) (worth ?x ?v ?w))
(<= (goal b ?w) (true (at ?x ?n)) (worth ?x ?v ?w))
"""
"""Four steps up or down in turn; each place has a goal of its own."""


def drift(start, total, worth):
    rows = (f"(worth {place} {goal} {total - goal})" for place, goal in enumerate(worth))
    return f"{DRIFT} (init (at {start} 4)) {' '.join(rows)}"


ROUND = """(role a) (role b) (init (at 0)) (init (turn a)) (s 0 1) (s 1 2) (s 2 0)
(<= (legal ?r on) (true (turn ?r))) (<= (legal ?r out) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y) (does ?r on)) (<= (next (by ?r)) (does ?r out))
(<= (next (at ?x)) (true (at ?x)) (does ?r out))
(<= (lost ?r) (true (by ?r))) (<= terminal (lost ?r))
(<= (goal ?r 0) (lost ?r)) (<= (goal ?r 100) (role ?r) (not (lost ?r)))"""
"""Who leaves has lost; play goes round for ever."""


def board(text):
    return board_of(ground(parse_gdl(Source("g.kif", text))))


def solved(text, **options):
    game = board(text)
    return game, find_forced(game, symmetry_of(game), budget=Budget(60), **options)


def actions(game, plan):
    """A plan as the judge reads it: what to do where these facts hold."""
    return {
        frozenset(game.facts[i] for i in bits_of(state)): game.actions[action]
        for state, action in zip(plan.states, plan.action.tolist(), strict=True)
        if action >= 0
    }


@pytest.mark.parametrize(
    "name",
    [
        *("tictactoe", "nim"),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("connect3", "three_mens_morris")),
    ],
)
def test_both_roles_can_force_what_the_rules_give_them(name):
    """The judge plays both strategies by the rules, against all replies.

    What one role can force and the other can hold it to is the value of the game.  Faults it sees:
    the numbers of the wrong role, plans of two questions mixed up, a move of the wrong role.
    """
    text = (SPECS / f"{name}.kif").read_text("utf-8")
    game, found = solved(text)
    assert sum(found.goals) == 100
    for role, plan, goal in zip(game.roles, found.plans, found.goals, strict=True):
        if plan is None:
            assert goal == 0
            continue
        states, least, _ = whole.forces(text, role, actions(game, plan))
        assert (states, least) == (len(plan.states), goal)


@pytest.mark.parametrize(("start", "total", "less"), [(3, 100, 0), (4, 190, 5), (5, 100, 0)])
def test_the_goal_is_the_best_of_many(start, total, less):
    """By minimax over the sixteen lines of the game.

    Faults it sees: the first level that wins taken for the best, a goal of role 1 counted wrongly.
    """
    worth = [goal - less for goal in (40, 10, 70, 20, 60, 90, 30, 80, 50)]

    def best(at, left, mine):
        if not left or at in (0, 8):
            return worth[at]
        return (max if mine else min)(best(at + step, left - 1, not mine) for step in (-1, 1))

    goal = best(start, 4, True)
    assert solved(drift(start, total, worth))[1].goals == (goal, total - goal)


@pytest.mark.parametrize(("third", "goals"), [(3, (-1, 1)), (4, (1, -1))])
def test_goals_below_zero_are_those_of_the_rules(third, goals):
    """Piles of 1, 2 and 3 are lost for who begins; if the last is greater, they are won.

    A fault it sees: goals that are left raised, so that the least is 0.
    """
    piles = {"p1": 1, "p2": 2, "p3": third, "p4": 0}
    game = board_of(ground(finite_game(str(SPECS.parent / "asp/nim.lp"), piles)))
    assert find_forced(game, trivial(game)).goals == goals


def test_who_can_only_go_round_wins_nothing():
    """Faults it sees: a state decided by one that waits for it in a circle, and no end."""
    game = board(ROUND)
    with pytest.raises(OutOfReach, match="neither role"):
        find_forced(game, trivial(game))


def test_where_one_goal_is_named_nothing_is_claimed():
    """A fault it sees: a goal that the only level gives, with no end that was looked at."""
    game = board(drift(4, 100, [50] * 9))
    with pytest.raises(OutOfReach, match="worth the same to a"):
        find_forced(game, trivial(game))


def test_a_search_ends_with_its_budget():
    """A fault it sees: a clock that is not looked at."""
    game = board((SPECS / "sim.kif").read_text("utf-8"))
    with pytest.raises(OutOfReach, match="time is over"):
        find_forced(game, trivial(game), budget=Budget(0))


def test_a_search_ends_with_its_states():
    """A fault it sees: a limit that is not looked at."""
    game = board((SPECS / "connect3.kif").read_text("utf-8"))
    with pytest.raises(OutOfReach, match="more than 100 states"):
        find_forced(game, trivial(game), most=100)


def test_a_strategy_that_comes_to_other_ends_is_not_believed():
    """Each move brings the end nearer, and who steps there gets too little.

    A fault it sees: goals at the ends that are not looked at.
    """
    game = board(drift(4, 100, [40, 10, 70, 20, 60, 90, 30, 80, 50]))
    left = {i: int(fact[5]) for i, fact in enumerate(game.facts) if fact.startswith("at(")}

    def depths(_role, states):
        return np.array([left[i] for s in states for i in bits_of(s) if i in left], np.int32)

    assert follow(game, 0, 10, depths).length == 4
    with pytest.raises(Unconfirmed):
        follow(game, 0, 90, depths)


def test_a_strategy_that_goes_round_is_not_believed():
    """All ends that play can come to are won, if it ever comes there.

    A fault it sees: no look at how near the end is.
    """
    with pytest.raises(Unconfirmed):
        follow(board(ROUND), 0, 100, lambda _, states: np.full(len(states), 3, np.int32))


def test_a_game_that_is_too_large_is_solved_from_its_start(tmp_path, monkeypatch, capfd):
    """Faults it sees: an answer lost where states are too many, one made up without a strategy,
    moves judged that were not."""

    def late(*_args, **_options):
        raise OutOfReach("g: too many states")

    text = (SPECS / "nim.kif").read_text("utf-8")
    (tmp_path / "g.kif").write_text(text, "utf-8")
    monkeypatch.setattr(SolvingTable, "arena", late)
    said = json.loads(call(capfd, "solve", tmp_path / "g.kif", "--json").stdout)
    told = whole.told(text)
    assert (said["winner"], said["length"]) == (told.winner, None)
    shown = call(capfd, "solve", tmp_path / "g.kif").stdout
    assert f"{told.winner} wins" in shown and "not judged" in shown and "at most" in shown
    monkeypatch.setattr("icgsynth.boards.finite.proof_numbers.MAX_MET", 1)
    assert "too many states" in call(capfd, "solve", tmp_path / "g.kif").stderr
