"""How long this process took to come to its work: on a busy machine a part of every budget."""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

from icgsynth.budget import on_the_clock

_QUICK = 0.4  # seconds from the start of the process to the first question, on an idle machine
_LONGEST = 600.0  # seconds; more than any start takes: then the system's clocks do not agree
_counted: list[bool] = []


def count_start() -> None:
    """Let budgets count the start of this process, which is there to answer one command."""
    _counted.append(True)


@cache
def slow_start() -> float:
    """By how many seconds of a budget the start took longer than on an idle machine.

    It ends with the first call; 0 where no start is counted.
    """
    late = _seconds_since_start() - on_the_clock(_QUICK) if _counted else 0.0
    return max(0.0, late) / on_the_clock(1.0)


def _seconds_since_start() -> float:
    """Seconds on the clock; those of the processor where the system does not tell."""
    try:
        stat = Path("/proc/self/stat").read_bytes()
        begun = int(stat.rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        passed = time.clock_gettime(time.CLOCK_BOOTTIME) - begun
    except (OSError, ValueError, AttributeError, IndexError):
        passed = -1.0
    return passed if 0 <= passed < _LONGEST else time.process_time()
