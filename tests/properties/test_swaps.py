"""Sets of states in which variables may be swapped, said by min, max and abs: the same sets."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.icg import parse_formula
from icgsynth.synth.linear.finish import by_symmetry
from icgsynth.synth.linear.polish import Legal

RULES = "game g var {} legal {} action no pre false eff a := a"
SIDE = 11  # numbers up to this are tried; they reach past the constants and periods below

numbers, names = st.integers(0, 4), st.sampled_from("XYZ")
literals = st.one_of(
    st.builds("{} {} {}".format, names, st.sampled_from(["=", "!=", "<=", ">"]), numbers),
    st.builds("{} {} {} + {}".format, names, st.sampled_from(["=", "<", ">="]), names, numbers),
    st.builds("({} + {}) mod 3 = {}".format, names, names, st.integers(0, 2)),
    st.builds("{} mod 4 in {{{}, 3}}".format, names, st.integers(0, 2)),
    st.builds("{} - {} in {{{}, 3}}".format, names, names, numbers),
)
clauses = st.lists(literals, min_size=1, max_size=3).map(" and ".join)


def renamed(clause, order):
    """``clause`` with the variables in this order in place of X, Y and Z."""
    return clause.translate(str.maketrans("XYZ", "".join(order)))


def legal_states(variables, legal):
    """The legal states, of which those with small numbers are at hand."""
    game = icg.loads(RULES.format(", ".join(variables), legal)).game
    small = product(range(3), repeat=len(variables))
    states = [state for state in small if game.is_legal(state)]
    return Legal(game, np.array(states, dtype=np.int64), Budget(20))


def differing(legal, one, other):
    """Legal states in which one of two formulas holds and the other does not."""
    game = legal.game
    states = product(range(SIDE + 1), repeat=len(game.variables))
    envs = (game.env(state) for state in states if game.is_legal(state))
    return [env for env in envs if satisfies(one, env) != satisfies(other, env)]


@examples(4, 80, clauses, st.sampled_from(["ab", "ac", "abc"]), st.booleans())
def test_the_same_set_is_said_and_never_longer(clause, swapped, is_denied):
    """Of a set that is symmetric in two variables, or in all three."""
    rest = [name for name in "abc" if name not in swapped]
    orders = ([*order, *rest] for order in permutations(swapped))
    text = " or ".join(f"({renamed(clause, order)})" for order in orders)
    legal = legal_states("abc", "a >= 0 and b >= 0 and c >= 0")
    formula = parse_formula(f"not ({text})" if is_denied else text, legal.game.variables)
    said = by_symmetry(legal, formula)
    assert size(said) <= size(formula)
    assert not differing(legal, formula, said)


@examples(15, 150, clauses)
def test_where_the_legal_states_have_no_symmetry_the_set_is_the_same_too(clause):
    """There a formula can look symmetric whose set is not, for the mirror image is not legal."""
    legal = legal_states("abc", "a >= 0 and b >= a and c <= 5")
    formula = parse_formula(renamed(clause, "abc"), legal.game.variables)
    said = by_symmetry(legal, formula)
    assert size(said) <= size(formula)
    assert not differing(legal, formula, said)


def test_what_is_said_of_one_order_may_be_wrong_for_states_whose_mirror_image_is_not_legal():
    """Where a <= b <= 5 the set is ``a = b``; (9, 0) is in it too, and (0, 9) is not legal."""
    legal = legal_states("ab", "a >= 0 and 0 <= b and b <= 5")
    text = "a = b or (a > 5 and b = 0) or (b > 5 and a = 0)"
    formula = parse_formula(text, legal.game.variables)
    assert not differing(legal, formula, by_symmetry(legal, formula))


@pytest.mark.parametrize(
    ("text", "by_a_person"),
    [
        (
            "(b = a + 1 and a mod 2 = 0) or (a = b + 1 and b mod 2 = 0)",
            "abs(a - b) = 1 and min(a, b) mod 2 = 0",
        ),
        (
            "a = b or (a = b + 2 and a mod 4 > 1) or (b = a + 2 and a mod 4 <= 1)",
            "a = b or (abs(a - b) = 2 and min(a, b) mod 4 <= 1)",
        ),
        ("(a = 0 and b > 3) or (b = 0 and a > 3)", "min(a, b) = 0 and max(a, b) > 3"),
        ("(a <= b + 1 and b <= a + 1) or (a > 4 and b > 4)", "abs(a - b) <= 1 or min(a, b) > 4"),
        ("(a > b and b mod 3 = 0) or (b > a and a mod 3 = 0)", "a != b and min(a, b) mod 3 = 0"),
        ("(a = b + c and b >= c) or (b = a + c and a >= c)", None),
        # Who swaps these leaves the set.
        ("a = b + 1 and b mod 2 = 0", "a = b + 1 and b mod 2 = 0"),
        ("(a = 0 and b > 3) or (b = 0 and a > 2)", "(a = 0 and b > 3) or (b = 0 and a > 2)"),
        # Nothing is gained.
        ("a = b", "a = b"),
        ("a + b = 3 or a = b", "a + b = 3 or a = b"),
        # Three variables in any order, and two pairs.
        (
            "(a + b = 1 and c > 1) or (a + c = 1 and b > 1) or (b + c = 1 and a > 1)",
            None,
        ),
    ],
)
def test_what_a_person_would_write(text, by_a_person):
    legal = legal_states("abc", "a >= 0 and b >= 0 and c >= 0")
    formula = parse_formula(text, legal.game.variables)
    said = by_symmetry(legal, formula)
    if by_a_person is None:
        assert size(said) < size(formula)
    else:
        assert str(said) == by_a_person
    assert not differing(legal, formula, said)


def test_each_of_two_pairs_is_said_so():
    legal = legal_states("abcd", "a >= 0 and b >= 0 and c >= 0 and d >= 0")
    text = "((a = 0 and c > 2) or (c = 0 and a > 2)) and ((b = 1 and d > 3) or (d = 1 and b > 3))"
    formula = parse_formula(text, legal.game.variables)
    expected = "min(a, c) = 0 and max(a, c) > 2 and min(b, d) = 1 and max(b, d) > 3"
    assert str(by_symmetry(legal, formula)) == expected
