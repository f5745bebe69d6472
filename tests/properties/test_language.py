"""The language: what is printed reads back, and means the same to Python, numpy and z3.

Three sources of texts: our own lark grammar, trees built by hand-written strategies, and
pairs of a text in the language with the same text in Python, whose ``eval`` is the oracle for
precedence and meaning (Python's ``%`` and ``//`` are the language's floor ``mod`` and ``div``,
and its chains, ``not``, ``and``, ``or`` and unary minus bind in the same order).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from drawn_formulas import OPERATORS, Drawing
from hand_solved import as_python
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from hypothesis.extra.lark import from_lark
from lark import Lark
from lark.lexer import PatternStr
from speed import examples

import icgsynth
from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.logic.build import fold, negation, reading, size, substitute
from icgsynth.logic.evaluate import columns, satisfies, value
from icgsynth.logic.term import Compare, Formula, Int, Name, Quantified, spell
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.deciders.smt import satisfy
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

NAMES = ("a", "b", "c")

# --- trees -----------------------------------------------------------------------------

numbers = st.integers(-9, 9) | st.sampled_from([2**63 - 1, 2**63, -(2**64), 10**30])
divisors = st.integers(1, 7) | st.sampled_from([2**31, 2**64 + 1])
drawing = Drawing(NAMES, numbers, divisors, factors=numbers)
terms, formulas = drawing.terms(6), drawing.formulas(5, 6)
small = st.integers(-12, 12)
huge = st.integers(-(2**80), 2**80) | st.sampled_from([2**62, 2**63, -(2**63), 2**64])
states = st.fixed_dictionaries(dict.fromkeys(NAMES, small | huge))


def close(formula: Formula, depth: int) -> Formula:
    """``formula`` below ``depth`` quantifiers whose names it uses for a, b, ..."""
    for i, name in enumerate(NAMES[:depth]):
        bound = f"x{i}"
        body = substitute(formula, {name: Name(bound)})
        formula = Quantified("exists" if i % 2 else "forall", (bound,), body)  # type: ignore[arg-type]
    return formula


@given(formulas, st.integers(0, 2))
@settings(max_examples=50, deadline=None)
def test_a_printed_formula_reads_back(formula, depth):
    """The tree may come from anywhere; what was read once is printed and read unchanged."""
    once = parse_formula(str(close(formula, depth)), NAMES)
    text = str(once)
    again = parse_formula(text, NAMES)
    assert again == once
    assert str(again) == text
    assert size(again) == size(once)
    assert parse_formula(spell(once), NAMES) == once


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a not in {1, 3}", "not (a in {1, 3})"),
        ("b = 0 or (a + b) mod 3 not in {0, 1}", "b = 0 or not ((a + b) mod 3 in {0, 1})"),
        ("not (a in {1} and b in {2})", "not (a in {1} and b in {2})"),
    ],
)
def test_people_read_not_in_where_files_have_the_longer_form(said, written):
    formula = parse_formula(said, NAMES)
    assert formula == parse_formula(written, NAMES)
    assert (spell(formula), str(formula)) == (said, written)


@given(formulas, states)
@settings(max_examples=50, deadline=None)
def test_printing_keeps_the_meaning(formula, state):
    assert satisfies(parse_formula(str(formula), NAMES), state) == satisfies(formula, state)


@given(terms, states)
@settings(max_examples=100, deadline=None)
def test_printing_keeps_the_value(term, state):
    assert value(parse_term(str(term), NAMES), state) == value(term, state)


# --- texts of our own grammar ------------------------------------------------------------

GRAMMAR = (Path(icgsynth.__file__).parent / "spec" / "icg.lark").read_text("utf-8")
# What the grammar alone cannot know: names, linearity, positive divisors, unary plus.
MEANING = re.compile(
    r"is not linear|unknown (name|set)|is already a|must be positive|unexpected '\+'"
    r"|is not constant|given twice|assigned twice|second action|has no (variable|action)"
    r"|is a (constant|parameter)|in a game of heaps"
)


def texts_from_grammar(start: str) -> st.SearchStrategy[str]:
    """Texts derived from ``icg.lark``; tokens that would run together stand apart."""
    lark = Lark(GRAMMAR, start=start, parser="lalr", lexer="basic", maybe_placeholders=True)
    explicit = {
        t.name: st.just(f" {t.pattern.value} ")
        for t in lark.terminals
        if isinstance(t.pattern, PatternStr)
    }
    explicit |= {
        "NAME": st.sampled_from([" a ", " b ", " c ", " x "]),
        "INT": st.sampled_from([" 1 ", " 2 ", " 3 ", " 10 ", " 0 ", f" {2**70} "]),
        "COMPARISON": st.sampled_from([" < ", " <= ", " > ", " >= ", " != "]),
        "SIGN": st.sampled_from([" - ", " + "]),
        "EQUAL": st.just(" = "),
        "COMMENT": st.just("# a = (b\n"),
        "WS": st.sampled_from([" ", "\n", "\t", "\r\n"]),
        "STRING": st.just(' "A title # with a sign, é" '),
    }
    known = {t.name for t in lark.terminals}
    explicit = {name: strategy for name, strategy in explicit.items() if name in known}
    return from_lark(lark, start=start, explicit=explicit)


def drawn(test: Callable[[], None]) -> None:
    """Run ``test``, and again where it was given nothing: most derivations of a recursive grammar
    grow too long and are thrown away, and with some seeds all of them."""
    for again in range(4):
        with suppress(Unsatisfiable):
            return test()
        test = seed(again)(test)
    return test()


@pytest.mark.slow
def test_many_formulas_of_the_grammar():
    @given(texts_from_grammar("formula"))
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    def read(text):
        try:
            once = parse_formula(text, NAMES)
        except InputError as error:
            assert MEANING.search(error.message), str(error)
            return
        assert parse_formula(str(once), NAMES) == once
        assert str(parse_formula(str(once), NAMES)) == str(once)

    drawn(read)


def test_files_of_the_grammar():
    @given(texts_from_grammar("file"))
    @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
    def read(text):
        try:
            spec = parse(Source("text", text))
        except InputError as error:
            assert MEANING.search(error.message), str(error)
            return
        assert parse(Source("again", str(spec))) == spec

    drawn(read)


# --- whole files -------------------------------------------------------------------------


@st.composite
def specs(draw):
    """The text of a file that must read: names declared, terms linear, divisors positive."""
    gap = st.sampled_from([" ", "\n", "  \n\t", " # note: var (x\n", "\r\n"])
    names = list(NAMES[: draw(st.integers(1, 3))])
    known = dict.fromkeys(set(NAMES) - set(names), Int(2))

    def formula():
        return str(substitute(draw(formulas), known))

    items = ["game", "g", *(['"A title"'] if draw(st.booleans()) else [])]
    if draw(st.booleans()):
        items += ["cite bouton1901, sprague1935"]
    items += ["const n = 3", "const m = -2"] if draw(st.booleans()) else []
    items += ["var " + ", ".join(names)]
    if draw(st.booleans()):
        items += ["legal " + formula()]
    if draw(st.booleans()):
        items += ["end " + formula()]
    for i in range(draw(st.integers(1, 3))):
        parameters = draw(st.sampled_from(["", "()", "(k)", "(k, l)"]))
        targets = draw(st.lists(st.sampled_from(names), unique=True, min_size=1))
        effects = ", ".join(f"{t} := {substitute(draw(terms), known)}" for t in targets)
        bound = f"1 <= k <= {names[0]} and " if "k" in parameters else ""
        items += [f"action move{i}{parameters}", f"pre {bound}({formula()})", f"eff {effects}"]
    return draw(gap).join(items)


@examples(10, 30, specs())
def test_files_print_and_read_back(text):
    spec = parse(Source("one", text))
    printed = str(spec)
    again = parse(Source("two", printed))
    assert again == spec
    assert str(again) == printed


@pytest.mark.slow
@given(specs())
@settings(max_examples=100, deadline=None)
def test_games_print_and_read_back(text):
    """With the constants put in; printing a game is the ``rules`` of a solution file."""
    game = parse(Source("one", text)).game()
    again = parse(Source("two", str(game))).game()
    assert again.actions == game.actions
    assert (again.legal, again.end, again.variables) == (game.legal, game.end, game.variables)


CANONICAL = [
    "a != b",
    "(a + b) mod 3 != 0",
    "a mod 7 in {0, 2}",
    "not (a = b)",
    "1 <= a <= b",
    "(a = b and b >= 2) or a + b = 1",
    "(a = 1 or b = 1) and c = 0",
    "a = 1 -> b = 1 -> c = 1",
    "(a = 1 -> b = 1) -> c = 1",
    "a = 1 <-> b = 1",
    "exists k. a = 3 * k",
    "forall x, y. x + y = a or x < y",
    "(exists k. a = 3 * k) and b = 0",
    "-a mod 3 = 0",
    "-(a mod 3) = 0",
    "a - b - c = 0",
    "a - (b - c) = 0",
    "2 * a - 3 * b >= -4",
    "a + min(b, c - 1) = max(a, 0)",
    "abs(a - b) <= 1",
    "(if a < b then a else b) + 1 = c",
    "a mod 4 div 2 = 1",
    "true",
    "false",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_text_is_printed_as_it_was_written(text):
    """Texts as language.md writes them: one blank around operators, no needless parentheses."""
    assert str(parse_formula(text, NAMES)) == text


# --- against Python ------------------------------------------------------------------------

# Unparenthesised tokens mean the same in both languages, so that precedence itself is tested.
factor = st.sampled_from([*NAMES, "3", "10", "0"])
flat_products = st.builds(
    lambda sign, x, tail: sign + x + "".join(tail),
    st.sampled_from(["", "-", "--"]),
    factor,
    st.lists(
        st.sampled_from([" mod 3", " div 2", " * 2", " mod 5", " * -3", " div 7"]), max_size=3
    ),
)
flat_terms = st.builds(
    lambda x, tail: x + "".join(sign + y for sign, y in tail),
    flat_products,
    st.lists(st.tuples(st.sampled_from([" + ", " - "]), flat_products), max_size=2),
)
flat_atoms = st.builds(
    lambda x, tail: x + "".join(f" {op} {y}" for op, y in tail),
    flat_terms,
    st.lists(st.tuples(st.sampled_from(OPERATORS), flat_terms), min_size=1, max_size=3),
)
flat_formulas = st.builds(
    lambda parts: "".join(parts),
    st.lists(
        st.tuples(st.sampled_from(["", "not ", "not not "]), flat_atoms), min_size=1, max_size=4
    )
    .map(lambda xs: [n + x for n, x in xs])
    .flatmap(
        lambda xs: st.lists(
            st.sampled_from([" and ", " or "]), min_size=len(xs) - 1, max_size=len(xs) - 1
        ).map(lambda ops: list(itertools.chain(*zip(xs, [*ops, ""], strict=True))))
    ),
)


@given(flat_terms, states)
@settings(max_examples=100, deadline=None)
def test_terms_mean_what_python_means(text, state):
    assert value(parse_term(text, NAMES), state) == eval(as_python(text), {}, dict(state))


@given(flat_formulas, states)
@settings(max_examples=50, deadline=None)
def test_formulas_mean_what_python_means(text, state):
    assert satisfies(parse_formula(text, NAMES), state) is eval(as_python(text), {}, dict(state))


TRUTHS = list(itertools.product([False, True], repeat=3))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("a = 1 -> b = 1 -> c = 1", lambda a, b, c: (not a) or (not b) or c),
        ("a = 1 -> b = 1 or c = 1", lambda a, b, c: (not a) or (b or c)),
        ("a = 1 and b = 1 -> c = 1", lambda a, b, c: not (a and b) or c),
        ("a = 1 <-> b = 1 -> c = 1", lambda a, b, c: a == ((not b) or c)),
        ("not a = 1 -> b = 1 and c = 1", lambda a, b, c: a or (b and c)),
        ("a = 1 or b = 1 and c = 1", lambda a, b, c: a or (b and c)),
        ("not a = 1 and b = 1", lambda a, b, c: (not a) and b),
        ("(a = 1 <-> b = 1) <-> c = 1", lambda a, b, c: (a == b) == c),
        ("not (a = 1 <-> b = 1)", lambda a, b, c: a != b),
        ("(if a = 1 then b else c) = 1", lambda a, b, c: b if a else c),
        # `else` reaches as far right as it can: the sum is inside it.
        ("if a = 1 then b else c + b = 1", lambda a, b, c: b if a else (c + b == 1)),
        ("a in {0, 5} or b in {1}", lambda a, b, c: (not a) or b),
    ],
)
def test_connectives(text, meaning):
    formula = parse_formula(text, NAMES)
    for truths in TRUTHS:
        state = {n: int(t) for n, t in zip(NAMES, truths, strict=True)}
        assert satisfies(formula, state) == bool(meaning(*truths)), state


# --- Python = numpy = z3 -------------------------------------------------------------------


def rows(many):
    """Columns of the given states: 64 bits wide where that holds them all."""
    big = any(abs(x) >= 2**63 for s in many for x in s.values())
    return {n: np.array([s[n] for s in many], dtype=object if big else np.int64) for n in NAMES}


@pytest.mark.parametrize(
    "text",
    [
        f"if a = 0 then {2**63} else 1",
        f"(if a = 0 then {2**63 - 1} else 1) * 2",
        f"(if a = 0 then 4 else 2) * {2**63 - 1}",
        f"(if a = 0 then {2**63} else 1) mod 10",
    ],
)
def test_columns_of_wide_constants(text):
    term = parse_term(text, ["a"])
    assert int(columns(term, {"a": np.array([0])})[0]) == value(term, {"a": 0})


@given(terms, st.lists(states, min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_columns_of_terms(term, many):
    found = np.broadcast_to(columns(term, rows(many)), (len(many),))
    assert [int(x) for x in found] == [value(term, s) for s in many]


@given(formulas, st.lists(states, min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)
def test_columns_of_formulas(formula, many):
    found = np.broadcast_to(columns(formula, rows(many)), (len(many),))
    assert [bool(x) for x in found] == [satisfies(formula, s) for s in many]


@given(
    terms, st.lists(st.fixed_dictionaries(dict.fromkeys(NAMES, st.integers(-(2**63), 2**63 - 1))))
)
@settings(max_examples=60, deadline=None)
def test_columns_of_64_bits_do_not_overflow(term, many):
    assume(many)
    env = {n: np.array([s[n] for s in many], dtype=np.int64) for n in NAMES}
    found = np.broadcast_to(columns(term, env), (len(many),))
    assert [int(x) for x in found] == [value(term, s) for s in many]


def fixed(state):
    return [Compare((Name(n), Int(x)), ("=",)) for n, x in state.items()]


@given(terms, states)
@settings(max_examples=40, deadline=None)
def test_z3_gives_terms_the_same_value(term, state):
    asked = Compare((Name("result"), term), ("=",))
    answer = satisfy([*fixed(state), asked], [*NAMES, "result"], Budget(60))
    assert answer.kind == "sat"
    assert answer.model["result"] == value(term, state)


@given(formulas, states)
@settings(max_examples=40, deadline=None)
def test_z3_gives_formulas_the_same_truth(formula, state):
    answer = satisfy([*fixed(state), formula], NAMES, Budget(60))
    assert answer.kind == ("sat" if satisfies(formula, state) else "unsat")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("exists k. a = 3 * k", lambda a, b: a % 3 == 0),
        ("exists k. 1 <= k <= a and k = b", lambda a, b: 1 <= b <= a),
        ("forall k. k <= a or k > b", lambda a, b: b <= a),
        ("forall k. 0 <= k <= a -> k != b", lambda a, b: not 0 <= b <= a),
        ("exists k, l. k + l = a and k = l", lambda a, b: a % 2 == 0),
        ("not exists k. a < k < b", lambda a, b: b - a < 2),
        ("forall k. exists l. l > k and (l + a) mod 2 = 0", lambda a, b: True),
    ],
)
def test_quantifiers_range_over_the_integers(text, meaning):
    formula = parse_formula(text, ["a", "b"])
    source = f"game g var a, b legal {text} action pass pre true eff a := a"
    game = eliminate_quantifiers(parse(Source("t", source)).game(), Budget(20))
    assert not game.is_quantified
    for a, b in itertools.product(range(-4, 5), repeat=2):
        expected = meaning(a, b)
        assert satisfies(game.legal, {"a": a, "b": b}) == expected
        state = [Compare((Name("a"), Int(a)), ("=",)), Compare((Name("b"), Int(b)), ("=",))]
        answer = satisfy([*state, formula], ["a", "b"], Budget(60))
        assert answer.kind == ("sat" if expected else "unsat")


# --- fold, negation, size ------------------------------------------------------------------


@given(terms, states)
@settings(max_examples=100, deadline=None)
def test_folding_keeps_values(term, state):
    assert value(fold(term), state) == value(term, state)


@given(formulas, states)
@settings(max_examples=50, deadline=None)
def test_folding_keeps_truths(formula, state):
    assert satisfies(fold(formula), state) == satisfies(formula, state)


@given(formulas)
@settings(max_examples=60, deadline=None)
def test_folding_twice_is_folding_once(formula):
    assert fold(fold(formula)) == fold(formula)


@given(formulas, states)
@settings(max_examples=50, deadline=None)
def test_negation_is_the_complement(formula, state):
    assert satisfies(negation(formula), state) is not satisfies(formula, state)
    assert satisfies(negation(negation(formula)), state) == satisfies(formula, state)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Given in language.md.
        ("a = b", 2),
        ("a != b", 2),
        ("not (a = b)", 3),
        ("(a + b) mod 3 != 0", 4),
        ("a mod 7 in {0, 2}", 4),
        # By its definition: leaves (a chain counts each term once) plus connectives.
        ("1 <= a <= b", 3),
        ("(a = b and b >= 2) or a + b = 1", 9),
        ("2 * a - 3 * b >= 4", 5),
        ("a mod 2 = 0 -> b = 1", 6),
        ("not (a = 1 or b = 1)", 6),
        ("-a < 0", 3),
        ("a = -b", 3),
        ("-a - b = c", 4),
        ("-2 * a = b", 4),
        ("a = -2", 2),
        ("a - b = -2", 3),
        ("max(a, b) = abs(c)", 3),
    ],
)
def test_size(text, expected):
    assert size(parse_formula(text, NAMES)) == expected


@pytest.mark.parametrize(
    "texts",
    [
        # Given in language.md, the plainest first.
        ("a = b = 0", "a + b = 0", "max(a, b) = 0", "a = -b"),
        ("a = 0", "a != 0", "a > 0"),
        ("a < 0", "a <= -1"),
        ("a = b + 1", "a - b = 1"),
        ("a mod 5 in {0, 1, 3}", "not (a mod 5 in {2, 4})"),
        ("a = 1 or b = 1", "a = 1 <-> b = 1"),
    ],
)
def test_of_one_size_the_plainer_formula_has_less_to_read(texts):
    formulas = [parse_formula(text, NAMES) for text in texts]
    assert len({*map(size, formulas)}) == 1
    assert [*map(str, sorted(formulas, key=reading))] == [*texts]
