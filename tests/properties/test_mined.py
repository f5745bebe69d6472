"""Semi-ground actions mined from moves, and the strategies made of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.claims.game import fires, moves_to
from icgsynth.logic.build import conjunction, negation
from icgsynth.logic.evaluate import columns, satisfies
from icgsynth.logic.term import FALSE, And, Name
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source
from icgsynth.synth.linear.finish import find_tree
from icgsynth.synth.linear.mined import Tuples, groups, windows, winning_moves
from icgsynth.synth.linear.pairs import find_pairs
from icgsynth.synth.linear.points import Base, goal_points, simple_bases
from icgsynth.synth.linear.polish import Legal, tidy
from icgsynth.synth.linear.sample import Goal, StateSample, candidates, extend

BUDGET = 20.0
SIDE = 9

TEXT = """\
game g
var a, b
legal a >= 0 and b >= 0
action take_a(k)
  pre 1 <= k <= a and {first}
  eff a := a - k
action take_b(k)
  pre 1 <= k <= b
  eff b := b - k
action both(j, k)
  pre j >= 1 and k >= 1 and {second}
  eff a := a - j, b := b - k
"""

firsts = st.sampled_from(["true", "k <= 3", "k mod 2 = 1", "k <= b + 1", "k != 2"])
seconds = st.sampled_from(["j = k", "j <= k + 1", "k - j < 2 and j - k < 2", "j + k = 3", "k <= 2"])
losings = st.sampled_from(
    [
        "a = b",
        "a mod 3 = b mod 3",
        "(a + b) mod 4 = 1",
        "3 * a = b or a = 3 * b",
        "a <= 2 and b = 1",
    ]
)
many = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def game_of(first, second):
    return parse(Source("g.icg", TEXT.format(first=first, second=second))).game()


def grid(side=SIDE):
    return np.array(list(itertools.product(range(side + 1), repeat=2)), dtype=np.int64)


def over(game, formula, states):
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    return np.broadcast_to(columns(formula, env), (len(states),))


@pytest.mark.slow
@many
@given(firsts, seconds, losings)
def test_winning_moves_are_those_of_brute_force(first, second, text):
    game, states = game_of(first, second), grid()
    losing = parse_formula(text, game.variables)
    for action in game.actions:
        rows = np.arange(len(states))
        found = winning_moves(game, losing, action, states, rows, Budget(BUDGET))
        mined = {(r, *map(int, v)) for r, v in zip(found.rows, found.values, strict=True)}
        assert len(mined) == len(found)
        expected = {
            (row, *(v for _, v in move.arguments))
            for row, state in enumerate(map(tuple, states.tolist()))
            for move in game.moves(state)
            if move.action == action.name and satisfies(losing, game.env(game.result(state, move)))
        }
        assert mined == expected


@many
@given(firsts, seconds, losings)
def test_a_group_wins_in_the_states_of_its_moves(first, second, text):
    game, states = game_of(first, second), grid()
    losing = parse_formula(text, game.variables)
    action = game.action("take_a")
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    moves = winning_moves(game, losing, action, states, np.arange(len(states)), Budget(BUDGET))
    points = (base for (base,) in goal_points(game, losing, action))
    listed = list(dict.fromkeys((*simple_bases(game, losing), *points)))
    values = np.stack([np.broadcast_to(columns(b.term, env), (len(states),)) for b in listed])
    tuples = Tuples(listed, values, np.arange(len(listed))[:, None])
    for group in groups(moves, tuples, windows(states), 20):
        term = listed[group.bases[0]].at(group.offsets[0])
        taken = np.broadcast_to(columns(term, env), (len(states),))[moves.rows]
        instances = set(moves.rows[taken == moves.values[:, 0]].tolist())
        act_wins = over(game, moves_to(game, _act(action, term), losing), states)
        assert instances and instances == set(np.flatnonzero(act_wins).tolist())


def _act(action, term):
    from icgsynth.game.strategy import SemiGroundAction

    return SemiGroundAction(action.name, ((action.parameters[0], term),))


@pytest.mark.slow
@many
@given(firsts, seconds, losings)
def test_vectors_of_candidates_are_those_of_their_terms(first, second, text):
    game, states = game_of(first, second), grid(6)
    losing = parse_formula(text, game.variables)
    wanted = ~over(game, losing, states)
    found = candidates(game, losing, states, wanted, Budget(BUDGET))
    for candidate in found[:: max(1, len(found) // 25)]:
        assert (candidate.applies == over(game, fires(game, candidate.act), states)).all()
        wins = over(game, moves_to(game, candidate.act, losing), states)
        assert (candidate.wins == wins).all()
    winnable = {
        row
        for row, state in enumerate(map(tuple, states.tolist()))
        if wanted[row]
        and any(satisfies(losing, game.env(game.result(state, m))) for m in game.moves(state))
    }
    won = np.logical_or.reduce([c.wins for c in found]) if found else np.zeros(len(states), bool)
    assert winnable <= set(np.flatnonzero(won).tolist())


@pytest.mark.slow
@many
@given(firsts, seconds, losings)
def test_candidates_over_more_states(first, second, text):
    game, states = game_of(first, second), grid(5)
    losing = parse_formula(text, game.variables)
    known = candidates(game, losing, states, ~over(game, losing, states), Budget(BUDGET))
    more = states * 7 + 3
    for candidate in extend(game, losing, known, more)[::10]:
        everywhere = np.vstack([states, more])
        assert (candidate.applies == over(game, fires(game, candidate.act), everywhere)).all()
        wins = over(game, moves_to(game, candidate.act, losing), everywhere)
        assert (candidate.wins == wins).all()


@pytest.mark.parametrize(
    ("base", "offset", "text"),
    [
        (Base(Name("a")), 0, "a"),
        (Base(Name("a")), -2, "a - 2"),
        (Base(Name("a"), 7), -2, "(a - 2) mod 7"),
        (Base(Name("a"), 7), 5, "(a - 2) mod 7"),
    ],
)
def test_terms_are_written_as_people_write_them(base, offset, text):
    assert str(base.at(offset)) == text


def points_of(game, text, action):
    found = goal_points(game, parse_formula(text, game.variables), game.action(action))
    return {tuple(str(base.at(0)) for base in bases) for bases in found}


def test_a_point_divides_by_a_slope():
    assert ("b - a div 6",) in points_of(game_of("true", "j = k"), "a = 6 * b", "take_b")


@pytest.mark.parametrize(
    ("second", "text", "expected"),
    [
        ("j = k", "a = 2 * b", ("2 * b - a", "2 * b - a")),  # a - j = 2 * (b - j)
        ("2 * j = 3 * k", "b = 0", ("3 * (b div 2)", "2 * (b div 2)")),  # all of b in twos
        ("2 * j = 3 * k", "a mod 2 = 0", ("6 * (a div 6)", "4 * (a div 6)")),  # j stays even
        ("j >= 1 and k >= 1", "a = 0 and b = 0", ("a", "b")),
    ],
)
def test_points_of_two_parameters_solve_for_both(second, text, expected):
    assert expected in points_of(game_of("true", second), text, "both")


def test_a_point_is_the_lesser_of_two():
    """Take from a what takes it to the greater of b and c, whichever that is."""
    rules = "game g var a, b, c legal a >= 0 action take(k) pre 1 <= k <= a eff a := a - k"
    game = parse(Source("g.icg", rules)).game()
    assert ("a - max(b, c)",) in points_of(game, "a = b and b > c or a = c and c > b", "take")


def test_three_equations_determine_three_arguments():
    rules = "game g var a, b, c, d, e legal a >= 0 action abc(i, j, k) "
    rules += "pre i >= 0 and j >= 0 and k >= 0 eff a := a - i, b := b - j, c := c - k"
    game = parse(Source("g.icg", rules)).game()
    points = points_of(game, "a = 0 and b = e and b = c + d", "abc")
    assert ("a", "b - e", "c + d - e") in points


@many
@given(firsts, seconds, losings)
def test_a_winning_move_is_near_a_point(first, second, text):
    """Cooper's theorem, for steps up to the common multiple of the divisors, as brute force."""
    game, states = game_of(first, second), grid(6)
    losing = parse_formula(text, game.variables)
    for action in game.actions:
        near = [
            [near_values(base, game, states) for base in bases]
            for bases in goal_points(game, losing, action)
        ]
        moves = winning_moves(game, losing, action, states, np.arange(len(states)), Budget(BUDGET))
        for row in np.unique(moves.rows):
            values = moves.values[moves.rows == row]
            assert any(
                all(value in places[row] for value, places in zip(move, point, strict=True))
                for point in near
                for move in values.tolist()
            )


def near_values(base, game, states, steps=4):
    """For each state the values of ``base`` with offsets up to ``steps``."""
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    value = np.broadcast_to(columns(base.term, env), (len(states),))
    around = value[:, None] + np.arange(-steps, steps + 1)
    return [set(r) for r in (around % base.modulus if base.modulus else around).tolist()]


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("true", "j = k and k = 0", "a = b"),
        ("true", "j >= 1 and k >= 1", "a = 0 and b = 0"),
        ("true", "k - j < 2 and j - k < 2", "a = b and a = 0"),
    ],
)
def test_a_proved_strategy_wins_by_brute_force(first, second, text):
    game = game_of(first, second)
    losing = parse_formula(text, game.variables)
    goal = Goal(game, "normal", negation(losing), losing, FALSE)
    sample = StateSample(goal, grid(), Budget(BUDGET))
    pairs, finding, sample = find_pairs(sample, Budget(BUDGET))
    tree = find_tree(sample, pairs, Budget(BUDGET))
    if not finding.is_proved:
        return
    for state in map(tuple, grid(25).tolist()):
        if satisfies(losing, game.env(state)):
            continue
        for rules in (pairs, tree):
            kept = next(k for k in (r.keep(game, state, None) for r in rules) if k)
            assert satisfies(losing, game.env(game.result(state, kept[0])))


def test_a_residue_of_zero_is_an_instance():
    """A move may take ``a mod 3 = 0`` from one pile, where it takes something from another."""
    rules = "game g var a, b legal a >= 0 and b >= 0 "
    rules += "action take(k) pre 0 <= k <= a and b >= 1 eff a := a - k, b := b - 1"
    game = parse(Source("g.icg", rules)).game()
    losing, states = parse_formula("a mod 3 = 0", game.variables), np.array([(3, 1), (6, 2)])
    action, rows = game.action("take"), np.arange(2)
    moves = winning_moves(game, losing, action, states, rows, Budget(BUDGET))
    tuples = Tuples([Base(Name("a"), 3)], states[:, :1].T, np.array([[0]]))
    assert [group.offsets for group in groups(moves, tuples, windows(states), 20)] == [(0,)]


def test_a_tidy_cell_says_the_same_with_nothing_to_spare():
    game, states = game_of("true", "true"), grid()
    legal = Legal(game, states, Budget(BUDGET))
    for text in ("a >= 2 and a >= 1 and b <= 3", "a = b and b = 4 and a + b = 8", "a >= 1"):
        cell = parse_formula(text, game.variables)
        short = tidy(legal, cell)
        holds = over(game, cell, states)
        assert (over(game, short, states) == holds).all()
        parts = short.args if isinstance(short, And) else (short,)
        for part in parts:
            others = conjunction(other for other in parts if other is not part)
            assert (over(game, others, states) != holds).any()
