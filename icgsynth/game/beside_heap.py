"""A game beside one Nim heap: where it is lost, the heap is the Grundy value of the game.

(x, z) is lost in the sum of a game and a Nim heap of z exactly where z is the Grundy value of x
(Sprague 1935, Grundy 1939).  So whatever proves losing sets proves Grundy functions.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from itertools import chain, count

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic.term import (
    FALSE,
    Compare,
    Int,
    Name,
    Neg,
    Sum,
    conjunction,
    negation,
    walk,
)

__all__ = ["beside_heap"]


def beside_heap(game: ParametricGame) -> ParametricGame:
    """``game`` plus a Nim heap, its last variable; either player moves in one of the two.

    A declared end ends the game and not the heap, so it goes into every precondition.
    """
    taken = {n.name for f in game.formulas() for n in walk(f) if isinstance(n, Name)}
    taken |= {*game.variables, *(p for action in game.actions for p in action.parameters)}
    heap, taking = _fresh("z", taken), _fresh("k", taken)
    live = () if game.end == FALSE else (negation(game.end),)
    actions = tuple(
        replace(action, precondition=conjunction((action.precondition, *live)))
        for action in game.actions
    )
    some = Compare((Int(1), Name(taking), Name(heap)), ("<=", "<="))
    less = Sum((Name(heap), Neg(Name(taking))))
    nim = Action(
        _fresh("nim", {action.name for action in actions}), (taking,), some, ((heap, less),)
    )
    natural = Compare((Name(heap), Int(0)), (">=",))
    return ParametricGame(
        f"{game.name} and a Nim heap",
        (*game.variables, heap),
        (*actions, nim),
        conjunction((game.legal, natural)),
        title=game.title,
        constants=game.constants,
    )


def _fresh(name: str, taken: Container[str]) -> str:
    """``name``, or with the least number after it that makes it new."""
    numbered = (f"{name}{i}" for i in count(1))
    return next(n for n in chain((name,), numbered) if n not in taken)
