"""Learn the automaton of all states with their Grundy values from a cube of values.

Base 2 comes first, where automata exist for linear arithmetic and xor; then bases that the
constants of the rules suggest.  Where the values of a cube are as small as the numbers of digits
of its states, automata of states with powers of the base are learned as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import read_off
from icgsynth.digits.numeration import Numeration, base
from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.explicit.grundy_box import box_values
from icgsynth.game.game import ParametricGame
from icgsynth.game.value_forms import ExponentValue
from icgsynth.synth.digits.automaton_learner import NoFit, learn

_FIRST = {1: 512, 2: 32, 3: 16, 4: 8}  # side of the first cube, by the number of variables
_MOST_CELLS = 2**28  # most cells of a cube times its side, the possible values
_LARGEST_BASE = 10  # largest base that is tried
_MOST_STATES = 400  # most states of a conjecture: wrong ones are large, right ones small
_SECONDS = 10.0  # time for one cube
_NONE = -2  # meaning of a number that is no value; illegal states have the value -1


def value_automata(
    game: ParametricGame, tracks: tuple[str, ...], budget: Budget, note: Callable[[str], None]
) -> Iterator[Automaton | ExponentValue]:
    """Yield automata that agree with all values of growing cubes, in several bases.  ``tracks`` are
    the variables and a name for the value; ``note`` gets a message for each cube without an
    automaton.  Raises :class:`~icgsynth.errors.BudgetSpent`."""
    systems, cubes = list(_systems(game)), list[ValueCube]()
    for cube in _cubes(game, budget, note):
        side = len(cube.values)
        cubes.append(cube)
        for system in systems:
            learned = learned_automaton(system, tracks, cube, np.arange(side), budget)
            if isinstance(learned, Automaton):
                yield learned
            else:
                why = f"of the values below {side}: {learned.reason}"
                note(f"no automaton in base {system.digits} {why}")
    for cube, system in product(cubes, systems):
        digits = [len(system.representation(n)) - 1 for n in range(len(cube.values))]
        if cube.values.max() > digits[-1] + 1:
            continue
        exponents = np.array([_NONE, *digits[1:]])
        learned = learned_automaton(system, tracks, cube, exponents, budget)
        if isinstance(learned, Automaton):
            yield ExponentValue(learned)


class ValueCube(NamedTuple):
    """A cube of Grundy values (side, ..), -1 where a state is illegal or not ``known``."""

    values: Ints
    known: Flags


def _cubes(
    game: ParametricGame, budget: Budget, note: Callable[[str], None]
) -> Iterator[ValueCube]:
    """Yield cubes of values, each twice as wide as the one before, up to a number of cells."""
    side, count = _FIRST.get(len(game.variables), _MOST_CELLS), len(game.variables)
    while side ** (count + 1) <= _MOST_CELLS:
        budget.check()
        box = Box(game.variables, ((0, side - 1),) * count, game.legal)
        try:
            found = box_values(game, box, budget)
        except Refused as refused:
            note(f"no values below {side}: {refused}")
            return
        cube = ValueCube(np.full(box.grid, -1, dtype=np.int64), np.ones(box.grid, dtype=bool))
        cells = tuple(box.states.T)
        cube.values[cells], cube.known[cells] = found.values, found.known
        yield cube
        side *= 2


def learned_automaton(
    system: Numeration, tracks: tuple[str, ...], cube: ValueCube, meaning: Ints, budget: Budget
) -> Automaton | NoFit:
    """Return an automaton on ``tracks`` that accepts the states of ``cube``, each with the numbers
    n for which ``meaning[n]`` is its value; or why there is none.  ``system`` has the digits."""
    grid, domain = cube.values[..., None] == meaning, None
    if not cube.known.all():
        domain = np.ascontiguousarray(np.broadcast_to(cube.known[..., None], grid.shape))
    learned = learn(system, grid, budget.within(_SECONDS), _MOST_STATES, domain)
    if isinstance(learned, NoFit):
        return learned
    return read_off(system, tracks, learned.transitions, learned.accepting).automaton(tracks)


def _systems(game: ParametricGame) -> Iterator[Numeration]:
    """Yield the bases to try: 2, then constants of the rules and others near them."""
    # Automata in powers of 2 recognise the sets that automata in base 2 do.
    given = [c for c in game.integers if c > 1] or [2]
    near = {c + more for c in game.integers for more in (0, 1)} | {min(given) * max(given)}
    yield base(2)
    yield from (base(b) for b in sorted(near) if 2 < b <= _LARGEST_BASE and b & (b - 1))
