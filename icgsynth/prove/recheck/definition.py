"""Winners of single states, and their Grundy values, by definition and in plain Python.

A conjecture is compared with play from a box of small states before it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, product

from icgsynth.budget import Budget
from icgsynth.errors import Refused
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.logic import term as t
from icgsynth.prove.recheck.action_moves import Mover
from icgsynth.prove.recheck.plain import compile_node

_MOST = 300_000  # parameters tried: about a second


def defined_values(
    game: ParametricGame, states: Sequence[State], budget: Budget
) -> dict[State, int]:
    """Return the Grundy values of ``states``, and of all states that play from them can reach.

    :class:`~icgsynth.errors.Refused` where the game may never end, or moves are too many or cannot
    be listed; :class:`~icgsynth.errors.BudgetSpent` where it takes too long."""
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
    """A lister of the states after a state, until some 300,000 parameters have been tried."""

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


_POINTS = {1: 121, 2: 2_500, 3: 6_000}  # of the box, by the number of variables: some 0.1 s
_MANY = 10_000  # of it, with more variables
_FEWEST = 8  # legal states in it; fewer tell nothing


def played_out(
    game: ParametricGame, rule: PlayRule, losing: t.Formula, budget: Budget
) -> tuple[int, State | None]:
    """Return (how many small states were played out, the first where ``losing`` is wrong or None).

    The box holds numbers up to three times the constants of the game, or as far as its size goes.
    :class:`~icgsynth.errors.Refused` where its legal states are too few, or play may never end or
    cannot be listed; :class:`~icgsynth.errors.BudgetSpent` where it takes too long."""
    states = list(_small_states(game))
    if len(states) < _FEWEST:
        raise Refused("the box has too few legal states")
    lost = losers(game, rule, states, budget)
    says = compile_node(losing, game.variables)
    wrong = (state for state in states if bool(says(*state)) != lost[state])
    return len(states), next(wrong, None)


def _small_states(game: ParametricGame) -> Iterator[State]:
    number = len(game.variables)
    if number == 1:
        side = max(_POINTS[1] // 2, 3 * max((abs(k) for _, k in game.constants), default=0))
        side = min(side, _MANY // 2)
    else:
        side = int(_POINTS.get(number, _MANY) ** (1 / number) / 2)
    legal = compile_node(game.legal, game.variables)
    points = product(range(-side, side + 1), repeat=number)
    for state in sorted(points, key=lambda point: (sum(map(abs, point)), point)):
        if legal(*state):
            yield state


def losers(
    game: ParametricGame, rule: PlayRule, states: list[State], budget: Budget
) -> Mapping[State, bool]:
    """Return whether the player to move loses, by state: ``states`` and all that play can reach.
    :class:`~icgsynth.errors.Refused` where play need not end; else as :func:`outcomes`."""
    worth = outcomes(game, rule, states, budget)
    if 0 in worth.values():
        raise Refused("the game may never end")
    return {state: found < 0 for state, found in worth.items()}


def outcomes(
    game: ParametricGame, rule: PlayRule, states: Iterable[State], budget: Budget
) -> dict[State, int]:
    """Return by state 1 where the player to move wins, -1 where it loses, 0 for a draw.

    The states are ``states`` and all that play from them can reach.  It counts back from the ends:
    a player who cannot move loses, and under misère play wins.  In a draw play need never end.
    Refused for a blocking game, and where moves cannot be listed; BudgetSpent for lack of time."""
    if game.block:
        raise Refused("moves that may be forbidden are not played here")
    moves, stack = RuleMoves(game, budget), [*states]
    left, before = dict[State, int](), dict[State, list[State]]()
    ends: list[State] = []
    while stack:
        state = stack.pop()
        if state in left:
            continue
        budget.check()
        after = moves.after(state)
        left[state] = len(after)
        for other in after:
            before.setdefault(other, []).append(state)
        stack += after
        if not after:
            ends.append(state)
    worth = dict.fromkeys(ends, -1 if rule == "normal" else 1)
    while ends:  # a state is asked once who moves there, when its worth is known
        state = ends.pop()
        for other in before.get(state, ()):
            left[other] -= 1
            if other not in worth and (worth[state] < 0 or not left[other]):
                worth[other] = -worth[state] if worth[state] < 0 else -1
                ends.append(other)
    return dict.fromkeys(left, 0) | worth
