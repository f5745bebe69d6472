"""The moves of a state whose parameters bound each other, against all pairs in plain Python.

Faults it sees: a limit that follows of two others with a wrong sign or factor leaves out moves, or
none is found and the moves "cannot be listed".
"""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.prove.recheck.definition import RuleMoves
from icgsynth.synth.values.state_values import known_at

SMALL = st.integers(1, 3)


@settings(max_examples=40, deadline=None)
@given(
    x=SMALL,
    y=SMALL,
    low=st.integers(-2, 2),
    least=st.integers(-2, 2),
    strict=st.booleans(),
    swap=st.booleans(),
    n=st.integers(0, 9),
)
def test_moves_of_two_parameters_that_bound_each_other_are_all_listed(
    x, y, low, least, strict, swap, n
):
    op = "<" if strict else "<="
    names = "k, j" if swap else "j, k"
    text = f"{x} * j + {y} * k {op} n and j >= {low} and {least} - k <= 0"
    game = loads(
        f"game g var n, m legal true action go({names}) pre {text} eff n := j, m := 10 * k"
    ).game
    found = RuleMoves(game, Budget(10)).after((n, 0))
    pairs = product(range(-30, 40), repeat=2)
    expected = {
        (j, 10 * k)
        for j, k in pairs
        if (x * j + y * k < n or (not strict and x * j + y * k == n)) and j >= low and k >= least
    }
    assert found == expected


def test_a_state_of_three_boxes_has_its_value_by_definition():
    """Empty all boxes but one and divide what is in it: lost where each holds 1 or 2 mod 6."""
    legal, moves = "a >= 1 and b >= 1 and c >= 1", []
    for box in "abc":
        others = [name for name in "abc" if name != box]
        to = f"{box} := {box} - j - k, {others[0]} := j, {others[1]} := k"
        moves.append(f"action of_{box}(j, k) pre j >= 1 and k >= 1 and j + k < {box} eff {to}")
    game = loads(f"game boxes var a, b, c legal {legal} {' '.join(moves)}").game
    states = [(7, 1, 1), (8, 2, 7), (3, 1, 1), (6, 5, 4)]
    known = known_at(game, states, Budget(60)).known
    for state in states:
        assert (known[state] == 0) == all(number % 6 in (1, 2) for number in state)
