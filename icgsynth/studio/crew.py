"""The worker processes of the studio; each does one kind of work, its desk, one at a time.

The server itself imports no solver, so it starts at once and answers while a solver works.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from tempfile import TemporaryDirectory
from typing import Literal, TypeAlias, get_args

from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.process.worker import Closed, Worker
from icgsynth.studio.faults import Data, fault
from icgsynth.studio.tasks.arenas import keep_in

Task = Callable[[Data], Data]
Desk: TypeAlias = Literal["quick", "moves", "checks", "short", "long"]
"""A kind of work: a view, what moves are worth, whether rules are right; or work for minutes, which
is tried for seconds at "short" where other work goes on at "long"."""

QUICK = 10.0  # seconds that a quick question may take
_MEMORY = 4_000_000_000  # bytes of address space of a process: twice that of a sweep's job
_GRACE = 1.5  # seconds that long work may go past its budget
_SHORT = 3.0  # seconds for which long work is tried that would have to wait
_START = 60.0  # seconds to start a process, on a busy machine
_KEPT = 64  # results of long work that are remembered
_CANCELLED = "the work was cancelled"


class Heard(queue.SimpleQueue[Data]):
    """The messages of one task: any number of ``{"progress": ..}``, then one ``{"result": ..}``."""

    cancelled = False


class Crew:
    """Runs tasks in worker processes: ``ask`` does quick ones, ``begin`` long ones to be cancelled.
    A desk does one thing at a time, and what comes meanwhile waits. ``recall`` what came of long
    work. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="icgsynth.")
        prepare = partial(keep_in, self._folder.name)
        self._desks = {desk: _Desk(prepare, 0.0) for desk in get_args(Desk)}
        self._desks["long"] = _Desk(prepare, _GRACE)
        self._kept: OrderedDict[str, Data] = OrderedDict()

    def warm(self, task: Task) -> None:
        """Start the processes for quick questions, in threads, by having each do ``task``."""
        desks: tuple[Desk, ...] = ("quick", "moves")
        for desk in desks:
            threading.Thread(target=self.ask, args=(task, {}, _START, desk), daemon=True).start()

    def ask(self, function: Task, data: Data, seconds: float = QUICK, desk: Desk = "quick") -> Data:
        """Return what ``function`` returns for ``data`` in the process that ``desk`` names; a fault
        where that takes more than ``seconds``."""
        with self._desks[desk].turn(Heard()) as worker:
            return _call(worker, seconds, function, data)

    def begin(
        self,
        function: Task,
        data: Data,
        seconds: float,
        more: Data | None = None,
        desk: Desk = "long",
    ) -> Heard:
        """Start ``function`` in a thread, and return the queue through which its messages come.

        The function gets ``data`` with ``seconds``, and ``more``; ``desk`` names the process. A
        result at "long" is kept, and the next time returned for equal ``data``, whatever
        ``seconds`` and ``more`` are, unless it is a fault or says of itself that it is
        ``passing``."""
        heard = Heard()
        arguments = (desk, heard, function, data, seconds, more or {})
        threading.Thread(target=self._work, args=arguments, daemon=True).start()
        return heard

    def cancel(self, heard: Heard) -> None:
        """End the task whose messages go to ``heard``, or drop it if it waits for its turn."""
        for desk in self._desks.values():
            desk.cancel(heard)

    def recall(self, function: Task, data: Data) -> Data | None:
        """Return the kept result of ``function`` on ``data``; None where none was kept."""
        return self._kept.get(_key(function, data))

    def remember(self, function: Task, data: Data, result: Data) -> None:
        """Keep ``result`` so that ``recall`` returns it for ``function`` and ``data``."""
        self._kept[_key(function, data)] = result
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def close(self) -> None:
        """End all worker processes and whatever waits for them, and remove their shared folder."""
        for desk in self._desks.values():
            desk.close()
        self._folder.cleanup()

    def _work(
        self, desk: Desk, heard: Heard, function: Task, data: Data, seconds: float, more: Data
    ) -> None:
        def recall_answer() -> Data | None:
            found = self.recall(function, data) if desk == "long" else None
            return None if found is None or found.get("passing") else found

        result = recall_answer() or fault(_CANCELLED)

        def do(at: Desk, seconds: float) -> Data:
            with suppress(Closed), self._desks[at].turn(heard) as worker:
                # The same work may have been done while this waited.
                return recall_answer() or _call(
                    worker, seconds, function, {**more, **data, "seconds": seconds}
                )
            return fault(_CANCELLED)

        try:
            # What would have to wait is tried for a few seconds at another desk.
            if "fault" in result and desk == "long" and self._desks["long"].is_busy:
                result = do("short", min(seconds, _SHORT))
            if "fault" in result or result.get("passing"):
                result = do(desk, seconds)
            if desk == "long" and "fault" not in result:
                self.remember(function, data, result)
        finally:
            heard.put({"result": result})


class _Desk:
    """A worker process that does one task at a time; a task, even one that waits, can be ended."""

    def __init__(self, prepare: Callable[[], object], grace: float) -> None:
        self._new = partial(Worker, prepare, grace, _MEMORY, self._hear)
        self._worker = self._new()
        self._turn = threading.Lock()
        self._change = threading.Lock()  # held while what is done now becomes something else
        self._heard: Heard | None = None
        self._closed = False

    @property
    def is_busy(self) -> bool:
        return self._turn.locked()

    @contextmanager
    def turn(self, heard: Heard) -> Iterator[Worker]:
        """Wait until the worker is free, and lend it; ``heard`` gets its messages meanwhile.
        :class:`Closed` where the work was cancelled before its turn came."""
        if not self._turn.acquire(blocking=False):
            heard.put({"progress": "waiting for other work"})
            self._turn.acquire()
        try:
            with self._change:
                self._heard = heard
                if heard.cancelled:
                    raise Closed
            yield self._worker
        finally:
            with self._change:
                self._heard = None
                # Cancelled work has ended its process: the next one gets a new process.
                if self._worker.is_closed and not self._closed:
                    self._worker = self._new()
            self._turn.release()

    def cancel(self, heard: Heard) -> None:
        """End the task whose messages go to ``heard``, or drop it before it begins."""
        with self._change:
            heard.cancelled = True
            if self._heard is heard:
                self._worker.close()

    def close(self) -> None:
        """End the process for good; later tasks are refused."""
        with self._change:
            self._closed = True
            self._worker.close()

    def _hear(self, message: object) -> None:
        if (heard := self._heard) is not None:
            heard.put({"progress": str(message)[:200]})


def _call(worker: Worker, seconds: float, function: Task, data: Data) -> Data:
    try:
        return worker.call(seconds, function, data)
    except Closed:
        return fault(_CANCELLED)
    except (BudgetSpent, OutOfReach) as spent:
        return fault(str(spent), "try a smaller game or state")
    except RuntimeError as error:
        return fault(f"internal error: {error}"[:300], "please report it")


def _key(function: Task, data: Data) -> str:
    return f"{function.__qualname__} {json.dumps(data, sort_keys=True)}"
