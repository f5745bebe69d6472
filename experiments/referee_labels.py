"""Who wins the states of a small box, by brute force, for the referee alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import prod

from experiments.referee_rules import Rules, State

__all__ = ["Graph", "explore", "label", "on_a_cycle", "sides"]

# How many values a variable may have to be taken whole, by the number of variables.
_WHOLE = {1: 400, 2: 60, 3: 20}
_WHOLE_OF_MORE = 8
# How far the box goes along the others, by their number.
_REACH = {0: 0, 1: 80, 2: 24, 3: 9, 4: 4}
_REACH_OF_MORE = 3
_MANY = 3  # parameters of an action that make it worth a smaller box
_STATES = 400  # a box of one such variable is made longer up to so many states


@dataclass(frozen=True, slots=True)
class Graph:
    """The legal states of a box with the moves among them.

    ``after[s]`` are the indices of the states that moves from ``states[s]`` lead to; ``open[s]``
    where some move leads out of the box, or may have been missed; ``final[s]`` where play is over.
    ``box`` are all states, legal or not.
    """

    box: tuple[State, ...]
    states: tuple[State, ...]
    after: tuple[tuple[int, ...], ...]
    open: tuple[bool, ...]
    final: tuple[bool, ...]


def sides(rules: Rules) -> tuple[range, ...]:
    """The values of each variable in the box: all of them, or those next to its bound or to 0."""
    most = _WHOLE.get(len(rules.ranges), _WHOLE_OF_MORE)
    whole = [
        range(low, high + 1) if low is not None and high is not None and high - low < most else None
        for low, high in rules.ranges
    ]
    number = whole.count(None)
    reach = _REACH.get(number, _REACH_OF_MORE)
    if number == 1:
        reach = max(reach, _STATES // max(1, prod(len(side) for side in whole if side is not None)))
    if any(len(action.parameters) >= _MANY for action in rules.actions):
        reach //= 2
    return tuple(
        side if side is not None else _part(low, high, reach)
        for side, (low, high) in zip(whole, rules.ranges, strict=True)
    )


def _part(low: int | None, high: int | None, reach: int) -> range:
    if low is not None:
        return range(low, low + reach + 1)
    return range(-reach, reach + 1) if high is None else range(high - reach, high + 1)


def explore(rules: Rules) -> Graph:
    """All moves in the box; parameters without bounds are tried up to one more than its values."""
    values = sides(rules)
    reach = 1 + max((abs(value) for value in chain.from_iterable(values)), default=0)
    box = tuple(product(*values))
    states = tuple(state for state in box if rules.legal(*state))
    index = {state: i for i, state in enumerate(states)}
    after: list[tuple[int, ...]] = []
    is_open: list[bool] = []
    final: list[bool] = []
    for state in states:
        moves = [] if rules.ended(*state) else list(_moves(rules, reach, state))
        inside = {index[new] for new, _ in moves if new in index}
        after.append(tuple(sorted(inside)))
        is_open.append(any(rim or new not in index for new, rim in moves))
        final.append(not moves)
    return Graph(box, states, tuple(after), tuple(is_open), tuple(final))


def _moves(rules: Rules, reach: int, state: State) -> Iterator[tuple[State, bool]]:
    for action in rules.actions:
        for _, new, rim in action.moves(reach, *state):
            yield new, rim


def label(graph: Graph, rule: str) -> Mapping[State, bool]:
    """Whether the player to move wins, for the states where the box determines it.

    A state from which a move leads to a losing one wins, also where play could go on for ever.
    """
    before = _before(graph)
    left = [len(after) for after in graph.after]
    wins: list[bool | None] = [None] * len(graph.states)
    ready: list[int] = []
    for i, final in enumerate(graph.final):
        if final:
            wins[i] = rule == "misere"
            ready.append(i)
    while ready:
        known = ready.pop()
        for i in before[known]:
            left[i] -= 1
            if wins[i] is None and (not wins[known] or (left[i] == 0 and not graph.open[i])):
                wins[i] = not wins[known]
                ready.append(i)
    return {state: won for state, won in zip(graph.states, wins, strict=True) if won is not None}


def on_a_cycle(graph: Graph) -> State | None:
    """A state from which play can go on for ever inside the box; None where there is none."""
    before = _before(graph)
    left = [len(after) for after in graph.after]
    ready = [i for i, number in enumerate(left) if number == 0]
    while ready:
        for i in before[ready.pop()]:
            left[i] -= 1
            if left[i] == 0:
                ready.append(i)
    return next((state for state, number in zip(graph.states, left, strict=True) if number), None)


def _before(graph: Graph) -> Sequence[Sequence[int]]:
    before: list[list[int]] = [[] for _ in graph.states]
    for i, after in enumerate(graph.after):
        for new in after:
            before[new].append(i)
    return before
