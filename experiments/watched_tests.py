"""A plugin of pytest that writes down, line by line, what becomes of each test.

The environment's ``WATCHED_TESTS`` names the file, and ``CHOSEN_TESTS`` one with the tests to run,
a line each; where it is empty, all run, and written down as well is which functions of the package
each of them enters, but for those that other threads and processes enter, and its seconds of the
processor, child processes included.  The first line that is written says where the package was
found.  A line is written before a test begins, so that the last
one names a test that did not end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from cProfile import Profile
from pathlib import Path
from typing import Any

import pytest

import icgsynth

PACKAGE = str(Path(icgsynth.__file__).parent) + os.sep
PLACES = ("lambda", "genexpr", "listcomp", "dictcomp", "setcomp")
INSIDE = tuple(f".<locals>.<{place}>" for place in PLACES)
FILE, CHOSEN = "WATCHED_TESTS", "CHOSEN_TESTS"


def _write(**entry: Any) -> None:
    with Path(os.environ[FILE]).open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


def pytest_sessionstart() -> None:
    """Where the package is."""
    _write(package=str(icgsynth.__file__))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves those chosen; one that is no longer there has failed."""
    chosen = Path(os.environ[CHOSEN]).read_text("utf-8").splitlines()
    if chosen:
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in chosen if name in found]
        for name in chosen:
            if name not in found:
                _write(test=name, seconds=0.0, failed=True)


class _Watch(Profile):
    """Goes on where a test that counts calls itself sets back what there was before."""

    def __call__(self, *_event: object) -> None:
        self.enable()


def _entered(profile: Profile) -> list[str]:
    """The functions of the package, as ``module:name``; a lambda is part of that around it."""
    found = set()
    for entry in profile.getstats():
        code = entry.code
        if not isinstance(code, str) and code.co_filename.startswith(PACKAGE):
            name = code.co_qualname
            while name.endswith(INSIDE):
                name = name.rpartition(".<locals>.")[0]
            module = Path(code.co_filename.removeprefix(PACKAGE)).with_suffix("").as_posix()
            found.add(f"{module}:{name}")
    return sorted(found)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Watch a test, unless the tests were chosen."""
    if Path(os.environ[CHOSEN]).stat().st_size:
        return (yield)
    profile = _Watch(subcalls=False, builtins=False)
    begun = sum(os.times()[:4])
    profile.enable()
    try:
        return (yield)
    finally:
        profile.disable()
        took, entered = sum(os.times()[:4]) - begun, _entered(profile)
        _write(test=item.nodeid, seconds=took, failed=False, entered=entered)


def pytest_runtest_logstart(nodeid: str) -> None:
    """A test begins."""
    _write(test=nodeid, seconds=0.0, failed=False)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test was prepared, run or cleaned up after."""
    _write(test=report.nodeid, seconds=0.0, failed=report.failed)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file of tests that cannot be read fails as a whole."""
    if report.failed:
        _write(test=report.nodeid, seconds=0.0, failed=True)
