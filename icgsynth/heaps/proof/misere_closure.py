"""Decide claims on misère quotients: a finite closure settles all rows of heaps.

This shares with the search the reader of codes and the claim itself, and nothing that computes.

*Algebra.*  The table is that of a commutative monoid with the identity 0, which the elements of
the heaps generate (:func:`_wrong_algebra`).

*Rows.*  The *pair* of a row X is (x, E): its element x, and the set E of the elements of all rows
that a move makes of X.  A move in X + Y is a move in X or in Y, so that the pair of X + Y is
(xy, xF u yE) where (y, F) is the pair of Y.  All pairs of rows are therefore the products of pairs
of single heaps, and as x and E are from finite sets, they can be listed.  Let for each pair

* x not be lost, where E is empty: without a move the player to move has won;
* x be lost exactly if no element of E is, where E is not empty.

By induction on the length of play, a row is then lost exactly if its element is.

*All heaps.*  Let a move leave h heaps at most (h >= 1) and take t at most, and let the elements
repeat with the period p from heap m >= 1 on; that is how the elements of larger heaps are defined.
For n >= h m + (h - 1) p + t the pair of heap n + p is that of heap n.  No move leaves nothing of
either, for t is smaller than both.  The largest heap that a move leaves of n + p has a size b with
h b >= n + p - t >= h (m + p), and b - p >= m has the same element; with b - p in place of b the
move is one of heap n.  In the same way, h b >= n - t >= h m, which turns each move of heap n into
one of heap n + p.  So the heaps below h (m + p) + t have all the pairs there are.  This fails where
two heaps must be unequal, since b - p may be equal to another part.

*Reduced.*  Any two elements are told apart: some third one makes one of the products lost, and not
the other.  As all elements are those of rows, the monoid is then the misère quotient itself, and
no smaller one will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.answers import Verdict
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereProof, MisereQuotient, Row

Table: TypeAlias = tuple[tuple[int, ...], ...]
Pair: TypeAlias = tuple[int, int]  # an element, and a set of elements as the bits of an integer
_OFTEN = 256  # pairs between two looks at the budget


def prove_quotient(claim: MisereQuotient, budget: Budget = UNBOUNDED) -> MisereProof:
    """Return the proof that ``claim`` holds with the smallest monoid and least period, or why not.

    All pairs of rows are listed, as in Plambeck and Siegel, Misère quotients for impartial games,
    2008.
    """
    try:
        if why := _wrong_algebra(claim, budget):
            return MisereProof(Verdict.REFUTED, why)
        if claim.period and claim.code.unequal:
            why = "no theorem on periods where two heaps must be unequal"
            return MisereProof(Verdict.UNKNOWN, why)
        proof = _close(claim, _list_elements(claim), budget)
        if proof.verdict is Verdict.PROVED and (why := _not_reduced(claim) or _not_least(claim)):
            return MisereProof(Verdict.REFUTED, why)
        return proof
    except (BudgetSpent, OutOfReach) as spent:
        return MisereProof(Verdict.UNKNOWN, str(spent))


# --- the monoid ----------------------------------------------------------------------------------


def _wrong_algebra(claim: MisereQuotient, budget: Budget) -> str:
    """Return why the table of ``claim`` is no commutative monoid that the heaps generate, or ""."""
    # Whether the product is associative is looked at for generators g alone: where (x g) y = x (g
    # y) holds for all x and y with g = a and with g = b, it holds with g = a b (the test of Light).
    table, size = claim.table, range(claim.order)
    if any(len(row) != claim.order or not set(row) <= set(size) for row in table) or not table:
        return "the table of products is not square, or has an unknown element"
    if not claim.lost <= set(size) or not set(claim.heaps) <= set(size):
        return "an element that the table does not have"
    if claim.heaps[:1] != (0,):
        return "heap 0 is no heap, and has the element 0"
    if claim.period and claim.preperiod < 1:
        return "the preperiod is at least 1"
    if table[0] != tuple(size):
        return "the element 0 is not the identity"
    for x in size:
        for y in range(x):
            if table[x][y] != table[y][x]:
                return f"the product of the elements {y} and {x} depends on their order"
    generators = sorted(set(claim.heaps))
    if (left_out := _not_generated(table, generators)) is not None:
        return f"the element {left_out} is that of no row of heaps"
    for g in generators:
        budget.check()
        by_g = table[g]
        for x in size:
            row = table[x]
            if table[row[g]] != tuple([row[z] for z in by_g]):
                return f"the product is not associative: elements {x} and {g}"
    return ""


def _not_generated(table: Table, generators: Sequence[int]) -> int | None:
    # All products of generators, from the identity on.
    reached, front = {0}, [0]
    while front:
        x = front.pop()
        for g in generators:
            if (y := table[x][g]) not in reached:
                reached.add(y)
                front.append(y)
    return next((x for x in range(len(table)) if x not in reached), None)


def _not_reduced(claim: MisereQuotient) -> str:
    # Row x of the table, as outcomes: x is told apart from y by the third element where they
    # differ.
    known: dict[tuple[bool, ...], int] = {}
    for x, row in enumerate(claim.table):
        outcomes = tuple([y in claim.lost for y in row])
        if (same := known.setdefault(outcomes, x)) != x:
            return f"the elements {same} and {x} are lost in the same sums: one of them will do"
    return ""


def _not_least(claim: MisereQuotient) -> str:
    if not claim.period:
        return ""
    start = len(claim.heaps) - claim.period
    block = claim.heaps[start:]
    if start > 1 and claim.heaps[start - 1] == block[-1]:
        return f"the preperiod is not the least: {start - 1} will do"
    for step in range(1, claim.period):
        if claim.period % step == 0 and block[step:] == block[:-step]:
            return f"the period is not the least: {step} will do"
    return ""


# --- heaps and their pairs -----------------------------------------------------------------------


def _list_elements(claim: MisereQuotient) -> list[int]:
    """Return the monoid elements of heaps 0, 1, .., continued as far as the proof needs them."""
    elements = list(claim.heaps)
    if claim.period:
        code = claim.code
        leaving = max([j for j in range(4) if any(code.taking(j))] + [1])
        count = leaving * len(claim.heaps) + len(code.digits) - 1
        # h (m + p) + t heaps in all, with p the period, m the preperiod and t the most that is
        # taken (see the module): later ones repeat.
        while len(elements) < count:
            elements.append(elements[-claim.period])
    return elements


def _list_left(code: HeapCode, heap: int) -> Iterator[Row]:
    """Yield the options of a heap of size ``heap``, each as the tuple of the sizes left."""
    for k, digit in enumerate(code.digits[: heap + 1]):
        rest = heap - k
        if digit & 1 and rest == 0:
            yield ()
        if digit & 2 and rest > 0:
            yield (rest,)
        if digit & 4:
            for a in range(1, rest // 2 + 1):
                if k not in code.unequal or a != rest - a:
                    yield (a, rest - a)
        if digit & 8:
            for a in range(1, rest // 3 + 1):
                for b in range(a, (rest - a) // 2 + 1):
                    yield (a, b, rest - a - b)


def _pair(code: HeapCode, table: Table, elements: Sequence[int], heap: int) -> Pair:
    met = set()
    for parts in _list_left(code, heap):
        x = 0
        for part in parts:
            x = table[x][elements[part]]
        met.add(x)
    return elements[heap], sum(1 << x for x in met)


class _Sets:
    """Products of a monoid element and a set of elements, each computed once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: list[dict[int, int]] = [{} for _ in table]

    def times(self, x: int, members: int) -> int:
        known = self._known[x]
        found = known.get(members)
        if found is None:
            row, left, found = self._table[x], members, 0
            # Bit by bit from the highest; the product of x and that element joins the set.
            while left:
                found |= 1 << row[left.bit_length() - 1]
                left ^= 1 << (left.bit_length() - 1)
            known[members] = found
        return found


def _close(claim: MisereQuotient, elements: Sequence[int], budget: Budget) -> MisereProof:
    """Return the proof that ``claim`` fits every row, or the refutation by a row that it
    contradicts.

    All pairs (element of a row, set of the elements of its options) are listed; ``elements[n]`` is
    the element of heap n.
    """
    # The pairs are a commutative monoid, so that with one generator g more its elements are those
    # known so far, times the powers of g; nothing is new where g is among them already.
    table, times = claim.table, _Sets(claim.table).times
    lost = sum(1 << x for x in claim.lost)
    rows: dict[Pair, tuple[Pair, int] | None] = {(0, 0): None}  # less one heap, and that heap
    if lost & 1:
        return MisereProof(Verdict.REFUTED, "no heap is left, and the player to move wins", row=())
    for heap in range(1, len(elements)):
        budget.check()
        pair = _pair(claim.code, table, elements, heap)
        if pair in rows:
            continue
        y, others = pair
        new: list[Pair] = []
        # chain reads `new` while it grows, so that each new pair is multiplied by the heap again:
        # powers of the generator.
        for count, old in enumerate(chain(list(rows), new)):
            if count % _OFTEN == 0:
                budget.check()
            x, options = old
            # The pair of a sum: (x, E) (y, F) = (x y, x F u y E).
            made = table[x][y], times(x, others) | times(y, options)
            if made in rows:
                continue
            rows[made] = old, heap
            new.append(made)
            # Wrong if x is lost and there is no move (that is a win), or one to a lost row; or if x
            # is won although there are moves and none leads to a lost row.
            if (lost >> made[0] & 1) == (not made[1] or made[1] & lost != 0):
                return _contradiction(rows, made, lost)
    return MisereProof(Verdict.PROVED, "", len(rows), len(elements))


def _contradiction(rows: dict[Pair, tuple[Pair, int] | None], pair: Pair, lost: int) -> MisereProof:
    heaps: list[int] = []
    at = pair
    while (step := rows[at]) is not None:
        at, heap = step
        heaps.append(heap)
    row = tuple(sorted(heaps))
    shown = " + ".join(map(str, row))
    if lost >> pair[0] & 1:
        why = "no move is left, and the player to move wins"
        if pair[1]:
            why = "a move leads to a row that is said to be lost too"
        return MisereProof(Verdict.REFUTED, f"heaps {shown} are said to be lost: {why}", row=row)
    why = f"heaps {shown} are said to be won: no move leads to a row that is said to be lost"
    return MisereProof(Verdict.REFUTED, why, row=row)
