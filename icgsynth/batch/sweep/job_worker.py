"""Who does a job: a process that forks a child for each, or a fresh process for each.

Workers are plain subprocesses, for those may be started from anywhere, also from the processes of
a cluster, which must not have children of ``multiprocessing``.
"""

from __future__ import annotations

import gc
import json
import queue
import sys
from collections.abc import Mapping
from typing import Any, Protocol

from icgsynth.batch.sweep.isolated import KILL_AFTER, isolated, record_of
from icgsynth.batch.sweep.job import DEPTH, Columns, load, not_run, work
from icgsynth.batch.sweep.record import Record
from icgsynth.errors import BudgetSpent
from icgsynth.process.forked import can_fork
from icgsynth.process.started import Started, python_calling
from icgsynth.process.worker import Closed, Worker

__all__ = ["Fresh", "JobWorker", "Warm", "fork", "new_worker", "once", "perform", "prepare"]

_STUCK = 20.0  # seconds past a kill that the process itself gets, which does the killing
_TRIES = 2  # starts of the process that forks, for one job
_START = 10.0  # seconds that a fresh process may take to load everything


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


# --- where there is fork --------------------------------------------------------------------------


class Warm:
    """A process that has everything loaded and forks a child for each job: no start-up to wait for.

    It ends with its stdin, and takes a running job with it, so nothing outlives whoever started
    it, however that ended.
    """

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


# --- elsewhere ------------------------------------------------------------------------------------


class Fresh:
    """Starts a process for each job, where there is no ``fork``: its memory is not bounded."""

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


# --- which of them --------------------------------------------------------------------------------


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
