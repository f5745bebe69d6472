"""Measure how slow this machine is, so that the results of tests do not depend on it.

The parts of a search have budgets in seconds.  On a machine that does less in a second, the tests
let each second of a budget last longer: see ``ICGSYNTH_PACE`` in ``icgsynth.budget``.  The first
process of a run measures how fast the processor is, and all others inherit it.  How long this
process had to wait for a processor, Linux says at any time, and before each test the pace follows:
beside other work a budget lasts until the test had its seconds of the processor.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from icgsynth import budget

USUAL = 0.06  # seconds that the loop takes on the machines that the budgets were chosen on
MARGIN = 1.5  # times longer than measured: other work may become more while a test runs
WINDOW = 0.5  # seconds of this process over which its waiting is measured: some hundred turns
LONGEST = 30.0  # seconds that one of a budget may last; with more, a test that hangs seems to work
NAME = "ICGSYNTH_PACE"
SCHEDULED = Path("/proc/self/schedstat")  # nanoseconds that it ran, and that it waited to run


def _loop() -> float:
    start, total = time.process_time(), 0
    for number in range(10**6):
        total += number
    return time.process_time() - start


def pace() -> float:
    """Return how slow the machine is: 1 at the usual speed, with nothing else to do."""
    slower = min(_loop() for _ in range(3)) / USUAL
    return 1.0 if slower < 2 else round(MARGIN * slower, 1)


def read_schedule() -> tuple[float, float]:
    """Return the seconds that this process ran, and that it waited to run; 0 and 0 if unknown."""
    try:
        ran, waited, _ = map(int, SCHEDULED.read_text().split())
    except (OSError, ValueError):
        return 0.0, 0.0
    return ran / 1e9, waited / 1e9


class Crowd:
    """Measures how much longer everything takes because of other work of the machine."""

    def __init__(self) -> None:
        self.factor = 1.0
        self._ran, self._waited = read_schedule()

    def look(self) -> float:
        """Return the factor by which work takes longer, as of the last measurement."""
        ran, waited = read_schedule()
        more = ran - self._ran
        if more >= WINDOW:
            slower = 1 + (waited - self._waited) / more
            self.factor = 1.0 if slower < 1.5 else min(LONGEST, MARGIN * slower)
            self._ran, self._waited = ran, waited
        return self.factor


if NAME not in os.environ:
    os.environ[NAME] = str(pace())
ALONE = float(os.environ[NAME])
_crowd = Crowd()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Let budgets last as long as the machine needs now, here and in the processes of the test."""
    os.environ[NAME] = f"{ALONE * _crowd.look():.1f}"
    budget._pace.cache_clear()
