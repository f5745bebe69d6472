"""``python -m experiments gdl``: what is said of a game that is solved, and of one that is not."""

from __future__ import annotations

import shutil

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments import gdl
from experiments.tables import read
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
    assert gdl.main(["--gdl", str(folder), "--table", str(table)]) == 0
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
    gdl.main(["--gdl", str(folder), "--only", "tictactoe", "--seconds", "0", "--table", str(table)])
    (row,) = read(table)
    assert (row["result"], row["states"]) == ("too large", "")


def test_a_folder_without_games(tmp_path, capsys):
    assert gdl.main(["--gdl", str(tmp_path)]) == 2
    assert "no .kif file" in capsys.readouterr().err
