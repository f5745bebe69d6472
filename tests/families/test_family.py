"""Families: a theorem agrees with play, and a conjecture says no more than is checked."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from commands import HANGS, validate
from hand_solved import as_python
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_play import loser
from speed import sampled

import icgsynth
from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.cli import run
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent
from icgsynth.export.report import as_text
from icgsynth.families.proof.families import FamilyProof
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.search import theorem_search
from icgsynth.families.search.members import (
    FamilyAnswer,
    FamilyMember,
    _solve_member,
    family_request,
    solve_members,
)
from icgsynth.families.search.oriented import oriented
from icgsynth.families.search.run import _played_states, answer_family
from icgsynth.families.search.table_search import Learned, _conjecture, learn
from icgsynth.families.search.theorem_search import claim_of
from icgsynth.families.text.family_text import family_report
from icgsynth.game.answers import BoxCheck, Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import FALSE, Name, Recognised
from icgsynth.prove.recheck.definition import losers, played_out
from icgsynth.spec.icg import parse_formula

# Take exactly n: for n = 0 play goes round, for n < 0 it never ends.
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

INTERVAL = """game interval "Take a to b counters"
const a = 1
const b = 3
var v
legal v >= 0
action take(k) pre a <= k <= b and k <= v eff v := v - k
"""


@dataclass(frozen=True)
class Run:
    """One run of ``icgsynth family``: its exit code, its streams, the JSON of ``-o``."""

    code: int
    out: str
    err: str
    value: Any


@cache
def family(*arguments):
    """The command, run in this process; the same run is made once."""
    out, err = io.StringIO(), io.StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(out), redirect_stderr(err):
        path = Path(folder) / "family.json"
        code = run(["family", *map(str, arguments), "-o", str(path)])
        value = json.loads(path.read_text("utf-8")) if path.exists() else None
    done = Run(code, out.getvalue(), err.getvalue(), value)
    assert "Traceback" not in done.err
    assert code != 1, done.err
    return done


def solved(*arguments, code=0):
    """The JSON value of a run that ends with the given code."""
    done = family(*arguments)
    assert (done.code, done.err) == (code, "")
    return done.value


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


def require_right(found, moves, members, states):
    """What is printed, as Python, against recursion over the moves of each member."""
    for member in members:
        lost = loses(moves(**member), found["rule"] == "misere")
        for v in states:
            env = {"v": v, **member}
            assert eval(as_python(found["losing"]["formula"]), env) == lost(v), env
            assert eval(as_python(found["winning"]["formula"]), env) != lost(v), env


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_theorem_agrees_with_brute_force(name, rule):
    """The very text that is printed, at members of the table and beyond."""
    over, values, moves, states = FAMILIES[name]
    found = solved(name, "--over", f"{over}={values[0]}..{values[-1]}", "--rule", rule)
    assert found["status"] == "theorem" and found["learned_from"]
    members = [{over: k} for k in (*values, values[-1] + 4) if k not in found["exceptions"]]
    near_the_end_first = sorted(states, key=abs if name != "race_to_goal" else lambda v: -v)
    require_right(found, lambda **given: moves(given[over]), members, near_the_end_first)


def test_a_list_of_members():
    found = solved("take_away", "--over", "n=11, 2,3,5,7,2")
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"
    assert (found["over"], found["learned_from"]) == ({"n": [2, 11]}, 5)


@pytest.mark.slow
def test_the_other_constants_are_set():
    found = solved("race_to_goal", "--over", "step=1..12", "--set", "goal=36")
    assert found["fixed"] == {"goal": 36}
    assert found["losing"]["formula"] == "v mod (step + 1) = 36 mod (step + 1)"


@pytest.mark.slow
def test_a_constant_may_be_computed_from_the_one_that_varies(spec):
    text = FEW.format("most").replace("var v", "const most = 2 * n\nconst same = 7\nvar v")
    found = solved(spec(text), "--over", "n=1..8")
    assert found["losing"]["formula"] == "v mod (2 * n + 1) = 0"
    assert found["fixed"] == {"same": 7}


def test_a_large_number_of_the_rules_may_be_in_the_formula(spec):
    """Take a to 6: with a = 7 there is no move at all, which no small member shows."""
    path = spec(INTERVAL.replace("b = 3", "b = 6"))
    found = solved(path, "--over", "a=1..5")
    assert (found["status"], found["for"]) == ("theorem", "a >= 1")

    def moves(a):
        return lambda v: [v - k for k in range(a, 7) if k <= v]

    require_right(found, moves, [{"a": a} for a in (1, 4, 6, 7, 8, 30)], range(60))


def test_a_player_who_never_wins_needs_no_strategy(spec):
    found = solved(spec(FEW.format("-n")), "--over", "n=1..4")
    assert (found["status"], found["losing"], found["strategy"]) == (
        "theorem",
        {"formula": "true"},
        [],
    )


# --- exceptions, ranges, failures ---------------------------------------------------------------


@pytest.mark.slow
def test_first_members_may_be_exceptions(spec):
    found = solved(spec(FEW.format("max(n, 3)")), "--over", "n=1..12")
    where = parse_formula(found["for"], (), constants=("n",))
    assert found["status"] == "theorem"
    assert {n for n in range(1, 40) if not satisfies(where, {"n": n})} == set(found["exceptions"])
    assert [m["losing"] for m in found["members"]] == ["v mod 4 = 0"] * len(found["exceptions"])

    def moves(n):
        return lambda v: [v - k for k in range(1, max(n, 3) + 1) if k <= v]

    members = [{"n": n} for n in range(1, 20) if n not in found["exceptions"]]
    require_right(found, moves, members, range(60))


@pytest.mark.slow
@pytest.mark.nightly  # more than a minute; that the part is found, test_theorems.py says
def test_a_formula_may_be_a_theorem_for_a_part_of_the_range(spec):
    """Past n = 9 no more than 9 may be taken, so the formula holds up to n = 9 alone."""
    path = spec(FEW.format("min(n, 9)"))
    asked = ("--over", "n=1..8", "--timeout", "120")
    found = solved(path, *asked)
    assert (found["status"], found["for"]) == ("theorem", "n >= 1 and n <= 9")
    assert "counterexample" not in found and "holds_for" not in found
    found = solved(path, *asked, "--for", "n >= 1", code=3)
    assert (found["status"], found["holds_for"]) == ("refuted", "n >= 1 and n <= 9")
    wrong = found["counterexample"]
    n, v = wrong["constants"]["n"], wrong["state"]["v"]
    losing = parse_formula(found["losing"]["formula"], ("v",), constants=("n",))
    assert satisfies(losing, {"n": n, "v": v}) != (v % (min(n, 9) + 1) == 0)
    validate(found)


@pytest.mark.slow
def test_a_range_begins_where_play_ends(spec):
    """For n = 0 play goes round for ever; for n < 0 it climbs."""
    found = solved(spec(EXACT), "--over", "n=-1..8", "--timeout", "60")
    assert (found["status"], found["for"]) == ("theorem", "n >= 1")
    require_right(found, lambda n: lambda v: [v - n] * (v >= n), [{"n": 1}, {"n": 7}], range(50))
    assert [member["n"] for member in found["members"]] == [-1, 0] == found["exceptions"]
    status = {member["n"]: member["status"] for member in found["members"]}
    assert status[0] == "endless" and status[-1] != "solved"


def test_no_member_is_a_game(spec):
    path = spec(GAPS)
    for over, why in (("n=0..1", "no legal state"), ("n=4", "game.icg:5:")):
        done = family(path, "--over", over)
        assert (done.code, done.out) == (2, "") and why in done.err


def test_no_member_is_solved():
    found = solved("nim3_third", "--over", "n=5..7", "--timeout", "0.01", code=4)
    assert [member["status"] for member in found["members"]] == ["unknown"] * 3
    assert found["exceptions"] == []
    validate(found)


# --- conjectures --------------------------------------------------------------------------------


class Unable:
    """A miner that finds no strategy."""

    def __init__(self, *_):
        pass

    def strategies(self):
        return iter(())


@pytest.mark.parametrize("searched", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_a_formula_without_a_strategy_is_a_conjecture(monkeypatch, searched):
    """Without a strategy the formula is proved for each member by itself."""
    monkeypatch.setattr(theorem_search, "StrategyMiner", Unable)
    request = family_request("take_away", {"n": tuple(range(1, 5))}, None, {}, 20)
    family = request.within(request.range_, "normal")
    if searched:
        found = learn([family], request.grid, 600)
    else:
        right = parse_formula("v mod (n + 1) = 0", ("v",), constants=("n",))
        guesses = {"right": [right], "open": []}
        found = _conjecture(family, guesses, request.grid, Budget(60))
    assert found.proof.status == "conjecture" and not found.proof.claim.strategy
    assert str(found.proof.claim.losing) == "v mod (n + 1) = 0"
    assert [member["n"] for member in found.proved_for] == [1, 2, 3, 4]
    text = as_text(family_report(FamilyAnswer(request, "normal", *found)))
    assert "Conjecture" in text and "n = 1..4 one by one" in text and "Theorem" not in text


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
    assert (found["status"], found["strategy"]) == ("conjecture", [])
    assert found["losing"]["formula"] == "zeros(v) mod 2 = 1 or v = 0"
    assert found["proved_for"] == [{"c": c} for c in range(1, 5)]
    assert {m["logic"] for m in found["members"]} == {"base-2"}
    validate(found)


class Here:
    """A worker that does all in this process."""

    until = UNBOUNDED

    def call(self, _seconds, function, *arguments):
        return function(*arguments)


LATER = """game later "Take one or two, and three as well of the members from n = 5 on"
const n = 1
var v
legal v >= 0
action take(k) pre 1 <= k <= 2 and k <= v eff v := v - k
action three pre n >= 5 and 3 <= v eff v := v - 3
"""


def first_members_alone(request, values, rule, *_):
    """Solves the first three; the others are not solved in time."""
    return {
        n: _solve_member(n, request.family.member({"n": n}), rule, Budget(20), Here())
        if n <= 3
        else FamilyMember(n, "unknown", why="no time")
        for n in values
    }


@pytest.mark.parametrize(("last", "status"), [(7, "none"), (4, "conjecture")])
def test_a_conjecture_is_told_after_every_member_was_played_out(monkeypatch, spec, last, status):
    """With n >= 5 lost is v mod 4 = 0, by the periods of subtraction games; before, v mod 3 = 0."""
    monkeypatch.setattr("icgsynth.families.search.run.learn", lambda *_: Learned())
    monkeypatch.setattr("icgsynth.families.search.run.solve_members", first_members_alone)
    request = family_request(spec(LATER), {"n": tuple(range(1, last + 1))}, None, {}, 60)
    found = answer_family(request, "normal", Here())
    assert found.status == status
    if status == "none":
        assert "v mod 3 = 0" in as_text(family_report(found))  # of the members that were solved
        return
    assert [member["n"] for member in found.proved_for] == [1, 2, 3]
    assert (found.proof.members, str(found.proof.claim.losing)) == (4, "v mod 3 = 0")
    assert "4 members played out in a box" in as_text(family_report(found))


def test_a_conjecture_from_the_table_is_not_told_where_a_later_member_says_otherwise(
    monkeypatch, spec
):
    request = family_request(spec(LATER), {"n": tuple(range(1, 8))}, None, {}, 20)
    losing = parse_formula("v mod 3 = 0", ("v",), constants=("n",))
    claim = claim_of(request.within(request.range_, "normal"), losing)
    guess = Learned(FamilyProof(claim, "conjecture", "open"), 3)
    monkeypatch.setattr("icgsynth.families.search.run.learn", lambda *_: guess)
    monkeypatch.setattr("icgsynth.families.search.run.solve_members", lambda *_: {})
    assert answer_family(request, "normal", Here()).status == "none"


def test_where_nothing_is_learned_every_member_of_over_has_a_line(monkeypatch, spec):
    """Fault it sees: members past the twelve that a table is learned from are left out silently."""
    monkeypatch.setattr("icgsynth.families.search.run.learn", lambda *_: Learned())
    asked = []

    def unsolved(_request, values, *_):
        asked.extend(values)
        return {n: FamilyMember(n, "unknown", why="no time") for n in values}

    monkeypatch.setattr("icgsynth.families.search.run.solve_members", unsolved)
    request = family_request(spec(LATER), {"n": tuple(range(1, 16))}, None, {}, 20)
    text = as_text(family_report(answer_family(request, "normal", Here())))
    assert asked == [*range(1, 16)] and "n = 1..15:  unknown: no time" in text


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_members_are_played_out_as_by_plain_recursion(spec, rule):
    game = family_request(spec(LATER), {"n": (5, 6)}, None, {}, 20).example
    states = [(v,) for v in range(40)]
    is_lost = loser(game, rule)
    assert losers(game, rule, states, Budget(20)) == {state: is_lost(state) for state in states}
    losing = parse_formula("v mod 4 = 0" if rule == "normal" else "v mod 4 = 1", ("v",))
    count, wrong = played_out(game, rule, losing, Budget(20))
    assert count > 40 and wrong is None
    assert played_out(game, rule, parse_formula("v mod 3 = 0", ("v",)), Budget(20))[1] is not None


def test_without_time_a_conjecture_is_not_told(spec):
    """Faults it sees: silence taken for agreement."""
    request = family_request(spec(LATER), {"n": (1, 2, 3)}, None, {}, 20)
    assert (
        _played_states([(request.example, parse_formula("v mod 3 = 0", ("v",)))], "normal", 0)
        is None
    )


def test_a_theorem_of_what_members_have_in_common(monkeypatch, spec):
    """Nothing is learned; the members are one game, whatever c is."""
    monkeypatch.setattr("icgsynth.families.search.run.learn", lambda *_: Learned())
    request = family_request(spec(FEW.format("2")), {"n": (1, 2, 3)}, None, {}, 60)
    found = answer_family(request, "normal", Here())
    assert (found.status, str(found.proof.claim.where)) == ("theorem", "n >= 1")
    assert str(found.proof.claim.losing) == "v mod 3 = 0" and found.proof.claim.strategy


@pytest.mark.slow
def test_members_in_different_bases_have_no_formula_in_common():
    """``mark`` with d is said in base d, and no formula of the language has a base in it."""
    found = solved("mark", "--over", "d=2..4", code=4)
    assert (found["status"], found["losing"]) == ("none", None)
    assert [m["logic"] for m in found["members"]] == ["base-2", "base-3", "base-4"]


def test_a_member_that_only_an_automaton_tells_has_no_formula():
    """A solved member is not called unsolved; its automaton is not taken for a formula."""
    game = icgsynth.loads(HALVES).game
    everything = Automaton(base(2), ("v",), ((0, 0),), (True,))
    formula = Recognised(everything, (Name("v"),), "L")
    proof = {"termination": Verdict.PROVED, "winning": Verdict.PROVED}
    solution = Solution(
        game, "normal", "solved", losing=Claim(formula), proof=proof, explicit=BoxCheck(1, 1, 0)
    )
    assert FamilyMember(1, "solved", solution).losing is None
    linear = replace(solution, losing=Claim(parse_formula("v = 0", ["v"])))
    assert str(FamilyMember(1, "solved", linear).losing) == "v = 0"
    for part in proof:  # what is not proved of a member is no evidence for others
        unsure = replace(linear, proof=proof | {part: Verdict.UNKNOWN})
        assert FamilyMember(1, "solved", unsure).losing is None


# --- the command --------------------------------------------------------------------------------


def test_the_json_is_of_the_schema():
    found = solved("take_away", "--over", "n=1..6")
    assert (found["schema"], found["kind"]) == ("icgsynth/solution/2", "family")
    assert (found["status"], found["constants"], found["for"]) == ("theorem", ["n"], "n >= 1")
    assert found["strategy"] == [
        {"when": "v mod (n + 1) != 0", "action": "take", "args": {"k": "v mod (n + 1)"}}
    ]
    validate(found)


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
    assert found["learned_from"] == len(range(3, 17, 3))
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


def ticks(pid):
    """Hundredths of a second of the processor that a process and its children used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return sum(map(int, fields[11:15])) + sum(map(ticks, children))


@pytest.mark.slow
def test_ctrl_c_stops_at_once():
    command = [sys.executable, "-m", "icgsynth", "family", "nim3_third", "--over", "n=1..40"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        end = time.monotonic() + HANGS
        while time.monotonic() < end and ticks(process.pid) < 200:
            time.sleep(0.05)  # after 2 seconds of work it is well past its start
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=HANGS)  # there was work for minutes
    assert (process.returncode, out, err.strip()) == (130, "", "stopped")


def test_the_exit_code_of_two_rules_is_the_larger(monkeypatch):
    def answer(request, rule, *_):
        claim = FamilyClaim(request.family.game, ("n",), request.range_, rule, FALSE)
        proof = FamilyProof(claim, "conjecture", "open") if rule == "normal" else None
        return FamilyAnswer(request, rule, proof)

    monkeypatch.setattr("icgsynth.families.subject.family_questions.answer_family", answer)
    found = solved("take_away", "--over", "n=1..4", "--rule", "both", code=4)
    assert [one["status"] for one in found] == ["conjecture", "none"]


@pytest.mark.slow
def test_a_theorem_about_a_game_that_divides():
    """i-Mark with halves replaced by thirds; members by plain recursion, far from those solved."""
    found = solved("i_mark", "--over", "t=1..6", "--set", "d=3", "--for", "t >= 2")
    assert (found["status"], found["for"]) == ("theorem", "t >= 2")
    losing = parse_formula(found["losing"]["formula"], ("v",), constants=("t",))
    for t in (2, 9, 17, 40):
        lost = []
        for v in range(300):
            after = [v - k for k in range(1, min(t, v) + 1)]
            after += [v // 3] if v and v % 3 == 0 else []
            lost.append(not any(lost[w] for w in after))
        assert lost == [satisfies(losing, {"t": t, "v": v}) for v in range(300)]


# --- several constants ---------------------------------------------------------------------------


def test_several_constants_vary_and_the_answer_is_used(spec, tmp_path, capsys):
    path = spec(INTERVAL)
    arguments = ("--over", "a=1..4", "--over", "b=1..6", "--for", "1 <= a <= b")
    found = solved(path, *arguments)
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
    found = solved("take_away", "--over", "n=3..4")
    # It is true for smaller members too, down to 1.
    assert (found["status"], found["for"]) == ("theorem", "n >= 1")
    assert found["losing"]["formula"] == "v mod (n + 1) = 0"


@pytest.mark.slow
@pytest.mark.nightly  # minutes
def test_a_range_of_two_constants_is_found():
    """Moves (p k, q k) with p != q change nothing: lost iff the piles are equal."""
    over = ("--over", "p=1..3", "--over", "q=1..3", "--timeout", "240")
    found = solved("wythoff_direction", *over)
    assert (found["status"], found["for"]) == ("theorem", "p >= 1 and q >= 1 and p != q")
    losing = parse_formula(found["losing"]["formula"], ("a", "b"), constants=("p", "q"))
    for a, b, p, q in product(range(6), range(6), (1, 2, 9), (1, 3, 40)):
        assert p == q or satisfies(losing, {"a": a, "b": b, "p": p, "q": q}) == (a == b)


@pytest.mark.slow
@sampled("large", [2**63, 10**30, 2**31, 2**62], 2, pytest.mark.nightly)
def test_numbers_that_no_table_holds_stop_nothing(spec, large):
    """A second move that is far from every box changes the answer; a theorem must know of it."""
    far = f"action far(k) pre 1 <= k <= n + {large} and v >= {large} + k eff v := v - k"
    done = family(spec(FEW.format("n") + far), "--over", "n=1..5", "--timeout", "2")
    assert done.code in (0, 3, 4)
    assert done.value["status"] != "theorem" or str(large) in done.value["losing"]["formula"]


def test_no_theorem_where_several_constants_vary():
    arguments = ("mixed_take_away2", "--over", "m=1..3", "--over", "n=1..3", "--timeout", "0.01")
    found = solved(*arguments, code=4)
    assert (found["status"], found["losing"], found["strategy"]) == ("none", None, [])
    assert "No formula and strategy were found" in family(*arguments).out


def test_formulas_are_oriented():
    def said(text):
        return str(oriented(parse_formula(text, ["v"], constants=["a", "b"]), {"a", "b"}))

    assert said("a > v mod (a + b)") == "v mod (a + b) < a"
    assert said("1 <= v mod a or not 3 <= v") == "v mod a != 0 or v < 3"
    assert said("v >= a and b = 2 and v < b") == "a <= v < b and b = 2"
    assert said("a <= b and v = 1") == "a <= b and v = 1"
    assert said("v - a = 0 or v - b >= 0") == "v = a or v >= b"


class Late:
    """A worker that has no time left."""

    until = UNBOUNDED

    def call(self, seconds, *_):
        raise BudgetSpent(f"the budget of {seconds:g} s is spent")


def test_members_that_were_not_solved_are_said_together():
    """Kills: "the budget of 10 s is spent" of a member, after one second; sixty such lines."""
    request = family_request("take_away", {"n": tuple(range(1, 7))}, None, {}, 1)
    members = solve_members(request, range(1, 7), "normal", 10.0, Late())
    assert {member.status for member in members.values()} == {"unknown"}
    text = as_text(family_report(FamilyAnswer(request, "normal", members=members)))
    (line,) = [line for line in text.splitlines() if "n = 1" in line and "unknown" in line]
    assert "n = 1..6:" in line and " s " not in line


class Hasty:
    """A worker whose calls have no time left once they begin."""

    def __init__(self):
        self.until = Budget(60)  # from now on

    def call(self, _, function, game, rule, seconds, whole):
        return function(game, rule, 0.0, whole)


def test_a_member_without_an_answer_tells_the_seconds_that_were_given():
    """ "The budget of 0.000917688 s is spent", said of a member, where 60 were given."""
    request = family_request("take_away", {"n": (3,)}, None, {}, 60)
    member = solve_members(request, (3,), "normal", 10.0, Hasty())[3]
    assert member.status == "unknown" and "budget of 60 s" in member.why
