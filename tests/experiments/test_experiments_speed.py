"""Two builds side by side: here the same one twice."""

from __future__ import annotations

import sys

import pytest

from experiments import speed
from experiments.tables import read


@pytest.mark.slow
def test_a_build_takes_as_long_as_itself(tmp_path):
    table = tmp_path / "speed.csv"
    assert not speed.main(
        ["--against", sys.executable, "--only=--help", "--runs=3", "--table", str(table)]
    )
    (row,) = read(table)
    assert (row["work"], row["runs"], row["ours_answer"]) == ("--help", "3", "")
    assert 0.2 < float(row["ratio"]) < 5
    assert float(row["ours_mb"]) > 5


def test_what_a_process_spends_is_that_of_its_children_too():
    begun = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(10**7))'])"
    spent, quiet = (
        speed.spend([sys.executable, "-c", begun]),
        speed.spend([sys.executable, "-c", ""]),
    )
    assert spent.code == quiet.code == 0
    assert spent.seconds > quiet.seconds + 0.05


def test_there_is_no_table_of_a_build_that_is_not_there(capsys):
    with pytest.raises(SystemExit):
        speed.main(["--against", "/nowhere/python"])
    assert "no file /nowhere/python" in capsys.readouterr().err


def test_a_row_that_is_not_measured_again_stays():
    """Fault seen: a run of one part drops the rows of all others, or puts its own at the end."""
    names = ("value 0.56", "--help")
    old = [
        {"work": work, "against": speed.OLDER, "ratio": "1.00"} for work in ("elsewhere", *names)
    ]
    new = [{"work": "--help", "against": speed.OLDER, "ratio": "0.50"}]
    rows = speed.renewed(old, new)
    assert [(row["work"], row["ratio"]) for row in rows] == [
        ("--help", "0.50"),
        ("value 0.56", "1.00"),
        ("elsewhere", "1.00"),
    ]
