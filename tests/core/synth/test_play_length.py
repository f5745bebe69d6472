"""Games in which all plays are equally long, against plain recursion."""

from __future__ import annotations

from itertools import product

import pytest
from plain_play import loser

from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.logic.evaluate import satisfies
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.synth.linear.play_length import play_lengths

COINS = """game coins
var x, y
legal x >= 0 and y >= 0
action pick pre x >= 1 and y >= 4 eff x := x - 1, y := y - 4
"""
CIRCLE = """game circle
var a, b, c, d
legal a >= 0 and b >= 0 and c >= 0 and d >= 0
action ab pre a >= 1 and b >= 1 eff a := a - 1, b := b - 1
action bc pre b >= 1 and c >= 1 eff b := b - 1, c := c - 1
action cd pre c >= 1 and d >= 1 eff c := c - 1, d := d - 1
action da pre d >= 1 and a >= 1 eff d := d - 1, a := a - 1
"""
SLOW = """game slow
var a, b
legal a >= 0 and b >= 0
action one pre a >= 1 eff a := a - 1
action other pre b >= 1 eff b := b - 1
"""


def game_of(text):
    return parse(Source("rules", text)).game()


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize(
    ("text", "length"),
    [
        (COINS, lambda x, y: min(x, y // 4)),  # LeetCode 3222
        (CIRCLE, lambda a, b, c, d: min(a + c, b + d)),  # a move takes one from a or c
    ],
)
def test_parity_of_the_length_decides(text, length, rule):
    """Faults it sees: the wrong parity under misère play, a sum that bounds no play."""
    game = game_of(text)
    solution = solve(game, rule, Budget(60))
    assert solution.is_proved
    is_lost = loser(game, rule)
    for state in product(range(9 if len(game.variables) == 2 else 5), repeat=len(game.variables)):
        says = satisfies(solution.losing_formula, game.env(state))
        assert says == is_lost(state) == (length(*state) % 2 == (rule == "misere")), state


def lengths_of(text, side=6):
    game = game_of(text)
    box = Box(game.variables, ((0, side),) * len(game.variables), game.legal)
    return box, play_lengths(game, box, Budget(10))


def test_the_length_of_every_play_is_counted():
    box, lengths = lengths_of(SLOW)
    assert lengths.tolist() == box.states.sum(axis=1).tolist()


@pytest.mark.parametrize(
    "more",
    [
        "action two pre a >= 2 eff a := a - 2",  # a shorter play
        "action back pre a >= 1 and b = 0 eff a := a - 1, b := b + 1",  # a longer one
        "action up pre b >= 1 eff a := a + 1, b := b - 1",  # out of the box
    ],
)
def test_plays_of_different_lengths_are_seen(more):
    """Faults it sees: the length of one play taken for that of all."""
    assert lengths_of(SLOW + more)[1] is None
