"""The names of the catalog: a file each, and of games of heaps that split a row of one table.

That table is ``specs/heaps.csv``, with codes and what is published of each; a game without a name
goes by its code.  No rules are read here.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.spec.source import is_file

KINDS = {
    "icg": ("", ".icg"),
    "blocking": ("blocking", ".icg"),
    "piles": ("piles", ".icg"),
    "gdl": ("gdl", ".kif"),
    "asp": ("asp", ".lp"),
}
"""The folder and the ending of each kind of rules: impartial games, those with options that may be
forbidden and those of rows of heaps or piles, which few commands know, game descriptions, and
encodings in clingo's language."""

_LIKELY = re.compile(
    r"heap:.*|[0-9][0-9A-Za-z.!]*(?:\[.*)?|[A-Fa-f]?u?\.[0-9A-Za-z]+\.*", re.DOTALL
)  # a code of heaps


@dataclass(frozen=True, slots=True)
class NamedHeaps:
    """What ``icgsynth list --heaps`` tells of one game.

    ``repeats`` = (preperiod, period, saltus) as published: from the heap ``preperiod`` on
    G(n + period) = G(n) + saltus.  None where nobody knows such numbers.
    """

    name: str
    code: str
    title: str
    repeats: tuple[int, int, int] | None
    citations: tuple[str, ...]


def catalog_dir() -> Path:
    """Return the folder of the catalog: in the package, or beside it; InputError if missing."""
    package = Path(__file__).parents[1]
    for folder in (package / "specs", package.parent / "specs"):
        if folder.is_dir():
            return folder
    raise InputError("the catalog is missing", mend="install icgsynth again")


def files(*kinds: str) -> dict[str, Path]:
    """The files of these kinds by name; where two have a name, that of the kind named first."""
    found: dict[str, Path] = {}
    for folder, ending in map(KINDS.__getitem__, kinds):
        for path in sorted((catalog_dir() / folder).glob(f"*{ending}")):
            found.setdefault(path.stem, path)
    return found


@cache
def heap_entries() -> tuple[NamedHeaps, ...]:
    """The games in the order of the table: those with a name first."""
    path = catalog_dir() / "heaps.csv"
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(_entry(row) for row in csv.DictReader(stream))


def heap_codes() -> dict[str, str]:
    """The code of each game that has a name."""
    return {entry.name: entry.code for entry in heap_entries() if entry.title}


def looks_like_code(spec: str) -> bool:
    """Return whether ``spec`` is a code of a heap game, such as 0.77, or its name, and no file."""
    is_one = _LIKELY.fullmatch(spec) is not None or spec in heap_codes()
    return is_one and not is_file(spec)


def _entry(row: dict[str, str]) -> NamedHeaps:
    repeats = None
    if row["period"]:
        repeats = (int(row["preperiod"]), int(row["period"]), int(row["saltus"]))
    cited = tuple(row["cite"].split())
    return NamedHeaps(row["name"], row["code"], row["title"], repeats, cited)
