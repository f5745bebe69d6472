"""The catalog: what is claimed of each game, and whether that is so.

``catalog.json`` is what the program said when ``python -m tests.golden.update`` was last run;
``known.json`` is independent of it: predicates in Python from the literature or found by a brute
force of its own, which were compared with the labels of a box (``source`` says which).
"""

from __future__ import annotations

import itertools
import json
from math import isqrt

import pytest
from catalog_answers import solved
from speed import sampled
from update import FAST, GOLDEN, HERE, RULES, entry, said

import icgsynth as icg
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import numeration
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import TRUE
from icgsynth.spec.catalog import names
from icgsynth.spec.icg import parse_formula

REFRESH = "look at the difference, then accept it with: python -m tests.golden.update"
golden = json.loads(GOLDEN.read_text("utf-8")) if GOLDEN.exists() else {}
fast = [tuple(pair) for pair in json.loads(FAST.read_text("utf-8"))] if FAST.exists() else []
known = json.loads((HERE / "known.json").read_text("utf-8"))
slow = [(n, r) for n in golden for r in RULES if (n, r) not in fast]
BOUNDS = {1: 300, 2: 36, 3: 12, 4: 6, 5: 4}  # boxes that the predicates were compared on
ONE_IN = 40  # of the quick entries the default run compares one in so many, the slow run the rest
UNKNOWN_BUDGET = 2.0  # seconds for an entry that was not solved, and for members of families


def box(game, facts):
    """The legal states that a known predicate speaks of."""
    bound = min(BOUNDS[len(game.variables)], facts.get("valid_to", 10**9))
    sides = range(-bound, bound + 1) if game.legal == TRUE else range(bound + 1)
    where = facts.get("where", "True")
    for state in itertools.product(sides, repeat=len(game.variables)):
        if game.is_legal(state) and eval(where, {}, game.env(state)):
            yield state


def wrong_states(game, winning, losing, predicate, facts):
    """Where formulas differ from the known predicate for winning."""
    functions = {"isqrt": isqrt, **dict(game.constants)}
    found = []
    for state in box(game, facts):
        env = game.env(state)
        wins = bool(eval(predicate, {**functions, **env}))
        if satisfies(winning, env) != wins or satisfies(losing, env) == wins:
            found.append(state)
    return found


def read(claims, which, game):
    """A formula of an entry; it may speak of digits, and of the automaton's set."""
    sets = {}
    if claims["automaton"] is not None:
        sets["L"] = Automaton.of_json(json.loads(claims["automaton"]))
    system = None if claims["logic"] == "lia" else numeration(claims["logic"])
    return parse_formula(claims[which], game.variables, system=system, sets=sets)


def test_every_game_of_the_catalog_is_there():
    assert sorted(golden) == sorted(names()), REFRESH
    assert all(sorted(entries) == sorted(RULES) for entries in golden.values())


def test_every_game_of_the_catalog_is_in_known():
    assert set(known) <= set(names())


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        pytest.param(*pair, marks=pytest.mark.slow) if number % ONE_IN else pair
        for number, pair in enumerate(fast)
    ],
)
def test_the_same_is_said_as_before(name, rule):
    assert said(solved(name, rule)) == golden[name][rule], REFRESH


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rule"), slow)
def test_the_same_is_claimed_as_before_of_slow_games(name, rule):
    """Solved stays solved, with the same losing states; unknown claims nothing.

    How a formula is written may depend on the budget here: which query ran out of its share.
    """
    expected = golden[name][rule]
    if expected["status"] == "unknown":
        assert entry(name, rule, UNKNOWN_BUDGET) == expected, REFRESH
        return
    found = said(solved(name, rule))
    assert found["status"] == expected["status"], REFRESH
    game = icg.load(name).game
    before, now = (read(claims, "losing", game) for claims in (expected, found))
    for state in box(game, {}):
        env = game.env(state)
        assert satisfies(before, env) == satisfies(now, env), (state, REFRESH)


PREDICATES = [
    (name, rule)
    for name, facts in known.items()
    for rule in RULES
    if rule in facts and golden.get(name, {}).get(rule, {}).get("winning")
]


@sampled(("name", "rule"), PREDICATES, fast=20)
def test_what_is_said_is_so(name, rule):
    """The formulas of the golden file against the independent predicate."""
    facts, claims = known[name], golden[name][rule]
    game = icg.load(name).game
    assert dict(game.constants) == facts["constants"]
    winning, losing = read(claims, "winning", game), read(claims, "losing", game)
    assert not wrong_states(game, winning, losing, facts[rule], facts)


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
