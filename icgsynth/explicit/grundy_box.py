"""Grundy values of the states of a box, by their definition: exact or UNKNOWN.

The value of a state is the least natural number that is not the value after any of its moves.
What depends on a state outside the box, on a cycle, or on moves that cannot be listed stays
UNKNOWN: nothing is guessed.

States with their Grundy values, that terms are learned from and compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import UNBOUNDED, Budget
from icgsynth.digits.arrays import distinct
from icgsynth.explicit.box import Box, Columns, Flags
from icgsynth.explicit.labels import UNKNOWN, listed_moves
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns

Ints = NDArray[np.int64]
_MOST_MOVES = 2**23  # held at once


@dataclass(frozen=True, eq=False)
class BoxValues:
    """The legal states of a box, (n, variables), each with its Grundy value (n,) or UNKNOWN."""

    box: Box
    values: Ints

    @property
    def known(self) -> Flags:
        return np.not_equal(self.values, UNKNOWN)


def box_values(game: ParametricGame, box: Box, budget: Budget = UNBOUNDED) -> BoxValues:
    """Return the Grundy values of all legal states of ``box``.  :class:`~icgsynth.errors.Refused`
    where the box of ``game``, or its moves, are too many, or a rule has a quantifier;
    :class:`~icgsynth.errors.BudgetSpent` where it takes longer than ``budget``."""
    edges, barred = listed_moves(game, box, _MOST_MOVES, budget)
    # left: moves to states without a value yet. A state is ready when it is 0.
    left = edges.out_degrees()
    order = np.argsort(edges.source, kind="stable")
    target = edges.target[order]
    first = np.concatenate([[0], np.cumsum(left)])  # targets of i: first[i] to first[i + 1]
    values = np.full(box.size, UNKNOWN, dtype=np.int64)
    ready = np.flatnonzero(left == 0)
    while len(ready):
        budget.check()
        counts = first[ready + 1] - first[ready]
        which = np.repeat(np.arange(len(ready)), counts)
        begin = np.repeat(first[ready] - (np.cumsum(counts) - counts), counts)
        met = values[target[begin + np.arange(len(which))]]
        found = _least_missing(which, met, len(ready))
        found[barred[ready]] = UNKNOWN
        values[ready] = found
        before = edges.sources(ready)
        np.subtract.at(left, before, 1)
        ready = distinct(before[left[before] == 0])
    return BoxValues(box, values)


def _least_missing(which: Ints, met: Ints, count: int) -> Ints:
    """Return for each row 0 .. ``count`` - 1 the least natural number that it has not met; UNKNOWN
    if it has met -1.  Row ``which[i]`` has met the number ``met[i]``."""
    # UNKNOWN where it has met what is not known.
    width = int(met.max(initial=0)) + 1
    pairs = distinct(which[met >= 0] * width + met[met >= 0])
    rows, numbers = pairs // width, pairs % width
    start = np.searchsorted(rows, np.arange(count))
    # A row's k-th number in order, from 0, is k just below the least missing one: count these.
    in_turn = numbers == np.arange(len(rows)) - start[rows]
    missing = np.bincount(rows[in_turn], minlength=count).astype(np.int64)
    missing[which[met < 0]] = UNKNOWN
    return missing


@dataclass(frozen=True, eq=False)
class ValueSample:
    """The ``states`` (n, variables) of a box whose Grundy ``values`` (n,) are known."""

    box: Box
    states: Ints
    values: Ints
    by_row: Ints  # (box.size,): the value of each row of the box, or UNKNOWN

    @staticmethod
    def of(found: BoxValues) -> ValueSample:
        known = found.known
        return ValueSample(found.box, found.box.states[known], found.values[known], found.values)

    @cached_property
    def environment(self) -> Columns:
        """Return {variable: its values (n,)} over the states of the sample."""
        return dict(zip(self.box.variables, self.states.T, strict=True))

    @property
    def highest(self) -> int:
        """Return the largest Grundy value in the sample; 0 if it is empty."""
        return int(self.values.max(initial=0))

    def meaning(self, node: t.Node) -> NDArray[np.int64]:
        """Return the values (n,) of the term or formula ``node`` at the states of the sample."""
        return np.broadcast_to(np.asarray(columns(node, self.environment)), (len(self.states),))

    def fits(self, term: t.Term) -> bool:
        """Return whether ``term`` equals the Grundy value at all states of the sample."""
        return bool((self.meaning(term) == self.values).all())

    def at(self, rows: Flags) -> ValueSample:
        """Return the sample of those states at which the flags ``rows`` (n,) are set."""
        return ValueSample(self.box, self.states[rows], self.values[rows], self.by_row)

    def beside(self, offset: Ints) -> Ints:
        """Return the Grundy value (n,) of each sampled state plus the vector ``offset``; UNKNOWN
        for a state outside the box."""
        rows = self.box.rows(list((self.states + offset).T))
        return np.where(rows >= 0, self.by_row[rows], -1)
