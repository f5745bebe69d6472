"""Values of the heaps of a game by definition, in plain Python."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor

from icgsynth.budget import Budget
from icgsynth.game.game import State
from icgsynth.game.heap_rules import HeapGame

__all__ = ["HeapValues"]


class HeapValues:
    """Values by definition, each computed once; play must always end."""

    def __init__(self, game: HeapGame) -> None:
        self._game = game
        self._known: dict[State, int] = {}

    def value(self, heap: State, budget: Budget) -> int:
        """The value of a legal heap; those that it leads to are computed first."""
        known, open_ = self._known, [heap]
        options: dict[State, set[tuple[State, ...]]] = {}
        while open_:
            budget.check()
            top = open_[-1]
            if top not in known:
                if top not in options:
                    options[top] = set(self._game.options(top))
                missing = {h for left in options[top] for h in left if h not in known}
                if missing:
                    open_ += missing
                    continue
                known[top] = _least_without(
                    reduce(xor, (known[h] for h in left)) for left in options.pop(top)
                )
            open_.pop()
        return known[heap]


def _least_without(met: Iterable[int]) -> int:
    seen = set(met)
    return next(value for value in range(len(seen) + 1) if value not in seen)
