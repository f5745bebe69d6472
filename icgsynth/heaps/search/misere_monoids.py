"""Finite commutative monoids of rows of heaps, and how one more heap changes them.

A :class:`RowMonoid` has an element for each class of rows of the heaps below some n, and of each
class its *least row*: by weight, where heap h weighs 2 h - 1 so that a move makes a row lighter,
and then in lexicographic order.  The elements are numbered in the order of their least rows.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import TooLarge
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import Row

Ints: TypeAlias = NDArray[np.integer[Any]]
Bools: TypeAlias = NDArray[np.bool_]
_MOST = 1 << 16  # elements of a monoid
_UNREDUCED = 1 << 20  # elements, with copies of one more heap
_PRODUCTS = 1 << 26  # products that are kept of one monoid: 256 MB
_CYCLE = 256  # copies of one heap after which their outcomes must repeat
_OFTEN = 1 << 10  # elements between two looks at the budget


def too_many(most: int, what: str) -> TooLarge:
    """Return the error that there are more than ``most`` of ``what``; more time does not help."""
    return TooLarge(f"there are more than {most:,} {what}: more time or memory does not help")


class RowMonoid:
    """A monoid of rows: ``heaps[h]`` is the element of heap h; ``lost``: where the mover loses.

    ``acts[h]``, for each heap h that is the least row of its element, holds the products of all
    elements and that of heap h.
    """

    def __init__(
        self,
        code: HeapCode,
        heaps: list[int],
        least: list[Row],
        acts: dict[int, Ints],
        lost: Bools,
    ) -> None:
        self.code = code
        self.heaps = heaps
        self.least = least
        self.acts = acts
        self.lost = lost
        self._index = {row: x for x, row in enumerate(least)}
        self._rows: dict[int, Ints] = {0: np.arange(len(least), dtype=np.int32)}

    def __len__(self) -> int:
        return len(self.least)

    def row(self, x: int) -> Ints:
        """Return the products (n,) of all elements with element ``x``; TooLarge for too many."""
        found = self._rows.get(x)
        if found is None:
            if len(self._rows) * len(self) > _PRODUCTS:
                raise too_many(_PRODUCTS, "products of rows of heaps")
            # What is left of a least row without its last heap is a least row, so it has a number.
            *first, heap = self.least[x]
            found = self._rows[x] = self.acts[heap][self.row(self._index[tuple(first)])]
        return found

    def options(self, heap: int) -> list[int]:
        """Return the elements of the options of heap ``heap``, which are rows of smaller heaps."""
        code, heaps, row = self.code, self.heaps, self.row
        # Heaps that are left are replaced by their elements first: few elements, so few products.
        found = {0} if heap in code.taking(0) else set()
        found |= {heaps[heap - k] for k in code.taking(1) if k < heap}
        for j in (2, 3):
            for k in code.taking(j):
                parts = set(_splits(heaps, heap - k, j, k in code.unequal))
                found |= {int(row(int(row(x)[y]))[z]) for x, y, z in parts}
        return sorted(found)

    @cached_property
    def row_options(self) -> list[list[int]]:
        """For each element, in order, the elements of the options of its least row."""
        of_heap = {h: self.options(h) for h in self.acts}
        found: list[list[int]] = [[]]
        for row in self.least[1:]:
            *first, heap = row
            x = self._index[tuple(first)]
            # Row = (row x) + heap: a move in x keeps the heap beside it, a move in the heap keeps
            # x.
            kept = self.acts[heap][found[x]].tolist() if found[x] else []
            found.append(sorted({*kept, *(int(self.row(e)[x]) for e in of_heap[heap])}))
        return found


def _splits(heaps: list[int], size: int, j: int, unequal: bool) -> Iterator[tuple[int, int, int]]:
    """Yield the elements of the ``j`` heaps (2 or 3) in each split of ``size``; of two, 0 comes
    first. ``heaps[h]`` is the element of heap h; two heaps differ if ``unequal``."""
    for a in range(1 if j == 3 else 0, size // 3 + 1 if j == 3 else 1):
        for b in range(max(1, a), (size - a) // 2 + 1):
            if not unequal or 2 * b != size:
                x, y = heaps[b], heaps[size - a - b]
                yield heaps[a], min(x, y), max(x, y)


# --- one more heap -------------------------------------------------------------------------------


class WithCopies:
    """The monoid of rows that may hold heap n, where ``monoid`` is that of the smaller heaps.

    It rests on the guess that rows of smaller heaps with one element of ``monoid`` stay equal
    beside heap n.  Then the rows with k of it are lost or won by their element alone, which the
    least rows tell; what is so for k copies follows from what is so for k - 1, and has to repeat
    at last.  :class:`BudgetSpent` where this grows too large.

    ``acts``, ``lost`` and ``heaps`` are as those of a :class:`RowMonoid`.
    """

    def __init__(self, monoid: RowMonoid, budget: Budget) -> None:
        self.code = monoid.code
        self._monoid = monoid
        self._heap = len(monoid.heaps)
        # outcomes[k] are the elements of the old monoid that are lost beside k copies of the heap.
        # When outcomes repeat, so do all later ones, for each follows from the one before.
        options = monoid.options(self._heap)
        outcomes = [monoid.lost]  # for 0, 1, 2, .. copies
        known = {monoid.lost.tobytes(): 0}
        while True:
            budget.check()
            now = next_outcomes(monoid, options, outcomes[-1])
            copies = len(outcomes)
            if (again := known.setdefault(now.tobytes(), copies)) < copies:
                break
            outcomes.append(now)
            if copies > _CYCLE:
                raise too_many(_CYCLE, "rows of one heap alone that are all told apart")
            if copies * len(monoid) > _UNREDUCED:
                raise too_many(_UNREDUCED, "classes of rows, before equal ones are joined")
        size = len(monoid)
        flat = np.arange(copies * size, dtype=np.int32).reshape(copies, size)
        self.acts = {h: flat[:, act].ravel() for h, act in monoid.acts.items()}
        # Element k * size + x is x beside k copies; one more copy after the last leads to
        # ``again``.
        self.acts[self._heap] = np.vstack([flat[1:], flat[again : again + 1]]).ravel()
        self.lost = np.concatenate(outcomes)
        self.heaps = [*monoid.heaps, size if copies > 1 else 0]

    def word(self, row: Row) -> Row:
        """Return a row with the monoid element of ``row``, made of heaps that generate the monoid
        alone (keys of :attr:`acts`)."""
        monoid, n = self._monoid, self._heap
        return tuple(g for h in row for g in ((n,) if h == n else monoid.least[monoid.heaps[h]]))

    def reduced(self, budget: Budget) -> RowMonoid:
        """Return the monoid in which all elements that no sum tells apart are joined into one."""
        acts, lost = self.acts, self.lost
        # Two elements are equal in the quotient iff no sum tells them apart: the coarsest partition
        # that respects the outcome and every heap.
        colours = _refine_classes(lost, list(acts.values()), budget)
        shown = np.zeros(int(colours.max()) + 1, np.int64)
        shown[colours] = np.arange(len(lost))  # an element of each class
        products = {h: colours[act[shown]].tolist() for h, act in acts.items()}
        arithmetic = Arithmetic(
            int(colours[0]), lambda x, h: products[h][x], lambda x: bool(lost[shown[x]])
        )
        heaps = colours[self.heaps].tolist()
        return generate(self.code, heaps, sorted(acts), arithmetic, budget)


def next_outcomes(monoid: RowMonoid, options: list[int], before: Bools) -> Bools:
    """Return which elements are lost beside k copies of a new heap; ``before`` says it for k - 1.
    ``options`` are the elements of the rows that a move makes of the new heap."""
    won = np.zeros(len(monoid), np.bool_)
    # A move in one of the k copies leads to x beside k - 1 copies.
    for x in options:
        won |= before[monoid.row(x)]
    lost: set[int] = set()
    for x, (is_won, after) in enumerate(zip(won.tolist(), monoid.row_options, strict=True)):
        # Lost: no move in the new heap or in the rest leads to a lost row. Without any move it is
        # won, for play is misère.
        if not is_won and lost.isdisjoint(after) and (x or options):
            lost.add(x)
    now = np.zeros(len(monoid), np.bool_)
    now[list(lost)] = True
    return now


def _refine_classes(lost: Bools, acts: list[Ints], budget: Budget) -> Ints:
    """Return a class number for each element: equal if no heaps beside make one lost, the other
    won.

    ``lost`` says which are lost alone; ``acts`` has for each heap the products of all elements.
    """
    # A class is told by a random number; that two of them fall together is improbable, and would be
    # seen in the proof.
    rng = np.random.default_rng(16)
    colours: Ints = lost.astype(np.int64)
    count = len(np.unique(colours))
    while True:
        budget.check()
        mixed = np.zeros(len(lost), np.uint64)
        for one in [np.arange(len(lost)), *acts]:
            weights = rng.integers(1, 1 << 63, count, np.uint64)
            # Elements with the same sum have the same colour, and so have their products with each
            # heap.
            mixed += weights[colours[one]]
        _, colours = np.unique(mixed, return_inverse=True)
        if (now := int(colours.max()) + 1) == count:
            return colours
        count = now


# --- from generators to a monoid -----------------------------------------------------------------


class Arithmetic(NamedTuple):
    """How to compute with elements: the identity, products with a heap, and which are lost."""

    one: Any
    times: Callable[[Any, int], Any]
    is_lost: Callable[[Any], bool]


def generate(
    code: HeapCode, heaps: list[Any], generators: list[int], arithmetic: Arithmetic, budget: Budget
) -> RowMonoid:
    """Return the monoid of all products of the elements ``heaps``, of heap 0, heap 1, ..

    ``generators`` are heaps, in ascending order, of which the others are products; ``arithmetic``
    computes with elements.
    """
    numbers: dict[Any, int] = {}
    least: list[Row] = []
    queue: list[tuple[int, Row, Any]] = [(0, (), arithmetic.one)]
    # By weight, then lexicographically: the first row that reaches an element is its least row.
    # Only letters not before the last are appended, so each multiset is tried once.
    while queue:
        weight, row, x = heapq.heappop(queue)
        if x in numbers:
            continue
        numbers[x] = len(least)
        least.append(row)
        if len(least) > _MOST:
            raise too_many(_MOST, "classes of rows of heaps")
        if len(least) % _OFTEN == 0:
            budget.check()
        for h in generators:  # what is left of a least row without a heap is a least row too
            if (not row or h >= row[-1]) and (made := arithmetic.times(x, h)) not in numbers:
                heapq.heappush(queue, (weight + 2 * h - 1, (*row, h), made))
    elements = list(numbers)
    singles = [row[0] for row in least if len(row) == 1]
    acts: dict[int, Ints] = {
        h: np.array([numbers[arithmetic.times(x, h)] for x in elements], np.int32) for h in singles
    }
    lost = np.array([arithmetic.is_lost(x) for x in elements])
    return RowMonoid(code, [numbers[x] for x in heaps], least, acts, lost)
