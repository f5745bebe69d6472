"""Decomposition of a game into the games, on disjoint variables, that it is the sum of.

Two variables belong together where one part of what is legal, or one action, speaks of both.
"""

from __future__ import annotations

from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, fold, free_names, links


def components(game: ParametricGame, end_is_implied: bool) -> tuple[ParametricGame, ...]:
    """Return the parts that ``game`` is the sum of; ``game`` alone if it does not come apart.
    ``end_is_implied``: the declared end is proved to hold nowhere but where no action applies, so
    that it says nothing of its own.  Another declared end ends all parts at once."""
    if game.is_quantified or not (game.end == t.FALSE or end_is_implied):
        return (game,)
    laws = [law for law in links(fold(game.legal)) if free_names(law)]
    touched = {action.name: _find_touched(game, action) for action in game.actions}
    if not all(touched.values()):
        return (game,)
    groups = _partition(game.variables, [*map(free_names, laws), *touched.values()])
    if len(groups) == 1:
        return (game,)
    return tuple(
        ParametricGame(
            f"{game.name} ({', '.join(group)})",
            group,
            tuple(a for a in game.actions if touched[a.name] <= set(group)),
            conjunction(law for law in laws if free_names(law) <= set(group)),
            constants=game.constants,
        )
        for group in groups
    )


def _find_touched(game: ParametricGame, action: Action) -> frozenset[str]:
    changes = [(v, term) for v, term in action.effects if term != t.Name(v)]
    read: list[t.Formula | t.Term] = [action.precondition, *(term for _, term in changes)]
    names = frozenset(v for v, _ in changes).union(*map(free_names, read))
    return names & frozenset(game.variables)


def _partition(variables: tuple[str, ...], together: list[frozenset[str]]) -> list[tuple[str, ...]]:
    """Return the finest partition of ``variables`` with each set of ``together`` in one part."""
    group = {v: {v} for v in variables}
    for names in together:
        whole = set[str]().union(*(group[v] for v in names))
        group |= dict.fromkeys(whole, whole)
    return list(dict.fromkeys(tuple(v for v in variables if v in group[w]) for w in variables))
