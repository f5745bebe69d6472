"""Plain text around formulas: paragraphs in lines, and names with their numbers."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

WIDTH = 96  # characters of a line
_TIED = re.compile(" (=|!=|<=?|>=?|mod|div) ")


def wrapped(text: str, first: str = "", rest: str | None = None, width: int = WIDTH) -> list[str]:
    """``text`` in lines of ``width`` characters that do not break inside a comparison.

    The first line begins with ``first``, and the others with ``rest``: by default blanks, so that
    they stand under the first.  A word that is longer than a line stays whole, and of no text
    there is ``first`` alone.
    """
    rest = " " * len(first) if rest is None else rest
    lines = textwrap.wrap(
        tie(text),
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines] or [first]


def tie(text: str) -> str:
    """``text`` with blanks that do not break around ``=``, ``mod`` and their like."""
    return _TIED.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def equalities(pairs: Iterable[tuple[str, object]]) -> str:
    """``pairs`` as ``a = 7, b = 3``."""
    return ", ".join(f"{name} = {value}" for name, value in pairs)


def listing(items: Iterable[object], word: str = "and") -> str:
    """``items`` as ``a, b and c``, with ``word`` before the last."""
    *others, last = [*map(str, items)] or [""]
    return f"{', '.join(others)} {word} {last}" if others else last
