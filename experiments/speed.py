"""Compare this build with another build and with peers: seconds of the processor, and memory.

``python -m experiments speed --against PYTHON`` runs each piece of work with this package and with
the one that the interpreter PYTHON has (an environment of its own, where another commit is
installed).  Both are whole processes, in turn, and the median of ``--runs`` counts; seconds are
those of the processor, of the process and of its children, so a busy machine matters little.
Bytecode is written by a first run of each, which does not count.

``--octal PROGRAM`` adds a peer for octal games, ``--pddl DIR`` files of the benchmark, and
``--update`` writes what is measured into ``speed.csv`` and ``docs/explanation/speed.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.cases import seed
from experiments.measure import OURS, ROOT
from experiments.tables import read, write

__all__ = ["Row", "Spent", "Work", "main", "works"]

TABLE = Path(__file__).parent / "speed.csv"
PAGE = ROOT / "docs" / "explanation" / "speed.md"
OLDER, NUMPY, ENUMERATOR, OCTAL = "older build", "import numpy", "enumerator", "octal program"
FIELDS = [
    *("work", "against", "goal", "ratio", "ours_s", "theirs_s"),
    *("memory_ratio", "ours_mb", "theirs_mb", "ours_answer", "theirs_answer", "runs"),
]
_PATIENCE = 900.0  # seconds after which a run is killed
_PAIR_SECONDS = 10  # the limit for one file of the benchmark under one rule
_UNSET = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
# One thread each: what a second one would do depends on what else runs.
_SET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}


@dataclass(frozen=True, slots=True)
class Work:
    """Arguments of icgsynth, and with what it is compared: ``goal`` is the ratio to be reached."""

    name: str
    arguments: tuple[str, ...]
    goal: float | None = None
    against: str = OLDER


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process and its children took, how it ended, and what it printed."""

    seconds: float
    megabytes: float
    code: int
    output: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One piece of work: the medians of both sides, and what they answered where that differs."""

    work: Work
    ours: Spent
    theirs: Spent
    runs: int
    answers: tuple[str, str] = ("", "")

    @property
    def ratio(self) -> float:
        """How many times the seconds of the other side ours took."""
        return self.ours.seconds / self.theirs.seconds

    def record(self) -> dict[str, str]:
        """The line of the CSV."""
        ours, theirs = self.ours, self.theirs
        return {
            "work": self.work.name,
            "against": self.work.against,
            "goal": "" if self.work.goal is None else f"{self.work.goal:g}",
            "ratio": f"{self.ratio:.2f}",
            "ours_s": f"{ours.seconds:.3f}",
            "theirs_s": f"{theirs.seconds:.3f}",
            "memory_ratio": f"{ours.megabytes / theirs.megabytes:.2f}",
            "ours_mb": f"{ours.megabytes:.0f}",
            "theirs_mb": f"{theirs.megabytes:.0f}",
            "ours_answer": self.answers[0],
            "theirs_answer": self.answers[1],
            "runs": str(self.runs),
        }


_RCD = "starts connect --size 5x5 --match 4 --win RCD --gravity full --count-sets"
_TREE = "fft synth tictactoe --certify"
_CODES = ("0.16", "0.56", "0.127")
_LONG = ("0.354", "--to", "33554432", "-t", "900")


def works() -> tuple[Work, ...]:
    """All pieces of work that are whole commands."""
    nim = ("solve", "nim2", "--quiet")
    return (
        Work("--help", ("--help",), 1.0),
        Work("solve nim2 --quiet", nim, 2.0, NUMPY),
        Work("solve nim2 --quiet", nim),
        Work("solve nim2 --rule both --json", ("solve", "nim2", "--rule", "both", "--json"), 0.6),
        Work("solve wythoff --quiet", ("solve", "wythoff", "--quiet"), 0.4),
        Work(_RCD, tuple(_RCD.split()), 0.6),
        Work(_TREE, (*_TREE.split(), "--quiet", "-t", "60"), 0.67),
        *(Work(f"value {code}", ("value", code, "--quiet")) for code in _CODES),
        *(Work(f"value {code}", ("value", code, "--quiet"), 3.0, OCTAL) for code in _CODES),
        Work("value 0.354", ("value", *_LONG, "--quiet")),
        Work("value 0.354", ("value", *_LONG, "--quiet"), 1.0, OCTAL),
    )


# --- processes -----------------------------------------------------------------------------------


def spend(command: Sequence[str], folder: str = tempfile.gettempdir()) -> Spent:
    """Run a command in a folder, by default one where no package lies that could be imported."""
    kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as printed:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={**kept, **_SET},
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        watch = threading.Timer(_PATIENCE, os.killpg, (process.pid, signal.SIGKILL))
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        cpu = usage.ru_utime + usage.ru_stime
        return Spent(cpu, usage.ru_maxrss / 1024, process.returncode, printed.read())


def in_turn(sides: Sequence[Sequence[str]], runs: int) -> list[Spent]:
    """The medians of each command; the first run of each does not count."""
    found: list[list[Spent]] = [[] for _ in sides]
    for run in range(runs + 1):
        for command, spent in zip(sides, found, strict=True):
            one = spend(command)
            if run:
                spent.append(one)
    return [_median(spent) for spent in found]


def _median(spent: Sequence[Spent]) -> Spent:
    return replace(
        spent[0],
        seconds=statistics.median(one.seconds for one in spent),
        megabytes=statistics.median(one.megabytes for one in spent),
        code=max((one.code for one in spent), key=abs),
    )


def _ours(python: str, arguments: Iterable[str]) -> list[str]:
    return [python, "-m", "icgsynth", *arguments]


def measured(work: Work, options: argparse.Namespace) -> Row | None:
    """Both sides of a piece of work; None where the other side is not there."""
    theirs = {
        NUMPY: [sys.executable, "-c", "import numpy"],
        OLDER: options.against and _ours(options.against, work.arguments),
        OCTAL: options.octal and [options.octal, *work.arguments[1:2]],
    }[work.against]
    if not theirs:
        return None
    ours, other = in_turn([_ours(sys.executable, work.arguments), theirs], options.runs)
    codes = ("", "") if ours.code == other.code else (f"exit {ours.code}", f"exit {other.code}")
    return Row(work, ours, other, options.runs, codes)


# --- many games ----------------------------------------------------------------------------------


def seeds(options: argparse.Namespace) -> Row:
    """The games of the seed paper, and the enumerator: the median of the ratios of single games."""
    both = [_seed(case.command(OURS, 60), case.command(ENUMERATOR, 60)) for case in seed()]
    solved = [two for two in both if two[0].code == two[1].code == 0]
    middle = sorted(solved, key=lambda two: two[0].seconds / two[1].seconds)[len(solved) // 2]
    work = Work(f"{len(both)} seed games, median of ratios", (), 1.0, ENUMERATOR)
    return Row(work, *middle, 1, _counts(both))


def _counts(both: Sequence[tuple[Spent, Spent]]) -> tuple[str, str]:
    ours, theirs = (sum(two[side].code == 0 for two in both) for side in (0, 1))
    return f"{ours} solved", f"{theirs} solved"


def _seed(ours: list[str], theirs: list[str]) -> tuple[Spent, Spent]:
    peer = spend(theirs, str(ROOT))  # where ``experiments`` is
    answered = bool(peer.output) and json.loads(peer.output)["status"] == "solved"
    return spend(ours), replace(peer, code=0 if answered else 1)


def pairs(options: argparse.Namespace) -> Iterator[Row]:
    """Files of the benchmark under both rules, ten seconds each: sum, median, 90th percentile."""
    files = sorted(options.pddl.rglob("*.pddl"))
    random.Random(4).shuffle(files)
    found: list[tuple[Spent, Spent]] = []
    for path in files[: options.pairs // 2]:
        for rule in ("normal", "misere"):
            asked = ("solve", str(path), "--rule", rule, "-t", str(_PAIR_SECONDS), "--quiet")
            ours, theirs = (spend(_ours(p, asked)) for p in (sys.executable, options.against))
            found.append((ours, theirs))
            if ours.code != theirs.code:
                print(f"{path} {rule}: exit {ours.code}, was {theirs.code}", file=sys.stderr)
    sides = list(zip(*found, strict=True))
    for part, goal in (("in all", 0.5), ("median", 0.5), ("90th percentile", 0.5)):
        ours, theirs = (_summary(side, part) for side in sides)
        work = Work(f"{len(found)} benchmark pairs, {part}", (), goal)
        yield Row(work, ours, theirs, 1, _counts(found))


def _summary(side: Sequence[Spent], part: str) -> Spent:
    seconds = sorted(one.seconds for one in side)
    of = {
        "in all": sum(seconds),
        "median": statistics.median(seconds),
        "90th percentile": seconds[len(seconds) * 9 // 10],
    }
    return Spent(of[part], max(one.megabytes for one in side), 0)


# --- the command ---------------------------------------------------------------------------------


def main(arguments: Sequence[str]) -> int:
    """Measure, print, write."""
    options = _options(arguments)
    rows = []
    for row in _rows(options):
        rows.append(row)
        print("  ".join(f"{field} {text}" for field, text in row.record().items() if text))
    records = [row.record() for row in rows]
    if options.table:
        write(options.table, FIELDS, records)
    if options.update:
        write(TABLE, FIELDS, renewed(read(TABLE), records))
        _write_page()
    return 0


def renewed(
    committed: Iterable[dict[str, str]], records: Iterable[dict[str, str]]
) -> list[dict[str, str]]:
    """The committed rows with those that were measured now, in the order of :func:`works`."""
    order = [(work.name, work.against) for work in works()]
    rows = {(row["work"], row["against"]): row for row in (*committed, *records)}
    places = {key: order.index(key) if key in order else len(order) for key in rows}
    return [rows[key] for key in sorted(rows, key=places.__getitem__)]


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    for work in works():
        if not options.only or any(part in work.name for part in options.only):
            row = measured(work, options)
            if row is not None:
                yield row
    if not options.only or "seed" in options.only:
        yield seeds(options)
    if options.pddl and options.against and (not options.only or "pairs" in options.only):
        yield from pairs(options)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m experiments speed", allow_abbrev=False)
    add = parser.add_argument
    add("--against", metavar="PYTHON", help="the interpreter that has the other build")
    add("--octal", metavar="PROGRAM", help="a program for octal games: PROGRAM 0.16")
    add("--pddl", type=Path, metavar="DIR", help="where the benchmark files are")
    add("--pairs", type=int, default=200, help="of a file and a rule, drawn of the benchmark (200)")
    add("--runs", type=int, default=5, help="of which the median counts (5)")
    add("--only", action="append", default=[], metavar="PART", help="part of a name; seed; pairs")
    add("--table", type=Path, metavar="FILE", help="write the table there")
    add("--update", action="store_true", help="put what is measured into the CSV and the page")
    options = parser.parse_args(arguments)
    for name in ("against", "octal"):
        given = getattr(options, name)
        if given and not Path(given).is_file():
            parser.error(f"--{name}: there is no file {given}")
        if given:
            # The link itself: by it an environment's interpreter knows what is its own.
            setattr(options, name, str(Path.cwd() / given))
    return options


# --- the page ------------------------------------------------------------------------------------

_BEGIN, _END = "<!-- table: begin -->", "<!-- table: end -->"


def _write_page() -> None:
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    PAGE.write_text(f"{before}{_BEGIN}\n\n{table()}\n\n{_END}{after}", encoding="utf-8")
    print(f"written: {PAGE.name}")


def table() -> str:
    """The committed figures as they stand on the page."""
    lines = [
        "| work | against | ratio | goal | seconds | memory, MB |",
        "|---|---|---|---|---|---|",
    ]
    for row in read(TABLE):
        goal = row["goal"] and f"{row['goal']} x"
        seconds = f"{row['ours_s']} / {row['theirs_s']}"
        memory = f"{row['ours_mb']} / {row['theirs_mb']}"
        answers = [row[f"{side}_answer"] for side in ("ours", "theirs")]
        told = f" ({answers[0]} / {answers[1]})" if any(answers) else ""
        cells = (f"`{row['work']}`{told}", row["against"], f"{row['ratio']} x", goal)
        lines.append("| " + " | ".join((*cells, seconds, memory)) + " |")
    return "\n".join(lines)
