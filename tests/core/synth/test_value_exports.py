"""Grundy values in other languages: each says what the values are by definition."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_play import heap_values, worth

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.export import export
from icgsynth.export.panels import Palette, Table
from icgsynth.export.table import draw_table, values_text
from icgsynth.export.value_formats import as_losing_set
from icgsynth.formats.smt2 import smt2_files
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.subjects import AskedValue
from icgsynth.subjects.value_questions import value_box, value_table
from icgsynth.synth.values import grundy_search
from icgsynth.synth.values.grundy_search import nothing_known

FAR = st.integers(0, 10**30)


@cache
def _answer(name: str) -> GrundyAnswer:
    with pytest.MonkeyPatch.context() as patched:  # time for the moves on any machine
        patched.setattr(grundy_search, "_MOVES_SECONDS", 60.0)
        return icg.load(name).values(timeout=600)


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
    values = list(heap_values(read_code("0.77"), 200))
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
    for how in ("confirmed", "explicit", "seconds"):  # it is proved again, and not compared
        again.pop(how), data.pop(how)
    assert again == data


@pytest.mark.slow
@pytest.mark.parametrize("fmt", ["latex", "dot", "walnut"])
def test_an_automaton_is_said_in_the_languages_of_automata(
    fmt: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", _write(_answer("mark").to_json(), tmp_path), "--to", fmt]) == DONE
    text = capsys.readouterr().out
    words = {"latex": "g(v) =", "dot": "digraph", "walnut": "msd_2 msd_2"}
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


# --- tables of values ----------------------------------------------------------------------------


def _rows(path: Path) -> dict[tuple[int, ...], int | None]:
    _, *rows = csv.reader(path.read_text("utf-8").splitlines())
    return {tuple(map(int, row[:-1])): int(row[-1]) if row[-1] else None for row in rows}


def wythoff_values(bound: int) -> dict[tuple[int, ...], int]:
    value = worth(icg.load("wythoff").game)
    return {state: value(state) for state in product(range(bound + 1), repeat=2)}


def test_a_table_beside_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.csv"
    assert run(["value", "take_away", "--table", str(file), "--bound", "30", "--quiet"]) == DONE
    assert _rows(file) == {(v,): v % 4 for v in range(31)}
    shown = capsys.readouterr().out
    assert "g(v) = v mod 4" in shown
    assert re.search(r"\b31 values, .* 3; 0 unknown", shown)
    assert run(["value", "take_away", "--quiet", "--bound", "9", "--table"]) == DONE
    assert " 0 │   0   1   2   3   0   1   2   3   0   1\n" in capsys.readouterr().out


def _unproved(game: ParametricGame, bound: int) -> Table:
    """The values of a box, where no function is known."""
    box = value_box(game, AskedValue(table="-", bound=bound), Budget(60.0))
    return value_table(game, box, nothing_known(game))


def _draw(game: ParametricGame, file: Path, bound: int) -> None:
    content = draw_table(_unproved(game, bound), str(file))
    file.write_bytes(content.encode() if isinstance(content, str) else content)


def test_values_without_a_proof_are_said_to_be_so(tmp_path: Path) -> None:
    game, file = icg.load("wythoff").game, tmp_path / "g.csv"
    _draw(game, file, 8)
    assert _rows(file) == wythoff_values(8)
    shown = values_text(_unproved(game, 3))
    assert "this box alone" in shown
    assert "3 │ 3 4 5 6\n" in shown


def test_what_depends_on_states_outside_is_unknown(tmp_path: Path) -> None:
    game = icg.loads(
        "game g var s, c legal s >= 0 and c >= 0 action take(k) pre 1 <= k <= c eff c := c - k "
        "action change(k) pre s >= 1 and 0 <= k <= s eff s := s - 1, c := c + k"
    ).game
    file = tmp_path / "g.csv"
    _draw(game, file, 4)
    found = _rows(file)
    assert found[0, 4] == 4
    assert found[4, 4] is None


def test_a_drawing_has_a_number_in_each_cell(tmp_path: Path) -> None:
    game, file = icg.load("wythoff").game, tmp_path / "g.svg"
    _draw(game, file, 6)
    texts = [e.text for e in ET.parse(file).iter() if e.tag.endswith("text")]
    for value in set(wythoff_values(6).values()):
        assert texts.count(str(value)) >= list(wythoff_values(6).values()).count(value)


def test_colours_tell_values_apart() -> None:
    palette = Palette(31, tuple(range(32)))
    colours = [palette.colour(value) for value in range(32)]
    assert len(set(colours)) == 32
    light = [sum(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in colours[1:]]
    assert light == sorted(light, reverse=True)
    assert palette.list_kinds()[0] == 0
    assert palette.list_kinds()[-1] == 31
    assert Palette(1, (0, 1)).colour(1) != Palette(1, (0, 1)).colour(0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["take_away", "--table", "g.txt"],
        ["take_away", "--bound", "3"],
        ["0.77", "--table"],
        ["nim2 + 0.77", "--table"],
    ],
)
def test_what_cannot_be_drawn_is_bad_usage(arguments: list[str]) -> None:
    assert run(["value", *arguments, "--quiet"]) == BAD_INPUT
