"""The sum of a game and one heap: where it is lost, the heap is the game's Grundy value.

(x, z) is lost in the sum of a game and a Nim heap of z exactly where z is the Grundy value of x
(Sprague 1935, Grundy 1939).  So whatever proves losing sets proves Grundy functions.

Any other game whose values are known serves as well.  From a heap of Z >= 1 let a player leave
any Z' >= 1 with k Z' <= Z.  All of these have fewer digits in base k than Z, and each smaller
number of digits is among them; so the value of the heap is the number of its digits less 1.
Beside this heap, relations of values that grow like a logarithm are regular.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from itertools import chain, count

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, walk


def beside_heap(game: ParametricGame, power: int = 0) -> ParametricGame:
    """Return the sum of ``game`` and a Nim heap, which is its last variable.  With a ``power`` k of
    at least 2 the heap is the one whose value is its number of digits in base k, less 1.  A
    declared end ends the game and not the heap, so it goes into every precondition."""
    taken = names_in(game)
    heap, taking = fresh("z", taken), fresh("k", taken)
    live = () if game.end == t.FALSE else (negation(game.end),)
    actions = tuple(
        replace(action, precondition=conjunction((action.precondition, *live)))
        for action in game.actions
    )
    some: t.Formula = t.Compare((t.Int(1), t.Name(taking), t.Name(heap)), ("<=", "<="))
    left: t.Term = t.Sum((t.Name(heap), t.Neg(t.Name(taking))))
    if power:
        few = t.compare(t.Mul(t.Int(power), t.Name(taking)), "<=", t.Name(heap))
        some, left = conjunction((some, few)), t.Name(taking)
    nim = Action(
        fresh("nim", {action.name for action in actions}), (taking,), some, ((heap, left),)
    )
    natural = t.compare(t.Name(heap), ">=", 1 if power else 0)
    return ParametricGame(
        f"{game.name} and a {f'heap of powers of {power}' if power else 'Nim heap'}",
        (*game.variables, heap),
        (*actions, nim),
        conjunction((game.legal, natural)),
        title=game.title,
        constants=game.constants,
    )


def aiming(game: ParametricGame) -> ParametricGame:
    """Return ``game`` with one more variable, the Grundy value that a move is to reach: ``w``, or
    ``w1``, ``w2``, .. where the game has that name."""
    return replace(game, variables=(*game.variables, fresh("w", names_in(game))))


def names_in(game: ParametricGame) -> set[str]:
    """Return the names of the variables, parameters and constants of ``game``."""
    taken = {n.name for f in game.formulas() for n in walk(f) if isinstance(n, t.Name)}
    taken |= {*game.variables, *(name for name, _ in game.constants)}
    return taken.union(*(action.parameters for action in game.actions))


def fresh(name: str, taken: Container[str]) -> str:
    """Return ``name``, or if it is ``taken`` the first of ``name`` + "1", "2", .. that is free."""
    numbered = (f"{name}{i}" for i in count(1))
    return next(n for n in chain((name,), numbered) if n not in taken)
