"""The catalog: what is claimed of each game, and whether that is so.

``experiments/catalog.csv`` is what was answered when ``python -m experiments catalog --update``
was last run; ``known.json`` is independent of it: predicates in Python from the literature or
found by a brute force of its own, which were compared with the labels of a box (``source`` says
which).  What is ``written`` there is how a person writes the losing states, from the rules of the
game, and why so.
"""

from __future__ import annotations

import json
from dataclasses import replace
from math import isqrt
from pathlib import Path

import pytest
from catalog_answers import solved
from speed import sampled

import icgsynth as icg
from experiments.catalog import RULES, box, committed, row_of
from experiments.tables import compared_rows, table_of
from icgsynth.digits.numeration import numeration
from icgsynth.game.solution import Claim
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.catalog import names
from icgsynth.spec.icg import parse_formula

REFRESH = "look at the difference, then accept it with: python -m experiments catalog --update"
rows = committed()
known = json.loads((Path(__file__).parent / "known.json").read_text("utf-8"))
ONE_IN = 40  # of the quick rows the default run compares one in so many, the nightly run the rest
UNKNOWN_BUDGET = 2.0  # seconds for an entry that was not solved, and for members of families


def known_states(game, facts):
    """The legal states that a known predicate speaks of."""
    bound, where = facts.get("valid_to", 10**9), facts.get("where", "True")
    for state in box(game):
        if all(abs(v) <= bound for v in state) and eval(where, {}, game.env(state)):
            yield state


def wrong_states(game, winning, losing, predicate, facts):
    """Where formulas differ from the known predicate for winning."""
    functions = {"isqrt": isqrt, **dict(game.constants)}
    found = []
    for state in known_states(game, facts):
        env = game.env(state)
        wins = bool(eval(predicate, {**functions, **env}))
        if satisfies(winning, env) != wins or satisfies(losing, env) == wins:
            found.append(state)
    return found


def test_every_game_of_the_catalog_is_there():
    assert sorted(rows) == sorted((name, rule) for name in names() for rule in RULES), REFRESH


def test_every_game_of_the_catalog_is_in_known():
    assert set(known) <= set(names())


def often(pairs):
    """The quick ones of these, the default run's first: they are spread over the catalog."""
    quick = [pair for pair in pairs if rows[pair]["pace"] == "quick"]
    return [*quick[::ONE_IN], *(q for i, q in enumerate(quick) if i % ONE_IN)]


def nightly(pairs, fast):
    """All of these, of which the first ``fast`` are run by default."""
    return [
        pytest.param(*pair, marks=pytest.mark.nightly if number >= fast else ())
        for number, pair in enumerate(pairs)
    ]


QUICK = often(rows)
LONG = [pair for pair in rows if pair not in QUICK]


@pytest.mark.parametrize(("name", "rule"), nightly([*QUICK, *LONG], -(-len(QUICK) // ONE_IN)))
def test_the_answer_is_as_committed(name, rule):
    """Status, logic, losing states, minimality, cases, rules and ranking, however they are put.

    Of a game that takes long only what it claims: which query runs out of its share of the time
    depends on the machine.  An unknown one is not looked for as long as it was.
    """
    before = rows[name, rule]
    if before["status"] == "unknown":
        answer = icg.load(name).solve(rule=rule, timeout=UNKNOWN_BUDGET)
    else:
        answer = solved(name, rule)
    row = row_of(answer, float(before["seconds"]), before)
    assert row["wrong"] in ("", "0"), "the formulas are not each other's opposite"
    assert not compared_rows(table_of("catalog"), [before], [row]), REFRESH


@pytest.mark.parametrize(
    ("column", "other"),
    [
        *(("status", "unknown"), ("logic", "base-2"), ("lost", "38"), ("print", "00000000")),
        *(("minimal", "no no"), ("cases", "3"), ("rules", "3"), ("ranking", "a"), ("wrong", "1")),
    ],
)
def test_another_answer_is_seen(column, other):
    before = rows["nim2", "normal"]
    changed = before | {column: other}
    (said,) = compared_rows(table_of("catalog"), [before], [changed])
    assert f"{column} was " in said
    reworded = before | {"losing": "b = a", "seconds": "7.00"}
    assert not compared_rows(table_of("catalog"), [before], [reworded])


def test_of_a_long_search_only_claims_are_compared():
    before = rows["wythoff", "normal"]
    assert before["pace"] == "searches"
    assert not compared_rows(table_of("catalog"), [before], [before | {"cases": "99"}])
    assert compared_rows(table_of("catalog"), [before], [before | {"print": "00000000"}])


def test_another_set_has_another_print():
    answer = solved("nim2")
    row = row_of(answer, 0.1, None)
    assert (row["lost"], row["wrong"]) == ("37", "0")  # a = b, for 0 <= a, b <= 36
    losing = Claim(parse_formula("a = b or (a = 36 and b = 35)", ("a", "b")))
    other = row_of(replace(answer, losing=losing), 0.1, None)
    assert other["print"] != row["print"]
    assert (other["lost"], other["wrong"]) == ("38", "1")
    reworded = Claim(parse_formula("not (a < b or b < a)", ("a", "b")))
    assert row_of(replace(answer, losing=reworded), 0.1, None)["print"] == row["print"]


PREDICATES = [
    (name, rule)
    for name, rule in [*QUICK, *LONG]
    if rule in known.get(name, ()) and rows[name, rule]["status"] == "solved"
]


@sampled(("name", "rule"), PREDICATES, fast=20)
def test_what_is_said_is_so(name, rule):
    """The formulas against the independent predicate."""
    facts, answer = known[name], solved(name, rule)
    game = icg.load(name).game
    assert dict(game.constants) == facts["constants"]
    winning, losing = answer.winning.formula, answer.losing.formula
    assert not wrong_states(game, winning, losing, facts[rule], facts)


# --- what a person would write -------------------------------------------------------------------

WRITTEN = [(name, rule) for name, facts in known.items() for rule in facts.get("written", ())]
OTHERWISE = {("nim3", "misere")}  # as long


def by_a_person(name, rule):
    logic = rows[name, rule]["logic"]
    system = None if logic == "lia" else numeration(logic)
    text = known[name]["written"][rule]["losing"]
    return parse_formula(text, icg.load(name).game.variables, system=system)


def in_any_order(formula):
    """The parts of "and" and "or", and the sides of equations, in alphabetical order."""
    match formula:
        case t.And(args) | t.Or(args):
            return type(formula)(tuple(sorted(map(in_any_order, args), key=str)))
        case t.Compare(terms, ops) if {*ops} == {"="}:
            return t.Compare(tuple(sorted(terms, key=str)), ops)
    return formula


def test_nearly_all_formulas_are_written_as_a_person_would():
    assert len(WRITTEN) == 40
    assert set(WRITTEN) >= OTHERWISE
    assert len(OTHERWISE) <= 4


@pytest.mark.parametrize(("name", "rule"), WRITTEN)
def test_what_a_person_writes_is_right(name, rule):
    formula, facts = by_a_person(name, rule), known[name]
    game = icg.load(name).game
    assert not wrong_states(game, negation(formula), formula, facts[rule], facts)


@sampled(("name", "rule"), WRITTEN[::-1], fast=20)
def test_the_formula_is_written_as_a_person_would(name, rule):
    said, written = solved(name, rule).losing.formula, by_a_person(name, rule)
    assert (in_any_order(said) == in_any_order(written)) != ((name, rule) in OTHERWISE)


MORE = [
    (name, i, rule)
    for name, facts in known.items()
    for i, more in enumerate(facts.get("more", ()))
    for rule in RULES
    if rule in more
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index", "rule"), MORE)
def test_other_members_of_a_family(name, index, rule):
    facts = known[name]["more"][index]
    loaded = icg.load(name, facts["constants"])
    solution = loaded.solve(rule=rule, timeout=UNKNOWN_BUDGET)
    if solution.status == "unknown":
        pytest.skip("unknown within the budget")
    winning, losing = solution.winning.formula, solution.losing.formula
    assert not wrong_states(loaded.game, winning, losing, facts[rule], facts)


def test_the_comparison_can_fail():
    game = icg.load("nim2").game
    right = parse_formula("a != b", game.variables), parse_formula("a = b", game.variables)
    assert not wrong_states(game, *right, known["nim2"]["normal"], known["nim2"])
    assert wrong_states(game, *right, known["nim2"]["misere"], known["nim2"])
    assert wrong_states(game, right[1], right[0], known["nim2"]["normal"], known["nim2"])
