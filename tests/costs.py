"""A plugin of pytest that counts what each test costs: seconds of the processor, with children.

``python -m pytest --costs`` prints the hundred dearest tests, and what each file of tests and each
room of the package costs; all prices go to ``build/costs.csv``.

Prices are *calibrated*: each process that runs tests also runs one fixed loop now and then, and a
second is the time in which a quiet machine of ours does it ``LOOPS`` times.  So a slow or busy
machine finds about the same prices.  What ``tests/store.py`` makes for all tests has a price of its
own, and so have the kernels and the reading of the tests: the test that asks first does not pay.

A whole default run fails where one test costs more than ``DEAREST``, or all together more than
``CEILING``.  Machine code does not count there: only the first run on a machine makes it.  Beside
much other work all is dearer than the loop says, as caches are shared; then nothing fails.  Whoever
makes the run cheaper lowers the ceiling in the same commit.
"""

from __future__ import annotations

import ast
import csv
import os
import resource
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pace import read_schedule
from stages import PRICES as TABLE

from icgsynth.budget import CLOCK

ROOT = Path(__file__).parents[1]

DEAREST = 3.0  # calibrated seconds; a default test costs half of one, and some twice that
CEILING = 260  # calibrated seconds of the whole default run, machine code apart
SHOWN = 100  # dearest tests that are printed
LOOPS = 150  # loops in a second on a quiet machine: AMD EPYC, 2026
ROUNDS = 300_000  # additions of one loop
TICKS = os.sysconf("SC_CLK_TCK")  # ticks in a second, as the system counts
EVERY = 4.0  # seconds of the processor between two loops: 1 part in 600 is spent on them
BUSY = 0.5  # seconds that a worker waits for a processor, for each that it runs, and prices count
CODE = "(machine code)"  # the name of the price of compiling

MADE: Counter[str] = Counter()
"""What was made in this process for all tests, by name, in seconds of the processor."""


def spent() -> float:
    """Return the seconds of the processor that this process and its children, living too, used."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses) + _at_work(os.getpid()) / TICKS


def _at_work(pid: int) -> int:
    """Return the ticks of the processor that living descendants of a process used; 0 off Linux."""
    total = 0
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in _read(task).split():
            if fields := _read(Path(f"/proc/{child}/stat")).rpartition(")")[2].split():
                total += sum(map(int, fields[11:15])) + _at_work(int(child))
    return total


def _read(path: Path) -> str:
    """Return the text of a file in /proc; "" where the thread or process has just ended."""
    with suppress(OSError):
        return path.read_text()
    return ""


def make_for_all(name: str, seconds: float) -> None:
    """Note that ``seconds`` went into ``name``, which no single test has to pay."""
    MADE[name] += seconds


def watch_compiling() -> None:
    """Charge the making of machine code, during which budgets' clock stands, to no test."""
    stop, go, begun = CLOCK.stop, CLOCK.go, []

    def stopped() -> None:
        begun.append(spent())
        stop()

    def gone() -> None:
        go()
        since = begun.pop()
        if not begun:
            make_for_all("machine code", spent() - since)

    CLOCK.stop, CLOCK.go = stopped, gone


class Prices:
    """The prices of the tests that this process runs."""

    def __init__(self) -> None:
        self.tests: Counter[str] = Counter()
        self._loops: list[float] = []
        self._last = -EVERY

    def calibrate(self) -> None:
        """Time the fixed loop, unless it was timed a short while ago."""
        if time.process_time() - self._last < EVERY:
            return
        start, total = time.process_time(), 0
        for number in range(ROUNDS):
            total += number
        self._last = time.process_time()
        self._loops.append(self._last - start)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        """Count what is spent from the preparation of a test to its end."""
        self.calibrate()
        before, made = spent(), MADE.total()
        try:
            return (yield)
        finally:
            self.tests[item.nodeid] += spent() - before - (MADE.total() - made)

    def calibrated(self, has_workers: bool = False) -> dict[str, float]:
        """Return all prices in calibrated seconds; names in round brackets belong to no test.

        What workers spent they say themselves.
        """
        self.calibrate()
        a_second = LOOPS * sum(self._loops) / len(self._loops)
        rest = time.process_time() if has_workers else spent() - self.tests.total() - MADE.total()
        found = {**self.tests, **{f"({name})": s for name, s in MADE.items()}}
        found["(starting, and reading the tests)"] = rest
        return {name: seconds / a_second for name, seconds in found.items()}


class Bill:
    """The prices of a run, from all its workers."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._found: Counter[str] = Counter()
        self._waited = 0.0  # seconds for each that ran, in the worker that waited most

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what the tests of a worker cost, when the worker ends."""
        said = getattr(node, "workeroutput", {})
        self._found.update(said.get("costs", {}))
        self._waited = max(self._waited, said.get("waited", 0.0))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a default run that is too dear."""
        own = self._config.stash.get(PRICES, None)  # of the process that was called
        if own is not None:
            self._found.update(own.calibrated(has_workers=bool(self._found)))
        if self.too_dear() and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @property
    def _total(self) -> float:
        """The calibrated seconds of the whole run, without the making of machine code."""
        return self._found.total() - self._found[CODE]

    def too_dear(self) -> list[str]:
        """Return what is too dear in a whole default run, a line each; [] on a busy machine."""
        if not _is_default(self._config) or self._waited > BUSY:
            return []
        found = [
            f"{name} costs {price:.1f} calibrated seconds: at most {DEAREST:g} in the default run"
            for name, price in self._found.most_common()
            if price > DEAREST and not name.startswith("(")
        ]
        if self._total > CEILING:
            found.append(
                f"The default run costs {self._total:.0f} calibrated seconds: at most {CEILING}"
            )
        return found

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the sum, what is too dear, and with ``--costs`` the tables."""
        put = terminalreporter.write_line
        if self._config.getoption("costs"):
            terminalreporter.section("costs, in calibrated seconds of the processor")
            for line in self._tables():
                put(line)
        if len(self._found) > 1000:
            code = f"{self._found[CODE]:.0f} more for machine code"
            put(f"{self._total:.0f} calibrated seconds of the processor, {code}")
            if self._waited > BUSY:
                put(f"No ceiling: a worker waited {self._waited:.1f} s for each second that it ran")
        for line in self.too_dear():
            put(f"TOO DEAR: {line}", red=True)

    def _tables(self) -> Iterator[str]:
        _write(self._found)
        tests = Counter({n: price for n, price in self._found.items() if not n.startswith("(")})
        files: Counter[str] = Counter()
        rooms: Counter[str] = Counter()
        counts: Counter[str] = Counter()
        for name, price in self._found.items():
            file = name.partition("::")[0]
            counts[file] += 1
            files[file] += price
            rooms[_room(file)] += price
        for name, price in tests.most_common(SHOWN):
            yield f"{price:8.2f}  {name}"
        for what, table in (("by file", files), ("by room", rooms)):
            yield f"\n{what}"
            for name, price in table.most_common():
                yield f"{price:8.1f}  {name}" + (f"  ({counts[name]})" if counts[name] > 1 else "")
        yield f"{self._found.total():8.1f}  in all; {TABLE.relative_to(ROOT)} has all prices"


PRICES = pytest.StashKey[Prices]()


def _write(prices: Counter[str]) -> None:
    TABLE.parent.mkdir(exist_ok=True)
    with TABLE.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(("test", "seconds"))
        table.writerows((name, f"{price:.3f}") for name, price in prices.most_common())


def _room(file: str) -> str:
    """Return the room of the package from which a file of tests imports most names."""
    path = ROOT / file
    if file.startswith("("):
        return "(no test)"
    rooms: Counter[str] = Counter()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("icgsynth."):
            rooms[str(node.module).split(".")[1]] += len(node.names)
    return max(rooms, key=rooms.__getitem__, default="(no room)")


def _is_default(config: pytest.Config) -> bool:
    """Return whether all tests of the default run were asked, and no others."""
    option = config.option
    asked = (option.keyword, option.maxfail, getattr(option, "changed", False))
    marks = "not slow and not nightly"
    return config.args == config.getini("testpaths") and option.markexpr == marks and not any(asked)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option ``--costs``."""
    parser.addoption("--costs", action="store_true", help="print what each test costs")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Count in each process that runs tests; add up in the one that was called."""
    config.stash[PRICES] = Prices()
    is_worker = hasattr(config, "workerinput")
    if is_worker or not config.getoption("numprocesses", None):
        config.pluginmanager.register(config.stash[PRICES], "prices")
        watch_compiling()
    if not is_worker:
        config.pluginmanager.register(Bill(config), "bill")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the process that was called what this worker's tests cost."""
    if hasattr(session.config, "workeroutput"):
        ran, waited = read_schedule()
        session.config.workeroutput["waited"] = waited / max(ran, 1.0)
        session.config.workeroutput["costs"] = session.config.stash[PRICES].calibrated()
