"""Answers beyond linear arithmetic as text, JSON, programs, pictures and play.

The solutions are written by hand (automatic_solved.py); nothing is searched or proved here.
"""

import json
import random
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from itertools import product

import automatic_solved
import pytest
from automatic_solved import ALL, NIM3, mark, nim3, nim3_by_automata, wythoff, wythoff_in_words
from commands import validate
from effort import Calls
from hand_solved import game, loaded, nim2
from hypothesis import given, settings
from hypothesis import strategies as st
from random_player import RandomPlayer

from icgsynth.cli import run
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base, numeration, ostrowski
from icgsynth.digits.transitions import columns, live
from icgsynth.errors import InputError, OutsideLogic, Refused
from icgsynth.export import FORMATS, export
from icgsynth.export.digit_words import by_first_digit
from icgsynth.export.json import indented
from icgsynth.formats.python import python_module
from icgsynth.game.game import Move
from icgsynth.game.solution import Claim
from icgsynth.game.strategy import PRIME, Strategy, TargetRule
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.term import TRUE, Compare, Digital, Int, Name, Not, Recognised
from icgsynth.play.match import match
from icgsynth.play.parametric import Session, StrategyPlayer
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects.exports import read_answer

TWO, ZECKENDORF = base(2), ostrowski(1)
NAMES = ("a", "b", "xor", "shift", "L")
PAIRS = automatic_solved.nim_set(("a", "b"))
SETS = {"L": PAIRS, "M": automatic_solved.nim_set(("a",))}
LARGE = 10**30


def read(data, of=None):
    text = data if isinstance(data, str) else json.dumps(data)
    return read_solution(Source("s.json", text), of)


# --- syntax --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "a xor b xor 3 = 0",
        "a > b xor xor",
        "xor xor xor = xor",
        "a - (b xor L) + shift(shift) >= 1",
        "(a xor b) xor 1 = a xor (b xor 1)",
        "(a + 1) xor (b - L) xor 2 * a = 0",
        "nimsum_3(a, b, 1) != lowpart(a + 1)",
        "nimsum_2(a) = zeros(-a) mod 2",
        "(a, b + 1) in L and not (a - b in M)",
    ],
)
def test_canonical_text(text):
    assert str(parse_formula(text, NAMES, system=TWO, sets=SETS)) == text


def test_what_the_words_mean():
    found = parse_term("a xor b", "ab", system=ZECKENDORF)
    assert found == Digital("nimsum", (Name("a"), Name("b")), ZECKENDORF, 2)
    assert parse_term("nimsum_2(a, b)", "ab", system=ZECKENDORF) == found
    assert parse_term("nimsum_3(a)", "a", system=TWO) == Digital("nimsum", (Name("a"),), TWO, 3)
    inside = parse_formula("(b, a) in L", "ab", sets=SETS)
    assert inside == Recognised(PAIRS, (Name("b"), Name("a")), "L")


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("foo(a) = 1", "unknown function 'foo'", 1),
        ("1 = nimsum_1(a)", "unknown function 'nimsum_1'", 5),
        ("1 = shift(a, b)", "shift takes one number, not 2", 14),
        ("a in K", "unknown set 'K'", 6),
        ("a in L", "'L' is a set of tuples of 2 numbers", 1),
        ("(a, b, a) in L", "'L' is a set of tuples of 2 numbers", 2),
        ("a xor c = 0", "unknown name 'c'", 7),
        ("a + b xor 1 = 0", "unexpected 'xor'", 7),
        ("a * (a xor b) = 0", "not linear", 1),
        ("a mod (a xor b) = 0", "not linear", 1),
        ("a xor = 1", "unexpected '='", 7),
    ],
)
def test_slips_in_formulas_with_digits(text, message, column):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        parse_formula(text, NAMES, system=TWO, sets=SETS)
    assert caught.value.span.column == column and caught.value.mend


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("a xor 1 = 0", OutsideLogic, "a xor"),
        ("a = 1 and 3 xor (a + 1) >= 0", OutsideLogic, "3 xor"),
        ("shift(a) = 1", OutsideLogic, "shift"),
        ("0 = nimsum_3 (a, 1)", OutsideLogic, "nimsum_3"),
        ("a in L", InputError, "L"),
        ("(a, a + 1) in L", InputError, "L"),
        ("foo(a) = 1", InputError, "foo"),
    ],
)
def test_legal_states_do_not_speak_of_digits(text, kind, place, capsys, tmp_path):
    """Kills a reader that lets digits stand anywhere: what is legal is asked of linear deciders."""
    rules = f"game x var a legal {text}\naction t(k) pre 1 <= k <= a\n  eff a := a - k"
    with pytest.raises(InputError) as caught:
        parse(Source("x.icg", rules))
    assert type(caught.value) is kind and caught.value.mend
    span = caught.value.span
    assert rules.splitlines()[span.line - 1][span.column - 1 :].startswith(place)
    path = tmp_path / "x.icg"
    path.write_text(rules, "utf-8")
    assert run(["check", str(path)]) == 2
    said = capsys.readouterr().err
    assert "^" in said and "Traceback" not in said


def test_words_of_answers_are_names_in_rules():
    rules = (
        "game xor var xor, shift, L, nimsum_3 legal xor >= 0 and shift + xor in {1, 2}\n"
        "action L(zeros) pre 1 <= zeros <= xor and max(xor, L) > nimsum_3\n"
        "eff xor := xor - zeros, L := if xor > 1 then xor else -xor\n"
        "action xor pre exists lowpart. lowpart = xor eff xor := xor"
    )
    of = parse(Source("x.icg", rules)).game()
    assert of.variables == ("xor", "shift", "L", "nimsum_3")
    assert parse(Source("x.icg", str(of))).game() == of


# --- the solution file -------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_round_trip_through_json(build):
    solution = build()
    data = json.loads(export(solution, "json"))
    validate(data)
    assert read(data) == solution
    assert read(data, solution.game).to_json() == data
    assert data["logic"] == solution.automaton.system.name == data["numeration"]["name"]
    assert data["numeration"] == numeration(data["logic"]).to_json()
    assert Automaton.of_json(data["automaton"]) == solution.automaton
    assert not solution.is_linear and nim2().is_linear


def test_the_rows_of_an_automaton_stand_on_a_line():
    text = export(nim3(), "json")
    assert "      [0, 1, 1, 0, 1, 0, 0, 1],\n" in text and '"accepting": [0]' in text
    assert json.loads(text) == nim3().to_json()
    value = {"a": [], "b": [[-1, 10], [2]], "c": ["[\n 1,\n 2\n]", 1, "x"], "d": [1.5, 2]}
    assert json.loads(indented(value)) == value


@given(st.data())
def test_a_set_by_first_digit_or_length_is_said_so(data):
    """Faults it sees: a digit too many or too few, 0 forgotten, lengths counted from 0, words for a
    set that goes by another digit too."""
    radix = data.draw(st.integers(3, 12))
    digits = data.draw(st.sets(st.integers(1, radix - 1), min_size=1, max_size=radix - 2))
    zero = data.draw(st.booleans())
    into = [0, *(1 if d in digits else 2 for d in range(1, radix))]
    rows = (tuple(into), (1,) * radix, (2,) * radix)
    said = by_first_digit(Automaton(base(radix), ("n",), rows, (zero, True, False)))
    head, _, rest = said.partition(" is ")
    told, _, or_zero = rest.partition(", or n")
    numbers = list(map(int, re.findall(r"\d+", told)))
    named = range(numbers[0], numbers[-1] + 1) if " to " in told else numbers
    assert head.startswith("the first digit of n") and {*named} == digits
    assert (or_zero == " = 0") == zero

    period = data.draw(st.integers(2, 5))
    rests = data.draw(st.sets(st.integers(0, period - 1), min_size=1, max_size=period - 1))
    around = [(q % period + 1,) * radix for q in range(1, period + 1)]
    accepting = (0 in rests, *(q % period in rests for q in range(1, period + 1)))
    lengths = Automaton(base(radix), ("n",), ((0, *(1,) * (radix - 1)), *around), accepting)
    said = by_first_digit(lengths).partition("remainder ")[2]
    assert said == f"{' or '.join(map(str, sorted(rests)))} by {period}"


def means(said, radix, n):
    """Whether ``n`` is as the sentence says."""
    if " n - 1 " in said:
        spoken = said.replace(" n - 1 ", " n ").replace("n = 1", "n = 0")
        return n > 0 and means(spoken, radix, n - 1)
    digits = base(radix).representation(n)
    told = said.partition(" is " if said.startswith("the first") else "remainder ")[2]
    numbers = list(map(int, re.findall(r"\d+", told.partition(", or n")[0])))
    if said.startswith("the number of digits"):
        *rests, period = numbers
        return len(digits) % period in rests
    named = range(numbers[0], numbers[-1] + 1) if " to " in told else numbers
    return digits[0] in named if digits else told.endswith("n = 0")


@pytest.mark.parametrize(
    ("radix", "states"), [(2, 2), (2, 3), (3, 2), pytest.param(3, 3, marks=pytest.mark.nightly)]
)
def test_what_is_said_of_the_first_digit_is_so_of_every_small_automaton(radix, states):
    """Faults it sees: a digit that leads back to the start, after which the next one counts as the
    first; a digit behind the first that decides as well; lengths that do not come round; what is
    said of n - 1 where it is so of n + 1, or where 0 is one of the set."""
    told = before = 0
    for rows in product(product(range(states), repeat=radix), repeat=states):
        if rows[0][0] != 0:  # leading zeros change nothing
            continue
        for accepting in product((False, True), repeat=states):
            automaton = Automaton(base(radix), ("n",), rows, accepting)
            if said := by_first_digit(automaton):
                told += 1
                before += " n - 1 " in said
                wrong = [n for n in range(60) if means(said, radix, n) != automaton.accepts((n,))]
                assert not wrong, (said, rows, accepting)
    assert told and (before or states == 2)


def test_further_sets():
    other = automatic_solved.nim_set(("a", "b", "c"))
    formula = Not(Recognised(other, (Name("a"), Name("b"), Int(0)), "M"))
    solution = replace(nim3_by_automata(), cover=(formula,))
    data = solution.to_json()
    assert list(data["sets"]) == ["M"] and data["cover"] == ["not ((a, b, 0) in M)"]
    assert read(data) == solution
    assert list(replace(solution, automaton=None).to_json()["sets"]) == ["L", "M"]


def broken(change):
    data = nim3_by_automata().to_json()
    change(data)
    return data


def put(*path):
    """A change: the last of ``path`` at the place that the others lead to."""
    *keys, last, value = path

    def change(data):
        for key in keys:
            data = data[key]
        data[last] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("automaton", []), "a list where an object"),
        (put("automaton", {}), "'tracks' is missing|'system' is missing"),
        (put("automaton", "system", "base-1"), "a base is at least 2"),
        (put("automaton", "system", "fibonacci"), "no numeration system is called 'fibonacci'"),
        (put("automaton", "system", "base-3"), "a row has 27 states|reads numbers in base-3"),
        (put("automaton", "tracks", ["b", "a", "c"]), "the automaton reads"),
        (put("automaton", "tracks", []), "one number or more"),
        (put("automaton", "transitions", 0, 0, 2), "between 0 and 1"),
        (put("automaton", "transitions", 0, 0, -1), "between 0 and 1"),
        (put("automaton", "transitions", 0, 0, "0"), "a string where an integer"),
        (put("automaton", "accepting", [7]), "an accepting state that does not exist"),
        (put("automaton", "transitions", []), "an accepting state that does not exist"),
        (put("automaton", "transitions", 1, []), "a row has 8 states"),
        (put("logic", "base-3"), "the automaton reads numbers in base-2"),
        (put("logic", "lia"), "the automaton reads numbers in base-2"),
        (put("numeration", "recurrence", [3]), "this is not the system base-2"),
        (put("numeration", 1), "this is not the system base-2"),
        (put("losing", "formula", "(a, b) in L"), "tuples of 3 numbers"),
        (put("losing", "formula", "(a, b, c) in K"), "unknown set 'K'"),
        (put("losing", "formula", "a xor b"), "ends too early"),
        (put("strategy", 0, "action", "take_d"), "no such action"),
        (put("strategy", 0, "to", "accepting", [99]), "an accepting state that does not exist"),
        (put("strategy", 0, "to", "transitions", 0, 0, 99), "between 0 and"),
        (put("strategy", 0, "to", "tracks", ["a", "b", "c", "d'"]), "no such track: 'd''"),
        (put("strategy", 0, "to", "tracks", ["a", "b", "c", "b'"]), "no such track: 'b''"),
        (put("strategy", 0, "to", "tracks", ["a", "a", "c", "a'"]), "no such track: 'a'"),
        (put("strategy", 0, "to", nim3().to_json()["automaton"]), "does not say where"),
        (put("fft", [{"when": "true", "action": "take_a", "to": {}}]), "needs the argument 'k'"),
    ],
)
def test_complaints_about_automata(change, message):
    with pytest.raises(InputError, match=message) as caught:
        read(broken(change))
    assert caught.value.span is not None and caught.value.mend


def test_digits_need_a_logic():
    data = {"rule": "normal", "losing": "a xor b xor c = 0", "rules": NIM3}
    with pytest.raises(OutsideLogic, match="'xor' is not linear"):
        read(data)
    with pytest.raises(OutsideLogic, match="'xor' is not linear"):
        read(data | {"logic": "lia"})
    assert str(read(data | {"logic": "base-2"}).losing.formula) == data["losing"]
    assert read(data | {"logic": "base-3"}).losing.formula.terms[0].system == base(3)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_automaton_gives_no_traceback(data):
    values = st.none() | st.integers(-1, 3) | st.sampled_from(["a", "a'", "base-2"])
    values |= st.lists(values | st.lists(st.integers(-1, 2), max_size=9), max_size=4)
    solution = nim3_by_automata().to_json()
    place = data.draw(st.sampled_from([solution["automaton"], solution["strategy"][0]["to"]]))
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(values)
    try:
        read(solution)
    except InputError as error:
        assert error.span is not None


# --- the tier that aims ------------------------------------------------------------------------


def test_a_target_rule_keeps_the_winning_move():
    solution = nim3_by_automata()
    of, rule = solution.game, solution.strategy[0]
    assert str(rule) == "take_a to a losing (a', b, c)" and rule.changed == ("a",)
    for state in product(range(9), repeat=3):
        a, b, c = state
        kept = rule.keep(of, state, None)
        assert kept == ((Move("take_a", (("k", a - (b ^ c)),)),) if a > b ^ c else ())
        assert rule.keep(of, state, tuple(of.moves(state))) == kept
        assert rule.keep(of, state, ()) == ()


def test_a_target_rule_has_a_condition():
    rule = replace(nim3_by_automata().strategy[1], when=Compare((Name("a"), Int(3)), (">",)))
    assert str(rule) == "if a > 3: take_b to a losing (a, b', c)"
    assert rule.keep(game(NIM3), (3, 9, 1), None) == ()
    assert rule.keep(game(NIM3), (4, 9, 1), None) == (Move("take_b", (("k", 4),)),)


def test_targets_are_found_with_little_work():
    rng = random.Random(5)
    for build, bound in ((nim3_by_automata, 3), (wythoff, 2)):
        solution = build()
        states = [tuple(rng.randrange(LARGE) for _ in range(bound)) for _ in range(30)]
        for state in states[:3]:  # once, so that what is kept is there
            [rule.keep(solution.game, state, None) for rule in solution.strategy]
        with Calls() as calls:
            kept = [rule.keep(solution.game, s, None) for s in states for rule in solution.strategy]
        assert calls.count / len(kept) < 20_000  # about 3,000 as counted
        assert any(kept)


def test_two_piles_change_at_once():
    """By Wythoff's move to (0, 0), from equal piles alone."""
    of = wythoff().game
    both = automatic_solved.build(
        ZECKENDORF,
        ("b", "b" + PRIME, "a", "a" + PRIME),
        True,
        lambda q, c: q and c[1] == c[3] == 0,
        bool,
    )
    rule = TargetRule(TRUE, "take_both", both)
    assert str(rule) == "take_both to a losing (b', a')" and rule.changed == ("b", "a")
    solution = replace(wythoff(), strategy=Strategy((rule,)))
    module = loaded(solution)
    assert rule.keep(of, (LARGE, LARGE), None) == (Move("take_both", (("k", LARGE),)),)
    assert module["move"](LARGE, LARGE) == ("take_both", {"k": LARGE})
    assert rule.keep(of, (4, 3), None) == rule.keep(of, (0, 0), None) == ()
    with pytest.raises(RuntimeError, match="no move"):
        module["move"](4, 3)
    assert read(solution.to_json()) == solution


def test_a_parameter_that_nothing_tells():
    of = game("game x var a legal a >= 0 action t(k) pre 1 <= k <= a eff a := min(a - 1, k - 1)")
    less = automatic_solved.nim_target(("a",), "a")
    assert TargetRule(TRUE, "t", less).keep(of, (5,), None) == (Move("t", (("k", 1),)),)
    solution = replace(
        mark(), game=of, strategy=Strategy((TargetRule(TRUE, "t", less),)), winning=None
    )
    losing = replace(nim2().losing, formula=Compare((Name("a"), Int(0)), ("=",)))
    with pytest.raises(Refused, match="cannot tell 'k' of t"):
        python_module(replace(solution, losing=losing))


def test_a_target_without_parameters_to_solve_for():
    """Two parameters, of which the target fixes the sum alone: the first that applies."""
    of = game(
        "game x var a legal a >= 0\n"
        "action t(i, j) pre 1 <= i <= 2 and 0 <= j <= 3 eff a := a - i - j"
    )
    multiples = automatic_solved.build(  # a' = a - 4, in base 2, right for a = 6 alone
        TWO,
        ("a", "a" + PRIME),
        "",
        lambda q, c: (q + "".join(map(str, c)))[-6:],
        lambda q: q == "101100",
    )
    rule = TargetRule(TRUE, "t", multiples)
    assert rule.keep(of, (6,), None) == (Move("t", (("i", 1), ("j", 3))),)
    module = loaded(
        replace(
            mark(),
            game=of,
            strategy=Strategy((rule,)),
            losing=None,
            winning=nim2().winning.__class__(TRUE),
        )
    )
    assert module["move"](6) == ("t", {"i": 1, "j": 3})


# --- exports: Python ---------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_python_module_agrees_with_the_formula(build):
    solution = build()
    module, of = loaded(solution), solution.game
    for state in product(range(14), repeat=len(of.variables)):
        wins = satisfies(solution.winning.formula, of.env(state))
        assert module["is_winning"](*state) is wins
        if solution.is_proved:
            move = module["move"](*state)
            assert (move is not None) == wins
            if move:
                assert not module["is_winning"](*module["result"](*move, *state))


_GAME = """
import random
import sys
rng = random.Random(7)
count = worst = 0
def note(frame, event, argument):
    global count
    count += event in ("call", "c_call")
sys.setprofile(note)
for _ in range(40):
    state = [rng.randrange(10**34) for _ in VARIABLES]
    assert is_winning(*state)
    count = 0
    action, params = move(*state)
    worst = max(worst, count)
    after = result(action, params, *state)
    assert not is_winning(*after) and move(*after) is None
print(worst)
"""


@pytest.mark.parametrize("build", [nim3, nim3_by_automata])
def test_python_module_alone_plays_thirty_digits(build):
    text = python_module(build()) + _GAME
    run_ = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", text],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(run_.stdout) < 50_000  # calls of functions: at most 9,732 as counted


def test_python_functions_are_those_of_the_systems():
    of = game("game x var a, b legal true action t pre a > 0 eff a := a - 1")
    words = ["a xor b", "nimsum_3(a, b, a)", "shift(a)", "lowpart(b)", "zeros(a)"]
    for name in ("base-2", "base-3", "zeckendorf", "tribonacci", "ostrowski-3"):
        system = numeration(name)
        for word in words:
            formula = parse_formula(f"{word} < b + 2", of.variables, system=system)
            claim = replace(nim2().winning, formula=formula)
            module = loaded(
                replace(mark(), game=of, winning=claim, losing=None, strategy=Strategy())
            )
            for state in product((-3, 0, 1, 2, 3, 7, 12, 100, LARGE), repeat=2):
                assert module["is_winning"](*state) == satisfies(formula, of.env(state)), (
                    name,
                    word,
                )


def test_python_names_do_not_clash():
    text = NIM3
    for old, new in (("a", "_L"), ("b", "target"), ("c", "new__L")):
        text = re.sub(rf"\b{old}\b", new, text)
    of = game(text.replace("take__L", "take_a"))
    plain = nim3_by_automata()
    rename = dict(zip("abc", of.variables, strict=True))

    def renamed(automaton):
        tracks = [
            rename[t.removesuffix(PRIME)] + PRIME * t.endswith(PRIME) for t in automaton.tracks
        ]
        return replace(automaton, tracks=tuple(tracks))

    automaton = renamed(plain.automaton)
    losing = Recognised(automaton, tuple(map(Name, of.variables)))
    rules = tuple(replace(r, target=renamed(r.target)) for r in plain.strategy)
    module = loaded(automatic_solved.answer(of, losing, rules, automaton))
    assert module["move"](9, 3, 5) == ("take_a", {"k": 3})


# --- exports: the others -------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
@pytest.mark.parametrize("fmt", ["smt2", "asp"])
def test_linear_formats_refuse(fmt, build):
    with pytest.raises(InputError, match="beyond linear arithmetic") as refused:
        export(build(), fmt)
    assert "python" in refused.value.mend and "walnut" in refused.value.mend


def test_linear_answers_have_no_automaton(capsys, tmp_path):
    path = tmp_path / "s.json"
    path.write_text(export(nim2(), "json"), "utf-8")
    assert run(["export", str(path), "--to", "walnut"]) == 2
    assert "has no automaton" in capsys.readouterr().err


@pytest.mark.parametrize("build", ALL)
# test_coq_digits.py is about "coq", which needs an answer that is proved.
@pytest.mark.parametrize("fmt", [f for f in FORMATS if f not in ("smt2", "asp", "coq")])
def test_every_other_format(fmt, build):
    again = read_answer(Source("s.json", export(build(), "json")))
    assert export(again, fmt) == export(build(), fmt)


def test_latex():
    text = export(nim3(), "latex")
    assert r"loses exactly where $a \oplus b \oplus c = 0$." in text
    assert r"\item $\mathrm{take\_a}(a - (b \oplus c))$, if $a > b \oplus c$." in text
    text = export(wythoff(), "latex")
    assert r"loses exactly where $(a, b) \in L$." in text
    assert r"\item $\mathrm{take\_a}$ to a losing $(a', b)$." in text
    text = export(wythoff_in_words(), "latex")
    assert r"b = \operatorname{shift}(a)" in text and r"rep(4) = 101" in text
    three = parse_formula("nimsum_3(a, b) = zeros(a + 1)", "ab", system=TWO)
    shown = export(replace(wythoff(), losing=replace(nim2().losing, formula=three)), "latex")
    assert r"a \oplus_{3} b = \operatorname{zeros}(a + 1)" in shown
    assert r"$\oplus_{3}$ adds the digits" in shown


def accepted_by_table(text, *numbers):
    """Whether the automaton in a table of LaTeX accepts numbers in binary; read from its rows."""
    table = text.partition(r"\begin{longtable}")[2].partition(r"\end{longtable}")[0]
    head, _, body = table.partition(r"\hline")
    columns = [re.findall(r"\d", each) for each in re.findall(r"smallmatrix} (.*?) \\end", head)]
    arrows, stars = {}, set()
    for row in body.split("\\\\\n"):
        first, *cells = (cell.strip() for cell in row.split("&"))
        state = re.sub(r"\D", "", first)
        stars |= {state} if "*" in first else set()
        for digits, cell in zip(columns, cells, strict=bool(cells)):
            arrows[state, tuple(digits)] = cell
    width, here = max(numbers).bit_length(), "0"
    for digits in zip(*(f"{number:0{width or 1}b}" for number in numbers), strict=True):
        here = arrows.get((here, digits), "")
    return here in stars


def test_the_table_in_latex_accepts_the_losing_states():
    """Nim with three piles is lost where the xor is 0 (Bouton 1901)."""
    text = export(nim3_by_automata(), "latex")
    for state in product(range(6), repeat=3):
        assert accepted_by_table(text, *state) == (state[0] ^ state[1] ^ state[2] == 0), state


def test_a_large_automaton_is_no_table():
    """Faults it sees: a theorem that says "an automaton of 99 states" and no more."""
    rows = tuple((min(q + 1, 98), q) for q in range(99))
    large = Automaton(base(2), ("a",), rows, (*[False] * 98, True))
    said = replace(mark(), automaton=large, losing=Claim(Recognised(large, (Name("a"),), "L")))
    with pytest.raises(InputError, match="99 states is too large for a table"):
        export(said, "latex")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX")
def test_theorems_on_digits_compile(tmp_path):
    body = "\n".join(export(build(), "latex") for build in ALL)
    packages, kinds = re.findall(r"usepackage{([a-z,]+)} and (.*)", body)[0]
    assert "theorem" in kinds
    head = f"\\documentclass{{article}}\\usepackage{{{packages}}}"
    for kind in ("theorem", "claim"):
        head += f"\\newtheorem{{{kind}}}{{{kind}}}"
    (tmp_path / "x.tex").write_text(f"{head}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]


def walked(text, header, words):
    """Whether a Walnut automaton accepts columns of digits; a reader written from the format."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines[0] == header
    output, arrows, here = {}, {}, None
    for line in lines[1:]:
        if "->" in line:
            digits, after = line.split("->")
            arrows[here, tuple(map(int, digits.split()))] = int(after)
        else:
            here, output[here] = None, None
            here, value = map(int, line.split())
            output[here] = value
    del output[None]
    assert list(output) == list(range(len(output))) and set(arrows.values()) <= set(output)
    state = 0
    for column in words:
        if (state, column) not in arrows:
            return False
        state = arrows[state, column]
    return output[state] == 1


@pytest.mark.parametrize(
    ("build", "header"),
    [(nim3, "msd_2 msd_2 msd_2"), (wythoff, "msd_fib msd_fib"), (mark, "msd_2")],
)
def test_walnut(build, header):
    automaton, text = build().automaton, export(build(), "walnut")
    for numbers in product(range(12), repeat=len(automaton.tracks)):
        words = [automaton.system.representation(n) for n in numbers]
        longest = max(map(len, words))
        padded = zip(*((0,) * (longest + 1 - len(w)) + w for w in words), strict=True)
        assert walked(text, header, list(padded)) == automaton.accepts(numbers)


def test_walnut_does_not_know_every_system():
    system = ostrowski(3)
    automaton = Automaton(system, ("n",), ((0, 1, 1, 1), (1, 1, 1, 1)), (True, False))
    text = export(replace(mark(), automaton=automaton), "walnut")
    assert "msd_ostrowski_3\n" in text
    assert "# by U(i) = 3 U(i-1) + U(i-2), digits 0 to 3, greedy representations." in text


@pytest.mark.parametrize("build", ALL)
def test_dot(build, tmp_path):
    solution = build()
    automaton, text = solution.automaton, export(solution, "dot")
    drawn = {int(q) for q in re.findall(r"^  (\d+) \[label", text, re.MULTILINE)}
    states = live(automaton)  # drawn as 0, 1, 2, .. without a gap
    assert drawn == set(range(len(states))) and "start -> 0;" in text
    double = {int(q) for q in re.findall(r"^  (\d+) .*doublecircle", text, re.MULTILINE)}
    assert double == {n for n in drawn if automaton.accepting[states[n]]}
    seen = {}
    for tail, head, label in re.findall(r'^  (\d+) -> (\d+) \[label="(.*)"\];', text, re.MULTILINE):
        for column in label.replace("\\n", " ").split():
            seen[states[int(tail)], tuple(map(int, column.split(",")))] = states[int(head)]
    shown = columns(automaton)
    wanted = {
        (q, shown[s]): after
        for q in states
        for s, after in enumerate(automaton.transitions[q])
        if after in states
    }
    assert seen == wanted
    if shutil.which("dot"):
        path = tmp_path / "x.dot"
        path.write_text(text, "utf-8")
        subprocess.run(["dot", "-Tsvg", path, "-o", tmp_path / "x.svg"], check=True)


def test_pictures():
    for build in (wythoff, wythoff_in_words, mark):
        assert build()._repr_svg_().startswith("<svg")
    assert wythoff()._repr_svg_() == wythoff_in_words()._repr_svg_()


# --- the report ----------------------------------------------------------------------------


@pytest.mark.parametrize("build", ALL)
def test_reports_fit(build):
    for solution in (build(), replace(build(), rule="misere")):
        assert max(map(len, str(solution).splitlines())) <= 100


@pytest.mark.parametrize(
    ("text", "system"),
    [
        ("b = shift(a) and zeros(unshift(a)) mod 2 = 0", ZECKENDORF),
        ("nimsum_3(a, b, 1) = lowpart(a)", TWO),
    ],
)
def test_the_examples_in_reports_are_so(text, system):
    """A report explains each function of digits by a value of it."""
    losing = replace(nim2().losing, formula=parse_formula(text, "ab", system=system))
    said = str(replace(wythoff(), losing=losing)).replace("\n", " ")
    examples = re.findall(r"(\w+\([\d, ]+\)) = (\d+)", said)
    functions = set(re.findall(r"\w+(?=\()", text))
    assert functions <= {example.partition("(")[0] for example, _ in examples}
    for example, number in examples:
        if not example.startswith("rep("):
            assert value(parse_term(example, (), system=system), {}) == int(number)
    words = re.findall(r"rep\((\d+)\) = (\d+)", said)
    for number, word in words:
        assert system.representation(int(number)) == tuple(map(int, word))


# --- play ----------------------------------------------------------------------------------


@pytest.mark.parametrize("build", [nim3, nim3_by_automata])
def test_a_game_to_the_end(build):
    solution = build()
    start = (LARGE + 12345, 77 * LARGE // 100, 3)
    session = Session(solution.game, "normal", start)
    turns = list(match(session, (StrategyPlayer(solution), RandomPlayer(3))))
    assert session.winner == 0
    for turn in turns[::2]:
        assert turn.choice.wins and turn.choice.reason.startswith("rule ")
        assert turn.choice.rule in solution.strategy
        assert not satisfies(solution.winning.formula, solution.game.env(turn.after))


def test_without_a_rule_the_losing_set_leads():
    """Wythoff's moves on both piles have no rule here; the losing set finds the one it needs."""
    solution = wythoff()
    session = Session(solution.game, "normal", (12, 11))
    list(match(session, (StrategyPlayer(solution), RandomPlayer(1))))
    assert session.winner == 0
