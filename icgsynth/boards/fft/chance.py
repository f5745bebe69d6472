"""Random numbers for compiled kernels, from the state in ``bench.chance``."""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.boards.fft.bench import Bench
from icgsynth.boards.fft.player_view import Ints
from icgsynth.boards.finite.bit_kernels import ONE, lowest, popcount
from icgsynth.process.compiled import part


@part
def draw(bench: Bench, count: int) -> int:
    """Return a random integer from 0 to ``count`` - 1, by the generator of ``bench`` (splitmix64: a
    seed gives the same numbers on any machine)."""
    bench.chance[0] += np.uint64(0x9E3779B97F4A7C15)
    z = bench.chance[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    number: Any = np.int64(((z ^ (z >> np.uint64(31))) >> np.uint64(1)) % np.uint64(count))
    below: int = number
    return below


@part
def choose(bench: Bench, mask: int) -> int:
    """Return the index of a random set bit of the 64-bit word ``mask``, which is not 0."""
    for _ in range(draw(bench, popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


@part
def arrange(bench: Bench, places: Ints, count: int, order: int) -> None:
    """Write 0 to ``count`` - 1 to ``places``: shuffled (``order`` 0), rising (1) or falling (2)."""
    for i in range(count):
        places[i] = count - 1 - i if order == 2 else i
    if order == 0:
        for i in range(count - 1, 0, -1):
            j = draw(bench, i + 1)
            places[i], places[j] = places[j], places[i]


@part
def shuffle(bench: Bench, order: int) -> None:
    """Write all literals' indices to ``bench.bits``: shuffled (0), rising (1) or falling (``order``
    2)."""
    arrange(bench, bench.bits, bench.bits.shape[0], order)
