"""Where states are few, or beside a flag, whether play ends is settled.

Faults it sees: a game with a cycle that is called ending, a table of flags whose ranks are
exchanged, one that is no ranking once the other variables move, and a walk that stops early.
"""

from __future__ import annotations

import random
from itertools import pairwise, product

import pytest

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.logic.evaluate import value
from icgsynth.prove.recheck.definition import defined_values
from icgsynth.prove.rule_faults import cycle_mend
from icgsynth.prove.well_formed import check_rules, check_twice
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import Source


def play_ends(game, states, budget):
    """Whether plain Python finds the values of all states, which it refuses on a cycle."""
    try:
        return bool(defined_values(game, states, budget))
    except Refused as refused:
        assert "never end" in str(refused)
        return False


def game_of(text):
    return load_spec(Source("g", text), {})


def ends(moves):
    """Whether a graph, a set of successors by node, has no cycle: leaves are taken away."""
    left = {node: set(after) for node, after in moves.items()}
    while leaves := [node for node, after in left.items() if not after]:
        for node in leaves:
            del left[node]
        left = {node: after - set(leaves) for node, after in left.items()}
    return not left


def graph(seed, nodes, is_acyclic):
    """Random arrows between numbers that are no order of them."""
    rng = random.Random(seed)
    order = rng.sample(range(nodes), nodes)
    moves = {node: set() for node in range(nodes)}
    for _ in range(2 * nodes):
        i, j = sorted(rng.sample(range(nodes), 2))
        moves[order[i]].add(order[j])
    if not is_acyclic:
        moves[order[-1]].add(order[0])
        moves[order[0]].add(order[-1])
    return moves


@pytest.mark.parametrize("is_acyclic", [True, False])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_a_graph_ends_or_shows_its_cycle(seed, is_acyclic):
    moves = graph(seed, 6, is_acyclic)
    assert ends(moves) is is_acyclic
    cases = " or ".join(f"v = {a} and w = {b}" for a in moves for b in moves[a])
    text = f"game g var v legal 0 <= v <= 5 action go(w) pre 0 <= w <= 5 and ({cases}) eff v := w"
    report = check_twice(game_of(text), Budget(30))
    assert report.termination.verdict == ("proved" if is_acyclic else "refuted")
    if report.cycle is not None:
        path = [state[0] for state in report.cycle]
        assert path[0] == path[-1]
        assert all(b in moves[a] for a, b in pairwise(path))


@pytest.mark.parametrize("number", [0, 1])
def test_a_cycle_is_mended_where_a_move_takes_nothing(number):
    """A mutant asks for parameters of 1 or more where they are already."""
    game = game_of(f"game g var v legal 0 <= v <= 1 action go(w) pre w = {number} eff v := 1 - v")
    assert ("1 <= w" in cycle_mend(game, ((0,), (1,), (0,)))) == (number == 0)


def test_play_is_not_said_to_end_where_no_move_was_found_in_time():
    """A mutant takes "no move found" for "there is no move", which the second proof alone sees."""
    game = game_of("game g var v legal v >= 0 action stay() pre true eff v := v")
    assert check_rules(game, Budget(0)).termination.verdict == "unknown"


FLAGS = """game flags
var a, b, t
legal a >= 0 and b >= 0 and 0 <= t <= 2
action take(k) pre 1 <= k <= a eff a := a - k
action declare(r) pre t = 0 and 1 <= r <= 2 eff t := r
action collect pre t = 2 and a = 0 and b = 0 eff t := {}
"""


@pytest.mark.parametrize(("after", "verdict"), [(1, "proved"), (0, "refuted")])
def test_flags_beside_a_ranking(after, verdict):
    """Once collected the flag is 1, which has no move; with 0 it would be declared again."""
    report = check_twice(game_of(FLAGS.format(after)), Budget(30))
    assert report.termination.verdict == verdict


def test_a_ranking_that_falls_each_time_round():
    """The flags go round and round, and each round takes one."""
    text = (
        "game round var n, t legal n >= 0 and 0 <= t <= 2 "
        "action one pre t = 0 eff t := 2 action two pre t = 2 eff t := 1 "
        "action three pre t = 1 and n >= 1 eff t := 0, n := n - 1"
    )
    report = check_twice(game_of(text), Budget(30))
    assert report.termination.is_proved and report.components
    game = report.game
    for state in product(range(4), range(3)):
        for move in game.moves(state):
            there = game.result(state, move)
            now, then = (
                tuple(value(part, game.env(s)) for part in report.components)
                for s in (state, there)
            )
            assert then < now


RING = """game ring
var a, b, c
legal 0 <= a <= 6 and 0 <= b <= 6 and 0 <= c <= 6
action up pre a <= 5 and b >= 1 and (a + b) mod 2 = 0 eff a := a + 1, b := b - 1, c := 6 - c
action flip pre (a + b) mod 2 = 1 and c >= 1 and a > 2 eff c := c - 1, b := a, a := b
action drop(k) pre 1 <= k <= c and b < a {} eff c := c - k, a := b, b := a - 1
"""


def ring_after(state, more):
    a, b, c = state
    if a <= 5 and b >= 1 and (a + b) % 2 == 0:
        yield a + 1, b - 1, 6 - c
    if (a + b) % 2 == 1 and c >= 1 and a > 2:
        yield b, a, c - 1
    if b < a and more(state):
        yield from ((b, a - 1, c - k) for k in range(1, c + 1))


@pytest.mark.parametrize("more", ["", pytest.param("and b > 1", marks=pytest.mark.slow)])
def test_few_states_without_a_ranking_are_walked(more):
    """343 states, too many for a table: whether one comes back is seen by following all moves."""
    whole = list(product(range(7), repeat=3))
    moves = {s: set(ring_after(s, (lambda x: x[1] > 1) if more else bool)) for s in whole}
    game = game_of(RING.format(more))
    report = check_twice(game, Budget(60))
    assert report.termination.verdict == ("proved" if ends(moves) else "refuted")
    assert play_ends(game, whole, Budget(20)) is ends(moves)


def test_a_walk_sees_a_cycle_that_is_entered_late():
    game = game_of(
        "game g var n legal 0 <= n <= 30 action up pre n <= 29 eff n := n + 1 "
        "action back pre n = 30 eff n := 29"
    )
    assert not play_ends(game, [(0,)], Budget(5))
    ending = game_of("game g var n legal 0 <= n <= 30 action up pre n <= 29 eff n := n + 1")
    assert play_ends(ending, [(0,), (7,)], Budget(5))
