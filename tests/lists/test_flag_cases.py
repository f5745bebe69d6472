"""Formulas for each value of a variable, against play by hand.

Faults it sees: the formula of another value, one that says as much in a box and not beyond it, and
cases that are told although they are no shorter.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from types import SimpleNamespace

import pytest

from icgsynth import loads
from icgsynth.budget import Budget, silent
from icgsynth.export.report import as_text
from icgsynth.game.solution import Claim
from icgsynth.lists.flag_cases import case_report, flag_cases
from icgsynth.logic.build import free_names, negation, size
from icgsynth.logic.evaluate import satisfies
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse_formula
from icgsynth.subjects import subject

DECLARE = """game declare "Nim on two piles; the rule is declared once"
var a, b, t
legal a >= 0 and b >= 0 and 0 <= t <= 2
action take_a(k) pre 1 <= k <= a  eff a := a - k
action take_b(k) pre 1 <= k <= b  eff b := b - k
action declare(r) pre t = 0 and 1 <= r <= 2  eff t := r
action collect    pre t = 2 and a = 0 and b = 0  eff t := 1
"""


@cache
def is_lost(a, b, t):
    after = [(a - k, b, t) for k in range(1, a + 1)] + [(a, b - k, t) for k in range(1, b + 1)]
    after += [(a, b, 1), (a, b, 2)] if t == 0 else []
    after += [(a, b, 1)] if t == 2 and a == b == 0 else []
    return not any(is_lost(*state) for state in after)


def lost_by(cases, state):
    """Whether the cases call the state lost; those of other orders speak of sorted numbers."""
    said = set()
    for case in cases:
        numbers = sorted(state[name] for name in case.ordered)
        here = state | dict(zip(case.ordered, numbers, strict=True))
        if satisfies(case.states, here):
            said.add(satisfies(case.losing, here))
    (found,) = said
    return found


@pytest.mark.slow
def test_a_rule_that_is_declared_in_play_has_a_formula_for_each_value():
    solution = solve(loads(DECLARE).game)
    cases = flag_cases(solution, Budget(30))
    assert [str(case.when) for case in cases] == ["t = 0", "t = 1", "t = 2"]
    for a, b, t in product(range(15), range(15), range(3)):
        assert lost_by(cases, {"a": a, "b": b, "t": t}) == is_lost(a, b, t)
    assert sum(size(case.losing) for case in cases) < solution.losing.size / 2
    told = as_text(case_report(solution, cases, "declare"))
    assert "t = 1, a <= b:  a = b" in told and "iff" not in told
    assert "loses  iff" in as_text(case_report(solution, cases, "declare"), ("all",))


def test_a_game_of_one_variable_has_no_cases():
    """Faults it sees: "never" is said of each value where no other variable is left."""
    game = loads("game g var t legal 0 <= t <= 4 action x pre t >= 1 eff t := t - 1").game
    whole = " or ".join(f"(t = {n} and t mod 7 = {n})" for n in (0, 2, 4))
    losing = Claim(parse_formula(whole, ["t"]))
    solution = replace(solve(game), winning=Claim(negation(losing.formula)), losing=losing)
    assert solution.is_proved and losing.size > 12
    assert not flag_cases(replace(solution, losing_states=()), Budget(10))


def claim(losing, legal="a >= 0 and b >= 0 and 0 <= t <= 1"):
    """An answer that is called proved, with this formula."""
    game = loads(f"game g var a, b, t legal {legal} action x pre a >= 1 eff a := a - 1").game
    proof = dict.fromkeys(("termination", "winning", "strategy"), "proved")
    formula = parse_formula(losing, ["a", "b", "t"])
    winning, lost = Claim(negation(formula)), Claim(formula)
    base = solve(game)
    return replace(base, winning=winning, losing=lost, proof=base.proof | proof)


LONG = "(t = 0 and a = b and {more}) or (t = 1 and (a + b) mod 2 = 1 and a + b >= 3 and a != 7)"


def test_a_formula_for_a_value_holds_beyond_the_box():
    """The far state is outside of every box that is looked at."""
    far = 10**6
    cases = flag_cases(claim(LONG.format(more=f"a != {far}")), Budget(30))
    assert not lost_by(cases, {"a": far, "b": far, "t": 0})
    assert lost_by(cases, {"a": far + 1, "b": far + 1, "t": 0})
    assert not lost_by(cases, {"a": 7, "b": 0, "t": 1})
    assert lost_by(cases, {"a": 7 + far, "b": 2, "t": 1})


def test_what_is_told_of_normal_play_is_not_told_of_misere_play(monkeypatch, tmp_path):
    """Sees cases that stay with the rules when they are solved again, as by --rule both."""
    (path := tmp_path / "g.icg").write_text(str(claim("a = b").game))
    answers = [replace(claim("a = 5"), rule="misere"), claim(LONG.format(more="a != 9"))]
    found = SimpleNamespace(solve=answers.pop, report=None, values=None)
    monkeypatch.setattr("icgsynth.solve.search.Search", lambda *_: found)
    asked = subject(str(path), {})
    normal, misere = (
        question.shown(question.search(Budget(30), silent).run()).text()
        for question in map(asked.to_solve, ("normal", "misere"))
    )
    assert "t = 0, a <= b:" in normal and "iff" not in normal
    assert "loses  iff  a = 5" in misere and "a <= b" not in misere


@pytest.mark.parametrize(
    ("losing", "cases"),
    [
        ("(a - t) mod 7 in {1, 3} or (a + t) mod 7 = 1 or a = 12", 2),
        ("t = 1 or (2 * a + t) mod 6 = 0", 2),
        ("a = 0 or (b = t and a mod 3 = 0) or (b < t and a >= 3)", 4),
    ],
)
def test_marks_are_told_in_cases_of_one_or_of_all(losing, cases):
    """Sees cases asked to be much shorter than a formula in which a number and a mark add up, and
    those of one mark alone where each pair of two has a short formula."""
    told = flag_cases(claim(losing, "a >= 0 and 0 <= b <= 1 and 0 <= t <= 1"), Budget(30))
    assert len(told) == cases
    assert not any(free_names(case.losing) - {"a"} for case in told)
    for a, b, t in product(range(50), range(2), range(2)):
        state = {"a": a, "b": b, "t": t}
        assert lost_by(told, state) == satisfies(parse_formula(losing, ["a", "b", "t"]), state)


def test_states_that_are_far_from_0_have_no_cases():
    """No such state is in a box around 0: sees a crash there."""
    far = "game g var a, b, t legal a >= 10000000000 and b >= 0 and 0 <= t <= 1 "
    game = loads(far + "action x pre a >= 1 eff a := a - 1").game
    assert flag_cases(replace(claim(LONG.format(more="a != 9")), game=game), Budget(9)) == ()


PILES = "a >= 0 and b >= 0 and t >= 0"


@pytest.mark.parametrize(
    ("losing", "leaves"),
    [
        ("(a = b and t = 0) or (a = t and b = 0) or (b = t and a = 0)", 5),
        # the first pile that is not empty, of three
        (
            "(a = 0 and ((b = 1 and t > 0) or b = t = 0)) "
            "or (a = 1 and ((b = 0 and t > 0) or b + t = 1 or b > 1))",
            8,
        ),
    ],
)
def test_sorted_numbers_and_small_ones_are_told_apart(losing, leaves):
    """Faults it sees: an order of numbers that may not be exchanged; one case that lacks states."""
    cases = flag_cases(claim(losing, PILES), Budget(30))
    formula = parse_formula(losing, ["a", "b", "t"])
    assert sum(size(case.losing) for case in cases) <= leaves
    for a, b, t in product((0, 1, 2, 3, 90, 91), repeat=3):
        state = {"a": a, "b": b, "t": t}
        assert lost_by(cases, state) == satisfies(formula, state)


@pytest.mark.slow
@pytest.mark.parametrize(
    "legal", ["a >= 0 and b >= 0 and t >= 0 and a <= 2 * b + 9", "a >= -5 and b >= 0 and t >= 0"]
)
def test_numbers_that_may_not_be_exchanged_have_no_order(legal):
    """The labels are symmetric, and the states are not."""
    losing = "(a = b and t = 0) or (a = t and b = 0) or (b = t and a = 0)"
    for case in flag_cases(claim(losing, legal), Budget(30)):
        assert "a" not in case.ordered


@pytest.mark.parametrize(
    ("losing", "legal"),
    [
        ("a = b and t = 0", "a >= 0 and b >= 0 and 0 <= t <= 1"),
        ("(a + 2 * b + t) mod 3 = 1 and a != 7 and a + b != 9 and t != b + 4", PILES),
    ],
)
def test_short_formulas_and_variables_of_many_values_have_no_cases(losing, legal):
    assert not flag_cases(claim(losing, legal), Budget(30))
