"""A table-driven parser for LALR(1) grammars: characters -> tokens -> syntax tree.

The tables of the language of rules stand in ``icg.tables``; nothing else here depends on the
language.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

END = "$END"

TABLES = Path(__file__).with_name("icg.tables")
"""The file of tables, which ``python tests/grammar.py`` makes from the grammar ``icg.lark``."""


class Token(str):
    """A token of a text: ``start`` is its offset in characters, ``kind`` its terminal."""

    __slots__ = ("kind", "start")
    kind: str
    start: int

    @staticmethod
    def of(kind: str, text: str, start: int) -> Token:
        token = Token(text)
        token.kind, token.start = kind, start
        return token


class SyntaxTree(NamedTuple):
    """A node of a syntax tree: the name of its grammar rule, its parts, and its offset."""

    data: str
    children: list[Any]
    start: int


class Reduction(NamedTuple):
    """A reduction of the parser: ``length`` symbols become one, called ``symbol``."""

    symbol: str
    name: str | None  # of the tree; None for a list that another rule splices in
    length: int
    # Places of the symbols that the tree keeps: a negative number ~i for a list that is spliced
    # in, None for an optional part that is absent.
    parts: tuple[int | None, ...]
    collapses: bool  # a tree of one part is replaced by this part


class Unexpected(Exception):
    """A syntax error: a token that the grammar does not allow at its place.

    ``kinds`` are the terminals that are allowed.  The kind of ``token`` is "" where a character
    begins no token, and :data:`END` at the end of the text.
    """

    def __init__(self, token: Token, kinds: Sequence[str] = ()) -> None:
        super().__init__(str(token))
        self.token, self.kinds = token, kinds


class Tables(NamedTuple):
    """The tables of an LALR(1) parser and its scanner."""

    first: int
    last: int
    reductions: tuple[Reduction, ...]
    actions: Sequence[Mapping[str, int]]  # by state and terminal: next state, or ~r: reduction r
    gotos: Sequence[Mapping[str, int]]  # by state before a reduction and its symbol: next state
    token: str  # a regular expression with a group for each terminal
    words: Mapping[str, str]  # from reserved words to terminals
    infix: Mapping[str, str]
    spoken: Mapping[str, str]

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of ``text``; :class:`Unexpected` at a character that begins none.

        A word of ``infix`` is reserved between operands, and a name anywhere else.
        """
        words, infix, before = self.words, self.infix, ""
        for match in re.compile(self.token).finditer(text):
            kind = match.lastgroup
            if kind is None:
                return
            value, start = match[kind], match.start(kind)
            if kind == "unknown":
                raise Unexpected(Token.of("", value, start))
            if kind == "NAME":
                kind = words.get(value, kind)
                if value in infix and before in ("NAME", "INT", "RPAR"):
                    kind = infix[value]
            before = kind
            yield Token.of(kind, value, start)

    def parse(self, text: str) -> Any:
        """Return the syntax tree of ``text``, or its only token; raises :class:`Unexpected`."""
        states, values, starts = [self.first], list[Any](), list[int]()
        for token in self.tokens(text):
            self._reduce(states, values, starts, token)
            states.append(self.actions[states[-1]][token.kind])
            values.append(token)
            starts.append(token.start)
        self._reduce(states, values, starts, Token.of(END, "", len(text)))
        return values[0]

    def _reduce(
        self, states: list[int], values: list[Any], starts: list[int], token: Token
    ) -> None:
        """Reduce the three parallel stacks (``starts``: offsets) until ``token`` can be shifted.

        At the end of the text reduce until all is parsed.  Raises :class:`Unexpected`.
        """
        reductions, actions, gotos, kind = self.reductions, self.actions, self.gotos, token.kind
        while True:
            step = actions[states[-1]].get(kind)
            if step is None:
                raise Unexpected(token, self._possible(states))
            if step >= 0:
                return
            rule = reductions[~step]
            symbol, name, length, parts, collapses = rule
            if length == 1 and collapses:
                states.pop()  # the value stays
            else:
                start = starts[-length] if length else token.start
                value = _parts(values, len(values) - length, parts)
                if collapses and len(value) == 1:
                    node = value[0]
                else:
                    node = value if name is None else SyntaxTree(name, value, start)
                if length:
                    del states[-length:], values[-length:], starts[-length:]
                values.append(node)
                starts.append(start)
            states.append(gotos[states[-1]][symbol])
            if kind == END and states[-1] == self.last:
                return

    def _possible(self, states: Sequence[int]) -> list[str]:
        """Return the terminals that the parser accepts next, its stack being ``states``."""
        return [kind for kind in self.actions[states[-1]] if self._fits(list(states), kind)]

    def _fits(self, states: list[int], kind: str) -> bool:
        while True:
            step = self.actions[states[-1]].get(kind)
            if step is None or step >= 0:
                return step is not None
            rule = self.reductions[~step]
            if rule.length:
                del states[-rule.length :]
            states.append(self.gotos[states[-1]][rule.symbol])
            if kind == END and states[-1] == self.last:
                return True


def _parts(values: Sequence[Any], first: int, parts: Sequence[int | None]) -> list[Any]:
    """Return the children of a tree node; its symbols start at ``first`` of the stack ``values``.

    The children are, in order, for i in ``parts`` the value of symbol i, for ~i all items of the
    list that is the value of symbol i, and for None a None.
    """
    found: list[Any] = []
    for i, part in enumerate(parts):
        if part is None:
            found.append(None)
        elif part >= 0:
            found.append(values[first + part])
        elif i == 0:
            found = values[first + ~part]
        else:
            found += values[first + ~part]
    return found


@cache
def tables(start: str) -> Tables:
    """Load the tables of the parser with the start symbol ``start``; KeyError if unknown."""
    with TABLES.open(encoding="utf-8") as stream:
        next(stream)  # the first line tells what the tables are made from
        for line in stream:
            if line.startswith(f'["{start}"'):
                return of_json(line)
    raise KeyError(start)


def of_json(line: str) -> Tables:
    """Return the tables in one ``line`` of the file of tables, a JSON list."""
    (first, last, reductions), *rest = json.loads(line)[1:]
    rules = tuple(
        Reduction(symbol, name, length, tuple(parts), collapses)
        for symbol, name, length, parts, collapses in reductions
    )
    return Tables(first, last, rules, *rest)
