"""Plant small faults in the package, one at a time, and find those that no test sees.

``python -m experiments mutants --rooms play,boards/learn`` plants faults there (rooms, folders,
or modules; without the option in all).  ``--sample N --seed S`` chooses N of them.  A fault is
planted in a copy of the checkout, and default tests run there, the cheapest first, until one fails:
so the fault is killed.  With ``--slow`` those that survive are put to the nearest tests of the
second stage.  The rest are listed, and the table says which stage kills each.

The default run is watched once without any fault: which tests pass, how long they take, and which
functions of the package each enters.  Of a fault those are asked that enter its function, for at
most a quarter of ``--seconds`` of the processor.  A fault with which they pass the limit is
``late`` and counts as killed, if without it they take less than half of the limit.

``--survivors`` asks again about those alone that survive in the committed table.

In the table ``changes`` says of a fault that survives, judged by hand, what it changes: nothing;
the time that a search takes; which right answer is found, if any (choice); how a thing is shown
(look); or a law that no test states (law).  All of them count as not seen.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from experiments.measure import ROOT
from experiments.nearest_tests import Nearest
from experiments.planted import Fault, faults
from experiments.tables import Row, read, write
from experiments.watched_tests import CHOSEN, FILE

__all__ = ["FIELDS", "TABLE", "Laboratory", "main", "sample"]

TABLE = Path(__file__).with_suffix(".csv")
FIELDS = (
    "room",
    "module",
    "line",
    "kind",
    "was",
    "now",
    "again",
    "outcome",
    "stage",
    "by",
    "changes",
)
_KEPT = ROOT / "build" / "mutants.jsonl"  # a line for each fault that was asked about
_TESTS = ROOT / "build" / "mutants_tests.pickle"
_COPIED = ("icgsynth", "experiments", "tests", "specs", "docs")
_SHARE = 4  # the tests of a module take one in so many parts of the time limit
_START = 20.0  # seconds of the processor for reading the tests
_LONGEST = 600.0  # of the same seconds for a part of the default run
_TOGETHER = 40  # files of tests are a part
_WAITS = 20  # seconds of the clock for one of the processor: then it hangs
_AGAIN = 3  # limits that are tried, each twice the one before
_LOOKED_AT = 16  # files of tests for a module, at most
_MEMORY = 8_000_000  # kilobytes of addresses for the tests of a fault
# Of these the source is the input: they say whether it is well written, not what it computes.
_OF_STYLE = (
    "tests/whole/test_architecture.py",
    "tests/whole/test_style.py",
    "tests/experiments/test_experiments_mutants.py",
)
_KILLED = ("killed", "late")
_DEFAULT, _SECOND = "not slow and not nightly", "slow and not nightly"


# --- which faults ------------------------------------------------------------------------------


def sample(root: Path, rooms: Sequence[str], number: int, seed: int) -> list[Fault]:
    """``number`` of the faults in ``rooms`` (of all without one), in the order of the seed."""
    found: list[Fault] = []
    for path in sorted((root / "icgsynth").rglob("*.py")):
        module = path.relative_to(root / "icgsynth").with_suffix("").as_posix()
        if not rooms or any(f"{module}/".startswith(f"{room}/") for room in rooms):
            found += faults(module, path.read_text("utf-8"))
    return sorted(found, key=lambda fault: fault.rank(seed))[:number]


def function(source: str, line: int) -> str:
    """The qualified name of the innermost function that has the line; none outside of all."""
    found, name = "", ""
    todo: list[ast.AST] = [ast.parse(source)]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found, name = name + node.name, f"{name}{node.name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            name += f"{node.name}."
        for child in ast.iter_child_nodes(node):
            if getattr(child, "lineno", 0) <= line <= getattr(child, "end_lineno", 0):
                todo = [child]
    return found


def _row(fault: Fault, outcome: str = "survived", stage: str = "", by: str = "") -> Row:
    """A row of the table; ``stage`` is that of the test ``by`` which the fault is seen."""
    row = {name: str(getattr(fault, name)) for name in FIELDS[1:7]}
    room = fault.module.partition("/")[0]
    return row | {"room": room, "outcome": outcome, "stage": stage, "by": by, "changes": ""}


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("module", "was", "now", "again"))


# --- the tests ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of the tests: seconds of each, those that failed, the last begun.

    ``entered`` are the functions that each enters.  It is late where a limit was passed.
    """

    seconds: dict[str, float]
    entered: dict[str, frozenset[str]]
    failed: list[str]
    last: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class Test:
    """A default test that passes without a fault: its seconds, and what it enters."""

    seconds: float
    entered: frozenset[str]


def _pytest(folder: Path, arguments: Sequence[str], seconds: float, chosen: Sequence[str]) -> Ran:
    """pytest in the copy ``folder``; only those ``chosen``, if any.

    It is ended after so many seconds of the processor, or ``_WAITS`` times as many of the clock.
    Answers that tests share are made anew, with the fault and without.
    """
    limits = f'ulimit -v {_MEMORY}; ulimit -t {ceil(seconds)}; exec "$@"'
    command = ["sh", "-c", limits, "sh", sys.executable, "-m", "pytest", "-q", "-o", "addopts="]
    command += ["-p", "experiments.watched_tests", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    with TemporaryDirectory() as place:
        watched, wanted = Path(place) / "watched", Path(place) / "chosen"
        wanted.write_text("\n".join(chosen), "utf-8")
        here = {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0", "TMPDIR": place}
        here |= {"ICGSYNTH_TEST_STORE": place, FILE: str(watched), CHOSEN: str(wanted)}
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            env=os.environ | here,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(_WAITS * seconds)
        except subprocess.TimeoutExpired:
            return _read(folder, watched, None)
        finally:  # also what the tests started and left behind
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return _read(folder, watched, process.returncode)


def _read(folder: Path, watched: Path, code: int | None) -> Ran:
    """What was written down by the plugin; ``code`` is None where the clock ended it."""
    lines = watched.read_text("utf-8").splitlines() if watched.exists() else []
    entries = [json.loads(line) for line in lines if line.endswith("}")]
    if entries and not Path(entries[0]["package"]).is_relative_to(folder):
        raise RuntimeError(f"the tests import {entries[0]['package']}, not the copy with the fault")
    seconds: Counter[str] = Counter()
    entered = {}
    for entry in entries[1:]:
        seconds[entry["test"]] += entry["seconds"]
        if "entered" in entry:
            entered[entry["test"]] = frozenset(map(sys.intern, entry["entered"]))
    last = entries[-1]["test"] if entries[1:] else "the start of the tests"
    failed = list(dict.fromkeys(entry["test"] for entry in entries[1:] if entry["failed"]))
    is_late = code in (None, -signal.SIGXCPU, -signal.SIGKILL)
    if not failed and not is_late and code not in (0, 5):  # it crashed; 5: no tests
        failed = [last]
    return Ran(dict(seconds), entered, failed, last, is_late)


class Laboratory:
    """A copy of the checkout ``root`` without faults, in which the default tests have run once.

    It is below ``folder``.  ``seconds`` of the processor is the limit for the tests of a fault, in
    each stage; ``slow`` says whether the second stage is asked where the default run sees nothing.
    """

    def __init__(self, root: Path, folder: Path, seconds: float, slow: bool = False) -> None:
        self._root, self._folder, self._seconds, self._slow = root, folder, seconds, slow
        self._near = Nearest(root)
        self._tests: dict[str, Test] = {}
        self._clean = folder / "clean"
        self._clean.mkdir(parents=True)
        for path in root.iterdir():
            if path.name in _COPIED:
                shutil.copytree(path, self._clean / path.name)
            elif path.is_file() and path.name != ".git":
                shutil.copy2(path, self._clean)

    def near(self, module: str) -> list[str]:
        """The files of tests with the fewest imports between them and a module."""
        name = ".".join(("icgsynth", *module.split("/"))).removesuffix(".__init__")
        found = (file for _, file in self._near.files(name) if file not in _OF_STYLE)
        return list(islice(found, _LOOKED_AT))

    def learn(self, kept: Path, jobs: int, modules: Iterable[str] | None = None) -> None:
        """Run the default tests without a fault: which pass, how long each takes, what it enters.

        It is kept in the file ``kept``; when the package changes, all run again, and else the
        files of tests that changed.  With ``modules`` only the files nearest to them run.
        RuntimeError where none passes: then each fault would seem to survive.
        """
        known = pickle.loads(kept.read_bytes()) if kept.exists() else {}
        used = _digest(_used(self._root))
        paths = sorted((self._root / "tests").rglob("test_*.py"))
        names = {path.relative_to(self._root).as_posix(): path for path in paths}
        near = {name for module in modules or () for name in self.near(module)}
        asked = set(names) - set(_OF_STYLE) if modules is None else near
        keys = {n: f"{n} {used} {_digest([names[n]])}" for n in sorted(asked)}
        todo = [name for name, key in keys.items() if key not in known]
        shares = [todo[at : at + _TOGETHER] for at in range(0, len(todo), _TOGETHER)]
        for _, found in _shown("parts of the default run", self._passing, shares, jobs):
            known |= {keys[file]: tests for file, tests in found.items()}
            kept.write_bytes(pickle.dumps(known))
        for key in keys.values():
            self._tests |= known[key]
        if keys and not self._tests:
            raise RuntimeError(f"no test of {', '.join(keys)} passes without a fault")

    def _passing(self, files: Sequence[str]) -> dict[str, dict[str, Test]]:
        ran = _pytest(self._clean, ["-m", _DEFAULT, *files], _LONGEST, ())
        found: dict[str, dict[str, Test]] = {file: {} for file in files}
        for test, took in ran.seconds.items():
            if test not in ran.failed and test in ran.entered:
                found[test.partition("::")[0]][test] = Test(took, ran.entered[test])
        return found

    def chosen(self, fault: Fault) -> list[str]:
        """The default tests for a fault, the cheapest first, until a part of the limit is full.

        They are those that enter the function where the fault is.  Outside of functions, and where
        none is seen to enter it (machine code is not seen), those of the nearest files are taken.
        """
        source = (self._clean / "icgsynth" / f"{fault.module}.py").read_text("utf-8")
        name = f"{fault.module}:{function(source, fault.line)}"
        near = self.near(fault.module)
        tests = [test for test, known in self._tests.items() if name in known.entered] or [
            test for test in self._tests if test.partition("::")[0] in near
        ]
        left = self._seconds / _SHARE
        kept: list[str] = []
        for test in sorted(tests, key=lambda test: self._tests[test].seconds):
            left -= self._tests[test].seconds
            if left < 0:
                break
            kept.append(test)
        files = list(dict.fromkeys(test.partition("::")[0] for test in kept))
        return sorted(kept, key=lambda test: files.index(test.partition("::")[0]))

    def row(self, fault: Fault) -> Row:
        """What the tests say of a fault, as a row of the table."""
        with TemporaryDirectory(dir=self._folder) as place:
            copy = Path(place) / "copy"
            shutil.copytree(self._clean, copy)
            path = copy / "icgsynth" / f"{fault.module}.py"
            path.write_text(fault.planted(path.read_text("utf-8")), "utf-8")
            # Python tells by the size and the second of a source whether it was compiled already.
            os.utime(path, (0, 0))
            return self._by_default(fault, copy) or self._by_second(fault, copy) or _row(fault)

    def _by_default(self, fault: Fault, copy: Path) -> Row | None:
        """The row of a fault that the default run sees."""
        tests = self.chosen(fault)
        asked = ["-x", "-m", _DEFAULT, *dict.fromkeys(test.partition("::")[0] for test in tests)]
        least = _START + _SHARE * sum(self._tests[test].seconds for test in tests)
        for seconds in (least * 2**again for again in range(_AGAIN if tests else 0)):
            ran = _pytest(copy, asked, seconds, tests)
            if ran.failed:
                return _row(fault, "killed", "default", ran.failed[0])
            if not ran.is_late:
                return None
            # It may take long without a fault too: beside other work, or to make shared answers.
            if not _pytest(self._clean, asked, seconds / 2, tests).is_late:
                return _row(fault, "late", "default", ran.last)
        return None

    def _by_second(self, fault: Fault, copy: Path) -> Row | None:
        """The row of a fault that the nearest tests of the second stage see.

        The test that fails is asked without the fault as well.
        """
        files = self.near(fault.module)
        if not self._slow or not files:
            return None
        asked = ["-x", "-m", _SECOND, *files]
        for test in _pytest(copy, asked, self._seconds, ()).failed[:1]:
            if not _pytest(self._clean, [test], self._seconds, ()).failed:
                return _row(fault, "killed", "second", test)
        return None


def _used(root: Path) -> list[Path]:
    """The package, the catalog, and what tests share."""
    folders = ("icgsynth", "specs", "tests")
    found = (path for name in folders for path in (root / name).rglob("*") if path.is_file())
    tests = set((root / "tests").rglob("test_*.py"))
    return sorted(path for path in found if path not in tests and "__pycache__" not in path.parts)


def _digest(files: Iterable[Path]) -> str:
    found = sha256()
    for file in files:
        found.update(file.read_bytes())
    return found.hexdigest()[:16]


# --- the command -------------------------------------------------------------------------------

_In = TypeVar("_In")
_Out = TypeVar("_Out")


def _shown(
    what: str, work: Callable[[_In], _Out], todo: Sequence[_In], jobs: int
) -> Iterator[tuple[_In, _Out]]:
    """The results of ``work`` as they come; on stderr how many, how fast, and how long yet."""
    begun = time.monotonic()
    with ThreadPoolExecutor(jobs) as pool:
        tasks = {pool.submit(work, each): each for each in todo}
        try:
            for count, task in enumerate(as_completed(tasks), 1):
                yield tasks[task], task.result()
                rate = count / (time.monotonic() - begun)
                left = (len(todo) - count) / rate / 60
                print(
                    f"{count} of {len(todo)} {what}, {60 * rate:.1f} a minute, "
                    f"about {left:.0f} minutes left",
                    file=sys.stderr,
                    flush=True,
                )
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def main(arguments: Sequence[str] = ()) -> int:
    """Plant the faults, list the survivors and a summary of each room, write the table."""
    options = _options(arguments)
    wanted = sample(ROOT, options.rooms, options.sample, options.seed)
    rows = _known(options)
    todo = [fault for fault in wanted if _key(_row(fault)) not in rows]
    with TemporaryDirectory(prefix="icgsynth-mutants-") as place:
        laboratory = Laboratory(ROOT, Path(place), options.seconds, options.slow)
        if todo:
            modules = {fault.module for fault in todo} if options.near else None
            laboratory.learn(_TESTS, options.jobs, modules)
        for _, row in _shown("faults", laboratory.row, todo, options.jobs):
            rows[_key(row)] = row
            with _KEPT.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")
    judged = {_key(row): row["changes"] for row in read(TABLE)} if TABLE.exists() else {}
    found: list[Row] = []
    for row in (rows[_key(_row(fault))] for fault in wanted):
        changes = "" if row["outcome"] in _KILLED else judged.get(_key(row), "")
        found.append({**row, "changes": changes})
    _print(found)
    if options.table or options.update:
        found.sort(key=lambda row: (row["module"], int(row["line"]), row["now"]))
        write(options.table or TABLE, FIELDS, found)
    return 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments mutants")
    add = parser.add_argument
    add("--rooms", default="", metavar="A,B", help="folders or modules of the package (all)")
    add("--sample", type=int, default=200, metavar="N", help="so many faults (200)")
    add("--seed", type=int, default=0, help="which of them (0)")
    add(
        "--seconds",
        type=float,
        default=120,
        help="of the processor, for the tests of a fault (120)",
    )
    add("--slow", action="store_true", help="put what survives to the second stage")
    add("--near", action="store_true", help="ask the nearest default tests alone: for a few faults")
    add("--jobs", type=int, default=2, help="faults at a time (2)")
    add("--resume", action="store_true", help="go on where the last run ended")
    add("--survivors", action="store_true", help="only those not killed in the committed table")
    add("--table", type=Path, metavar="FILE", help="write the table there")
    add("--update", action="store_true", help=f"rewrite {TABLE.name}")
    options = parser.parse_args(list(arguments))
    options.rooms = [room for room in options.rooms.split(",") if room]
    for room in options.rooms:
        if not any((ROOT / "icgsynth" / name).exists() for name in (room, f"{room}.py")):
            parser.error(f"--rooms: there is no {room} in the package")
    if min(options.sample, options.jobs) < 1 or not options.seconds > 0:
        parser.error("--sample, --jobs and --seconds are more than 0")
    return options


def _known(options: argparse.Namespace) -> dict[tuple[str, ...], Row]:
    """Rows that are taken as they are."""
    _KEPT.parent.mkdir(parents=True, exist_ok=True)
    if not options.resume:
        _KEPT.unlink(missing_ok=True)
    found: list[Row] = []
    if options.survivors:
        found += [row for row in read(TABLE) if row["outcome"] in _KILLED]
    if options.resume and _KEPT.exists():
        found += [json.loads(line) for line in _KEPT.read_text("utf-8").splitlines()]
    return {_key(row): row for row in found}


def _print(rows: Sequence[Row]) -> None:
    for row in rows:
        if row["outcome"] not in _KILLED:
            print(f"icgsynth/{row['module']}.py:{row['line']}  {row['kind']}, {row['outcome']}")
            print(f"  - {row['was']}\n  + {row['now']}")
    changes = Counter(row["changes"] for row in rows if row["outcome"] not in _KILLED)
    said = (f"{what or 'not judged yet'} {count}" for what, count in changes.most_common())
    print(f"\nWhat those that survive change: {', '.join(said)}")
    print(f"\n{'room':<12}{'planted':>8}{'default':>8}{'second':>8}{'survive':>8}")
    for room in [*sorted({row["room"] for row in rows}), "all"]:
        here = [row for row in rows if room in (row["room"], "all")]
        by = Counter(row["stage"] for row in here)
        killed = sum(row["outcome"] in _KILLED for row in here)
        print(
            f"{room:<12}{len(here):>8}{by['default']:>8}{by['second']:>8}{len(here) - killed:>8}"
            f"{by['default'] / len(here):>6.0%}{killed / len(here):>6.0%}"
        )
