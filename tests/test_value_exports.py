"""Grundy values in other languages: each says what the values are by definition."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.codes import BAD_INPUT, DONE
from icgsynth.export import export
from icgsynth.export.smt2 import smt2_files
from icgsynth.export.value_formats import as_losing_set
from icgsynth.game.box import Box
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.values.grundy_box import box_values

FAR = st.integers(0, 10**30)


@cache
def _answer(name: str) -> GrundyAnswer:
    return icg.load(name).value()


@cache
def _module(name: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "exported"}
    exec(compile(export(_answer(name), "python"), name, "exec"), namespace)
    return namespace


def _write(data: dict[str, Any], folder: Path) -> str:
    file = folder / "g.json"
    file.write_text(json.dumps(data), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    ("name", "bound", "has_moves"),
    [
        ("take_away", 20, True),
        ("nim2", 9, True),
        ("subtraction_134", 40, True),
        ("take_up_to_half", 60, False),  # a recursion
        pytest.param("mark", 60, True, marks=pytest.mark.slow),  # an automaton
        pytest.param("delete_nim", 12, False, marks=pytest.mark.slow),  # exponents
        pytest.param("two_sided_take_away", 9, True, marks=pytest.mark.slow),
        pytest.param("mixed_take_away2", 12, True, marks=pytest.mark.slow),
        pytest.param("all_but_nim2", 12, True, marks=pytest.mark.slow),
    ],
)
def test_a_module_knows_the_values_and_the_moves(name: str, bound: int, has_moves: bool) -> None:
    module, game = _module(name), _answer(name).game
    found = box_values(game, Box.of(game, bound))
    checked = 0
    for row, value in zip(found.box.states.tolist(), found.values.tolist(), strict=True):
        if value < 0:
            continue
        assert module["value"](*row) == value
        assert module["is_winning"](*row) == (value > 0)
        if not has_moves:
            continue
        assert module["move"](*row, target=value) is None
        assert (module["move"](*row) is None) == (value == 0)
        for target in range(value):
            action, params = module["move"](*row, target=target)
            after = module["result"](action, params, *row)
            assert module["value"](*after) == target
            assert module["move"](*row, target) == (action, params)
            checked += 1
    assert checked or not has_moves


def test_a_module_refuses_what_is_no_state_and_no_value() -> None:
    module = _module("nim2")
    for wrong in ((1,), (1, 2, 3, 4), (1, -1), (1, True), ("1", 2)):
        with pytest.raises(ValueError, match=r"legal|wanted|int"):
            module["move"](*wrong)
    for target in (-1, 0.5, None):
        with pytest.raises(ValueError, match=r"negative|int"):
            module["move"](5, 2, target=target)


@settings(max_examples=60, deadline=None)
@given(FAR, FAR, FAR)
def test_a_module_plays_far_states(a: int, b: int, c: int) -> None:
    nim, take = _module("nim2"), _module("take_away")
    assert nim["value"](a, b) == a ^ b
    made = nim["move"](a, b, target=c)
    assert (made is None) == (c >= a ^ b)
    if made is not None:
        x, y = nim["result"](*made, a, b)
        assert x ^ y == c
    for target in range(a % 4):
        (after,) = take["result"](*take["move"](a, target=target), a)
        assert after % 4 == target


def test_a_solver_finds_no_model_of_any_obligation() -> None:
    for name in ("take_away", "subtraction_134"):
        scripts = list(smt2_files(as_losing_set(_answer(name))))
        assert len(scripts) > 10
        for _, text in scripts:
            solver = z3.Solver()
            solver.from_string(text)
            assert solver.check() == z3.unsat


def test_a_b_file_is_the_sequence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _write(_answer("subtraction_134").to_json(), tmp_path)
    assert run(["export", file, "--to", "bfile", "--terms", "50"]) == DONE
    lines = capsys.readouterr().out.splitlines()
    values: list[int] = []
    for v in range(50):
        met = {values[v - k] for k in (1, 3, 4) if k <= v}
        values.append(next(n for n in range(4) if n not in met))
    assert [line for line in lines if not line.startswith("#")] == [
        f"{n} {value}" for n, value in enumerate(values)
    ]


def test_a_nim_sequence_is_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = [0]
    for n in range(1, 200):  # Kayles: take 1 or 2 and leave two heaps at most
        left = [n - k for k in (1, 2) if k <= n]
        met = {values[i] ^ values[rest - i] for rest in left for i in range(rest + 1)}
        values.append(next(g for g in range(len(met) + 1) if g not in met))
    file = str(tmp_path / "kayles.json")
    assert run(["value", "0.77", "-o", file, "--quiet"]) == DONE
    capsys.readouterr()
    assert run(["export", file, "--to", "bfile", "--terms", "200"]) == DONE
    rows = [line for line in capsys.readouterr().out.splitlines() if not line.startswith("#")]
    assert rows == [f"{n} {value}" for n, value in enumerate(values)]
    assert run(["export", file, "--to", "python"]) == DONE
    namespace: dict[str, Any] = {}
    exec(compile(capsys.readouterr().out, "kayles", "exec"), namespace)
    assert [namespace["value"](n) for n in range(200)] == values
    assert namespace["value"](10**30, 10**30, 5) == values[5]
    assert not namespace["is_winning"](70, 70)
    assert run(["export", file, "--to", "latex"]) == DONE
    assert "G(n + 12) = G(n)" in capsys.readouterr().out
    assert run(["export", file, "--to", "walnut"]) == BAD_INPUT


def test_json_is_the_file_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = _answer("nim2").to_json()
    assert run(["export", _write(data, tmp_path), "--to", "json"]) == DONE
    again = json.loads(capsys.readouterr().out)
    del data["explicit"]["far"]  # is not read
    assert again == data


@pytest.mark.slow
@pytest.mark.parametrize("fmt", ["latex", "dot", "walnut", "mona"])
def test_an_automaton_is_said_in_the_languages_of_automata(
    fmt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", _write(_answer("mark").to_json(), tmp_path), "--to", fmt]) == DONE
    text = capsys.readouterr().out
    words = {"latex": "g(v) =", "dot": "digraph", "walnut": "msd_2 msd_2", "mona": "pred losing"}
    assert words[fmt] in text


@pytest.mark.parametrize(
    ("name", "fmt"),
    [("nim2", "smt2"), ("nim2", "bfile"), ("take_away", "walnut"), ("take_away", "fft")],
)
def test_what_a_format_cannot_say_is_one_message(
    name: str, fmt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = _write(_answer(name).to_json(), tmp_path)
    assert run(["export", file, "--to", fmt]) == BAD_INPUT
    assert capsys.readouterr().err.count("icgsynth:") == 1


def test_options_of_other_answers_are_bad_usage(tmp_path: Path) -> None:
    file = _write(_answer("take_away").to_json(), tmp_path)
    assert run(["export", file, "--to", "python", "--rule", "normal"]) == BAD_INPUT
    assert run(["export", file, "--to", "python", "--terms", "5"]) == BAD_INPUT
    broken = _write(_answer("take_away").to_json() | {"game": "nim2", "rules": "game"}, tmp_path)
    assert run(["export", broken, "--to", "python"]) == BAD_INPUT
