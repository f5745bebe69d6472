"""Functions by cases in a formula get names: ``g(a) xor g(b) = 0``, with the cases of g below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, rebuild, substitute

_ARGUMENT = "n"


@dataclass(frozen=True)
class NamedCases:
    """The names of functions of one variable; each function is written with ``n``."""

    names: Mapping[t.Term, str]

    @staticmethod
    def of(nodes: Iterable[t.Node], taken: Iterable[str]) -> NamedCases:
        """Names for the terms ``if .. then .. else`` of one variable in ``nodes``: g, or g1, g2, ..

        They are none of ``taken``.
        """
        found = dict.fromkeys(function for node in nodes for function in _functions(node))
        used = set(taken)
        if len(found) == 1 and "g" not in used:
            return NamedCases(dict.fromkeys(found, "g"))
        numbered = (name for i in count(1) if (name := f"g{i}") not in used)
        return NamedCases(dict(zip(found, numbered, strict=False)))

    def said(self, node: t.Kind) -> t.Kind:
        """``node`` with ``g(a)`` in place of the cases."""
        function = _of_one(node) if isinstance(node, t.If) else None
        if function is not None and function in self.names and isinstance(node, t.Term):
            (argument,) = free_names(node)
            return t.Name(f"{self.names[function]}({argument})")
        return rebuild(node, tuple([self.said(part) for part in t.children(node)]))

    def lines(self) -> Iterator[str]:
        """What the names mean, a line for each case, indented by two."""
        for function, name in self.names.items():
            yield from case_lines(function, f"  {name}({_ARGUMENT}) = ")


def case_lines(term: t.Term, head: str) -> Iterator[str]:
    """The cases of a term below each other, after ``head``; one line where there is one case."""
    cases = list(_cases(term))
    width = max(len(str(value)) for value, _ in cases)
    for value, condition in cases:
        when = "otherwise" if condition is None else f"if {t.spoken(condition)}"
        yield head + (str(value) if len(cases) == 1 else f"{value!s:<{width}}  {when}")
        head = " " * len(head)


def _cases(term: t.Term) -> Iterator[tuple[t.Term, t.Formula | None]]:
    """The terms of an ``if`` chain, each with its condition; the last without."""
    while isinstance(term, t.If):
        yield term.then, term.condition
        term = term.otherwise
    yield term, None


def _functions(node: t.Node) -> Iterator[t.Term]:
    """The outermost terms by cases that speak of one variable, with ``n`` for it."""
    if isinstance(node, t.If) and (function := _of_one(node)) is not None:
        yield function
    else:
        for part in t.children(node):
            yield from _functions(part)


def _of_one(term: t.If) -> t.Term | None:
    names = free_names(term)
    if len(names) != 1:
        return None
    return substitute(term, dict.fromkeys(names, t.Name(_ARGUMENT)))
