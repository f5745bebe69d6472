"""The experiment that has Coq check the catalog, with a pretended ``coqc`` but in one slow test."""

from __future__ import annotations

import json
import os
import random
import re

import pytest
from coq_here import require_coq

from experiments import coq as experiment
from experiments import coq_mutants
from experiments.coq_runs import Case, Ran, Seconds, accepted, checked_case, ran
from experiments.tables import read, write

CLOSED = "Closed under the global context\n"


@pytest.mark.parametrize(
    ("code", "out", "is_accepted"),
    [(0, CLOSED, True), (1, CLOSED, False), (0, "", False), (0, f"not {CLOSED}", False)],
)
def test_what_is_accepted(code, out, is_accepted):
    assert accepted(Ran(code, out, "", 1.0)) == is_accepted


def test_processor_time_is_bounded_and_counted(tmp_path):
    endless = ran(["sh", "-c", "while :; do :; done"], 1, tmp_path)
    assert endless.code < 0 and endless.seconds > 0.5
    asleep = ran(["sh", "-c", "sleep 0.5; echo said; echo why >&2; exit 3"], 5, tmp_path)
    assert asleep[:3] == (3, "said\n", "why\n") and asleep.seconds < 0.4


def test_memory_is_bounded(tmp_path):
    """A coqc that takes ten gigabytes would stop all else on the machine."""
    bound = ran(["sh", "-c", "ulimit -v"], 5, tmp_path).out
    assert 4_000_000 <= int(bound) <= 8_000_000  # kilobytes


@pytest.fixture
def pretended(tmp_path, monkeypatch):
    """A ``coqc`` that accepts normal play, and a committed table of its own."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "coqc").write_text(
        "#!/bin/sh\nif grep -q 'misère play' answer.v; then echo 'Error: No such goal.' >&2; exit 1"
        f"\nfi\necho '{CLOSED.strip()}'\n",
        "utf-8",
    )
    (folder / "coqc").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(experiment, "TABLE", tmp_path / "coq.csv")
    monkeypatch.setattr(experiment, "theorem_entries", tuple)
    monkeypatch.setattr(experiment, "VALUES", tmp_path / "values.csv")
    write(tmp_path / "values.csv", ("game", "status"), [])
    return ["--only", "nim2", "--journal", str(tmp_path / "journal.jsonl")]


def test_a_table_is_made_compared_and_resumed(pretended, tmp_path, capsys, monkeypatch):
    assert experiment.main([*pretended, "--table", str(tmp_path / "coq.csv")]) == 0
    normal, misere = read(tmp_path / "coq.csv")
    assert (normal["what"], normal["rule"], normal["kind"]) == ("nim2", "normal", "linear")
    assert (normal["accepted"], misere["accepted"]) == ("yes", "no")
    assert (normal["why"], misere["why"]) == ("", "No such goal.")
    assert int(normal["bytes"]) > 5_000 and float(normal["generator_s"]) > 0
    out = capsys.readouterr().out
    assert re.search(r"^linear normal +1 of 1 ", out, re.MULTILINE)
    assert re.search(r"^linear misere +0 of 1$", out, re.MULTILINE)

    def not_again(*_):
        raise AssertionError("the journal has it")

    monkeypatch.setattr(experiment, "checked_case", not_again)
    assert experiment.main([*pretended, "--resume"]) == 0
    write(tmp_path / "coq.csv", experiment.FIELDS, [normal, misere | {"accepted": "yes"}])
    assert experiment.main([*pretended, "--resume"]) == 1
    assert "nim2 misere linear: accepted was 'yes', is 'no'" in capsys.readouterr().out


def test_a_game_without_an_answer_has_no_row(pretended, tmp_path):
    rules = tmp_path / "endless.icg"
    rules.write_text("game endless var a action up pre true eff a := a + 1", "utf-8")
    assert checked_case(Case("endless", "normal", "game", str(rules)), Seconds(5, 20, 20)) is None


def test_the_benchmark_is_drawn_and_counted_by_family(pretended, tmp_path, monkeypatch, capsys):
    (tmp_path / "games" / "take").mkdir(parents=True)
    for k in (2, 3):
        (tmp_path / "games" / "take" / f"{k}.pddl").write_text("not read here", "utf-8")
    row = {"what": "take", "kind": "linear", "accepted": "yes", "coqc_s": "2.0", "bytes": "9"}
    row |= {"generator_s": "1.0"}
    found = {
        "normal": row | {"rule": "normal", "why": ""},
        "misere": row | {"rule": "misere", "accepted": "no", "why": "No such goal."},
    }
    seen = []
    monkeypatch.setattr(experiment, "checked_case", lambda c, _: seen.append(c) or found[c.rule])
    command = [
        "--pddl",
        str(tmp_path / "games"),
        *pretended[2:],
        "--table",
        str(tmp_path / "t.csv"),
    ]
    assert experiment.main([*command, "--sample", "10"]) == 0
    assert len(seen) == 4
    (family,) = read(tmp_path / "t.csv")
    assert family == {"family": "take", "answers": "4", "accepted": "2", "coqc_s": "2.00"} | {
        "bytes": "9",
        "why": "No such goal.",
    }
    assert experiment.main([*command, "--sample", "3"]) == 0
    assert read(tmp_path / "t.csv")[0]["answers"] == "3"
    drawn = [experiment.drawn(tmp_path / "games", seed) for seed in (7, 7, 8)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize("kind", sorted(coq_mutants.KINDS))
def test_mutants_are_wrong_and_coq_is_asked(pretended, tmp_path, monkeypatch, kind):
    """The pretended Coq accepts them, which is what the experiment has to notice."""
    rows = [{"what": "subtraction_23", "rule": "normal", "kind": "linear", "accepted": "yes"}]
    monkeypatch.setattr(coq_mutants, "TABLE", tmp_path / "coq.csv")
    write(tmp_path / "coq.csv", list(rows[0]), rows)
    coq_mutants._right.cache_clear()
    found = coq_mutants.mutant(coq_mutants.KINDS[kind], random.Random(f"1 {kind}"))
    assert (
        found.verdict == "proved" and found.is_false and "Coq accepts subtraction_23" in found.wrong
    )
    assert json.loads(found.text.partition("\n")[2])["game"] == "subtraction_23"
    coq_mutants._right.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(coq_mutants.KINDS))
def test_coq_refuses_mutants(kind, monkeypatch):
    require_coq()
    monkeypatch.setattr(coq_mutants, "_right", lambda: (("subtraction_23", "normal"),))
    found = coq_mutants.mutant(coq_mutants.KINDS[kind], random.Random(f"1 {kind}"))
    assert found.verdict == "refuted" and not found.wrong
