"""Semi-ground actions that need no mining: each parameter a small number, or the pile it is for.

Where play may never end, a draw is often kept by nearly any move.  To mine all of them takes long,
and the simplest ones do as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names, walk
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.sample import StateSample

_MOST = 120  # tried of one action
_INTEGERS = 4  # of the rules, besides 0 and 1


def with_simple_acts(sample: StateSample) -> StateSample:
    """``sample`` with simple actions for its candidates, where these win all of its states."""
    game = sample.goal.game
    tried = [sample.candidate(act) for action in game.actions for act in _acts(game, action)]
    chosen = cover_of([c.wins for c in tried], [c.weight for c in tried], sample.domain)
    if not chosen:
        return sample
    return replace(sample, mined=sorted((tried[i] for i in chosen), key=lambda c: c.weight))


def _acts(game: ParametricGame, action: Action) -> Iterator[SemiGroundAction]:
    """The same kind of term for each parameter, then with one of them another, then any."""
    near = sorted({abs(c + d) for c in game.integers for d in (0, 1)} - {0, 1})[:_INTEGERS]
    numbers: list[t.Term] = [t.Int(c) for c in (0, 1, *near)]
    choices = [[*_own(game, action, p), *numbers] for p in action.parameters]
    uniform = [tuple(row) for row in zip(*choices, strict=False)]
    chosen: dict[tuple[t.Term, ...], None] = dict.fromkeys(uniform or [()])
    for row in uniform:
        for i, others in enumerate(choices):
            chosen |= dict.fromkeys((*row[:i], term, *row[i + 1 :]) for term in others)
    if prod(map(len, choices)) <= _MOST:
        chosen |= dict.fromkeys(product(*choices))
    for terms in list(chosen)[:_MOST]:
        yield SemiGroundAction(action.name, tuple(zip(action.parameters, terms, strict=True)))


def _own(game: ParametricGame, action: Action, parameter: str) -> Iterator[t.Term]:
    """The variable that ``parameter`` is compared with alone, and one less."""
    for node in walk(action.precondition):
        if isinstance(node, t.Compare) and parameter in free_names(node):
            others = free_names(node) - {parameter}
            if len(others) == 1 and (own := next(iter(others))) in game.variables:
                yield t.Name(own)
                yield t.Sum((t.Name(own), t.Neg(t.Int(1))))
                return
