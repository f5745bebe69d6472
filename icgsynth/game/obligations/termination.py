"""That play always ends, as obligations: what a ranking has to fulfil.

Every move decreases the first component that it changes, and each component has a lower bound
wherever there is a move.  A solution file names the components and not their bounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.game import Obligation
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, substitute

__all__ = ["Bounded", "for_moves", "termination"]


@dataclass(frozen=True, slots=True)
class Bounded:
    """A component of the ranking, which is at least ``bound`` wherever there is a move.

    ``is_sure`` is false where the bound was guessed.
    """

    term: t.Term
    bound: int
    is_sure: bool = True


def termination(game: ParametricGame, ranking: Sequence[Bounded]) -> Iterator[Obligation]:
    """For each action: it decreases the ranking, and the bound of each component.

    A constant decreases only along an action that never applies, so that is what is said.
    """
    terms = tuple(component.term for component in ranking)
    shown = str(terms[0]) if len(terms) == 1 else f"({', '.join(map(str, terms))})"
    is_constant = not any(free_names(term) for term in terms)
    for action in game.actions if ranking else ():
        if is_constant:
            yield for_moves(game, action, f"{action.name} never applies")
            continue
        claim = f"{action.name} decreases {shown}"
        yield for_moves(game, action, claim, _not_less(game, action, terms))
        for i, component in enumerate(ranking):
            claim = f"{component.term} >= {component.bound} where {action.name} applies"
            if i:
                claim += f" and does not change {', '.join(map(str, terms[:i]))}"
            same = (_compare(_after(game, action, part), "=", part) for part in terms[:i])
            below = _compare(component.term, "<", t.Int(component.bound))
            yield for_moves(game, action, claim, *same, below)


def _not_less(game: ParametricGame, action: Action, terms: Sequence[t.Term]) -> t.Formula:
    """After ``action`` the tuple of ``terms`` is not lexicographically smaller than before."""
    smaller: t.Formula = t.FALSE
    for term in reversed(terms):
        there = _after(game, action, term)
        later = conjunction((_compare(there, "=", term), smaller))
        smaller = disjunction((_compare(there, "<", term), later))
    return negation(smaller)


def for_moves(game: ParametricGame, action: Action, claim: str, *parts: t.Formula) -> Obligation:
    """A claim about all moves by ``action``; its parameters are free."""
    names = (*game.variables, *action.parameters)
    return Obligation(claim, names, (game.legal, game.applicable(action), *parts))


def _after(game: ParametricGame, action: Action, term: t.Term) -> t.Term:
    return substitute(term, game.after(action))


def _compare(left: t.Term, op: str, right: t.Term) -> t.Formula:
    return t.Compare((left, right), (op,))
