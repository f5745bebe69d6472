"""Small faults planted in the package, one at a time: which of them do the tests not see?

``python -m experiments mutants --rooms play,learn/kinds`` plants faults in these rooms (or folders,
or modules; without the option in all).  ``--sample N --seed S`` chooses N of them.  A fault is
planted in a copy of the checkout, and the tests that are nearest to its module by imports run
there, until one fails: so the fault is killed.  The rest survive, and are listed.  Of the tests
those marked slow are asked with ``--slow`` alone.

The same tests run without any fault first, and only what passes then is asked.  The tests of a
module are chosen so that they take a quarter of the time limit without the fault.  A fault with
which they pass the limit is ``late`` and counts as killed, if without it they take less than half
of the limit even then; on a busy machine they are asked again with twice the limit.  A fault that
no test imports is ``untested``.

``--survivors`` asks again about those alone that survive in the committed table.
"""

from __future__ import annotations

import argparse
import json
import os
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
FIELDS = ("room", "module", "line", "kind", "was", "now", "again", "outcome", "by", "tests")
_KEPT = ROOT / "build" / "mutants.jsonl"  # a line for each fault that was asked about
_TIMES = ROOT / "build" / "mutants_tests.json"
_COPIED = ("icgsynth", "experiments", "tests", "specs", "docs")
_SHARE = 4  # the tests of a module take one in so many parts of the time limit
_AGAIN = 4  # limits that are tried on a busy machine, each twice the one before
_LOOKED_AT = 16  # files of tests for a module, at most
_MEMORY = 8_000_000  # kilobytes of addresses for the tests of a fault
# Of these the source is the input: they say whether it is well written, not what it computes.
_OF_STYLE = (
    "tests/test_architecture.py",
    "tests/test_style.py",
    "tests/test_experiments_mutants.py",
)
_KILLED = ("killed", "late")


# --- which faults ------------------------------------------------------------------------------


def sample(root: Path, rooms: Sequence[str], number: int, seed: int) -> list[Fault]:
    """``number`` of the faults in ``rooms`` (of all without one), in the order of the seed."""
    found: list[Fault] = []
    for path in sorted((root / "icgsynth").rglob("*.py")):
        module = path.relative_to(root / "icgsynth").with_suffix("").as_posix()
        if not rooms or any(f"{module}/".startswith(f"{room}/") for room in rooms):
            found += faults(module, path.read_text("utf-8"))
    return sorted(found, key=lambda fault: fault.rank(seed))[:number]


def _row(fault: Fault, outcome: str = "untested", by: str = "", tests: int = 0) -> Row:
    """A row of the table; ``tests`` counts those that were to run."""
    row = {name: str(getattr(fault, name)) for name in FIELDS[1:7]}
    return row | {
        "room": fault.module.partition("/")[0],
        "outcome": outcome,
        "by": by,
        "tests": str(tests),
    }


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("module", "was", "now", "again"))


# --- the tests ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of the tests: seconds of each that ended, those that failed, the last begun."""

    seconds: dict[str, float]
    failed: list[str]
    last: str
    is_late: bool


def _pytest(folder: Path, arguments: Sequence[str], seconds: float, chosen: Sequence[str]) -> Ran:
    """pytest in the copy ``folder``, ended after so many seconds; only those ``chosen``, if any."""
    limit = f'ulimit -v {_MEMORY}; exec "$@"'
    command = ["sh", "-c", limit, "sh", sys.executable, "-m", "pytest", "-q", "-o", "addopts="]
    command += ["-p", "experiments.watched_tests", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    with TemporaryDirectory() as place:
        watched, wanted = Path(place) / "watched", Path(place) / "chosen"
        wanted.write_text("\n".join(chosen), "utf-8")
        here = {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0", "TMPDIR": place}
        process = subprocess.Popen(
            [*command, *arguments],
            cwd=folder,
            env={**os.environ, **here, FILE: str(watched), CHOSEN: str(wanted)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            return _read(folder, watched, None)
        finally:  # also what the tests started and left behind
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return _read(folder, watched, process.returncode)


def _read(folder: Path, watched: Path, code: int | None) -> Ran:
    """What was written down by the plugin; ``code`` is None where the time was over."""
    lines = watched.read_text("utf-8").splitlines() if watched.exists() else []
    entries = [json.loads(line) for line in lines if line.endswith("}")]
    if entries and not Path(entries[0]["package"]).is_relative_to(folder):
        raise RuntimeError(f"the tests import {entries[0]['package']}, not the copy with the fault")
    seconds: Counter[str] = Counter()
    for entry in entries[1:]:
        seconds[entry["test"]] += entry["seconds"]
    last = entries[-1]["test"] if entries[1:] else "the start of the tests"
    failed = list(dict.fromkeys(entry["test"] for entry in entries[1:] if entry["failed"]))
    if not failed and code not in (None, 0, 5):  # it crashed; 5 says that there are no tests
        failed = [last]
    return Ran(dict(seconds), failed, last, code is None)


class Laboratory:
    """A copy of the checkout ``root`` without faults, in which the tests have run once.

    It is below ``folder``.  ``seconds`` is the time limit for the tests of a fault.
    """

    def __init__(self, root: Path, folder: Path, seconds: float, slow: bool = False) -> None:
        self._root, self._folder, self._seconds = root, folder, seconds
        self._marks = "not nightly" if slow else "not slow and not nightly"
        self._near = Nearest(root)
        self._times: dict[str, dict[str, float]] = {}
        self._clean = folder / "clean"
        self._clean.mkdir(parents=True)
        for path in root.iterdir():
            if path.name in _COPIED:
                shutil.copytree(path, self._clean / path.name)
            elif path.is_file() and path.name != ".git":
                shutil.copy2(path, self._clean)

    def near(self, module: str) -> dict[str, int]:
        """The files of tests that are looked at for a module, and how many imports away."""
        name = ".".join(("icgsynth", *module.split("/"))).removesuffix(".__init__")
        found = {file: away for away, file in self._near.files(name) if file not in _OF_STYLE}
        return dict(islice(found.items(), _LOOKED_AT))

    def learn(self, files: Iterable[str], kept: Path, jobs: int) -> None:
        """Run the ``files`` of tests without a fault: which pass, and how long they take.

        It is kept in the file ``kept`` for as long as nothing changes that the test may use.
        """
        known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
        used = _digest(_used(self._root))
        keys = {
            file: f"{file} {self._marks} {used} {_digest([self._root / file])}" for file in files
        }
        todo = [file for file, key in keys.items() if key not in known]
        for file, ran in _shown("files of tests without a fault", self._passing, todo, jobs):
            known[keys[file]] = ran
            kept.write_text(json.dumps(known), "utf-8")
        self._times |= {file: known[key] for file, key in keys.items()}

    def _passing(self, file: str) -> dict[str, float]:
        ran = _pytest(self._clean, ["-m", self._marks, file], _SHARE * self._seconds, ())
        bad = {*ran.failed, *((ran.last,) if ran.is_late else ())}
        return {test: took for test, took in ran.seconds.items() if test not in bad}

    def chosen(self, module: str) -> dict[str, list[str]]:
        """The tests for a module by their files, nearest first.

        Of files that are as near the quick tests come first, until the time is full.
        """
        left = self._seconds / _SHARE
        near = self.near(module)
        tests = [
            (away, t, test) for file, away in near.items() for test, t in self._times[file].items()
        ]
        kept = set()
        for _, took, test in sorted(tests):
            if took <= min(left, self._seconds / _SHARE**2):
                kept.add(test)
                left -= took
        found = {file: [test for test in self._times[file] if test in kept] for file in near}
        return {file: tests for file, tests in found.items() if tests}

    def row(self, fault: Fault) -> Row:
        """What the tests say of a fault, as a row of the table."""
        chosen = self.chosen(fault.module)
        tests = [test for each in chosen.values() for test in each]
        if not tests:
            return _row(fault)
        asked = ["-x", "-m", self._marks, *chosen]
        with TemporaryDirectory(dir=self._folder) as place:
            copy = Path(place) / "copy"
            shutil.copytree(self._clean, copy)
            path = copy / "icgsynth" / f"{fault.module}.py"
            path.write_text(fault.planted(path.read_text("utf-8")), "utf-8")
            # Python tells by the size and the second of a source whether it was compiled already.
            os.utime(path, (0, 0))
            for seconds in (self._seconds * 2**again for again in range(_AGAIN)):
                ran = _pytest(copy, asked, seconds, tests)
                if ran.failed:
                    return _row(fault, "killed", ran.failed[0], len(tests))
                if not ran.is_late:
                    break
                # A busy machine is late without a fault as well: then the limit was too short.
                if not _pytest(self._clean, asked, seconds / 2, tests).is_late:
                    return _row(fault, "late", ran.last, len(tests))
        return _row(fault, "survived", "", len(tests))


def _used(root: Path) -> list[Path]:
    """All files of a checkout that a test may use, without the other tests."""
    found = (path for name in _COPIED for path in (root / name).rglob("*") if path.is_file())
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
        files = {file: None for fault in todo for file in laboratory.near(fault.module)}
        laboratory.learn(files, _TIMES, options.jobs)
        for _, row in _shown("faults", laboratory.row, todo, options.jobs):
            rows[_key(row)] = row
            with _KEPT.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(row) + "\n")
    found = [rows[_key(_row(fault))] for fault in wanted]
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
    add("--seconds", type=float, default=120, help="time limit for the tests of a fault (120)")
    add("--slow", action="store_true", help="also the tests that are marked slow")
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
    print(f"\n{'room':<12}{'planted':>8}{'killed':>8}{'survive':>8}")
    for room in [*sorted({row["room"] for row in rows}), "all"]:
        here = [row for row in rows if room in (row["room"], "all")]
        killed = sum(row["outcome"] in _KILLED for row in here)
        print(
            f"{room:<12}{len(here):>8}{killed:>8}{len(here) - killed:>8}{killed / len(here):>6.0%}"
        )
