"""Common divisors and divisibility in rules and formulas, against ``math.gcd`` and play by hand.

Faults it sees: a prime factor that is forgotten, a power of one that is taken for the prime, 0 and
negative numbers that have other divisors than theirs, a bound of common divisors that is too small,
and states past a bound that are called legal.
"""

from __future__ import annotations

import json
from math import gcd

import pytest
from commands import call, refused
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.errors import IcgError
from icgsynth.explicit.box import Box
from icgsynth.explicit.labels import LOSING, label
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.nodes import MEANING
from icgsynth.numbers.divisors import divisors
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse_formula, parse_term

NUMBERS = st.integers(-60, 60) | st.sampled_from([0, 1, -1, 2**31, 2**62, 10**30, 10**30 + 1])
CONSTANTS = st.integers(-40, 40) | st.sampled_from([360, 1024, 9_699_690, 2**62, 10**30, 999_983])


HEAPS = (
    "heaps h var n legal n >= 0 action t(k) pre 1 <= k <= n and k <= 9 and gcd(k, 6) = 1 into n - k"
)


def rules(precondition, legal="n >= 0", more=""):
    return f"game g {more} var n legal {legal} action take(k) pre {precondition} eff n := n - k"


def lost(last, takes):
    """The lost numbers up to ``last`` where ``takes(k, n)`` says what may be taken."""
    found: set[int] = set()
    for n in range(last + 1):
        if not any(takes(k, n) and n - k in found for k in range(1, n + 1)):
            found.add(n)
    return found


def labelled_lost(text, last):
    game = loads(text).game
    labels = label(game, Box.of(game, last), "normal")
    rows = zip(labels.states.tolist(), labels.outcome.tolist(), strict=True)
    return {state[0] for state, outcome in rows if outcome == LOSING}


@settings(max_examples=150, deadline=None)
@given(number=NUMBERS, constant=CONSTANTS, op=st.sampled_from(sorted(MEANING)), data=st.data())
def test_what_is_said_of_a_gcd_with_a_number_is_so(number, constant, op, data):
    among = [0, 1, 2, -1, abs(constant), *divisors(abs(constant) or 1)[:8], gcd(number, constant)]
    bound = data.draw(st.sampled_from(among))
    text = f"gcd(2 * n - 1, {constant}) {op} {bound}"
    formula = parse_formula(text, ["n"])
    assert satisfies(formula, {"n": number}) == MEANING[op](gcd(2 * number - 1, constant), bound)
    swapped = parse_formula(f"{bound} {op} gcd({constant}, n)", ["n"])
    assert satisfies(swapped, {"n": number}) == MEANING[op](bound, gcd(number, constant))


@settings(max_examples=60, deadline=None)
@given(number=NUMBERS, constant=st.integers(-60, 60))
def test_a_gcd_with_a_number_is_computed_with(number, constant):
    term = parse_term(f"3 * gcd(n, {constant}) - gcd({constant}, 12)", ["n"])
    assert value(term, {"n": number}) == 3 * gcd(number, constant) - gcd(constant, 12)
    listed = parse_formula(f"gcd(n, {constant}) in {{1, 4, {constant}}}", ["n"])
    assert satisfies(listed, {"n": number}) == (gcd(number, constant) in (1, 4, constant))


def test_words_for_coprime_and_divides():
    for n in (*range(-12, 13), 10**30):
        env = {"n": n}
        assert satisfies(parse_formula("coprime(n, 6)", ["n"]), env) == (gcd(n, 6) == 1)
        assert satisfies(parse_formula("not (3 divides n + 1)", ["n"]), env) == (n % 3 != 2)
        both = parse_formula("forall j. coprime(j, 1) and (4 divides 4 * j + n or n != 4)", ["n"])
        assert str(parse_formula(str(both), ["n"])) == str(both)


def test_the_words_name_other_things_where_no_word_can_be():
    """``divides`` between two terms alone, ``gcd`` before a parenthesis."""
    text = "game g var gcd legal gcd >= 0 action divides(k) pre 1 <= k <= gcd eff gcd := gcd - k"
    assert {move.action for move in loads(text).game.moves((2,))} == {"divides"}


@pytest.mark.parametrize(
    ("asked", "takes"),
    [
        ("coprime(k, n)", lambda k, n: gcd(k, n) == 1),
        ("gcd(n, k) > 1", lambda k, n: gcd(n, k) > 1),
        ("gcd(k, n - k) != 2", lambda k, n: gcd(k, n - k) != 2),
        ("2 <= gcd(n, k + 1) <= 5", lambda k, n: 2 <= gcd(n, k + 1) <= 5),
        ("gcd(n - 3, k) in {1, 4, 6}", lambda k, n: gcd(n - 3, k) in (1, 4, 6)),
        ("gcd(n - k, k - 5) < 3", lambda k, n: gcd(n - k, k - 5) < 3),
        ("not (gcd(n - k, 2 * k - 8) >= 2)", lambda k, n: gcd(n - k, 2 * k - 8) < 2),
        ("k <= 20 and gcd(n, k) = k - 4", lambda k, n: k <= 20 and gcd(n, k) == k - 4),
        (
            "n <= 60 and n - k > gcd(n - k, k - 5)",
            lambda k, n: n <= 60 and n - k > gcd(n - k, k - 5),
        ),
        ("k divides n", lambda k, n: n % k == 0),
        ("not (k divides n) and gcd(k, 12) = 3", lambda k, n: n % k and gcd(k, 12) == 3),
    ],
)
def test_moves_by_a_gcd_of_two_unknowns_are_those_of_the_definition(asked, takes):
    """0 is among the numbers: ``gcd(0, 5)`` is 5, and ``gcd(0, 0)`` is 0."""
    text = rules(f"1 <= k <= n and ({asked})", "0 <= n <= 80")
    assert labelled_lost(text, 80) == lost(80, takes)


@pytest.mark.parametrize(
    ("asked", "lost"),
    [
        ("1 <= k <= n and gcd(min(n, 0), min(0, n)) <= 4", {0}),
        ("1 <= k <= 3 and k >= 5 and coprime(k, n)", set(range(10))),
        ("1 <= k <= 3 and k <= n and 4 divides k and gcd(k, gcd(k, 5)) <= 4", set(range(10))),
    ],
)
def test_a_gcd_of_terms_that_are_0_or_nothing_is_read(asked, lost):
    """A TypeError: the largest of no numbers, where both bounds are 0 or contradict each other."""
    assert labelled_lost(rules(asked, "0 <= n <= 9"), 9) == lost


def test_a_gcd_may_stand_under_a_quantifier():
    """A mutant that looks at the bounds of the move alone refuses these rules."""
    asked = "1 <= k <= n and (exists j. 1 <= j and j <= 6 and gcd(j, n) = 3 and k <= j + 1)"
    game = eliminate_quantifiers(loads(rules(asked)).game, Budget(60))
    assert not game.warnings
    for n in range(41):
        most = max((j + 1 for j in range(1, 7) if gcd(j, n) == 3), default=0)
        taken = {move.arguments[0][1] for move in game.moves((n,))}
        assert taken == set(range(1, min(n, most) + 1))


def test_a_gcd_with_a_bounded_parameter_is_exact_for_all_states():
    """A mutant that bounds n as soon as two unknowns have a gcd calls the state illegal."""
    game = loads(rules("1 <= k <= 6 and k <= n and gcd(k, n) = 2")).game
    assert not game.warnings
    assert {m.arguments[0][1] for m in game.moves((10**30,))} == {2, 6}
    solution = solve(loads(rules("1 <= k <= 4 and k <= n and coprime(k, n)")).game)
    assert solution.is_proved
    few = lost(200, lambda k, n: k <= 4 and gcd(k, n) == 1)
    assert few == {n for n in range(201) if satisfies(solution.losing.formula, {"n": n})}


def test_a_constant_chooses_the_residues():
    text = rules("1 <= k <= n and k <= 20 and gcd(k, c) = 1", more="const c = 15")
    for c in (1, 7, 12, 15, 30):
        solution = solve(loads(text, constants={"c": c}).game)
        assert solution.is_proved
        expected = lost(150, lambda k, n, c=c: k <= 20 and gcd(k, c) == 1)
        assert {n for n in range(151) if satisfies(solution.losing.formula, {"n": n})} == expected


def test_states_past_the_bound_are_not_legal_and_a_warning_says_so():
    game = loads(rules("1 <= k <= n and coprime(n, k)")).game
    (warning,) = game.warnings
    assert "common divisors are listed up to a bound" in warning and "n <= 500" in warning
    assert game.is_legal((500,)) and not game.is_legal((501,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (rules("1 <= k <= n and gcd(n, k) = k"), "compare gcd(n, k) with a number"),
        (rules("1 <= k <= n and gcd(n, k) = k"), "or bound n or k, up to 64"),
        (rules("1 <= k <= n", "0 <= n <= 9").replace(":= n", ":= gcd(n, k)"), "compare it with"),
        (rules("1 <= k <= n and coprime(k, n)").replace("n - k", "n + k"), "may raise n"),
        (rules("1 <= k <= n and gcd(n) = 1"), "gcd takes two numbers"),
        (rules("1 <= k <= n and gcd(k, 1000000016000000063) = 1"), "prime factors"),
        (rules("1 <= k <= n and 0 divides n"), "a divisor must be positive"),
        (rules("1 <= k <= n and coprime(n, k)", "0 <= n <= 20000"), "may be larger"),
    ],
)
def test_what_is_beyond_is_refused_with_a_mend(text, said):
    with pytest.raises(IcgError) as caught:
        assert loads(text).game
    assert said in str(caught.value)
    assert caught.value.mend


def test_a_number_whose_divisors_are_not_found_has_a_place():
    """A gcd with a number of 900 digits was refused without a word of where it stands."""
    for asked in (f"gcd(k, {'7' * 900}) = 1", "coprime(1000000016000000063, k)"):
        with pytest.raises(IcgError) as caught:
            assert loads(rules(f"1 <= k <= n and {asked}")).game
        assert caught.value.span.column == rules("1 <= k <= n and ").index(" eff") + 1


def test_families_heaps_and_formulas_take_a_gcd_with_a_number_alone(capfd, tmp_path):
    heaps, family = tmp_path / "h.icg", tmp_path / "f.icg"
    heaps.write_text(HEAPS)
    family.write_text(rules("1 <= k <= m and coprime(k, m) and k <= n", more="const m = 3"))
    assert call(capfd, "value", heaps, "--at", 5).returncode == 0
    heaps.write_text(heaps.read_text("utf-8").replace("gcd(k, 6)", "gcd(k, n)"))
    assert "common divisors in these rules" in refused(capfd, "value", heaps)
    assert "choose its constants" in refused(capfd, "family", family, "--over", "m=1..4")
    assert "not linear" in refused(capfd, "verify", "nim2", "--losing", "gcd(a, b) = 1")


def test_a_heap_loses_by_the_values_of_the_definition(capfd, tmp_path):
    heaps = tmp_path / "h.icg"
    heaps.write_text(HEAPS)
    found: list[int] = []
    for n in range(30):
        options = {found[n - k] for k in (1, 5, 7) if k <= n}
        found.append(next(g for g in range(5) if g not in options))
    for n in (0, 5, 12, 29):
        shown = call(capfd, "value", heaps, "--at", n, "--json").stdout
        assert json.loads(shown)["value"] == found[n]
