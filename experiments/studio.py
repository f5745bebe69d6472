"""The studio in Debian's Chromium: how soon it starts, paints and answers, and what it sends.

``python -m experiments studio`` starts the command some times (``--runs``), opens the page Play of
Nim on two piles, waits until the game is solved, and makes moves.  Of times the median is told;
of bytes and requests the most.  The exit code is 1 where a goal is missed, 2 without Chromium.

The goals are for a machine that does nothing else.  The committed figures were taken beside other
work, with the priority that ``nice -n -19`` gives.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from experiments.measure import ROOT
from experiments.tables import write

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["FIGURES", "Figure", "main", "rows"]

TABLE = ROOT / "build" / "studio.csv"
_COLUMNS = ("figure", "unit", "goal", "measured", "reached")
_MOVES = ("take_a(1)", "take_b(2)", "take_a(3)", "take_b(4)", "take_a(5)")


class Figure(NamedTuple):
    """What is measured; ``goal`` is the most that it may be."""

    name: str
    unit: str
    goal: float


FIGURES = (
    Figure("from the command to the first answer", "s", 1.0),
    Figure("from the server's answer to the first paint of Play", "s", 0.3),
    Figure("from the server's answer to a board that can be played", "s", 1.0),
    Figure("a move answered, the slowest of five", "s", 0.1),
    Figure("a page in all", "kB", 200.0),
    Figure("requests to other machines", "", 0.0),
)

_TIMES = """() => {
  const page = performance.getEntriesByType("navigation")[0];
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  const all = performance.getEntriesByType("resource");
  const files = all.filter((each) => each.initiatorType !== "fetch");
  return {
    answered: page.responseStart,
    painted: paint.startTime,
    bytes: page.transferSize + files.reduce((sum, each) => sum + each.transferSize, 0),
  };
}"""
_MOVE = """async ([state, move]) => {
  const before = performance.now();
  await Studio.ask("/play/move", {game: {name: "nim2", rule: "normal"}, state, move});
  return performance.now() - before;
}"""


@contextmanager
def _started() -> Iterator[tuple[str, float]]:
    """The address of a studio, and the seconds until it answered."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "icgsynth", "studio", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address, timeout=60) as answer:
            answer.read()
        yield address, time.perf_counter() - begun
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _measured(browser: Browser) -> tuple[float, ...]:
    """One run, in the order of :data:`FIGURES`."""
    with _started() as (address, start):
        site = address.partition("/?")[0]
        page: Any = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(address)
        page.locator("#board .spot").first.wait_for()
        drawn = page.evaluate("performance.now()")
        found = page.evaluate(_TIMES)
        page.locator("#strategy .proved").wait_for(timeout=60_000)
        moves = [page.evaluate(_MOVE, ["9,9", move]) for move in _MOVES]
        page.close()
        answered = found["answered"]
        away = sum(not url.startswith(site) for url in asked)
        times = (found["painted"] - answered, drawn - answered, max(moves))
        return (start, *(t / 1000 for t in times), found["bytes"] / 1000, float(away))


def rows(runs: Sequence[Sequence[float]]) -> list[dict[str, str]]:
    """A row for each figure, from the figures of each run."""
    found = []
    for figure, values in zip(FIGURES, zip(*runs, strict=True), strict=True):
        value = median(values) if figure.unit == "s" else max(values)
        digits = 3 if figure.unit == "s" else 0
        reached = "yes" if value <= figure.goal else "no"
        texts = (figure.name, figure.unit, f"{figure.goal:g}", f"{value:.{digits}f}", reached)
        found.append(dict(zip(_COLUMNS, texts, strict=True)))
    return found


def main(arguments: Sequence[str]) -> int:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(prog="python -m experiments studio", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--table", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    chromium = shutil.which("chromium")
    if chromium is None:
        print("chromium is not installed (Debian: apt-get install chromium)", file=sys.stderr)
        return 2
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        args = ["--no-sandbox"]
        browser = playwright.chromium.launch(executable_path=chromium, args=args)
        found = rows([_measured(browser) for _ in range(options.runs)])
        browser.close()
    for row in found:
        print(f"{row['figure']:<56} {row['measured']:>8} {row['unit']:<2}  goal {row['goal']}")
    write(options.table, _COLUMNS, found)
    return 0 if all(row["reached"] == "yes" for row in found) else 1
