"""Machine code for :mod:`icgsynth.boards.finite.explore` and
:mod:`icgsynth.boards.finite.arena`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.process.compiled import compiled

Words = NDArray[np.uint64]
Parts = NDArray[np.uint8]
Ints = NDArray[Any]

_HALF = np.uint64(32)  # bits: half a word


@compiled
def _slot(states: Parts, row: int, size: int) -> int:
    """Return where to look first for a row in a table of ``size`` places, at most 2^32."""
    # The steps are those of splitmix64 (Steele, Lea, Flood 2014), one for each part of the row.
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for k in range(states.shape[1]):
        mixed ^= np.uint64(states[row, k])
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    # floor(h * size / 2^32) for the upper half h of the number: spread evenly, and no division.
    return np.int64((mixed >> _HALF) * np.uint64(size) >> _HALF)  # type: ignore[return-value]


@compiled
def rehash(table: Ints, states: Parts, count: int) -> None:
    """Fill the empty ``table`` (-1) with the first ``count`` states."""
    size = len(table)
    for row in range(count):
        slot = _slot(states, row, size)
        while table[slot] >= 0:
            slot = slot + 1 if slot + 1 < size else 0
        table[slot] = row


@compiled
def insert(table: Ints, states: Parts, count: int, found: Parts, rows: Ints) -> int:
    """Write the row of each state of ``found`` to ``rows``, adding new ones; the new count.

    ``states`` and ``table`` must have room for all of them.
    """
    size = len(table)
    for i in range(found.shape[0]):
        # Open addressing with steps of one: a state stands between its first slot and the next free
        # one, so a free slot proves that it is new.
        slot = _slot(found, i, size)
        while True:
            row = table[slot]
            if row < 0:
                table[slot] = count
                for k in range(found.shape[1]):
                    states[count, k] = found[i, k]
                rows[i] = count
                count += 1
                break
            same = True
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
def canonical(states: Words, images: Ints, out: Words, fixing: Ints) -> None:
    """The least image of each state (n, words), and how many elements lead to it.

    ``images`` (g, facts) says where each element of the group sends a fact.
    """
    words = states.shape[1]
    held = np.empty(images.shape[1], np.int64)
    image = np.empty(words, np.uint64)
    for s in range(states.shape[0]):
        # held[:size]: the facts that hold, so that an image costs as many steps and not one a fact.
        size = 0
        for k in range(words):
            left = states[s, k]
            fact = 64 * k
            while left:
                if left & np.uint64(1):
                    held[size] = fact
                    size += 1
                left >>= np.uint64(1)
                fact += 1
        ties = 0
        for g in range(images.shape[0]):
            image[:] = 0
            for i in range(size):
                to = images[g, held[i]]
                image[to >> 6] |= np.uint64(1) << np.uint64(to & 63)
            # order: whether the image is less than the least so far (-1), equal (0) or greater (1);
            # the first word in which they differ decides.  The first image is the least so far.
            order = -1 if g == 0 else 0
            for k in range(words):
                if order:
                    break
                if image[k] < out[s, k]:
                    order = -1
                elif image[k] > out[s, k]:
                    order = 1
            if order < 0:
                for k in range(words):  # an assignment of the row compiles ten times as long
                    out[s, k] = image[k]
                ties = 1  # of the images so far, how many are the least
            elif order == 0:
                ties += 1
        # The elements that lead to the least image are as many as those that fix the state, which
        # are a subgroup: so its orbit has g / ties states.
        fixing[s] = ties


@compiled
def into(first: Ints, target: Ints) -> tuple[Ints, Ints]:
    """Return the moves sorted by the state that they lead to, as ``source`` and ``begin``.

    The moves of state s lead to ``target[e]`` for e from ``first[s]`` to ``first[s + 1]``; those
    into state t come from ``source[begin[t]:begin[t + 1]]``. (numpy sorts several times slower.)
    """
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
