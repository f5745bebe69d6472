"""Arrays of integers: distinct values, scattered samples, and sets packed as bits.

Most need no ``np.unique``, which loads much of numpy.  Bit i of word w is for ``64 * w + i``.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
"""Arrays of integers and of booleans; where it matters, a docstring tells their shape."""

Number = TypeVar("Number", bound=np.generic)


def distinct(*values: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct numbers in all of the arrays ``values``, ascending, shape (n,)."""
    ordered: NDArray[Number] = np.concatenate(values, axis=None)
    if len(ordered) < 2:
        return ordered
    ordered.sort()
    different = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=different[1:])
    return ordered[different]


def ranks(values: NDArray[Any]) -> Ints:
    """Return for each of the ``values`` (n,), n > 0, how many distinct values are less."""
    order = values.argsort()
    ordered = values[order]
    rank = np.zeros(len(values), np.int64)
    rank[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return rank


def spread(count: int) -> Ints:
    """Return ``count`` scattered numbers of 32 bits, the same in each call.  They are the
    fractional parts of multiples of the golden section."""
    words = np.arange(count, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return (words >> np.uint64(32)).astype(np.int64)


def pick_scattered(count: int, wanted: int) -> Ints:
    """Return ``wanted`` scattered indices below ``count``, the same in each call."""
    return np.argsort(spread(count), kind="stable")[:wanted]


def near_and_scattered(states: Ints, near: int, others: int) -> Ints:
    """Return rows of ``states`` (n, d): the ``near`` closest to 0, then ``others`` scattered ones.
    Distance is the sum of absolute values; there are fewer rows if ``states`` has fewer."""
    nearest = np.argsort(np.abs(states).sum(axis=1), kind="stable")
    rest = nearest[near:]
    return np.concatenate([nearest[:near], rest[pick_scattered(len(rest), others)]])


def distinct_rows(rows: NDArray[Any]) -> tuple[list[tuple[int, ...]], Ints]:
    """Return the distinct ``rows``, sorted, and an array (n,) of each row's place in that list.
    ``rows`` (n, d) may hold integers of any size."""
    if rows.dtype != object:
        found, places = np.unique(rows, axis=0, return_inverse=True)
        return list(map(tuple, found.tolist())), places.reshape(-1)
    each = list(map(tuple, rows.tolist()))
    place = {row: i for i, row in enumerate(sorted(set(each)))}
    return list(place), np.array([place[row] for row in each], np.int64)


Words = NDArray[np.uint64]


def words_for(width: int) -> int:
    """Return how many words of 64 bits hold ``width`` bits; at least one."""
    return max(1, -(-width // 64))


def pack(truth: NDArray[np.bool_]) -> Words:
    """Return the booleans ``truth`` (rows, bits) as 64-bit words (rows, words), low bits first."""
    rows, width = truth.shape
    padded = np.zeros((rows, words_for(width) * 64), bool)
    padded[:, :width] = truth
    packed = np.packbits(padded, axis=1, bitorder="little").view(np.dtype("<u8"))
    return np.ascontiguousarray(packed.astype(np.uint64))


def unpack(words: Words, width: int) -> NDArray[np.bool_]:
    """Return the bits of ``words`` (rows, words), lowest first, as booleans (rows, ``width``)."""
    octets = np.ascontiguousarray(words.astype("<u8")).view(np.uint8)
    truth: NDArray[np.bool_] = np.unpackbits(octets, axis=1, bitorder="little", count=width).astype(
        bool
    )
    return truth
