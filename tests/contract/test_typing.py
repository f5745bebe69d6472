"""What an editor and a type checker see of the package, from ``icg.load`` to a move.

Faults they see: a public function whose type says nothing, an editable install that checkers do
not follow, an answer of another type than is promised.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import icgsynth as icg
from icgsynth.digits.automaton import Automaton
from icgsynth.game.answers import Drawing, Verification
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.logic import term as t

ROOT = Path(__file__).parents[2]

GOOD = """
from typing import assert_type

import icgsynth as icg
from icgsynth.game.answers import Answer
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.solution import Claim, Solution
from icgsynth.heaps.loaded import LoadedCode, LoadedSum
from icgsynth.heaps.rules.heaps import HeapAnswer
from icgsynth.prove.well_formed import RulesReport

game = icg.load("nim2", {"n": 3})
assert_type(game, icg.LoadedGame)
assert_type(game.game, ParametricGame)
solution = game.solve(rule="misere", timeout=5)
assert_type(solution, Solution)
assert_type(solution.losing, Claim | None)
assert_type(solution.move({"a": 7, "b": 3}), tuple[str, dict[str, int]] | None)
assert_type(solution.is_winning((7, 3)), bool)
assert_type(solution.why([7, 3]), str)
assert_type(solution.verify().is_proved, bool)
assert_type(game.moves(12), list[tuple[str, dict[str, int]]])
assert_type(game.check(), RulesReport)
values = game.values()
assert_type(values, GrundyAnswer)
assert_type(values({"a": 1, "b": 2}), int)
kayles = icg.load("0.77", kind=LoadedCode)
assert_type(kayles, LoadedCode)
assert_type(kayles.values(), HeapAnswer)
assert_type(kayles.values()(1_000), int)
assert_type(kayles.solve().is_winning((5, 3)), bool)
assert_type(icg.load("nim2 + 0.77", kind=LoadedSum).values()(((3, 7), 5)), int)
assert_type(icg.loads("game g").solve(), Solution)
assert_type(icg.read("nim2.json", kind=Solution), Solution)
assert_type(icg.read("nim2.json"), Answer)
assert_type(solution.export("fft"), str)
assert_type(solution.export("pdf"), bytes)
assert_type(icg.catalog()["nim2"], str)
assert_type(game.verify(losing="a = b").is_proved, bool)
"""
WRONG = """
import icgsynth as icg
game = icg.load("nim2")
game.sovle()  # wrong
game.solve(rule="nromal")  # wrong
game.solve().loosing  # wrong
game.solve().move("ab")  # wrong
game.values().value("5")  # wrong
icg.load(5)  # wrong
icg.cast  # wrong
"""


# --- no public type says nothing --------------------------------------------------------------


def public():
    """Each public function, and each public method and property of the classes that it gives."""
    from icgsynth.boards import loaded_board as boards
    from icgsynth.heaps import loaded as heaps

    given = [Solution, GrundyAnswer, Claim, Drawing, Verification, Automaton, ParametricGame, t.Or]
    given += [getattr(module, name) for module in (heaps, boards) for name in module.__all__]
    for name in icg.__all__:
        found = getattr(icg, name)
        given += [found] if inspect.isclass(found) else []
        if inspect.isfunction(found):
            yield name, found
    for each in given:
        for name, member in inspect.getmembers(each):
            member = member.fget if isinstance(member, property) else member
            if inspect.isfunction(member) and (not name.startswith("_") or name == "__call__"):
                yield f"{each.__name__}.{name}", member


PUBLIC = dict(public())


def says_nothing(annotation):
    """Whether a type is ``Any``, alone or within another; but the values of JSON objects are."""
    tree = ast.parse(str(annotation), mode="eval")
    text = ast.unparse(tree).replace("dict[str, Any]", "JSON").replace("Mapping[str, Any]", "JSON")
    return any(isinstance(n, ast.Name) and n.id == "Any" for n in ast.walk(ast.parse(text)))


def test_every_public_function_has_a_type():
    assert {"load", "LoadedGame.solve", "LoadedGame.values", "LoadedCode.solve"} <= {*PUBLIC}
    empty = []
    for name, function in PUBLIC.items():
        given = dict(function.__annotations__)
        parameters = [*inspect.signature(function).parameters][("." in name) :]
        lacking = {*parameters, "return"} - {*given} - {"cls"}
        empty += [f"{name}: {part}" for part, type_ in given.items() if says_nothing(type_)]
        empty += [f"{name}: {part}" for part in lacking]
    assert not empty


# --- checkers on a user's script ---------------------------------------------------------------


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """A folder of somebody who has an editable install, and the Python that has it."""
    pytest.importorskip("setuptools", "77", reason="setuptools 77 or later builds the package")
    folder = tmp_path_factory.mktemp("user")
    code = (
        "import sys; from setuptools import build_meta as b; print(b.build_editable(sys.argv[1]))"
    )
    done = run([sys.executable, "-c", code, folder], ROOT)
    assert done.returncode == 0, done.stdout
    done_too = run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], folder)
    assert done_too.returncode == 0, done_too.stdout
    (site,) = (folder / "env").glob("lib/python3*/site-packages")
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    (folder / "good.py").write_text(GOOD, "utf-8")
    (folder / "wrong.py").write_text(WRONG, "utf-8")
    return folder


def run(command, folder):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV", "MYPY"))}
    return subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env=clean,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def marked():
    lines = enumerate(WRONG.splitlines(), 1)
    return {number for number, line in lines if line.endswith("# wrong")}


@pytest.mark.slow
def test_mypy_follows_an_editable_install(user):
    pytest.importorskip("mypy")
    asked = [sys.executable, "-m", "mypy", "--strict", "--output", "json"]
    asked += ["--python-executable", user / "env" / "bin" / "python", "--cache-dir", user / "c"]
    done = run([*asked, "good.py", "wrong.py"], user)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert found, done.stdout
    places = {(each["file"], each["line"]) for each in found if each["severity"] == "error"}
    assert places == {("wrong.py", line) for line in marked()}, done.stdout


@pytest.mark.slow
def test_pyright_follows_an_editable_install(user):
    if importlib.util.find_spec("pyright") is None:
        pytest.skip("pyright is not installed")
    if run([sys.executable, "-m", "pyright", "--version"], user).returncode:
        pytest.skip("pyright cannot fetch its Node package here")
    asked = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath"]
    done = run([*asked, user / "env" / "bin" / "python", "good.py", "wrong.py"], user)
    report = json.loads(done.stdout[done.stdout.index("{") :])
    places = {
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1)
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    }
    assert places == {("wrong.py", line) for line in marked()}, done.stdout
