"""Jobs on this machine: as many threads as processes, each with a worker of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from icgsynth.batch.sweep.job_worker import JobWorker, new_worker
from icgsynth.batch.sweep.record import Record

TICK = 0.25  # seconds at most between two calls of ``tick``


def run_here(
    messages: Iterator[Mapping[str, Any]],
    processes: int,
    deliver: Callable[[Record], None],
    tick: Callable[[], None],
    worker: Callable[[], JobWorker] = new_worker,
) -> None:
    """Do all jobs, at most ``processes`` at a time; ``deliver`` is called from this thread only.

    However this ends, no process is left, and what was finished by then is delivered.
    """
    workers = [worker() for _ in range(processes)]
    taking = threading.Lock()
    done: queue.SimpleQueue[Record | BaseException] = queue.SimpleQueue()

    def take() -> Mapping[str, Any] | None:
        with taking:
            return next(messages, None)

    def serve(each: JobWorker) -> None:
        try:
            while (message := take()) is not None:
                done.put(each.run(message))
        except BaseException as error:  # told to the thread that waits for records
            done.put(error)

    threads = [threading.Thread(target=serve, args=(each,), daemon=True) for each in workers]
    try:
        for thread in threads:
            thread.start()
        _deliver_all(done, threads, deliver, tick)
    finally:
        for each in workers:
            each.close()
        for thread in threads:
            if thread.ident is not None:  # it was started
                thread.join()
        while not done.empty():
            item = done.get()
            if not isinstance(item, BaseException):
                deliver(item)


def _deliver_all(
    done: queue.SimpleQueue[Record | BaseException],
    threads: list[threading.Thread],
    deliver: Callable[[Record], None],
    tick: Callable[[], None],
) -> None:
    """Deliver until all threads have ended; what ended one of them before its time is raised."""
    while True:
        # Asked before the queue: what a thread puts there, it puts there before it ends.
        have_ended = not any(thread.is_alive() for thread in threads)
        try:
            item = done.get(timeout=0.0 if have_ended else TICK)
        except queue.Empty:
            if have_ended:
                return
            tick()
            continue
        if isinstance(item, BaseException):
            raise item
        deliver(item)
