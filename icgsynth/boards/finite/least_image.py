"""Find the least image of a state under a group of symmetries, by a tree of the group's elements.

An image is read fact by fact, in the order in which two images are compared: the bits of a word
from the highest, the first word first.  An element is given by which fact it sends to each of these
places.  Elements that agree in the first places are neighbours, and looked at together; of those
that go on differently only those stay that leave the next place empty, if there are any. So a state
costs some steps for each element that is the best so far, in place of an image for each element of
the group (the search by cosets of Linton 2004, "Finding the smallest image of a set").
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_kernels import ONE, U
from icgsynth.process.compiled import compiled

Words = NDArray[np.uint64]
Ints = NDArray[Any]

_LOW = np.int64(63)  # mask: the bit within a word, of a bit number


class ElementTree(NamedTuple):
    """The g elements of a permutation group on facts, as a prefix tree over k places of facts.

    Elements are sorted by what they send to the places that some element moves, in the order of
    comparison.  ``source`` (k, g) is the fact sent there; ``end`` (k, g) is the first later element
    that differs in that place or before; ``images`` (g, facts) is where a fact is sent.
    """

    source: NDArray[np.int32]
    end: NDArray[np.int32]
    images: NDArray[np.int32]


def tree_of(images: NDArray[np.int32]) -> ElementTree:
    """Return the prefix tree of a permutation group from its elements' ``images`` (g, facts)."""
    order, facts = images.shape
    # Places in the order in which two states are compared as numbers, from the highest bit of the
    # first word; np.lexsort sorts by its last key first.
    places = np.arange(facts)
    places = places[np.lexsort((-places, places >> 6))]
    # argsort of a permutation is its inverse: which fact lands on a place. Where all elements agree
    # a place tells none apart and is left out.
    sources = np.argsort(images, axis=1)[:, places]
    sources = sources[:, (sources != sources[:1]).any(axis=0)]
    rank = np.lexsort(sources.T[::-1]) if sources.size else np.arange(order)
    source = np.ascontiguousarray(sources[rank].T.astype(np.int32))
    # alike[k, e]: elements e and e + 1 agree in the places 0 .. k. Then end[k, e] is the next
    # element after e at which that breaks, found from the right by a running minimum.
    alike = np.zeros(source.shape, bool)
    np.logical_and.accumulate(source[:, :-1] == source[:, 1:], axis=0, out=alike[:, :-1])
    end = np.where(alike, order, np.arange(1, order + 1)).astype(np.int32)
    end = np.minimum.accumulate(end[:, ::-1], axis=1)[:, ::-1]
    return ElementTree(source, np.ascontiguousarray(end), images[rank])


@compiled
def least_images(
    states: Words, source: Ints, end: Ints, images: Ints, out: Words, fixing: Ints
) -> None:
    """Write each state's least image to ``out`` (n, words) and its stabilizer's size to ``fixing``.
    ``source``, ``end`` and ``images`` are those of an :class:`ElementTree`; ``out`` is empty."""
    order = len(images)
    # One of the two rows has the ranges of elements still left; the other gets those that stay.
    low, high = np.empty((2, order), np.int64), np.empty((2, order), np.int64)
    for s in range(states.shape[0]):
        row, count = 0, 1
        low[0, 0], high[0, 0] = 0, order
        # Invariant: the ranges hold just the elements whose images agree in all places before this
        # one, and no element has a smaller image there.
        for place in range(len(source)):
            if count == 1 and high[row, 0] - low[row, 0] == 1:
                break
            kept, least = 0, ONE
            for part in range(count):
                i = low[row, part]
                while i < high[row, part]:
                    fact = source[place, i]
                    bit = (states[s, fact >> 6] >> U(fact & _LOW)) & ONE
                    # The first 0 at this place makes all elements with a 1 worse: collect anew.
                    if bit < least:
                        kept, least = 0, bit
                    if bit == least:
                        low[1 - row, kept], high[1 - row, kept] = i, end[place, i]
                        kept += 1
                    i = end[place, i]
            row, count = 1 - row, kept
        # Elements with the same least image are a coset of the state's stabilizer.
        ties = 0
        for part in range(count):
            ties += high[row, part] - low[row, part]
        fixing[s] = ties
        best = low[row, 0]
        # One of the best elements makes the image, each fact moved by itself.
        for k in range(states.shape[1]):
            left, fact = states[s, k], 64 * k
            while left:
                if left & ONE:
                    to = images[best, fact]
                    out[s, to >> 6] |= ONE << U(to & _LOW)
                left >>= ONE
                fact += 1
