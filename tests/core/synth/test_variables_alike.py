"""Variables that no rule reads or changes: one number of them stands for all."""

from __future__ import annotations

import pytest

import icgsynth
from icgsynth.synth.checked import free, sides

TAKE = "action take(k) pre 1 <= k <= 3 and k <= n eff n := n - k"


def game_of(legal: str, action: str = TAKE, names: str = "n, a, b"):
    return icgsynth.loads(f"game some\nvar {names}\nlegal n >= 0 and {legal}\n{action}\n").game


def test_ten_variables_are_solved_as_one_is():
    """Faults it sees: boxes that grow by variables which say nothing."""
    names = "abcdefgh"
    legal = " and ".join(f"{name} >= 0" for name in names)
    variables = ", ".join(f"n{names}")
    rules = f"game some\nvar {variables}\nlegal n >= 0 and {legal}\n{TAKE}\n"
    solution = icgsynth.loads(rules).solve()
    for n in range(9):
        assert solution.is_winning((n, *range(8))) == (n % 4 != 0)


def test_huge_numbers_of_the_rules_leave_the_number_small():
    """Faults it sees: a box past 64 bits, which cannot be labelled."""
    action = TAKE.replace("k <= n", f"k <= n and n < {10**30}")
    _, (a, _), _ = sides(game_of("a >= 0 and b >= 0", action), 10)
    assert a < 2**31


@pytest.mark.parametrize("legal", ["a >= 0 and b >= 0", "a mod 7 = 3 and b <= -500", "a != 105"])
def test_one_number_stands_for_all_and_it_is_legal(legal):
    game = game_of(legal)
    assert free(game) == [0]
    (_, a, b) = sides(game, 10)
    assert a[0] == a[1] and b[0] == b[1] and game.is_legal((0, a[0], b[0]))


@pytest.mark.parametrize(
    ("legal", "action"),
    [
        ("a <= n", TAKE),
        ("a <= b", TAKE),
        ("a >= 0", TAKE.replace("k <= n", "k <= n and k <= a")),
        ("a >= 0", TAKE + ", a := n"),
        ("a >= 0", TAKE.replace("n - k", "max(n - k, a)")),
        ("a >= 0", TAKE + "\nend a = 0"),
    ],
)
def test_what_is_read_or_changed_or_bound_to_another_is_not_alike(legal, action):
    """Faults it sees: each place of the rules that is not looked at."""
    assert 1 in free(game_of(legal, action))
