"""The enumeration behind ``minimal``, against one that shares no code with it.

The grammar of docs/reference/language.md ("Minimal") is enumerated here as it is written there:
terms are vectors of values on a few points, formulas are vectors of truth values.
"""

from __future__ import annotations

import itertools
import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.logic.build import integers, size
from icgsynth.logic.evaluate import columns
from icgsynth.logic.term import FALSE, TRUE
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.synth.linear.bank import Bank, EnumerationEffort
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.literals import Literals

OPS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def vectors(found, dtype):
    return {key: np.frombuffer(key, dtype) for key in {v.astype(dtype).tobytes() for v in found}}


def terms_by_size(points, largest, longest):
    """Sums and differences of variables, each with a coefficient or none, and of integers.

    A sign that is not between two terms is one more, but not before an integer alone.
    """
    ones = np.ones(len(points), np.int64)
    atoms = {
        1: [*points.T, *(n * ones for n in range(-largest, largest + 1))],
        2: [*(-x for x in points.T), *(n * x for x in points.T for n in range(largest + 1))],
        3: [-n * x for x in points.T for n in range(largest + 1)],
    }
    found = {}
    for s in range(1, longest + 1):
        here = list(atoms.get(s, []))
        for left in range(1, s):
            for t, u in itertools.product(found[left].values(), found[s - left].values()):
                here += [t + u, t - u]
        found[s] = vectors(here, np.int64)
    return found


def formulas_by_size(points, largest, longest):
    """The least size at which each vector of truth values is said."""
    terms = terms_by_size(points, largest, longest - 1)
    least = {}
    levels = {1: {}}
    for s in range(2, longest + 1):
        here = []
        for left in range(1, s):
            for t, u in itertools.product(terms[left].values(), terms[s - left].values()):
                here += [op(t, u) for op in OPS]
        for t in terms[s - 2].values() if s > 2 else ():
            for modulus in range(2, largest + 1):
                for r in range(-largest, largest + 1):
                    here += [t % modulus == r, t % modulus != r]
        here += [~f for f in levels[s - 1].values()]
        for left in range(2, s - 2):
            for f, g in itertools.product(levels[left].values(), levels[s - 1 - left].values()):
                here += [f & g, f | g]
        levels[s] = vectors(here, bool)
        for key in levels[s]:
            least.setdefault(key, s)
    return least


def grid(*sides):
    return np.array(list(itertools.product(*sides)), np.int64)


CASES = [  # points, integers up to, longest formula
    (grid(range(-7, 8)), 2, 6),
    (grid(range(-8, 9)), 3, 5),
    (grid(range(-3, 4), range(-4, 4)), 2, 4),
    (grid(range(6), range(7)), 3, 4),
    (grid(range(-1, 2), range(-2, 2), range(-1, 3)), 2, 3),
]


@pytest.mark.parametrize(("points", "largest", "longest"), CASES)
def test_the_least_size_of_every_formula(points, largest, longest):
    variables = ("a", "b", "c")[: points.shape[1]]
    env = dict(zip(variables, points.T, strict=True))
    bank = Bank(Literals(points, largest, 10**6, Budget(600)), EnumerationEffort(10**6, 10**9))
    least = formulas_by_size(points, largest, longest)
    assert {*least.values()} == {*range(2, longest + 1)}
    for key, expected in least.items():
        wanted = np.frombuffer(key, bool)
        if wanted.all() or not wanted.any():
            continue  # true and false have no leaf
        found = []
        for s in range(1, expected + 1):
            assert not found, f"{found[0]} has fewer than {expected} leaves and connectives"
            found = bank.fits(s, wanted, variables)
        assert found, f"nothing of size {expected} for {wanted.astype(int)}"
        for formula in found:
            assert (columns(formula, env) == wanted).all()
            # Integers past the bound are said by sums of smaller ones.
            assert size(formula) == expected or max(integers(formula)) > largest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b <= 0", 3),
        ("a + b = 0", 3),
        ("-a - b < 0", 3),
        ("2 * a + b >= 0", 4),
        ("a + b != 1", 3),
        ("-a <= 0", 2),
        ("a - b <= 48", 4),
        ("a + b <= -25", 3),
        ("(a + b) mod 2 = 1", 4),
    ],
)
def test_one_formula(text, expected):
    game = f"game g var a, b legal {text} action stop pre false eff a := a"
    formula = parse(Source("test", game)).game().legal
    states = grid(range(-40, 41), range(-40, 41))
    env = {"a": states[:, 0], "b": states[:, 1]}
    learner = FormulaLearner(Examples(("a", "b"), states, columns(formula, env)), 24, Budget(600))
    found = next(f for s in range(1, 8) for f in learner.of_size(s) or ())
    assert (learner.enumerated, learner.examples.mismatches(found).size) == (expected, 0)


@pytest.mark.slow
def test_a_game_whose_answer_is_a_sum_without_a_number():
    text = "game debt var a, b action pay(k) pre a + b <= 0 and k = 1 - a - b eff a := a + k"
    solution = solve(parse(Source("test", text)).game())
    assert solution.status == "solved"
    for claim in (solution.winning, solution.losing):
        assert (size(claim.formula), claim.minimal) == (3, True), claim.formula


# --- labels that the learner has to be careful with ----------------------------------------------


FAR_APART = [
    """game thirds var v legal v >= -50
    action take(k) pre k in {1, 4} and (v mod 3 != 1 or k = 1) eff v := v - k""",
    "game ninety var v legal v >= 0 end v != 90 action take(k) pre 1 <= k <= v eff v := v - k",
]


@pytest.mark.parametrize("text", FAR_APART)
@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_the_first_sample_may_be_of_one_kind(text, rule):
    assert solve(parse(Source("test", text)).game(), rule, Budget(30)).status == "solved"


@given(st.lists(st.booleans(), min_size=1, max_size=400), st.integers(-500, 500))
def test_labels_of_any_kind(labels, start):
    """What is learned agrees with the labels, and of labels of one kind nothing is excluded."""
    states = np.arange(start, start + len(labels))[:, None]
    examples = Examples(("v",), states, np.array(labels))
    learner = FormulaLearner(examples, 5, Budget(60), wide=examples, free=[0])
    for formula in learner.candidates():
        assert not len(examples.mismatches(formula))
        if len({*labels}) == 1:
            assert formula == (TRUE if labels[0] else FALSE)
    if len({*labels}) == 1:
        assert learner.excluded == 0
