"""The limits of the numbers that a machine integer or a float may hold.

Arrays of 64-bit integers wrap around without a word.  So whoever computes with them knows, as
a Python integer and before the array is made, how large its entries can become; where that is
not below :data:`SAFE`, the numbers stay Python integers or the question goes to another decider.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from icgsynth.errors import Refused

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAFE = 2**62  # the sum or difference of two numbers below it still has a sign bit to spare
_TOLD = 10**18  # the least number of which only the power of ten is told: nobody reads more digits
FARTHEST = 2**60  # coordinates and parameters up to here are searched: a few of them add up safely


def fits(*magnitudes: int) -> bool:
    """Return whether numbers of these absolute values, and sums of two of them, fit 64 bits."""
    return all(magnitude < SAFE for magnitude in magnitudes)


def as_float(number: float) -> float:
    """Return the float nearest to ``number``; infinite past some 10^308, where there is none."""
    try:
        return float(number)
    except OverflowError:
        return inf if number > 0 else -inf


def combinations_of(sizes: Iterable[float]) -> float:
    """Return the product of ``sizes``: how many ways there are to choose one of each.  Sizes,
    integers of any length or infinite, and the product may be infinite; 0 if one is 0."""
    count = 1.0
    for size in sizes:
        if not size:
            return 0.0
        count *= as_float(size)
    return count


def spoken_count(number: int) -> str:
    """Return ``number``, at least 0, as text: ``1,234``, or ``about 10^40`` past 18 digits."""
    if number < _TOLD:
        return f"{number:,}"
    # An integer below 2^b has at most b log10(2) digits, rounded up; Python prints 4,300 at most.
    return f"about 10^{number.bit_length() * 30103 // 100000}"


@dataclass(frozen=True, slots=True)
class WithinReach:
    """An array of integers whose absolute values are known to be at most ``reach``.  Every
    operation computes the reach of its result first, in Python integers, and raises
    :class:`~icgsynth.errors.Refused` where that does not fit."""

    numbers: NDArray[np.int64]
    reach: int

    def __post_init__(self) -> None:
        _require(self.reach)

    @staticmethod
    def span(first: int, last: int) -> WithinReach:
        """Return the integers ``first`` to ``last``, both included; none if ``last < first``."""
        import numpy as np

        reach = max(abs(first), abs(last))
        _require(reach)
        return WithinReach(np.arange(first, last + 1, dtype=np.int64), reach)

    @staticmethod
    def point(number: int, dimensions: int) -> WithinReach:
        """Return an array with the one entry ``number``, of so many ``dimensions``."""
        import numpy as np

        _require(abs(number))
        return WithinReach(np.full((1,) * dimensions, number, np.int64), abs(number))

    def plus(self, other: WithinReach | int) -> WithinReach:
        more, added = (
            (abs(other), other) if isinstance(other, int) else (other.reach, other.numbers)
        )
        _require(more, self.reach + more)
        return WithinReach(self.numbers + added, self.reach + more)

    def times(self, factor: int) -> WithinReach:
        reach = self.reach * abs(factor)
        _require(abs(factor), reach)
        return WithinReach(self.numbers * factor, reach)

    def floor(self, divisor: int) -> WithinReach:
        """Return these integers divided by a positive ``divisor``, rounded down."""
        _require(divisor)
        return WithinReach(self.numbers // divisor, max(1, self.reach))

    def modulo(self, divisor: int) -> WithinReach:
        _require(divisor)
        return WithinReach(self.numbers % divisor, divisor)

    def replace(self, numbers: NDArray[np.int64]) -> WithinReach:
        """Return ``numbers``, an array of any shape whose entries are some of this one's, with its
        bound on absolute values."""
        return WithinReach(numbers, self.reach)


def _require(*magnitudes: int) -> None:
    if not fits(*magnitudes):
        raise Refused("numbers of more than 62 bits")
