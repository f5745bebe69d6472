"""The experiment on the studio: which figures it tells of its runs, and its exit code."""

from __future__ import annotations

import shutil

from experiments.studio import FIGURES, main, rows


def test_times_are_medians_and_bytes_and_requests_the_most():
    fast = (0.5, 0.2, 0.9, 0.05, 60.0, 0.0)
    slow = (9.0, 0.2, 1.1, 0.3, 61.0, 2.0)
    found = rows([fast, slow, fast])
    assert [row["figure"] for row in found] == [figure.name for figure in FIGURES]
    assert [row["measured"] for row in found] == ["0.500", "0.200", "0.900", "0.050", "61", "2"]
    assert [row["reached"] for row in found] == ["yes", "yes", "yes", "yes", "yes", "no"]


def test_without_chromium_nothing_is_measured(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main([f"--table={tmp_path / 'studio.csv'}"]) == 2
    assert "apt-get install chromium" in capsys.readouterr().err
    assert not (tmp_path / "studio.csv").exists()
