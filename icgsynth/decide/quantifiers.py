"""Rules and formulas without quantifiers: eliminated by one solver, confirmed by another.

isl projects; z3 then has to prove that nothing has changed.  Both have been wrong before, so
neither is believed alone: what is not confirmed is not used.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from icgsynth import presburger, smt
from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent
from icgsynth.game import Action, ParametricGame
from icgsynth.term import Formula, Iff, Node, Not, Quantified, children, free_names, rebuild

__all__ = ["eliminate_quantifiers", "without_quantifiers"]

_N = TypeVar("_N", bound=Node)


def eliminate_quantifiers(game: ParametricGame, budget: Budget) -> ParametricGame:
    """The same game with quantifier-free rules.

    Raises :class:`~icgsynth.errors.BudgetSpent` where the elimination does not finish, or is
    not confirmed.
    """
    if not game.is_quantified:
        return game
    actions = tuple(
        Action(
            a.name,
            a.parameters,
            without_quantifiers(a.precondition, budget),
            tuple((name, without_quantifiers(term, budget)) for name, term in a.effects),
        )
        for a in game.actions
    )
    return replace(
        game,
        actions=actions,
        legal=without_quantifiers(game.legal, budget),
        end=without_quantifiers(game.end, budget),
    )


def without_quantifiers(node: _N, budget: Budget) -> _N:
    """A term or formula with each outermost quantified subformula replaced.

    Raises like :func:`eliminate_quantifiers`.
    """
    if isinstance(node, Quantified):
        return _confirmed(node, budget)  # type: ignore[return-value]
    parts = tuple(without_quantifiers(c, budget) for c in children(node))
    return rebuild(node, parts)  # type: ignore[return-value]


@lru_cache(maxsize=1_024)
def _known(formula: Quantified) -> list[Formula]:
    """The confirmed equivalent of ``formula``, once it is known: a place to keep it."""
    return []


def _confirmed(formula: Quantified, budget: Budget) -> Formula:
    kept = _known(formula)
    if not kept:
        candidate = presburger.without_quantifier(formula, budget)
        names = tuple(sorted(free_names(formula) | free_names(candidate)))
        answer = smt.satisfy((Not(Iff(formula, candidate)),), names, budget)
        if answer.kind != "unsat":
            raise BudgetSpent(
                f"no second solver confirms what '{formula}' is without its quantifier"
            )
        kept.append(candidate)
    return kept[0]
