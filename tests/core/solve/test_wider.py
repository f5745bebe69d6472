"""Rules on more states: the given states are some of them, with the same outcomes.

Mutants that it kills: a goal that is off by one or read without its sign, an effect that is not
counted from the goal, a cut that is left out where a move may cross it, and marks that are cut.
"""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import strategies as st
from speed import examples

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import label
from icgsynth.game.solution import Claim, Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.solve.search import solve
from icgsynth.solve.wider import said_of, wider
from icgsynth.spec.icg import parse_formula


def outcomes(game, bound):
    labels = label(game, Box.of(game, bound), "normal")
    return dict(zip(map(tuple, labels.states.tolist()), labels.outcome.tolist(), strict=True))


@examples(
    15,
    60,
    st.integers(20, 40),
    st.integers(-3, 3),
    st.booleans(),
    st.booleans(),
    st.integers(1, 4),
    st.integers(0, 5),
)
def test_outcomes_are_those_of_the_wider_game(goal, least, strict, rises, most, banned):
    """The last number may be part of the state, and the cut may be written with < or with <=."""
    sign = "+" if rises else "-"
    cut = f"{least} <= n < {goal + 1}" if strict else f"n <= {goal} and {least - 1} < n"
    given = loads(
        f"game g var n, last legal {cut} and 0 <= last <= 4 action move(k) "
        f"pre 1 <= k <= {most} and k != last and n {sign} k != {banned} "
        f"and {least} <= n {sign} k <= {goal} eff n := n {sign} k, last := k"
    ).game
    more = wider(given)
    assert more is not None
    assert more.terms.keys() == ({"n"} if rises or abs(least) > 1 else set())
    assert more.game.is_legal((10**6, 0))
    known = outcomes(more.game, goal + 4)
    for state, outcome in outcomes(given, goal + 4).items():
        env = given.env(state)
        there = tuple(
            value(more.terms[name], env) if name in more.terms else env[name]
            for name in given.variables
        )
        assert known[there] == outcome, (state, there)


@pytest.mark.parametrize(
    "rules",
    [
        "legal 0 <= n <= 99 action a pre n >= 2 eff n := n - 2 action b pre n < 99 eff n := n + 1",
        "legal n >= 0 action a pre n >= 2 eff n := n - 2",
        "legal 0 <= n <= 9 action a pre n >= 2 eff n := n - 2",
        "legal 0 <= n <= 99 action a pre n >= 2 eff n := n",
    ],
    ids=["both ways", "no cut", "a mark", "never changed"],
)
def test_no_cut_is_left_out(rules):
    assert wider(loads(f"game g var n {rules}").game) is None


def test_numbers_below_a_goal_are_counted_from_it():
    """There is nothing to leave out, and yet only the other rules are about natural numbers."""
    game = loads("game g var n legal n <= 99 action a(k) pre k in {1, 3} eff n := n + k").game
    more = wider(game)
    assert str(more.terms["n"]) == "99 - n"
    known = outcomes(more.game, 50)
    assert all(known[(99 - n,)] == out for (n,), out in outcomes(game, 99).items() if n > 60)
    huge = loads(f"game g var n legal n <= {10**400} action a pre n > 0 eff n := n + 1").game
    assert wider(huge).terms["n"] == t.Sum((t.Int(10**400), t.Neg(t.Name("n"))))


def test_a_remainder_that_is_counted_from_a_goal_is_said_of_the_number_itself():
    """``(16 - n) mod 11 = 5`` is ``n mod 11 = 0``; fails where the way back is left as it is."""
    game = loads("game g var n legal 0 <= n <= 31 action a pre n < 31 eff n := n + 1").game
    more = wider(game)
    there = parse_formula("(n - 15) mod 11 = 5", ["n"])
    found = Solution(more.game, "normal", "solved", Claim(t.Not(there)), Claim(there))
    losing = said_of(game, more, found).losing_formula
    assert losing == parse_formula("n mod 11 = 0", ["n"])


@pytest.mark.slow
def test_what_is_lost_up_to_a_goal_is_said_from_the_goal():
    """The other search tells these states by an automaton alone."""
    game = loads(
        "game g var n, last legal 0 <= n <= 80 and 0 <= last <= 10 action add(k) "
        "pre 1 <= k <= 10 and n + k <= 80 and k != last eff n := n + k, last := k"
    ).game
    solution = solve(game, budget=Budget(300))
    assert solution.is_proved
    assert solution.is_linear
    lost = set()
    for n in range(80, -1, -1):
        for last in range(11):
            moves = [(n + k, k) for k in range(1, 11) if k != last and n + k <= 80]
            if not any(move in lost for move in moves):
                lost.add((n, last))
            claimed = satisfies(solution.losing.formula, {"n": n, "last": last})
            assert claimed == ((n, last) in lost)


@pytest.mark.slow
def test_a_queen_that_goes_to_the_far_corner_is_told_by_digits_from_there():
    """A list of the lost squares is the answer of a search that does not count from the corner."""
    game = loads(
        "game g var a, b legal 0 <= a <= 40 and 0 <= b <= 40 "
        "action right(k) pre 1 <= k and a + k <= 40 eff a := a + k "
        "action up(k) pre 1 <= k and b + k <= 40 eff b := b + k "
        "action both(k) pre 1 <= k and a + k <= 40 and b + k <= 40 eff a := a + k, b := b + k"
    ).game
    solution = solve(game, budget=Budget(300))
    assert solution.is_proved
    assert size(solution.losing.formula) < 40
    phi = (1 + 5**0.5) / 2  # Wythoff 1907; exact for numbers as small as these
    lost = {(int(i * phi), int(i * phi) + i) for i in range(40)}
    for a, b in product(range(41), repeat=2):
        claimed = satisfies(solution.losing.formula, {"a": a, "b": b})
        assert claimed == (tuple(sorted((40 - a, 40 - b))) in lost)
