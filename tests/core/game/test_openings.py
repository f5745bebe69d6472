"""States to begin play with: neither tiny nor huge, and won by one move alone."""

from __future__ import annotations

import time
from itertools import islice

import pytest

import icgsynth as icg
from icgsynth.explicit.openings import openings
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source

KNOWN = {  # who loses, by the literature
    "nim2": lambda a, b: a == b,
    "nim3": lambda a, b, c: a ^ b ^ c == 0,
    "take_away": lambda v: v % 4 == 0,
    "two_sided_take_away": lambda v: v % 4 == 0,
    "chomp_2row": lambda a, b: a == b + 1,
}


@pytest.mark.parametrize("name", KNOWN)
def test_the_first_have_numbers_from_10_to_20_and_one_move_that_wins(name):
    """Killed: the ranks the other way round, or a state that several moves win."""
    game, loses = icg.load(name).game, KNOWN[name]
    found = list(islice(openings(game, 0, lambda state: loses(*state)), 5))
    assert len(set(found)) == 5
    for state in found:
        after = {game.result(state, move) for move in game.moves(state)}
        assert game.is_legal(state) and not loses(*state)
        assert 10 <= max(map(abs, state)) <= 20
        assert sum(loses(*there) for there in after) == 1


def test_each_is_legal_has_a_move_and_comes_once():
    game = icg.load("welter3").game
    found = list(openings(game, 1))
    assert len(found) == len(set(found)) > 100
    for state in found:
        assert game.is_legal(state) and next(iter(game.moves(state)), None) is not None


def test_where_no_state_has_a_move_there_is_none():
    rules = "game g\nvar a\nlegal 0 <= a <= 3\naction t(k) pre k = 9 and k <= a eff a := a - k\n"
    assert not list(openings(load_spec(Source("g", rules), {}), 0))


# --- far states, and the clock --------------------------------------------------------------------

FAR_GAMES = {  # rules, and what is true of each legal state
    "var n legal n >= 1000 action t(k) pre 1 <= k <= 3 eff n := n - k": lambda n: n >= 1000,
    "var a, b legal a >= 10000 and b mod 7 = 3 and a = b + 900 "
    "action t(k) pre 1 <= k <= a eff a := a - k, b := b - k": (
        lambda a, b: a >= 10_000 and b % 7 == 3 and a == b + 900
    ),
    f"var n legal n >= {10**40} action t(k) pre 1 <= k <= 3 eff n := n - k": (
        lambda n: n >= 10**40
    ),
    "var n legal n >= 5000 action t(k) pre k in powers_of_3 and k <= n eff n := n - k": (
        lambda n: n >= 5_000
    ),
}


@pytest.mark.parametrize("rules", FAR_GAMES)
def test_states_that_begin_far_out_are_found(rules):
    game = icg.loads(f"game g {rules}").game
    found = list(islice(openings(game, 0), 8))
    assert found
    for state in found:
        assert FAR_GAMES[rules](*state) and next(iter(game.moves(state)), None) is not None


def test_the_clock_chooses_no_state(monkeypatch):
    """Where the clock runs a thousand times faster, the same states come, and in the same order."""
    game = icg.load("welter3").game
    states = list(openings(game, 0, lambda state: sum(state) % 2 == 0))
    real = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: 1_000 * real())
    assert list(openings(game, 0, lambda state: sum(state) % 2 == 0)) == states
