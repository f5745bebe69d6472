"""The experiment asp2020: the smallest games of its tables, and what its command writes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")

from experiments import asp2020
from experiments.asp2020 import Row
from experiments.asp_agents import ByClingo, TreeAgent
from experiments.tables import read
from icgsynth.boards.finite.arena_table import Lookup
from icgsynth.boards.learn.saved import LearnedAnswer, playing_program
from icgsynth.boards.learn.tiers import strategy_of
from icgsynth.boards.play.finite import PerfectPlayer, TierPlayer
from icgsynth.boards.play.tournament import exact

COMMITTED = Path(asp2020.__file__).with_suffix(".csv")
PARTS = ("tables", "figures", "times", "against_random", "limits")


@pytest.fixture
def small(monkeypatch):
    """Only the two smallest games."""
    monkeypatch.setattr(asp2020, "NODES", {n: asp2020.NODES[n] for n in ("nim_s", "ttt_s")})


@pytest.mark.slow
@pytest.mark.usefixtures("small")
def test_the_complete_trees_have_the_nodes_that_the_paper_counts():
    rows = {row.item: row for row in asp2020.tables(2)}
    committed = {row["item"]: row for row in read(COMMITTED)}
    assert len(rows) == 8
    for item, row in rows.items():
        assert (row.paper, row.ours) == (committed[item]["paper"], committed[item]["ours"])
    assert rows["minimax nim_s"].ours == rows["minimax nim_s"].paper == "390"
    assert rows["minimax ttt_s"].ours == rows["minimax ttt_s"].paper == "896"
    assert rows["minimax nim_s"].table == "Table 1" and rows["minimax ttt_s"].table == "Table 2"
    for name in ("nim_s", "ttt_s"):
        whole = int(rows[f"minimax {name}"].ours)
        plain, table, folded = map(int, rows[f"alpha-beta {name}"].ours.split(", "))
        assert folded <= table <= plain < whole
        for what in ("pruned tree", "pruned with rules"):
            row = rows[f"{what} {name}"]
            assert row.ok and int(row.ours) < whole
            assert "2 seeds: " in row.note


@pytest.mark.usefixtures("small")
def test_without_seeds_nothing_is_said_of_their_range():
    notes = [row.note for row in asp2020.tables(0) if row.item.startswith("pruned")]
    assert len(notes) == 4
    assert not any("seeds" in note or "side" in note for note in notes)


def test_nim_sum_is_learned_from_the_smallest_game():
    row = next(asp2020.figures())
    assert row.item == "nim-sum nim_s"
    assert "minimal (proved); never loses (proved)" in row.note
    assert "right in 44 of 44 states" in row.note


@pytest.mark.parametrize("ok", [True, False])
def test_the_command_writes_every_row_and_tells_what_is_missed(ok, monkeypatch, tmp_path, capsys):
    for number, part in enumerate(PARTS):
        row = Row("Table 1", part, "1", "2", "a note", "0.5", ok or number != 3)
        monkeypatch.setattr(asp2020, part, lambda *_, row=row: iter([row]))
    path = tmp_path / "made" / "asp2020.csv"
    assert asp2020.main(["--seeds=0", f"--table={path}"]) == (0 if ok else 1)
    rows = read(path)
    assert [row["item"] for row in rows] == list(PARTS)
    assert rows[0] == {
        "table": "Table 1",
        "item": "tables",
        "paper": "1",
        "ours": "2",
        "note": "a note",
        "seconds": "0.5",
        "ok": "True",
    }
    out = capsys.readouterr().out
    assert f"5 figures, {0 if ok else 1} missed" in out
    assert ("! Table 1" in out) != ok


@pytest.mark.parametrize("main", [0, 1])
def test_a_complete_tree_plays_perfectly_and_clingo_as_its_constraints(main):
    """Seen: best for the other player, and scores of another state."""
    stage = asp2020.stage("nim_s")
    tree = TreeAgent.complete(stage, main, "tree")
    assert exact(stage, tree) == exact(stage, PerfectPlayer(Lookup(stage.arena)))
    answer = asp2020.learned("nim_s", "nim")
    weak = TierPlayer(strategy_of(answer.hypothesis, stage))
    asked = ByClingo(playing_program(LearnedAnswer.of(stage, answer.hypothesis)), "clingo")
    assert (asked.mask(stage) == weak.mask(stage)).all()
