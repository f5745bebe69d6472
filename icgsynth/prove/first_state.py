"""A state in which play can begin, found by a solver: it may lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, State
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.prove.automata.compiler import Compiler
from icgsynth.prove.deciders.smt import satisfy

_STEPS = 20_000_000  # of z3 for one question: some seconds, and the same on every machine
_REACHES = (100, 1_000, 10**4, 10**6, 10**9, 10**18, 10**40)  # how large numbers may be
_WORK = 5.0  # seconds of the processor for an automaton: a few hundredths do


def state_with_move(game: ParametricGame) -> State | None:
    """Return a legal state of ``game`` with a move, of small numbers if possible, or None.
    In a game with digits the numbers of the state and of its move are natural."""
    find = _in_digits if game.has_digits else _by_solver
    return next(find(game), None)


def _by_solver(game: ParametricGame) -> Iterator[State]:
    """Yield legal states with a move, by z3, in a game without digits; small numbers come first."""
    live = []
    for action in game.actions:
        names = *game.variables, *action.parameters
        parts = game.legal, game.applicable(action)
        if (model := satisfy(parts, names, Budget(inf), _STEPS).model) is not None:
            live.append((parts, names, model))
    for reach in _REACHES:
        ends = t.Int(-reach), t.Int(reach)
        for parts, names, _ in live:
            near = [t.Compare((ends[0], t.Name(n), ends[1]), ("<=", "<=")) for n in names]
            if (found := satisfy((*parts, *near), names, Budget(inf), _STEPS).model) is not None:
                yield tuple(found[name] for name in game.variables)
    yield from (tuple(model[name] for name in game.variables) for _, _, model in live)


def _in_digits(game: ParametricGame) -> Iterator[State]:
    """Yield, for each action of a game with digits, the least legal state in which it applies."""
    compiler = Compiler(game.systems[0], Budget(inf, work=_WORK))
    for action in game.actions:
        where = conjunction((game.legal, game.applicable(action)))
        try:
            found = compiler.formula(where).automaton().complete({})
        except (BudgetSpent, Refused):
            continue
        if found is not None:
            yield tuple(found.get(name, 0) for name in game.variables)
