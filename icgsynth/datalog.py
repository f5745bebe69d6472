"""Logic rules over nested terms: what a game description is, once it is read.

A term is a constant (``str``), a variable (:class:`Variable`), or a tuple whose first entry is
the name of a function: ``(cell 1 ?x b)`` is ``("cell", "1", Variable("x"), "b")``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

__all__ = ["Atom", "Comparison", "Literal", "Rule", "Rulebook", "Term", "Variable", "variables"]


@dataclass(frozen=True, slots=True)
class Variable:
    """``?name``."""

    name: str


Term: TypeAlias = "str | Variable | tuple[Term, ...]"


@dataclass(frozen=True, slots=True)
class Atom:
    """``(relation argument ...)``."""

    relation: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Literal:
    """An atom, or (``positive`` false) that it cannot be derived."""

    atom: Atom
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two terms are the same, or (``equal`` false) distinct."""

    left: Term
    right: Term
    equal: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """``head`` holds where all of ``body`` does; ``line`` is where it was written."""

    head: Atom
    body: tuple[Literal | Comparison, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Rulebook:
    """A game description: its name and rules, disjunctions already split over several rules."""

    name: str
    rules: tuple[Rule, ...]
    warnings: tuple[str, ...] = ()


def variables(term: Term) -> Iterator[str]:
    """The names of the variables in ``term``, without recursion."""
    pending = [term]
    while pending:
        found = pending.pop()
        if isinstance(found, Variable):
            yield found.name
        elif isinstance(found, tuple):
            pending.extend(found)
