"""The tree passes ruff and mypy --strict; no renamed word in prose, no generated file in git."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHECKS = {
    "ruff check": ["ruff", "check", "--no-cache", "."],
    "ruff format": ["ruff", "format", "--check", "--no-cache", "."],
    "mypy": ["mypy", "--strict"],
}


@pytest.mark.parametrize(
    "check",
    ["ruff check", "ruff format", pytest.param("mypy", marks=pytest.mark.slow)],
)
def test_style(check):
    done = subprocess.run(
        [sys.executable, "-m", *CHECKS[check]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]


def _prose(tree):
    """The docstrings of a module, without what stands in backticks."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented) and (text := ast.get_docstring(node)):
            yield re.sub(r"(`+)[^`]*\1", "", text)


@pytest.mark.slow
def test_no_class_is_named_in_prose_without_backticks():
    """A rename over the whole tree made "DrawnStates the rules of one game" of "Draws the rules".

    What a function raises is named as it is; JavaScript is a word too.
    """
    trees = {p: ast.parse(p.read_text(encoding="utf-8")) for p in ROOT.glob("icgsynth/**/*.py")}
    classes = {n.name for tree in trees.values() for n in ast.walk(tree) if type(n) is ast.ClassDef}
    of_errors = ast.walk(trees[ROOT / "icgsynth/errors.py"])
    raised = {n.name for n in of_errors if isinstance(n, ast.ClassDef)}
    of_two_words = {name for name in classes if re.fullmatch(r"_?([A-Z][a-z]+){2,}", name)}
    named = [
        f"{path.relative_to(ROOT)}: {word}"
        for path, tree in trees.items()
        for text in _prose(tree)
        for word in re.findall(r"\b\w+\b", text)
        if word in of_two_words - raised - {"JavaScript"}
    ]
    assert not named


def test_no_generated_file_is_in_the_repository():
    """What git ignores, such as a cache of coqc, it does not hold either."""
    asked = ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("the tests do not run in a clone")
    assert done.stdout == ""
