"""Solve every game of the catalog under both rules, and compare with the committed table.

``python -m experiments catalog`` solves each of them and compares with ``catalog.csv``;
``--update`` rewrites that file, or with ``--only GAME`` the rows of that game.  Look at the
difference before you commit it: it is what people read.

A row says what must hold of an answer, however it is worded.  ``lost`` counts the losing states of
a box, and ``print`` is a checksum of them, so a losing formula may be written in another way and
may not mean another set.  ``cases`` and ``rules`` count those of the strategy and of the tree.
``losing`` is for the reader, and is not compared.  A game whose ``pace`` is "searches" takes
long: how far its minimality, its strategy and its tree come depends on the time that is left, and
only what it claims is compared.  A game that was unknown is looked for a few seconds only.

The exit code is 1 where the table differs, or the winning formula is not the losing one's opposite
(``wrong`` counts where).
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from zlib import crc32

from experiments.tables import compared_rows, read, table_of, write
from icgsynth import load
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import Solution
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.term import TRUE
from icgsynth.spec.catalog import names

TABLE = Path(__file__).with_suffix(".csv")
FIELDS = (
    *("game", "rule", "status", "logic", "lost", "print", "wrong", "minimal"),
    *("cases", "rules", "states", "ranking", "pace", "losing", "seconds"),
)
RULES: tuple[PlayRule, ...] = ("normal", "misere")
BOUNDS = {1: 300, 2: 36, 3: 12, 4: 6, 5: 4}  # of the boxes, by variables
QUICK = 1.5  # seconds: what takes less has the time to come to the end of its search

Row = dict[str, str]


def main(arguments: Sequence[str]) -> int:
    """Run the experiment."""
    parser = argparse.ArgumentParser(prog="python -m experiments catalog", description=__doc__)
    parser.add_argument("--only", metavar="GAME", action="append", help="this game; may repeat")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for each game")
    parser.add_argument("--unknown", type=float, default=10.0, help="for one that was unknown")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--table", type=Path, default=None, help="write the rows there")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    options = parser.parse_args(arguments)
    before = committed()
    asked = [(name, rule) for name in options.only or names() for rule in RULES]
    seconds = [
        options.unknown if before.get(each, {}).get("status") == "unknown" else options.timeout
        for each in asked
    ]
    rows = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for row in pool.map(found, *zip(*asked, strict=True), seconds):
            rows.append(row)
            print("{game:<34} {rule:<7} {status:<8} {seconds:>6} s  {losing}".format(**row))
    wrong = sum(row["wrong"] not in ("", "0") for row in rows)
    solved = sum(row["status"] == "solved" for row in rows)
    print(f"\n{solved} of {len(rows)} are solved, {wrong} of the answers wrong")
    if options.table or options.update:
        made = {(row["game"], row["rule"]): row for row in rows}
        kept = before | made if options.update and options.only else made
        write(options.table or TABLE, FIELDS, (kept[key] for key in sorted(kept)))
        return int(wrong > 0)
    old = [row for key, row in before.items() if key in asked or not options.only]
    differing = compared_rows(table_of("catalog"), old, rows)
    print(*differing, sep="\n")
    return int(wrong > 0 or bool(differing))


def committed() -> dict[tuple[str, str], Row]:
    """The rows of the committed table, by game and rule."""
    return {(row["game"], row["rule"]): row for row in read(TABLE)} if TABLE.exists() else {}


def found(name: str, rule: PlayRule, seconds: float) -> Row:
    """The row of a game that is solved now."""
    begun = time.process_time()  # not the clock: other work may share the machine
    solution = load(name).solve(rule=rule, timeout=seconds)
    return row_of(solution, time.process_time() - begun, committed().get((name, rule)))


def row_of(solution: Solution, seconds: float, before: Row | None) -> Row:
    """What an answer says; its pace is that of the row ``before``, where it said the same."""
    winning, losing = solution.winning, solution.losing
    claims = winning is not None and losing is not None
    lost = list(_lost(solution)) if claims else []
    pace = "quick" if seconds < QUICK else "searches"
    if before is not None and before["status"] == solution.status:
        pace = before["pace"]
    return {
        "game": solution.game.name,
        "rule": solution.rule,
        "status": solution.status,
        "logic": solution.logic if claims else "",
        "lost": str(len(lost)) if claims else "",
        "print": f"{crc32(repr(lost).encode()):08x}" if claims else "",
        "wrong": str(_wrong(solution)) if claims else "",
        "minimal": " ".join("yes" if c.minimal else "no" for c in (winning, losing) if c),
        "cases": str(len(solution.strategy)),
        "rules": str(len(solution.tree)),
        "states": "" if solution.automaton is None else str(len(solution.automaton.transitions)),
        "ranking": "; ".join(str(term) for term in solution.ranking),
        "pace": pace,
        "losing": "" if losing is None else str(losing.formula),
        "seconds": f"{seconds:.2f}",
    }


def box(game: ParametricGame) -> Iterator[State]:
    """The legal states of a box, small ones first in each coordinate."""
    bound = BOUNDS[len(game.variables)]
    sides = range(-bound, bound + 1) if game.legal == TRUE else range(bound + 1)
    return filter(game.is_legal, product(sides, repeat=len(game.variables)))


def _lost(solution: Solution) -> Iterator[State]:
    assert solution.losing is not None
    for state in box(solution.game):
        if satisfies(solution.losing.formula, solution.game.env(state)):
            yield state


def _wrong(solution: Solution) -> int:
    """In how many states of the box both of the formulas hold, or none of them."""
    assert solution.winning is not None and solution.losing is not None
    game = solution.game
    return sum(
        satisfies(solution.winning.formula, game.env(state))
        == satisfies(solution.losing.formula, game.env(state))
        for state in box(game)
    )
