"""A remainder is said of the number itself where the number is below the divisor."""

import pytest

from icgsynth import loads
from icgsynth.budget import Budget
from icgsynth.explicit.box import Box
from icgsynth.logic import term as t
from icgsynth.spec.icg import parse_formula
from icgsynth.synth.linear.polish import Legal, say_plainly


@pytest.mark.parametrize(
    ("legal", "said"),
    [
        ("0 <= b <= 4", "a mod 5 = b"),
        ("0 <= b <= 5", "a mod 5 = b mod 5"),
        ("a <= b", "a mod 5 = b mod 5"),
    ],
)
def test_a_number_below_the_divisor_is_its_own_remainder(legal, said):
    """Sees both numbers left under ``mod``, and one taken out that may be the divisor itself."""
    game = loads(f"game g var a, b legal a >= 0 and {legal} action x pre a > 0 eff a := a - 1").game
    known = Legal(game, Box.of(game, 9).states, Budget(20))
    formula = parse_formula("(a - b) mod 5 = 0", ["a", "b"])
    assert t.spell(say_plainly(known, formula)) == said
