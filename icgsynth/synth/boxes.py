"""Which boxes of states to label, to learn from and to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from icgsynth.game.game import ParametricGame
from icgsynth.logic.ranges import box_of

__all__ = ["bounds", "free", "sides"]

_LARGEST = (200, 5_000)  # constant of the rules that boxes reach past; for one unbounded variable
_MOVES = 100_000_000  # in the first box of many variables; more take some 10 s to list
_ENDLESS = 1_000_000  # a side as long as this counts as unbounded


def _whole(game: ParametricGame) -> list[tuple[int, int] | None]:
    """Each variable's range where the rules keep it small, else None."""
    ranges = box_of(game.legal, game.variables, _ENDLESS)
    most = {1: 4_000, 2: 60, 3: 24}.get(len(ranges), 10)
    return [s if s[1] - s[0] <= most else None for s in ranges]


def free(game: ParametricGame) -> list[int]:
    """Indices of the variables of which a box shows only a part."""
    return [i for i, side in enumerate(_whole(game)) if side is None]


def sides(game: ParametricGame, bound: int) -> tuple[tuple[int, int], ...]:
    """The box: small ranges whole, the others within ``[-bound, bound]``."""
    clipped = box_of(game.legal, game.variables, bound)
    return tuple(w or c for w, c in zip(_whole(game), clipped, strict=True))


def bounds(game: ParametricGame) -> Iterator[int]:
    """Half-widths of the boxes to learn from, rising; the check is on twice the width."""
    unbounded = len(free(game))
    if not unbounded:
        yield max(abs(end) for side in _whole(game) for end in side or (0,))
        return
    largest = min(_LARGEST[unbounded == 1], max(game.integers, default=0))
    start, grow = {1: (30, 3.0), 2: (30, 1.8), 3: (10, 1.6)}.get(unbounded, (6, 1.5))
    if unbounded == 1:
        start = max(start, 3 * largest + 10)
    elif unbounded == 2:
        start = min(60, max(start, largest + 6))
    if unbounded > 3 and _moves(game, 2 * start) > _MOVES:
        yield start // 2  # to label the larger box may take all the time there is
    for _ in range(4 if unbounded == 2 else 3):
        yield start
        start = int(start * grow)


def _moves(game: ParametricGame, bound: int) -> float:
    """About how many moves there are in the box: each parameter takes half of a side."""
    states = prod(hi - lo + 1 for lo, hi in sides(game, bound))
    return sum(states * (bound / 2) ** len(action.parameters) for action in game.actions)
