"""Jobs on this machine: as many threads as processes, each with a worker of its own."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from icgsynth.batch.sweep.job_worker import JobWorker, new_worker
from icgsynth.batch.sweep.record import Record
from icgsynth.process.worker import Closed

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
    crew = _Crew(messages, [worker() for _ in range(processes)])
    try:
        crew.start()
        while (item := crew.next()) is not _END:
            if item is None:
                tick()
            else:
                deliver(item)
    finally:
        for record in crew.dismiss():
            deliver(record)


_END: Any = object()


class _Crew:
    """Threads that take messages, in turn, and put records into one queue."""

    def __init__(self, messages: Iterator[Mapping[str, Any]], workers: list[JobWorker]) -> None:
        self._messages = messages
        self._taking = threading.Lock()
        self._done: queue.SimpleQueue[Record | BaseException] = queue.SimpleQueue()
        self._workers = workers
        self._threads = [
            threading.Thread(target=self._serve, args=(each,), daemon=True) for each in workers
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def next(self) -> Any:
        """A record, None after a while without one, ``_END`` after the last."""
        try:
            # Asked before the queue: what a thread puts there, it puts there before it ends.
            ended = not any(thread.is_alive() for thread in self._threads)
            item = self._done.get(timeout=0.0 if ended else TICK)
        except queue.Empty:
            return _END if ended else None
        if isinstance(item, BaseException):
            raise item
        return item

    def dismiss(self) -> Iterator[Record]:
        """End all processes; the records that nobody took yet."""
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()
        while not self._done.empty():
            item = self._done.get()
            if not isinstance(item, BaseException):
                yield item

    def _serve(self, worker: JobWorker) -> None:
        try:
            while (message := self._take()) is not None:
                self._done.put(worker.run(message))
        except Closed:
            return
        except BaseException as error:  # told to the thread that waits for records
            self._done.put(error)

    def _take(self) -> Mapping[str, Any] | None:
        with self._taking:
            return next(self._messages, None)
