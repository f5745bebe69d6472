"""Lines: linear terms of the state that a move decreases by one of a few numbers.

A move by ``l = 3 k + r`` takes k from a and l from b, and lets ``b - 3 a`` fall by r.  So its value
after the move is known, and an automaton that reads this one number tells a, and thereby b, after
the move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from icgsynth.logic import term as t
from icgsynth.logic.build import substitute
from icgsynth.logic.evaluate import value
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import collect_atoms

_MOST_FALLS = 1_000  # each is tried in play


@dataclass(frozen=True, slots=True)
class Line:
    """A linear ``term`` of the variables that a move decreases by ``least`` to ``most``.  A natural
    number is left, which the track ``track`` of an automaton holds.  The automaton computes another
    variable, which falls by at least ``takes``.  The variable ``gives``, with the factor 1 or -1 in
    the term, is what these leave it after the move. ValueError where the term is not linear or does
    not have that factor, or the falls are none or very many."""

    track: str
    term: t.Term
    gives: str
    least: int
    most: int
    takes: int

    def __post_init__(self) -> None:
        factors = linear(self.term).factors
        if not all(isinstance(atom, t.Name) for atom in factors):
            raise ValueError(f"{self.term} is not linear")
        if factors.get(t.Name(self.gives)) not in (1, -1):
            raise ValueError(f"{self.term} does not have {self.gives} with the factor 1 or -1")
        if self.least > self.most:
            raise ValueError(f"nothing is between {self.least} and {self.most}")
        if self.most - self.least >= _MOST_FALLS:
            raise ValueError(f"a line falls by one of at most {_MOST_FALLS} values")

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.term} falls by {self.least}"
        return f"{self.term} falls by {self.least} to {self.most}"

    def values(self, env: Mapping[str, int]) -> Iterator[int]:
        """Yield the values that the line's term may have after a move from the state ``env``: it
        falls by ``least`` to ``most``, and is not negative."""
        before = value(self.term, env)
        yield from (before - fall for fall in range(self.least, self.most + 1) if fall <= before)

    def evaluate(self, left: int, env: Mapping[str, int]) -> int:
        """Return the value of the variable ``gives`` for which the line's term is ``left``, where
        the other variables have their values in ``env``."""
        factor = linear(self.term).factors[t.Name(self.gives)]
        rest = value(self.term, {**env, self.gives: 0})
        return factor * (left - rest)

    def solve(self, left: t.Term, others: Mapping[str, t.Term]) -> t.Term:
        """Return the term to which the variable ``gives`` is equal, if the line's term is equal to
        ``left`` and the other variables to the terms ``others``."""
        factor = linear(self.term).factors[t.Name(self.gives)]
        rest = substitute(self.term, {**others, self.gives: t.Int(0)})
        return collect_atoms(t.Mul(t.Int(factor), t.Sum((left, t.Neg(rest)))))

    def renamed(self, names: Mapping[str, str]) -> Line:
        """Return the line, a linear term that moves lower, with its variables renamed by ``names``,
        {old: new}."""
        term = substitute(self.term, {old: t.Name(new) for old, new in names.items()})
        return replace(self, term=term, gives=names.get(self.gives, self.gives))

    def to_json(self) -> dict[str, Any]:
        """Return the line, a linear term that moves lower, as a dict of plain strings and
        numbers."""
        return {
            "track": self.track,
            "term": str(self.term),
            "gives": self.gives,
            "falls": [self.least, self.most],
            "takes": self.takes,
        }
