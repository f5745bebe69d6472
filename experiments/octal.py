"""Games of heaps that split: their periods found, proved, and the files replayed.

``python -m experiments octal`` does so for the catalog, as ``icgsynth list --heaps`` shows it, and
compares with what is published and with ``octal.csv``; ``--update`` rewrites that file, ``--table
FILE`` writes another one.  ``--tables DIR`` reads ``Trivial.md`` and ``Solved.md`` of
tczajka/octal-games instead, and says for each row whether preperiod, period, largest value and nim
sequence are the same.  ``--most N`` leaves out rows that need more than N values.

Seconds are of processor time, in one process: ``find`` is the search with its replay, ``verify``
the replay of the file that was written.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.tables import differences, read, write
from icgsynth.budget import UNBOUNDED
from icgsynth.game.answers import Finding, Verdict
from icgsynth.heaps.proof.nim_claims import judge_period
from icgsynth.heaps.rules.heap_code import read_code
from icgsynth.heaps.rules.heap_file import read_period
from icgsynth.heaps.rules.heaps import HeapAnswer, NimPeriod
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.heaps.search.sparse_space import rare_heaps
from icgsynth.spec.catalog import NamedHeaps, heap_entries
from icgsynth.spec.source import Source

COMMITTED = Path(__file__).with_name("octal.csv")
KEY = ("code",)
FREE = ("find_s", "verify_s")
_NONE = np.zeros(0, np.int64)
_VALUES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"  # of the tables

_MOST = {"4u": 1 << 19}  # values of a code that are computed where no period is known
_USUAL = 1 << 16
_RISING = 1 << 10  # where values rise for ever, and the sums of three heaps are many


class Result(NamedTuple):
    """The answer for one code, and the seconds that it took."""

    answer: HeapAnswer
    find: float
    replay: Finding | None
    verify: float

    @property
    def claim(self) -> NimPeriod | None:
        return self.answer.period if self.answer.is_periodic else None

    @property
    def is_replayed(self) -> bool:
        return self.replay is not None and self.replay.verdict is Verdict.PROVED


def result(code: str, most: int) -> Result:
    """Search ``most`` values of a game for a period, and replay what was found."""
    began = time.process_time()
    answer = HeapSearch(read_code(code), most, UNBOUNDED).run()
    found = time.process_time()
    replay = _replayed(answer) if answer.is_periodic else None
    return Result(answer, found - began, replay, time.process_time() - found)


def _replayed(answer: HeapAnswer) -> Finding:
    """The replay of the answer's file."""
    claim = read_period(Source("file", json.dumps(answer.to_json())), answer.code)
    if claim is None:
        raise ValueError(f"{answer.code.name}: the file claims no period")
    return judge_period(claim, UNBOUNDED)


def most_values(entry: NamedHeaps) -> int:
    """How many values are computed at most: those that prove the published period."""
    if entry.repeats is None:
        return _MOST.get(entry.code, _USUAL)
    preperiod, period, saltus = entry.repeats
    if saltus:
        return _RISING
    return max(1 << 10, NimPeriod(read_code(entry.code), preperiod, period, _NONE).needed)


def row(code: str, name: str, made: Result) -> dict[str, str]:
    """The row of the committed table."""
    answer, claim = made.answer, made.claim
    values = answer.values if claim is None else claim.values
    seen = answer.values if claim is None else claim.first_values(claim.needed)
    rare = rare_heaps(answer.code, seen) if answer.code.most_heaps == 2 else None
    largest = int(values.argmax())
    return {
        "code": code,
        "name": name,
        "period": "" if claim is None else str(claim.period),
        "preperiod": "" if claim is None else str(claim.preperiod),
        "replayed": "yes" if made.is_replayed else "",
        "saltus": "" if claim is None else str(claim.saltus),
        "values": str(len(seen)),
        "largest": str(int(values[largest])),
        "largest_heap": str(largest),
        "rare": "" if rare is None else str(rare.count),
        "last_rare": "" if rare is None else str(rare.last),
        "mask": "" if rare is None else str(rare.mask),
        "find_s": f"{made.find:.2f}",
        "verify_s": f"{made.verify:.2f}",
    }


# --- the tables of others ----------------------------------------------------------------------


class Published(NamedTuple):
    """One row of a table: what it says of a game, as far as it does."""

    code: str
    preperiod: int
    period: int
    sequence: tuple[int, ...] = ()
    largest: tuple[int, int] | None = None
    saltus: int = 0

    def disagreements(self, claim: NimPeriod | None) -> Iterator[str]:
        """Yield the differences between ``claim`` and what is published."""
        if claim is None:
            yield "no period is proved"
            return
        found = claim.preperiod, claim.period, claim.saltus
        if found != (self.preperiod, self.period, self.saltus):
            rise = f", saltus {claim.saltus}" if claim.saltus or self.saltus else ""
            yield f"preperiod {claim.preperiod}, period {claim.period}{rise}"
        if self.sequence and tuple(claim.values.tolist()) != self.sequence:
            yield "another sequence"
        heap = int(claim.values.argmax())
        if self.largest not in (None, (heap, int(claim.values[heap]))):
            yield f"largest value {int(claim.values[heap])}, of heap {heap}"


def published(path: Path) -> Iterator[Published]:
    """The rows of a table in Markdown."""
    for line in path.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) < 4 or not cells[1].isdigit():
            continue
        code, preperiod, period = cells[0], int(cells[1]), int(cells[2])
        if found := re.fullmatch(r"(\w*)\((\w+)\)", cells[3]):
            sequence = tuple(_VALUES.index(value) for value in found[1] + found[2])
            yield Published(code, preperiod, period, sequence)
        else:
            yield Published(code, preperiod, period, (), (int(cells[3]), int(cells[4])))


def compare(folder: Path, most: int) -> int:
    """Print how the tables agree with what is found; the exit code."""
    rows = [each for name in ("Trivial.md", "Solved.md") for each in published(folder / name)]
    good = left_out = 0
    total = 0.0
    for each in rows:
        wanted = NimPeriod(read_code(each.code), each.preperiod, each.period, _NONE).needed
        if wanted > most:
            left_out += 1
            continue
        made = result(each.code, max(2 * wanted, 1 << 10))
        wrong = list(each.disagreements(made.claim))
        if made.claim is not None and not made.is_replayed:
            wrong.append("the file is not proved again")
        good += not wrong
        total += made.find + made.verify
        said = "; ".join(wrong) or "as published, proved and replayed"
        print(
            f"{each.code:6} {each.preperiod:>9,} {each.period:>8,}  "
            f"{made.find:7.2f} s, replay {made.verify:6.2f} s  {said}",
            flush=True,
        )
    count = len(rows) - left_out
    print(f"{good} of {count} rows as published, in {total:.1f} s; {left_out} left out")
    return 0 if good == count else 1


# --- the command -------------------------------------------------------------------------------


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m experiments octal", description=__doc__)
    parser.add_argument("--tables", type=Path, metavar="DIR", help="tables to compare with")
    parser.add_argument("--most", type=int, default=1 << 20, metavar="N", help="values at most")
    parser.add_argument("--update", action="store_true", help="rewrite the committed table")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write another one")
    options = parser.parse_args(argv)
    if options.tables is not None:
        return compare(options.tables, options.most)
    rows, wrong = [], []
    for entry in heap_entries():
        most = most_values(entry)
        if most > options.most:
            continue
        made = result(entry.code, most)
        rows.append(row(entry.code, entry.title, made))
        print("  ".join(f"{key} {value}" for key, value in rows[-1].items() if value), flush=True)
        if entry.repeats is not None:
            preperiod, period, saltus = entry.repeats
            listed = Published(entry.code, preperiod, period, saltus=saltus)
            wrong += [f"{entry.code}: {said}" for said in listed.disagreements(made.claim)]
    if options.update or options.table:
        write(options.table or COMMITTED, list(rows[0]), rows)
        print("\n".join(wrong), end="")
        return 1 if wrong else 0
    same = [key for key in rows[0] if key not in (*KEY, *FREE)]
    wrong += list(differences(read(COMMITTED), rows, KEY, same))
    print("\n".join(wrong) or f"as in {COMMITTED.name}")
    return 1 if wrong else 0
