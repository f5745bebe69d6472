"""States to begin play with: neither tiny nor huge, and won by one move alone."""

from __future__ import annotations

from itertools import islice

import pytest

import icgsynth as icg
from icgsynth.game.openings import openings
from icgsynth.spec.load import load_spec
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
