"""Solve games in which all plays from a state are equally long: the parity of the length decides.

The length is computed in a box, and expressed as a minimum of sums, as ``min(a + c, b + d)``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import product

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.errors import Refused
from icgsynth.explicit.box import LENGTHS, Box
from icgsynth.explicit.labels import listed_moves
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.logic.evaluate import columns
from icgsynth.logic.simplify import linear_sum
from icgsynth.synth.checked import Run, box_within, free
from icgsynth.synth.linear.literals import linear_term

_SIDES = {1: 60, 2: 24, 3: 10, 4: 6, 5: 4}  # bound of the box, by number of unbounded variables
_LARGEST = 20  # largest divisor of a sum
_MOST_SUMS = 3  # most sums in a minimum


def length_formulas(game: ParametricGame, run: Run) -> Iterator[t.Formula]:
    """Yield at most one formula of the losing states: that the length of play, a term read off a
    box in which all plays from a state are equally long, is even (under misère odd)."""
    side = _SIDES.get(len(free(game)))
    if side is None:
        return
    try:
        box = box_within(game, side)
        lengths = play_lengths(game, box, run.budget)
    except Refused:
        return
    if lengths is None or not lengths.any():
        return
    length = _least_of_sums(game, box, lengths)
    if length is not None:
        lost = t.Int(1 if run.rule == "misere" else 0)
        yield t.compare(t.Mod(length, t.Int(2)), "=", lost)


def play_lengths(game: ParametricGame, box: Box, budget: Budget) -> Ints | None:
    """Return (n,) for each state of ``box`` the number of moves of all plays from it; None where
    two plays from a state differ in length, or a move leads out of the box."""
    # Raises as :func:`~icgsynth.explicit.labels.listed_moves` does.
    edges, barred = listed_moves(game, box, LENGTHS.moves, budget)
    degrees = edges.out_degrees()
    lengths = np.where((degrees == 0) & ~barred, 0, -1)
    for length in range(1, len(lengths) + 1):
        budget.check()
        into = np.bincount(edges.source[lengths[edges.target] == length - 1], minlength=box.size)
        before = into > 0
        if (into != degrees)[before].any() or barred[before].any():
            return None  # another play from this state is shorter or longer
        lengths[before] = length
        if not before.any():
            break
    return lengths if (lengths >= 0).all() else None


def _least_of_sums(game: ParametricGame, box: Box, lengths: Ints) -> t.Term | None:
    """Return a term ``min(s, t, ..)`` of a few sums with constants that equals ``lengths`` (n,) in
    the states of ``box``; None if none is found."""
    env = dict(zip(box.variables, box.states.T, strict=True))
    tight: dict[t.Term, Flags] = {}
    for form in _sums(game):
        above = columns(form, env) - lengths
        term = linear_sum({form: 1}, -int(above.min()))
        tight[term] = above == above.min()
    chosen: list[t.Term] = []
    open_ = np.ones(len(lengths), bool)
    while open_.any() and len(chosen) < _MOST_SUMS:
        best = max(tight, key=lambda term: (int((tight[term] & open_).sum()), -size(term)))
        if not (tight[best] & open_).any():
            return None
        chosen.append(best)
        open_ &= ~tight[best]
    return None if open_.any() else reduce(t.Min, sorted(chosen, key=str))


def _sums(game: ParametricGame) -> Iterator[t.Term]:
    """Yield the sums of some variables, and those divided by integers of the rules."""
    divisors = sorted(c for c in game.integers if 1 < c <= _LARGEST)
    for picked in product((0, 1), repeat=len(game.variables)):
        if any(picked):
            whole = linear_term(picked, game.variables)
            yield whole
            yield from (t.Div(whole, t.Int(c)) for c in divisors)
