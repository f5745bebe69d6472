"""The automaton of all states with their Grundy values, learned from a cube of values in base 2."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import read_off
from icgsynth.digits.numeration import base
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, learn
from icgsynth.values.grundy_box import box_values

__all__ = ["value_automata"]

_SIDES = {1: (512, 2048), 2: (32, 64), 3: (16, 32), 4: (8, 16)}  # of cubes, by the variables
_MOST_STATES = 400
_SECONDS = 10.0  # for one cube


def value_automata(
    game: ParametricGame, tracks: tuple[str, ...], budget: Budget
) -> Iterator[Automaton]:
    """Automata that agree with all values of a cube, from growing cubes.

    ``tracks`` are the variables and a name for the value.  Raises as
    :func:`~icgsynth.values.grundy_box.box_values` does.
    """
    for side in _SIDES.get(len(game.variables), ()):
        budget.check()
        box = Box(game.variables, ((0, side - 1),) * len(game.variables), game.legal)
        found = box_values(game, box, budget)
        values = np.full(box.shape, -1, dtype=np.int64)
        known = np.ones(box.shape, dtype=bool)
        cells = tuple(box.states.T)
        values[cells], known[cells] = found.values, found.known
        grid = values[..., None] == np.arange(side)
        domain = np.ascontiguousarray(np.broadcast_to(known[..., None], grid.shape))
        within = Budget(min(_SECONDS, budget.remaining()))
        learned = learn(base(2), grid, within, _MOST_STATES, None if known.all() else domain)
        if isinstance(learned, LearnedAutomaton):
            dfa = read_off(base(2), tracks, learned.transitions, learned.accepting)
            yield dfa.automaton(tracks)
