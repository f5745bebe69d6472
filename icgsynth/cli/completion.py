"""What the shell offers for GAME and SPEC: names of the catalog, and files.

A shell starts the program anew at each press of the key, so no rules are read for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import click
from click.shell_completion import CompletionItem

from icgsynth.spec.heap_names import files, heap_codes

Completer: TypeAlias = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

BOARDS = ("bottom", "connect", "tictactoe")  # the games of lines that ``starts`` and ``play`` know


def complete_names(*kinds: str) -> Completer:
    """Completes names of the ``kinds``, and files.

    A kind is "icg" (games and families), "heaps" (games of heaps that split), "gdl" or "asp"
    (finite games), or "boards" (games of lines).
    """

    def complete(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
        fitting = sorted(
            {name for kind in kinds for name in _names(kind) if name.startswith(begun)}
        )
        return [CompletionItem(begun, type="file"), *map(CompletionItem, fitting)]

    return complete


def _names(kind: str) -> Iterator[str]:
    if kind == "boards":
        yield from BOARDS
    elif kind == "heaps":
        yield from heap_codes()
    else:
        yield from files(kind)
