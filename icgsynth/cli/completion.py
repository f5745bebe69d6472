"""Shell completion of the arguments GAME and SPEC: names of the catalog, and files.

A shell starts the program anew at each press of the key, so no rules are read for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

from icgsynth.spec.catalog import files, heap_codes

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_CONSTANT = re.compile(r"^#?const\s+(\w+)\s*=\s*(-?\d+)", re.MULTILINE)
BOARDS = ("bottom", "connect", "tictactoe")  # the games of lines that ``starts`` and ``play`` know


def complete_names(*kinds: str) -> Completer:
    """Return a function that completes a word to catalog names of the ``kinds``, and to files.

    A kind is "icg" (games and families), "heaps" (games of heaps that split), "gdl" or "asp"
    (finite games), or "boards" (games of lines).
    """

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        fitting = sorted(
            {name for kind in kinds for name in _names(kind) if name.startswith(begun)}
        )
        return [CompletionItem(begun, type="file"), *map(CompletionItem, fitting)]

    return complete


def complete_constants(
    context: click.Context, _: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Return completions of ``begun``: constants of the named game with defaults, ``n=3``."""
    words = [context.params.get("spec"), context.params.get("game"), *context.args]
    named = next((str(word) for word in words if word), "")
    path = files("icg", "asp").get(named, Path(named))
    rules = path.read_text("utf-8", "replace") if path.is_file() else ""
    found = (f"{name}={value}" for name, value in _CONSTANT.findall(rules))
    return [CompletionItem(each) for each in found if each.startswith(begun)]


def _names(kind: str) -> Iterator[str]:
    if kind == "boards":
        yield from BOARDS
    elif kind == "heaps":
        yield from heap_codes()
    else:
        yield from files(kind)
