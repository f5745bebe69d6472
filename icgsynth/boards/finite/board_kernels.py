"""Compiled loops for :mod:`icgsynth.boards.finite.board`: evaluate rules on rows of bits, 64 states
to a word.

A *slice* is an array (rows, w) of uint64: bit b of word j of a row belongs to state 64 j + b.
States themselves are (n, words) of uint64: bit b of word k is fact 64 k + b.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.bit_kernels import NONE, ONE, lowest
from icgsynth.process.compiled import compiled

Words = NDArray[np.uint64]
Ints = NDArray[Any]

_LOW = np.uint64(63)  # mask: the bit within a word, of a bit number
_FULL = np.uint64(0xFFFFFFFFFFFFFFFF)  # all 64 bits of a word


@compiled
def write_facts(states: Words, slices: Words, base: int) -> None:
    """Set bit s of row ``base + f`` of ``slices`` wherever state s of ``states`` has the fact f.
    ``states`` are (n, words), bit f for fact f; the rows of ``slices`` (rows, words of n bits) that
    are written must be empty before."""
    for s in range(states.shape[0]):
        bit = ONE << (np.uint64(s) & _LOW)
        for k in range(states.shape[1]):
            left = states[s, k]
            while left:
                slices[base + 64 * k + lowest(left), s >> 6] |= bit
                left &= left - ONE


@compiled
def read_facts(slices: Words, rows: Ints, states: Words) -> None:
    """Set fact f of ``states[s]`` (n, words) where bit s of row ``rows[f]`` of ``slices`` is set.
    ``states`` is empty before."""
    count = states.shape[0]
    for fact in range(len(rows)):
        bit = ONE << (np.uint64(fact) & _LOW)
        for word in range((count + 63) >> 6):
            left = slices[rows[fact], word]
            while left:
                s = 64 * word + lowest(left)
                if s < count:
                    states[s, fact >> 6] |= bit
                left &= left - ONE


@compiled
def evaluate(
    slices: Words, width: int, head: Ints, first: Ints, body: Ints, segments: Ints
) -> None:
    """Evaluate rules on the first ``width`` words of the rows of ``slices``, to the least model.
    Rule r sets bits of row ``head[r]`` where all conditions ``body[first[r]:first[r + 1]]`` hold; a
    condition is twice a row, plus 1 if negated.  ``segments`` (k, 3) has the first rule, the last
    rule + 1, and 1 where these rules are repeated until no bit is added."""
    holds = np.empty(width, np.uint64)
    for segment in range(segments.shape[0]):
        start, stop = segments[segment, 0], segments[segment, 1]
        for rule in range(start, stop):
            slices[head[rule], :width] = 0
        # "and" joins the conditions of one rule (into holds), "or" the rules of one head.
        changed = True
        while changed:
            grown = np.uint64(0)
            for rule in range(start, stop):
                for word in range(width):
                    holds[word] = _FULL
                for part in range(first[rule], first[rule + 1]):  # whole rows: vector instructions
                    # A literal is twice its row, plus 1 if negated; a row is 64 states a word.
                    row = slices[body[part] >> 1]
                    if body[part] & 1:
                        for word in range(width):
                            holds[word] &= ~row[word]
                    else:
                        for word in range(width):
                            holds[word] &= row[word]
                row = slices[head[rule]]
                for word in range(width):
                    grown |= holds[word] & ~row[word]
                    row[word] |= holds[word]
            # A segment that depends on itself runs until no row gains a bit, to its least model.
            changed = segments[segment, 2] != 0 and grown != 0


@compiled
def choices(slices: Words, rows: Ints, live: Words, count: int) -> tuple[Ints, Ints]:
    """Return a role's legal moves in ``count`` states as two arrays, ``first`` and ``move``. Those
    of state s are ``move[first[s]:first[s + 1]]``: each i for which bit s is set in
    ``slices[rows[i]]`` and in ``live``."""
    first = np.zeros(count + 1, np.int64)
    # A first pass counts: first[s + 1] becomes the number of moves of state s.
    width = (count + 63) >> 6
    for move in range(len(rows)):
        for word in range(width):
            left = slices[rows[move], word] & live[word]
            while left:
                s = 64 * word + lowest(left)
                if s < count:
                    first[s + 1] += 1
                left &= left - ONE
    for s in range(count):
        # Prefix sums: state s has found[first[s]:first[s + 1]], filled in by a second pass.
        first[s + 1] += first[s]
    place = first[:-1].copy()
    found = np.empty(first[count], np.int32)
    for move in range(len(rows)):
        for word in range(width):
            left = slices[rows[move], word] & live[word]
            while left:
                s = 64 * word + lowest(left)
                if s < count:
                    found[place[s]] = move
                    place[s] += 1
                left &= left - ONE
    return first, found


@compiled
def joint(first0: Ints, move0: Ints, first1: Ints, move1: Ints) -> tuple[Ints, Ints, Ints]:
    """Return all pairs of moves of two roles as arrays (m,): the states, both roles' moves. In
    state s role 0 has the moves ``move0[first0[s]:first0[s + 1]]``, and so for role 1."""
    count = len(first0) - 1
    total = 0
    for s in range(count):
        total += (first0[s + 1] - first0[s]) * (first1[s + 1] - first1[s])
    source = np.empty(total, np.int64)
    left = np.empty(total, np.int32)
    right = np.empty(total, np.int32)
    at = 0
    for s in range(count):
        for i in range(first0[s], first0[s + 1]):
            for j in range(first1[s], first1[s + 1]):
                # Pairs stand by state, and within a state by the move of role 0.
                source[at] = s
                left[at] = move0[i]
                right[at] = move1[j]
                at += 1
    return source, left, right


@compiled
def gather(slices: Words, rows: Ints, source: Ints, out: Words) -> None:
    """Copy bit ``source[e]`` to bit e, from ``slices`` to ``out``, in each of the rows ``rows``.
    So bit e stands for a copy of the state ``source[e]``.  ``source`` is in ascending order, and
    these rows of ``out`` are empty before."""
    count = len(source)
    width = (count + 63) >> 6
    # Within a word of ``out``, what one state gives is a run of bits: ``state`` and ``mask`` of the
    # runs, those of word w from ``begin[w]`` on.
    state = np.empty(count, np.int64)
    mask = np.empty(count, np.uint64)
    begin = np.empty(width + 1, np.int64)
    runs = 0
    for e in range(count):
        if e & 63 == 0:
            begin[e >> 6] = runs
        if e & 63 == 0 or source[e] != source[e - 1]:
            state[runs], mask[runs] = source[e], 0
            runs += 1
        mask[runs - 1] |= ONE << (np.uint64(e) & _LOW)
    begin[width] = runs
    for r in rows:
        for word in range(width):
            held = NONE
            for k in range(state[begin[word]] >> 6, (state[begin[word + 1] - 1] >> 6) + 1):
                held |= slices[r, k]
            if held:  # few facts of a board hold in any of 64 states
                bits = NONE
                for run in range(begin[word], begin[word + 1]):
                    s = state[run]
                    holds = (slices[r, s >> 6] >> (np.uint64(s) & _LOW)) & ONE
                    bits |= mask[run] & (NONE - holds)
                out[r, word] = bits


@compiled
def set_moves(out: Words, rows: Ints, chosen: Ints) -> None:
    """Set bit e of the row ``rows[chosen[e]]`` of ``out`` for each e, where ``chosen[e]`` is the
    move made in the state e.  Rows 0 and 1 are constants, and stay: no rule reads such a move."""
    for e in range(len(chosen)):
        row = rows[chosen[e]]
        if row > 1:
            out[row, e >> 6] |= ONE << (np.uint64(e) & _LOW)


KERNELS = (write_facts, read_facts, evaluate, choices, joint, gather, set_moves)
"""All kernels of this module, for :func:`~icgsynth.process.compiled.announce`."""
