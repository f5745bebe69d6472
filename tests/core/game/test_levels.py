"""How long a win takes in what may go on for ever, and where lists of values begin."""

from __future__ import annotations

import pytest

from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import ParametricGame
from icgsynth.game.legal_numbers import beginning, first_legal
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import FALSE
from icgsynth.spec.icg import parse_formula, parse_term

LEVELS = ("x = 1", "x <= 3", "x mod 2 = 0")


def formula(text):
    return parse_formula(text, ("x", "y"))


def level(x):
    return next((n for n, holds in enumerate((x == 1, x <= 3, x % 2 == 0)) if holds), None)


@pytest.mark.parametrize("rank", [None, "4 - x"])
def test_a_level_is_the_first_formula_that_holds_or_the_rank(rank):
    """Seen: a level that an earlier one has, or lacks; a move that does not lower it and may pass.

    A move adds 2 to x.
    """
    rank = rank and parse_term(rank, ("x",))
    drawn = DrawnStates(FALSE, tuple(map(formula, LEVELS)), rank=rank)
    after = {"x": parse_term("x + 2", ("x",))}
    for x in range(9):
        here, then = (level(x), level(x + 2)) if rank is None else (max(4 - x, -1), 2 - x)
        assert satisfies(drawn.ranked, {"x": x}) == (here not in (None, -1))
        falls = [must for _, where, must in drawn.falls(after) if satisfies(where, {"x": x})]
        for must in falls:
            assert satisfies(must, {"x": x}) == (then is not None and then < here)
        assert len(falls) == (here is not None)
        for number in range(3):
            is_below = level(x) is not None and level(x) < number
            assert satisfies(drawn.at(number), {"x": x}) == (level(x) == number)
            assert satisfies(drawn.below(number), {"x": x}) == is_below


@pytest.mark.parametrize(
    ("legal", "numbers", "said"),
    [
        ("x >= 3 and x mod 2 = 1 and y >= 0", [3, 5, 7], "at x = 3, 5, 7"),
        ("x >= 3 and x <= 4", [3, 4], "from x = 3 on"),
        ("x <= 2", [2, 1, 0], "from x = 2 down"),
        ("x mod 4 != 3", [0, 1, 2], "from x = 0 on"),
        ("x >= 7 or x >= 5", [5, 6, 7], "from x = 5 on"),
        ("x = 6", [6], "from x = 6 on"),
        ("x >= y", [], None),
    ],
)
def test_the_first_legal_numbers(legal, numbers, said):
    game = ParametricGame("g", ("x", "y"), (), formula(legal))
    assert first_legal(game, "x", 3) == numbers
    assert said is None or beginning("x", numbers) == said
