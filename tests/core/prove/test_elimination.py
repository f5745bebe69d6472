"""A quantifier that isl eliminates, against the number that it speaks of, found by division."""

from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.deciders.presburger.projection import without_quantifier
from icgsynth.spec.icg import parse_formula


@settings(deadline=None, max_examples=25)
@given(
    divisor=st.integers(2, 5),
    factor=st.integers(-7, 7).filter(bool),
    added=st.integers(-3, 3),
    modulus=st.integers(1, 3),
)
def test_a_quotient_is_left_where_the_quantifier_was(divisor, factor, added, modulus):
    """Kills: a factor of a quotient or of a remainder that is changed, a sign that is lost."""
    quotient = f"{divisor} * x <= a < {divisor} * x + {divisor}"
    text = f"exists x. {quotient} and b <= {factor} * x + {added} and x mod {modulus} = 0"
    plain = without_quantifier(parse_formula(text, ("a", "b")), Budget(20))
    assert not any(isinstance(node, t.Quantified) for node in walk(plain))
    for a in range(-12, 13):
        most = factor * (a // divisor) + added
        for b in range(most - 8, most + 9):
            right = b <= most and a // divisor % modulus == 0
            assert satisfies(plain, {"a": a, "b": b}) is right
