"""Theorems about all members of a family, found from nothing; false ones are never found."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import pytest
from family_rules import FALSE, RULES
from plain_play import loser

from icgsynth.budget import Budget
from icgsynth.claims.game import moves_to
from icgsynth.families.search import theorem_search
from icgsynth.families.search.member_columns import ColumnSet, find_columns
from icgsynth.families.search.member_table import GameFamily, MemberTable, small_members
from icgsynth.families.search.mined_strategy import StrategyMiner
from icgsynth.families.search.oriented import shortened
from icgsynth.families.search.theorem_search import family_theorem, theorem_about
from icgsynth.logic.build import negation, size
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source

BUDGET, LONG_BUDGET = 60.0, 240.0
# The constants of the members that are played: small ones, and some that are not in the grid.
FOUND = [
    ("take", "n >= 0", "normal", [0, 3, 17, 40]),
    pytest.param(("take", "n >= 1", "misere", [1, 2, 19, 40]), marks=pytest.mark.slow),
    ("interval", "1 <= a <= b", "normal", [1, 3, 9, 23]),
    ("chess piece", "k >= 2", "normal", [2, 5, 16]),
]
SLOWLY = [
    ("one or s", "s >= 1", "normal", [1, 2, 14, 15, 40]),
    ("one or s", "s >= 1", "misere", [1, 2, 14, 15, 40]),
    ("slow", "l >= 0", "normal", [0, 2, 13]),
    ("slow", "l >= 1", "misere", [1, 2, 13]),
    ("mark, d = 2", "t >= 1", "normal", [1, 2, 13, 40]),
    ("mark, d = 2", "t >= 1", "misere", [1, 2, 13, 40]),
    ("step", "s >= 1", "normal", [1, 2, 5, 13]),
]
QUANTIFIED = [("take, exists", "normal"), ("take, forall", "misere")]
NEVER = [
    ("put back", "c >= 0", "normal"),  # the game may never end
    ("take", "n >= 1 and n <= 0", "normal"),  # there is no member
]


def family(name, where, rule):
    spec = parse(Source(name, f"game g {RULES[name]}"))
    free = tuple(constant for constant, _ in spec.constants)
    return GameFamily(spec, free, parse_formula(where, (), constants=free), rule)


def formula(of, text):
    return parse_formula(text, of.spec.variables, constants=of.free)


def require_right(of, theorem, numbers):
    """Formulas and strategy against plain recursion over the moves of members."""
    losing, compared = theorem.claim.losing, 0
    for chosen in product(numbers, repeat=len(of.free)):
        constants = dict(zip(of.free, chosen, strict=True))
        if not of.includes(constants):
            continue
        game = of.member(constants)
        is_lost = loser(game, of.rule)
        side = 2 * max(chosen) + 30 if len(game.variables) == 1 else 18
        for state in filter(game.is_legal, product(range(side), repeat=len(game.variables))):
            env = constants | game.env(state)
            assert is_lost(state) == satisfies(losing, env), env
            compared += 1
            if is_lost(state) or not any(game.moves(state)):
                continue
            rule = next(rule for rule in theorem.claim.strategy if satisfies(rule.when, env))
            arguments = {p: value(term, env) for p, term in rule.act.arguments}
            moves = [
                m
                for m in game.moves(state)
                if m.action == rule.act.action and dict(m.arguments) == arguments
            ]
            assert moves and is_lost(game.result(state, moves[0])), (env, rule)
    assert compared > 50


def found_and_right(name, where, rule, numbers, seconds=BUDGET):
    of = family(name, where, rule)
    theorem = family_theorem(of, (), Budget(seconds))
    assert theorem.status == "theorem"
    assert theorem.claim.solution.game == of.game
    for part in ("termination", "winning", "strategy"):
        assert theorem.certificate.parts[part].is_proved
        assert len(set(theorem.certificate.confirmed[part])) >= 2
    assert max(max(c.values()) for c in small_members(of)) < max(numbers)
    require_right(of, theorem, numbers)


@pytest.mark.parametrize("sought", FOUND, ids=lambda s: f"{s[0]}, {s[2]}")
def test_theorems_are_found_from_nothing(sought):
    found_and_right(*sought)


@pytest.mark.slow
@pytest.mark.parametrize("sought", SLOWLY, ids=lambda s: f"{s[0]}, {s[2]}")
def test_theorems_with_products_and_pairs_are_found_too(sought):
    found_and_right(*sought, LONG_BUDGET)


@pytest.mark.parametrize(("name", "rule"), QUANTIFIED)
def test_theorems_about_rules_with_quantifiers_are_found(name, rule):
    """They say of take-away, without quantifiers, what is right."""
    theorem = family_theorem(family(name, "n >= 1", rule), (), Budget(BUDGET))
    assert theorem.status == "theorem"
    assert theorem.claim.game.is_quantified
    assert len(set(theorem.certificate.confirmed["winning"])) >= 2
    require_right(family("take", "n >= 1", rule), theorem, [1, 3, 17, 40])


def test_a_quantifier_that_binds_a_factor_of_a_constant_is_no_crash():
    assert family_theorem(family("multiples", "n >= 2", "normal"), (), Budget(BUDGET)) is None


def test_the_theorem_of_a_formula_that_is_given():
    of = family("pair", "1 <= s and t = s + 1", "normal")
    proof = theorem_about(of, formula(of, "v mod (2 * s + 1) < s"), Budget(BUDGET))
    assert proof.status == "theorem"
    assert proof.claim.strategy
    assert theorem_about(of, formula(of, "v mod (2 * s + 1) <= s"), Budget(BUDGET)) is None


@pytest.mark.parametrize(
    ("sought", "numbers"),
    [
        # One less than a multiple of step + 1 is still to go.
        (("race", "goal >= 0 and step >= 1", "misere"), [1, 2, 7, 24]),
        # The lesser pile is even; and so are both, where odd numbers alone are taken from one.
        (("parity", "p >= 1", "normal"), [1, 2, 9]),
    ],
    ids=["race", "parity"],
)
def test_formulas_speak_of_how_far_a_goal_is_and_of_the_lesser_pile(sought, numbers):
    of = family(*sought)
    theorem = family_theorem(of, (), Budget(BUDGET))
    require_right(of, theorem, numbers)
    assert size(theorem.claim.losing) <= 9


def test_conditions_lose_the_parts_that_say_nothing():
    of = family("pair", "1 <= s and t = s + 1", "normal")
    table = MemberTable.of(of, small_members(of), Budget(BUDGET))
    for long, short in (
        ("v >= t and v >= s and t >= 2", "v >= t"),
        ("s = 1 or s = 0 or t = 1", "s = 1"),
        ("v < s or v >= t or v = s and s = t - 1", "true"),
        ("v mod t = 0 and (v >= 1 or s = 2)", "v mod t = 0 and (v >= 1 or s = 2)"),
    ):
        assert str(shortened(table, formula(of, long), Budget(BUDGET))) == short


def test_what_is_cut_short_is_tried_again_with_more_time(monkeypatch):
    for passes, found in ((1e-9,), False), ((1e-9, 1.0), True):
        monkeypatch.setattr(theorem_search, "_PASSES", passes)
        theorem = family_theorem(family(*FOUND[0][:3]), (), Budget(BUDGET))
        assert (theorem is not None) == found


@pytest.mark.parametrize("sought", NEVER, ids=lambda s: f"{s[0]}, {s[1]}")
def test_where_there_is_no_theorem_none_is_found(sought):
    assert family_theorem(family(*sought), (), Budget(BUDGET)) is None


@pytest.mark.parametrize(
    "statement",
    [
        ("take", "n >= 1", "normal", "false"),
        *(
            pytest.param(s, marks=pytest.mark.slow) if s[0] in ("slow", "mixed") else s
            for s in FALSE.values()
        ),
    ],
    ids=lambda s: f"{s[0]}, {s[3]}",
)
def test_a_false_formula_never_becomes_a_theorem(monkeypatch, statement):
    *sought, text = statement
    of = family(*sought)
    offered = []

    def planted(*_):
        offered.append(text)
        yield formula(of, text)

    monkeypatch.setattr(theorem_search, "formulas_for", planted)
    for others in ("formulas_by_cases", "residue_sets", "with_exceptions"):
        monkeypatch.setattr(theorem_search, others, lambda *_: iter(()))
    assert family_theorem(of, (), Budget(BUDGET)) is None
    assert offered


def test_a_false_strategy_never_becomes_one(monkeypatch):
    of = family("take", "n >= 1", "normal")
    right = family_theorem(of, (), Budget(BUDGET))
    (rule,) = right.claim.strategy
    for wrong in ("v mod n + 1", "1", "n + 1", "v mod (n - 1)"):
        term = formula(of, f"v = {wrong}").terms[1]
        act = type(rule.act)(rule.act.action, (("k", term),))
        pairs = (type(rule)(rule.when, act),)
        monkeypatch.setattr(StrategyMiner, "strategies", lambda _, pairs=pairs: iter([pairs]))
        losing = right.claim.losing
        monkeypatch.setattr(theorem_search, "formulas_for", lambda *_, f=losing: iter([f]))
        monkeypatch.setattr(theorem_search, "formulas_by_cases", lambda *_: iter(()))
        assert family_theorem(of, (), Budget(BUDGET)) is None


def test_the_table_says_who_loses():
    of = family("slow", "l >= 0", "misere")
    table = MemberTable.of(of, [{"l": 2}, {"l": -1}, {"l": 3}], Budget(BUDGET))
    assert set(table.bounds) == {(2,), (3,)}
    losing = formula(
        of,
        "a mod (l + 1) + b mod (l + 1) = 1 or a mod (l + 1) > 1 and a mod (l + 1) = b mod (l + 1)",
    )
    assert (table.values(losing) == table.losing).all()
    assert (table.values(formula(of, "a > 0 or b > 0")) == table.moving).all()
    assert not table.values(negation(losing))[table.losing].any()
    more = table.with_member({"l": 2}, 30, Budget(BUDGET))
    assert more.bounds[2,] == 30
    assert more.with_member({"l": 2}, 25, Budget(BUDGET)) is more


def test_the_state_that_refutes_a_claim_joins_the_table():
    """However far it is out: the box of its member reaches it."""
    of = family("take", "n >= 1", "normal")
    table = MemberTable.of(of, small_members(of), Budget(BUDGET))
    search = theorem_search._Search(of, None, table, Budget(BUDGET))
    far = (2, 150)
    assert not (table.rows == far).all(axis=1).any()
    assert search._learn_from(SimpleNamespace(state=lambda _: far))
    assert (search.table.rows == far).all(axis=1).any()


def test_columns_that_tell_the_labels_are_kept_alone():
    of = family("take", "n >= 1", "normal")
    table = MemberTable.of(of, small_members(of), Budget(BUDGET))
    pool = formula(of, "v = n and n = v mod (n + 1)")
    v, n, residue = (*pool.args[0].terms, pool.args[1].terms[1])
    assert ColumnSet((residue,)) in find_columns(table, [v, n, residue])
    assert not find_columns(table, [n])


def test_the_moves_of_two_parameters_are_those_that_win():
    """Also with few terms, and with pairs of terms that go together."""
    of = family("cyclic", "h >= 1", "normal")
    table = MemberTable.of(of, [{"h": 2}, {"h": 3}], Budget(BUDGET))
    losing = formula(of, "(a + b) mod h = 0 and a div h = b div h")
    miner = StrategyMiner(table, losing, Budget(BUDGET))
    miner.terms = miner.terms[:10]
    action, sample = of.game.action("both"), miner.need[::5]
    found = list(miner._moves(action, sample))
    pairs = {tuple(zip(action.parameters, pair, strict=True)) for pair in miner.pairs}
    assert pairs & {act.arguments for act, _ in found}
    for act, wins in found[::3]:
        assert (miner._holds(moves_to(of.game, act, losing))[sample] == wins).all()
