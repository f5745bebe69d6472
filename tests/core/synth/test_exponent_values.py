"""Grundy values that grow like a logarithm, and sums whose parts are told by automata."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import validate
from speed import sampled
from store import stored

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, REFUTED, UNKNOWN
from icgsynth.errors import InputError
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.value_forms import ExponentValue, SumValue
from icgsynth.logic.term import Int
from icgsynth.prove.values import far_of_sum
from icgsynth.synth.values.grundy_search import grundy

HALF = (
    "game half\nvar a\nlegal a >= 0\naction take(k) pre 1 <= k <= a and a <= 2 * k eff a := a - k"
)
THIRD = HALF.replace("a <= 2 * k", "2 * a <= 3 * k")  # leaves a third at most
HALVES = """game halves
var a, b
legal a >= 0 and b >= 1
action half_a pre a >= 1 eff a := a div 2
action one_a  pre a >= 1 eff a := a - 1
action half_b(k) pre 1 <= k < b and b <= 2 * k eff b := b - k
"""


@cache
def _answer(text: str) -> GrundyAnswer:
    """Return the values of a game: ``text`` is its rules, or its name in the catalog."""
    spec = icg.loads(text) if "\n" in text else icg.load(text)
    return stored(f"value {text}", lambda: grundy(spec.game, Budget(60.0)), "synth")


def _by_definition(game: ParametricGame) -> Callable[[State], int]:
    """The least number that is no value after a move."""

    @cache
    def worth(at: State) -> int:
        met = {worth(game.result(at, move)) for move in game.moves(at)}
        return next(n for n in range(len(met) + 1) if n not in met)

    return worth


def _digits(number: int, base: int) -> int:
    return 0 if number == 0 else 1 + _digits(number // base, base)


@pytest.mark.parametrize("base", [2, 3, 10])
def test_a_heap_of_powers_is_worth_its_digits_less_one(base: int) -> None:
    still = icg.loads("game still\nvar v\nlegal v = 0\naction none pre v > 0 eff v := 0").game
    worth = _by_definition(beside_heap(still, base))
    for number in range(1, 101):
        assert worth((0, number)) == _digits(number, base) - 1


@sampled(("text", "base"), [(HALF, 2), (THIRD, 3)])
def test_a_pile_of_which_much_is_taken_is_worth_its_digits(text: str, base: int) -> None:
    answer = _answer(text)
    assert answer.is_proved
    assert isinstance(answer.value, ExponentValue)
    assert answer.logic == f"base-{base}"
    for number in [*range(100), base**40 - 1, base**40, 10**30, 2**63 - 1, 2**63]:
        assert answer((number,)) == _digits(number, base)


@pytest.mark.parametrize(
    ("name", "less"),
    [("delete_nim", 0), pytest.param("empty_and_divide", 1, marks=pytest.mark.slow)],
)
def test_the_published_values_of_delete_nim(name: str, less: int) -> None:
    # Abuku and Suetsugu, Delete Nim (2021): the 2-adic valuation of (a or b) + 1
    answer = _answer(name)
    assert answer.is_proved
    rng = random.Random(3)
    for _ in range(300):
        a, b = (rng.getrandbits(rng.randrange(1, 99)) for _ in "ab")
        joined = (a | b) + 1
        assert answer((a + less, b + less)) == (joined & -joined).bit_length() - 1


@pytest.mark.slow
def test_parts_without_a_term_are_added() -> None:
    answer = _answer(HALVES)
    worth = _by_definition(answer.game)
    assert answer.is_proved
    assert isinstance(answer.value, SumValue)
    for a in range(12):
        for b in range(1, 12):
            assert answer((a, b)) == worth((a, b))


@pytest.mark.slow
def test_a_wrong_part_is_seen_at_moves_of_the_whole() -> None:
    answer = _answer(HALVES)
    assert isinstance(answer.value, SumValue)
    assert far_of_sum(answer.game, answer.value, (), Budget(20.0)).disagreements == 0
    for kept in answer.value.parts:
        found = far_of_sum(answer.game, SumValue((kept, Int(3))), (), Budget(20.0))
        assert found.disagreements == 1


@pytest.mark.slow
def test_two_piles_of_which_half_is_taken() -> None:
    answer = _answer("at_least_half2")
    assert answer.is_proved
    for a, b in ((0, 0), (5, 6), (10**30, 7), (2**63, 2**62), (3, 2**80)):
        assert answer((a, b)) == a.bit_length() ^ b.bit_length()


# --- files -----------------------------------------------------------------------------------


def _written(tmp_path: Path, text: str) -> tuple[str, Path, dict[str, Any]]:
    spec, file = tmp_path / "game.icg", tmp_path / "g.json"
    spec.write_text(text, "utf-8")
    return str(spec), file, json.loads(json.dumps(_answer(text).to_json()))


def _verified(spec: str, file: Path, data: dict[str, Any]) -> int:
    file.write_text(json.dumps(data), "utf-8")
    return run(["verify", spec, str(file), "--quiet"])


@pytest.mark.parametrize("text", [HALF, HALVES])
def test_what_is_written_is_as_the_schema_says_and_proved_again(text: str, tmp_path: Path) -> None:
    spec, file, data = _written(tmp_path, text)
    validate(data)
    assert _verified(spec, file, data) == DONE


def test_no_mutant_of_an_automaton_of_exponents_is_proved(tmp_path: Path) -> None:
    spec, file, data = _written(tmp_path, HALF)
    right = data["value"]["automaton"]
    changes = [
        (state, symbol, target)
        for state, row in enumerate(right["transitions"])
        for symbol in range(len(row))
        for target in range(len(right["transitions"]))
        if target != row[symbol]
    ]
    for state, symbol, target in random.Random(16).sample(changes, 8):
        rows = [list(row) for row in right["transitions"]]
        rows[state][symbol] = target
        changed = data["value"] | {"automaton": right | {"transitions": rows}}
        try:
            assert _verified(spec, file, data | {"value": changed}) in (REFUTED, UNKNOWN)
        except InputError:
            continue  # no automaton of numbers any more
    as_number = {"automaton": right}  # the same automaton, its last track read as the value
    assert _verified(spec, file, data | {"value": as_number}) == REFUTED


@pytest.mark.slow
def test_a_sum_that_leaves_out_a_part_or_tells_it_twice_is_not_proved(tmp_path: Path) -> None:
    spec, file, data = _written(tmp_path, HALVES)
    one, other = data["value"]["xor"]
    for parts in ([one], [other], [one, one, other], [one, other, {"term": "1"}], [{"term": "0"}]):
        assert _verified(spec, file, data | {"value": {"xor": parts}}) in (REFUTED, UNKNOWN)
    assert _verified(spec, file, data | {"value": {"xor": [other, one]}}) == DONE


@pytest.mark.parametrize(
    "change",
    [
        {"value_track": "unary"},
        {"automaton": {"tracks": ["b", "z"]}},
        {"automaton": {"system": "zeckendorf"}},
    ],
)
def test_a_broken_file_is_bad_input(
    change: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec, file, data = _written(tmp_path, HALF)
    value = data["value"]
    value |= {k: value[k] | v if isinstance(v, dict) else v for k, v in change.items()}
    assert _verified(spec, file, data) == BAD_INPUT
    assert _verified(spec, file, data | {"value": {"xor": []}}) == BAD_INPUT
    assert "nothing" in capsys.readouterr().err
