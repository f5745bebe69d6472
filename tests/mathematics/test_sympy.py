"""Formulas as expressions of SymPy and back, with SymPy as an oracle that shares no code.

Faults they see: an operator that means another thing in SymPy (a remainder or quotient of negative
numbers, a chain of comparisons), a denominator that is lost on the way back, a claim that is proved
though SymPy's formula is another one.
"""

from __future__ import annotations

import random
import sys

import pytest
from catalog_answers import solved

import icgsynth as icg
from icgsynth.errors import InputError
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.spec.icg import parse_formula, parse_term

sp = pytest.importorskip("sympy")

NAMES = ("a", "b", "c")
NIM = icg.load("nim2")


def term(rng, depth):
    """A random linear term over NAMES."""
    if depth == 0 or rng.random() < 0.2:
        return t.Name(rng.choice(NAMES)) if rng.random() < 0.7 else t.Int(rng.randint(-9, 9))
    x, y, n = term(rng, depth - 1), term(rng, depth - 1), t.Int(rng.randint(2, 7))
    kinds = (
        lambda: t.Sum((x, y, t.Neg(term(rng, depth - 1)))),
        lambda: t.Mul(t.Int(rng.randint(-4, 4)), x),
        lambda: t.Mod(x, n),
        lambda: t.Div(x, n),
        lambda: t.Min(x, y),
        lambda: t.Max(x, y),
        lambda: t.Abs(x),
        lambda: t.If(formula(rng, depth - 1), x, y),
    )
    return rng.choice(kinds)()


def formula(rng, depth):
    """A random formula without quantifiers over NAMES."""
    if depth == 0 or rng.random() < 0.3:
        first, *rest = (term(rng, min(depth, 2)) for _ in range(rng.choice((2, 2, 3))))
        ops = tuple(rng.choice(("=", "!=", "<", "<=", ">", ">=")) for _ in rest)
        if rng.random() < 0.2:
            return t.Member(first, tuple(map(t.Int, rng.sample(range(-5, 9), 3))))
        return t.Compare((first, *rest), ops)
    parts = tuple(formula(rng, depth - 1) for _ in range(2))
    kinds = (
        lambda: t.And(parts),
        lambda: t.Or(parts),
        lambda: t.Not(parts[0]),
        lambda: t.Implies(*parts),
        lambda: t.Iff(*parts),
    )
    return rng.choice(kinds)()


def points(rng, count):
    """States near 0, and a few with numbers of any size."""
    for number in range(count):
        reach = 10**30 if number % 10 == 9 else 12
        yield tuple(rng.randint(-reach, reach) for _ in NAMES)


def evaluated(expression):
    """What SymPy computes, exactly; what it compiles for Python divides floating-point numbers."""
    symbols = [sp.Symbol(name, integer=True) for name in NAMES]
    return lambda state: expression.xreplace(
        dict(zip(symbols, map(sp.Integer, state), strict=True))
    )


def agrees(node, rng, count):
    """Whether both say one thing at so many points, also of what is read back from SymPy."""
    from icgsynth.mathematics.sympy_terms import language

    expression, is_term = node.to_sympy(), isinstance(node, t.Term)
    ours, theirs = value if is_term else satisfies, evaluated(expression)
    text = language(expression)
    again = parse_term(text, NAMES) if is_term else parse_formula(text, NAMES)
    for state in points(rng, count):
        env = dict(zip(NAMES, state, strict=True))
        said = theirs(state)
        wanted = int(said) if is_term else bool(said)
        assert ours(node, env) == wanted == ours(again, env), (str(node), text, state)


@pytest.mark.parametrize("seed", range(4))
def test_sympy_says_the_same_of_random_formulas(seed):
    rng = random.Random(seed)
    agrees(term(rng, 3), rng, 20)
    agrees(formula(rng, 2), rng, 20)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 108))
def test_sympy_says_the_same_at_two_thousand_points(seed):
    rng = random.Random(seed)
    agrees(term(rng, 3), rng, 2_000)
    agrees(formula(rng, 3), rng, 2_000)


def test_negative_numbers_are_divided_as_in_python():
    """By hand: -7 = 3 * -3 + 2."""
    for text, expected in (("a mod 3", 2), ("a div 3", -3), ("abs(a)", 7), ("-a mod 3", 1)):
        expression = parse_term(text, NAMES).to_sympy()
        assert expression.subs(sp.Symbol("a", integer=True), -7) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("nim2", "Eq(a, b)"), ("take_away", "Eq(Mod(v, 4), 0)"), ("chomp_2row", "Eq(a, b + 1)")],
)
def test_the_answer_of_a_game_goes_to_sympy(name, expected):
    said = solved(name).losing.formula.to_sympy()
    symbols = {each.name: each for each in said.free_symbols}
    assert said.equals(sp.sympify(expected, locals=symbols))


@pytest.mark.parametrize(
    ("text", "named"),
    [("a xor b = 0", "xor"), ("zeros(a) = 1", "zeros"), ("exists k. a = 2 * k", "quantifier")],
)
def test_what_sympy_lacks_is_refused_by_name(text, named):
    from icgsynth.digits.numeration import numeration

    node = parse_formula(text, NAMES, system=numeration("base-2"))
    with pytest.raises(InputError, match=named):
        node.to_sympy()


# --- claims from SymPy ------------------------------------------------------------------------

A, B, N = sp.symbols("a b n", integer=True)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        (sp.Eq(A, B), "proved"),
        (sp.Eq(sp.Max(A, B), sp.Min(A, B)), "proved"),
        (sp.And(A <= B, sp.Not(A < B)), "proved"),
        (sp.Eq(A / 2, B / 2), "proved"),
        (sp.Eq(sp.floor(A / 2), sp.floor(B / 2)), "refuted"),
        (sp.Eq(A, B + 1), "refuted"),
    ],
    ids=str,
)
def test_a_claim_on_nim_is_proved_or_refuted(claim, verdict):
    """Bouton (1901): two piles of Nim are lost where they are equal."""
    found = NIM.verify(losing=claim)
    assert (found.verdict, found.is_proved) == (verdict, verdict == "proved")


def test_claims_may_be_text_formulas_and_values():
    assert NIM.verify(winning="a != b").is_proved
    assert NIM.verify(losing=solved("nim2").losing.formula).is_proved
    assert not NIM.verify(losing="a < b").is_proved
    game = icg.loads("game g var n legal n >= 0 action take(k) pre 1 <= k <= 2 eff n := n - k")
    assert game.verify(value=sp.Mod(N, 3)).is_proved


@pytest.mark.parametrize(
    ("claim", "named"),
    [
        (sp.Eq(sp.sin(A), B), "sin"),
        (sp.Eq(sp.Symbol("q"), B), "'q'"),
        (A + B, "expected|formula"),
        (sp.Piecewise((A, A > B)) > 0, "no value somewhere"),
        (sp.Eq(sp.Mod(A, -3), B), "not positive"),
        (A == B, "Eq"),
    ],
    ids=str,
)
def test_what_is_no_claim_is_refused_by_name(claim, named):
    with pytest.raises(InputError, match=named):
        NIM.verify(losing=claim)
    with pytest.raises(InputError, match="one claim"):
        NIM.verify()


def test_without_sympy_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    monkeypatch.delitem(sys.modules, "icgsynth.mathematics.sympy_terms", raising=False)
    with pytest.raises(InputError, match=r"pip install .*\[sympy\]"):
        t.Name("a").to_sympy()
