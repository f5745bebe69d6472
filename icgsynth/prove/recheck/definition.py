"""The Grundy values of single states by their definition, in plain Python."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.prove.recheck.action_moves import Mover
from icgsynth.prove.recheck.plain import compile_node

_MOST = 300_000  # parameters tried: about a second


def defined_values(
    game: ParametricGame, states: Sequence[State], budget: Budget
) -> dict[State, int]:
    """The values of ``states`` and of all states that play from them can reach.

    :class:`~icgsynth.errors.Refused` where the game may never end, or moves are too many or
    cannot be listed; :class:`~icgsynth.errors.BudgetSpent` where it takes too long.
    """
    rules = RuleMoves(game, budget)
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


class RuleMoves:
    """Tells the states after each state, as long as some 300,000 parameters have been tried."""

    def __init__(self, game: ParametricGame, budget: Budget) -> None:
        self._ended = compile_node(game.end, game.variables)
        self._movers = list[Mover]()
        for action in game.actions:
            budget.check()
            self._movers.append(Mover(game, action, t.TRUE, ()))
        self._left = _MOST

    def after(self, state: State) -> set[State]:
        if self._ended(*state):
            return set()
        found: set[State] = set()
        for mover in self._movers:
            points = mover.list_all(state, self._left)
            self._left -= len(points)
            found.update(a for p in points if (a := mover.after(state, p)) is not None)
        return found
