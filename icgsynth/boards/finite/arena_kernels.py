"""Compiled loops: a hash table of states for exploration, and moves sorted by target state."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.process.compiled import compiled

Words = NDArray[np.uint64]
Parts = NDArray[np.uint8]
Ints = NDArray[Any]

_HALF = np.uint64(32)  # bits: half a word
_ROW = np.uint32((1 << 28) - 1)  # the bits of a table's slot that hold a row
_TAG = np.uint32(0xF0000000)  # the bits of a table's slot that hold part of a hash
FREE = np.uint32(0xFFFFFFFF)
"""The content of an empty slot of a hash table of states."""
MOST_STATES = 250_000_000
"""The most states in a hash table: a row has 28 bits there."""


@compiled
def _digest(states: Parts, row: int) -> Any:
    """Return a 64-bit hash of the state in ``row`` of ``states`` (n, octets)."""
    # The steps are those of splitmix64 (Steele, Lea, Flood 2014), one for each eight octets.
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for start in range(0, states.shape[1], 8):
        part = np.uint64(0)
        for k in range(start, min(start + 8, states.shape[1])):
            part = (part << np.uint64(8)) | np.uint64(states[row, k])
        mixed ^= part
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
        mixed *= np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed


@compiled
def _slot(mixed: Any, size: int) -> int:
    """Return the slot to probe first for the hash ``mixed`` in a table of ``size`` slots."""
    # floor(h * size / 2^32) for the upper half h of the digest: spread evenly, and no division.
    return np.int64((mixed >> _HALF) * np.uint64(size) >> _HALF)  # type: ignore[return-value]


@compiled
def rehash(table: Ints, states: Parts, count: int) -> None:
    """Insert the first ``count`` of ``states`` (n, octets) into a hash ``table`` of FREE slots.  A
    slot in use holds the row of a state in its low 28 bits, and four bits of the state's hash."""
    size = len(table)
    for row in range(count):
        mixed = _digest(states, row)
        slot = _slot(mixed, size)
        while table[slot] != FREE:
            slot = slot + 1 if slot + 1 < size else 0
        table[slot] = (np.uint32(mixed) & _TAG) | np.uint32(row)


@compiled
def insert(table: Ints, states: Parts, count: int, found: Parts, rows: Ints) -> int:
    """Find or add each of ``found`` (k, octets) in a hash table of states; return its new size.
    ``rows`` (k,) gets each one's row.  New states are written to ``states`` (n, octets) from row
    ``count`` on; ``states`` and ``table``, the slots, must have room for all of them."""
    size = len(table)
    for i in range(found.shape[0]):
        # Open addressing with steps of one: a state stands between its first slot and the next free
        # one, so a free slot proves that it is new.  A place has a row and four bits of the digest:
        # most states that are others are told by these, without a look at them in memory.
        mixed = _digest(found, i)
        tag = np.uint32(mixed) & _TAG
        slot = _slot(mixed, size)
        while True:
            place = table[slot]
            if place == FREE:
                table[slot] = tag | np.uint32(count)
                for k in range(found.shape[1]):
                    states[count, k] = found[i, k]
                rows[i] = count
                count += 1
                break
            same = place & _TAG == tag
            if same:
                row = place & _ROW
                for k in range(found.shape[1]):
                    if states[row, k] != found[i, k]:
                        same = False
                        break
            if same:
                rows[i] = row
                break
            slot = slot + 1 if slot + 1 < size else 0
    return count


@compiled
def into(first: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Sort the moves by the state that they lead to; return the arrays ``source`` and ``begin``.
    The moves of state s lead to ``target[e]`` for e in ``first[s] .. first[s + 1] - 1``; those into
    state t come from ``source[begin[t]:begin[t + 1]]``. (numpy sorts several times slower.)"""
    # Counting sort: begin[t + 1] counts the moves into t, then those into 0 .. t, which is where
    # the moves into t + 1 begin; place[t] is where the next move into t goes.
    count = len(first) - 1
    begin = np.zeros(count + 1, np.int64)
    for e in range(len(target)):
        begin[target[e] + 1] += 1
    for s in range(count):
        begin[s + 1] += begin[s]
    place = begin[:-1].copy()
    source = np.empty(len(target), np.int32)
    for s in range(count):
        for e in range(first[s], first[s + 1]):
            # Sources come in rising order, so those of each target are sorted.
            source[place[target[e]]] = s
            place[target[e]] += 1
    return source, begin
