"""List the pairs of rows of heaps during a search: heap by heap, until one is wrong.

A pair is an element of a monoid, and as the bits of an integer the set of the elements that a move
leads to.  :mod:`icgsynth.heaps.proof.misere_closure` says what follows from all of them.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from icgsynth.budget import Budget
from icgsynth.heaps.rules.misere import Row
from icgsynth.heaps.search.misere_monoids import (
    Arithmetic,
    RowMonoid,
    generate,
    too_many,
)

Pair: TypeAlias = tuple[int, int]  # an element, and the bits of those that a move leads to

_OFTEN = 256  # products between two looks at the clock
_MOST = 1 << 18  # pairs of all rows
_ORDER = 1 << 12  # elements: most of their products are kept


class RowPairs:
    """The pairs of all rows of the heaps that were added, none of which contradicts itself."""

    def __init__(self, monoid: RowMonoid) -> None:
        if len(monoid) > _ORDER:
            raise too_many(_ORDER, "elements of the quotient")
        self._monoid = monoid
        self._table: dict[int, list[int]] = {}  # the rows that were asked for
        self._lost = monoid.lost.tolist()
        self._all_lost = _bits(np.flatnonzero(monoid.lost).tolist())
        self._products: list[dict[int, int]] = [{} for _ in self._lost]
        self._known: dict[Pair, tuple[Pair, int] | None] = {(0, 0): None}  # and the last heap

    def add(self, heap: int, element: int, options: list[int], budget: Budget) -> Row | None:
        """Add ``heap``, given its ``element`` and the elements of its ``options``, and all rows
        with it.

        If a row contradicts itself, nothing is added, and the row returned; else None.  TooLarge
        for many.
        """
        pair = element, _bits(options)
        if pair in self._known:
            return None
        # All rows with some copies of the new heap: the list grows while it is read, so that each
        # row found is tried with one copy more.
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
            # Lost is a row with a move and no move to a lost one.
            if self._lost[made[0]] != (made[1] != 0 and not made[1] & self._all_lost):
                row = self._row(made)
                # The rows of this heap are taken back, so that the caller may guess another element
                # for it.
                for new in front[old:]:
                    del self._known[new]
                return row
            if len(front) > _MOST:
                raise too_many(_MOST, "pairs of rows of heaps")
        return None

    def _row(self, pair: Pair) -> Row:
        heaps: list[int] = []
        while (step := self._known[pair]) is not None:
            pair, heap = step
            heaps.append(heap)
        return tuple(sorted(heaps))

    def product(self, one: Pair, other: Pair) -> Pair:
        """Return the pair of the sum of two rows, whose pairs (element, bits of the elements that a
        move leads to) are ``one`` and ``other``."""
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
    """Return a monoid that tells more rows apart than ``monoid``: those with another element in
    ``grown``, or with other elements in ``grown`` after a move."""
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
    return generate(monoid.code, heaps, [h for h in first.values() if h], arithmetic, budget)


def _bits(members: list[int]) -> int:
    return sum(1 << x for x in members)
