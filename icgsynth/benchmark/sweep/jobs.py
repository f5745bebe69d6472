"""Find the jobs of a sweep: the game files that globs, folders and catalog names mean, by rule."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from icgsynth.benchmark.sweep.record import Limits
from icgsynth.errors import InputError
from icgsynth.game.game import PlayRule
from icgsynth.spec.catalog import find as find_in_catalog
from icgsynth.spec.catalog import resolve

SUFFIXES = (".icg", ".pddl")
FINITE = (".kif", ".lp")  # finite games, whose own rules say who wins


@dataclass(frozen=True, slots=True)
class Job:
    """A game file to solve under one rule; ``rule`` is None for a finite game."""

    file: str  # the name that it was given under
    path: str  # where it is
    family: str
    rule: PlayRule | None
    sha256: str  # hash of its bytes in hexadecimal, "" where they cannot be read

    def message(self, limits: Limits) -> dict[str, Any]:
        """Return all that a process needs for the job; ``text`` is None for an unreadable file."""
        data, reason = _read(self.path)
        message: dict[str, Any] = {
            "file": self.file,
            "family": self.family,
            "rule": self.rule,
            "sha256": _hash(data),
            "timeout": limits.timeout,
            "memory": limits.memory,
            # Bytes that are not UTF-8 travel as surrogates, and are complained about there.
            "text": None if data is None else data.decode("utf-8", "surrogateescape"),
        }
        if data is None:
            message["reason"] = f"{self.file}: {reason}"
        return message


def messages(jobs: Iterable[Job], limits: Limits) -> Iterator[dict[str, Any]]:
    """Yield the message of each of ``jobs``; a game file is read only when its turn comes."""
    return (job.message(limits) for job in jobs)


def find(
    named: Sequence[str],
    rules: Sequence[PlayRule],
    results: Path,
    warn: Callable[[str], None] = lambda _: None,
) -> Iterator[Job]:
    """Yield the jobs that command-line arguments mean: one for each file and each of ``rules``.

    ``named`` has the arguments.  Each file comes once, in their order and sorted within each.  A
    file of ``results`` is no game.  ``warn`` gets a sentence for each file that is left out. Raises
    :class:`InputError` where nothing is found, or where an argument that is no pattern names
    nothing.
    """
    seen: set[str] = set()
    idle: list[str] = []
    for each in named:
        found = False
        for file, path, family in _find_named(each):
            if _is_same(path, results):
                continue
            found = True
            if file in seen:
                continue
            seen.add(file)
            sha256 = _hash(_read(path)[0])
            for rule in [None] if path.endswith(FINITE) else rules:
                yield Job(file, path, family, rule, sha256)
        if not found:
            idle.append(each)
    if not seen:
        raise InputError(
            "no spec file is named by " + ", ".join(f"'{_show(n)}'" for n in named[:5]),
            mend="give files, folders with .icg, .pddl, .kif or .lp files below them, patterns "
            "such as 'games/**/*.icg', or catalog names ('icgsynth list')",
        )
    for each in idle:
        warn(f"no spec file is named by '{_show(each)}'")


def _find_named(given: str) -> Iterator[tuple[str, str, str]]:
    """Yield (name, path, family) of each game file that one command-line argument names."""
    if not _exists(given):
        if glob.has_magic(given):
            yield from _matches(given)
            return
        if find_in_catalog(given) is not None:
            yield given, str(find_in_catalog(given)), "catalog"
            return
        resolve(given)  # raises, with the names that are close
    for path in spec_files(given, SUFFIXES + FINITE):
        yield path, path, _family(path)


def _matches(pattern: str) -> Iterator[tuple[str, str, str]]:
    suffix = Path(pattern).suffix
    any_file = suffix != "" and not glob.has_magic(suffix)  # the pattern itself says which
    # Not pathlib: this is to match what the shell matches, folders with odd names included.
    for match in sorted(glob.iglob(_escape_existing(pattern), recursive=True)):  # noqa: PTH207
        is_folder = Path(match).is_dir()
        if is_folder or any_file or match.endswith(SUFFIXES + FINITE):
            for path in spec_files(match, SUFFIXES + FINITE):
                yield path, path, _family(path)


def _escape_existing(pattern: str) -> str:
    """Return a glob ``pattern`` with the parts escaped that name existing files as they stand."""
    parts = Path(pattern).parts
    escaped = Path()
    for i, part in enumerate(parts):
        is_literal = _exists(str(Path(*parts[: i + 1])))
        escaped /= glob.escape(part) if is_literal else part
    return str(escaped)


def spec_files(path: str, suffixes: tuple[str, ...] = SUFFIXES) -> Iterator[str]:
    """Yield the file ``path``, or the files with ``suffixes`` below the folder; no hidden ones."""
    if Path(path).is_file():
        yield str(Path(path))
        return
    for folder, below, names in os.walk(path):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            if name.endswith(suffixes) and not name.startswith("."):
                yield str(Path(folder, name))


def _family(path: str) -> str:
    return Path(path).absolute().parent.name


def _exists(path: str) -> bool:
    try:
        return path != "" and Path(path).exists()
    except (OSError, ValueError):  # too long, or not to be looked at
        return False


def _is_same(path: str, other: Path) -> bool:
    try:
        return other.samefile(path)
    except OSError:
        return False


def _read(path: str) -> tuple[bytes | None, str]:
    """Return the bytes of a file and an empty reason; None and the reason if unreadable."""
    try:
        return Path(path).read_bytes(), ""
    except OSError as error:
        return None, (error.strerror or "cannot be read").lower()


def _hash(data: bytes | None) -> str:
    return "" if data is None else hashlib.sha256(data).hexdigest()


def _show(name: str) -> str:
    text = "".join(c if c.isprintable() else "?" for c in name[:80])
    return text + ("..." if len(name) > 80 else "")
