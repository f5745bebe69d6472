"""The experiment aaai2015: the printed tables as data, and what its marks mean."""

from __future__ import annotations

import csv
from xml.etree import ElementTree

import numpy as np
import pytest

from experiments import aaai2015
from icgsynth.boards.starts.hardness import expected_classes

SMALL = ("Bottom-2 3x3", "Tic-Tac-Toe 3x3", "C-3")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("aaai2015")
    games = [f"--game={name}" for name in SMALL]
    code = aaai2015.main([*games, f"--results={folder / 'r.csv'}", f"--figure={folder / 'f.svg'}"])
    with (folder / "r.csv").open(encoding="utf-8") as stream:
        return code, list(csv.DictReader(stream)), (folder / "f.svg").read_text("utf-8")


def test_the_printed_tables_are_whole():
    with aaai2015.PRINTED.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len({(r["game"], r["win"]) for r in rows}) == 24
    assert len({(r["game"], r["win"], r["j"]) for r in rows}) == 48
    assert len({(r["game"], r["win"], r["j"], r["k2"]) for r in rows}) == len(rows) == 96
    for row in rows:
        assert (row["members"] == "0") == (row["sampling"] == "-") == (row["m1"] == "")


@pytest.mark.slow
def test_every_set_of_the_small_games_matches(results):
    code, rows, _ = results
    assert code == 0
    for row in rows:
        if row["column"] in ("|V|", "|W_j|"):
            assert row["mark"] == "match", row
    assert {row["table"] for row in rows} == set("1234567")
    assert sum(row["mark"] == "match" for row in rows) > 0.9 * len(rows)


@pytest.mark.slow
def test_the_figure_has_six_boards(results):
    _, _, drawn = results
    root = ElementTree.fromstring(drawn)
    texts = [t.text for t in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [t[:3] for t in texts if t.startswith("(")] == ["(a)", "(b)", "(c)", "(d)", "(e)", "(f)"]
    assert texts.count("X wins in 3") == 5 and texts.count("X wins in 4") == 1


def test_printed_figures_are_cut_off():
    assert aaai2015.same_figure("6.9e7", 69_763_700)
    assert not aaai2015.same_figure("7.0e7", 69_763_700)
    assert aaai2015.same_figure("1.0e8", 100_403_715)
    assert aaai2015.same_figure("36", 36) and not aaai2015.same_figure("36", 37)


def test_a_sample_is_as_the_paper_drew_it():
    """By drawing: the counts of M and H of many samples have the mean and the spread said."""
    rng = np.random.default_rng(0)
    chances = np.array([0.1, 0.35, 0.5, 0.7, 1.0] * 4, np.float32)[:, None]
    ours = aaai2015.Measured(0, {2: 20}, {(3, 2): np.repeat(chances, 3, axis=1)}, {})
    (mean_m, spread_m), (mean_h, spread_h) = aaai2015.expected(ours, 3, 2, 1, "All")
    wins = rng.binomial(30, chances[:, 0].astype(float), size=(20_000, 20))
    medium, hard = ((wins > 10) & (wins < 20)).sum(axis=1), (wins <= 10).sum(axis=1)
    for drawn, mean, spread in ((medium, mean_m, spread_m), (hard, mean_h, spread_h)):
        assert drawn.mean() == pytest.approx(mean, abs=0.06)
        assert drawn.std() == pytest.approx(spread, abs=0.06)
    odds = np.array([expected_classes(float(c)) for c in chances[:, 0]])
    (mean, _), _ = aaai2015.expected(ours, 3, 2, 1, "Rand")
    assert mean == pytest.approx(5000 * odds[:, 1].mean(), rel=1e-4)
