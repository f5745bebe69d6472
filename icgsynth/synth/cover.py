"""Weighted set cover of a set of states, by branch and bound on bit sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

import numpy as np

from icgsynth.digits.arrays import Flags, Words, pack

_NODES = 4_000  # most nodes of a search; a count, so that results do not depend on the machine


@dataclass(frozen=True, slots=True)
class Weighted:
    """A set of states, bit ``i`` for state ``i``, with its weight."""

    states: int
    weight: int


def as_integer(bits: Words) -> int:
    """Return the set ``bits``, 64-bit words with states 0 to 63 in the first, as an integer."""
    return int.from_bytes(np.ascontiguousarray(bits).tobytes(), "little")


def cheapest_cover(
    sets: Sequence[Weighted], target: int, most: float = inf, below: float = inf
) -> list[int] | None:
    """Return the indices of some of ``sets`` whose union contains ``target``, at low total weight;
    None if none are found.

    ``target`` is a set of states as an integer, with bit i for state i.  At most ``most`` sets are
    chosen, of a total weight less than ``below``.  The choice is the lightest one that a greedy
    search and a branch and bound with a fixed number of nodes meet."""
    whole = 0
    for item in sets:
        whole |= item.states
    if whole & target != target:
        return None
    greedy = _greedy(sets, target)
    weight = sum(sets[i].weight for i in greedy)
    search = _Search(sets, most, below)
    if len(greedy) <= most and weight < search.bound:
        search.best, search.bound = greedy, weight
    search.extend(target, [], 0)
    return search.best


def cover_of(
    flags: Sequence[Flags],
    weights: Sequence[int],
    target: Flags,
    most: float = inf,
    below: float = inf,
) -> list[int] | None:
    """Return the indices of some of ``flags``, each (n,), that together are true wherever
    ``target`` (n,) is, at low total weight; None if none are found.  At most ``most`` of them are
    chosen; the sum of their ``weights`` is less than ``below``."""
    *rows, whole = map(as_integer, pack(np.array([*flags, target])))
    sets = [Weighted(row, weight) for row, weight in zip(rows, weights, strict=True)]
    return cheapest_cover(sets, whole, most, below)


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
    most: float
    bound: float
    best: list[int] | None = None
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
        if self.nodes > _NODES or len(chosen) == self.most:
            return
        # One of the sets with the lowest open state must be chosen: branch on these alone.
        for i in self._covering(open_states & -open_states):
            item = self.sets[i]
            rest = open_states & ~item.states
            # Bound: if states stay open, at least one more set is needed, of the least weight.
            if weight + item.weight + (self.lightest if rest else 0) < self.bound:
                self.extend(rest, [*chosen, i], weight + item.weight)

    def _covering(self, state: int) -> list[int]:
        if state not in self.by_state:
            covering = [i for i, s in enumerate(self.sets) if s.states & state]
            covering.sort(key=lambda i: -self.sets[i].states.bit_count() / self.sets[i].weight)
            self.by_state[state] = covering
        return self.by_state[state]
