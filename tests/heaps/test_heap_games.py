"""Games of heaps by rules: ``heaps NAME`` and ``into`` in .icg, and what is proved of their values.

The oracle is the definition, in plain Python, on options that each test writes down by itself.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from dataclasses import replace
from functools import reduce
from operator import xor

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import HEAP_CODES, heap_options, misere_wins, values_of
from speed import sampled

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.errors import InputError, Refused
from icgsynth.export import SCHEMA_PATH
from icgsynth.export.report import as_text
from icgsynth.game.answers import Verdict
from icgsynth.heaps.proof.heap_claims import judge_by_rules, judge_function
from icgsynth.heaps.proof.heap_definition import outcomes_agree, values_agree
from icgsynth.heaps.proof.heap_play import check_heaps
from icgsynth.heaps.proof.splitting import graph_of_term, graph_on, is_code, values_flaw
from icgsynth.heaps.proof.splitting_recheck import recheck_heaps
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_rows import GamePeriod
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.search.heap_classes import as_term
from icgsynth.heaps.search.heap_game_search import HeapGameSearch, code_of
from icgsynth.heaps.search.heap_values import HeapValues, RowOutcomes
from icgsynth.heaps.subject.heaps_subject import HeapsSubject
from icgsynth.heaps.text.heap_game_report import heap_game_report
from icgsynth.logic.evaluate import value
from icgsynth.spec.icg import parse, parse_term
from icgsynth.spec.resolve import Named, load_rules
from icgsynth.spec.source import Source

ONE = "var n legal n >= 0\n"
KAYLES = (
    "heaps kayles\n"
    + ONE
    + "action hit(k, i) pre 1 <= k <= 2 and 0 <= i <= n - k into i, n - k - i"
)
DAWSON = "heaps dawson\n" + ONE + "action hit(i) pre 0 <= i <= n - 2 into i, n - 2 - i"
GRUNDY = "heaps grundy var n legal n >= 1 action cut(i) pre 1 <= i and 2 * i < n into i, n - i"
HALVING = (
    "heaps halving\n"
    + ONE
    + "action take pre n >= 1 eff n := n - 1\n"
    + "action halve pre n >= 2 and n mod 2 = 0 into n div 2, n div 2"
)
FOUR = (
    "heaps four\n"
    + ONE
    + "action cut(i) pre 1 <= i and 2 * i <= n - 1 into i, i, 1, n - 2 * i - 1\n"
    + "action take pre n >= 1 into n - 1"
)
CLIMB = (
    "heaps climb var n legal 0 <= n <= 100\n"
    "action up(k) pre 1 <= k <= 2 and n + k <= 100 into n + k\n"
    "action both pre n <= 98 into n + 1, n + 2"
)


APART = (
    "heaps apart var a, b legal a >= 0 and b >= 0\n"
    "action first(k) pre 1 <= k <= a into (a - k, 0), (0, b)\n"
    "action second(k) pre 1 <= k <= b into (a, 0), (0, b - k)"
)
CUTS = (
    "heaps cuts var a, b legal a >= 1 and b >= 1\n"
    "action across(i) pre 1 <= i < a into (i, b), (a - i, b)\n"
    "action down(i) pre 1 <= i < b into (a, i), (a, b - i)"
)
MARKED = (
    "heaps marked\n"
    + ONE
    + "action one pre n >= 1 eff n := n - 1\n"
    + "action half pre n >= 1 into n div 2, 0, 0\n"
    + "action three pre n >= 3 into n - 2, 1, 1"
)


def rules(text, **constants):
    return load_rules(Source("text", text), constants)


def halving(n):
    yield from [(n - 1,)] * (n >= 1)
    yield from [(n // 2, n // 2)] * (n >= 2 and n % 2 == 0)


def in_four(n):
    yield from [(n - 1,)] * (n >= 1)
    yield from ((i, i, 1, n - 2 * i - 1) for i in range(1, n) if 2 * i <= n - 1)


def climbing(n):
    yield from ((n + k,) for k in (1, 2) if n + k <= 100)
    yield from [(n + 1, n + 2)] * (n <= 98)


# --- the language --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [KAYLES, GRUNDY, HALVING, FOUR, CLIMB])
def test_rules_that_are_printed_read_back(text):
    game = rules(text)
    assert rules(str(game)) == game
    spec = parse(Source("text", text))
    assert parse(Source("text", str(spec))) == spec


def test_constants_titles_and_heaps_of_several_variables():
    text = """heaps cut "Cut a rectangle" cite gs1956 const m = 2 var a, b legal a >= 0 and b >= 0
    action cut(i) pre 1 <= i < a into (i, b), (a - i, b * 1)
    action less(k) pre 1 <= k <= m and k <= b eff b := b - k
    action sum pre a >= 5 into (a - 1, (b + a) * 1 - a)"""
    game = rules(text, m=1)
    assert (game.title, game.constants, len(game.actions)) == ("Cut a rectangle", (("m", 1),), 3)
    assert sorted(game.options((3, 1))) == [((1, 1), (2, 1)), ((2, 1), (1, 1)), ((3, 0),)]
    again = rules(str(game))
    assert again.actions == game.actions
    assert check_heaps(game, UNBOUNDED).termination.is_proved


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("game x var n action t pre n >= 1 into n - 1", 14, "not one of heaps"),
        ("heaps x var n action t pre n >= 1 into (n - 1, 2)", 40, "a heap of 2 numbers, not of 1"),
        ("heaps x var n, m action t pre n >= 1 into n - 1", 43, "a heap of 1 numbers, not of 2"),
        ("heaps x var n end n = 0 action t pre n >= 1 into n - 1", 15, "'end' in a game of heaps"),
        ("heaps x var n action t pre n >= 1", 34, "ends too early"),
        ("heaps x var n action t pre n >= 1 into n - 1, k", 47, "unknown name 'k'"),
        (
            "heaps x var n action t pre n > 1 into 1 action t pre n > 2 into 1",
            48,
            "a second action",
        ),
        ("heaps x var n", 14, "no action"),
    ],
)
def test_bad_rules_are_refused_with_their_place(text, column, said):
    with pytest.raises(InputError, match=said) as refused:
        rules(text)
    assert refused.value.span.column == column
    assert refused.value.mend


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("legal n >= 0 action t(k) pre 1 <= k <= 3 into n - k, n - k", 2, "not legal: n = 0"),
        ("legal n >= 0 action t(k) pre k >= 3 and n >= 1 into min(k, n - 1)", 2, "infinitely many"),
        ("legal n >= 0 action t pre n >= 1 into n, n - 1", 3, "n: 1 -t-> 1"),
        ("legal n >= 0 action t pre exists k. 2 * k = n and k > 0 into n - 1", 2, "quantifier"),
        ("legal n >= 1 and n < 1 action t pre n >= 1 into n - 1", 2, "no legal state"),
    ],
)
def test_games_that_are_not_well_formed(tmp_path, capfd, body, code, said):
    file = tmp_path / "x.icg"
    file.write_text("heaps x var n " + body)
    for command in ("check", "value"):
        assert run([command, str(file)]) == code
        out = capfd.readouterr()
        assert said in out.out + out.err


def test_other_commands_name_the_one_to_use(tmp_path, capfd):
    file = tmp_path / "x.icg"
    file.write_text(KAYLES)
    assert run(["play", str(file)]) == 2
    shown = capfd.readouterr().err
    assert "a game of heaps" in shown
    assert re.search(r"use icgsynth .*\bvalue\b", shown)


# --- games of a code -----------------------------------------------------------------------------


def text_of(code):
    """The rules of a code, with two parameters for the sizes of the heaps that are left."""
    actions = []
    for k, heaps in itertools.product(range(code.most_taken + 1), range(4)):
        if k not in code.taking(heaps):
            continue
        sizes = ["i", "j"][: max(0, heaps - 1)]
        last = " - ".join(["n", str(k), *sizes])
        rule = f"n = {k}" if not heaps else " and ".join(f"{s} >= 1" for s in [*sizes, last])
        if heaps == 2 and k in code.unequal:
            rule += f" and i != {last}"
        left = ", ".join([*sizes, last])
        actions.append(f"action t{k}_{heaps}({', '.join(sizes)}) pre {rule} into {left}")
    return "heaps of_a_code var n legal n >= 0\n" + "\n".join(actions)


@pytest.mark.slow
@given(HEAP_CODES)
@settings(max_examples=6, deadline=None)
def test_the_rules_of_a_code_have_this_code(code):
    game = rules(text_of(code))
    assert code_of(game, UNBOUNDED) == code
    for heap in range(1, 9):
        left = {tuple(sorted(h for (h,) in row if h)) for row in game.options((heap,))}
        assert left == heap_options(code, heap)
    other = HeapCode((*code.digits, 3), code.unequal)
    assert not is_code(game, other, UNBOUNDED)


@pytest.mark.parametrize(
    ("text", "name", "known"),
    [
        (KAYLES, "0.77", [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]),
        (DAWSON, "0.07", [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0]),
        (GRUNDY, "4u", [0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4]),
    ],
)
def test_named_games_and_their_published_values(text, name, known):
    answer = HeapGameSearch(rules(text), 512, UNBOUNDED).run()
    assert answer.by_code.code == read_code(name)
    assert answer.by_code.values[: len(known)].tolist() == known
    assert answer.is_proved == (name != "4u")


# --- values by automata --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "heaps"),
    [(HALVING, halving, 80), (FOUR, in_four, 60), (CLIMB, climbing, 101)],
)
def test_values_are_proved_and_those_by_definition(text, options, heaps):
    assert code_of(rules(text), UNBOUNDED) is None
    answer = HeapGameSearch(rules(text), 512, UNBOUNDED).run()
    assert answer.is_proved and len(answer.by) == 2
    assert [answer.known_at(n) for n in range(heaps)] == values_of(options, range(heaps))


def apart(heap):
    a, b = heap
    yield from (((a - k, 0), (0, b)) for k in range(1, a + 1))
    yield from (((a, 0), (0, b - k)) for k in range(1, b + 1))


def cuts(heap):
    a, b = heap
    yield from (((i, b), (a - i, b)) for i in range(1, a))
    yield from (((a, i), (a, b - i)) for i in range(1, b))


def marked(heap):
    (n,) = heap
    if n >= 1:
        yield from [((n - 1,),), ((n // 2,), (0,), (0,))]
    if n >= 3:
        yield (n - 2,), (1,), (1,)


FUNCTIONS = [(APART, apart, 0), (CUTS, cuts, 1), (MARKED, marked, 0)]


@sampled(("text", "options", "least"), FUNCTIONS, fast=2)
def test_functions_of_a_heap_are_proved_and_those_by_definition(text, options, least):
    answer = HeapGameSearch(rules(text), 512, UNBOUNDED).run()
    assert answer.is_proved and answer.period is None and len(answer.by) == 2
    sides = 12 if len(answer.game.variables) > 1 else 300
    heaps = list(itertools.product(range(least, sides), repeat=len(answer.game.variables)))
    assert [answer.known_at(*heap) for heap in heaps] == values_of(options, heaps)
    wrong = parse_term("a + b + 1" if sides == 12 else "n mod 3", answer.game.variables)
    assert judge_function(answer.game, wrong, UNBOUNDED).verdict is Verdict.REFUTED


def test_a_term_is_proved_where_it_is_the_value_and_nowhere_else():
    """One or two counters are taken: n mod 3.  The second proof reads the term by itself."""
    take = "action take(k) pre 1 <= k <= min(n, 2) into n - k, 0"
    game = rules("heaps one_or_two " + ONE + take)
    right, wrong = (parse_term(text, ["n"]) for text in ("n mod 3", "n mod 2"))
    graph = graph_of_term(game, right, UNBOUNDED)
    assert judge_function(game, right, UNBOUNDED).verdict is Verdict.PROVED
    for text in ("n mod 3 + 1", "2 * (n mod 3)", "n mod 2", "n"):
        assert recheck_heaps(game, graph, parse_term(text, ["n"]), UNBOUNDED)
    assert recheck_heaps(game, graph_of_term(game, wrong, UNBOUNDED), wrong, UNBOUNDED)


def test_no_automaton_with_one_transition_changed_is_proved():
    game = rules(MARKED)
    automaton = HeapGameSearch(game, 512, UNBOUNDED).run().function
    rng = random.Random(16)
    for _ in range(12):
        rows = [list(row) for row in automaton.transitions]
        state, symbol = rng.randrange(len(rows)), rng.randrange(4)
        rows[state][symbol] = (rows[state][symbol] + rng.randrange(1, len(rows))) % len(rows)
        changed = replace(automaton, transitions=tuple(map(tuple, rows)))
        if any(
            automaton.accepts((n, z)) != changed.accepts((n, z))
            for n in range(200)
            for z in range(5)
        ):
            assert judge_function(game, changed, UNBOUNDED).verdict is not Verdict.PROVED
            assert recheck_heaps(game, changed, None, UNBOUNDED)


def test_a_game_whose_values_are_irregular_is_unknown():
    text = (
        "heaps mixed\n"
        + ONE
        + "action take(k) pre k in {1, 2, 5} and k <= n eff n := n - k\n"
        + "action cut(i) pre 1 <= i and 3 * i < n and n mod 2 = 0 into i, n - 2 * i"
    )
    answer = HeapGameSearch(rules(text), 512, Budget(2)).run()
    assert not answer.is_proved and answer.known_at(3) is None and answer.why


def test_a_guess_that_is_wrong_is_called_one():
    """Take 1 or 2, and 3 of a large heap: what the first heaps show ends at 100.

    Faults it sees: the refutation of a guess told as if it were a fault of the rules.
    """
    text = (
        "heaps late var n legal n >= 0\n"
        "action take(k) pre 1 <= k <= 2 and k <= n into n - k\n"
        "action more pre n >= 100 into n - 3"
    )
    why = HeapGameSearch(rules(text), 48, Budget(20)).run().why
    assert re.search(r"was guessed, and is wrong: .* n = \d+", why)


def claim_of(text, values, preperiod, period, saltus=0):
    return GamePeriod(rules(text), preperiod, period, np.array(values), saltus)


@pytest.mark.slow
@given(st.integers(0, 4), st.integers(0, 5), st.integers(0, 2))
@settings(max_examples=12, deadline=None)
def test_wrong_values_are_refuted_by_both_engines(at, value, saltus):
    values = [0, 1, 2, 0, 1]
    is_true = values[at] == value and not saltus
    values[at] = value
    claim = claim_of(HALVING, values, 3, 2, saltus)
    judged = judge_by_rules(claim, UNBOUNDED).verdict
    assert judged is (Verdict.PROVED if is_true else Verdict.REFUTED)
    graph = graph_on(claim.game, claim, UNBOUNDED)
    assert (values_flaw(claim.game, graph, UNBOUNDED) == "") == is_true
    assert (recheck_heaps(claim.game, graph, claim, UNBOUNDED) == "") == is_true
    other = claim_of(HALVING, [0, 1, 2, 0, 1, 1], 4, 2)
    assert recheck_heaps(claim.game, graph, other, UNBOUNDED)


def test_longer_claims_than_the_least_are_refuted():
    for values, preperiod, period in ([0, 1, 2, 0, 1, 0, 1], 3, 4), ([0, 1, 2, 0, 1, 0], 4, 2):
        judged = judge_by_rules(claim_of(HALVING, values, preperiod, period), UNBOUNDED)
        assert judged.verdict is Verdict.REFUTED and "not the least" in judged.why


# --- the commands --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(KAYLES, marks=pytest.mark.nightly),
        HALVING,
        pytest.param(APART, marks=pytest.mark.slow),
        MARKED,
    ],
)
def test_files_are_written_and_verified(tmp_path, capfd, text):
    game, file = tmp_path / "game.icg", tmp_path / "values.json"
    game.write_text(text)
    assert run(["value", str(game), "-o", str(file)]) == 0
    found = json.loads(file.read_text())
    jsonschema.validate(found, json.loads(SCHEMA_PATH.read_text()))
    assert run(["verify", str(game), str(file)]) == 0
    capfd.readouterr()
    heap, value = {
        APART: (f"{10**18}, 1", 10**18 + 1),
        MARKED: ("99", values_of(marked, [(99,)])[0]),
    }.get(text, (str(10**18), 1))
    assert run(["value", str(game), "--at", heap]) == 0
    assert capfd.readouterr().out.splitlines()[0] == f"G({heap}) = {value}"
    match found:
        case {"value": {"term": _}}:
            found["value"] = {"term": "a + b"}
        case {"value": {"automaton": automaton}}:
            del automaton["accepting"][0]
        case _:
            found["values"][-1] += 1
    file.write_text(json.dumps(found))
    assert run(["verify", str(game), str(file)]) == 3


def test_a_heap_that_is_not_legal_has_no_value(tmp_path, capfd):
    game = tmp_path / "game.icg"
    game.write_text(CLIMB)
    assert run(["value", str(game), "--at", "101"]) == 2
    assert "legal" in capfd.readouterr().err


# --- heaps of several numbers ---------------------------------------------------------------------

# Take one or two from a row, or from a circle, which becomes a row.  A row has the value n mod 3, a
# circle of three or more counters lets one reach the two values of n - 1 and n - 2.
CIRCLE = (
    "heaps circle var n, c legal n >= 0 and 0 <= c <= 1\n"
    "action row(k) pre c = 0 and 1 <= k <= min(n, 2) into (n - k, 0), (0, 0)\n"
    "action circle(k) pre c = 1 and 1 <= k <= min(n, 2) into (n - k, 0)"
)
# The same with rows of Kayles.
KAYLES_CIRCLE = (
    "heaps circle var n, c legal n >= 0 and 0 <= c <= 1\n"
    "action row(k, i) pre c = 0 and 1 <= k <= 2 and 0 <= i <= n - k into (i, 0), (n - k - i, 0)\n"
    "action circle(k) pre c = 1 and 1 <= k <= min(n, 2) into (n - k, 0)"
)


def circle(heap):
    n, _ = heap
    yield from (((n - k, 0),) for k in (1, 2) if k <= n)


def kayles_circle(heap):
    n, c = heap
    for k in (1, 2):
        if c and k <= n:
            yield ((n - k, 0),)
        elif not c:
            yield from (((i, 0), (n - k - i, 0)) for i in range(n - k + 1))


@pytest.mark.parametrize(
    ("text", "options", "count"),
    [
        (CIRCLE, circle, 80),
        pytest.param(KAYLES_CIRCLE, kayles_circle, 160, marks=pytest.mark.slow),
    ],
)
def test_a_sequence_for_each_of_a_few_numbers_is_proved(text, options, count):
    """Faults it sees: the sequences exchanged, one of them left out, a preperiod that is forgotten,
    nothing proved because a circle leads to rows."""
    answer = HeapGameSearch(rules(text), 512, Budget(120)).run()
    assert answer.is_proved and len(answer.periods) == 2 and len(answer.by) == 2
    for c in (0, 1):
        heaps = [(n, c) for n in range(count)]
        assert [answer.known_at(*heap) for heap in heaps] == values_of(options, heaps)


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_sequences_are_one_term(data):
    """Faults it sees: remainders of the place in the period in place of the heap's, values that do
    not rise, two sequences exchanged."""
    game, periods = rules(CIRCLE), {}
    for c in (0, 1):
        start, step = data.draw(st.integers(0, 4)), data.draw(st.integers(1, 5))
        listed = data.draw(
            st.lists(st.integers(0, 6), min_size=start + step, max_size=start + step)
        )
        saltus = data.draw(st.integers(0, 2))
        periods[(("c", c),)] = GamePeriod(game, start, step, np.array(listed), saltus)
    term = as_term(game, periods)
    for n, c in itertools.product(range(30), (0, 1)):
        assert value(term, {"n": n, "c": c}) == periods[(("c", c),)].value(n)


@sampled(
    ("text", "options", "least"), [(CUTS, cuts, 1), (CIRCLE, circle, 0), (HALVING, halving, 0)]
)
def test_a_table_has_the_values_of_the_first_heaps(tmp_path, capfd, text, options, least):
    """Faults it sees: a table that is refused; numbers of a heap exchanged; heaps left out."""
    game = tmp_path / "game.icg"
    game.write_text(text)
    assert run(["table", str(game), "--bound", "7", "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    heaps = [tuple(entry["state"]) for entry in found["states"]]
    assert len(heaps) == {CUTS: 49, CIRCLE: 16, HALVING: 8}[text]
    plain = [heap if len(heap) > 1 else heap[0] for heap in heaps]
    assert [entry["value"] for entry in found["states"]] == values_of(options, plain)
    assert run(["table", str(game), "--rule", "misere"]) == 2
    for name in ("grid.csv", "grid.svg"):
        assert run(["table", str(game), "--bound", "7", "-o", str(tmp_path / name)]) == 0
    assert len((tmp_path / "grid.csv").read_text().splitlines()) == len(heaps) + 1
    capfd.readouterr()


def test_values_of_several_numbers_are_shown_where_nothing_is_proved():
    """Turning Corners (Winning Ways, chapter 14) multiplies as nimbers do: 2 by 3 is 1, 7 by 7 is
    4.  No automaton is the product.  Faults it sees: "no value was computed"; rows and columns
    exchanged with the margin; a claim."""
    corners = (
        "heaps corners var a, b legal a >= 0 and b >= 0 action turn(i, j) "
        "pre 0 <= i < a and 0 <= j < b into (i, j), (i, b), (a, j)"
    )
    answer = HeapGameSearch(rules(corners), 512, Budget(3)).run()
    assert not answer.is_proved and answer.known_at(2, 3) is None
    lines = as_text(heap_game_report(answer)).splitlines()
    cells = {
        line.split("│")[0].strip(): line.split("│")[1].split() for line in lines if "│" in line
    }
    assert cells["3"][2] == "1" and cells["7"][7] == "4"
    assert any("nothing is claimed" in line for line in lines)


# --- who wins a row under normal play -------------------------------------------------------------

# Twins (Winning Ways, chapter 14): turn two coins, the right one from heads to tails.
TWINS = "heaps twins var n legal n >= 0 action two(i) pre 0 <= i < n eff n := i"
# Conway's game of the beans, Putnam 1995 B5: the first player wins from the heaps 3, 4, 5 and 6.
BEANS = (
    "heaps beans var n legal n >= 0\n"
    "action one pre n >= 3 eff n := n - 1\n"
    "action whole pre n = 2 or n = 3 eff n := 0"
)


def twins(n):
    yield from ((i,) for i in range(n))


def position(text, at, rule="normal"):
    """What ``icgsynth solve --at`` tells of a row, as JSON."""
    question = HeapsSubject(Named("text", text=text)).to_position(rule, at)
    return question.shown(question.answer()).value()


@sampled(("text", "options"), [(HALVING, halving), (APART, apart), (TWINS, twins)], fast=3)
@given(st.data())
@settings(max_examples=8, deadline=None)
def test_who_wins_a_row_and_a_move_to_the_value_0(text, options, data):
    """Faults it sees: lost and won exchanged; a move of another heap, or to another value; equal
    heaps left out of the xor."""
    arity = 2 if options is apart else 1
    heap = st.tuples(*(st.integers(0, 9),) * arity)
    row = data.draw(st.lists(heap, min_size=1, max_size=4))
    plain = [h if arity > 1 else h[0] for h in row]
    found = position(text, "; ".join(",".join(map(str, heap)) for heap in row))
    values = values_of(options, plain)
    assert found["values"] == values and found["proved"]
    assert found["winning"] == (reduce(xor, values) != 0) == (found["move"] is not None)
    if (move := found["move"]) is not None:
        place = move["component"] - 1
        left = [tuple(h) if isinstance(h, list) else h for h in move["leaves"]]
        if arity > 1 and len(row) == 1 and not isinstance(left[0], tuple):
            left = [tuple(left)]
        assert tuple(left) in [tuple(after) for after in options(plain[place])]
        after = [*plain[:place], *left, *plain[place + 1 :]]
        assert reduce(xor, values_of(options, after), 0) == 0


def test_a_published_row_of_heaps_that_do_not_split_is_won(tmp_path, capfd):
    """Faults it sees: heaps whose actions all have 'eff' refused; no sentence on who wins."""
    game = tmp_path / "game.icg"
    game.write_text(BEANS)
    assert run(["solve", str(game), "--at", "3,4,5,6"]) == 0
    assert "wins" in capfd.readouterr().out
    assert position(BEANS, "3,4,5,6")["values"] == [2, 0, 1, 0]
    assert not position(BEANS, "4,6")["winning"]


def test_a_move_that_leaves_no_heap_wins_a_single_one():
    """Faults it sees: a crash on the xor of no value."""
    action = "action all(k) pre 1 <= k <= n into repeat j for j in k..n - 1"
    text = f"heaps none var n legal n >= 0 {action}"
    found = position(text, "1")
    move = found["move"]
    assert (found["values"], move["leaves"], move["state"]) == ([1], [], [])


def test_large_heaps_are_won_by_the_proved_values():
    """Faults it sees: values by definition alone; a move that is looked for among small heaps.

    From four counters on an even heap has the value 1 and an odd one the value 0.
    """
    found = position(HALVING, f"{10**18},7")
    assert (found["winning"], found["values"]) == (True, [1, 0])
    move = found["move"]
    assert (move["component"], move["leaves"]) == (1, [10**18 - 1])
    assert move["state"] == [10**18 - 1, 7]


# --- rows by definition --------------------------------------------------------------------------

# Mock Turtles (Winning Ways, chapter 14): turn up to three coins, the rightmost from heads.
TURTLES = (
    "heaps turtles\n"
    + ONE
    + "action one pre n >= 1 eff n := 0\n"
    + "action two(i) pre 1 <= i < n eff n := i\n"
    + "action three(i, j) pre 1 <= i < j < n into i, j"
)


@sampled(("text", "options"), [(HALVING, halving), (APART, apart)])
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_rows_under_misere_play_are_won_as_the_definition_says(text, options, data):
    """Kills: dead heaps counted, a row without a move lost, equal heaps skipped too early."""
    game = rules(text)
    heap = st.tuples(*(st.integers(0, 9 - 2 * len(game.variables)),) * len(game.variables))
    row = tuple(data.draw(st.lists(heap, min_size=1, max_size=3)))
    outcomes = RowOutcomes(game)
    plain = (heap[0] for heap in row) if options is halving else row
    assert outcomes.wins(row, UNBOUNDED) == misere_wins(options)(plain)
    assert outcomes_agree(game, outcomes.known, UNBOUNDED)
    if (after := outcomes.losing_after(row)) is not None:
        plain = (heap[0] for heap in after) if options is halving else after
        assert not misere_wins(options)(plain)
    other = data.draw(st.sampled_from(sorted(outcomes.known)))
    wrong = {**outcomes.known, other: not outcomes.known[other]}
    assert not outcomes_agree(game, wrong, UNBOUNDED)


@pytest.mark.parametrize(("text", "heap"), [(FOUR, (14,)), (APART, (4, 3)), (CUTS, (4, 5))])
@given(st.data())
@settings(max_examples=15, deadline=None)
def test_no_changed_table_of_values_is_accepted(text, heap, data):
    game = rules(text)
    table = HeapValues(game)
    table.value(heap, UNBOUNDED)
    assert values_agree(game, table.known, UNBOUNDED)
    at = data.draw(st.sampled_from(sorted(table.known)))
    other = data.draw(st.integers(0, 9).filter(lambda value: value != table.known[at]))
    assert not values_agree(game, {**table.known, at: other}, UNBOUNDED)
    short = {h: value for h, value in table.known.items() if h != at}
    assert at == heap or not values_agree(game, short, UNBOUNDED)


TURN = "heaps turn var v legal 0 <= v <= 3 action on pre v <= 1 into 1 - v, 2"


def test_a_heap_that_comes_back_is_no_endless_loop(tmp_path, capfd):
    assert asked(tmp_path, capfd, TURN, "--at", "0")[0] == 3
    assert asked(tmp_path, capfd, TURN, "--at", "0,1", "--rule", "misere")[1]["proved"] is False
    for table in (HeapValues(rules(TURN)).value, RowOutcomes(rules(TURN)).wins):
        with pytest.raises(Refused):
            table((0,) if table.__name__ == "value" else ((0,), (1,)), UNBOUNDED)


def asked(folder, capfd, text, *options):
    """The exit code and the JSON of ``icgsynth value`` of the rules ``text``."""
    game = folder / "game.icg"
    game.write_text(text)
    code = run(["value", str(game), "--json", "--quiet", *options])
    return code, json.loads(capfd.readouterr().out)


def test_rows_are_answered_by_definition(tmp_path, capfd):
    mixed = (
        "heaps mixed var a, b legal a >= 0 and 0 <= b <= 1\n"
        "action row(k, i) pre b = 0 and 1 <= k <= 2 and 0 <= i <= a - k\n"
        "into (i, 0), (a - k - i, 0)\n"
        "action ring(k) pre b = 1 and 1 <= k <= 2 and k <= a into (a - k, 0)"
    )
    kayles = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    code, found = asked(tmp_path, capfd, mixed, "--at", "11,0; 3,1")
    # a ring of 3 becomes a row of 2 or 1, of the values 2 and 1: its value is 0
    assert (code, found["value"], found["state"]) == (0, kayles[11], [[11, 0], [3, 1]])
    code, found = asked(tmp_path, capfd, mixed, "--at", "3,1", "--rule", "misere")
    assert (code, found["winning"], found["move"]["state"]) == (0, True, [1, 0])
    code, found = asked(tmp_path, capfd, mixed, "--at", "2001,1", "--rule", "misere")
    assert (code, found["proved"], "winning" in found) == (4, False, False)


@pytest.mark.slow
def test_no_more_values_are_computed_than_asked(tmp_path, capfd):
    code, found = asked(tmp_path, capfd, TURTLES, "--to", "20", "-t", "20")
    assert (code, found["checked_to"]) == (4, 20)


# Triplets (there too): turn exactly three coins.  The first two are worth nothing.
TRIPLETS = "heaps triplets var n legal n >= 1 action three(i, j) pre 1 <= i < j and j < n into i, j"


@pytest.mark.slow
@sampled(("text", "first"), [(TURTLES, 1), (TRIPLETS, 3)], 1, pytest.mark.nightly)
def test_a_function_is_found_while_periods_are_looked_for(text, first):
    answer = HeapGameSearch(rules(text), 512, Budget(60)).run()
    assert answer.is_proved and answer.period is None
    for n in (first, first + 1, 77, 10**20):
        coin = 2 * (n - first)  # the n-th coin has the odious number of this and the next
        assert answer.known_at(n) == coin + (coin.bit_count() + 1) % 2


@sampled(("text", "options"), [(HALVING, halving), (MARKED, marked)])
def test_values_by_rules_are_exported(tmp_path, capfd, text, options):
    file = tmp_path / "values.json"
    code, _ = asked(tmp_path, capfd, text, "-o", str(file))
    assert code == 0
    heaps = range(60) if options is halving else [(n,) for n in range(60)]
    values, texts = values_of(options, heaps), {}
    for fmt in ("python", "latex", "json", "bfile"):
        assert run(["export", str(file), "--to", fmt]) == 0
        texts[fmt] = capfd.readouterr().out
    module = {"__name__": "exported"}
    exec(texts["python"], module)
    assert [module["value"](n) for n in range(60)] == values
    with pytest.raises(ValueError):
        module["value"](-1)
    lines = [line.split() for line in texts["bfile"].splitlines() if not line.startswith("#")]
    assert [int(value) for _, value in lines[:60]] == values
    read, written = json.loads(texts["json"]), json.loads(file.read_text())
    assert {**read, "checked_to": 0} == {**written, "checked_to": 0}
    assert r"\begin{theorem}" in texts["latex"]
    assert run(["export", str(file), "--to", "html"]) == 2
    capfd.readouterr()


def test_solve_of_heaps_by_rules_is_what_value_says(tmp_path, capfd):
    game = tmp_path / "game.icg"
    game.write_text(HALVING)
    assert run(["solve", str(game), "--json"]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["preperiod"], found["period"], found["values"]) == (3, 2, [0, 1, 2, 0, 1])
