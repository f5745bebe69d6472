"""Grundy functions of parametric games: values by definition, what is proved, what is refuted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import worth as worth_of
from store import stored

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.claims.game import sum_obligations
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.explicit.labels import UNKNOWN
from icgsynth.game.answers import Verdict
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.components import components
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import value
from icgsynth.prove.discharge import discharge
from icgsynth.prove.values import BesideHeap, proved_parts
from icgsynth.prove.well_formed import check_twice
from icgsynth.spec.icg import parse_formula, parse_term
from icgsynth.synth.values.grundy_search import grundy


def _game(name: str) -> ParametricGame:
    return icg.load(name).game


def _states(game: ParametricGame, bound: int) -> list[State]:
    corners = product(range(-bound, bound + 1), repeat=len(game.variables))
    return [state for state in corners if game.is_legal(state)]


# --- values of a box --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["take_away", "nim2", "chomp_2row", "bounded_wythoff", "wythoff", "race_to_goal"]
)
def test_values_of_a_box_are_those_of_the_definition(name: str) -> None:
    game = _game(name)
    found = box_values(game, Box.of(game, 100 if name == "race_to_goal" else 7))
    worth = worth_of(game)
    known = found.known
    assert known.any()
    rows = zip(found.box.states[known].tolist(), found.values[known].tolist(), strict=True)
    assert all(worth(tuple(state)) == number for state, number in rows)


def test_a_state_with_a_move_out_of_the_box_is_unknown_and_so_is_what_leads_to_it() -> None:
    game = icg.loads("game up\nvar v\nlegal 0 <= v <= 9\naction go pre v < 9 eff v := v + 1\n").game
    found = box_values(game, Box(game.variables, ((0, 5),), game.legal))
    assert (found.values == UNKNOWN).all()
    whole = box_values(game, Box(game.variables, ((0, 9),), game.legal))
    assert whole.values.tolist() == [1, 0] * 5


def test_values_on_a_cycle_are_unknown() -> None:
    text = "game turn\nvar v\nlegal 0 <= v <= 3\n"
    text += "action on pre v <= 1 eff v := 1 - v\naction off pre v = 3 eff v := 2\n"
    game = icg.loads(text).game
    assert box_values(game, Box.of(game, 3)).values.tolist() == [UNKNOWN, UNKNOWN, 0, 1]


# --- beside a heap ----------------------------------------------------------------------------


def test_the_game_beside_a_heap_is_lost_where_the_heap_is_the_value() -> None:
    game = _game("chomp_2row")  # which declares an end: it must not end the heap
    both, worth = beside_heap(game), worth_of(game)
    lost = worth_of(both)
    for state in _states(game, 4):
        assert [z for z in range(9) if lost((*state, z)) == 0] == [worth(state)]


def test_the_heap_has_names_of_its_own() -> None:
    text = "game z\nvar z, z1\nlegal z >= 0 and z1 >= 0\n"
    text += "action nim(k) pre 1 <= k <= z eff z := z - k\n"
    both = beside_heap(icg.loads(text).game)
    assert both.variables == ("z", "z1", "z2")
    assert [a.name for a in both.actions] == ["nim", "nim1"]
    assert both.actions[1].parameters == ("k1",)


# --- what is found and proved -----------------------------------------------------------------

_CHOMP = (
    "if (a + b) mod 2 = 0 then (2 * a + b - 1) div 2 "
    "else min(3 * ((a - b - 1) div 2), a - b - 1 + b div 2)"
)


@pytest.mark.parametrize(
    ("name", "known", "bound"),
    [
        ("take_away", lambda v: v % 4, 40),
        ("race_to_goal", lambda v: (100 - v) % 11, 100),
        pytest.param(
            "bounded_wythoff", lambda a, b: (a + b) % 3, 12, marks=pytest.mark.slow
        ),  # by default its report is read
        pytest.param("circular_nim_2_2", lambda a, b: a + b, 12, marks=pytest.mark.slow),
        ("nim2", lambda a, b: a ^ b, 20),
        pytest.param(
            "mixed_take_away2", lambda a, b: (a % 3) ^ (b % 5), 20, marks=pytest.mark.slow
        ),
        pytest.param("chomp_l", lambda a, b: (a - 1) ^ (b - 1), 20, marks=pytest.mark.slow),
        ("monotonic_nim2", lambda a, b: b - a, 12),
        ("two_sided_take_away", lambda v: abs(v) % 4, 40),
        pytest.param(
            *("cyclic_nimhoff", lambda a, b: 4 * ((a // 4) ^ (b // 4)) + (a + b) % 4, 20),
            marks=pytest.mark.slow,
        ),
        ("subtraction_134", lambda v: (0, 1, 0, 1, 2, 3, 2)[v % 7], 60),
    ],
)
def test_known_functions_are_found_and_proved(
    name: str, known: Callable[..., int], bound: int
) -> None:
    """The values are from the literature: the citations of the games, and Winning Ways."""
    answer = grundy(_game(name), Budget(90.0))
    assert answer.is_proved, answer.notes
    assert answer.term is not None
    assert set(answer.proof.values()) == {Verdict.PROVED}
    assert len(answer.confirmed["keeps"]) >= 2
    assert all(answer(s) == known(*s) for s in _states(answer.game, bound))


@pytest.mark.slow
def test_chomp_on_two_rows_agrees_with_its_known_term() -> None:
    game = _game("chomp_2row")
    answer = grundy(game, Budget(90.0))
    assert answer.is_proved, answer.notes
    known = parse_term(_CHOMP, game.variables)
    for state in _states(game, 25):
        assert answer(state) == value(known, game.env(state))


def test_a_value_that_no_term_tells_is_an_automaton() -> None:
    game = _game("mark")
    answer = grundy(game, Budget(90.0))
    assert answer.is_proved, answer.notes
    assert isinstance(answer.automaton, Automaton)
    worth = worth_of(game)
    assert [answer((v,)) for v in range(200)] == [worth((v,)) for v in range(200)]
    assert answer.logic == "base-2"


@pytest.mark.parametrize(
    ("name", "why"), [("end_nim3", ("base 2", "32")), ("wythoff", ("base 2", "64", "256", "moves"))]
)
def test_what_is_not_found_is_unknown_and_says_why(name: str, why: tuple[str, ...]) -> None:
    answer = grundy(_game(name), Budget(20.0))
    assert (answer.status, answer.term, answer.automaton) == ("unknown", None, None)
    assert answer.proof["keeps"] is answer.proof["reaches"] is Verdict.UNKNOWN
    assert answer.to_json()["value"] is None
    assert all(word in " ".join(answer.notes) for word in why), answer.notes


def test_play_that_need_not_end_has_no_values() -> None:
    text = "game turn\nvar v\nlegal 0 <= v <= 3\naction on pre v <= 1 eff v := 1 - v\n"
    answer = grundy(icg.loads(text).game, Budget(20.0))
    assert answer.status == "unknown"
    assert answer.proof["termination"] is Verdict.REFUTED
    assert answer.cycle


# --- false terms ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "false"),
    [
        ("take_away", "v mod 5"),
        ("subtraction_134", "v mod 7"),
        ("chomp_2row", _CHOMP.replace("min(", "").split(",", maxsplit=1)[0]),
        ("circular_nim_2_2", "a + b + 1"),
        ("bounded_wythoff", "if a + b >= 1000000 then 0 else (a + b) mod 3"),
    ],
)
def test_false_terms_are_refuted(name: str, false: str) -> None:
    game = _game(name)
    term = parse_term(false, game.variables)
    judged = BesideHeap.of(game, Budget(30.0)).judge(term, Budget(60.0))
    assert judged.verdict is Verdict.REFUTED
    assert not judged.by


@pytest.mark.slow
def test_the_right_term_of_chomp_is_proved_as_people_write_it() -> None:
    game = _game("chomp_2row")
    judged = BesideHeap.of(game, Budget(30.0)).judge(
        parse_term(_CHOMP, game.variables), Budget(60.0)
    )
    assert judged.verdict is Verdict.PROVED, judged.why


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(
    factors=st.tuples(*[st.integers(-2, 3)] * 3),
    modulus=st.integers(2, 5),
    name=st.sampled_from(["bounded_wythoff", "circular_nim_2_2", "welter2"]),
)
def test_no_false_affine_term_is_ever_proved(
    factors: tuple[int, ...], modulus: int, name: str
) -> None:
    game = _game(name)
    total = "{} * a + {} * b + {}".format(*(f"({f})" for f in factors))
    both, worth = BesideHeap.of(game, Budget(30.0)), worth_of(game)
    for text in (total, f"({total}) mod {modulus}"):
        term = parse_term(text, game.variables)
        is_right = all(worth(s) == value(term, game.env(s)) for s in _states(game, 8))
        verdict = both.judge(term, Budget(30.0)).verdict
        assert verdict is not Verdict.PROVED or is_right
        assert verdict is not Verdict.REFUTED or not is_right


def test_a_false_automaton_is_not_proved() -> None:
    game = _game("mark")
    right = stored("value mark", lambda: grundy(game, Budget(90.0)), "synth").automaton
    assert right is not None
    flipped = (*right.accepting[:-1], not right.accepting[-1])
    wrong = Automaton(right.system, right.tracks, right.transitions, flipped)
    judged = BesideHeap.of(game, Budget(30.0)).judge(wrong, Budget(60.0))
    assert judged.verdict is not Verdict.PROVED


# --- sums -------------------------------------------------------------------------------------


def test_a_game_comes_apart_where_no_rule_joins_its_variables() -> None:
    parts = components(_game("mixed_take_away2"), end_is_implied=True)
    assert [part.variables for part in parts] == [("a",), ("b",)]
    assert [[a.name for a in part.actions] for part in parts] == [["take_a"], ["take_b"]]


@pytest.mark.parametrize(
    "change",
    [
        ("legal a >= 0 and b >= 0", "legal a >= 0 and b >= 0 and a + b <= 9"),
        ("1 <= k <= b", "1 <= k <= b and k <= a"),
        ("eff b := b - k", "eff b := b - k, a := a - 1"),
        ("legal a >= 0 and b >= 0", "legal a >= 0 and b >= 0\nend a = 0"),
    ],
)
def test_what_joins_two_variables_keeps_the_game_whole(change: tuple[str, str]) -> None:
    text = (
        "game two\nvar a, b\nlegal a >= 0 and b >= 0\n"
        "action take_a(k) pre 1 <= k <= a eff a := a - k\n"
        "action take_b(k) pre 1 <= k <= b eff b := b - k\n"
    )
    assert len(components(icg.loads(text).game, end_is_implied=False)) == 2
    game = icg.loads(text.replace(*change)).game
    assert components(game, end_is_implied=False) == (game,)


FALSE_PARTS = {
    "a state too few": lambda part: replace(part, legal=parse_formula("0 <= a <= 9", ("a",))),
    "a state too many": lambda part: replace(part, legal=parse_formula("a >= -1", ("a",))),
    "a move too few": lambda part: _with(part, precondition=_said("1 <= k <= a and k <= 1")),
    "a move too many": lambda part: _with(part, precondition=_said("1 <= k <= a and k <= 3")),
    "another result": lambda part: _with(part, effects=(("a", parse_term("a - 1", ("a",))),)),
}


def _said(text: str) -> t.Formula:
    return parse_formula(text, ("a", "k"))


def _with(part: ParametricGame, **changes: Any) -> ParametricGame:
    return replace(part, actions=(replace(part.actions[0], **changes),))


@pytest.mark.parametrize("fault", FALSE_PARTS)
def test_parts_that_a_game_is_not_the_sum_of_are_refuted(fault: str, monkeypatch) -> None:
    game = _game("mixed_take_away2")
    report = check_twice(game, Budget(30.0))
    first, second = proved_parts(game, report, Budget(30.0))
    assert (first.variables, second.variables) == (("a",), ("b",))
    wrong = (FALSE_PARTS[fault](first), second)
    assert discharge(sum_obligations(game, wrong), Budget(30.0)).verdict is Verdict.REFUTED
    monkeypatch.setattr("icgsynth.prove.values.components", lambda *_: wrong)
    assert proved_parts(game, report, Budget(30.0)) == ()


def test_parts_have_each_action_and_each_variable_once() -> None:
    game = _game("mixed_take_away2")
    first, second = components(game, end_is_implied=True)
    for wrong in ((first,), (first, second, second), (first, replace(second, actions=()))):
        with pytest.raises(Refused):
            list(sum_obligations(game, wrong))


def test_an_end_that_says_nothing_of_its_own_does_not_join_the_parts() -> None:
    text = (
        "game two\nvar a, b\nlegal a >= 0 and b >= 0\nend a = 0 and b = 0\n"
        "action take_a(k) pre 1 <= k <= a and k <= 2 eff a := a - k\n"
        "action take_b(k) pre 1 <= k <= b and k <= 4 eff b := b - k\n"
    )
    game = icg.loads(text).game
    answer, worth = grundy(game, Budget(60.0)), worth_of(game)
    assert str(answer.term) == "a mod 3 xor b mod 5"
    assert all(answer(s) == worth(s) == (s[0] % 3) ^ (s[1] % 5) for s in _states(game, 12))


def test_an_end_of_all_parts_at_once_is_no_sum() -> None:
    """Where b = 0 ends the game, pile a is dead: the value there is 0, and not a."""
    text = (
        "game two\nvar a, b\nlegal a >= 0 and b >= 0\nend b = 0\n"
        "action take_a(k) pre 1 <= k <= a eff a := a - k\n"
        "action take_b(k) pre 1 <= k <= b eff b := b - k\n"
    )
    game = icg.loads(text).game
    answer = grundy(game, Budget(30.0))
    worth = worth_of(game)
    assert worth((3, 0)) == 0
    if answer.is_proved:
        assert all(answer(s) == worth(s) for s in _states(game, 9))


# --- random games ---------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.sets(st.integers(1, 7), min_size=1, max_size=3))
def test_what_is_proved_of_a_subtraction_game_is_right_far_beyond_the_box(taken: set[int]) -> None:
    numbers = ", ".join(map(str, sorted(taken)))
    text = "game sub\nvar v\nlegal v >= 0\n"
    text += f"action take(k) pre k in {{{numbers}}} and k <= v eff v := v - k\n"
    game = icg.loads(text).game
    answer = grundy(game, Budget(20.0))
    values: list[int] = []
    for v in range(600):
        met = {values[v - k] for k in taken if k <= v}
        values.append(next(n for n in range(len(met) + 1) if n not in met))
    if answer.is_proved:
        assert [answer((v,)) for v in range(600)] == values


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(any), min_size=1, max_size=3))
def test_what_is_proved_of_a_vector_game_is_right_beyond_the_box(
    moves: set[tuple[int, int]],
) -> None:
    text = "game vectors\nvar a, b\nlegal a >= 0 and b >= 0\n"
    for i, (x, y) in enumerate(sorted(moves)):
        text += f"action m{i} pre a >= {x} and b >= {y} eff a := a - {x}, b := b - {y}\n"
    answer = grundy(icg.loads(text).game, Budget(20.0))
    values = np.zeros((75, 75), dtype=np.int64)
    for a, b in product(range(75), repeat=2):
        met = {values[a - x, b - y] for x, y in moves if x <= a and y <= b}
        values[a, b] = next(n for n in range(len(met) + 1) if n not in met)
    if answer.is_proved:
        far = [*product((0, 1, 2, 3, 71, 72, 73, 74), repeat=2)]
        assert [answer(state) for state in far] == [values[state] for state in far]


# --- searches that go on --------------------------------------------------------------------------

SLOW = """game slow "Take one from two or from all three piles"
var x, y, z
legal x >= 0 and y >= 0 and z >= 0
action xy  pre x >= 1 and y >= 1             eff x := x - 1, y := y - 1
action yz  pre y >= 1 and z >= 1             eff y := y - 1, z := z - 1
action zx  pre z >= 1 and x >= 1             eff z := z - 1, x := x - 1
action all pre x >= 1 and y >= 1 and z >= 1  eff x := x - 1, y := y - 1, z := z - 1
"""


@pytest.mark.slow
def test_larger_boxes_are_taken_while_there_is_time() -> None:
    """A box of side 64 is too small for its automaton, and one of side 128 is not."""
    game = icg.loads(SLOW).game
    found = grundy(game, Budget(60), has_strategy=False)
    assert found.is_proved
    worth = worth_of(game)
    for state in _states(game, 9):
        assert found(state) == worth(state)
