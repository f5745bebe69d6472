"""What is learned from a quotient: right on the labels, and beyond them where they suffice."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.logic.build import reading, size
from icgsynth.logic.evaluate import columns, satisfies
from icgsynth.logic.term import Int, Mod, Name
from icgsynth.spec.icg import parse_formula
from icgsynth.synth.linear.cells import formulas_over
from icgsynth.synth.linear.literals import Literals
from icgsynth.synth.linear.periodic import listed_intervals, listed_stretches, periodic_formula
from icgsynth.synth.linear.polish import Legal, plain, say_plainly, shorter, tidy, values_of
from icgsynth.synth.linear.quotient import _is_function, quotients
from icgsynth.synth.linear.vocabulary import of_quotient

quick = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
VARIABLES = ("a", "b")


def box(*sides: int) -> np.ndarray:
    """All states with 0 <= x < side for each side."""
    grids = np.meshgrid(*(np.arange(n) for n in sides), indexing="ij")
    return np.stack([g.ravel() for g in grids], axis=1).astype(np.int64)


def on(formula, states: np.ndarray) -> np.ndarray:
    env = {v: states[:, i] for i, v in enumerate(VARIABLES)}
    return np.array(np.broadcast_to(columns(formula, env), (len(states),)))


# --- random Presburger sets with small constants -------------------------------------------

bounds = st.builds(
    lambda form, op, n: f"{form} {op} {n}",
    st.sampled_from(["a", "b", "a - b"]),
    st.sampled_from(["<=", ">", "=", "!="]),
    st.integers(0, 4),
)
residues = st.builds(
    lambda form, m, r: f"({form}) mod {m} = {r % m}",
    st.sampled_from(["a", "b", "a + b", "a - b"]),
    st.integers(2, 4),
    st.integers(0, 3),
)
cells = st.lists(st.one_of(bounds, residues), min_size=1, max_size=3).map(" and ".join)
sets = st.lists(cells, min_size=1, max_size=2).map(lambda c: " or ".join(f"({x})" for x in c))


@pytest.mark.slow
@quick
@given(sets)
def test_equal_keys_have_equal_labels_and_the_formula_holds_beyond_the_box(text):
    formula = parse_formula(text, VARIABLES)
    states = box(64, 64)
    target = on(formula, states)
    assume(target.any() and not target.all())
    found = list(quotients(states, target, [0, 1], [], Budget(60)))
    assert found, "thresholds to 4 and periods to 12 show in a box of 64"
    quotient = found[0]
    inside = np.bincount(quotient.keys, weights=target)
    count = np.bincount(quotient.keys)
    assert ((inside == 0) | (inside == count)).all()
    rows = quotient.representatives()
    assert len(np.unique(quotient.keys[rows])) == len(rows) == len(np.unique(quotient.keys))
    words = of_quotient(quotient, [0, 1], states[rows])
    wider = box(90, 90)
    for learned in formulas_over(words, target[rows], VARIABLES, Budget(60)):
        assert (on(learned, states) == target).all()
        assert (on(learned, wider) == on(formula, wider)).all()


@quick
@given(
    st.lists(
        st.tuples(st.lists(st.booleans(), max_size=6), st.integers(1, 3)), min_size=1, max_size=3
    ),
    st.data(),
)
def test_slices_with_periods_of_their_own(slices, data):
    """One unbounded variable: each slice has a pre-period and a period of its own."""
    patterns = [
        (start, data.draw(st.lists(st.booleans(), min_size=p, max_size=p))) for start, p in slices
    ]

    def label(a: int, b: int) -> bool:
        start, period = patterns[b]
        return start[a] if a < len(start) else period[(a - len(start)) % len(period)]

    states = box(60, len(patterns))
    target = np.array([label(int(a), int(b)) for a, b in states])
    assume(target.any() and not target.all())
    (quotient,) = quotients(states, target, [0], [], Budget(60))
    rows = quotient.representatives()
    words = of_quotient(quotient, [0], states[rows])
    assert len(np.unique(words.rows, axis=0)) == len(words)  # no two of them say as much
    wider = box(200, len(patterns))
    expected = np.array([label(int(a), int(b)) for a, b in wider])
    learned = formulas_over(words, target[rows], VARIABLES, Budget(60))
    assert learned
    for formula in learned:
        assert (on(formula, wider) == expected).all()


def test_the_key_of_a_slope_is_read_off_the_losing_states():
    formula = parse_formula("5 * a = 3 * b or (a <= 2 and b = a + 1)", VARIABLES)
    states = box(80, 80)
    found = list(quotients(states, on(formula, states), [0, 1], [], Budget(60)))
    assert any((5, -3) in [form for form, _, _ in q.forms] for q in found)


def test_an_irrational_line_has_no_quotient():
    golden = (1 + 5**0.5) / 2
    losing = {(int(n * golden), int(n * golden**2)) for n in range(60)}
    states = box(80, 80)
    target = np.array([(a, b) in losing or (b, a) in losing for a, b in states])
    assert list(quotients(states, target, [0, 1], [], Budget(60))) == []


# --- polish ----------------------------------------------------------------------------------

numbers = st.integers(-3, 6)
literals = st.one_of(
    st.builds(lambda v, op, n: f"{v} {op} {n}", st.sampled_from(["a", "b", "a + b", "a - b"]),
              st.sampled_from(["=", "!=", "<=", ">", "<", ">="]), numbers),
    st.builds(lambda x, y, n: f"{x} = {y} + {n}", st.sampled_from("ab"), st.sampled_from("ab"),
              numbers),
    st.builds(lambda v, m, r, op: f"{v} mod {m} {op} {r % m}", st.sampled_from("ab"),
              st.integers(2, 6), st.integers(0, 5), st.sampled_from(["=", "!=", "<=", ">"])),
    st.builds(lambda v, m, r: f"{v} mod {m} in {{{', '.join(str(x % m) for x in r)}}}",
              st.sampled_from("ab"), st.integers(2, 6), st.lists(st.integers(0, 5), min_size=1)),
)  # fmt: skip
texts = st.recursive(
    literals,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=4).map(lambda p: "(" + " or ".join(p) + ")"),
        st.lists(inner, min_size=2, max_size=4).map(lambda p: "(" + " and ".join(p) + ")"),
        inner.map(lambda p: f"not ({p})"),
    ),
    max_leaves=8,
)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(texts)
def test_polish_keeps_the_meaning_and_is_never_longer(text):
    formula = parse_formula(text, VARIABLES)
    said = shorter(formula)
    assert size(said) <= size(formula)
    for a, b in itertools.product(range(-8, 20, 1), range(-8, 14)):
        env = {"a": a, "b": b}
        assert satisfies(said, env) == satisfies(formula, env), (str(said), env)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 2 or a = 3", "a in {2, 3}"),
        ("a > 1 and a <= 5", "1 < a <= 5"),
        ("b mod 2 = 0 and a > b and b >= 3", "b mod 2 = 0 and 3 <= b < a"),
        ("a > 3 and b < 3", "a > 3 and b < 3"),
        ("a mod 9 in {0, 1, 2}", "a mod 9 <= 2"),
        ("a mod 3 = 0 or a mod 3 != 0", "true"),
        ("8 < a mod 15 <= 10 or a mod 15 in {2, 3, 6}", "a mod 15 in {2, 3, 6, 9, 10}"),
        ("a mod 6 > 2 and a mod 12 <= 5", "3 <= a mod 12 <= 5"),
        ("not (a mod 5 in {2, 3})", "a mod 5 in {0, 1, 4}"),
        ("not (a mod 7 in {0, 2})", "not (a mod 7 in {0, 2})"),
        ("b = 1 or b = 4 or a mod 2 = 0", "b in {1, 4} or a mod 2 = 0"),
        ("(2 * a + 1) mod 8 in {3, 7}", "a mod 2 = 1"),
        ("(-a - b) mod 8 in {0, 7}", "(a + b) mod 8 <= 1"),
        ("(a - 3) mod 13 in {0, 7} or (a + 2) mod 13 = 8", "a mod 13 in {3, 6, 10}"),
        ("(2 * a) mod 6 = 3 or b = 0", "b = 0"),
        ("(2 * a + b) mod 6 in {1, 3, 5}", "b mod 2 = 1"),
    ],
)  # fmt: skip
def test_polish_says_it_the_short_way(text, expected):
    """Faults it sees: a residue of another number, a modulus that is divided and is not told."""
    assert str(shorter(parse_formula(text, VARIABLES))) == expected


@examples(12, 40, texts, texts)
def test_plain_and_tidy_formulas_mean_the_same_where_they_are_asked(text, condition):
    """Where neither number is below 0, and the condition holds."""
    game = icg.loads("game g var a, b legal a >= 0 and b >= 0 action no pre false eff a := a").game
    formula, wide = parse_formula(text, VARIABLES), box(20, 20)
    legal = Legal(game, box(2, 2), Budget(20))
    written, tidied = plain(legal, formula, legal.part()), tidy(legal, formula)
    assert reading(written) <= reading(formula)
    assert size(tidied) <= size(formula)
    assert (on(written, wide) == on(formula, wide)).all()
    assert (on(tidied, wide) == on(formula, wide)).all()
    given = parse_formula(condition, VARIABLES)
    differ = on(say_plainly(legal, formula, (given,)), wide) != on(formula, wide)
    assert not (differ & on(given, wide)).any()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a > b and (a + b > 1 or (2 * a = 1 and b = -b))", "a > b and a + b > 1"),
        ("a >= b and a + b >= 0 and 3 <= a", "a >= b and 3 <= a"),
        ("a + 1 <= 0 or b = 3", "b = 3"),
        ("1 <= a <= b and 3 <= a", "a <= b and 3 <= a"),
        ("1 <= a <= b", "1 <= a <= b"),
        ("2 * a = 1", "false"),
        ("a <= 1 or (a > 1 and b = 0)", "a <= 1 or b = 0"),
    ],
)
def test_what_no_legal_state_meets_or_all_do_is_not_said(text, expected):
    game = icg.loads("game g var a, b legal a >= 0 and b >= 0 action no pre false eff a := a").game
    legal = Legal(game, box(2, 2), Budget(20))
    assert str(tidy(legal, parse_formula(text, VARIABLES))) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <= 0", "a = 0"),
        ("a >= b", "a = b"),
        ("a <= 1", "a <= 1"),
        ("b < 1", "b = 0"),
        ("a = -b", "b = 0"),
        ("a != 0 and a < 2", "a = 1"),
        ("max(a, b - a) = 0 or a > 2", "a = b = 0 or a > 2"),
        ("a = b and b = 3", "a = b = 3"),
        ("a = 0 and b = 2 * a + 4", "a = 0 and b = 4"),
        ("a mod 2 = 0 and b mod 3 = 0", "a mod 2 = 0 and b mod 3 = 0"),
        ("a mod 2 != 1", "a mod 2 = 0"),
        ("not (a = b = 0)", "b != 0"),
    ],
)
def test_a_comparison_is_the_one_with_least_to_read(text, expected):
    game = icg.loads("game g var a, b legal a >= 0 and b >= a action no pre false eff a := a").game
    legal = Legal(game, box(2, 2)[1:2], Budget(20))
    assert str(say_plainly(legal, parse_formula(text, VARIABLES))) == expected


@given(st.sets(st.integers(0, 11), min_size=1))
def test_values_of_residues(values):
    formula = values_of(Mod(Name("a"), Int(12)), values)
    assert all(satisfies(formula, {"a": a}) == (a % 12 in values) for a in range(-24, 24))


flags = st.lists(st.booleans(), max_size=8)


@given(flags.filter(bool), flags, st.integers(0, 3))
def test_what_is_periodic_from_a_place_on_is_read_off_with_its_exceptions(period, early, first):
    values, target = np.arange(first, first + 80), np.resize(period, 80)
    target[: len(early)] = early
    formula = periodic_formula(values, target, "v")
    assert (formula is None) == (not target.any())
    assert formula is None or all(
        satisfies(formula, {"v": int(v)}) == lost for v, lost in zip(values, target, strict=True)
    )


@given(
    st.lists(
        st.tuples(st.integers(1, 30), st.lists(st.booleans(), min_size=1, max_size=4)),
        min_size=1,
        max_size=9,
    ),
    st.integers(-5, 500),
)
def test_a_list_of_stretches_says_the_set_and_no_more_than_there_are(stretches, first):
    """Each stretch has a length and labels that repeat.

    Faults it sees: a bound that is off by one or left out, residues counted from the begin of a
    stretch, a single value lost; a list of the values where each stretch has a period.
    """
    labels = [cycle[i % len(cycle)] for length, cycle in stretches for i in range(length)]
    target, values = np.array(labels), np.arange(first, first + len(labels))
    formula = listed_stretches(values, target, "v")
    for v, is_lost in zip(values, target, strict=True) if formula is not None else ():
        assert satisfies(formula, {"v": int(v)}) == is_lost
    if formula is None:
        assert len(labels) > 40  # stretches are at most as many
    if all(length >= 3 * len(cycle) for length, cycle in stretches):
        assert formula is not None
    assert listed_stretches(np.append(values, values[-1] + 2), np.append(target, True), "v") is None


@example([1] * 81, 0, True)
@example([1] * 82, 0, False)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=90), st.integers(-5, 5), st.booleans())
def test_a_list_of_intervals_says_the_set_and_is_not_longer_than_a_person_reads(runs, first, lost):
    """``runs`` are the lengths of runs of like labels.

    Faults it sees: an end of an interval that is off by one, or left out where the values go on; a
    single value lost; a list of 41 intervals, or none of 40.
    """
    target = np.concatenate([np.full(n + 1, lost ^ i % 2 == 1) for i, n in enumerate(runs)])
    values = np.arange(first, first + len(target))
    formula = listed_intervals(values, target, "v", 40)
    assert (formula is None) == (np.count_nonzero(np.diff(target, prepend=False) & target) > 40)
    assert formula is None or all(
        satisfies(formula, {"v": int(v)}) == is_lost
        for v, is_lost in zip(values, target, strict=True)
    )


@pytest.mark.parametrize("far", [1, 5, 3_000_000])
def test_keys_tell_the_labels_where_none_has_both(far):
    """Fault seen: large keys are numbered wrongly, or a key that has both labels passes."""
    keys = np.array([0, far, 2 * far, far, 0])
    assert _is_function(keys, np.array([True, False, True, False, True]))
    assert not _is_function(keys, np.array([True, False, True, True, True]))


def test_the_literals_of_a_set_are_those_of_the_table():
    """Fault seen: a form that changes after the first states counts as constant."""
    states = np.array([[a, b] for a in range(7) for b in range(7)])
    literals = Literals(states, 4, 10**6, Budget(60))
    for leaves in range(2, 6):
        table = literals.of_size(leaves)
        assert table is not None
        for row in range(0, len(table), 7):
            literal = table.literal(row)
            envs = ({"a": a, "b": b} for a, b in states.tolist())
            target = np.array([satisfies(literal.formula("ab"), env) for env in envs])
            found = literals.exact(leaves, target)
            assert literal in found or literal.op in ("<=", ">")  # of these one is enough
