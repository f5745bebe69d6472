"""The catalog: the rules that come with the package, by name.

They stand in the repository's top-level ``specs/``; a distribution carries them as the
data of ``icgsynth.specs``.  A game is called as its file, or for games of heaps that split as its
row in the table ``specs/heaps.csv``, which has the code and published results of each; a game
without a name is called by its code.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from icgsynth.errors import InputError
from icgsynth.spec.source import STDIN, Source, is_file

if TYPE_CHECKING:
    from icgsynth.logic import term as t

KINDS = {
    "icg": ("", ".icg"),
    "blocking": ("blocking", ".icg"),
    "piles": ("piles", ".icg"),
    "gdl": ("gdl", ".kif"),
    "asp": ("asp", ".lp"),
}
"""The folder and the file ending of each kind of rules: impartial games; blocking games, and games
of heaps or piles, which few commands take; game descriptions (GDL); encodings in clingo's
language."""


FINITE_MEND = "'icgsynth solve {0}' says who wins, 'icgsynth fft synth {0}' finds a strategy"
"""A sentence that names the commands for a finite game; its name or path is put in for {0}."""

_LIKELY = re.compile(
    r"heap:.*|[0-9][0-9A-Za-z.!]*(?:\[.*)?|[A-Fa-f]?u?\.[0-9A-Za-z]+\.*", re.DOTALL
)  # a code of heaps
_CONSTANT = re.compile(r"^#const (\w+) = (-?\w+)\.", re.MULTILINE)
_LETTERS = 4  # least number of letters of a word that is searched in titles


@dataclass(frozen=True, slots=True)
class NamedHeaps:
    """A game of heaps in the catalog: what a line of ``icgsynth list --heaps`` prints.

    ``repeats`` = (preperiod, period, saltus) as published: from the heap ``preperiod`` on
    G(n + period) = G(n) + saltus.  None where no such numbers are known.
    """

    name: str
    code: str
    title: str
    repeats: tuple[int, int, int] | None
    citations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A game or family in the catalog: what a line of ``icgsynth list`` prints."""

    name: str
    title: str
    constants: tuple[tuple[str, t.Term | str], ...] = ()
    citations: tuple[str, ...] = ()


def catalog_dir() -> Path:
    """Return the folder of the catalog, in the installed package or beside it in a checkout.

    Raises :class:`~icgsynth.errors.InputError` where it is missing.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "specs", package.parent / "specs"):
        if folder.is_dir():
            return folder
    raise InputError("the catalog is missing", mend="install icgsynth again")


def files(*kinds: str) -> dict[str, Path]:
    """Return the catalog's files of ``kinds``, as "icg", by name; of equal names the first kind."""
    found: dict[str, Path] = {}
    for folder, ending in map(KINDS.__getitem__, kinds):
        for path in sorted((catalog_dir() / folder).glob(f"*{ending}")):
            found.setdefault(path.stem, path)
    return found


@cache
def heap_entries() -> tuple[NamedHeaps, ...]:
    """Return one entry for each row of the catalog's table of games of heaps, named games first."""
    path = catalog_dir() / "heaps.csv"
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(_entry(row) for row in csv.DictReader(stream))


def heap_codes() -> dict[str, str]:
    """Return the code ("0.77") of each game of heaps that has a title in the catalog, by name."""
    return {entry.name: entry.code for entry in heap_entries() if entry.title}


def looks_like_code(spec: str) -> bool:
    """Return whether ``spec`` is a code of heaps ("0.77") or the name of one; False for a file."""
    is_one = _LIKELY.fullmatch(spec) is not None or spec in heap_codes()
    return is_one and not is_file(spec)


def _entry(row: dict[str, str]) -> NamedHeaps:
    repeats = None
    if row["period"]:
        repeats = (int(row["preperiod"]), int(row["period"]), int(row["saltus"]))
    cited = tuple(row["cite"].split())
    return NamedHeaps(row["name"], row["code"], row["title"], repeats, cited)


def names() -> tuple[str, ...]:
    """Return the names of the catalog's impartial games without blocking, in alphabetical order."""
    return tuple(files("icg"))


def finite_names() -> tuple[str, ...]:
    """Return the names of the catalog's game descriptions (GDL), in alphabetical order."""
    return tuple(files("gdl"))


def find(name: str) -> Path | None:
    """Return the catalog's file of the impartial or pile game ``name``; None without one."""
    return files("icg", "blocking", "piles").get(name)


def entries(*kinds: str) -> Iterator[Entry]:
    """Parse the catalog files of ``kinds``, by default "icg", and yield entries sorted by name."""
    from icgsynth.spec.icg import parse

    for name, path in sorted(files(*(kinds or ["icg"])).items()):
        spec = parse(Source.read(path))
        yield Entry(name, spec.title, spec.constants, spec.citations)


def finite_entries(kind: str = "gdl") -> Iterator[Entry]:
    """Yield the finite games of ``kind`` "gdl" or "asp", titled by the comment at their start."""
    mark = {"gdl": ";", "asp": "%"}[kind]
    for name, path in files(kind).items():
        text = Source.read(path).text
        lines = takewhile(lambda line: line.startswith(mark), text.splitlines())
        comment = " ".join(line.lstrip(f"{mark} ") for line in lines)
        constants = tuple(_CONSTANT.findall(text)) if kind == "asp" else ()
        yield Entry(name, re.split(r"[.:](?: |$)", comment, maxsplit=1)[0], constants)


def resolve(spec: str, *kinds: str) -> Path:
    """Return the file of ``spec``: a path, a name of the catalog, or a path without its ending.

    ``-`` is standard input.  The name is looked for among the ``kinds`` in order, by default all:
    "icg", "blocking", "piles", "gdl", "asp"; so is the ending.  InputError where there is no file.
    """
    path, known = Path(spec), files(*(kinds or KINDS))
    if spec == "-":
        return STDIN
    if is_file(spec):
        return path
    if spec in known:
        return known[spec]
    for ending in dict.fromkeys([*(KINDS[kind][1] for kind in kinds or KINDS), ".pddl"]):
        if spec and is_file(spec + ending):
            return Path(spec + ending)
    with suppress(OSError):  # a name that is too long, or may not be looked at
        if spec and path.exists():
            return path  # a folder, a pipe: reading it will tell
    shown = "".join(c if c.isprintable() else "?" for c in spec[:80])
    near = did_you_mean(path.stem, known if kinds else (*known, *heap_codes()))
    dots = "..." if len(spec) > 80 else ""
    message = f"there is no file and no catalog game '{shown}{dots}'"
    mend = near or "give a path or a catalog name;"
    raise InputError(message, mend=f"{mend} 'icgsynth list' shows the catalog")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Return "did you mean ..?" with up to three ``known`` names like ``word``; "" without any."""
    names = {name.lower(): name for name in known}
    written = word[:80].lower()
    if written in names:
        return f"did you mean {names[written]}?"
    close = get_close_matches(written, names, 3, 0.5)
    near = [names[name] for name in close] or _by_title(written, frozenset(known))
    return f"did you mean {' or '.join(near[:3])}?" if near else ""


def _by_title(written: str, known: Collection[str]) -> list[str]:
    """Return the ``known`` names of games whose title has a word similar to ``written``."""
    letters = re.sub(r"[^a-z]", "", written)
    if len(letters) < _LETTERS:
        return []
    titles = {e.name: e.title.lower() for e in (*finite_entries(), *entries()) if e.name in known}
    words = {name: re.findall(r"[a-z]+", title) for name, title in titles.items()}
    return [name for name in words if get_close_matches(letters, words[name], 1, 0.66)]
