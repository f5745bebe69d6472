"""Search for the values of a game of heaps by rules: through a code of it, or directly.

The values of the first heaps are computed by definition, and what they seem to be is proved by
automata: a period, or a function (a term, or an automaton in base 2) that fits all heaps of a box.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, InputError, OutOfReach, Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import BoxValues, ValueSample
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.beside_heap import beside_heap
from icgsynth.heaps.proof.heap_claims import heaps_repeat, judge_by_rules, judge_function
from icgsynth.heaps.proof.heap_play import is_this_code
from icgsynth.heaps.rules.heap_rows import GamePeriod, HeapGameAnswer
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import NO_HEAP, HeapCode
from icgsynth.heaps.search.heap_classes import as_term, periods_seen
from icgsynth.heaps.search.heap_values import HeapValues
from icgsynth.heaps.search.nim_periods import seen_on_heaps
from icgsynth.heaps.search.nim_search import HeapSearch
from icgsynth.logic import term as t
from icgsynth.synth.values.pieces import piecewise
from icgsynth.synth.values.short_terms import short_terms, window
from icgsynth.synth.values.value_automaton import ValueCube, learned_automaton

# --- heap functions ------------------------------------------------------------------------------


def heap_functions(
    game: HeapGame, table: HeapValues, side: int, budget: Budget
) -> Iterator[t.Term | Automaton]:
    """Yield functions that fit the values, in ``table``, of heaps with numbers below ``side``.
    Simple ones come first; nothing is proved. BudgetSpent where the budget is spent."""
    # All that follows is a guess from the legal heaps of this box; its caller proves it.
    box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
    heaps = [tuple(heap) for heap in box.states.tolist()]
    if not heaps:
        return
    values = np.array([table.value(heap, budget) for heap in heaps], np.int64)
    sample = ValueSample.of(BoxValues(box, values))
    yield from short_terms(sample)
    with suppress(BudgetSpent, OutOfReach):  # of this share
        yield from piecewise(sample, budget.share(0.2))
    cube = ValueCube(np.full(box.grid, -1, dtype=np.int64), np.ones(box.grid, dtype=bool))
    cube.values[tuple(box.states.T)] = values
    tracks = beside_heap(game.one_heap).variables
    learned = learned_automaton(base(2), tracks, cube, np.arange(side), budget)
    if isinstance(learned, Automaton):
        yield learned


# --- heap game search ----------------------------------------------------------------------------

# What is looked for, by the number of variables: a period that so many heaps show, or one for each
# choice of the variables that take a few values, or a function that fits the heaps whose numbers
# are below a side.
_LOOKS = {
    1: (
        *(("period", 48), ("period", 96), ("function", 64)),
        *(("function", 128), ("period", 384), ("function", 256)),
    ),
    2: (("periods", 96), ("function", 16), ("periods", 256), ("function", 32)),
    3: (("periods", 96), ("function", 8), ("periods", 256)),
}
_SHARE = 0.5  # of what is left of the budget, for one look and for one proof
_FEW = 12  # heaps beyond twice the largest number of the rules that show a code
_MOST = 80  # heaps from which a code is read


def code_of(game: HeapGame, budget: Budget) -> HeapCode | None:
    """Return the code that ``game`` is proved to have; None where it has none, or none is found."""
    if len(game.variables) != 1 or not game.leaves_at_most(3):
        return None
    heaps = min(_MOST, 2 * max(game.one_heap.integers, default=0) + _FEW)
    digits: dict[int, int] = {}
    with_twins: set[int] = set()
    for heap in range(1, heaps):
        if not game.is_legal((heap,)):
            return None
        for left in game.options((heap,)):
            budget.check()
            sizes = [size for (size,) in left if size]
            taken = heap - sum(sizes)
            if taken < 0 or min(sizes, default=1) < 0:
                return None
            # Bit h of a digit k of the code: who takes k from a heap may leave the rest as h heaps.
            digits[taken] = digits.get(taken, 0) | 1 << len(sizes)
            if len(sizes) == 2 and sizes[0] == sizes[1]:
                with_twins.add(taken)
    # To take nothing and leave no heap, or the same one, is no move of a code.
    if not digits or digits.get(0, 0) & 3:
        return None
    # Where two heaps may be left but never two equal ones, the rules forbid equal heaps, as in
    # Grundy's game.
    unequal = {k for k, digit in digits.items() if digit & 4 and k not in with_twins}
    if any(digits[k] & 8 for k in unequal):
        return None
    places = tuple(digits.get(k, 0) for k in range(max(digits) + 1))
    code = HeapCode(places, frozenset(unequal))
    # So far the code is seen in small heaps alone; now it is proved for all.
    return code if is_this_code(game, code, budget) else None


class HeapGameSearch:
    """The search for the Grundy values of a well-formed game of heaps by rules."""

    def __init__(
        self,
        game: HeapGame,
        most: int | None,
        budget: Budget,
        at: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.game = game
        self._options = (most, budget, at, progress)
        self._values: list[int] = []
        self._table = HeapValues(game)
        self._why = "no period and no function shows"
        self._tried: set[tuple[int, int]] = set()  # preperiods and periods
        self._by_code: HeapSearch | None = None

    def run(self) -> HeapGameAnswer:
        """Return the answer on the Grundy values, proved or unknown; InputError if a heap has
        infinitely many moves."""
        _, budget, _, progress = self._options
        progress(f"{self.game.name}: looking for its code")
        try:
            code = code_of(self.game, budget)
            if code is not None:
                self._by_code = HeapSearch(code, *self._options)
                found = self._by_code.run()
                return HeapGameAnswer(self.game, by_code=found, why=found.why)
            return replace(self._answer(), seconds=budget.runtime)
        except (BudgetSpent, Refused) as stopped:
            return self.unknown(str(stopped))
        except OverflowError as error:
            message = f"{self.game.name}: a heap has infinitely many moves: {error}"
            raise InputError(message, mend="bound the parameter in the precondition") from None

    def unknown(self, why: str) -> HeapGameAnswer:
        """Return an answer that claims nothing, with the known values and the reason ``why``."""
        if self._by_code is not None:
            return HeapGameAnswer(self.game, by_code=self._by_code.unknown(why), why=why)
        values = np.array(self._values, np.int64)
        runtime = self._options[1].runtime
        saltus = seen_on_heaps(values)
        known = dict(self._table.known) if len(self.game.variables) > 1 else {}
        return HeapGameAnswer(
            self.game, values, saltus=saltus, known=known, why=why, seconds=runtime
        )

    def _answer(self) -> HeapGameAnswer:
        most, budget, _, progress = self._options
        looks = _LOOKS.get(len(self.game.variables), ())
        for what, size in dict.fromkeys((what, min(size, most or size)) for what, size in looks):
            progress(f"{self.game.name}: looking for a {what}, numbers below {size:,}")
            ways = {"period": self._period, "periods": self._periods, "function": self._function}
            try:
                if (found := ways[what](size, budget.share(_SHARE))) is not None:
                    return found
            except (BudgetSpent, OutOfReach):
                self._why = "no period and no function shows in this time"
        budget.check()
        return self._window(budget) or self.unknown(self._why)

    def _function(self, side: int, budget: Budget) -> HeapGameAnswer | None:
        """Return the answer with a proved function that fits heaps below ``side``, or None."""
        for function in heap_functions(self.game, self._table, side, budget):
            judged = judge_function(self.game, function, budget.share(_SHARE))
            if judged.verdict is Verdict.PROVED:
                values = np.array(self._values)
                return HeapGameAnswer(self.game, values, function=function, by=judged.by)
            self._why = _tell_failure(f"a function that fits the numbers below {side}", judged)
        return None

    def _window(self, budget: Budget) -> HeapGameAnswer | None:
        """Return the answer with a proved recursive function of the values; None if none is found,
        or if a move may leave several heaps."""
        value = window(self.game.one_heap, budget) if self.game.leaves_one else None
        if value is None:
            return None
        judged = judge_function(self.game, value, budget.share(_SHARE))
        if judged.verdict is not Verdict.PROVED:
            return None
        return HeapGameAnswer(self.game, np.array(self._values), function=value, by=judged.by)

    def _period(self, count: int, budget: Budget) -> HeapGameAnswer | None:
        """Return the answer with a proved period that ``count`` heaps show; None without one."""
        self._extend(count, budget)
        values = np.array(self._values, np.int64)
        shift = seen_on_heaps(values)
        if shift is None or (shift.start, shift.step) in self._tried:
            return None
        self._tried.add((shift.start, shift.step))
        cut = values[: shift.start + shift.step]
        claim = GamePeriod(self.game, shift.start, shift.step, cut, saltus=shift.rise)
        judged = judge_by_rules(claim, budget.share(_SHARE))
        if judged.verdict is Verdict.PROVED:
            return HeapGameAnswer(self.game, values, claim, judged.by)
        guess = f"a period of {shift.step} from heap {shift.start} on that fits {count} heaps"
        self._why = _tell_failure(guess, judged)
        return None

    def _periods(self, count: int, budget: Budget) -> HeapGameAnswer | None:
        """Return the answer with a proved function, periodic in one variable for each choice of the
        others, as values below ``count`` show; None if one shows no period or the proof fails.
        The answer has periods only where legal heaps are proved to repeat, too."""
        periods = periods_seen(self.game, self._table, count, budget)
        if not periods:
            return None
        function = as_term(self.game, periods)
        judged = judge_function(self.game, function, budget.share(_SHARE))
        if judged.verdict is Verdict.PROVED:
            shown = periods if heaps_repeat(periods, budget) else {}
            return HeapGameAnswer(self.game, function=function, periods=shown, by=judged.by)
        self._why = _tell_failure(f"periods that fit the numbers below {count}", judged)
        return None

    def _extend(self, count: int, budget: Budget) -> None:
        for heap in range(len(self._values), count):
            is_heap = self.game.is_legal((heap,))
            self._values.append(self._table.value((heap,), budget) if is_heap else NO_HEAP)


def _tell_failure(guess: str, judged: Finding) -> str:
    how = "is wrong" if judged.verdict is Verdict.REFUTED else "is not proved"
    return f"{guess} was guessed, and {how}: {judged.why}"
