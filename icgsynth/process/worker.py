"""Call functions in a child process that is killed when a call takes too long.

A function that does not end in time, or that takes the whole process with it, costs one answer:
the process is ended, and the next call starts a new one.  Calls and answers are pickled over its
stdin and stdout, and it ends with its stdin.  A call may :func:`tell` how far it is.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable
from traceback import format_exc
from typing import IO, Any, NamedTuple, TypeVar

from icgsynth.budget import UNBOUNDED
from icgsynth.errors import BudgetSpent
from icgsynth.process.started import Ending, Started, python_calling

_START = 60.0  # seconds for a new process to import all it needs, on a busy machine
_T = TypeVar("_T")


class Closed(Exception):
    """A worker was closed before or during a call."""


class _Told(NamedTuple):
    """A message that a call sends before it has an answer."""

    message: object


def _nobody(message: object) -> None:
    """Ignore ``message``, which a call sends before it has an answer."""


class Worker:
    """A child process, started when needed, that calls functions one at a time.  The process calls
    ``prepare`` when it starts, outside all budgets; without ``prepare`` the first call pays for its
    imports.  A call may take ``grace`` seconds more than it is given, and the process ``memory``
    bytes of address space.  ``hear`` gets the messages of a call, in the thread that waits for its
    answer.  No call goes on after ``until``, a budget for all calls."""

    until = UNBOUNDED

    def __init__(
        self,
        prepare: Callable[[], object] | None = None,
        grace: float = 0.0,
        memory: int | None = None,
        hear: Callable[[Any], None] = _nobody,
    ) -> None:
        self._prepare = prepare
        self._grace = grace
        self._memory = memory
        self._hear = hear
        self._child: Started | None = None
        self._busy = threading.Lock()  # held while the process is started, asked or taken down
        self._closed = False

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_closed(self) -> bool:
        """Return whether :meth:`close` was called, so that no more calls are taken."""
        return self._closed

    def call(self, seconds: float, function: Callable[..., _T], *arguments: object) -> _T:
        """Return ``function(*arguments)``, computed in the child process within ``seconds``.
        Raises :class:`~icgsynth.errors.BudgetSpent` where there is no answer in time, or no memory
        for it, RuntimeError for whatever the function raises and where no process can be started,
        and :class:`Closed`."""
        with self._busy:
            self.until.check()
            child = self._ready()
            time = min(seconds + self._grace, self.until.remaining())
            try:
                failed, result = self._ask(child, time, function, *arguments)
            except EOFError:
                raise self._tell_spent(child, seconds) from None
        if failed:
            raise RuntimeError(result)
        answer: _T = result
        return answer

    def start(self) -> None:
        """Start the child process now, so that the first call need not wait for it."""
        with self._busy:
            self._ready()

    def close(self) -> None:
        """End the child process, from any thread, whatever it is doing; later calls raise
        :class:`Closed`."""
        self._closed = True
        child = self._child
        if child is not None:
            child.kill()
        with self._busy:  # whoever waited for an answer has heard the end by now
            self._drop()

    def _ready(self) -> Started:
        """Return the child process, which is started if none runs; raises :class:`Closed` if this
        worker was closed."""
        if self._child is None:
            self._child = Started(python_calling(__name__, serve.__name__), self._memory)
            self._heed_close()  # close() may have run before this process was stored
            if self._prepare is not None:
                self._start(self._child, self._prepare)
        self._heed_close()
        return self._child

    def _start(self, child: Started, prepare: Callable[[], object]) -> None:
        try:
            failed, why = self._ask(child, _START, prepare)
        except EOFError:
            ending = self._drop()
            self._heed_close()
            failed, why = True, ending.last_words or ending.how
        if failed:
            raise RuntimeError(f"no process can be started: {why}")

    def _ask(
        self, child: Started, seconds: float, function: Callable[..., object], *arguments: object
    ) -> tuple[bool, Any]:
        """Return (whether the call raised an error, its result or the text of the error), as
        ``child`` answers within ``seconds``; EOFError if it does not."""
        with child.within(seconds):
            try:
                pickle.dump((function, arguments), child.stdin)
                child.stdin.flush()
                answer: Any = pickle.load(child.stdout)
                while isinstance(answer, _Told):
                    self._hear(answer.message)
                    answer = pickle.load(child.stdout)
            except (OSError, pickle.UnpicklingError):
                raise EOFError from None
        if child.was_late:  # it was killed just when it had answered
            self._drop()
        failed, result = answer
        return failed, result

    def _tell_spent(self, child: Started, seconds: float) -> BudgetSpent:
        """Stop ``child``, and return the error that says why a call with ``seconds`` to spend has
        no answer."""
        ending = self._drop()
        self._heed_close()
        if child.was_late:
            return BudgetSpent(f"the budget of {seconds:.4g} s is spent")
        return BudgetSpent(f"the process that worked on it has ended ({ending.how})")

    def _heed_close(self) -> None:
        if self._closed:
            self._drop()
            raise Closed

    def _drop(self) -> Ending:
        child, self._child = self._child, None
        return Ending(0, "") if child is None else child.stop()


_answers: IO[bytes] | None = None  # where answers go; None in a process that is no worker


def tell(message: object) -> None:
    """Send ``message`` to the process that waits for this call's answer; outside a worker do
    nothing."""
    if _answers is not None:
        pickle.dump(_Told(message), _answers)
        _answers.flush()


def serve() -> None:
    """Read pickled calls from stdin until it ends, and write a pickled answer to each to stdout;
    the child process of a worker runs this."""
    global _answers
    calls, sending = sys.stdin.buffer, os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # printed text must not mix with answers
    if hasattr(os, "fork"):  # a forked child must not keep the pipe of answers open
        os.register_at_fork(after_in_child=lambda: os.close(sending))
    with open(sending, "wb") as answers:  # noqa: PTH123 (a descriptor has no path)
        _answers = answers
        while True:
            try:
                function, arguments = pickle.load(calls)
            except EOFError:
                return
            try:
                answer = (False, function(*arguments))
            except MemoryError:
                return
            except Exception as error:
                debug = bool(os.environ.get("ICGSYNTH_DEBUG"))
                answer = (True, format_exc() if debug else f"{type(error).__name__}: {error}")
            pickle.dump(answer, answers)
            answers.flush()
