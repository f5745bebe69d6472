"""Labels of boxes against oracles that share no code with the solver.

The oracles are the games' mathematics in plain Python: memoised recursion on the rules as
people say them, published descriptions of the losing states, and a naive retrograde analysis
of random games.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from functools import cache
from unittest import mock

import pytest
from automatic_solved import NIM3, WYTHOFF
from hand_solved import CHOMP, NIM2
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.judge.graph import Graph, endless, explored, outcomes
from experiments.judge.play import Play
from experiments.judge.reading import read_rules
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit import labels as labels_module
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, Labels, find_cycle, label
from icgsynth.game.game import ParametricGame
from icgsynth.logic.term import Name
from icgsynth.spec.icg import parse, parse_term
from icgsynth.spec.source import Source

Point = tuple[int, ...]

TAKE_AWAY = "game take var v legal v >= 0 action take(k) pre 1 <= k <= 4 and k <= v eff v := v - k"
DIVIDE = """game divide var a, b legal a >= 1 and b >= 1
action empty_a(k) pre 1 <= k < b eff a := k, b := b - k
action empty_b(k) pre 1 <= k < a eff a := k, b := a - k"""
ODD_OR_EVEN = """game odd_or_even var a, b legal a >= 0 and b >= 0
action odd(k) pre 1 <= k <= a and k mod 2 = 1 eff a := a - k
action even(k) pre 1 <= k <= b and k mod 2 = 0 eff b := b - k"""
CIRCULAR = """game circular var a, b, c legal a >= 0 and b >= 0 and c >= 0
action ab(k, l) pre 0 <= k <= a and 0 <= l <= b and k + l >= 1 eff a := a - k, b := b - l
action bc(k, l) pre 0 <= k <= b and 0 <= l <= c and k + l >= 1 eff b := b - k, c := c - l
action ca(k, l) pre 0 <= k <= c and 0 <= l <= a and k + l >= 1 eff c := c - k, a := a - l"""
HALVE = """game halve var v legal v >= 0
action less_one pre v >= 1 eff v := v - 1
action halve pre v >= 2 eff v := v div 2"""


def game_of(text: str) -> ParametricGame:
    return parse(Source("test", text)).game()


def labels_of(text: str, sides: Iterable[tuple[int, int]], rule: str, rank: str = "") -> Labels:
    game = game_of(text)
    ranking = (parse_term(rank, game.variables),) if rank else None
    # Small boxes are counted even with a ranking, unless listing moves is made to look dear.
    with mock.patch.object(labels_module, "_TRIES", 0):
        return label(game, Box(game.variables, tuple(sides), game.legal), rule, ranking)


# --- the rules, as people say them ---------------------------------------------------


def nim_moves(*piles: int) -> set[Point]:
    return {
        (*piles[:i], left, *piles[i + 1 :]) for i, pile in enumerate(piles) for left in range(pile)
    }


def wythoff_moves(a: int, b: int) -> set[Point]:
    return nim_moves(a, b) | {(a - k, b - k) for k in range(1, min(a, b) + 1)}


def take_away_moves(v: int) -> set[Point]:
    return {(v - k,) for k in (1, 2, 3, 4) if k <= v}


def chomp_moves(a: int, b: int) -> set[Point]:
    bitten = {(i, min(b, i)) for i in range(1, a)}
    return bitten | {(a, i) for i in range(b)}


def divide_moves(a: int, b: int) -> set[Point]:
    return {(k, kept - k) for kept in (a, b) for k in range(1, kept)}


def odd_or_even_moves(a: int, b: int) -> set[Point]:
    return {(a - k, b) for k in range(1, a + 1, 2)} | {(a, b - k) for k in range(2, b + 1, 2)}


def circular_moves(*piles: int) -> set[Point]:
    found = set()
    for i in range(3):
        smaller = [range(p + 1) if j != i else (p,) for j, p in enumerate(piles)]
        found |= set(itertools.product(*smaller))
    return found - {piles}


def halve_moves(v: int) -> set[Point]:
    return ({(v - 1,)} if v >= 1 else set()) | ({(v // 2,)} if v >= 2 else set())


GAMES: dict[str, tuple[str, Callable[..., set[Point]], list[tuple[int, int]], str]] = {
    "nim2": (NIM2, nim_moves, [(0, 14)] * 2, "a + b"),
    "nim3": (NIM3, nim_moves, [(0, 6)] * 3, "a + b + c"),
    "wythoff": (WYTHOFF, wythoff_moves, [(0, 20)] * 2, "a + b"),
    "take_away": (TAKE_AWAY, take_away_moves, [(0, 60)], "v"),
    "chomp": (CHOMP, chomp_moves, [(1, 15), (0, 15)], "a + b"),
    "divide": (DIVIDE, divide_moves, [(1, 14)] * 2, "a + b"),
    "odd_or_even": (ODD_OR_EVEN, odd_or_even_moves, [(0, 15)] * 2, "a + b"),
    "circular": (CIRCULAR, circular_moves, [(0, 4)] * 3, "a + b + c"),
    "halve": (HALVE, halve_moves, [(0, 80)], "v"),
}


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", GAMES)
def test_labels_follow_the_rules_of_play(name: str, rule: str) -> None:
    text, moves, sides, rank = GAMES[name]

    @cache
    def wins(state: Point) -> bool:
        after = moves(*state)
        return any(not wins(s) for s in after) if after else rule == "misere"

    for labels in (labels_of(text, sides, rule), labels_of(text, sides, rule, rank)):
        states = [tuple(s) for s in labels.states.tolist()]
        assert states == sorted(states)
        assert labels.outcome.tolist() == [WINNING if wins(s) else LOSING for s in states]
        assert labels.ending.tolist() == [not moves(*s) for s in states]
        assert labels.known.all() and not labels.undecided.any()


# --- what must not be guessed ---------------------------------------------------------


def test_moves_that_leave_the_box_leave_states_unknown() -> None:
    text = """game grow var a, b legal a >= 0 and b >= 0
    action trade pre b >= 2 eff a := a + 1, b := b - 2
    action drop pre a >= 1 eff a := a - 1"""
    labels = labels_of(text, [(0, 2), (0, 4)], "normal")
    # (2, b) with b >= 2 trades to a = 3, out of sight, and drops to (1, b), which wins.
    unknown = labels.states[labels.outcome == UNKNOWN].tolist()
    assert unknown == [[2, 2], [2, 3], [2, 4]]
    assert not labels.ending[labels.outcome == UNKNOWN].any()
    wide = labels_of(text, [(0, 9), (0, 4)], "normal")
    for state, outcome in zip(labels.states.tolist(), labels.outcome, strict=True):
        assert outcome in (UNKNOWN, wide.at(tuple(state)))
    assert wide.at((2, 2)) == LOSING and wide.at((10, 0)) == UNKNOWN


@pytest.mark.parametrize("rank", ["", "v", "-v"])
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_cycles_stay_unknown_and_a_wrong_ranking_does_no_harm(rule: str, rank: str) -> None:
    text = """game swap var v legal 0 <= v <= 9
    action flip pre v >= 8 eff v := 17 - v
    action walk pre 1 <= v <= 7 eff v := v - 1"""
    labels = labels_of(text, [(0, 9)], rule, rank)
    first = LOSING if rule == "normal" else WINNING
    assert labels.outcome.tolist() == [v % 2 ^ first for v in range(8)] + [UNKNOWN] * 2
    cycle = find_cycle(game_of(text), labels.box)
    assert cycle in (((8,), (9,), (8,)), ((9,), (8,), (9,)))


def test_a_self_loop_is_a_cycle_even_where_labels_are_known() -> None:
    text = """game loop var v legal v >= 0
    action stay pre v = 3 eff v := v
    action take pre v >= 1 eff v := v - 1"""
    labels = labels_of(text, [(0, 5)], "normal")
    assert labels.at((3,)) == WINNING  # to 2, which loses
    assert find_cycle(game_of(text), labels.box) == ((3,), (3,))
    wythoff = labels_of(WYTHOFF, [(0, 6)] * 2, "normal")
    assert find_cycle(game_of(WYTHOFF), wythoff.box) is None


def test_endless_parameters() -> None:
    """Values without a bound: found where small ones do, undecided where none does."""
    text = """game endless var v legal v >= 0
    action any(k) pre k >= 3 and v >= 2 eff v := v - 1
    action never(k) pre k mod 2 = 0 and k mod 2 = 1 and v = 1 eff v := v - 1"""
    normal, misere = (labels_of(text, [(0, 4)], rule) for rule in ("normal", "misere"))
    assert normal.undecided.tolist() == [False, True, False, False, False]
    assert normal.ending.tolist() == [True, False, False, False, False]
    assert normal.at((0,)) == LOSING and misere.at((0,)) == WINNING
    assert misere.at((1,)) == UNKNOWN == normal.at((1,))


def test_a_declared_end_has_no_moves_and_states_without_moves_end() -> None:
    text = """game stop var v legal v >= 0 end v = 2
    action take(k) pre k in {2, 3} and k <= v eff v := v - k"""
    labels = labels_of(text, [(0, 7)], "normal")
    assert labels.ending.tolist() == [True, True, True] + [False] * 5
    assert labels.outcome.tolist() == [0, 0, 0, 1, 1, 1, 0, 0]


def test_results_past_64_bits_are_outside_the_box() -> None:
    huge = 2**64
    text = f"""game far var v legal v >= 0
    action jump pre v = 2 eff v := v + {huge}
    action wrap pre v = 4 eff v := {huge} * v - 3
    action take pre v >= 1 eff v := v - 1"""
    labels = labels_of(text, [(0, 5)], "normal")
    # 2 -> 1 wins? no: 1 wins, and the jump is out of sight; so 2 and 3 are open.
    assert labels.outcome.tolist() == [0, 1, -1, -1, -1, -1]


def test_boxes_past_the_cap_are_refused_with_their_size() -> None:
    game = game_of(WYTHOFF)
    with pytest.raises(Refused, match="1,002,001 cells"):
        label(game, Box.of(game, 1000), "normal", max_cells=10**6)
    with pytest.raises(Refused, match="moves"):
        label(game, Box.of(game, 40), "normal", max_cells=5_000)
    assert label(game, Box.of(game, 40), "normal", (parse_term("a + b", "ab"),), 5_000).known.all()
    with pytest.raises(Refused, match="quantifier"):
        quantified = game_of("game q var v action t pre exists x. x + x = v eff v := v - 1")
        label(quantified, Box(("v",), ((0, 3),)), "normal")


# --- random games -------------------------------------------------------------------------


def judged(
    text: str, sides: Iterable[tuple[int, int]], rule: str
) -> tuple[Graph, dict[Point, int]]:
    """Who wins in a box as the judge of the experiments has it, drawn states as unknown."""
    play = Play(read_rules(text))
    states = itertools.product(*(range(low, high + 1) for low, high in sides))
    graph = explored(play, states, 1000, random.Random(0))
    found = outcomes(graph, rule)
    sign = {"won": WINNING, "lost": LOSING}
    return graph, {state: sign.get(found.get(state, ""), UNKNOWN) for state in graph.moves}


vectors = st.tuples(st.integers(-3, 2), st.integers(-3, 2))


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(vectors, st.integers(1, 3), st.booleans()), min_size=1, max_size=3),
    st.sampled_from(["normal", "misere"]),
    st.sampled_from(
        ["a >= 0 and b >= 0", "0 <= a <= b", "a >= 0 and b >= 0 and (a + b) mod 3 != 1"]
    ),
    st.sampled_from(["a + b", "2 * a + b", "b", "-a"]),
)
def test_random_two_pile_games(
    actions: list[tuple[Point, int, bool]], rule: str, legal: str, rank: str
) -> None:
    """Moves by k times a vector, some piecewise, some out of the box, some in circles."""
    text = f"game random var a, b legal {legal}\n"
    for i, ((da, db), most, clipped) in enumerate(actions):
        b_after = f"max(0, b + {db} * k)" if clipped else f"b + {db} * k"
        text += f"action m{i}(k) pre 1 <= k <= {most} eff a := a + {da} * k, b := {b_after}\n"
    sides = [(0, 5)] * 2
    graph, expected = judged(text, sides, rule)
    for hint in ("", rank):
        labels = labels_of(text, sides, rule, hint)
        found = dict(zip(map(tuple, labels.states.tolist()), labels.outcome.tolist(), strict=True))
        assert found == expected
        assert labels.ending.tolist() == [not graph.moves[state].moves for state in expected]
    cycle = find_cycle(game_of(text), labels.box)
    assert (cycle is None) == (endless(graph) is None)
    if cycle is not None:
        assert cycle[0] == cycle[-1]
        assert all(new in graph.after[state] for state, new in itertools.pairwise(cycle))


@settings(max_examples=40, deadline=None)
@given(st.sets(st.integers(1, 9), min_size=1, max_size=4), st.sampled_from(["normal", "misere"]))
def test_random_subtraction_games(amounts: set[int], rule: str) -> None:
    listed = ", ".join(map(str, amounts))
    text = f"game s var v legal v >= 0 action t(k) pre k in {{{listed}}} and k <= v eff v := v - k"
    wins: list[bool] = []
    for v in range(60):
        after = [wins[v - k] for k in amounts if k <= v]
        wins.append(not all(after) if after else rule == "misere")
    for rank in ("", "v"):
        labels = labels_of(text, [(0, 59)], rule, rank)
        assert labels.outcome.tolist() == [int(w) for w in wins]


@pytest.mark.parametrize("ranking", [None, (Name("a"), Name("b"))])
def test_labelling_ends_with_its_budget(ranking):
    """Level by level, or by counting moves: neither goes on for as long as it likes."""
    text = "game g var a, b legal a >= 0 and b >= 0 action t pre a > 0 eff a := a - 1, b := 5"
    game = parse(Source("g", text)).game()
    with pytest.raises(BudgetSpent):
        label(game, Box.of(game, 400), "normal", ranking, budget=Budget(0))
