"""Sets of states in which variables may be swapped, said by the smallest and the largest of them.

Of ``(b = a + 1 and a mod 2 = 0) or (a = b + 1 and b mod 2 = 0)`` the part where a <= b is
``b = a + 1 and a mod 2 = 0``; so the whole is ``abs(a - b) = 1 and min(a, b) mod 2 = 0``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain, combinations

from icgsynth.logic import term as t
from icgsynth.logic.build import size, substitute, walk
from icgsynth.logic.simplify import linear_sum, simplified
from icgsynth.synth.linear.polish import Legal, plain, shorter, tidy


def by_symmetry(legal: Legal, formula: t.Formula, ordered: tuple[t.Name, ...] = ()) -> t.Formula:
    """As short as pairs of variables, or three of them, allow; ``formula`` if that is no shorter.

    What says only which variables are equal is left as it is.  What is returned is proved to hold
    in the same legal states.  The variables ``ordered`` are left as they are.
    """
    parts = [*walk(formula)]
    known = all(isinstance(part, t.And | t.Or | t.Compare | t.Name | t.Int) for part in parts)
    if known and all({*part.ops} == {"="} for part in parts if isinstance(part, t.Compare)):
        return formula
    names = [name for name in map(t.Name, legal.game.variables) if name not in ordered]
    swaps = {p for p in combinations(names, 2) if legal.are_equal(formula, _swapped(formula, *p))}
    best, chosen = formula, ordered
    for order in chain(combinations(names, 2), combinations(names, 3)):
        if swaps.issuperset(combinations(order, 2)):
            half = tidy(legal, formula, (t.Compare(order, ("<=",) * (len(order) - 1)),))
            said = _Order(legal, order).restate(half)
            if size(said) < size(best) and legal.are_equal(formula, said):
                best, chosen = said, (*ordered, *order)
    return best if best == formula else by_symmetry(legal, best, chosen)


def _swapped(formula: t.Formula, one: t.Name, other: t.Name) -> t.Formula:
    return substitute(formula, {one.name: other, other.name: one})


@dataclass(frozen=True)
class _Order:
    """Two or three variables from the smallest to the largest, in a set that allows any order."""

    legal: Legal
    names: tuple[t.Name, ...]

    def restate(self, formula: t.Formula) -> t.Formula:
        """Return ``formula``, true in one order of the variables, as one true in any order."""
        if all(self.legal.are_equal(formula, other) for other in self._others(formula)):
            return formula
        if isinstance(formula, t.And | t.Or):
            parts = formula.args
            whole = (p if {*parts}.issuperset(self._others(p)) else self.restate(p) for p in parts)
            return type(formula)(tuple(whole))
        ways = [shorter(simplified(substitute(formula, terms))) for terms in self._in_order()]
        return plain(self.legal, min(ways, key=size), self.legal.part())

    def _others(self, formula: t.Formula) -> Iterator[t.Formula]:
        return (_swapped(formula, *pair) for pair in combinations(self.names, 2))

    def _in_order(self) -> Iterator[Mapping[str, t.Term]]:
        """Terms for the variables in this order, whatever their order is."""
        low, *middle, high = self.names
        terms: tuple[t.Term, ...] = self.names
        least, most = reduce(t.Min, terms), reduce(t.Max, terms)
        ends = {low.name: least, high.name: most}
        if middle:
            rest = linear_sum({**dict.fromkeys(terms, 1), least: -1, most: -1})
            yield ends | {middle[0].name: rest}
        else:
            yield ends
            distance = t.Abs(linear_sum({low: 1, high: -1}))
            yield ends | {high.name: t.Sum((least, distance))}
