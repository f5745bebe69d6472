"""The one retrograde analysis against its definition, round by round."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.game.retrograde import Edges, settle

COUNT = 5
MOVES = st.lists(st.tuples(*[st.integers(0, COUNT - 1)] * 2), min_size=4, max_size=16)
FLAGS = st.lists(st.booleans(), min_size=COUNT, max_size=COUNT)
GIVEN = st.dictionaries(
    st.integers(0, COUNT - 1),
    st.tuples(st.sampled_from([1, -1, 0]), st.integers(0, 3)),
    min_size=1,
    max_size=3,
)
MOVERS = st.none() | st.lists(st.sampled_from([1, -1]), min_size=COUNT, max_size=COUNT)


def rounds(moves, given, mover, open_ended, spare):
    """The value and the plies of each state that has them: in round n, what is seen in n plies."""
    known = dict(given)
    for plies in range(1, 3 * COUNT):
        seen = {state: worth for state, (worth, at) in known.items() if at < plies}
        for state in range(COUNT):
            ahead = [seen.get(target, 0) for source, target in moves if source == state]
            gains = [-worth if mover is None else worth * mover[state] for worth in ahead]
            gets = 1 if mover is None else mover[state]
            if state in known or not gains:
                continue
            if gains.count(1) > spare:
                known[state] = gets, plies
            elif len(gains) - gains.count(-1) <= spare and not open_ended[state] and -1 in gains:
                known[state] = -gets, plies
    return known


@settings(max_examples=300)
@given(MOVES, GIVEN, MOVERS, FLAGS, st.integers(0, 2))
def test_what_follows_is_what_rounds_show(moves, given, mover, open_ended, spare):
    """Of states that begin with a value, of moves that are there twice, and round cycles.

    Seen: the player to move taken for the other, a draw that counts as a loss, a state found lost
    that has moves which nobody listed, one forbidden move more or less, a value that is given for
    later and used at once, and a win or a loss that is a ply off.
    """
    edges = Edges.of(*np.array(moves, np.int64).reshape(-1, 2).T, COUNT)
    value, plies = np.zeros(COUNT, np.int8), np.full(COUNT, -1, np.int32)
    for state, (worth, at) in given.items():
        value[state], plies[state] = worth, at
    side = None if mover is None else np.array(mover, np.int8)
    settle(edges, value, plies, side, open_ended=np.array(open_ended), spare=spare)
    found = {i: (int(value[i]), int(plies[i])) for i in range(COUNT) if plies[i] >= 0}
    assert found == rounds(moves, given, mover, open_ended, spare)


@given(MOVES)
def test_moves_are_found_by_where_they_lead(moves):
    """Seen: a move that is lost, or that leads elsewhere; repeats that are kept or counted."""
    edges = Edges.of(*np.array(moves, np.int64).reshape(-1, 2).T, COUNT)
    assert sorted(zip(edges.source.tolist(), edges.target.tolist(), strict=True)) == sorted(moves)
    for row in range(COUNT):
        there = [source for source, target in moves if target == row]
        assert sorted(edges.sources(np.array([row])).tolist()) == sorted(there)
    once = edges.without_repeats()
    assert list(zip(once.target.tolist(), once.source.tolist(), strict=True)) == sorted(
        {(target, source) for source, target in moves}
    )
