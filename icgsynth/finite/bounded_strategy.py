"""A strategy of a parametric game on a bounded instance of it, which is a finite game.

The instance is solved by retrograde analysis, which knows nothing of formulas; so this is a
second opinion on a proof, and a first one on a strategy that has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from icgsynth.finite.bounded import bounded
from icgsynth.game.game import Move, ParametricGame, PlayRule, State
from icgsynth.game.strategy import Strategy, Tier

__all__ = ["BoundedVerdict", "follow"]


@dataclass(frozen=True)
class BoundedVerdict:
    """What a strategy does in the legal states with all variables from 0 to ``bound``.

    ``states`` counts them, ``won`` those among them that the player to move can win, with a
    move.  ``flaw`` is the first state, the smallest sums first, where the strategy gives a win
    away: by ``move`` of the tier number ``tier`` (from 1), or both None where it is silent;
    ``winning`` are the moves that win there.
    """

    bound: int
    states: int
    won: int
    flaw: State | None = None
    move: Move | None = None
    tier: int | None = None
    winning: tuple[str, ...] = ()

    @property
    def is_optimal(self) -> bool:
        """Whether the strategy wins every state of the box that can be won."""
        return self.flaw is None


def follow(
    game: ParametricGame,
    strategy: Strategy[Tier[ParametricGame, Any]],
    bound: int,
    rule: PlayRule = "normal",
) -> BoundedVerdict:
    """Play ``strategy`` in every won state of the box.

    That it keeps every win is enough: the states that play reaches from a won state are in the
    box as well.  :class:`~icgsynth.errors.Refused` where the box is no finite game.
    """
    arena, turns = bounded(game, bound, rule)
    states = [state for state, _ in turns]
    mine = [row for row in range(len(states)) if arena.mover[row] == 0 and arena.value[row] > 0]
    legal = len(set(states))
    for row in sorted(mine, key=lambda r: (sum(states[r]), states[r])):
        state = states[row]
        span = arena.moves_of(row)
        winning = tuple(arena.action_name(m) for m in span if arena.optimal[m])
        found = strategy.choose(game, state)
        if found is None:
            return BoundedVerdict(bound, legal, len(mine), state, winning=winning)
        if str(move := found.move) not in winning:
            return BoundedVerdict(bound, legal, len(mine), state, move, found.number, winning)
    return BoundedVerdict(bound, legal, len(mine))
