"""Actions over a sample, trees grown from them and covers by them, against play by recursion."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hand_solved import chomp, loser_of, nim2, nim2_misere, take_away_misere

from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import TRUE
from icgsynth.spec.icg import parse_formula
from icgsynth.synth.linear.conditions import narrow_to_cells
from icgsynth.synth.linear.pairs import closure, covering, is_right
from icgsynth.synth.linear.sample import Goal, StateSample

ENDED = {
    nim2: "a = 0 and b = 0",
    nim2_misere: "a = 0 and b = 0",
    take_away_misere: "v = 0",
    chomp: "a = 1 and b = 0",
}
FAR = 12


@cache
def sample_of(build):
    answer = build()
    game = answer.game
    ended = parse_formula(ENDED[build], game.variables)
    goal = Goal(game, answer.rule, answer.winning_formula, answer.losing_formula, ended)
    return StateSample(goal, Box.of(game, 6).states, Budget(600))


@cache
def moves_of(build, state):
    """The moves of a state, and where they lead."""
    game = build().game
    return {move: game.result(state, move) for move in game.moves(state)}


def after(build, act, state):
    """Where the action leads; None where it does not apply."""
    return moves_of(build, state).get(act.ground(sample_of(build).goal.game, state))


def must_move(build, state):
    return sample_of(build).goal.rule == "normal" or bool(moves_of(build, state))


@pytest.mark.parametrize("build", ENDED)
def test_an_action_wins_where_it_leads_to_a_lost_state(build):
    """Over the first states, and over states that join later.

    Seen: an action that applies where it does not, wins what it does not, or is evaluated on
    other states than those of its sample; a state that must move and that none of them wins.
    """
    sample = sample_of(build)
    game = sample.goal.game
    lost = loser_of(game, sample.goal.rule)
    joined = sample.with_state((FAR,) * len(game.variables))
    assert len(joined.states) > len(sample.states)
    for each in (sample, joined):
        states = list(map(tuple, each.states.tolist()))
        assert len(set(states)) == len(states)
        domain = [not lost(s) and must_move(build, s) for s in states]
        assert each.domain.tolist() == domain
        won = np.zeros(len(states), bool)
        for candidate in each.candidates[:12]:
            there = [after(build, candidate.act, s) for s in states]
            assert candidate.applies.tolist() == [t is not None for t in there]
            assert candidate.wins.tolist() == [t is not None and lost(t) for t in there]
        for candidate in each.candidates:
            won |= candidate.wins
        assert won[each.domain].all()


def first_wins(build, tree, state):
    """Whether the first rule that holds, and whose action applies, leads to a lost state."""
    goal = sample_of(build).goal
    for when, act in tree:
        there = after(build, act, state)
        if there is not None and satisfies(when, goal.game.env(state)):
            return satisfies(goal.losing, goal.game.env(there))
    return False


@pytest.mark.parametrize("build", ENDED)
def test_trees_and_covers_win_each_state_that_must_move(build):
    """Seen: a rule that fires too early, one that is pruned though needed, a state left open."""
    sample = sample_of(build)
    states = [tuple(s) for s in sample.states[sample.domain].tolist()]
    tree = [(rule.when, rule.act) for rule in closure(sample)]
    assert all(first_wins(build, tree, state) for state in states)
    acts = covering(sample)
    assert all(any(first_wins(build, [(TRUE, act)], s) for act in acts) for s in states)
    draw, some = random.Random(3), sample.candidates[:12]
    conditions = [
        TRUE,
        sample.goal.winning,
        parse_formula(ENDED[build], sample.goal.game.variables),
    ]
    for _ in range(8):
        drawn = [(draw.choice(conditions), c) for c in draw.sample(some, min(len(some), 3))]
        wins = [first_wins(build, [(when, c.act) for when, c in drawn], s) for s in states]
        assert is_right(sample, drawn) == all(wins)


@pytest.mark.parametrize("build", ENDED)
def test_states_in_reserve_join_while_no_action_wins_them_and_conditions_are_narrow(build):
    """Seen: a state in reserve that is passed over, or joins though it is won; a condition that
    holds where its action does not win, or conditions that leave a state open."""
    whole = sample_of(build)
    states = [tuple(s) for s in whole.states.tolist()]
    domain = {s for s, must in zip(states, whole.domain.tolist(), strict=True) if must}
    near = whole.states.sum(axis=1) <= 4
    sample = StateSample(whole.goal, whole.states[near], Budget(600), reserve=whole.states[~near])
    while True:
        acts = covering(sample)
        known = {tuple(s) for s in sample.states.tolist()}
        left = {s for s in domain if not any(first_wins(build, [(TRUE, act)], s) for act in acts)}
        grown = sample.with_reserve(acts)
        joined = {tuple(s) for s in grown.states.tolist()} - known
        assert bool(joined) == bool(left) and joined <= left
        if not joined:
            break
        sample = grown
    rules = narrow_to_cells(sample, acts)
    for state in states:
        env = whole.goal.game.env(state)
        used = [rule.act for rule in rules if satisfies(rule.when, env)]
        assert all(first_wins(build, [(TRUE, act)], state) for act in used)
        assert bool(used) == (state in domain)
