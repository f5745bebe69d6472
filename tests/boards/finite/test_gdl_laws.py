"""What the Game Description Language forbids is refused with its place; what it allows is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("clingo")
pytest.importorskip("numba")
pytest.importorskip("pynauty")

from icgsynth.boards.finite.arena import arena_of_board
from icgsynth.boards.finite.board import board_of
from icgsynth.boards.finite.grounder import ground
from icgsynth.boards.rules.asp import parse_asp
from icgsynth.boards.rules.finite import read_finite
from icgsynth.boards.rules.gdl import parse_gdl
from icgsynth.cli import run
from icgsynth.errors import InputError, Refused
from icgsynth.spec.source import Source

KIF = """(role a) (role b) (init (turn a)) (init (left 2))
(<= (legal ?p take) (true (turn ?p)))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn b)) (true (turn a))) (<= (next (turn a)) (true (turn b)))
(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
(<= terminal (true (left 0)))
(<= (goal ?p 0) (true (turn ?p))) (<= (goal ?p 100) (role ?p) (not (true (turn ?p))))
"""
LP = """role(a). role(b). init(turn(a)). init(left(2)).
legal(P,take) :- true(turn(P)).
next(turn(b)) :- true(turn(a)). next(turn(a)) :- true(turn(b)).
next(left(N-1)) :- true(left(N)), N > 0. terminal :- true(left(0)).
goal(P,-1) :- true(turn(P)). goal(P,1) :- role(P), not true(turn(P)).
"""


def refused(parse, text, message, column):
    with pytest.raises(InputError) as caught:
        parse(Source("g", text))
    assert message in caught.value.message
    assert caught.value.span is not None
    assert caught.value.mend
    assert (caught.value.span.line, caught.value.span.column) == (text.count("\n"), column)


@pytest.mark.parametrize(
    ("rule", "message", "column"),
    [
        ("(<= (init on) (true (left 1)))", "init depends on true", 15),
        ("(<= (init on) (not (true (left 1))))", "init depends on true", 20),
        ("(<= (init on) (does a take))", "init depends on a move (does)", 15),
        ("(<= (init on) (legal a take))", "init depends on legal", 15),
        ("(<= (init on) p) (<= p q) (<= q (true on))", "init depends on true through p", 15),
        ("(<= (init on) (p ?x)) (<= (p ?x) (goal a ?x))", "init depends on goal through p", 15),
        ("(<= (init on) terminal)", "init depends on terminal", 15),
        ("(<= (role ?p) (true (turn ?p)))", "role depends on true", 15),
        ("(<= (role c) (legal c take))", "role depends on legal", 14),
        ("(<= (legal a x) (does b take))", "a legal move depends on a move (does)", 17),
        ("(<= terminal p) (<= p (does a take))", "the end depends on a move (does) through p", 14),
        ("(<= (goal a 5) (does a take))", "a goal depends on a move (does)", 16),
        ("(<= (next x) (init x))", "'init' cannot be a condition", 14),
        ("(<= terminal (not (next (left 0))))", "'next' cannot be a condition", 19),
        ("(<= odd (not odd))", "odd depends on its own negation", 14),
        ("(<= p (not q)) (<= q r) (<= r p)", "p depends on its own negation", 12),
        ("(<= (even b) (p ?x) (not (even ?x))) (<= (p a))", "even depends on its own negation", 26),
        ("(<= (or a b) p)", "'or' cannot be the head", 5),
        ("(true (left 1))", "'true' cannot be the head", 1),
        ("(<= (does a take) p)", "'does' cannot be the head", 5),
        ("(<= (q ?x) p)", "no condition says what ?x can be", 8),
        ("(<= p (not (q ?x)))", "no condition says what ?x can be", 15),
        ("(<= p (distinct ?x a))", "no condition says what ?x can be", 17),
        ("(<= (q ?x) (or (p ?x) r))", "no condition says what ?x can be", 8),
        ("(q ?x)", "no condition says what ?x can be", 4),
        ("(<= terminal (true))", "true takes 1 argument, not 0", 14),
        ("(<= terminal (true (left 0) x))", "true takes 1 argument, not 2", 14),
        ("(<= terminal (goal a))", "goal takes 2 arguments, not 1", 14),
        ("(<= (sees a ?x) (true ?x))", "hidden information", 5),
        ("(sees a none) (<= (sees ?p ?x) (legal ?p ?x))", "hidden information", 1),
    ],
)  # fmt: skip
def test_what_kif_forbids(rule, message, column):
    refused(parse_gdl, f"{KIF}{rule}\n", message, column)


@pytest.mark.parametrize(
    "rule",
    [
        "(<= (init on) p) (<= p (not q)) (<= q (index 3))",
        "(<= (goal a 100) p (not (goal a 0))) (<= p (true none))",  # two rules of one relation
        "(<= (goal a 100) terminal (true none) (legal a take))",
        "(<= (next (saw ?p)) (legal ?p take)) (<= p terminal)",
        "(<= (q ?x ?y) (or (p ?x ?y) (p ?y ?x)) (distinct ?x ?y))",
        "(<= (reach ?x ?y) (p ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))",
        "(<= (base (left ?n)) (index ?n)) (index 1) (<= (next (seen ?n)) (base (left ?n)))",
        "(sees a b) (<= (next (met ?p)) (sees ?p b))",  # a relation of the game's own
        "(<= (sees ?p) (true (turn ?p)))",
    ],
)
def test_what_kif_allows(rule):
    arena_of_board(board_of(ground(parse_gdl(Source("g.kif", KIF + rule)))))


@pytest.mark.parametrize(
    ("rule", "message", "column"),
    [
        ("init(on) :- true(left(1)).", "init depends on true", 13),
        ("init(on) :- not true(left(1)).", "init depends on true", 13),
        ("true(on) :- does(a,take).", "init depends on a move (does)", 13),
        ("init(on) :- p(1;2). p(X) :- legal(a,X).", "init depends on legal through p", 1),
        ("init(on) :- #count { R : legal(R,_) } > 1.", "init depends on legal", 13),
        ("role(c) :- true(left(1)).", "role depends on true", 12),
        ("legal(a,x) :- does(b,take).", "a legal move depends on a move (does)", 15),
        ("terminal :- p. p :- does(a,take).", "the end depends on a move (does) through p", 13),
        ("next(on) :- -true(on).", "an atom without a name: -true(on)", 1),
        ("-next(on) :- true(left(0)).", "an atom without a name: -next(on)", 1),
        ("sees(P,X) :- role(P), true(X).", "hidden information", 1),
    ],
)
def test_what_an_encoding_must_not_do(rule, message, column):
    text = LP + rule + "\n"
    if "p(1;2)" in rule:
        column = 13
    refused(parse_asp, text, message, column)


@pytest.mark.parametrize(
    "rules",
    [
        parse_gdl(Source("g.kif", KIF.replace("(role b)", "(ROLE Random)"))),
        parse_gdl(Source("g.kif", KIF + "(<= (role ?p) (lot ?p)) (lot random)")),
        parse_asp(Source("g.lp", LP.replace("role(b)", "role(random)"))),
    ],
    ids=["kif", "derived", "lp"],
)
def test_a_role_that_moves_by_chance_is_refused(rules):
    """A fault it sees: GDL-II's lot taken for a player who wants to win."""
    with pytest.raises(Refused, match="the role random moves by chance"):
        board_of(ground(rules))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("terminal", "role(c).\nterminal", "g, line 4: 3 players"),
        (
            "legal(P,take) :- true(turn(P))",
            "legal(a,(x;y)).\nlegal(b,(x;y)). next(s(P,M)) :- does(P,M)",
            "g, line 3: simul",
        ),
        ("goal(P,1)", "\ngoal(b,7) :- true(turn(a)).\ngoal(P,1)", "g, line 6: b has two goals"),
        ("goal(P,-1)", '#include "c.lp".\ngoal(P,-1)', "g: 5 players"),
    ],
    ids=["players", "moves", "goals", "included"],
)
def test_what_is_refused_of_an_encoding_has_its_line(tmp_path, old, new, message):
    """A fault it sees: no line, that of another role's rule, or a line of an included file."""
    (tmp_path / "c.lp").write_text("\n\nrole(c;d;e).\n")
    rules = parse_asp(Source(str(tmp_path / "g.lp"), LP.replace(old, new, 1)))
    with pytest.raises(Refused, match=f"^{message}"):
        arena_of_board(board_of(ground(rules)))


def test_what_clingo_says_of_a_rule_has_none_of_its_own_marks():
    """A fault it sees: the name of a part of clingo's program, ``[#inc_base]``, in a message."""
    with pytest.raises(InputError, match="'Y' is unsafe") as caught:
        ground(parse_asp(Source("g.lp", LP + "on :- true(left(X)), not true(at(X,Y)).")))
    assert "#" not in caught.value.message


def test_pools_are_so_many_rules():
    """``role(a;b)`` names two players, and a pool in a body is an alternative."""
    text = LP.replace("role(a). role(b).", "role(a;b).").replace(
        "init(left(2))", "init(left(2);on)"
    )
    text += "next(on) :- true(on;turn(c))."
    board = board_of(ground(parse_asp(Source("g.lp", text))))
    plain = board_of(ground(parse_asp(Source("g.lp", LP + "init(on). next(on) :- true(on)."))))
    assert board.roles == ("a", "b")
    one, two = (arena_of_board(each) for each in (board, plain))
    assert (one.states == two.states).all()
    assert (one.value == two.value).all()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("g.gdl", LP + "next(on) :- sometimes(1).\n", ""),
        ("g.kif", "% Two take turns.\n" + LP, ""),
        ("g.gdl", LP + "init(on) :- true(left(1)).\n", "init depends on true"),
        ("g.gdl", "role(a).\nlegal(a,m) :- true(x) & ~role(b).\n", "infix"),
        ("g.gdl", "% A game.\nrole(a)\nlegal(a,m) :- true(x)\n", "infix"),
        ("g.gdl", KIF, ""),
    ],
)
def test_a_file_of_gdl_is_in_the_language_that_its_rules_show(name, text, message):
    """A fault it sees: clingo's rules taken for infix GDL, or the other way round."""
    if not message:
        assert read_finite(Source(name, text)).name == "g"
        return
    with pytest.raises(InputError, match=message):
        read_finite(Source(name, text))


def test_a_condition_that_only_the_ground_rules_show():
    """What is certain in the ground rules is initial, whatever it is written as."""
    text = LP + "init(on) :- not p. p :- q. init(off) :- p."
    board = board_of(ground(parse_asp(Source("g.lp", text))))
    initial = arena_of_board(board).facts(0)
    assert "on" in initial
    assert "off" not in board.facts or "off" not in initial


def test_base_that_is_read_is_not_forgotten():
    """``base`` may be left out of the grounding only where no rule asks for it."""
    rules = (
        "(base (left 2)) (base (left 1)) (<= (next (seen ?n)) (true (left ?n)) (base (left ?n)))"
    )
    facts = board_of(ground(parse_gdl(Source("g.kif", KIF + rules)))).facts
    assert {"seen(1)", "seen(2)"} <= set(facts)


def _written(expression):
    """A KIF expression from words and nested lists."""
    return (
        f"({' '.join(map(_written, expression))})" if isinstance(expression, list) else expression
    )


_WORDS = st.sampled_from(
    ["a", "x", "1", "?x", "?", "<=", "not", "or", "distinct", "does", "true", "next", "base", "f"]
)
_ANYTHING = st.recursive(_WORDS, lambda inner: st.lists(inner, max_size=4), max_leaves=12)


@settings(deadline=None)
@given(
    st.sampled_from(["base", "input", "BASE", "Input"]),
    st.lists(_ANYTHING, max_size=4),
    st.none() | st.lists(_ANYTHING, max_size=3),
    st.booleans(),
)
def test_notes_that_no_rule_reads_refuse_nothing(word, inner, conditions, first):
    """``base`` and ``input`` say what may hold and be done; a reader that does not need it goes by.

    Public descriptions write them in several ways, such as ``(base cell (x 1 2) (y 1 2))``.  Fails
    where their arguments are counted, or their terms, variables and conditions are read.
    """
    note = [word, *inner] if inner or first else word
    text = _written(note if conditions is None else ["<=", note, *conditions])
    found = parse_gdl(Source("g.kif", f"{text}\n{KIF}" if first else f"{KIF}{text}\n"))
    plain = parse_gdl(Source("g.kif", f"\n{KIF}" if first else KIF))
    assert found.rules == plain.rules


@pytest.mark.parametrize(
    "note",
    [
        "( base step ( val 1 2 3 4 5 6 7 8 9 10 ) )",
        "(base control (player xPlayer oPlayer)) (base mark (x 1 2 3) (y 1 2 3) (player x o))",
        "(<= (base (cell ?x ?y)) (not (wall ?x)))",
        "(input robot move (dir n e)) (input a) base",
    ],
)
def test_notes_of_public_descriptions(note):
    parse_gdl(Source("g.kif", KIF + note))


def test_notes_that_are_read_are_rules():
    """With as many arguments as their rule likes; ``input`` is needed where ``base`` reads it.

    Fails where ``base`` is always left out, or only what the other rules read is kept.
    """
    rules = (
        "(base left 2) (<= (base left ?n) (input ?n)) (input 1) "
        "(<= (next (seen ?n)) (true (left ?n)) (base left ?n))"
    )
    facts = board_of(ground(parse_gdl(Source("g.kif", KIF + rules)))).facts
    assert {"seen(1)", "seen(2)"} <= set(facts)
    refused(
        parse_gdl,
        KIF + "(<= p (base ?x)) (base (f ?y))\n",
        "no condition says what ?y can be",
        27,
    )


def test_input_of_an_encoding_may_say_anything():
    """Nothing reads ``input`` in clingo's language; fails where its arguments are counted."""
    parse_asp(Source("g.lp", LP + "input(a,take,fast)."))


# --- goals -----------------------------------------------------------------------------------


def test_two_goals_for_one_role_in_an_end(tmp_path, capfd):
    """They are refused with the state and both values, where play reaches it."""
    two = KIF + "(<= (goal a 30) (true (left 0)))\n"
    with pytest.raises(Refused, match=r"a has two goals in an end, 0 and 30: left\(0\)"):
        arena_of_board(board_of(ground(parse_gdl(Source("g.kif", two)))))
    game = tmp_path / "g.kif"
    game.write_text(two, "utf-8")
    assert run(["fft", "synth", str(game)]) == 2
    assert "0 and 30: left(0) turn(a)" in capfd.readouterr().err
    # the same value twice is one goal; two where no end is are none
    again = KIF + "(<= (goal a 0) (true (left 0))) (<= (goal a 30) (true (left 2)))"
    arena_of_board(board_of(ground(parse_gdl(Source("g.kif", again)))))


def test_the_values_of_an_encoding_s_goals_are_said_as_written():
    text = LP + "goal(a,7) :- true(left(0)).\n"
    with pytest.raises(Refused, match=r"two goals in an end, -1 and 7: left\(0\)"):
        arena_of_board(board_of(ground(parse_asp(Source("g.lp", text)))))
    text = LP.replace("true(turn(P)).\n", "true(turn(P)), not true(stop).\n")
    text = text.replace(
        "goal(P,-1) :- true(turn(P)).", "goal(P,-1) :- true(turn(P)), not true(stop)."
    )
    text += "legal(P,quit) :- true(turn(P)). next(stop) :- does(_,quit). terminal :- true(stop).\n"
    text += "goal(P,-5) :- true(stop), role(P).\n"
    with pytest.raises(
        Refused, match="not zero-sum: one end is worth -5 to a and -5 to b, another"
    ):
        arena_of_board(board_of(ground(parse_asp(Source("g.lp", text)))))


@pytest.mark.parametrize("value", ["01", "1_0", "+5", "-1", "x", "1000001", "\u0663", "9" * 900])
def test_a_goal_that_is_no_plain_number(value):
    text = KIF + f"(<= (goal a {value}) (true (left 0)))\n"
    with pytest.raises(InputError, match="a goal is worth"):
        ground(parse_gdl(Source("g.kif", text)))
