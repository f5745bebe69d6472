"""A sweep job: read a game, solve it under a rule, and tell the columns of its result.

The exit codes are those that ``icgsynth solve`` would give.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.benchmark.sweep.record import Record, complete, memory_text
from icgsynth.budget import Progress
from icgsynth.errors import BudgetSpent, IcgError, OutOfReach
from icgsynth.game.answers import Verdict
from icgsynth.game.solution import Solution
from icgsynth.process.started import asks_for_memory
from icgsynth.process.watchdog import GRACE, Watchdog

if TYPE_CHECKING:
    from icgsynth.spec.source import Source

Columns = dict[str, Any]
Tell = Callable[[Columns], None]

DEPTH = 10_000  # frames: rules may nest deeper than Python's default allows
_NEEDED = ("termination", "winning", "strategy")


def load() -> None:
    """Import all modules that a job needs, before processes are forked from this one.

    The solvers are called with no time, which loads them but starts no threads: a fork loses these.
    """
    from icgsynth.budget import Budget
    from icgsynth.prove.deciders import presburger, smt
    from icgsynth.prove.recheck import answer_parts
    from icgsynth.solve import search
    from icgsynth.spec.resolve import load_spec
    from icgsynth.spec.source import Source
    from icgsynth.synth.digits import full_answer

    assert answer_parts and search and full_answer
    for solver in (smt, presburger):
        solver.satisfy((), (), Budget(0.0))
    load_spec(Source("warm", "game warm var a legal a >= 0 action go pre a > 0 eff a := a - 1"))


def warm_whole(progress: Progress) -> None:
    """Compile the machine code for finite games ahead, so that no job's time is spent on it."""
    wings.require("whole", "finite").warm(progress)


def work(message: Mapping[str, Any], tell: Tell) -> None:
    """Solve the game of ``message``; give ``tell`` columns of the result, by name, once known.

    The last columns hold a ``status``, also after an error; only what ends a process is raised.
    """
    try:
        _solve(message, tell)
    except (BudgetSpent, OutOfReach) as spent:
        tell(failure_columns("unknown", str(spent)))
    except IcgError as error:
        tell(failure_columns("error", str(error), code=2))
    except MemoryError:
        tell(out_of_memory(message))
    except Exception as error:
        if asks_for_memory(str(error)):
            tell(out_of_memory(message))
        else:
            tell(failure_columns("error", _describe(error), code=1))


def _solve(message: Mapping[str, Any], tell: Tell) -> None:
    from icgsynth.budget import Budget
    from icgsynth.solve.search import Search
    from icgsynth.spec.resolve import load_spec
    from icgsynth.spec.source import Source
    from icgsynth.synth.checked import free

    data = message["text"].encode("utf-8", "surrogateescape")
    source, timeout = Source.decode(message["file"], data), float(message["timeout"])
    if message["rule"] is None:
        _solve_whole(source, timeout, tell)
        return
    game = load_spec(source)
    tell({"game": game.name, "unbounded": len(free(game))})
    search = Search(game, message["rule"], Budget(timeout), finite_only=False)

    def last_words() -> int:
        # Should this fail as well, whoever watches the process ends it soon.
        tell(_answer(search.unknown(f"the budget of {timeout:g} s is spent")))
        return 0

    with Watchdog(timeout + GRACE, last_words):
        solution = search.solve()
    tell(_answer(solution))


def _solve_whole(source: Source, timeout: float, tell: Tell) -> None:
    """Solve the finite game in ``source`` whole; ``tell`` who wins from the start, or a draw."""

    def last_words() -> int:
        tell(failure_columns("unknown", f"the budget of {timeout:g} s is spent"))
        return 0

    with Watchdog(timeout + GRACE, last_words):
        found = wings.require("whole", "finite").solve_whole(source, timeout)
    tell({"game": found.game, "status": "solved", "exit": 0, "winner": found.winner})


def failure_columns(status: str, reason: str, code: int = 4) -> Columns:
    """Return the columns of a job without an answer: status, exit ``code`` and reason."""
    return {"status": status, "exit": code, "reason": reason}


def out_of_memory(message: Mapping[str, Any]) -> Columns:
    """Return the result columns of a job that asked for more memory than its limit."""
    return failure_columns("unknown", f"the memory of {memory_text(message['memory'])} is spent")


def not_run(message: Mapping[str, Any], reason: str, code: int) -> Record:
    """Return the record of a job that could not be run, for ``reason``, with exit ``code``."""
    return complete(message, {**failure_columns("error", reason, code), "seconds": 0.0})


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
    if solution.proof.get("termination") is Verdict.REFUTED and not solution.is_proved:
        columns |= {"status": "endless", "exit": 3}
    return columns


def _reason(solution: Solution) -> str:
    if solution.status == "unknown":
        return solution.notes[0] if solution.notes else "no reason was given"
    open_parts = [p for p in _NEEDED if solution.proof.get(p) is not Verdict.PROVED]
    if open_parts:
        return f"not proved: {', '.join(open_parts)}"
    return solution.notes[-1] if solution.notes else "the labels were not compared"


def _describe(error: Exception) -> str:
    """Return an error's type, message and source line, for a report of the fault."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}"[:500] + place
