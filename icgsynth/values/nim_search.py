"""From a code to its answer: values, a period that they show, and its replay from the rules.

The first values are computed by definition, of each heap from all its options.  The work grows with
the square of the number of heaps, and with three heaps in a move with that times the largest value.
Numpy alone; the first thousands of heaps need nothing faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.heaps import HeapAnswer, HeapCode, NimPeriod, SparseMask
from icgsynth.game.solution import Verdict
from icgsynth.prove.heap_replay import replay_values
from icgsynth.prove.nim_claims import judge_period
from icgsynth.values.nim_periods import least_period, least_rise, least_saltus
from icgsynth.values.sparse_space import best_mask, extend_sparsely, rare_heaps

# --- nim definition ------------------------------------------------------------------------------

Ints = NDArray[np.integer[Any]]
Bits = NDArray[np.bool_]


def extend_plainly(code: HeapCode, known: Ints, count: int, budget: Budget) -> Ints:
    """G(0), .., G(count - 1) from the first values ``known``; fewer once the budget is spent."""
    values = np.zeros(count, np.int32)
    values[: len(known)] = known
    top = _above(known)
    pairs = _Pairs(code, values, len(known), top)
    for heap in range(len(known), count):
        if budget.is_spent:
            return values[:heap]
        pairs.add(heap, top)
        met = np.zeros(top + 1, np.bool_)  # values below top are met, so one up to top is not
        if heap in code.taking(0):
            met[0] = True
        for k in code.taking(1):
            if k < heap:
                met[values[heap - k]] = True
        for k in code.taking(2):
            met[_two(values, heap - k, k in code.unequal)] = True
        for k in code.taking(3):
            met[:top] |= pairs.with_a_third(heap - k, top)
        values[heap] = met.argmin()
        top = max(top, _above(values[heap : heap + 1]))
    return values


def _above(values: Ints) -> int:
    """The least power of two above all values: xor of them stays below it."""
    return 1 << int(values.max(initial=0)).bit_length()


def _two(values: Ints, size: int, unequal: bool) -> Ints:
    """The values of two heaps of this size together."""
    last = (size - 1 if unequal else size) // 2
    if last < 1:
        return values[:0]
    return values[1 : last + 1] ^ values[size - 1 : size - last - 1 : -1]


class _Pairs:
    """Which values two heaps of a given size together have, for moves that leave three heaps."""

    def __init__(self, code: HeapCode, values: Ints, known: int, top: int) -> None:
        self._values = values
        wanted = len(values) if code.taking(3) else 0
        self._met: Bits = np.zeros((wanted, top), np.bool_)
        for size in range(min(known, wanted)):
            self.add(size, top)

    def add(self, size: int, top: int) -> None:
        """Note the pairs of ``size``, all heaps below which have their values."""
        if size >= len(self._met):
            return
        if top > self._met.shape[1]:
            wider = ((0, 0), (0, top - self._met.shape[1]))
            self._met = np.pad(self._met, wider)
        self._met[size, _two(self._values, size, False)] = True

    def with_a_third(self, size: int, top: int) -> Bits:
        """The values below ``top`` of three heaps of this size together."""
        least = np.arange(1, size // 3 + 1)
        others = np.arange(top) ^ self._values[least][:, None]
        found: Bits = self._met[(size - least)[:, None], others].any(axis=0)
        return found


# --- nim search ----------------------------------------------------------------------------------

_FIRST = 256  # heaps before the first look for a period
_SHOWN = 1_024  # heaps on which a saltus has to be seen to end the search
_LOOKED = 4_096  # heaps, past which no claim is looked for that automata have to prove
_PLAIN = 2_048  # heaps that are computed without compiled code


class HeapSearch:
    """The search for the period of one code.

    ``most`` heaps are looked at, from heap 0 on, and no more than it takes to know the value of
    heap ``at`` where that is given.  ``values`` are those computed so far.
    """

    def __init__(
        self,
        code: HeapCode,
        most: int,
        budget: Budget,
        at: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.code = code
        self.most = most
        self.budget = budget
        self.progress = progress
        self.values: Ints = np.zeros(0, np.int32)
        self._at = at
        self._tried: dict[tuple[int, int], str] = {}  # claims not proved, and why

    def run(self) -> HeapAnswer:
        """The answer: a period with its proof, or what is known when the search ends."""
        answer = self._answer()
        return replace(answer, seconds=self.budget.elapsed())

    def _answer(self) -> HeapAnswer:
        wanted = self.most if self._at is None else min(self.most, self._at + 1)
        for count in _counts(wanted):
            self._extend(count)
            if len(self.values) < count:
                break
            self.progress(f"{self.code.name}: looking for a period below heap {count:,}")
            claim = least_period(self.code, self.values)
            if claim is None and count <= _LOOKED:
                claim = least_rise(self.code, self.values)
            if claim is not None and (answer := self._proved(claim)) is not None:
                return answer
            if (self._at is None or self._at >= self.most) and self._rises(count):
                return self.unknown(" ".join(["values that rise for ever;", *self._tried.values()]))
        if self._at is not None and self._at < len(self.values):
            return self._single(self._at)
        return self.unknown(self._reason(wanted))

    def unknown(self, why: str) -> HeapAnswer:
        """What is known so far, with nothing claimed."""
        values = self.values
        rare = None
        if self.code.most_heaps == 2 and len(values):
            rare = rare_heaps(self.code, values)
        saltus = least_saltus(self.code, values)
        return HeapAnswer(self.code, values, None, False, rare, saltus, why, self.budget.elapsed())

    def _rises(self, count: int) -> bool:
        """Whether a saltus is seen, so that no period will come; never with two heaps or fewer."""
        if self.code.most_heaps < 3 or count < _SHOWN:
            return False
        shift = least_saltus(self.code, self.values)
        return shift is not None and shift.rise > 0

    def _extend(self, count: int) -> None:
        self.progress(f"{self.code.name}: values below heap {count:,}")
        if count <= _PLAIN or self.code.most_heaps > 2:
            self.values = extend_plainly(self.code, self.values, count, self.budget)
        else:
            from icgsynth.finite.compiled import announce
            from icgsynth.values.nim_kernels import KERNELS

            announce(KERNELS, self.progress)
            self.values = extend_sparsely(self.code, self.values, count, self.budget)

    def _proved(self, claim: NimPeriod) -> HeapAnswer | None:
        """The answer with this period, once a replay has accepted it; None if it is not done."""
        key = claim.preperiod, claim.period
        if key in self._tried:
            return None
        self.progress(f"{self.code.name}: proving the period {claim.period:,}")
        if claim.has_theorem:
            claim = replace(claim, mask=best_mask(self.code, self.values[: claim.needed]))
        budget = self.budget if claim.has_theorem else self.budget.share(0.5)
        replay = judge_period(claim, budget)
        if replay.verdict is Verdict.REFUTED and claim.has_theorem:
            raise AssertionError(f"{self.code.name}: {replay.why}")
        if replay.verdict is not Verdict.PROVED:
            self._tried[key] = replay.why
            return None
        checked, by = replay.checked_to, replay.by
        return HeapAnswer(self.code, self.values, claim, True, by=by, checked_to=checked)

    def _single(self, heap: int) -> HeapAnswer:
        """The answer for the heaps up to ``heap``, of which each value is replayed."""
        values = self.values[: heap + 1]
        mask = best_mask(self.code, values) if self.code.most_heaps < 3 else SparseMask()
        replay = replay_values(self.code, values, mask, self.budget)
        if replay.verdict is Verdict.REFUTED:
            raise AssertionError(f"{self.code.name}: {replay.why}")
        if replay.verdict is not Verdict.PROVED:
            return self.unknown(replay.why)
        return HeapAnswer(self.code, values, None, True)

    def _reason(self, wanted: int) -> str:
        try:
            self.budget.check()
        except BudgetSpent as spent:
            return str(spent)
        if len(self.values) < wanted:
            return "the values became too large"
        if self._at is not None:
            return f"heap {self._at:,} is past those that are looked at"
        if self._tried:
            return list(self._tried.values())[-1]
        return "no period shows"


def _counts(most: int) -> list[int]:
    """How many values are known at each look for a period; the last are ``most``."""
    found, count = [], _FIRST
    while count < most:
        found += [count, count * 3 // 2]
        count *= 2
    return [*(c for c in found if c < most), most]
