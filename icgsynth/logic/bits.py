"""Sets of small numbers as bits of 64-bit words: bit i of word w stands for ``64 * w + i``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]


def words_for(width: int) -> int:
    """Return how many words of 64 bits hold ``width`` bits; at least one."""
    return max(1, -(-width // 64))


def pack(truth: NDArray[np.bool_]) -> Words:
    """The booleans ``truth`` (rows, bits) as words (rows, words)."""
    rows, width = truth.shape
    padded = np.zeros((rows, words_for(width) * 64), bool)
    padded[:, :width] = truth
    packed = np.packbits(padded, axis=1, bitorder="little").view(np.dtype("<u8"))
    return np.ascontiguousarray(packed.astype(np.uint64))


def unpack(words: Words, width: int) -> NDArray[np.bool_]:
    """(rows, words) back to (rows, ``width``) booleans."""
    octets = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    truth: NDArray[np.bool_] = np.unpackbits(octets, axis=1, bitorder="little", count=width).astype(
        bool
    )
    return truth
