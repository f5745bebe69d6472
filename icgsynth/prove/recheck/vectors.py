"""Sums of weights, read from the left, as vectors of integers.

While n columns are still to come, what the columns read are worth together is
``v_0 U_n + v_1 U_(n+1) + ..`` with integers v; a column is a linear step of v.  What is to come
is worth 0 .. U_n - 1 on each track (:mod:`icgsynth.prove.recheck.system`).
"""

from __future__ import annotations

from typing import TypeAlias

from icgsynth.digits.numeration import Numeration
from icgsynth.prove.recheck.system import alternates, weights

__all__ = ["Vector", "Vectors"]

Vector: TypeAlias = tuple[int, ...]
_STEPS = 64  # how far a vector is followed before it is kept; any number is sound


class Vectors:
    """The vectors of one system."""

    def __init__(self, system: Numeration) -> None:
        order = len(system.initial)
        self._recurrence = system.recurrence + (0,) * (order - len(system.recurrence))
        self._weights = weights(system, order)
        self.start = (0,) * order
        # No weight is more than this many times the one before it.
        ratios = [-(-v // u) for u, v in zip(self._weights, self._weights[1:], strict=False)]
        self.growth = max(sum(c for c in system.recurrence if c > 0), *ratios, 1)
        self._alternates = alternates(system)

    def step(self, vector: Vector, gained: int) -> Vector:
        """``vector`` read one position further right, and ``gained`` more of that weight."""
        top = vector[-1]
        moved = [top * c for c in reversed(self._recurrence)]
        moved[0] += gained
        return tuple(m + v for m, v in zip(moved, (0, *vector[:-1]), strict=True))

    def worth(self, vector: Vector) -> int:
        """What ``vector`` is worth when no column is to come."""
        return sum(v * u for v, u in zip(vector, self._weights, strict=True))

    def is_positive(self, vector: Vector, against: int) -> bool:
        """Whether ``vector`` stays positive for every n when ``against`` tracks, each worth at
        most U_n - 1, are taken off: w(n) + against > 0 for w = vector - against at U_n.

        Once w(n) grows with n, the first value is the least.
        """
        rest = (vector[0] - against, *vector[1:])
        for _ in range(_STEPS):
            if self.worth(rest) + against <= 0:
                return False
            if self._grows(rest):
                return True
            rest = self.step(rest, 0)
        return False

    def _grows(self, vector: Vector) -> bool:
        """Whether ``v_0 U_n + v_1 U_(n+1) + ..`` never falls as n grows, for all that this tells.

        The weights grow, so natural entries do.  Where the differences of the weights never fall,
        ``v_0 (U_(n+1) - U_n) + v_1 (U_(n+2) - U_(n+1))`` is at least ``v_0 + v_1`` such
        differences if v_1 is natural.
        """
        if self._alternates:
            return vector[1] >= 0 and sum(vector) >= 0
        return min(vector) >= 0
