"""The ranking of a solution, which names the components and not their bounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from icgsynth.game.game import Action, ParametricGame
from icgsynth.game.obligations.termination import Bounded
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names

__all__ = ["bounded", "ranking_of"]

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
    is_term = t.Compare((t.Name(_MEASURED), term), ("=",))
    here = conjunction((game.legal, game.applicable(action), is_term))
    low, _ = ranges(here, (*game.variables, *action.parameters, _MEASURED), {})[_MEASURED]
    return min(0, low) if isinstance(low, int) else None
