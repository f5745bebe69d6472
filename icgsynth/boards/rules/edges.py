"""Graphs as games: a file of edges, read as a :class:`~icgsynth.boards.finite.graph.GraphGame`.

Who is to move moves along an edge.  Three formats are read: lines ``a b`` (also ``a -> b``, and
``a: b c`` for all moves of a node), CSV with two columns, and DOT (``digraph { a -> b }``; an edge
``a -- b`` of a ``graph`` leads both ways).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TypeAlias

from icgsynth.boards.finite.graph import GraphGame
from icgsynth.errors import InputError
from icgsynth.spec.source import MAX_DEPTH, Source

MOST_EDGES = 2_000_000  # edges of one graph, as of subgraphs in DOT; a file's bytes end sooner
ENDINGS = (".edges", ".csv", ".tsv", ".dot", ".gv")
"""The endings of files that are graphs."""

DOT_WORDS = ("digraph", "graph", "strict", "subgraph", "node", "edge")  # no names unless quoted
_Edge: TypeAlias = tuple[str, str | None]  # without a target: a node alone
_LINE = re.compile(
    r'[\s,;]+|(?<!\S)(?:#|%|//).*|(?P<quoted>"(?:[^"\\]|\\.)*"(?=[\s,;:]|->|$))'
    r'|(?P<sign>->|:)|(?P<word>(?:(?!->)[^\s,;:"])++(?!"))|(?P<odd>.)'
)
_SHAPES = re.compile("name->name|name:(name)*")  # of the tokens of a line, beside one or two names
_LINES = "write 'a b' for one edge, or 'a: b c' for all; names with signs stand in \"\""
_HEADS = {("source", "target"), ("from", "to"), ("tail", "head"), ("u", "v")}
_DOT = re.compile(
    r'\s+|//[^\n]*|^#[^\n]*|/\*.*?\*/|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<edge>-[->])'
    r"|(?P<sign>[{}\[\];,=:])|(?P<word>-?[\w.]+(?:-(?![->])[\w.]*)*)"
    r"|(?P<html><(?:[^<>]|<[^<>]*>)*>)|(?P<odd>.)",
    re.DOTALL | re.MULTILINE,
)
_DOT_NAME = re.compile(r"[^\W\d]\w*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)")
_QUOTE = 'write a -> b, and put names with other signs in ""'


def read_graph(source: Source) -> GraphGame:
    """Return the graph that a text describes, in the format told by its file name or first word.
    :class:`~icgsynth.errors.InputError` with the place of a fault, and where there is no edge."""
    ending = Path(source.name).suffix.lower()
    first = re.match(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?\*/)*(\w*)", source.text, re.DOTALL)
    if ending in (".dot", ".gv") or (first is not None and first[1].lower() in DOT_WORDS[:3]):
        edges: Iterator[_Edge] = _Dot(source).edges()
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
        tokens = [found for found in _LINE.finditer(line) if found.lastgroup]
        names = [_name(found) for found in tokens if found.lastgroup in ("word", "quoted")]
        # Most lines are one name, a node, or two, an edge: these need no look at their shape.
        if len(names) < len(tokens) or len(names) > 2:
            _require_shape(source, tokens, start)
        if names:
            yield names[0], None
            yield from ((names[0], head) for head in names[1:])
        start += len(line) + 1


def _require_shape(source: Source, tokens: list[re.Match[str]], start: int) -> None:
    """Raise InputError unless a line's ``tokens`` are one edge, or a node and all its moves.
    ``start`` is the line's offset in the text."""
    shape = "".join(
        "name" if found.lastgroup in ("word", "quoted") else found[0] for found in tokens
    )
    if _SHAPES.fullmatch(shape):
        return
    message, at = f"{len(tokens)} names in a line, and an edge has two", tokens[-1]
    if signs := [found for found in tokens if found["sign"] or found["odd"]]:
        at = next((found for found in signs if found["odd"]), signs[-1])
        message = f"unexpected {at[0]!r}"
    raise source.error(message, start + at.start(), _LINES)


def _name(token: re.Match[str]) -> str:
    return token[0][1:-1].replace('\\"', '"') if token["quoted"] else token[0]


def _of_table(source: Source) -> Iterator[_Edge]:
    lines = source.text.split("\n")
    mark = next((mark for mark in ("\t", ";", ",") if mark in lines[0]), ",")
    rows = csv.reader(StringIO(source.text), delimiter=mark, strict=True)

    def fault(message: str) -> InputError:
        # A cell in quotes may hold line ends: the place is where its last line begins.
        start = sum(len(line) + 1 for line in lines[: rows.line_num - 1])
        return source.error(message, start, "write 'a,b' a row")

    head: list[str] = []  # the first row, if it names the columns: all but the two are passed over
    try:
        for number, row in enumerate(rows):
            cells = [cell.strip() for cell in row]
            if number == 0 and tuple(map(str.lower, cells[:2])) in _HEADS:
                head = [cell for cell in cells if cell]
            elif any(cells) and not cells[0]:
                raise fault("a row whose first cell is empty")
            elif any(cells[2:]) and not head:
                raise fault("more than two cells in a row, under no first row 'from,to,..'")
            elif len(head) == 2 and not set(head).isdisjoint(cells[:2]):
                mend = "if it is an edge, move it down; if not, write other names, as tail,head"
                raise source.error(f"{','.join(head)} may be an edge or names of columns", 0, mend)
            elif any(cells):
                yield cells[0], cells[1] if len(cells) > 1 and cells[1] else None
    except csv.Error as error:
        raise fault(f"no table: {error}") from None


@dataclass
class _Group:
    """The nodes of a DOT subgraph, and the named subgraphs inside it."""

    nodes: dict[str, None] = field(default_factory=dict)
    parts: dict[str, _Group] = field(default_factory=dict)


class _Dot:
    """A DOT parser; an edge to or from a subgraph is one edge for each node of the subgraph."""

    def __init__(self, source: Source) -> None:
        self.source, self.at, self.depth = source, 0, 0
        self.tokens = [found for found in _DOT.finditer(source.text) if found.lastgroup]
        self.arrow = "->"

    def edges(self) -> Iterator[_Edge]:
        """Yield all edges (tail, head) of the DOT text, and each node as (name, None).  Attributes
        and ports are passed over; InputError with the place of a fault."""
        self._take("strict")
        if self._take("graph"):
            self.arrow = "--"
        elif not self._take("digraph"):
            raise self._fault("'graph' or 'digraph' is missing", "write digraph { a -> b }")
        if self._text() not in ("{", ""):
            self._name()
        yield from self._body(_Group())
        if text := self._text():
            raise self._fault(f"{text!r} after the graph", "keep one graph in a file")

    def _body(self, group: _Group) -> Iterator[_Edge]:
        opened = self.at
        if not self._take("{"):
            raise self._fault("'{' is missing", "write { a b } around what belongs together")
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self._fault(f"more than {MAX_DEPTH} '{{' within each other", "use fewer", opened)
        while not self._take("}"):
            if not self._text():
                raise self._fault("'{' is never closed", "add '}'", opened)
            yield from self._statement(group)
            self._take(";")
        self.depth -= 1

    def _statement(self, group: _Group) -> Iterator[_Edge]:
        if self._text(1) == "=":
            self._attribute()
        elif self._text().lower() in ("node", "edge", "graph") and self._text(1) == "[":
            self.at += 1
        else:
            tails = yield from self._ends(group)
            # a -> b -> c: the heads of one edge are the tails of the next.
            while self._take(self.arrow):
                heads = yield from self._ends(group)
                yield from ((a, b) for a in tails for b in heads)
                if self.arrow == "--":
                    yield from ((b, a) for a in tails for b in heads)
                tails = heads
            if self._text() in ("->", "--"):
                kind = "digraph" if self.arrow == "->" else "graph"
                raise self._fault(f"unexpected {self._text()!r}", f"in a {kind} write {self.arrow}")
        while self._take("["):
            while not self._take("]"):
                self._attribute()
                if not self._take(","):
                    self._take(";")

    def _ends(self, group: _Group) -> Generator[_Edge, None, Collection[str]]:
        """Parse one end of an edge, a node or a subgraph; yield its edges and return its nodes,
        which are added to ``group``."""
        if self._take("subgraph") or self._text() == "{":
            inner = _Group()
            if self._text() != "{":
                # A subgraph that is named again is the same one, and gets more nodes.
                inner = group.parts.setdefault(self._name(), inner)
            yield from self._body(inner)
            group.nodes |= inner.nodes
            return inner.nodes
        name = self._name()
        if self._take(":"):  # a port, and a point of the compass
            self._name()
            if self._take(":"):
                self._name()
        group.nodes[name] = None
        yield name, None
        return [name]

    def _attribute(self) -> None:
        self._name()
        if self._take("="):
            self._name()

    def _name(self) -> str:
        text = self._text()
        if not text or self.tokens[self.at].lastgroup not in ("word", "quoted", "html"):
            raise self._fault(f"unexpected {text!r}" if text else "a name is missing", _QUOTE)
        token = self.tokens[self.at]
        if text.lower() in DOT_WORDS:
            raise self._fault(f"{text!r} is a word of DOT, no name", f'write "{text}"')
        if token["word"] and not _DOT_NAME.fullmatch(text):
            raise self._fault(f"{text!r} is no name", f'write "{text}"')
        self.at += 1
        return _name(token)

    def _take(self, text: str) -> bool:
        """Return whether the next token is ``text``; if it is, move past the token."""
        found = self._text().lower() == text
        self.at += found
        return found

    def _text(self, beyond: int = 0) -> str:
        at = self.at + beyond
        return self.tokens[at].group() if at < len(self.tokens) else ""

    def _fault(self, message: str, mend: str, at: int | None = None) -> InputError:
        at = self.at if at is None else at
        if at < len(self.tokens):
            return self.source.error(message, self.tokens[at].start(), mend)
        return self.source.error(message, self.tokens[-1].end() if self.tokens else 0, mend)
