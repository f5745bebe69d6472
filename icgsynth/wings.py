"""Wings: folders of this package that add kinds of games, formats and commands to the core.

A wing has a file ``wing.json``.  Its ``modules`` tell for each sort of addition which module holds
it under which name, as a path of names below the wing's folder; its ``sentences`` are the first
sentences of the help of its commands.  Nothing of a wing is imported before it is asked for.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from icgsynth.errors import InputError


class Wing(NamedTuple):
    """The additions of one wing, as its file ``wing.json`` has them."""

    modules: Mapping[str, Mapping[str, str]]
    sentences: Mapping[str, str]


@cache
def wings() -> Mapping[str, Wing]:
    """Return the wings, optional folders of the package, by name in alphabetical order."""
    found = {}
    for path in sorted(Path(__file__).parent.glob("*/wing.json")):
        read = json.loads(path.read_text("utf-8"))
        found[path.parent.name] = Wing(read["modules"], read.get("sentences", {}))
    return found


def load(module: str) -> ModuleType:
    """Import the module with the dotted name ``module`` and return it."""
    return import_module(module)


def exists(module: str) -> bool:
    """Return whether there is a module with this dotted name; its package must exist."""
    return find_spec(module) is not None


def names(sort: str) -> tuple[str, ...]:
    """Return the names of what the wings (optional folders) add of one ``sort``, as "command"."""
    return tuple(name for wing in wings().values() for name in wing.modules.get(sort, ()))


def find(sort: str, name: str) -> ModuleType | None:
    """Return the module by which a wing adds ``name`` of a ``sort``, as "command"; None without."""
    package = __name__.rpartition(".")[0]
    for folder, wing in wings().items():
        if (module := wing.modules.get(sort, {}).get(name)) is not None:
            return load(f"{package}.{folder}.{module}")
    return None


def require(sort: str, name: str) -> ModuleType:
    """Return the module by which a wing adds ``name`` of a ``sort``; InputError if none does."""
    if (found := find(sort, name)) is None:
        message = f"this installation has no {sort} for {name}"
        raise InputError(message, mend="install all of icgsynth")
    return found


def lacking(needed: str, extra: str, instead: str = "") -> InputError:
    """Return an error with message ``needed`` and advice: install ``extra``, or do ``instead``."""
    return InputError(needed, mend=f"{installing(extra)}{', or ' * bool(instead)}{instead}")


def installing(extra: str) -> str:
    """Return the pip command that adds ``extra`` to this Python, from where icgsynth came from."""
    from urllib.parse import unquote, urlsplit

    package, told = __name__.rpartition(".")[0], _origin()
    url, clone = told.get("url", ""), Path(__file__).parents[1]
    place = unquote(urlsplit(url).path) if url.startswith("file:") else ""
    if not told and (clone / "pyproject.toml").is_file():  # run where it stands, not installed
        place = str(clone)
    wanted = f"{place if Path(place or ' ').exists() else package}[{extra}]"
    if url and not url.startswith("file:"):
        version = told.get("vcs_info", {})
        wanted += f" @ {version.get('vcs', '')}{'+' * bool(version)}{url}"
    editable = ["-e"] * bool(told.get("dir_info", {}).get("editable"))
    return shlex.join([sys.executable, "-m", "pip", "install", *editable, wanted])


def _origin() -> dict[str, Any]:
    """Return where pip took this package from (PEP 610): {} for an index, or without pip."""
    from importlib import metadata

    try:
        text = metadata.distribution(__name__.rpartition(".")[0]).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return {}
    return dict(json.loads(text or "{}"))


def every(sort: str) -> Iterator[ModuleType]:
    """Yield the modules that wings add of one ``sort``, each imported when its turn comes."""
    package = __name__.rpartition(".")[0]
    for folder, wing in wings().items():
        for module in wing.modules.get(sort, {}).values():
            yield load(f"{package}.{folder}.{module}")


def sentences() -> dict[str, str]:
    """Return the first sentence of the help of each command that a wing adds, by its name."""
    return {name: said for wing in wings().values() for name, said in wing.sentences.items()}
