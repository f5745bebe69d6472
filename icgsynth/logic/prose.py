"""Plain text around formulas: paragraphs in lines, and names with their numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

WIDTH = 96  # characters of a line


def wrapped(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """``text`` in lines of ``width`` characters that do not break around ``=``.

    The first line begins with ``first``, and the others with ``rest``: by default blanks, so that
    they stand under the first.  A word that is longer than a line stays whole, and of no text
    there is ``first`` alone.
    """
    rest = " " * len(first) if rest is None else rest
    tied = text.replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    lines = textwrap.wrap(
        tied,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [first]


def equalities(pairs: Iterable[tuple[str, object]]) -> str:
    """``a = 7, b = 3``."""
    return ", ".join(f"{name} = {value}" for name, value in pairs)
