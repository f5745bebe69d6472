"""What rules and answers say of themselves: read back, and where only one side is known."""

from __future__ import annotations

from dataclasses import replace

from catalog_answers import solved
from hypothesis import given
from hypothesis import strategies as st

from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.term import TRUE, Compare, Int, Name


@given(st.integers(0, 9), st.booleans())
def test_a_rule_names_its_condition_if_it_has_one(number, has_condition):
    """Seen: a condition that is not said, and one that is said though there is none."""
    when = Compare((Name("a"), Int(number)), (">=",)) if has_condition else TRUE
    act = SemiGroundAction("take", (("k", Int(number)),))
    text = str(Rule(when, act))
    assert str(act) in text
    assert ("if" in text.split()) == has_condition
    assert (str(when) in text) == has_condition


def test_an_answer_lists_the_formulas_that_it_has():
    """Seen: a missing side that is asked for its formula."""
    answer = solved("nim2")
    both = {answer.winning.formula, answer.losing.formula}
    assert both <= set(answer.formulas())
    for side, other in (("winning", "losing"), ("losing", "winning")):
        found = list(replace(answer, **{side: None}).formulas())
        assert getattr(answer, other).formula in found
        assert getattr(answer, side).formula not in found
        assert replace(answer, **{side: None}).is_linear
