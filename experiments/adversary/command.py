"""``python -m experiments adversary``: tries to make icgsynth claim something false.

Each kind of attempt makes a game, an answer, a conjunction or a formula at random, asks icgsynth,
and has what it claims judged by plain integers, with a reader, an evaluator and brute force of the
judge's own.  Attempt number i of a kind depends on the seed, the kind and i alone; the time only
says how many there are, and where icgsynth stops within its own budget.

Every false claim, and every crash, is written to ``build/adversary_found.jsonl`` with its seed and
its full text.  The exit code is 1 if a claim was false.  ``--update`` rewrites ``adversary.csv``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import count, islice
from multiprocessing import TimeoutError as NoneYet
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from experiments.adversary.attempt import Outcome, crashed
from experiments.adversary.conjunctions import compiler, conjunctions
from experiments.adversary.games import boxes, digits, huge, quantified
from experiments.adversary.meaning import Undecided
from experiments.adversary.mutations import mutations
from experiments.measure import ROOT
from experiments.tables import read, write

__all__ = ["KINDS", "Tally", "attempt", "main", "outcomes", "tried"]

TABLE = Path(__file__).parents[1] / "adversary.csv"
FOUND = ROOT / "build" / "adversary_found.jsonl"
KINDS: dict[str, Callable[[random.Random], Outcome]] = {
    "quantified": quantified,
    "huge": huge,
    "boxes": boxes,
    "digits": digits,
    "mutations": mutations,
    "conjunctions": conjunctions,
    "compiler": compiler,
}
_AHEAD = 4  # attempts handed out for each process
_PATIENCE = 90.0  # seconds after which a process is given up; icgsynth has far less
_ERASE = "\r\x1b[K"


@dataclass(frozen=True, slots=True)
class Task:
    """An attempt: all that it depends on."""

    kind: str
    seed: int
    number: int


@dataclass(slots=True)
class Tally:
    """What came of the attempts of a kind; ``checked`` counts states, models and words."""

    kind: str
    seed: int
    attempts: int = 0
    proved: int = 0
    refuted: int = 0
    unknown: int = 0
    refused: int = 0
    crash: int = 0
    checked: int = 0
    false: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count one more attempt."""
        self.attempts += 1
        setattr(self, outcome.verdict, getattr(self, outcome.verdict) + 1)
        self.checked += outcome.checked
        self.false += outcome.is_false

    def row(self) -> dict[str, Any]:
        """As it stands in the table."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def attempt(task: Task) -> Outcome:
    """Make one attempt; what the judge cannot decide is unknown."""
    try:
        return KINDS[task.kind](random.Random(f"{task.seed} {task.kind} {task.number}"))
    except Undecided:
        return Outcome("unknown")
    except Exception:  # of the judge's own; the run goes on
        return crashed(str(task))


def tried(kind: str, seed: int, number: int) -> tuple[Tally, list[Outcome]]:
    """The first ``number`` attempts of a kind, and those of them that show a fault."""
    tally, faults = Tally(kind, seed), []
    for task in islice(_tasks(kind, seed), number):
        outcome = attempt(task)
        tally.add(outcome)
        if outcome.wrong:
            faults.append(outcome)
    return tally, faults


def main(arguments: Sequence[str]) -> int:
    """Attack each kind in turn; the exit code is 1 where a claim was false."""
    options = _options(arguments)
    seconds = options.minutes * 60 / len(options.kinds)
    FOUND.unlink(missing_ok=True)
    tallies = []
    for kind in options.kinds:
        tally = Tally(kind, options.seed)
        started = time.monotonic()
        for task, outcome in outcomes(kind, options, seconds):
            tally.add(outcome)
            if outcome.wrong:
                _record(task, outcome)
            _progress(tally, time.monotonic() - started, seconds, options.count)
        if sys.stderr.isatty():
            print(_ERASE, end="", file=sys.stderr)
        tallies.append(tally)
    _print(tallies)
    if options.table or options.update:
        _write(tallies, options.table or TABLE)
    return 1 if any(tally.false for tally in tallies) else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments adversary")
    parser.add_argument("--minutes", type=float, default=10, help="in all (10)")
    parser.add_argument("--count", type=int, metavar="N", help="at most N attempts of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the generators (0)")
    parser.add_argument("--kinds", default=",".join(KINDS), metavar="A,B", help=", ".join(KINDS))
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help=f"rewrite {TABLE.name}")
    options = parser.parse_args(arguments)
    options.kinds = list(dict.fromkeys(options.kinds.split(",")))
    if unknown := [kind for kind in options.kinds if kind not in KINDS]:
        parser.error(f"--kinds are among {', '.join(KINDS)}; not {unknown[0]!r}")
    if options.jobs < 1 or (options.count is not None and options.count < 1):
        parser.error("--jobs and --count are 1 or more")
    if not 0 < options.minutes < float("inf"):
        parser.error("--minutes is more than 0, and finite")
    return options


# --- many attempts -----------------------------------------------------------------------------


def _tasks(kind: str, seed: int) -> Iterator[Task]:
    return (Task(kind, seed, number) for number in count())


def outcomes(
    kind: str, options: argparse.Namespace, seconds: float
) -> Iterator[tuple[Task, Outcome]]:
    """The attempts in their order, until the time is up or they are as many as asked for."""
    deadline = time.monotonic() + seconds
    tasks = islice(_tasks(kind, options.seed), options.count)
    todo: deque[Task] = deque()
    while time.monotonic() < deadline:
        todo.extend(islice(tasks, _AHEAD * options.jobs - len(todo)))
        if not todo:
            return
        with get_context("spawn").Pool(options.jobs) as pool:
            waiting = deque((task, pool.apply_async(attempt, (task,))) for task in todo)
            while waiting:
                task, result = waiting.popleft()
                todo.popleft()
                try:
                    left = deadline - time.monotonic()
                    outcome = result.get(max(0.0, min(left, _PATIENCE)))
                except NoneYet:
                    if time.monotonic() >= deadline:
                        return
                    yield task, Outcome("crash", wrong=f"no answer within {_PATIENCE:g} s")
                    break  # the rest goes to new processes
                yield task, outcome
                for new in islice(tasks, 1):
                    todo.append(new)
                    waiting.append((new, pool.apply_async(attempt, (new,))))


# --- what is printed ---------------------------------------------------------------------------


def _record(task: Task, outcome: Outcome) -> None:
    entry = {
        "kind": task.kind,
        "seed": task.seed,
        "attempt": task.number,
        "is_false": outcome.is_false,
        "wrong": outcome.wrong,
        "text": outcome.text,
    }
    FOUND.parent.mkdir(parents=True, exist_ok=True)
    with FOUND.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


def _progress(tally: Tally, spent: float, seconds: float, most: int | None) -> None:
    if not sys.stderr.isatty():
        return
    rate = tally.attempts / max(spent, 1e-9)
    left = max(0.0, seconds - spent)
    if most is not None:
        left = min(left, (most - tally.attempts) / rate)
    text = (
        f"{tally.kind}: {tally.attempts:,} attempts, {rate:.1f} a second, {tally.false} false, "
        f"{tally.crash} crashed; about {left:.0f} s left"
    )
    print(f"{_ERASE}{text}", end="", file=sys.stderr, flush=True)


def _print(tallies: Sequence[Tally]) -> None:
    names = [field.name for field in fields(Tally) if field.name != "seed"]
    print("  ".join(f"{name:<12}" if name == "kind" else f"{name:>8}" for name in names))
    for tally in tallies:
        row = tally.row()
        numbers = "  ".join(f"{row[name]:>8,}" for name in names[1:])
        print(f"{tally.kind:<12}  {numbers}")
    if any(tally.false or tally.crash for tally in tallies):
        print(f"\nfound: {FOUND}")


def _write(tallies: Sequence[Tally], table: Path) -> None:
    """Put the rows of these kinds into the table; the others stay."""
    rows = {tally.kind: {k: str(v) for k, v in tally.row().items()} for tally in tallies}
    if table.exists():
        rows = {row["kind"]: row for row in read(table)} | rows
    names = [field.name for field in fields(Tally)]
    write(table, names, [rows[kind] for kind in KINDS if kind in rows])
