"""Check tables of Grundy values of heaps, and of winners of misère rows, by the definition.

Each table is looked through once: every entry has to follow from the moves, which are listed here
by code that the search for the table does not use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from operator import xor

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.game import Action, State
from icgsynth.heaps.rules.heap_rules import HeapAction, HeapGame
from icgsynth.logic import term as t
from icgsynth.prove.recheck.action_moves import Mover
from icgsynth.prove.recheck.plain import compile_node

_MOST = 300_000  # parameters tried: about a second
_Row = tuple[State, ...]


def values_agree(game: HeapGame, values: Mapping[State, int], budget: Budget) -> bool:
    """Return whether each heap's value in ``values`` is the mex of the values of its options. All
    options must be in ``values``. Refused where moves cannot be listed."""
    moves = _Moves(game, budget)
    for heap, value in values.items():
        rows = moves.list_rows(heap)
        if not all(h in values for left in rows for h in left):
            return False
        met = {reduce(xor, [values[h] for h in left], 0) for left in rows}
        if value in met or not met.issuperset(range(value)):
            return False
    return True


def outcomes_agree(game: HeapGame, wins: Mapping[_Row, bool], budget: Budget) -> bool:
    """Return whether ``wins[row]``, for each row, tells rightly if the player to move wins misère
    play. Rows are sorted and lack heaps that have no move. Refused where moves cannot be listed."""
    moves = _Moves(game, budget)
    for row, claimed in wins.items():
        after: set[bool | None] = set()
        for at, heap in enumerate(row):
            rest = row[:at] + row[at + 1 :]
            for left in moves.of(heap):
                after.add(wins.get(tuple(sorted([*rest, *filter(moves.of, left)]))))
        if None in after or claimed != (False in after or not after):
            return False
    return True


class _Moves:
    """The options of heaps, each a row of the heaps left; ``of`` keeps what it has listed."""

    def __init__(self, game: HeapGame, budget: Budget) -> None:
        one = iter(game.one_heap.actions)
        self._actions = [_Splitting(game, action, one) for action in game.actions]
        self._known: dict[State, set[_Row]] = {}
        self._budget = budget

    def of(self, heap: State) -> set[_Row]:
        if heap not in self._known:
            self._known[heap] = self.list_rows(heap)
        return self._known[heap]

    def list_rows(self, heap: State) -> set[_Row]:
        found = set()
        for action in self._actions:
            for point in action.points(heap):
                self._budget.check()
                left = list(action.list_heaps(heap, point))
                whole = tuple(state for state in left if state is not None)
                if len(whole) < len(left):
                    raise Refused(f"a move of {heap} leaves a heap that is not legal")
                found.add(whole)
        return found


class _Splitting:
    """The moves of one action; ``one`` yields its one-heap action for each heap that is left."""

    def __init__(self, game: HeapGame, action: HeapAction, one: Iterator[Action]) -> None:
        def mover(of: Action) -> Mover:
            return Mover(game.one_heap, of, t.TRUE, ())

        self._moves = mover(Action(action.name, action.parameters, action.precondition, ()))
        self._plain = [mover(next(one)) for _ in action.into]
        names = (*game.variables, *action.parameters)
        self._repeats = [
            (mover(next(one)), compile_node(repeat.first, names), compile_node(repeat.last, names))
            for repeat in action.repeats
        ]

    def points(self, heap: State) -> Iterator[tuple[int, ...]]:
        """Yield the values of the action's parameters with which it applies to ``heap``."""
        listed = self._moves.list_all(heap, _MOST)
        return (point for point in listed if self._moves.after(heap, point) is not None)

    def list_heaps(self, heap: State, point: tuple[int, ...]) -> Iterator[State | None]:
        """Yield each heap that the move ``point`` leaves of ``heap``; None for an illegal one."""
        yield from (mover.after(heap, point) for mover in self._plain)
        for mover, first, last in self._repeats:
            for number in range(first(*heap, *point), last(*heap, *point) + 1):
                yield mover.after(heap, (*point, number))
