"""What a strategy of a finite game is worth: against every opponent, and against random play.

A strategy is given as a mask over the moves of an arena: the moves it may make, any of them.
Opponents may make every move.  The arena must be raw: each move's target is the state itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.errors import Refused
from icgsynth.finite import arena_kernels
from icgsynth.finite.arena import Arena
from icgsynth.finite.compiled import compiled

__all__ = ["Chances", "Report", "Worst", "chances", "report", "right_states", "worst_case"]

Mask = NDArray[np.bool_]
_ROUNDS = 100_000
_CLOSE = 1e-13


@dataclass(frozen=True, slots=True)
class Worst:
    """The worst that can happen to ``player`` (0 moves first): +1 a win, 0 a draw, -1 a loss.

    ``deserved`` is the value of the start for that player; ``line`` the actions of a shortest
    play in which the strategy does worse than that, if there is one.
    """

    player: int
    outcome: int
    deserved: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chances:
    """Exact probabilities against an opponent who picks every move at random."""

    win: float
    draw: float
    loss: float


@dataclass(frozen=True, slots=True)
class Report:
    """Both seats; ``right`` of ``states`` before the end have only optimal moves kept."""

    worst: tuple[Worst, Worst]
    random: tuple[Chances, Chances]
    right: int
    states: int

    @property
    def never_loses(self) -> bool:
        """No seat that is not lost from the start can lose, whatever the opponent does."""
        return all(w.outcome >= 0 for w in self.worst if w.deserved >= 0)

    @property
    def everywhere(self) -> bool:
        """In every state only optimal moves are kept."""
        return self.right == self.states

    def to_json(self, roles: tuple[str, str]) -> dict[str, Any]:
        """The figures by role."""
        return {
            "never_loses": self.never_loses,
            "worst_case": {
                roles[w.player]: {
                    "outcome": w.outcome,
                    "deserved": w.deserved,
                    **({"line": list(w.line)} if w.line else {}),
                }
                for w in self.worst
            },
            "against_random": {
                role: {"win": c.win, "draw": c.draw, "loss": c.loss}
                for role, c in zip(roles, self.random, strict=True)
            },
            "right_states": self.right,
            "states": self.states,
        }


def report(arena: Arena, mask: Mask) -> Report:
    """The verdict on a strategy; :class:`~icgsynth.errors.Refused` for a folded arena."""
    right, states = right_states(arena, mask)
    return Report(
        (worst_case(arena, mask, 0), worst_case(arena, mask, 1)),
        (chances(arena, mask, 0), chances(arena, mask, 1)),
        right,
        states,
    )


def _total(arena: Arena, mask: Mask) -> Mask:
    """The mask with all moves where it keeps none."""
    if len(arena.literal_images) > 1:
        raise Refused(f"{arena.name}: strategies are judged on raw states, without symmetry")
    if mask.shape != arena.target.shape:
        raise ValueError(f"a mask of {mask.shape} for {len(arena.target)} moves")
    source = arena.source
    some = np.zeros(len(arena.mover), bool)
    some[source[mask]] = True
    full: Mask = mask | ~some[source]
    return full


def right_states(arena: Arena, mask: Mask) -> tuple[int, int]:
    """How many states before the end have only optimal moves kept, and how many there are."""
    mask = _total(arena, mask)
    source = arena.source
    wrong = np.zeros(len(arena.mover), bool)
    wrong[source[mask & ~arena.optimal]] = True
    live = arena.mover >= 0
    return int((live & ~wrong).sum()), int(live.sum())


def worst_case(arena: Arena, mask: Mask, player: int) -> Worst:
    """Retrograde analysis of the game in which ties too are settled against ``player``.

    It covers every state that play can reach, every reply and every tie; endless play is a draw.
    """
    mask = _total(arena, mask)
    source = arena.source
    kept = mask | (arena.mover[source] != player)
    first = np.zeros(len(arena.first), np.int64)
    np.cumsum(np.bincount(source[kept], minlength=len(arena.mover)), out=first[1:])
    target = arena.target[kept]
    ends = arena.mover < 0
    mover = np.where(ends, -1, 1 - player).astype(np.int8)
    value = np.where(ends, arena.value, 0).astype(np.int8)
    distance = np.full(len(mover), -1, np.int32)
    arena_kernels.backwards(first, target, mover, value, distance, ends.copy())
    sign = 1 if player == 0 else -1
    outcome, deserved = sign * int(value[0]), sign * int(arena.value[0])
    line: tuple[str, ...] = ()
    if outcome < deserved:
        line = _line(arena, kept, first, target, value, distance)
    return Worst(player, outcome, deserved, line)


def _line(
    arena: Arena,
    kept: Mask,
    first: NDArray[np.int64],
    target: NDArray[np.int32],
    value: NDArray[np.int8],
    distance: NDArray[np.int32],
) -> tuple[str, ...]:
    """The quickest play to the worst outcome (the line is cut where the game may never end)."""
    action = arena.action[kept]
    found, state = [], 0
    while first[state] < first[state + 1] and distance[state] > 0:
        span = range(int(first[state]), int(first[state + 1]))
        same = [m for m in span if value[target[m]] == value[0] and distance[target[m]] >= 0]
        move = min(same, key=lambda m: int(distance[target[m]]))
        found.append(arena.actions[int(action[move])])
        state = int(target[move])
    return tuple(found)


@compiled
def _sweep(first: Any, target: Any, weight: Any, ended: Any, win: Any, loss: Any) -> float:
    """One pass of value iteration, from the last state up; the greatest change."""
    change = 0.0
    for s in range(len(ended) - 1, -1, -1):
        if ended[s]:
            continue
        a = 0.0
        b = 0.0
        for m in range(first[s], first[s + 1]):
            a += weight[m] * win[target[m]]
            b += weight[m] * loss[target[m]]
        change = max(change, abs(a - win[s]), abs(b - loss[s]))
        win[s] = a
        loss[s] = b
    return change


def chances(arena: Arena, mask: Mask, player: int) -> Chances:
    """Dynamic programming: the strategy picks evenly among its moves, the opponent among all.

    States are numbered breadth first, so most games settle in a few sweeps; a game that can go
    on for ever is swept until nothing changes by more than 1e-13, and what never ends is a draw.
    """
    mask = _total(arena, mask)
    source = arena.source
    made = np.where(arena.mover[source] == player, mask, True).astype(float)
    weight = made / np.maximum(np.bincount(source, made, len(arena.mover)), 1.0)[source]
    ended = arena.mover < 0
    sign = 1 if player == 0 else -1
    win = (ended & (arena.value == sign)).astype(float)
    loss = (ended & (arena.value == -sign)).astype(float)
    for _ in range(_ROUNDS):
        if _sweep(arena.first, arena.target, weight, ended, win, loss) <= _CLOSE:
            break
    return Chances(float(win[0]), float(max(0.0, 1.0 - win[0] - loss[0])), float(loss[0]))
