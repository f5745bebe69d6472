"""Printed sheets read back, position by position, and judged by brute force."""

from __future__ import annotations

import pytest

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from experiments.adversary.command import CAMPAIGN
from experiments.attempts import tried
from icgsynth.boards.starts import impartial, tasks
from icgsynth.boards.starts.task_report import TaskSheet

MANY = 30


def faults():
    tally, found = tried(CAMPAIGN, "sheets", 3, MANY)
    assert tally.crash == 0
    return [outcome.wrong for outcome in found]


def test_each_position_is_what_is_printed_with_it():
    """Who is to move, what wins, best play, the move that tempts, the chances, the counts."""
    assert faults() == []


def test_a_heading_that_speaks_of_the_first_position_alone_is_caught(monkeypatch):
    page = pytest.importorskip("icgsynth.studio.tasks.puzzle_tasks")
    monkeypatch.setattr(page, "asked_of_all", lambda found: found[0]["task"] if found else "")
    assert any("is printed with" in wrong for wrong in faults())


def test_one_move_for_each_state_that_is_reached_is_caught(monkeypatch):
    def listed(game, states):
        return [
            list({after: (m, after) for m, after in found}.values()) for found in all_(game, states)
        ]

    all_ = impartial._list_moves
    monkeypatch.setattr(impartial, "_list_moves", listed)
    assert faults()


def test_a_mover_that_is_not_printed_is_caught(monkeypatch):
    monkeypatch.setattr(TaskSheet, "draw", lambda *_: None)
    assert any("is not printed" in wrong for wrong in faults())


def test_another_opponent_than_the_one_that_is_told_is_caught(monkeypatch):
    right = tasks.choices
    monkeypatch.setattr(tasks, "choices", lambda arena, depth: right(arena, depth and depth - 1))
    assert len(faults()) > 3
