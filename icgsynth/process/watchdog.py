"""End this process when its time is over, whatever it does, and measure how long its start took."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from icgsynth.budget import Budget, on_the_clock

GRACE = 0.6  # seconds past its budget in which work may end by itself
WORDS = 0.3  # seconds after GRACE for the last words: a run ends within a second of its budget
_DELAYS = 5  # how many times WORDS to wait at most, where other processes hold the processor

_QUICK = 0.4  # seconds from the start of the process to the first question, on an idle machine
_LONGEST = 600.0  # seconds: no start takes longer, so the system's clocks disagree
_counted: list[bool] = []


class Watchdog:
    """Ends this process after ``seconds``, unless the ``with`` block is left before.
    ``last_words`` prints what is known by then, in a thread of its own, and returns the exit code.
    If it takes longer than ``WORDS`` seconds, the process ends with ``fewer``, which prints without
    computing anything."""

    def __init__(
        self, seconds: float, last_words: Callable[[], int], fewer: Callable[[], int] | None = None
    ) -> None:
        self._budget = Budget(seconds)
        self._last_words: Callable[[], int] = last_words
        self._fewer = fewer
        self._lock = threading.Lock()
        self._finished = False

    def __enter__(self) -> Watchdog:
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._finished = True
        self._timer.cancel()

    def _wait(self) -> None:
        self._timer = threading.Timer(on_the_clock(self._budget.remaining()), self._end)
        self._timer.daemon = True
        self._timer.start()

    def _end(self) -> None:
        with self._lock:
            if self._finished:
                return
            if self._budget.is_spent:
                if self._fewer is not None:
                    threading.Thread(target=_cut_short, args=[self._fewer], daemon=True).start()
                sys.setswitchinterval(WORDS)  # this thread need not share with the work
                _leave(self._last_words)
            self._wait()  # the clock of budgets has stood still meanwhile


def _cut_short(fewer: Callable[[], int]) -> None:
    """Wait 0.3 s, longer on a busy processor, then call ``fewer``, which prints the last words, and
    end this process with the exit code that it returns."""
    spent = time.process_time()
    for _ in range(_DELAYS):
        time.sleep(on_the_clock(WORDS))
        if time.process_time() - spent > WORDS / 2:
            break
    _leave(fewer)


def _leave(words: Callable[[], int]) -> None:
    """Call ``words``, which prints the last words, kill all child processes, and exit with the code
    that it returns."""
    code = words()
    # Nothing was started where this is not loaded.  Loading it now would take as long as the work
    # goes on: at each access to a file the work gets its turn.
    if (started := sys.modules.get("icgsynth.process.started")) is not None:
        started.kill_all()
    os._exit(code)


def count_start() -> None:
    """Say that this process answers one command, so that :func:`slow_start` counts its start."""
    _counted.append(True)


@cache
def slow_start() -> float:
    """Return by how many seconds the start of this process, which ends with the first call, took
    longer than on an idle machine; 0 unless :func:`count_start` was called."""
    late = _seconds_since_start() - on_the_clock(_QUICK) if _counted else 0.0
    return max(0.0, late) / on_the_clock(1.0)


def _seconds_since_start() -> float:
    """Return the seconds since this process began; its processor time if that is unknown, or if a
    shell became this process by ``exec`` (as of ``bash -c 'make && icgsynth ..'``)."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage

        stat = Path("/proc/self/stat").read_bytes()
        begun = int(stat.rpartition(b")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
        passed = time.clock_gettime(time.CLOCK_BOOTTIME) - begun
        if getrusage(RUSAGE_CHILDREN).ru_maxrss:  # a start has no children: a shell waited for them
            passed = -1.0
    except (ImportError, OSError, ValueError, AttributeError, IndexError):
        passed = -1.0
    return passed if 0 <= passed < _LONGEST else time.process_time()
