"""Formulas with products of unknowns: proofs for all members of a family, and what is none."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from family_rules import FALSE, RULES
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import loser
from speed import examples

from icgsynth.budget import Budget
from icgsynth.claims.game import winning_obligations
from icgsynth.digits.numeration import base, ostrowski
from icgsynth.logic.build import conjunction, negation
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.term import Compare, Digital, Div, Int, Max, Member, Min, Mod, Mul, Name
from icgsynth.prove.deciders.portfolio import decide, second_opinion
from icgsynth.prove.deciders.products import decide_products, first_facts, linearised, restate_fact
from icgsynth.prove.deciders.smt import find_core
from icgsynth.prove.product_proofs import Combination, Fact, Product, ProductProof
from icgsynth.prove.recheck.products import _Expansion, restated
from icgsynth.prove.recheck.relations import Unproved
from icgsynth.spec.icg import parse, parse_formula
from icgsynth.spec.source import Source

BUDGET = 30.0

# Family, the constants for which it is true, rule, losing states: from the literature, or
# compared with play below.
TRUE = [
    ("take", "n >= 0", "normal", "v mod (n + 1) = 0"),
    ("take", "n >= 1", "misere", "v mod (n + 1) = 1"),
    ("race", "step >= 0", "normal", "(goal - v) mod (step + 1) = 0"),
    ("interval", "1 <= a <= b", "normal", "v mod (a + b) < a"),
    ("interval", "1 <= a <= b", "misere", "a <= v mod (a + b) < 2 * a"),
    (
        *("pair", "1 <= s <= t", "normal"),
        "v mod (s + t) mod (2 * s) < s and v mod (s + t) < t",
    ),
    ("two sided", "n >= 0", "normal", "v mod (n + 1) = 0"),
    ("slow", "l >= 0", "normal", "(a - b) mod (l + 1) = 0"),
    (
        *("slow", "l >= 1", "misere"),
        "a mod (l + 1) + b mod (l + 1) = 1 or a mod (l + 1) > 1 and a mod (l + 1) = b mod (l + 1)",
    ),
    (
        *("mark", "t >= 1 and d = 2", "normal"),
        "v mod (t + 1) = 1 and v >= t + 3 or v = 0 or v = t + 1",
    ),
    (
        *("mark", "t >= 1 and d >= 2 and (d - 1) mod (t + 1) != 0", "normal"),
        "v mod (t + 1) = 1 and v >= (d - 1) * (t + 1) + 2 or "
        "v <= (d - 1) * (t + 1) and v mod (t + 1) = 0",
    ),
    ("direction", "p >= 1 and q >= 1 and p != q", "normal", "a = b"),
    ("cyclic", "h >= 1", "normal", "a div h = b div h and (a + b) mod h = 0"),
]
# Here some member has a move between states that are said to be lost.
REFUTED = [
    *(FALSE["F3"], FALSE["F7"]),
    ("take", "n >= 1", "normal", "v mod n = 0"),
    ("interval", "1 <= a and 1 <= b", "normal", "v mod (a + b) <= a"),
]


def members(name, where):
    spec = parse(Source(name, f"game g {RULES[name]}"))
    free = [constant for constant, _ in spec.constants]
    game = spec.members(free, {})
    return spec, replace(
        game, legal=conjunction((parse_formula(where, (), constants=free), game.legal))
    )


def obligations(name, where, rule, text):
    spec, game = members(name, where)
    free = [constant for constant, _ in spec.constants]
    losing = parse_formula(text, spec.variables, constants=free)
    for each in winning_obligations(game, rule, negation(losing), losing, ()):
        if each.claim != "a losing state has a move":  # its witness is the strategy
            yield each


LONG = [TRUE.index(s) for s in TRUE if s[0] == "cyclic" or "!= 0" in s[1]]


@pytest.mark.parametrize(
    "statement",
    [pytest.param(s, marks=pytest.mark.slow) if i in LONG else s for i, s in enumerate(TRUE)],
    ids=lambda s: f"{s[0]}, {s[2]}, {s[1]}",
)
def test_what_holds_for_all_members_is_proved_twice(statement):
    for each in obligations(*statement):
        reply = decide(each.parts, each.names, Budget(BUDGET))
        assert reply.kind == "unsat", each.claim
        again = second_opinion(each.parts, each.names, reply.by, Budget(BUDGET))
        assert again.kind == "unsat", each.claim
        assert not again.by & reply.by


@pytest.mark.parametrize("statement", TRUE, ids=lambda s: f"{s[0]}, {s[2]}, {s[1]}")
def test_these_statements_agree_with_play(statement):
    name, where, rule, text = statement
    spec = parse(Source(name, f"game g {RULES[name]}"))
    free = [constant for constant, _ in spec.constants]
    range_ = parse_formula(where, (), constants=free)
    losing = parse_formula(text, spec.variables, constants=free)
    compared = 0
    for numbers in product(range(5), repeat=len(free)):
        constants = dict(zip(free, numbers, strict=True))
        if satisfies(range_, constants):
            compared += agreeing_states(spec.game(constants), constants, rule, losing)
    assert compared > 20


def agreeing_states(game, constants, rule, losing):
    """How many states were compared with plain recursion over the moves, all of them alike."""
    is_lost = loser(game, rule)
    side = 30 if len(game.variables) == 1 else 7
    legal = [s for s in product(range(-3, side), repeat=len(game.variables)) if game.is_legal(s)]
    for state in legal:
        assert is_lost(state) == satisfies(losing, constants | game.env(state)), (constants, state)
    return len(legal)


@pytest.mark.parametrize("statement", REFUTED, ids=lambda s: f"{s[0]}, {s[1]}")
def test_what_fails_for_some_member_is_refuted_there(statement):
    found = [
        (each, reply.model)
        for each in obligations(*statement)
        if (reply := decide(each.parts, each.names, Budget(BUDGET))).kind == "sat"
    ]
    assert found
    for each, model in found:
        assert all(satisfies(part, model) for part in each.parts)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x * m = 7 and 2 <= x and x <= 3", "unsat"),
        ("x * m = 7 and 2 <= m and m <= 6", "unsat"),
        ("x * m = 12 and x >= 5 and m >= 2", "sat"),
        ("x * m < x and x >= 1 and m >= 1", "unsat"),
    ],
)
def test_a_product_alone_is_told_by_its_cases(text, kind):
    """Fault it sees: facts are looked for on sums of two products, and not on one."""
    formula = parse_formula(text, ("x",), constants=("m",))
    found = decide_products([formula], ("x", "m"), Budget(BUDGET))
    assert found.kind == kind
    assert kind == "unsat" or satisfies(formula, found.model)


# --- facts ----------------------------------------------------------------------------------------

NAMES = ("x", "y", "m", "n")
TEXTS = (
    "x mod (m + 1) + y mod (m + 1) <= (x + y) mod (m + 1)",
    "x div m - y div m = (x - y) div m",
    "(m + 1) * n + x * m < (x - 1) * (n + 2)",
    "x mod (m + n) mod (2 * m) < m",
    "(if x mod m = 0 then x * n - y else min(x div (n + 1), y * m)) > 3",
    "x * n mod (m + 1) = 2 * x * m - y",
    "x mod m = 0 and (x - m) mod 3 = 1",
)


@examples(
    20,
    100,
    st.sampled_from(TEXTS),
    st.lists(st.integers(-60, 60), min_size=4, max_size=4),
    st.data(),
)
def test_facts_are_true_of_all_integers(text, numbers, data):
    formula = parse_formula(text, NAMES[:2], constants=NAMES[2:])
    given_ = linearised((formula,))
    env = dict(zip(NAMES, numbers, strict=True))
    env["m"], env["n"] = abs(env["m"]) + 1, abs(env["n"])  # so that every divisor is positive
    known = dict(env)
    for name, meaning in given_.definitions.items():
        known[name] = value(meaning, known)
    assert satisfies(formula, env) == satisfies(given_.parts[0], known)
    facts = list(first_facts(given_))
    number, modulus = st.integers(-40, 40), st.integers(1, 12)
    for each in given_.products:
        c = data.draw(modulus)
        facts.append(Fact("residue", Combination(((each, 1),)), (c, data.draw(number) % c)))
        for schema in ("case", "bound", "fixed", "tangent"):
            drawn = (data.draw(number), data.draw(number))[: 2 if schema == "tangent" else 1]
            facts.append(Fact(schema, Combination(((each, 1),)), drawn))
    for fact in facts:
        assert satisfies(restate_fact(fact), known), fact


def proof_of(statement):
    each = list(obligations(*statement))[-1]
    found = decide_products(each.parts, each.names, Budget(BUDGET))
    assert found.kind == "unsat"
    return each, found.proof


def test_a_proof_that_is_tampered_with_is_refused():
    each, proof = proof_of(TRUE[3])
    restated(each.parts, proof)
    for i, fact in enumerate(proof.facts):
        if isinstance(fact.about, Combination):
            # The same fact about twice the product, but not about twice the factor.
            (first, count), *rest = fact.about.products
            other = replace(first, factor=Int(7))
            wrong = replace(fact, about=Combination(((other, count), *rest)))
        else:
            wrong = replace(fact, about=replace(fact.about, dividend=Int(1)))
        facts = (*proof.facts[:i], wrong, *proof.facts[i + 1 :])
        with pytest.raises(Unproved):
            restated(each.parts, replace(proof, facts=facts))
    for i in range(len(proof.parts)):
        parts = (*proof.parts[:i], Compare((Int(0), Int(1)), ("=",)), *proof.parts[i + 1 :])
        with pytest.raises(Unproved):
            restated(each.parts, replace(proof, parts=parts))
    divisions = [fact.about for fact in proof.facts if fact.schema == "division"]
    assert divisions
    for name in [division.remainder for division in divisions]:
        definitions = {**proof.definitions, name: Int(3)}
        with pytest.raises(Unproved):
            restated(each.parts, replace(proof, definitions=definitions))
        with pytest.raises(Unproved):  # defined by what comes after it
            late = {k: v for k, v in proof.definitions.items() if k != name}
            restated(each.parts, replace(proof, definitions=late))


def test_a_quantifier_is_left_alone():
    formula = parse_formula("exists k. v = k * n", ("v",), constants=("n",))
    assert decide((formula,), ("v", "n"), Budget(BUDGET)).kind == "unknown"


@given(
    st.lists(st.tuples(st.sampled_from(("case", "bound")), st.integers(-3, 3)), min_size=1),
    st.integers(-6, 6),
    st.integers(-4, 4),
    st.integers(-25, 25),
)
@settings(deadline=None)
def test_facts_about_one_product_say_together_what_they_say_one_by_one(chosen, e, m, p):
    about = Combination(((Product("p", Name("e"), Name("m")), 1),))
    facts = tuple(Fact(schema, about, (c,)) for schema, c in chosen)
    proof = ProductProof((), {"p": Mul(Name("e"), Name("m"))}, facts)
    env = {"e": e, "m": m, "p": p}
    (said,) = restated((), proof)
    assert satisfies(said, env) == all(satisfies(restate_fact(fact), env) for fact in facts)
    assert satisfies(said, env | {"p": e * m})


@pytest.mark.parametrize(
    ("parts", "facts"),
    [
        (["x = y + z"], ["x > 5", "y <= 2", "y < 7", "z <= 2", "x > 6", "z < 9"]),
        (["x mod 3 = y mod 3"], ["x = 3 * y", "y mod 2 = 1", "y mod 3 != 0", "x > y", "y >= -5"]),
        (["x >= 4", "x <= 3"], ["y = 0", "z = 0"]),
    ],
)
def test_of_facts_that_contradict_some_suffice_and_none_of_them_can_be_spared(parts, facts):
    """Held against the points of a box, in which every set that is left over has one."""
    given = [parse_formula(text, "xyz") for text in parts]
    known = [parse_formula(text, "xyz") for text in facts]
    kept = find_core(given, known, Budget(BUDGET), 1_000_000)

    def is_possible(places):
        chosen = [*given, *(known[i] for i in places)]
        points = (dict(zip("xyz", p, strict=True)) for p in product(range(-9, 10), repeat=3))
        return any(all(satisfies(formula, point) for formula in chosen) for point in points)

    assert not is_possible(kept)
    for spared in kept:
        assert is_possible([i for i in kept if i != spared])


def test_facts_that_contradict_nothing_are_not_needed():
    given, known = parse_formula("x > y", "xy"), parse_formula("y > 0", "xy")
    assert find_core([given], [known], Budget(BUDGET), 1_000_000) is None


A, B = Name("a"), Name("b")
TWINS = [
    (Digital("shift", (A,), base(2)), Digital("unshift", (A,), base(2))),
    (Digital("nimsum", (A, B), base(3), 2), Digital("nimsum", (A, B), base(3), 3)),
    (Digital("zeros", (A,), base(2)), Digital("zeros", (A,), ostrowski(1))),
    (Compare((A, B), ("<",)), Compare((A, B), ("<=",))),
    (Member(A, (Int(1), Int(2))), Member(A, (Int(1), Int(3)))),
    (Mod(A, Int(3)), Div(A, Int(3))),
    (Min(A, B), Max(A, B)),
]


@pytest.mark.parametrize(("one", "other"), TWINS, ids=lambda node: str(node))
def test_nodes_mean_the_same_only_if_all_their_fields_are_equal(one, other):
    """The kind and the modulus of a function of digits were not looked at."""
    of = _Expansion({})
    assert of.meaning(one) != of.meaning(other)
    assert of.meaning(one) == of.meaning(replace(one))
