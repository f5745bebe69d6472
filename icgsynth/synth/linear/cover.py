"""Weighted set cover by branch and bound, on Python integers as bit sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from icgsynth.logic.bits import Words, unpack
from icgsynth.synth.linear.literals import row_keys

__all__ = ["Weighted", "as_integer", "best_for_each", "cheapest_cover"]

_NODES = 4_000  # of the search; a count, so that the result does not depend on the machine
_CHUNK = 2_048  # sets whose bits are unpacked at once, so that they take little memory


@dataclass(frozen=True, slots=True)
class Weighted:
    """A set of states, bit ``i`` for state ``i``, and what it costs."""

    states: int
    weight: int


def as_integer(bits: Words) -> int:
    """A row of words as one integer."""
    return int.from_bytes(np.ascontiguousarray(bits).tobytes(), "little")


def best_for_each(
    sets: Words, weights: NDArray[np.int64], inside: NDArray[np.bool_], most: int
) -> list[int]:
    """Rows of ``sets`` (k, words) such that each state is in those that cover most by weight.

    They lie ``inside`` (n,).  A row is taken if one of its states is in fewer than ``most`` of
    those taken before it; of equal rows the lightest.
    """
    covered = np.bitwise_count(sets).sum(axis=1, dtype=np.int64)
    ranked = np.lexsort((weights, -(covered / (weights + 1))))
    counts = np.zeros(len(inside), np.int64)
    chosen: list[int] = []
    seen: set[bytes] = set()
    for start in range(0, len(ranked), _CHUNK):
        rows = ranked[start : start + _CHUNK]
        _, first = np.unique(row_keys(sets[rows]), return_index=True)
        rows = rows[np.sort(first)]
        on = unpack(sets[rows], len(counts))
        open_ = (on & (counts < most)).any(axis=1)
        for row, states in zip(rows[open_], on[open_], strict=True):
            key = sets[row].tobytes()
            if key not in seen and (counts[states] < most).any():
                seen.add(key)
                counts[states] += 1
                chosen.append(int(row))
        if (counts[inside] >= most).all():
            break
    return chosen


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
