"""Positions of impartial games for a learner, against recursion over states and exact fractions.

:class:`Slow` plays by the game's own moves and shares nothing with ``icgsynth.boards.starts``.  The
tests see, besides what they name: positions counted at the wrong distance or that are lost or over,
counts that begin at 1, filters that are passed over or turned round, and moves of the line, of the
temptation and of the reply that are not the best.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest
from catalog_answers import solved
from hypothesis import given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.boards.finite.look import chances, choices
from icgsynth.boards.starts.impartial import solved_box
from icgsynth.boards.starts.tasks import Pupil, TasksWanted, tasks
from icgsynth.errors import InputError, Refused
from icgsynth.game.strategy import Strategy

BOUND = {"nim2": 6, "chomp_2row": 6, "take_away": 14}
GAMES = tuple(product(BOUND, ("normal", "misere")))
WIN = 1000


class Slow:
    """Best play and play of those who look ahead, one state at a time."""

    def __init__(self, game, rule, bound):
        self.game, self.misere = game, rule == "misere"
        box = product(range(bound + 1), repeat=len(game.variables))
        self.states = [state for state in box if self.game.is_legal(state)]

    @cache  # noqa: B019
    def after(self, state):
        """The state after each move."""
        return tuple(self.game.result(state, move) for move in self.game.moves(state))

    def result(self, state, name):
        """The state after the move that is written so."""
        moves = {str(move): move for move in self.game.moves(state)}
        return self.game.result(state, moves[name])

    @cache  # noqa: B019
    def fate(self, state):
        """(whether the player to move wins, plies to the end)."""
        after = [self.fate(s) for s in self.after(state)]
        if not after:
            return self.misere, 0
        lost = [plies for wins, plies in after if not wins]
        return (True, 1 + min(lost)) if lost else (False, 1 + max(p for _, p in after))

    @cache  # noqa: B019
    def seen(self, state, plies):
        """What one sees who looks so far: a sooner win is more, a later loss is."""
        after = self.after(state)
        if not after:
            return WIN if self.misere else -WIN
        if not plies:
            return 0
        best = max(-self.seen(s, plies - 1) for s in after)
        return best - (best > 0) + (best < 0)

    @cache  # noqa: B019
    def drawn(self, state, depth):
        """The states after the moves that a player draws from who looks ``depth`` rounds ahead."""
        if not depth:
            return self.after(state)
        worth = [-self.seen(s, 2 * depth - 1) for s in self.after(state)]
        after = zip(self.after(state), worth, strict=True)
        return tuple(s for s, w in after if w == max(worth))

    @cache  # noqa: B019
    def chance(self, state, mine, theirs, is_mine=True):
        """That the first of two such players wins, exactly."""
        drawn = self.drawn(state, mine if is_mine else theirs)
        if not drawn:
            return Fraction(int(self.misere == is_mine))
        return sum(self.chance(s, mine, theirs, not is_mine) for s in drawn) / len(drawn)

    def level(self, state, mine, theirs):
        chance = self.chance(state, mine, theirs)
        third = Fraction(1, 3)
        return "easy" if chance >= 2 * third else "hard" if chance <= third else "medium"

    def keys(self, state):
        """The states after the moves that keep the win."""
        return [s for s in self.after(state) if not self.fate(s)[0]]

    def wanted(self, moves):
        """The states that are won in so many own moves."""
        found = [s for s in self.states if self.after(s) and self.fate(s)[0]]
        return [s for s in found if moves in (None, -(-self.fate(s)[1] // 2))]


@cache
def slow(name, rule):
    return Slow(icg.load(name).game, rule, BOUND[name])


@cache
def graph_of(name, rule):
    return solved_box(icg.load(name).game, rule, BOUND[name])


@pytest.mark.parametrize(("name", "rule"), GAMES)
@pytest.mark.parametrize("moves", [1, 2, 3, None])
def test_each_position_is_what_it_is_said_to_be(name, rule, moves):
    graph, truth = graph_of(name, rule), slow(name, rule)
    wanted = TasksWanted(moves, Pupil(1), 2, count=100)
    found, counts = tasks(graph, wanted)
    states = truth.wanted(moves)
    levels = Counter(truth.level(state, 1, 2) for state in states)
    assert counts == {level: levels[level] for level in ("easy", "medium", "hard")}
    assert {graph.canonical(task.state) for task in found} == set(map(graph.canonical, states))
    assert len(found) == len(set(map(graph.canonical, states)))
    assert [task.chance for task in found] == sorted((t.chance for t in found), reverse=True)
    for task in found:
        check(truth, task)


def check(truth, task):
    state = task.state
    wins, plies = truth.fate(state)
    assert wins and (task.distance, task.moves) == (plies, (plies + 1) // 2)
    assert task.chance == pytest.approx(float(truth.chance(state, 1, 2)))
    exact = [float(truth.chance(state, depth, 2)) for depth in (1, 2, 3)]
    assert task.chances == pytest.approx(exact)
    assert task.level == truth.level(state, 1, 2)
    kept = [truth.result(state, move) for move in task.keys]
    assert sorted(kept) == sorted(truth.keys(state))
    assert [truth.fate(s)[1] for s in kept] == sorted(truth.fate(s)[1] for s in kept)
    # Along the line each move keeps what its player has, and the end comes as soon, or as late.
    at = state
    for number, move in enumerate(task.line, 1):
        at = truth.result(at, move)
        assert truth.fate(at) == ((wins if number % 2 == 0 else not wins), plies - number)
    assert not truth.after(at)
    check_temptation(truth, task)


def check_temptation(truth, task):
    state = task.state
    bad = [s for s in truth.drawn(state, 1) if truth.fate(s)[0]]
    said = task.value()["temptation"]
    if not bad:
        assert task.tempting is None and task.answer is None and said is None
        return
    spoiled = truth.result(state, task.tempting)
    assert spoiled in bad and said["move"] == str(task.tempting)
    held = truth.keys(spoiled)
    if held:
        best = min(truth.fate(s)[1] for s in held)
        after = truth.result(spoiled, task.answer)
        assert after in held and truth.fate(after)[1] == best
        assert said["reply"] == str(task.answer)
    else:
        assert task.answer is None and said["reply"] is None


@pytest.mark.parametrize(("name", "rule"), GAMES)
def test_only_what_is_asked_for_is_chosen(name, rule):
    """By level, and with one first move that wins: each filter alone, and both."""
    graph, truth = graph_of(name, rule), slow(name, rule)
    for level, alone in product(("easy", "medium", "hard", None), (True, False)):
        wanted = TasksWanted(None, Pupil(1), 2, level=level, count=100, unique_first_move=alone)
        found, counts = tasks(graph, wanted)
        fit = [
            state
            for state in truth.wanted(None)
            if level in (None, truth.level(state, 1, 2))
            and (not alone or len(truth.keys(state)) == 1)
        ]
        assert {graph.canonical(t.state) for t in found} == set(map(graph.canonical, fit))
        assert sum(counts.values()) == len(truth.wanted(None))


@pytest.mark.parametrize("count", [1, 2, 3])
def test_positions_lie_as_far_from_each_other_as_each_next_can(count):
    """In some order each is farthest from those before it, counted along the axes."""
    graph, truth = graph_of("nim2", "normal"), slow("nim2", "normal")
    among = {min(s, s[::-1]) for s in truth.wanted(None)}

    def apart(one, two):
        return sum(abs(a - b) for a, b in zip(one, two, strict=True))

    def is_greedy(order):
        return all(
            min(apart(order[n], o) for o in order[:n])
            == max(min(apart(s, o) for o in order[:n]) for s in among)
            for n in range(1, len(order))
        )

    firsts = set()
    for seed in range(8):
        found, _ = tasks(graph, TasksWanted(None, Pupil(1), 2, count=count, seed=seed))
        chosen = [task.state for task in found]
        assert len(chosen) == count and set(chosen) <= among
        assert any(is_greedy(order) for order in permutations(chosen))
        firsts.add(tuple(chosen))
    assert len(firsts) > 1  # the seed decides where it begins


def test_who_knows_rules_obeys_them_first():
    """Where the rules speak there is one move; elsewhere it is that of one who looks ahead.

    Seen: rules that are not asked, moves of the neighbouring state, all moves but that of the
    rules, positions taken for symmetric though the rules treat them differently.
    """
    graph, truth = graph_of("nim2", "normal"), slow("nim2", "normal")
    knows = Strategy(solved("nim2").strategy)
    pupil = Pupil(1, knows)
    arena, mask, count = graph.arena, pupil.choices(graph), len(graph.states)
    drawn = [
        [arena.target[m] - count for m in arena.moves_of(row) if mask[m]] for row in range(count)
    ]
    for i, state in enumerate(graph.states):
        said = knows.choose(graph.game, state) if truth.after(state) else None
        if said is None:
            expected = set(truth.drawn(state, 1))
        else:
            expected = {graph.game.result(state, said.move)}
        assert {graph.states[c] for c in drawn[i]} == expected
    found, counts = tasks(graph, TasksWanted(None, pupil, 2, count=100))
    assert {task.state for task in found} == set(truth.wanted(None))
    assert counts == {"easy": len(found), "medium": 0, "hard": 0}
    assert all(task.chance == 1 and task.tempting is None for task in found)


@pytest.mark.parametrize(
    ("wish", "is_fine"),
    [
        ({"count": 1}, True),
        ({"count": 0}, False),
        ({"moves": 1}, True),
        ({"moves": None}, True),
        ({"moves": 0}, False),
        ({"you": Pupil(0)}, True),
        ({"you": Pupil(50)}, True),
        ({"you": Pupil(-1)}, False),
        ({"you": Pupil(51)}, False),
        ({"opponent": 0}, True),
        ({"opponent": 50}, True),
        ({"opponent": -1}, False),
        ({"opponent": 51}, False),
    ],
)
def test_the_bounds_of_what_may_be_asked(wish, is_fine):
    """Seen: a bound that is moved by one, and one that is not looked at."""
    if is_fine:
        TasksWanted(**wish)
    else:
        with pytest.raises(InputError):
            TasksWanted(**wish)


# --- boxes of any game ---------------------------------------------------------------------------

# Each may lead where another does.
WAYS = (
    "take(k) pre 1 <= k <= 2 and k <= a eff a := a - k",
    "halve pre a >= 1 eff a := a div 2",
    "drop pre a >= 2 eff a := a - 2",
    "pour(k) pre 1 <= k <= a eff a := a - k, b := b",
    "clear pre b >= 1 eff b := 0",
    "less(k) pre 1 <= k <= b and k <= 2 eff b := b - k",
    "both pre a >= 1 and b >= 1 eff a := a - 1, b := b - 1",
)


@settings(max_examples=12, deadline=None)
@given(
    st.sets(st.sampled_from(WAYS), min_size=2, max_size=4),
    st.sampled_from(["normal", "misere"]),
    st.integers(0, 2),
    st.integers(0, 2),
    st.booleans(),
)
def test_two_moves_to_one_state_are_two_moves(ways, rule, mine, theirs, alone):
    """A move is an action with its parameters: each is drawn, told and counted as one."""
    actions = "".join(f"action {way}\n" for way in sorted(ways))
    game = icg.loads(f"game g\nvar a, b\nlegal a >= 0 and b >= 0\n{actions}").game
    graph, truth = solved_box(game, rule, 3), Slow(game, rule, 3)
    arena, count = graph.arena, len(graph.states)
    assert sorted(graph.states) == truth.states
    odds = chances(arena, choices(arena, mine), choices(arena, theirs), 0)
    for i, state in enumerate(graph.states):
        moves = [arena.action_name(move) for move in arena.moves_of(i)]
        assert sorted(moves) == sorted(str(move) for move in game.moves(state))
        assert odds[i] == pytest.approx(float(truth.chance(state, mine, theirs)))
        assert odds[i] == pytest.approx(odds[graph.states.index(graph.canonical(state))])
    wanted = TasksWanted(None, Pupil(1), 2, count=100, unique_first_move=alone)
    found, _ = tasks(graph, wanted)
    won = [s for s in truth.wanted(None) if not alone or len(truth.keys(s)) == 1]
    assert {graph.canonical(t.state) for t in found} == set(map(graph.canonical, won))
    for task in found:
        check(truth, task)
        assert len(set(task.keys)) == len(task.keys)
    assert count == 16


def test_who_knows_a_rule_makes_its_move_and_no_other():
    """Of 2, ``take(2)`` and ``drop`` leave nothing: the strategy says which."""
    rules = f"game g\nvar a, b\nlegal a >= 0 and b >= 0\naction {WAYS[0]}\naction {WAYS[2]}\n"
    solution = icg.loads(rules).solve(timeout=30)
    graph = solved_box(solution.game, "normal", 5)
    knows = Strategy(solution.strategy)
    mask = Pupil(1, knows).choices(graph)
    for row in graph.rows.tolist():
        state = graph.states[row]
        drawn = [m for m in graph.arena.moves_of(row) if mask[m]]
        if (known := knows.choose(graph.game, state)) is not None:
            assert [graph.arena.action_name(m) for m in drawn] == [str(known.move)]


def subtraction(takes):
    """One pile, from which a number in ``takes`` is taken."""
    actions = "".join(f"action t{k}\n  pre v >= {k}\n  eff v := v - {k}\n" for k in takes)
    return icg.loads(f"game g\nvar v\nlegal v >= 0\n{actions}").game


@settings(max_examples=40, deadline=None)
@given(
    st.sets(st.integers(1, 6), min_size=1, max_size=4),
    st.sampled_from(["normal", "misere"]),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_one_pile_is_that_of_brute_force(takes, rule, mine, theirs):
    game = subtraction(takes)
    graph, truth = solved_box(game, rule, 14), Slow(game, rule, 14)
    assert len(graph.states) == 15
    arena = graph.arena
    won = chances(arena, choices(arena, mine), choices(arena, theirs), 0)
    for i, state in enumerate(graph.states):
        assert (arena.value[i] > 0, arena.distance[i]) == truth.fate(state)
        assert won[i] == pytest.approx(float(truth.chance(state, mine, theirs)))


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
    monkeypatch.setattr("icgsynth.boards.starts.impartial._MOST_MOVES", 9)
    assert len(solved_box(game, "normal", 5).states) == 6
    monkeypatch.setattr("icgsynth.boards.starts.impartial._MOST_MOVES", 8)
    with pytest.raises(Refused):
        solved_box(game, "normal", 5)
