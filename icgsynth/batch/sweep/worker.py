"""Who does a job.

Workers are plain subprocesses, for those may be started from anywhere, also from the processes of
a cluster, which must not have children of ``multiprocessing``.
"""

from __future__ import annotations

import queue
from collections.abc import Mapping
from typing import Any, Protocol

from icgsynth.batch.sweep.fresh import Fresh
from icgsynth.batch.sweep.record import Record
from icgsynth.batch.sweep.warm import Warm
from icgsynth.process.forked import can_fork

__all__ = ["JobWorker", "new_worker", "perform"]


class JobWorker(Protocol):
    """Does one job at a time."""

    def run(self, message: Mapping[str, Any]) -> Record:
        """The record of the job, whatever happens to it.

        Raises :class:`Closed`, and :class:`RuntimeError` where no job could be done at all.
        """
        ...

    def close(self) -> None:
        """End now, from any thread, with whatever runs."""
        ...


def new_worker() -> JobWorker:
    """The faster kind that this system has."""
    return Warm() if can_fork() else Fresh()


_idle: queue.SimpleQueue[JobWorker] = queue.SimpleQueue()


def perform(message: Mapping[str, Any]) -> Record:
    """Do a job with a worker that this process keeps; what a cluster calls, from any thread."""
    try:
        worker = _idle.get_nowait()
    except queue.Empty:
        worker = new_worker()
    try:
        return worker.run(message)
    finally:
        _idle.put(worker)
