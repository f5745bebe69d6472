"""Compiled kernels: random numbers on a bench, and the bits of a word."""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.fft.bench import Bench
from icgsynth.finite.compiled import part

__all__ = ["choose", "draw", "lowest", "shuffle"]

ONE: Any = np.uint64(1)
# A product with this number (de Bruijn's) has another value in its six highest bits for each
# word of one bit: _PLACE says which bit that is.
_DE_BRUIJN: Any = np.uint64(0x03F79D71B4CB0A89)
_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _PLACE[((0x03F79D71B4CB0A89 << _bit) & (2**64 - 1)) >> 58] = _bit


@part
def lowest(word: int) -> int:
    """The place of the lowest bit of a word that is not 0."""
    at: int = _PLACE[np.int64(((word & (~word + ONE)) * _DE_BRUIJN) >> np.uint64(58))]
    return at


@part
def draw(bench: Bench, count: int) -> int:
    """A random number below ``count``: splitmix64, so that a seed means the same everywhere."""
    bench.chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = bench.chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    number: Any = np.int64(((z ^ (z >> np.uint64(31))) >> np.uint64(1)) % np.uint64(count))
    below: int = number
    return below


@part
def choose(bench: Bench, mask: int) -> int:
    """The place of a random bit of a word that is not 0."""
    count = 0
    rest = mask
    while rest:
        rest &= rest - ONE
        count += 1
    for _ in range(draw(bench, count)):
        mask &= mask - ONE
    return lowest(mask)


@part
def shuffle(bench: Bench, order: int) -> None:
    """The literals in ``bench.bits`` in the order 0 random, 1 as given, 2 backwards."""
    bits = bench.bits
    count = bits.shape[0]
    for i in range(count):
        bits[i] = count - 1 - i if order == 2 else i
    if order == 0:
        for i in range(count - 1, 0, -1):
            j = draw(bench, i + 1)
            bits[i], bits[j] = bits[j], bits[i]
