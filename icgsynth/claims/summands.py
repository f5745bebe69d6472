"""That a game is the sum of others: its states are theirs together, and its moves are theirs.

So a state is a state of each part, an action is one of one part, applies where it applies there,
and changes that part as it does there and no other.  Then the Grundy value is the xor of those of
the parts (Sprague 1935, Grundy 1939).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from icgsynth.claims.game import Obligation, obligation
from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation


def sum_obligations(game: ParametricGame, parts: Sequence[ParametricGame]) -> Iterator[Obligation]:
    """Yield the claims that ``game`` is the sum of ``parts``, which have names of their own.

    :class:`~icgsynth.errors.Refused` where the parts have not each variable and action once.
    """
    variables = [name for part in parts for name in part.variables]
    actions = [action.name for part in parts for action in part.actions]
    if sorted(variables) != sorted(game.variables):
        raise Refused(f"the parts of {game.name} do not have each of its variables once")
    if sorted(actions) != sorted(action.name for action in game.actions):
        raise Refused(f"the parts of {game.name} do not have each of its actions once")
    whole = conjunction(part.legal for part in parts)
    yield obligation(game, "sum", "a legal state is one of each part", negation(whole))
    claim = "states of all parts together are a legal state"
    yield Obligation("sum", claim, game.variables, (whole, negation(game.legal)))
    for part in parts:
        for action in part.actions:
            yield from _of_action(game, part, action)


def _of_action(game: ParametricGame, part: ParametricGame, there: Action) -> Iterator[Obligation]:
    """Yield the claims that an action of ``part`` is the one of ``game`` with its name."""
    here = game.action(there.name)
    if here.parameters != there.parameters:
        raise Refused(f"{there.name} has other parameters in {part.name}")
    applies, inside = game.applicable(here), part.applicable(there)
    claim = f"{here.name} applies in {part.name} where it applies"
    yield obligation(game, "sum", claim, applies, negation(inside))
    claim = f"{here.name} applies where it applies in {part.name}"
    yield obligation(game, "sum", claim, inside, negation(applies))
    after, unchanged = game.after(here), {v: t.Name(v) for v in game.variables}
    meant = unchanged | dict(part.after(there))
    differs = disjunction(t.compare(after[v], "!=", meant[v]) for v in game.variables)
    claim = f"{here.name} changes what it changes in {part.name}"
    yield obligation(game, "sum", claim, applies, differs)
