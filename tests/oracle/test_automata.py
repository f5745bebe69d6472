"""Digit automata against arithmetic, against licofage, and against the theorems of the games.

Words and weights are computed here once more, from the recurrences as the papers give them;
Python's integers say what is true of the numbers.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from operator import xor

import numpy as np
import pytest
from automatic_solved import is_representation, least_part, wythoff_lost, wythoff_misere_lost
from hypothesis import given, settings
from hypothesis import strategies as st
from speed import examples

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, read_off
from icgsynth.digits.numeration import Numeration, numeration, unit
from icgsynth.errors import Refused
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Compare, Int, Mod, Mul, Name, Recognised, Sum
from icgsynth.prove.automata.arithmetic import adder, check_arithmetic, successor
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.certificate import certify as certificate
from icgsynth.prove.recheck.answer_parts import recheck_answer
from icgsynth.prove.recheck.machine import Effort
from icgsynth.prove.recheck.system import flaw
from icgsynth.spec.icg import parse_formula

# Recurrence and first weights.
SYSTEMS = {
    "base-2": ((2,), (1,)),
    "base-3": ((3,), (1,)),
    "base-10": ((10,), (1,)),
    "zeckendorf": ((1, 1), (1, 2)),
    "ostrowski-2": ((2, 1), (1, 3)),
    "ostrowski-3": ((3, 1), (1, 4)),
    "ostrowski-3-3": ((3, 1), (1, 3)),
    "tribonacci": ((1, 1, 1), (1, 2, 4)),
    "parry-2-1-1": ((2, 1, 1), (1, 3, 8)),
}
LARGE = 10**40
NAMES = ("x", "y", "z")


@cache
def weights(name):
    """The weights up to the first past 50 digits."""
    recurrence, first = SYSTEMS[name]
    known = list(first)
    while known[-1] < 10**50:
        known.append(sum(c * u for c, u in zip(recurrence, reversed(known), strict=False)))
    return known


def word(name, number):
    """The greedy digits, without leading zeros."""
    digits = []
    for weight in reversed(weights(name)):
        digits.append(number // weight)
        number %= weight
    while digits and not digits[0]:
        digits.pop(0)
    return digits


def read(dfa, words):
    """Whether the automaton accepts the words, one for each track."""
    length = max(map(len, words), default=0)
    state = 0
    for column in zip(*([0] * (length - len(w)) + list(w) for w in words), strict=True):
        state = dfa.delta[state, reduce(lambda s, d: s * dfa.system.digits + d, column, 0)]
    return bool(dfa.accepting[state])


def holds(dfa, numbers):
    return read(dfa, [word(dfa.system.name, numbers[track]) for track in dfa.tracks])


def minutes():
    return Budget(120.0)


large = st.integers(0, LARGE) | st.integers(0, 60) | st.integers(0, 40).map(lambda n: 10**n)
systems = st.sampled_from(list(SYSTEMS))


# --- addition ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_adder_adds(name):
    add, chance = adder(numeration(name)), random.Random(name)
    assert add.tracks == NAMES
    data = add.automaton()
    for _ in range(120):
        x, y = (chance.randrange(10 ** chance.randint(1, 40)) for _ in range(2))
        assert holds(add, {"x": x, "y": y, "z": x + y})
        for wrong in (x + y + 1, max(x + y - 1, 0), x + y + chance.choice(weights(name)[:130])):
            assert holds(add, {"x": x, "y": y, "z": wrong}) == (wrong == x + y)
    for _ in range(8):
        x, y = chance.randrange(LARGE), chance.randrange(LARGE)
        assert data.complete({"x": x, "y": y}) == {"z": x + y}
        assert data.complete({"x": x, "z": x + y}) == {"y": y}
        assert data.complete({"y": x + y + 1, "z": y}) is None


@pytest.mark.parametrize("name", SYSTEMS)
def test_counting_is_adding_one(name):
    following, chance = successor(numeration(name)), random.Random(name)
    numbers = [*range(60), *weights(name)[:120], *(chance.randrange(LARGE) for _ in range(60))]
    for n in (m for number in numbers for m in (number, max(number - 1, 0))):
        assert holds(following, {"a": n, "b": n + 1})
        assert not holds(following, {"a": n, "b": n})
        assert not holds(following, {"a": n, "b": n + 2})
        assert not holds(following, {"a": n + 1, "b": n})


@given(
    systems, st.lists(st.lists(st.integers(0, 9), min_size=9, max_size=9), min_size=3, max_size=3)
)
@settings(max_examples=150, deadline=None)
def test_words_that_represent_nothing_are_no_numbers(name, words):
    """However well they add up."""
    system = numeration(name)
    words = [[d % system.digits for d in w] for w in words]
    values = [sum(d * u for d, u in zip(w, weights(name)[8::-1], strict=True)) for w in words]
    plain_words = [[0] * (9 - len(word(name, v))) + word(name, v) for v in values]
    valid = [w == p for w, p in zip(words, plain_words, strict=True)]
    for w, is_valid in zip(words, valid, strict=True):
        assert is_representation(system, w) == is_valid
    total = word(name, values[0] + values[1])
    assert read(adder(system), [*words[:2], total]) == all(valid[:2])
    mine = values[2] == values[0] + values[1]
    assert read(adder(system), words) == (all(valid) and mine)


@pytest.mark.parametrize("name", SYSTEMS)
def test_numbers_have_the_words_of_the_greedy_algorithm(name):
    system, chance = numeration(name), random.Random(name)
    for n in [*range(300), *(chance.randrange(10 ** chance.randint(1, 40)) for _ in range(300))]:
        assert list(system.representation(n)) == word(name, n)
        assert system.value(word(name, n)) == n
        assert is_representation(system, word(name, n))


# --- linear atoms --------------------------------------------------------------------------


def compared(coefficients, op, constant):
    parts = [Mul(Int(c), Name(n)) for n, c in coefficients.items()]
    return Compare((Sum(tuple(parts)) if len(parts) > 1 else parts[0], Int(constant)), (op,))


TRUTH = {
    "=": lambda n: n == 0,
    "!=": lambda n: n != 0,
    "<": lambda n: n < 0,
    "<=": lambda n: n <= 0,
    ">": lambda n: n > 0,
    ">=": lambda n: n >= 0,
}


@cache
def compiler(name):
    return Compiler(numeration(name), Budget(float("inf")))


@st.composite
def atoms(draw, name):
    """Coefficients by name, and a constant; with weights of three terms, two numbers only."""
    most = 3 if len(SYSTEMS[name][0]) < 3 else 2
    count = draw(st.integers(1, most))
    some = st.integers(-5, 5).filter(bool)
    coefficients = {n: draw(some) for n in NAMES[:count]}
    # As many states are explored as the constant is large, for each term of the recurrence.
    large_one = 300 if most == 3 else 90
    return coefficients, draw(st.integers(-60, 60) | st.sampled_from([large_one, -large_one]))


@st.composite
def near(draw, coefficients, constant):
    """Natural numbers with a sum that is close to the constant, if they can."""
    numbers = {n: draw(large) for n in coefficients}
    last = draw(st.sampled_from(sorted(coefficients)))
    rest = constant - sum(c * numbers[n] for n, c in coefficients.items() if n != last)
    numbers[last] = max(0, rest // coefficients[last] + draw(st.integers(-1, 2)))
    if draw(st.integers(0, 4)) == 0:
        numbers[last] = draw(large)
    return numbers


@pytest.mark.slow
@given(st.data(), systems)
@settings(max_examples=150, deadline=None)
def test_comparisons_are_arithmetic(data, name):
    coefficients, constant = data.draw(atoms(name), "atom")
    for op in TRUTH:
        dfa = compiler(name).formula(compared(coefficients, op, constant))
        assert dfa.tracks == tuple(sorted(coefficients))
        for _ in range(4):
            numbers = data.draw(near(coefficients, constant), "numbers")
            total = sum(c * numbers[n] for n, c in coefficients.items()) - constant
            assert holds(dfa, numbers) == TRUTH[op](total), (name, op, numbers)


@examples(60, 400, st.data(), systems)
def test_congruences_are_arithmetic(data, name):
    coefficients, constant = data.draw(atoms(name), "atom")
    modulus = data.draw(st.integers(1, 4 if len(SYSTEMS[name][0]) > 2 else 7))
    residue = data.draw(st.integers(-1, modulus))
    term = Sum((*compared(coefficients, "=", 0).terms[:1], Int(constant)))
    for op in ("=", "!="):
        dfa = compiler(name).formula(Compare((Mod(term, Int(modulus)), Int(residue)), (op,)))
        for _ in range(5):
            numbers = {n: data.draw(large) for n in coefficients}
            rest = (sum(c * numbers[n] for n, c in coefficients.items()) + constant) % modulus
            assert holds(dfa, numbers) == TRUTH[op](rest - residue), (name, numbers)


# --- licofage ------------------------------------------------------------------------------

LICOFAGE = """
import json, sys
from licofage import kit
from licofage.polybound import compcut
from licofage.flatadd import flatten

found = {}
for expansion in json.loads(sys.argv[1]):
    number = kit.address(kit.parry(*expansion), "s")
    total = number + number - number
    fa, _ = total.compute_fa()
    cut = compcut(fa, total.P, [0] * (total.n - 1) + [1], 0, False)
    fa = flatten(fa, total.P, cut, False).trim().minimize()
    found[json.dumps(expansion)] = {
        "first": str(fa.getinitial()),
        "final": [str(q) for q in fa.getfinals()],
        "edges": [(str(q), [*map(int, column)], str(r)) for q, column, _, r in fa.alltrans()],
    }
print(json.dumps(found))
"""
EXPANSIONS = {
    "base-2": [2],
    "base-3": [3],
    "zeckendorf": [1, 1],
    "ostrowski-2": [2, 1],
    "ostrowski-3": [3, 1],
    "tribonacci": [1, 1, 1],
    "parry-2-1-1": [2, 1, 1],
}


@cache
def licofage():
    """Its adders, by expansion.  It needs numpy 1, so perhaps a Python of its own: that is
    LICOFAGE_PYTHON; None where it cannot be run."""
    python = os.environ.get("LICOFAGE_PYTHON", sys.executable)
    arguments = [python, "-c", LICOFAGE, json.dumps(list(EXPANSIONS.values()))]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    return json.loads(done.stdout) if done.returncode == 0 else None


@pytest.mark.parametrize("name", EXPANSIONS)
def test_licofage_builds_the_same_adder(name):
    if (found := licofage()) is None:
        pytest.skip("licofage does not run here: set LICOFAGE_PYTHON to a Python that has it")
    theirs, system = found[json.dumps(EXPANSIONS[name])], numeration(name)
    number = {theirs["first"]: 0}
    for before, _, after in theirs["edges"]:
        number.setdefault(before, len(number))
        number.setdefault(after, len(number))
    delta = np.full((len(number) + 1, system.digits**3), len(number), np.int32)
    for before, (x, y, z), after in theirs["edges"]:
        delta[number[before], (x * system.digits + y) * system.digits + z] = number[after]
    final = {number[q] for q in theirs["final"]}
    flags = np.array([q in final for q in range(len(delta))])
    assert read_off(system, NAMES, delta, flags) == adder(system)
    assert DFA.of(Automaton(system, NAMES, *tables(delta, flags))) == adder(system)


def tables(delta, flags):
    return tuple(map(tuple, delta.tolist())), tuple(flags.tolist())


# --- systems that are none -----------------------------------------------------------------


@pytest.mark.parametrize("name", [*SYSTEMS, "unit-3", "unit-5", "ostrowski-3-2", "parry-3-0-2"])
def test_systems_are_certified_by_both_proofs(name):
    assert check_arithmetic(numeration(name)) == ()
    assert flaw(Effort(Budget(60), 100_000), numeration(name)) == ""


def is_system(system, longest=9):
    """Whether the words of each length, in lexicographic order, have the values 0, 1, 2, ..,
    and zeros at the left do not matter: decided for words up to ``longest``."""
    weight = list(system.initial)
    while len(weight) <= longest:
        weight.append(sum(c * u for c, u in zip(system.recurrence, reversed(weight), strict=False)))
    words = {(): 0}
    for length in range(longest + 1):
        valid = [w for w, q in words.items() if system.accepting[q]]
        values = [
            sum(d * u for d, u in zip(w, weight[length - 1 :: -1], strict=False)) for w in valid
        ]
        if values != list(range(weight[length])):
            return False
        step = system.transitions
        words = {(*w, d): step[q][d] for w, q in words.items() for d in range(system.digits)}
    return True


def spoiled(name, **changes):
    return replace(numeration(name), name="spoiled", **changes)


@pytest.mark.parametrize(
    "name",
    [
        *("base-2", "zeckendorf"),
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in ("ostrowski-2", "ostrowski-3-3", "tribonacci")
        ),
    ],
)
def test_each_wrong_transition_of_a_system_is_noticed(name):
    """Every other target, every flag: certified, by either proof, iff the words still count up."""
    system, wrong = numeration(name), 0
    count = len(system.transitions)
    longest = {2: 9, 3: 6, 4: 5}[system.digits]
    altered = []
    for q, row in enumerate(system.transitions):
        for d, target in product(range(system.digits), range(count)):
            if target != row[d]:
                rows = [list(r) for r in system.transitions]
                rows[q][d] = target
                altered.append(spoiled(name, transitions=tuple(map(tuple, rows))))
        flags = list(system.accepting)
        flags[q] = not flags[q]
        altered.append(spoiled(name, accepting=tuple(flags)))
    for other in altered:
        right = is_system(other, longest)
        wrong += not right
        assert (check_arithmetic(other) == ()) == right, (other.transitions, other.accepting)
        assert (flaw(Effort(Budget(60), 100_000), other) == "") == right
    assert wrong or name == "base-2"


WRONG_NUMBERS = [
    spoiled("zeckendorf", initial=(1, 3)),
    spoiled("zeckendorf", initial=(2, 3)),
    spoiled("zeckendorf", initial=(1, 1)),
    spoiled("zeckendorf", recurrence=(2, 1)),
    spoiled("zeckendorf", recurrence=(1, 2)),
    spoiled("base-2", initial=(2,)),
    spoiled("base-2", recurrence=(3,)),
    spoiled("base-3", recurrence=(2,)),
    spoiled("ostrowski-2", initial=(1, 2)),
    spoiled("ostrowski-2", recurrence=(2, 2)),
    spoiled("ostrowski-3-3", initial=(1, 4)),
    spoiled("ostrowski-3", initial=(1, 3)),
    spoiled("tribonacci", initial=(1, 2, 3)),
    spoiled("tribonacci", recurrence=(1, 1, 2)),
    spoiled("parry-2-1-1", initial=(1, 3, 7)),
    # As many words as weights, but the digit 2 stands for a 1.
    Numeration("spoiled", (2,), (1,), 3, ((0, 1, 0), (1, 1, 1)), (True, False)),
    # Zeros at the left matter.
    Numeration("spoiled", (2,), (1,), 2, ((1, 1), (1, 1)), (False, True)),
    Numeration("spoiled", (2,), (1,), 2, ((1, 0), (1, 1)), (True, False)),
    # Weights that do not increase, and fewer words than weights.
    Numeration("spoiled", (1,), (1,), 2, ((0, 0),), (True,)),
    Numeration("spoiled", (1, 1), (1, 2), 2, ((0, 0),), (True,)),
    # The words of unit-3 with the weights of unit-4, and the other way round.
    replace(unit(3), recurrence=(4, -1), initial=(1, 4)),
    replace(unit(4), recurrence=(3, -1), initial=(1, 3)),
    replace(unit(3), initial=(1, 1)),
]


@pytest.mark.parametrize("system", WRONG_NUMBERS, ids=range(len(WRONG_NUMBERS)))
def test_wrong_numbers_of_a_system_are_noticed(system):
    """By both proofs."""
    assert not is_system(system, 6)
    assert flaw(Effort(Budget(60), 100_000), system)
    try:
        assert check_arithmetic(system)
    except Refused as refused:  # no Pisot number: the adder is not finite
        assert "states" in str(refused)


# --- theorems ------------------------------------------------------------------------------


def bouton(*piles):
    return reduce(xor, piles) == 0


def bouton_misere(*piles):
    return sum(piles) % 2 == 1 if max(piles) <= 1 else bouton(*piles)


def moore(*piles):
    """Each binary digit occurs in a multiple of three piles."""
    return all(sum(p >> i & 1 for p in piles) % 3 == 0 for i in range(max(piles).bit_length()))


ONES = "max(max(a, b), c) <= 1 and (a + b + c) mod 2 = 1"
MORE = "max(max(a, b), c) >= 2 and a xor b xor c = 0"
PAIR = "max(a, b) = shift(min(a, b)) and zeros(min(a, b)) mod 2 = 0"
THEOREMS = [
    ("nim3", "normal", "base-2", "a xor b xor c = 0", bouton),
    ("nim3", "misere", "base-2", f"{ONES} or {MORE}", bouton_misere),
    ("nim4", "normal", "base-2", "a xor b xor c xor d = 0", bouton),
    ("wythoff", "normal", "zeckendorf", PAIR, wythoff_lost),
    (
        "wythoff",
        "misere",
        "zeckendorf",
        f"max(a, b) > 2 and {PAIR} or min(a, b) = 0 and max(a, b) = 1 or a = 2 and b = 2",
        wythoff_misere_lost,
    ),
    ("moore_nim3", "normal", "base-2", "nimsum_3(a, b, c) = 0", moore),
    ("moore_nim4", "normal", "base-2", "nimsum_3(a, b, c, d) = 0", moore),
    (
        "fibonacci_nim",
        "normal",
        "zeckendorf",
        "n = 0 or q < lowpart(n)",
        lambda n, q: n == 0 or q < least_part(n),
    ),
]


@cache
def rules(name, system):
    return Rules.of(icg.load(name).game, numeration(system), minutes())


def compiled(name, system, text):
    of = rules(name, system)
    return of.states_where(parse_formula(text, of.game.variables, system=numeration(system)))


@pytest.mark.parametrize(
    ("name", "rule", "system", "text", "lost"),
    THEOREMS,
    ids=[f"{t[0]}-{t[1]}" for t in THEOREMS],
)
def test_theorems_are_proved(name, rule, system, text, lost):
    losing = compiled(name, system, text)
    assert rules(name, system).refutation(losing, rule) is None
    variables, chance = rules(name, system).game.variables, random.Random(name)
    for _ in range(200):
        state = [chance.randrange(10 ** chance.randint(1, 40)) for _ in variables]
        assert losing.contains(dict(zip(variables, state, strict=True))) == lost(*state)
    for state in product(range(7), repeat=len(variables)):
        assert losing.contains(dict(zip(variables, state, strict=True))) == lost(*state)


def after(name, state):
    """The states a move leads to, by hand."""
    if name == "fibonacci_nim":
        n, q = state
        return [(n - k, 2 * k) for k in range(1, min(n, q) + 1)]
    if name == "wythoff":
        a, b = state
        both = [(a - k, b - k) for k in range(1, min(a, b) + 1)]
        return [(i, b) for i in range(a)] + [(a, j) for j in range(b)] + both
    most = 2 if name.startswith("moore") else 1
    options = product(*(range(pile + 1) for pile in state))
    changed = ((s, sum(x != y for x, y in zip(s, state, strict=True))) for s in options)
    return [s for s, count in changed if 1 <= count <= most]


def fails(name, rule, losing, state):
    """Whether the equation fails at ``state``: what the set says of it does not go with what it
    says of the states after it."""
    options = after(name, state)
    wins = any(map(losing, options)) or (rule == "misere" and not options)
    return losing(state) == wins


def meaning(name, system, text):
    formula = parse_formula(text, icg.load(name).game.variables, system=numeration(system))
    variables = icg.load(name).game.variables
    return lambda state: satisfies(formula, dict(zip(variables, state, strict=True)))


WRONG = [
    ("nim3", "normal", "base-2", "nimsum_3(a, b, c) = 0"),
    ("nim3", "normal", "base-2", "a xor b xor c = 1"),
    ("nim3", "normal", "base-2", "a xor b xor c = 0 and not (a = 9 and b = 13)"),
    ("nim3", "normal", "base-2", "a = b and c = 0"),
    ("nim3", "normal", "base-2", "a xor b xor c <= 1"),
    ("nim3", "normal", "base-2", "a xor b = max(a, b) - min(a, b) and c = 0"),
    ("nim3", "misere", "base-2", "a xor b xor c = 0"),
    ("nim3", "misere", "base-2", f"{ONES} or a xor b xor c = 0"),
    ("nim4", "normal", "base-2", "a xor b xor c = d and a <= 40"),
    ("wythoff", "normal", "zeckendorf", "max(a, b) = shift(min(a, b))"),
    ("wythoff", "normal", "zeckendorf", f"{PAIR} or a = 100 and b = 101"),
    ("wythoff", "normal", "zeckendorf", f"{PAIR} and a != 8"),
    ("wythoff", "normal", "zeckendorf", "false"),
    ("wythoff", "normal", "zeckendorf", "true"),
    ("wythoff", "misere", "zeckendorf", PAIR),
    ("wythoff", "misere", "zeckendorf", f"max(a, b) > 2 and {PAIR}"),
    ("moore_nim3", "normal", "base-2", "a xor b xor c = 0"),
    ("moore_nim4", "normal", "base-2", "a xor b xor c xor d = 0"),
    ("fibonacci_nim", "normal", "zeckendorf", "n = 0 or q <= lowpart(n)"),
    ("fibonacci_nim", "normal", "zeckendorf", "q < lowpart(n)"),
    ("fibonacci_nim", "normal", "zeckendorf", "n = 0 or q < lowpart(n) and n != 89"),
]


@pytest.mark.parametrize(("name", "rule", "system", "text"), WRONG)
def test_wrong_formulas_are_refuted_where_they_fail(name, rule, system, text):
    """By both proofs."""
    of = rules(name, system)
    witness = of.refutation(compiled(name, system, text), rule)
    assert witness is not None
    losing = parse_formula(text, of.game.variables, system=numeration(system))
    claims = (Claim(negation(losing)), Claim(losing))
    said = Solution(of.game, rule, "solved", *claims, logic=system)
    found = recheck_answer(said, Budget(120))["winning"]
    assert found.verdict is Verdict.REFUTED and "equation" in found.why
    shown = tuple((found.witness or {}).values())
    for state in (tuple(witness[v] for v in of.game.variables), shown):
        assert sum(state) < 2_000
        assert fails(name, rule, meaning(name, system, text), state)


# --- Wythoff's automaton, altered ------------------------------------------------------------

BOUND = 400


@cache
def wythoff_automaton():
    return compiled("wythoff", "zeckendorf", PAIR).automaton(("a", "b"))


def altered_once():
    """Each transition led to each other state, each flag flipped."""
    of = wythoff_automaton()
    for q, symbol, target in product(range(len(of)), range(4), range(len(of))):
        if of.transitions[q][symbol] != target:
            rows = [list(row) for row in of.transitions]
            rows[q][symbol] = target
            yield replace(of, transitions=tuple(map(tuple, rows)))
    for q in range(len(of)):
        flags = list(of.accepting)
        flags[q] = not flags[q]
        yield replace(of, accepting=tuple(flags))


def is_wythoff(automaton, padding):
    """What it says of all pairs below the bound, after so many columns of zeros; the small
    pairs first, which mostly tell."""
    return all(
        (enumerated(automaton, padding, bound) == pairs()[:bound, :bound]).all()
        for bound in (30, BOUND)
    )


def enumerated(automaton, padding, bound):
    numbers = [word("zeckendorf", n) for n in range(bound)]
    length = len(numbers[-1]) + padding
    digits = np.array([[0] * (length - len(w)) + w for w in numbers]).T
    state = np.zeros((bound, bound), np.int64)
    delta = np.array(automaton.transitions)
    for digit in digits:
        state = delta[state, 2 * digit[:, None] + digit[None, :]]
    return np.array(automaton.accepting)[state]


@cache
def pairs():
    return np.array([[wythoff_lost(a, b) for b in range(BOUND)] for a in range(BOUND)])


@pytest.mark.slow
def test_each_single_error_in_the_automaton_of_wythoff_is_refuted():
    of, seen = rules("wythoff", "zeckendorf"), {"refuted": 0, "equal": 0}
    assert len(wythoff_automaton()) == 8
    assert is_wythoff(wythoff_automaton(), 0)
    for wrong in altered_once():
        delta, flags = np.array(wrong.transitions, np.int32), np.array(wrong.accepting)
        losing = read_off(wrong.system, wrong.tracks, delta, flags) & of.legal
        witness = of.refutation(losing, "normal")
        same = all(is_wythoff(wrong, padding) for padding in range(3))
        assert (witness is None) == same, wrong
        seen["equal" if same else "refuted"] += 1
        if witness is not None and wrong.transitions[0][0] == 0:
            state = (witness["a"], witness["b"])
            assert fails("wythoff", "normal", wrong.accepts, state)
    # 224 transitions, 8 flags.  Transitions that only invalid words take tell nothing.
    assert seen["refuted"] + seen["equal"] == 8 * 4 * 7 + 8
    assert seen["refuted"] > 100


def stated(automaton):
    """A solution that says nothing but the automaton."""
    game = icg.load("wythoff").game
    losing = Recognised(automaton, tuple(map(Name, game.variables)), LOSING_SET)
    return Solution(
        game=game,
        rule="normal",
        status="solved",
        winning=Claim(negation(losing)),
        losing=Claim(losing),
        logic="zeckendorf",
        automaton=automaton,
    )


@pytest.mark.slow
def test_the_certificate_of_an_altered_automaton():
    found = certificate(stated(wythoff_automaton()), Budget(30))
    assert found.parts["winning"].is_proved
    chance = random.Random(4)
    wrong = [a for a in altered_once() if not is_wythoff(a, 0)]
    for automaton in chance.sample(wrong, 3):
        found = certificate(stated(automaton), Budget(30))
        assert found.verdict in ("refuted", "unknown")
        assert not found.parts["winning"].is_proved
        try:
            DFA.of(automaton)
        except Refused:
            continue
        assert found.parts["winning"].verdict is Verdict.REFUTED
        assert found.parts["winning"].witness


# --- data that is read -----------------------------------------------------------------------


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_automata_of_words_that_are_no_numbers_are_refused(data):
    """Also where the valid part needs as many states: ``0*1+`` against ``0*1``."""
    count = data.draw(st.integers(1, 4))
    rows = data.draw(
        st.lists(
            st.lists(st.integers(0, count - 1), min_size=2, max_size=2),
            min_size=count,
            max_size=count,
        )
    )
    flags = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    rows[0][0] = 0
    automaton = Automaton(numeration("zeckendorf"), ("a",), tuple(map(tuple, rows)), tuple(flags))

    def accepts(w):
        return flags[reduce(lambda q, d: rows[q][d], w, 0)]

    def valid(w):
        return all(w[i] * w[i + 1] == 0 for i in range(len(w) - 1))

    # Two states and three: words of length 12 tell everything.
    wrong = any(accepts(w) and not valid(w) for n in range(2, 9) for w in product((0, 1), repeat=n))
    if not wrong:
        found = DFA.of(automaton)
        assert all(found.contains({"a": n}) == automaton.accepts((n,)) for n in range(60))
    else:
        with pytest.raises(Refused, match="no numbers"):
            DFA.of(automaton)


def test_a_formula_of_another_system_is_refused():
    formula = parse_formula("a xor b = 0", ("a", "b"), system=numeration("base-3"))
    with pytest.raises(Refused, match="base-3"):
        compiler("base-2").formula(formula)
