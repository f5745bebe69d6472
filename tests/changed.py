"""A plugin of pytest that runs the tests of what was changed: ``python -m pytest --changed``.

Changed is what differs from ``origin/main``, or from the last commit where there is no such branch;
files that git does not know yet count.  The files of tests that import a changed module, directly
or not, are run, those with the fewest imports between first, until their prices add up to a minute.
Prices are those of the last ``python -m pytest --costs``.
"""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from costs import ROOT, TABLE
from stages import read

from experiments.nearest_tests import Nearest

MINUTE = 60.0  # calibrated seconds of the processor, on two cores half a minute
UNKNOWN = 2.0  # calibrated seconds: a file of tests without a price costs what most files do
OF_DATA = {  # the tests that read what is no module, by the folder where it lies
    "docs": "tests/whole/test_docs.py",
    "README.md": "tests/whole/test_docs.py",
    "specs": "tests/core/spec/test_catalog.py",
    "experiments": "tests/experiments/test_experiments_tables.py",
    "tests": "tests/whole/test_screens.py",
}


def git(root: Path, *arguments: str) -> list[str]:
    """Return the lines that a git command prints; none where it fails."""
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed(root: Path) -> list[str]:
    """Return the paths that differ from ``origin/main``, or from the last commit."""
    base = git(root, "merge-base", "origin/main", "HEAD") or ["HEAD"]
    new = git(root, "ls-files", "--others", "--exclude-standard")
    return sorted({*git(root, "diff", "--name-only", base[0]), *new})


def asked_by(root: Path, paths: Iterable[str]) -> dict[str, int]:
    """Return the test files that use these paths, with how many imports away, the nearest first."""
    nearest = Nearest(root)
    found: dict[str, int] = {}
    for path in paths:
        for away, test in _uses(root, nearest, path):
            if (root / test).exists():
                found[test] = min(away, found.get(test, away))
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _uses(root: Path, nearest: Nearest, path: str) -> Iterator[tuple[int, str]]:
    parts = Path(path).parts
    if path.endswith(".py"):
        if parts[0] == "tests" and parts[-1].startswith("test_"):
            yield 0, path
        module = ".".join(Path(*parts[-1:] if parts[0] == "tests" else parts).with_suffix("").parts)
        yield from nearest.files(module.removesuffix(".__init__"))
    elif parts[0] in OF_DATA:
        yield 1, OF_DATA[parts[0]]
    elif parts[0] == "icgsynth":  # what a module beside it reads
        for module in (root / path).parent.glob("*.py"):
            yield from _uses(root, nearest, module.relative_to(root).as_posix())


def prices(table: Path) -> dict[str, float]:
    """Return what each file of tests costs in seconds, from a table of what each test costs."""
    found: Counter[str] = Counter()
    for test, price in read(table).items() if table.exists() else ():
        found[test.partition("::")[0]] += price
    return dict(found)


def within(files: Sequence[str], known: dict[str, float], limit: float) -> list[str]:
    """Return the first of ``files``, and of the others those that fit into ``limit`` seconds."""
    chosen: list[str] = []
    for file in files:
        price = known.get(file, UNKNOWN)
        if not chosen or price <= limit:
            chosen.append(file)
            limit -= price
    return chosen


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--changed``."""
    parser.addoption(
        "--changed", action="store_true", help="run the tests nearest to what differs, for a minute"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Run the tests of what was changed, and no others."""
    if not config.getoption("changed"):
        return
    if hasattr(config, "workerinput"):
        config.args[:] = config.workerinput["changed"]
        return
    files = list(asked_by(ROOT, changed(ROOT)))
    if not files:
        pytest.exit("no test uses what differs from origin/main or the last commit", 0)
    chosen = within(files, prices(TABLE), MINUTE)
    print(f"{len(chosen)} of {len(files)} files of tests that use what was changed")
    config.args[:] = [str(ROOT / file) for file in chosen]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker which files of tests were chosen."""
    node.workerinput["changed"] = node.config.args
