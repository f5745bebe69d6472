"""``python -m experiments subtraction``: periods by brute force, and formulas that say them."""

from __future__ import annotations

import pytest

from experiments import subtraction
from experiments.subtraction import COMMITTED, Outcomes, fault, main, solved
from experiments.tables import read


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize(
    ("numbers", "preperiod", "period"),
    [
        ((1, 2, 3), 0, 4),
        ((3,), 0, 6),
        ((2, 3), 0, 5),
        ((1, 4, 9, 10), 0, 31),
        ((1, 4, 7, 8), 0, 25),
    ],
)
def test_periods_by_brute_force(numbers, preperiod, period, rule):
    """Those of the first three are a + b for {a, b}, n + 1 for 1 .. n, and 2 k for {k}."""
    found = Outcomes.of(numbers, rule)
    assert (found.preperiod, found.period) == (preperiod, period)
    lost = []
    for pile in range(500):
        moves = [lost[pile - number] for number in numbers if number <= pile]
        lost.append(not any(moves) if moves else rule == "normal")
    assert [found.is_lost(pile) for pile in range(500)] == lost
    assert lost[:-period] == lost[period:]
    assert all(lost[:-p] != lost[p:] for p in range(1, period))


def test_a_preperiod():
    """{2, 4, 7} loses at 0 and 1, and from 4 on at the multiples of 3."""
    found = Outcomes.of((2, 4, 7), "normal")
    assert [v for v in range(20) if found.is_lost(v)] == [0, 1, 6, 9, 12, 15, 18]
    assert (found.preperiod, found.period) == (4, 3)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("numbers", [(1, 4, 9, 10), (1, 4, 7, 8)])
def test_a_long_period_is_said_with_one_modulus(numbers, rule):
    """Base 2 has an automaton for these too, which nobody can read."""
    solution = solved(numbers, rule, 60.0)
    assert fault(solution, Outcomes.of(numbers, rule)) == ""


def test_what_is_not_said_is_a_fault():
    solution = solved((1, 2), "normal", 60.0)
    assert fault(solution, Outcomes.of((1, 2), "normal")) == ""
    assert fault(solution, Outcomes.of((1, 2), "misere")) == "wrong"
    assert fault(solution, Outcomes.of((2, 4), "normal")) == "wrong"
    assert fault(solved((1, 2), "normal", 0.0), Outcomes.of((1, 2), "normal")) == "unknown"


def test_the_committed_table_has_a_formula_for_every_game():
    rows = read(COMMITTED)
    assert len(rows) == 16
    assert all(row["not_said"] == row["wrong"] == "0" for row in rows)
    assert all(row["said"] == row["asked"] for row in rows)


def test_a_table_and_its_comparison(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(subtraction, "COMMITTED", tmp_path / "subtraction.csv")
    monkeypatch.setattr(subtraction, "LARGEST", 4)
    few = ["--sample=1", "--longest=1", "--jobs=1"]
    assert main([*few, "--update"]) == 0
    assert main(few) == 0
    table = tmp_path / "subtraction.csv"
    rows = read(table)
    assert [(row["numbers"], row["games"]) for row in rows[::4]] == [
        ("1", "4"),
        ("2", "6"),
        ("3", "4"),
        ("4", "1"),
    ]
    table.write_text(table.read_text().replace(",6,0,1,", ",6,0,2,", 1))
    capsys.readouterr()
    assert main(few) == 1
    assert "asked was '2', is '1'" in capsys.readouterr().out
