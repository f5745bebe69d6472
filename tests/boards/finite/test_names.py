"""Names of facts and actions never change how a tree is read: whatever is written reads back."""

from __future__ import annotations

import json
import re

import pytest
from commands import call
from hypothesis import example, given
from hypothesis import strategies as st
from second_reader import reread
from speed import examples, sampled

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from icgsynth.boards.finite import clingo as asp
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.game import FiniteGame
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.finite.layout import layout_of
from icgsynth.boards.finite.names import arguments, quoted, shown_fact, unquoted
from icgsynth.boards.finite.tree import Literal, Meta, Tree, TreeRule
from icgsynth.boards.play.finite import read_finite_move
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.boards.rules.tree import parse_tree
from icgsynth.cli import run
from icgsynth.errors import InputError
from icgsynth.spec.source import Source

WORDS = (
    *("if", "not", "and", "or", "meta", "true", "always", "⊤", "¬", "∧", "!", "&", "#", ":", ","),
    *("[", "{", "`", "``", '"', "\\", "`a`", "a#b", "a:b", "a,b", "if:", "x", "y", "1", "meta-x"),
    *("#a", "[a", '"a"', '"a', "à", "ß", "a", "b", "cell", "2.5", "-", "<="),
)

constants = st.sampled_from(WORDS) | st.text(
    st.characters(exclude_categories=("Z", "C"), exclude_characters="();"), min_size=1, max_size=4
).map(str.lower).filter(str.isprintable)
kif_terms = st.recursive(
    constants,
    lambda inner: st.tuples(constants, inner) | st.tuples(constants, inner, inner),
    max_leaves=4,
)

_identifiers = st.sampled_from(["if", "meta", "true", "always", "and", "or", "p", "aB", "ab", "x'"])
_strings = st.text(st.characters(exclude_categories=("C",)), max_size=5).map(
    lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
)
asp_terms = st.recursive(
    _identifiers | _strings | st.integers(-9, 99).map(str),
    lambda inner: (
        st.tuples(_identifiers, inner).map(lambda t: f"{t[0]}({t[1]})")
        | st.tuples(_identifiers, inner, inner).map(lambda t: f"{t[0]}({t[1]},{t[2]})")
        | st.tuples(inner, inner).map(lambda t: f"({t[0]},{t[1]})")
    ),
    max_leaves=4,
)
names = kif_terms.map(shown_fact) | asp_terms
meta_names = st.text(st.characters(exclude_categories=("C",)), min_size=1, max_size=8).filter(
    lambda text: text.isprintable() and text == text.strip() and text
) | st.sampled_from(["a # b", "a:b", "`", "if x: y", "{", "[1]", "meta", "a``b", "`a`"])


@st.composite
def trees(draw):
    """Facts, actions, and a tree of them."""
    facts = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    actions = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    literal = st.builds(Literal, st.sampled_from(facts), st.booleans())
    rule = st.builds(
        TreeRule,
        st.lists(literal, max_size=3, unique=True).map(tuple),
        st.sampled_from(actions),
    )
    meta = st.builds(Meta, meta_names, st.lists(rule, min_size=1, max_size=3).map(tuple))
    return facts, actions, Tree.of(draw(st.lists(rule | meta, max_size=4)))


@examples(25, 100, trees())
@example((["always", "a"], ["if(1)"], Tree.of([TreeRule((Literal("always"),), "if(1)")])))
@example((["not", "and", "x"], ["#"], Tree.of([TreeRule((Literal("not", False),), "#")])))
def test_what_is_written_reads_back(found):
    """Text and JSON, by both readers."""
    facts, actions, tree = found
    for text in (str(tree), json.dumps(tree.to_json()), json.dumps(tree.to_json(), indent=1)):
        assert parse_tree(Source("t", text), facts, actions) == tree
        assert tuple(reread("t", text, facts, actions)) == tree.rules


CELLS = [f"cell({r},{c},{v})" for r in "123" for c in "123" for v in "xo"] + ["control(x)", "on"]
MARKS = [f"mark({r},{c})" for r in "123" for c in "123"] + ["noop"]


@st.composite
def spelled(draw, name):
    """A name in full, in KIF, in short, in capitals, with blanks, between backquotes."""
    head, *parts = name.replace("(", " ").replace(",", " ").replace(")", "").split()
    forms = ["full", "quoted", "kif", "short"] if parts else ["full", "quoted"]
    form = draw(st.sampled_from(forms))
    if form == "quoted":
        return f"`{name}`"
    gap = draw(st.sampled_from(["", " "]))
    if form == "kif":
        text = f"({gap}{' '.join([head, *parts])}{gap})"
    elif form == "short" and name.startswith("cell"):
        text = f"{parts[2]}{gap}({parts[0]}{gap},{parts[1]})"
    else:
        text = f"{head}{gap}({gap}{f',{gap}'.join(parts)}{gap})" if parts else head
    return draw(st.sampled_from([text, text.upper()]))


@st.composite
def written_rules(draw):
    """A rule and one of many ways to write it."""
    literals, texts = [], []
    for name in draw(st.lists(st.sampled_from(CELLS), max_size=3, unique=True)):
        signs = draw(st.sampled_from(["", "not ", "! ", "¬ ", "not not ", "! not ¬ "]))
        literals.append(Literal(name, len(signs.split()) % 2 == 0))
        texts.append(signs + draw(spelled(name)))
    action = draw(st.sampled_from(MARKS))
    joint = draw(st.sampled_from([" and ", " & ", " ∧ "]))
    condition = f"if {joint.join(texts)}{draw(st.sampled_from(['', ' ']))}: " if texts else ""
    if not texts:
        condition = draw(st.sampled_from(["", "if true: ", "if always: "]))
    comment = draw(st.sampled_from(["", "  # x: y `", "# 1", " #"]))
    return TreeRule(tuple(literals), action), condition + draw(spelled(action)) + comment


@examples(25, 100, st.lists(written_rules(), max_size=4))
def test_two_readers_read_whatever_people_write_alike(rules):
    text = "\n".join(written for _, written in rules)
    wanted = tuple(rule for rule, _ in rules)
    assert parse_tree(Source("t", text), CELLS, MARKS).rules == wanted
    assert tuple(reread("t", text, CELLS, MARKS)) == wanted


@given(st.lists(kif_terms, min_size=2, max_size=2, unique=True))
def test_different_terms_have_different_names(pair):
    one, two = pair
    assert shown_fact(one) != shown_fact(two)


@given(st.lists(names, max_size=4))
def test_arguments_are_cut_where_they_were_joined(parts):
    assert arguments(",".join(parts)) == parts


@given(names)
def test_a_quoted_name_is_the_name(name):
    assert quoted(name) == name or unquoted(quoted(name)) == name
    layout_of([name, name + "x"])  # any name has words


@pytest.mark.parametrize(
    "name",
    ["mark(1,1)", "a=3", "take_a(2)", "take(-1)", "x(1,1)", "noop", "f(a,g(b,c))", "été", "+"],
)
def test_plain_names_stay_as_they_are(name):
    assert quoted(name) == name


# --- games with such names -----------------------------------------------------------------

# b sets a flag or leaves it; a has to go left where it is set, and right where it is not.
KIF = """
(role b) (role a) (init (turn b))
(<= (legal b {set}) (true (turn b))) (<= (legal b leave) (true (turn b)))
(<= (legal b noop) (true (turn a)))
(<= (legal a {left}) (true (turn a))) (<= (legal a right) (true (turn a)))
(<= (legal a noop) (true (turn b)))
(<= (next (turn a)) (true (turn b))) (<= (next {flag}) (does b {set}))
(<= (next won) (true {flag}) (does a {left}))
(<= (next won) (true (turn a)) (not (true {flag})) (does a right))
(<= (next over) (true (turn a)))
(<= terminal (true over))
(<= (goal a 100) (true won)) (<= (goal b 0) (true won))
(<= (goal a 0) (not (true won))) (<= (goal b 100) (not (true won)))
"""
LP = """
role(b). role(a). init(turn(b)).
legal(b,{set}) :- true(turn(b)). legal(b,leave) :- true(turn(b)).
legal(a,{left}) :- true(turn(a)). legal(a,right) :- true(turn(a)).
next(turn(a)) :- true(turn(b)). next({flag}) :- does(b,{set}).
next(won) :- true({flag}), does(a,{left}).
next(won) :- true(turn(a)), not true({flag}), does(a,right).
next(over) :- true(turn(a)). terminal :- true(over).
goal(a,1) :- true(won). goal(b,-1) :- true(won).
goal(a,-1) :- not true(won). goal(b,1) :- not true(won).
"""


def verdict(tmp_path, capfd, game, tree):
    path = tmp_path / "tree.txt"
    path.write_text(tree, "utf-8")
    code, out, err = call(capfd, "fft", "verify", game, path, "--player", "a", "--quiet")
    return code, out + err


ODD_KIF = (
    *("always", "true", "⊤", "if", "(if 1)", "meta", "a#b", "#", "a:b", "a,b", "(c 1,2)", "[x"),
    *("{", "(and: b)", '"q"', "`", "é", "(é ü 1)", "(x (y z))", "not"),
)
ODD_LP = (
    *("always", "true", "if(1)", "meta", '"a b"', '"été,("', '"a # b: c"', '"`"', "(1,2)", "-1"),
    *('f("x\\\\",(2,),g)', '"\\""', "aB"),
)


@sampled(
    ("ending", "flag"),
    [*(("kif", n) for n in ODD_KIF), *(("lp", n) for n in ODD_LP)],
    fast=len(ODD_KIF) + 6,
)
def test_a_name_changes_no_verdict(tmp_path, capfd, ending, flag):
    """A fact and an action get another name, in the game and its trees: verdicts stay."""
    game = tmp_path / f"game.{ending}"
    rules, second = (KIF, "left") if ending == "kif" else (LP, "left")
    game.write_text(rules.format(flag=flag, set="set", left=second), "utf-8")
    book = (parse_gdl if ending == "kif" else parse_asp)(Source.read(game))
    board = board_of(ground(book))
    known = {"turn(a)", "turn(b)", "won", "over"}
    (fact,) = set(board.facts) - known
    right, wrong = f"if {quoted(fact)}: left\nright\n", f"if {quoted(fact)}: right\nleft\n"
    assert verdict(tmp_path, capfd, game, right)[0] == 0
    assert verdict(tmp_path, capfd, game, wrong)[0] == 3
    value = {
        "kind": "tree",
        "strategy": [{"if": [quoted(fact)], "do": "left"}, {"if": [], "do": "right"}],
    }
    assert verdict(tmp_path, capfd, game, json.dumps(value))[0] == 0
    # and as the name of an action
    game.write_text(rules.format(flag="flag", set="set", left=flag), "utf-8")
    book = (parse_gdl if ending == "kif" else parse_asp)(Source.read(game))
    (action,) = set(board_of(ground(book)).actions) - {"set", "leave", "right", "noop"}
    assert verdict(tmp_path, capfd, game, f"if flag: {quoted(action)}\nright\n")[0] == 0
    assert verdict(tmp_path, capfd, game, f"if flag: right\n{quoted(action)}\n")[0] == 3


@pytest.mark.parametrize("word", ["always", "true", "⊤"])
def test_a_fact_named_like_no_condition_is_the_fact_also_without_quotes(tmp_path, capfd, word):
    game = tmp_path / "game.kif"
    game.write_text(KIF.format(flag=word, set="set", left="left"), "utf-8")
    assert verdict(tmp_path, capfd, game, f"if {word}: left\nright\n")[0] == 0
    assert verdict(tmp_path, capfd, game, f"if {word}: right\nleft\n")[0] == 3
    # where it could only be a short form, nothing is guessed
    game.write_text(KIF.format(flag=f"(f {word})", set="set", left="left"), "utf-8")
    code, said = verdict(tmp_path, capfd, game, f"if {word}: left\nright\n")
    assert code == 2
    assert f"tree.txt:1:4: '{word}'" in said
    # in any other game it says what it always said
    game.write_text(KIF.format(flag="flag", set="set", left="left"), "utf-8")
    assert verdict(tmp_path, capfd, game, f"if flag: left\nif {word}: right\n")[0] == 0


def test_a_comment_never_cuts_a_name(tmp_path, capfd):
    game = tmp_path / "game.kif"
    game.write_text(KIF.format(flag="a#b", set="set", left="left"), "utf-8")
    code, said = verdict(tmp_path, capfd, game, "if a#b: left\nright\n")
    assert code == 2
    assert "tree.txt:1:5: '#'" in said
    assert verdict(tmp_path, capfd, game, "if `a#b`: left # x#y\nright # no`t\n")[0] == 0
    game.write_text(KIF.format(flag="flag", set="set", left="left"), "utf-8")
    assert verdict(tmp_path, capfd, game, "if flag: left# glued\nright#\n")[0] == 0


def test_names_that_differ_in_case_are_two():
    facts, actions = ["aB", "ab"], ["go", "Go"]
    tree = parse_tree(Source("t", "if aB and not ab: Go"), facts, actions)
    assert tree == Tree.of([TreeRule((Literal("aB"), Literal("ab", False)), "Go")])
    with pytest.raises(InputError, match=r"no fact AB\n(.|\n)*it could be aB or ab"):
        parse_tree(Source("t", "if AB: go"), facts, actions)


def test_a_constant_with_a_comma_is_one_argument():
    """``(c 1,2)`` and ``(c 1 2)`` are two facts, and stay two."""
    text = KIF.format(flag="(c 1,2)", set="set", left="left") + "(init (c 1 2))"
    facts = board_of(ground(parse_gdl(Source("g.kif", text)))).facts
    assert {'c("1,2")', "c(1,2)"} <= set(facts)


def test_json_whose_actions_are_called_like_keys(tmp_path, capfd):
    """An action named ``fft`` does not make a solution of a tree."""
    game = tmp_path / "game.kif"
    for name in ("fft", "strategy", "icgsynth/solution/2"):
        game.write_text(KIF.format(flag="flag", set="set", left=name), "utf-8")
        items = [{"if": ["flag"], "do": name}, {"if": [], "do": "right"}]
        assert (
            verdict(tmp_path, capfd, game, json.dumps({"kind": "tree", "strategy": items}))[0] == 0
        )
    with pytest.raises(InputError, match="printable name on one line"):
        parse_tree(
            Source("t", '{"strategy": [{"meta": "a\\nb", "rules": [{"do": "go", "if": []}]}]}'),
            ["f"],
            ["go"],
        )


def test_moves_are_typed_by_their_names():
    """``take(1,2)`` and ``take(1,(2))``-like names are told apart, quoted or not."""
    text = LP.replace("leave", "f(a,g(b))").format(flag="flag", set="f(a,g,b)", left='"Ab"')
    game = FiniteGame(board_of(ground(parse_asp(Source("g.lp", text)))))
    for name in ("f(a,g(b))", "f(a,g,b)"):
        assert read_finite_move(game, game.initial, name).action == name
        assert read_finite_move(game, game.initial, f"`{name}`").action == name
    after = game.result(game.initial, read_finite_move(game, game.initial, "f(a,g,b)"))
    assert read_finite_move(game, after, '"Ab"').action == '"Ab"'


# --- clingo's own reader ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("p(é).", 2),
        ("é.", 0),
        ('p("é").q(ü).', 9),
        ("p :- §.", 5),
        ('p("é', 2),
        ('p("é\n").', 2),
        ('p("a\\é").', 2),
        ("p(99999999999).", 2),
        ("p(2147483648).", 2),
        ("p(0x80000000).", 2),
        ("p(1). %* é %* ü *% *% q(ß).", 24),
        ("p(1).\0q(2).", 5),
        ("% \0", 2),
        ('p("a\rb").', 2),
        ('p("\x1b[2J").', 2),
        ("p(" + "9" * 5000 + ").", 2),
    ],
)
def test_what_clingo_would_misread_is_told_first(text, at):
    """It wraps integers around, stops at a NUL, and ends the process at half a letter."""
    found = asp.misread(text)
    assert found is not None
    assert found[0] == at
    statements, messages = asp.parse_statements(text)
    assert statements == []
    assert len(messages) == 1
    with pytest.raises(InputError):
        asp.control(text)


@pytest.mark.parametrize(
    "text",
    [
        'p("é").',
        "% é\np.",
        "%* é %* ü *% *% p.",
        'p("% é", "%*").',
        "p(2147483647).",
        "p(0x7fffffff).",
        "x99999999999.",
        'p("99999999999").',
        "% 99999999999\np.",
        'p("\\"é\\\\").',
        "p.\r\nq.",
        'p("a\tb").',
    ],
)
def test_what_clingo_reads_is_left_to_it(text):
    assert asp.misread(text) is None
    assert asp.parse_statements(text)[1] == []


def test_the_place_of_what_is_misread(tmp_path, capfd):
    game = tmp_path / "game.lp"
    game.write_text(LP.format(flag='"é"', set="set", left="left") + '\np("é", ü).\n', "utf-8")
    assert run(["fft", "synth", str(game)]) == 2
    assert re.search(f"{re.escape(str(game))}:12:8: .*'ü'", capfd.readouterr().err)


@pytest.mark.parametrize(
    "inner", ["f(" * 300 + "x" + ")" * 300, "1+" * 3_000 + "1", "-" * 9_000 + "1"]
)
def test_what_would_overflow_clingo_s_reader(tmp_path, capfd, inner):
    game = tmp_path / "game.lp"
    game.write_text(LP.format(flag="flag", set="set", left="left") + f"p({inner}).\n", "utf-8")
    assert run(["fft", "synth", str(game)]) == 2
    assert f"{game}:11:" in capfd.readouterr().err
