"""The committed tables: what is compared, what the command says, and that they are as committed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from experiments import tables as made_by
from experiments.tables import Table, compared, differences, main, read, tables, write

# Not made by a command: what the paper prints, and times, which no run gives twice.
DATA = {
    *("aaai2015.csv", "aamas2020_times.csv", "dialects.csv", "exploring.csv", "gdl_corpora.csv"),
    "speed.csv",
}
FIELDS = ("game", "seconds", "answer")


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A table of one row, committed, whose command writes the row of ``answers``."""
    monkeypatch.setattr(made_by, "HERE", tmp_path / "experiments")
    monkeypatch.setattr(made_by, "MADE", tmp_path / "build")
    one = Table("one", ("one", "--table={table}"), ("game",), frozenset({"seconds"}), 1)
    two = Table("two", ("two", "--pddl={pddl}", "--table={table}"), ("game",), frozenset(), 3)
    monkeypatch.setattr(made_by, "tables", lambda: (one, two))
    write(one.committed, FIELDS, [dict(zip(FIELDS, ("nim", "1.0", "a = b, 3 ms"), strict=True))])
    return one


@pytest.fixture
def answers(monkeypatch):
    """What the experiment writes, and the arguments it was given."""
    rows, asked = [("nim", "7.5", "a = b, 12.5 ms")], []

    def run(command, **_):
        asked.append(command[3:])
        place = next((a.partition("=")[2] for a in command if a.startswith("--table=")), None)
        if rows and place:
            write(Path(place), FIELDS, [dict(zip(FIELDS, row, strict=True)) for row in rows])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(made_by.subprocess, "run", run)
    return rows, asked


def test_differences():
    old = [{"game": "a", "rule": "normal", "x": "1"}, {"game": "b", "rule": "", "x": "1"}]
    new = [{"game": "a", "rule": "normal", "x": "2"}, {"game": "c", "rule": "", "x": "1"}]
    key = ("game", "rule")
    found = list(differences(old, new, key, ("x",)))
    assert found == ["a normal: x was '1', is '2'", "c: a new row", "b: no such row now"]
    assert list(differences(old, new[:1], key, ("x",), whole=False)) == found[:1]


def test_rows_of_one_key_are_compared_in_their_order():
    old = [{"game": "a", "x": "1"}, {"game": "a", "x": "2"}]
    assert list(differences(old, old, ("game",), ("x",))) == []
    assert list(differences(old, old[::-1], ("game",), ("x",))) == [
        "a: x was '1', is '2'",
        "a 2: x was '2', is '1'",
    ]
    assert list(differences(old, old[:1], ("game",), ("x",))) == ["a 2: no such row now"]


def test_times_may_differ_and_nothing_else(table, answers, capsys):
    rows, asked = answers
    assert main([]) == 0
    assert asked[0][0] == "one"
    out = capsys.readouterr().out
    assert "as in one.csv" in out
    assert re.search("^two: .*--pddl DIR", out, re.MULTILINE)
    rows[0] = ("nim", "7.5", "a = b + 1, 12.5 ms")
    assert main([]) == 1
    assert "'a = b, ..', is 'a = b + 1, ..'" in capsys.readouterr().out


def test_an_update_writes_what_was_made(table, answers):
    assert main(["--update"]) == 0
    assert read(table.committed)[0]["seconds"] == "7.5"


def test_a_table_that_is_not_made_is_told(table, answers, capsys):
    answers[0].clear()
    assert main([]) == 1
    assert "no table was made" in capsys.readouterr().out
    assert main(["--update"]) == 1


def test_a_missing_or_another_table_is_told(table, tmp_path):
    made = tmp_path / "made.csv"
    write(made, ("game", "seconds"), [{"game": "nim", "seconds": "1"}])
    (said,) = compared(table, made, table.committed)
    assert "columns" in said
    table.committed.unlink()
    (said,) = compared(table, made, table.committed)
    assert "one.csv is missing" in said


def test_what_is_run_can_be_chosen(table, answers, tmp_path, capsys):
    _, asked = answers
    assert main(["--minutes=0.5"]) == 0
    assert not asked
    assert "one: left out" in capsys.readouterr().out
    assert main(["--only=two", f"--pddl={tmp_path}"]) == 1  # no table is committed
    assert asked[0][:2] == ["two", f"--pddl={tmp_path}"]
    for wrong in (["--only=three"], ["--only=two"], ["--pddl=nowhere"]):
        with pytest.raises(SystemExit) as left:
            main(wrong)
        assert left.value.code == 2


def test_an_experiment_with_a_page_updates_itself():
    compare = next(table for table in tables() if table.has_page)
    assert compare.arguments(
        Path("new.csv"), {"pddl": Path("bench"), "gdl": None}, update=True
    ) == [
        "compare",
        "--pddl=bench",
        "--update",
    ]


def test_every_committed_table_is_made_by_a_command():
    folder = Path(made_by.__file__).parent
    assert {path.name for path in folder.glob("*.csv")} == {
        *DATA,
        *(table.committed.name for table in tables()),
    }


@pytest.mark.parametrize("table", tables(), ids=lambda table: table.name)
def test_the_columns_of_a_table_are_in_it(table):
    columns = set(read(table.committed)[0])
    assert {*table.key, *table.free, *table.found} <= columns
    assert columns - set(table.key) - table.free


@pytest.mark.slow
@pytest.mark.nightly  # test_experiments_octal.py makes most rows of the first again
@pytest.mark.parametrize("name", ["octal", "aamas2020"])
def test_a_table_is_as_committed(name, capsys):
    assert main(["--only", name]) == 0, capsys.readouterr().out
