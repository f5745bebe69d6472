"""Which boxes of states a search labels, learns from and compares with."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from icgsynth.errors import Refused
from icgsynth.explicit.box import Box
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, free_names
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import box_of, sides_of

_LARGEST = (200, 5_000)  # constant of the rules that boxes reach past; for one unbounded variable
_MOVES = 100_000_000  # in the first box of many variables; more take some 10 s to list
_FAR = 100  # above the numbers of the rules, so that no formula is about it by chance
_ENDLESS = 1_000_000  # numbers of the rules as large as this are no part of a box


def _whole(game: ParametricGame) -> list[tuple[int, int] | None]:
    """Return each variable's range if the rules keep it small, else None."""
    # The range is one number where the rules treat all numbers alike.
    most = {1: 4_000, 2: 60, 3: 24}.get(len(game.variables), 10)
    sides = sides_of(game.legal, game.variables)
    small = [side if side and side[1] - side[0] <= most else None for side in sides]
    return [s or _alike(game, v) for v, s in zip(game.variables, small, strict=True)]


def _alike(game: ParametricGame, variable: str) -> tuple[int, int] | None:
    """A number of a variable that no rule reads or changes, far from the numbers of the rules."""
    effects = [effect for action in game.actions for effect in action.effects]
    read = [game.end, *(action.precondition for action in game.actions)]
    about = [part for part in conjuncts(game.legal) if variable in free_names(part)]
    if (
        any(v == variable and term != t.Name(variable) for v, term in effects)
        or any(variable in free_names(part) for part in read)
        or any(variable in free_names(term) for v, term in effects if v != variable)
        or any(free_names(part) != {variable} for part in about)
    ):
        return None
    first = _FAR + max((n for n in game.integers if n < _ENDLESS), default=0)
    for number in range(first, first + _FAR):
        for signed in (number, -number):
            if satisfies(conjunction(about), {variable: signed}):
                return signed, signed
    return None


def free(game: ParametricGame) -> list[int]:
    """Indices of the variables of which a box shows only a part."""
    return [i for i, side in enumerate(_whole(game)) if side is None]


def sides(game: ParametricGame, bound: int) -> tuple[tuple[int, int], ...]:
    """The box: small ranges whole, the others within ``[-bound, bound]``."""
    clipped = box_of(game.legal, game.variables, bound)
    return tuple(w or c for w, c in zip(_whole(game), clipped, strict=True))


def box_within(game: ParametricGame, bound: int) -> Box:
    """Return the states within :func:`sides` for ``bound``, to learn from.

    :class:`~icgsynth.errors.Refused` for one far from 0: there the rules are counted from another
    number first (:func:`icgsynth.game.counted.nearer`).
    """
    box = Box(game.variables, sides(game, bound), game.legal)
    if box.is_far:
        raise Refused("the states are too far from 0 to learn from")
    return box


def bounds(game: ParametricGame) -> Iterator[int]:
    """Half-widths of the boxes to learn from, rising; the check is on twice the width."""
    unbounded = len(free(game))
    if not unbounded:
        yield max(abs(end) for side in _whole(game) for end in side or (0,))
        return
    largest = min(_LARGEST[unbounded == 1], max(game.integers, default=0))
    start, grow = {1: (30, 4.0), 2: (30, 1.8), 3: (10, 1.6)}.get(unbounded, (6, 1.5))
    if unbounded == 1:
        start = max(start, 3 * largest + 10)
    elif unbounded == 2:
        start = min(60, max(start, largest + 6))
    if unbounded > 3 and _moves(game, 2 * start) > _MOVES:
        yield start // 2  # to label the larger box may take all the time there is
    for _ in range(4 if unbounded == 2 else 3):
        yield start
        start = int(start * grow)


def _moves(game: ParametricGame, bound: int) -> int:
    """About how many moves there are in the box: each parameter takes half of a side."""
    states = prod(hi - lo + 1 for lo, hi in sides(game, bound))
    counts = [len(action.parameters) for action in game.actions]
    return sum(states * bound**count // 2**count for count in counts)
