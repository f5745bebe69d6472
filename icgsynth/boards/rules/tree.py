"""Parser of decision trees that people write as text or JSON, checked against the names of a game.

One rule a line, ``if FACT and not FACT: ACTION`` or ``ACTION`` alone; ``meta NAME:`` makes a locked
group of the indented lines below it; ``#`` starts a comment.  Facts and actions are the game's, as
in ``cell(1,1,x)``, in KIF ``(cell 1 1 x)``, or short as ``x(1,1)`` where only one fact can be
meant.  Between backquotes every character belongs to the name, so that no name is taken for a word
of the tree (:func:`icgsynth.boards.finite.names.quoted`).  The JSON is that of
:meth:`Tree.to_json`, alone or as ``"tree"`` in the output of ``fft synth --json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import NoReturn

from icgsynth.boards.finite.names import arguments, quoted, unquoted
from icgsynth.boards.finite.tree import Item, Literal, Meta, Tree, TreeRule
from icgsynth.spec.answer_file import is_json
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.source import Source

_TOKEN = re.compile(r"`(?:[^`]|``)+`|[^\s(),:]+|[(),:]")
_CODE = re.compile(r"(?:`(?:[^`]|``)+`|[^#])*")
_SHAPE = "a tree has one rule a line: 'if FACT and not FACT: ACTION', or 'ACTION' alone"
_NO_CONDITION = ("true", "⊤", "always")


def parse_tree(source: Source, literals: Sequence[str], actions: Sequence[str]) -> Tree:
    """Parse a decision tree; :class:`~icgsynth.errors.InputError` with the place and the mend.
    ``literals`` and ``actions`` are the names of facts and actions that the game has."""
    return _parse(source, _Names("fact", literals), _Names("action", actions))


def _parse(source: Source, facts: _Names, moves: _Names) -> Tree:
    if is_json(source):
        return _from_json(source, facts, moves)
    items: list[Item] = []
    group: list[TreeRule] | None = None
    name, opened, start = "", 0, 0
    for line in source.text.split("\n"):
        body = _without_comment(source, line, start, (*facts.names, *moves.names)).rstrip()
        at = start + len(body) - len(body.lstrip())
        indented = at > start
        start += len(line) + 1
        body = body.strip()
        if not body:
            continue
        if group is not None and not indented:
            items.append(_close(source, name, group, opened))
            group = None
        if re.match(r"meta(?=[\s:]|$)", body):
            if group is not None:
                raise source.error("a meta-rule inside a meta-rule", at, "do not indent it")
            name, opened, group = _meta_name(source, body, at), at, []
        elif group is None:
            items.append(_Line(source, body, at, facts, moves).rule())
        else:
            group.append(_Line(source, body, at, facts, moves).rule())
    if group is not None:
        items.append(_close(source, name, group, opened))
    return Tree.of(items)


def require_shape(source: Source) -> None:
    """Raise :class:`~icgsynth.errors.InputError` where the text is no tree, whatever the game. It
    is called before a game is solved for the sake of the names in the tree."""
    # Where a comment begins right after a word, names with '#' decide what belongs to the word.
    if is_json(source) or not any(_is_glued(_code(line), line) for line in source.text.split("\n")):
        _parse(source, _Anything("fact", ()), _Anything("action", ()))


def _code(line: str) -> str:
    return next(_CODE.finditer(line)).group()


def _is_glued(body: str, line: str) -> bool:
    """Return whether the comment after ``body`` in ``line`` directly follows a word."""
    return body != line and bool(body[-1:].strip())


def _without_comment(source: Source, line: str, start: int, names: Sequence[str]) -> str:
    """Return ``line`` without a comment; InputError where its ``#`` may belong to a name. ``start``
    is the line's offset, ``names`` are the game's."""
    body = _code(line)
    if _is_glued(body, line) and (odd := next((name for name in names if "#" in name), None)):
        raise source.error(
            "'#' could start a comment here or belong to a name",
            start + len(body),
            f"write names such as {quoted(odd)} between backquotes, and a blank before a comment",
        )
    return body


def _meta_name(source: Source, body: str, at: int) -> str:
    name = body.removeprefix("meta").strip()
    if not name.endswith(":") or not name[:-1].strip():
        raise source.error("a meta-rule without a name and a colon", at, "write 'meta NAME:'")
    written = name[:-1].strip()
    return unquoted(written) or written


def _close(source: Source, name: str, rules: list[TreeRule], at: int) -> Meta:
    if not rules:
        raise source.error(f"the meta-rule {name} has no rules", at, "indent its rules below it")
    return Meta(name, tuple(rules))


class _Names:
    """A lookup of a game's facts or actions by every way to write a name."""

    def __init__(self, kind: str, names: Sequence[str]) -> None:
        self.kind, self.names = kind, tuple(names)
        self._plain: dict[str, set[str]] = {}
        self._short: dict[str, set[str]] = {}
        for name in names:
            self._plain.setdefault(name.lower(), set()).add(name)
            head, parts = _split(name)
            for i, part in enumerate(parts):
                rest = parts[:i] + parts[i + 1 :]
                self._short.setdefault(_format_atom(part, rest).lower(), set()).add(name)
            self._short.setdefault(_format_atom(head, parts).lower(), set()).add(name)

    def has(self, name: str) -> bool:
        """Return whether a name, written exactly so, is a name of the game."""
        return name in self._plain.get(name.lower(), ())

    def candidates(self, written: str) -> list[str]:
        """Return the names that ``written`` can mean: exact, else in another case, else short, such
        as ``x(1,1)`` for ``cell(1,1,x)``."""
        if self.has(written):
            return [written]
        low = written.lower()
        found = self._plain.get(low) or self._short.get(low) or set()
        return sorted(found)

    def resolve(self, written: str) -> str | None:
        meant = self.candidates(written)
        return meant[0] if len(meant) == 1 else None

    def mend(self, written: str) -> str:
        several = self.candidates(written)
        if len(several) > 1:
            return f"it could be {' or '.join(map(quoted, several[:3]))}: write it in full"
        pool = [*self._plain, *self._short]
        near = get_close_matches(written.lower(), pool, 3, 0.5)
        names = dict.fromkeys(n for n in map(self.resolve, near) if n)
        return (
            "did you mean " + " or ".join(map(quoted, names)) + "?"
            if names
            else f"such as {', '.join(map(quoted, self.names[:3])) or 'none'}; {_SHAPE}"
        )


class _Anything(_Names):
    """A lookup that takes every name for one of the game's names."""

    def has(self, name: str) -> bool:
        return bool(name)

    def candidates(self, written: str) -> list[str]:
        return [written]


def _split(name: str) -> tuple[str, list[str]]:
    """Return an atom's name and arguments: ``f`` and ``[a, g(b)]`` for ``f(a,g(b))``."""
    head, _, inner = name.partition("(")
    if not inner.endswith(")") or not head or '"' in head:
        return name, []
    return head, arguments(inner[:-1])


def _format_atom(head: str, parts: Sequence[str]) -> str:
    return f"{head}({','.join(parts)})" if parts else head


class _Line:
    """A parser of one line of a tree, token by token."""

    def __init__(self, source: Source, body: str, at: int, facts: _Names, moves: _Names) -> None:
        self._source, self._facts, self._moves = source, facts, moves
        self._tokens = [(m.group(), at + m.start()) for m in _TOKEN.finditer(body)]
        self._end = at + len(body)
        self._next = 0

    def rule(self) -> TreeRule:
        """Parse a rule, ``if CONDITION: ACTION`` or ``ACTION``."""
        literals: list[Literal] = []
        if self._peek() == "if":
            self._next += 1
            while True:
                literal = self.literal()
                if literal is not None:
                    literals.append(literal)
                if self._peek() in ("and", "&", "∧"):
                    self._next += 1
                    continue
                break
            if self._peek() != ":":
                self._fail("'and' or ':' is expected", _SHAPE)
            self._next += 1
        action = self._name(self._moves)
        if self._next < len(self._tokens):
            self._fail("the rule should end here", _SHAPE)
        return TreeRule(tuple(dict.fromkeys(literals)), action)

    def literal(self) -> Literal | None:
        """Parse a condition, ``FACT`` or ``not FACT``; None for ``true``."""
        holds = True
        while self._peek() in ("not", "!", "¬"):
            self._next += 1
            holds = not holds
        word = self._peek()
        if word in _NO_CONDITION and holds and not self._facts.has(word):
            if fact := next(iter(self._facts.candidates(word)), None):
                self._fail(
                    f"'{word}' says that there is no condition, and is short for {quoted(fact)}",
                    "leave the condition out, or write the fact in full",
                )
            self._next += 1
            return None
        return Literal(self._name(self._facts), holds)

    def end(self) -> None:
        """Raise InputError if any token of the line is left."""
        if self._next < len(self._tokens):
            self._fail("nothing should follow", "one fact or action a string")

    def action(self) -> str:
        """Parse the name of an action."""
        return self._name(self._moves)

    def _peek(self) -> str | None:
        return self._tokens[self._next][0] if self._next < len(self._tokens) else None

    def _fail(self, message: str, mend: str, at: int | None = None) -> NoReturn:
        if at is None:
            more = self._next < len(self._tokens)
            at = self._tokens[self._next][1] if more else self._end
        raise self._source.error(message, at, mend)

    def _name(self, names: _Names) -> str:
        start = self._tokens[self._next][1] if self._next < len(self._tokens) else self._end
        exact = unquoted(self._peek() or "")
        if exact is not None:
            self._next += 1
            written, found = quoted(exact), exact if names.has(exact) else None
        else:
            written = self._term(names)
            found = names.resolve(written)
        if found is None:
            self._fail(f"the game has no {names.kind} {written}", names.mend(written), start)
        return found

    def _term(self, names: _Names, depth: int = 0) -> str:
        token = self._peek()
        if depth > 20:
            self._fail("nested too deeply", _SHAPE)
        if token == "(":  # KIF
            self._next += 1
            head = self._term(names, depth + 1)
            parts = list(self._until(names, depth, commas=False))
            return _format_atom(head, parts)
        if token is None or token in "),:":
            self._fail(f"a{'n' * (names.kind[0] in 'aeiou')} {names.kind} is expected", _SHAPE)
        self._next += 1
        if self._peek() != "(":
            return token
        self._next += 1
        return _format_atom(token, list(self._until(names, depth, commas=True)))

    def _until(self, names: _Names, depth: int, commas: bool) -> Iterator[str]:
        first = True
        while self._peek() != ")":
            if self._peek() is None:
                self._fail("a bracket is not closed", "add ')'")
            if commas and not first:
                if self._peek() != ",":
                    self._fail("',' or ')' is expected", _SHAPE)
                self._next += 1
            yield self._term(names, depth + 1)
            first = False
        self._next += 1


def _from_json(source: Source, facts: _Names, moves: _Names) -> Tree:
    top = read_json(source)
    inner = top.get("tree") if top.kind == "an object" else None
    top = inner or top
    entries = top.need("strategy", '[{"if": [], "do": ...}]').list()
    return Tree.of(_item(entry, facts, moves) for entry in entries)


def _item(entry: Located, facts: _Names, moves: _Names) -> Item:
    meta = entry.get("meta")
    if meta is None:
        return _json_rule(entry, facts, moves)
    rules = tuple(_json_rule(rule, facts, moves) for rule in entry.items("rules"))
    if not rules:
        raise entry.error("a meta-rule without rules", 'give it "rules": [...]')
    name = meta.string()
    if not name.strip() or not name.isprintable():
        raise meta.error("a meta-rule has a printable name on one line", "name it otherwise")
    return Meta(name, rules)


def _json_rule(entry: Located, facts: _Names, moves: _Names) -> TreeRule:
    literals = []
    for one in entry.items("if"):
        line = _Line(one.source, one.string(), one.start + 1, facts, moves)
        literal = line.literal()
        line.end()
        if literal is not None:
            literals.append(literal)
    act = entry.need("do", '"ACTION"')
    line = _Line(act.source, act.string(), act.start + 1, facts, moves)
    action = line.action()
    line.end()
    return TreeRule(tuple(dict.fromkeys(literals)), action)
