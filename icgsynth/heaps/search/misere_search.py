"""Search for the misère quotient of a code: heap by heap, with a period and its proof.

Most heaps have an element of the quotient of the smaller heaps.  Which one is guessed from the
outcomes of rows with one such heap, and tested: no row may contradict itself (see
:class:`~icgsynth.heaps.search.row_pairs.RowPairs`).  Where no element will do, the quotient
grows: see :class:`~icgsynth.heaps.search.misere_monoids.WithCopies`.  If its guess is wrong, rows
of smaller heaps are told apart by what their moves make of them as well, and it is tried again.
Each time longer rows are told right, and a quotient may be learned from the short ones alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, NotFound, OutOfReach
from icgsynth.game.answers import Verdict
from icgsynth.heaps.proof.misere_closure import prove_quotient
from icgsynth.heaps.proof.misere_rows import check_rows
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereAnswer, MisereProof, MisereQuotient, Row
from icgsynth.heaps.search.misere_learning import Learner
from icgsynth.heaps.search.misere_monoids import (
    Arithmetic,
    RowMonoid,
    WithCopies,
    generate,
    next_outcomes,
)
from icgsynth.heaps.search.row_pairs import RowPairs, finer

_GUESSES = 20  # guesses about one heap, each finer than the one before
_FACTOR = 8  # by which the order may grow with one heap, where it is learned
_FOR_SEARCH = 0.8  # of the budget; the rest is for the proof of what was found
_EACH = 256  # heaps up to which a period is looked for after each of them; then now and then
_NOTHING = MisereProof(Verdict.UNKNOWN)


class MisereSearch:
    """The search for the misère quotient of one code, with the heaps below ``most`` if given.
    Without it the search ends with its budget, or where a quotient takes too much memory."""

    def __init__(
        self,
        code: HeapCode,
        most: int | None,
        budget: Budget,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.code = code
        self._most = most
        self._budget = budget
        self._for_search = budget.share(_FOR_SEARCH)
        self._progress = progress
        # With no heap there is one row, the empty one. Who is to move there wins: the last move,
        # which loses, was the opponent's.
        alone = Arithmetic(0, lambda x, _: x, lambda _: False)
        self._monoid = generate(code, [0], [], alone, budget)
        self._pairs = RowPairs(self._monoid)

    def run(self) -> MisereAnswer:
        """Return the answer: a quotient for all heaps, or for those that the search came to."""
        why = "" if self._most is None else f"no period shows below heap {self._most:,}"
        try:
            for heap in count(1) if self._most is None else range(1, self._most):
                self._for_search.check()
                self._progress(f"{self.code.name}: heap {heap:,}, order {len(self._monoid):,}")
                self._add(heap)
                if (heap <= _EACH or heap % _EACH == 0) and (claim := self._periodic()):
                    answer = self._prove(claim)
                    if answer.is_proved:
                        return answer
                    why = answer.why
        except (BudgetSpent, OutOfReach) as spent:
            why = str(spent)
            if self._for_search.is_spent:
                why = f"the budget of {self._budget.whole or self._budget.seconds:g} s is spent"
        return replace(self._prove(self._claim(tuple(self._monoid.heaps), 0)), why=why)

    def unknown(self, why: str) -> MisereAnswer:
        """Return an answer that claims nothing, with the reason ``why``."""
        return MisereAnswer(self.code, None, _NOTHING, None, why, self._budget.runtime)

    # --- heap by heap ----------------------------------------------------------------------------

    def _add(self, heap: int) -> None:
        options = self._monoid.options(heap)
        for x in self._candidates(options):
            if self._pairs.add(heap, x, options, self._for_search) is None:
                self._monoid.heaps.append(x)
                return
        monoid = self._monoid
        for number in range(_GUESSES):
            rows = WithCopies(monoid, self._for_search)
            grown = rows.reduced(self._for_search)
            if self._contradiction(grown) is None:
                return
            # To learn is worth its time only where the quotient becomes clearly smaller by it.
            most = min(3 * len(grown) // 4, _FACTOR * len(self._monoid))
            if number and self._learn(rows, most):
                return
            monoid = finer(monoid, grown, self._for_search)
        raise NotFound(f"no quotient was found for the heaps up to {heap:,}")

    def _learn(self, rows: WithCopies, most: int) -> bool:
        """Return whether a quotient of fewer than ``most`` elements is learned from ``rows``; the
        search then goes on with it."""
        learner = Learner(rows, most)
        while (learned := learner.learn(self._for_search)) is not None:
            if (row := self._contradiction(learned)) is None:
                return True
            if not learner.learn_from_error(row):
                break
        return False

    def _contradiction(self, monoid: RowMonoid) -> Row | None:
        """Return a row that contradicts ``monoid``; if there is none, make it that of the search,
        and return None."""
        pairs = RowPairs(monoid)
        for heap in range(1, len(monoid.heaps)):
            element, options = monoid.heaps[heap], monoid.options(heap)
            if (row := pairs.add(heap, element, options, self._for_search)) is not None:
                return row
        self._monoid, self._pairs = monoid, pairs
        return None

    def _candidates(self, options: list[int]) -> list[int]:
        """Return the elements that fit a new heap whose options have the elements ``options``, as
        far as rows with one such heap tell."""
        monoid = self._monoid
        if not options:
            return [0]
        # The heap beside any row y has to be lost exactly where x * y is, if x is its element.
        wanted = next_outcomes(monoid, options, monoid.lost)
        return [x for x in range(len(monoid)) if (monoid.lost[monoid.row(x)] == wanted).all()]

    # --- claims ----------------------------------------------------------------------------------

    def _periodic(self) -> MisereQuotient | None:
        """Return the claim with the least period that the elements so far would prove; or None."""
        heaps, code = self._monoid.heaps, self.code
        if code.unequal:
            return None
        for period in range(1, len(heaps)):
            # A move in a heap n leaves at most `most_heaps` heaps, of n - most_taken together or
            # more. From n = most_heaps * (start + period) + most_taken on, one of them is start +
            # period or more and may be exchanged for one smaller by the period. So the elements of
            # later heaps repeat if those of the heaps below this n do.
            start = (len(heaps) - code.most_taken) // max(1, code.most_heaps) - period
            if start < 1:
                return None
            if heaps[start:-period] == heaps[start + period :]:
                while start > 1 and heaps[start - 1] == heaps[start - 1 + period]:
                    start -= 1
                return self._claim(tuple(heaps[: start + period]), period)
        return None

    def _claim(self, heaps: tuple[int, ...], period: int) -> MisereQuotient:
        monoid = self._monoid
        table = tuple(tuple(monoid.row(x).tolist()) for x in range(len(monoid)))
        lost = frozenset(x for x in range(len(monoid)) if monoid.lost[x])
        return MisereQuotient(self.code, table, lost, heaps, period)

    def _prove(self, claim: MisereQuotient) -> MisereAnswer:
        """Return the answer ``claim`` if it is proved, else "unknown"; AssertionError if refuted,
        or if play of some row disagrees."""
        self._progress(f"{self.code.name}: proving a quotient of order {claim.order:,}")
        proof = prove_quotient(claim, self._budget)
        if proof.verdict is Verdict.REFUTED:
            raise AssertionError(f"{self.code.name}: {proof.why}")
        if proof.verdict is not Verdict.PROVED:
            return self.unknown(proof.why)
        check = check_rows(claim, self._budget)
        if check.disagreements:
            raise AssertionError(f"{self.code.name}: {check.disagreements} rows disagree")
        return MisereAnswer(self.code, claim, proof, check, "", self._budget.runtime)
