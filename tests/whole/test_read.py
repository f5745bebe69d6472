"""``icg.read`` reads each answer file that a command has written, of whatever kind.

Faults they see: a kind of file without a reader; an answer that says another thing than the file.
"""

from __future__ import annotations

import json

import pytest
from command_answers import written
from commands import validate

import icgsynth as icg
from icgsynth.errors import InputError

LASKER = (
    "heaps lasker var n legal n >= 0 action take(k) pre 1 <= k <= n into n - k "
    "action split(k) pre 1 <= k and 2 * k <= n into k, n - k"
)
FILES = {
    "solve": (("solve", "nim2"), "Solution"),
    "value": (("value", "take_away"), "GrundyAnswer"),
    "code": (("value", "0.77"), "HeapAnswer"),
    "sum": (("solve", "take_away + 0.07"), "SumAnswer"),
    "quotient": (("solve", "0.33", "--rule", "misere"), "MisereAnswer"),
}
SLOW = {
    "heaps": (("value", "-"), "HeapGameAnswer"),
    "tame": (("solve", "-", "--rule", "misere"), "TameAnswer"),
    "family": (("family", "take_away", "--over", "n=1..8"), "FamilyFile"),
    "tree": (("fft", "synth", "tictactoe", "--method", "algorithm2"), "TreeAnswer"),
    "learned": (("learn", "nim"), "LearnedAnswer"),
}
TIMES = {"seconds", "learned_from", "members", "exceptions", "over", "proof", "confirmed"}


def same(answer, data):
    """Whether the answer says what the file does, but for how it was found."""
    again = answer.to_json()
    validate(again)
    shared = {key for key in again if key in data and key not in TIMES | {"explicit", "checked_to"}}
    assert len(shared) > 3
    for key in shared - {"losing", "winning", "normal", "quotient", "components"}:
        assert again[key] == data[key], key
    for key in shared & {"losing", "winning"}:
        assert again[key]["formula"] == data[key]["formula"]


@pytest.mark.parametrize(("command", "kind"), FILES.values(), ids=FILES)
def test_a_file_is_read_as_an_answer(command, kind, tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(written(*command), "utf-8")
    answer = icg.read(path)
    assert type(answer).__name__ == kind
    same(answer, json.loads(path.read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize(("command", "kind"), SLOW.values(), ids=SLOW)
def test_a_file_of_a_wing_is_read_as_an_answer(command, kind, tmp_path):
    for extra in ("numba", "clingo"):
        pytest.importorskip(extra)
    rules, path = tmp_path / "lasker.icg", tmp_path / "answer.json"
    rules.write_text(LASKER, "utf-8")
    path.write_text(written(*(rules if word == "-" else word for word in command)), "utf-8")
    answer = icg.read(path)
    assert type(answer).__name__ == kind
    same(answer, json.loads(path.read_text("utf-8")))


def test_of_two_answers_the_rule_chooses(tmp_path):
    path = tmp_path / "answer.json"
    path.write_text(written("solve", "nim2", "--rule", "both"), "utf-8")
    assert icg.read(path, rule="misère").rule == "misere"
    with pytest.raises(InputError, match="2 solutions"):
        icg.read(path)
    for bad in ("no_such_file.json", "nim2"):
        with pytest.raises(InputError):
            icg.read(bad)
