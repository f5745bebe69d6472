"""GDL in infix form, ``legal(x,m) :- true(a) & role(x)``: detect it, and convert it to KIF.

Names that begin with a capital letter are variables there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\s+|[%;#][^\n]*|(?P<token>:-|<=|[A-Za-z_0-9+]+|[(),&~.|])")
_STATEMENT = re.compile(r"[ \t]*[A-Za-z_]\w*\(.*\)[ \t]*(?:(?::-|<=).*|\.)?", re.ASCII)
_AND = re.compile(r"&\s*(?:~|[A-Za-z_]\w*\()", re.ASCII)
_WORDS = re.compile(r"\b(?:role|init|legal|next|goal|terminal)\b")


def looks_infix(text: str) -> bool:
    """Return whether ``text`` looks like infix GDL: its first statement is ``name(arguments)``, and
    it has a keyword such as ``legal``."""
    lines = (line for line in text.splitlines() if line.strip() and line.strip()[0] not in ";%#")
    first = next(lines, "")
    return _STATEMENT.fullmatch(first) is not None and _WORDS.search(text) is not None


def looks_like_clingo(text: str) -> bool:
    """Return whether infix ``text`` is clingo's: full stops at line ends, no ``& p(``, ``& ~``."""
    lines = (line.partition("%")[0].rstrip() for line in text.splitlines())
    return any(line.endswith(".") for line in lines) and _AND.search(text) is None


def prefix_form(text: str) -> Iterator[str]:
    """Yield the statements of infix GDL in prefix form (KIF), up to the first unreadable one."""
    tokens = [found["token"] for found in _TOKEN.finditer(text) if found["token"]]
    reader = _Reader(tokens)
    while reader.has_more:
        if (statement := reader.statement()) is None:
            return
        yield statement


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def has_more(self) -> bool:
        return self.at < len(self.tokens)

    def statement(self) -> str | None:
        """Return the next statement in prefix form; None where the rest cannot be read."""
        head = self._literal()
        if head is None or not (self._takes(":-") or self._takes("<=")):
            self._takes(".")
            return head
        body = [self._literal()]
        while self._takes("&") or self._takes(","):
            body.append(self._literal())
        self._takes(".")
        if None in body:
            return None
        return f"(<= {head} {' '.join(part for part in body if part)})"

    def _literal(self) -> str | None:
        if self._takes("~") or self._takes("not"):
            inner = self._literal()
            return None if inner is None else f"(not {inner})"
        if not self.has_more or not re.match(r"\w", self.tokens[self.at]):
            return None
        name = self.tokens[self.at]
        self.at += 1
        if not self._takes("("):
            return f"?{name.lower()}" if name[0].isupper() else name
        parts = [self._literal()]
        while self._takes(","):
            parts.append(self._literal())
        if None in parts or not self._takes(")"):
            return None
        return f"({' '.join([name, *(part for part in parts if part)])})"

    def _takes(self, token: str) -> bool:
        found = self.has_more and self.tokens[self.at] == token
        self.at += found
        return found
