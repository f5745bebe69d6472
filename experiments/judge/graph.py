"""The moves of a game in a box of states, and who wins there."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

from experiments.judge.meaning import PLAIN
from experiments.judge.play import Moves, Play, State, bounds

__all__ = ["Graph", "box", "endless", "explored", "outcomes"]

_NEAR = 10**6  # how far from 0, on its other side, a bound may be that a box begins at
_LONGEST = 100  # how far it goes along a variable beside others that have few values
_MANY, _SMALLER = 3, 4  # so many parameters of an action make a box that much smaller


def box(play: Play, cells: int) -> list[State]:
    """At most about ``cells`` states, legal or not: those near a bound of a variable, or near 0."""
    if any(len(action.parameters) >= _MANY for action in play.rules.actions):
        cells //= _SMALLER
    legal, names = play.rules.legal, play.rules.variables
    terms = (bounds(legal, name, ()) for name in names)
    numbers = [[None if t is None else PLAIN.value(t, {}) for t in pair] for pair in terms]
    sides: list[range] = []
    for reach in range(cells):
        wider = [_side(low, high, reach) for low, high in numbers]
        if wider == sides or (sides and prod(map(len, wider)) > cells):
            break
        if len(names) > 1 and reach > _LONGEST:
            break
        sides = wider
    return list(product(*sides))


def _side(low: int | None, high: int | None, reach: int) -> range:
    """Numbers within ``reach`` of a bound with no numbers far beyond it towards 0, or of 0."""
    first, last = -reach, reach
    if low is not None and low >= -_NEAR:
        first, last = low, low + reach
    elif high is not None and high <= _NEAR:
        first, last = high - reach, high
    first = first if low is None else max(first, low)
    return range(first, 1 + (last if high is None else min(last, high)))


@dataclass(frozen=True)
class Graph:
    """The moves of each legal state of a box."""

    moves: Mapping[State, Moves]

    @cached_property
    def after(self) -> Mapping[State, tuple[State, ...]]:
        """The different states of the box that moves lead to."""
        return {
            state: tuple(dict.fromkeys(m.after for m in moves.moves if m.after in self.moves))
            for state, moves in self.moves.items()
        }

    @cached_property
    def before(self) -> Mapping[State, Sequence[State]]:
        """The states that moves come from."""
        found: dict[State, list[State]] = {state: [] for state in self.moves}
        for state, after in self.after.items():
            for new in after:
                found[new].append(state)
        return found

    def is_open(self, state: State) -> bool:
        """Whether it has more moves than are known, or one out of the box."""
        moves = self.moves[state]
        return not moves.complete or any(move.after not in self.moves for move in moves.moves)


def explored(play: Play, states: Iterable[State], most: int, rng: random.Random) -> Graph:
    """The graph of the legal ones among ``states``."""
    return Graph({s: play.moves(s, most, rng) for s in states if play.legal(*s)})


def outcomes(graph: Graph, rule: str, block: int = 0) -> dict[State, str]:
    """Who wins, for the states of which the box says it: "won", "lost" or "drawn" for who moves.

    A state with more than ``block`` lost options is won, however play may go on elsewhere.  What is
    neither won nor lost is drawn where no way leads to a state with moves that are not known.
    """
    left = {state: len(after) for state, after in graph.after.items()}
    lost_options = dict.fromkeys(left, 0)
    is_open = {state for state in left if graph.is_open(state)}
    found: dict[State, str] = {}
    ready = [(s, "lost") for s, number in left.items() if number <= block and s not in is_open]
    if rule == "misere":
        ready = [(state, "won") for state, _ in ready]
    while ready:
        state, label = ready.pop()
        if state in found:
            continue
        found[state] = label
        for previous in graph.before[state]:
            left[previous] -= label == "won"
            lost_options[previous] += label == "lost"
            if lost_options[previous] > block:
                ready.append((previous, "won"))
            elif left[previous] <= block and previous not in is_open:
                ready.append((previous, "lost"))
    doubtful = [state for state in is_open if state not in found]
    reached = set(doubtful)
    while doubtful:
        new = {s for s in graph.before[doubtful.pop()] if s not in found} - reached
        reached |= new
        doubtful += new
    return found | {state: "drawn" for state in left if state not in found and state not in reached}


def endless(graph: Graph) -> State | None:
    """A state from which play can go on for ever; None where the box shows none."""
    left = {state: len(after) for state, after in graph.after.items()}
    ready = [state for state, number in left.items() if not number]
    while ready:
        for previous in graph.before[ready.pop()]:
            left[previous] -= 1
            if not left[previous]:
                ready.append(previous)
    return next((state for state, number in left.items() if number), None)
