"""Translate game descriptions, in KIF or in clingo's language, to programs for clingo's grounder.

Constants of KIF are quoted strings, so that no name can clash; relations are ``r0``, ``r1``, ...,
and ``g_true`` and so on for the keywords; a term is a tuple of its function's name and arguments.
An encoding has the keywords (``role init true does next legal goal terminal base``) over clingo's
terms (Hahn and Shankar 2020, Figure 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from icgsynth.boards.finite.datalog import (
    Comparison,
    DatalogAtom,
    DatalogRule,
    Rulebook,
    Term,
    Variable,
)
from icgsynth.boards.finite.names import arguments as split_arguments
from icgsynth.errors import Span
from icgsynth.logic.nodes import ShownByName

# --- asp text ------------------------------------------------------------------------------------

_KEYWORDS = ("role", "init", "true", "does", "next", "legal", "goal", "terminal")
_ARITY = {"terminal": 0, "does": 2, "legal": 2, "goal": 2}


def program_of(book: Rulebook) -> Iterator[str]:
    """Yield the lines of a clingo program that grounds the rules of ``book`` and shows keywords."""
    return _Program(book).lines()


class _Program:
    def __init__(self, book: Rulebook) -> None:
        self.book = book
        self.names: dict[tuple[str, int], str] = {}

    def lines(self) -> Iterator[str]:
        yield from map(self._rule, self.book.rules)
        yield "dom(F) :- g_init(F). dom(F) :- g_next(F)."
        # A choice, so that the grounder takes each fact as neither true nor false and keeps all
        # rules that some state or some move may need.
        yield "{ g_true(F) } :- dom(F)."
        yield "{ g_does(R,A) } :- g_legal(R,A)."
        yield from (f"#show g_{word}/{_ARITY.get(word, 1)}." for word in _KEYWORDS)

    def _rule(self, rule: DatalogRule) -> str:
        self._numbers: dict[str, int] = {}
        parts = []
        for part in rule.body:
            if isinstance(part, Comparison):
                sign = "=" if part.equal else "!="
                parts.append(f"{self._term(part.left)}{sign}{self._term(part.right)}")
            else:
                parts.append(("" if part.positive else "not ") + self._atom(part.atom))
        head = self._atom(rule.head)
        return f"{head} :- {', '.join(parts)}." if parts else f"{head}."

    def _atom(self, atom: DatalogAtom) -> str:
        if atom.relation in _KEYWORDS:
            name = f"g_{atom.relation}"
        else:
            key = (atom.relation, len(atom.arguments))
            name = self.names.setdefault(key, f"r{len(self.names)}")
        inner = ",".join(map(self._term, atom.arguments))
        return f"{name}({inner})" if inner else name

    def _term(self, term: Term) -> str:
        if isinstance(term, str):
            return _string(term)
        if isinstance(term, Variable):
            return self._variable(term.name)
        return "(" + ",".join(map(self._term, term)) + ")"

    def _variable(self, name: str) -> str:
        return f"V{self._numbers.setdefault(name, len(self._numbers))}"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


# --- encoding ------------------------------------------------------------------------------------

IDLE_MOVE = "noop"
"""The move of a player who waits while the other moves; encodings leave it out."""


_NAME = re.compile(r"-?\d+|[a-z]\w*")  # a term of clingo's that is no variable and computes nothing

OUTSIDE = "g_outside"
"""A fact that holds once play has led to a fact outside ``base``; such games are refused."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A rule or a constant's definition in clingo's syntax, on one line, and its place."""

    text: str
    span: Span


def _computes(rule: Statement) -> bool:
    return re.search(r"[\w)][-+*/\\][\w(]", rule.text.replace(":-", " ")) is not None


@dataclass(frozen=True, repr=False)
class Encoding(ShownByName):
    """A game encoding in clingo's language, without its choices and constraints on moves.

    ``roles`` in the order in which the file names them, as far as it does; ``has_base`` says
    whether the file declares all that may hold.
    """

    name: str
    statements: tuple[Statement, ...]
    roles: tuple[str, ...]
    has_base: bool
    warnings: tuple[str, ...] = ()

    @property
    def counting(self) -> Statement | None:
        """The first rule for ``next`` that does arithmetic if no ``base`` bounds it, else None."""
        rules = (s for s in self.statements if s.text.startswith("next("))
        return None if self.has_base else next(filter(_computes, rules), None)

    @property
    def text(self) -> str:
        """The text of all statements, with included files and values of constants in place."""
        return "".join(f"{statement.text}\n" for statement in self.statements)

    def line_of(self, relation: str, *arguments: str) -> int:
        """Return the line of the first rule for ``relation`` whose head may begin with
        ``arguments``, else of the first rule for it.  0 if there is none, or it is in an included
        file."""
        for statement in self.statements:
            name, _, rest = statement.text.partition(":-")[0].rstrip(" .").partition("(")
            heads = zip(split_arguments(rest.removesuffix(")")), arguments, strict=False)
            if name == relation and all(_NAME.fullmatch(h) is None or h == a for h, a in heads):
                here = Path(statement.span.source).stem == self.name
                return statement.span.line if here else 0
        return self.line_of(relation) if arguments else 0

    def program(self) -> Iterator[str]:
        """Yield the lines to ground: the statements, then choices of possible facts and moves."""
        for statement in self.statements:
            yield statement.text
        domain = "base(F)" if self.has_base else "next(F)"
        yield f"{{ true(F) }} :- {domain}."
        if self.has_base:
            # Once outside, for ever outside: the mark stays in all states that follow.
            yield f"next({OUTSIDE}) :- next(F), not base(F), F != {OUTSIDE}."
            yield f"next({OUTSIDE}) :- true({OUTSIDE}). {{ true({OUTSIDE}) }} :- next({OUTSIDE})."
        yield "{ true(F) } :- init(F)."
        # Who has no legal move while another player has one idles.
        yield "g_can(R) :- legal(R,_)."
        yield "g_legal(R,A) :- legal(R,A)."
        yield f"g_legal(R,{IDLE_MOVE}) :- role(R), not g_can(R), g_can(_)."
        yield "{ does(R,A) } :- legal(R,A)."
        yield "#show. #show g_role(R) : role(R). #show g_init(F) : init(F)."
        yield "#show g_true(F) : true(F). #show g_next(F) : next(F)."
        yield "#show g_does(R,A) : does(R,A). #show g_legal(R,A) : g_legal(R,A)."
        yield "#show g_goal(R,N) : goal(R,N). #show g_terminal : terminal."
