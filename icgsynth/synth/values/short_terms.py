"""Fit short terms to a Grundy function: sums, remainders, and xors of piles.

Terms are read off a sample of values; each fits the whole sample, and is a guess elsewhere.  For
one pile of which a player may leave any number from a certain one on, a box shows the window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Ints, distinct
from icgsynth.digits.numeration import base
from icgsynth.errors import Refused
from icgsynth.explicit.grundy_box import ValueSample
from icgsynth.explicit.labels import listed_moves
from icgsynth.game.game import ParametricGame
from icgsynth.game.value_forms import WindowValue
from icgsynth.logic import term as t
from icgsynth.logic.build import fold
from icgsynth.logic.simplify import linear_sum
from icgsynth.synth.checked import box_within

_WIDEST = 8  # largest block size in which piles are xored
_SHIFTS = (0, -1, 1)  # numbers added to a pile before it is xored
_MOST_SHIFTED = 3  # most piles that are shifted
_LONGEST_WALK = 5_000  # largest modulus


def short_terms(sample: ValueSample) -> Iterator[t.Term]:
    """Yield short terms that fit the value at each state of ``sample``, the simplest first."""
    seen: set[t.Term] = set()
    for term in _all_terms(sample):
        if term not in seen and sample.fits(term):
            yield term
        seen.add(term)


def _all_terms(sample: ValueSample) -> Iterator[t.Term]:
    yield t.Int(sample.highest)
    names = [t.Name(v) for v in sample.box.variables]
    piles: list[t.Term] = list(names)
    negative = np.atleast_1d((sample.states < 0).any(axis=0))
    if negative.any():
        yield from _linear(sample, piles)
        piles = [
            t.Abs(n) if below else n for n, below in zip(names, negative.tolist(), strict=True)
        ]
    yield from _linear(sample, piles)
    yield from _of_two(sample, piles)
    yield from _xors(piles)
    yield from (t.Digital("lowpart", (pile,), base(2)) for pile in piles)
    if sample.highest <= int(np.abs(sample.states).max(initial=0)).bit_length() + 1:
        yield from _zeros(piles)


def _linear(sample: ValueSample, piles: list[t.Term]) -> Iterator[t.Term]:
    """Yield the linear term over ``piles`` that neighbouring states suggest, and its remainder
    modulo the largest value plus 1."""
    slopes = []
    for i, pile in enumerate(piles):
        offset = np.zeros(len(piles), dtype=np.int64)
        offset[i] = 1
        up = sample.beside(offset)
        rows = np.flatnonzero((up >= 0) & (sample.meaning(pile) == sample.states[:, i]))
        if not len(rows):
            return
        slopes.append(up[rows] - sample.values[rows])
    modulus = sample.highest + 1
    plain = [int(slope[0]) for slope in slopes]
    yield _affine(sample, piles, plain, None)
    if 1 < modulus < _LONGEST_WALK:
        yield _affine(sample, piles, [_small(s, modulus) for s in plain], modulus)


def _small(number: int, modulus: int) -> int:
    rest = number % modulus
    return rest if 2 * rest <= modulus else rest - modulus


def _affine(
    sample: ValueSample, piles: list[t.Term], factors: list[int], modulus: int | None
) -> t.Term:
    """Return the sum of ``factors`` times ``piles`` and a constant that makes it right in the first
    state; modulo ``modulus`` unless that is None."""
    slopes = dict(zip(piles, factors, strict=True))
    here = int(sample.values[0] - sample.meaning(linear_sum(slopes, 0))[0])
    if modulus is None:
        return linear_sum(slopes, here)
    return t.Mod(linear_sum(slopes, here % modulus), t.Int(modulus))


def _of_two(sample: ValueSample, piles: list[t.Term]) -> Iterator[t.Term]:
    """Yield minimum, maximum and distance of two piles, plus a constant for the first state."""
    for i, one in enumerate(piles):
        for other in piles[:i]:
            distance = t.Abs(t.Sum((other, t.Neg(one))))
            for term in (t.Min(other, one), t.Max(other, one), distance):
                constant = int(sample.values[0] - sample.meaning(term)[0])
                yield fold(t.Sum((term, t.Int(constant)))) if constant else term


def _xors(piles: list[t.Term]) -> Iterator[t.Term]:
    """Yield xors of the piles: whole, in blocks of several, and shifted by small numbers."""
    if len(piles) < 2:
        return
    two = base(2)
    yield t.Digital("nimsum", tuple(piles), two)
    for block in range(2, _WIDEST + 1):
        high = t.Digital("nimsum", tuple(t.Div(pile, t.Int(block)) for pile in piles), two)
        yield t.Sum((t.Mul(t.Int(block), high), t.Mod(t.Sum(tuple(piles)), t.Int(block))))
    if len(piles) <= _MOST_SHIFTED:
        for shifts in product(_SHIFTS, repeat=len(piles) + 1):
            shifted = (linear_sum({p: 1}, s) for p, s in zip(piles, shifts[1:], strict=True))
            whole = t.Digital("nimsum", tuple(shifted), two)
            yield fold(t.Sum((whole, t.Int(shifts[0])))) if shifts[0] else whole


def _zeros(piles: list[t.Term]) -> Iterator[t.Term]:
    """Yield terms that count final zeros: of the sum of ``piles`` in a base, and of the bitwise or
    of two piles in base 2, each plus a number from -1 to 1."""
    whole = linear_sum(dict.fromkeys(piles, 1), 0)
    for shift in _SHIFTS:
        for radix in range(2, _WIDEST + 1):
            number = fold(t.Sum((whole, t.Int(shift)))) if shift else whole
            yield t.Digital("zeros", (number,), base(radix))
    if len(piles) != 2:
        return
    for inner, outer in product(_SHIFTS, repeat=2):
        # The binary or of a and b is half of a + b + (a xor b).
        digits = t.Digital("nimsum", tuple(linear_sum({p: 1}, inner) for p in piles), base(2))
        both = linear_sum({**dict.fromkeys(piles, 1), digits: 1}, 2 * (inner + outer))
        yield t.Digital("zeros", (t.Div(both, t.Int(2)),), base(2))


_BOUND = 240  # bound of the states from which a window is read
_MOST_MOVES = 2**20  # most moves of these states
_LARGEST = 24  # largest denominator of the part of a pile that may be left


def window(game: ParametricGame, budget: Budget) -> WindowValue | None:
    """Return for one pile, of which moves may leave any smaller number from a certain one on, the
    term of that number, as a box shows it; None for other games."""
    if len(game.variables) != 1:
        return None
    try:
        box = box_within(game, _BOUND)
        edges, barred = listed_moves(game, box, _MOST_MOVES, budget)
    except Refused:
        return None
    states = box.states[:, 0]
    if len(states) < 2 or barred.any() or (np.diff(states) != 1).any():
        return None
    low = states.copy()
    np.minimum.at(low, edges.source, states[edges.target])
    moves = distinct(edges.source.astype(np.int64) * len(states) + edges.target)
    counts = np.bincount(moves // len(states), minlength=len(states))
    if (counts != states - low).any() or (edges.target >= edges.source).any():
        return None
    variable, least = game.variables[0], int(states[0])
    term = _fitting(t.Name(variable), states, low)
    return None if term is None else WindowValue(variable, term, least)


def _fitting(variable: t.Name, states: Ints, low: Ints) -> t.Term | None:
    """Return a term ``(a * v + b) div c``, bounded by v or the least state if need be, equal to
    ``low`` at ``states``; None without one."""
    moving = low < states
    if not moving.any():
        return None
    for below in range(2, _LARGEST + 1):
        for above in range(1, below):
            rest = below * low[moving] - above * states[moving]
            first, last = int(rest.max()), int(rest.min()) + below - 1
            if first > last:
                continue
            offset = min(max(0, first), last)
            found = (above * states + offset) // below
            term = t.Div(linear_sum({variable: above}, offset), t.Int(below))
            least = int(states[0])
            if (found == low).all():
                return term
            if (np.minimum(found, states) == low).all():
                return t.Min(term, variable)
            if (np.maximum(found, least) == low).all():
                return t.Max(term, t.Int(least))
    return None
