"""Expressions as text: each piece knows how tightly it binds, so parentheses come by themselves.

Every printer (this language, LaTeX, Python) has its own numbers for binding strength, loosest
first, for the languages differ in what binds tighter; what they share is here.  Minus signs are
shared too: see ``summands`` and ``added`` of :mod:`icgsynth.logic.term`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Written(NamedTuple):
    """The text of an expression, and the binding strength of its outermost operator.

    ``depth`` is how deep it nests, for a printer that counts it.
    """

    text: str
    strength: int
    depth: int = 0

    def at(self, at_least: int) -> str:
        """The text, in parentheses if it binds looser than ``at_least``."""
        return self.text if self.strength >= at_least else f"({self.text})"


def join_texts(pieces: Iterable[Written]) -> str:
    """Join the texts of ``pieces`` with commas; between commas none needs parentheses."""
    return ", ".join([piece.text for piece in pieces])
