"""Options of states: the different states that moves lead to, counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import distinct


class Options:
    """How many different losing options each of n states has; ``count`` has shape (n,).

    All moves into one state have to be noted before they are counted, so that two moves from one
    state to another are one option.
    """

    def __init__(self, size: int) -> None:
        self.count = np.zeros(size, dtype=np.int64)
        self._noted = list[NDArray[np.int64]]()

    def note(self, source: NDArray[Any], target: NDArray[Any]) -> None:
        """Moves to losing states."""
        self._noted.append(source.astype(np.int64) * len(self.count) + target)

    def counted(self) -> NDArray[np.int64]:
        """Count what was noted; gives the states it came from."""
        if not self._noted:
            return np.zeros(0, dtype=np.int64)
        sources = distinct(np.concatenate(self._noted)) // len(self.count)
        self._noted.clear()
        changes = np.append(True, sources[1:] != sources[:-1])
        first = np.flatnonzero(changes[: len(sources)])
        rows = sources[first]
        self.count[rows] += np.diff(np.append(first, len(sources)))
        return rows
