"""Theorems of the catalog: proved again, put to use for huge constants, and never believed."""

import json
import re
from itertools import islice, product
from pathlib import Path

import pytest
from commands import validate
from plain_play import loser

import icgsynth
from icgsynth.budget import Budget
from icgsynth.cli import run
from icgsynth.families.proof.families import prove_family
from icgsynth.families.rules import theorem_catalog
from icgsynth.families.rules.theorem_catalog import catalog_theorems, theorem_entries
from icgsynth.families.search.by_theorem import by_theorem
from icgsynth.logic.evaluate import satisfies
from icgsynth.spec.catalog import catalog_dir, entries
from icgsynth.spec.icg import parse_formula

HUGE = 2**200
ENTRIES = theorem_entries()
FAMILIES = sorted({entry["game"] for entry in ENTRIES})
NAMES = [f"{e['game']}, {e['rule']}, {e['for']}, {e['fixed']}" for e in ENTRIES]
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "theorems.md"


def require_proved(name):
    for kept in catalog_theorems(name):
        claim, status = kept.claim, kept.status
        assert status == "theorem"
        assert prove_family(claim, Budget(900)).status == "theorem", (name, claim.rule)


def test_theorems_of_take_away_are_proved_again():
    require_proved("take_away")


QUICKLY = ("diet_chomp_2row", "subtraction2", "two_sided_take_away", "vector_subtraction2")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        name if name in QUICKLY else pytest.param(name, marks=pytest.mark.nightly)
        for name in FAMILIES
        if name != "take_away"
    ],
)
def test_every_theorem_is_proved_again(name):
    require_proved(name)


def test_the_file_has_answers_of_the_schema():
    for entry in theorem_entries():
        validate(entry)
        assert entry["by"] in ("search", "search for a strategy", "hand")


def some_members(entry):
    """Constants in the range, small ones first; without those that have no legal state."""
    names, where = entry["constants"], entry["for"]
    formula = parse_formula(where, (), constants=tuple(names))
    for numbers in sorted(product(range(10), repeat=len(names)), key=sum):
        if satisfies(formula, dict(zip(names, numbers, strict=True))):
            yield numbers


@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_an_exported_theorem_plays_small_members_right(entry, tmp_path, capsys):
    """The module alone against recursion over all moves: the first member, and a larger one."""
    path = tmp_path / "theorem.json"
    path.write_text(json.dumps(entry))
    assert run(["export", str(path), "--to", "python"]) == 0
    module = {"__name__": "theorem"}
    exec(capsys.readouterr().out, module)
    won = 0
    members = list(islice(some_members(entry), 100))
    for numbers in dict.fromkeys((members[0], members[-1])):
        constants = dict(zip(entry["constants"], numbers, strict=True))
        game = icgsynth.load(entry["game"], entry["fixed"] | constants).game
        lost = loser(game, entry["rule"])
        side = 40 if len(game.variables) == 1 else 12
        for state in product(range(side), repeat=len(game.variables)):
            if not game.is_legal(state):
                continue
            assert module["is_winning"](*numbers, *state) == (not lost(state)), (numbers, state)
            moves = {(move.action, *move.arguments): move for move in game.moves(state)}
            if moves and not lost(state):
                action, arguments = module["move"](*numbers, *state)
                made = moves[(action, *arguments.items())]
                assert lost(game.result(state, made)), (numbers, state)
                won += 1
    assert won > 5


@pytest.mark.slow
@pytest.mark.parametrize("fmt", ["fft", "latex", "dot", "smt2"])
@pytest.mark.parametrize("entry", ENTRIES, ids=NAMES)
def test_every_theorem_is_exported(entry, fmt, tmp_path, capsys):
    path = tmp_path / "theorem.json"
    path.write_text(json.dumps(entry))
    assert run(["export", str(path), "--to", fmt, "--quiet"]) == 0
    out = capsys.readouterr().out
    assert entry["constants"][0][0] in out
    assert fmt != "smt2" or out.count("(check-sat)") > 8


def test_the_page_says_of_every_other_family_why_there_is_no_theorem():
    rows = re.findall(r"^\| `(\w+)`[^|]*\| (\w+) \|", PAGE.read_text("utf-8"), re.M)
    told = {(game, rule) for game, word in rows for rule in _rules(word)}
    proved = {(entry["game"], entry["rule"]) for entry in ENTRIES}
    named = {e.name: [name for name, _ in e.constants] for e in entries() if e.constants}
    assert {(g, rule) for g in named for rule in ("normal", "misere")} <= told | proved
    assert {game for game, _ in told} <= named.keys()


def _rules(word):
    return {"both": ("normal", "misere"), "misère": ("misere",)}.get(word, (word,))


def test_sources_are_in_the_bibliography():
    text = (catalog_dir() / "references.bib").read_text("utf-8")
    cited = {key for entry in ENTRIES for key in re.findall(r"\[(\w+)\]", entry["source"])}
    assert len(cited) > 5
    assert all(f"{{{key}," in text for key in cited)


@pytest.mark.parametrize("rule", ["normal", "misere"])
def test_a_huge_constant_is_solved(rule, capsys):
    """Lost, by the rules: the multiples of n + 1, and under misère what is one more."""
    assert run(["solve", "take_away", "--set", f"n={HUGE}", "--rule", rule, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    validate(found)
    assert found["status"] == "solved"
    assert found["losing"]["formula"] == f"v mod {HUGE + 1} = {int(rule == 'misere')}"
    assert all(len(found["confirmed"][part]) > 1 for part in ("winning", "strategy"))


def test_a_goal_as_large_as_the_steps():
    """Play goes up, and is bounded by a number of the rules."""
    goal, step = 10**40 + 1, 10**20
    found = icgsynth.load("race_to_goal", {"goal": goal, "step": step}).solve(timeout=60)
    assert found.is_proved
    for v in (goal, goal - 1, goal - step - 1, goal - 7 * (step + 1), 12, goal - step):
        assert satisfies(found.losing.formula, {"v": v}) == ((goal - v) % (step + 1) == 0)


def test_two_piles_with_moduli_past_half_of_a_box():
    """Lost, by the sum of two take-aways: a mod 38 = b mod 54."""
    found = icgsynth.load("mixed_take_away2", {"m": 37, "n": 53}).solve(timeout=60)
    assert found.is_proved
    losing = found.losing.formula
    for a, b in product(range(0, 120, 3), range(120)):
        assert satisfies(losing, {"a": a, "b": b}) == (a % 38 == b % 54)


def test_small_constants_are_solved_without_it(monkeypatch):
    monkeypatch.setattr(theorem_catalog, "theorem_entries", lambda: 1 / 0)
    assert icgsynth.load("take_away", {"n": 5}).solve().losing.minimal


@pytest.mark.slow
def test_no_theorem_is_believed(monkeypatch):
    (entry,) = [e for e in ENTRIES if (e["game"], e["rule"]) == ("take_away", "normal")]
    game = icgsynth.load("take_away", {"n": 50}).game
    assert by_theorem(game, "normal", Budget(60)) is not None
    wrong = {**entry, "losing": {"formula": "v mod (n + 2) = 0"}}
    wrong["winning"] = {"formula": "v mod (n + 2) != 0"}
    monkeypatch.setattr(theorem_catalog, "theorem_entries", lambda: (wrong,))
    assert by_theorem(game, "normal", Budget(60)) is None


@pytest.mark.slow
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
