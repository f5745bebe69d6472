"""Games that are sums, solved by the values of their parts; all is compared with play in Python."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache, reduce
from itertools import product
from operator import xor

import pytest
from commands import validate
from hypothesis import given, settings
from hypothesis import strategies as st

from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.game.solution import Claim
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.prose import NamedCases
from icgsynth.solve.by_values import by_values
from icgsynth.solve.search import solve
from icgsynth.spec.icg import parse, parse_formula, parse_term
from icgsynth.spec.solution_file import read_solution
from icgsynth.spec.source import Source

LETTERS = "abcd"


def game_of(text):
    return parse(Source("piles.icg", text)).game(blocking=True)


def rules(takings):
    """The file of a game in which a move takes one of ``takings[i]`` from the pile i."""
    piles = LETTERS[: len(takings)]
    legal = " and ".join(f"{pile} >= 0" for pile in piles)
    lines = ["game piles", f"var {', '.join(piles)}", f"legal {legal}"]
    for pile, amounts in zip(piles, takings, strict=True):
        said = ", ".join(map(str, sorted(amounts)))
        guard = f"k in {{{said}}} and k <= {pile}"
        lines.append(f"action take_{pile}(k) pre {guard} eff {pile} := {pile} - k")
    return "\n".join(lines)


def is_lost(takings, state):
    """By play alone: no xor, no values."""
    return _is_lost(tuple(map(tuple, takings)), tuple(state))


@cache
def _is_lost(takings, state):
    return not any(
        k <= pile and _is_lost(takings, (*state[:i], pile - k, *state[i + 1 :]))
        for i, pile in enumerate(state)
        for k in takings[i]
    )


def assert_right(takings, solution, side):
    assert solution.is_proved
    validate(found := solution.to_json())  # Fault it sees: a proof of a part that no file may name
    assert read_solution(Source("s.json", json.dumps(found))).proof == solution.proof
    for state in product(range(side), repeat=len(takings)):
        lost = is_lost(takings, state)
        assert solution.is_winning(state) != lost, state
        if not lost:
            name, arguments = move = solution.move(state)
            pile = LETTERS.index(name[-1])
            after = (*state[:pile], state[pile] - arguments["k"], *state[pile + 1 :])
            assert arguments["k"] in takings[pile]
            assert is_lost(takings, after), (state, move)


@pytest.mark.parametrize(
    ("takings", "losing"),
    [
        ([range(1, 4), range(1, 6)], "a mod 4 = b mod 6"),
        ([range(1, 10), range(1, 13)], "a mod 10 = b mod 13"),
        ([range(1, 4), range(1, 6), range(1, 3)], "a mod 4 xor b mod 6 xor c mod 3 = 0"),
        ([[1], [1], [1], [1, 2]], "d mod 3 = (a + b + c) mod 2"),
    ],
)
def test_piles_with_limits_of_their_own_are_lost_where_the_xor_is_0(takings, losing):
    """A pile of which at most m are taken has the value of its size mod m + 1 (Winning Ways).

    Faults it sees: a modulus of another pile; a move without the condition that the value falls.
    """
    solution = solve(game_of(rules([*map(list, takings)])), "normal", Budget(60))
    assert str(solution.losing_formula) == losing
    assert_right([list(t) for t in takings], solution, 15 if len(takings) == 2 else 8)


def test_an_answer_by_values_is_read_back_from_its_file(tmp_path):
    """Faults it sees: a part of the proof in the file that its reader does not know."""
    rules_file, answer = tmp_path / "piles.icg", tmp_path / "answer.json"
    rules_file.write_text(rules([range(1, 4), range(1, 6)]))
    assert run(["solve", str(rules_file), "--output", str(answer)]) == 0
    assert run(["verify", str(rules_file), str(answer)]) == 0
    assert run(["export", str(answer), "--to", "python"]) == 0


def test_values_by_cases_are_said_once_and_proved():
    """Subtraction {1, 3, 4} has the values 0 1 0 1 2 3 2 again and again (Winning Ways, ch. 4).

    Faults it sees: cases of one pile taken for those of another; a formula that is not proved.
    """
    takings = [[1, 3, 4], [1, 2, 6]]
    solution = solve(game_of(rules(takings)), "normal", Budget(60))
    assert_right(takings, solution, 16)
    text = str(solution)
    assert "g1(a) = g2(b)" in text
    assert text.count("if n mod 7 = 5") == text.count("if n mod 7 = 6") == 1


@pytest.mark.slow
def test_three_piles_with_values_by_cases_are_lost_where_the_xor_of_their_values_is_0(
    capfd, tmp_path
):
    """Fault it sees: "nothing is claimed" after the whole time, with the values known."""
    path = tmp_path / "piles.icg"
    path.write_text(rules([[1, 3, 4]] * 3))
    assert run(["solve", str(path), "-q"]) == 0
    text = capfd.readouterr().out
    assert "g(a, b, c) = g1(a) xor g1(b) xor g1(c)" in text
    values = [0, 1, 0, 1, 2, 3, 2]
    lost = [tuple(map(int, each.split(","))) for each in re.findall(r"\((\d+,\d+,\d+)\)", text)]
    assert len(lost) == 16 and all(is_lost([[1, 3, 4]] * 3, state) for state in lost)
    assert all(reduce(xor, (values[n % 7] for n in state)) == 0 for state in lost)


@pytest.mark.slow
@pytest.mark.parametrize(("least", "most"), [(2, 5), (3, 4), (3, 7)])
def test_piles_from_which_an_interval_is_taken_have_a_quotient_as_value(least, most):
    """A pile from which l to r are taken has the value (n mod (l + r)) div l (AtCoder ABC 297 G).

    Faults it sees: a quotient where one value is not the quotient; cases in place of it.
    """
    takings = [[*range(least, most + 1)]] * 2
    found = by_values(game_of(rules(takings)), "normal", Budget(30), lambda _: None)
    whole = least + most
    assert (
        str(found.claim.losing_formula) == f"a mod {whole} div {least} = b mod {whole} div {least}"
    )
    for state in product(range(20), repeat=2):
        values = dict(zip("ab", state, strict=True))
        assert satisfies(found.claim.losing_formula, values) == is_lost(takings, state)


@settings(max_examples=5, deadline=None)
@given(st.lists(st.sets(st.integers(1, 5), min_size=1, max_size=3), min_size=2, max_size=2))
def test_what_is_claimed_of_any_two_piles_is_what_play_says(takings):
    """Faults it sees: a part that is taken for another although its rules differ."""
    takings = [sorted(amounts) for amounts in takings]
    found = by_values(game_of(rules(takings)), "normal", Budget(30), lambda _: None)
    solution = None if found is None else found.prove(Budget(30))
    if solution is not None:
        assert_right(takings, solution, 13)


def test_a_wrong_value_is_not_believed():
    """Faults it sees: an answer from values that are not proved anew."""
    found = by_values(game_of(rules([[1, 2], [1, 2, 3, 4]])), "normal", Budget(30), print)
    assert found is not None
    assert found.prove(Budget(10)).is_proved
    losing = parse_formula("a mod 3 = b mod 4", ["a", "b"])
    claim = replace(found.claim, winning=Claim(negation(losing)), losing=Claim(losing))
    assert replace(found, claim=claim).prove(Budget(10)) is None


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (
            "action both pre a >= 1 and b >= 1 eff a := a - 1, b := b - 1",
            "normal",
        ),
        ("end a = 0", "normal"),
        ("block 1", "normal"),
        ("", "misere"),
    ],
)
def test_what_is_no_sum_has_no_values_of_parts(change, rule):
    """A move in both piles, an end of one pile that ends both, forbidden options, misere play.

    Faults it sees: a sum taken for granted.
    """
    game = game_of(f"{rules([[1, 2], [1, 2, 3]])}\n{change}")
    assert by_values(game, rule, Budget(10), lambda _: None) is None


@cache
def is_lost_in_misere(takings, state):
    after = [
        (*state[:i], pile - k, *state[i + 1 :])
        for i, pile in enumerate(state)
        for k in takings[i]
        if k <= pile
    ]
    return bool(after) and not any(is_lost_in_misere(takings, each) for each in after)


@pytest.mark.slow
@pytest.mark.parametrize(
    "takings",
    [pytest.param([range(1, 4)] * 3, marks=pytest.mark.nightly), [[1, 2], [1, 2, 3], [1, 2]]],
)
def test_three_piles_under_misere_play_are_told_as_nim_is(takings):
    """Faults it sees: normal play's formula; one that is told although small values differ."""
    solution = solve(game_of(rules([*map(list, takings)])), "misere", Budget(60))
    assert solution.is_proved
    assert str(solution.losing_formula).startswith("(max(")
    for state in product(range(7), repeat=3):
        assert solution.is_winning(state) != is_lost_in_misere(tuple(map(tuple, takings)), state)


def test_no_misere_formula_by_values_is_believed_where_play_says_otherwise():
    """Of 2 or 3 that are taken, a pile of 1 has no move and the value 0, as the pile 5 has.

    Fault it sees: Nim's rule taken for that of all sums.
    """
    for takings in ([[2, 3]] * 3, [[1, 3, 4], [2], [1, 2]]):
        claim = by_values(game_of(rules(takings)), "misere", Budget(10), lambda _: None)
        if claim is None:
            continue
        wrong = [
            state
            for state in product(range(9), repeat=3)
            if satisfies(claim.claim.losing_formula, dict(zip("abc", state, strict=True)))
            != is_lost_in_misere(tuple(map(tuple, takings)), state)
        ]
        assert not wrong or claim.proved(Budget(5)) is None


@pytest.mark.slow
def test_values_that_no_term_says_tell_who_wins(capfd, tmp_path):
    """Nordic Mathematical Contest 2023, 1: what is left of n + 1 without its factors of 2, halved.

    Fault it sees: "nothing is claimed" after the whole time, with the values known.
    """
    path, kept = tmp_path / "half.icg", tmp_path / "half.json"
    path.write_text(
        "game half var a, b legal a >= 0 and b >= 0 "
        "action take_a(k) pre 1 <= k and 2 * k <= a eff a := a - k "
        "action take_b(k) pre 1 <= k and 2 * k <= b eff b := b - k"
    )
    assert run(["solve", str(path), "-q", "-o", str(kept)]) == 0
    found = json.loads(kept.read_text("utf-8"))
    assert (found["kind"], found["status"]) == ("value", "solved")
    assert "loses iff g(a, b) = 0" in capfd.readouterr().out
    for state, wins in (("67,33", False), ("96,4", True)):
        assert run(["solve", str(path), "--at", state, "--json", "-q"]) == 0
        assert json.loads(capfd.readouterr().out)["winning"] is wins


def test_functions_of_one_shape_share_a_name():
    """Faults it sees: a name for functions that differ; a name that the game has."""
    term = parse_term("(if a mod 2 = 0 then 1 else 0) + (if b mod 2 = 0 then 1 else 0)", ["a", "b"])
    other = parse_term("if c mod 2 = 1 then 1 else 0", ["c"])
    one = NamedCases.of([term], ["a", "b"])
    assert str(one.name_cases(term)) == "g(a) + g(b)"
    assert [*one.lines()] == ["  g(n) = 1  if n mod 2 = 0", "         0  otherwise"]
    two = NamedCases.of([term, other], ["g1"])
    assert (str(two.name_cases(term)), str(two.name_cases(other))) == ("g2(a) + g2(b)", "g3(c)")


def test_value_names_the_functions_of_a_sum(tmp_path, capsys):
    """Faults it sees: the cases of each pile in every line."""
    path = tmp_path / "piles.icg"
    path.write_text(rules([[1, 3, 4]] * 3))
    assert run(["value", str(path)]) == 0
    text = capsys.readouterr().out
    assert "g(a, b, c) = g1(a) xor g1(b) xor g1(c)" in text
    assert text.count("n mod 7 = 5") == 1


def test_xor_of_the_values():
    """The oracle above agrees with the theorem: three piles by Sprague and Grundy."""
    values = [0, 1, 0, 1, 2, 3, 2]
    for state in product(range(9), repeat=3):
        total = reduce(xor, (values[n % 7] for n in state))
        assert is_lost([[1, 3, 4]] * 3, state) == (total == 0)


def test_the_cases_of_a_whole_value_stay_where_they_are(capsys):
    """A game of one pile is its own g.  Faults it sees: a name that was never given."""
    assert run(["value", "subtraction_134"]) == 0
    text = capsys.readouterr().out
    assert "g(v) has period 7:\n    0 1 0 1 2 3 2\n" in text
