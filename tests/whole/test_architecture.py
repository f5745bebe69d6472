"""Imports run one way, as ``[tool.importlinter]`` in pyproject.toml says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import figures as counted
import pytest
from figures import COUNTED, LINES, WINGS, Module, ceilings, figures, lines_of_parts
from prices import counted as counted_prices
from prices import written

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "pyproject.toml"
PRICES = "docs/explanation/prices.md"
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


def imported(path, names):
    """The modules among ``names`` that a file imports anywhere: in functions and for types too."""
    here = path.relative_to(ROOT).with_suffix("").parts
    package = here[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base = ".".join(base + ([node.module] if node.module else []))
            # ``from package import module`` needs the module; a name of a package, the package.
            inner = {f"{base}.{alias.name}" for alias in node.names}
            found |= inner & names or {base}
    return found & names


def circles(imports):
    """Modules that reach themselves by imports, as sorted lists."""
    left = dict(imports)
    while left:
        # Who imports nothing that is left, or is not imported by it, is in no circle.
        wanted = set().union(*left.values())
        loose = {m for m, to in left.items() if not to & left.keys() or m not in wanted}
        if not loose:
            break
        left = {m: to - loose for m, to in left.items() if m not in loose}
    return sorted(left)


def test_no_two_modules_import_each_other_in_a_circle():
    """House law: also not by an import within a function, or one for type checkers alone."""
    paths = {}
    for path in (ROOT / "icgsynth").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    names = set(paths)
    found = circles({name: imported(path, names) - {name} for name, path in paths.items()})
    assert not found, f"these modules, or some of them, import each other in a circle: {found}"


def test_a_circle_is_noticed():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == ["b", "c"]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_an_import_within_a_function_counts():
    """icgsynth/cli imports its commands' work late; the walk sees it."""
    names = {"icgsynth.boards.starts.reward", "icgsynth.errors"}
    found = imported(ROOT / "icgsynth/boards/starts/starts_command.py", names)
    assert "icgsynth.boards.starts.reward" in found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('  "game",\n  "logic",\n', '  "logic",\n  "game",\n'),
        ('ignore_imports = ["icgsynth.prove.deciders.smt -> z3"]\n', ""),
        ('["icgsynth.export", "icgsynth.play"]', '["icgsynth.prove"]'),
        ("digits : errors", 'digits",\n  "errors'),
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
    assert modules - named <= {"__init__", "__main__", *WINGS}
    assert named <= modules


STARTS_A_PROCESS = re.compile(
    r"\b(import|from) (subprocess|multiprocessing|pty)\b"
    r"|\bProcessPoolExecutor\b|\bconcurrent\.futures\.process\b"  # a pool of threads starts none
    r"|\bos\.(fork|forkpty|posix_spawn|spawn\w+|exec[lv]\w*|popen|system)\("
)


def test_one_room_starts_processes_and_sweeps_copy_this_one():
    found = {
        path.relative_to(ROOT / "icgsynth").as_posix(): list(hits)
        for path in (ROOT / "icgsynth").rglob("*.py")
        if (hits := [m.group() for m in STARTS_A_PROCESS.finditer(path.read_text("utf-8"))])
    }
    assert found == {
        "process/started.py": ["import subprocess"],
        "benchmark/sweep/forked.py": ["os.fork("],
    }
    assert (ROOT / "icgsynth/process/started.py").read_text("utf-8").count("Popen(") == 1


def test_no_figure_grows():
    """``tests/figures.py`` prints the places; whoever lowers a figure lowers its ceiling."""
    measured, allowed = {figure.what: figure for figure in figures()}, ceilings()
    assert (
        set(measured)
        == set(allowed)
        == {f"lines of {p}" for p in LINES}
        | {
            "longest module",
            *COUNTED,
        }
    )
    grown = [figure for what, figure in measured.items() if figure.count > allowed[what]]
    assert not grown, "\n".join(f"{f.what}: {f.count}, {', '.join(f.places)}" for f in grown)


def before(commit, path):
    """A file as it was in a commit; None where that, or git, is not to be had."""
    command = ["git", "show", f"{commit}:{path}"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def allowed_in(text):
    """The ceilings for lines that the text of a ``figures.py`` has; none in older ones."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "LINES":
            return ast.literal_eval(node.value)
    return {}


def priced(text):
    """The rows of the tables of prices."""
    return {line for line in text.splitlines() if line.startswith("| ")}


def raised(now, then, rows):
    """The parts whose ceiling rose without need: the core, and a wing without a new price.

    What the core gives up, a wing may take over: then the whole is no larger than before.
    """
    higher = {name for name, lines in then.items() if now.get(name, 0) > lines}
    bare = sorted(n for n in higher if n == "core" or not any(n in row for row in rows))
    taken = sum(now[name] - then[name] for name in bare)
    return bare if "core" in higher or taken > then.get("core", 0) - now.get("core", 0) else []


@pytest.mark.parametrize("commit", ["HEAD", "HEAD^"])
def test_the_ceilings_of_lines_rise_for_a_price_alone(commit):
    """The core's ceiling never rises.  The parent is HEAD before a commit, HEAD^ after it."""
    then, prices = before(commit, "tests/figures.py"), before(commit, PRICES)
    if then is None:
        pytest.skip("there is no such commit here")
    new = priced((ROOT / PRICES).read_text("utf-8")) - priced(prices or "")
    assert raised(LINES, allowed_in(then), new) == []


def test_a_ceiling_that_rises_is_noticed():
    then = {"core": 10, "heaps": 5, "boards": 5}
    assert raised({"core": 11, "heaps": 6, "boards": 5}, then, set()) == ["core", "heaps"]
    row = "| Turning games (heaps) | 40 | 20 | 3 | two of the catalog |"
    assert raised({"core": 11, "heaps": 6, "boards": 4}, then, {row}) == ["core"]
    assert raised({"core": 7, "heaps": 7, "boards": 6}, then, set()) == []  # moved out of the core
    assert raised({"core": 8, "heaps": 7, "boards": 6}, then, set()) == ["boards", "heaps"]
    assert allowed_in("LINES = {'core': 3}\n") == {"core": 3}


def test_the_page_of_prices_tells_the_lines_of_the_package():
    """Faults it sees: a wing that grew, or a module that no capability counts, and no new price;
    a row that stands twice.

    ``python tests/prices.py --update`` counts them, and the lines of tests and docs, anew.
    """
    now, page = counted_prices(), written()
    rows = re.findall(r"^\| (.*?) \| [\d,]+ \|", (ROOT / PRICES).read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(page), "a capability has two rows"
    assert {name: page.get(name, (0,))[0] for name in now} == {n: c[0] for n, c in now.items()}
    there = {name: lines for name, lines in lines_of_parts().items() if name != "core" and lines}
    wings = {name: sum(c[0] for n, c in now.items() if n.endswith(f"({name})")) for name in there}
    assert wings == there


SAMPLE = """
import subprocess
from icgsynth.game import other

class Rule: ...

def first(tiers, state):
    for tier in tiers:
        if kept := tier.keep(state):
            return kept

def all_of(tiers):
    return [tier.keep(1) for tier in tiers]

def many(self, a, b, c, d, e, f, g): ...

def too_many(a, b, c, d, e, f, g, h):
    subprocess.run(["ls"])
    return "<svg>"

@compiled
def kernel(a, b, c, d, e, f, g, h): ...
"""


def test_the_figures_count_what_they_say(monkeypatch):
    one = Module("icgsynth.game.one", "game/one.py", SAMPLE, tuple(ast.walk(ast.parse(SAMPLE))))
    body = "    pass\n" * 60
    text = f"from icgsynth.game.one import Rule\nclass Rule: ...\ndef long():\n{body}"
    other = Module("icgsynth.game.other", "fft/one.py", text, tuple(ast.walk(ast.parse(text))))
    monkeypatch.setattr(counted, "modules", lambda package="icgsynth": (one, other))
    found = {figure.what: figure.places for figure in figures()}
    assert found["circles"][0] == "icgsynth.game.one, icgsynth.game.other"
    assert found["functions past 60 lines"] == ("fft/one.py:3 long: 61",)
    assert found["functions past 7 arguments"] == ("game/one.py:17 too_many: 8",)
    assert found["repeated public class names"] == ("Rule: game/one.py, fft/one.py",)
    assert found["repeated file names"] == ("one.py: game, fft",)
    assert found["places of first match"] == ("game/one.py:7 first",)
    assert found["places that start a process"] == found["places that draw"] == ("game/one.py",)
