"""Who wins, counted back in two orders, against the definition, round by round."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from speed import examples

from icgsynth.explicit.retrograde import Edges, settle, settle_by_rank

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


@examples(60, 300, MOVES, GIVEN, MOVERS, FLAGS, st.integers(0, 2))
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


@examples(60, 300, MOVES, FLAGS, FLAGS, st.integers(0, 2))
def test_both_orders_find_the_same(moves, won, open_ended, spare):
    """Where all moves go down in rank, and which further moves a state may have is known or not.

    Seen: a state that is taken before those it leads to, a move to a doubtful state that is
    overlooked, two moves to one state that count as two options, one forbidden move more or less.
    """
    down = sorted({(max(move), min(move)) for move in moves if move[0] != move[1]})
    won, open_ended = np.array(won), np.array(open_ended) & (spare == 0)
    edges = Edges.of(*np.array(down, np.int64).reshape(-1, 2).T, COUNT)
    value, plies = np.zeros(COUNT, np.int8), np.full(COUNT, -1, np.int32)
    value[(edges.out_degrees() <= spare) & ~open_ended] = -1
    value[won] = 1
    plies[value != 0] = 0
    settle(edges, value, plies, open_ended=open_ended, spare=spare)

    def into(rows):
        for row in rows:  # each move twice, as two actions may make it
            source = edges.sources(np.array([row]))
            yield np.repeat(source, 2), np.full(2 * len(source), row)

    found = settle_by_rank(into, np.arange(COUNT), won, open_ended, spare=spare)
    assert found.tolist() == value.tolist()


@given(MOVES)
def test_a_rank_that_moves_do_not_go_down_in_is_refused(moves):
    """Seen: a move between states of one rank, or up, from which a label is drawn."""
    edges = Edges.of(*np.array(moves, np.int64).reshape(-1, 2).T, COUNT)

    def into(rows):
        source, counts = edges.into(rows)
        yield source, np.repeat(rows, counts)

    none = np.zeros(COUNT, bool)
    found = settle_by_rank(into, np.zeros(COUNT, np.int64), none, none)
    assert found is None


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
