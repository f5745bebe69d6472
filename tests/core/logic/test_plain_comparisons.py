"""Comparisons as a person writes them: small numbers, and those alone on the right."""

from __future__ import annotations

import pytest

from icgsynth.logic.simplify import simplified
from icgsynth.spec.icg import parse_formula


@pytest.mark.parametrize(
    ("long", "plain"),
    [
        ("3 * a = 3", "a = 1"),
        ("2 * a != 2 * b", "a != b"),
        ("6 * a < 4 * b + 2", "3 * a < 2 * b + 1"),
        ("0 = (b + 1) mod 2", "(b + 1) mod 2 = 0"),
        ("-a <= -3", "a >= 3"),
        ("0 > a", "a < 0"),
        ("2 * a <= 3", "2 * a <= 3"),
    ],
)
def test_a_comparison_is_divided_and_turned(long, plain):
    """Faults it sees: a number on the left, a sign that is not turned with the sides."""
    assert simplified(parse_formula(long, "ab")) == parse_formula(plain, "ab")
