"""Where a move exists, said without a quantifier.

"Some action applies" quantifies over the parameters.  A finite set of semi-ground
actions, the *movers*, says the same: wherever any action applies at all, one of them does.
They are found by counterexamples and proved exact.  Misère play needs this (a state
without a move is won), and so does checking the declared ending states.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from icgsynth.budget import Budget
from icgsynth.claims.game import fires, not_ended
from icgsynth.game.answers import PROVED, Finding, Verdict
from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.discharge import discharge

_ROUNDS = 60  # questions to the deciders
_COSTLY = 6  # of them where rules divide by unknowns, each some tenths of a second
_TUPLES = 4_000  # tuples of terms tried for the parameters of one action


@dataclass(frozen=True, slots=True)
class Movers:
    """``exact``: wherever an action applies, one of ``acts`` does (proved)."""

    acts: tuple[SemiGroundAction, ...]
    exact: bool

    def say_stuck(self, game: ParametricGame) -> Iterator[t.Formula]:
        """Conjuncts of "no action applies" (for legal states that have not ended)."""
        return (negation(fires(game, act)) for act in self.acts)

    def ending(self, game: ParametricGame, budget: Budget) -> Finding:
        """Whether a legal state that is not declared ending always has a move."""
        if game.end == t.FALSE:
            return PROVED
        if not self.exact:
            return Finding(Verdict.UNKNOWN, "where no action applies is not known")
        (claim,) = not_ended(game, self.acts)
        return replace(discharge([claim], budget), why=claim.claim)


def find_movers(game: ParametricGame, budget: Budget) -> Movers:
    """Semi-ground actions that apply wherever anything does."""
    acts: list[SemiGroundAction] = []
    open_actions = list(game.actions)
    divides = has_products(action.precondition for action in game.actions)
    for _ in range(_COSTLY if divides else _ROUNDS):
        if not open_actions:
            return Movers(tuple(acts), exact=True)
        action = open_actions[0]
        names = (*game.variables, *action.parameters)
        parts = (game.legal, game.applicable(action), *(negation(fires(game, a)) for a in acts))
        answer = decide(parts, names, budget)
        if answer.kind == "unsat":
            open_actions.pop(0)
        elif answer.kind == "unknown" or answer.model is None:
            break
        else:
            acts.append(_generalise(game, action, dict(answer.model)))
    return Movers(tuple(acts), exact=False)


def _generalise(game: ParametricGame, action: Action, model: dict[str, int]) -> SemiGroundAction:
    """The simplest semi-ground form of ``action`` that applies in the model's state."""
    state = {v: model[v] for v in game.variables}
    terms = list(_terms(game, state))
    applies = game.applicable(action)
    parameters = action.parameters
    if len(terms) ** len(parameters) <= _TUPLES:
        for combination in product(terms, repeat=len(parameters)):
            values = {p: v for p, (_, v) in zip(parameters, combination, strict=True)}
            if satisfies(applies, state | values):
                chosen = tuple(term for term, _ in combination)
                return SemiGroundAction(action.name, tuple(zip(parameters, chosen, strict=True)))
    ground = tuple((p, t.Int(model[p])) for p in parameters)
    return SemiGroundAction(action.name, ground)


def _terms(game: ParametricGame, state: dict[str, int]) -> Iterator[tuple[t.Term, int]]:
    """Small integers, then variables and their neighbours, with their values in ``state``."""
    for number in (1, 0, 2, *sorted(game.integers - {0, 1, 2})[:8]):
        yield t.Int(number), number
    for name in game.variables:
        yield t.Name(name), state[name]
    for name in game.variables:
        yield t.Sum((t.Name(name), t.Neg(t.Int(1)))), state[name] - 1
        yield t.Sum((t.Name(name), t.Int(1))), state[name] + 1
