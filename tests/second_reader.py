"""A second reader of trees, an oracle of the first reader: nothing here is shared with it.

The first reader (:mod:`icgsynth.boards.rules.tree`) cuts a line into tokens and asks at each one
what may follow.  This one goes through the line character by character, and looks for what is
written in a table of all spellings of all names.  The two must come to the same rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from icgsynth.boards.finite.tree import Literal, TreeRule
from icgsynth.errors import InputError

_Piece = tuple[str, str]  # a kind ("name", "word" or "mark") and the text
_NOT, _AND, _ANYWAY = ("not", "!", "¬"), ("and", "&", "∧"), ("true", "always", "⊤")


def reread(name: str, text: str, facts: Sequence[str], actions: Sequence[str]) -> list[TreeRule]:
    """Return the rules of the tree in ``text``, those of meta-rules one by one.

    :class:`~icgsynth.errors.InputError` for what this reader cannot read.
    """
    reader = _Reader(name, _spellings(facts), _spellings(actions))
    if text.strip()[:1] in ("{", "["):
        value = json.loads(text)
        value = value.get("tree", value)
        single = [
            rule
            for item in value["strategy"]
            for rule in (item["rules"] if "meta" in item else [item])
        ]
        return [reader.of_json(rule) for rule in single]
    rules = []
    for line in text.split("\n"):
        pieces = list(_pieces(line))
        if pieces and not (pieces[0] == ("word", "meta") and pieces[-1] == ("mark", ":")):
            rules.append(reader.rule(pieces))
    return rules


def _pieces(line: str) -> Iterator[_Piece]:
    """Yield the quoted names, words and marks of ``line``, up to a comment."""
    at, word = 0, ""
    while at < len(line):
        letter = line[at]
        close = _closing(line, at + 1) if letter == "`" and not word else -1
        if close > at + 1:
            yield "name", line[at + 1 : close].replace("``", "`")
            at = close + 1
            continue
        if letter == "#":
            break
        if letter in "(),:" or letter.isspace():
            if word:
                yield "word", word
            word = ""
            if not letter.isspace():
                yield "mark", letter
        else:
            word += letter
        at += 1
    if word:
        yield "word", word


def _closing(line: str, at: int) -> int:
    """Return where the name from ``at`` on ends, at a backquote that is not doubled, or -1."""
    while (at := line.find("`", at)) >= 0:
        if line[at + 1 : at + 2] != "`":
            return at
        at += 2
    return -1


class _Reader:
    def __init__(
        self, name: str, facts: list[dict[str, set[str]]], actions: list[dict[str, set[str]]]
    ) -> None:
        self.name, self.facts, self.actions = name, facts, actions

    def rule(self, pieces: list[_Piece]) -> TreeRule:
        """Return the rule in ``if CONDITION: ACTION``, or ``ACTION`` alone."""
        literals: list[Literal] = []
        if pieces[0] == ("word", "if"):
            colon = pieces.index(("mark", ":")) if ("mark", ":") in pieces else len(pieces)
            for part in _split(pieces[1:colon]):
                literals += self.literal(part)
            pieces = pieces[colon + 1 :]
        return TreeRule(tuple(dict.fromkeys(literals)), self.found(pieces, self.actions))

    def of_json(self, item: dict[str, object]) -> TreeRule:
        """Return a rule that is given in the JSON form."""
        texts = item.get("if", [])
        assert isinstance(texts, list)
        literals = [li for text in texts for li in self.literal(list(_pieces(str(text))))]
        action = self.found(list(_pieces(str(item["do"]))), self.actions)
        return TreeRule(tuple(dict.fromkeys(literals)), action)

    def literal(self, pieces: list[_Piece]) -> list[Literal]:
        """Return the literal ``FACT`` or ``not FACT`` in a list; [] for what always holds."""
        signs = 0
        while signs < len(pieces) and pieces[signs][0] == "word" and pieces[signs][1] in _NOT:
            signs += 1
        rest = pieces[signs:]
        if not signs and len(rest) == 1 and rest[0][0] == "word" and rest[0][1] in _ANYWAY:
            exact, *others = (table.get(rest[0][1], set()) for table in self.facts)
            if not exact and not any(others):
                return []
        return [Literal(self.found(rest, self.facts), signs % 2 == 0)]

    def found(self, pieces: list[_Piece], tables: list[dict[str, set[str]]]) -> str:
        """Return the name that is meant: as it is written, in another case, or in a short form."""
        if len(pieces) == 1 and pieces[0][0] == "name":
            written = pieces[0][1]
            meant = tables[0].get(written, set())
        else:
            written = _plain(pieces)
            spelled = (written, written.lower(), written.lower())
            each = (table.get(key, set()) for table, key in zip(tables, spelled, strict=True))
            meant = next((names for names in each if names), set())
        if len(meant) != 1:
            raise InputError(
                f"{self.name}: the second reader finds {'two meanings' if meant else 'no meaning'} "
                f"for {written[:60]!r}",
                mend="write the name in full, between backquotes",
            )
        return next(iter(meant))


def _split(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    """Yield the parts between words for "and" that stand in no bracket and are no names.

    Such a word is a name where a literal has to begin.
    """
    part: list[_Piece] = []
    depth = 0
    for piece in pieces:
        depth += (piece == ("mark", "(")) - (piece == ("mark", ")"))
        begun = any(kind != "word" or text not in _NOT for kind, text in part)
        if piece[0] == "word" and piece[1] in _AND and not depth and begun:
            yield part
            part = []
        else:
            part.append(piece)
    yield part


def _plain(pieces: Iterable[_Piece]) -> str:
    """Return ``( cell 1 1 x )`` and ``cell ( 1 , 1 , x )`` as ``cell(1,1,x)``; "" for neither."""
    open_terms: list[list[str]] = [[]]
    before: _Piece = ("mark", "")
    for piece in pieces:
        if piece == ("mark", "("):
            # After a word it opens the arguments of that word, else a term in KIF.
            open_terms.append([open_terms[-1].pop()] if before[0] == "word" else [])
        elif piece == ("mark", ")"):
            head, *rest = open_terms.pop() or [""]
            if not open_terms:
                return ""
            open_terms[-1].append(f"{head}({','.join(rest)})" if rest else head)
        elif piece != ("mark", ","):
            open_terms[-1].append(piece[1])
        before = piece
    whole = open_terms[0]
    return whole[0] if len(open_terms) == 1 and len(whole) == 1 else ""


def _spellings(names: Sequence[str]) -> list[dict[str, set[str]]]:
    """Return names by their spellings: exact ones, in small letters, in a short form."""
    exact: dict[str, set[str]] = {}
    small: dict[str, set[str]] = {}
    short: dict[str, set[str]] = {}
    for name in names:
        exact.setdefault(name, set()).add(name)
        small.setdefault(name.lower(), set()).add(name)
        for spelling in _short_forms(name):
            short.setdefault(spelling.lower(), set()).add(name)
    return [exact, small, short]


def _short_forms(name: str) -> Iterator[str]:
    """Yield ``x(1,1)``, ``1(1,x)`` for ``cell(1,1,x)``: one argument stands for the relation."""
    if not name.endswith(")") or name.startswith(("(", '"')):
        return
    parts, depth, inside = [""], 0, False
    for at in range(name.index("(") + 1, len(name) - 1):
        letter = name[at]
        if inside and name[at - 1] == "\\" and _is_escaped(name, at):
            parts[-1] += letter
            continue
        inside ^= letter == '"'
        depth += 0 if inside else (letter == "(") - (letter == ")")
        if letter == "," and not depth and not inside:
            parts.append("")
        else:
            parts[-1] += letter
    for at, part in enumerate(parts):
        rest = parts[:at] + parts[at + 1 :]
        yield f"{part}({','.join(rest)})" if rest else part


def _is_escaped(text: str, at: int) -> bool:
    """Return whether an odd number of backslashes stands before ``at``."""
    return (at - len(text[:at].rstrip("\\"))) % 2 == 1
