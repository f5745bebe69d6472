"""``icgsynth value --table``: what is drawn are the values by definition."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import icgsynth as icg
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.cli.codes import BAD_INPUT, DONE
from icgsynth.cli.value_tables import ValueTable
from icgsynth.export.palette import Palette
from icgsynth.values.grundy_search import nothing_known


def _rows(path: Path) -> dict[tuple[int, ...], int | None]:
    _, *rows = csv.reader(path.read_text("utf-8").splitlines())
    return {tuple(map(int, row[:-1])): int(row[-1]) if row[-1] else None for row in rows}


def _wythoff(bound: int) -> dict[tuple[int, ...], int]:
    worth: dict[tuple[int, ...], int] = {}
    for a in range(bound + 1):
        for b in range(bound + 1):
            met = {worth[a - k, b] for k in range(1, a + 1)}
            met |= {worth[a, b - k] for k in range(1, b + 1)}
            met |= {worth[a - k, b - k] for k in range(1, min(a, b) + 1)}
            worth[a, b] = next(n for n in range(len(met) + 1) if n not in met)
    return worth


def test_a_table_beside_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "g.csv"
    assert run(["value", "take_away", "--table", str(file), "--bound", "30", "--quiet"]) == DONE
    assert _rows(file) == {(v,): v % 4 for v in range(31)}
    shown = capsys.readouterr().out
    assert "g(v) = v mod 4" in shown
    assert re.search(r"\b31 values, .* 3; 0 unknown", shown)
    assert run(["value", "take_away", "--quiet", "--bound", "9", "--table"]) == DONE
    assert " 0 │   0   1   2   3   0   1   2   3   0   1\n" in capsys.readouterr().out


def test_values_without_a_proof_are_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, file = icg.load("wythoff").game, tmp_path / "g.csv"
    ValueTable(game, str(file), 8, Budget(60.0)).deliver(nothing_known(game), is_text=False)
    assert _rows(file) == _wythoff(8)
    ValueTable(game, "-", 3, Budget(60.0)).deliver(nothing_known(game), is_text=True)
    shown = capsys.readouterr().out
    assert "this box alone" in shown
    assert "3 │ 3 4 5 6\n" in shown


def test_what_depends_on_states_outside_is_unknown(tmp_path: Path) -> None:
    game = icg.loads(
        "game g var s, c legal s >= 0 and c >= 0 action take(k) pre 1 <= k <= c eff c := c - k "
        "action change(k) pre s >= 1 and 0 <= k <= s eff s := s - 1, c := c + k"
    ).game
    file = tmp_path / "g.csv"
    ValueTable(game, str(file), 4, Budget(60.0)).deliver(nothing_known(game), is_text=False)
    found = _rows(file)
    assert found[0, 4] == 4
    assert found[4, 4] is None


def test_a_drawing_has_a_number_in_each_cell(tmp_path: Path) -> None:
    game, file = icg.load("wythoff").game, tmp_path / "g.svg"
    ValueTable(game, str(file), 6, Budget(60.0)).deliver(nothing_known(game), is_text=False)
    texts = [e.text for e in ET.parse(file).iter() if e.tag.endswith("text")]
    for value in set(_wythoff(6).values()):
        assert texts.count(str(value)) >= list(_wythoff(6).values()).count(value)


def test_colours_tell_values_apart() -> None:
    palette = Palette(31, tuple(range(32)))
    colours = [palette.colour(value) for value in range(32)]
    assert len(set(colours)) == 32
    light = [sum(int(c[i : i + 2], 16) for i in (1, 3, 5)) for c in colours[1:]]
    assert light == sorted(light, reverse=True)
    assert palette.told()[0] == 0
    assert palette.told()[-1] == 31
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
