"""The Grundy values of single states by their definition, in plain Python.

A second look at values of heaps, and at rows under misère play, that were found by definition.

Each table is looked through once: what a place is worth has to follow from its moves, and these
are listed here by code that the search for the table does not use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import count
from operator import xor

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame, State
from icgsynth.game.heap_rules import HeapAction, HeapGame
from icgsynth.logic import term as t
from icgsynth.prove.recheck.action_moves import Mover
from icgsynth.prove.recheck.plain import compiled

# --- definition ----------------------------------------------------------------------------------

_MOST = 300_000  # parameters tried: about a second


def defined_values(
    game: ParametricGame, states: Sequence[State], budget: Budget
) -> dict[State, int]:
    """The values of ``states`` and of all states that play from them can reach.

    :class:`~icgsynth.errors.Refused` where the game may never end, or moves are too many or
    cannot be listed; :class:`~icgsynth.errors.BudgetSpent` where it takes too long.
    """
    rules = _Rules(game)
    values: dict[State, int] = {}
    path: dict[State, set[State]] = {}  # the states on the way to the last one
    stack = list(states)
    while stack:
        state = stack[-1]
        if state in values:
            stack.pop()
        elif state in path:
            met = {values[other] for other in path.pop(state)}
            values[state] = next(number for number in count() if number not in met)
        else:
            budget.check()
            after = path[state] = rules.after(state)
            if not path.keys().isdisjoint(after):
                raise Refused("the game may never end")
            stack += after - values.keys()
    return values


class _Rules:
    """The states after each state, and how many more parameters may be tried for them."""

    def __init__(self, game: ParametricGame) -> None:
        self._ended = compiled(game.end, game.variables)
        self._movers = [Mover(game, action, t.TRUE, ()) for action in game.actions]
        self._left = _MOST

    def after(self, state: State) -> set[State]:
        if self._ended(*state):
            return set()
        found: set[State] = set()
        for mover in self._movers:
            points = mover.listed(state, self._left)
            self._left -= len(points)
            found.update(a for p in points if (a := mover.after(state, p)) is not None)
        return found


# --- heap definition -----------------------------------------------------------------------------

_Row = tuple[State, ...]


def values_agree(game: HeapGame, values: Mapping[State, int], budget: Budget) -> bool:
    """Whether each value is the least natural number that no move leaves; play has to end.

    :class:`~icgsynth.errors.Refused` where moves cannot be listed.
    """
    moves = _Moves(game, budget)
    for heap, value in values.items():
        rows = moves.listed(heap)
        if not all(h in values for left in rows for h in left):
            return False
        met = {reduce(xor, [values[h] for h in left], 0) for left in rows}
        if value in met or not met.issuperset(range(value)):
            return False
    return True


def outcomes_agree(game: HeapGame, wins: Mapping[_Row, bool], budget: Budget) -> bool:
    """Whether each row wins exactly if it has no move, or one to a row that does not win.

    Rows are sorted, without heaps that have no move.  Raises as :func:`values_agree` does.
    """
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
    """What each move leaves of a heap; ``of`` keeps it."""

    def __init__(self, game: HeapGame, budget: Budget) -> None:
        one = iter(game.one_heap.actions)
        self._actions = [_Splitting(game, action, one) for action in game.actions]
        self._known: dict[State, set[_Row]] = {}
        self._budget = budget

    def of(self, heap: State) -> set[_Row]:
        if heap not in self._known:
            self._known[heap] = self.listed(heap)
        return self._known[heap]

    def listed(self, heap: State) -> set[_Row]:
        found = set()
        for action in self._actions:
            for point in action.points(heap):
                self._budget.check()
                left = list(action.left(heap, point))
                whole = tuple(state for state in left if state is not None)
                if len(whole) < len(left):
                    raise Refused(f"a move of {heap} leaves a heap that is not legal")
                found.add(whole)
        return found


class _Splitting:
    """One action; ``one`` gives what it does for each of the heaps that it leaves."""

    def __init__(self, game: HeapGame, action: HeapAction, one: Iterator[Action]) -> None:
        def mover(of: Action) -> Mover:
            return Mover(game.one_heap, of, t.TRUE, ())

        self._moves = mover(Action(action.name, action.parameters, action.precondition, ()))
        self._plain = [mover(next(one)) for _ in action.into]
        names = (*game.variables, *action.parameters)
        self._repeats = [
            (mover(next(one)), compiled(repeat.first, names), compiled(repeat.last, names))
            for repeat in action.repeats
        ]

    def points(self, heap: State) -> Iterator[tuple[int, ...]]:
        """The parameters for which the action applies."""
        listed = self._moves.listed(heap, _MOST)
        return (point for point in listed if self._moves.after(heap, point) is not None)

    def left(self, heap: State, point: tuple[int, ...]) -> Iterator[State | None]:
        """The heaps after it; None for one that is not legal."""
        yield from (mover.after(heap, point) for mover in self._plain)
        for mover, first, last in self._repeats:
            for number in range(first(*heap, *point), last(*heap, *point) + 1):
                yield mover.after(heap, (*point, number))
