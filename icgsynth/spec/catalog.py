"""The catalog: the ``.icg`` files that come with the package, by name.

They stand in the repository's top-level ``specs/``; a distribution carries them as the
data of ``icgsynth.specs``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path

from icgsynth.errors import InputError
from icgsynth.logic import term as t
from icgsynth.spec.heap_names import catalog_dir, heap_codes
from icgsynth.spec.icg import parse
from icgsynth.spec.source import STDIN, Source

__all__ = [
    "FINITE_MEND",
    "Entry",
    "blocking_entries",
    "blocking_names",
    "did_you_mean",
    "entries",
    "find",
    "finite_entries",
    "finite_names",
    "names",
    "resolve",
    "resolve_finite",
]

FINITE_MEND = "'icgsynth fft synth {0}' finds a short strategy, 'icgsynth play {0}' plays it"
"""What takes a finite game, by its name or path."""

_LETTERS = 4  # of a word that is looked for in titles


@dataclass(frozen=True, slots=True)
class Entry:
    """What ``icgsynth list`` tells of one game or family."""

    name: str
    title: str
    constants: tuple[tuple[str, t.Term], ...] = ()
    citations: tuple[str, ...] = ()


def names() -> tuple[str, ...]:
    """The names of the catalog, in alphabetical order; without the blocking games."""
    return _names_in(catalog_dir())


def blocking_names() -> tuple[str, ...]:
    """The names of the blocking games, which few commands know."""
    return _names_in(catalog_dir() / "blocking")


def find(name: str) -> Path | None:
    """The file of a catalog name, that of a blocking game included; None if there is none."""
    if name in blocking_names():
        return catalog_dir() / "blocking" / f"{name}.icg"
    return catalog_dir() / f"{name}.icg" if name in names() else None


def entries() -> Iterator[Entry]:
    """The catalog in order, each file parsed when its turn comes."""
    return _entries(names())


def blocking_entries() -> Iterator[Entry]:
    """The same for the blocking games."""
    return _entries(blocking_names())


def _names_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in folder.glob("*.icg")))


def _entries(named: Iterable[str]) -> Iterator[Entry]:
    for path in filter(None, map(find, named)):
        spec = parse(Source.read(path))
        yield Entry(path.stem, spec.title, spec.constants, spec.citations)


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
    own = (*names(), *blocking_names(), *heap_codes())
    return _resolved(spec, find(spec), own, dict.fromkeys(_finite_files(), FINITE_MEND))


def resolve_finite(spec: str) -> Path:
    """The same for a finite game: a name may also mean a game description or an encoding.

    Where several have the name, GDL comes first, then ``.icg``, then ``.lp``.
    """
    described = catalog_dir() / "gdl" / f"{spec}.kif" if spec in finite_names() else None
    finite = _finite_files()
    found = described or find(spec) or finite.get(spec)
    return _resolved(spec, found, (*names(), *finite), {})


def _finite_files() -> dict[str, Path]:
    """The finite games of the catalog; a game description before an encoding of its name."""
    folders = [("asp", "*.lp"), ("gdl", "*.kif")]
    return {p.stem: p for folder, ends in folders for p in (catalog_dir() / folder).glob(ends)}


def _resolved(
    spec: str, found: Path | None, known: tuple[str, ...], others: Mapping[str, str]
) -> Path:
    """``others`` are names that mean something else, with what takes them."""
    path = Path(spec)
    if spec == "-":
        return STDIN
    if _holds(path.is_file):
        return path
    if found is not None:
        return found
    if spec and _holds(path.exists):
        return path  # a folder, a pipe: reading it will tell
    shown = "".join(c if c.isprintable() else "?" for c in spec[:80])
    if spec in others:
        message = f"{shown} is a finite game, and this command takes impartial games (.icg)"
        like = [name for name in known if name.startswith(spec)]
        mend = others[spec].format(shown) + (f"; or {_question(like)}" if like else "")
        raise InputError(message, mend=mend)
    near = did_you_mean(path.stem, (*known, *others))
    dots = "..." if len(spec) > 80 else ""
    message = f"there is no file and no catalog game '{shown}{dots}'"
    mend = near or "give a path or a catalog name;"
    raise InputError(message, mend=f"{mend} 'icgsynth list' shows the catalog")


def did_you_mean(word: str, known: Collection[str]) -> str:
    """A question for names that are like ``word``, the nearest first; empty where none is.

    Small and capital letters are alike.
    """
    names = {name.lower(): name for name in known}
    written = word[:80].lower()
    if written in names:
        return f"did you mean {names[written]}?"
    near = get_close_matches(written, names, 3, 0.5)
    return _question([names[name] for name in near] or _by_title(written, frozenset(known)))


def _question(near: Sequence[str]) -> str:
    return f"did you mean {' or '.join(near[:3])}?" if near else ""


def _by_title(written: str, known: Collection[str]) -> list[str]:
    """The names whose title has a word like it: what is not known by its name."""
    letters = re.sub(r"[^a-z]", "", written)
    if len(letters) < _LETTERS:
        return []
    titles = {e.name: e.title.lower() for e in (*finite_entries(), *entries()) if e.name in known}
    words = {name: re.findall(r"[a-z]+", title) for name, title in titles.items()}
    return [name for name in words if get_close_matches(letters, words[name], 1, 0.66)]


def _holds(test: Callable[[], bool]) -> bool:
    """A question about a path; no, where the path is too long or may not be looked at."""
    try:
        return test()
    except OSError:
        return False
