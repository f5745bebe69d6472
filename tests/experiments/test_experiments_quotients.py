"""``python -m experiments quotients``: the committed table, and how others are compared with it."""

from __future__ import annotations

from experiments import quotients
from experiments.quotients import COMMITTED, NAMED, PUBLISHED, main
from experiments.tables import read


def test_the_committed_table_is_whole_and_as_published():
    rows = {row["code"]: row for row in read(COMMITTED)}
    assert list(rows) == [code for code, _, _ in NAMED]
    assert {code: rows[code]["order"] for code in PUBLISHED} == PUBLISHED
    assert all(row["proved"] and row["disagree"] == "0" for row in rows.values())
    # The order of a misère quotient of impartial games is 1 or even (Plambeck and Siegel).
    assert all(int(row["order"]) % 2 == 0 for row in rows.values())


def test_a_table_and_its_comparison(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(quotients, "NAMED", (("0.123", "", 20), ("0.07", "Dawson's Kayles", 12)))
    monkeypatch.setattr(quotients, "COMMITTED", tmp_path / "quotients.csv")
    assert main(["--update"]) == 0
    assert main([]) == 0
    first, second = read(tmp_path / "quotients.csv")
    assert (first["order"], first["P"], first["proved"]) == ("20", "5", "all heaps")
    assert (second["order"], second["heaps"], second["proved"]) == ("12", "11", "heaps so far")
    text = (tmp_path / "quotients.csv").read_text().replace(",5,5,306,", ",5,10,306,")
    (tmp_path / "quotients.csv").write_text(text)
    assert main([]) == 1
    assert "0.123: period was '10', is '5'" in capsys.readouterr().out
    monkeypatch.setitem(quotients.PUBLISHED, "0.123", "18")
    assert main(["--update"]) == 1
    assert "0.123: order 20, published 18" in capsys.readouterr().out
