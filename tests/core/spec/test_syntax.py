"""The syntax of .icg texts: the shipped tables, the tokens, the limits, what is constant."""

import tracemalloc
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import grammar
import lark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.errors import InputError
from icgsynth.spec import catalog, syntax
from icgsynth.spec import lalr as tables
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.lalr import SyntaxTree, Unexpected
from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source

GRAMMAR = Path(tables.__file__).with_name("icg.lark")
GAME = "game x var a action t pre true eff a := 1"
TEXTS = {
    "file": [Source.read(catalog.find(name)).text for name in catalog.names()],
    "heaps": [
        'heaps cut "x" cite y const m = 2 var a, b legal a >= 0 action t pre a > b eff a := b',
        "heaps runs var n action t(k) pre n in {1, 2} into n - k, repeat (k, n) for j in -1..k - 1",
    ],
    "piles": [
        'piles touching "x" var v legal v >= 0 touch at most 2',
        "piles nim const k = 2 var v touch exactly k legal v >= 0 action t(i) pre i < v eff v := i",
    ],
    "formula": [
        "not ((a, 2 * b) in L) and n in L or shift(a) = nimsum_3(a, 1)",
        "forall x. not (a < 2 * x) <-> a in {1, n + 2} or 0 <= game <= min(a, -b)",
    ],
    "term": ["if a < b then (a + b) mod 3 - abs(a) else pre div 2"],
}


# --- the tables --------------------------------------------------------------------------


def test_the_tables_are_made_from_the_grammar(tmp_path):
    """By this lark or by another: the digest of the grammar is their first line."""
    again = f"the tables are of another grammar: {grammar.__doc__}"
    grammar.write(tmp_path / "icg.tables")
    made, shipped = ((folder / "icg.tables").read_text() for folder in (tmp_path, GRAMMAR.parent))
    assert made.partition("\n")[0] == shipped.partition("\n")[0], again


@pytest.mark.parametrize("start", grammar.STARTS)
def test_the_tables_are_those_that_the_grammar_gives(start):
    """States may be numbered otherwise; what is read is the same."""
    again, shipped = tables.of_json(grammar.made(start)), tables.tables(start)
    sizes = [(len(t.actions), len(t.reductions), t.words, t.infix) for t in (again, shipped)]
    assert sizes[0] == sizes[1]
    assert sorted(again.reductions, key=str) == sorted(shipped.reductions, key=str)
    for text in TEXTS[start]:
        assert ours(again.parse(text)) == ours(shipped.parse(text))


@cache
def lark_of(start):
    """The parser that lark makes of the grammar."""
    return lark.Lark(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        lexer="basic",
        start=start,
        propagate_positions=True,
        maybe_placeholders=True,
    )


def ours(node):
    if isinstance(node, SyntaxTree):
        return (node.data, node.start, [ours(child) for child in node.children])
    return None if node is None else (node.kind, node.start, str(node))


def larks(node):
    if isinstance(node, lark.Tree):
        start = getattr(node.meta, "start_pos", None)
        return (str(node.data), start, [larks(child) for child in node.children])
    return None if node is None else (node.type, node.start_pos, str(node))


def without_empty(node):
    """Without the place of what has no symbols: lark gives it none."""
    if node is None or isinstance(node[2], str):
        return node
    children = [without_empty(child) for child in node[2]]
    return (node[0], None if children in ([], [None]) else node[1], children)


@pytest.mark.parametrize("start", grammar.STARTS)
def test_the_trees_are_those_of_lark(start):
    for text in TEXTS[start]:
        tree, other = tables.tables(start).parse(text), lark_of(start).parse(text)
        assert without_empty(ours(tree)) == without_empty(larks(other))


WORDS = ("a", "1", "+", "-", "*", "mod", "(", ")", "<", "=", "and", "not", "min", ",", "{", "in")


@given(st.lists(st.sampled_from(WORDS)))
@settings(deadline=None)
def test_what_lark_refuses_is_refused_there(words):
    """At the same token, with the same ones that could stand there instead."""
    text = " ".join(words)
    try:
        expected = larks(lark_of("formula").parse(text))
    except lark.UnexpectedInput as error:
        with pytest.raises(Unexpected) as caught:
            tables.tables("formula").parse(text)
        if isinstance(error, lark.UnexpectedToken):
            assert (caught.value.token.kind, set(caught.value.kinds)) == (
                error.token.type,
                set(error.accepts),
            )
    else:
        assert ours(tables.tables("formula").parse(text)) == expected


# --- tokens ------------------------------------------------------------------------------


def tokens(text):
    """Kinds, values and places, to the end or to the first character that fits none."""
    found = []
    try:
        found.extend((t.kind, str(t), t.start) for t in tables.tables("file").tokens(text))
    except Unexpected as error:
        found.append(error.token.start)
    return found


def lark_tokens(text):
    """Return the tokens of ``text`` that lark's basic lexer finds."""
    found = []
    try:
        stream = lark_of("file").parse_interactive(text).lexer_thread.lex(None)
        found.extend((t.type, str(t), t.start_pos) for t in stream)
    except lark.UnexpectedCharacters as error:
        found.append(error.pos_in_stream)
    return found


@given(st.text('ab1 \n"#<->:=+,.(){}!*&\0é', max_size=40) | st.text(max_size=20))
@settings(max_examples=50, deadline=None)
def test_tokens_are_those_of_lark(text):
    text += ' mod modulo 1a <-> <- -> >= := != \f# note: "\n'
    assert tokens(text) == lark_tokens(text)


def test_a_word_between_operands_is_reserved_there_alone():
    """lark cannot say so: what ``xor`` means depends on the token before it."""
    kinds = [t.kind for t in tables.tables("term").tokens("xor xor (a xor b) xor xor")]
    name, reserved = "NAME", "XOR"
    expected = [name, reserved, "LPAR", name, reserved, name, "RPAR", reserved, name]
    assert kinds == expected


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
    parse(Source("x", text.format("(if exists y. y = 1 then 1 else 2)"))).game()
    with pytest.raises(InputError, match="is not linear"):
        parse(Source("x", text.format("(if exists y. y = k then 1 else 2)"))).game()


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


_TAKE = "action take(k) pre 1 <= k <= n eff n := n - k"


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        (f"game c Take 1, 3 or 4  # x\nvar n\n{_TAKE}", 'game c "Take 1, 3 or 4"'),
        (f"heaps my heaps\nvar n\n{_TAKE}", 'heaps my "heaps"'),
        (f"game my-own.game\nvar n\n{_TAKE}", "my_own_game"),
        (f"game g\nvar a, n-left\n{_TAKE}", "n_left"),
        (f"game g\nvar n\n{_TAKE.replace('take', 'take-some')}", "take_some"),
        (f"game g\nvar n\n{_TAKE.replace('1 <= k', 'k = 1 or 3 or 4 and k')}", "k in {1, 3, 4}"),
        (f"game g\nvar n\n{_TAKE.replace('1 <= k', 'k = 1, 3 or 4 and k')}", "k in {1, 3, 4}"),
        (f"game g\nvar n\nstart 12\n{_TAKE}", "--start 12"),
        (f"game g\nvar n\ninitially n = 12\n{_TAKE}", "--start 12"),
        (f"game g\nvar n = 12\n{_TAKE}", "--start 12"),
        (f"game g\nvar a, n := -3\n{_TAKE}", "--start -3"),
        (f"game g\nvar n\n{_TAKE}\nend", "no 'end' closes an action"),
    ],
)
def test_what_people_write_out_of_habit_is_told_its_mend(text, mend):
    with pytest.raises(InputError) as caught:
        parse(Source("own.icg", text))
    assert mend in caught.value.mend, str(caught.value)


@pytest.mark.parametrize("line", ["var n legal n = 1 or", "var start", "end n = 1 or 3 = n"])
def test_no_habit_is_seen_where_there_is_none(line):
    """A line that reads, or whose fault is another, is told nothing of these."""
    try:
        parse(Source("own.icg", f"game g var n {line}\n{_TAKE}"))
    except InputError as fault:
        assert "in {" not in fault.mend and "--start" not in fault.mend


_LINES = [  # as people write them, and as they are written here
    (
        "action t(k) pre 1 ≤ k ∧ k ≠ 2 ∧ k ≤ n eff n := n − k",
        "1 <= k and k != 2 and k <= n eff n := n - k",
    ),
    (
        "action t(k) pre !(k == 2 || k == 3) && 1 <= k eff n -= 2k",
        "not (k = 2 or k = 3) and 1 <= k eff n := n - 2 * k",
    ),
    ("action t pre n % 2 == 0 eff n := n // 2", "n mod 2 = 0 eff n := n div 2"),
    ("action t(k) pre 1 <= k <= n eff m := k eff n := n - k", "eff m := k, n := n - k"),
    ("action t(k) pre 1 <= k <= n eff n -= k; m += k", "eff n := n - k, m := m + k"),
    ("action t(k) pre 1 <= k <= n eff n = n - k, m = k", "eff n := n - k, m := k"),
    (
        "action t pre n > 0 eff if n = 1 then n := 0 elif n = 2 then n := 1 else n := m",
        "n := if n = 1 then 0 else if n = 2 then 1 else m",
    ),
    ("action t pre n > 0 eff if n = 3 then n := 2", "n := if n = 3 then 2 else n"),
    ("action t pre n > m eff n, m := m, n", "eff n := m, m := n"),
    ("action t(k) pre k in 1..3 and k <= n eff n := n - k", "1 <= k <= 3 and k <= n"),
    ("action t(k) pre k = {1, 3} and k <= n eff n := n - k", "k in {1, 3} and k <= n"),
    ("action t(k) pre k > 0 and <= n eff n := n - k", "k > 0 and k <= n"),
    ("action t(k) pre 1 <= k <= n and 3 | k eff n := n - k", "and 3 divides k"),
    ("action t(k) pre odd(k) and 1 <= k <= n eff n := n - k", "k mod 2 = 1 and"),
    ("action t(k) pre 1 <= k <= n eff n := n - k // take them", "n - k # take them"),
    ("action t k pre 1 <= k <= n eff n := n - k", "action t(k) pre"),
    ("action t pre for some j, 2 * j = n eff n := 0", "pre exists j. 2 * j = n"),
    ("action t pre there is a j such that 2 * j = n eff n := 0", "pre exists j. 2 * j = n"),
    ("action t pre for each j: j * 2 != n eff n := 0", "pre forall j. j * 2 != n"),
    ("action t pre for all j in 1..3: j != n eff n := 0", "forall j. 1 <= j <= 3 -> j != n"),
    ("action t pre exists j in [1..3], j = n eff n := 0", "exists j. 1 <= j <= 3 and j = n"),
    ("legal n, m ≥ 0", "legal n >= 0 and m >= 0"),
    ("legal n + m is even", "legal (n + m) mod 2 = 0"),
]


@pytest.mark.parametrize(("written", "right"), _LINES)
def test_a_line_of_another_language_is_told_as_it_is_written_here(written, right):
    """The line that is told holds what is meant, and the rules with it are read.

    Kills: a change that leaves a fault behind, a branch of another variable hoisted.
    """
    text = f"game g\nvar n, m\n{{}}\n{_TAKE}"
    with pytest.raises(InputError) as caught:
        parse(Source("own.icg", text.format(written)))
    told = caught.value.mend.partition(": ")[2]
    assert right in told
    parse(Source("own.icg", text.format(told)))


@pytest.mark.parametrize(
    "written",
    [
        "action t pre n > 0 eff if n = 1 then n := 0 else m := 1",
        "legal 0 <= n, m <= 9",
        "action t(k) pre 2^k <= n eff n := n - 2^k",
        "action t(k) pre n > eff n := n - k",
        "action t(k) pre 1 <= k and k < n / 2 eff n := n - k",
        "action t(k) pre k in [1, 3] and k <= n eff n := n - k",
    ],
)
def test_no_line_is_told_where_what_is_meant_is_not_known(written):
    """Branches of two variables, a bound perhaps of both, a power, a gap, a half, an interval."""
    with pytest.raises(InputError) as caught:
        parse(Source("own.icg", f"game g\nvar n, m\n{written}\n{_TAKE}"))
    assert not caught.value.mend.startswith("write: ")


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ("const mod = 3\nvar n\naction t(k) pre 1 <= k <= mod eff n := n - k", "2:7"),
        ("var n\naction t(end) pre 1 <= end <= n eff n := n - end", "3:10"),
        ("var n\naction coprime(k) pre 1 <= k <= n eff n := n - k", "3:8"),
    ],
)
def test_a_name_that_is_a_word_of_the_language_is_told_once(rules, place):
    with pytest.raises(InputError) as caught:
        parse(Source("own.icg", f"game g\n{rules}\n"))
    assert f"own.icg:{place}" in str(caught.value)
    assert str(caught.value).count("own.icg:") == 1 and "another name" in caught.value.mend


@pytest.mark.parametrize("rules", [200, 400])
def test_the_mend_of_a_line_costs_a_bounded_number_of_readings(monkeypatch, rules):
    """Faults it sees: a long text that is read again for each change of a line with many faults."""
    read, tables = [0], syntax.tables

    def counted(start):
        known = tables(start)

        def parse_and_count(text):
            read[0] += len(text)
            return known.parse(text)

        return SimpleNamespace(parse=parse_and_count, spoken=known.spoken)

    monkeypatch.setattr(syntax, "tables", counted)
    one = "action t(k) pre 1 <= k <= a eff a := a - k\n"
    line = "action u pre a >= 1 eff " + "a++, " * 26
    text = f"game g\nvar a\nlegal a >= 0\n{one * rules}{line}\n"
    with pytest.raises(InputError):
        parse(Source("g.icg", text))
    assert read[0] <= syntax._PARSED + 40 * len(text)  # and once for each fault and each round


def test_patterns_do_not_go_through_a_very_long_line(monkeypatch):
    """A fault it sees: 20,000 letters, each of which begins what a pattern might match."""
    habits = syntax._habits()
    monkeypatch.setattr(syntax, "_habits", lambda: habits._replace(says=[(None, "")]))
    text = f"game g\nvar a\nlegal {'a' * 20_000} == 1\n"
    with pytest.raises(InputError):
        parse(Source("g.icg", text))
    with pytest.raises(AttributeError):  # of a short line the pattern is asked
        parse(Source("g.icg", text.replace("aa", "")))
