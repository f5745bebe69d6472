"""``python -m experiments mutants``: faults that are planted, and the tests that are asked."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path

import pytest

from experiments import mutants
from experiments.mutants import FIELDS, TABLE, Laboratory, function, main, sample
from experiments.nearest_tests import Nearest
from experiments.planted import faults
from experiments.tables import read, write

ROOT = Path(mutants.ROOT)
SOURCE = '''"""At most 3 words."""
from typing import TYPE_CHECKING, Literal
if TYPE_CHECKING:
    X = 1
__all__ = ["f", "g"][0:2]
Kind = Literal[1, 2]
_MOST = 3 * 2**4
WON = 1
_X, _Y, ONE, FEW = 2, 1, Caps(1, 5, time=6), (7,)
A = Random(3), h(x < 0.5, assume_unique=True)
@g(maxsize=3)
def f(a: int = 1, *b: "1 < 2") -> "1":
    """One of 2."""
    if a < 0 and b:
        raise ValueError(f"{a + 1} is less than 0", mend=1 + 1)
    assert a < 7
    return [c for c in b if not c] if a == 2 else g(a + 3, mend=3 < 4)
'''


def test_faults_are_planted_where_something_is_computed_and_nowhere_else():
    planted = {(fault.line, fault.was, fault.now) for fault in faults("f", SOURCE)}
    more, head, test, last = (SOURCE.split("\n")[n].strip() for n in (8, 11, 13, 16))
    assert planted == {
        (7, "_MOST = 3 * 2**4", "_MOST = 0"),
        (8, "WON = 1", "WON = 2"),
        *((9, more, more.replace(was, now)) for was, now in [
            ("= 2", "= 0"), ("2, 1", "2, 2"), ("(1", "(2"), (" 5", " 0"), ("6", "0"), ("7", "8"),
        ]),
        (12, head, head.replace("= 1", "= 2")),
        *((14, test, f"if {new}:") for new in ("(a < 0)", "(b)", "not (a < 0 and b)")),
        *((14, test, f"if {new} and b:") for new in ("a <= 0", "a < 1")),
        *((17, last, last.replace(*pair)) for pair in [
            ("not c", "True"), ("not c", "(c)"), ("a == 2", "a != 2"), ("a == 2", "a == 3"),
            ("a == 2", "not (a == 2)"), ("a + 3", "a - 3"), ("a + 3", "a + 4"),
        ]),
    }  # fmt: skip


@pytest.mark.parametrize(
    "module", ["boards/finite/worth", "prove/certificate", "explicit/retrograde"]
)
def test_each_fault_is_one_place_that_parses_and_is_another_program(module):
    source = (ROOT / "icgsynth" / f"{module}.py").read_text("utf-8")
    whole = ast.dump(ast.parse(source))
    found = list(faults(module, source))
    assert len(found) > 20
    assert len({(f.was, f.now, f.again) for f in found}) == len(found)
    for fault in found:
        changed = fault.planted(source)
        assert ast.dump(ast.parse(changed)) != whole
        lines = source.split("\n")
        assert " ".join(lines[fault.line - 1].split()) in fault.was
        assert changed.startswith("\n".join(lines[: fault.line - 1]))


def test_a_sample_stays_when_other_lines_change(tmp_path):
    package = tmp_path / "icgsynth"
    (package / "room").mkdir(parents=True)
    (package / "room" / "one.py").write_text("a = b + c\nd = e < 3\nf = g or h\n")
    (package / "two.py").write_text("x = 1\n")
    before = sample(tmp_path, [], 4, 5)
    assert {fault.module for fault in sample(tmp_path, ["room"], 99, 5)} == {"room/one"}
    assert {fault.module for fault in sample(tmp_path, ["two"], 99, 5)} == {"two"}
    (package / "room" / "one.py").write_text("import q\na = b + c\nd = e < 3\nf = g or h\n")
    names = [
        [(f.module, f.was, f.now) for f in each] for each in (before, sample(tmp_path, [], 4, 5))
    ]
    assert names[0] == names[1]
    assert sample(tmp_path, [], 4, 5) != sample(tmp_path, [], 4, 6)


SMALL = """def most(numbers):
    best = 0
    for number in numbers:
        if number > best:
            best = number
    return best

def until(end):
    at = 0
    while at < end:
        at += 1
    return at

def unused(a):
    return a + 1
"""
TESTS = """import pytest
from icgsynth.small import most, until

def test_most():
    assert most([2, 5, 3]) == 5
    assert most([]) == 0

def test_until():
    assert until(3) == 3

def test_that_fails_without_any_fault():
    assert most([1]) == 7

@pytest.mark.slow
def test_unused():
    from icgsynth.small import unused
    assert unused(1) == 2

@pytest.mark.slow
def test_that_is_slow_and_fails_without_any_fault():
    assert most([1]) == 7
"""


@pytest.fixture
def checkout(tmp_path):
    """A checkout of a package with one module, and a file of tests."""
    root = tmp_path / "checkout"
    for folder in ("icgsynth", "tests", "experiments"):
        (root / folder).mkdir(parents=True)
    (root / "icgsynth" / "__init__.py").touch()
    (root / "icgsynth" / "small.py").write_text(SMALL)
    (root / "icgsynth" / "lonely.py").write_text("a = 1 + b\n")
    (root / "tests" / "test_small.py").write_text(TESTS)
    shutil.copy(ROOT / "experiments" / "watched_tests.py", root / "experiments")
    (root / "pytest.ini").write_text("[pytest]\nmarkers = slow\n    nightly\n")
    return root


def laboratory(root, folder, **options):
    made = Laboratory(root, folder, **options)
    made.learn(folder / "tests.pickle", 1)
    return made


def the(root, was, now):
    """The fault of the small package with these texts."""
    return next(f for f in sample(root, [], 999, 0) if (f.was, f.now) == (was, now))


def test_the_nearest_tests_are_those_with_the_fewest_imports_between(checkout):
    package, tests = checkout / "icgsynth", checkout / "tests"
    (package / "cli" / "commands").mkdir(parents=True)
    (package / "user.py").write_text("def late():\n    from icgsynth import small\n")
    (package / "cli" / "commands" / "count.py").write_text("from icgsynth.user import late\n")
    (tests / "test_user.py").write_text("import icgsynth.user\n")
    (tests / "test_both.py").write_text("import icgsynth.user, icgsynth.lonely\n")
    (tests / "test_command.py").write_text("run(['count', '3'])\n")
    (tests / "test_other.py").write_text("import icgsynth.lonely\n")
    names = ("small", "user", "both", "command")
    near = Nearest(checkout).files("icgsynth.small")
    assert near == [
        (n, f"tests/test_{name}.py") for n, name in zip((1, 2, 2, 3), names, strict=True)
    ]
    called = Nearest(checkout).files("icgsynth.cli.commands.count")
    assert called == [(1, "tests/test_command.py")]


def test_a_fault_is_killed_by_a_test_or_survives(checkout, tmp_path):
    """What fails without a fault, or does not enter its function, is not asked."""
    made = laboratory(checkout, tmp_path, seconds=60)
    fault = the(checkout, "if number > best:", "if not (number > best):")
    assert made.chosen(fault) == ["tests/test_small.py::test_most"]
    row = made.row(fault)
    killed = ("killed", "default", "tests/test_small.py::test_most")
    assert (row["outcome"], row["stage"], row["by"]) == killed
    assert made.row(the(checkout, "return a + 1", "return a - 1"))["outcome"] == "survived"
    assert made.row(the(checkout, "a = 1 + b", "a = 1 - b"))["outcome"] == "survived"
    assert (checkout / "icgsynth" / "small.py").read_text() == SMALL


def test_the_nearest_tests_alone_can_be_asked(checkout, tmp_path):
    """A mutant runs all, which takes a quarter of an hour for one fault."""
    made = Laboratory(checkout, tmp_path / "lab", seconds=60)
    fault = the(checkout, "if number > best:", "if not (number > best):")
    made.learn(tmp_path / "tests.pickle", 1, ["lonely"])
    assert made.chosen(fault) == []
    made.learn(tmp_path / "tests.pickle", 1, ["small"])
    assert made.chosen(fault) == ["tests/test_small.py::test_most"]


@pytest.mark.slow
def test_where_no_test_passes_nothing_is_said_of_faults(checkout, tmp_path):
    (checkout / "tests" / "test_small.py").write_text("import icgsynth.there_is_none\n")
    with pytest.raises(RuntimeError, match="passes without a fault"):
        laboratory(checkout, tmp_path / "lab", seconds=60)


def test_a_fault_that_takes_too_long_is_late_and_the_second_stage_is_asked_on_demand(
    checkout, tmp_path, monkeypatch
):
    monkeypatch.setattr(mutants, "_START", 3.0)
    made = laboratory(checkout, tmp_path, seconds=12, slow=True)
    row = made.row(the(checkout, "at += 1", "at -= 1"))
    assert (row["outcome"], row["by"]) == ("late", "tests/test_small.py::test_until")
    row = made.row(the(checkout, "return a + 1", "return a - 1"))
    assert (row["stage"], row["by"]) == ("second", "tests/test_small.py::test_unused")


def test_the_innermost_function_around_a_line_is_named():
    lines = ["a = 1", "class A:", "    b = 2", "    def f(self):", "        c = 3"]
    lines += ["        def g():", "            return [d", "                for d in c]"]
    names = [function("\n".join(lines), line) for line in range(1, 9)]
    assert names == ["", "", "", *["A.f"] * 2, *["A.f.<locals>.g"] * 3]


ROWS = [
    {"room": "a", "module": "a/b", "line": "3", "kind": "bound", "was": "x < y", "now": "x <= y"},
    {"room": "c", "module": "c", "line": "1", "kind": "operator", "was": "x + y", "now": "x - y"},
]


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Two faults in a checkout of their own; which of them the tests are asked about."""
    package, asked = tmp_path / "icgsynth", []
    (package / "a").mkdir(parents=True)
    (package / "a" / "b.py").write_text("\n\nx < y\n")
    (package / "c.py").write_text("x + y\n")
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr(mutants, "TABLE", tmp_path / "mutants.csv")
    monkeypatch.setattr(mutants, "_KEPT", tmp_path / "build" / "mutants.jsonl")

    class Known:
        """Says of the first fault that it is killed, and that the other survives."""

        def __init__(self, *options):
            pass

        def learn(self, kept, jobs, modules):
            asked.extend(f"near {module}" for module in modules or ())

        def row(self, fault):
            asked.append(fault.module)
            row = next(row for row in ROWS if row["module"] == fault.module)
            outcome, stage = ("killed", "default") if fault.module == "c" else ("survived", "")
            return row | {"again": "0", "outcome": outcome, "stage": stage, "by": ""}

    monkeypatch.setattr(mutants, "Laboratory", Known)
    return asked


def test_the_command_lists_survivors_and_writes_the_table(asked, tmp_path, capsys):
    assert main(["--update", "--jobs=1"]) == 0
    told = capsys.readouterr()
    assert "icgsynth/a/b.py:3" in told.out and "- x < y\n  + x <= y" in told.out
    assert "icgsynth/c.py" not in told.out
    last = told.out.splitlines()[-2].split()
    assert last == ["all", "2", "1", "0", "1", "50%", "50%"]
    assert "2 of 2 faults" in told.err
    table = read(tmp_path / "mutants.csv")
    assert [row["outcome"] for row in table] == ["survived", "killed"]
    assert "change: not judged yet 1" in told.out
    table[0]["changes"] = "time"
    write(mutants.TABLE, FIELDS, table)
    assert main(["--update", "--survivors", "--jobs=1"]) == 0
    assert "change: time 1" in capsys.readouterr().out
    assert [row["changes"] for row in read(mutants.TABLE)] == ["time", ""]
    assert tuple(table[0]) == FIELDS


def test_what_is_known_is_not_asked_again(asked):
    assert main(["--update", "--jobs=1"]) == 0
    assert sorted(asked) == ["a/b", "c"]
    asked.clear()
    assert main(["--resume"]) == 0
    assert asked == []
    assert main(["--survivors"]) == 0
    assert asked == ["a/b"]
    asked.clear()
    assert main(["--rooms=c", "--near"]) == 0
    assert asked == ["near c", "c"]


def test_the_committed_table_adds_up():
    rows = read(TABLE)
    assert len({mutants._key(row) for row in rows}) == len(rows) >= 100
    assert {row["outcome"] for row in rows} <= {"killed", "late", "survived"}
    assert {row["stage"] for row in rows} <= {"default", "second", ""}
    changes = {row["changes"] for row in rows if row["outcome"] == "survived"}
    assert changes <= {"nothing", "time", "choice", "look", "law", ""}
    assert {row["changes"] for row in rows if row["by"]} == {""}
    assert all(bool(row["by"]) == (row["outcome"] in ("killed", "late")) for row in rows)
    assert all(row["module"].split("/")[0] == row["room"] for row in rows)
