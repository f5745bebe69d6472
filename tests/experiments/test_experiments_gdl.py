"""``python -m experiments gdl``: what is said of a game that is solved, and of one that is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments import gdl, gdl_corpora
from experiments.judge import whole
from experiments.processor import at_most
from experiments.tables import read
from icgsynth.benchmark.sweep.forked import run_forked
from icgsynth.spec.catalog import resolve

THREE = """(role a) (role b)
(role c)
(init s) (<= (legal ?r x) (role ?r)) (next s) (<= (goal ?r 0) (role ?r)) terminal
"""
BOTH = """(role a) (role b) (init s) (<= terminal (true t)) (goal a 0) (goal b 100)
(legal a x) (legal a y)
(legal b x) (legal b y)
(<= (next t) (does a x) (does b y)) (<= (next s) (not (does a x)))
"""
UNFAIR = """(role a) (role b) (init s) (legal a x) (legal a y) (legal b noop)
(<= (next t) (does a x)) (<= (next u) (does a y))
(<= terminal (true t)) (<= terminal (true u)) (goal b 50)
(<= (goal a 50) (true t))
(<= (goal a 100) (true u))
"""
LONG = (
    "(role a) (init s) (legal a x) (next s) terminal (goal a 0)"
    + " ".join(f"(n {i})" for i in range(200))
    + "(<= (p ?a ?b ?c ?d) (true s) (n ?a) (n ?b) (n ?c) (n ?d)) (<= (q ?a) (p ?a ?b ?c ?d))"
)
FAULTY = "(role a)\n(init s) (legal a (x))\n(<= (next ?x) (not (true s)))"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("gdl")
    shutil.copy(resolve("tictactoe", "gdl"), found / "tictactoe.kif")
    games = {"three": THREE, "both": BOTH, "unfair": UNFAIR, "faulty": FAULTY}
    for name, text in games.items():
        (found / f"{name}.kif").write_text(text, "utf-8")
    return found


def test_what_is_said_of_each_game(folder, tmp_path, capsys):
    """Each refusal has the line of the rule that it is about; Tic-tac-toe has 5,478 states."""
    table = tmp_path / "table.csv"
    assert gdl.main(["--gdl", str(folder), "--second", "9", "--table", str(table)]) == 0
    rows = {row["file"]: row for row in read(table)}
    solved = rows["tictactoe"]
    assert (solved["result"], solved["states"], solved["stored"]) == ("solved", "5478", "765")
    assert (solved["winner"], solved["plies"]) == ("nobody", "9")
    said = {name: (row["result"], row["line"]) for name, row in rows.items() if row["line"]}
    assert said == {
        "three": ("refused", "2"),
        "both": ("refused", "3"),
        "unfair": ("refused", "5"),
        "faulty": ("faulty", "3"),
    }
    assert "1 faulty, 3 refused, 1 solved" in capsys.readouterr().out


def test_a_game_that_is_too_large_is_called_so(folder, tmp_path):
    table = tmp_path / "table.csv"
    gdl.main(["--gdl", str(folder), "--only", "tictactoe", "--states", "9", "--table", str(table)])
    (row,) = read(table)
    assert (row["result"], row["states"]) == ("too large", "")


@pytest.mark.slow
def test_seconds_are_those_of_the_processor_in_all_processes(tmp_path):
    """Faults it sees: sleep that counts, work of another process that does not, no end at all."""
    busy = "import os; parent = os.getppid()\nwhile os.getppid() == parent: pass"

    def work(tell):
        def late():
            tell(b"late")
            os._exit(0)

        with at_most(0.5, late):
            time.sleep(1)
            tell(b"slept")
            subprocess.run([sys.executable, "-c", busy], check=True)

    assert run_forked(work, 60, 1 << 34).told == (b"slept", b"late")


def test_a_game_that_takes_too_long_is_told_with_its_step(tmp_path):
    """Two hundred constants in four places make 1,600,000,000 ground rules.

    A fault it sees: a grounder that goes on, since only this process is looked at.
    """
    (tmp_path / "long.kif").write_text(LONG, "utf-8")
    row = gdl.row(tmp_path / "long.kif", 0.3, 20_000)
    assert row["result"] == "too large"
    assert "grounding took most of 0.3 s of the processor" in row["why"]


WALK = """(role a) (init (at 1)) (next_to 1 2) (next_to 2 3) (next_to 3 1) (next_to 3 4)
(<= (legal a (go ?y)) (true (at ?x)) (or (next_to ?x ?y) (next_to ?y ?x)))
(<= (next (at ?y)) (does a (go ?y)) (not (stuck ?y))) (stuck 9)
(<= terminal (true (at 4))) (<= terminal (true (at 2)) (not free)) (<= free (true (at 3)))
(<= (goal a 100) (true (at 4))) (<= (goal a 30) (true (at ?x)) (distinct ?x 4))"""
"""One role that may go round for ever; it needs ``or``, negation and a relation without facts."""


def test_a_second_reader_solves_what_is_solved(tmp_path, monkeypatch):
    """A role walks, alone, from 1 to 3 to 4; of the four places 2 and 4 are ends.

    Faults it sees: ends of one role that are worth less called won, a second reader that is never
    asked or whose answer is not looked at, states of symmetry counted once.
    """
    (tmp_path / "walk.kif").write_text(WALK, "utf-8")
    shutil.copy(resolve("nim_1357", "gdl"), tmp_path / "nim.kif")
    assert whole.told(WALK) == (4, 2, {"a": 3}, "a", 2)
    for name, states in (("walk", 4), ("nim", 2)):
        row = gdl.row(tmp_path / f"{name}.kif", 20, 20_000, second=1_000)
        assert (row["result"], row["second"]) == ("solved", gdl.AGREES)
        assert int(row["states"]) >= states
    monkeypatch.setattr(whole, "told", lambda text, most: whole.Told(4, 2, {"a": 3}, "nobody", 2))
    row = gdl.row(tmp_path / "walk.kif", 20, 20_000, second=1_000)
    assert row["second"] == "differs: winner a and nobody"


def test_a_second_reader_plays_strategies_from_the_start(folder, monkeypatch):
    """Tic-tac-toe has 765 states up to symmetry; who sees 700 of them may still hold the draw.

    Faults it sees: a strategy that nobody plays again, the goal of one role held against the other.
    """
    row = gdl.row(folder / "tictactoe.kif", 20, 20_000, second=1_000, states=700)
    assert (row["result"], row["winner"], row["second"]) == ("from the start", "nobody", "agrees")
    monkeypatch.setattr(whole, "forces", lambda text, role, plan: (9, 0, 100))
    row = gdl.row(folder / "tictactoe.kif", 20, 20_000, second=1_000, states=700)
    assert row["second"].startswith("differs: goal 50 of ")


def test_a_strategy_that_the_second_reader_cannot_follow():
    """Faults it sees: an illegal move, a circle, and ends that are not looked at."""
    step = "(role a) (init (at 0)) (s 0 1) (s 1 0) (s 1 2) (<= (next (at ?y)) (does a (go ?y)))"
    text = f"""{step} (<= (legal a (go ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 2)))
    (<= (goal a 100) (true (at 2)))"""

    def plan(*actions):
        return {frozenset({f"at({x})"}): action for x, action in enumerate(actions)}

    assert whole.forces(text, "a", plan("go(1)", "go(2)")) == (3, 100, 100)
    with pytest.raises(ValueError, match="circle"):
        whole.forces(text, "a", plan("go(1)", "go(0)"))
    with pytest.raises(ValueError, match="not legal"):
        whole.forces(text, "a", plan("go(2)", "go(2)"))


def test_two_roles_who_choose_at_once_are_no_game_of_the_second_reader():
    """A fault it sees: joint moves of which only some are tried."""
    with pytest.raises(ValueError, match="both roles choose"):
        whole.told(BOTH)


def test_a_folder_without_games(tmp_path, capsys):
    assert gdl.main(["--gdl", str(tmp_path)]) == 2
    assert "no .kif file" in capsys.readouterr().err


def test_files_of_a_collection_are_told_by_content_and_counted(folder, monkeypatch, capsys):
    """Faults it sees: a page or a picture taken for rules, rules passed over for their name."""
    (folder / "deep").mkdir(exist_ok=True)
    (folder / "deep" / "GAME.3361.TXT").write_text(f"; a comment (role x)\n\n{THREE}", "utf-8")
    (folder / "deep" / "about.txt").write_text("Rules begin with (role a).", "utf-8")
    (folder / "deep" / "picture.png").write_bytes(b"(role a)\0")
    (folder / "deep" / "data").write_text("(distinct a b)", "utf-8")
    (folder / "deep" / "faulty.KIF").write_text(") (role a)", "utf-8")
    monkeypatch.setattr(gdl_corpora, "TABLE", folder / "corpora.csv")
    assert gdl.main(["--corpus", f"mine 1={folder}", "--second", "9", "--update"]) == 0
    rows = read(folder / "corpora.csv")
    assert sum(int(row["files"]) for row in rows) == 7
    assert {row["corpus"] for row in rows} == {"mine 1"}
    players = next(row for row in rows if "players" in row["reason"])
    assert (players["files"], players["result"], players["line"]) == ("2", "refused", "4")
    assert players["reason"].startswith("N players (..)")
    assert "2  refused" in capsys.readouterr().out
    (folder / "corpora.csv").unlink()
    assert gdl.main(["--corpus", f"mine 1={folder}", "--read", "--update"]) == 0
    assert "5  read" in capsys.readouterr().out
    assert {row["result"] for row in read(folder / "corpora.csv")} == {"read", "faulty"}


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        (
            "hex: exploration took more than 4.51 s; it reached 7 states",
            "exploration took more than N s",
        ),
        ("hex: the time is over; exploration reached 7 states and 9 moves", "the time is over"),
        ("chess.3, line 13: 3 players (red, blue); of one", "N players (..); of one"),
        ("both have a choice in the state p(1) q", "both have a choice"),
        ("x has two goals in an end, 50 and 100: p(1)", "a player has two goals in an end"),
        (
            "g.kif, line 7: x has no legal move in a state before the end: p(1) q",
            "a player has no legal move in a state before the end",
        ),
        ("no condition says what ?m can be", "no condition says what ?.. can be"),
        ("'distinct' cannot be the head of a rule", "'..' cannot be the head of a rule"),
    ],
)
def test_a_reason_names_nothing_of_one_file(why, reason):
    assert gdl_corpora.reason_of(why) == reason
