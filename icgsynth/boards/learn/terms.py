"""Terms of clingo and of learned rules: parse, match, rename and print.

A term is an ``int``, a name or a quoted string (``str``), a :class:`Var`, or a tuple whose first
entry is the function's name (``""`` for a tuple of clingo).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from icgsynth.boards.finite.clingo import DEEPEST, GREATEST
from icgsynth.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class Var:
    """A variable of a learned rule, by name."""

    name: str


Term: TypeAlias = "int | str | Var | tuple[Term, ...]"

Where = tuple[str, tuple[int, ...]]
"""A place in a fact or an action: its outermost function, and the path to an argument."""

_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"|-?(?:0|[1-9][0-9]*)|_*[A-Za-z][A-Za-z0-9_\']*|_|[(),])')


def read_term(text: str) -> Term:
    """Parse ``text`` as a term such as ``has(a,cell(1,2))``; a capitalised name is a variable.
    :class:`~icgsynth.errors.InputError` for anything else."""
    tokens: list[str] = []
    at = 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if found is None:
            raise _bad(text)
        tokens.append(found.group(1))
        at = found.end()
    depth = deepest = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise InputError(
            f"a term nested more than {DEEPEST} deep: {text[:40]!r}", mend="flatten it"
        )
    term, rest = _term(tokens, 0, text)
    if rest != len(tokens):
        raise _bad(text)
    return term


def _bad(text: str) -> InputError:
    return InputError(f"not a term: {text[:60]!r}", mend="write one such as has(a,cell(1,2))")


def _term(tokens: list[str], at: int, text: str) -> tuple[Term, int]:
    if at >= len(tokens):
        raise _bad(text)
    token = tokens[at]
    if token == "(":
        arguments, at = _arguments(tokens, at, text)
        return (arguments[0], at) if len(arguments) == 1 else (("", *arguments), at)
    if token in ",)":
        raise _bad(text)
    at += 1
    if token.lstrip("-").isdecimal():
        if len(token) > 11 or abs(int(token)) > GREATEST:
            raise InputError(
                f"an integer past {GREATEST:,}: {token[:20]}", mend="clingo holds no greater one"
            )
        return int(token), at
    if at < len(tokens) and tokens[at] == "(" and not token.startswith('"'):
        arguments, at = _arguments(tokens, at, text)
        return (token, *arguments), at
    if token.lstrip("_")[:1].isupper():
        return Var(token), at
    return token, at


def _arguments(tokens: list[str], at: int, text: str) -> tuple[list[Term], int]:
    found: list[Term] = []
    while True:
        term, at = _term(tokens, at + 1, text)
        found.append(term)
        if at >= len(tokens) or tokens[at] not in (",", ")"):
            raise _bad(text)
        if tokens[at] == ")":
            return found, at + 1


def format_term(term: Term) -> str:
    """Return ``term`` in clingo's syntax."""
    if isinstance(term, Var):
        return term.name
    if isinstance(term, tuple):
        return f"{term[0]}({','.join(map(format_term, term[1:]))})"
    return str(term)


def variables_of(term: Term) -> Iterator[Var]:
    """Yield the variables of ``term`` from left to right, with repetitions."""
    if isinstance(term, Var):
        yield term
    elif isinstance(term, tuple):
        for part in term[1:]:
            yield from variables_of(part)


def substituted(term: Term, values: Mapping[Var, Term]) -> Term:
    """Return ``term`` with its variables replaced by their ``values``; others stay."""
    if isinstance(term, Var):
        return values.get(term, term)
    if isinstance(term, tuple):
        return (term[0], *(substituted(part, values) for part in term[1:]))
    return term


def signature_of(term: Term) -> tuple[str, int]:
    """Return the name of the predicate of the atom ``term``, and the number of its arguments."""
    return (str(term[0]), len(term) - 1) if isinstance(term, tuple) else (str(term), 0)


def unify(pattern: Term, term: Term, values: dict[Var, Term]) -> bool:
    """Return whether ``pattern`` is ``term`` for some values of its variables, added to ``values``.
    Where it is not, some of its values may have been added."""
    if isinstance(pattern, Var):
        return values.setdefault(pattern, term) == term
    if isinstance(pattern, tuple):
        return (
            isinstance(term, tuple)
            and term[0] == pattern[0]
            and len(term) == len(pattern)
            and all(unify(p, t, values) for p, t in zip(pattern[1:], term[1:], strict=True))
        )
    return pattern == term


def leaves(term: Term, way: tuple[int, ...] = (), root: str = "") -> Iterator[tuple[Where, Term]]:
    """Yield (place, part) for each argument of ``term`` that is no tuple: variable, name or number.
    A place is the outermost name and the path of argument numbers, from 1; ``way`` and ``root`` are
    those of ``term`` itself, in a recursive call."""
    if isinstance(term, tuple):
        root = root or str(term[0])
        for i, part in enumerate(term[1:], start=1):
            yield from leaves(part, (*way, i), root)
    elif way:
        yield (root, way), term


def mapped(term: Term, change: Callable[[Where, Term], Term]) -> Term:
    """Return ``term`` with each part that is no tuple replaced by ``change(place, part)``.  A place
    is the outermost name, and the path of argument numbers to the part."""

    def walk(part: Term, way: tuple[int, ...], root: str) -> Term:
        if isinstance(part, tuple):
            inner = enumerate(part[1:], start=1)
            return (part[0], *(walk(p, (*way, i), root or str(part[0])) for i, p in inner))
        return change((root, way), part)

    return walk(term, (), "")


def renamed(term: Term, renaming: Mapping[Where, Mapping[Term, Term]]) -> Term:
    """Return ``term`` with each part x at a place p replaced by ``renaming[p][x]``, if it has
    one."""
    return mapped(term, lambda where, part: renaming.get(where, {}).get(part, part))
