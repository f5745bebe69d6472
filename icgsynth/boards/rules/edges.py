"""Graphs as games: a file of edges, read as a :class:`~icgsynth.boards.finite.graph.GraphGame`.

Who is to move moves along an edge.  Three formats are read: lines ``a b`` (also ``a -> b``, and
``a: b c`` for all moves of a node), CSV with two columns, and DOT (``digraph { a -> b }``; an edge
``a -- b`` leads both ways).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from icgsynth.boards.finite.graph import GraphGame
from icgsynth.spec.source import Source

MOST_EDGES = 2_000_000  # edges of one graph: beyond, the explicit solver has no room
ENDINGS = (".edges", ".csv", ".tsv", ".dot", ".gv")
"""The endings of files that are graphs."""

DOT_WORDS = ("digraph", "graph", "strict")
_Edge: TypeAlias = tuple[str, str | None]  # without a target: a node alone
_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s,;:"]+)')
_COMMENT = re.compile(r"(?:^|\s)(?:#|%|//).*")
_HEADS = {("source", "target"), ("from", "to"), ("tail", "head"), ("u", "v")}
_DOT = re.compile(
    r'\s+|//[^\n]*|#[^\n]*|/\*.*?\*/|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<edge>-[->])'
    r"|(?P<sign>[{}\[\];,=:])|(?P<word>[^\s{}\[\];,=:\"-]+(?:-(?![->])[^\s{}\[\];,=:\"-]*)*)"
    r"|(?P<odd>.)",
    re.DOTALL,
)


def read_graph(source: Source) -> GraphGame:
    """The graph of a text, in the format that its name or its first word tells.

    :class:`~icgsynth.errors.InputError` with the place of a fault, and where there is no edge.
    """
    ending = Path(source.name).suffix.lower()
    first = re.match(r"(?:\s|//[^\n]*|#[^\n]*)*(\w*)", source.text)
    if ending in (".dot", ".gv") or (first is not None and first[1].lower() in DOT_WORDS):
        edges = _of_dot(source)
    elif ending in (".csv", ".tsv"):
        edges = _of_table(source)
    else:
        edges = _of_lines(source)
    nodes: dict[str, int] = {}
    pairs: list[tuple[int, int]] = []
    for tail, head in edges:
        at = nodes.setdefault(tail, len(nodes))
        if head is not None:
            pairs.append((at, nodes.setdefault(head, len(nodes))))
        if len(pairs) > MOST_EDGES:
            raise source.error(f"more than {MOST_EDGES:,} edges", 0, "take a part of the graph")
    if not pairs:
        raise source.error("there is no edge", 0, "write an edge a line, as in: a b")
    return GraphGame.of(Path(source.name).stem, tuple(nodes), pairs)


def _of_lines(source: Source) -> Iterator[_Edge]:
    start = 0
    for line in source.text.split("\n"):
        body = _COMMENT.sub("", line)
        node, colon, rest = body.partition(":")
        if colon and '"' not in node and len(node.split()) == 1:
            yield node.strip(), None
            yield from ((node.strip(), head) for head in _words(rest))
        else:
            words = _words(body.replace("->", " "))
            if len(words) > 2:
                message = f"{len(words)} names in a line, and an edge has two"
                raise source.error(message, start, "write 'a b' for one edge, or 'a: b c' for all")
            if words:
                yield words[0], words[1] if len(words) == 2 else None
        start += len(line) + 1


def _words(text: str) -> list[str]:
    return [found[1] or found[2] for found in _WORD.finditer(text)]


def _of_table(source: Source) -> Iterator[_Edge]:
    first = source.text.split("\n", 1)[0]
    mark = next((mark for mark in ("\t", ";", ",") if mark in first), ",")
    for number, row in enumerate(csv.reader(StringIO(source.text), delimiter=mark)):
        cells = [cell.strip() for cell in row]
        if not any(cells) or (number == 0 and tuple(map(str.lower, cells[:2])) in _HEADS):
            continue
        if not cells[0]:
            lines = source.text.split("\n")
            start = sum(len(line) + 1 for line in lines[:number])
            raise source.error("a row whose first cell is empty", start, "write 'a,b' a row")
        yield cells[0], cells[1] if len(cells) > 1 and cells[1] else None


def _of_dot(source: Source) -> Iterator[_Edge]:
    """The edges of a DOT text; attributes and the names of subgraphs are passed over."""
    tokens = [found for found in _DOT.finditer(source.text) if found.lastgroup]
    reader = _Dot(source, tokens)
    return reader.edges()


class _Dot:
    def __init__(self, source: Source, tokens: list[re.Match[str]]) -> None:
        self.source, self.tokens, self.at = source, tokens, 0

    def edges(self) -> Iterator[_Edge]:
        while self._text() and self._text() != "{":
            self.at += 1
        if not self._text():
            raise self.source.error("'{' is missing", 0, "write digraph { a -> b }")
        self.at += 1
        return iter(self._body()[0])

    def _body(self) -> tuple[list[_Edge], list[str]]:
        """The edges up to the closing brace, and the nodes that stand there."""
        edges: list[_Edge] = []
        nodes: list[str] = []
        before: list[str] = []
        both = None  # whether the edge that is open leads both ways
        while (text := self._text()) != "}":
            if not text:
                raise self.source.error("'{' is never closed", len(self.source.text), "add '}'")
            token = self.tokens[self.at]
            self.at += 1
            if token["odd"]:
                raise self.source.error(f"unexpected {text!r}", token.start(), 'put names in ""')
            if text == "[":
                self._skip()
            elif token["edge"]:
                both = text == "--"
            elif text == "{" or token["word"] or token["quoted"]:
                if token["word"] and text.lower() in ("node", "edge", "graph", "subgraph"):
                    continue
                if self._text() == "=":
                    self.at += 2
                    continue
                inner, group = self._body() if text == "{" else ([], [_name(token)])
                edges += inner or [(name, None) for name in group]
                if both is not None:
                    edges += [(a, b) for a in before for b in group]
                    edges += [(b, a) for a in before for b in group if both]
                before, both = group, None
                nodes += group
            elif text == ":":
                self.at += 1  # a port
        self.at += 1
        return edges, nodes

    def _skip(self) -> None:
        while self._text() not in ("]", ""):
            self.at += 1
        self.at += 1

    def _text(self) -> str:
        return self.tokens[self.at].group() if self.at < len(self.tokens) else ""


def _name(token: re.Match[str]) -> str:
    text = token.group()
    return text[1:-1].replace('\\"', '"') if token["quoted"] else text
