"""A plugin of pytest that writes down, line by line, what becomes of each test.

The environment's ``WATCHED_TESTS`` names the file, and ``CHOSEN_TESTS`` one with the tests to run,
a line each; where it is empty, all run.  The first line that is written says where the package was
found.  A line is written before a test begins, so that the last one names a test that did not end.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import icgsynth

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


def pytest_runtest_logstart(nodeid: str) -> None:
    """A test begins."""
    _write(test=nodeid, seconds=0.0, failed=False)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test was prepared, run or cleaned up after."""
    _write(test=report.nodeid, seconds=report.duration, failed=report.failed)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A file of tests that cannot be read fails as a whole."""
    if report.failed:
        _write(test=report.nodeid, seconds=0.0, failed=True)
