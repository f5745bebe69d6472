"""The second proof of whole answers in digits: right ones pass, altered ones are refuted.

Formulas are compared with their evaluation; refutations are checked with the rules of the game
and the strategy as it is played.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import product

import automatic_solved as solved
import catalog_answers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from second_proof import witness
from speed import examples, sampled
from test_recheck import accepts

import icgsynth as icg
from experiments.catalog import committed
from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base, numeration
from icgsynth.errors import TooLarge
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, SemiGroundAction, Strategy, TargetRule
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import (
    TRUE,
    Abs,
    And,
    Compare,
    Digital,
    Div,
    If,
    Iff,
    Implies,
    Int,
    Max,
    Member,
    Min,
    Mod,
    Mul,
    Name,
    Neg,
    Not,
    Or,
    Recognised,
    Sum,
)
from icgsynth.prove.beyond import judge
from icgsynth.prove.recheck import digits as recheck_digits
from icgsynth.prove.recheck import numbers as recheck_numbers
from icgsynth.prove.recheck.answer_parts import recheck_answer
from icgsynth.prove.recheck.digits import Digits
from icgsynth.prove.recheck.formulas import Formulas, Undecided
from icgsynth.prove.recheck.linear import signs
from icgsynth.prove.recheck.machine import Effort
from icgsynth.prove.recheck.numbers import Logic, Numbers
from icgsynth.prove.recheck.relations import Relations
from icgsynth.spec.icg import parse_formula, parse_term

SYSTEMS = ["base-2", "base-3", "zeckendorf", "ostrowski-2"]
FAR = 10**30


# --- formulas against their evaluation ------------------------------------------------------------


@cache
def formulas(name, max_states=50_000):
    relations = Relations(Numbers(numeration(name), Effort(Budget(float("inf")), max_states)))
    return Formulas(relations, Logic(relations.numbers))


def require_same_meaning(name, formula, states, max_states=50_000):
    """Each state is decided by the automaton for its signs as by evaluation."""
    environments = list(signs(("x", "y"), ("x", "y")))
    machines = [formulas(name, max_states).formula(formula, env) for env in environments]
    for x, y in states:
        machine = machines[2 * (x < 0) + (y < 0)]
        natural = {"x": x if x >= 0 else -1 - x, "y": y if y >= 0 else -1 - y}
        expected = satisfies(formula, {"x": x, "y": y})
        assert accepts(name, machine, natural) == expected, f"{formula} at {x}, {y}"


def automata(name):
    """Automata that do not care for zeros at the left."""
    system = numeration(name)
    count = st.integers(1, 3)

    @st.composite
    def drawn(draw):
        states, tracks = draw(count), draw(st.sampled_from([("x",), ("u", "v")]))
        symbols = system.digits ** len(tracks)
        row = st.tuples(*[st.integers(0, states - 1)] * symbols)
        rows = [list(draw(row)) for _ in range(states)]
        rows[0][0] = 0
        flags = draw(st.tuples(*[st.booleans()] * states))
        return Automaton(system, tracks, tuple(map(tuple, rows)), flags)

    return drawn()


def terms(name, depth):
    """Terms over x and y; a function of digits is where the depth allows it."""
    leaf = st.one_of(st.sampled_from([Name("x"), Name("y")]), st.builds(Int, st.integers(-4, 12)))
    if depth == 0:
        return leaf
    inner, system = terms(name, depth - 1), st.just(numeration(name))
    one = st.sampled_from(["shift", "unshift", "lowpart"])
    positive = st.builds(Int, st.integers(1, 3))
    return st.one_of(
        leaf,
        st.builds(Digital, one, st.tuples(inner), system),
        st.builds(
            Digital,
            st.just("nimsum"),
            st.lists(inner, min_size=1, max_size=3).map(tuple),
            system,
            st.integers(2, 4),
        ),
        st.builds(Mod, st.builds(Digital, st.just("zeros"), st.tuples(inner), system), positive),
        st.builds(Sum, st.tuples(inner, inner)),
        st.builds(Mul, st.builds(Int, st.integers(-2, 2)), inner),
        st.builds(lambda x, y: If(Compare((x, y), ("<",)), x, y), inner, leaf),
        *(st.builds(kind, inner) for kind in (Neg, Abs)),
        *(st.builds(kind, inner, inner) for kind in (Min, Max)),
        *(st.builds(kind, inner, positive) for kind in (Mod, Div)),
    )


@st.composite
def some_formulas(draw, name, depth=1):
    if draw(st.booleans()) and depth:
        parts = draw(some_formulas(name, depth - 1)), draw(some_formulas(name, depth - 1))
        kinds = [And(parts), Or(parts), Implies(*parts), Iff(*parts), Not(parts[0])]
        return draw(st.sampled_from(kinds))
    ops = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
    left = draw(terms(name, 2))
    match draw(st.integers(0, 5)):
        case 0:
            automaton = draw(automata(name))
            return Recognised(automaton, (left, draw(terms(name, 1)))[: len(automaton.tracks)])
        case 1:
            counted = Digital("zeros", (left,), numeration(name))
            sides = (counted, Int(draw(st.integers(-1, 3))))
            return Compare(sides[:: draw(st.sampled_from([1, -1]))], (draw(ops),))
        case 2:
            return Member(left, (Int(0), Int(draw(st.integers(-3, 9)))))
        case 3:
            chain = (left, draw(terms(name, 1)), draw(terms(name, 0)))
            return Compare(chain, (draw(ops), draw(ops)))
    return Compare((left, draw(terms(name, 1))), (draw(ops),))


def states_of(seed):
    """Yield the states of a box, and some far from it."""
    chance = random.Random(seed)
    yield from product(range(-3, 11), repeat=2)
    for _ in range(60):
        x, y = (chance.randrange(10 ** chance.randint(1, 30)) for _ in "xy")
        yield chance.choice([(x, y), (x, x), (x, x + chance.randint(-2, 2)), (-x, y)])


@examples(8, 150, st.data(), st.sampled_from(SYSTEMS))
def test_formulas_of_digits_mean_what_they_say(data, name):
    require_same_meaning(name, data.draw(some_formulas(name)), states_of(5))


HUGE = st.sampled_from(
    [sign * (2**k + d) for k in (31, 62, 63, 64) for d in (-1, 0, 1) for sign in (1, -1)]
)


@pytest.mark.parametrize("name", ["base-2", "zeckendorf"])
@given(st.data())
@settings(max_examples=12, deadline=None)
def test_huge_numbers_are_exact_or_refused(name, data):
    """Factors, summands, moduli and divisors about the limits of machine integers."""
    x, y, some = Name("x"), Name("y"), st.one_of(HUGE, st.integers(-3, 3))
    a, b, c = data.draw(some), data.draw(some), data.draw(HUGE)
    left = Sum((Mul(Int(a), x), Mul(Int(b), y)))
    kind = data.draw(st.integers(0, 3))
    if kind:
        modulus = Int(abs(data.draw(some)) or 1)
        left = [
            Mod(left, modulus),
            Div(x, modulus),
            Digital("lowpart", (Sum((x, Int(a))),), numeration(name)),
        ][kind - 1]
    op = data.draw(st.sampled_from(["=", "!=", "<", "<=", ">", ">="]))
    near = [c // (a or 1) + d for d in (-1, 0, 1)] + [
        0,
        1,
        2**61 - 1,
        2**62,
        2**63,
        2**64 - 1,
        2**64,
    ]
    try:
        require_same_meaning(name, Compare((left, Int(c)), (op,)), product(near, repeat=2), 2_000)
    except (TooLarge, Undecided):
        return


@pytest.mark.slow
def test_huge_numbers_that_are_exact():
    """Where the common factor leaves small numbers, or only a constant is huge."""
    x, y, two = Name("x"), Name("y"), 2**62
    near = [0, 1, 7, 8, 9, FAR - 1, FAR, FAR + 1, 2**64]
    for left, op, right in (
        (Sum((Mul(Int(two), x), Neg(Mul(Int(4 * two), y)))), ">=", Int(9 * two)),
        (Sum((x, Mul(Int(-3), y))), "<", Int(FAR)),
        (Sum((x, y)), ">", Int(2**64)),
        (Digital("nimsum", (x, Int(2**64)), base(2)), "=", y),
        (Mod(x, Int(999)), "=", Int(FAR % 999)),
    ):
        require_same_meaning("base-2", Compare((left, right), (op,)), product(near, repeat=2))


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("kind", ["nimsum", "shift", "unshift", "lowpart"])
def test_functions_that_miss_a_value_are_noticed(name, kind, monkeypatch):
    """A relation with fewer words than it should have is not taken for a function."""
    digits = Digits(Numbers(numeration(name), Effort(Budget(60), 10_000)))
    assert digits.function(kind, 1, 2) is not None
    digits = Digits(Numbers(numeration(name), Effort(Budget(60), 10_000)))
    build = recheck_digits.explore

    def without_large_values(*arguments):
        machine = build(*arguments)
        rows = [{c: q for c, q in row.items() if c[1] == 0} for row in machine.rows]
        return replace(machine, rows=tuple(rows))

    for module in (recheck_digits, recheck_numbers):
        monkeypatch.setattr(module, "explore", without_large_values)
    assert digits.function(kind, 1, 2) is None


# --- whole answers ------------------------------------------------------------------------------


def judged(solution, **more):
    return recheck_answer(solution, Budget(120), **more)


def verdicts(solution, **more):
    return {part: found.verdict for part, found in judged(solution, **more).items()}


def answer(text, losing, rules=(), system="base-2", rule="normal"):
    """An answer of a formula and of rules ``(condition, action, parameters)`` as text."""
    game, numbers = icg.loads(text).game, numeration(system)
    return said(
        Solution(game, rule, "solved", logic=system),
        losing,
        [tier(game, numbers, *r) for r in rules],
    )


def tier(game, system, when, action, **terms):
    act = [(p, parse_term(t, game.variables, system=system)) for p, t in terms.items()]
    condition = parse_formula(when, game.variables, system=system)
    return Rule(condition, SemiGroundAction(action, tuple(act)))


def said(solution, losing, strategy=None, **more):
    """The solution with another losing formula, and the winning one that goes with it."""
    if isinstance(losing, str):
        system = numeration(solution.logic)
        losing = parse_formula(losing, solution.game.variables, system=system)
    strategy = solution.strategy if strategy is None else Strategy(tuple(strategy))
    claims = {"losing": Claim(losing), "winning": Claim(negation(losing))}
    return replace(solution, **claims, strategy=strategy, **more)


def by_first_proof(solution, tree):
    game = solution.game
    stated = replace(solution, tree=Strategy(tree))
    found = judge(stated, ["fft"], Budget(60))["fft"]
    return found.verdict, found.state(game) if found.verdict is Verdict.REFUTED else None


def by_second_proof(solution, tree):
    found = judged(replace(solution, tree=Strategy(tree)))["fft"]
    return found.verdict, witness(found)


@pytest.mark.parametrize("proof", [by_first_proof, by_second_proof])
def test_a_tree_over_digits_is_judged_first_match_first(proof):
    """Each rule is judged where it is the first to apply, and all winning states need one.

    Seen: states of earlier rules that are added instead of taken away, a rule that loses, a rule
    that is missing.  In Nim on three piles a move wins where it makes the sum of digits 0.
    """
    nim = solved.nim3()
    right = [Rule(TRUE, rule.act) for rule in nim.strategy]
    assert proof(nim, right)[0] is Verdict.PROVED
    verdict, (a, b, c) = proof(nim, right[:2])
    assert verdict is Verdict.REFUTED
    # To make the sum 0 a pile has to become the sum of the other two, which is less for c alone.
    assert a ^ b ^ c and (b ^ c) >= a and (a ^ c) >= b
    eager = Rule(TRUE, SemiGroundAction("take_a", (("k", Int(1)),)))
    verdict, (a, b, c) = proof(nim, [eager, *right])
    assert verdict is Verdict.REFUTED
    assert a and a ^ b ^ c and (a - 1) ^ b ^ c
    # Where it is the last, no state is left to it.
    assert proof(nim, [*right, eager])[0] is Verdict.PROVED


@pytest.mark.parametrize("build", [solved.nim3, solved.nim3_by_automata, solved.mark])
def test_right_answers_are_proved(build):
    assert verdicts(build()) == dict.fromkeys(("winning", "strategy"), Verdict.PROVED)


@pytest.mark.parametrize("build", [solved.wythoff, solved.wythoff_in_words])
def test_a_strategy_that_leaves_states_out_is_refuted(build):
    """Moves on both piles at once are left out; the losing states are right."""
    found = judged(build())
    assert found["winning"].verdict is Verdict.PROVED
    assert found["strategy"].verdict is Verdict.REFUTED
    assert "every winning state" in found["strategy"].why
    assert fails_in_play(build(), witness(found["strategy"]))


FAST = [("fibonacci_nim", "misere"), ("mark", "normal"), ("mark", "misere"), ("nim3", "misere")]
FAST += [("upmark", "misere"), ("take_up_to_half", "misere"), ("nim3_diagonal", "normal")]
DIGITS = [key for key, row in committed().items() if row["logic"] not in ("", "lia")]


@sampled(("name", "rule"), FAST)
def test_answers_of_the_catalog_are_proved(name, rule):
    """Every part, and within the limits that a check after every answer has."""
    solution = catalog_answers.solved(name, rule)
    assert set(verdicts(solution, max_states=2_000).values()) == {Verdict.PROVED}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rule"), DIGITS)
def test_all_answers_of_the_catalog_are_proved(name, rule):
    solution = catalog_answers.solved(name, rule)
    assert solution.status == "solved"
    assert set(verdicts(solution).values()) == {Verdict.PROVED}


def test_a_cover_is_judged():
    nim = solved.nim3()
    cells = tuple(rule.when for rule in nim.strategy)
    assert verdicts(replace(nim, cover=cells))["cover"] is Verdict.PROVED
    found = judged(replace(nim, cover=cells[1:]))["cover"]
    assert found.verdict is Verdict.REFUTED
    a, b, c = witness(found)
    assert a > b ^ c


# --- altered answers ----------------------------------------------------------------------------


def fails_in_play(solution, state):
    """The strategy, as it is played, does not lead from the winning ``state`` to a losing one."""
    game, losing = solution.game, solution.losing.formula
    assert game.is_legal(state)
    assert not satisfies(losing, game.env(state))
    first = next((r for r in solution.strategy if satisfies(r.when, game.env(state))), None)
    if isinstance(first, Rule):
        move = first.act.ground(game, state)
        if not game.applies(state, move):
            return True
    else:
        chosen = solution.strategy.choose(game, state)
        if chosen is None:
            return True
        move = chosen.move
    return not satisfies(losing, game.env(game.result(state, move)))


NIM = solved.NIM3
XOR = "a xor b xor c = 0"
FIBONACCI = """
game fibonacci_nim
var n, q
legal n >= 0 and q >= 0
action take(k)  pre 1 <= k <= q and k <= n  eff n := n - k, q := 2 * k
"""
WRONG_PAIRS = {
    "one too many": [("b xor c < a", "take_a", "a + 1 - (b xor c)")],
    "one too few": [("b xor c < a", "take_a", "a - 1 - (b xor c)")],
    "a condition too wide": [("b xor c <= a + 1", "take_a", "a - (b xor c)")],
    "a condition too narrow": [("b xor c < a - 1", "take_a", "a - (b xor c)")],
    "a far exception": [(f"b xor c < a and a != {FAR}", "take_a", "a - (b xor c)")],
    "a far mistake": [
        (f"b xor c < a and a = {FAR}", "take_a", "1"),
        ("b xor c < a", "take_a", "a - (b xor c)"),
    ],
    "another pile": [("b xor c < a", "take_b", "a - (b xor c)")],
    "dropped": [],
}


@pytest.mark.parametrize("what", WRONG_PAIRS)
def test_wrong_pairs_are_refuted(what):
    right = solved.nim3()
    pairs = [tier(right.game, base(2), when, action, k=k) for when, action, k in WRONG_PAIRS[what]]
    wrong = replace(right, strategy=Strategy((*pairs, *right.strategy[1:])))
    found = judged(wrong)
    assert found["winning"].verdict is Verdict.PROVED
    assert found["strategy"].verdict is Verdict.REFUTED
    assert fails_in_play(wrong, witness(found["strategy"]))


WRONG_SETS = [
    (NIM, f"{XOR} and not (a = {FAR} and b = {FAR})", "base-2"),
    (NIM, f"{XOR} or (a = {FAR} and b = 1 and c = 0)", "base-2"),
    (NIM, f"{XOR} and (a < {2**64} or a mod 3 != 1)", "base-2"),
    (NIM, f"{XOR} and zeros(a) != 70", "base-2"),
    pytest.param(
        *(FIBONACCI, f"(q < lowpart(n) and n != {FAR}) or n = 0", "zeckendorf"),
        marks=pytest.mark.slow,
    ),
    (FIBONACCI, f"(q < lowpart(n) or n = 0) and q != {2**63}", "zeckendorf"),
]


@pytest.mark.parametrize(("text", "losing", "system"), WRONG_SETS)
def test_wrong_losing_formulas_are_refuted(text, losing, system):
    wrong = answer(text, losing, system=system)
    found = judged(wrong)["winning"]
    assert found.verdict is Verdict.REFUTED
    assert "equation" in found.why


def test_formulas_and_automaton_have_to_agree():
    right = solved.nim3()
    other = parse_formula(f"{XOR} and a < {FAR}", right.game.variables, system=base(2))
    found = judged(replace(right, winning=Claim(negation(other))))["winning"]
    assert found.verdict is Verdict.REFUTED and "either" in found.why
    assert witness(found)[0] >= FAR
    assert satisfies(right.losing.formula, right.game.env(witness(found)))
    found = judged(replace(right, losing=Claim(other), winning=Claim(negation(other))))["winning"]
    assert found.why.startswith("the automaton")
    assert found.verdict is Verdict.REFUTED


def flipped(automaton, q):
    flags = [a != (i == q) for i, a in enumerate(automaton.accepting)]
    return replace(automaton, accepting=tuple(flags))


@pytest.mark.parametrize("build", [solved.nim3, solved.mark, solved.wythoff_in_words])
def test_each_flipped_state_of_the_automaton_is_refuted(build):
    right = build()
    for q in range(len(right.automaton)):
        wrong = replace(right, automaton=flipped(right.automaton, q))
        found = judged(wrong)["winning"]
        if reaches_numbers(right.automaton, q):
            assert found.verdict is Verdict.REFUTED
            env = right.game.env(witness(found))
            assert wrong.automaton.accepts(witness(found)) != satisfies(right.losing.formula, env)
        else:
            assert found.verdict is Verdict.PROVED


def reaches_numbers(automaton, state):
    """Whether the representations of some small numbers end in ``state``."""
    probe = replace(automaton, accepting=tuple(q == state for q in range(len(automaton))))
    return any(map(probe.accepts, product(range(21), repeat=len(automaton.tracks))))


@sampled("build", [solved.nim3_by_automata, solved.wythoff])
def test_altered_targets_are_refuted_where_they_fail(build):
    """Each state of the automaton of a target flipped, and each tier left out."""
    right, seen = build(), set()
    tiers = right.strategy.tiers
    altered = [tiers[:i] + tiers[i + 1 :] for i in range(len(tiers))]
    for i, pair in enumerate(tiers):
        for q in range(len(pair.target)):
            changed = replace(pair, target=flipped(pair.target, q))
            altered.append((*tiers[:i], changed, *tiers[i + 1 :]))
    for strategy in altered:
        wrong = replace(right, strategy=Strategy(strategy))
        found = judged(wrong)["strategy"]
        assert found.verdict in (Verdict.PROVED, Verdict.REFUTED, Verdict.UNKNOWN)
        if found.verdict is Verdict.REFUTED:
            assert misleads(wrong, witness(found))
        elif found.verdict is Verdict.PROVED:
            states = product(range(6), repeat=len(right.game.variables))
            assert not any(misleads(wrong, state) for state in states)
        else:
            assert "no numbers" in found.why
        seen.add(found.verdict)
    assert Verdict.REFUTED in seen


def misleads(solution, state):
    """In the winning ``state`` the first tier with a target has a wrong one, or none has any."""
    game, losing = solution.game, solution.losing.formula
    if satisfies(losing, game.env(state)):
        return False
    for pair in solution.strategy:
        moves = [m for m in game.moves(state) if m.action == pair.action]
        after = [game.result(state, m) for m in moves]
        good = [s for s in after if satisfies(losing, game.env(s))]
        targets = [s for s in around(game, state, pair) if aimed(game, state, pair, s)]
        if targets:
            return not set(targets) <= set(good)
    return True


def around(game, state, pair):
    """The states that differ from ``state`` in what the pair changes, up to twice as large."""
    (changed,) = pair.changed
    at = game.variables.index(changed)
    return [(*state[:at], n, *state[at + 1 :]) for n in range(2 * max(state) + 2)]


def aimed(game, state, pair, after):
    env = game.env(state) | {f"{v}'": n for v, n in game.env(after).items()}
    return pair.target.accepts([env[t] for t in pair.target.tracks])


def test_the_game_whose_coefficients_are_too_large_for_a_machine():
    """(500, 500, 0) wins: issue 8, fault C."""
    jump = "action z pre {0} * a + {0} * b >= 1000 * {0} and b = a and c = 0 eff a := 0, b := 0"
    wrong = answer(NIM + jump.format(2**62), XOR)
    found = judged(wrong)["winning"]
    assert (found.verdict, witness(found)) == (Verdict.REFUTED, (500, 500, 0))


# --- misère, quantifiers, parameters without bound ------------------------------------------------


def test_ended_states_need_no_move_under_misere():
    text = "game g\nvar a\nlegal a >= 0\naction t(k) pre 1 <= k <= 2 and k <= a eff a := a - k"
    # Lost where a mod 3 = 1; the digits only say so in another way.
    losing = "a mod 3 = 1 and a = max(a, lowpart(a))"
    rules = [("a mod 3 = 2", "t", "1"), ("a mod 3 = 0 and a > 0", "t", "2")]
    game = icg.loads(text).game
    pairs = [tier(game, base(2), when, action, k=k) for when, action, k in rules]
    right = said(Solution(game, "misere", "solved", logic="base-2"), losing, pairs)
    assert set(verdicts(right).values()) == {Verdict.PROVED}
    found = judged(replace(right, strategy=Strategy((pairs[0],))))["strategy"]
    assert (found.verdict, witness(found)) == (Verdict.REFUTED, (3,))
    everywhere = tier(game, base(2), "a mod 3 = 0", "t", k="2")
    # Ended at 0, so nothing is asked of the pair there.
    assert (
        verdicts(replace(right, strategy=Strategy((pairs[0], everywhere))))["strategy"]
        is Verdict.PROVED
    )
    assert witness(judged(replace(right, rule="normal"))["winning"]) == (0,)


def test_rules_with_quantifiers():
    """A quantifier beside mod: 3, 6, 9, 12, 18, .. may be taken."""
    text = """
    game g var a legal a >= 0
    action t(k) pre k >= 1 and k <= a and (exists q. q mod 5 >= 1 and 3 * q = k) and k <= 30
    eff a := a - k
    """
    takes = [k for k in range(3, 31, 3) if (k // 3) % 5]
    lost = []
    for a in range(400):
        lost.append(not any(k <= a and lost[a - k] for k in takes))
    period = 15 * 2
    losing = [r for r in range(period) if lost[r]]
    assert all(lost[a] == (a % period in losing) for a in range(400))
    members = ", ".join(map(str, losing))
    right = answer(
        text, f"a - 8 * (a div 8) = a mod 8 and a mod {period} in {{{members}}} and a xor 0 = a"
    )
    assert judged(right)["winning"].verdict is Verdict.PROVED
    found = judged(said(right, "a xor 0 = a"))["winning"]
    assert (found.verdict, witness(found)) == (Verdict.REFUTED, (3,))


# --- what is not decided --------------------------------------------------------------------------


def test_what_is_left_open():
    nim = solved.nim3()
    assert set(verdicts(replace(nim, strategy=Strategy())).values()) == {
        Verdict.PROVED,
        Verdict.UNKNOWN,
    }
    mixed = replace(nim, winning=Claim(parse_formula("a xor b xor c != 0", "abc", system=base(3))))
    for solution, claim in (
        (mixed, "base-2 and base-3"),
        (replace(nim, losing=None), "no formulas"),
    ):
        for found in judged(solution).values():
            assert found.verdict is Verdict.UNKNOWN
            assert claim in found.why
    for found in recheck_answer(nim, Budget(0)).values():
        assert (found.verdict, found.why) == (Verdict.UNKNOWN, "the budget is spent")
    for found in judged(nim, max_states=3).values():
        assert found.verdict is Verdict.UNKNOWN and "3 states" in found.why


def test_targets_that_are_not_judged():
    nim = solved.nim3_by_automata()
    first = nim.strategy[0]
    elsewhere = replace(first, action="take_b")
    missing = replace(first, action="take_x")
    for pair in (elsewhere, missing):
        found = judged(replace(nim, strategy=Strategy((pair,))))["strategy"]
        assert found.verdict is Verdict.UNKNOWN
        assert "targets" in found.why
    wythoff = solved.wythoff()
    every = tuple((0,) * 8 for _ in range(1))
    loose = TargetRule(
        TRUE, "take_a", Automaton(numeration("zeckendorf"), ("a", "b", "a'"), every, (True,))
    )
    found = judged(replace(wythoff, strategy=Strategy((loose,))))["strategy"]
    assert (found.verdict, "no numbers" in found.why) == (Verdict.UNKNOWN, True)


def test_an_automaton_that_cares_for_zeros_at_the_left():
    nim = solved.nim3()
    rows = ((1, *nim.automaton.transitions[0][1:]), *nim.automaton.transitions[1:])
    wrong = replace(nim, automaton=replace(nim.automaton, transitions=rows))
    found = judged(wrong)
    assert found["winning"].verdict is Verdict.REFUTED
    assert "zeros at the left" in found["winning"].why
    assert found["strategy"].verdict is Verdict.PROVED
