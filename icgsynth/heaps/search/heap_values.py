"""Values of heaps, and winners of rows under misère play, by definition in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import islice
from operator import xor
from typing import TypeVar

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.errors import Refused
from icgsynth.game.game import State
from icgsynth.heaps.rules.heap_rules import HeapGame

Row = tuple[State, ...]
_Place = TypeVar("_Place", State, Row)
_Worth = TypeVar("_Worth")
_Option = TypeVar("_Option")
_MOST = 300_000  # moves of one heap, or of all heaps in rows


class HeapValues:
    """Grundy values of heaps by definition, each computed once and kept in ``known``."""

    def __init__(self, game: HeapGame) -> None:
        self.known: dict[State, int] = {}
        self._game = game

    def value(self, heap: State, budget: Budget) -> int:
        """Return the Grundy value of a legal heap, after those of all heaps that it leads to.
        Refused where a heap leads back to itself, or has too many moves."""

        def options(heap: State) -> Iterator[Row]:
            return self._game.options(heap)

        def least(options: Iterable[Row]) -> int:
            met = {reduce(xor, (self.known[h] for h in left), 0) for left in options}
            return next(value for value in range(len(met) + 1) if value not in met)

        complete(self.known, heap, options, least, budget)
        return self.known[heap]


def winning_move(
    game: HeapGame, row: Row, worth: Callable[[State], int | None], budget: Budget
) -> tuple[int, Row] | None:
    """Return a winning move from ``row`` in normal play: its heap's place, and the heaps left of
    it.

    ``worth`` gives a heap's Grundy value, None where it is not known.  None where the value of the
    row is 0, or no such move is found in time, among the first ones of each heap.
    """
    values = [worth(heap) or 0 for heap in row]
    total = reduce(xor, values)
    for place, value in enumerate(values):
        if value ^ total < value:
            for left in islice(game.options(row[place]), _MOST):
                if budget.is_spent:
                    return None
                known = [worth(heap) for heap in left]
                if None not in known and reduce(xor, known, 0) == value ^ total:
                    return place, left
    return None


class RowOutcomes:
    """Outcomes of rows of heaps under misère play, by definition; ``known`` says which are won. A
    row is known by its heaps in order, without those that have no move."""

    def __init__(self, game: HeapGame) -> None:
        self.known: dict[Row, bool] = {}
        self._game = game
        self._left: dict[State, frozenset[Row]] = {}  # by each move of a heap

    def wins(self, row: Row, budget: Budget) -> bool:
        """Return whether the player to move wins ``row``, of legal heaps, under misère play.
        Refused where a row leads back to itself, or has too many moves."""

        def options(row: Row) -> Iterator[tuple[Row, ...]]:
            yield from ((after,) for after in self._after(row, budget))

        def wins(options: Iterable[tuple[Row, ...]]) -> bool:
            after = [self.known[row] for (row,) in options]
            return not all(after) or not after

        here = self._row(row, budget)
        complete(self.known, here, options, wins, budget)
        return self.known[here]

    def losing_after(self, row: Row) -> Row | None:
        """Return a lost row, in misère play, after one move from the known ``row``; or None."""
        rows = self._after(self._row(row, UNBOUNDED), UNBOUNDED)
        return next((after for after in rows if not self.known[after]), None)

    def _after(self, row: Row, budget: Budget) -> Iterator[Row]:
        for at in range(len(row)):
            if row[at : at + 1] != row[at - 1 : at]:  # equal heaps have the same moves
                for left in self._moves(row[at], budget):
                    yield self._row((*row[:at], *left, *row[at + 1 :]), budget)

    def _row(self, heaps: Row, budget: Budget) -> Row:
        return tuple(sorted(heap for heap in heaps if self._moves(heap, budget)))

    def _moves(self, heap: State, budget: Budget) -> frozenset[Row]:
        if heap not in self._left:
            if sum(map(len, self._left.values())) > _MOST:
                raise Refused(f"there are more than {_MOST:,} moves")
            self._left[heap] = frozenset(_list_options(self._game.options(heap), budget))
        return self._left[heap]


def complete(
    known: dict[_Place, _Worth],
    start: _Place,
    options: Callable[[_Place], Iterable[tuple[_Place, ...]]],
    worth: Callable[[Iterable[tuple[_Place, ...]]], _Worth],
    budget: Budget,
) -> None:
    """Add to ``known`` the worth of ``start`` and of all places that play leads to.
    ``options(place)`` yields tuples of places, and ``worth`` maps these, when all their places are
    known, to the worth of the place. Refused if play may come back to a place."""
    stack, path = [start], dict[_Place, set[tuple[_Place, ...]]]()
    while stack:
        place = stack[-1]
        if place in known:
            stack.pop()
        # Met again on the stack: all that it needs is known by now.
        elif place in path:
            known[place] = worth(path.pop(place))
        else:
            path[place] = set(_list_options(options(place), budget))
            needed = {other for left in path[place] for other in left} - known.keys()
            # A place that waits for this one is needed by it: play goes in a circle.
            if not path.keys().isdisjoint(needed):
                raise Refused("play may come back to where it was")
            stack += sorted(needed, reverse=True)  # the least first: few stay open at a time


def _list_options(options: Iterable[_Option], budget: Budget) -> Iterator[_Option]:
    for count, option in enumerate(options):
        budget.check()
        if count == _MOST:
            raise Refused(f"there are more than {_MOST:,} moves")
        yield option
