"""The learner of formulas, on labels that it has to be careful with."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.logic.term import FALSE, TRUE
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.search import solve

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
