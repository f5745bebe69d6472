"""Compare a misère quotient with play itself: rows of heaps, by the rules and nothing else.

All rows with few counters are played to the end.  Of random rows with heaps past the claim's
period only the next moves are looked at: a row with a move is lost exactly if no move makes it a
row that is said to be lost.  No code is shared with the proof.
"""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import combinations_with_replacement

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.heaps.rules.heap_rows import HeapRows
from icgsynth.heaps.rules.heaps import HeapCode
from icgsynth.heaps.rules.misere import MisereQuotient, Row, RowCheck

_WHOLE = 1_500  # rows that are played to the end, at most
_SIZE = 40  # counters of a row that is played to the end, at most
_SINGLE = 200  # random rows
_MOVES = 200_000  # of all random rows, at most
_HEAPS = 4  # heaps of a random row, at most


def check_rows(claim: MisereQuotient, budget: Budget = UNBOUNDED, seed: int = 0) -> RowCheck:
    """Return how many rows were played, and on how many of them ``claim`` disagrees with play;
    ``seed`` is for the random rows."""
    code = claim.code
    play = _Play(code)
    whole = disagreements = size = 0
    known = _SIZE if claim.period else len(claim.heaps) - 1
    while size < _SIZE and not budget.is_spent:
        rows = _partitions(size + 1, known)
        if not rows or whole + len(rows) > _WHOLE:
            break
        size += 1
        whole += len(rows)
        disagreements += sum(not _agrees(claim, row, play.is_lost(row)) for row in rows)
    rng = random.Random(seed)
    largest = claim.needed - 1 + 2 * claim.period
    single = moves = 0
    while single < _SINGLE and moves < _MOVES and largest > 0 and not budget.is_spent:
        row = tuple(rng.randint(1, largest) for _ in range(rng.randint(1, _HEAPS)))
        after = play.after(row)
        moves += 1 + len(after)
        single += 1
        lost = bool(after) and not any(map(claim.is_lost, after))
        disagreements += not _agrees(claim, row, lost)
    return RowCheck(whole, size, single, largest, disagreements)


def _agrees(claim: MisereQuotient, row: Row, lost: bool) -> bool:
    """Return whether ``claim`` has ``row``'s outcome ``lost`` right, and a winning move if won."""
    if claim.is_lost(row) != lost:
        return False
    move = claim.winning_move(row)
    if move is None:
        return lost or not _Play(claim.code).after(row)
    rest = tuple(sorted(HeapRows(claim.code).result(row, move.move)))
    return not lost and claim.is_lost(rest) and rest in _Play(claim.code).after(row)


def _partitions(total: int, largest: int) -> list[Row]:
    """Return all rows of ``total`` counters in heaps of at most ``largest``, the largest first."""
    if total == 0:
        return [()]
    return [
        (first, *rest)
        for first in range(min(total, largest), 0, -1)
        for rest in _partitions(total - first, first)
    ]


class _Play:
    """Misère play by a code's rules, on rows of heaps in ascending order."""

    def __init__(self, code: HeapCode) -> None:
        self._code = code
        self._known: dict[Row, bool] = {}

    def is_lost(self, row: Row) -> bool:
        """Return whether the player to move from ``row`` loses under misère play."""
        row = tuple(sorted(row))
        if row not in self._known:
            after = self.after(row)
            self._known[row] = bool(after) and not any(map(self.is_lost, after))
        return self._known[row]

    def after(self, row: Row) -> set[Row]:
        """Return all rows, in ascending order, that a move leads to from ``row``."""
        made: set[Row] = set()
        for place, heap in enumerate(row):
            others = row[:place] + row[place + 1 :]
            made.update(tuple(sorted(others + parts)) for parts in _moves(self._code, heap))
        return made


@lru_cache(maxsize=4096)
def _moves(code: HeapCode, heap: int) -> tuple[Row, ...]:
    """Return the options of a heap of size ``heap``, each a tuple of sizes in ascending order."""
    found: list[Row] = []
    for count in range(4):
        for taken in code.taking(count):
            rest = heap - taken
            if count == 0:
                found += [()] if rest == 0 else []
                continue
            for few in combinations_with_replacement(range(1, rest + 1), count - 1):
                last = rest - sum(few)
                if last < (few[-1] if few else 1):
                    continue
                if count == 2 and taken in code.unequal and last == few[0]:
                    continue
                found.append((*few, last))
    return tuple(found)
