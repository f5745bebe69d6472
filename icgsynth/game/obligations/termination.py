"""That play always ends, as obligations: what the ranking of a solution has to fulfil.

Every move decreases the first component that it changes, and each component has a lower bound
wherever there is a move.  A solution file names the components and not their bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.game import Obligation
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, substitute

# --- ranking -------------------------------------------------------------------------------------

_MEASURED = "icg.r"  # with a dot, so no name of a game


def ranking_of(solution: Solution) -> Iterator[Bounded]:
    """The ranking that ``solution`` names, with bounds; nothing where it names none."""
    return bounded(solution.game, solution.ranking)


def bounded(game: ParametricGame, ranking: Iterable[t.Term]) -> Iterator[Bounded]:
    """The components with bounds.

    The bound is that of an interval around the component, computed from the rules.  Without
    one the guess is 0, where the search for a ranking starts as well.
    """
    for term in ranking:
        lowest = [_lowest(game, action, term) for action in game.actions]
        known = [low for low in lowest if low is not None]
        yield Bounded(term, min(known, default=0), is_sure=len(known) == len(lowest))


def _lowest(game: ParametricGame, action: Action, term: t.Term) -> int | None:
    """A number up to 0 that ``term`` does not fall below where ``action`` applies."""
    from icgsynth.logic.ranges import ranges

    if not free_names(term):
        return 0  # nothing rests on it: such a term decreases along no move
    is_term = t.compare(t.Name(_MEASURED), "=", term)
    here = conjunction((game.legal, game.applicable(action), is_term))
    low, _ = ranges(here, (*game.variables, *action.parameters, _MEASURED), {})[_MEASURED]
    return min(0, low) if isinstance(low, int) else None


# --- termination ---------------------------------------------------------------------------------


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
            yield for_moves(game, action, "termination", f"{action.name} never applies")
            continue
        claim = f"{action.name} decreases {shown}"
        yield for_moves(game, action, "termination", claim, _not_less(game, action, terms))
        for i, component in enumerate(ranking):
            claim = f"{component.term} >= {component.bound} where {action.name} applies"
            if i:
                claim += f" and does not change {', '.join(map(str, terms[:i]))}"
            same = (t.compare(_after(game, action, part), "=", part) for part in terms[:i])
            below = t.compare(component.term, "<", component.bound)
            yield for_moves(game, action, "termination", claim, *same, below)


def _not_less(game: ParametricGame, action: Action, terms: Sequence[t.Term]) -> t.Formula:
    """After ``action`` the tuple of ``terms`` is not lexicographically smaller than before."""
    smaller: t.Formula = t.FALSE
    for term in reversed(terms):
        there = _after(game, action, term)
        later = conjunction((t.compare(there, "=", term), smaller))
        smaller = disjunction((t.compare(there, "<", term), later))
    return negation(smaller)


def for_moves(
    game: ParametricGame, action: Action, part: str, claim: str, *parts: t.Formula
) -> Obligation:
    """A claim about all moves by ``action``; its parameters are free."""
    names = (*game.variables, *action.parameters)
    return Obligation(part, claim, names, (game.legal, game.applicable(action), *parts))


def _after(game: ParametricGame, action: Action, term: t.Term) -> t.Term:
    return substitute(term, game.after(action))
