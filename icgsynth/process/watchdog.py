"""Ends this process in time, whatever it is doing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from icgsynth.budget import Budget, on_the_clock

GRACE = 0.9  # seconds past its budget that work gets to end by itself


class Watchdog:
    """Ends the process after ``seconds``, unless the ``with`` block is left before.

    ``last_words`` says what is known by then, in a thread of its own, and gives the exit code.
    """

    def __init__(self, seconds: float, last_words: Callable[[], int]) -> None:
        self._budget = Budget(seconds)
        self._last_words: Callable[[], int] = last_words
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
                code = self._last_words()
                from icgsynth.process.started import kill_all  # late: most commands start nothing

                kill_all()
                os._exit(code)
            self._wait()  # the clock of budgets has stood still meanwhile
