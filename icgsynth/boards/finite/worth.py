"""Judge a strategy in a solved game: its worst case, and its chances against random play.

A strategy is given as a mask over the moves of an arena: the moves it may make, any of them.
Opponents may make every move.  The arena must be raw: each move's target is the state itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.boards.finite.arena import Arena, settle_graph
from icgsynth.boards.finite.datalog import components
from icgsynth.boards.finite.look import Mask, kept_moves, odds
from icgsynth.errors import Refused

_MOST_EXACT = 50_000  # states at most for exact fractions: about a second
_MOST_BITS = 4_096  # bits of a fraction's denominator: 1,234 digits


@dataclass(frozen=True, slots=True)
class Worst:
    """The worst outcome of a strategy for ``player`` (0 moves first): 1 a win, 0 a draw, -1 a loss.

    ``deserved`` is the value of the start for that player; ``line`` the actions of a shortest
    play in which the strategy does worse than that, if there is one.
    """

    player: int
    outcome: int
    deserved: int
    line: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of a win, a draw and a loss against an opponent who moves at random.

    They are exact unless ``rounded``; what cannot happen has 0 either way.
    """

    win: Fraction
    draw: Fraction
    loss: Fraction
    rounded: bool = False

    def __str__(self) -> str:
        won, drawn, lost = map(show_chance, (self.win, self.draw, self.loss))
        return f"{won} won, {drawn} drawn, {lost} lost"

    def to_json(self) -> dict[str, Any]:
        """Return the chances as floats, and as exact ``fractions`` unless rounded."""
        named = {"win": self.win, "draw": self.draw, "loss": self.loss}
        numbers: dict[str, Any] = {name: float(chance) for name, chance in named.items()}
        exact = {} if self.rounded else {"fractions": {n: str(c) for n, c in named.items()}}
        return numbers | exact


def show_chance(chance: Fraction) -> str:
    """Format the probability ``chance`` with four decimals, but exact 0 and 1 as "0" and "1".  What
    would round to these is "below 0.0001" or "above 0.9999"."""
    if chance in (0, 1):
        return str(chance)
    digits = f"{float(chance):.4f}"
    return {"0.0000": "below 0.0001", "1.0000": "above 0.9999"}.get(digits, digits)


@dataclass(frozen=True, slots=True)
class Report:
    """The verdict on a strategy: by seat ``worst`` cases and chances; in ``right`` of ``states``
    before the end all its moves are optimal.
    """

    worst: tuple[Worst, ...]
    random: tuple[Chances, ...]
    right: int
    states: int

    @property
    def never_loses(self) -> bool:
        """Whether the strategy never loses as a player for whom the start is not lost."""
        return all(w.outcome >= 0 for w in self.worst if w.deserved >= 0)

    def says(self, roles: tuple[str, str], over: str = "") -> str:
        """Return in words as which of ``roles`` the strategy never loses, can lose, or starts lost.
        The text ``over`` follows "proved" and "shown", as in " over all states"."""
        told = []
        for safe in (True, False):
            seats = [w for w in self.worst if w.deserved >= 0 and (w.outcome >= 0) == safe]
            only = f" as {roles[seats[0].player]}" if len(seats) == 1 else ""
            if seats:
                how = f"never loses{only} (proved" if safe else f"can lose{only} (shown"
                told.append(f"{how}{over})")
        told += [f"as {roles[w.player]} the start is lost" for w in self.worst if w.deserved < 0]
        return "; ".join(told)

    def to_json(self, roles: tuple[str, str]) -> dict[str, Any]:
        """Return the report as JSON; what differs by player stands under the name in ``roles``."""
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
                role: chances.to_json() for role, chances in zip(roles, self.random, strict=False)
            },
            "right_states": self.right,
            "states": self.states,
        }


def report(arena: Arena, mask: Mask) -> Report:
    """Judge the strategy ``mask`` (m,) in ``arena``; Refused if a row stands for several states."""
    right, states = right_states(arena, mask)
    return Report(
        tuple(worst_case(arena, mask, seat) for seat in range(len(arena.players))),
        tuple(chances(arena, mask, seat) for seat in range(len(arena.players))),
        right,
        states,
    )


def _total(arena: Arena, mask: Mask) -> Mask:
    """Return ``mask`` (m,) with all moves of each state in which it has none; Refused if a row of
    ``arena`` stands for several states."""
    if len(arena.literal_images) > 1:
        raise Refused(f"{arena.name}: strategies are judged on raw states, without symmetry")
    if mask.shape != arena.target.shape:
        raise ValueError(f"a mask of {mask.shape} for {len(arena.target)} moves")
    source = arena.source
    some = np.zeros(len(arena.mover), bool)
    # A state in which the strategy keeps nothing: then any move may be made.
    some[source[mask]] = True
    full: Mask = mask | ~some[source]
    return full


def right_states(arena: Arena, mask: Mask) -> tuple[int, int]:
    """Return in how many states all moves of ``mask`` are optimal, and how many have a move.
    ``mask`` (m,) are the moves of a strategy; where it has none in a state, all are."""
    mask = _total(arena, mask)
    source = arena.source
    wrong = np.zeros(len(arena.mover), bool)
    wrong[source[mask & ~arena.optimal]] = True
    live = arena.mover >= 0
    return int((live & ~wrong).sum()), int(live.sum())


def worst_case(arena: Arena, mask: Mask, player: int) -> Worst:
    """Return the worst outcome for ``player``, who may make any moves of ``mask`` (m,).  Retrograde
    analysis covers every state, reply and tie; endless play is a draw."""
    kept, first, target = _keep(arena, mask, player)
    # The opponent chooses everywhere: in its turn, and among the moves that the strategy allows.
    mover = np.where(arena.mover < 0, -1, 1 - player).astype(np.int8)
    value, distance = settle_graph(first, target, mover, arena.value)
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
    """Return the actions of a shortest play from row 0 that ends with its value; () if none ends.
    The moves ``kept`` (m,) of ``arena`` lead to ``target[first[s]:first[s + 1]]`` in state s;
    ``value`` and ``distance`` (n,) are the solution of this graph."""
    action = arena.action[kept]
    found, state = [], 0
    while distance[state] > 0:
        span = range(int(first[state]), int(first[state + 1]))
        # Moves that keep the worst value and have a known distance; the quickest way down these.
        same = [m for m in span if value[target[m]] == value[0] and distance[target[m]] >= 0]
        move = min(same, key=lambda m: int(distance[target[m]]))
        found.append(arena.actions[int(action[move])])
        state = int(target[move])
    return tuple(found)


def _keep(arena: Arena, mask: Mask, player: int) -> tuple[Mask, NDArray[Any], NDArray[Any]]:
    """Return the moves left if ``player`` makes those of ``mask`` (m,) alone: as a mask (m,), and
    as arrays first and target: state s leads to ``target[first[s]:first[s + 1]]``."""
    kept = _total(arena, mask) | (arena.mover[arena.source] != player)
    return kept, *kept_moves(arena, kept)


def chances(arena: Arena, mask: Mask, player: int) -> Chances:
    """Return ``player``'s chances from row 0 if it picks at random in ``mask`` (of all moves where
    that has none), its opponent of all.  Exact where play must end, within 50,000 states and 1,234
    digits of denominators, else rounded; endless play is a draw.  Refused for folded states."""
    _, first, target = _keep(arena, mask, player)
    worth = arena.value if player == 0 else -arena.value
    exact = _exact(first, target, worth) if len(worth) <= _MOST_EXACT else None
    if exact is None:
        return _round_chances(first, target, worth)
    win, loss = exact
    return Chances(win, 1 - win - loss, loss)


def _exact(
    first: NDArray[Any], target: NDArray[Any], worth: NDArray[Any]
) -> tuple[Fraction, Fraction] | None:
    """Return the exact chances (win, loss) from row 0; None for a cycle or very long fractions.
    State s leads to each of ``target[first[s]:first[s + 1]]``; ``worth`` is 1, 0 or -1 at ends."""

    def after(state: int) -> list[int]:
        found: list[int] = target[first[state] : first[state + 1]].tolist()
        return found

    win: dict[int, Fraction] = {}
    loss: dict[int, Fraction] = {}
    for state, *others in components(after, [0]):
        there = after(state)
        if others or state in there:
            return None
        for chance, sign in ((win, 1), (loss, -1)):
            ahead = sum((chance[other] for other in there), Fraction(0))
            chance[state] = ahead / len(there) if there else Fraction(int(worth[state] == sign))
            if chance[state].denominator.bit_length() > _MOST_BITS:
                return None
    return win[0], loss[0]


def _round_chances(first: NDArray[Any], target: NDArray[Any], worth: NDArray[Any]) -> Chances:
    """Return rounded chances from row 0, with the sum 1: the greatest takes the rounding error.
    State s leads to each of ``target[first[s]:first[s + 1]]``; ``worth`` is 1, 0 or -1 at ends."""
    parts = [Fraction(float(chance)) for chance in odds(first, target, worth)[:, 0]]
    most = parts.index(max(parts))
    # Floats are fractions with powers of 2 below, so the sum is exact and the three add up to 1.
    parts[most] += 1 - sum(parts)
    win, draw, loss = parts
    return Chances(win, draw, loss, rounded=True)
