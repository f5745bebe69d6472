"""Keep answers that tests share: each is made once, for all workers, and kept between runs.

``stored("stages nim2", make, room="solve")`` is what ``make()`` gives, from whichever worker made
it first, or from an earlier run.  The name of what is kept has a digest of the sources in it: of
that room and of the rooms that it may use, of the catalog, and of the versions of the libraries
that decide and search.  When one of them changes, it is made again.  So a test that looks at what
is done *with* an answer does not wait for it; a test of how it is found calls the search itself.

The folder is ``tests`` in the user's cache; ``ICGSYNTH_TEST_STORE`` names another one.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import tomllib
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from shutil import rmtree
from typing import TypeVar

from costs import make_for_all, spent
from figures import WINGS

from icgsynth.process.compiled import user_cache

ROOT = Path(__file__).parents[1]
FOLDER = "ICGSYNTH_TEST_STORE"
LIBRARIES = ("clingo", "islpy", "numba", "numpy", "pynauty", "python-sat", "z3-solver")
KEPT = 8  # versions of the sources whose answers are kept

T = TypeVar("T")


@cache
def rooms() -> tuple[str, ...]:
    """Return the rooms of the core, each after those it may use, as ``pyproject.toml`` says."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = next(c["layers"] for c in settings["contracts"] if c["type"] == "layers")
    return tuple(room for layer in reversed(layers) for room in layer.split(" | "))


@cache
def digest(room: str) -> str:
    """Return a hash of all that may decide what ``room`` computes: sources and library versions.

    What is known of families and of heaps is asked for wherever a game is solved; "wings" are all.
    """
    core = rooms()
    above = room == "wings" or room in ("subjects", "cli")
    below = [*core, *WINGS] if above else [*core[: core.index(room) + 1], "families", "heaps"]
    paths = [p for name in below for p in (ROOT / "icgsynth" / name).rglob("*") if p.is_file()]
    paths += [ROOT / "icgsynth" / f"{name}.py" for name in (*below, "__init__")]
    paths += [p for p in (ROOT / "specs").rglob("*") if p.is_file()]
    total = sha256()
    for path in sorted(p for p in paths if p.exists() and p.suffix != ".pyc"):
        total.update(f"{path.relative_to(ROOT)}\0".encode() + sha256(path.read_bytes()).digest())
    for library in LIBRARIES:
        try:
            total.update(f"{library} {version(library)}\0".encode())
        except PackageNotFoundError:
            total.update(f"no {library}\0".encode())
    return total.hexdigest()[:16]


def _folder(room: str) -> Path:
    """Return where answers of today's ``room`` lie; the oldest other versions are deleted."""
    base = Path(os.environ.get(FOLDER) or user_cache() / "tests")
    folder = base / room / digest(room)
    if not folder.exists():
        folder.mkdir(parents=True)
        for old in sorted(folder.parent.iterdir(), key=lambda p: p.stat().st_mtime)[:-KEPT]:
            rmtree(old, ignore_errors=True)
    return folder


def stored(name: str, make: Callable[[], T], room: str) -> T:
    """Return what ``make()`` gives: made once for these sources of ``room``, and pickled.

    ``name`` says what it is, and of what; another worker that asks for it meanwhile waits.
    """
    kept = _folder(room) / f"{sha256(name.encode()).hexdigest()[:24]}.pickle"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept.exists():
            known: T = pickle.loads(kept.read_bytes())
            return known
        before = spent()
        found = make()
        make_for_all(name, spent() - before)
        aside = kept.with_suffix(f".{os.getpid()}")
        aside.write_bytes(pickle.dumps(found))
        aside.replace(kept)
    return found
