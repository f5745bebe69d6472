"""Search for the nim sequence of a code, and a period that a replay from the rules accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, InputError, OutOfReach
from icgsynth.game.answers import Finding, Verdict
from icgsynth.heaps.proof.heap_replay import replay_values, values_checked
from icgsynth.heaps.proof.nim_claims import judge_period
from icgsynth.heaps.rules.heaps import HeapAnswer, HeapCode, NimPeriod, SparseMask
from icgsynth.heaps.search.nim_periods import least_period, least_rise, least_saltus
from icgsynth.heaps.search.plain_values import extend_plainly
from icgsynth.heaps.search.room import room_for_heaps
from icgsynth.heaps.search.sparse_space import LARGEST, best_mask, extend_sparsely, rare_heaps

Ints = NDArray[np.integer[Any]]

_FIRST = 256  # heaps before the first look for a period
_SHOWN = 1_024  # heaps on which a saltus has to be seen to end the search
_LOOKED = 4_096  # heaps, past which no claim is looked for that automata have to prove
_PLAIN = 2_048  # heaps that are computed without compiled code


class HeapSearch:
    """The search for the nim sequence of one code and its period.

    As many heaps are looked at, from heap 0 on, as the budget allows and a quarter of the memory
    holds; ``most``, where that is given; and no more than it takes to know the value of heap
    ``at`` where that is given.  ``values`` are those computed so far; ``begun`` are some to go on
    from, or a period to prove before any other; a replay checks them first.
    """

    def __init__(
        self,
        code: HeapCode,
        most: int | None,
        budget: Budget,
        at: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
        begun: Ints | NimPeriod | None = None,
    ) -> None:
        self.code = code
        self._claim = begun if isinstance(begun, NimPeriod) else None
        known = begun.values if isinstance(begun, NimPeriod) else begun
        self.values: Ints = np.zeros(0, np.int32) if known is None else known
        self._begun = len(self.values)
        self.most = max(self._begun, room_for_heaps() if most is None else most)
        self._is_all_memory = most is None
        self.budget = budget
        self.progress = progress
        self._at = at
        self._tried: dict[tuple[int, int], str] = {}  # claims not proved, and why

    def run(self) -> HeapAnswer:
        """Return the answer: a period with its proof, or what is known when the search ends."""
        try:
            answer = self._answer()
        except MemoryError:
            answer = self.unknown("the memory is spent")
        return replace(answer, seconds=self.budget.runtime)

    def _answer(self) -> HeapAnswer:
        if self._claim is not None and (answer := self._prove(self._claim)) is not None:
            return answer
        wanted = self.most if self._at is None else min(self.most, self._at + 1)
        self.values = self.values[:wanted]
        if self._begun:
            self._check_begun()
        for count in _counts(wanted):
            if count < len(self.values):
                continue
            self._extend(count)
            if len(self.values) < count:
                break
            self.progress(f"{self.code.name}: looking for a period below heap {count:,}")
            claim = least_period(self.code, self.values)
            # Values that rise are proved by automata, which grow with the preperiod and the period.
            if claim is None and count <= _LOOKED:
                claim = least_rise(self.code, self.values)
            if claim is not None and (answer := self._prove(claim)) is not None:
                return answer
            if (self._at is None or self._at >= self.most) and self._rises(count):
                return self.unknown(" ".join(["values that rise for ever;", *self._tried.values()]))
        if self._at is not None and self._at < len(self.values):
            return self._single(self._at)
        return self.unknown(self._reason(wanted))

    def unknown(self, why: str) -> HeapAnswer:
        """Return an answer that claims nothing, with the known values and the reason ``why``."""
        values = self.values
        rare = None
        if self.code.most_heaps == 2 and len(values):
            rare = rare_heaps(self.code, values)
        saltus = least_saltus(self.code, values)
        return HeapAnswer(self.code, values, None, False, rare, saltus, why, self.budget.runtime)

    def _rises(self, count: int) -> bool:
        """Return whether the values of ``count`` heaps are seen to rise with each period and moves
        may leave three heaps: then no period without a rise will come."""
        if self.code.most_heaps < 3 or count < _SHOWN:
            return False
        shift = least_saltus(self.code, self.values)
        return shift is not None and shift.rise > 0

    def _extend(self, count: int) -> None:
        self.progress(f"{self.code.name}: values below heap {count:,}")
        if count <= _PLAIN or self.code.most_heaps > 2:
            self.values = extend_plainly(self.code, self.values, count, self.budget)
        else:
            from icgsynth.heaps.search.nim_kernels import KERNELS
            from icgsynth.process.compiled import announce

            announce(KERNELS, self.progress)
            self.values = extend_sparsely(self.code, self.values, count, self.budget)

    def _prove(self, claim: NimPeriod) -> HeapAnswer | None:
        """Return the answer with the period of ``claim`` if that is proved now; else None."""
        key = claim.preperiod, claim.period
        if key in self._tried:
            return None
        self.progress(f"{self.code.name}: proving the period {claim.period:,}")
        if claim.has_theorem:
            claim = replace(claim, mask=best_mask(self.code, self.values[: claim.needed]))
        # A replay is sure to decide a claim that the theorem covers; automata may not, and then the
        # search goes on.
        budget = self.budget if claim.has_theorem else self.budget.share(0.5)
        replay = judge_period(claim, budget)
        if claim.has_theorem:
            self._require_right(replay)
        if replay.verdict is not Verdict.PROVED:
            self._tried[key] = replay.why
            return None
        checked, by = values_checked(replay), replay.by
        return HeapAnswer(self.code, self.values, claim, True, by=by, checked_to=checked)

    def _check_begun(self) -> None:
        """Drop the given first values unless a replay proves them; InputError if wrong."""
        if self._replay(self.values, self.budget.share(0.5)).verdict is not Verdict.PROVED:
            self.values, self._begun = self.values[:0], 0

    def _replay(self, values: Ints, budget: Budget) -> Finding:
        """Return the verdict of a check of ``values``, G(0), .., from the rules; raise if wrong."""
        mask = best_mask(self.code, values) if self.code.most_heaps < 3 else SparseMask()
        replay = replay_values(self.code, values, mask, budget)
        self._require_right(replay)
        return replay

    def _single(self, heap: int) -> HeapAnswer:
        """Return the answer for heaps up to ``heap``, proved by a replay; else an unknown one."""
        values = self.values[: heap + 1]
        replay = self._replay(values, self.budget)
        if replay.verdict is not Verdict.PROVED:
            return self.unknown(replay.why)
        return HeapAnswer(self.code, values, None, True)

    def _require_right(self, replay: Finding) -> None:
        """Raise if the finding ``replay`` refutes a value: InputError if the first values were
        given, else AssertionError."""
        if replay.verdict is Verdict.REFUTED:
            if self._begun:
                message = f"the values to go on from are not those of {self.code.name}"
                raise InputError(f"{message}: {replay.why}", mend="begin without that file")
            raise AssertionError(f"{self.code.name}: {replay.why}")

    def _reason(self, wanted: int) -> str:
        try:
            self.budget.check()
        except (BudgetSpent, OutOfReach) as spent:
            return str(spent)
        if len(self.values) < wanted:
            return f"a value is {LARGEST:,} or more, and no larger ones are kept"
        seen = f"{wanted:,} values"
        if self._is_all_memory and wanted == self.most:
            seen += ", as many as a quarter of the memory holds"
        more = f"{seen}; --to looks at more"
        if self._at is not None:
            return f"heap {self._at:,} is past {more}"
        if self._tried:
            return list(self._tried.values())[-1]
        if wanted > _LOOKED and self.code.unequal:
            return f"no period shows in {_LOOKED:,} values, and automata prove none that is longer"
        return f"no period shows in {more}"


def _counts(most: int) -> list[int]:
    """Return the numbers of values at which a period is looked for; the last is ``most``."""
    found, count = [], _FIRST
    while count < most:
        found += [count, count * 3 // 2]
        count *= 2
    return [*(c for c in found if c < most), most]
