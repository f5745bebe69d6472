"""Rules that are no file's, in sums: they are found by the name that whoever asks gives them."""

from __future__ import annotations

import pytest

from icgsynth.budget import Budget, silent
from icgsynth.errors import InputError
from icgsynth.heaps.subject.sums_subject import SumSubject
from icgsynth.spec.resolve import Named
from icgsynth.subjects import AskedValue, subject

COUNTERS = "game c\nvar n\nlegal n >= 0\naction take(k) pre 1 <= k <= 2 and k <= n eff n := n - k"


def value_at(asked, **more):
    question = asked.to_value(AskedValue(**more))
    return question.shown(question.search(Budget(60), silent).run()).value()


def test_a_sum_has_rules_that_are_no_file_s():
    """The values are n mod 3.  Fault it sees: a name is looked for in the catalog alone."""
    asked = SumSubject(Named("2*mine + nim2"), {"mine": COUNTERS})
    assert value_at(asked, at="4; 5; 1,2")["value"] == 1 ^ 2 ^ 1 ^ 2
    assert value_at(asked, at="4; 3; 1,2")["value"] == 1 ^ 0 ^ 1 ^ 2
    with pytest.raises(InputError):
        SumSubject(Named("mine + nim2")).game  # noqa: B018


def test_rules_in_a_text_have_values_under_misere_play():
    """Lost where n mod 3 = 1.  Fault it sees: the words for the rules are taken for a name."""
    for number in range(1, 6):
        found = value_at(subject("my rules", {}, COUNTERS), at=str(number), rule="misere")
        assert found["proved"] and (found["move"] is None) == (number % 3 == 1)
