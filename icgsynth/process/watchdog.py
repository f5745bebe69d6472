"""Ends this process in time, whatever it is doing."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from icgsynth.budget import on_the_clock

__all__ = ["GRACE", "Watchdog"]

GRACE = 1.2  # seconds past its budget that work gets to end by itself


class Watchdog:
    """Ends the process after ``seconds``, unless the ``with`` block is left before.

    ``last_words`` says what is known by then, in a thread of its own, and gives the exit code.
    """

    def __init__(self, seconds: float, last_words: Callable[[], int]) -> None:
        self._timer = threading.Timer(on_the_clock(seconds), self._end)
        self._timer.daemon = True
        self._last_words: Callable[[], int] = last_words
        self._lock = threading.Lock()
        self._finished = False

    def __enter__(self) -> Watchdog:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._finished = True

    def _end(self) -> None:
        with self._lock:
            if not self._finished:
                os._exit(self._last_words())
