"""``python -m experiments families``: the committed table, and the judge that shares no code."""

from __future__ import annotations

import pytest
from speed import sampled

from experiments import families, family_theorems
from experiments.families import TABLE, main
from experiments.family_statements import OPEN, STATEMENTS
from experiments.family_theorems import family_judged
from experiments.tables import read

FAMILIES = {family.name: family for family in (*STATEMENTS, *OPEN)}
LOST, TAKE = "v mod (n + 1) = 0", "v mod (n + 1) != 0: take(v mod (n + 1))"


def test_the_committed_table_is_whole():
    rows = read(TABLE)
    assert [row["family"] for row in rows] == list(FAMILIES)
    for row in rows:
        if row["found"] == "yes":
            assert row["losing"] and row["strategy"] and row["confirmed"].count(",")
        else:
            assert row["reason"] and not row["losing"]


@sampled("name", ["race", "{1, k}", "interval"])
def test_the_judge_agrees_with_theorems_of_the_table(name, monkeypatch):
    monkeypatch.setattr(family_theorems, "_SMALL", 15)
    monkeypatch.setattr(family_theorems, "_OTHERS", 6)
    row = next(row for row in read(TABLE) if row["family"] == name)
    verdict = family_judged(FAMILIES[name], row)
    assert not verdict.wrong
    assert verdict.members > 20


@pytest.mark.parametrize(
    ("losing", "strategy", "where"),
    [
        ("v mod (n + 2) = 0", TAKE, ("{'n': 0}:", "(1,)")),  # with n = 0 there is no move at all
        ("v mod (n + 1) = 0 and (n <= 3 or v < 102)", TAKE, ("{'n': 4}:", "(105,)")),
        (LOST, "v mod (n + 1) > 1: take(v mod (n + 1))", ("{'n': 1}:", "(1,)")),
        (LOST, "v mod (n + 1) != 0: take(1)", ("{'n': 2}:", "(2,)")),
    ],
)
def test_the_judge_says_where_a_statement_is_wrong(losing, strategy, where):
    verdict = family_judged(FAMILIES["take"], {"losing": losing, "strategy": strategy})
    assert [part in verdict.wrong for part in where] == [True, True]


@pytest.mark.slow
def test_a_row_is_made_and_compared(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(families, "TABLE", tmp_path / "families.csv")
    monkeypatch.setattr(family_theorems, "_SMALL", 4)  # members that are judged, and the others
    monkeypatch.setattr(family_theorems, "_OTHERS", 4)
    (tmp_path / "families.csv").write_text(TABLE.read_text())
    assert main(["--only", "take", "--update"]) == 0
    assert main(["--only", "take"]) == 0
    assert main(["--judge", "--only", "take"]) == 0
    assert "1 of 1 found and proved" in capsys.readouterr().out
