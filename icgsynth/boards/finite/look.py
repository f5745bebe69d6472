"""Players who look a few plies ahead, and their chances of winning in a solved game.

Such a player sees the ends that lie within the look and takes all else to be alike; a win is worth
more the sooner it comes, and a loss the later.  Of the moves worth most to it, each is as likely as
another.  A player is a mask over the moves of the arena (m,): those that it draws from.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena import Arena
from icgsynth.process.compiled import compiled

Mask = NDArray[np.bool_]

_END = 1 << 20  # the worth of a win at once; a win is worth 1 less for every further ply
_ROUNDS = 100_000
_CLOSE = 1e-13  # the greatest change of a probability in the last round


def look_ahead(arena: Arena, plies: int) -> NDArray[np.int32]:
    """Return each state's minimax worth to player 0 (n,), ``plies`` deep; 0 if no end is seen. A
    win k plies ahead is worth 2^20 - k, and a loss the negative."""
    # With no look ahead only ends are seen: all other states seem equal.
    worth = np.where(arena.mover < 0, arena.value.astype(np.int32) * _END, 0)
    live = np.flatnonzero(arena.mover >= 0)
    for _ in range(plies if len(live) else 0):
        best = np.maximum.reduceat(_gain(arena, worth), arena.first[live])
        # One ply later: a win is worth one less, a loss one more.
        best -= np.sign(best)
        worth[live] = np.where(arena.mover[live] == 0, best, -best)
    return worth


def _gain(arena: Arena, worth: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return, for each move (m,), the ``worth`` (n,) of its target to the player who moves."""
    ahead = worth[arena.target]
    return np.where(arena.mover[arena.source] == 0, ahead, -ahead)


def choices(arena: Arena, depth: int) -> Mask:
    """Return the mask (m,) of moves that are best by a look of ``depth`` rounds (two plies each).
    All moves at 0.  Ends further off are not seen; a win is better the sooner it comes."""
    if depth == 0 or not len(arena.target):
        return np.ones(len(arena.target), bool)
    # k rounds are 2 k plies, of which the player's own move is the first.
    gain = _gain(arena, look_ahead(arena, 2 * depth - 1))
    live = np.flatnonzero(arena.mover >= 0)
    best = np.maximum.reduceat(gain, arena.first[live])
    found: Mask = gain == np.repeat(best, np.diff(arena.first)[live])
    return found


# --- chances -------------------------------------------------------------------------------------


def kept_moves(arena: Arena, mask: Mask) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the moves of ``mask``: in state s they lead to ``target[first[s]:first[s + 1]]``."""
    first = np.zeros(len(arena.first), np.int64)
    np.cumsum(np.bincount(arena.source[mask], minlength=len(arena.mover)), out=first[1:])
    return first, arena.target[mask]


def odds(
    first: NDArray[np.int64], target: NDArray[np.int32], value: NDArray[np.int8]
) -> NDArray[np.float64]:
    """Return the chances (3, n) that player 0 wins, nobody does, player 1 does, in random play.
    The moves of state s lead to ``target[first[s]:first[s + 1]]``; ``value`` (n,) at ends is 1, 0,
    -1 for player 0.  Endless play is followed until changes are below 1e-13; the rest is drawn."""
    # Linear equations, solved by passes in place (Gauss and Seidel): a state's odds are the mean of
    # those after its moves. From the last state up a game without cycles is done in a pass or two,
    # for moves mostly lead to states found later.
    ended = first[1:] == first[:-1]
    found = np.array([ended & (value == sign) for sign in (1, 0, -1)], float)
    for _ in range(2):
        for _ in range(_ROUNDS):
            if spread_odds(first, target, found) <= _CLOSE:
                break
        # From there no end is ever reached: drawn, which the second round counts for states before.
        found[1, found.sum(axis=0) == 0] = 1.0
    return found


def chances(arena: Arena, mine: Mask, theirs: Mask, player: int) -> NDArray[np.float64]:
    """Return the chance (n,) that ``player`` wins from each state, if both draw their moves.
    ``player`` draws among the moves in the mask ``mine`` (m,), the other among ``theirs`` (m,)."""
    drawn = np.where(arena.mover[arena.source] == player, mine, theirs)
    found: NDArray[np.float64] = odds(*kept_moves(arena, drawn), arena.value)[2 * player]
    return found


@compiled
def spread_odds(first: Any, target: Any, found: Any) -> float:
    """Set the chances ``found`` (3, n) to means over successors; return the greatest change.
    ``target[first[s]:first[s + 1]]`` are the successors of s; ends stay as they are."""
    change = 0.0
    for s in range(len(first) - 2, -1, -1):
        moves = first[s + 1] - first[s]
        for k in range(3 if moves else 0):
            ahead = 0.0
            for m in range(first[s], first[s + 1]):
                ahead += found[k, target[m]]
            change = max(change, abs(ahead / moves - found[k, s]))
            found[k, s] = ahead / moves
    return change
