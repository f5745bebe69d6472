"""Compiled bit operations on a word of 64 bits, for use in other kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.process.compiled import part

U = np.uint64
ONE: Any = np.uint64(1)  # named, for numba makes int64 of a literal beside uint64
NONE: Any = np.uint64(0)  # a word without a bit
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)  # all 64 bits of a word
# A product with this number (de Bruijn's) has another value in its six highest bits for each
# word of one bit: _PLACE says which bit that is.
_DE_BRUIJN = 0x03F79D71B4CB0A89
_PLACE = np.zeros(64, np.int64)
_PLACE[[(_DE_BRUIJN << bit & (1 << 64) - 1) >> 58 for bit in range(64)]] = np.arange(64)


@part
def popcount(x: Any) -> int:
    """Return the number of set bits of the 64-bit word ``x`` (Warren, *Hacker's Delight*, 5-1)."""
    x = x - ((x >> U(1)) & U(0x5555555555555555))
    x = (x & U(0x3333333333333333)) + ((x >> U(2)) & U(0x3333333333333333))
    x = (x + (x >> U(4))) & U(0x0F0F0F0F0F0F0F0F)
    count: int = np.int64((x * U(0x0101010101010101)) >> U(56))  # type: ignore[assignment]
    return count


@part
def lowest(x: Any) -> int:
    """Return the index (0 to 63) of the lowest set bit of the 64-bit word ``x``, which is not 0."""
    at: int = _PLACE[np.int64(((x & (~x + ONE)) * U(_DE_BRUIJN)) >> U(58))]
    return at
