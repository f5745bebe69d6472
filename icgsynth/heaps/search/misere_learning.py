"""Learn a misère quotient from the outcomes of rows of heaps (L*, Angluin 1987).

Elements are told apart by *tests*: a row is as good as another one where both are lost beside the
same tests.  A test is added where two orders of one row lead to different elements, and where a
row contradicts what was learned.  Only short rows and tests are looked at, so that outcomes which
are wrong of long rows alone do no harm.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.heaps.rules.misere import Row, heap_moves
from icgsynth.heaps.search.misere_monoids import (
    Arithmetic,
    RowMonoid,
    WithCopies,
    generate,
)

Ints: TypeAlias = NDArray[np.integer[Any]]
Bools: TypeAlias = NDArray[np.bool_]


class Learner:
    """Learns the elements, fewer than ``most``, that tests tell apart, and products with heaps.
    ``rows`` tells who loses a row. A test is kept as the outcomes of all its elements beside it."""

    def __init__(self, rows: WithCopies, most: int) -> None:
        self._rows = rows
        self._most = most
        self._tests: list[Bools] = []
        self._classes: Ints = np.zeros(len(rows.lost), np.int64)
        self._shown: list[int] = []  # an element of ``rows`` for each that was learned
        self._steps: dict[int, Ints] = {}  # of each heap
        self._add(rows.lost)

    def learn(self, budget: Budget) -> RowMonoid | None:
        """Return a monoid that agrees with all tests; None where it has too many elements.

        A test is who wins each element beside some row.  Where the steps of all heaps commute they
        are those of a monoid: the element that a row of heaps leads to determines what it makes of
        every other element.
        """
        while self._close():
            budget.check()
            if (test := self._order_matters()) is None:
                return self._monoid(budget)
            self._add(test)
        return None

    def learn_from_error(self, row: Row) -> bool:
        """Add a test (who wins each element beside some row) that corrects what was learned of
        ``row``, or of a row one move after it; return whether there was one."""
        after = [row]
        for place, heap in enumerate(row):
            rest = row[:place] + row[place + 1 :]
            after += [rest + move.left for move in heap_moves(self._rows.code, heap, heap)]
        return any(map(self._learn_from_row, after))

    def _learn_from_row(self, row: Row) -> bool:
        word = self._rows.word(row)
        # outcomes[i][x]: is x lost beside the last i heaps of the word? The word of an element is
        # read heap by heap; where the learned step and the true product differ in the rest of the
        # word, that rest is a test which tells them apart (Rivest and Schapire 1993).
        outcomes = [self._rows.lost]  # beside the last heaps of the word, from none on
        for h in reversed(word):
            outcomes.append(outcomes[-1][self._rows.acts[h]])
        x = 0
        for at, h in enumerate(word):
            y, test = int(self._steps[h][x]), outcomes[len(word) - at - 1]
            if test[self._rows.acts[h][self._shown[x]]] != test[self._shown[y]]:
                self._add(test)
                return True
            x = y
        return False

    def _add(self, test: Bools) -> None:
        self._tests.append(test)
        # Classes are cut in two by the test, and numbered anew.
        _, self._classes = np.unique(2 * self._classes + test, return_inverse=True)

    def _close(self) -> bool:
        """Choose an element for each class of rows that the tests tell apart; return False if these
        are too many."""
        self._shown = [0]
        numbers = {int(self._classes[0]): 0}
        steps: dict[int, list[int]] = {h: [] for h in self._rows.acts}
        # Closed: each class reached by a heap from a class that is shown is shown as well.
        for shown in self._shown:
            for h, act in self._rows.acts.items():
                made = int(act[shown])
                number = numbers.setdefault(int(self._classes[made]), len(self._shown))
                if number == len(self._shown):
                    self._shown.append(made)
                steps[h].append(number)
            if len(self._shown) >= self._most:
                return False
        self._steps = {h: np.array(numbers) for h, numbers in steps.items()}
        return True

    def _order_matters(self) -> Bools | None:
        """Return a new test for a case where adding heap h, then k, to an element was learned to
        differ from adding k, then h; None if there is no such case."""
        heaps = sorted(self._steps)
        for i, h in enumerate(heaps):
            for k in heaps[:i]:
                one, other = self._steps[h], self._steps[k]
                wrong = np.flatnonzero(other[one] != one[other])
                if len(wrong):
                    x = int(wrong[0])
                    first = self._telling(x, h, k)
                    return self._telling(x, k, h) if first is None else first
        return None

    def _telling(self, x: int, h: int, k: int) -> Bools | None:
        """Return a test, "beside heap ``k`` and an older test", that tells element ``x`` with heap
        ``h`` from the element learned for it; None if there is none."""
        rows = self._rows
        made, shown = rows.acts[h][self._shown[x]], self._shown[int(self._steps[h][x])]
        by_k = rows.acts[k]
        for test in self._tests:
            if test[by_k[made]] != test[by_k[shown]]:
                told: Bools = test[by_k]
                return told
        return None

    def _monoid(self, budget: Budget) -> RowMonoid:
        rows, steps = self._rows, {h: step.tolist() for h, step in self._steps.items()}
        single = []
        for h in range(len(rows.heaps)):
            x = 0
            for g in rows.word((h,)):
                x = steps[g][x]
            single.append(x)
        lost = rows.lost[self._shown]
        arithmetic = Arithmetic(0, lambda x, h: steps[h][x], lambda x: bool(lost[x]))
        return generate(rows.code, single, sorted(steps), arithmetic, budget)
