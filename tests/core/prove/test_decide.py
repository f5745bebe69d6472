"""Deciders never contradict each other, nor brute force; caps give "unknown"."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from drawn_formulas import Drawing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from speed import examples

from icgsynth.budget import Budget
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.normal import Unsupported, normal
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Abs,
    And,
    Compare,
    Div,
    Formula,
    Int,
    Mod,
    Mul,
    Name,
    Not,
    Or,
    Quantified,
    Sum,
)
from icgsynth.prove.deciders import classes, presburger, smt
from icgsynth.prove.deciders.grid import grid_of, moduli
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.spec.icg import parse_formula

DECIDERS = {
    "z3": smt.satisfy,
    "isl": presburger.satisfy,
    "classes": classes.satisfy,
    "portfolio": decide,
}
every_decider = pytest.mark.parametrize("ask", DECIDERS.values(), ids=DECIDERS)
NAMES = ("a", "b", "c")
REACH = 5


def formula(text):
    return parse_formula(text, ("a", "b", "c", "x"))


def kind(ask, *texts, names=NAMES, seconds=20.0):
    parts = [formula(text) for text in texts]
    answer = ask(parts, names, Budget(seconds))
    if answer.kind == "sat":
        assert set(answer.model) == set(names)
        assert all(satisfies(part, answer.model) for part in parts)
    else:
        assert answer.model is None
    return answer.kind


# --- one contract ---------------------------------------------------------------------------


@every_decider
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], "sat"),
        (["true"], "sat"),
        (["false"], "unsat"),
        (["a = b", "a != b"], "unsat"),
        (["2 * a = 2 * b + 1"], "unsat"),
        (["2 * a + 3 * b = 1", "a > 1000"], "sat"),
        (["0 < 2 * a - 2 * b < 2"], "unsat"),
        (["a mod 6 = 1", "a mod 4 = 2"], "unsat"),
        (["a mod 6 = 1", "a mod 4 = 3", "a < -50"], "sat"),
        (["(a mod 30) mod 7 = 6", "(a mod 30) div 7 = 4"], "unsat"),
        (["a div 7 = -3", "a mod 7 = 5"], "sat"),
        (["(a div 2) mod 3 = 2", "a mod 6 != 4", "a mod 6 != 5"], "unsat"),
        (["(a - b) mod 5 = 2", "(b - c) mod 5 = 2", "(a - c) mod 5 != 4"], "unsat"),
        (["(2 * a) mod 4 = 1"], "unsat"),
        (["max(a, b) < min(a, b)"], "unsat"),
        (["abs(a) + abs(b) < abs(a + b)"], "unsat"),
        (["(if a < b then a else b) != min(a, b)"], "unsat"),
        (["min(a mod 3, 2) + abs(b mod 3 - 2) > 4"], "unsat"),
        (["a in {1, 5, 9}", "a mod 4 != 1"], "unsat"),
        (["not (1 <= a < 3)", "a in {1, 2}"], "unsat"),
        (["a < b <-> b <= a"], "unsat"),
        (["a < b -> a mod 2 = 0", "a < b", "a mod 4 in {1, 3}"], "unsat"),
        (["0 <= a <= 5", "0 <= b <= 5", "a + b = 11"], "unsat"),
        (["a >= 0", "b >= 0", "a mod 51 = 0", "1 <= b <= 50", "(a - b) mod 51 = 0"], "unsat"),
    ],
)
def test_contract(ask, texts, expected):
    assert kind(ask, *texts) == expected


@every_decider
@pytest.mark.parametrize("given_", [TRUE, FALSE, And((TRUE, TRUE)), Or((FALSE, FALSE))])
def test_no_name_at_all(ask, given_):
    answer = ask([given_], (), Budget(60))
    assert answer.kind == ("sat" if satisfies(given_, {}) else "unsat")
    assert answer.model in ({}, None)


@every_decider
def test_huge_constants(ask):
    big = 10**40
    assert kind(ask, f"a > {big}", f"a < {big}") in {"unsat", "unknown"}
    assert kind(ask, f"a mod {big} = 7", f"a > {big}") in {"sat", "unknown"}
    assert kind(ask, f"a mod 4611686018427387904 = 7 and {big} * a = b") in {"sat", "unknown"}


def test_the_portfolio_decides_huge_constants():
    assert kind(decide, f"a > {10**40}", f"a < {10**40}") == "unsat"
    assert kind(decide, f"a = {10**40}", "b = a + 1") == "sat"


@pytest.mark.parametrize("ask", [presburger.satisfy, classes.satisfy], ids=["isl", "classes"])
def test_deep_nesting_is_unknown_at_worst(ask):
    deep: Formula = formula("a >= 0")
    for _ in range(20_000):
        deep = Not(deep)
    assert ask([deep], NAMES, Budget(5)).kind in {"sat", "unknown"}


@every_decider
def test_a_spent_budget_is_unknown(ask):
    assert ask([formula("a = b")], NAMES, Budget(0.0)).kind == "unknown"


@pytest.mark.parametrize("ask", [presburger.satisfy, classes.satisfy], ids=["isl", "classes"])
@pytest.mark.parametrize(
    "given_",
    [
        Quantified("exists", ("x",), Compare((Name("x"), Name("a")), (">",))),
        Compare((Mul(Name("a"), Name("b")), Int(4)), ("=",)),
        Compare((Mod(Name("a"), Name("b")), Int(4)), ("=",)),
        Compare((Mod(Name("a"), Int(0)), Int(4)), ("=",)),
        Compare((Div(Name("a"), Int(-2)), Int(4)), ("=",)),
    ],
    ids=str,
)
def test_what_is_beyond_is_unknown(ask, given_):
    assert ask([given_], NAMES, Budget(5)).kind == "unknown"


def test_quantified_parts_go_to_z3():
    some = Quantified("exists", ("x",), formula("x > a and x < b and x mod 2 = 0"))
    assert decide([some, formula("b = a + 1")], ("a", "b"), Budget(60)).kind == "unsat"
    parts = [some, *map(formula, ["a > 0", "a > 1", "b > 2", "c > 3"])]
    assert decide(parts, NAMES, Budget(60)).kind == "sat"


def test_what_classes_leave_goes_to_any_engine_that_is_not_excluded():
    """Seen: an engine that is never asked where it is the only one."""
    parts = [formula(text) for text in ("a mod 2 = 1", "b mod 2 = 1", "a + b > 7 * c", "c > a + b")]
    engines = frozenset({presburger.NAME, smt.NAME})
    for engine in engines:
        answer = classes.satisfy(parts, NAMES, Budget(20), without=engines - {engine})
        assert answer.kind == "sat" and all(satisfies(part, answer.model) for part in parts)
    assert classes.satisfy(parts, NAMES, Budget(20), without=engines).kind == "unknown"


def test_the_middle_of_many_parts_counts_too():
    texts = ["a >= 0", "a < 10", "b = a", "b != 3", "a mod 7 = 3"]
    assert kind(decide, *texts) == "unsat"
    assert kind(decide, *texts[:3], *texts[4:]) == "sat"


# --- caps --------------------------------------------------------------------------------------


def test_the_cap_on_operations(capfd):
    parts = [formula(f"a mod {m} != b mod {m + 1}") for m in range(2, 12)]
    assert presburger.satisfy(parts, NAMES, Budget(20), operations=500).kind == "unknown"
    assert capfd.readouterr().err == ""


def test_the_cap_on_classes():
    parts = [formula("a mod 1000 = 1"), formula("b mod 1000 = 1")]
    assert classes.satisfy(parts, NAMES, Budget(20)).kind == "unknown"
    caps = replace(classes.FULL, classes=1_000_000)
    assert classes.satisfy(parts, NAMES, Budget(20), caps).kind == "sat"


@pytest.mark.parametrize("cap", ["classes", "work", "codes", "calls"])
def test_each_cap_of_the_classes(cap):
    parts = [formula("a - 2 * b > c mod 7"), formula("a mod 5 < b mod 6 + c mod 3")]
    assert classes.satisfy(parts, NAMES, Budget(20)).kind == "sat"
    caps = replace(classes.FULL, **{cap: 0})
    assert classes.satisfy(parts, NAMES, Budget(20), caps).kind == "unknown"


def test_the_cap_on_cases():
    many = Sum(tuple(Abs(Sum((Name("a"), Int(i)))) for i in range(40)))
    with pytest.raises(Unsupported):
        normal([Compare((many, Int(0)), ("<",))])


# --- classes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a mod 6 = 1 and a mod 4 = 1", {"a": 12, "b": 1}),
        ("(a + 2 * b) mod 6 = 0", {"a": 6, "b": 3}),
        ("(a mod 30) mod 7 = 0", {"a": 30, "b": 1}),
        ("(a div 2) mod 3 = 0", {"a": 6, "b": 1}),
        ("((3 * a) div 2) mod 3 = 0", {"a": 2, "b": 1}),
        ("(a - 4 * (b div 3)) mod 4 = 0", {"a": 4, "b": 3}),
        ("a < b", {"a": 1, "b": 1}),
    ],
)
def test_moduli(text, expected):
    assert moduli(normal([formula(text)]), ("a", "b")) == expected


def test_bounded_names_are_enumerated():
    pieces = normal([formula(t) for t in ("a mod 30 = 2", "0 <= b", "b <= 5", "b mod 30 = c")])
    grid = grid_of(pieces, NAMES, 1000)
    assert [axis.modulus for axis in grid.axes.values()] == [30, 0, 1]
    assert grid.shape == (30, 6, 1)


# --- random formulas ---------------------------------------------------------------------------

drawing = Drawing(NAMES, st.integers(-6, 6), divisors=st.integers(1, 6), factors=st.integers(-3, 3))
formulas = drawing.formulas(5, 4)
questions = st.lists(formulas, min_size=1, max_size=6)
BOX = tuple(Compare((Int(-REACH), Name(n), Int(REACH)), ("<=", "<=")) for n in NAMES)
slow = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def brute(parts):
    points = itertools.product(range(-REACH, REACH + 1), repeat=len(NAMES))
    envs = (dict(zip(NAMES, point, strict=True)) for point in points)
    return any(all(satisfies(part, env) for part in parts) for env in envs)


def kinds(parts):
    found = {}
    for name, ask in DECIDERS.items():
        answer = ask(parts, NAMES, Budget(1))
        if answer.kind == "sat":
            assert all(satisfies(part, answer.model) for part in parts), name
        found[name] = answer.kind
    return found


@examples(10, 100, questions)
def test_deciders_agree_on_unbounded_names(parts):
    assert len(set(kinds(parts).values()) - {"unknown"}) <= 1


@pytest.mark.slow
@slow
@given(questions)
def test_deciders_agree_with_brute_force_in_a_box(parts):
    found = set(kinds([*BOX, *parts]).values()) - {"unknown"}
    assert found <= {"sat" if brute(parts) else "unsat"}


@pytest.mark.slow
@slow
@given(formulas)
def test_normal_form_is_equivalent(formula):
    try:
        (plain,) = normal([formula])
        (opposite,) = normal([negation(formula)])
    except Unsupported:
        return
    for point in itertools.product((-7, -2, 0, 1, 5), repeat=len(NAMES)):
        env = dict(zip(NAMES, point, strict=True))
        assert satisfies(plain, env) == satisfies(formula, env) != satisfies(opposite, env)
