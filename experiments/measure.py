"""Run processes by themselves with a limit on time and memory, and keep a journal.

A run is a process of its own, killed at the limit.  Its outcome is written down at once, so that
a comparison that was interrupted can be continued.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from threading import Lock
from typing import Any

__all__ = ["OURS", "PEERS", "TOOLS", "Case", "Journal", "Limits", "Outcome", "Run", "measure"]

ROOT = Path(__file__).parents[1]
OURS = "icgsynth"
PEERS = ("enumerator", "cvc5")
TOOLS = (OURS, *PEERS)
_MODULES = {"enumerator": "experiments.transit", "cvc5": "experiments.sygus"}
# One thread each: what a second one would do depends on what else runs.
_SETTINGS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


@dataclass(frozen=True, slots=True)
class Case:
    """A game under a rule.  ``spec`` is a catalog name or an absolute path; ``group`` the part
    of the comparison that it belongs to, ``size`` its place in a series."""

    group: str
    game: str
    spec: str
    rule: str
    constants: tuple[tuple[str, int], ...] = ()
    size: int | None = None

    @property
    def name(self) -> str:
        """The game with its constants; with the rule it is unique."""
        return " ".join([self.game, *(f"{n}={v}" for n, v in self.constants)])

    def command(self, tool: str, seconds: float) -> list[str]:
        """The process that ``tool`` is, with a budget of ``seconds``."""
        set_to = [f"{n}={v}" for n, v in self.constants]
        if tool != OURS:
            module = _MODULES[tool]
            return [sys.executable, "-m", module, self.spec, self.rule, f"{seconds:g}", *set_to]
        constants = [f"--set={one}" for one in set_to]
        options = ["--rule", self.rule, "--timeout", f"{seconds:g}", "--json", "--quiet"]
        return [sys.executable, "-m", "icgsynth", "solve", self.spec, *constants, *options]


@dataclass(frozen=True, slots=True)
class Limits:
    """``seconds`` and ``megabytes`` a run; ``runs`` of which the median counts."""

    seconds: float = 60.0
    megabytes: int = 2048
    runs: int = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One process: its wall-clock ``seconds``, and those that it counts ``inside`` itself.

    ``searched`` is the part of ``inside`` for what all tools do, or more: labels, formula and
    strategy, and their proofs.  ``losing`` is the answer, empty without one.
    """

    status: str  # solved, unknown, timeout, memory or failed
    seconds: float
    inside: float = 0.0
    searched: float = 0.0
    losing: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """All runs of a tool on a case: the medians where it was solved."""

    status: str
    seconds: float = inf
    inside: float = inf
    searched: float = inf
    losing: str = ""
    note: str = ""

    @property
    def is_solved(self) -> bool:
        return self.status == "solved"

    @staticmethod
    def of(runs: Sequence[Run]) -> Outcome:
        """A run without an answer counts as one of endless time."""
        solved = [run for run in runs if run.status == "solved"]
        if 2 * len(solved) <= len(runs):
            failed = next((run for run in runs if run.status != "solved"), Run("absent", inf))
            return Outcome(failed.status, note=failed.note)

        def median(part: str) -> float:
            missing = [inf] * (len(runs) - len(solved))
            return float(statistics.median([*(getattr(r, part) for r in solved), *missing]))

        return Outcome(
            "solved", median("seconds"), median("inside"), median("searched"), solved[0].losing
        )


# --- one process -----------------------------------------------------------------------------


def run_tool(tool: str, case: Case, limits: Limits) -> Run:
    # The shell sets the limit: doing it between fork and exec is not safe beside threads.
    limit = f'ulimit -v {limits.megabytes * 1024}; exec "$@"'
    command = ["sh", "-c", limit, "sh", *case.command(tool, limits.seconds)]
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **_SETTINGS},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=limits.seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Run("timeout", limits.seconds)
    return _read(tool, output, errors, time.perf_counter() - start)


def _read(tool: str, output: str, errors: str, seconds: float) -> Run:
    """What a process that has ended answers."""
    try:
        answer = json.loads(output)
    except ValueError:
        last = (errors.strip() or "no answer").splitlines()[-1]
        spent = "MemoryError" in errors or "bad_alloc" in errors or "out of memory" in errors
        return Run("memory" if spent else "failed", seconds, note=last[:200])
    if tool != OURS:
        status, inside = answer["status"], answer["inside"]
        return Run(status, seconds, inside, inside, answer["losing"], answer["note"])
    parts = answer["seconds"]
    searched = sum(parts.get(part, 0.0) for part in ("label", "search", "prove", "strategy"))
    losing = answer["losing"]["formula"] if answer["losing"] else ""
    note = "; ".join(answer.get("notes", [])[:1])
    return Run(answer["status"], seconds, parts["total"], searched, losing, note)


# --- many ----------------------------------------------------------------------------------


class Journal:
    """The runs so far, one line of JSON each."""

    def __init__(self, path: Path, limits: Limits, fresh: bool) -> None:
        self._path, self._limits, self._lock = path, limits, Lock()
        self._runs: dict[str, list[Run]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                entry: dict[str, Any] = json.loads(line)
                self._runs.setdefault(entry.pop("key"), []).append(Run(**entry))

    def _key(self, tool: str, case: Case) -> str:
        limits = self._limits
        return f"{tool}: {case.name}, {case.rule}, {limits.seconds:g} s, {limits.megabytes} MB"

    def runs(self, tool: str, case: Case) -> list[Run]:
        """Return the recorded runs of ``tool`` on ``case``, the oldest first."""
        return list(self._runs.get(self._key(tool, case), ()))

    def add(self, tool: str, case: Case, run: Run) -> None:
        """Write one down."""
        key = self._key(tool, case)
        with self._lock:
            self._runs.setdefault(key, []).append(run)
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps({"key": key, **asdict(run)}) + "\n")


def measure(
    work: Iterable[tuple[str, Sequence[Case]]], limits: Limits, journal: Journal, jobs: int
) -> Iterator[tuple[str, Case, Outcome]]:
    """Each tool on each of its cases in turn, and no further than the first it does not solve.

    ``jobs`` of the entries of ``work`` are under way at a time.  A first run without an answer
    is not repeated.
    """
    with ThreadPoolExecutor(jobs) as pool:
        tasks = [pool.submit(_in_turn, tool, cases, limits, journal) for tool, cases in work]
        try:
            for task in as_completed(tasks):
                yield from task.result()
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _in_turn(
    tool: str, cases: Sequence[Case], limits: Limits, journal: Journal
) -> list[tuple[str, Case, Outcome]]:
    found = []
    for case in cases:
        outcome = _repeated(tool, case, limits, journal)
        found.append((tool, case, outcome))
        if not outcome.is_solved:
            break
    return found


def _repeated(tool: str, case: Case, limits: Limits, journal: Journal) -> Outcome:
    runs = journal.runs(tool, case)
    while len(runs) < limits.runs and (not runs or runs[0].status == "solved"):
        run = run_tool(tool, case, limits)
        journal.add(tool, case, run)
        runs.append(run)
    return Outcome.of(runs[: limits.runs])
