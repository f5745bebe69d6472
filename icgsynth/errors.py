"""The exceptions of this package, all derived from :class:`IcgError`.

An error that people caused says where, and how to mend it; an error about a
game carries the state that shows it.  Exit codes live in ``cli``, not here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_EXCERPT = 72  # characters of a line that are shown: with the margin, a terminal's width
_WORD = 200  # characters without a blank, as in the path of a file; an echoed word is cut there
_MOST_FAULTS = 10  # shown of one text
_MESSAGE = 1_000  # characters: some ten lines of a terminal


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text: 1-based line and column, counted in characters."""

    source: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"

    def excerpt(self) -> str:
        """Return the line with a caret below the column; a long line is cut around the column."""
        start = max(0, self.column - 1 - _EXCERPT // 2) if len(self.text) > _EXCERPT else 0
        stop = start + _EXCERPT
        shown = "".join(c if c.isprintable() else "?" for c in self.text[start:stop].expandtabs(1))
        head = "..." if start else ""
        tail = "..." if stop < len(self.text) else ""
        caret = " " * (len(head) + max(0, self.column - 1 - start)) + "^"
        return f"    {head}{shown}{tail}\n    {caret}"


def legible(text: str) -> str:
    """Return ``text`` fit for a terminal: without control characters, long words and texts cut.

    What a message echoes of a file may be of any length, and may hold escape sequences.
    """
    plain = "".join(c if c.isprintable() or c == "\n" else "?" for c in text)
    cut = re.sub(rf"(\S{{{_WORD}}})\S+", r"\1...", plain)
    return cut if len(cut) <= _MESSAGE else f"{cut[:_MESSAGE]}..."


class IcgError(Exception):
    """The root of all errors that this package raises on purpose."""


class InputError(IcgError):
    """Bad input or usage: a message, perhaps the place in a text, and advice how to mend it."""

    def __init__(self, message: str, span: Span | None = None, mend: str = "") -> None:
        self.message = legible(message)
        super().__init__(self.message)
        self.span = span
        self.mend = legible(mend)

    def __str__(self) -> str:
        lines = [f"{self.span}: {self.message}" if self.span else self.message]
        if self.span is not None:
            lines.append(self.span.excerpt())
        if self.mend:
            lines.append(f"  {self.mend}")
        return "\n".join(lines)


class Faults(InputError):
    """Several input errors in one text; message, place and mend are those of the first error."""

    def __init__(self, faults: Sequence[InputError]) -> None:
        first = faults[0]
        super().__init__(first.message, first.span, first.mend)
        self.faults = tuple(faults)

    def __str__(self) -> str:
        shown = [str(fault) for fault in self.faults[:_MOST_FAULTS]]
        if (more := len(self.faults) - len(shown)) > 0:
            shown.append(f"and {more:,} more")
        return "\n".join(shown)


def all_faults(found: Sequence[InputError]) -> InputError:
    """Return one error for all errors ``found``, one or more, in their order."""
    return found[0] if len(found) == 1 else Faults(found)


class OutsideLogic(InputError):
    """A term that is not linear integer arithmetic."""


class IllegalMove(IcgError):
    """A move that does not apply, or a state that is not legal."""


class Refused(IcgError):
    """A request that is well formed but cannot be carried out, with the reason."""


class CannotExpress(Refused):
    """An answer lacks what a format shows, or the format cannot say it."""


class Unproved(IcgError):
    """A proof, or a relation that was built for one, fails its check; nothing is proved."""


class FalseClaim(IcgError):
    """The claim of a file is false; the message has the state or number that shows it."""


class OutOfReach(Refused):
    """A question needs more time, memory or cases than its limits allow; nothing is claimed."""


class TooLarge(OutOfReach):
    """There are more cases, elements or states than a limit allows; more time does not help."""


class NotFound(OutOfReach):
    """A search tried all its candidates and found no answer."""


class Unconfirmed(OutOfReach):
    """A second engine does not confirm what the first one found."""


class BudgetSpent(IcgError):
    """Time or memory ran out; nothing is claimed."""
