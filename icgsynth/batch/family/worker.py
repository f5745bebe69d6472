"""A process of its own for whatever may not heed its budget.

The search and the prover keep to a budget nearly always; where they do not, the process is
ended, a new one is started, and only that one answer is missing.  Calls and answers are pickled
over its stdin and stdout, and it ends with its stdin.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from traceback import format_exc
from typing import TypeVar

from icgsynth.errors import BudgetSpent

__all__ = ["GRACE", "Worker", "serve"]

GRACE = 1.2  # seconds past its budget that a call gets to end by itself
_START = 60.0  # seconds for a new process to import all it needs, on a busy machine
_CODE = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from icgsynth.batch.family.worker import serve; serve()"
)
_T = TypeVar("_T")


class Worker:
    """Calls functions of modules, one at a time, in a process that is started when needed."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    def call(self, seconds: float, function: Callable[..., _T], *arguments: object) -> _T:
        """``function(*arguments)``, which is told its budget by its arguments.

        Raises :class:`~icgsynth.errors.BudgetSpent` if there is no answer :data:`GRACE` past
        ``seconds``, and RuntimeError for whatever the function raises.
        """
        if self._process is None:
            self._start()
        failed, result = self._ask((function, arguments), seconds)
        if failed:
            raise RuntimeError(result)
        return result  # type: ignore[return-value]

    def _start(self) -> None:
        self._process = subprocess.Popen(
            # It finds modules where this Python does, and not in the folder it is called in.
            [sys.executable, "-P", "-c", _CODE, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # The same order of sets in each run, and so the same spelling of an answer.
            env={"PYTHONHASHSEED": "0"} | os.environ,
            # The terminal's Ctrl-C is for whoever started this.
            start_new_session=True,
        )
        self._ask((sys.setrecursionlimit, (sys.getrecursionlimit(),)), _START)

    def _ask(self, call: tuple[object, ...], seconds: float) -> tuple[bool, object]:
        """Whether the call failed, and its result or what went wrong."""
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(seconds + GRACE, end)
        timer.daemon = True
        timer.start()
        try:
            pickle.dump(call, process.stdin)
            process.stdin.flush()
            answer: tuple[bool, object] = pickle.load(process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._stop()
            why = f"the budget of {seconds:g} s is spent"
            if not late.is_set():
                why = "the process that worked on it has ended"
            raise BudgetSpent(why) from None
        finally:
            timer.cancel()
        if late.is_set():  # it was killed just when it had answered
            self._stop()
        return answer

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what was still to be sent
                    continue


def serve() -> None:
    """The other process: answer calls until stdin ends."""
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever is printed is no answer
    _load()
    while True:
        try:
            function, arguments = pickle.load(calls)
        except EOFError:
            return
        try:
            answer = (False, function(*arguments))
        except Exception as error:
            debug = bool(os.environ.get("ICGSYNTH_DEBUG"))
            answer = (True, format_exc() if debug else f"{type(error).__name__}: {error}")
        pickle.dump(answer, answers)
        answers.flush()


def _load() -> None:
    """What takes long to import is imported before any clock runs."""
    from icgsynth.budget import Budget
    from icgsynth.logic.term import TRUE
    from icgsynth.prove.deciders.smt import satisfy

    satisfy((TRUE,), (), Budget(_START))
