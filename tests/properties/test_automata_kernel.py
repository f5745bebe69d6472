"""The kernel of digit automata against plain sets, and its compiler against evaluation.

Random automata of few states, closed under zeros at the left, are sets of tuples; a box of
numbers shows what the operations do to them.  What a projection may need from beyond the box is
searched in a box that is wide enough.
"""

from __future__ import annotations

import itertools
from functools import cache, reduce

import numpy as np
import pytest
from drawn_formulas import Drawing
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from speed import examples

from icgsynth.budget import Budget
from icgsynth.digits.arrays import ranks
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, everything, nothing, read_off
from icgsynth.digits.minimise import minimised
from icgsynth.digits.numeration import numeration
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.simplify import simplified
from icgsynth.logic.term import (
    And,
    Compare,
    Digital,
    Implies,
    Int,
    Mod,
    Name,
    Neg,
    Or,
    Quantified,
    Recognised,
    Sum,
)
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.spec.icg import parse_formula

SYSTEMS = ["base-2", "base-3", "zeckendorf", "ostrowski-2", "ostrowski-3-3", "tribonacci"]


def minutes():
    return Budget(float("inf"))


# --- random sets ---------------------------------------------------------------------------


@st.composite
def tables(draw, symbols, most=4):
    """A complete automaton whose first state a column of zeros keeps."""
    states = draw(st.integers(1, most))
    row = st.lists(st.integers(0, states - 1), min_size=symbols, max_size=symbols)
    rows = draw(st.lists(row, min_size=states, max_size=states))
    rows[0][0] = 0
    flags = draw(st.lists(st.booleans(), min_size=states, max_size=states))
    return np.array(rows, np.int32), np.array(flags)


@st.composite
def sets(draw, system, tracks, most=4):
    """A DFA and the table that it is made of, in the order of ``tracks``."""
    table = draw(tables(system.digits ** len(tracks), most))
    return read_off(system, tracks, *table), table


def runs(system, table, numbers):
    """Whether the table accepts the numbers, read here digit by digit."""
    words = [system.representation(n) for n in numbers]
    length = max(map(len, words), default=0)
    state = 0
    for i in range(length):
        symbol = 0
        for w in words:
            at = i - (length - len(w))
            symbol = symbol * system.digits + (w[at] if at >= 0 else 0)
        state = table[0][state][symbol]
    return bool(table[1][state])


def box(tracks, side):
    return [
        dict(zip(tracks, numbers, strict=True))
        for numbers in itertools.product(range(side), repeat=len(tracks))
    ]


def has(dfa, env):
    """As :meth:`DFA.contains`, without building all of its tuples for each question."""
    return runs(dfa.system, (dfa.delta, dfa.accepting), [env[t] for t in dfa.tracks])


def test_shadowed_names():
    """The parser refuses them; a tree may have them."""
    even = parse_formula("x = a + 1 and x mod 2 = 0", "xa")
    inner = Quantified("exists", ("x",), even)
    formula = Quantified("exists", ("x",), And((parse_formula("x = a", "xa"), inner)))
    for name in SYSTEMS[:3]:
        found = Compiler(numeration(name), minutes()).formula(formula)
        assert all(has(found, {"a": n}) == (n % 2 == 1) for n in range(20))


some_system = st.sampled_from(["base-2", "zeckendorf", "ostrowski-2"]).map(numeration)
tracks_of_two = st.sampled_from([("a", "b"), ("b", "a")])


@given(st.data(), some_system)
@settings(max_examples=15, deadline=None)
def test_boolean_operations_are_those_of_sets(data, system):
    """Tracks that overlap in one."""
    (one, table), (other, right) = (data.draw(sets(system, t)) for t in (("b", "a"), ("c", "b")))
    found = [one & other, one | other, one - other, one ^ other]
    assert [d.tracks for d in found] == [("a", "b", "c")] * 4
    without, free = ~one, one.over(("c",))
    assert (without.tracks, free.tracks) == (("a", "b"), ("a", "b", "c"))
    for a, b, c in itertools.product(range(6), repeat=3):
        env = {"a": a, "b": b, "c": c}
        p, q = runs(system, table, (b, a)), runs(system, right, (c, b))
        assert has(one, env) == p
        assert [has(d, env) for d in found] == [p and q, p or q, p and not q, p != q]
        assert has(without, env) == (not p)
        assert has(free, env) == p


@given(st.data(), some_system)
@settings(max_examples=30, deadline=None)
def test_renaming(data, system):
    one, table = data.draw(sets(system, ("a", "b")))
    names = data.draw(
        st.sampled_from(
            [{"a": "b", "b": "a"}, {"a": "z"}, {"b": "0"}, {"a": "y", "b": "x"}, {"q": "r"}]
        )
    )
    found = one.renamed(names)
    assert found.tracks == tuple(sorted(names.get(t, t) for t in "ab"))
    for a, b in itertools.product(range(8), repeat=2):
        env = {names.get("a", "a"): a, names.get("b", "b"): b}
        assert has(found, env) == runs(system, table, (a, b))
    back = {new: old for old, new in names.items()}
    assert found.renamed(back) == one


@given(st.data(), some_system, tracks_of_two)
@settings(max_examples=30, deadline=None)
def test_all_ways_to_ask_for_membership_agree(data, system, tracks):
    one, table = data.draw(sets(system, tracks))
    columns = {t: np.array([e[t] for e in box(("a", "b"), 15)]) for t in "ab"}
    flags = one.holds(columns)
    automaton = one.automaton(tracks)
    assert DFA.of(automaton) == one
    assert DFA.of(one.automaton()) == one
    for env, flag in zip(box(("a", "b"), 15), flags, strict=True):
        numbers = tuple(env[t] for t in tracks)
        expected = runs(system, table, numbers)
        assert flag == expected
        assert one.contains(env) == expected
        assert automaton.accepts(numbers) == expected
    wide = data.draw(st.tuples(st.integers(0, 10**30), st.integers(0, 10**30)))
    env = dict(zip(tracks, wide, strict=True))
    assert one.contains(env) == automaton.accepts(wide) == runs(system, table, wide)


@pytest.mark.slow
@given(st.data(), some_system)
@settings(max_examples=40, deadline=None)
def test_a_projection_finds_witnesses_of_any_length(data, system):
    """A set of at most 4 states needs, for a number of 4 digits, a witness of at most
    4 + 4 * 4 * 4 digits; up to 8 all are tried, a longer one the automaton itself shows."""
    one, table = data.draw(sets(system, ("a", "b"), 3))
    projected = one.without(("b",))
    assert projected.tracks == ("a",)
    wide = system.weight(8)
    for a in range(system.weight(3)):
        brute = any(runs(system, table, (a, b)) for b in range(wide))
        if brute:
            assert has(projected, {"a": a})
        elif has(projected, {"a": a}):
            found = one.automaton().complete({"a": a})
            assert found is not None
            assert runs(system, table, (a, found["b"]))
            assert found["b"] >= wide
    assert one.without(("a", "b")).is_empty == one.is_empty
    assert one.without(("c",)) == one


@given(st.data(), some_system)
@settings(max_examples=40, deadline=None)
def test_the_shortest_is_in_the_set_and_none_is_shorter(data, system):
    one, table = data.draw(sets(system, ("a", "b"), 5))
    found = one.shortest()
    assert (found is None) == one.is_empty
    side = system.weight(4)
    lengths = [
        max(len(system.representation(n)) for n in env.values())
        for env in box(("a", "b"), side)
        if runs(system, table, tuple(env.values()))
    ]
    if found is None:
        assert not lengths
        return
    numbers = (found["a"], found["b"])
    assert runs(system, table, numbers)
    length = max(len(system.representation(n)) for n in numbers)
    assert length == min(lengths) if lengths else length > 4


# --- minimal tables ------------------------------------------------------------------------


def blown_up(table, seed):
    """Another automaton for the same language: each state twice, and shuffled."""
    delta, flags = table
    chance = np.random.default_rng(seed)
    count = len(flags)
    place = chance.permutation(np.arange(2 * count))
    start = np.flatnonzero(place == 0)[0]
    place[start], place[0] = place[0], 0
    twice = np.empty((2 * count, delta.shape[1]), np.int32)
    wide = np.empty(2 * count, bool)
    for copy in range(2):
        for q in range(count):
            twice[place[2 * q + copy]] = place[2 * delta[q] + chance.integers(0, 2)]
            wide[place[2 * q + copy]] = flags[q]
    return twice, wide


def same_language(one, other):
    """Whether two tables accept the same words: all pairs that are reached."""
    todo, seen = [(0, 0)], {(0, 0)}
    while todo:
        p, q = todo.pop()
        if one[1][p] != other[1][q]:
            return False
        for pair in zip(one[0][p].tolist(), other[0][q].tolist(), strict=True):
            if pair not in seen:
                seen.add(pair)
                todo.append(pair)
    return True


def indistinct(table):
    """How many states are told apart by words of any length: Moore's algorithm, by hand."""
    delta, flags = table
    reached, todo = {0}, [0]
    while todo:
        for q in delta[todo.pop()].tolist():
            if q not in reached:
                reached.add(q)
                todo.append(q)
    kind = {q: int(flags[q]) for q in reached}
    while True:
        finer = {q: (kind[q], *(kind[r] for r in delta[q].tolist())) for q in reached}
        names = {key: i for i, key in enumerate(dict.fromkeys(finer.values()))}
        if len(names) == len(set(kind.values())):
            return len(names)
        kind = {q: names[key] for q, key in finer.items()}


@given(tables(3, 8), tables(3, 8), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_equal_languages_have_equal_minimal_tables(table, other, seed):
    one = minimised(*table)
    assert len(one[1]) == indistinct(table)
    assert same_language(one, table)
    for again in (minimised(*one), minimised(*blown_up(table, seed))):
        assert np.array_equal(again[0], one[0])
        assert np.array_equal(again[1], one[1])
    found = minimised(*other)
    equal = np.array_equal(found[0], one[0]) and np.array_equal(found[1], one[1])
    assert equal == same_language(table, other)


@given(st.data(), some_system)
@settings(max_examples=30, deadline=None)
def test_sets_are_equal_iff_their_tables_are(data, system):
    (one, _), (other, _) = (data.draw(sets(system, ("a", "b"), 3)) for _ in range(2))
    assert (one == other) == (one ^ other).is_empty
    assert ~~one == one
    assert one - other == one & ~other
    assert one ^ other == (one | other) - (one & other)
    assert ~(one & other) == ~one | ~other
    assert one | other == other | one
    assert (one & other).without(("b",)) - one.without(("b",)) == nothing(system, ("a",))
    assert (one | other).without(("a",)) == one.without(("a",)) | other.without(("a",))
    assert one - one == nothing(system, ("a", "b"))
    assert one | ~one == everything(system, ("a", "b"))


@pytest.mark.parametrize("name", ["base-2", "zeckendorf", "tribonacci"])
def test_words_that_are_no_numbers_are_read_off(name):
    """Fault seen: an automaton of all words meets "all numbers" and stays as it is."""
    system = numeration(name)
    symbols = system.digits**2
    whole = np.zeros((1, symbols), np.int32), np.ones(1, bool)
    found = read_off(system, ("b", "a"), *whole)
    assert found == everything(system, ("a", "b"))
    assert found.renamed({"a": "c"}) == everything(system, ("b", "c"))
    words = itertools.product(itertools.product(range(system.digits), repeat=2), repeat=4)
    for word in words:
        state = 0
        for one, other in word:
            state = found.delta[state, one * system.digits + other]
        step = system.transitions
        ends = [reduce(lambda at, digit: step[at][digit], w, 0) for w in zip(*word, strict=True)]
        assert found.accepting[state] == all(system.accepting[end] for end in ends)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=12))
@settings(max_examples=30, deadline=None)
def test_a_rank_is_the_number_of_different_values_below(values):
    """Fault seen: equal values get different ranks, or ranks have gaps."""
    assert ranks(np.array(values)).tolist() == [len({w for w in values if w < v}) for v in values]


def test_sizes_are_capped():
    two = numeration("base-2")
    compiler = Compiler(two, minutes())
    wide = compiler.formula(parse_formula("x mod 64 = y mod 64", "xy"))
    with pytest.raises(Refused, match="projection"):
        wide.without(("y",), cap=0)
    many = tuple(f"v{i:02}" for i in range(18))
    with pytest.raises(Refused, match="side by side"):
        everything(two, many)
    with pytest.raises(BudgetSpent):
        Compiler(two, Budget(0.0)).formula(parse_formula("x = 1", "x"))


# --- the compiler ----------------------------------------------------------------------------

NAMES = ("a", "b")


def evens(system):
    """Pairs with an equal last digit: data for ``(..) in L``."""
    found = Compiler(system, minutes()).formula(parse_formula("(a - b) mod 3 = 0", "ab"))
    return found.automaton(("b", "a"))


def atoms_of_digits(inner, system):
    """Counts of zeros modulo small numbers, and pairs of a set that is given."""
    return st.one_of(
        st.builds(
            lambda x, m, r, op: Compare(
                (Mod(Digital("zeros", (x,), system), Int(m)), Int(r)), (op,)
            ),
            inner,
            st.integers(1, 3),
            st.integers(-1, 3),
            st.sampled_from(["=", "!="]),
        ),
        st.builds(lambda x, y: Recognised(cached_evens(system.name), (x, y)), inner, inner),
    )


@cache
def cached_evens(name):
    return evens(numeration(name))


def terms_of_digits(inner, system):
    return st.one_of(
        st.builds(
            lambda terms, m: Digital("nimsum", tuple(terms), system, m),
            st.lists(inner, min_size=1, max_size=4),
            st.integers(2, 4),
        ),
        st.builds(lambda x: Digital("shift", (x,), system), inner),
        st.builds(lambda x: Digital("lowpart", (x,), system), inner),
    )


@cache
def formulas(name, leaves=3):
    """Their terms have so many leaves."""
    system = numeration(name)
    drawing = Drawing(
        NAMES,
        st.integers(-9, 9),
        divisors=st.integers(1, 5),
        factors=st.integers(-3, 3),
        links=2,
        more_terms=lambda inner: terms_of_digits(inner, system),
        more_atoms=lambda inner: atoms_of_digits(inner, system),
    )
    return drawing.formulas(3, leaves)


def compiled(name, formula):
    """Its automaton over a and b; a case that grows too large is no case."""
    try:
        return Compiler(numeration(name), Budget(3.0)).formula(formula)
    except (Refused, BudgetSpent):
        assume(False)


some_name = st.sampled_from(["base-2", "zeckendorf", "ostrowski-2"])
relaxed = (HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large)


far = st.lists(st.tuples(st.integers(0, 10**20), st.integers(0, 10**20)), max_size=3)


@examples(12, 500, st.data(), some_name, suppress_health_check=relaxed)
def test_formulas_compile_to_what_they_mean(data, name):
    formula = data.draw(formulas(name), "formula")
    found = compiled(name, formula)
    assert set(found.tracks) <= set(NAMES)
    states = [*itertools.product(range(13), repeat=2), *data.draw(far)]
    for a, b in states:
        env = {"a": a, "b": b}
        here = has(found, {t: env[t] for t in found.tracks})
        assert here == satisfies(formula, env), (name, str(formula), env)


@examples(40, 200, st.data(), some_name)
def test_formulas_with_digits_print_and_read_back(data, name):
    """What is read has the meaning of the tree that was printed, and so has its shorter form."""
    how = {"system": numeration(name), "sets": {"L": cached_evens(name)}}
    drawn = data.draw(formulas(name, leaves=8))
    formula = parse_formula(str(drawn), NAMES, **how)
    assert parse_formula(str(formula), NAMES, **how) == formula
    plain = simplified(formula)
    for a, b in itertools.product((0, 1, 6), repeat=2):
        env = {"a": a, "b": b}
        assert satisfies(plain, env) == satisfies(formula, env) == satisfies(drawn, env)


def bounded(kind, name, low, high, body):
    """``body`` for some, or for each, of a few integers."""
    among = Compare((Int(low), Name(name), Int(high)), ("<=", "<="))
    if kind == "exists":
        return Quantified("exists", (name,), And((among, body)))
    return Quantified("forall", (name,), Implies(among, body))


@pytest.mark.slow
@given(st.data(), some_name)
@settings(max_examples=250, deadline=None, suppress_health_check=relaxed)
def test_quantifiers_range_over_all_integers(data, name):
    """Bounds on both sides of 0, the second quantifier inside the first, perhaps shadowing it."""
    body = data.draw(formulas(name), "body")
    outer, inner = (data.draw(st.sampled_from(["exists", "forall"])) for _ in range(2))
    low, high = (data.draw(st.integers(-4, 4)) for _ in range(2))
    second = data.draw(st.booleans())
    formula = bounded(outer, "b", low, high, body)
    if second:
        formula = bounded(inner, "a", -1, 2, Or((formula, Compare((Name("a"), Name("c")), ("=",)))))
    found = compiled(name, formula)
    assert set(found.tracks) <= {"a", "c"}

    def quantified(kind, values):
        return any(values) if kind == "exists" else all(values)

    def holds(a):
        return quantified(outer, [satisfies(body, {"a": a, "b": b}) for b in range(low, high + 1)])

    for n in range(8):
        if second:
            expected = quantified(inner, [holds(a) or a == n for a in range(-1, 3)])
            env = {"c": n}
        else:
            expected, env = holds(n), {"a": n}
        assert has(found, {t: env[t] for t in found.tracks}) == expected, str(formula)


@pytest.mark.parametrize("name", SYSTEMS[:5])
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("exists x. a = x + 3", lambda n: True),
        ("exists x. x < 0 and a + x = 2", lambda n: n > 2),
        ("exists x. x >= 0 and a = 3 * x + 1", lambda n: n % 3 == 1),
        ("forall x. x >= a or x < a", lambda n: True),
        ("forall x. x * 2 != a", lambda n: n % 2 == 1),
        ("forall x. x >= 0 -> (exists y. y > x and y mod 3 = a mod 3)", lambda n: True),
        ("forall x. 0 <= x -> a <= x", lambda n: n == 0),
        ("exists x, y. 3 * x + 5 * y = a and x >= 0 and y >= 0", lambda n: n not in (1, 2, 4, 7)),
        ("exists x. x < -5 and (exists y. y = x + 1 and y < -5)", lambda n: True),
        ("forall x. abs(x) >= a", lambda n: n == 0),
        ("exists x. x >= 0 and 3 * x = 2 * a + 1", lambda n: n % 3 == 1),
        ("exists x. x >= 90 and x mod 3 = a mod 3", lambda n: True),
        ("exists x. x > a and x < 5", lambda n: n < 4),
        ("exists x. x > 5 * a + 3 and x mod 2 = 1 and x < 5 * a + 6", lambda n: True),
    ],
)
def test_quantifiers_by_hand(name, text, meant):
    """Witnesses may be longer than the numbers that are given, and shorter."""
    found = Compiler(numeration(name), minutes()).formula(parse_formula(text, "a"))
    for n in [*range(60), 10**20, 10**20 + 1, 10**20 + 2]:
        assert has(found, dict.fromkeys(found.tracks, n)) == meant(n)


# --- sets as data --------------------------------------------------------------------------


@given(st.data(), some_system)
@settings(max_examples=30, deadline=None)
def test_completing_a_tuple_gives_the_least_number(data, system):
    one, table = data.draw(sets(system, ("a", "b"), 3))
    automaton = one.automaton(("b", "a"))
    for a in range(8):
        found = automaton.complete({"a": a})
        brute = next((b for b in range(system.weight(6)) if runs(system, table, (a, b))), None)
        if found is None:
            assert brute is None
            assert not has(one.without(("b",)), {"a": a})
        else:
            assert runs(system, table, (a, found["b"]))
            assert found["b"] == brute if brute is not None else found["b"] >= system.weight(6)


ONLY_LONG = ((1, 2), (1, 1), (2, 2)), (True, False, True)  # a zero at the left rejects all


def test_zeros_at_the_left_must_not_matter():
    """accepts() reads no zeros at the left, complete() does: they disagree about this one."""
    automaton = Automaton(numeration("base-2"), ("a",), *ONLY_LONG)
    with pytest.raises(Refused):
        DFA.of(automaton)


def test_reading_the_same_twice_is_one_set():
    """Repeated names and terms in the place of tracks."""
    system = numeration("zeckendorf")
    compiler = Compiler(system, minutes())
    below = compiler.formula(parse_formula("a < b", "ab")).automaton(("a", "b"))
    for terms, meant in (
        ((Name("a"), Name("a")), lambda a, b: False),
        ((Name("b"), Name("a")), lambda a, b: b < a),
        ((Sum((Name("a"), Int(1))), Name("a")), lambda a, b: False),
        ((Name("a"), Sum((Name("a"), Name("b")))), lambda a, b: b > 0),
        ((Sum((Name("a"), Neg(Name("b")))), Name("a")), lambda a, b: a >= b and b > 0),
        ((Int(3), Name("a")), lambda a, b: a > 3),
        ((Int(-3), Name("a")), lambda a, b: False),
    ):
        found = compiler.formula(Recognised(below, terms))
        for a, b in itertools.product(range(9), repeat=2):
            env = {"a": a, "b": b}
            assert has(found, {t: env[t] for t in found.tracks}) == meant(a, b)
            assert satisfies(Recognised(below, terms), env) == meant(a, b)


def test_repeated_digits():
    system = numeration("base-2")
    for modulus in (2, 3, 4):
        for copies in (1, 2, 3, 4):
            term = Digital("nimsum", (Name("a"),) * copies, system, modulus)
            found = Compiler(system, minutes()).formula(Compare((term, Name("b")), ("=",)))
            for a in range(10):
                value = reduce(
                    lambda v, d: 2 * v + d * copies % modulus, map(int, format(a, "b")), 0
                )
                assert all(
                    has(found, {"a": a, "b": b}) == (b == value) for b in {value, a, value + 1}
                )
