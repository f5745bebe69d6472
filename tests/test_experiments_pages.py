"""The experiment on pages: what it expects of a page, and what it finds wrong."""

from __future__ import annotations

import shutil

import pytest
from chromium_here import chromium, require_chromium
from hand_solved import nim2

from experiments import pages
from experiments.pages import expected, main, some_states, tried


def test_states_are_legal_small_and_far():
    states = some_states(nim2(), 3)
    assert len(set(states)) == 6
    assert all(nim2().game.is_legal(state) for state in states)
    assert max(map(max, states[:3])) <= 12 < 10**20 < max(map(max, states[3:]))


def test_a_hint_is_the_strategy_s_move_and_claims_nothing_where_the_state_is_lost():
    assert expected(nim2(), (7, 4)) == "Rule 1 says take_a(3)."
    assert expected(nim2(), (4, 7)) == "Rule 2 says take_b(3)."
    assert expected(nim2(), (4, 4)) == "Try "
    assert expected(nim2(), (0, 0)) is None


def test_without_chromium_no_page_is_tried(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert main([f"--table={tmp_path / 'pages.csv'}"]) == 2
    assert "apt-get install chromium" in capsys.readouterr().err


@pytest.mark.slow
def test_a_page_that_says_something_else_is_found(monkeypatch, tmp_path, capsys):
    require_chromium()
    with chromium() as browser:
        size, states, wrong = tried(browser, nim2(), tmp_path, 2)
        assert size > 20_000 and (states, wrong) == (4, 0)
        monkeypatch.setattr(pages, "expected", lambda solution, state: "Rule 2 says take_a(1).")
        assert tried(browser, nim2(), tmp_path, 2)[2] == 4
    assert "and not Rule 2 says take_a(1)." in capsys.readouterr().out
