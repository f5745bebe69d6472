"""Long terms in a formula get names, which are explained below it.

Functions by cases, ``g(a) xor g(b) = 0``; and terms of variables in order of size, ``least``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import count

from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, rebuild, substitute
from icgsynth.logic.prose import wrapped
from icgsynth.logic.simplify import linear_sum

_ARGUMENT = "n"
_OFTEN = 5  # so often a largest variable is written out, in both formulas
_ORDER = {
    "least": "the least",
    "middle": "the middle one",
    "most": "the largest",
    "odd": "how many are odd",
}


@dataclass(frozen=True)
class NamedCases:
    """The names of functions of one variable, each written with ``n``, and of terms as they are."""

    names: Mapping[t.Term, str]
    terms: Mapping[t.Term, str] = field(default_factory=dict)

    @staticmethod
    def of(nodes: Sequence[t.Node], variables: Sequence[str], taken: str = "") -> NamedCases:
        """Names for what stands in ``nodes``, none of the ``variables`` and not ``taken``.

        Terms ``if .. then .. else`` of one variable are g, or g1, g2, ..
        """
        found = dict.fromkeys(function for node in nodes for function in _functions(node))
        used = {*variables, taken}
        names = ["g"] if len(found) == 1 and "g" not in used else None
        numbered = (name for i in count(1) if (name := f"g{i}") not in used)
        return NamedCases(
            dict(zip(found, names or numbered, strict=False)), _in_order(nodes, variables)
        )

    def name_cases(self, node: t.Kind) -> t.Kind:
        """``node`` with ``g(a)`` in place of the cases."""
        if isinstance(node, t.Term) and (name := self.terms.get(node)) is not None:
            return t.Name(name)
        function = _of_one(node) if isinstance(node, t.If) else None
        if function is not None and function in self.names and isinstance(node, t.Term):
            (argument,) = free_names(node)
            return t.Name(f"{self.names[function]}({argument})")
        return rebuild(node, tuple([self.name_cases(part) for part in t.children(node)]))

    def lines(self) -> Iterator[str]:
        """Yield the meaning of each name, a line for each case, indented by two."""
        for function, name in self.names.items():
            yield from case_lines(function, f"  {name}({_ARGUMENT}) = ")
        for term, name in self.terms.items():
            yield f"  {name} = {_ORDER[name]} of {', '.join(sorted(free_names(term)))}"


def case_lines(term: t.Term, head: str) -> Iterator[str]:
    """The cases of a term below each other, after ``head``; one line where there is one case."""
    cases = list(_cases(term))
    width = max(len(str(value)) for value, _ in cases)
    for value, condition in cases:
        when = "otherwise" if condition is None else f"if {t.spell(condition)}"
        if len(cases) == 1:
            yield f"{head}{value}"
        else:
            yield from wrapped(when, f"{head}{value!s:<{width}}  ")
        head = " " * len(head)


def _cases(term: t.Term) -> Iterator[tuple[t.Term, t.Formula | None]]:
    """The terms of an ``if`` chain, each with its condition; the last without."""
    while isinstance(term, t.If):
        yield term.then, term.condition
        term = term.otherwise
    yield term, None


def _in_order(nodes: Sequence[t.Node], variables: Sequence[str]) -> dict[t.Term, str]:
    """Names for the least, the middle and the largest of all variables, and how many are odd."""
    # Where they stand often enough, and no variable has such a name.
    names: list[t.Term] = [t.Name(variable) for variable in variables]
    if len(names) < 3 or {*variables}.intersection(_ORDER):
        return {}
    least, most = reduce(t.Min, names), reduce(t.Max, names)
    middle = linear_sum({**dict.fromkeys(names, 1), least: -1, most: -1})
    odd = t.Sum(tuple(t.Mod(name, t.Int(2)) for name in names))
    known = dict(zip((least, middle, most, odd), _ORDER, strict=True))
    if len(names) > 3:
        del known[middle]
    met = Counter(term for node in nodes for term in _outermost(node, known))
    often = 1 if middle in met else _OFTEN
    least_count = {middle: 1, odd: 2}
    return {term: name for term, name in known.items() if met[term] >= least_count.get(term, often)}


def _outermost(node: t.Node, known: Mapping[t.Term, str]) -> Iterator[t.Term]:
    """The terms that have a name, but for those inside another one."""
    if isinstance(node, t.Term) and node in known:
        yield node
    else:
        for part in t.children(node):
            yield from _outermost(part, known)


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
