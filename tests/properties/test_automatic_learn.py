"""Automata learned from boxes of labels, against closed forms, brute force and random targets."""

from __future__ import annotations

import itertools
import random
from functools import cache, reduce
from math import isqrt
from operator import xor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base, numeration, ostrowski, parry
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, NoFit, learn
from icgsynth.synth.digits.slopes import candidates

ZECKENDORF = ostrowski(1)
SYSTEMS = [
    *map(base, (2, 3, 10)),
    *(ostrowski(a, second) for a in (1, 2, 3) for second in range(2, a + 2)),
    *map(parry, [(1, 1, 1), (2, 1), (2, 2), (2, 0, 1), (1, 0, 0, 1), (2, 1, 2)]),
]


def minutes():
    return Budget(60.0)


def automaton(system, learned):
    tracks = next(n for n in range(7) if system.digits**n == learned.transitions.shape[1])
    rows = tuple(map(tuple, learned.transitions.tolist()))
    return Automaton(system, tuple("abcdef"[:tracks]), rows, tuple(learned.accepting.tolist()))


def found(system, grid, **options):
    """The learned automaton, which agrees with the grid, here past the last full length too."""
    learned = learn(system, grid, minutes(), **options)
    assert isinstance(learned, LearnedAutomaton), learned
    assert learned.transitions.dtype == np.int32
    assert learned.transitions[0, 0] == 0
    told = automaton(system, learned)
    cells = list(itertools.product(range(len(grid)), repeat=grid.ndim))
    rng = random.Random(1)
    for cell in [*cells[:200], *rng.sample(cells, min(2000, len(cells)))]:
        assert told.accepts(cell) == grid[cell]
    for cell in np.argwhere(grid)[:1000].tolist():
        assert told.accepts(cell)
    return told


# --- games, by hand ------------------------------------------------------------------------


def wythoff_pair(n, m=1):
    """The n-th losing pair of m-Wythoff: floor(n alpha), floor(n alpha) + n m, exactly.

    Fraenkel, How to beat your Wythoff games' opponent on three fronts (Amer. Math. Monthly 89,
    1982): alpha = (2 - m + sqrt(m^2 + 4)) / 2.
    """
    first = (n * (2 - m) + isqrt(n * n * (m * m + 4))) // 2
    return first, first + n * m


def wythoff(size, m=1):
    grid = np.zeros((size, size), bool)
    for a, b in (wythoff_pair(n, m) for n in range(size)):
        if b < size:
            grid[a, b] = grid[b, a] = True
    return grid


def played(size, moves, tracks):
    """Losing states by brute force, states in lexicographic order."""
    grid = np.zeros((size,) * tracks, bool)
    for state in itertools.product(range(size), repeat=tracks):
        grid[state] = not any(grid[after] for after in moves(*state))
    return grid


def wythoff_moves(m):
    def moves(x, y):
        yield from ((i, y) for i in range(x))
        yield from ((x, j) for j in range(y))
        for i, j in itertools.product(range(x), range(y)):
            if abs((x - i) - (y - j)) < m:
                yield i, j

    return moves


def wythoff_ending(size, last):
    """Wythoff's game that ends, for the loser, once x + y <= last."""
    grid = np.zeros((size, size), bool)
    row, diagonal = np.zeros(size, bool), np.zeros(2 * size, bool)
    for total in range(2 * size - 1):
        x = np.arange(max(0, total - size + 1), min(total, size - 1) + 1)
        y = total - x
        if total > last:
            lost = ~(row[x] | row[y] | diagonal[x - y + size])
            x, y = x[lost], y[lost]
        grid[x, y] = row[x] = row[y] = diagonal[x - y + size] = True
    return grid


def nim(piles, size):
    return np.bitwise_xor.reduce(np.indices((size,) * piles), axis=0) == 0


def mark(size, factor):
    """n -> n - 1, .., n - (factor - 1), floor(n / factor)."""

    def moves(n):
        yield from ((n - i,) for i in range(1, factor) if i <= n)
        if n:
            yield (n // factor,)

    return played(size, moves, 1)


def test_the_closed_forms_are_those_of_the_rules():
    for m in (1, 2, 3):
        assert (wythoff(25, m) == played(25, wythoff_moves(m), 2)).all()


# --- learning games ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("m", "system", "size", "states"),
    [(1, "zeckendorf", 22, 8), (2, "ostrowski-2", 239, 10), (3, "ostrowski-3", 1549, 12)],
)
def test_wythoff_games_far_outside_the_box(m, system, size, states):
    told = found(numeration(system), wythoff(size, m))
    assert len(told) == states
    rng = random.Random(m)
    for magnitude in (10**2, 10**4, 10**6, 10**25, 10**40):
        for _ in range(60):
            n = rng.randrange(1, magnitude)
            a, b = wythoff_pair(n, m)
            assert told.accepts((a, b))
            assert told.accepts((b, a))
            for x, y in ((a, b + 1), (a, b - 1), (a + 1, b), (a - 1, b - 1), (a + 1, b + 1)):
                # One losing pair a row and a difference.
                assert not told.accepts((x, y))


@pytest.mark.parametrize("piles", [1, 2, 3, 4, 5])
def test_nim_with_numbers_of_thirty_digits(piles):
    told = found(base(2), nim(piles, 8))
    assert len(told) == 2
    rng = random.Random(piles)
    for _ in range(50):
        numbers = [rng.randrange(10**30) for _ in range(piles - 1)]
        last = reduce(xor, numbers, 0)
        assert told.accepts((*numbers, last))
        assert not told.accepts((*numbers, last + 1))


def test_a_long_subtraction_game():
    told = found(base(2), np.arange(2**14) % 51 == 0)
    assert told.accepts((51 * 10**30,))
    assert not told.accepts((51 * 10**30 + 1,))


def test_trivial_sets():
    for system in SYSTEMS:
        size = system.weight(4)
        assert isinstance(learn(system, np.zeros((size, size), bool), minutes()), NoFit)
        everything = found(system, np.ones((system.weight(8 if system.digits < 10 else 4),), bool))
        assert all(everything.accepts((n,)) for n in (0, 1, 10**6, 10**21))


# --- random targets ------------------------------------------------------------------------


@st.composite
def targets(draw, symbols, most):
    """A complete automaton whose initial state zeros keep."""
    states = draw(st.integers(1, most))
    row = st.lists(st.integers(0, states - 1), min_size=symbols, max_size=symbols)
    rows = np.array(draw(st.lists(row, min_size=states, max_size=states)))
    rows[0, 0] = 0
    accepting = draw(st.lists(st.booleans(), min_size=states, max_size=states))
    return rows, np.array(accepting)


@cache
def padded(system, length):
    """(length, numbers): the digits of all numbers of at most that length."""
    words = [system.representation(n) for n in range(system.weight(length))]
    return np.array([(0,) * (length - len(w)) + w for w in words]).T


def grid_of(system, tracks, length, target):
    """The tuples below ``U_length`` whose words the target accepts."""
    rows, accepting = target
    digits = padded(system, length)
    states = np.zeros((digits.shape[1],) * tracks, int)
    for digit in digits:
        symbol = reduce(lambda s, d: np.add.outer(s * system.digits, d), [digit] * tracks)
        states = rows[states, symbol]
    return accepting[states]


def differ(learned, target):
    """A word on which the two differ, in base 2 with two tracks: all pairs of states."""
    todo, seen = [(0, 0)], {(0, 0)}
    while todo:
        p, q = todo.pop()
        if learned.accepting[p] != target[1][q]:
            return True
        for pair in zip(learned.transitions[p].tolist(), target[0][q].tolist(), strict=True):
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return False


def agrees(system, tracks, length, learned, grid):
    """On all tuples of numbers of at most that length."""
    target = learned.transitions, learned.accepting
    return bool((grid_of(system, tracks, length, target) == grid).all())


@examples(12, 75, targets(4, 4))
def test_small_automata_over_base_2_are_found_again(target):
    """The target has at most 4 states and the other one 5, and they agree on all words of length
    8 > 4 + 5 - 2.  Three-tails tell any two states of the target apart, and words of three symbols
    lead to each."""
    grid = grid_of(base(2), 2, 8, target)
    learned = learn(base(2), grid, minutes())
    assert isinstance(learned, LearnedAutomaton) == grid.any()
    if grid.any():
        assert len(learned.accepting) <= len(target[1]) + 1
        assert not differ(learned, target)


@examples(
    12, 50, st.sampled_from(SYSTEMS).flatmap(lambda s: st.tuples(st.just(s), targets(s.digits, 3)))
)
def test_small_automata_over_any_system_agree_with_the_labels(drawn):
    system, target = drawn
    length = 30
    while system.weight(length) > 20_000:
        length -= 1
    grid = grid_of(system, 1, length, target)
    learned = learn(system, grid, minutes())
    assert isinstance(learned, NoFit) or agrees(system, 1, length, learned, grid)


@settings(max_examples=60, deadline=None)
@given(targets(9, 2))
def test_two_tracks_of_a_system_with_forbidden_words(target):
    system = ostrowski(2, 2)
    grid = grid_of(system, 2, 6, target)
    learned = learn(system, grid, minutes())
    assert isinstance(learned, NoFit) or agrees(system, 2, 6, learned, grid)
    if not isinstance(learned, NoFit):
        # And no word of that length that represents nothing.
        accepted = learned.accepting.astype(int)
        for _ in range(6):
            accepted = accepted[learned.transitions].sum(axis=1)
        assert accepted[0] == np.count_nonzero(grid)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(SYSTEMS[:6]), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_labels_without_structure(system, size, seed):
    """Whatever is learned agrees with all labels up to the last full length."""
    grid = np.random.default_rng(seed).random((size, size)) < 0.02
    learned = learn(system, grid, minutes())
    if isinstance(learned, NoFit):
        assert learned.reason == "the box is too small"
        return
    told = automaton(system, learned)
    full = max(w for w in map(system.weight, range(10)) if w <= size)
    assert all(told.accepts(cell) == grid[cell] for cell in np.ndindex(full, full))


# --- what does not fit ---------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["base-2", "base-3", "ostrowski-2", "tribonacci", "parry-2-1-1"])
@pytest.mark.parametrize("size", [100, 500, 2100])
def test_wrong_systems_are_rejected(wrong, size):
    assert isinstance(learn(numeration(wrong), wythoff(size), minutes()), NoFit)


def test_nim_is_not_automatic_in_these():
    for system in (ZECKENDORF, base(3), ostrowski(3)):
        assert isinstance(learn(system, nim(3, 128), minutes()), NoFit)


def test_limits():
    grid = wythoff(100)
    assert learn(ZECKENDORF, grid, minutes(), max_states=3) == NoFit("more than 3 states")
    assert learn(ZECKENDORF, grid, Budget(0.0)) == NoFit("no time is left")
    assert isinstance(learn(base(10), np.ones((2,) * 6, bool), minutes()), NoFit)  # 10^6 symbols
    assert isinstance(learn(base(2), np.ones((1,), bool), minutes()), NoFit)
    for shape in ((), (2, 3)):
        with pytest.raises(ValueError, match="no cube"):
            learn(base(2), np.zeros(shape, bool), minutes())
    with pytest.raises(ValueError, match="no cube"):
        learn(base(2), np.zeros((4, 4), bool), minutes(), domain=np.ones((4,), bool))


def test_the_least_size_that_tells():
    """The words of Wythoff's pairs below 21, the eighth Fibonacci number, tell the automaton."""
    sizes = [
        n for n in range(13, 30) if isinstance(learn(ZECKENDORF, wythoff(n), minutes()), NoFit)
    ]
    assert sizes == list(range(13, 21))


# --- labels that are not known -------------------------------------------------------------


def test_unknown_labels_agree_with_anything_or_stop_the_learner():
    grid = wythoff(100)
    x, y = np.indices(grid.shape)
    domain = x + y <= 130
    spoilt = grid ^ ~domain
    told = learn(ZECKENDORF, spoilt, minutes(), domain=domain)
    assert isinstance(told, LearnedAutomaton)
    assert automaton(ZECKENDORF, told).accepts(wythoff_pair(10**30))
    assert isinstance(learn(ZECKENDORF, spoilt, minutes()), NoFit)
    for cell in ((0, 0), (1, 2)):
        domain[cell] = False
        stopped = learn(ZECKENDORF, spoilt, minutes(), domain=domain)
        assert isinstance(stopped, NoFit)


# --- which systems -------------------------------------------------------------------------


def names(grid, *constants):
    return [system.name for system in candidates(grid, constants)]


def starts():
    """The first numbers of Wythoff's pairs, as a set of one variable."""
    grid = np.zeros(2000, bool)
    grid[[wythoff_pair(n)[0] for n in range(1000)]] = True
    return grid


@pytest.mark.parametrize(
    ("grid", "constants", "first"),
    [
        *((wythoff(size), (), ["zeckendorf"]) for size in (40, 60, 100, 250, 620, 1000)),
        *((wythoff(size), (3, 7), ["zeckendorf"]) for size in (40, 1000)),
        (wythoff_ending(300, 6), (), ["zeckendorf"]),
        (starts(), (), ["zeckendorf"]),
        *((nim(piles, 16), (), ["base-2"]) for piles in (2, 3, 4)),
        (mark(300, 3), (3,), ["base-2", "base-3", "base-4"]),
        (mark(300, 2), (1, 2), ["base-2", "base-3"]),
        (np.arange(2000) % 51 == 0, (50, -4, 0), ["base-2", "zeckendorf"]),
        (
            *(np.zeros((9, 9), bool), (5, 3, 3)),
            # 15 is the product of the two constants.
            ["base-2", "base-5", "base-3", "base-6", "base-15", "base-4", "zeckendorf"],
        ),
    ],
)
def test_slopes_and_constants_call_for_systems(grid, constants, first):
    assert names(grid, *constants)[: len(first)] == first


def test_every_candidate_has_a_name_that_finds_it():
    for m, size in itertools.product((1, 2, 3), (35, 350)):
        for system in candidates(wythoff(size, m), range(20)):
            assert numeration(system.name) == system


def test_odd_shapes_and_scatter_call_for_nothing_special():
    scattered = np.random.default_rng(0).random((200, 200)) < 0.01
    for grid in (scattered, np.ones((50, 50), bool), np.zeros((1,), bool), np.ones((1, 1), bool)):
        assert names(grid)[0] == "base-2"


def test_a_slope_of_another_field():
    """sqrt(3) = [1; 1, 2, 1, 2, ...] has period 2: only systems of its field, late."""
    grid = np.zeros((1000, 1000), bool)
    for n in range(577):
        grid[n, isqrt(3 * n * n)] = True
    assert "unit-4" in names(grid)  # 2 + sqrt(3) is the unit
    assert not any(name.startswith("ostrowski") for name in names(grid))
