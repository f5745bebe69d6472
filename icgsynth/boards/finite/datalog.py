"""Logic rules over nested terms: the parsed form of a game description in GDL.

A term is a constant (``str``), a variable (:class:`Variable`), or a tuple whose first entry is the
name of a function: ``(cell 1 ?x b)`` is ``("cell", "1", Variable("x"), "b")``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from icgsynth.logic.nodes import ShownByName

T = TypeVar("T", int, tuple[str, int])


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a rule, ``?name`` in KIF."""

    name: str


Term: TypeAlias = "str | Variable | tuple[Term, ...]"


@dataclass(frozen=True, slots=True)
class DatalogAtom:
    """A relation applied to terms, ``(relation argument ...)`` in KIF."""

    relation: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class DatalogLiteral:
    """A condition of a rule: an atom, or its negation (as failure) where ``positive`` is false."""

    atom: DatalogAtom
    positive: bool = True


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition of a rule: two terms are equal, or (``equal`` false) distinct."""

    left: Term
    right: Term
    equal: bool = False


@dataclass(frozen=True, slots=True)
class DatalogRule:
    """A rule: ``head`` holds where all of ``body`` does; ``line`` is its line in the text."""

    head: DatalogAtom
    body: tuple[DatalogLiteral | Comparison, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, repr=False)
class Rulebook(ShownByName):
    """A parsed game description: its name, its ``text``, and its rules without disjunctions."""

    name: str
    rules: tuple[DatalogRule, ...]
    warnings: tuple[str, ...] = ()
    text: str = field(default="", compare=False)

    def line_of(self, relation: str, *arguments: str) -> int:
        """Return the line of the first rule for ``relation`` whose head may begin with
        ``arguments``, else of the first rule for ``relation``, else 0."""
        for rule in self.rules:
            head = rule.head
            if head.relation == relation and all(map(fits, head.arguments, arguments)):
                return rule.line
        return self.line_of(relation) if arguments else 0


def variables(term: Term) -> Iterator[str]:
    """Yield the name of each occurrence of a variable in ``term``."""
    pending = [term]
    while pending:
        found = pending.pop()
        if isinstance(found, Variable):
            yield found.name
        elif isinstance(found, tuple):
            pending.extend(found)


def fits(one: DatalogAtom | Term, other: DatalogAtom | Term) -> bool:
    """Return whether atoms or terms ``one`` and ``other`` may be equal; a variable fits any."""
    if isinstance(one, Variable) or isinstance(other, Variable):
        return True
    if isinstance(one, DatalogAtom) and isinstance(other, DatalogAtom):
        same = (one.relation, len(one.arguments)) == (other.relation, len(other.arguments))
        return same and all(map(fits, one.arguments, other.arguments))
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(fits, one, other))
    return one == other


def components(below: Callable[[T], Iterable[T]], roots: Iterable[T]) -> Iterator[list[T]]:
    """Yield the strongly connected components of a dependency graph as sorted lists of nodes.  A
    component comes after all it depends on.  ``below(x)`` are the nodes that x depends on, and
    ``roots`` where to begin (Tarjan 1972, without recursion)."""
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    on_stack: set[T] = set()
    stack: list[T] = []
    for root in roots:
        if root in index:
            continue
        work = [(root, iter(below(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            # index numbers atoms as they are met; low[a] is the least index that a reaches within
            # the stack. The iterator in `work` takes the place of a recursive call.
            at, inner = work[-1]
            for one in inner:
                if one not in index:
                    index[one] = low[one] = len(index)
                    stack.append(one)
                    on_stack.add(one)
                    work.append((one, iter(below(one))))
                    break
                if one in on_stack:
                    low[at] = min(low[at], index[one])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[at])
                # Nothing above `at` on the stack reaches below it: these are one component, and all
                # that they depend on was yielded before.
                if low[at] == index[at]:
                    group = [stack.pop()]
                    while group[-1] != at:
                        group.append(stack.pop())
                    on_stack.difference_update(group)
                    yield sorted(group)
