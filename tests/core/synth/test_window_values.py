"""Piles of which a player leaves any number from a certain one on: a recursion for the values."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import worth as worth_of

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, REFUTED, UNKNOWN
from icgsynth.errors import Refused
from icgsynth.export import SCHEMA_PATH
from icgsynth.game.answers import Verdict
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.value_forms import SumValue, WindowValue
from icgsynth.heaps.proof.heap_claims import judge_function
from icgsynth.heaps.rules.heap_file import read_function
from icgsynth.prove.windows import judge_window, one_move_to
from icgsynth.spec.icg import parse, parse_term
from icgsynth.spec.source import Source
from icgsynth.synth.values.game_mover import GameMover
from icgsynth.synth.values.grundy_search import grundy
from icgsynth.synth.values.short_terms import window

PILE = "game pile\nvar v\nlegal v >= {least}\naction take(k) pre k >= 1 and {most} eff v := v - k\n"
HALF = PILE.format(least=0, most="2 * k <= v")
THIRD = PILE.format(least=0, most="3 * k <= v")
LESS_THAN_HALF = PILE.format(least=1, most="2 * k < v")
TWO_THIRDS = PILE.format(least=0, most="3 * k <= 2 * v")
PILES = """game piles
var a, b
legal a >= 0 and b >= 0
action take_a(k) pre k >= 1 and 2 * k <= a eff a := a - k
action take_b(k) pre k >= 1 and 3 * k <= b eff b := b - k
"""


@cache
def _answer(text: str) -> GrundyAnswer:
    return grundy(icg.loads(text).game, Budget(60.0))


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 9), st.integers(0, 8), st.integers(0, 12), st.integers(-5, 5))
def test_the_recursion_is_the_least_value_that_no_option_has(
    below: int, less: int, offset: int, least: int
) -> None:
    above = max(1, below - less)
    text = f"min(max(({above} * (v - {least}) + {offset}) div {below} + {least}, {least}), v)"
    value = WindowValue("v", parse_term(text, ("v",)), least)
    values: dict[int, int] = {}
    for v in range(least, least + 60):
        low = min(max((above * (v - least) + offset) // below + least, least), v)
        met = {values[w] for w in range(low, v)}
        values[v] = next(n for n in range(len(met) + 1) if n not in met)
        assert value.at(v) == values[v]
    assert {value.option(v, n) for n in range(v - low + 1)} == set(range(low, v + 1))
    assert all(values[value.option(v, n)] == n for n in range(v - low + 1))


def test_one_move_is_won_where_a_move_leads_to_the_target() -> None:
    game = icg.loads(TWO_THIRDS).game
    aimed = one_move_to(game)
    for v in range(20):
        reached = {game.result((v,), move)[0] for move in game.moves((v,))}
        assert reached == {m for m in range(20) if list(aimed.moves((v, m)))}


@pytest.mark.parametrize(
    "text", [HALF, *(pytest.param(t, marks=pytest.mark.slow) for t in (THIRD, LESS_THAN_HALF))]
)
def test_a_pile_of_which_a_part_may_be_taken(text: str) -> None:
    answer = _answer(text)
    assert answer.is_proved
    assert isinstance(answer.value, WindowValue)
    worth = worth_of(answer.game)
    assert all(answer((v,)) == worth((v,)) for v in range(1, 200))


def test_half_of_a_pile_far_out() -> None:
    # g(2 n) = n and g(2 n + 1) = g(n)
    for n in (0, 5, 2**31, 2**62 - 1, 2**63, 10**30):
        assert _answer(HALF)((2 * n,)) == n
        assert _answer(HALF)((2 * n + 1,)) == _answer(HALF)((n,))
    assert _answer(HALF)((2**100 - 1,)) == 0


@pytest.mark.slow
def test_a_move_of_two_such_piles_far_out() -> None:
    answer = _answer(PILES)
    mover = GameMover(answer)
    for state in ((10**30, 3 * 10**29), (2**64 - 1, 3**40), (12, 11)):
        value = answer(state)
        for target in {0, value // 3, value - 1} - {value, -1}:
            move = mover.move(state, target, Budget(20.0))
            assert move is not None
            assert answer.game.applies(state, move)
            assert answer(answer.game.result(state, move)) == target


def test_two_such_piles_are_added() -> None:
    answer = _answer(PILES)
    assert answer.is_proved
    assert isinstance(answer.value, SumValue)
    worth = worth_of(answer.game)
    assert all(answer((a, b)) == worth((a, b)) for a in range(13) for b in range(13))


@pytest.mark.parametrize(
    ("most", "low"),
    [
        ("2 * k <= v", "v div 2"),  # one too low for odd piles
        ("2 * k <= v", "(v + 2) div 2"),  # more than there is at 0
        ("2 * k <= v", "v"),
        ("2 * k <= v and k mod 2 = 1", "(v + 1) div 2"),  # every second number is left out
        ("2 * k <= v and k != 1000", "(v + 1) div 2"),  # one number far out is
        ("2 * k <= v or v = 900 and k = 800", "(v + 1) div 2"),  # one move more
        ("k <= v", "max(v - 2 * (v div 2), 0)"),
        ("k <= v and k <= v - 2 * (v div 3)", "2 * (v div 3)"),  # low grows by 2
    ],
)
def test_what_is_not_the_window_is_refuted(most: str, low: str) -> None:
    game = icg.loads(PILE.format(least=0, most=most)).game
    claim = WindowValue("v", parse_term(low, ("v",)), 0)
    judged = judge_window(game, claim, Budget(60.0))
    assert judged.verdict is Verdict.REFUTED
    assert " = " in judged.why


def test_states_that_are_not_all_numbers_are_no_pile() -> None:
    for legal, least in (("v >= 0 and v != 7", 0), ("v >= 3", 2), ("v >= 3", 4), ("v <= 90", 0)):
        text = HALF.replace("legal v >= 0", f"legal {legal}")
        claim = WindowValue("v", parse_term("(v + 1) div 2", ("v",)), least)
        judged = judge_window(icg.loads(text).game, claim, Budget(60.0))
        assert judged.verdict is Verdict.REFUTED


def test_no_window_is_seen_where_moves_are_left_out_or_lead_up() -> None:
    for most in ("2 * k <= v and k mod 2 = 1", "k <= 3", "2 * k <= v or v = 90 and k = 80"):
        assert window(icg.loads(PILE.format(least=0, most=most)).game, Budget(9.0)) is None
    up = icg.loads("game up\nvar v\nlegal v >= 0\naction up pre v < 5 eff v := v + 1\n").game
    assert window(up, Budget(9.0)) is None


def test_a_recursion_that_is_too_long_is_refused() -> None:
    slow = WindowValue("v", parse_term("max(v - 3, 0)", ("v",)), 0)
    assert slow.at(1001) == 1
    with pytest.raises(Refused, match="too many steps"):
        slow.at(10**30)


# --- files -----------------------------------------------------------------------------------


def _verified(tmp_path: Path, text: str, data: dict[str, Any]) -> int:
    spec, file = tmp_path / "game.icg", tmp_path / "g.json"
    spec.write_text(text, "utf-8")
    file.write_text(json.dumps(data), "utf-8")
    return run(["verify", str(spec), str(file), "--quiet"])


@pytest.mark.parametrize("text", [HALF, PILES])
def test_what_is_written_is_proved_again(text: str, tmp_path: Path) -> None:
    data = json.loads(json.dumps(_answer(text).to_json()))
    schema = json.loads(SCHEMA_PATH.read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(data)
    assert _verified(tmp_path, text, data) == DONE


def test_a_changed_window_is_not_proved(tmp_path: Path) -> None:
    data = _answer(HALF).to_json()
    right = data["value"]["window"]
    for change in ({"low": "(v + 1) div 3"}, {"low": "v div 2"}, {"least": 1}, {"least": -1}):
        changed = data | {"value": {"window": right | change}}
        assert _verified(tmp_path, HALF, changed) in (REFUTED, UNKNOWN)
    for broken in ({"low": "w div 2"}, {"variable": "w"}, {"least": "0"}, {"low": "(v +"}):
        wrong = data | {"value": {"window": right | broken}}
        assert _verified(tmp_path, HALF, wrong) == BAD_INPUT


HEAPS = "heaps strange var n legal n >= 0 action take(k) pre 1 <= k <= n div {} into {}\n"


@pytest.mark.parametrize("divisor", [2, 3, 5])
def test_heaps_of_which_each_move_leaves_one(divisor: int, tmp_path: Path) -> None:
    """AtCoder ARC 091 F: the value of n is n / K where K divides n, else that of n - n div K - 1.

    Faults it sees: a heap that splits is taken for one that does not; the file says nothing of the
    recursion.
    """
    rules, answer = tmp_path / "strange.icg", tmp_path / "answer.json"
    rules.write_text(HEAPS.format(divisor, "n - k"))
    assert run(["value", str(rules), "-o", str(answer)]) == DONE
    assert run(["verify", str(rules), str(answer)]) == DONE

    def value(n: int) -> int:
        return n // divisor if n % divisor == 0 else value(n - n // divisor - 1)

    game = parse(Source("text", rules.read_text())).heaps()
    function = read_function(Source.read(answer), game.one_heap)
    assert isinstance(function, WindowValue)
    assert [function.at(n) for n in range(300)] == [value(n) for n in range(300)]
    split = parse(Source("text", HEAPS.format(divisor, "n - k, 0"))).heaps()
    assert judge_function(split, function, Budget(20)).verdict is not Verdict.PROVED
    other = replace(function, low=parse_term("n div 7", ("n",)))
    assert judge_function(game, other, Budget(20)).verdict is not Verdict.PROVED
