"""The catalog: the ``.icg`` files that come with the package, by name.

They stand in the repository's top-level ``specs/``; a distribution carries them as the
data of ``icgsynth.specs``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.logic.term import Term
from icgsynth.spec.heap_names import catalog_dir, heap_codes
from icgsynth.spec.icg import parse
from icgsynth.spec.source import STDIN, Source

__all__ = [
    "Entry",
    "entries",
    "find",
    "finite_entries",
    "finite_names",
    "names",
    "resolve",
    "resolve_finite",
]


@dataclass(frozen=True, slots=True)
class Entry:
    """What ``icgsynth list`` tells of one game or family."""

    name: str
    title: str
    constants: tuple[tuple[str, Term], ...] = ()
    citations: tuple[str, ...] = ()


def names() -> tuple[str, ...]:
    """The names of the catalog, in alphabetical order."""
    return tuple(sorted(path.stem for path in catalog_dir().glob("*.icg")))


def find(name: str) -> Path | None:
    """The file of a catalog name; None if there is none."""
    return catalog_dir() / f"{name}.icg" if name in names() else None


def entries() -> Iterator[Entry]:
    """The catalog in order, each file parsed when its turn comes."""
    folder = catalog_dir()
    for name in names():
        spec = parse(Source.read(folder / f"{name}.icg"))
        yield Entry(name, spec.title, spec.constants, spec.citations)


def finite_names() -> tuple[str, ...]:
    """The names of the catalog's game descriptions (GDL), in alphabetical order."""
    return tuple(sorted(path.stem for path in (catalog_dir() / "gdl").glob("*.kif")))


def finite_entries() -> Iterator[Entry]:
    """The game descriptions in order; a title is the first sentence of the file's comment."""
    for name in finite_names():
        text = Source.read(catalog_dir() / "gdl" / f"{name}.kif").text
        lines = takewhile(lambda line: line.startswith(";"), text.splitlines())
        comment = " ".join(line.lstrip("; ") for line in lines)
        yield Entry(name, re.split(r"[.:](?: |$)", comment, maxsplit=1)[0])


def resolve(spec: str) -> Path:
    """The file that a command's SPEC means: a path that exists, else a catalog name.

    ``-`` is standard input.
    """
    return _resolved(spec, find(spec), (*names(), *heap_codes()))


def resolve_finite(spec: str) -> Path:
    """The same for a finite game: a name may also mean a game description or an encoding.

    Where several have the name, GDL comes first, then ``.icg``, then ``.lp``.
    """
    described = catalog_dir() / "gdl" / f"{spec}.kif" if spec in finite_names() else None
    encodings = {path.stem: path for path in (catalog_dir() / "asp").glob("*.lp")}
    known = (*finite_names(), *names(), *encodings)
    return _resolved(spec, described or find(spec) or encodings.get(spec), known)


def _resolved(spec: str, found: Path | None, known: tuple[str, ...]) -> Path:
    path = Path(spec)
    if spec == "-":
        return STDIN
    if _holds(path.is_file):
        return path
    if found is not None:
        return found
    if spec and _holds(path.exists):
        return path  # a folder, a pipe: reading it will tell
    close = get_close_matches(path.stem[:80], known, 3, 0.5)
    mend = f"did you mean {' or '.join(close)}?" if close else "give a path or a catalog name;"
    shown = "".join(c if c.isprintable() else "?" for c in spec[:80])
    dots = "..." if len(spec) > 80 else ""
    message = f"there is no file and no catalog game '{shown}{dots}'"
    raise InputError(message, mend=f"{mend} 'icgsynth list' shows the catalog")


def _holds(test: Callable[[], bool]) -> bool:
    """A question about a path; no, where the path is too long or may not be looked at."""
    try:
        return test()
    except OSError:
        return False
