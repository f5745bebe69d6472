"""One literal of the search grammar: its meaning, its size, and how it is written.

A literal is a comparison of a linear form with an integer, or a congruence.  Its size is
the number of leaves of the shortest way to write it: ``a = b`` and ``a = -b`` have 2,
``a = b + 1`` 3, ``2 * a <= b`` 3, ``(a + b) mod 3 = 0`` 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic import term as t
from icgsynth.logic.comparisons import MEANING, NEGATED, SWAPPED
from icgsynth.logic.simplify import linear_sum

__all__ = ["Coefficients", "LinearLiteral", "form_size", "is_sum", "linear_term", "number_size"]

Coefficients: TypeAlias = tuple[int, ...]


def form_size(coefficients: Coefficients, largest: int) -> int:
    """Fewest leaves of a linear form, written with integers of at most ``largest`` (2 or more).

    A variable is one leaf, its coefficient another; a coefficient past ``largest`` is the sum
    of several, as in ``24 * a + 2 * a``.
    """
    size = 0
    for c in coefficients:
        whole, rest = divmod(abs(c), largest)
        size += 2 * whole + min(rest, 2)
    return size


def number_size(op: str, number: int, in_sum: bool, largest: int) -> int:
    """Fewest leaves that ``form op number`` needs besides those of the form.

    None where the form ``in_sum`` has two variables and they can be set against each other;
    an inequality may be strict or not.
    """
    numbers = (number, number + 1) if op in ("<=", ">") else (number,)
    least = min(map(abs, numbers))
    return -(-least // largest) if least or in_sum else 1


def is_sum(coefficients: Coefficients) -> bool:
    """Whether the form has two variables at least."""
    return sum(c != 0 for c in coefficients) > 1


@dataclass(frozen=True, slots=True)
class LinearLiteral:
    """``sum(c * x) op number``, or with a modulus ``sum(c * x) mod modulus op number``."""

    coefficients: Coefficients
    op: str
    number: int
    modulus: int = 0

    @property
    def size(self) -> int:
        """Leaves, with integers as large as it takes."""
        form = form_size(self.coefficients, max(2, *map(abs, self.coefficients)))
        if self.modulus:
            return form + 2
        return form + number_size(
            self.op, self.number, is_sum(self.coefficients), abs(self.number) + 1
        )

    @property
    def complement(self) -> LinearLiteral:
        """The literal that holds where this one does not."""
        return LinearLiteral(self.coefficients, NEGATED[self.op], self.number, self.modulus)

    def formula(self, variables: Sequence[str]) -> t.Formula:
        """The literal in concrete syntax, with nothing negative where that costs no leaf."""
        if self.modulus:
            term = t.Mod(linear_term(self.coefficients, variables), t.Int(self.modulus))
            if self.modulus == 2 and self.op == "!=":
                return t.Compare((term, t.Int(1 - self.number)), ("=",))
            return t.Compare((term, t.Int(self.number)), (self.op,))
        return _comparison(self, variables)

    def holds(self, states: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Its value on each of ``states``, shape (n, d)."""
        return self.on(states @ np.array(self.coefficients, dtype=np.int64))

    def on(self, values: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Its value where the linear form has ``values``, of the same shape."""
        if self.modulus:
            values = values % self.modulus
        return np.asarray(MEANING[self.op](values, self.number))


def linear_term(coefficients: Coefficients, variables: Sequence[str], number: int = 0) -> t.Term:
    """``sum(c * x) + number``, positive parts first."""
    return linear_sum(dict(zip(map(t.Name, variables), coefficients, strict=True)), number)


def _comparison(literal: LinearLiteral, variables: Sequence[str]) -> t.Formula:
    """Positive variables left, negative right, the number where it is positive."""
    c, op, number = literal.coefficients, literal.op, literal.number
    if op in ("<=", ">") and is_sum(c) and number == -1:
        op, number = ("<" if op == "<=" else ">="), 0
    left = tuple(max(x, 0) for x in c)
    right = tuple(max(-x, 0) for x in c)
    if not any(left):
        left, right, op, number = right, left, SWAPPED[op], -number
    if not any(right):
        if number or not is_sum(left):
            return t.Compare((linear_term(left, variables), t.Int(number)), (op,))
        # a + b = 0 has a leaf more than a = -b.
        last = max(i for i, x in enumerate(left) if x)
        right = tuple(-x if i == last else 0 for i, x in enumerate(left))
        left = tuple(0 if i == last else x for i, x in enumerate(left))
    if number < 0:
        # a - b <= -3 reads better as a + 3 <= b.
        if op in ("<=", ">"):
            op, number = ("<" if op == "<=" else ">="), number + 1
        if number:
            left, right, op, number = right, left, SWAPPED[op], -number
    return t.Compare((linear_term(left, variables), linear_term(right, variables, number)), (op,))
