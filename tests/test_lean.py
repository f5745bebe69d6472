"""Files for Lean 4.  No Lean reads them here: their text is read, and computed with, instead."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from catalog_answers import solved

import icgsynth as icg
from icgsynth.cli import run
from icgsynth.cli.codes import BAD_INPUT
from icgsynth.errors import Refused
from icgsynth.export import export
from icgsynth.export.lean_terms import lean_name, lean_text
from icgsynth.game.strategy import Strategy
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import Compare, Int, Sum
from icgsynth.spec.icg import parse_formula

GOLDEN = Path(__file__).parent / "golden" / "nim2_misere.lean"
GAMES = ["nim2", "chomp_2row", "cyclic_nimhoff", "subtraction_23"]


def test_the_file_of_misere_nim_is_as_it_was():
    """``python tests/test_lean.py`` writes it anew."""
    assert export(solved("nim2", "misere"), "lean") == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("game", GAMES)
def test_files_hang_together(game, rule):
    """Said to be unchecked; brackets close; each name is defined once, before it is used."""
    text = export(solved(game, rule), "lean")
    assert text.startswith("-- UNCHECKED")
    text = re.sub(r"/-.*?-/", "", text, flags=re.DOTALL)
    for opening, closing in ("()", "⟨⟩", "[]"):
        assert text.count(opening) == text.count(closing) > 0
    defined = re.findall(r"^(?:theorem|def|abbrev|inductive|structure) (\S+)", text, re.MULTILINE)
    assert len(defined) == len(set(defined)) and {"answer", "Won", "Lost", "step"} < set(defined)
    assert not re.search(r"\b(sorry|axiom|admit)\b", text)
    for used in re.finditer(
        r"\b((?:fall|lose|cover|win|ends|ready|one)(?:_\w+)?) (?=[a-z_])", text
    ):
        assert f"theorem {used[1]} " in text[: used.end()], used[1]
    for action in solved(game, rule).game.actions:
        assert f"theorem fall_{lean_name(action.name)} " in text
    assert text.endswith("#print axioms answer\n\nend Answer\n")


PYTHON = [("∧", " and "), ("∨", " or "), ("¬", " not "), ("≠", "!="), ("≤", "<="), ("≥", ">=")]


def computed(text, **values):
    """The value of a formula of Lean without ``min`` and ``max``, by Python."""
    text = text.replace(" : Int)", ")").replace("/", "//")
    text = re.sub(r"(?<![<>!])=", "==", text)
    for sign, word in PYTHON:
        text = text.replace(sign, word)
    text = re.sub(r"\(if (.*?) then (.*?) else (.*?)\)", r"((\2) if (\1) else (\3))", text)
    return eval(text, {}, values)


@pytest.mark.parametrize("rule", ["normal", "misere"])
@pytest.mark.parametrize("game", GAMES)
def test_the_formulas_say_what_the_answer_says(game, rule):
    answer, draw = solved(game, rule), random.Random(1)
    text, losing = export(answer, "lean"), answer.sides()[1]
    said = re.search(r"^def losing .*\n.*=>\n +(.*)\n", text, re.MULTILINE)[1]
    assert said == lean_text(losing).text
    seen = set()
    for _ in range(300):
        values = {name: draw.randint(-3, 20) for name in answer.game.variables}
        expected = satisfies(losing, values)
        assert bool(computed(said, **values)) == expected
        seen.add(expected)
    assert seen == {True, False}


TERMS = [
    ("2 * x - (y - 1) >= -3", "2 * x - (y - 1) ≥ -3"),
    ("x - 3 + -y < 0", "x - 3 - y < 0"),
    ("(x + y) mod 3 = x div 2", "(x + y) % 3 = x / 2"),
    ("x div 6 mod 5 != 1", "x / 6 % 5 ≠ 1"),
    ("1 <= x < y", "1 ≤ x ∧ x < y"),
    ("x in {1, 2} or not (x = y)", "(x = 1 ∨ x = 2) ∨ ¬ (x = y)"),
    ("min(x, 3) = max(y + 1, 0)", "min x (3 : Int) = max (y + 1) (0 : Int)"),
    ("abs(x - y) > 2", "max (x - y) (-(x - y)) > 2"),
    ("(if x > y then 1 else x) = 2", "(if x > y then (1 : Int) else x) = 2"),
    ("x > 0 -> y > 0", "¬ (x > 0) ∨ y > 0"),
]


@pytest.mark.parametrize(("text", "expected"), TERMS)
def test_terms_and_formulas(text, expected):
    formula = parse_formula(text, "xy")
    assert lean_text(formula).text == expected


def test_numerals_alone_are_integers():
    """Lean takes them for natural numbers otherwise, where 1 - 2 is 0."""
    assert lean_text(Compare((Sum((Int(1), Int(-2))), Int(0)), ("<",))).text == "(1 - 2 : Int) < 0"


@pytest.mark.parametrize(
    "word", ["match", "some", "rfl", "fun", "s", "m", "L", "_x", "h1", "rank2"]
)
def test_names_that_lean_has_get_a_prime(word):
    assert lean_name(word).endswith("'")
    assert [lean_name(name) for name in ("a", "heap", "take_a", "k")] == [
        "a",
        "heap",
        "take_a",
        "k",
    ]


def test_play_that_two_measures_bound():
    """The second rank counts where the first stays."""
    rules = """game two var a, b legal a >= 0 and b >= 0
    action drop pre a >= 1 eff a := a - 1, b := b + 2
    action take pre b >= 1 eff b := b - 1"""
    answer = icg.loads(rules).solve(timeout=60)
    two = replace(answer, ranking=tuple(parse_formula(f"{v} = 0", "ab").terms[0] for v in "ab"))
    text = export(two, "lean")
    assert "rank1 t < rank1 s ∨ (rank1 t = rank1 s ∧ (rank2 t < rank2 s))" in text
    assert "· exact ih1 (rank1 t) (by omega) (rank2 t) t rfl rfl\n" in text
    assert "exact ih2 (rank2 t) (by omega) t (S1.trans e1) rfl\n" in text


def test_what_lean_is_not_told(tmp_path, capsys):
    answer = solved("nim2")
    for lacking, why in [
        (replace(answer, status="conditional"), "conditional, not proved"),
        (replace(answer, strategy=Strategy(), tree=Strategy(), proof={}), "no strategy"),
        (replace(answer, ranking=()), "what each move decreases"),
        (solved("nim3"), "in digits: lean says linear arithmetic only"),
    ]:
        with pytest.raises(Refused, match=why):
            export(lacking, "lean")
    with pytest.raises(Refused, match="lean cannot say 'exists q"):
        lean_text(parse_formula("exists q. x = 2 * q", "x"))
    file = str(tmp_path / "value.json")
    assert run(["value", "nim2", "-o", file, "--quiet"]) == 0
    assert run(["export", file, "--to", "lean"]) == BAD_INPUT
    assert "lean cannot say Grundy values" in capsys.readouterr().err


if __name__ == "__main__":
    GOLDEN.write_text(export(icg.load("nim2").solve(rule="misere"), "lean"), "utf-8")
