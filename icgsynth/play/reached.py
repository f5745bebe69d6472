"""Who wins and in how many moves, in every state that play reaches from one, where these are few.

The values of an impartial game without any formula: the moves are followed one state at a time,
by the rules as they are written, and the ends are counted back from.
"""

from __future__ import annotations

import time
from heapq import heapify, heappop, heappush
from math import inf
from typing import NamedTuple

from icgsynth.game.game import ParametricGame, PlayRule, State

__all__ = ["Fate", "fates"]

_MOST = 12_000  # moves: about a second


class Fate(NamedTuple):
    """Whether the player to move wins, and how many plies are left.

    The winner hurries and the loser delays.
    """

    wins: bool
    plies: int


def fates(
    game: ParametricGame,
    rule: PlayRule,
    start: State,
    known: dict[State, Fate],
    most: int = _MOST,
    until: float = inf,
) -> bool:
    """Add to ``known`` the fate of every state that play reaches from ``start``.

    False, and nothing is added, where more than ``most`` moves would have to be followed, the
    clock (``time.monotonic``) passes ``until``, or a parameter has no bound.  A state in which
    nobody can force the end gets no fate.
    """
    moves = _followed(game, start, known, most, until)
    if moves is None:
        return False
    before: dict[State, list[State]] = {}
    for state, afters in moves.items():
        for after in afters:
            before.setdefault(after, []).append(state)
    left = {state: len(afters) for state, afters in moves.items()}
    for state, afters in moves.items():
        if not afters:
            known[state] = Fate(rule == "misere", 0)
    # Fates are taken in the order of their plies: the first losing state that is met behind a
    # move is the quickest win, and the last winning one the longest delay.
    todo = [(known[state].plies, state) for state in before if state in known]
    heapify(todo)
    while todo:
        plies, after = heappop(todo)
        for state in before.get(after, ()):
            left[state] -= 1
            if state not in known and (not known[after].wins or left[state] == 0):
                known[state] = Fate(not known[after].wins, plies + 1)
                heappush(todo, (plies + 1, state))
    return True


def _followed(
    game: ParametricGame, start: State, known: dict[State, Fate], most: int, until: float
) -> dict[State, list[State]] | None:
    """The states after each state that is reached and not known; None where they are too many."""
    found: dict[State, list[State]] = {}
    count, todo = 0, [start]
    while todo:
        state = todo.pop()
        if state in found or state in known:
            continue
        after = found[state] = []
        try:
            for move in game.moves(state):
                count += 1
                if count > most or time.monotonic() > until:
                    return None
                after.append(game.result(state, move))
        except OverflowError:  # a parameter without a bound
            return None
        todo += after
    return found
