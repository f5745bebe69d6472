"""The plain reading of formulas against Python's own, quantifiers against every number tried."""

from __future__ import annotations

import pytest
from drawn_formulas import Drawing
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.logic import term as t
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.plain import holds, value
from icgsynth.spec.icg import parse_formula

NAMES = ("a", "b", "x", "y")
SIDE = 5  # quantified numbers are from -SIDE to SIDE, where a formula says so
WIDE = 3_000  # far more than the boundaries and the period of an open formula with small integers

SMALL = {"divisors": st.integers(1, 4), "factors": st.integers(-3, 3)}
drawing = Drawing(NAMES, st.integers(-6, 6), **SMALL)
SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def python(node):
    """Python's text for a term or a formula; a quantified name is tried from -SIDE to SIDE."""
    match node:
        case t.Name(name):
            return name
        case t.Int(number):
            return f"({number})"
        case t.Truth(is_true):
            return str(is_true)
        case t.Sum(args):
            return f"({' + '.join(map(python, args))})"
        case t.Mul(one, other):
            return f"({python(one)} * {python(other)})"
        case t.Mod(one, other):
            return f"({python(one)} % {python(other)})"
        case t.Div(one, other):
            return f"({python(one)} // {python(other)})"
        case t.Neg(arg):
            return f"(-{python(arg)})"
        case t.Abs(arg):
            return f"abs({python(arg)})"
        case t.Min(one, other):
            return f"min({python(one)}, {python(other)})"
        case t.Max(one, other):
            return f"max({python(one)}, {python(other)})"
        case t.If(condition, one, other):
            return f"({python(one)} if {python(condition)} else {python(other)})"
        case t.Compare(terms, signs):
            first, *others = map(python, terms)
            links = zip(signs, others, strict=True)
            return f"({first}{''.join(f' {SIGNS[sign]} {term}' for sign, term in links)})"
        case t.Member(term, values):
            return f"({python(term)} in [{', '.join(map(python, values))}])"
        case t.Not(arg):
            return f"(not {python(arg)})"
        case t.And(args):
            return f"({' and '.join(map(python, args))})"
        case t.Or(args):
            return f"({' or '.join(map(python, args))})"
        case t.Implies(one, other):
            return f"(not {python(one)} or {python(other)})"
        case t.Iff(one, other):
            return f"({python(one)} == {python(other)})"
        case t.Quantified(kind, names, body):
            word = "any" if kind == "exists" else "all"
            loops = " ".join(f"for {n} in range({-SIDE}, {SIDE + 1})" for n in names)
            return f"{word}({python(body)} {loops})"
    raise AssertionError(node)


def quantified(inner):
    """Bounded quantifiers; the names may hide those outside."""

    def bounded(kind, names, body):
        guard = t.And(
            tuple(t.Compare((t.Int(-SIDE), t.Name(n), t.Int(SIDE)), ("<=", "<=")) for n in names)
        )
        whole = t.And((guard, body)) if kind == "exists" else t.Implies(guard, body)
        return t.Quantified(kind, tuple(names), whole)

    return st.builds(
        bounded,
        st.sampled_from(["exists", "forall"]),
        st.lists(st.sampled_from(NAMES), min_size=1, max_size=2, unique=True),
        inner,
    )


formulas = drawing.formulas(5, 4, more=quantified)
numbers = st.one_of(st.integers(-9, 9), st.integers(-(10**30), 10**30))
envs = st.fixed_dictionaries(dict.fromkeys(NAMES, numbers))
small_envs = st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(-9, 9)))


@given(drawing.terms(4), envs)
def test_terms_mean_what_they_mean_in_python(term, env):
    assert value(term, env) == eval(python(term), {}, env)


@settings(max_examples=50, deadline=None)
@given(formulas, small_envs)
def test_bounded_quantifiers_are_decided_as_by_trying_all(formula, env):
    try:
        found = holds(formula, env)
    except TooHard:
        return
    assert found == eval(python(formula), dict(env))


one = Drawing(("x", "a"), st.integers(-6, 6), **SMALL).formulas(3, 3)


@settings(max_examples=80, deadline=None)
@given(one, st.integers(-9, 9), st.sampled_from(["exists", "forall"]))
def test_open_quantifiers_are_decided_as_by_trying_many(body, a, kind):
    """With integers this small all that happens happens near 0."""
    word = "any" if kind == "exists" else "all"
    expected = eval(f"{word}({python(body)} for x in range({-WIDE}, {WIDE + 1}))", {"a": a})
    assert holds(t.Quantified(kind, ("x",), body), {"a": a}) == expected


@pytest.mark.parametrize("shift", [0, 10**25, -(10**25)])
@settings(max_examples=60, deadline=None)
@given(one, st.integers(-9, 9))
def test_a_far_place_is_as_good_as_a_near_one(shift, body, a):
    """``exists x. body(x, a)`` is ``exists x. body(x - shift, a)``."""
    from icgsynth.logic.build import substitute

    there = substitute(body, {"x": t.Sum((t.Name("x"), t.Int(-shift)))})
    here = t.Quantified("exists", ("x",), body)
    assert holds(t.Quantified("exists", ("x",), there), {"a": a}) == holds(here, {"a": a})


@settings(max_examples=60, deadline=None)
@given(one, numbers, st.integers(1, 4))
def test_a_name_is_as_good_as_its_value(body, a, factor):
    """Also where it stands with a factor, and is far away.

    Seen: a factor of an outer name that is lost in the boundaries, which near 0 nobody notices.
    """
    from icgsynth.logic.build import substitute

    times = substitute(body, {"a": t.Mul(t.Int(factor), t.Name("a"))})
    number = substitute(body, {"a": t.Int(factor * a)})
    named = holds(t.Quantified("exists", ("x",), times), {"a": a})
    assert named == holds(t.Quantified("exists", ("x",), number), {})


@pytest.mark.parametrize("factor", [-4, -3, -2, -1, 1, 2, 3, 4])
@pytest.mark.parametrize("divisor", [-3, -2, 1, 2, 4])
def test_a_linear_equation_is_solved_at_any_distance(factor, divisor):
    """``divisor x = factor k + 1`` has a solution where the right side is a multiple."""
    equation = parse_formula(f"exists x. {divisor} * x = {factor} * k + 1", ["k"])
    bounded = parse_formula(f"exists x. {divisor} * x = {factor} * k + 1 and x >= k", ["k"])
    for k in [*range(-7, 8), *(far + d for far in (10**30, -(10**24)) for d in range(5))]:
        whole, rest = divmod(factor * k + 1, divisor)
        assert holds(equation, {"k": k}) == (rest == 0)
        assert holds(bounded, {"k": k}) == (rest == 0 and whole >= k)


TRUTHS = [
    # 3q = k has an integer solution iff 3 divides k; q mod 5 = 0 is ruled out.
    ("exists q. q mod 5 >= 1 and 3 * q = k", lambda k: k % 3 == 0 and k % 15 != 0),
    ("exists q. q mod 5 = 1 and 3 * q = k - 97", lambda k: (k - 97) % 15 == 3),
    ("exists q. -2 * q = k", lambda k: k % 2 == 0),
    ("exists x, y. 6 * x + 10 * y = k", lambda k: k % 2 == 0),
    ("exists x, y. x >= 0 and y >= 0 and 3 * x + 5 * y = k", lambda k: k in {0, 3, 5, 6} or k >= 8),
    ("exists x. k < 7 * x and 7 * x < k + 7", lambda k: k % 7 != 0),
    ("forall x. exists y. x = 2 * y or x = 2 * y + 1", lambda k: True),
    ("exists y. forall x. x <= y", lambda k: False),
    ("forall x. 5 * x < k or 5 * x > k + 1", lambda k: k % 5 not in {0, 4}),
    ("exists x. x div 3 = k and x mod 3 = 2 and x mod 2 = 0", lambda k: k % 2 == 0),
    ("exists q. abs(q - k) <= 1 and q mod 3 = 0", lambda k: True),
    ("exists q. min(q, 2 * q) = k", lambda k: k >= 0 or k % 2 == 0),
    ("(if exists q. 2 * q = k then 0 else 1) = 0", lambda k: k % 2 == 0),
    ("not (exists q. 2 * q = k) <-> (exists q. 2 * q + 1 = k)", lambda k: True),
    ("forall x. x > k -> (exists y. x <= y and y < x + 3 and y mod 3 = k mod 3)", lambda k: True),
]


@pytest.mark.parametrize(("text", "truth"), TRUTHS)
def test_truths_known_by_hand(text, truth):
    formula = parse_formula(text, ["k"])
    places = [*range(-40, 41), *(far + d for far in (10**30, -(10**24)) for d in range(30))]
    assert [k for k in places if holds(formula, {"k": k})] == [k for k in places if truth(k)]


def test_a_name_inside_hides_the_one_outside():
    inner = t.Quantified(
        "exists", ("a",), t.Compare((t.Mul(t.Int(2), t.Name("a")), t.Name("b")), ("=",))
    )
    formula = t.And((t.Compare((t.Name("a"), t.Int(1)), ("=",)), inner))
    assert holds(formula, {"a": 1, "b": 4})
    assert not holds(formula, {"a": 2, "b": 4})
    assert not holds(formula, {"a": 1, "b": 5})


@pytest.mark.parametrize("depth", [10, 30, 100])
def test_nesting_has_no_bound_of_the_parser(depth):
    term = t.Name("a")
    for _ in range(depth):
        term = t.Abs(t.Sum((term, t.Int(-1))))
    expected = 7
    for _ in range(depth):
        expected = abs(expected - 1)
    assert value(term, {"a": 7}) == expected


@pytest.mark.parametrize("width", [10, 3_000])
def test_long_sums_and_conjunctions(width):
    total = t.Sum(tuple(t.Name("a") for _ in range(width)))
    assert value(total, {"a": 10**30}) == width * 10**30
    each = tuple(t.Compare((t.Name("a"), t.Int(i)), ("!=",)) for i in range(width))
    assert holds(t.And(each), {"a": -1})
    assert not holds(t.And(each), {"a": width - 1})
    assert holds(t.Or(tuple(t.Not(f) for f in each)), {"a": 0})


def test_what_would_take_too_long_is_not_answered():
    formula = parse_formula("exists q. q mod 1000003 = 5 and q mod 999983 = 7 and q > a", ["a"])
    with pytest.raises(TooHard):
        holds(formula, {"a": 0})
