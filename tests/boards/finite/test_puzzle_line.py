"""A line to the best goal of a game of one role whose states are too many to be solved."""

import json
import re

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from commands import call

from experiments.judge import whole
from icgsynth.boards.finite import puzzle_line
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.puzzle_line import find_line
from icgsynth.boards.finite.whole import SolvingTable
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.budget import Budget
from icgsynth.errors import OutOfReach
from icgsynth.spec.source import Source

KNIGHT = """(role k) (init (at 0 0)) (init (been 0 0)) (row 0) (row 1) (row 2) (row 3)
(n 0 1) (n 1 2) (n 2 3) (n 3 4) (<= (c ?y) (n ?y ?z)) (c 4)
(<= (near ?a ?b) (n ?a ?b)) (<= (near ?a ?b) (n ?b ?a))
(<= (far ?a ?c) (n ?a ?b) (n ?b ?c)) (<= (far ?a ?c) (n ?b ?a) (n ?c ?b))
(<= (hop ?a ?b ?x ?y) (near ?a ?x) (far ?b ?y)) (<= (hop ?a ?b ?x ?y) (far ?a ?x) (near ?b ?y))
(<= (legal k (to ?x ?y)) (true (at ?a ?b)) (hop ?a ?b ?x ?y) (row ?x) (not (true (been ?x ?y))))
(<= (next (at ?x ?y)) (does k (to ?x ?y))) (<= (next (been ?x ?y)) (does k (to ?x ?y)))
(<= (next (been ?x ?y)) (true (been ?x ?y))) (<= open (legal k ?m)) (<= terminal (not open))
(<= some (row ?x) (c ?y) (not (true (been ?x ?y))))
(<= (goal k 100) (not some)) (<= (goal k 0) some)"""
"""A knight visits all squares of a board of four by five, each once, from a corner."""

SHORT = """(role p) (init (at 0)) (init go) (<= (next go) (true go))
(s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5)
(<= (legal p on) (true (at ?x)) (s ?x ?y)) (legal p stay)
(<= (next (at ?y)) (does p on) (true (at ?x)) (s ?x ?y))
(<= (next (at ?x)) (does p stay) (true (at ?x)))
(<= terminal (true (at 4))) (<= (goal p 30) (true (at 4))) (<= (goal p 100) (true (at 5)))"""
"""The best goal stands behind an end: 30 is the most."""


def board(text):
    return board_of(ground(parse_gdl(Source("g.kif", text))))


def test_a_line_is_legal_and_leads_to_the_best_goal():
    """A second reader of the rules plays it.  Faults it sees: moves of another branch, a line that
    ends too soon, one order of search alone."""
    found = find_line(board(KNIGHT))
    assert (len(found.actions), found.goal) == (19, 100)
    assert whole.replayed(KNIGHT, found.actions) == (True, 100)
    with pytest.raises(ValueError, match="not legal"):
        whole.replayed(KNIGHT, found.actions[1:])
    assert whole.replayed(KNIGHT, found.actions[:-1]) == (False, 0)


def test_where_all_states_were_met_the_best_that_is_there_is_the_best():
    """Faults it sees: a goal that is named and not reached, and one reached before all is seen."""
    found = find_line(board(SHORT))
    assert (found.actions, found.goal, found.states) == (("on",) * 4, 30, 5)
    endless = SHORT.replace("(true (at 4)))", "(true (at 5)) (true (at 4)))", 1)
    assert find_line(board(endless)) is None


def test_a_search_ends(monkeypatch):
    """After so many states by each order, or with the budget.

    A fault it sees: attempts without end.
    """
    monkeypatch.setattr(puzzle_line, "_FIRST", 2)
    assert find_line(board(KNIGHT), most=8) is None
    assert find_line(board(KNIGHT), budget=Budget(0)) is None


def test_a_puzzle_that_is_too_large_is_solved_by_a_line(tmp_path, monkeypatch, capfd):
    """Faults it sees: an answer lost where states are too many, one made up without a line,
    other moves or a least length claimed."""

    def late(*_args, **_options):
        raise OutOfReach("g: too many states")

    (tmp_path / "g.kif").write_text(KNIGHT, "utf-8")
    monkeypatch.setattr(SolvingTable, "arena", late)
    said = json.loads(call(capfd, "solve", tmp_path / "g.kif", "--json").stdout)
    line = [move["move"] for move in said["line"]]
    assert (said["winner"], said["value"], said["length"]) == ("k", {"k": 100}, None)
    assert whole.replayed(KNIGHT, line) == (True, 100)
    shown = call(capfd, "solve", tmp_path / "g.kif").stdout
    assert "k wins" in shown and "not judged" in shown and "shorter" in shown
    assert not re.search(r"1 of \d+ moves", shown)
    monkeypatch.setattr("icgsynth.boards.finite.puzzle_line.find_line", lambda board, budget: None)
    assert "too many states" in call(capfd, "solve", tmp_path / "g.kif").stderr
