"""One answer for every member of a family: true ones are proved, false ones refuted by a state."""

from __future__ import annotations

import io
import json
import random
import re
from dataclasses import replace
from functools import cache
from itertools import product

import pytest
import z3
from commands import call
from family_rules import FALSE as WRONG
from family_rules import RULES
from speed import shared

from icgsynth.budget import Budget
from icgsynth.errors import InputError
from icgsynth.families.proof.families import (
    FamilyCounterexample,
    FamilyProof,
    linear_claims,
    prove_family,
)
from icgsynth.families.proof.family_range import narrower
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.text.family_smt2 import family_smt2_files
from icgsynth.families.text.proof_text import proof_value
from icgsynth.game.game import Move
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.build import fold, integers, rebuild, walk
from icgsynth.logic.evaluate import satisfies, value
from icgsynth.logic.term import Compare, Int, children
from icgsynth.prove.crosscheck import ask
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.source import Source

BUDGET = 30.0
MUTANTS = {"take": 45, "take, misere": 40, "race": 50, "interval": 25, "slow": 40}  # at least
# True formulas with an exception far away: at large constants, in large states, or at one state.
EXCEPTIONS = {
    "take": (
        "({}) and (n <= 40 or v < {far})",
        "({}) and n < {far}",
        "({}) or n = {far} and v = n + 2",
        "({}) or v = {far} * (n + 1) - 1",
        "({}) or n >= {far} and v mod (n + 1) = n",
    ),
    "race": (
        "({}) and (step <= 40 or v > -{far})",
        "({}) or goal = {far} and v = goal - step - 2",
    ),
    "interval": (
        "({}) and b < {far} * a",
        "v mod (a + b) < a + v div ({far} * (a + b))",
        "v mod (a + b) < a + b div ({far} * a)",
    ),
    "slow": ("({}) and (l <= 40 or a + b < {far})", "({}) or l = {far} and a = b + 1"),
}
# Family, range, rule, losing states, strategy: "condition: action argument".
TAKE = ("v mod (n + 1) != 0: take v mod (n + 1)",)
TRUE_OF_ALL = {
    "take": ("take", "n >= 1", "normal", "v mod (n + 1) = 0", TAKE),
    "take, misere": (
        *("take", "n >= 1", "misere", "v mod (n + 1) = 1"),
        ("v >= 1 and v mod (n + 1) != 1: take (v - 1) mod (n + 1)",),
    ),
    "race": (
        *("race", "goal >= 0 and step >= 1", "normal", "(goal - v) mod (step + 1) = 0"),
        ("(goal - v) mod (step + 1) != 0: add (goal - v) mod (step + 1)",),
    ),
    "interval": (
        *("interval", "1 <= a <= b", "normal", "v mod (a + b) < a"),
        (
            "v mod (a + b) >= b: take b",
            "v mod (a + b) >= a and v mod (a + b) < b: take v mod (a + b)",
        ),
    ),
    "slow": (
        *("slow", "l >= 1", "normal", "(a - b) mod (l + 1) = 0"),
        (
            "a > b and (a - b) mod (l + 1) != 0: take_a (a - b) mod (l + 1)",
            "a < b and (a - b) mod (l + 1) != 0: take_b (b - a) mod (l + 1)",
        ),
    ),
    "direction": (
        *("direction", "p >= 1 and q >= 1 and p != q", "normal", "a = b"),
        ("a > b: take_a a - b", "a < b: take_b b - a"),
    ),
    "put nothing back": ("put back", "c = 0", "normal", "v = c", ("v >= 1: take v",)),
}
PLAYED = {
    "F2": TRUE_OF_ALL["interval"][4],
    "F3": ("v mod 2 = 1: take 1",),
    "F5": TAKE,
    "F10": TAKE,
}
FALSE = {name: (*statement, PLAYED.get(name, ())) for name, statement in WRONG.items()} | {
    "F9": (*TRUE_OF_ALL["take"][:4], ("v mod (n + 1) != 0: take v mod n + 1",)),
    "F11": ("put back", "c >= 0", "normal", "v = c", ("v >= 1: take v",)),
}


@cache
def claim_of(family, where, rule, losing, strategy):
    spec = parse(Source(family, f"game g {RULES[family]}"))
    free = tuple(name for name, _ in spec.constants)
    game = spec.members(free, {})

    def formula(text):
        return parse_formula(text, spec.variables, constants=free)

    def pair(text):
        when, _, act = text.partition(": ")
        action, _, argument = act.partition(" ")
        (parameter,) = game.action(action).parameters
        term = parse_term(argument, spec.variables, constants=free)
        return Rule(formula(when), SemiGroundAction(action, ((parameter, term),)))

    rules = tuple(map(pair, strategy))
    return FamilyClaim(game, free, formula(where), rule, formula(losing), rules)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n == "slow" else n for n in TRUE_OF_ALL]
)
def test_what_holds_for_all_members_is_a_theorem(name):
    proof = prove_family(claim_of(*TRUE_OF_ALL[name]), Budget(BUDGET))
    assert proof.status == "theorem", proof.why
    for part in ("termination", "winning", "strategy"):
        assert len(proof.certificate.confirmed[part]) >= 2, part
    assert proof.certificate.explicit.far.states > 0
    assert proof.certificate.explicit.states > 0


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_for_a_member_is_refuted_by_one_of_its_states(name):
    family, where, rule, losing, strategy = FALSE[name]
    claim = claim_of(family, where, rule, losing, strategy)
    proof = prove_family(claim, Budget(BUDGET))
    assert proof.status == "refuted"
    wrong = proof.counterexample
    if wrong.state is None:
        assert (name, wrong.constants) == ("F10", {"n": -1})
        return
    assert satisfies(claim.where, wrong.constants)
    assert is_wrong(claim, family, wrong)


def is_wrong(claim, family, wrong):
    """Whether the formula is wrong at the state, or the move of the first rule that matches."""
    spec = parse(Source(family, f"game g {RULES[family]}"))
    game = spec.game(wrong.constants)
    state = tuple(wrong.state[v] for v in game.variables)

    def says(there):
        return satisfies(claim.losing, {**wrong.constants, **game.env(there)})

    env = {**wrong.constants, **wrong.state}
    for rule in claim.strategy:
        if satisfies(rule.when, env):
            numbers = tuple((name, value(term, env)) for name, term in rule.act.arguments)
            move = Move(rule.act.action, numbers)
            if not game.applies(state, move) or not says(game.result(state, move)):
                return True
            break
    after = [game.result(state, move) for move in game.moves(state)]
    if not after:
        return says(state) != (claim.rule == "normal")
    played = any(satisfies(rule.when, env) for rule in claim.strategy)
    return says(state) == any(map(says, after)) or not (says(state) or played)


@pytest.mark.parametrize(
    ("where", "losing", "status"),
    [
        ("n >= 1", "exists q. v = q * (n + 1)", "conjecture"),
        ("n >= 1", "exists q. v = q * (n + 1) and q < 3", "refuted"),
        ("exists k. n = 2 * k and k >= 1", "v mod (n + 1) = 0", "theorem"),
    ],
)
def test_quantifiers_are_eliminated_or_played_or_left_open(where, losing, status):
    proof = prove_family(claim_of("take", where, "normal", losing, TAKE), Budget(BUDGET))
    assert proof.status == status
    assert proof.why or proof.counterexample or status == "theorem"


@pytest.mark.parametrize(
    ("where", "strategy"),
    [("n >= 1 and n <= 0", TAKE), ("n >= 1", ())],
    ids=["F12: no member", "no strategy"],
)
def test_a_formula_alone_or_an_empty_range_is_no_theorem(where, strategy):
    claim = claim_of("take", where, "normal", "v mod (n + 1) = 0", strategy)
    assert prove_family(claim, Budget(BUDGET)).status == "conjecture"


def test_a_rule_that_says_to_move_in_a_lost_state_is_told_so():
    claim = claim_of("take", *TRUE_OF_ALL["take"][1:4], ("true: take v mod (n + 1)",))
    wrong = prove_family(claim, Budget(BUDGET)).counterexample
    assert satisfies(claim.losing, {**wrong.constants, **wrong.state})
    assert wrong.claim.endswith("which is lost")


def test_the_part_of_the_range_where_it_holds_is_found():
    refuted = prove_family(claim_of(*FALSE["F2"]), Budget(BUDGET))
    smaller = narrower(refuted, Budget(BUDGET))
    assert smaller.status == "theorem"
    assert str(smaller.claim.where) == "1 <= a and 1 <= b and a <= b"


# --- files -------------------------------------------------------------------------------------


def run_on(path, capsys, *arguments):
    return call(capsys, *arguments, path)


@pytest.fixture
def theorem(tmp_path):
    """A file with just the keys that are read."""
    claim = claim_of(*TRUE_OF_ALL["take"])

    def write(**changed):
        keys = ("constants", "for", "losing", "strategy", "rule")
        value = {"schema": "icgsynth/solution/2", "kind": "family", "game": "take_away"}
        proof = FamilyProof(claim, "theorem")
        value |= {key: proof_value(proof)[key] for key in keys} | {"status": "theorem"} | changed
        path = tmp_path / "theorem.json"
        path.write_text(json.dumps(value))
        return path

    return write


def test_a_file_is_proved_again_and_edited_ones_are_not(theorem, capsys):
    code, out, _ = run_on(theorem(), capsys, "verify", "take_away")
    assert code == 0 and ": proved" in out.splitlines()[0] and "every n >= 1" in out
    code, out, _ = run_on(theorem(status="none"), capsys, "verify", "take_away", "--json")
    assert (code, json.loads(out)["verdict"]) == (0, "proved")
    wrong = {"formula": "v mod (n + 2) = 0"}
    code, out, _ = run_on(theorem(losing=wrong), capsys, "verify", "take_away")
    assert code == 3 and "n = 1, v = 2" in out
    code, out, _ = run_on(theorem(winning=wrong), capsys, "verify", "take_away")
    assert code == 3
    code, out, _ = run_on(theorem(**{"for": "n >= -1"}), capsys, "verify", "take_away")
    assert code == 3 and "n = -1 " in out and "n + 1 is not" in out
    assert run_on(theorem(strategy=[]), capsys, "verify", "take_away")[0] == 4
    assert run_on(theorem(rule="misere"), capsys, "verify", "take_away")[0] == 3


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"constants": ["m"]}, "no constant 'm'"),
        ({"constants": []}, "names of constants"),
        ({"constants": {"n": 1}}, "constants"),
        ({"fixed": {"n": 3}}, "n varies, and is fixed"),
        ({"for": "v >= 1"}, "unknown name 'v'"),
        ({"losing": None, "for": None}, "no formula of the losing states"),
        ({"losing": {"formula": "v mod m = 0"}}, "unknown name 'm'"),
        ({"strategy": [{"when": "true", "action": "give"}]}, "no such action"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(theorem, capsys, changed, told):
    code, out, err = run_on(theorem(**changed), capsys, "verify", "take_away")
    assert (code, out) == (2, "") and told in err and "theorem.json" in err


def test_a_theorem_plays_any_member(theorem, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    start = ("--start", "100000000001234", "--first", "machine", "--theorem")
    code, out, _ = run_on(theorem(), capsys, "play", "take_away", "--set", "n=1000000007", *start)
    assert code == 0
    assert f"machine: take({100000000001234 % 1000000008})" in out
    code, _, err = run_on(theorem(), capsys, "play", "take_away", "--set", "n=0", *start)
    assert code == 2 and "for n >= 1, not for n = 0" in err
    code, _, err = run_on(theorem(status="conjecture"), capsys, "play", "take_away", *start)
    assert code == 2 and "no theorem" in err


def test_a_theorem_is_exported(theorem, capsys):
    path = theorem()
    code, text, _ = run_on(path, capsys, "export", "--to", "python")
    module = {"__name__": "theorem"}
    exec(text, module)
    assert code == 0
    for n, v in product(range(1, 9), range(30)):
        assert module["is_winning"](n, v) == (v % (n + 1) != 0)
    assert module["move"](10**9 + 6, 10**18) == ("take", {"k": 10**18 % (10**9 + 7)})
    assert "v \\bmod (n + 1)" in run_on(path, capsys, "export", "--to", "latex")[1]
    code, text, _ = run_on(path, capsys, "export", "--to", "smt2", "--quiet")
    assert code == 0 and text.count("(check-sat)") > 8
    folder = path.parent / "obligations"
    code, out, _ = run_on(path, capsys, "export", "--to", "smt2", "--split", str(folder))
    assert (code, out) == (0, f"{text.count('(check-sat)')} obligations in {folder}\n")
    code, _, err = run_on(path, capsys, "export", "--to", "asp")
    assert code == 2 and "asp cannot say" in err


def scripts_of(name):
    claim = claim_of(*(TRUE_OF_ALL | FALSE)[name])
    claims = list(linear_claims(claim, Budget(BUDGET)))
    return dict(family_smt2_files(claim.solution, claims))


SCRIPTS = ("take", "take, misere", "interval", pytest.param("slow", marks=pytest.mark.slow))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_proof_for_all_members_is_linear_for_any_solver(name):
    files = scripts_of(name)
    assert len(files) > 8
    for file, text in files.items():
        assert "(set-logic QF_LIA)" in text and "(set-info :status unsat)" in text, file
        assert ask(text, Budget(BUDGET)).kind == "unsat", file
        solver = z3.Solver()
        solver.add(z3.parse_smt2_string(text))
        assert solver.check() == z3.unsat, file


@pytest.mark.parametrize("name", ["take", "interval"])
def test_what_a_script_asserts_is_given_or_true_of_all_integers(name):
    """The text alone: its comments define the names, and say what is given."""
    files = scripts_of(name)
    drawn, facts = random.Random(17), 0
    for text in (re.sub(r"!(\d)", r"_\1", file) for file in files.values()):
        names = re.findall(r"declare-const \|?([^ |]+)\|? Int", text)
        defined = dict(re.findall(r"^; (\w+_\d+) is (.*)$", text, re.M))
        given = re.findall(r"^; given: (.*)$", text, re.M)
        asserted = z3.parse_smt2_string(text)
        for _ in range(8):
            size = drawn.choice((4, 60))
            env = {name: drawn.randint(1, size) for name in names if name not in defined}
            for name, meaning in defined.items():
                env[name] = value(parse_term(meaning, (), constants=tuple(env)), env)
            at = [(z3.Int(name), z3.IntVal(number)) for name, number in env.items()]
            said = [z3.is_true(z3.simplify(z3.substitute(each, *at))) for each in asserted]
            for part, truth in zip(given, said, strict=False):
                formula = parse_formula(part, (), constants=tuple(env))
                assert satisfies(formula, env) == truth, (part, env)
            assert all(said[len(given) :]), env
            facts += len(said) - len(given)
    assert facts > 40


@pytest.mark.parametrize("name", FALSE)
def test_what_is_not_proved_is_exported_as_such(name):
    if name == "F10":
        with pytest.raises(InputError, match=r"not proved that the divisor n \+ 1 is positive"):
            scripts_of(name)
        return
    open_ = [t for t in scripts_of(name).values() if "no proof of this was found" in t]
    assert open_ and all("(set-info :status unknown)" in text for text in open_)


# --- members by themselves ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["take", "take, misere", "interval"])
def test_theorems_agree_with_members_to_200_and_piles_to_900(name):
    """Subtraction of an interval, by definition, on bytes: no code of ours but the formula's."""
    family, _, rule, losing, _ = TRUE_OF_ALL[name]
    pairs = [(1, n) for n in range(1, 201)]
    if family == "interval":
        pairs = [(a, b) for b in (7, 30, 111, 200) for a in range(1, b + 1, 9)]
    text = losing.replace("mod", "%").replace(" = ", " == ")
    said = eval(f"lambda v, n, a, b: {text}")
    for least, most in pairs:
        lost = bytearray()
        for v in range(901):
            there = lost[max(0, v - most) : max(0, v - least + 1)]
            lost.append(not any(there) if there or rule == "normal" else 0)
        assert all(said(v, most, least, most) == bool(lost[v]) for v in range(901)), (least, most)


def swapped(node, old, new):
    if node == old:
        return new
    return rebuild(node, tuple(swapped(child, old, new) for child in children(node)))


def mutants(claim):
    """Claims with one integer of the formula or of a rule changed, or one sign turned."""

    def changed(node):
        for number in sorted(integers(node)):
            for other in range(number - 3, number + 4):
                if other != number:
                    yield fold(swapped(node, Int(number), Int(other)))
        for each in walk(node):
            if isinstance(each, Compare):
                for sign in {"<", "<=", "=", "!=", ">"} - set(each.ops):
                    yield swapped(node, each, Compare(each.terms, (sign,) * len(each.ops)))

    yield from (replace(claim, losing=losing) for losing in changed(claim.losing))
    yield from (replace(claim, where=where) for where in changed(claim.where))
    for i, rule in enumerate(claim.strategy):
        terms = [((name, new),) for name, term in rule.act.arguments for new in changed(term)]
        rules = [replace(rule, when=when) for when in changed(rule.when)]
        rules += [replace(rule, act=replace(rule.act, arguments=each)) for each in terms]
        for new in rules:
            strategy = (*claim.strategy[:i], new, *claim.strategy[i + 1 :])
            yield replace(claim, strategy=strategy)


@pytest.mark.parametrize(("name", "count"), shared(MUTANTS.items(), 5))
def test_a_theorem_that_is_changed_is_refuted_unless_it_is_true_still(name, count):
    statement = TRUE_OF_ALL[name]
    claim, family = claim_of(*statement), statement[0]
    some = list(mutants(claim))
    assert len(some) >= MUTANTS[name]
    for each in random.Random(17).sample(some, count):
        proof = prove_family(each, Budget(BUDGET))
        if proof.status == "refuted" and proof.counterexample.state is not None:
            assert is_wrong(each, family, proof.counterexample), each
        if proof.status == "theorem":
            assert not wrong_somewhere(each, family), each


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in EXCEPTIONS.items() for text in texts]
)
def test_a_theorem_with_an_exception_far_away_is_refuted_there(name, text):
    family, where, rule, losing, strategy = TRUE_OF_ALL[name]
    for far in (500, 2**64):
        claim = claim_of(family, where, rule, text.format(losing, far=far), strategy)
        proof = prove_family(claim, Budget(BUDGET))
        assert proof.status == "refuted"
        wrong = proof.counterexample
        assert satisfies(claim.where, wrong.constants)
        if far == 500:  # few enough moves to try all
            assert is_wrong(claim, family, wrong), wrong


def wrong_somewhere(claim, family):
    spec = parse(Source(family, f"game g {RULES[family]}"))
    for numbers in product(range(5), repeat=len(claim.constants)):
        constants = dict(zip(claim.constants, numbers, strict=True))
        if not satisfies(claim.where, constants):
            continue
        game = spec.game(constants)
        side = 24 if len(game.variables) == 1 else 6
        for state in product(range(-3, side), repeat=len(game.variables)):
            if game.is_legal(state):
                wrong = FamilyCounterexample(constants, game.env(state), "")
                if is_wrong(claim, family, wrong):
                    return constants, state
    return None
