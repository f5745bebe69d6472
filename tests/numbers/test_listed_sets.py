"""Sets of numbers that rules name, against definitions of their own and play by them.

Faults it sees: a number that is missing from a list or is none of the set, a list that is cut below
what a move may be, states past the list that are called legal, and a set read as if it had no end.
"""

from __future__ import annotations

from math import comb, factorial, isqrt

import numpy as np
import pytest
from commands import call, refused
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns, satisfies
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.solve.search import solve

SETS = {
    "squares": lambda n: n >= 0 and isqrt(n) ** 2 == n,
    "cubes": lambda n: any(i**3 == n for i in range(22)),
    "triangular_numbers": lambda n: any(comb(i + 1, 2) == n for i in range(142)),
    "fibonacci_numbers": lambda n: (
        n >= 0 and any(isqrt(5 * n * n + c) ** 2 == 5 * n * n + c for c in (4, -4))
    ),
    "primes": lambda n: n > 1 and not any(n % d == 0 for d in range(2, n)),
    "prime_powers": lambda n: any(
        p**i == n for p in range(2, n + 1) if all(p % d for d in range(2, p)) for i in range(1, 14)
    ),
    "factorials": lambda n: any(factorial(i) == n for i in range(8)),
    "self_powers": lambda n: any(i**i == n for i in range(1, 6)),
    "powers_of_2": lambda n: n > 0 and n & (n - 1) == 0,
    "powers_of_3": lambda n: n in {3**i for i in range(9)},
}


def rules(precondition, legal="n >= 0"):
    return f"game g var n legal {legal} action take(k) pre {precondition} eff n := n - k"


def lost(holds, last):
    """The lost states up to ``last`` where ``holds(k, n)`` says what may be taken."""
    found: set[int] = set()
    for n in range(last + 1):
        if not any(holds(k, n) and n - k in found for k in range(1, n + 1)):
            found.add(n)
    return found


def labelled_lost(game, last):
    labels = label(game, Box.of(game, last), "normal")
    rows = zip(labels.states.tolist(), labels.outcome.tolist(), strict=True)
    return {state[0] for state, outcome in rows if outcome == LOSING}


@pytest.mark.parametrize("name", SETS)
def test_what_is_lost_up_to_the_bound_is_what_the_definition_says(name):
    last = 127 if name.startswith("powers") else 1_000  # digits are played out in a smaller box
    game = loads(rules(f"k >= 1 and k in {name} and k <= n")).game
    members = {number for number in range(last + 1) if SETS[name](number)}
    assert labelled_lost(game, last) == lost(lambda k, _: k in members, last)


@settings(max_examples=25, deadline=None)
@given(
    name=st.sampled_from(sorted(SETS)),
    factor=st.integers(1, 3),
    shift=st.integers(-3, 3),
    last=st.integers(20, 60),
    positive=st.booleans(),
)
def test_a_list_is_cut_to_what_a_move_may_be(name, factor, shift, last, positive):
    """The bound is the user's own; the set is asked about a term, also in the negative."""
    word = "in" if positive else "not in"
    asked = f"{factor} * n - k + {shift} {word} {name} and 1 <= k <= n"
    game = loads(rules(asked, f"0 <= n <= {last}")).game
    expected = lost(lambda k, n: SETS[name](factor * n - k + shift) is positive, last)
    assert labelled_lost(game, last) == expected


@pytest.mark.parametrize(
    "asked",
    [
        "exists j. j in squares and {m} * j = k + 3 and j <= n",
        "not (forall j. j in squares and j <= n -> {m} * j != k + 3)",
        "not (forall j. j >= 0 and j <= n -> (j in squares -> {m} * j != k + 3))",
    ],
)
@pytest.mark.parametrize("m", [1, 2, 3])
def test_a_set_is_bounded_by_what_stands_beside_it(asked, m):
    """Under a quantifier too.  A mutant that looks at the conditions of the whole move alone
    refuses these rules; one that cuts a set by what holds elsewhere takes other moves."""
    text = f"1 <= k and k <= n and ({asked.format(m=m)} or k = 4 and n in squares)"
    game = eliminate_quantifiers(loads(rules(text, "0 <= n <= 90")).game, Budget(60))
    assert labelled_lost(game, 90) == lost(
        lambda k, n: (
            any(m * i * i == k + 3 and i * i <= n for i in range(10))
            or (k == 4 and SETS["squares"](n))
        ),
        90,
    )


def test_states_past_the_list_are_not_legal_and_a_warning_says_so(capfd, tmp_path):
    path = tmp_path / "g.icg"
    path.write_text(rules("1 <= k <= n and k in squares"))
    done = call(capfd, "solve", path, "--at", 1000, "-t", 5)
    assert "n <= 1000" in done.stderr
    assert "not a legal state" in refused(capfd, "solve", path, "--at", 1001)


@pytest.mark.parametrize("radix", [2, 3, 10, 16])
def test_powers_have_no_bound_in_what_a_move_requires(radix):
    """Mutants that it kills: one that lists them calls the state illegal; one that reads binary
    digits takes 4 for a power of 16."""
    game = loads(rules(f"k in powers_of_{radix} and k <= n")).game
    assert game.is_legal((10**30,))
    assert not game.warnings
    taken = {move.arguments[0][1] for move in game.moves((5_000,))}
    assert taken == {radix**i for i in range(13) if radix**i <= 5_000}


@pytest.mark.parametrize("radix", [3, 4, 6])
def test_a_power_of_any_base_is_taken_and_all_numbers_are_solved(radix):
    """A power of b leaves 1 or b by b + 1; where b is odd, it is odd.  So the lost numbers are as
    those of a game of taking 1 or b."""
    solution = solve(loads(rules(f"k in powers_of_{radix} and k <= n")).game)
    assert solution.is_proved
    period = 2 if radix % 2 else radix + 1
    rests = {n for n in range(period) if n % 2 == 0 and n != radix}
    for n in (*range(300), 10**20, 10**20 + 1, 10**20 + 2):
        assert satisfies(solution.losing.formula, {"n": n}) == (n % period in rests)


def test_digits_of_few_states_are_said_by_a_list_where_no_automaton_is_found():
    """A mutant without the search in linear arithmetic says that nothing is claimed."""
    asked = "k in powers_of_3 and k <= n and ((n - k) mod 5 != 0 or n = k)"
    solution = solve(loads(rules(asked, "0 <= n <= 100")).game)
    assert solution.is_proved
    powers = {1, 3, 9, 27, 81}
    expected = lost(lambda k, n: k in powers and ((n - k) % 5 != 0 or n == k), 100)
    assert {n for n in range(101) if satisfies(solution.losing.formula, {"n": n})} == expected


def test_rules_speak_of_the_digits_of_one_base():
    """The first that they speak of; powers of other numbers are listed."""
    both = "k in powers_of_{} and k <= n and (k in powers_of_{} or k = 2)"
    for first, second, listed in ((3, 2, "powers_of_2"), (2, 3, "powers_of_3")):
        (warning,) = loads(rules(both.format(first, second))).game.warnings
        assert warning.count(listed) == 1
    with pytest.raises(InputError, match="'lowpart' is about binary digits") as caught:
        loads(rules("k in powers_of_3 and k <= lowpart(n)"))
    assert caught.value.mend


def test_a_set_below_a_bound_of_the_rules_leaves_all_states():
    """A mutant that bounds each variable as soon as a set is named refuses the state 10^30."""
    game = loads(rules("k in squares and 1 <= k <= min(n, 9)")).game
    assert not game.warnings
    taken = {move.arguments[0][1] for move in game.moves((10**30,))}
    assert taken == {1, 4, 9}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (rules("k in squares and 1 <= k <= n").replace("n - k", "n + k"), "may raise n"),
        (rules("k in squares and k <= n", "0 <= n <= 20000"), "k may be larger"),
        (rules("100 * n + k in squares and 1 <= k <= n"), "100 * n + k may be larger"),
        (rules("k in quares and k <= n"), "unknown set 'quares'"),
        (rules("k in powers_of_1 and k <= n"), "unknown set 'powers_of_1'"),
        (rules("(k, n) in squares and k <= n"), "unknown set 'squares'"),
        (rules("exists j. j in squares and k = 2 * j and k <= n"), "may raise n"),
    ],
)
def test_where_the_list_may_be_too_short_the_rules_are_refused(text, said):
    with pytest.raises(InputError, match=r"^text:") as caught:
        loads(text)
    assert said in str(caught.value)
    assert caught.value.mend


def test_families_heaps_and_answers_have_no_such_sets(capfd, tmp_path):
    heaps, family = tmp_path / "h.icg", tmp_path / "f.icg"
    heaps.write_text(
        "heaps h var n legal n >= 0 action t(k) pre k in squares and k <= n into n - k"
    )
    family.write_text(rules("k in squares and m <= k <= n").replace("var", "const m = 3 var"))
    assert "squares in these rules" in refused(capfd, "value", heaps)
    assert "squares in these rules" in refused(capfd, "family", family, "--over", "m=1..4")
    assert "unknown set" in refused(capfd, "verify", "take_away", "--losing", "v in squares")


def test_columns_look_a_number_up_in_a_set():
    """Short sets are compared with; wide numbers are no 64-bit ones, in the column or the set."""
    primes = tuple(n for n in range(200) if SETS["primes"](n))
    for more in ((), (2**80,)):
        listed = t.Member(t.Name("n"), tuple(map(t.Int, (*primes, *more))))
        for far in (250, 2**80, -(2**80)):
            column = np.array([*range(-5, 250), far], dtype=np.int64 if far == 250 else object)
            found = columns(listed, {"n": column}).tolist()
            assert found == [n in (*primes, *more) for n in column.tolist()]
