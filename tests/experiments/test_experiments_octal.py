"""``python -m experiments octal``: how a published table is read and compared."""

from __future__ import annotations

from experiments import octal
from experiments.octal import COMMITTED, FREE, Published, compare, most_values, published, row
from experiments.tables import read
from icgsynth.spec.catalog import heap_entries

# Kayles as in Winning Ways, subtraction of 1 to 3, and Kayles with one wrong number each.
TRIVIAL = """
game | prefix | period | nimbers
:--- | -----: | -----: | :------
.333 |      0 |      4 | (0123)
.77  |     71 |     12 | {kayles}
"""
SOLVED = """
game | prefix | period | largest idx | largest
.77  |     71 |     {period} |          27 |       {largest}
.16  | 105351 | 149459 |      229790 |      23
"""
KAYLES = "01231432142641271432146741285472186741231472182741281472142741281472186(741281472182)"


def tables(folder, kayles=KAYLES, period=12, largest=8):
    (folder / "Trivial.md").write_text(TRIVIAL.format(kayles=kayles))
    (folder / "Solved.md").write_text(SOLVED.format(period=period, largest=largest))
    return folder


def test_the_rows_of_a_table(tmp_path):
    tables(tmp_path)
    first, second = published(tmp_path / "Trivial.md")
    assert first == Published(".333", 0, 4, (0, 1, 2, 3))
    assert len(second.sequence) == 83
    assert next(published(tmp_path / "Solved.md")).largest == (27, 8)


def test_rows_that_agree(tmp_path, capsys):
    assert compare(tables(tmp_path), 1_000) == 0
    out = capsys.readouterr().out
    assert "3 of 3 rows as published" in out
    assert "1 left out" in out


def test_rows_that_disagree(tmp_path, capsys):
    assert compare(tables(tmp_path, KAYLES.replace("0123", "0132"), 24, 9), 1_000) == 1
    out = capsys.readouterr().out
    assert "1 of 3 rows as published" in out
    assert "another sequence" in out
    assert "preperiod 71, period 12; largest value 8, of heap 27" in out


def test_a_row_of_the_table():
    made = row("0.77", "Kayles", octal.result("0.77", 300))
    assert (made["preperiod"], made["period"], made["replayed"]) == ("71", "12", "yes")
    assert made["values"] == "168"


def test_quick_rows_are_as_committed():
    """Of all codes but those that take a second; the night makes the table whole.

    Faults it sees: another bound of the values, a column of the committed table that is stale.
    """
    committed = {kept["code"]: kept for kept in read(COMMITTED)}
    quick = {code for code, kept in committed.items() if sum(float(kept[s]) for s in FREE) < 0.5}
    assert len(quick) > 20
    for entry in heap_entries():
        if entry.code not in quick:
            continue
        made = row(entry.code, entry.title, octal.result(entry.code, most_values(entry)))
        assert {**made, **dict.fromkeys(FREE)} == {**committed[entry.code], **dict.fromkeys(FREE)}
