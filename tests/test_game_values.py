"""What ``icgsynth value`` says of a parametric game: text, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from icgsynth.cli.codes import DONE, REFUTED, UNKNOWN
from icgsynth.cli.game_values import value_of_game
from icgsynth.errors import InputError


def _value(spec: str, at: str | None = None, json: bool = False, output: Path | None = None) -> int:
    to = None if output is None else str(output)
    return value_of_game(spec, (), at, 60.0, json, to, quiet=True)


def test_the_report_is_a_theorem_with_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert _value("bounded_wythoff") == DONE
    text = capsys.readouterr().out
    assert "g(a, b) = (a + b) mod 3\n" in text
    assert "for a >= 0 and b >= 0" in text
    assert "Proved: no move keeps the value and some move reaches each smaller one" in text
    assert "0 disagree" in text


def test_cases_are_told_one_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert _value("subtraction_134") == DONE
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["g(v)", "=", "3", "if", "v", "mod", "7", "=", "5"] in lines
    assert ["0", "otherwise"] in lines


def test_json_has_the_keys_of_the_contract(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "g.json"
    assert _value("nim2", json=True, output=file) == DONE
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert data == json.loads(file.read_text("utf-8"))
    assert data["schema"] == "icgsynth/solution/2"
    assert (data["kind"], data["status"], data["logic"]) == ("value", "solved", "base-2")
    assert data["value"] == {"term": "a xor b"}
    assert data["proof"] == dict.fromkeys(("termination", "keeps", "reaches"), "proved")
    assert data["explicit"]["disagreements"] == data["explicit"]["far"]["disagreements"] == 0
    assert len(data["confirmed"]["reaches"]) >= 2


def test_the_value_of_one_state(capsys: pytest.CaptureFixture[str]) -> None:
    assert _value("nim2", at="12,10", json=True) == DONE
    assert json.loads(capsys.readouterr().out) == {"state": [12, 10], "value": 6, "proved": True}
    assert _value("nim2", at="12,10") == DONE
    assert capsys.readouterr().out == "g(12, 10) = 6\n"


def test_a_state_that_is_not_legal_is_bad_input() -> None:
    with pytest.raises(InputError, match="not a legal state"):
        _value("nim2", at="12,-1")


def test_what_is_not_proved_exits_with_4_and_names_no_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _value("take_up_to_half", at="5", json=True) == UNKNOWN
    assert json.loads(capsys.readouterr().out) == {"state": [5], "value": None, "proved": False}
    assert _value("take_up_to_half") == UNKNOWN
    text = capsys.readouterr().out
    assert "unknown" in text
    assert "Proved" not in text


def test_play_that_need_not_end_exits_with_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "turn.icg"
    file.write_text("game turn\nvar v\nlegal 0 <= v <= 3\naction on pre v <= 1 eff v := 1 - v\n")
    assert _value(str(file)) == REFUTED
    assert "play need not end: v: " in capsys.readouterr().out


def test_an_automaton_is_written_with_its_numeration(capsys: pytest.CaptureFixture[str]) -> None:
    assert _value("mark", json=True) == DONE
    data = json.loads(capsys.readouterr().out)
    assert data["numeration"]["name"] == data["logic"] == "base-2"
    assert data["value"]["automaton"]["tracks"] == ["v", "z"]
