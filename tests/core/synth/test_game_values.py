"""What ``icgsynth value`` says of a parametric game: text, JSON, exit codes."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from command_answers import written
from commands import bare, validate

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.output import BAD_INPUT, DONE, REFUTED, UNKNOWN


def _value(spec: str, at: str | None = None, json: bool = False, output: Path | None = None) -> int:
    options = ["--quiet", *(["--json"] if json else [])]
    options += [] if at is None else ["--at", at]
    options += [] if output is None else ["-o", str(output)]
    return run(["value", spec, *options])


@pytest.mark.parametrize(("second", "value"), [("u = 0", "0"), ("u >= 0", "u")])
def test_piles_of_one_state_add_nothing(
    second: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The xor of no terms is 0."""
    (tmp_path / "one.icg").write_text(
        f"""game one
var v, u
legal v = 0 and {second}
action take(k)  pre 1 <= k <= v  eff v := v - k
action draw(k)  pre 1 <= k <= u  eff u := u - k
""",
        "utf-8",
    )
    assert _value(str(tmp_path / "one.icg")) == DONE
    assert f"g(v, u) = {value}\n" in capsys.readouterr().out


def test_of_an_automaton_over_one_variable_the_first_values_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _value("mark") == DONE
    values: list[int] = []  # subtract 1, or halve and round down (Fraenkel 2011)
    for v in range(30):
        met = {values[v - 1]} if v else set()
        met |= {values[v // 2]} if v else set()
        values.append(next(n for n in range(3) if n not in met))
    shown = " ".join(capsys.readouterr().out.split())
    assert f"The first values, from v = 0 on: {' '.join(map(str, values))} ..." in shown


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
    found = bare(json.loads(capsys.readouterr().out))
    assert "some move leads" in found.pop("why") and "6" in found.pop("by")
    assert found == {
        "constants": {},
        "rule": "normal",
        "state": [12, 10],
        "winning": True,
        "value": 6,
        "move": {"action": "take_a", "args": {"k": "2"}, "state": [10, 10]},
        "proved": True,
    }
    assert _value("nim2", at="12,10") == DONE
    said, made = capsys.readouterr().out.splitlines()
    assert said == "g(12, 10) = 6" and "(10, 10)" in made
    assert _value("nim2", at="7,7", json=True) == DONE
    assert "no move leads" in json.loads(capsys.readouterr().out)["why"]


def test_a_game_of_one_state_without_a_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plainest term that fits one state is a number."""
    path = tmp_path / "one.icg"
    path.write_text("game one var v legal v = 3 action take pre v >= 1 eff v := v - 1")
    assert _value(str(path), json=True) == DONE
    assert json.loads(capsys.readouterr().out)["value"] == {"term": "0"}


def test_a_state_that_is_not_legal_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert _value("nim2", at="12,-1") == BAD_INPUT
    assert "not a legal state" in capsys.readouterr().err


def test_what_is_not_proved_exits_with_4_and_names_no_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert _value("end_nim3", at="3000,2,3", json=True) == UNKNOWN
    found = json.loads(capsys.readouterr().out)
    nothing = {"state": [3000, 2, 3], "value": None, "move": None, "proved": False}
    assert found == found | nothing and "winning" not in found
    assert _value("end_nim3") == UNKNOWN
    text = capsys.readouterr().out
    assert "unknown" in text
    assert "Proved" not in text


def test_play_that_need_not_end_exits_with_3(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "turn.icg"
    file.write_text("game turn\nvar v\nlegal 0 <= v <= 3\naction on pre v <= 1 eff v := 1 - v\n")
    assert _value(str(file)) == REFUTED
    assert "the game may never end: v: " in capsys.readouterr().out


def test_an_automaton_is_written_with_its_numeration() -> None:
    data = json.loads(written("value", "mark"))
    assert data["numeration"]["name"] == data["logic"] == "base-2"
    assert data["value"]["automaton"]["tracks"] == ["v", "z"]


# --- files -----------------------------------------------------------------------------------


def _verify(spec: str, file: Path) -> int:
    return run(["verify", spec, str(file), "--quiet"])


def _written(spec: str, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    file, text = tmp_path / "g.json", written("value", spec)
    file.write_text(text, "utf-8")
    return file, json.loads(text)


LONG = [
    pytest.param(name, marks=pytest.mark.slow) for name in ("chomp_2row", "nim5", "cyclic_nimhoff")
]


@pytest.mark.parametrize("spec", ["take_away", "mark", *LONG])
def test_what_is_written_is_proved_again(
    spec: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, _ = _written(spec, tmp_path)
    capsys.readouterr()
    assert _verify(spec, file) == DONE
    assert f"{spec}: proved" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("spec", "term"),
    [("take_away", "v mod 5"), ("nim2", "a xor (b + 1)"), ("bounded_wythoff", "(a - b) mod 3")],
)
def test_a_wrong_term_in_a_file_is_refuted_at_a_state(
    spec: str, term: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, data = _written(spec, tmp_path)
    file.write_text(json.dumps(data | {"value": {"term": term}}), "utf-8")
    capsys.readouterr()
    assert _verify(spec, file) == REFUTED
    assert " = " in capsys.readouterr().out


@pytest.mark.slow
def test_no_automaton_with_one_transition_changed_is_proved(tmp_path: Path) -> None:
    file, data = _written("mark", tmp_path)
    right = data["value"]["automaton"]
    rng = random.Random(16)
    for _ in range(6):
        rows = [list(row) for row in right["transitions"]]
        state, symbol = rng.randrange(1, len(rows)), rng.randrange(len(rows[0]))
        rows[state][symbol] = (rows[state][symbol] + 1) % len(rows)
        changed = data | {"value": {"automaton": right | {"transitions": rows}}}
        file.write_text(json.dumps(changed), "utf-8")
        assert _verify("mark", file) != DONE


def test_a_file_of_another_game_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, _ = _written("nim2", tmp_path)
    assert _verify("take_away", file) == BAD_INPUT
    assert "speaks of a, b" in capsys.readouterr().err


def test_a_file_that_claims_nothing_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "g.json"
    file.write_text(written("value", "end_nim3", code=UNKNOWN), "utf-8")
    assert _verify("end_nim3", file) == UNKNOWN


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "strategy"},
        {"value": {"term": "a +"}},
        {"value": {"term": "a + c"}},
        {"value": {}},
        {"logic": "base-x"},
    ],
)
def test_a_broken_file_is_bad_input(change: dict[str, Any], tmp_path: Path) -> None:
    file, data = _written("nim2", tmp_path)
    file.write_text(json.dumps(data | change), "utf-8")
    assert _verify("nim2", file) == BAD_INPUT


@pytest.mark.parametrize("spec", ["take_away", "nim2", "mark", "end_nim3"])
def test_every_file_is_as_the_schema_says(spec: str) -> None:
    text = written("value", spec, code=UNKNOWN if spec == "end_nim3" else DONE)
    validate(json.loads(text))


def test_the_commands_find_and_prove_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "g.json")
    assert run(["value", "take_away", "--set", "n=5", "-o", file]) == DONE
    assert "g(v) = v mod 6" in capsys.readouterr().out
    assert run(["value", "take_away", "--at", "1,2"]) == BAD_INPUT
    capsys.readouterr()
    assert run(["verify", "take_away", file, "--json"]) == DONE
    assert json.loads(capsys.readouterr().out)["verdict"] == "proved"
    assert run(["verify", "take_away", file, "--cross-check"]) == BAD_INPUT


@pytest.mark.parametrize(
    ("spec", "state"), [("nim2", "5,3"), ("wythoff", "7,3"), ("take_away", "7")]
)
def test_the_value_of_a_state_comes_with_a_move_to_zero(
    spec: str, state: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kills: a move to another value, the move of another state."""
    assert run(["value", spec, "--at", state, "--json"]) == DONE
    found = json.loads(capsys.readouterr().out)
    assert found["value"] > 0
    move = found["move"]
    after = ",".join(map(str, move["state"]))
    moves = icg.load(spec).moves(tuple(map(int, state.split(","))))
    assert (move["action"], {k: int(v) for k, v in move["args"].items()}) in moves
    assert run(["value", spec, "--at", after, "--json"]) == DONE
    lost = json.loads(capsys.readouterr().out)
    assert lost["value"] == 0 and lost["move"] is None


def test_a_strategy_in_a_file_is_verified_by_either_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nim2.json"
    file.write_text(written("solve", "nim2").replace('"a - b"', '"a - b - 1"'), "utf-8")
    assert run(["verify", "nim2", "--strategy", str(file)]) == REFUTED
    assert run(["verify", "nim2", str(file), "--strategy", str(file)]) == BAD_INPUT


def test_a_box_that_nobody_asked_for_is_no_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    """Kills: exit 2 for the default box of a game with very many moves."""
    assert run(["value", "circular_nim_5_2", "--table", "-", "-q"]) == UNKNOWN
    assert "--bound" in capsys.readouterr().err
    wanted = ["value", "circular_nim_5_2", "--table", "-", "-q", "--bound", "10"]
    assert run(wanted) == BAD_INPUT
