"""``python -m experiments lifted``: theorems about files, judged by a reader of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("icgsynth.benchmark", reason="the wing of the benchmark is not there")

from experiments import lifted as experiment
from experiments.lifted import TABLE, main
from experiments.lifted_theorems import prove_lifted
from experiments.tables import read
from icgsynth.logic.build import substitute
from icgsynth.logic.term import Int, Name, Sum

TAKE = """(define (domain take)
  (:objects ?v1)
  (:constraint (>= ?v1 0))
  (:tercondition (= ?v1 0))
  (:action take :parameters (?k)
                :precondition (and (>= ?k 1) (<= ?k {}) (>= ?v1 ?k))
                :effect (assign ?v1 (- ?v1 ?k))))
"""


def test_the_committed_table_adds_up():
    rows = read(TABLE)
    assert len({row["first"] for row in rows}) == len(rows) > 100
    assert sum(int(row["files"]) for row in rows) == 1238  # the files of the benchmark
    for row in rows:
        inside, files = int(row["inside"]), int(row["files"])
        assert row["wrong"] in ("", "0")
        assert row["found"] == ("none" if not inside else "all" if inside == files else "part")
        assert (row["why"] == "") == (row["found"] == "all")
        assert bool(row["theorems"]) == bool(row["judged"]) == (inside > 0)
        assert row["constants"] or row["why"] in ("one file only", "its files are one game")


@pytest.mark.slow
def test_a_table_and_its_judge(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "games" / "take"
    folder.mkdir(parents=True)
    for k in (2, 5, 6):
        (folder / f"take-{k}.pddl").write_text(TAKE.format(k))
    (folder / "one.pddl").write_text(TAKE.format(3).replace(">= ?k 1", "> ?k 1"))
    monkeypatch.setattr(experiment, "TABLE", tmp_path / "lifted.csv")
    command = ["--pddl", str(folder.parent), "--timeout", "60"]
    assert main([*command, "--update"]) == 0
    alone, take = read(tmp_path / "lifted.csv")
    assert (alone["files"], alone["why"]) == ("1", "one file only")
    assert (take["constants"], take["found"], take["inside"]) == ("n = 2, 5, 6", "all", "3")
    assert take["wrong"] == "0" and int(take["judged"]) > 100
    capsys.readouterr()

    def one_off(*arguments):
        """A theorem for one more than each file says, as a fault of the lifting would have it."""
        found = prove_lifted(*arguments)
        theorems = []
        for theorem in found.theorems:
            claim = theorem.proof.claim
            losing = substitute(claim.losing, {"n": Sum((Name("n"), Int(1)))})
            proof = replace(theorem.proof, claim=replace(claim, losing=losing))
            theorems.append(replace(theorem, proof=proof))
        return replace(found, theorems=tuple(theorems))

    monkeypatch.setattr(experiment, "prove_lifted", one_off)
    assert main(command) == 1
    assert "take/take-2.pddl: is_winning(" in capsys.readouterr().out
