"""The PDDL reader: what each construct means, and what it says of a broken text."""

import pytest

import icgsynth.benchmark.rules.pddl as pddl
from icgsynth.benchmark.rules.pddl import parse_pddl
from icgsynth.errors import InputError, OutsideLogic
from icgsynth.game.game import Move, ParametricGame
from icgsynth.spec.icg import parse
from icgsynth.spec.lalr import tables
from icgsynth.spec.resolve import load_spec
from icgsynth.spec.source import MAX_DEPTH, Source, looks_like_pddl

NIM = """
; two piles
(define (domain two-pile-nim)
    (:objects ?v1 ?v2)
    (:tercondition (and (= ?v1 0) (= ?v2 0)))
    (:constraint (and (>= ?v1 0) (>= ?v2 0)))
    (:action take1
        :parameters (?k)
        :precondition (and (>= ?v1 ?k) (> ?k 0))
        :effect (assign ?v1 (- ?v1 ?k)))
    (:action take2
        :parameters (?k)
        :precondition (and (>= ?v2 ?k) (> ?k 0))
        :effect (assign ?v2 (- ?v2 ?k)))
)"""


def read(text: str) -> ParametricGame:
    game = parse_pddl(Source("g.pddl", text))
    assert parse(Source("g.icg", str(game))).game() == game
    return game


def domain(*sections: str, objects: str = "?a ?b") -> str:
    return f"(define (domain d) (:objects {objects}) {' '.join(sections)})"


def action(pre: str = "()", eff: str = "(assign ?a ?k)", parameters: str = "?k") -> str:
    return f"(:action go :parameters ({parameters}) :precondition {pre} :effect {eff})"


def holds(condition: str, a: int, b: int = 0, k: int = 0) -> bool:
    return read(domain(action(condition))).applies((a, b), Move("go", (("k", k),)))


def value(term: str, a: int, b: int = 0, k: int = 0) -> int:
    game = read(domain(action(eff=f"(assign ?a {term})")))
    return game.result((a, b), Move("go", (("k", k),)))[0]


def after(effect: str, a: int, b: int, k: int = 0) -> tuple[int, ...]:
    return read(domain(action(eff=effect))).result((a, b), Move("go", (("k", k),)))


# --- a whole domain ----------------------------------------------------------------


def test_a_domain_is_the_game_it_describes():
    assert str(read(NIM)) == (
        "game two_pile_nim\n"
        "var v1, v2\n"
        "legal v1 >= 0 and v2 >= 0\n"
        "end v1 = 0 and v2 = 0\n"
        "action take1(k)\n"
        "  pre v1 >= k and k > 0\n"
        "  eff v1 := v1 - k\n"
        "action take2(k)\n"
        "  pre v2 >= k and k > 0\n"
        "  eff v2 := v2 - k\n"
    )
    assert read(NIM).warnings == ()
    assert read(NIM).constants == ()


def test_case_of_keywords_and_order_of_sections_do_not_matter():
    text = "(DEFINE (Domain d) (:Action go :EFFECT (ASSIGN ?a (+ ?a 1))) (:OBJECTS ?a))"
    assert read(text).result((4,), Move("go")) == (5,)


def test_what_is_left_out():
    game = read("(define (domain d) (:objects ?a) (:action go :effect (assign ?a 0)))")
    assert str(game) == "game d\nvar a\naction go\n  pre true\n  eff a := 0\n"
    empty = read(domain(action(parameters="", eff="(assign ?a 0)")))
    assert empty.actions[0].parameters == ()


def test_an_undeclared_domain_of_values_has_no_bound():
    assert holds("(< ?k 0)", 0, 0, -5)
    assert after("(assign ?a (- ?a ?k))", 1, 0, 9) == (-8, 0)


# --- effects ---------------------------------------------------------------------------


def test_right_sides_read_the_old_state():
    assert after("(and (assign ?a ?b) (assign ?b ?a))", 1, 2) == (2, 1)


def test_a_conditional_effect_keeps_the_old_value_elsewhere():
    effect = "(and (assign ?a (- ?k 1)) (when (>= ?b ?k) (assign ?b (- ?k 1))))"
    assert after(effect, 5, 4, 3) == (2, 2)
    assert after(effect, 5, 2, 3) == (2, 2)
    assert after(effect, 5, 1, 3) == (2, 1)
    game = read(domain(action(eff=effect)))
    assert str(game.actions[0].effects[1][1]) == "if b >= k then k - 1 else b"


def test_of_several_assignments_the_last_that_fires_wins():
    effect = "(and (assign ?a 1) (when (> ?b 0) (assign ?a 2)) (when (> ?b 5) (assign ?a ?a)))"
    assert [after(effect, 9, b)[0] for b in (0, 3, 6)] == [1, 2, 9]
    assert after("(and (when (> ?b 0) (assign ?a 2)) (assign ?a 1))", 9, 3) == (1, 3)


def test_conditions_of_effects_read_the_old_state():
    effect = "(and (assign ?b 0) (when (> ?b 0) (assign ?a 7)))"
    assert after(effect, 1, 1) == (7, 0)


def test_nested_conditional_effects():
    effect = "(when (> ?a 0) (and (assign ?b 1) (when (> ?a 5) (and (assign ?b 2) (assign ?a 0)))))"
    assert [after(effect, a, 9) for a in (0, 3, 6)] == [(0, 9), (3, 1), (0, 2)]


def test_a_repeated_condition_is_written_once():
    when = "(when (= ?k 2) (assign ?b (+ ?b 1)))"
    game = read(domain(action(eff=f"(and {when} {when})")))
    assert str(game.actions[0].effects[0][1]) == "if k = 2 then b + 1 else b"


def test_increase_and_decrease():
    assert after("(and (increase ?a ?k) (decrease ?b 2))", 1, 5, 3) == (4, 3)
    assert after("(decrease ?a (- ?b ?k))", 1, 5, 3) == (-1, 5)
    when = "(when (> ?b 0) (decrease ?a 2))"
    assert [after(when, 5, b)[0] for b in (0, 1)] == [5, 3]
    both = f"(and (increase ?a 10) {when} (when (> ?b 1) (increase ?a ?k)))"
    assert [after(both, 5, b, 7)[0] for b in (0, 1, 2)] == [15, 13, 20]


# --- names -----------------------------------------------------------------------------


def test_names_become_names_of_icg():
    text = domain(
        "(:action take-1 :parameters (?end) :effect (assign ?mod (+ ?2x ?p-q ?end)))",
        objects="?mod ?2x ?p-q",
    )
    game = read(text)
    assert game.variables == ("mod_", "_2x", "p_q")
    assert str(game.actions[0]) == "action take_1(end_)\n  pre true\n  eff mod_ := _2x + p_q + end_"


def test_reserved_words_are_those_of_the_grammar():
    """Of a file of a game; other words are reserved in a file of piles alone."""
    assert set(tables("file").words) == pddl.RESERVED


def test_a_second_action_of_a_name_is_renamed_with_a_warning():
    go = "\n(:action take-2 :effect (assign ?a 0))"
    other = "\n(:action take_2_2 :effect (assign ?a 1))"
    game = read(domain(go, go, other, go))
    assert [a.name for a in game.actions] == ["take_2", "take_2_3", "take_2_2", "take_2_4"]
    assert game.warnings == (
        "g.pddl:3:1: a second action named 'take_2'; it is read as 'take_2_3'",
        "g.pddl:5:1: a second action named 'take_2'; it is read as 'take_2_4'",
    )


def test_a_flood_of_warnings_is_cut():
    game = read(domain("(:action go :effect (assign ?a 0))" * 60))
    assert len(game.warnings) == pddl.MAX_WARNINGS + 1
    assert game.warnings[-1] == "g.pddl: and 9 more warnings"


@pytest.mark.parametrize(
    ("section", "warning"),
    [
        ("(:type normal)", None),
        ("(:type misere)", "':type' is ignored; choose the rule when solving"),
        ("(:requirements :fluents)", "':requirements' is ignored"),
        ("(:types pile)", "':types' is ignored"),
        ("(:predicates (p ?x))", "':predicates' is ignored"),
        ("(:objects ?c - pile)", "types are ignored: every name stands for an integer"),
    ],
)
def test_what_is_ignored(section, warning):
    messages = [w.split(": ", 1)[1] for w in read(domain(section, action())).warnings]
    assert messages == ([] if warning is None else [warning])


# --- errors ----------------------------------------------------------------------------

GO = action()


@pytest.mark.parametrize(
    ("text", "message", "marked"),
    [
        ("", "the text is empty", ""),
        ("; nothing", "the text is empty", "; nothing"),
        ("game g", "expected '(', not 'game'", "game"),
        ("(define (domain d)", "'(' is never closed", "(define"),
        ("(define (domain d)\n (:objects ?a)", "'(' is never closed", "(define"),
        (domain(GO) + ")", "unmatched ')'", ")"),
        (domain(GO) + " (define)", "text after the end of the domain", "(define)"),
        (domain(GO).replace("go", "g\0"), "unexpected character '\\x00'", "\0"),
        ("()", "not a PDDL domain", "()"),
        ("(role xplayer)", "not a PDDL domain", "(role"),
        ("(define (problem p))", "not a PDDL domain", "(define"),
        ("(define (domain 7))", "'7' is not a name", "7"),
        ("(define (domain ?))", "'?' is not a name", "?)"),
        (domain(GO, objects=""), "the game has no variable", ")"),
        (domain(), "the game has no action", ")"),
        (domain(GO, "go"), "expected a section", "go)"),
        (domain(GO, "(:functions (v))"), "':functions' is not part of this dialect", ":functions"),
        (domain(GO, "(:constraint)"), "':constraint' takes one condition, not 0", "(:constraint"),
        (
            domain(GO, "(:constraint true) (:constraint false)"),
            "':constraint' is given twice",
            "(:constraint false",
        ),
        (domain(GO, objects="?a (?b)"), "expected a name, not a list", "(?b)"),
        (domain(GO, objects="?a b a"), "'a' is already a variable", "a)"),
        (
            domain(GO, objects="?a ?p-q ?p_q"),
            "'p_q' is already a variable",
            "?p_q",
        ),
        (
            domain(GO, objects="?a ?p_q ?p-q"),
            "'p-q' is already a variable (it reads as 'p_q')",
            "?p-q",
        ),
        (domain(action(parameters="?a")), "'a' is already a variable", "?a)"),
        (domain(action(parameters="?k ?k")), "'k' is already a parameter", "?k)"),
        (domain("(:action)"), "an action without a name", "(:action)"),
        (domain("(:action go)"), "action 'go' has no effect", "(:action"),
        (domain(action(eff="(and)")), "action 'go' has no effect", "(:action"),
        (domain("(:action go (assign ?a 0))"), "expected a keyword", "(assign"),
        (domain("(:action go :vars (?z))"), "expected a keyword", ":vars"),
        (domain("(:action go :effect)"), "nothing follows ':effect'", ":effect"),
        (domain("(:action go :parameters ?k)"), "expected a list, not '?k'", "?k"),
        (
            domain("(:action go :effect (and) :effect (and))"),
            "':effect' is given twice",
            ":effect (and))",
        ),
        (domain(action("(= ?a ?c)")), "unknown name '?c'", "?c"),
        (domain(action("(= ?a 1.5)")), "unknown name '1.5'", "1.5"),
        (domain(action("?k")), "'?k' is not a condition", "?k :effect"),
        (domain(action("((= ?a 1))")), "expected a condition", "((="),
        (domain(action("(+ ?a 1)")), "'+' does not start a condition", "+"),
        (domain(action("(= (= ?a 1) 1)")), "'=' does not start a term", "= ?a"),
        (domain(action("(= () 1)")), "expected a term", "() 1"),
        (domain(action("(= ?a)")), "'=' takes 2 operands, not 1", "(= ?a"),
        (domain(action("(= ?a ?b ?k)")), "'=' takes 2 operands, not 3", "(= ?a"),
        (domain(action("(not)")), "'not' takes 1 operand, not 0", "(not"),
        (domain(action("(%= ?a 2)")), "'%=' takes 3 operands, not 2", "(%="),
        (domain(action("(%= ?a 0 1)")), "a divisor must be positive, not '0'", "0 1"),
        (domain(action("(= (div ?a -2) 1)")), "a divisor must be positive, not '-2'", "-2"),
        (domain(action("(= (+) 1)")), "'+' takes 2 operands, not 0", "(+)"),
        (domain(action("(= (/ ?a 2) 1)")), "'/' does not start a term", "/"),
        (domain(action(eff="?a")), "'?a' is not an effect", "?a)"),
        (domain(action(eff="(assign ?k 0)")), "'?k' is a parameter", "?k 0"),
        (domain(action(eff="(assign (a) 0)")), "expected a variable", "(a)"),
        (domain(action(eff="(forall (?x) (assign ?a 0))")), "'forall' does not start an", "forall"),
        (
            domain(action(eff="(and (assign ?a 0) (increase ?a 1))")),
            "'?a' is both assigned and increased",
            "?a 1",
        ),
        (
            domain(action(eff=f"(and {'(when (= ?b 1) (assign ?a 0))' * 100}(assign ?a 2))")),
            "more than 100 effects on '?a'",
            "?a 2",
        ),
        (domain(action("(" * 300)), f"nested more than {MAX_DEPTH} deep", "("),
        (
            domain(action(f"(= ?a {'9' * 1001})")),
            "an integer of more than 1,000 digits",
            "9",
        ),
        (
            domain(action(f"(= ?a (* {'9' * 600} {'9' * 600}))")),
            "an integer of more than 1,000 digits",
            "(* 9",
        ),
        (
            domain(action(f"(= ?a (+ {'9' * 1000} 1))")),
            "an integer of more than 1,000 digits",
            "(+ 9",
        ),
    ],
)
def test_errors_have_a_place_a_caret_and_a_mend(text, message, marked):
    with pytest.raises(InputError) as caught:
        parse_pddl(Source("bad.pddl", text))
    error = caught.value
    assert error.message.startswith(message)
    assert error.mend
    assert error.span is not None
    assert error.span.text[error.span.column - 1 :].startswith(marked)
    assert str(error).startswith(f"bad.pddl:{error.span.line}:{error.span.column}: ")
    assert str(error).splitlines()[2].endswith("^")


@pytest.mark.parametrize(
    "term",
    [
        f"(* {'(abs ' * 200}?a{')' * 200} ?b)",
        "(* ?a ?b)",
        "(* 2 ?a ?k)",
        "(mod ?a ?b)",
        "(div 7 ?k)",
        "(* ?a ?a)",
    ],
)
def test_what_is_not_linear_is_outside_the_logic(term):
    with pytest.raises(OutsideLogic, match="is not linear") as caught:
        parse_pddl(Source("bad.pddl", domain(action(f"(= ?b {term})"))))
    assert caught.value.mend


# --- limits ------------------------------------------------------------------------------


def test_long_integers():
    big = "9" * 1000
    assert value(big, 0) == int(big)
    assert value(f"(- {big} {big})", 0) == 0


@pytest.mark.parametrize(
    ("section", "a"),
    [
        (action("(not " * 200 + "(= ?a 3)" + ")" * 200), 4),
        (action("(or (and " * 100 + "(= ?a 3)" + "))" * 100), 4),
        (action(eff="(assign ?a (+ 1 (abs " + "(abs " * 200 + "?a" + ")" * 203), 4),
        (action(eff="(assign ?a (- 7 " + "(- 1 " * 200 + "?a" + ")" * 202), 4),
        (action(eff="(when (= ?a 3) " * 200 + "(assign ?a 4)" + ")" * 200), 4),
        (action(eff=f"(assign ?a (+ 1 (min {'?a ?b ' * 5000})))"), 4),
    ],
)
def test_two_hundred_levels(section, a):
    game = parse_pddl(Source("deep.pddl", domain(section)))
    after = game.result((3, 3), Move("go", (("k", 4),)))
    assert after == (a, 3)


@pytest.mark.slow
def test_a_megabyte_on_one_line():
    wide = domain(action(f"(and {'(= ?a 1) (= ?b ?k) ' * 5_000})"))
    game = parse_pddl(Source("wide.pddl", wide + " " * 900_000))
    assert str(game.actions[0].precondition) == "a = 1 and b = k"
    long = domain(action(f"(= ?a (+ {'?banana ' * 120_000} ?c))"), objects="?a ?banana")
    with pytest.raises(InputError, match="unknown name") as caught:
        parse_pddl(Source("long.pddl", long))
    assert max(map(len, str(caught.value).splitlines())) < 120


@pytest.mark.parametrize(
    "text",
    [
        domain(action(), objects="?a " + "x" * 100_000 + " x" + " x" * 2),
        domain(action(f"(= ?{'x' * 100_000} 0)")),
        domain(action(f"({'x' * 100_000} 0)")),
        domain(action("(= ?c 0)"), objects="?a " + "x" * 100_000),
        domain(f"(:action {'x' * 100_000})"),
        "x" * 100_000,
    ],
)
def test_messages_stay_short(text):
    with pytest.raises(InputError) as caught:
        parse_pddl(Source("long.pddl", text))
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("text", ["(" * 10_000, "(" * 10_000 + ")" * 10_000, ")" * 10_000])
def test_ten_thousand_parentheses(text):
    with pytest.raises(InputError):
        parse_pddl(Source("deep.pddl", text))


# --- telling the languages apart -----------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(define", True),
        (" \n; (a comment)\n;;\n\t(define", True),
        ("game g", False),
        ("# (not) PDDL\ngame g", False),
        ("; only a comment (", False),
        ("", False),
        ("a (", False),
        ("; x" * 50_000, False),
        ("\n;" * 100_000, False),
    ],
)
def test_pddl_is_told_by_its_content(text, expected):
    assert looks_like_pddl(text) is expected


def test_loading_either_language():
    assert load_spec(Source("nim.icg", NIM)) == read(NIM)
    icg = "game g const n = 3 var v legal v >= 0 action t(k) pre 1 <= k <= n eff v := v - k"
    assert load_spec(Source("g.pddl", icg), {"n": 5}).constants == (("n", 5),)


def test_a_pddl_file_has_no_constants():
    with pytest.raises(InputError) as caught:
        load_spec(Source("nim.pddl", NIM), {"n": 5})
    assert str(caught.value) == "nim.pddl: a PDDL file has no constants\n  leave --set out"


@pytest.mark.parametrize(
    ("text", "message", "mend", "start"),
    [
        (domain(GO, "(:functions (fuel))"), "':functions'", "(:objects ?v1 ?v2)", ":functions"),
        (domain(GO, "(:durative-action go)"), "':durative-action'", "(:action ...)", ":durative"),
        (
            domain("(:predicates (on ?x ?y))", GO, objects=""),
            "states are facts",
            "a 0 or 1 for each fact",
            "(:predicates",
        ),
        ("(define (problem p) (:domain d))", "not a PDDL domain", "the domain's file", "(define"),
    ],
)
def test_other_dialects_are_told_what_to_write_instead(text, message, mend, start):
    """The planners' files: their numbers are functions, their states facts, their moves last."""
    with pytest.raises(InputError, match=message) as caught:
        parse_pddl(Source("d.pddl", text))
    assert mend in caught.value.mend
    assert caught.value.span is not None
    line, column = caught.value.span.line, caught.value.span.column
    assert text.splitlines()[line - 1][column - 1 :].startswith(start)
