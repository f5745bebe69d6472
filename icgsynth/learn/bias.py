"""The mode bias: which weak constraints may be learned (``#modeo`` and its companions).

``#modeo(recall, atom, (positive)).``
    Up to ``recall`` literals of this form in a body.  Arguments ``var(type)`` and
    ``const(type)`` are places for variables and constants of a type.
``#weight(w).  #maxp(levels).  #maxv(variables).  #max_body(literals).  #max_rules(n).``
    The limits; ``#one_per_level.`` allows one constraint on each level.
``#constant(type, c).``
    A constant for ``const(type)``; without any, all that occur there.
``#template(parity).``
    Offer every body also as a parity, with each of its variables as the group.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from icgsynth.errors import InputError
from icgsynth.learn.terms import Term, Var, shown

__all__ = ["Bias", "Mode", "Pattern", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """``var(kind)``, or with ``constant`` ``const(kind)``."""

    kind: str
    constant: bool = False


Pattern: TypeAlias = "int | str | Var | Place | tuple[Pattern, ...]"
"""A term whose leaves may be places."""


@dataclass(frozen=True)
class Mode:
    """One ``#modeo``."""

    recall: int
    pattern: Pattern
    positive: bool = True

    @property
    def signature(self) -> tuple[str, int]:
        """Predicate and arity."""
        if isinstance(self.pattern, tuple):
            return str(self.pattern[0]), len(self.pattern) - 1
        return str(self.pattern), 0

    def __str__(self) -> str:
        sign = ", (positive)" if self.positive else ""
        return f"#modeo({self.recall}, {_shown(self.pattern)}{sign})."


def _shown(pattern: Pattern) -> str:
    if isinstance(pattern, Place):
        return f"{'const' if pattern.constant else 'var'}({pattern.kind})"
    if isinstance(pattern, tuple):
        return f"{pattern[0]}({','.join(map(_shown, pattern[1:]))})"
    return shown(pattern)


@dataclass(frozen=True)
class Bias:
    """The search space of hypotheses; see the module."""

    modes: tuple[Mode, ...]
    weights: tuple[int, ...] = (-1, 1)
    levels: int = 2
    variables: int = 4
    body: int = 4
    rules: int = 0  # 0 for no limit
    one_per_level: bool = False
    parity: bool = False
    constants: tuple[tuple[str, Term], ...] = ()
    background: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not self.modes:
            raise InputError("the bias has no #modeo", mend="add one such as "
                             "#modeo(1, next(free(var(cell))), (positive)).")  # fmt: skip
        if not any(self.weights):
            raise InputError("the bias has no weight other than 0", mend="add #weight(1).")

    @property
    def signatures(self) -> tuple[tuple[str, int], ...]:
        """The predicates that bodies may hold."""
        return tuple(sorted({mode.signature for mode in self.modes}))

    def text(self) -> str:
        """The bias as statements of a ``.las`` file, background first."""
        lines = [self.background] if self.background.strip() else []
        lines += [f"#constant({kind},{shown(value)})." for kind, value in self.constants]
        lines += map(str, self.modes)
        lines += [f"#weight({weight})." for weight in self.weights]
        lines += [f"#maxp({self.levels}).", f"#maxv({self.variables}).", f"#max_body({self.body})."]
        lines += [f"#max_rules({self.rules})."] * bool(self.rules)
        lines += ["#one_per_level."] * self.one_per_level + ["#template(parity)."] * self.parity
        return "\n".join(lines)
