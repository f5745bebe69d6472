"""Families: roles of a constant are recovered, and a conjecture says no more than is checked."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import pytest
from commands import validate
from hand_solved import as_python
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import icgsynth
from icgsynth.batch.family import run as family_run
from icgsynth.batch.family.conjecture import (
    Case,
    MemberJudge,
    MemberJudgement,
    candidates,
    find_conjecture,
)
from icgsynth.batch.family.fit import fit, fit_residue, term_at
from icgsynth.batch.family.fitted_strategy import Certifier, find_strategy
from icgsynth.batch.family.learned_theorem import LearnedTheorem
from icgsynth.batch.family.members import FamilyMember, family_request, load_members, solve_members
from icgsynth.batch.family.run import new_worker, solve_family
from icgsynth.batch.family.shape import SPELLINGS, fill, instantiate, shape_of
from icgsynth.cli import run
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import BoxCheck, Claim, Solution, Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Int, Name, Recognised
from icgsynth.spec.icg import parse_formula, parse_term
from icgsynth.synth.families.oriented import oriented

# Take exactly n: for n = 0 play goes round, for n < 0 it never ends; lost below n, modulo 2 * n.
EXACT = """game exact "Take exactly n"
const n = 1
var v
legal v >= 0
action take pre v >= n eff v := v - n
"""
# Nothing is legal for n < 2, and a divisor is 0 for n = 4.
GAPS = """game gaps
const n = 5
var v
legal v >= 0 and n >= 2
action take(k) pre 1 <= k <= n and k <= v and 0 <= v div abs(n - 4) eff v := v - k
"""
FEW = """game few
const n = 1
var v
legal v >= 0
action take(k) pre 1 <= k <= {} and k <= v eff v := v - k
"""


@dataclass(frozen=True)
class Run:
    """One run of ``icgsynth family``: its exit code, its streams, the JSON of ``-o``."""

    code: int
    out: str
    err: str
    value: Any


def nothing_learned(request, rule, *_, **__):
    """Instead of the search for a theorem in a table of members."""
    return LearnedTheorem(request, rule, None)


@cache
def family(*arguments, table=True):
    """The command, run in this process; the same run is made once.

    Without a ``table`` nothing is learned, and the members are solved.
    """
    out, err = io.StringIO(), io.StringIO()
    learn = family_run.learn_theorem if table else nothing_learned
    with (
        TemporaryDirectory() as folder,
        redirect_stdout(out),
        redirect_stderr(err),
        mock.patch.object(family_run, "learn_theorem", learn),
    ):
        path = Path(folder) / "family.json"
        code = run(["family", *map(str, arguments), "-o", str(path)])
        value = json.loads(path.read_text("utf-8")) if path.exists() else None
    done = Run(code, out.getvalue(), err.getvalue(), value)
    assert "Traceback" not in done.err
    assert code != 1, done.err
    return done


def solved(*arguments, code=0, table=False):
    """The JSON value of a run that ends with the given code; by default all members are solved."""
    done = family(*arguments, table=table)
    assert (done.code, done.err) == (code, "")
    return done.value


@pytest.fixture(scope="module")
def worker():
    with new_worker() as one:
        yield one


def points(function, values):
    return [(k, function(k)) for k in values]


# --- fitting one integer --------------------------------------------------------------------

SMALL = st.integers(-9, 9)
BRIEFLY = settings(deadline=None, max_examples=40)
STARTS = st.integers(-5, 20)


def binomial(degree, offset):
    """Whole numbers, of a polynomial with rational coefficients."""
    return lambda k: comb_of(k, degree) + offset


def comb_of(k, degree):
    value = Fraction(1)
    for i in range(degree):
        value = value * (k - i) / (i + 1)
    assert value.denominator == 1
    return int(value)


# A kind of function of k, and on how many members it has to be recognised.
POLYNOMIALS = st.lists(SMALL, min_size=1, max_size=4).map(
    lambda factors: lambda k: sum(c * k**i for i, c in enumerate(factors))
)
STEPS = st.builds(
    lambda slope, offset, weight, modulus: lambda k: slope * k + offset + weight * (k % modulus),
    *(SMALL, SMALL, SMALL, st.integers(2, 5)),
)
FLOORS = st.builds(
    lambda slope, offset, divisor: lambda k: (slope * k + offset) // divisor,
    *(st.integers(1, 7), SMALL, st.integers(2, 5)),
)
PIECES = st.lists(st.tuples(SMALL, SMALL), min_size=2, max_size=3).map(
    lambda pieces: lambda k: pieces[k % len(pieces)][0] * k + pieces[k % len(pieces)][1]
)
KINDS = {
    "polynomials": (POLYNOMIALS, 12),
    "with fractions": (st.builds(binomial, st.integers(1, 3), SMALL), 12),
    "steps": (STEPS, 24),
    "floors": (FLOORS, 24),
    "a piece for each residue": (PIECES, 30),
}


@pytest.mark.parametrize("kind", KINDS)
@BRIEFLY
@given(data=st.data(), start=STARTS)
def test_a_function_is_recovered(kind, data, start):
    """The fit goes through the points, and says the right thing of later ones as well."""
    functions, count = KINDS[kind]
    function = data.draw(functions)
    found = fit(points(function, range(start, start + count)), "n")
    assert found is not None and found.exact
    for k in range(start + count, start + 60):
        assert term_at(found.term, "n", k) == function(k), found.term


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda n: 5, "5"),
        (lambda n: n + 1, "n + 1"),
        (lambda n: 3 - n, "3 - n"),
        (lambda n: n * (n + 1) // 2, "n * (n + 1) div 2"),
        (lambda n: n // 2, "n div 2"),
        (lambda n: (n + 1) // 2, "(n + 1) div 2"),
        (lambda n: 2 * (n // 2) + 3, "2 * (n div 2) + 3"),
        (lambda n: n % 4, "n mod 4"),
        (lambda n: n if n % 2 else 3, "if n mod 2 = 0 then 3 else n"),
    ],
)
def test_a_role_reads_well(function, text):
    found = fit(points(function, range(1, 17)), "n")
    assert str(found.term) == text
    again = icgsynth.loads(
        f"game g const n = 1 const m = {text} var v action a pre v > 0 eff v := 0", {"n": 11}
    )
    assert dict(again.game.constants)["m"] == function(11)


@BRIEFLY
@given(st.lists(SMALL, min_size=1, max_size=4))
def test_too_few_points_are_refused(coefficients):
    """A polynomial needs two points more than it has coefficients, and is found with these.

    With one point less only a function of fewer coefficients may be tried, and none of those goes
    through all points of a polynomial of just this degree.
    """
    while len(coefficients) > 1 and coefficients[-1] == 0:
        coefficients.pop()

    def function(k):
        return sum(c * k**i for i, c in enumerate(coefficients))

    few = fit(points(function, range(len(coefficients) + 1)), "n")
    assert few is None or not few.exact
    enough = fit(points(function, range(len(coefficients) + 2)), "n")
    assert enough.exact
    assert all(term_at(enough.term, "n", k) == function(k) for k in range(30))
    assert fit(points(function, range(2)), "n") is None


@BRIEFLY
@given(st.integers(6, 11), st.integers(1, 5))
def test_a_wrong_late_point_is_not_swallowed(wrong, error):
    """The role found says what the first members say, and is known not to be exact."""
    values = points(lambda n: n + 1, range(12))
    values[wrong] = (wrong, wrong + 1 + error)
    found = fit(values, "n")
    assert str(found.term) == "n + 1" and not found.exact


@BRIEFLY
@given(st.integers(-300, 300), st.integers(-1, 1))
def test_a_residue_is_recovered(number, slope):
    """``number mod (n + 1)`` looks like noise."""
    values = range(1, 25)
    modulus = parse_term("n + 1", ["n"])
    seen = [(k, (slope * k + number) % (k + 1)) for k in values]
    found = fit_residue(seen, [k + 1 for k in values], "n", modulus, inside=False)
    assert found.exact
    for k in range(25, 60):
        assert term_at(found.term, "n", k) == (slope * k + number) % (k + 1)


def test_noise_is_no_residue():
    values = range(1, 25)
    modulus = parse_term("n + 1", ["n"])
    seen = [(k, (k * k * 7919 + 13 * k**3) % 101 % (k + 1)) for k in values]
    roles = product(range(-3, 4), range(-500, 501))
    assert not any(all((s * k + n) % (k + 1) == r for k, r in seen) for s, n in roles)
    assert fit_residue(seen, [k + 1 for k in values], "n", modulus, inside=False) is None


# --- shapes ---------------------------------------------------------------------------------


def formula(text):
    return parse_formula(text, ["a", "b", "v"])


def test_a_divisor_of_0_is_no_member():
    conjecture = parse_formula("v mod 1 = 0", ["v"])
    shape, _ = shape_of([conjecture])
    (with_n,) = fill(shape, [parse_term("n + 1", ["n"]), Int(0)])
    assert instantiate(with_n, {"n": -1}) is None
    assert str(instantiate(with_n, {"n": 4})) == "v mod 5 = 0"


@st.composite
def written(draw):
    """Formulas as answers are written."""
    term = st.sampled_from(["a", "b", "a + b", "a - b - 1", "2 * a - b"])
    literal = st.builds(
        lambda t, m, r, op: f"({t}) mod {m} {op} {r}",
        term,
        st.integers(1, 9),
        st.integers(0, 8),
        st.sampled_from(["=", "!=", "<=", ">"]),
    )
    values = st.lists(st.integers(-3, 9), min_size=1, max_size=6, unique=True)
    member = st.builds(
        lambda t, m, vs, mod: f"({t}){f' mod {m}' if mod else ''} in {{{', '.join(map(str, vs))}}}",
        term,
        st.integers(2, 9),
        st.one_of(
            values,
            st.builds(
                lambda f, s, n: list(range(f, f + s * n, s)),
                st.integers(-3, 3),
                st.integers(1, 4),
                st.integers(1, 5),
            ),
        ),
        st.booleans(),
    )
    parts = draw(st.lists(literal | member, min_size=1, max_size=4))
    word = draw(st.sampled_from([" and ", " or "]))
    return word.join(f"(not ({p}))" if draw(st.booleans()) else f"({p})" for p in parts)


@BRIEFLY
@given(written())
def test_spellings_mean_the_same(text):
    one = parse_formula(text, ["a", "b"])
    for spelling in SPELLINGS:
        other = spelling(one)
        for a, b in product(range(-4, 13, 2), range(-5, 12, 3)):
            env = {"a": a, "b": b}
            assert satisfies(one, env) == satisfies(other, env), other


def test_sets_that_grow_are_one_shape():
    """``{0, 2, ..., n - 2}`` for even n: no two of these formulas are equally long."""
    texts = {
        n: f"v mod {n + 1} in {{{', '.join(map(str, range(0, n, 2)))}}}" for n in range(4, 17, 2)
    }
    found = candidates({n: (formula(text),) for n, text in texts.items()}, "n")
    assert str(found[0].nodes[0]) == "v mod (n + 1) <= n - 2 and v mod (n + 1) mod 2 = 0"


def test_two_members_are_no_family():
    assert candidates({n: (formula(f"v mod {n + 1} = 0"),) for n in (3, 4)}, "n") == []
    assert candidates({n: (formula(f"v mod {n + 1} = 0"),) for n in (3, 4, 5)}, "n") == []


# --- real families, against brute force -------------------------------------------------------


def loses(moves, misere):
    """Whether the player to move loses, from the rules alone; ``moves`` gives the next states."""

    @cache
    def lost(state):
        after = list(moves(state))
        if not after:
            return not misere
        return not any(lost(there) for there in after)

    return lost


def take(n):
    return lambda v: [v - k for k in range(1, n + 1) if k <= v]


def walk(n):
    return lambda v: (
        [v - k for k in range(1, n + 1) if k <= v] + [v + k for k in range(1, n + 1) if k <= -v]
    )


def one_or(n):
    return lambda v: [v - k for k in (1, n) if k <= v]


def race(n):
    return lambda v: [v + k for k in range(1, n + 1) if v + k <= 100]


FAMILIES = {
    "take_away": ("n", range(1, 13), take, range(60)),
    "two_sided_take_away": ("n", range(1, 9), walk, range(-40, 41)),
    "subtraction2": ("s2", range(2, 15), one_or, range(60)),
    "race_to_goal": ("step", range(1, 13), race, range(101)),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_conjecture_agrees_with_brute_force(name, rule):
    """The very text that is printed, at every member and at members beyond those solved."""
    over, values, moves, states = FAMILIES[name]
    found = solved(name, "--over", f"{over}={values[0]}..{values[-1]}", "--rule", rule)
    assert found["status"] == "theorem"
    assert found["checked_to"] == values[-1]
    later = range(values[-1] + 1, values[-1] + 4)
    members = [{over: k} for k in (*values, *later) if k not in found["exceptions"]]
    near_the_end_first = sorted(states, key=abs if name != "race_to_goal" else lambda v: -v)
    require_right(found, lambda **given: moves(given[over]), members, near_the_end_first)


@pytest.mark.slow
def test_a_list_of_members():
    found = solved("take_away", "--over", "n=11, 2,3,5,7,2")
    assert [m["n"] for m in found["members"]] == [2, 3, 5, 7, 11]
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"
    assert found["over"] == {"n": [2, 11]}


@pytest.mark.slow
def test_a_formula_for_each_residue():
    found = solved("subtraction2", "--over", "s2=2..14")
    assert [case["when"] for case in found["cases"]] == ["s2 even", "s2 odd"]
    assert found["cases"][1]["losing"] == "v mod 2 = 0"
    assert found["cases"][1]["strategy"] == [
        {"when": "v mod 2 != 0", "action": "take", "args": {"k": "1"}}
    ]
    assert found["exceptions"] == []


@pytest.mark.slow
def test_the_other_constants_are_set():
    found = solved("race_to_goal", "--over", "step=1..12", "--set", "goal=36")
    assert found["fixed"] == {"goal": 36}
    assert found["losing"]["formula"] == "v mod (step + 1) = 36 mod (step + 1)"


# --- exceptions, open members, failures --------------------------------------------------------


@pytest.mark.slow
def test_a_constant_may_be_computed_from_the_one_that_varies(spec):
    text = FEW.format("most").replace("var v", "const most = 2 * n\nconst same = 7\nvar v")
    found = solved(spec(text), "--over", "n=1..8")
    assert found["losing"]["formula"] == "v mod (2 * n + 1) = 0"
    assert found["fixed"] == {"same": 7}


@pytest.mark.slow
def test_first_members_may_be_exceptions(spec):
    path = spec(FEW.format("max(n, 3)"))
    found = solved(path, "--over", "n=1..12")
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"
    assert (found["from"], found["exceptions"]) == (3, [1, 2])
    assert found["agreeing"] == list(range(3, 13))
    for wrong in found["disagreeing"]:
        v, n = wrong["state"]["v"], wrong["n"]
        assert (v % (n + 1) == 0) != (v % 4 == 0), "the state shows the disagreement"


@pytest.mark.slow
def test_a_late_member_that_differs_refutes(spec):
    path = spec(FEW.format("min(n, 9)"))
    found = solved(path, "--over", "n=1..11", code=4)
    assert (found["status"], found["losing"], found["checked_to"]) == ("none", None, None)
    assert found["nearest"] == "v mod (n + 1) = 0"
    assert [d["n"] for d in found["disagreeing"]] == [10, 11]
    for wrong in found["disagreeing"]:
        v = wrong["state"]["v"]
        assert (v % (wrong["n"] + 1) == 0) != (v % 10 == 0)


@pytest.mark.slow
def test_members_without_an_answer_are_listed(spec):
    """n = 0 goes round for ever; n = -1 climbs, and nobody proves that it does not."""
    path = spec(EXACT)
    found = solved(path, "--over", "n=-1..8", "--timeout", "60")
    assert found["losing"]["formula"] == "v mod (2 * n) <= n - 1"
    assert found["agreeing"] == list(range(1, 9))
    assert found["unsolved"] == [-1, 0]
    status = {m["n"]: m["status"] for m in found["members"]}
    assert status[0] == "endless" and status[-1] != "solved" and status[3] == "solved"


@pytest.mark.slow
def test_members_that_are_no_games_are_listed(spec):
    path = spec(GAPS)
    found = solved(path, "--over", "n=0..11", "--for", "n >= 2", code=3)
    wrong = found["counterexample"]
    assert (wrong["constants"], wrong["state"]) == ({"n": 4}, None)
    assert wrong["claim"] == "the divisor abs(n - 4) is not positive"
    why = {m["n"]: m["why"] for m in found["members"] if m["status"] == "invalid"}
    assert sorted(why) == [4]  # n = 0 and n = 1 are not in the range
    assert "divisor must be positive" in why[4]
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"
    assert found["agreeing"] == [2, 3, *range(5, 12)]
    found = solved(path, "--over", "n=0..11")  # with a range of its own it leaves 4 out
    where = parse_formula(found["for"], (), constants=("n",))
    assert found["status"] == "theorem"
    assert satisfies(where, {"n": 5}) and not satisfies(where, {"n": 4})


def test_no_member_is_a_game(spec):
    path = spec(GAPS)
    for over, why in (("n=0..1", "no legal state"), ("n=4", "game.icg:5:")):
        done = family(path, "--over", over)
        assert (done.code, done.out) == (2, "") and why in done.err


def test_too_few_members():
    found = solved("take_away", "--over", "n=3..4", code=4)
    assert found["status"] == "none" and found["proved_members"] == [3, 4]


def test_no_member_is_solved():
    found = solved("nim3_third", "--over", "n=5..7", "--timeout", "0.01", code=4)
    assert [member["status"] for member in found["members"]] == ["unknown"] * 3


# --- what the conjecture does for members that were left open ---------------------------------


class Answering:
    """A worker that has the ``answers`` of members; ``worker`` does whatever else is asked.

    A member without an answer runs out of time, and so does all else without a ``worker``.
    """

    def __init__(self, answers, worker=None):
        self.answers, self.worker = answers, worker

    def call(self, seconds, function, *arguments):
        asked = arguments[0]
        if isinstance(asked, ParametricGame) and dict(asked.constants)["n"] in self.answers:
            return self.answers[dict(asked.constants)["n"]]
        if isinstance(asked, ParametricGame) or self.worker is None:
            raise BudgetSpent("no time")
        return self.worker.call(seconds, function, *arguments)


def members_of(spec_name, over, values):
    request = family_request(spec_name, {over: tuple(values)}, None, {}, 10)
    return load_members(request.family, values)


def answers_of(spec_name, values, worker):
    members = solve_members(members_of(spec_name, "n", values), "normal", 10, worker)
    return {k: member.solution for k, member in members.items()}


def concluded(spec_name, values, worker):
    return solve_family(members_of(spec_name, "n", values), "n", "normal", 10, worker)


def test_an_open_member_is_proved_from_the_conjecture(worker):
    answers = answers_of("take_away", [1, 2, 3, 4, 6, 7, 8], worker)
    result = concluded("take_away", range(1, 9), Answering(answers, worker))
    assert result.settled == (5,)
    assert result.unsolved == (5,)
    assert result.proved_for == tuple(range(1, 9))
    assert result.agreeing == (1, 2, 3, 4, 6, 7, 8)


def test_an_open_member_refutes_the_conjecture(worker, spec):
    path = spec(FEW.format("min(n, 9)"))
    answers = answers_of(path, range(1, 10), worker)
    result = concluded(path, range(1, 12), Answering(answers, worker))
    assert result.conjecture is None
    assert str(result.nearest.losing) == "v mod (n + 1) = 0"
    assert result.disagreeing[0].value == 10
    assert result.disagreeing[0].state is not None


def test_members_that_are_not_compared_are_not_claimed(worker):
    """The fifth member is written so that only a prover sees that it agrees."""
    answers = answers_of("take_away", range(1, 9), worker)
    other = parse_formula("v mod 6 < 1", ["v"])
    answers[5] = replace(answers[5], losing=replace(answers[5].losing, formula=other))
    values = range(1, 9)
    assert concluded("take_away", values, Answering(answers, worker)).agreeing == tuple(values)
    result = concluded("take_away", values, Answering(answers))
    assert (result.conjecture, result.undecided) == (None, (5,))
    assert result.to_json()["status"] == "none"


# --- members whose answers speak of digits ---------------------------------------------------


HALVES = """game halves "Take one, or halve; c does not matter"
const c = 1
var v
legal v >= 0 and c >= 0
action one pre v >= 1 eff v := v - 1
action half pre v >= 1 eff v := v div 2
"""


@pytest.mark.slow
def test_members_in_digits_share_a_formula_that_all_have(spec):
    """Lost are 0 and the numbers with an odd number of zeros at their end in base 2 (Mark)."""
    found = solved(spec(HALVES), "--over", "c=1..4")
    assert found["losing"]["formula"] == "zeros(v) mod 2 = 1 or v = 0"
    assert found["agreeing"] == [1, 2, 3, 4]
    assert {m["logic"] for m in found["members"]} == {"base-2"}


@pytest.mark.slow
def test_no_constant_is_put_into_what_is_said_in_different_bases():
    """``mark`` with d is said in base d, and no formula of the language has a base in it."""
    found = solved("mark", "--over", "d=2..4", code=4)
    assert (found["status"], found["losing"], found["nearest"]) == ("none", None, None)
    assert [m["logic"] for m in found["members"]] == ["base-2", "base-3", "base-4"]


def test_a_formula_of_digits_is_refuted_by_a_state_and_never_proved_by_states(worker):
    game = icgsynth.loads(HALVES).game

    def digits(text):
        return parse_formula(text, ["v"], system=base(2))

    losing = {1: digits("zeros(v) mod 2 = 1 or v = 0")}
    judge = MemberJudge({1: game}, losing, "c", 10, worker)
    wrong = judge.judge(digits("zeros(v) mod 2 = 0"), [1])
    assert wrong.disagreeing[0].state == {"v": 1}  # one, without zeros, is won by taking it
    same = judge.judge(digits("v = 0 or zeros(v) mod 2 != 0"), [1])
    assert (same.agreeing, same.disagreeing, same.undecided) == ((), (), (1,))
    assert judge.judge(losing[1], [1]).agreeing == (1,)


def test_a_conjecture_for_each_residue_that_was_refuted_is_not_made_again(worker):
    """What an open member refutes is thrown away, also where it has two cases."""
    game = icgsynth.loads(HALVES).game
    texts = {k: f"v < {k}" if k % 2 else f"v mod {k} = 0" for k in range(2, 12)}
    losing = {k: parse_formula(text, ["v"]) for k, text in texts.items()}
    judge = MemberJudge(dict.fromkeys(losing, game), losing, "c", 10, worker)
    first = find_conjecture(losing, judge)
    assert len(first.cases) == 2 and first.start == 2
    again = find_conjecture(losing, judge, [first.losing])
    assert again is None or again.losing != first.losing


def test_a_member_that_only_an_automaton_tells_has_nothing_to_fit():
    """A solved member is not called unsolved; its automaton is not taken for a formula."""
    game = icgsynth.loads(HALVES).game
    everything = Automaton(base(2), ("v",), ((0, 0),), (True,))
    formula = Recognised(everything, (Name("v"),), "L")
    proof = {"termination": Verdict.PROVED, "winning": Verdict.PROVED}
    solution = Solution(
        game, "normal", "solved", losing=Claim(formula), proof=proof, explicit=BoxCheck(1, 1, 0)
    )
    assert FamilyMember(1, "solved", game, solution).losing is None
    linear = replace(solution, losing=Claim(parse_formula("v = 0", ["v"])))
    assert str(FamilyMember(1, "solved", game, linear).losing) == "v = 0"


# --- strategies ------------------------------------------------------------------------------


def pair(when, argument):
    act = SemiGroundAction("take", (("k", parse_term(argument, ["v"])),))
    return Rule(parse_formula(when, ["v"]), act)


@pytest.fixture(scope="module")
def certifier(worker):
    members = members_of("take_away", "n", range(1, 11))
    games = {k: member.game for k, member in members.items()}
    return Certifier(games, "normal", "n", 10, worker)


@pytest.fixture(scope="module")
def case():
    (losing,) = fill(shape_of([formula("v mod 1 = 0")])[0], [parse_term("n + 1", ["n"]), Int(0)])
    return Case(losing, tuple(range(1, 6)), MemberJudgement(tuple(range(1, 11))))


def test_a_fitted_strategy_is_certified(case, certifier):
    found = {k: (pair(f"v mod {k + 1} != 0", f"v mod {k + 1}"),) for k in range(2, 11)}
    strategy = find_strategy(case, found, certifier)
    assert str(strategy.rules[0]) == "if v mod (n + 1) != 0: take(v mod (n + 1))"
    assert strategy.certified == tuple(range(1, 11))
    assert 1 not in strategy.fitted_on


def test_a_strategy_that_does_not_win_is_left_out(case, certifier):
    found = {k: (pair(f"v mod {k + 1} != 0", "1"),) for k in range(1, 11)}
    assert find_strategy(case, found, certifier) is None


def test_strategies_that_differ_are_left_out(case, certifier):
    found = {
        k: tuple(pair(f"v mod {k + 1} = {r}", str(r)) for r in range(1, k + 1))
        for k in range(1, 11)
    }
    assert find_strategy(case, found, certifier) is None


def test_the_certifier_says_what_it_proves(case, certifier):
    assert certifier.certify(4, case.losing, ()) == ("proved", None)
    wrong = formula("v mod 3 = 0")
    verdict, state = certifier.certify(4, wrong, ())
    assert verdict == "refuted" and set(state) == {"v"}


# --- the command -----------------------------------------------------------------------------


def test_the_json_is_of_the_schema():
    found = solved("take_away", "--over", "n=1..6")
    assert (found["schema"], found["kind"]) == ("icgsynth/solution/2", "family")
    assert (found["status"], found["constants"], found["for"]) == ("theorem", ["n"], "n >= 1")
    assert found["strategy"] == [
        {"when": "v mod (n + 1) != 0", "action": "take", "args": {"k": "v mod (n + 1)"}}
    ]
    assert found["members"][0] == {"n": 1, "status": "solved", "losing": "v mod 2 = 0"}
    validate(found)
    none = solved("take_away", "--over", "n=1..2", code=4)
    validate(none)


def test_a_conjecture_that_agrees_with_all_members_may_be_false(spec):
    """Take a to 6: five members agree, and with a = 7 there is no move at all."""
    path = spec(FEW.format("6").replace("const n", "const a").replace("1 <= k", "a <= k"))
    found = solved(path, "--over", "a=1..5", code=3)
    assert found["status"] == "refuted"
    wrong = found["counterexample"]
    assert (wrong["constants"], wrong["state"]) == ({"a": 7}, {"v": 7})
    assert found["proved_for"] == [1, 2, 3, 4, 5, 6]


@pytest.mark.slow
def test_a_strategy_that_does_not_fit_is_found_on_a_table():
    found = solved("take_away", "--over", "n=1..4")
    assert found["status"] == "theorem" and found["strategy"]
    assert "strategy_fitted_on" not in found


@pytest.mark.slow
def test_the_range_is_given_by_hand():
    found = solved("take_away", "--over", "n=3..8", "--for", "n >= 3 and n != 5")
    assert (found["status"], found["for"]) == ("theorem", "n >= 3 and n != 5")
    done = family("take_away", "--over", "n=3..8", "--for", "n < 3")
    assert done.code == 2 and "no member of --over is in the range" in done.err


FORMULAS = [
    "n mod 3 = 0",
    "n >= {0}",
    "n != {0}",
    "n <= {0} or n mod 2 = 1",
    "0 < n",
    "{0} <= n <= 9",
]


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=6),
    st.sampled_from(FORMULAS),
    st.integers(-25, 25),
)
def test_the_range_of_a_formula_is_a_part_of_that_of_the_members(values, formula, number):
    """``--over k=3..16 --for 'k mod 3 = 0'`` was refuted at k = -3, of which nobody spoke."""
    wanted, first = formula.format(number), min(values)
    where = parse_formula(wanted, (), constants=["n"])
    assume(any(satisfies(where, {"n": k}) for k in values))
    over = {"n": tuple(sorted(set(values)))}
    request = family_request("take_away", over, wanted, {}, 10)
    for k in range(-60, 60):
        assert satisfies(request.range_, {"n": k}) == (k >= first and satisfies(where, {"n": k}))
    if formula == "n >= {0}" and number >= first:
        assert str(request.range_) == wanted  # what follows anyway is not said
    assert {m["n"] for m in request.grid} == {k for k in values if satisfies(where, {"n": k})}


@pytest.mark.slow
def test_members_out_of_the_range_are_not_looked_at(spec):
    """Nor is n = -3, which the formula has in its range as well: nobody can move there."""
    path = spec(FEW.format("(if n mod 3 = 0 then n else 2 * n)"))
    found = solved(path, "--over", "n=3..16", "--for", "n mod 3 = 0")
    assert {m["n"] for m in found["members"]} == {3, 6, 9, 12, 15}
    assert (found["status"], found["for"]) == ("theorem", "n >= 3 and n mod 3 = 0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--over", "n=1..3", "--over", "n=5"], "--over gives n twice"),
        (["--over", "n=1..3", "--over", "m=1..3"], "take_away has no constant 'm'"),
        (["--over", "n=0..999", "--over", "m=0..999"], "1,000,000 members in all, and at most"),
        (["--over", "n"], "'n' is not of the form NAME=FIRST..LAST or NAME=INT,INT"),
        (["--over", "n=1-30"], "as in n=1..30 or n=2,3,5,7"),
        (["--over", "n=1...30"], "is not of the form"),
        (["--over", "n=1,,3"], "is not of the form"),
        (["--over", "n=a..b"], "is not of the form"),
        (["--over", "5=1..3"], "is not of the form"),
        (["--over", "n=5..1"], "is empty, for 5 > 1: write n=1..5"),
        (["--over", "n=0..1000"], "1,001 members, and at most 1,000 are solved: narrow it"),
        (["--over", f"n=1..{'9' * 2000}"], "more than 1,000 digits"),
        (["--over", "m=1..5"], "take_away has no constant 'm'\n  it has: n"),
        (["--over", "n=1..5", "--set", "n=3"], "--over and --set both give n"),
        (["--over", "n=1..5", "--set", "m=3"], "take_away has no constant 'm'"),
        (["--over", "n=1..5", "--timeout", "-1"], "is not a positive number of seconds"),
        ([], "--over is missing"),
    ],
)
def test_bad_usage_is_2(arguments, message):
    done = family("take_away", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.slow
def test_ctrl_c_stops_at_once():
    command = [sys.executable, "-m", "icgsynth", "family", "nim3_third", "--over", "n=1..40"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        time.sleep(4)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)  # there was work for minutes
    assert (process.returncode, out, err.strip()) == (130, "", "stopped")


@pytest.mark.slow
def test_the_exit_code_of_two_rules_is_the_larger():
    """Under misère n = 1 has a shape of its own, and three members are too few for a slope."""
    found = solved("two_sided_take_away", "--over", "n=1..4", "--rule", "both", code=4)
    assert [one["status"] for one in found] == ["theorem", "none"]


@pytest.mark.slow
def test_a_theorem_is_learned_where_what_was_fitted_stays_open():
    """i-Mark with halves replaced by thirds; members by plain recursion, far from those solved."""
    found = solved("i_mark", "--over", "t=1..6", "--set", "d=3", "--for", "t >= 2", table=True)
    assert (found["status"], found["for"]) == ("theorem", "t >= 2")
    losing = parse_formula(found["losing"]["formula"], ("v",), constants=("t",))
    for t in (2, 9, 17, 40):
        lost = []
        for v in range(300):
            after = [v - k for k in range(1, min(t, v) + 1)]
            after += [v // 3] if v and v % 3 == 0 else []
            lost.append(not any(lost[w] for w in after))
        assert lost == [satisfies(losing, {"t": t, "v": v}) for v in range(300)]


# --- theorems learned from one table ------------------------------------------------------------

INTERVAL = """game interval "Take a to b counters"
const a = 1
const b = 3
var v
legal v >= 0
action take(k) pre a <= k <= b and k <= v eff v := v - k
"""


def require_right(found, moves, members, states):
    """What is printed, as Python, against recursion over the moves of each member."""
    for member in members:
        lost = loses(moves(**member), found["rule"] == "misere")
        for v in states:
            env = {"v": v, **member}
            assert eval(as_python(found["losing"]["formula"]), env) == lost(v), env
            assert eval(as_python(found["winning"]["formula"]), env) != lost(v), env


def test_several_constants_vary_and_the_answer_is_used(spec, tmp_path, capsys):
    path = spec(INTERVAL)
    arguments = ("--over", "a=1..4", "--over", "b=1..6", "--for", "1 <= a <= b")
    found = solved(path, *arguments, table=True)
    assert (found["status"], found["constants"]) == ("theorem", ["a", "b"])
    assert (found["for"], found["over"]) == ("1 <= a <= b", {"a": [1, 4], "b": [1, 6]})
    assert (found["exceptions"], found["members"]) == ([], [])
    assert found["learned_from"] == sum(a <= b for a in range(1, 5) for b in range(1, 7))

    def moves(a, b):
        return lambda v: [v - k for k in range(a, b + 1) if k <= v]

    require_right(found, moves, [{"a": a, "b": b} for a, b in ((1, 1), (2, 9), (9, 11))], range(80))
    answer = tmp_path / "theorem.json"
    answer.write_text(json.dumps(found))
    assert run(["verify", path, str(answer)]) == 0
    assert "Theorem: for every 1 <= a <= b, proved with a and b as" in capsys.readouterr().out
    assert run(["export", str(answer), "--spec", path, "--to", "python"]) == 0
    made = {}
    exec(capsys.readouterr().out, made)
    assert [made["is_winning"](7, 10, v) for v in (6, 7, 16, 17, 23)] == [False, True, True] + [
        False
    ] * 2
    found["losing"]["formula"] = "v mod (a + b) <= a"
    answer.write_text(json.dumps(found))
    assert run(["verify", path, str(answer)]) == 3


def test_any_number_of_members_is_enough_for_a_proof():
    found = solved("take_away", "--over", "n=3..4", table=True)
    # It is true for smaller members too, down to 1.
    assert (found["status"], found["for"]) == ("theorem", "n >= 1")
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"


@pytest.mark.slow
def test_a_range_of_two_constants_is_found():
    """Moves (p k, q k) with p != q change nothing: lost iff the piles are equal."""
    over = ("--over", "p=1..3", "--over", "q=1..3", "--timeout", "240")
    found = solved("wythoff_direction", *over, table=True)
    assert (found["status"], found["for"]) == ("theorem", "p >= 1 and q >= 1 and p != q")
    losing = parse_formula(found["losing"]["formula"], ("a", "b"), constants=("p", "q"))
    for a, b, p, q in product(range(6), range(6), (1, 2, 9), (1, 3, 40)):
        assert p == q or satisfies(losing, {"a": a, "b": b, "p": p, "q": q}) == (a == b)


@pytest.mark.slow
@pytest.mark.parametrize("large", [2**31, 2**62, 2**63, 10**30])
def test_numbers_that_no_table_holds_stop_nothing(spec, large):
    """A second move that is far from every box changes the answer; a theorem must know of it."""
    far = f"action far(k) pre 1 <= k <= n + {large} and v >= {large} + k eff v := v - k"
    done = family(spec(FEW.format("n") + far), "--over", "n=1..5", "--timeout", "2")
    assert done.code in (0, 3, 4)
    assert done.value["status"] != "theorem" or str(large) in done.value["losing"]["formula"]


def test_no_theorem_where_several_constants_vary():
    arguments = ("mixed_take_away2", "--over", "m=1..3", "--over", "n=1..3", "--timeout", "0.01")
    found = solved(*arguments, code=4, table=True)
    assert (found["status"], found["losing"], found["strategy"]) == ("none", None, [])
    assert "No formula and strategy were found" in family(*arguments).out


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "race_to_goal"])
def test_a_learned_theorem_agrees_with_brute_force(name, rule):
    over, values, moves, states = FAMILIES[name]
    arguments = (name, "--over", f"{over}={values[0]}..{values[-1]}", "--rule", rule)
    found = solved(*arguments, "--timeout", "60", table=True)
    assert found["status"] == "theorem" and found["learned_from"]
    members = [{over: k} for k in (values[0], values[-1], values[-1] + 4)]
    require_right(found, lambda **given: moves(given[over]), members, sorted(states, key=abs))


@pytest.mark.slow
def test_a_refuted_conjecture_may_be_a_theorem_for_a_part_of_the_range(spec):
    path = spec(FEW.format("min(n, 9)"))
    found = solved(path, "--over", "n=1..8")
    assert (found["status"], found["for"]) == ("theorem", "n >= 1 and n <= 9")
    assert "counterexample" not in found and "holds_for" not in found
    found = solved(path, "--over", "n=1..8", "--for", "n >= 1", code=3)
    assert (found["status"], found["holds_for"]) == ("refuted", "n >= 1 and n <= 9")


def test_formulas_are_oriented():
    def said(text):
        return str(oriented(parse_formula(text, ["v"], constants=["a", "b"]), {"a", "b"}))

    assert said("a > v mod (a + b)") == "v mod (a + b) < a"
    assert said("1 <= v mod a or not 3 <= v") == "v mod a != 0 or v < 3"
    assert said("v >= a and b = 2 and v < b") == "a <= v < b and b = 2"
    assert said("a <= b and v = 1") == "a <= b and v = 1"
    assert said("v - a = 0 or v - b >= 0") == "v = a or v >= b"
