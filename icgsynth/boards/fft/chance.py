"""Random numbers on a bench, drawn by compiled kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from icgsynth.boards.fft.bench import Bench
from icgsynth.boards.fft.player_view import Ints
from icgsynth.boards.finite.bit_kernels import ONE, lowest, popcount
from icgsynth.process.compiled import part


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
    for _ in range(draw(bench, popcount(mask))):
        mask &= mask - ONE
    return lowest(mask)


@part
def arrange(bench: Bench, places: Ints, count: int, order: int) -> None:
    """Write 0 to ``count`` - 1 to ``places``, in the order 0 random, 1 rising, 2 falling."""
    for i in range(count):
        places[i] = count - 1 - i if order == 2 else i
    if order == 0:
        for i in range(count - 1, 0, -1):
            j = draw(bench, i + 1)
            places[i], places[j] = places[j], places[i]


@part
def shuffle(bench: Bench, order: int) -> None:
    """The literals in ``bench.bits`` in the order 0 random, 1 as given, 2 backwards."""
    arrange(bench, bench.bits, bench.bits.shape[0], order)
