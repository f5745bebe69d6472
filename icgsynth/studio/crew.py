"""The processes that do the work of the studio: one for quick questions, one for long work.

The server itself imports no solver, so it starts at once and answers while a solver works.
"""

from __future__ import annotations

import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

from icgsynth.errors import BudgetSpent
from icgsynth.process.worker import Closed, Worker
from icgsynth.studio.faults import Data, fault

Task = Callable[[Data], Data]
Heard = queue.SimpleQueue[Data]
"""What long work says: ``{"progress": ..}`` any number of times, then ``{"result": ..}``."""

QUICK = 10.0  # seconds that a quick question may take
_MEMORY = 4_000_000_000  # bytes of address space of a process: twice what a job of a sweep has
_GRACE = 1.5  # seconds that long work may go past its budget
_START = 60.0  # seconds to start a process, on a busy machine
_KEPT = 64  # results of long work that are remembered
_BUSY = "other work is under way"


class Crew:
    """``ask`` a quick question, or ``begin`` long work, of which there is one piece at a time.

    ``recall`` what came of long work.  Every method may be called from any thread.
    """

    def __init__(self) -> None:
        self._quick = Worker(memory=_MEMORY)
        self._long = self._new()
        self._busy = threading.Lock()
        self._hears: Heard | None = None
        self._kept: OrderedDict[str, Data] = OrderedDict()

    def warm(self, task: Task) -> None:
        """Start the process for quick questions in the background; ``task`` imports its needs."""

        def start() -> None:
            with suppress(Closed):
                _called(self._quick, _START, task, {})

        threading.Thread(target=start, daemon=True).start()

    def ask(self, function: Task, data: Data, seconds: float = QUICK) -> Data:
        """The answer to a quick question, a fault where it takes longer."""
        return _called(self._quick, seconds, function, data)

    def ask_long(self, function: Task, data: Data, seconds: float = QUICK) -> Data:
        """The same of the process for long work, which remembers the finite games it solved."""
        if not self._busy.acquire(blocking=False):
            return fault(_BUSY, "wait for it, or cancel it", busy=True)
        try:
            return _called(self._long, seconds, function, data)
        finally:
            self._busy.release()

    def begin(self, function: Task, data: Data, seconds: float, more: Data | None = None) -> Heard:
        """Start long work in a thread; what it says comes through the queue.

        A result that is no fault is remembered, and the same work is not done again, unless the
        result says of itself that it is ``passing``.  The function gets ``seconds`` in its data,
        and ``more``, by which the same work is not known again.
        """
        heard = Heard()
        known = self.recall(function, data)
        if known is not None and not known.get("passing"):
            heard.put({"result": known})
        elif not self._busy.acquire(blocking=False):
            heard.put({"result": fault(_BUSY, "wait for it, or cancel it", busy=True)})
        else:
            self._hears = heard
            arguments = (heard, function, data, seconds, more or {})
            threading.Thread(target=self._work, args=arguments, daemon=True).start()
        return heard

    def cancel(self, heard: Heard) -> None:
        """End the work that speaks through ``heard``, if it is not finished."""
        if self._hears is heard:
            self._long.close()

    def recall(self, function: Task, data: Data) -> Data | None:
        """What came of the same work before; None where that is not known."""
        return self._kept.get(_key(function, data))

    def remember(self, function: Task, data: Data, result: Data) -> None:
        """Keep what came of some work that was done elsewhere."""
        self._kept[_key(function, data)] = result
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)

    def close(self) -> None:
        """End all processes."""
        self._quick.close()
        self._long.close()

    def _new(self) -> Worker:
        return Worker(grace=_GRACE, memory=_MEMORY, hear=self._hear)

    def _hear(self, message: object) -> None:
        if (heard := self._hears) is not None:
            heard.put({"progress": str(message)[:200]})

    def _work(self, heard: Heard, function: Task, data: Data, seconds: float, more: Data) -> None:
        result = fault("the work was cancelled")
        try:
            with suppress(Closed):
                given = {**more, **data, "seconds": seconds}
                result = _called(self._long, seconds, function, given)
        except Exception as error:
            result = fault(f"internal error: {type(error).__name__}: {error}"[:300])
        finally:
            self._hears = None
            if self._long.is_closed:
                self._long = self._new()
            self._busy.release()
        if "fault" not in result:
            self.remember(function, data, result)
        heard.put({"result": result})


def _called(worker: Worker, seconds: float, function: Task, data: Data) -> Data:
    try:
        return worker.call(seconds, function, data)
    except BudgetSpent as spent:
        return fault(str(spent), "try a smaller game or state")
    except RuntimeError as error:
        return fault(f"internal error: {error}"[:300], "please report it")


def _key(function: Task, data: Data) -> str:
    return f"{function.__qualname__} {json.dumps(data, sort_keys=True)}"
