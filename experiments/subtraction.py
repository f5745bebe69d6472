"""Solve subtraction games with up to four numbers up to 30: is one short modulus enough?

One pile; a move takes one of the numbers of the set.  Whether a pile is losing repeats in the end
(Golomb 1966), and how soon is found here by plain brute force, apart from the package.
``python -m experiments subtraction`` solves games whose period is up to 400 and counts those whose
answer is no formula with the period as its only modulus, as ``v mod 31 in {0, 2, 5}``.

The 63,860 games would take some 15 hours.  So of each number of numbers and each rule, ``--sample``
games are drawn with a fixed seed, and besides them the ``--longest`` are asked that need the most
piles before their period shows; ``--all`` asks all.  Sets with a common divisor are among them.
``--update`` rewrites ``subtraction.csv``, ``--table FILE`` writes another one; else the committed
table is compared.  The exit code is 1 where it differs or where a formula is wrong.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path

from experiments.tables import compared_rows, read, table_of, write
from icgsynth import loads
from icgsynth.game.game import PlayRule
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import walk
from icgsynth.logic.evaluate import satisfies

COMMITTED = Path(__file__).with_suffix(".csv")
RULES: tuple[PlayRule, ...] = ("normal", "misere")
LARGEST, MOST_NUMBERS = 30, 4
LONGEST_PERIOD = 400


@dataclass(frozen=True)
class Outcomes:
    """``lost[v]`` says whether a pile of v is losing; from ``preperiod`` on it repeats."""

    numbers: tuple[int, ...]
    rule: PlayRule
    lost: tuple[bool, ...]
    preperiod: int
    period: int

    @staticmethod
    def of(numbers: tuple[int, ...], rule: PlayRule) -> Outcomes:
        """By brute force, until the last piles, as many as the largest number, are as before."""
        lost: list[bool] = []
        seen: dict[tuple[bool, ...], int] = {}
        while (first := seen.get(last := tuple(lost[-max(numbers) :]))) is None:
            if len(last) == max(numbers):
                seen[last] = len(lost)
            after = [lost[len(lost) - number] for number in numbers if number <= len(lost)]
            lost.append(not any(after) if after else rule == "normal")
        period = len(lost) - first
        while first and lost[first - 1] == lost[first - 1 + period]:
            first -= 1
        return Outcomes(numbers, rule, tuple(lost), first, period)

    @property
    def shown_by(self) -> int:
        """The piles that it takes to see the period three times."""
        return self.preperiod + 3 * self.period

    def is_lost(self, pile: int) -> bool:
        """Whether the pile is losing, however large it is."""
        if pile < len(self.lost):
            return self.lost[pile]
        return self.lost[self.preperiod + (pile - self.preperiod) % self.period]


def solved(numbers: tuple[int, ...], rule: PlayRule, seconds: float) -> Solution:
    """What the package answers."""
    listed = ", ".join(map(str, numbers))
    text = (
        "game subtraction\nvar v\nlegal v >= 0\n"
        f"action take(k)  pre k in {{{listed}}} and k <= v  eff v := v - k\n"
    )
    solution: Solution = loads(text).solve(rule=rule, timeout=seconds)
    return solution


def fault(solution: Solution, outcomes: Outcomes) -> str:
    """Why the answer is not as wanted; empty if it is.  ``wrong`` is the worst."""
    if solution.losing is None:
        return solution.status
    losing = solution.losing.formula
    if any(isinstance(node, t.Recognised) for node in walk(losing)):
        return "an automaton"
    piles = range(outcomes.shown_by)
    if any(satisfies(losing, {"v": pile}) != outcomes.is_lost(pile) for pile in piles):
        return "wrong"
    moduli = {node.divisor for node in walk(losing) if isinstance(node, t.Mod)}
    if moduli != {t.Int(outcomes.period)}:
        return "another modulus"
    return "" if solution.is_proved else solution.status


def asked(numbers: tuple[int, ...], rule: PlayRule, seconds: float) -> tuple[str, float]:
    """Solve the game: the fault of the answer, and the seconds of processor time."""
    begun = time.process_time()
    solution = solved(numbers, rule, seconds)
    spent = time.process_time() - begun
    return fault(solution, Outcomes.of(numbers, rule)), spent


def rows(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """A row for each number of numbers, each rule, and each way to choose."""
    with ProcessPoolExecutor(options.jobs) as pool:
        for count in range(1, MOST_NUMBERS + 1):
            sets = list(combinations(range(1, LARGEST + 1), count))
            for rule in RULES:
                known = list(pool.map(partial(Outcomes.of, rule=rule), sets, chunksize=64))
                short = [each for each in known if each.period <= LONGEST_PERIOD]
                for chosen, some in _chosen(short, options):
                    given = [each.numbers for each in some]
                    ask = partial(asked, rule=rule, seconds=options.timeout)
                    yield {
                        "numbers": str(count),
                        "rule": rule,
                        "chosen": chosen,
                        "games": str(len(sets)),
                        "longer": str(len(sets) - len(short)),
                        "asked": str(len(some)),
                        "period": str(max(each.period for each in some)),
                        "preperiod": str(max(each.preperiod for each in some)),
                        **_counted(given, list(pool.map(ask, given))),
                    }


def _chosen(
    short: list[Outcomes], options: argparse.Namespace
) -> Iterator[tuple[str, list[Outcomes]]]:
    """The games that are asked, with a word for how they were chosen."""
    if options.all or len(short) <= options.sample:
        yield "all", short
        return
    yield "drawn", random.Random(39).sample(short, options.sample)
    longest = sorted(short, key=lambda each: (each.shown_by, each.numbers), reverse=True)
    yield "longest", longest[: options.longest]


def _counted(given: list[tuple[int, ...]], found: list[tuple[str, float]]) -> dict[str, str]:
    """How many are said as wanted, how many formulas are wrong, and which games are left."""
    pairs = zip(given, found, strict=True)
    faults = [(numbers, why) for numbers, (why, _) in pairs if why]
    return {
        "said": str(len(found) - len(faults)),
        "not_said": str(len(faults)),
        "wrong": str(sum(why == "wrong" for _, why in faults)),
        "which": "; ".join(f"{numbers}: {why}" for numbers, why in faults),
        "seconds": f"{sum(seconds for _, seconds in found):.1f}",
    }


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments subtraction", description=__doc__)
    parser.add_argument("--sample", type=int, default=25, help="games of a kind that are drawn")
    parser.add_argument("--longest", type=int, default=3, help="games of a kind besides")
    parser.add_argument("--all", action="store_true", help="every game; it takes hours")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each game")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write another one")
    options = parser.parse_args(arguments)
    made = []
    for row in rows(options):
        made.append(row)
        print("  ".join(f"{key} {value}" for key, value in row.items() if value), flush=True)
    wrong = sum(int(row["wrong"]) for row in made)
    if options.update or options.table:
        write(options.table or COMMITTED, list(made[0]), made)
        return int(wrong > 0)
    differing = compared_rows(table_of("subtraction"), read(COMMITTED), made)
    print("\n".join(differing) or f"as in {COMMITTED.name}")
    return int(wrong > 0 or bool(differing))
