"""The syntax of .icg texts: the shipped tables, the tokens, the limits, what is constant."""

import tracemalloc
from functools import cache
from hashlib import sha256
from pathlib import Path

import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.errors import InputError
from icgsynth.spec import catalog, syntax
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source
from icgsynth.spec.syntax import STARTS, compiled, load

GRAMMAR = Path(syntax.__file__).with_name("icg.lark")
TABLES = GRAMMAR.with_suffix(".tables")
GAME = "game x var a action t pre true eff a := 1"
TEXTS = {
    "file": [Source.read(catalog.find(name)).text for name in catalog.names()],
    "formula": ["forall x. not (a < 2 * x) <-> a in {1, n + 2} or 0 <= game <= min(a, -b)"],
    "term": ["if a < b then (a + b) mod 3 - abs(a) else pre div 2"],
    "digit formula": ["not ((a, b xor 2 * xor) in L) and n in L or shift(a) = nimsum_3(a, 1)"],
    "digit term": ["zeros(a xor (b + 1)) - lowpart(xor xor xor)"],
}


# --- the tables --------------------------------------------------------------------------


def test_the_tables_are_made_from_the_grammar():
    word, version, digest = TABLES.read_bytes().partition(b"\n")[0].decode().split()
    assert word == "lark"
    again = f"the tables are of another grammar: {syntax.__doc__}"
    assert digest == sha256(syntax.grammar("digit file").encode()).hexdigest(), again
    if version != lark.__version__:
        pytest.skip(f"the tables are made with lark {version}")
    for start in STARTS:
        assert load(start).options.options == compiled(start).options.options, again


def places(tree):
    return [getattr(part.meta, "start_pos", None) for part in tree.iter_subtrees()]


@pytest.mark.parametrize("start", STARTS)
def test_loaded_and_compiled_parsers_read_the_same(start):
    loaded = load(start)
    if loaded is None:
        pytest.skip("the tables are made with another lark")
    parser = compiled(start)
    for text in TEXTS[start]:
        tree, other = loaded.parse(text), parser.parse(text)
        assert tree == other
        assert places(tree) == places(other)


def test_without_fitting_tables_the_grammar_is_compiled(tmp_path, monkeypatch):
    tables = tmp_path / "icg.tables"
    monkeypatch.setattr(syntax, "TABLES", tables)
    for content in (None, b"", b"lark 0.1 abc\n", b"\0junk"):
        if content is not None:
            tables.write_bytes(content)
        assert load("file") is None
        assert syntax.parser_of.__wrapped__("file").parse(GAME).data == "file"
    syntax.write_tables()
    assert load("file").parse(GAME).data == "file"


# --- tokens ------------------------------------------------------------------------------


@cache
def parser_with(lexer):
    grammar = GRAMMAR.read_text(encoding="utf-8")
    return lark.Lark(grammar, parser="lalr", lexer=lexer, start="file")


def tokens(lexer, text):
    """Kinds, values and places, to the end or to the first character that fits none."""
    stream = parser_with(lexer).parse_interactive(text).lexer_thread.lex(None)
    found = []
    try:
        found.extend((t.type, str(t), t.start_pos) for t in stream)
    except lark.UnexpectedCharacters as error:
        found.append(error.pos_in_stream)
    return found


@given(st.text('ab1 \n"#<->:=+,.(){}!*&\0é', max_size=40) | st.text(max_size=20))
@settings(max_examples=50, deadline=None)
def test_tokens_are_those_of_lark(text):
    text += ' mod modulo 1a <-> <- -> >= := != \f# note: "\n'
    assert tokens(syntax.TokenReader, text) == tokens("basic", text)


def test_tokens_of_the_catalog():
    text = "\n".join(TEXTS["file"])
    assert tokens(syntax.TokenReader, text) == tokens("basic", text)


def test_trailing_blanks_are_read_once():
    assert parse(Source("x", GAME + " \n#\n" * 300_000)).variables == ("a",)


# --- limits ------------------------------------------------------------------------------

DEEP, LONG = "(" * (MAX_DEPTH + 1), "1" * (MAX_DIGITS + 1)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (DEEP, MAX_DEPTH + 1),
        ("{(" * MAX_DEPTH, MAX_DEPTH + 1),
        ("() " * 1000 + DEEP, 3000 + MAX_DEPTH + 1),
        (f"a{LONG}1", 2),
        (f'"{LONG}" {LONG}', MAX_DIGITS + 5),
        (f"{LONG[1:]} {LONG}", MAX_DIGITS + 2),
    ],
)
def test_limits_tell_the_place(text, column):
    with pytest.raises(InputError, match=r"nested more than|an integer of more than") as caught:
        parse_term(text, "a")
    assert caught.value.span.column == column


@pytest.mark.parametrize(
    "text", [f'# {DEEP} {LONG} "\n1', f"{LONG[1:]}", "(" * MAX_DEPTH + "1" + ")" * MAX_DEPTH]
)
def test_texts_within_the_limits(text):
    assert str(parse_term(text, "a")) in ("1", LONG[1:])


# --- constants ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "(if exists x. x > 1 then 1 else 2) * a = 1",
        "a * (if forall x, y. x = y then 1 else 2) = 1 and exists x. x * 2 = a",
        "exists x. (if x > 1 then 1 else 2) * 3 + a mod (1 + 1) = x",
    ],
)
def test_terms_without_free_names_are_constant(text):
    parse_formula(text, "ab")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("a * b = 1", 1),
        ("exists x. x * x = 1", 11),
        ("exists x. (if exists y. y > x then 1 else 2) * a = 1", 11),
        ("exists x. x = 1 and (exists y. y = x * (y + 1))", 36),
        ("a * (if exists x. x > b then 1 else 2) = 1", 1),
        ("a in {1, (if exists x. x = 1 then a else 2)}", 11),
        ("a = 1 mod (2 + b)", 5),
    ],
)
def test_terms_with_free_names_are_not(text, column):
    with pytest.raises(InputError, match=r"is not linear|is not constant") as caught:
        parse_formula(text, "ab")
    assert caught.value.span.column == column


def test_a_parameter_of_two_actions_varies_in_both():
    text = "game x var a action s(k) pre true eff a := k action t(k) pre true eff a := {} * k"
    parse(Source("x", text.format("(if exists y. y = 1 then 1 else 2)")))
    with pytest.raises(InputError, match="is not linear"):
        parse(Source("x", text.format("(if exists y. y = k then 1 else 2)")))


def test_places_of_divisors_take_no_room():
    text = "game x const n = {} var a\nlegal a = " + " + ".join(["a mod (n + 1)"] * 3_000)
    text += "\naction t pre true eff a := 1"
    tracemalloc.start()
    parse(Source("x", text.format(1))).game()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1000 * len(text)
    with pytest.raises(InputError, match=r"x:2:18: a divisor must be positive, not n \+ 1 = 0"):
        parse(Source("x", text.format(-1))).game()
