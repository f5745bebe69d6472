"""The work of one process: read a game, solve it under a rule, tell what came of it.

The exit codes are those that ``icgsynth solve`` would give.
"""

from __future__ import annotations

import os
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icgsynth.batch.sweep.record import memory_text
from icgsynth.errors import BudgetSpent, IcgError
from icgsynth.game.solution import Solution, Verdict

if TYPE_CHECKING:
    from icgsynth.synth.search import Solver

__all__ = [
    "GRACE",
    "Columns",
    "Tell",
    "asks_for_memory",
    "failed",
    "out_of_memory",
    "warm",
    "work",
]

Columns = dict[str, Any]
Tell = Callable[[Columns], None]

GRACE = 1.0  # seconds past its budget that the solver gets to end by itself
_NEEDED = ("termination", "winning", "strategy")


def warm() -> None:
    """Load what every job needs; a process is forked from this state.

    The solvers get no time, so they are loaded and asked nothing: a fork loses their threads.
    """
    from icgsynth.budget import Budget
    from icgsynth.prove.deciders import presburger, smt
    from icgsynth.spec.load import load_spec
    from icgsynth.spec.source import Source
    from icgsynth.synth import search as solving
    from icgsynth.synth.digits import answer, search

    assert solving and answer and search
    for solver in (smt, presburger):
        solver.satisfy((), (), Budget(0.0))
    load_spec(Source("warm", "game warm var a legal a >= 0 action go pre a > 0 eff a := a - 1"))


def work(message: Mapping[str, Any], tell: Tell) -> None:
    """Do the job, telling what is known as soon as it is known, at the latest all at the end.

    The last thing told holds a ``status``.  Nothing is raised but what ends a process.
    """
    try:
        _solve(message, tell)
    except BudgetSpent as spent:
        tell(failed("unknown", str(spent)))
    except IcgError as error:
        tell(failed("error", str(error), code=2))
    except MemoryError:
        tell(out_of_memory(message))
    except Exception as error:
        if asks_for_memory(str(error)):
            tell(out_of_memory(message))
        else:
            tell(failed("error", _described(error), code=1))


# What the libraries below say when an allocation fails, or a thread that needs a stack.
_MEMORY_WORDS = (
    "out of memory",
    "bad_alloc",
    "MemoryError",
    "Cannot allocate memory",
    "Resource temporarily unavailable",
    "can't start new thread",
)


def asks_for_memory(said: str) -> bool:
    """Whether the words of an error mean that there was no more memory."""
    return any(words in said for words in _MEMORY_WORDS)


def _solve(message: Mapping[str, Any], tell: Tell) -> None:
    from icgsynth.budget import Budget
    from icgsynth.spec.load import load_spec
    from icgsynth.spec.source import Source
    from icgsynth.synth.boxes import free
    from icgsynth.synth.search import Solver

    data = message["text"].encode("utf-8", "surrogateescape")
    game = load_spec(Source.decode(message["file"], data))
    tell({"game": game.name, "unbounded": len(free(game))})
    timeout: float = message["timeout"]
    solver = Solver(game, message["rule"], Budget(timeout))
    with _LastWords(solver, timeout, tell):
        solution = solver.solve()
    tell(_answer(solution))


def failed(status: str, reason: str, code: int = 4) -> Columns:
    """The columns of a job without an answer."""
    return {"status": status, "exit": code, "reason": reason}


def out_of_memory(message: Mapping[str, Any]) -> Columns:
    """The columns of a job that asked for more memory than it may have."""
    return failed("unknown", f"the memory of {memory_text(message['memory'])} is spent")


def _answer(solution: Solution) -> Columns:
    losing, explicit = solution.losing, solution.explicit
    columns: Columns = {
        "game": solution.game.name,
        "status": solution.status,
        "exit": 0 if solution.is_proved else 4,
        "reason": None if solution.is_proved else _reason(solution),
        "logic": solution.logic,
        "strategy": len(solution.strategy),
        "disagreements": None if explicit is None else explicit.disagreements,
        "solution": solution.to_json(),
    }
    if losing is not None:
        columns |= {"losing": str(losing.formula), "size": losing.size, "minimal": losing.minimal}
    if solution.proof.get("termination") is Verdict.REFUTED:
        columns |= {"status": "endless", "exit": 3}
    return columns


def _reason(solution: Solution) -> str:
    if solution.status == "unknown":
        return solution.notes[0] if solution.notes else "no reason was given"
    open_parts = [p for p in _NEEDED if solution.proof.get(p) is not Verdict.PROVED]
    if open_parts:
        return f"not proved: {', '.join(open_parts)}"
    return solution.notes[-1] if solution.notes else "the labels were not compared"


def _described(error: Exception) -> str:
    """The error and the line that raised it, for a report of the fault."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}"[:500] + place


class _LastWords:
    """Ends the process with what is known, should the solver not heed its budget in time."""

    def __init__(self, solver: Solver, timeout: float, tell: Tell) -> None:
        self._timer = threading.Timer(timeout + GRACE, self._end)
        self._timer.daemon = True
        self._solver = solver
        self._why = f"the budget of {timeout:g} s is spent"
        self._tell = tell
        self._lock = threading.Lock()
        self._finished = False

    def __enter__(self) -> _LastWords:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        with self._lock:
            self._finished = True

    def _end(self) -> None:
        with self._lock:
            if not self._finished:
                # If this fails as well, whoever watches the process ends it soon.
                self._tell(_answer(self._solver.unknown(self._why)))
                os._exit(0)
