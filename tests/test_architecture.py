"""Imports run one way, as ``[tool.importlinter]`` in pyproject.toml says; and help stays light."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFIG = ROOT / "pyproject.toml"
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"


def lint(config):
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache", "--config", str(config)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_run_one_way():
    done = lint(CONFIG)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('  "game",\n  "logic",\n', '  "logic",\n  "game",\n'),
        ('ignore_imports = ["icgsynth.prove.deciders.smt -> z3"]\n', ""),
        ('["icgsynth.export", "icgsynth.play"]', '["icgsynth.prove"]'),
    ],
)
def test_a_contract_that_the_code_breaks_is_noticed(tmp_path, old, new):
    """The linter runs for real: contracts turned around do not hold."""
    text = CONFIG.read_text("utf-8")
    assert old in text
    broken = tmp_path / "pyproject.toml"
    broken.write_text(text.replace(old, new), "utf-8")
    done = lint(broken)
    assert done.returncode == 1
    assert "BROKEN" in done.stdout


def test_every_package_is_in_a_layer():
    layers = tomllib.loads(CONFIG.read_text("utf-8"))["tool"]["importlinter"]["contracts"][0]
    named = {part.strip() for layer in layers["layers"] for part in layer.split("|")}
    modules = {
        p.stem if p.is_file() else p.name
        for p in (ROOT / "icgsynth").iterdir()
        if p.suffix == ".py" or (p / "__init__.py").exists()
    }
    assert modules - named == {"__init__", "__main__"}
    assert named <= modules


@pytest.mark.parametrize("arguments", [["--help"], ["solve", "--help"], ["--version"]])
def test_help_imports_nothing_heavy(arguments):
    """Issue 2: nobody waits for a solver to print help."""
    code = (
        "import sys; from icgsynth.cli import run; code = run(sys.argv[1:]);"
        "heavy = {'z3', 'islpy', 'cvc5', 'numpy', 'lark', 'sympy', 'distributed', 'matplotlib'};"
        "heavy &= set(sys.modules);"
        "sys.exit(', '.join(sorted(heavy)) if heavy else code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
