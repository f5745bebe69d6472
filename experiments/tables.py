"""List every table of the experiments: the command that makes it, and how it is compared.

``python -m experiments all`` makes each committed table again and compares.  Columns of seconds
and of memory may differ, and so may seconds, milliseconds and megabytes inside a text; any other
difference is printed, and the exit code is 1.  ``--update`` writes what was found over the
committed tables.  ``--only NAME`` makes one table (it may repeat), ``--minutes M`` those that take
at most M minutes on two quiet cores, ``--pddl DIR`` also those of the benchmark's files,
``--gdl DIR`` that of the public games in GDL.
"""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
MADE = HERE.parent / "build" / "tables"

Row = Mapping[str, str]

_SPENT = re.compile(r"\b\d[\d.,]*(?:e-?\d+)? ?(?:s|ms|MB|seconds)\b")


_FOLDERS = {
    "pddl": "the files of the benchmark",
    "gdl": "the public base games in GDL",
}


class Table(NamedTuple):
    """One committed table.

    ``command`` are the arguments of ``python -m experiments``; ``{table}`` in it is the file to
    write, ``{pddl}`` and ``{gdl}`` are folders of files of others.  ``key`` are the columns that
    name a row.  ``free`` are the columns of times and memory, and what follows.  In rows that
    ``searched`` matches (columns joined by a blank), the columns ``found`` depend on what a
    search within a time limit comes to, and are free as well.  ``minutes`` is about how long it
    takes on two quiet cores.  An experiment that ``has_page`` writes plots and a page of the docs
    beside its table; it is updated by its own ``--update``.
    """

    name: str
    command: tuple[str, ...]
    key: tuple[str, ...]
    free: frozenset[str]
    minutes: float
    searched: str = "(?!)"
    found: frozenset[str] = frozenset()
    has_page: bool = False

    @property
    def committed(self) -> Path:
        return HERE / f"{self.name}.csv"

    @property
    def needs(self) -> str:
        """The folder of files of others that it is made from; empty for none."""
        return next((f for f in _FOLDERS if any(f"{{{f}}}" in part for part in self.command)), "")

    def arguments(self, made: Path, folders: Mapping[str, Path | None], update: bool) -> list[str]:
        """Return the arguments of ``python -m experiments`` that write the table to ``made``."""
        filled = [part.format(table=made, **folders) for part in self.command]
        if update and self.has_page:
            return [part for part in filled if not part.startswith("--table")] + ["--update"]
        return filled


_TABLES = (
    Table(
        "aamas2020",
        ("aamas2020", "--runs=1", "--table={table}"),
        ("game", "constants", "rule"),
        frozenset(),
        0.5,
    ),
    Table(
        "at",
        ("at", "--table={table}"),
        ("game", "rule", "state"),
        frozenset({"seconds"}),
        4,
    ),
    Table(
        "octal",
        ("octal", "--table={table}"),
        ("code",),
        frozenset({"find_s", "verify_s"}),
        0.5,
    ),
    Table(
        "quotients",
        ("quotients", "--table={table}"),
        ("code",),
        frozenset({"seconds", "verify_s"}),
        2,
    ),
    Table(
        "subtraction",
        ("subtraction", "--table={table}"),
        ("numbers", "rule", "chosen"),
        frozenset({"seconds"}),
        6,
    ),
    Table(
        "values",
        ("values", "--table={table}"),
        ("game",),
        frozenset({"seconds"}),
        3,
    ),
    Table(
        "catalog",
        ("catalog", "--table={table}"),
        ("game", "rule"),
        frozenset({"pace", "losing", "seconds"}),
        8,
        searched=r"\bsearches\b",
        found=frozenset({"minimal", "cases", "rules", "ranking"}),
    ),
    Table(
        "asp2020",
        ("asp2020", "--table={table}"),
        ("table", "item"),
        frozenset({"seconds", "ok"}),
        2,
    ),
    Table(
        "aaai2015_cells",
        ("aaai2015", "--results={table}"),
        ("table", "row", "column"),
        frozenset(),
        4,
    ),
    Table(
        "families",
        ("families", "--table={table}"),
        ("family",),
        frozenset({"losing", "strategy", "confirmed", "reason", "seconds"}),
        15,
    ),
    Table(
        "prior_art",
        ("prior_art", "--table={table}"),
        ("game", "rule"),
        frozenset({"seconds", "reason"}),
        8,
    ),
    Table(
        "cog2020",
        ("cog2020", "--results={table}"),
        ("table", "item", "conventions"),
        frozenset({"seconds"}),
        10,
        searched=r"^II .*(player|within|proof)|by search|^IX ",
        found=frozenset({"ours"}),
    ),
    Table(
        "coq",
        ("coq", "--table={table}"),
        ("what", "rule", "kind"),
        frozenset({"coqc_s", "generator_s", "bytes"}),
        15,
    ),
    Table(
        "coq_mutants",
        ("coq", "--mutations=500", "--seed=7", "--table={table}"),
        ("kind",),
        frozenset({"refuted", "unknown", "refused", "late", "checked"}),
        25,
    ),
    Table(
        "gdl",
        ("gdl", "--gdl={gdl}", "--table={table}"),
        ("file",),
        frozenset({"seconds", "megabytes"}),
        60,
        searched=r"\btoo large\b",
        found=frozenset({"ground", "players", "facts", "why"}),
    ),
    Table(
        "coq_benchmark",
        ("coq", "--pddl={pddl}", "--sample=200", "--seed=7", "--table={table}"),
        ("family",),
        frozenset({"coqc_s", "bytes"}),
        20,
    ),
    Table(
        "adversary",
        (
            "adversary",
            "--seed=8",
            "--kinds=quantified,mutations,conjunctions",
            "--minutes=30",
            "--table={table}",
        ),
        ("kind",),
        frozenset(
            {"attempts", "proved", "refuted", "unknown", "refused", "crash", "late", "checked"}
        ),
        30,
    ),
    Table(
        "compare",
        ("compare", "--pddl={pddl}", "--table={table}"),
        ("group", "game", "constants", "rule", "size"),
        frozenset(
            {
                *("icgsynth_s", "icgsynth_inside_s", "icgsynth_search_prove_s"),
                *("enumerator_s", "enumerator_inside_s", "enumerator_ratio"),
                *("cvc5_s", "cvc5_inside_s", "cvc5_ratio"),
            }
        ),
        90,
        has_page=True,
    ),
    Table(
        "reach",
        ("reach", "--pddl={pddl}", "--table={table}"),
        ("family",),
        frozenset({"median_seconds", "p90_seconds"}),
        40,
    ),
    Table(
        "lifted",
        ("lifted", "--pddl={pddl}", "--table={table}"),
        ("first", "rule"),
        frozenset({"judged", "seconds"}),
        60,
        searched=".",
        found=frozenset({"found", "inside", "theorems", "why", "wrong"}),
    ),
    Table(
        "mutants",
        ("mutants", "--slow", "--table={table}"),
        ("module", "was", "now", "again"),
        frozenset({"line", "by"}),
        55,
    ),
)


def tables() -> tuple[Table, ...]:
    """All of them, those that take longest last."""
    return tuple(sorted(_TABLES, key=lambda table: table.minutes))


def table_of(name: str) -> Table:
    """The one of this name."""
    return next(table for table in _TABLES if table.name == name)


# --- reading, writing and comparing ------------------------------------------------------------


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a table."""
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def write(path: Path, fields: Sequence[str], rows: Iterable[Row]) -> None:
    """Write a table; its folder is made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"written: {path.name}")


def differences(
    committed: Iterable[Row],
    rows: Iterable[Row],
    key: Sequence[str],
    same: Sequence[str],
    whole: bool = True,
) -> Iterator[str]:
    """How ``rows`` differ in the columns ``same`` from the committed ones.

    Rows of one key follow each other in the same order.  ``whole``: ``rows`` are all of them.
    """
    before = _keyed(committed, key)
    for name, new in _keyed(rows, key).items():
        said = " ".join(" ".join(str(part) for part in name if part).split())
        old = before.pop(name, None)
        if old is None:
            yield f"{said}: a new row"
            continue
        for field in same:
            if old[field] != new[field]:
                yield f"{said}: {field} was {old[field]!r}, is {new[field]!r}"
    if whole:
        for name in before:
            yield f"{' '.join(str(part) for part in name if part)}: no such row now"


def _keyed(rows: Iterable[Row], key: Sequence[str]) -> dict[tuple[str | int, ...], Row]:
    """By the columns of the key; of equal ones the second, third, .. has its number behind."""
    found: dict[tuple[str | int, ...], Row] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        name = tuple(row[field] for field in key)
        seen[name] += 1
        found[(*name, seen[name]) if seen[name] > 1 else name] = row
    return found


def compared(table: Table, made: Path, committed: Path) -> list[str]:
    """How the table that was made differs from the committed one, times and memory left out."""
    if not committed.exists():
        return [f"{committed.name} is missing: run with --update"]
    return compared_rows(table, read(committed), read(made))


def compared_rows(table: Table, committed: Iterable[Row], made: Iterable[Row]) -> list[str]:
    """How rows of the table differ from the committed ones, times and memory left out."""
    old, new = ([_timeless(table, row) for row in rows] for rows in (committed, made))
    if list(old[0] if old else ()) != list(new[0] if new else ()):
        return ["the columns differ, or one of the tables is empty"]
    same = [field for field in old[0] if field not in (*table.key, *table.free)]
    return list(differences(old, new, table.key, same))


def _timeless(table: Table, row: Row) -> dict[str, str]:
    """The row without the seconds and megabytes inside its texts, and without what is searched."""
    plain = {field: _SPENT.sub("..", text) for field, text in row.items()}
    if re.search(table.searched, " ".join(row.values())):
        plain |= dict.fromkeys(table.found, "")
    return plain


# --- the command -------------------------------------------------------------------------------


def main(arguments: Sequence[str] = ()) -> int:
    """Make the tables, compare or update; 1 where one differs or could not be made."""
    options = _options(arguments)
    failures = 0
    for table in _chosen(options):
        found = _made(table, options)
        failures += bool(found)
        well = f"  {'written:' if options.update else 'as in'} {table.committed.name}"
        print("\n".join(f"  {line}" for line in found) or well)
    return 1 if failures else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    names = [table.name for table in tables()]
    parser = argparse.ArgumentParser(prog="python -m experiments all")
    parser.add_argument("--update", action="store_true", help="write over the committed tables")
    parser.add_argument("--only", action="append", choices=names, help="one table; may repeat")
    for folder, what in _FOLDERS.items():
        parser.add_argument(f"--{folder}", type=Path, metavar="DIR", help=what)
    parser.add_argument("--minutes", type=float, help="only tables that take at most as many")
    options = parser.parse_args(list(arguments))
    for folder in _FOLDERS:
        given: Path | None = getattr(options, folder)
        if given is not None and not given.is_dir():
            parser.error(f"there is no folder {given}")
        needy = {table.name for table in tables() if table.needs == folder}
        if given is None and needy & set(options.only or ()):
            parser.error(f"{', '.join(sorted(needy))} need --{folder} DIR")
    return options


def _chosen(options: argparse.Namespace) -> Iterator[Table]:
    for table in tables():
        if options.only and table.name not in options.only:
            continue
        if table.needs and getattr(options, table.needs) is None:
            print(f"{table.name}: left out, it needs --{table.needs} DIR")
        elif options.minutes is not None and table.minutes > options.minutes:
            print(f"{table.name}: left out, it takes about {table.minutes:g} minutes")
        else:
            yield table


def _made(table: Table, options: argparse.Namespace) -> list[str]:
    """Make a table in a process of its own; what is wrong with it, a line each."""
    made, log = MADE / f"{table.name}.csv", MADE / f"{table.name}.log"
    MADE.mkdir(parents=True, exist_ok=True)
    made.unlink(missing_ok=True)
    folders = {folder: getattr(options, folder) for folder in _FOLDERS}
    command = table.arguments(made, folders, options.update)
    print(f"{table.name}: about {table.minutes:g} minutes", flush=True)
    begun = time.monotonic()
    with log.open("w", encoding="utf-8") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "experiments", *command],
            cwd=HERE.parent,
            stdout=stream,
            stderr=subprocess.STDOUT,
            check=False,
        )
    spent = (time.monotonic() - begun) / 60
    missed = f", exit code {done.returncode}: {log} says which bound is missed"
    print(f"  {spent:.1f} minutes{missed if done.returncode else ''}", flush=True)
    if options.update and table.has_page:
        return [f"it was not updated: {log} says why"] if done.returncode else []
    if not made.exists():
        return [f"no table was made: {log} says why"]
    if options.update:
        shutil.copyfile(made, table.committed)
        return []
    return compared(table, made, table.committed)
