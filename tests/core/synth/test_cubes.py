"""The cubes of labels that automata are learned from, against play by recursion."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hand_solved import game, loser_of, nim2, nim2_misere

from icgsynth.budget import Budget
from icgsynth.synth.digits.cube import cube

SIDE = 6
STEPS = """
game steps "Take 3, or all but a power"
var a, b
legal a >= 0 and b <= a
action three  pre a >= 3 and a - 3 >= b  eff a := a - 3
action one(k)  pre 1 <= k <= 2 and k <= b  eff b := b - k
"""


@pytest.mark.parametrize("build", [nim2, nim2_misere])
def test_a_cube_knows_the_losing_and_the_ended_states(build):
    answer = build()
    lost, found = loser_of(answer.game, answer.rule), cube(answer.game, answer.rule, SIDE, None,
                                                           Budget(60))  # fmt: skip
    assert found.losing.shape == found.known.shape == found.ending.shape == (SIDE, SIDE)
    for state in product(range(SIDE), repeat=2):
        assert found.known[state] and found.losing[state] == lost(state)
        assert found.ending[state] == (not any(answer.game.moves(state)))
    assert found.is_whole and found.is_sparse and found.has_flags and not len(found.unknown)
    assert {tuple(s) for s in found.members} == {
        s for s in product(range(SIDE), repeat=2) if lost(s)
    }


def test_a_larger_cube_has_the_members_of_the_smaller_and_no_others():
    """Seen: a list that contradicts the labels, or flags that lack a member."""
    small = cube(nim2().game, "normal", SIDE, None, Budget(60))
    members = np.array([(n, n) for n in range(3 * SIDE)])
    large = small.grow(members, 3 * SIDE)
    assert large.is_whole and large.labelled_side == SIDE and large.has_flags
    assert (large.losing == np.eye(3 * SIDE, dtype=bool)).all()
    assert small.grow(np.delete(members, 2, axis=0), 3 * SIDE) is None
    assert small.grow(np.vstack([members, [(1, 4)]]), 3 * SIDE) is None
    assert small.grow(np.vstack([members, [(1, SIDE)]]), 3 * SIDE) is not None


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_where_a_repeated_step_leads_to_a_losing_state(rule):
    """Seen: no step at all, only one, a step past the box, or one that does not apply."""
    of = game(STEPS)
    lost, found = loser_of(of, rule), cube(of, rule, 3 * SIDE, None, Budget(60))
    led = {tuple(state) for state in found.leading(of, of.action("three")).tolist()}
    for a, b in product(range(3 * SIDE), repeat=2):
        later = ((n, b) for n in range(a - 3, b - 1, -3))
        assert ((a, b) in led) == (b <= a and any(map(lost, later)))
