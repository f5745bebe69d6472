"""The automaton of all states with their Grundy values, learned from a cube of values.

Base 2 comes first, for linear arithmetic and xor are both at home there; then bases that the
constants of the rules suggest.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import read_off
from icgsynth.digits.numeration import Numeration, base
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.synth.digits.automaton_learner import LearnedAutomaton, learn
from icgsynth.values.grundy_box import box_values

__all__ = ["value_automata"]

_SIDES = {1: (512, 2048), 2: (32, 64, 128), 3: (16, 32), 4: (8, 16)}  # of cubes, by the variables
_LARGEST_BASE = 10
_MOST_STATES = 400
_SECONDS = 10.0  # for one cube


def value_automata(
    game: ParametricGame, tracks: tuple[str, ...], budget: Budget
) -> Iterator[Automaton]:
    """Automata that agree with all values of a cube, from growing cubes, in one base or another.

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
        for system in _systems(game):
            within = Budget(min(_SECONDS, budget.remaining()))
            learned = learn(system, grid, within, _MOST_STATES, None if known.all() else domain)
            if isinstance(learned, LearnedAutomaton):
                dfa = read_off(system, tracks, learned.transitions, learned.accepting)
                yield dfa.automaton(tracks)


def _systems(game: ParametricGame) -> Iterator[Numeration]:
    """Base 2, and the constants of the rules and one more; powers of 2 say what 2 says."""
    near = {c + more for c in game.integers for more in (0, 1)}
    yield base(2)
    yield from (base(b) for b in sorted(near) if 2 < b <= _LARGEST_BASE and b & (b - 1))
