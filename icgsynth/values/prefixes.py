"""The Z-function of a word, in time proportional to its length (Gusfield 1997, section 1.3)."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

Ints = NDArray[Any]


def z_lengths(word: Ints, found: Ints) -> None:
    """Write to ``found[i]`` how many letters of ``word`` from i on are as those at its start.

    ``found`` holds zeros.  Plain Python, which is compiled where words are long.
    """
    left = 0
    right = 0
    for i in range(1, len(word)):
        length = 0
        if i < right:
            length = min(right - i, found[i - left])
        while i + length < len(word) and word[length] == word[i + length]:
            length += 1
        found[i] = length
        if i + length > right:
            left = i
            right = i + length
