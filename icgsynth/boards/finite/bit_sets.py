"""Sets of small integers as bits of 64-bit words: list, build, test and renumber members."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import Words, unpack


def bits_of(words: Words) -> list[int]:
    """Return the members of the bit set ``words`` (words,), in ascending order."""
    held = unpack(words[None, :], 64 * len(words))[0]
    return [int(i) for i in np.flatnonzero(held)]


def words_of(bits: Iterable[int], words: int) -> Words:
    """Return the set of the integers ``bits`` as an array of ``words`` words of 64 bits."""
    found = np.zeros(words, np.uint64)
    for bit in bits:
        found[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    return found


def bit_column(sets: Words, bit: int) -> NDArray[np.bool_]:
    """Return a mask (n,): which of ``sets``, bit sets (n, words), contain ``bit``."""
    held: NDArray[np.bool_] = (sets[:, bit >> 6] >> np.uint64(bit & 63)) & np.uint64(1) != 0
    return held


def move_bits(sets: Words, source: Iterable[int], target: Iterable[int], out: Words) -> None:
    """Add ``target[i]`` to set s of ``out`` (n, words) where set s of ``sets`` has ``source[i]``.
    One member is moved at a time, so that millions of bit sets are never unpacked at once."""
    for old, new in zip(source, target, strict=True):
        held = bit_column(sets, old).astype(np.uint64)
        out[:, new >> 6] |= held << np.uint64(new & 63)
