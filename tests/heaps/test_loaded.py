"""What programs ask of codes, sums, heaps and piles: states, values, answer files.

Faults they see: a kind whose answers take other states than games do, a file that is not read.
"""

from __future__ import annotations

from itertools import product

import pytest

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.errors import InputError, Refused
from icgsynth.heaps.loaded import LoadedCode, LoadedHeaps, LoadedSum

LASKER = (
    "heaps lasker var n legal n >= 0 action take(k) pre 1 <= k <= n into n - k "
    "action split(k) pre 1 <= k and 2 * k <= n into k, n - k"
)


def test_values_of_a_code_take_a_heap_or_a_row():
    """Nim values of 0.3: a heap n is worth n mod 3? By hand: 1 or 2 are taken from a heap."""
    game = icg.load("0.33", kind=LoadedCode)
    values = game.values()
    for n in range(30):
        assert values(n) == values((n,)) == values({"heap": n}) == n % 3
        assert values((n, 4)) == (n % 3) ^ 1
    assert len(game.moves(5)) == 2
    for bad in (-1, "5", {"n": 5}, 1.5, None):
        with pytest.raises(InputError, match="row of heaps"):
            values(bad)


def test_values_of_a_sum_take_states_of_each_kind():
    """Bouton (1901) and heaps of which 1 or 2 are taken."""
    both = icg.load("nim2 + 0.33", kind=LoadedSum).values()
    for a, b, n in product(range(4), range(4), range(5)):
        assert both(({"a": a, "b": b}, n)) == both(((a, b), (n,))) == a ^ b ^ n % 3


def test_under_misere_play_a_row_is_won_or_lost():
    """Of 0.3 without splits, misère play is Nim's with values n mod 3: played out by hand."""
    answer = icg.load("0.33", kind=LoadedCode).solve(rule="misere")
    won = {0: True}
    for n in range(1, 12):
        won[n] = any(not won[n - k] for k in (1, 2) if k <= n)
    for n in range(12):
        assert answer.is_winning(n) == answer.is_winning({"heap": n}) == won[n]


@pytest.mark.parametrize("spec", ["0.33", "nim2 + 0.33"])
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_what_the_command_wrote_is_read(spec, rule, tmp_path, capsys):
    if "+" in spec and rule == "misere":
        pytest.skip("values do not add under misere play")
    path = tmp_path / "answer.json"
    assert run(["solve", spec, "--rule", rule, "-o", str(path)]) == 0
    answer = icg.read(path)
    state = (7,) if "+" not in spec else ((3, 1), 2)
    wins = answer.is_winning if hasattr(answer, "is_winning") else answer
    # 7 is 1 mod 3, which wins under normal play and loses under misère play; 3 xor 1 xor 2 is 0.
    assert bool(wins(state)) == (spec == "0.33" and rule == "normal")


def test_values_by_rules_and_what_is_not_known():
    """Lasker (1931): 4 k + 1 and 4 k + 2 are worth their sizes, 4 k + 3 and 4 k swap."""
    game = icg.loads(LASKER, kind=LoadedHeaps)
    values = game.values()
    for k in range(5):
        assert [values(4 * k + i) for i in (1, 2, 3, 4)] == [4 * k + i for i in (1, 2, 4, 3)]
    with pytest.raises(Refused, match="not proved"):
        icg.load("0.6", kind=LoadedCode).values(timeout=0.01)(10**6)
