"""Claims on nim sequences, replayed from the rules: each value is the least that no option has.

This shares with the search the reader of codes and the claim itself, and nothing that computes.
Of each heap n the values of its options are marked in a row of booleans, and the first that is not
marked must be G(n).  Not all pairs of heaps need to be looked at:

* The claim comes with a mask, which divides the heaps into two classes (see
  :class:`~icgsynth.game.heaps.SparseMask`).  A common heap n has by its class a value that no two
  common heaps together can have, so that only the pairs with a rare heap could have the value
  G(n).  They are all marked, for all n.  Of a rare heap n all pairs are marked.
* For the values below G(n) it is enough to meet each of them once; pairs are tried from the
  smallest heap on.

So a mask that is badly chosen costs time, and cannot make a false claim pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.heaps import HeapCode, NimPeriod, Repeating, SparseMask
from icgsynth.game.solution import Verdict

Ints = NDArray[np.integer[Any]]
_MARKS = 1 << 22  # booleans of one block of heaps: what the caches of a processor hold
_PAIRS = 1 << 18  # pairs that are looked at in one step
_LARGEST = 1 << 24  # a larger value would take too much memory


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of a claim: how many values were checked, or why it is refuted or unknown; of one
    that says more than values, ``why`` is what is proved.

    ``heap``: the first heap found to have another value, if that is the reason.  ``by`` names who
    proved the claim where it was not the replay alone.
    """

    verdict: Verdict
    checked_to: int = 0
    why: str = ""
    heap: int | None = None
    by: tuple[str, ...] = ()


class _Wrong(Exception):
    """A heap that has another value than the one that is claimed."""

    def __init__(self, heap: int, why: str) -> None:
        super().__init__(why)
        self.heap = heap


def replay_period(claim: NimPeriod, budget: Budget = UNBOUNDED) -> Replay:
    """Whether the values, the preperiod and the period are those of the game, for all heaps.

    The least preperiod and the least period: others are refuted, where the values are right.
    """
    if not claim.has_theorem:
        return Replay(Verdict.UNKNOWN, why="no theorem for unequal heaps and values that rise")
    needed = _needed(claim.code, claim.preperiod, claim.period)
    begin, block = claim.values[: claim.preperiod], claim.values[claim.preperiod :]
    values = np.concatenate([begin, np.resize(block, needed - len(begin))])
    return of_least(claim, replay_values(claim.code, values, claim.mask, budget))


def of_least(claim: Repeating, judged: Replay) -> Replay:
    """``judged``, but a right claim is refuted where a smaller period or preperiod will do.

    A wrong value comes first: it names a heap.
    """
    said = other_than_least(claim) if judged.verdict is Verdict.PROVED else ""
    return Replay(Verdict.REFUTED, why=said) if said else judged


def replay_values(
    code: HeapCode, values: Ints, mask: SparseMask, budget: Budget = UNBOUNDED
) -> Replay:
    """Whether ``values`` are G(0), G(1), .. of the game."""
    try:
        _check(code, values, mask, budget)
    except _Wrong as wrong:
        return Replay(Verdict.REFUTED, wrong.heap, str(wrong), wrong.heap)
    except BudgetSpent as spent:
        return Replay(Verdict.UNKNOWN, why=str(spent))
    return Replay(Verdict.PROVED, len(values))


def _needed(code: HeapCode, preperiod: int, period: int) -> int:
    """How many values, from G(0) on, decide for all heaps.

    Let a move leave h heaps at most and take t at most, and let G(n + p) = G(n) for
    m <= n < h m + (h - 1) p + t, where m >= 1, for heap 0 is no part of a pair.  Then it holds for
    all n >= m, by induction: of the heaps that a move leaves of n + p the largest has a size b with
    h b >= n + p - t >= h (m + p), so that b - p >= m, and with b - p in place of b the move is one
    of heap n with the same value.  In the same way, h b >= n - t >= h m turns a move of n into one
    of n + p.  With h = 2 this is the theorem of Guy and Smith (1956).
    """
    heaps = max(j for j in range(4) if j <= 1 or code.taking(j))
    return heaps * (max(1, preperiod) + period) + code.most_taken


def other_than_least(claim: Repeating) -> str:
    """Why the period or the preperiod is not the least of this sequence; empty if both are."""
    values, preperiod, period = claim.values, claim.preperiod, claim.period
    block = values[preperiod:]
    if preperiod and values[preperiod - 1] + claim.saltus == block[-1]:
        return f"the preperiod is not the least: {preperiod - 1} will do"
    for factor in range(2, period + 1):
        step, rest = divmod(period, factor)
        rise, left = divmod(claim.saltus, factor)
        if not rest and not left and (block[step:] == block[:-step] + rise).all():
            return f"the period is not the least: {step} will do"
    return ""


class _Taken(NamedTuple):
    """A number that is taken so that two heaps are left, and whether these must differ."""

    number: int
    unequal: bool


def _check(code: HeapCode, values: Ints, mask: SparseMask, budget: Budget) -> None:
    """Raise :class:`_Wrong` for the first block of heaps in which a value is wrong."""
    values = values.astype(np.int64)
    _check_sizes(code, values)
    two = [_Taken(k, k in code.unequal) for k in code.taking(2)]
    common = _common(code, values, mask)
    top = 1 << int(values.max(initial=0)).bit_length()
    rows = min(len(values), max(1, _MARKS // top))
    rare = np.flatnonzero(~common[1:]) + 1
    three = _Three(code, values, top)
    for start in range(0, len(values), rows):
        budget.check()
        block = _Block(values, start, min(len(values), start + rows), top)
        block.mark_few(code)
        if common[start : block.stop].any():
            for taken in two:
                block.mark_rare(taken, rare, budget)
        for heap in range(start, block.stop):
            if not common[heap]:
                budget.check()
                block.mark_all(heap, two)
        three.mark(block, budget)
        block.mark_until_met(two, budget)
        block.judge()


def _check_sizes(code: HeapCode, values: Ints) -> None:
    """Refute at once what is larger than any option allows, before room is made for it.

    Heap n has at most (n + 1)^(heaps left - 1) options for each number taken.  And where the
    heaps below n have values below a power of two, so have its options.
    """
    heaps = np.arange(1, len(values) + 1)
    most = len(code.digits) * (heaps * heaps if code.taking(3) else heaps)
    so_far = np.concatenate([[0], np.maximum.accumulate(values)[:-1]])
    reached = np.left_shift(1, np.frexp(so_far)[1])
    wrong = np.flatnonzero(values > np.minimum(most, reached))
    if len(wrong):
        heap = int(wrong[0])
        value = int(values[heap])
        raise _Wrong(heap, f"G({heap}) is not {value}: its options have no {value} values")
    if values.max(initial=0) >= _LARGEST:
        raise BudgetSpent("the values are too large for the memory of a replay")


def _common(code: HeapCode, values: Ints, mask: SparseMask) -> NDArray[np.bool_]:
    """Which heaps have a value that no two heaps of this kind together can have.

    For two such heaps that are left of heap n after k were taken, the parity of the masked bits of
    their value is even; with ``by_position`` it is that of n - k.  The parity of G(n) must be the
    other one.  None are common where a move leaves three heaps, or where k is odd and even.
    """
    parities = {k & 1 for k in code.taking(2)}
    if code.taking(3) or (mask.by_position and len(parities) > 1):
        return np.zeros(len(values), np.bool_)
    bits = np.array([(v & mask.bits).bit_count() & 1 for v in range(int(values.max()) + 1)])
    parity = bits[values]
    if mask.by_position:
        parity = parity ^ ((np.arange(len(values)) - max(parities, default=0)) & 1)
    common: NDArray[np.bool_] = parity == 1
    return common


class _Block:
    """The heaps from ``start`` to ``stop`` - 1, and which values below ``top`` their options have.

    ``marks`` has two more columns: ``top`` is never marked, and what lies in the last is ignored.
    """

    def __init__(self, values: Ints, start: int, stop: int, top: int) -> None:
        self.values = values
        self.start = start
        self.stop = stop
        self._top = top
        self._width = top + 2
        self.marks = np.zeros((stop - start, self._width), np.bool_)
        self._flat = self.marks.reshape(-1)
        self._row_starts = np.arange(stop - start) * self._width

    def mark_few(self, code: HeapCode) -> None:
        """Moves that leave no heap or one."""
        for k in code.taking(0):
            if self.start <= k < self.stop:
                self.marks[k - self.start, 0] = True
        for k in code.taking(1):
            first = max(self.start, k + 1)
            self._mark(first, self.stop, self.values[first - k : max(first, self.stop) - k])

    def mark_rare(self, taken: _Taken, rare: Ints, budget: Budget) -> None:
        """All pairs with one of the rare heaps, for all heaps of the block."""
        k = taken.number
        for a in rare[: np.searchsorted(rare, self.stop - k)].tolist():
            budget.check()
            first = max(self.start, a + k + 1)
            spans = [(first, self.stop)]
            if taken.unequal:
                spans = [(first, min(self.stop, 2 * a + k)), (max(first, 2 * a + k + 1), self.stop)]
            for begin, end in spans:
                if begin < end:
                    others = self.values[begin - k - a : end - k - a]
                    self._mark(begin, end, others ^ self.values[a])

    def mark_all(self, heap: int, two: list[_Taken]) -> None:
        """All pairs of one heap."""
        row = self.marks[heap - self.start]
        for k, unequal in two:
            size = heap - k
            last = (size - 1 if unequal else size) // 2
            if last >= 1:
                larger = self.values[size - last : size][::-1]
                row[self.values[1 : last + 1] ^ larger] = True

    def mark_until_met(self, two: list[_Taken], budget: Budget) -> None:
        """Pairs from the smallest heap on, until each heap of the block has met what it must.

        Now and then all pairs of the first heap that has not are looked at: where many values are
        wrong, that is known before all pairs of all these heaps are marked.
        """
        left = self._unmet(np.arange(self.start, self.stop))
        first, count, pairs = 1, 4, 0
        while len(left) and two:
            columns = np.arange(first, first + count)
            parts = min(len(left), 1 + len(left) * count // _PAIRS)
            for part in np.array_split(left, parts):
                budget.check()
                for taken in two:
                    self._mark_pairs(part, columns, taken)
            first += count
            pairs += count * len(left)
            count = max(4, min(2 * count, 4 * _PAIRS // len(left)))
            left = self._unmet(left)
            if len(left) and pairs >= left[0]:  # at least as much work as all pairs of one heap
                pairs = 0
                self.mark_all(int(left[0]), two)
                self._judge(int(left[0]), int(left[0]) + 1)

    def _mark_pairs(self, heaps: Ints, smaller: Ints, taken: _Taken) -> None:
        """Each of these heaps, divided into each of ``smaller`` and the rest; both ascend."""
        others = (heaps - taken.number)[:, None] - smaller
        if others[0, -1] > smaller[-1]:  # so all the rests are larger
            met = self.values[others] ^ self.values[smaller]
        else:
            small = self.values[np.minimum(smaller, len(self.values) - 1)]
            met = self.values[np.maximum(others, 0)] ^ small
            allowed = others > smaller if taken.unequal else others >= smaller
            met = np.where(allowed, met, self._top + 1)
        met += self._row_starts[heaps - self.start][:, None]
        self._flat[met] = True

    def judge(self) -> None:
        """The first value that no option has must be the one that is claimed."""
        self._judge(self.start, self.stop)

    def _judge(self, start: int, stop: int) -> None:
        found = self._first(slice(start - self.start, stop - self.start))
        claimed = self.values[start:stop]
        wrong = np.flatnonzero(found != claimed)
        if len(wrong):
            row = int(wrong[0])
            heap, value = start + row, int(claimed[row])
            if found[row] < value:
                why = f"no option of heap {heap} has that value"
                raise _Wrong(heap, f"G({heap}) is {int(found[row])}, not {value}: {why}")
            why = f"an option of heap {heap} has that value"
            raise _Wrong(heap, f"G({heap}) is not {value}: {why}")

    def _unmet(self, heaps: Ints) -> Ints:
        """Those of ``heaps`` of which no option with some value below the claimed one is met."""
        rows = heaps - self.start
        return heaps[self._first(rows) < self.values[heaps]]

    def _first(self, rows: Ints | slice = slice(None)) -> Ints:
        first: Ints = self.marks[rows, : self._top + 1].argmin(axis=1)
        return first

    def _mark(self, begin: int, end: int, met: Ints) -> None:
        if begin < end:
            starts = self._row_starts[begin - self.start : end - self.start]
            self._flat[starts + met] = True


class _Three:
    """Moves that leave three heaps: every pair of heaps, with every third."""

    def __init__(self, code: HeapCode, values: Ints, top: int) -> None:
        self._taken = code.taking(3)
        self._values = values
        self._top = top
        self._pairs = np.zeros((len(values) if self._taken else 0, top), np.bool_)

    def mark(self, block: _Block, budget: Budget) -> None:
        for size in range(block.start, min(block.stop, len(self._pairs))):
            a = np.arange(1, size // 2 + 1)
            self._pairs[size, self._values[a] ^ self._values[size - a]] = True
        for k in self._taken:
            for heap in range(max(block.start, k + 3), block.stop):
                budget.check()
                third = np.arange(1, (heap - k) // 3 + 1)
                pairs = np.arange(self._top) ^ self._values[third][:, None]
                met = self._pairs[(heap - k - third)[:, None], pairs].any(axis=0)
                block.marks[heap - block.start, : self._top] |= met
