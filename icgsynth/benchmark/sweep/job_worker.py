"""Run sweep jobs on this machine, each in a process of its own with limits of time and memory.

Workers are plain subprocesses, for those may be started from anywhere, also from the processes of a
cluster, which must not have children of ``multiprocessing``.

A job's process is forked from a worker, where everything is loaded already; it may use so much
address space, and is killed soon after its time.  Where there is no ``fork``, a fresh one is
started instead.
"""

from __future__ import annotations

import gc
import json
import queue
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any, Protocol

from icgsynth.benchmark.sweep.forked import Tell as TellLine
from icgsynth.benchmark.sweep.forked import can_fork, run_forked
from icgsynth.benchmark.sweep.job import (
    DEPTH,
    Columns,
    Tell,
    failure_columns,
    load,
    not_run,
    out_of_memory,
    work,
)
from icgsynth.benchmark.sweep.record import Record, complete
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.process.started import Ending, Started, python_calling
from icgsynth.process.watchdog import GRACE, WORDS
from icgsynth.process.worker import Closed, Worker

# --- isolated ------------------------------------------------------------------------------------

KILL_AFTER = GRACE + WORDS  # seconds past its time that a process is killed

Work = Callable[[Mapping[str, Any], Tell], None]


def run_isolated(message: Mapping[str, Any], orphaned_by: int = -1, do: Work = work) -> Record:
    """Do the job of ``message`` in a forked process and return its record, even if that crashes.

    Raises :class:`~icgsynth.benchmark.sweep.forked.Orphaned`, the process killed, once the
    descriptor ``orphaned_by`` is at its end.
    """

    def there(tell: TellLine) -> None:
        do(message, lambda columns: tell(json.dumps(columns).encode()))

    late = message["timeout"] + KILL_AFTER
    return record_of(message, run_forked(there, late, message["memory"], orphaned_by))


def record_of(message: Mapping[str, Any], ending: Ending) -> Record:
    """Return the record of a job, from columns that its process sent and its ``ending``."""
    columns: Columns = {}
    for told in ending.told:
        # A later report replaces an earlier one of the same column.
        columns |= json.loads(told)
    if "status" not in columns:
        columns |= _judge_ending(message, ending)
    columns["seconds"] = round(ending.seconds, 3)
    if ending.megabytes:
        columns["megabytes"] = round(ending.megabytes, 1)
    return complete(message, columns)


def _judge_ending(message: Mapping[str, Any], ending: Ending) -> Columns:
    """Return result columns for a job whose process sent no answer, from how it ended."""
    if ending.killed:
        late = message["timeout"] + KILL_AFTER
        return failure_columns("unknown", f"killed after {late:g} s: the budget was not heeded")
    if ending.lacked_memory(message["memory"]):
        return out_of_memory(message)
    if ending.how == "SIGKILL":
        reason = "killed from outside, as the system does where memory is short"
        return failure_columns("unknown", reason)
    words = f": {ending.last_words}" if ending.last_words else ""
    reason = f"the process ended without an answer ({ending.how}){words}"
    return failure_columns("error", reason, code=1)


# --- job worker ----------------------------------------------------------------------------------

_STUCK = 20.0  # seconds past the end of a job until its worker process is killed
_TRIES = 2  # attempts to start a worker for one job
_START = 10.0  # seconds that a fresh process may take to load everything


class JobWorker(Protocol):
    """The interface of a worker that does one sweep job at a time."""

    def run(self, message: Mapping[str, Any]) -> Record:
        """Do the job of ``message`` and return its record, even where the job crashes.

        Raises :class:`Closed` once closed, and :class:`RuntimeError` where no job can be done at
        all.
        """
        ...

    def close(self) -> None:
        """Stop the worker and any running job at once; may be called from any thread."""
        ...


# --- where there is fork -------------------------------------------------------------------------


class Warm:
    """A worker process that has all modules loaded and forks a child for each job.

    It ends with its stdin, and takes a running job with it, so nothing outlives whoever started it,
    however that ended.
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
            except (BudgetSpent, OutOfReach) as spent:
                why = str(spent)
        return not_run(message, f"the process that starts the others ended twice: {why}", code=1)

    def close(self) -> None:
        self._process.close()


def prepare() -> None:
    """Load all that jobs need and freeze it in memory; runs in the process of :class:`Warm`."""
    sys.setrecursionlimit(DEPTH)
    load()
    gc.collect()
    gc.freeze()  # what is loaded is never looked at again, so its pages stay shared


def fork(message: Mapping[str, Any]) -> Record:
    """Return the record of one job, done in a fork that ends with stdin; :class:`Warm` calls it."""
    return run_isolated(message, orphaned_by=0)


# --- elsewhere -----------------------------------------------------------------------------------


class Fresh:
    """A worker that starts a new process for each job, without a memory limit or need of fork."""

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
    """Do the one job that stdin holds, and print its columns; the main function of ``Fresh``."""
    sys.setrecursionlimit(DEPTH)

    def tell(columns: Columns) -> None:
        sys.stdout.write(json.dumps(columns) + "\n")
        sys.stdout.flush()

    work(json.loads(sys.stdin.buffer.readline()), tell)


# --- which of them -------------------------------------------------------------------------------


def new_worker() -> JobWorker:
    """Return a forking worker (:class:`Warm`) where the system can fork, else a :class:`Fresh`."""
    return Warm() if can_fork() else Fresh()


_idle: queue.SimpleQueue[JobWorker] = queue.SimpleQueue()


def perform(message: Mapping[str, Any]) -> Record:
    """Return the record of a job, done by an idle or new worker; may be called from any thread."""
    try:
        worker = _idle.get_nowait()
    except queue.Empty:
        worker = new_worker()
    try:
        return worker.run(message)
    finally:
        _idle.put(worker)


# --- all jobs: as many threads as processes ------------------------------------------------------

TICK = 0.25  # seconds at most between two calls of ``tick``


def run_here(
    messages: Iterator[Mapping[str, Any]],
    processes: int,
    deliver: Callable[[Record], None],
    tick: Callable[[], None],
    worker: Callable[[], JobWorker] = new_worker,
) -> None:
    """Run all jobs on this machine, at most ``processes`` at a time, and deliver their records.

    ``messages`` tell the jobs; ``deliver`` gets each record, and ``tick`` is called now and then,
    both from this thread only; ``worker`` makes a process.  However this ends, no process is left,
    and what was finished by then is delivered.
    """
    workers = [worker() for _ in range(processes)]
    taking = threading.Lock()
    done: queue.SimpleQueue[Record] = queue.SimpleQueue()

    def take() -> Mapping[str, Any] | None:
        with taking:
            return next(messages, None)

    def serve(each: JobWorker) -> None:
        while (message := take()) is not None:
            done.put(each.run(message))

    with ThreadPoolExecutor(processes) as pool:
        serving = [pool.submit(serve, each) for each in workers]
        try:
            while True:
                # Look at the threads before the queue: a thread delivers before it ends.
                ended = [each for each in serving if each.done()]
                for each in ended:
                    each.result()  # raises what has ended a thread before its time
                try:
                    deliver(done.get(timeout=TICK if len(ended) < len(serving) else 0.0))
                except queue.Empty:
                    if len(ended) == len(serving):
                        return
                    tick()
        finally:
            for one in workers:
                one.close()
            wait(serving)
            while not done.empty():
                deliver(done.get())
