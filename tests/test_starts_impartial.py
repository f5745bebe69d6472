"""Graded positions of impartial games against play by brute force."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.errors import InputError, Refused
from icgsynth.starts.impartial import SolvedBox, solved_box
from icgsynth.starts.pile_tasks import ImpartialWanted, Pupil, tasks

BOUND = 5


def subtraction(takes):
    """One pile, from which a number in ``takes`` is taken."""
    actions = "".join(f"action t{k}\n  pre v >= {k}\n  eff v := v - {k}\n" for k in takes)
    return icg.loads(f"game g\nvar v\nlegal v >= 0\n{actions}").game


class Slow:
    """One pile by hand: remoteness, and exact chances of look-ahead players."""

    def __init__(self, takes, misere):
        self.takes, self.misere = sorted(takes), misere

    def after(self, v):
        return [v - k for k in self.takes if k <= v]

    @cache  # noqa: B019
    def distance(self, v):
        """(wins, moves to the end)."""
        after = [self.distance(w) for w in self.after(v)]
        if not after:
            return self.misere, 0
        lost = [d for wins, d in after if not wins]
        return (True, 1 + min(lost)) if lost else (False, 1 + max(d for _, d in after))

    @cache  # noqa: B019
    def seen(self, v, plies):
        """What the mover sees: a win (+, sooner is more), a loss (-), or nothing (0)."""
        after = self.after(v)
        if not after:
            return 100 if self.misere else -100
        if plies == 0:
            return 0
        best = max(-self.seen(w, plies - 1) for w in after)
        return best - (best > 0) + (best < 0)

    def drawn(self, v, depth):
        after = self.after(v)
        if depth == 0:
            return after
        worth = [-self.seen(w, 2 * depth - 1) for w in after]
        return [w for w, x in zip(after, worth, strict=True) if x == max(worth)]

    @cache  # noqa: B019
    def chance(self, v, mine, theirs, my_turn=True):
        drawn = self.drawn(v, mine if my_turn else theirs)
        if not drawn:
            return Fraction(int(self.misere == my_turn))
        there = [self.chance(w, mine, theirs, not my_turn) for w in drawn]
        return sum(there) / len(there)


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.integers(1, 6), min_size=1, max_size=4),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_one_pile_is_that_of_brute_force(takes, misere, mine, theirs):
    graph = solved_box(subtraction(takes), "misere" if misere else "normal", 14)
    slow = Slow(takes, misere)
    assert len(graph.states) == 15
    chances = graph.chances(Pupil(mine).choices(graph), graph.choices(theirs))
    for i, (v,) in enumerate(graph.states):
        assert (graph.wins(i), graph.distance[i]) == slow.distance(v)
        assert chances[i] == pytest.approx(float(slow.chance(v, mine, theirs)))


def test_distance_in_nim_is_known():
    """A pile beside an equal one: the winner takes the last stone after 2n - 1 moves at most."""
    graph = solved_box(icg.load("nim2").game, "normal", BOUND)
    for i, (a, b) in enumerate(graph.states):
        assert graph.wins(i) == (a != b)
        if a == b:
            assert graph.distance[i] == 2 * a
        else:
            assert graph.distance[i] == 2 * min(a, b) + 1
    assert len(graph.symmetries) == 2


@pytest.mark.parametrize("name", ["nim3", "chomp_2row", "wythoff", "take_away"])
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_tasks_keep_their_word(name, rule):
    graph = solved_box(icg.load(name).game, rule, BOUND)
    for moves in (1, 2, 3):
        found, counts = tasks(graph, ImpartialWanted(moves, Pupil(1), 3, count=9, seed=2))
        assert sum(counts.values()) >= len(found)
        assert len({graph.canonical(t.state) for t in found}) == len(found)
        for task in found:
            check_task(graph, task, moves)


def check_task(graph: SolvedBox, task, moves):
    game, i = graph.game, graph.place[task.state]
    assert graph.wins(i) and task.moves == moves
    kept = {str(m) for m in task.keys}
    for move in game.moves(task.state):
        after = graph.place[game.result(task.state, move)]
        if graph.wins(after):
            assert str(move) not in kept
    state = task.state
    for move in task.line:
        state = game.result(state, move)
    assert not list(game.moves(state)) and len(task.line) == task.distance
    if task.tempting is not None:
        spoiled = game.result(task.state, task.tempting)
        assert graph.wins(graph.place[spoiled])
        if task.answer is not None:
            assert not graph.wins(graph.place[game.result(spoiled, task.answer)])


def test_states_from_which_play_leaves_the_box_are_left_out():
    grow = icg.loads("game g\nvar a, b\nlegal a >= 0 and b >= 0\n"
                     "action swap(k) pre 1 <= k <= a eff a := a - 1, b := b + k\n"
                     "action take pre b >= 1 eff b := b - 1\n").game  # fmt: skip
    graph = solved_box(grow, "normal", 4)
    assert 0 < len(graph.states) < 25
    for i, state in enumerate(graph.states):
        assert {graph.states[c] for c in graph.children[i]} == {
            grow.result(state, move) for move in grow.moves(state)
        }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game g\nvar a\nlegal 0 <= a <= 3\naction go pre true eff a := 3 - a\n", "may never end"),
        ("game g\nvar a\nlegal a >= 0\naction go(k) pre k >= 1 eff a := a + k\n", "infinitely"),
        ("game g\nvar a\nlegal a >= 0\naction go pre true eff a := a + 1\n", "larger --bound"),
    ],
)
def test_what_cannot_be_graded_is_refused(text, message):
    with pytest.raises((Refused, InputError), match=message):
        solved_box(icg.loads(text).game, "normal", 5)


def test_as_many_moves_are_listed_as_are_allowed(monkeypatch):
    """Up to a pile of 5, one counter is taken in 5 ways, and two counters are in 4."""
    game = subtraction([1, 2])
    monkeypatch.setattr("icgsynth.starts.impartial._MOST_MOVES", 9)
    assert len(solved_box(game, "normal", 5).states) == 6
    monkeypatch.setattr("icgsynth.starts.impartial._MOST_MOVES", 8)
    with pytest.raises(Refused):
        solved_box(game, "normal", 5)
