"""The comparison with peers: what they answer, which files, medians and ratios."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from math import inf

import pytest

import icgsynth as icg
from experiments import compare, measure, transit
from experiments.cases import SERIES, chosen, scaling, seed
from experiments.measure import Case, Journal, Limits, Outcome, Run
from icgsynth.budget import Budget
from icgsynth.logic.term import Iff, Not
from icgsynth.prove.deciders.smt import SolverReply, satisfy
from icgsynth.solve.search import solve

GAME = Case("seed", "nim2", "nim2", "normal")


# --- the peers -------------------------------------------------------------------------------


def proved(game, rule, losing):
    """The formula is equivalent, on legal states, to one that is proved with its strategy."""
    solution = solve(game, rule, Budget(60))
    assert solution.is_proved
    differs = Not(Iff(losing, solution.losing.formula))
    return satisfy((game.legal, differs), game.variables, Budget(60)).kind == "unsat"


@pytest.mark.parametrize(
    ("name", "constants", "rule"),
    [("take_away", {"n": 2}, "normal"), ("take_away", {"n": 2}, "misere"), ("nim2", {}, "normal")],
)
def test_the_enumerator_finds_what_is_proved(name, constants, rule):
    game = icg.load(name, constants).game
    found = transit.synthesize(game, rule, Budget(30))
    assert proved(game, rule, found.losing)


def test_the_enumerator_joins_atoms():
    game = icg.load("nim2").game
    losing = transit.synthesize(game, "misere", Budget(30)).losing
    assert " or " in str(losing)
    assert proved(game, "misere", losing)


def test_unknown_is_not_taken_for_valid(monkeypatch):
    monkeypatch.setattr(transit, "satisfy", lambda *_: SolverReply("unknown"))
    found = transit.synthesize(icg.load("nim2").game, "normal", Budget(30))
    assert found.losing is None
    assert "z3 does not decide" in found.note


def test_cvc5_solves_a_tiny_game():
    pytest.importorskip("cvc5")
    from experiments import sygus

    game = icg.load("monotonic_nim2").game
    assert proved(game, "normal", sygus.synthesize(game, "normal", Budget(30)).losing)


def test_an_answer_that_labels_refute_is_wrong():
    right = Outcome("solved", 1.0, 0.5, 0.5, "a = b")
    assert compare.checked(GAME, right) == right
    assert compare.checked(GAME, replace(right, losing="a = b and a < 50")).status == "wrong"
    assert compare.checked(GAME, Outcome("timeout")).status == "timeout"


# --- what is compared --------------------------------------------------------------------------

FILES = [f"large/{i:02}.pddl" for i in range(30)] + ["tiny/x.pddl", "small/b.pddl", "small/a.pddl"]


def test_every_family_has_a_file_and_large_ones_have_more():
    taken = chosen(FILES, 6)
    families = [name.partition("/")[0] for name in taken]
    assert families == ["large"] * 4 + ["small", "tiny"]
    assert taken[:4] == ["large/03.pddl", "large/11.pddl", "large/18.pddl", "large/26.pddl"]


def test_the_choice_is_the_same_for_every_order_of_the_files():
    assert chosen(FILES[::-1], 6) == chosen(FILES, 6)
    assert len(set(chosen(FILES, 20))) == 20
    assert sorted(chosen(FILES, 100)) == sorted(FILES)


def test_the_seed_games_under_both_rules():
    cases = seed()
    assert len(cases) == len(set(cases)) == 40
    assert {case.rule for case in cases} == {"normal", "misere"}


def test_the_games_of_a_series_can_be_read(tmp_path):
    for series, cases in zip(SERIES, scaling(tmp_path), strict=True):
        assert {case.group for case in cases} == {series.name}
        assert [case.size for case in cases] == sorted(case.size for case in cases)
        for case in cases:
            assert icg.load(case.spec, dict(case.constants)).game.is_legal


# --- runs ----------------------------------------------------------------------------------------


def test_a_median_counts_a_run_without_an_answer_as_endless():
    runs = [Run("solved", t, t / 2, t / 4, "a = b") for t in (3.0, 1.0)]
    assert Outcome.of([*runs, Run("timeout", 9.0)]) == Outcome("solved", 3.0, 1.5, 0.75, "a = b")
    assert Outcome.of([runs[0], Run("timeout", 9.0)]) == Outcome("timeout")
    assert Outcome.of([Run("memory", 2.0, note="why")]) == Outcome("memory", note="why")


def test_a_failure_is_not_repeated_and_ends_its_series(tmp_path, monkeypatch):
    asked = []

    def run(tool, case, limits):
        asked.append((tool, case.size))
        solved = case.size < 3
        return Run("solved" if solved else "timeout", 1.0)

    monkeypatch.setattr(measure, "run_tool", run)
    line = [Case("parity", f"p{m}", "x", "normal", (), m) for m in (1, 2, 3, 4)]
    journal = Journal(tmp_path / "runs.jsonl", Limits(runs=2), fresh=True)
    found = list(measure.measure([("cvc5", line)], Limits(runs=2), journal, 1))
    assert [outcome.status for _, _, outcome in found] == ["solved", "solved", "timeout"]
    assert asked == [("cvc5", m) for m in (1, 1, 2, 2, 3)]
    # What is written down is not run again, unless the limits are other ones.
    again = Journal(tmp_path / "runs.jsonl", Limits(runs=2), fresh=False)
    assert list(measure.measure([("cvc5", line)], Limits(runs=2), again, 1)) == found
    assert len(asked) == 5
    assert not Journal(tmp_path / "runs.jsonl", Limits(5.0), fresh=False).runs("cvc5", line[0])


@pytest.mark.skipif(shutil.which("sh") is None, reason="the limits are set by a shell")
def test_a_process_is_killed_at_its_limit(monkeypatch):
    monkeypatch.setattr(Case, "command", lambda *_: ["sleep", "30"])
    assert measure.run_tool("cvc5", GAME, Limits(0.2)).status == "timeout"


@pytest.mark.skipif(shutil.which("sh") is None, reason="the limits are set by a shell")
def test_what_a_process_answers(monkeypatch):
    answer = {"status": "solved", "losing": "a = b", "inside": 0.5, "note": ""}
    monkeypatch.setattr(Case, "command", lambda *_: ["echo", json.dumps(answer)])
    run = measure.run_tool("enumerator", GAME, Limits(20))
    assert (run.status, run.inside, run.losing) == ("solved", 0.5, "a = b")
    monkeypatch.setattr(Case, "command", lambda *_: ["sh", "-c", "echo no; echo MemoryError >&2"])
    assert measure.run_tool("enumerator", GAME, Limits(20)).status == "memory"


# --- figures -----------------------------------------------------------------------------------


def rows():
    """Three games: both peers on the first, one of them on the second, neither on the third."""

    def solved(seconds):
        return Outcome("solved", seconds, seconds / 2, seconds / 4, "a = b")

    table = [
        {"icgsynth": solved(0.5), "enumerator": solved(1.0), "cvc5": solved(50.0)},
        {"icgsynth": solved(0.5), "enumerator": solved(2.0), "cvc5": Outcome("timeout")},
        {"icgsynth": solved(0.5), "enumerator": Outcome("unknown"), "cvc5": Outcome("wrong")},
    ]
    cases = [replace(GAME, game=name) for name in ("a", "b", "c")]
    return [compare.Row(case, outcomes) for case, outcomes in zip(cases, table, strict=True)]


def test_ratios_are_medians_over_what_both_solve():
    lines = compare.figures(rows(), Limits(60))
    assert "seed, solved of 3: icgsynth 3, enumerator 2, cvc5 1" in lines
    parts = ("(whole processes)", "(without start-up)", "(search and proof alone)")
    end = "2 that both solve: " + ", ".join(f"3.0 {part}" for part in parts)
    assert any(line.endswith(end) for line in lines)
    assert any(line.endswith("counted as 60 s: at least 4.0") for line in lines)
    assert any(line.endswith("counted as 60 s: at least 120.0") for line in lines)
    assert {"enumerator: 1 unknown", "cvc5: 1 wrong"} <= set(lines)


def test_a_row_of_the_csv():
    record = rows()[0].record(Limits(60))
    assert list(record) == compare.FIELDS
    assert (record["icgsynth_s"], record["cvc5_s"], record["cvc5_ratio"]) == (
        "0.500",
        "50.000",
        "100.00",
    )
    missing = compare.Row(GAME, {}).record(Limits())
    assert (missing["cvc5_status"], missing["cvc5_s"]) == ("not run", "")
    assert compare.Row(GAME, {}).outcome("cvc5").seconds == inf


def test_plots(tmp_path):
    pytest.importorskip("matplotlib")
    from experiments.plots import draw

    points = [compare.Row(replace(GAME, group=s.name, size=2), rows()[0].outcomes) for s in SERIES]
    draw([row.record(Limits()) for row in [*rows(), *points]], tmp_path)
    for name in ("solved", "scaling"):
        drawn = (tmp_path / f"comparison-{name}.svg").read_text("utf-8")
        assert "</svg>" in drawn
