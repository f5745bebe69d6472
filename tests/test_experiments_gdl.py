"""The experiment on game descriptions: its rows, its summary, its exit code."""

import csv

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments import gdl
from experiments.gdl_game import _TINY
from icgsynth.finite.arena import arena_of_rules
from icgsynth.spec.gdl import parse_gdl
from icgsynth.spec.source import Source


def test_the_warming_game_uses_every_kernel():
    # Two coins that can change places: a group, so that states are made canonical too.
    arena = arena_of_rules(parse_gdl(Source("tiny", _TINY)))
    assert (len(arena.states), int(arena.orbit.sum())) == (3, 4)
    assert len(arena.literal_images) == 2


@pytest.fixture
def games(tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    for name, text in (
        ("whole", _TINY),
        ("three", _TINY + "(role c)"),
        ("broken", _TINY + "(role"),
        ("endless", _TINY + "(<= (next (coin (s ?x))) (true (coin ?x)))"),
    ):
        (folder / f"{name}.kif").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_a_folder_of_games(games, tmp_path, capsys):
    results = tmp_path / "gdl.csv"
    given = ["--games", str(games), "--part", "games", "--seconds", "2", "--results", str(results)]
    assert gdl.main(given) == 1  # the goal is more than one game
    with results.open(encoding="utf-8") as stream:
        rows = {row["game"]: row for row in csv.DictReader(stream)}
    assert {name: row["outcome"] for name, row in rows.items()} == {
        "whole": "whole",
        "three": "refused",
        "broken": "refused",
        "endless": "refused",
    }
    whole = rows["whole"]
    assert (whole["states"], whole["before_end"], whole["rows"], whole["group"]) == (
        *("4", "3", "3", "2"),
    )
    for column in ("process", "imports", "kernels", "total", "ground", "solve"):
        assert float(whole[column]) >= 0
    assert float(whole["process"]) > float(whole["total"])
    assert "3 players" in rows["three"]["note"]
    assert "never closed" in rows["broken"]["note"]
    assert "ground rules" in rows["endless"]["note"]
    out = capsys.readouterr().out
    for line in (
        "1 of 4 games enumerated whole within 2 s each",
        "1 refused: more than two players",
        "1 refused: grounding past the limit",
        "1 refused: the text",
        "0 crashed",
    ):
        assert line in out, out


@pytest.mark.slow
def test_a_crash_is_a_fault(games, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(gdl, "GOAL_WHOLE", 0)
    given = ["--games", str(games), "--part", "games", "--results", str(tmp_path / "r.csv")]
    (games / "endless.kif").unlink()
    assert gdl.main(given) == 0
    monkeypatch.setattr(gdl.sys, "executable", "false")
    assert gdl.main(given) == 1
    assert "3 crashed" in capsys.readouterr().out


def test_wrong_counts_are_told(monkeypatch, tmp_path):
    monkeypatch.setattr(gdl, "SPECS", tmp_path)
    (tmp_path / "tictactoe.kif").write_text(_TINY, encoding="utf-8")
    given = ["--part", "counts", "--results", str(tmp_path / "r.csv")]
    assert gdl.main(given) == 1
    monkeypatch.setattr(gdl, "PUBLISHED", {"tictactoe": (4, 3)})
    assert gdl.main(given) == 0
