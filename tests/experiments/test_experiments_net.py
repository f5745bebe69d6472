"""The comparison of the answers of two work trees: what is called worse, and the whole run."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest

from experiments import net_commands
from experiments.measure import ROOT
from experiments.net import Found, compared, main, totals, worse
from experiments.net_commands import Answered, differing, drawn

GOOD = Found("solved", "lia", "a = b", 2, True, 0, ("1", "2"), 2, 0.5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"status": "unknown"}, "solved before, now unknown"),
        ({"status": "conditional"}, "solved before, now conditional"),
        ({"size": 3}, "size 2 -> 3"),
        ({"minimal": False}, "no longer minimal"),
        ({"tree": ("1", "2", "3")}, "rules 2 -> 3"),
        ({"cases": 3}, "cases 2 -> 3"),
        ({"logic": "base:2"}, "linear before, now by digits"),
        ({"disagreements": 1}, "1 states disagree"),
    ],
)
def test_each_loss_is_named_and_its_opposite_is_none(change, said):
    after = replace(GOOD, **change)
    assert worse(GOOD, after) == [said]
    assert worse(after, GOOD) == []
    key = ("nim2", "normal")
    ((text, is_worse),) = compared({key: GOOD}, {key: after})
    assert is_worse
    assert text.startswith(f"WORSE ({said}) nim2 (normal)")


def test_other_words_are_shown_and_are_no_loss():
    key = ("nim2", "normal")
    after = replace(GOOD, losing="b = a")
    assert list(compared({key: GOOD}, {key: after})) == [
        ("nim2 (normal)\n    losing: a = b -> b = a", False)
    ]
    assert list(compared({key: GOOD}, {key: GOOD, ("nim3", "normal"): after})) == []


def test_what_both_leave_unsolved_is_no_loss():
    unknown = replace(GOOD, status="unknown", size=0, tree=(), cases=0)
    assert worse(unknown, replace(unknown, disagreements=3)) == []
    # A false answer is worse than none.
    assert worse(unknown, replace(GOOD, disagreements=3)) == ["3 states disagree"]
    assert totals([GOOD, unknown]).startswith("1 of 2 solved, 2 rules of trees, 2 cases")


def test_a_seed_draws_the_same_commands_of_each_kind():
    """Faults it sees: a kind that is left out, a draw that ignores its seed or repeats itself."""
    commands = drawn(5, 1)
    assert commands == drawn(5, 1) != drawn(5, 2)
    assert len(set(commands)) == len(commands) == 20
    assert {command.split()[0] for command in commands} == {"value", "family", "fft", "starts"}


def test_leaves_that_differ_are_named_by_their_place():
    before = {"losing": "a = b", "rules": [{"when": "a > b"}, {"when": "b > a"}], "new": None}
    after = {"losing": "a = b", "rules": [{"when": "a > b"}, {"when": "b != a"}]}
    assert list(differing(before, after)) == ['rules[1].when: "b > a" -> "b != a"']
    assert list(differing([1, 2], [1])) == [": [1, 2] -> [1]"]


def test_an_answer_that_is_lost_is_worse_than_one_that_is_put_otherwise():
    old, new = Answered(0, {"value": "a"}), Answered(0, {"value": "b"})
    nothing, less = Answered(4, {"status": "unknown"}), Answered(4, {"why": "no time"})

    def of(before, after):
        return list(net_commands.compared({"value x": before}, {"value x": after}))

    assert of(old, old) == of(nothing, less) == []
    ((text, lost),) = of(old, new)
    assert (text, lost) == ('icgsynth value x\n    value: "a" -> "b"', False)
    ((text, lost),) = of(old, nothing)
    assert lost and text.startswith("WORSE icgsynth value x\n    exit code: 0 -> 4")
    assert [lost for _, lost in of(nothing, old)] == [False]


@pytest.mark.slow
def test_two_trees_are_solved_and_compared(tmp_path, capsys, monkeypatch):
    asked = ["value 0.77 --json --quiet", "value nim2 --json --quiet"]
    monkeypatch.setattr(net_commands, "drawn", lambda count, seed: asked[:count])
    other = tmp_path / "tree"
    shutil.copytree(ROOT / "icgsynth", other / "icgsynth")
    shutil.copytree(ROOT / "specs", other / "specs")
    # A module of which no machine code is made: the other tree would compile its own.
    with (other / "icgsynth" / "__main__.py").open("a") as source:
        source.write("# Other code, the same answers.\n")
    results = tmp_path / "results"
    command = [str(other), "--only", "nim2", "--results", str(results), "--jobs", "1"]
    assert main([*command, "--commands", "2"]) == 0
    printed = capsys.readouterr().out
    assert "2 pairs, 0 differ" in printed
    assert "2 commands, 0 differ" in printed
    for path in results.glob("*[!s].jsonl"):
        # One of the two is made worse by hand; the run reads what it finds there.
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        path.write_text("".join(json.dumps({**line, "strategy": 9}) + "\n" for line in lines))
        break
    printed = {main(command), main([str(ROOT), str(other), *command[1:]])}
    assert printed == {0, 1}
    assert " -> 9) nim2 (misere)" in capsys.readouterr().out
