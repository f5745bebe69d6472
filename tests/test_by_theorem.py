"""Theorems of the catalog: proved again, put to use for huge constants, and never believed."""

import json
from pathlib import Path

import jsonschema
import pytest

import icgsynth
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.logic.evaluate import satisfies
from icgsynth.prove.families import prove_family
from icgsynth.spec import theorem_catalog
from icgsynth.spec.theorem_catalog import catalog_theorems, theorem_entries
from icgsynth.synth.by_theorem import by_theorem

HUGE = 2**200
FAMILIES = sorted({entry["game"] for entry in theorem_entries()})


def require_proved(name):
    for claim, _, status in catalog_theorems(name):
        assert status == "theorem"
        assert prove_family(claim, Budget(240)).status == "theorem", (name, claim.rule)


def test_theorems_of_take_away_are_proved_again():
    require_proved("take_away")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "take_away"])
def test_every_theorem_is_proved_again(name):
    require_proved(name)


def test_the_file_has_answers_of_the_schema():
    path = Path(icgsynth.__file__).parent / "export" / "solution.schema.json"
    schema = jsonschema.Draft202012Validator(json.loads(path.read_text("utf-8")))
    for entry in theorem_entries():
        schema.validate(entry)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_huge_constant_is_solved(rule, capsys):
    """Lost, by the rules: the multiples of n + 1, and under misère what is one more."""
    assert run(["solve", "take_away", "--set", f"n={HUGE}", "--rule", rule, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "solved"
    assert found["losing"]["formula"] == f"v mod {HUGE + 1} = {int(rule == 'misere')}"
    assert all(len(found["confirmed"][part]) > 1 for part in ("winning", "strategy"))


def test_the_report_says_by_what_theorem(capsys):
    assert run(["solve", "race_to_goal", "--set", "goal=1500", "--set", "step=10"]) == 0
    out = capsys.readouterr().out
    assert "Found:  by the theorem for every goal >= 0 and step >= 1: lost iff" in out
    goal = icgsynth.load("race_to_goal", {"goal": 1500, "step": 10})
    losing = goal.solve().losing.formula
    assert [v for v in range(1_400, 1_501) if satisfies(losing, {"v": v})] == [
        v for v in range(1_400, 1_501) if (1_500 - v) % 11 == 0
    ]


def test_small_constants_are_solved_without_it(monkeypatch):
    monkeypatch.setattr(theorem_catalog, "theorem_entries", lambda: 1 / 0)
    assert icgsynth.load("take_away", {"n": 5}).solve().losing.minimal


def test_no_theorem_is_believed(monkeypatch):
    (entry,) = [e for e in theorem_entries() if (e["game"], e["rule"]) == ("take_away", "normal")]
    game = icgsynth.load("take_away", {"n": HUGE}).game
    assert by_theorem(game, "normal", Budget(60)) is not None
    wrong = {**entry, "losing": {"formula": "v mod (n + 2) = 0"}}
    wrong["winning"] = {"formula": "v mod (n + 2) != 0"}
    monkeypatch.setattr(theorem_catalog, "theorem_entries", lambda: (wrong,))
    assert by_theorem(game, "normal", Budget(60)) is None


def test_other_rules_of_the_same_name_are_judged_by_themselves():
    """Two counters at least: the theorem of the catalog is about other rules."""
    text = "game take_away const n = 3 var v legal v >= 0 "
    other = icgsynth.loads(
        f"{text} action take(k) pre 2 <= k <= n and k <= v eff v := v - k", {"n": 5000}
    )
    assert by_theorem(other.game, "normal", Budget(60)) is None
    same = icgsynth.loads(
        f"{text} action take(k) pre 1 <= k <= n and k <= v eff v := v - k", {"n": 5000}
    )
    assert by_theorem(same.game, "normal", Budget(60)).is_proved
