"""A dialogue with whoever sits at the keyboard."""

from __future__ import annotations

import sys

__all__ = ["Quit", "ask"]


class Quit(Exception):
    """The person has left, or the input has ended."""


def ask(prompt: str) -> str:
    """A line, stripped; :class:`Quit` where there is none, or it says so."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line or line.strip() in ("quit", "q", "exit"):
        raise Quit
    return line.strip()
