"""A process that has everything loaded and forks a child for each job: no start-up to wait for.

It ends with its stdin, and takes a running job with it, so nothing outlives whoever started it,
however that ended.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Mapping
from typing import Any

from icgsynth.batch.sweep.isolated import KILL_AFTER, isolated
from icgsynth.batch.sweep.job import DEPTH, load, not_run
from icgsynth.batch.sweep.record import Record
from icgsynth.errors import BudgetSpent
from icgsynth.process.worker import Worker

__all__ = ["Warm"]

_STUCK = 20.0  # seconds past a kill that the process itself gets, which does the killing
_TRIES = 2


class Warm:
    """A process that has everything loaded and forks a child for each job."""

    def __init__(self) -> None:
        self._process = Worker(prepare, _STUCK)

    def run(self, message: Mapping[str, Any]) -> Record:
        if message["text"] is None:
            return not_run(message, message["reason"], code=2)
        why = ""
        for _ in range(_TRIES):
            try:
                return self._process.call(message["timeout"] + KILL_AFTER, fork, message)
            except BudgetSpent as spent:
                why = str(spent)
        return not_run(message, f"the process that starts the others ended twice: {why}", code=1)

    def close(self) -> None:
        self._process.close()


def prepare() -> None:
    """The other process: load what every job needs."""
    sys.setrecursionlimit(DEPTH)
    load()
    gc.collect()
    gc.freeze()  # what is loaded is never looked at again, so its pages stay shared


def fork(message: Mapping[str, Any]) -> Record:
    """The other process: do one job, as long as somebody waits at the other end of stdin."""
    return isolated(message, orphaned_by=0)
