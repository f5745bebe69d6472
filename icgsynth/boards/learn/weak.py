"""Weak constraints in clingo's form ``:~ body. [weight@level, id, V0, V1]``, and hypotheses.

What a constraint charges a move is its weight times the number of substitutions of its variables
that make the body true.  A *parity* constraint charges for every value of its group variable (once,
without one) for which the body holds for an odd number of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icgsynth.boards.learn.terms import Term, Var, format_term, substituted, variables_of


@dataclass(frozen=True, slots=True, order=True)
class BodyLiteral:
    """A literal in the body of a weak constraint: an atom over variables, or its negation."""

    atom: Term
    positive: bool = True

    def __str__(self) -> str:
        return format_term(self.atom) if self.positive else f"not {format_term(self.atom)}"


@dataclass(frozen=True, slots=True)
class Constraint:
    """A weak constraint; if ``parity``, it charges for odd counts, per value of ``group`` if any.

    A variable that occurs nowhere else in the body may be projected away by the name ``_``;
    nothing here does so.  The level is its place in the hypothesis.
    """

    body: tuple[BodyLiteral, ...]
    weight: int
    level: int = 1
    parity: bool = False
    group: Var | None = None

    def __post_init__(self) -> None:
        bound = {v for li in self.body if li.positive for v in variables_of(li.atom)}
        if not self.body or not {*self.variables, self.group} - {None} <= bound:
            raise ValueError("no positive literal of the body has some variable")

    @property
    def length(self) -> int:
        """The number of literals, plus one for a parity; a minimal hypothesis has the least sum."""
        return len(self.body) + self.parity

    @property
    def variables(self) -> tuple[Var, ...]:
        """The variables of the body, in order of occurrence."""
        return tuple(dict.fromkeys(v for li in self.body for v in variables_of(li.atom)))

    def asp(self, number: int) -> str:
        """Return the constraint in clingo's language, with the unique id ``number``."""
        body = ", ".join(map(str, self.body))
        if not self.parity:
            names = "".join(f", {v.name}" for v in self.variables)
            return f":~ {body}. [{self.weight}@{self.level}, {number}{names}]"
        others = [v.name for v in self.variables if v != self.group]
        count = f"#count {{ {','.join(others)} : {body} }} = N__, N__ \\ 2 = 1"
        if self.group is None:
            return f":~ {count}. [{self.weight}@{self.level}, {number}]"
        anchor = next(li for li in self.body if li.positive and self.group in variables_of(li.atom))
        blank = {v: Var("_") for v in variables_of(anchor.atom) if v != self.group}
        bound = format_term(substituted(anchor.atom, dict(blank)))
        tail = f"[{self.weight}@{self.level}, {number}, {self.group.name}]"
        return f":~ {bound}, {count}. {tail}"

    def __str__(self) -> str:
        return self.asp(1)

    def to_json(self) -> dict[str, Any]:
        """Return the constraint as JSON: body, weight, level, and the group of a parity."""
        value: dict[str, Any] = {
            "body": [str(literal) for literal in self.body],
            "weight": self.weight,
            "level": self.level,
        }
        if self.parity:
            value["parity"] = {"group": self.group.name if self.group else None}
        return value


@dataclass(frozen=True)
class Hypothesis:
    """A set of weak constraints, the highest level first, with the background rules they use."""

    constraints: tuple[Constraint, ...]
    background: str = ""

    @property
    def length(self) -> int:
        """The total length of all constraints: their literals, plus one for each parity."""
        return sum(constraint.length for constraint in self.constraints)

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that the constraints use, the most important first."""
        return tuple(sorted({c.level for c in self.constraints}, reverse=True))

    def asp(self) -> str:
        """Return the constraints in clingo's language, one a line."""
        return "\n".join(c.asp(i) for i, c in enumerate(self.constraints, start=1))

    def __str__(self) -> str:
        return self.asp()
