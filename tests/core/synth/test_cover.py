"""A cheapest cover of states, against every choice of sets; and cells that tell states apart."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import columns
from icgsynth.spec.icg import parse_formula
from icgsynth.synth.cover import Weighted, cheapest_cover, cover_of
from icgsynth.synth.linear.literals import LinearLiteral
from icgsynth.synth.linear.small_relations import cells_of_relations, small_relations

SETS = st.lists(st.builds(Weighted, st.integers(0, 63), st.integers(1, 5)), max_size=7)


@settings(max_examples=100, deadline=None)
@given(
    SETS, st.integers(0, 63), st.just(inf) | st.integers(0, 4), st.just(inf) | st.integers(0, 12)
)
def test_no_choice_of_sets_is_cheaper(sets, target, most, below):
    """Seen: a cover that leaves states out, is too long, too dear, or missed.

    It was missed where the greedy one was cheaper and too long, and no weight was given.
    """

    def weight(choice):
        return sum(sets[i].weight for i in choice)

    def is_cover(choice):
        fits = len(choice) <= most and weight(choice) < below
        return fits and all(any(sets[i].states >> bit & 1 for i in choice)
                            for bit in range(6) if target >> bit & 1)  # fmt: skip

    every = (c for n in range(len(sets) + 1) for c in combinations(range(len(sets)), n))
    covers = [choice for choice in every if is_cover(choice)]
    found = cheapest_cover(sets, target, most, below)
    assert (found is None) == (not covers)
    if found is not None:
        assert is_cover(found) and weight(found) == min(map(weight, covers))


def test_a_cover_by_flags_is_one_of_states_past_a_word():
    flags = np.array([[n % 3 == rest or n >= 65 for n in range(70)] for rest in (0, 1, 2, 0)])
    target = np.arange(70) % 3 != 1
    assert sorted(cover_of(flags, [3, 1, 2, 2], target)) == [2, 3]
    assert cover_of(flags[:2], [1, 1], target) is None


BOX = np.array(list(product(range(5), repeat=4)))


@pytest.mark.parametrize(
    "text", ["a = 0 and b = c + d", "a = 0 and b = 1 or c = d and a + b = 2 and c <= 2", "a > b"]
)
def test_cells_of_small_relations_hold_on_the_target_alone(text):
    """The last is no pattern of few states: nothing may be said, and nothing that is wrong.

    Seen: a cell that holds on a winning state, a losing one that is left out, and a literal
    whose column is another's.
    """
    names = ("a", "b", "c", "d")
    formula = parse_formula(text, names)

    def on(said):
        return columns(said, dict(zip(names, BOX.T, strict=True)))

    found = cells_of_relations(names, BOX, on(formula), Budget(60))
    assert text == "a > b" if found is None else (on(found) == on(formula)).all()


def test_small_relations_are_named_once_and_hold_somewhere_but_not_everywhere():
    for count in (1, 2, 3):
        grid = np.array(list(product(range(-1, 6), repeat=count)))
        literals = small_relations(count)
        truth = [tuple(x.on(np.array(x.coefficients) @ grid.T)) for x in literals]
        assert len(set(truth)) == len(literals)
        assert all(0 < sum(each) < len(grid) for each in truth)


LITERALS = st.builds(
    LinearLiteral,
    st.tuples(*[st.integers(-3, 3)] * 3).filter(any),
    st.sampled_from(["=", "!=", "<=", ">"]),
    st.integers(-4, 4),
)


@settings(max_examples=80, deadline=None)
@given(LITERALS, st.integers(0, 4))
def test_a_literal_is_said_as_it_holds_and_no_longer_than_its_size(literal, modulus):
    """Seen: a side, a sign or a strict comparison changed on the way to words."""
    if modulus > 1 and literal.op in ("=", "!="):
        literal = replace(literal, number=literal.number % modulus, modulus=modulus)
    names, states = ("a", "b", "c"), np.array(list(product(range(-2, 4), repeat=3)))
    env = dict(zip(names, states.T, strict=True))
    for one in (literal, literal.complement):
        said = one.formula(names)
        assert (np.broadcast_to(columns(said, env), len(states)) == one.holds(states)).all()
        leaves = [node for node in walk(said) if isinstance(node, t.Int | t.Name)]
        assert len(leaves) <= one.size or literal.modulus
    assert (literal.holds(states) != literal.complement.holds(states)).all()
