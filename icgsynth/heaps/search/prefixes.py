"""The Z-function of a word, in time proportional to its length (Gusfield 1997, section 1.3)."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Ints = NDArray[Any]


def least_step(values: Ints, heaps: int, taken: int, lengths: Ints) -> int:
    """Return the least period s of ``values`` that enough values show, or 0 where there is none.

    Enough are ``heaps`` * (m + s) + ``taken``, if from m >= 1 on each value is the one s before.
    ``lengths`` has room for the Z-function of the values read backwards, as far as steps go. Plain
    Python, which is compiled where there are many values.
    """
    count = len(values)
    last = count - 1
    left = 0
    right = 0
    for i in range(1, len(lengths)):
        length = 0
        # values[left:right], backwards, repeat the beginning, so that what is known of i - left
        # holds here.
        if i < right:
            length = min(right - i, lengths[i - left])
        while i + length < count and values[last - length] == values[last - i - length]:
            length += 1
        lengths[i] = length
        if i + length > right:
            left = i
            right = i + length
        # With the step i the values repeat from m = count - i - length on.
        if heaps * (max(count - i - length, 1) + i) + taken <= count:
            return i
    return 0
