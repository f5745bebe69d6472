"""Every JSON value that a command prints says what it is, of which game, how it stands, how long.

The commands are run in a folder with a solution (nim2.json), a tree (tree.txt) and members of a
family (folder).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest
from command_answers import written
from commands import call

from icgsynth.cli import group
from icgsynth.cli.output import KINDS

STATUSES = {"solved", "conditional", "unknown", "refuted", "done"}
OF_FAMILIES = {"theorem", "conjecture", "refuted", "none"}

LINES = [
    ("check nim2", 0),
    ("check nim2 -t 0.0001", 4),
    ("solve nim2", 0),
    ("solve nim2 --rule both", 0),
    ("solve nim2 -t 0.001", 4),
    ("solve nim2 --at 5,3", 0),
    ("solve 0.07+0.77", 0),
    ("value take_away", 0),
    ("value nim2 --at 3,5", 0),
    ("value 0.77", 0),
    ("value 0.77 --at 9", 0),
    ("value nim2+0.77 --at 3,5;4", 0),
    ("verify nim2 nim2.json", 0),
    ("verify nim2 wrong.json", 3),
    ("verify nim2 --losing a=b", 0),
    ("verify nim2 --winning a!=b", 0),
    ("verify nim2 --value a+b", 3),
    ("table nim2 --bound 3", 0),
    ("table 0.77", 0),
    ("family take_away --over n=1..4 -t 20", 0),
    ("family folder -t 20", 0),
    ("fft synth nim2 --bound 2 --method algorithm2", 0),
    ("fft synth mnk -t 0.001", 4),
    ("fft verify nim2 --bound 2 tree.txt", 3),
    ("fft verify nim2 --bound 2 nim2.json", 0),
    ("fft minimise nim2 --bound 2 tree.txt", 3),
    ("fft show nim2 --bound 2 tree.txt", 0),
    ("learn ttt_l --method pruned", 0),
    ("learn nim --search minimal -t 60", 0),
    ("tournament nim2 --bound 2 --matches 2", 0),
    ("starts tictactoe --count 1", 0),
    ("starts tictactoe --count-sets", 0),
    ("starts tictactoe --position OX./.../...", 0),
    ("starts nim2 --bound 5 --count 1 --moves 2", 0),
    ("sweep nim2 -o results.jsonl", 0),
    ("list", 0),
    ("list --heaps", 0),
    ("list --finite", 0),
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = written("solve", "nim2")
    Path("nim2.json").write_text(answer, "utf-8")
    Path("wrong.json").write_text(answer.replace('"a != b"', '"a > b"'), "utf-8")
    Path("tree.txt").write_text("take_a(1)\n", "utf-8")
    Path("folder").mkdir()
    for n in (2, 3, 4):
        rules = f"game t{n} var v legal v >= 0 action take(k) pre 1 <= k <= {n} and k <= v"
        Path(f"folder/t{n}.icg").write_text(f"{rules} eff v := v - k\n", "utf-8")


@pytest.mark.parametrize(("line", "code"), LINES, ids=[line for line, _ in LINES])
@pytest.mark.usefixtures("files")
def test_a_value_has_the_envelope(line, code, capfd):
    done = call(capfd, *line.split(), "--json", "--quiet")
    assert done.returncode == code, done.stderr
    value = json.loads(done.stdout)
    for each in value if isinstance(value, list) else [value]:
        assert re.fullmatch(r"icgsynth/[a-z-]+/\d", each["schema"])
        assert each["kind"] and isinstance(each["kind"], str)
        assert each["game"] or line.startswith("sweep")
        assert each["status"] in (OF_FAMILIES if line.startswith("family") else STATUSES)
        assert each["seconds"]["total"] >= 0
        if not line.startswith("family"):
            standing = {3: {"refuted"}, 4: {"unknown"}}.get(code, {"solved", "done"})
            assert each["status"] in standing


def _with_json(command: click.Command, name: str = "") -> set[str]:
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = (
            (word, command.get_command(context, word)) for word in command.list_commands(context)
        )
        return {
            n for word, each in below if each for n in _with_json(each, f"{name} {word}".strip())
        }
    return {name} if any(each.name == "as_json" for each in command.params) else set()


def test_no_command_is_left_out():
    commands = _with_json(group)
    assert commands == set(KINDS)
    assert commands == {n for n in KINDS for line, _ in LINES if f"{line} ".startswith(f"{n} ")}


def test_the_reference_lists_the_kinds():
    page = Path(__file__).parents[2] / "docs/reference/command-line.md"
    rows = re.findall(r"^\| `([a-z ]+)` \| `(\w+)`[^|]*\| \"(\w+)\"", page.read_text("utf-8"), re.M)
    assert {name: (kind, well) for name, kind, well in rows} == KINDS


POSITION = {
    *("schema", "kind", "game", "constants", "rule", "status", "seconds"),
    *("state", "winning", "move", "why", "by", "proved"),
}
TOLD_AT = [
    *(("solve nim2 --at 5,3", None), ("value nim2 --at 5,3", 6)),
    *(("value 0.77 --at 9", 4), ("value 0.77 --at 3,1", 2)),
    ("solve 0.77 --at 3,1 --rule misere", None),
    ("solve nim2+0.77 --at 3,7;4", 5),
    ("solve sequential_nim --at 1,1,0,3", None),
    ("solve nim_1357 --at reduce(d,0)", {"player1": 0, "player2": 100}),
    ("solve connect:3x3:3 --at .../OO./XX.", {"X": 1, "O": -1}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("line", "value"), TOLD_AT)
def test_one_state_of_any_kind_of_game_has_the_keys_of_a_position(line, value, capfd):
    """Faults it sees: a kind of game with keys of its own; a move without the state after it."""
    code, out, _ = call(capfd, *line.split(), "--json", "--quiet")
    found = json.loads(out)
    assert code == 0 and found["kind"] == "position" and found.keys() >= POSITION
    assert found["winning"] is True and found["proved"] is True and found.get("value") == value
    assert found["by"] and (found["why"] or value is None)
    assert found["move"] is None or found["move"].keys() >= {"action", "args", "state"}
