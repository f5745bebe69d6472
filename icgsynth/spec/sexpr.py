"""Read S-expressions: text -> :class:`Symbol` and :class:`List`, each with its offset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from icgsynth.spec.source import MAX_DEPTH, MAX_DIGITS, Source, quoted

_TOKEN = re.compile(r"[ \t\r\n\f\v]+|;[^\n]*|(?P<token>[()]|[^ \t\r\n\f\v();]+)")
_TOO_LONG = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")


class Symbol(NamedTuple):
    """A name, number, keyword or operator; ``start`` is its character offset."""

    text: str
    start: int

    @property
    def word(self) -> str:
        """The text in small letters: keywords and operators ignore case."""
        return self.text.lower()


class List(NamedTuple):
    """A list in parentheses; ``start`` is the offset of the first parenthesis."""

    items: tuple[Symbol | List, ...]
    start: int

    @property
    def head(self) -> Symbol | None:
        """The symbol that the list starts with, such as a keyword; None where there is none."""
        first = self.items[0] if self.items else None
        return first if isinstance(first, Symbol) else None


Expr: TypeAlias = Symbol | List


def read_lists(source: Source, unmatched: str = "remove it, or open its list") -> Iterator[Expr]:
    """Parse ``source`` without recursion and yield its top-level lists and symbols in order.

    ``unmatched`` is the advice in the InputError for a parenthesis that closes no list.
    """
    open_lists: list[tuple[int, list[Expr]]] = []
    for match in _TOKEN.finditer(source.text):
        token, start = match["token"], match.start()
        if token is None:
            continue
        if token == "(":
            if len(open_lists) == MAX_DEPTH:
                message = f"nested more than {MAX_DEPTH} deep"
                raise source.error(message, start, "write it with fewer parentheses")
            open_lists.append((start, []))
            continue
        done: Expr
        if token != ")":
            done = _atom(source, token, start)
        elif open_lists:
            opened, items = open_lists.pop()
            done = List(tuple(items), opened)
        else:
            raise source.error("unmatched ')'", start, unmatched)
        if open_lists:
            open_lists[-1][1].append(done)
        else:
            yield done
    if open_lists:
        raise source.error("'(' is never closed", open_lists[-1][0], "add the ')' that is missing")


def _atom(source: Source, text: str, start: int) -> Symbol:
    if not text.isprintable():
        at = next(i for i, char in enumerate(text) if not char.isprintable())
        raise source.error(f"unexpected character {text[at]!r}", start + at, "remove it")
    if len(text) > MAX_DIGITS and (run := _TOO_LONG.search(text)):
        message = f"an integer of more than {MAX_DIGITS:,} digits"
        raise source.error(message, start + run.start(), "shorten it")
    return Symbol(text, start)


def show_expr(expr: Expr) -> str:
    """Return ``expr`` as short text for a message: a symbol in quotes, a list as '(head ...)'."""
    if isinstance(expr, Symbol):
        return quoted(expr.text)
    return f"'({expr.head.text[:40] if expr.head else ''} ...)'"
