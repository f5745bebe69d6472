"""A misère quotient learned from the outcomes of rows of heaps (L*, Angluin 1987).

Elements are told apart by *tests*: a row is as good as another one where both are lost beside the
same tests.  A test is added where two orders of one row lead to different elements, and where a
row contradicts what was learned.  Only short rows and tests are looked at, so that outcomes which
are wrong of long rows alone do no harm.

The pairs of rows of heaps, as a search lists them: heap by heap, until one is wrong.

A pair is an element of a monoid, and as the bits of an integer the set of the elements that a move
leads to.  :mod:`icgsynth.prove.misere_closure` says what follows from all of them.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game.misere import Row, heap_moves
from icgsynth.values.misere_monoids import Arithmetic, RowMonoid, WithCopies, generated

# --- misere pairs --------------------------------------------------------------------------------

Pair: TypeAlias = tuple[int, int]
_OFTEN = 256
_MOST = 1 << 18  # pairs
_ORDER = 1 << 12  # elements: most of their products are kept


class RowPairs:
    """The pairs of all rows of the heaps that were added, none of which contradicts itself."""

    def __init__(self, monoid: RowMonoid) -> None:
        if len(monoid) > _ORDER:
            raise BudgetSpent("the quotient has too many elements")
        self._monoid = monoid
        self._table: dict[int, list[int]] = {}  # the rows that were asked for
        self._lost = monoid.lost.tolist()
        self._all_lost = _bits(np.flatnonzero(monoid.lost).tolist())
        self._products: list[dict[int, int]] = [{} for _ in self._lost]
        self._known: dict[Pair, tuple[Pair, int] | None] = {(0, 0): None}  # and the last heap

    def add(self, heap: int, element: int, options: list[int], budget: Budget) -> Row | None:
        """Add a heap with these elements after a move, and all rows with it.

        A row that contradicts itself is returned, and then nothing was added.
        """
        pair = element, _bits(options)
        if pair in self._known:
            return None
        front = list(self._known)
        old = len(front)
        for count, known in enumerate(front):
            if count % _OFTEN == 0:
                budget.check()
            made = self.product(known, pair)
            if made in self._known:
                continue
            self._known[made] = known, heap
            front.append(made)
            if self._lost[made[0]] != (made[1] != 0 and not made[1] & self._all_lost):
                row = self._row(made)
                for new in front[old:]:
                    del self._known[new]
                return row
            if len(front) > _MOST:
                raise BudgetSpent("the rows of heaps have too many pairs")
        return None

    def _row(self, pair: Pair) -> Row:
        heaps: list[int] = []
        while (step := self._known[pair]) is not None:
            pair, heap = step
            heaps.append(heap)
        return tuple(sorted(heaps))

    def product(self, one: Pair, other: Pair) -> Pair:
        """The pair of two rows together."""
        (x, after_x), (y, after_y) = one, other
        return self._row_of(x)[y], self._times(x, after_y) | self._times(y, after_x)

    def _row_of(self, x: int) -> list[int]:
        if (row := self._table.get(x)) is None:
            row = self._table[x] = self._monoid.row(x).tolist()
        return row

    def _times(self, x: int, members: int) -> int:
        found = self._products[x].get(members)
        if found is None:
            row, left, found = self._row_of(x), members, 0
            while left:
                low = left & -left
                found |= 1 << row[low.bit_length() - 1]
                left ^= low
            self._products[x][members] = found
        return found


def finer(monoid: RowMonoid, grown: RowMonoid, budget: Budget) -> RowMonoid:
    """The monoid of the elements of ``monoid``, each with a pair of ``grown``.

    Rows of the heaps of ``monoid`` that it tells apart stay apart; and so do those that have other
    elements in ``grown`` after a move.
    """
    algebra = RowPairs(grown)
    pairs = [(grown.heaps[h], _bits(grown.options(h))) for h in range(len(monoid.heaps))]
    heaps = list(zip(monoid.heaps, pairs, strict=True))
    first: dict[tuple[int, Pair], int] = {}
    for h, element in enumerate(heaps):
        first.setdefault(element, h)
    products = [monoid.row(x).tolist() for x, _ in heaps]
    arithmetic = Arithmetic(
        heaps[0],
        lambda x, h: (products[h][x[0]], algebra.product(x[1], heaps[h][1])),
        lambda x: bool(monoid.lost[x[0]]),
    )
    return generated(monoid.code, heaps, [h for h in first.values() if h], arithmetic, budget)


def _bits(members: list[int]) -> int:
    return sum(1 << x for x in members)


# --- misere learning -----------------------------------------------------------------------------

Ints: TypeAlias = NDArray[np.integer[Any]]
Bools: TypeAlias = NDArray[np.bool_]


class Learner:
    """The elements that tests tell apart, fewer than ``most``, and what heaps make of them.

    ``rows`` tells who loses a row.  A test is kept as the outcomes of all its elements beside it.
    """

    def __init__(self, rows: WithCopies, most: int) -> None:
        self._rows = rows
        self._most = most
        self._tests: list[Bools] = []
        self._classes: Ints = np.zeros(len(rows.lost), np.int64)
        self._shown: list[int] = []  # an element of ``rows`` for each that was learned
        self._steps: dict[int, Ints] = {}  # of each heap
        self._add(rows.lost)

    def learned(self, budget: Budget) -> RowMonoid | None:
        """A monoid that agrees with all tests; None where it has too many elements.

        Where the steps of all heaps commute they are those of a monoid: the element that a row of
        heaps leads to determines what it makes of every other element.
        """
        while self._closed():
            budget.check()
            if (test := self._order_matters()) is None:
                return self._monoid(budget)
            self._add(test)
        return None

    def corrected(self, row: Row) -> bool:
        """Add a test that shows where this row, or one after a move, was told wrong; if any is."""
        after = [row]
        for place, heap in enumerate(row):
            rest = row[:place] + row[place + 1 :]
            after += [rest + move.left for move in heap_moves(self._rows.code, heap, heap)]
        return any(map(self._corrected, after))

    def _corrected(self, row: Row) -> bool:
        word = self._rows.word(row)
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
        _, self._classes = np.unique(2 * self._classes + test, return_inverse=True)

    def _closed(self) -> bool:
        """Find an element for each row that tests tell apart; False where there are too many."""
        self._shown = [0]
        numbers = {int(self._classes[0]): 0}
        steps: dict[int, list[int]] = {h: [] for h in self._rows.acts}
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
        """A new test, where two heaps lead to other elements in another order."""
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
        """A test that begins with heap k, and tells x with heap h from what it leads to."""
        rows = self._rows
        made, shown = rows.acts[h][self._shown[x]], self._shown[int(self._steps[h][x])]
        by_k = rows.acts[k]
        for test in self._tests:
            if test[by_k[made]] != test[by_k[shown]]:
                told: Bools = test[by_k]
                return told
        return None

    def _monoid(self, budget: Budget) -> RowMonoid:
        """What was learned, as a monoid of rows."""
        rows, steps = self._rows, {h: step.tolist() for h, step in self._steps.items()}
        single = []
        for h in range(len(rows.heaps)):
            x = 0
            for g in rows.word((h,)):
                x = steps[g][x]
            single.append(x)
        lost = rows.lost[self._shown]
        arithmetic = Arithmetic(0, lambda x, h: steps[h][x], lambda x: bool(lost[x]))
        return generated(rows.code, single, sorted(steps), arithmetic, budget)
