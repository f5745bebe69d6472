"""Campaigns of random attempts: several processes, a count of what came of them, each fault kept.

An attempt is made by a function of its kind from random numbers.  Attempt number i of a kind
depends on the seed, the kind and i alone; the time only says how many there are, and where
icgsynth stops within its own budget.

Every false claim, every crash and every answer past its time is written to
``build/NAME_found.jsonl`` with its seed and its full text.  How far each kind has come is kept in
``build/NAME.json``, so that ``--resume`` goes on from there.  The exit code is 1 if a claim was
false or something crashed.  ``--update`` rewrites ``NAME.csv``.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import count, islice
from multiprocessing import TimeoutError as NoneYet
from multiprocessing import get_context
from pathlib import Path
from typing import TypeAlias

from experiments.judge.meaning import Undecided
from experiments.measure import ROOT
from experiments.tables import read, write
from icgsynth.budget import on_the_clock

__all__ = ["Campaign", "Kind", "Outcome", "Tally", "Task", "attempt", "crashed"]
__all__ += ["outcomes", "run", "tried"]

_AHEAD = 4  # attempts handed out for each process
_PATIENCE = 90.0  # seconds of a budget after which a process is given up; icgsynth has less
_KEPT_EVERY = 5.0  # seconds between two writings of how far a kind has come
_ERASE = "\r\x1b[K"


@dataclass(frozen=True, slots=True)
class Outcome:
    """``verdict`` is what icgsynth said: "proved", "refuted", "unknown" or "refused"; or it is
    "crash", or "late" for what took longer than it was given.

    ``checked`` counts what the judge looked at; ``wrong`` says what is false, or how it crashed,
    and ``text`` is then all that is needed to see it again.
    """

    verdict: str
    checked: int = 0
    wrong: str = ""
    text: str = ""

    @property
    def is_false(self) -> bool:
        return bool(self.wrong) and self.verdict not in ("crash", "late")


Kind: TypeAlias = Callable[[random.Random], Outcome]


def crashed(text: str) -> Outcome:
    """The outcome for the exception that is being handled."""
    return Outcome("crash", wrong=traceback.format_exc(limit=-3), text=text)


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
    late: int = 0
    checked: int = 0
    false: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count one more attempt."""
        self.attempts += 1
        setattr(self, outcome.verdict, getattr(self, outcome.verdict) + 1)
        self.checked += outcome.checked
        self.false += outcome.is_false


@dataclass(frozen=True, slots=True)
class Campaign:
    """The kinds of attempts of an experiment, and where its files are."""

    name: str
    kinds: Mapping[str, Kind]
    table: Path
    folder: Path = field(default=ROOT / "build")

    @property
    def found(self) -> Path:
        """A line of JSON for each fault."""
        return self.folder / f"{self.name}_found.jsonl"

    @property
    def kept(self) -> Path:
        """The tallies so far, for ``--resume``."""
        return self.folder / f"{self.name}.json"


def attempt(make: Kind, task: Task) -> Outcome:
    """Make one attempt; what the judge cannot decide is unknown."""
    try:
        return make(random.Random(f"{task.seed} {task.kind} {task.number}"))
    except Undecided:
        return Outcome("unknown")
    except Exception:  # of the judge's own; the run goes on
        return crashed(str(task))


def tried(campaign: Campaign, kind: str, seed: int, number: int) -> tuple[Tally, list[Outcome]]:
    """The first ``number`` attempts of a kind, and those of them that show a fault."""
    tally, faults = Tally(kind, seed), []
    for task in islice(_tasks(tally), number):
        outcome = attempt(campaign.kinds[kind], task)
        tally.add(outcome)
        if outcome.wrong:
            faults.append(outcome)
    return tally, faults


def run(campaign: Campaign, arguments: Sequence[str]) -> int:
    """Make attempts of each kind in turn; the exit code is 1 where one shows a fault."""
    options = _options(campaign, arguments)
    seconds = options.minutes * 60 / len(options.kinds)
    tallies = _begun(campaign, options)
    for kind in options.kinds:
        tally = tallies[kind]
        started = kept = time.monotonic()
        for task, outcome in outcomes(campaign.kinds[kind], tally, options, seconds):
            tally.add(outcome)
            if outcome.wrong:
                _record(campaign, task, outcome)
            now = time.monotonic()
            if now - kept > _KEPT_EVERY:
                kept = now
                _keep(campaign, tallies)
            _progress(tally, now - started, seconds, options.count)
        _keep(campaign, tallies)
        if sys.stderr.isatty():
            print(_ERASE, end="", file=sys.stderr)
    done = [tallies[kind] for kind in options.kinds]
    _print(campaign, done)
    if options.table or options.update:
        _write(campaign, done, options.table or campaign.table)
    return 1 if any(tally.false or tally.crash for tally in done) else 0


def _options(campaign: Campaign, arguments: Sequence[str]) -> argparse.Namespace:
    names = ", ".join(campaign.kinds)
    parser = argparse.ArgumentParser(prog=f"python -m experiments {campaign.name}")
    parser.add_argument("--minutes", type=float, default=10, help="in all (10)")
    parser.add_argument("--count", type=int, metavar="N", help="at most N attempts of each kind")
    parser.add_argument("--seed", type=int, default=0, help="of the generators (0)")
    parser.add_argument("--kinds", default=",".join(campaign.kinds), metavar="A,B", help=names)
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (2)")
    parser.add_argument("--resume", action="store_true", help="go on where the last run ended")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table there instead")
    parser.add_argument("--update", action="store_true", help=f"rewrite {campaign.table.name}")
    options = parser.parse_args(arguments)
    options.kinds = list(dict.fromkeys(options.kinds.split(",")))
    if unknown := [kind for kind in options.kinds if kind not in campaign.kinds]:
        parser.error(f"--kinds are among {names}; not {unknown[0]!r}")
    if options.jobs < 1 or (options.count is not None and options.count < 1):
        parser.error("--jobs and --count are 1 or more")
    if not 0 < options.minutes < float("inf"):
        parser.error("--minutes is more than 0, and finite")
    return options


# --- many attempts -----------------------------------------------------------------------------


def _tasks(tally: Tally) -> Iterator[Task]:
    """The attempts that are still to be made, in their order."""
    return (Task(tally.kind, tally.seed, number) for number in count(tally.attempts))


def outcomes(
    make: Kind, tally: Tally, options: argparse.Namespace, seconds: float
) -> Iterator[tuple[Task, Outcome]]:
    """The attempts in their order, until the time is up or they are as many as asked for."""
    deadline = time.monotonic() + seconds
    tasks = islice(_tasks(tally), options.count)
    todo: deque[Task] = deque()
    while time.monotonic() < deadline:
        todo.extend(islice(tasks, _AHEAD * options.jobs - len(todo)))
        if not todo:
            return
        with get_context("spawn").Pool(options.jobs) as pool:
            waiting = deque((task, pool.apply_async(attempt, (make, task))) for task in todo)
            while waiting:
                task, result = waiting.popleft()
                todo.popleft()
                try:
                    left = deadline - time.monotonic()
                    outcome = result.get(max(0.0, min(left, on_the_clock(_PATIENCE))))
                except NoneYet:
                    if time.monotonic() >= deadline:
                        return
                    yield task, Outcome("crash", wrong=f"no answer within {_PATIENCE:g} s")
                    break  # the rest goes to new processes
                yield task, outcome
                for new in islice(tasks, 1):
                    todo.append(new)
                    waiting.append((new, pool.apply_async(attempt, (make, new))))


# --- what is kept ------------------------------------------------------------------------------


def _begun(campaign: Campaign, options: argparse.Namespace) -> dict[str, Tally]:
    """A tally of each kind: empty ones, or those of the run that is resumed."""
    tallies = {kind: Tally(kind, options.seed) for kind in campaign.kinds}
    if not options.resume:
        campaign.found.unlink(missing_ok=True)
    elif campaign.kept.exists():
        for entry in json.loads(campaign.kept.read_text("utf-8")):
            if entry["kind"] in tallies and entry["seed"] == options.seed:
                tallies[entry["kind"]] = Tally(**entry)
    return tallies


def _keep(campaign: Campaign, tallies: Mapping[str, Tally]) -> None:
    """Write how far they have come, whole or not at all."""
    campaign.folder.mkdir(parents=True, exist_ok=True)
    aside = campaign.kept.with_suffix(".new")
    aside.write_text(json.dumps([asdict(tally) for tally in tallies.values()]), "utf-8")
    aside.replace(campaign.kept)


def _record(campaign: Campaign, task: Task, outcome: Outcome) -> None:
    entry = {
        "kind": task.kind,
        "seed": task.seed,
        "attempt": task.number,
        "verdict": outcome.verdict,
        "is_false": outcome.is_false,
        "wrong": outcome.wrong,
        "text": outcome.text,
    }
    campaign.folder.mkdir(parents=True, exist_ok=True)
    with campaign.found.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(entry) + "\n")


# --- what is printed ---------------------------------------------------------------------------


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


def _print(campaign: Campaign, tallies: Sequence[Tally]) -> None:
    names = [each.name for each in fields(Tally) if each.name != "seed"]
    print("  ".join(f"{name:<12}" if name == "kind" else f"{name:>8}" for name in names))
    for tally in tallies:
        row = asdict(tally)
        numbers = "  ".join(f"{row[name]:>8,}" for name in names[1:])
        print(f"{tally.kind:<12}  {numbers}")
    if any(tally.false or tally.crash or tally.late for tally in tallies):
        print(f"\nfound: {campaign.found}")


def _write(campaign: Campaign, tallies: Sequence[Tally], table: Path) -> None:
    """Put the rows of these kinds into the table; the others stay."""
    rows = {tally.kind: {k: str(v) for k, v in asdict(tally).items()} for tally in tallies}
    if table.exists():
        rows = {row["kind"]: row for row in read(table)} | rows
    names = [each.name for each in fields(Tally)]
    write(table, names, [rows[kind] for kind in campaign.kinds if kind in rows])
