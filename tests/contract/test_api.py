"""The contract of the Python package: ``icg.load(...).solve(...)`` and its frozen results."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import icgsynth as icg
from icgsynth.errors import IcgError, InputError

SPECS = Path(__file__).parents[2] / "specs"


def test_load_and_solve_from_a_file():
    """The line of the contract; misère Nim: as in normal play but with heaps of one."""
    solution = icg.load(SPECS / "nim2.icg").solve(rule="misere")
    assert solution.status == "solved"
    assert solution.rule == "misere"
    for a in range(12):
        for b in range(12):
            lost = (a == b and a >= 2) or a + b == 1
            from icgsynth.logic.evaluate import satisfies

            assert satisfies(solution.losing.formula, {"a": a, "b": b}) == lost
            assert satisfies(solution.winning.formula, {"a": a, "b": b}) != lost


def test_constants():
    losing = icg.load("take_away", {"n": 6}).solve().losing
    assert str(losing.formula) == "v mod 7 = 0"


def test_rules_from_a_string():
    game = icg.loads("game g var v legal v >= 0 action t pre v >= 1 eff v := v - 1")
    assert str(game.solve().losing.formula) == "v mod 2 = 0"


def test_check():
    report = icg.load("nim2").check()
    assert {str(f.verdict) for f in (report.closure, report.ending, report.termination)} == {
        "proved"
    }


def test_results_are_frozen():
    solution = icg.load("nim2").solve()
    for thing, name in ((solution, "status"), (solution.winning, "formula")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, name, None)


def test_results_print_in_a_notebook():
    solution = icg.load("nim2").solve()
    assert "a = b" in solution._repr_latex_()
    drawn = ElementTree.fromstring(solution._repr_svg_())
    assert drawn.tag.endswith("svg")
    words = " ".join(e.text or "" for e in drawn.iter() if e.tag.endswith("text"))
    assert "losing" in words


def test_results_print_in_a_terminal():
    assert "a = b" in str(icg.load("nim2").solve())


def test_bad_input_raises_one_root():
    for bad in ("game", "game g var a legal a >= c", ""):
        with pytest.raises(InputError) as caught:
            icg.loads(bad)
        assert isinstance(caught.value, IcgError)
        assert "text:1:" in str(caught.value)
    with pytest.raises(InputError):
        icg.load("no_such_game")
    with pytest.raises(InputError):
        icg.load("nim2", {"n": 3})


def test_a_budget_is_kept():
    solution = icg.load("chomp_3row").solve(timeout=1.0)
    assert solution.status == "unknown"
    assert solution.winning is None


def test_public_names():
    for name in icg.__all__:
        assert hasattr(icg, name)


HEAVY = ("z3", "islpy", "cvc5", "numpy", "lark", "sympy", "distributed", "matplotlib", "rich")


@pytest.mark.parametrize(
    "code",
    [
        "import icgsynth",
        "from icgsynth.cli import run; assert run(['--help']) == 0",
        "from icgsynth.cli import run; assert run(['solve', '--help']) == 0",
        "from icgsynth.cli import run; assert run(['--version']) == 0",
    ],
)
def test_help_loads_nothing_heavy(code):
    """Issue 2: help in under 0.25 s; what costs is the import of z3, numpy and lark."""
    code += f"; import sys; found = [m for m in {HEAVY!r} if m in sys.modules]"
    code += "; sys.exit(', '.join(found) if found else 0)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
