"""On which boards a game over integer states is drawn, and what is clicked for a move."""

from __future__ import annotations

import pytest

import icgsynth as icg
from icgsynth.export.parametric_board import board_kinds
from icgsynth.studio.tasks.board_views import parametric_view

ROWS = "game rows var a, b legal a >= b and b >= 0\n"
UPPER = "action upper(k) pre 1 <= k <= a eff a := k - 1, b := min(b, k - 1)\n"
LOWER = "action lower(k) pre 1 <= k <= b eff b := k - 1\n"


def kinds(text):
    return board_kinds(icg.loads(text).game)


@pytest.mark.parametrize(
    ("action", "are_squares"),
    [
        (UPPER, True),
        ("action upper(k) pre 1 <= k <= a eff a := k - 1, b := min(k - 1, b)\n", True),
        ("action upper(k) pre 1 <= k <= b eff a := k - 1, b := k - 1\n", False),
        ("action upper(k) pre 1 <= k <= a eff a := k, b := min(b, k - 1)\n", False),
        ("action upper(k, j) pre 1 <= k <= a and 1 <= j <= 2 eff a := k - 1, b := 0\n", False),
        ("action upper(k) pre 1 <= k <= a eff a := a - 2 * k, b := min(b, a - 2 * k)\n", False),
    ],
)
def test_squares_are_for_games_whose_moves_cut_one_row_and_those_below(action, are_squares):
    """Seen: two rows set to one length, another length for each, a factor before the number."""
    assert ("squares" in kinds(ROWS + action + LOWER)) == are_squares
    assert kinds(ROWS + action + LOWER)[-3:] == ("piles", "lattice", "facts")


def test_piles_are_no_negative_numbers_and_a_lattice_has_two():
    take = "action take(k) pre 1 <= k <= {0} eff {0} := {0} - k"
    assert kinds(f"game one var v legal v >= 0 {take.format('v')}") == ("piles", "facts")
    assert kinds(f"game one var v legal v >= -9 {take.format('v')}") == ("facts",)
    low = f"game two var a, b legal a >= 0 and b >= -9 {take.format('a')}"
    assert kinds(low) == ("lattice", "facts")


def test_a_square_that_is_clicked_is_the_first_that_is_eaten():
    game = icg.loads(ROWS + UPPER + LOWER).game
    view = parametric_view(game, (3, 2))
    assert view["board"] == {"kind": "squares", "rows": ["3", "2"]}
    clicked = {
        move["move"]: (move["spot"]["row"], move["spot"]["column"]) for move in view["moves"]
    }
    assert clicked == {
        **{f"upper({k})": (0, k - 1) for k in (1, 2, 3)},
        **{f"lower({k})": (1, k - 1) for k in (1, 2)},
    }
    piles = parametric_view(game, (3, 2), "piles")["moves"]
    left = {move["move"]: move.get("spot") for move in piles}
    assert left["lower(1)"] == {"pile": 1, "leaves": "0"}
    assert left["upper(1)"] is None  # it changes both
