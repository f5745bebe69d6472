"""A fresh process for each job, where there is no ``fork``."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from icgsynth.batch.sweep.isolated import KILL_AFTER, record_of
from icgsynth.batch.sweep.job import DEPTH, Columns, not_run, work
from icgsynth.batch.sweep.record import Record
from icgsynth.process.started import Started, python_calling
from icgsynth.process.worker import Closed

__all__ = ["Fresh", "once"]

_START = 10.0  # seconds that the process may take to load everything


class Fresh:
    """Starts a process for each job; its time is bounded, its memory is not."""

    def __init__(self) -> None:
        self._child: Started | None = None
        self._closed = False

    def run(self, message: Mapping[str, Any]) -> Record:
        if message["text"] is None:
            return not_run(message, message["reason"], code=2)
        if self._closed:
            raise Closed
        data = json.dumps(message).encode() + b"\n"
        with Started(python_calling(__name__, once.__name__)) as self._child:
            ending = self._child.run(data, message["timeout"] + KILL_AFTER + _START)
        return record_of(message, ending)

    def close(self) -> None:
        self._closed = True
        if self._child is not None:
            self._child.kill()


def once() -> None:
    """The other process: do the one job on stdin."""
    sys.setrecursionlimit(DEPTH)

    def tell(columns: Columns) -> None:
        sys.stdout.write(json.dumps(columns) + "\n")
        sys.stdout.flush()

    work(json.loads(sys.stdin.buffer.readline()), tell)
