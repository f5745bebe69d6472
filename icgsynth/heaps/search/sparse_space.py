"""Compute long nim sequences by the sparse-space method, if moves leave at most two heaps.

A mask divides the heaps into two classes by the parity of the masked bits of their values, such
that few heaps are *rare* and all others *common* (Berlekamp, Conway and Guy 1982, chapter 4;
Gangolli and Plambeck 1989; Caines et al. 1999).  The xor of two common heaps has even parity.  So
the pairs with a rare heap alone decide which values of odd parity are met, and the least that is
not met bounds G(n) from above; values of even parity below it are looked for among the common
pairs; the heaps that gave one lately are tried first, and usually meet them.  The rare class must
be that of even parity: a heap whose value no two common heaps can have is found without a search
among them.

With ``by_position`` the parity of the heap counts too, where all numbers taken with two heaps left
are of one parity.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.heaps.rules.heaps import HeapCode, RareHeaps, SparseMask

if TYPE_CHECKING:
    from icgsynth.heaps.search.nim_kernels import Classes, HeapMoves, PairLists

Ints = NDArray[np.integer[Any]]
_CHUNK = 0.1  # seconds between two looks at the budget
_USEFUL = 2_048  # heaps that are tried first for a value, of some hundreds that often have one
_NARROW = 1 << 15  # above the values that 16 bits hold
_STRETCH = 1 << 18  # values that are looked at in one step of numpy
LARGEST = 1 << 24  # values from here on are not kept, as in the replay: tables of them take 256 MB


def extend_sparsely(code: HeapCode, known: Ints, count: int, budget: Budget) -> Ints:
    """Return G(0), .., G(count - 1), which begin with ``known``; fewer if the budget is spent, or a
    value reaches 2^24. Moves must leave at most two heaps."""
    done, is_wide = len(known), int(known.max(initial=0)) >= _NARROW
    values: Ints = np.zeros(count, np.int32 if is_wide else np.int16)
    values[:done] = known
    while done < count and not budget.is_spent:
        # A mask is chosen anew each time the values have doubled: log(count) times.
        until = min(count, 2 * done)
        most = LARGEST if is_wide else _NARROW
        done = _with_one_mask(code, values, done, until, most, budget)
        if done < until and is_wide:
            break
        if done < until and not budget.is_spent:
            # A value left the range of 16 bits: the search goes on with 32.
            values, is_wide = values.astype(np.int32), True
    return values[:done]


def _with_one_mask(
    code: HeapCode, values: Ints, done: int, until: int, most: int, budget: Budget
) -> int:
    """Write G(done), .., G(until - 1) to ``values``, until one is ``most`` or the budget is spent;
    return how many are written then."""
    from icgsynth.heaps.search import nim_kernels as kernels

    mask = best_mask(code, values[:done])
    moves = _moves(code)
    # Values below a power of two have an xor below it; twice that is room for some that are larger.
    limit = min(most, 2 << int(values[:done].max()).bit_length())
    chunk = 1_000
    while done < until and not budget.is_spent and limit <= most:
        classes, lists = _classes(code, mask, limit), _lists(code, mask, values[:done], until)
        seen = np.full(limit, -1, np.int64)
        while done < until and not budget.is_spent:
            began = time.perf_counter()
            end = min(until, done + chunk)
            reached = kernels.extend(values, done, end, moves, classes, lists, seen)
            # The chunk is fitted to the machine: calls of about a tenth of a second, so that the
            # budget is looked at often enough and seldom enough.
            if time.perf_counter() - began < _CHUNK:
                chunk *= 2
            else:
                chunk = max(1, chunk // 2)
            done = reached
            # A value reached the limit of the tables: they are made anew, twice as large.
            if reached < end:
                limit *= 2
                break
    return done


def _moves(code: HeapCode) -> HeapMoves:
    from icgsynth.heaps.search.nim_kernels import HeapMoves

    whole, one, two = (np.array(code.taking(heaps), np.int64) for heaps in range(3))
    unequal = np.array([k in code.unequal for k in code.taking(2)], np.int64)
    return HeapMoves(whole, one, two, unequal)


def _classes(code: HeapCode, mask: SparseMask, limit: int) -> Classes:
    from icgsynth.heaps.search.nim_kernels import Classes

    return Classes(_parity(np.arange(limit) & mask.bits), int(mask.by_position), _rare(code, mask))


def _lists(code: HeapCode, mask: SparseMask, values: Ints, room: int) -> PairLists:
    from icgsynth.heaps.search.nim_kernels import PairLists

    rare = np.zeros(room, np.int64)
    found = _rare_places(code, mask, values)
    rare[: len(found)] = found
    return PairLists(rare, np.zeros(_USEFUL, np.int64), np.array([len(found), 0]))


# --- which heaps are rare ------------------------------------------------------------------------


def rare_heaps(code: HeapCode, values: Ints) -> RareHeaps:
    """Return how many of the heaps with ``values`` are rare by the best mask, and the largest of
    these."""
    mask = best_mask(code, values)
    found = _rare_places(code, mask, values)
    return RareHeaps(mask, len(found), int(found[-1]) if len(found) else 0)


def best_mask(code: HeapCode, values: Ints) -> SparseMask:
    """Return the mask by which the fewest of the heaps with ``values`` are rare.

    A mask divides heaps by the parity of the bits of value & mask.  The Hadamard transform of the
    counts of all values holds, for each mask, how many more heaps are of even parity than of odd.
    """
    return min(_masks(code, values), key=lambda found: found[0])[1]


def _masks(code: HeapCode, values: Ints) -> Iterator[tuple[int, SparseMask]]:
    """Yield (number of rare heaps, mask) for the best mask by values alone, and then for the best
    one that adds the parity of the heap."""
    top = 1 << int(values.max(initial=0)).bit_length()
    # Heaps of even number without heap 0, which is in no pair, and heaps of odd number.
    even, odd = (_counts(values[start::2], top) for start in (2, 1))
    heaps = max(0, len(values) - 1)
    yield _fewest(even + odd, heaps, False, 0)
    # With the parity of the heap: counts of odd heaps change their sign in the balance.
    if len({k % 2 for k in code.taking(2)}) == 1:
        rare = _rare(code, SparseMask(0, True))
        yield _fewest(even - odd, heaps, True, rare)


def _counts(values: Ints, top: int) -> NDArray[np.int64]:
    parts = (values[at : at + _STRETCH] for at in range(0, len(values), _STRETCH))
    counted = (np.bincount(part, minlength=top) for part in parts)
    return sum(counted, np.zeros(top, np.int64))


def _fewest(
    counts: NDArray[np.int64], heaps: int, by_position: bool, rare: int
) -> tuple[int, SparseMask]:
    balance = _hadamard(counts)
    # Of two classes with the sum ``heaps`` and the difference ``balance`` (even less odd): the rare
    # one.
    numbers = (heaps + (1 - 2 * rare) * balance) // 2
    bits = int(numbers.argmin())
    return int(numbers[bits]), SparseMask(bits, by_position)


def _hadamard(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sum of (-1)^parity(v & mask) * counts[v] over all v, for each mask (n,)."""
    found, half = counts.astype(np.int64), 1
    while half < len(found):
        # A butterfly for each bit of the mask: sum and difference of the parts without and with the
        # bit.
        pairs = found.reshape(-1, 2, half)
        sums, differences = pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]
        found = np.stack([sums, differences], axis=1).reshape(-1)
        half *= 2
    return found


def _rare(code: HeapCode, mask: SparseMask) -> int:
    """Return the parity, 0 or 1, that rare heaps have by ``mask``: then no move of a common heap
    leaves two common heaps with its value."""
    return code.taking(2)[0] & 1 if mask.by_position and code.taking(2) else 0


def _rare_places(code: HeapCode, mask: SparseMask, values: Ints) -> NDArray[np.int64]:
    """Return the heaps n >= 1, of G(n) = ``values[n]``, that ``mask`` makes rare."""
    rare, found = _rare(code, mask), [np.zeros(0, np.int64)]
    for at in range(0, len(values), _STRETCH):
        classes = _parity(values[at : at + _STRETCH] & mask.bits)
        if mask.by_position:
            classes ^= np.arange(at, at + len(classes)) & 1
        found.append(np.flatnonzero(classes == rare) + at)
    places = np.concatenate(found)
    return places[places > 0]


def _parity(numbers: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the parity of the bits of each of the numbers, which are below 2^16."""
    folded = numbers.astype(np.int64)
    for shift in (8, 4, 2, 1):
        # The xor of the upper half of the bits and the lower one has the same parity.
        folded ^= folded >> shift
    return folded & 1
