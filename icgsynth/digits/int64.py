"""Which numbers a machine integer may hold: the one place that says so.

Arrays of 64-bit integers wrap around without a word.  So whoever computes with them knows, as
a Python integer and before the array is made, how large its entries can become; where that is
not below :data:`SAFE`, the numbers stay Python integers or the question goes to another decider.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from icgsynth.errors import Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FARTHEST", "SAFE", "Bounded", "fits"]

SAFE = 2**62  # the sum or difference of two numbers below it still has a sign bit to spare
FARTHEST = 2**60  # coordinates and parameters up to here are searched: a few of them add up safely


def fits(*magnitudes: int) -> bool:
    """Whether numbers of these absolute values may be held, and added in pairs."""
    return all(magnitude < SAFE for magnitude in magnitudes)


@dataclass(frozen=True, slots=True)
class Bounded:
    """Integers whose absolute values are at most ``reach``.

    Every operation computes the reach of its result first, in Python integers, and raises
    :class:`~icgsynth.errors.Refused` where that does not fit.
    """

    numbers: NDArray[np.int64]
    reach: int

    def __post_init__(self) -> None:
        _require(self.reach)

    @staticmethod
    def span(first: int, last: int) -> Bounded:
        """``first`` to ``last``, both included; empty where ``last < first``."""
        import numpy as np

        reach = max(abs(first), abs(last))
        _require(reach)
        return Bounded(np.arange(first, last + 1, dtype=np.int64), reach)

    @staticmethod
    def point(number: int, dimensions: int) -> Bounded:
        """One number, as an array of so many dimensions."""
        import numpy as np

        _require(abs(number))
        return Bounded(np.full((1,) * dimensions, number, np.int64), abs(number))

    def plus(self, other: Bounded | int) -> Bounded:
        more, added = (
            (abs(other), other) if isinstance(other, int) else (other.reach, other.numbers)
        )
        _require(more, self.reach + more)
        return Bounded(self.numbers + added, self.reach + more)

    def times(self, factor: int) -> Bounded:
        reach = self.reach * abs(factor)
        _require(abs(factor), reach)
        return Bounded(self.numbers * factor, reach)

    def floor(self, divisor: int) -> Bounded:
        """Divided by a positive ``divisor``, rounded down."""
        _require(divisor)
        return Bounded(self.numbers // divisor, max(1, self.reach))

    def modulo(self, divisor: int) -> Bounded:
        _require(divisor)
        return Bounded(self.numbers % divisor, divisor)

    def shaped(self, numbers: NDArray[np.int64]) -> Bounded:
        """Some of the same numbers, in another shape."""
        return Bounded(numbers, self.reach)


def _require(*magnitudes: int) -> None:
    if not fits(*magnitudes):
        raise Refused("numbers of more than 62 bits")
