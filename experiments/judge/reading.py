"""Rules and formulas read for the judge alone, by a reader that icgsynth does not share.

A node is a tuple: a head and its parts.  Terms are ``("int", 3)``, ``("name", "a")``,
``("+", x, y)``, ``("-", x, y)``, ``("neg", x)``, ``("*", x, y)``, ``("mod", x, y)``,
``("div", x, y)``, ``("if", f, x, y)``, ``("xor", x, y)`` and ``("call", NAME, x, ...)``; formulas
are ``("true",)``, ``("false",)``, ``("chain", (x, ...), (SIGN, ...))``, ``("in", x, (y, ...))``,
``("set", NAME, x, ...)``, ``("not", f)``, ``("and", f, ...)``, ``("or", f, ...)``,
``("->", f, g)``, ``("<->", f, g)`` and ``("exists" or "forall", NAME, f)``.

The reader does not tell terms and formulas apart; :mod:`experiments.judge.meaning` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

__all__ = ["Action", "Node", "Rules", "Unreadable", "free", "parsed", "read_rules", "walk"]

Node: TypeAlias = tuple[Any, ...]
_T = TypeVar("_T")

_TOKEN = re.compile(r'<->|->|:=|<=|>=|!=|[-+*=<>(){},.]|[0-9]+|[A-Za-z_]\w*\'?|"[^"]*"')
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")


class Unreadable(ValueError):
    """The text is not of the language."""


@dataclass(frozen=True, slots=True)
class Action:
    """``effects`` has a term for each variable that changes."""

    name: str
    parameters: tuple[str, ...]
    precondition: Node
    effects: Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Rules:
    """A game whose constants stand in it by their values; ``block`` options may be forbidden."""

    name: str
    variables: tuple[str, ...]
    legal: Node
    end: Node
    actions: tuple[Action, ...]
    block: int = 0

    def nodes(self) -> Iterator[Node]:
        """Every formula and term of the rules."""
        yield from (self.legal, self.end)
        for action in self.actions:
            yield from (action.precondition, *action.effects.values())


@lru_cache(maxsize=10_000)
def parsed(text: str, constants: tuple[tuple[str, int], ...] = ()) -> Node:
    """The term or formula that ``text`` is; ``constants`` stand in it by their values."""
    reader = _Reader(text, constants=dict(constants))
    node = reader.formula()
    reader.take("")
    return node


def read_rules(text: str, constants: Mapping[str, int] | None = None) -> Rules:
    """The game that ``text`` describes, its constants set to ``constants`` where they name them."""
    return _Reader(text, given=constants or {}).rules()


def walk(node: Node) -> Iterator[Node]:
    """Every node below and including ``node``."""
    yield node
    for part in parts(node):
        yield from walk(part)


def parts(node: Node) -> tuple[Node, ...]:
    """The nodes right below ``node``."""
    match node:
        case ("chain", terms, _):
            return tuple(terms)
        case ("in", term, values):
            return (term, *values)
        case _:
            return tuple(part for part in node[1:] if isinstance(part, tuple))


@lru_cache(maxsize=100_000)
def free(node: Node) -> frozenset[str]:
    """The names that occur free."""
    if node[0] == "name":
        return frozenset(node[1:])
    bound = node[1:2] if node[0] in ("exists", "forall") else ()
    return frozenset().union(*map(free, parts(node))) - frozenset(bound)


@dataclass
class _Reader:
    """Goes through the words of a text once."""

    text: str
    given: Mapping[str, int] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    words: list[str] = field(init=False)
    at: int = 0

    def __post_init__(self) -> None:
        plain = re.sub(r"#.*", "", self.text)
        self.words = _TOKEN.findall(plain)
        if "".join(self.words) != re.sub(r"\s", "", plain) and '"' not in plain:
            raise Unreadable(f"a sign that is not of the language: {self.text[:200]}")

    @property
    def next(self) -> str:
        """The next word; empty at the end."""
        return self.words[self.at] if self.at < len(self.words) else ""

    def pop(self) -> str:
        word = self.next
        self.at += 1
        return word

    def take(self, word: str) -> None:
        if self.pop() != word:
            found = " ".join(self.words[max(0, self.at - 6) : self.at])
            raise Unreadable(f"{word or 'the end'!r} is wanted after: {found}")

    def has(self, word: str) -> bool:
        """Take ``word`` if it comes next."""
        if self.next == word:
            self.at += 1
            return True
        return False

    # --- games ---------------------------------------------------------------------------

    def rules(self) -> Rules:
        self.take("game")
        title = self.pop()
        if self.next.startswith('"'):
            self.pop()
        variables: list[str] = []
        legal, end, block = ("true",), ("false",), 0
        actions: list[Action] = []
        while self.next:
            match self.pop():
                case "const":
                    name = self.pop()
                    self.take("=")
                    self.constants[name] = self.given.get(name, self.number())
                case "var":
                    variables = self.names()
                case "cite":
                    self.names()
                case "legal":
                    legal = self.formula()
                case "end":
                    end = self.formula()
                case "block":
                    block = self.number()
                case "action":
                    actions.append(self.action())
                case other:
                    raise Unreadable(f"{other!r} begins no part of a game")
        return Rules(title, tuple(variables), legal, end, tuple(actions), block)

    def number(self) -> int:
        """An integer, or the name of a constant."""
        sign, word = (-1 if self.has("-") else 1), self.pop()
        return sign * (self.constants[word] if word in self.constants else int(word))

    def names(self) -> list[str]:
        return self.listed(self.pop)

    def listed(self, read: Callable[[], _T]) -> list[_T]:
        """What ``read`` reads, once and after each comma."""
        found = [read()]
        while self.has(","):
            found.append(read())
        return found

    def action(self) -> Action:
        name, parameters = self.pop(), []
        if self.has("(") and not self.has(")"):
            parameters = self.names()
            self.take(")")
        self.take("pre")
        precondition = self.formula()
        effects: dict[str, Node] = {}
        self.take("eff")
        while True:
            variable = self.pop()
            self.take(":=")
            effects[variable] = self.term()
            if not self.has(","):
                return Action(name, tuple(parameters), precondition, effects)

    # --- formulas ------------------------------------------------------------------------

    def formula(self) -> Node:
        node = self.implication()
        while self.has("<->"):
            node = ("<->", node, self.implication())
        return node

    def implication(self) -> Node:
        node = self.either()
        return ("->", node, self.implication()) if self.has("->") else node

    def either(self) -> Node:
        return self.joined("or", lambda: self.joined("and", self.negated))

    def joined(self, word: str, read: Callable[[], Node]) -> Node:
        """What ``read`` reads, alone or several times with ``word`` between."""
        several = [read()]
        while self.has(word):
            several.append(read())
        return (word, *several) if len(several) > 1 else several[0]

    def negated(self) -> Node:
        if self.has("not"):
            return ("not", self.negated())
        if self.next in ("exists", "forall"):
            kind = self.pop()
            names = self.names()
            self.take(".")
            body = self.formula()
            for name in reversed(names):
                body = (kind, name, body)
            return body
        return self.comparison()

    def comparison(self) -> Node:
        first = self.term()
        if self.has("in"):
            return self.membership(first)
        if self.has("not"):
            self.take("in")
            return ("not", self.membership(first))
        terms, signs = [first], []
        while self.next in _SIGNS:
            signs.append(self.pop())
            terms.append(self.term())
        return ("chain", tuple(terms), tuple(signs)) if signs else first

    def membership(self, first: Node) -> Node:
        if not self.has("{"):
            numbers = first[1:] if first[0] == "several" else (first,)
            return ("set", self.pop(), *numbers)
        values = self.listed(self.term)
        self.take("}")
        return ("in", first, tuple(values))

    # --- terms -----------------------------------------------------------------------------

    def term(self) -> Node:
        return self.operated(("+", "-", "xor"), self.product)

    def product(self) -> Node:
        return self.operated(("*", "mod", "div"), self.unary)

    def operated(self, signs: tuple[str, ...], read: Callable[[], Node]) -> Node:
        """What ``read`` reads, with signs between, from left to right."""
        node = read()
        while self.next in signs:
            node = (self.pop(), node, read())
        return node

    def unary(self) -> Node:
        return ("neg", self.unary()) if self.has("-") else self.primary()

    def primary(self) -> Node:
        word = self.pop()
        if word == "(":
            several = self.listed(self.formula)
            self.take(")")
            return ("several", *several) if len(several) > 1 else several[0]
        if word.isdigit():
            return ("int", int(word))
        if word in ("true", "false"):
            return (word,)
        if word == "if":
            condition = self.formula()
            self.take("then")
            then = self.term()
            self.take("else")
            return ("if", condition, then, self.term())
        if not re.fullmatch(r"[A-Za-z_]\w*'?", word):
            raise Unreadable(f"{word!r} where a term is wanted: {self.text[:200]}")
        if word in self.constants:
            return ("int", self.constants[word])
        if not self.has("("):
            return ("name", word)
        several = self.listed(self.term)
        self.take(")")
        return ("call", word, *several)
