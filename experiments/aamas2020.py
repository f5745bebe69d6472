"""Every game of Wu et al. (AAMAS 2020) under both rules, each solved in a process of its own.

The paper's section 4 reports, with a budget of 250 s a game: under the normal rule all solved
but monotonic 2-diet Wythoff; under misere only monotonic Nim, Take-away and Subtraction
without help.  ``KNOWN`` holds the losing states as the literature gives them (checked by
brute force elsewhere): no answer may need a longer formula.

``python -m experiments aamas2020`` prints the table and the figures and compares the answers
with ``aamas2020.csv``; ``--update`` rewrites that file and ``aamas2020_times.csv``, and
``--table FILE`` writes the answers to another file and compares nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from experiments.tables import differences, read, write
from icgsynth import load
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import columns
from icgsynth.logic.term import Formula
from icgsynth.spec.icg import parse_formula

HERE = Path(__file__).parent
ANSWERS = HERE / "aamas2020.csv"
TIMES = HERE / "aamas2020_times.csv"
RULES = ("normal", "misere")

SOLVED, FAILED = "solved in < 250 s", "not solved"
FIELDS = [
    "game",
    "constants",
    "rule",
    "paper",
    "status",
    "losing",
    "size",
    "minimal",
    "known_size",
    "cover",
    "pairs",
    "tree",
]


@dataclass(frozen=True)
class Entry:
    """A game of the paper: what it reports for each rule, and the known losing states."""

    game: str
    constants: tuple[tuple[str, int], ...]
    paper: tuple[str, str]
    known: tuple[str, str]

    @property
    def arguments(self) -> list[str]:
        return [self.game, *(f"--set={n}={v}" for n, v in self.constants)]


def _entries() -> Iterable[Entry]:
    both, normal_only, misere_only = (SOLVED, SOLVED), (SOLVED, FAILED), (FAILED, FAILED)
    yield Entry("chomp_2row", (), normal_only, ("a = b + 1", "a + b = 2"))
    yield Entry("chomp_l", (), normal_only, ("a = b", "a = b and a >= 3 or a + b = 3"))
    yield Entry(
        "empty_and_divide",
        (),
        normal_only,
        (
            "a mod 2 = 1 and b mod 2 = 1",
            "(a = 1 or a mod 3 = 2) and (b = 1 or b mod 3 = 2) and a + b > 2",
        ),
    )
    yield Entry("nim2", (), normal_only, ("a = b", "a = b and a >= 2 or a + b = 1"))
    yield Entry("monotonic_nim2", (), both, ("a = b", "b = a + 1"))
    yield Entry(
        "monotonic_2diet_wythoff", (), misere_only, ("(a + b) mod 3 = 0", "(a + b) mod 3 = 1")
    )
    yield Entry(
        "monotonic_2diet_wythoff_authors",
        (),
        misere_only,
        ("(a + b) mod 3 = 0", "(b - a) mod 3 = 1"),
    )
    for n in range(2, 11):
        period = n + 1
        known = (f"v mod {period} = 0", f"v mod {period} = 1")
        yield Entry("take_away", (("n", n),), both, known)
    yield Entry("subtraction_124", (), both, ("v mod 3 = 0", "v mod 3 = 1"))
    yield Entry("subtraction_134", (), both, ("v mod 7 in {0, 2}", "v mod 7 in {1, 3}"))
    yield Entry("subtraction_23", (), both, ("v mod 5 in {0, 1}", "v mod 5 in {2, 3}"))
    yield Entry("subtraction_126", (), both, ("v mod 7 in {0, 3}", "v mod 7 in {1, 4}"))


@dataclass(frozen=True)
class Result:
    """One game under one rule: the answer, and seconds (whole process: median of runs)."""

    entry: Entry
    rule: str
    answer: dict[str, Any]
    wall: float

    @property
    def known(self) -> Formula:
        text = self.entry.known[RULES.index(self.rule)]
        return parse_formula(text, self.answer["variables"])

    def row(self) -> dict[str, str]:
        losing = self.answer["losing"]
        return {
            "game": self.entry.game,
            "constants": " ".join(f"{n}={v}" for n, v in self.entry.constants),
            "rule": self.rule,
            "paper": self.entry.paper[RULES.index(self.rule)],
            "status": self.answer["status"],
            "losing": losing["formula"] if losing else "",
            "size": str(losing["size"]) if losing else "",
            "minimal": str(losing["minimal"]).lower() if losing else "",
            "known_size": str(size(self.known)),
            "cover": str(len(self.answer["cover"])),
            "pairs": "; ".join(_pair(p, ": ") for p in self.answer["strategy"]),
            "tree": "; ".join(_pair(p, ": ") for p in self.answer["fft"]),
        }

    def is_right(self) -> bool:
        """The losing formula agrees with the known one on all legal states up to 60."""
        if self.answer["losing"] is None:
            return False
        game = load(self.entry.game, dict(self.entry.constants)).game
        side = np.arange(61)
        grid = np.meshgrid(*[side] * len(game.variables), indexing="ij")
        env = {v: g.ravel() for v, g in zip(game.variables, grid, strict=True)}
        found = parse_formula(self.answer["losing"]["formula"], game.variables)
        differ = columns(found, env) != columns(self.known, env)
        return not (differ & columns(game.legal, env)).any()


def _pair(pair: dict[str, Any], between: str) -> str:
    terms = ", ".join(pair["args"].values())
    act = f"{pair['action']}({terms})" if terms else pair["action"]
    return act if pair["when"] == "true" else f"{pair['when']}{between}{act}"


def _timed(arguments: Sequence[str]) -> tuple[float, str]:
    start = time.perf_counter()
    command = [sys.executable, "-m", "icgsynth", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return time.perf_counter() - start, done.stdout


def _solve(entry: Entry, rule: str, number: int) -> Result:
    arguments = ["solve", *entry.arguments, "--rule", rule, "--json", "--quiet"]
    runs = [_timed(arguments) for _ in range(number)]
    return Result(entry, rule, json.loads(runs[-1][1]), statistics.median(t for t, _ in runs))


def main(arguments: Sequence[str]) -> int:
    """Run, print, compare; the exit code is 1 where a figure or an answer differs."""
    options = _options(arguments)
    results = []
    for entry in _entries():
        for rule in RULES:
            results.append(_solve(entry, rule, options.runs))
            _print(results[-1])
    failures = _figures(results)
    rows = [r.row() for r in results]
    if options.table or options.update:
        write(options.table or ANSWERS, FIELDS, rows)
    if options.update:
        times = [_times(r) for r in results]
        write(TIMES, list(times[0]), times)
    if not options.table and not options.update:
        failures += _compare(rows)
    return 1 if failures else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m experiments aamas2020")
    add = parser.add_argument
    add("--table", type=Path, metavar="FILE", help="write the answers there, compare nothing")
    add("--update", action="store_true", help=f"rewrite {ANSWERS.name} and {TIMES.name}")
    add("--runs", type=int, default=3, help="of each game, of which the median counts (3)")
    options = parser.parse_args(list(arguments))
    if options.runs < 1:
        parser.error("--runs is 1 or more")
    return options


def _print(result: Result) -> None:
    row = result.row()
    name = f"{row['game']} {row['constants']}".strip()
    search = result.answer["seconds"].get("search", 0.0)
    print(
        f"{name:<32} {row['rule']:<7} {row['status']:<8} {row['losing']:<66} "
        f"size {row['size']:>2} (known {row['known_size']:>2}) minimal {row['minimal']:<5} "
        f"search {search * 1000:6.1f} ms  process {result.wall:5.2f} s   paper: {row['paper']}"
    )
    print(f"{'':<32} strategy: {row['pairs']}")
    print(f"{'':<32} tree:     {row['tree']}", flush=True)


def _figures(results: Sequence[Result]) -> int:
    """Print each figure against its bound; the number that miss it."""
    solved = sum(r.answer["status"] == "solved" for r in results)
    right = sum(r.is_right() for r in results)
    longer = sum(int(r.row()["size"] or 99) > int(r.row()["known_size"]) for r in results)
    slowest = max(r.wall for r in results)
    search = statistics.median(r.answer["seconds"].get("search", 0.0) for r in results)
    help_time = statistics.median(_timed(["--help"])[0] for _ in range(5))
    figures = [
        ("solved and proved", f"{solved} of {len(results)}", solved == len(results)),
        ("agree with the known losing states up to 60", f"{right}", right == len(results)),
        ("formulas longer than the known ones", f"{longer}", longer == 0),
        ("slowest process, median of its runs (bound 1 s)", f"{slowest:.2f} s", slowest < 1),
        ("median search (bound 50 ms)", f"{search * 1000:.1f} ms", search < 0.05),
        ("icgsynth --help (bound 0.25 s)", f"{help_time:.2f} s", help_time < 0.25),
    ]
    print()
    for what, figure, met in figures:
        print(f"{what:<48} {figure:<10} {'met' if met else 'MISSED'}")
    return sum(not met for _, _, met in figures)


def _times(result: Result) -> dict[str, str]:
    seconds = result.answer["seconds"]
    name = f"{result.entry.game} {result.row()['constants']}".strip()
    parts = ("check", "label", "search", "prove", "strategy", "cover", "compare", "total")
    measured = {part: f"{seconds.get(part, 0.0):.4f}" for part in parts}
    return {"game": name, "rule": result.rule, **measured, "process": f"{result.wall:.3f}"}


def _compare(rows: Sequence[dict[str, str]]) -> int:
    """Differences from the committed answers."""
    if not ANSWERS.exists():
        print(f"{ANSWERS.name} is missing: run with --update")
        return 1
    found = list(differences(read(ANSWERS), rows, ("game", "constants", "rule"), FIELDS))
    print("\n".join(found) or f"all answers as in {ANSWERS.name}")
    return len(found)
