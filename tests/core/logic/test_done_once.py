"""Work that is not done twice, or not at all: calls are counted, as seconds depend on machines."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest

from icgsynth.budget import Budget
from icgsynth.digits.numeration import Numeration, base, ostrowski
from icgsynth.explicit import steps as steps_module
from icgsynth.explicit.box import Box
from icgsynth.explicit.steps import arrivals, steps_of
from icgsynth.logic import build
from icgsynth.logic import term as t
from icgsynth.logic.digit_columns import digital
from icgsynth.prove.deciders import portfolio
from icgsynth.prove.recheck.plain import digits_function
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source


def test_the_size_of_a_formula_is_counted_once():
    formula = parse_formula("a = 0 or b mod 3 != 1", ("a", "b"))
    assert build.size(formula) == 6  # a, 0, b, 3, 1 and the "or"
    with patch.object(build, "_count") as counted:
        assert build.size(formula) == 6
    counted.assert_not_called()


def test_the_digits_of_a_number_are_read_once_for_all_formulas():
    system, number = ostrowski(1), 10**29 + 7
    read = Numeration.representation
    with patch.object(Numeration, "representation", autospec=True, side_effect=read) as reading:
        for _ in range(3):
            zeros = digits_function(t.Digital("zeros", (t.Name("a"),), system))
            assert zeros(number) == system.zeros(number)
    assert reading.call_count == 1 + 3  # and three times by what is expected


@pytest.mark.parametrize("kind", ["shift", "unshift", "zeros", "lowpart"])
@pytest.mark.parametrize("system", [base(3), ostrowski(1), ostrowski(2)], ids=str)
def test_functions_of_digits_are_those_of_single_numbers(system, kind):
    term = t.Digital(kind, (t.Name("a"),), system)
    single = {"lowpart": system.low_part}.get(kind) or getattr(system, kind)
    for numbers in (range(-2, 300), range(4_000, 4_200), [0, 10**12], [0], []):
        column = np.array(numbers, dtype=np.int64)
        found = digital(term, [column], lambda *_: 0)
        assert found.tolist() == [single(max(0, n)) for n in numbers]
    assert digital(term, [np.array(7)], lambda *_: 0).shape == ()


def test_no_engine_is_asked_once_the_budget_is_spent():
    question = parse_formula("17 * a = 19 * b + 1", ("a", "b"))
    with patch.object(portfolio, "_decide") as asked:
        assert portfolio.decide([question], ("a", "b"), Budget(0.0)).kind == "unknown"
    asked.assert_not_called()


def test_a_parameter_of_few_numbers_is_tried_and_not_bounded_at_each_state():
    text = """game turns var a, b legal a >= 0 and b >= 0
    action down(way) pre ((way = 1 and a > b) or (way = 3 and b >= a)) and a >= 1 eff a := a - 1"""
    game = parse(Source("turns.icg", text)).game()
    box = Box.of(game, 12)
    steps = steps_of(game, box, 10**6)
    narrow = steps_module.narrow_by_cases
    with patch.object(steps_module, "narrow_by_cases", side_effect=narrow) as narrowing:
        moves = [
            (int(source), int(target))
            for row in range(box.size)
            for sources, targets in arrivals(steps, np.array([row]))
            for source, target in zip(sources, targets, strict=True)
        ]
    assert narrowing.call_count == 1  # over the whole box
    states = [tuple(state) for state in box.states.tolist()]
    inside = set(states)
    expected = {((a, b), (a - 1, b)) for a, b in states if a >= 1 and (a - 1, b) in inside}
    assert len(moves) == len(expected)
    assert {(states[source], states[target]) for source, target in moves} == expected
