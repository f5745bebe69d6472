"""``python -m experiments dialects``: files in PDDL, counted by what becomes of them."""

from __future__ import annotations

import pytest

from experiments import dialects
from experiments.tables import read

GAME = "(define (domain g) (:objects ?a) (:action go :effect (decrease ?a 1)))"
FILES = {
    "one.pddl": GAME,
    "deep/two.pddl": GAME,
    "p1.pddl": "(define (problem p1))",
    "p2.pddl": "\n(define (problem p2))",
    "words.pddl": "(define (domain g) (:objects ?a ?a))",
    "other.pddl": "(define (domain g)\n (:objects ?b ?b))",
    "facts.pddl": "(define (domain g)\n (:predicates (on ?x)))",
    "notes.txt": "no file of rules",
}


@pytest.fixture
def folder(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def test_files_are_counted_by_reason(folder):
    """Faults it sees: a name of one file in a reason, a file that is not counted."""
    rows = {row["reason"]: row for row in dialects.corpus("mine", folder)}
    assert {reason: int(row["files"]) for reason, row in rows.items()} == {
        "read": 2,
        "not a PDDL domain": 2,
        "'..' is already a variable": 2,
        "this domain's states are facts, not integers": 1,
    }
    assert rows["this domain's states are facts, not integers"]["line"] == "2"
    assert all(row["mend"] for reason, row in rows.items() if reason != "read")


def test_a_row_that_differs_is_told(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(dialects, "TABLE", tmp_path / "table.csv")
    command = [f"mine={folder}"]
    assert dialects.main([*command, "--update"]) == 0
    assert dialects.main(command) == 0
    (folder / "p2.pddl").write_text(GAME, "utf-8")
    assert dialects.main(command) == 1
    assert "not as in table.csv" in capsys.readouterr().err
    assert {row["corpus"] for row in read(dialects.TABLE)} == {"mine"}


def test_a_traceback_is_counted_as_such(folder, monkeypatch):
    def broken(source):
        raise KeyError(source.name)

    monkeypatch.setattr(dialects, "parse_pddl", broken)
    ((reason, files),) = [(r["reason"], r["files"]) for r in dialects.corpus("mine", folder)]
    assert (reason, files) == ("crashed", "7")
