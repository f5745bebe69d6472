"""Functions that may be the values of the heaps of a game: terms, and automata in base 2.

They fit all heaps of a box, whose values are computed by definition.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.box import Box
from icgsynth.game.heap_rules import HeapGame
from icgsynth.logic import term as t
from icgsynth.values.grundy_box import BoxValues
from icgsynth.values.heap_values import HeapValues
from icgsynth.values.pieces import piecewise
from icgsynth.values.short_terms import short_terms
from icgsynth.values.value_automaton import ValueCube, learned_automaton
from icgsynth.values.value_sample import ValueSample

__all__ = ["heap_functions"]


def heap_functions(
    game: HeapGame, table: HeapValues, side: int, budget: Budget
) -> Iterator[t.Term | Automaton]:
    """The simplest first, from the heaps whose numbers are below ``side``.

    :class:`~icgsynth.errors.BudgetSpent` where the budget is.
    """
    box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
    heaps = [tuple(heap) for heap in box.states.tolist()]
    if not heaps:
        return
    values = np.array([table.value(heap, budget) for heap in heaps], np.int64)
    sample = ValueSample.of(BoxValues(box, values))
    yield from short_terms(sample)
    with suppress(BudgetSpent):  # of this share
        yield from piecewise(sample, budget.share(0.2))
    cube = ValueCube(np.full(box.shape, -1, dtype=np.int64), np.ones(box.shape, dtype=bool))
    cube.values[tuple(box.states.T)] = values
    tracks = beside_heap(game.one_heap).variables
    learned = learned_automaton(base(2), tracks, cube, np.arange(side), budget)
    if isinstance(learned, Automaton):
        yield learned
