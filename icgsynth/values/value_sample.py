"""States with their Grundy values, that terms are learned from and compared with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.game.box import Box, Columns, Flags
from icgsynth.logic import term as t
from icgsynth.logic.evaluate import columns
from icgsynth.values.grundy_box import BoxValues

__all__ = ["ValueSample"]

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ValueSample:
    """``states`` (n, variables) of a box whose ``values`` (n,) are known."""

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
        """Each variable's column."""
        return dict(zip(self.box.variables, self.states.T, strict=True))

    @property
    def highest(self) -> int:
        """The largest value."""
        return int(self.values.max(initial=0))

    def meaning(self, node: t.Node) -> NDArray[np.int64]:
        """What a term is, or whether a formula holds, at each of the states."""
        return np.broadcast_to(np.asarray(columns(node, self.environment)), (len(self.states),))

    def fits(self, term: t.Term) -> bool:
        """Whether ``term`` is the value at all of the states."""
        return bool((self.meaning(term) == self.values).all())

    def at(self, rows: Flags) -> ValueSample:
        """Of the states, those of ``rows``."""
        return ValueSample(self.box, self.states[rows], self.values[rows], self.by_row)

    def beside(self, offset: Ints) -> Ints:
        """(n,): the value at each state plus ``offset``; UNKNOWN where there is no such state."""
        rows = self.box.rows(list((self.states + offset).T))
        return np.where(rows >= 0, self.by_row[rows], -1)
