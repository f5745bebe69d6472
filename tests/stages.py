"""Choose which tests belong to the second stage, and which cases of them are for the night.

A test belongs there that asks Coq, a browser or an experiment, that is marked slow, or that stands
in ``second_stage.csv``.  ``python -m pytest --costs`` leaves the prices of a run in
``build/costs.csv``, and ``python tests/stages.py`` takes those of the default run from there and
adds to the file: each test that costs more than ``MOST``, and of a test with many cases those that
cost something and are not among the ``CASES`` cheapest.  So the default run finds most for its
time.  A test that became cheaper is taken out of the file by hand.

``python tests/stages.py --lines .coverage`` also adds the tests whose lines others run.  That file
says which test runs which line; pytest-cov writes it:
``python -m pytest --costs --cov=icgsynth --cov-context=test --cov-report=``, after a run without
coverage for the prices.

``python tests/stages.py --lines .coverage --night`` takes the prices of the second stage and the
lines of both, and writes to ``night.csv`` the cases that the second stage can do without: two other
tests run each of their lines, and another case of the test is run.  What asks a witness stays: Coq,
a browser, brute force, pages, screens.
"""

from __future__ import annotations

import argparse
import csv
import sqlite3
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from math import inf
from pathlib import Path
from zlib import crc32

import hypothesis
import numpy as np
import pytest
from numpy.typing import NDArray

TABLE = Path(__file__).with_name("second_stage.csv")
NIGHT = Path(__file__).with_name("night.csv")
PRICES = Path(__file__).parents[1] / "build" / "costs.csv"
MOST = 0.6  # calibrated seconds of a test of the default run, when the table is made
CASES = 2  # cases of a test that stay in the default run, whatever the others cost
CHEAP = 0.1  # calibrated seconds: dearer cases are worth a choice
LEAST = 0.05  # calibrated seconds: cheaper tests stay in the default run, whatever others run
ENOUGH = 2  # tests of the default run run each line, if so many of the two stages do
WORTH = 0.2  # calibrated seconds: a cheaper test of the second stage stays there
WITNESSES = ("tests/coq/", "tests/studio/", "tests/oracle/", "tests/golden/", "tests/whole/")
LONGEST = 10_000  # lines of a file, more than any has

ONE_IN = 4  # of many cases of a slow test, ``-m "slow and not nightly"`` runs one in so many
KNOWN = 8  # one case in so many is run where other cases of the test run by default
AT_MOST = 8  # cases of one slow test that are run in the second stage
FEW = 10  # examples of a slow test that the second stage draws in any case
SECOND = "slow and not nightly"  # the argument of ``-m`` for the second stage
SETTINGS = "_hypothesis_internal_use_settings"  # hypothesis's settings of a test
ASKS = "test_experiments_"  # how the names of files of the second stage begin
FIXTURES = {"browser", "coq"}  # of tests of the second stage
SMOKE = ("test_experiments_tables.py", "test_the_token_leaves_the_address")  # of the default run
# In these files each case is a subject of its own, which no other one stands for.
NO_SAMPLE = ("test_docs.py", "test_screens.py", "test_start_up.py", "test_help.py")


def dear(prices: Mapping[str, float]) -> dict[str, float]:
    """Return those of the tests in ``prices`` that are for the second stage, with their prices."""
    cases: dict[str, list[str]] = {}
    for test in sorted(prices):
        cases.setdefault(test.partition("[")[0], []).append(test)
    found = {}
    for alike in cases.values():
        alike.sort(key=prices.__getitem__)
        for number, test in enumerate(alike):
            if prices[test] > (CHEAP if number >= CASES else MOST):
                found[test] = prices[test]
    return dict(sorted(found.items()))


def spare(
    prices: Mapping[str, float], lines: Mapping[str, NDArray[np.intp]], least: float = LEAST
) -> dict[str, float]:
    """Return the tests that a run can do without, with their prices, the dearest first.

    ``lines`` has for each test the numbers of the lines that it runs.  Without a spare test
    ``ENOUGH`` others run each of its lines.  A test of which no line is known is never spare, and
    none that costs less than ``least`` calibrated seconds.
    """
    runs = np.zeros(1 + max((int(run.max()) for run in lines.values()), default=0), np.intp)
    for run in lines.values():
        runs[run] += 1
    needed, found = np.minimum(runs, ENOUGH), {}
    for test in sorted(lines.keys() & prices.keys(), key=lambda name: (-prices[name], name)):
        run = lines[test]
        if prices[test] >= least and (runs[run] > needed[run]).all():
            runs[run] -= 1
            found[test] = prices[test]
    return found


def with_another_case(found: Mapping[str, float], tests: Iterable[str]) -> dict[str, float]:
    """Return those of ``found`` whose test has another case in ``tests`` that is not returned."""
    left = Counter(test.partition("[")[0] for test in tests)
    kept = {}
    for test, price in sorted(found.items(), key=lambda item: -item[1]):
        function = test.partition("[")[0]
        if left[function] > 1:
            left[function] -= 1
            kept[test] = price
    return kept


def read_lines(coverage: Path) -> dict[str, NDArray[np.intp]]:
    """The numbers of the lines that each test runs, from a file that pytest-cov wrote."""
    query = (
        "select context, file_id, numbits from line_bits join context on context_id = context.id"
    )
    found: dict[str, list[NDArray[np.intp]]] = {}
    with sqlite3.connect(coverage) as base:
        for context, file, bits in base.execute(query):
            places = np.flatnonzero(np.unpackbits(np.frombuffer(bits, np.uint8), bitorder="little"))
            if test := context.rpartition("|")[0]:  # after the bar: its preparation, run, or end
                found.setdefault(test, []).append(places + file * LONGEST)
    return {test: np.unique(np.concatenate(parts)) for test, parts in found.items()}


def read(table: Path) -> dict[str, float]:
    """Return the prices of tests in a table, without what belongs to no test."""
    with table.open(encoding="utf-8", newline="") as stream:
        rows = [(row["test"], float(row["seconds"])) for row in csv.DictReader(stream)]
    return {test: price for test, price in rows if not test.startswith("(")}


def write(table: Path, prices: Mapping[str, float]) -> None:
    """Write a table of prices, sorted by the names of the tests."""
    with table.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(("test", "seconds"))
        rows.writerows((test, f"{price:.2f}") for test, price in sorted(prices.items()))


def is_second(item: pytest.Item, named: Container[str]) -> bool:
    """Return whether a test asks Coq, a browser or an experiment, or is ``named``; no smoke."""
    asks = item.path.name.startswith(ASKS) or not FIXTURES.isdisjoint(
        getattr(item, "fixturenames", ())
    )
    is_smoke = item.path.name in SMOKE or item.name in SMOKE
    return item.nodeid in named or (asks and not is_smoke)


def draw_fewer(items: list[pytest.Item]) -> None:
    """Let hypothesis draw a part of the examples of each slow test; at night it draws all."""
    functions = {getattr(i, "function", None) for i in items if i.get_closest_marker("slow")}
    for function in functions:
        if (given := getattr(function, SETTINGS, None)) is not None:
            count = max(given.max_examples // ONE_IN, min(given.max_examples, FEW))
            setattr(function, SETTINGS, hypothesis.settings(given, max_examples=count))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what belongs to the second stage as slow, and most cases of a slow test for the night.

    Of a test with more than four slow cases one in four is run in the second stage, and at most
    ``AT_MOST``; where other cases run by default, one in eight, of fewer as well.  They say the
    same of other inputs, so a mistake that only one of them sees is found a day late.  Cases that
    stand in the table of prices are run before others, the cheapest first; the others are drawn
    by their names, so that none of the parameters is passed over.
    """
    if config.option.markexpr == SECOND:
        draw_fewer(items)
    named, at_night = read(TABLE), read(NIGHT)
    for item in items:
        if item.nodeid in named:
            item.add_marker(pytest.mark.slow)
    cases: dict[str, list[pytest.Item]] = {}
    has_default = set()
    for item in items:
        function = item.nodeid.partition("[")[0]
        is_slow = item.get_closest_marker("slow")
        if not is_slow and not is_second(item, named):
            has_default.add(function)
        if is_slow and not item.get_closest_marker("nightly") and item.path.name not in NO_SAMPLE:
            cases.setdefault(function, []).append(item)
    for function, alike in cases.items():
        step = max(KNOWN if function in has_default else ONE_IN, -(-len(alike) // AT_MOST))
        many = len(alike) > (1 if function in has_default else ONE_IN)
        alike.sort(key=lambda item: (named.get(item.nodeid, inf), crc32(item.nodeid.encode())))
        for item in alike[-(-len(alike) // step) :] if many else ():
            item.add_marker(pytest.mark.nightly)
    for item in items:
        if is_second(item, named):
            item.add_marker(pytest.mark.slow)
        if item.nodeid in at_night:
            item.add_marker(pytest.mark.nightly)
    # Those that are known to be cheap come last, so that no worker is left with a long one alone.
    items.sort(key=lambda item: item.nodeid in named)


def main() -> None:
    """Add to ``second_stage.csv`` from a table of prices of the default run."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("prices", type=Path, nargs="?", default=PRICES)
    parser.add_argument("--lines", type=Path, help="the file that pytest-cov wrote")
    parser.add_argument("--night", action="store_true", help="what the second stage can do without")
    options = parser.parse_args()
    prices = read(options.prices)
    if options.night:
        others = {test: price for test, price in prices.items() if not test.startswith(WITNESSES)}
        lines = read_lines(options.lines)
        write(NIGHT, with_another_case(spare(others, lines, WORTH), lines.keys() | prices.keys()))
        return
    known = read(TABLE)
    found = known | dear(known | prices)
    if options.lines:
        found |= spare(prices, read_lines(options.lines))
    write(TABLE, found)


if __name__ == "__main__":
    main()
