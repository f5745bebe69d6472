"""Players who look ahead on any solved game, against recursion over states and exact fractions.

Games are tables: who moves in each state, perhaps one player several times, and where moves lead.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("numba")

from icgsynth.boards.finite.arena import GameGraph, identity_fields, solve_graph
from icgsynth.boards.finite.look import chances, choices, look_ahead
from icgsynth.boards.starts.tasks import own_moves

WIN = 1 << 20


@st.composite
def tables(draw):
    """For each state who moves and where the moves lead, or what the end is worth."""
    count = draw(st.integers(2, 9))
    found = []
    for number in range(count):
        later = st.integers(number + 1, count - 1)
        if number == count - 1 or (number and draw(st.integers(0, 3)) == 0):
            found.append((-1, draw(st.integers(-1, 1))))
        else:
            found.append((draw(st.integers(0, 1)), draw(st.lists(later, min_size=1, max_size=4))))
    return found


def arena_of(table):
    moves = [after if mover >= 0 else [] for mover, after in table]
    count, total = len(table), sum(map(len, moves))
    graph = GameGraph(
        name="g",
        roles=("a", "b"),
        literals=(),
        actions=("m",),
        states=np.zeros((count, 1), np.uint64),
        mover=np.array([mover for mover, _ in table], np.int8),
        first=np.cumsum([0, *map(len, moves)]),
        action=np.zeros(total, np.int32),
        target=np.array([after for some in moves for after in some], np.int32),
        **identity_fields(0, 1, count),
    )
    return solve_graph(graph, np.array([0 if m >= 0 else worth for m, worth in table], np.int8))


class Slow:
    """The same, one state at a time."""

    def __init__(self, table):
        self.table = table

    @cache  # noqa: B019
    def value(self, state):
        """Who wins with best play, in how many plies, of them how many moves of the winner."""
        mover, after = self.table[state]
        if mover < 0:
            return after, 0, 0
        sign = 1 - 2 * mover
        found = [self.value(s) for s in after]
        best = max(sign * value for value, _, _ in found)
        same = [(plies, own) for value, plies, own in found if sign * value == best]
        if best > 0:
            plies, own = min(same)
            return sign, plies + 1, own + 1
        if best < 0:
            plies, own = max(same)
            return -sign, plies + 1, own
        return 0, 0, 0

    @cache  # noqa: B019
    def seen(self, state, plies):
        """What player 0 has in a state for one who sees so far."""
        mover, after = self.table[state]
        if mover < 0:
            return WIN * after
        if not plies:
            return 0
        best = (min if mover else max)(self.seen(s, plies - 1) for s in after)
        return best - (best > 0) + (best < 0)

    def drawn(self, state, depth):
        """Which moves a player draws from who looks ``depth`` rounds ahead."""
        mover, after = self.table[state]
        if not depth:
            return [True] * len(after)
        worth = [(1 - 2 * mover) * self.seen(s, 2 * depth - 1) for s in after]
        return [w == max(worth) for w in worth]

    @cache  # noqa: B019
    def chance(self, state, depths, player):
        mover, after = self.table[state]
        if mover < 0:
            return Fraction(int(after == 1 - 2 * player))
        some = self.drawn(state, depths[mover])
        kept = [
            self.chance(s, depths, player) for s, is_in in zip(after, some, strict=True) if is_in
        ]
        return sum(kept) / len(kept)


@settings(max_examples=150, deadline=None)
@given(tables(), st.integers(0, 3), st.integers(0, 3))
def test_what_players_see_and_how_they_fare(table, mine, theirs):
    """Seen: a loss that is not put off, plies for rounds, an end out of sight, the other's sign,
    chances of the other player, and moves counted that are the loser's."""
    arena, slow = arena_of(table), Slow(table)
    every = range(len(table))
    assert look_ahead(arena, mine).tolist() == [slow.seen(s, mine) for s in every]
    made = choices(arena, mine).tolist()
    assert made == [m for s in every if table[s][0] >= 0 for m in slow.drawn(s, mine)]
    assert arena.value.tolist() == [slow.value(s)[0] for s in every]
    won = [slow.value(s)[2] if slow.value(s)[0] else 0 for s in every]
    assert own_moves(arena).tolist() == won
    for player in (0, 1):
        depths = (mine, theirs)[:: 1 - 2 * player]
        found = chances(arena, choices(arena, mine), choices(arena, theirs), player)
        exact = [float(slow.chance(s, depths, player)) for s in every]
        assert found.tolist() == pytest.approx(exact)


def test_play_that_need_not_end_counts_as_drawn():
    """State 0 leads back to itself or to a win; state 2 only back to itself."""
    table = [(0, [0, 1, 2]), (-1, 1), (1, [2])]
    arena = arena_of(table)
    mask = np.ones(4, bool)
    assert chances(arena, mask, mask, 0) == pytest.approx([0.5, 1, 0])
    assert chances(arena, mask, mask, 1) == pytest.approx([0, 0, 0])
    assert own_moves(arena).tolist() == [1, 0, 0]
