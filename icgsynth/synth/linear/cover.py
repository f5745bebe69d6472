"""Weighted set cover by branch and bound, on Python integers as bit sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from icgsynth.synth.linear.literals import Bits

__all__ = ["Weighted", "as_integer", "cheapest_cover"]

_NODES = 4_000


@dataclass(frozen=True, slots=True)
class Weighted:
    """A set of states, bit ``i`` for state ``i``, and what it costs."""

    states: int
    weight: int


def as_integer(bits: Bits) -> int:
    """A row of words as one integer."""
    return int.from_bytes(np.ascontiguousarray(bits).tobytes(), "little")


def cheapest_cover(sets: Sequence[Weighted], target: int) -> list[int] | None:
    """Indices of sets whose union holds ``target``, or None where there are none.

    Cheapest among the covers met within a fixed number of nodes, starting from the greedy
    one, so the result does not depend on the machine.
    """
    whole = 0
    for item in sets:
        whole |= item.states
    if whole & target != target:
        return None
    greedy = _greedy(sets, target)
    search = _Search(sets, greedy, sum(sets[i].weight for i in greedy))
    search.extend(target, [], 0)
    return search.best


def _greedy(sets: Sequence[Weighted], target: int) -> list[int]:
    chosen: list[int] = []
    while target:
        best = max(
            range(len(sets)), key=lambda i: (sets[i].states & target).bit_count() / sets[i].weight
        )
        chosen.append(best)
        target &= ~sets[best].states
    return chosen


@dataclass
class _Search:
    sets: Sequence[Weighted]
    best: list[int]
    bound: int
    nodes: int = 0
    by_state: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lightest = min((s.weight for s in self.sets), default=0)

    def extend(self, open_states: int, chosen: list[int], weight: int) -> None:
        self.nodes += 1
        if not open_states:
            if weight < self.bound:
                self.best, self.bound = list(chosen), weight
            return
        if self.nodes > _NODES:
            return
        for i in self._covering(open_states & -open_states):
            item = self.sets[i]
            rest = open_states & ~item.states
            if weight + item.weight + (self.lightest if rest else 0) < self.bound:
                self.extend(rest, [*chosen, i], weight + item.weight)

    def _covering(self, state: int) -> list[int]:
        """The sets that hold ``state``, the best value first."""
        if state not in self.by_state:
            covering = [i for i, s in enumerate(self.sets) if s.states & state]
            covering.sort(key=lambda i: -self.sets[i].states.bit_count() / self.sets[i].weight)
            self.by_state[state] = covering
        return self.by_state[state]
