"""Check claims on nim sequences from the rules: each value must be the mex of the options' values.

This shares with the search the reader of codes and the claim itself, and nothing that computes.
Of each heap n the values of its options are marked, and the first that is not marked must be G(n).
Of the first heaps, and where a move leaves three, all pairs of heaps are looked at.  Of long
sequences not all pairs need to be:

* The claim comes with a mask, which divides the heaps into two classes (see
  :class:`~icgsynth.heaps.rules.heaps.SparseMask`).  A common heap n has by its class a value that
  no two common heaps together can have, so that only the pairs with a rare heap could have the
  value G(n).  They are all marked, for all n.  Of a rare heap n all pairs are marked.
* For the values below G(n) it is enough to meet each of them once; pairs are tried from the
  smallest heap on.

So a mask that is badly chosen costs time, and cannot make a false claim pass.  Values are read in
place: no second array of their length is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import BudgetSpent, OutOfReach, TooLarge
from icgsynth.game.answers import FarCheck, Finding, Verdict
from icgsynth.heaps.rules.heaps import HeapCode, NimPeriod, Repeating, SparseMask

Ints = NDArray[np.integer[Any]]
Words = NDArray[np.unsignedinteger[Any]]
_PLAIN = 512  # heaps of which all pairs are looked at
_ROWS = 1 << 14  # heaps of one block, or more: their sets stay in the caches of a processor
_BLOCK = 1 << 18  # bytes of the sets of a block with more heaps
_PAIRS = 1 << 18  # pairs that are looked at in one step
_FEW = 32  # a heap in so many is looked at by itself, and not with its block
_STRETCH = 1 << 18  # values that are compared with their bounds at once
_LARGEST = 1 << 24  # a larger value would take too much memory
# Masks for b = 0 to 5: the lower half of each 2^(b + 1) bits of a word of 64 bits.
_EVEN = [sum(1 << p for p in range(64) if not p >> b & 1) for b in range(6)]


HEAP = "n"  # what the witness of a wrong value calls the heap


def values_checked(found: Finding) -> int:
    """Return how many values were checked from the rules for the finding ``found``; 0 if none."""
    return 0 if found.checked is None else found.checked.states


class _Wrong(Exception):
    """Raised for a heap whose Grundy value is not the claimed one."""

    def __init__(self, heap: int, why: str) -> None:
        super().__init__(why)
        self.heap = heap


def replay_period(claim: NimPeriod, budget: Budget = UNBOUNDED) -> Finding:
    """Return whether ``claim`` is proved for all heaps, refuted (by a heap), or unknown. A
    preperiod or period that is not the least is refuted, where the values are right."""
    if not claim.has_theorem:
        return Finding(Verdict.UNKNOWN, "no theorem for unequal heaps and values that rise")
    needed = _count_needed(claim.code, claim.preperiod, claim.period)
    # The claim has the preperiod and one period; the block is repeated as far as the theorem asks.
    begin, block = claim.values[: claim.preperiod], claim.values[claim.preperiod :]
    values = np.concatenate([begin, np.resize(block, needed - len(begin))])
    return of_least(claim, replay_values(claim.code, values, claim.mask, budget))


def of_least(claim: Repeating, judged: Finding) -> Finding:
    """Return ``judged``, the finding on ``claim``, but refute a proved claim whose period or
    preperiod is not the least."""
    said = other_than_least(claim) if judged.verdict is Verdict.PROVED else ""
    return Finding(Verdict.REFUTED, said) if said else judged


def replay_values(
    code: HeapCode, values: Ints, mask: SparseMask, budget: Budget = UNBOUNDED
) -> Finding:
    """Return whether ``values`` are proved to be G(0), .. of ``code``; ``mask`` only saves time."""
    try:
        _check(code, values, mask, budget)
    except _Wrong as wrong:
        return Finding(Verdict.REFUTED, str(wrong), {HEAP: wrong.heap})
    except (BudgetSpent, OutOfReach) as spent:
        return Finding(Verdict.UNKNOWN, str(spent))
    return Finding(Verdict.PROVED, checked=FarCheck(len(values), len(values) - 1, 0))


def _count_needed(code: HeapCode, preperiod: int, period: int) -> int:
    """Return how many values, from G(0) on, prove a period for all heaps if they are right."""
    # Let a move leave h heaps at most and take t at most, and let G(n + p) = G(n) for m <= n < h m
    # + (h - 1) p + t, where m >= 1, for heap 0 is no part of a pair.  Then it holds for all n >= m,
    # by induction: of the heaps that a move leaves of n + p the largest has a size b with h b >= n
    # + p - t >= h (m + p), so that b - p >= m, and with b - p in place of b the move is one of heap
    # n with the same value.  In the same way, h b >= n - t >= h m turns a move of n into one of n +
    # p.  With h = 2 this is the theorem of Guy and Smith (1956).
    heaps = max(j for j in range(4) if j <= 1 or code.taking(j))
    return heaps * (max(1, preperiod) + period) + code.most_taken


def other_than_least(claim: Repeating) -> str:
    """Return why the period or the preperiod of ``claim`` is not the least; "" if both are."""
    values, preperiod, period = claim.values, claim.preperiod, claim.period
    block = values[preperiod:]
    is_later = preperiod > claim.first_heap
    if is_later and values[preperiod - 1] + claim.saltus == block[-1]:
        return f"the preperiod is not the least: {preperiod - 1} will do"
    small = [factor for factor in range(1, isqrt(period) + 1) if period % factor == 0]
    for factor in sorted({*small, *(period // factor for factor in small)} - {1}):
        step = period // factor
        rise, left = divmod(claim.saltus, factor)
        # A least period divides every period, so its divisors alone are tried.
        if not left and (block[step:] == block[:-step] + rise).all():
            return f"the period is not the least: {step} will do"
    return ""


def _check(code: HeapCode, values: Ints, mask: SparseMask, budget: Budget) -> None:
    """Raise :class:`_Wrong` for the first heap whose Grundy value is not the one in ``values``."""
    _check_sizes(code, values)
    options = _Options(code, values)
    if len(values) > _PLAIN and not code.taking(3):
        _check_long(options, mask, budget)
        return
    for heap in range(len(values)):
        budget.check()
        options.judge(heap)


def _check_sizes(code: HeapCode, values: Ints) -> None:
    """Raise :class:`_Wrong` for a value larger than the options of its heap allow, and TooLarge if
    a value is 2^24 or more."""
    # Heap n has at most (n + 1)^(heaps left - 1) options for each number taken.  And where the
    # heaps below n have values below a power of two, so have its options.
    largest = 0
    for start in range(0, len(values), _STRETCH):
        part = values[start : start + _STRETCH].astype(np.int64)
        heaps = np.arange(start + 1, start + len(part) + 1)
        most = len(code.digits) * (heaps * heaps if code.taking(3) else heaps)
        so_far = np.maximum.accumulate(np.concatenate([[largest], part]))
        reached = np.left_shift(1, np.frexp(so_far[:-1])[1])
        wrong = np.flatnonzero(part > np.minimum(most, reached))
        if len(wrong):
            heap, value = start + int(wrong[0]), int(part[wrong[0]])
            raise _Wrong(heap, f"G({heap}) is not {value}: its options have no {value} values")
        largest = int(so_far[-1])
    if largest >= _LARGEST:
        raise TooLarge("the values are too large for the memory of a replay")


class _Options:
    """Compares claimed values with the mex of all options; heaps are asked in ascending order."""

    def __init__(self, code: HeapCode, values: Ints) -> None:
        self.code, self.values = code, values
        self.top = 1 << int(values.max(initial=0)).bit_length()
        # All values are below top, a power of two, and so are their xors: a table of top + 1 places
        # is enough, and it is never cleared, for the number of the heap is the stamp.
        self._met = np.full(self.top + 1, -1)  # the last heap that met a value; no heap meets top
        self._pairs = np.zeros((len(values) if code.taking(3) else 0, self.top), np.bool_)

    def judge(self, heap: int) -> None:
        """Raise :class:`_Wrong` unless the claimed value of ``heap`` is the mex of its options."""
        self._meet(heap)
        # No option has the value top, so there is a first value that is not met.
        first, claimed = int((self._met != heap).argmax()), int(self.values[heap])
        if first < claimed:
            why = f"no option of heap {heap} has that value"
            raise _Wrong(heap, f"G({heap}) is {first}, not {claimed}: {why}")
        if first > claimed:
            why = f"an option of heap {heap} has that value"
            raise _Wrong(heap, f"G({heap}) is not {claimed}: {why}")

    def judge_wrong(self, heap: int) -> None:
        """Raise :class:`_Wrong` for ``heap``, wrong by another test; if right, AssertionError."""
        self.judge(heap)
        raise AssertionError(f"two ways to look at heap {heap} contradict each other")

    def _meet(self, heap: int) -> None:
        met, code, values = self._met, self.code, self.values
        if heap in code.taking(0):
            met[0] = heap
        met[values[[heap - k for k in code.taking(1) if k < heap]]] = heap
        for k in code.taking(2):
            met[self._two(heap - k, k in code.unequal)] = heap
        if len(self._pairs):
            self._pairs[heap, self._two(heap, False)] = True
        # Three heaps of n - k: for each third heap, the value v is met iff two heaps of the rest
        # have the value v xor G(third); _pairs[s] has the values of two heaps of s together. The
        # third counts as the smallest, so it goes up to a third of the whole.
        for k in code.taking(3):
            third = np.arange(1, (heap - k) // 3 + 1)
            others = np.arange(self.top) ^ values[third][:, None]
            found = self._pairs[(heap - k - third)[:, None], others].any(axis=0)
            met[:-1][found] = heap

    def _two(self, size: int, unequal: bool) -> Ints:
        """Return G(a) xor G(b) for each pair a <= b with a + b = ``size``, a < b if ``unequal``."""
        # Heaps a and size - a for a up to half of the size: each pair once; where the two must
        # differ, a = size / 2 is left out.
        last = max(0, (size - 1 if unequal else size) // 2)
        two: Ints = self.values[1 : last + 1] ^ self.values[size - last : size][::-1]
        return two


def _check_long(options: _Options, mask: SparseMask, budget: Budget) -> None:
    """Raise :class:`_Wrong` for a false value in ``options``, where moves leave two heaps at most;
    ``mask`` says which heaps are rare, and saves time."""
    code, values = options.code, options.values
    bits = _Bits(values, options.top)
    two = [(k, k in code.unequal) for k in code.taking(2)]
    rare = np.zeros(0, np.int64)
    for start in range(0, len(values), bits.rows):
        block = _Block(options, bits, start)
        # Of common heaps: pairs with a rare heap are all met, and then none may have met its own
        # value; what is missing below the value is looked for. Of a rare heap all pairs are met at
        # once.
        is_common = _common(code, values[start : block.stop], start, mask)
        found = np.flatnonzero(~is_common) + start
        rare = np.concatenate([rare, found[found > 0]])
        try:
            if is_common.any():
                block.meet_with(rare, two, budget)
            for heap in found.tolist():
                budget.check()
                block.meet_all(heap)
            if (wrong := block.with_an_option_of_that_value()) is not None:
                options.judge_wrong(wrong)
            block.meet_until_none_is_missing(two, budget)
        except _Wrong as later:
            # A block is looked at in another order than heap by heap, so the first wrong heap may
            # be an earlier one; the message names that.
            for heap in range(start, later.heap):  # one before it may be wrong as well
                budget.check()
                options.judge(heap)
            raise


def _common(code: HeapCode, values: Ints, start: int, mask: SparseMask) -> NDArray[np.bool_]:
    """Return an array that is True at i where heap ``start`` + i is common by ``mask``, and not
    rare: no move of a common heap leaves two common heaps with its value."""
    # For two such heaps that are left of heap n after k were taken, the parity of the masked bits
    # of their value is even; with ``by_position`` it is that of n - k. The parity of G(n) must be
    # the other one. None are common where k is odd and even.
    parities = {k & 1 for k in code.taking(2)}
    if mask.by_position and len(parities) > 1:
        return np.zeros(len(values), np.bool_)
    # The parity of masked bits is additive: that of a xor b is the sum of both. Two heaps of one
    # class have the sum even, so no pair of them has a value of odd parity.
    odd = np.array([(v & mask.bits).bit_count() & 1 for v in range(int(values.max()) + 1)])
    parity = odd[values]
    if mask.by_position:
        parity = parity ^ ((np.arange(start, start + len(values)) - max(parities, default=0)) & 1)
    common: NDArray[np.bool_] = parity == 1
    return common


class _Bits:
    """Sets of values below ``top`` as bits of machine words, each set a column (words, sets). Words
    have 64 bits, or 32 where one of them holds all values: that is half the work."""

    def __init__(self, values: Ints, top: int) -> None:
        self._values = values
        self.word: type[np.unsignedinteger[Any]] = np.uint32 if top <= 32 else np.uint64
        self._width = 8 * self.word(0).itemsize
        self.words = -(-top // self._width)
        self.rows = max(_ROWS, 8 * _BLOCK // (self._width * self.words))  # heaps of a block
        mask = (1 << self._width) - 1
        self._even = [self.word(even & mask) for even in _EVEN[: self._width.bit_length() - 1]]
        # single[v] is the set {v}, below[v] the set of all values less than v.
        numbers = [1 << v for v in range(top)]
        self.single, self.below = self._table(numbers), self._table([n - 1 for n in numbers])

    def _table(self, sets: list[int]) -> Words:
        """Return ``sets``, integers whose bit v says that v is in the set, as columns of words."""
        width, mask = self._width, (1 << self._width) - 1
        parts = [[one >> width * w & mask for one in sets] for w in range(self.words)]
        return np.array(parts, self.word)

    def of(self, begin: int, end: int) -> Words:
        """Return the sets {G(n)} for ``begin`` <= n < ``end``, each as a column of words."""
        return self.single[:, self._values[begin:end]]

    def turn(self, sets: Words, by: int) -> Words:
        """Return ``sets`` with each value v replaced by v xor ``by``: bits change places."""
        # Nim-addition of by permutes values: its high bits permute words, its low bits the bits of
        # each.
        sets = sets[np.arange(self.words) ^ (by // self._width)]
        for bit, even in enumerate(self._even):
            # Value v goes to v ^ by: blocks of 2^bit bits change places with their neighbours. The
            # words did so above, for the bits from _width on.
            if by >> bit & 1:
                step = self.word(1 << bit)
                sets = (sets & even) << step | sets >> step & even
        return sets


class _Block:
    """A block of heaps from ``start`` on, with the values of options that were met so far."""

    def __init__(self, options: _Options, bits: _Bits, start: int) -> None:
        self._options, self._bits, self._values = options, bits, options.values
        self.start, self.stop = start, min(len(options.values), start + bits.rows)
        self._heaps = np.arange(start, self.stop)
        self._met = np.zeros((bits.words, self.stop - start), bits.word)
        # Sets of the heaps just below the block are needed for every number taken: made once.
        self._near = max(0, start - bits.rows), bits.of(max(0, start - bits.rows), self.stop)
        for k in options.code.taking(0):
            if start <= k < self.stop:
                self._met[0, k - start] |= bits.word(1)
        for k in options.code.taking(1):
            self._join(self._met, max(start, k + 1), self.stop, k)

    def _join(self, sets: Words, begin: int, end: int, less: int) -> None:
        """Add G(n - ``less``) to the column of heap n in ``sets``, for ``begin`` <= n < ``end``."""
        if begin >= end:
            return
        first, near = self._near
        there = slice(begin - less - first, end - less - first)
        found = near[:, there] if there.start >= 0 else self._bits.of(begin - less, end - less)
        sets[:, begin - self.start : end - self.start] |= found

    def meet_with(self, smaller: Ints, two: Sequence[tuple[int, bool]], budget: Budget) -> None:
        """Add to the set of met values of each heap of this block the values of its options that
        are two heaps, one in ``smaller``. ``two``: pairs (number taken, whether the heaps left must
        differ)."""
        values = self._values[smaller]
        # All pairs with a heap a of value g: the sets of the other heaps, each turned by g. Joining
        # the sets first and turning once is one turn a value instead of one a heap.
        for value in np.unique(values).tolist():
            budget.check()
            sets = np.zeros_like(self._met)
            for a in smaller[values == value].tolist():
                for k, unequal in two:
                    # Heap n = a + k + b; b >= 1, and the heap with b = a is left out where the two
                    # must be unequal.
                    first, middle = max(self.start, a + k + 1), 2 * a + k
                    if unequal:
                        self._join(sets, first, min(self.stop, middle), a + k)
                        first = max(first, middle + 1)
                    self._join(sets, first, self.stop, a + k)
            self._met |= self._bits.turn(sets, value)

    def meet_all(self, heap: int) -> None:
        """Raise :class:`_Wrong` if the claimed G(``heap``) is false; else note all values below it
        as met."""
        self._options.judge(heap)
        place, value = heap - self.start, int(self._values[heap])
        self._met[:, place] = self._bits.below[:, value]

    def with_an_option_of_that_value(self) -> int | None:
        """Return the first heap of the block of which an option has the heap's claimed value; else
        None."""
        own = self._bits.of(self.start, self.stop)
        wrong = np.flatnonzero((self._met & own).any(axis=0))
        return self.start + int(wrong[0]) if len(wrong) else None

    def meet_until_none_is_missing(self, two: Sequence[tuple[int, bool]], budget: Budget) -> None:
        """Look at options that are two heaps until each heap of the block has met all smaller
        values.

        ``two`` has pairs (number taken, whether the two heaps left must differ).  Now and then the
        first heap that still lacks a value is judged by all its options, and :class:`_Wrong`
        raised: where many values are wrong, that is known before all pairs of all heaps are tried.
        """
        # left: heaps that have not met all smaller values. Pieces of smaller heaps double, while
        # few heaps are left they are looked at one by one, and the work for them is counted in
        # pairs.
        left, first, count, pairs = self._missing(self._heaps), 1, 16, 0
        while len(left):
            budget.check()
            smaller = np.arange(first, min(first + count, self.stop))
            if len(left) * _FEW > len(self._heaps):
                self.meet_with(smaller, two, budget)
            else:
                for part in np.array_split(left, 1 + len(left) * count // _PAIRS):
                    budget.check()
                    self._meet_each(part, smaller, two)
            first, pairs = first + count, pairs + count * len(left)
            count = max(16, min(2 * count, 4 * _PAIRS // len(left)))
            left = self._missing(left)
            if len(left) and pairs >= left[0]:  # at least as much work as all pairs of one heap
                pairs = 0
                self.meet_all(int(left[0]))
                left = left[1:]

    def _meet_each(self, heaps: Ints, smaller: Ints, two: Sequence[tuple[int, bool]]) -> None:
        """Add to the sets of met values of each of ``heaps`` the values of its options that are two
        heaps, one in ``smaller``. ``two``: pairs (number taken, whether the heaps left must
        differ)."""
        for k, unequal in two:
            # A table of pairs: row i is heap i of the few, column j the pair (smaller[j], the
            # rest).
            others = (heaps - k)[:, None] - smaller
            if others.min(initial=1) >= 1 and not unequal:
                sets = self._bits.single[:, self._values[others] ^ self._values[smaller]]
            else:
                allowed = (others >= 1) & (others != smaller) if unequal else others >= 1
                small = self._values[np.minimum(smaller, len(self._values) - 1)]
                met = self._values[np.maximum(others, 0)] ^ small
                sets = np.where(allowed, self._bits.single[:, met], self._bits.word(0))
            self._met[:, heaps - self.start] |= np.bitwise_or.reduce(sets, axis=2)

    def _missing(self, heaps: Ints) -> Ints:
        """Return those of ``heaps`` that have not met some value below their own."""
        wanted = self._bits.below[:, self._values[heaps]]
        found: Ints = heaps[(wanted & ~self._met[:, heaps - self.start]).any(axis=0)]
        return found
