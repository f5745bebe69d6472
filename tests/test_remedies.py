"""Messages that say how to go on: each names the file, the command or the option that helps."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from catalog_answers import solved
from command_answers import written
from commands import refused

from icgsynth.cli import run
from icgsynth.errors import Refused
from icgsynth.export.panels import require_drawable
from icgsynth.export.report import report
from icgsynth.game import labels
from icgsynth.spec.heap_names import catalog_dir


@pytest.fixture
def chomp(tmp_path):
    path = tmp_path / "c2.json"
    path.write_text(written("solve", "chomp_2row"), "utf-8")
    return path


def test_an_answer_for_another_game_is_named(capfd, chomp):
    err = refused(capfd, "verify", "nim2", chomp)
    assert "chomp_2row" in err.splitlines()[0] and "nim2" in err.splitlines()[0]
    assert f"icgsynth verify chomp_2row {chomp}" in err


def test_the_same_rules_under_another_name_are_verified(capfd, chomp, tmp_path):
    rules = (catalog_dir() / "chomp_2row.icg").read_text().replace("game chomp_2row", "game bites")
    (tmp_path / "bites.icg").write_text(rules)
    assert run(["verify", str(tmp_path / "bites.icg"), str(chomp)]) == 0


@pytest.mark.parametrize("command", [("export", "--to", "fft"), ("verify", "nim2")])
def test_a_game_in_the_place_of_an_answer(capfd, command):
    err = refused(capfd, *command, "chomp_2row")
    assert "a game of the catalog" in err
    assert "'icgsynth solve chomp_2row -o chomp_2row.json' writes one" in err
    err = refused(capfd, *command, "tictactoe")
    assert "'icgsynth fft synth tictactoe -o tictactoe.json' writes one" in err
    err = refused(capfd, *command, catalog_dir() / "nim2.icg")
    assert "has the rules of a game" in err


def test_an_answer_comes_from_standard_input(capfd, monkeypatch, chomp):
    with chomp.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run(["verify", "chomp_2row", "-"]) == 0


def test_one_game_out_of_a_file_of_many(capfd):
    theorems = catalog_dir() / "theorems.json"
    err = refused(capfd, "verify", "take_away", theorems)
    assert "2 solutions of take_away" in err and "--rule" in err
    err = refused(capfd, "verify", "subtraction3", theorems, "--rule", "normal")
    assert "solutions" in err and "subtraction3" in err and "one of them" in err
    err = refused(capfd, "verify", "nim2", theorems)
    assert "no answer for nim2" in err
    assert "all_but_nim2, " in err


@pytest.mark.slow
def test_the_one_theorem_of_a_game_is_proved(capfd):
    theorems = catalog_dir() / "theorems.json"
    assert run(["verify", "take_away", str(theorems), "--rule", "misere"]) == 0


@pytest.mark.parametrize("game", ["nim2", "tictactoe"])
@pytest.mark.parametrize("text", ["hello world", "if a then b", "this is\nno tree"])
def test_text_that_is_no_tree_is_refused_before_a_game_is_solved(
    capfd, monkeypatch, tmp_path, game, text
):
    monkeypatch.setattr("icgsynth.cli.finite_spec.FiniteSpec.arena", None)
    (tmp_path / "notes.txt").write_text(text)
    err = refused(capfd, "verify", game, tmp_path / "notes.txt")
    assert "notes.txt:1:" in err
    assert "'if FACT and not FACT: ACTION'" in err


@pytest.mark.parametrize("output", [(), ("-o", "x.svg"), ("-o", "x.png")])
@pytest.mark.parametrize("command", ["table", "value"])
def test_a_box_too_large_to_draw_is_refused_before_it_is_labelled(
    capfd, monkeypatch, tmp_path, command, output
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(labels, "label", None)
    monkeypatch.setattr("icgsynth.cli.value_tables.box_values", None)
    arguments = ["--table", *output[1:]] if command == "value" else output
    err = refused(capfd, command, "nim2", "--bound", "2000", *arguments)
    assert "--bound" in err and ".csv" in err


def test_what_can_be_drawn_has_at_most_four_million_places():
    corners = np.array([[0, 0], [1999, 1999]])
    assert require_drawable(corners) == ((0, 1999), (0, 1999))
    with pytest.raises(Refused, match="too large to draw"):
        require_drawable(np.array([[0, 0], [1999, 2000]]))


def test_a_search_that_ended_by_itself_does_not_ask_for_more_time():
    stopped = replace(solved("nim2"), status="unknown", winning=None, losing=None)
    early = report(replace(stopped, exhausted=True, notes=("why", "one", "two")))
    assert "changes little" in early
    assert "a larger --timeout, or" not in early
    late = report(replace(stopped, notes=("the budget is spent",)))
    assert "a larger --timeout, or" in late and "changes little" not in late
    assert "icgsynth value nim2" in late
    misere, no_end = replace(stopped, rule="misere"), replace(stopped, proof={})
    assert not any("icgsynth value" in report(each) for each in (misere, no_end))


@pytest.mark.slow
def test_three_rows_of_chomp_are_given_up_before_the_time_is_over(capfd, tmp_path):
    path = tmp_path / "c3.json"
    assert run(["solve", "chomp_3row", "--timeout", "120", "-o", str(path)]) == 4
    out = capfd.readouterr().out
    tried = [line for line in out.splitlines() if line.startswith("  Tried: ")]
    assert len(tried) == len(set(tried)) > 2
    assert "changes little" in out
    notes = json.loads(path.read_text())["notes"]
    assert len(notes) == len(set(notes))
