"""From which state one move leads to which, as the winning states of a game."""

from __future__ import annotations

from dataclasses import replace

from icgsynth.game.beside_heap import fresh, names_in
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, substitute

__all__ = ["one_move_to"]


def one_move_to(game: ParametricGame) -> ParametricGame:
    """A ``game`` of one variable v, with a second variable m: only moves to m are allowed.

    Where no move leads from a state to itself, (m, m) has no move and is lost.  So (v, m) is won
    exactly where a move of ``game`` leads from v to m.
    """
    (variable,) = game.variables
    target = fresh("m", names_in(game))
    live = () if game.end == t.FALSE else (negation(game.end),)
    actions = []
    for action in game.actions:
        left = dict(action.effects).get(variable, t.Name(variable))
        aimed = t.Compare((left, t.Name(target)), ("=",))
        applies = conjunction((action.precondition, *live, aimed))
        there = ((variable, t.Name(target)),)
        actions.append(replace(action, precondition=applies, effects=there))
    return ParametricGame(
        f"{game.name}, one move",
        (variable, target),
        tuple(actions),
        conjunction((game.legal, substitute(game.legal, {variable: t.Name(target)}))),
        title=game.title,
        constants=game.constants,
    )
