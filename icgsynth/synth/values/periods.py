"""Fit terms by cases to Grundy values that are ultimately periodic along one variable.

The period is read off the values of a box, for each case of the other variables, and is a guess
outside the box.  Values may grow by a constant in each period: ``g(n + 4) = g(n) + 4``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from icgsynth.digits.arrays import Ints
from icgsynth.explicit.grundy_box import BoxValues
from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import sides_of
from icgsynth.logic.simplify import linear_sum
from icgsynth.synth.linear.quotient import ultimate_period
from icgsynth.synth.values.pieces import among

_MOST_CASES = 16  # most cases of the other variables
_MOST_EXCEPTIONS = 1_000  # most values before the periodic ones
_REPEATS = 3  # full periods that have to be seen beyond the first


def periodic(game: ParametricGame, found: BoxValues) -> t.Term | None:
    """Return a term, periodic in one variable for each case of the others, that fits all values
    ``found`` in a box, or a list of these if all legal states are in it; None if there is none."""
    box, sides = found.box, sides_of(game.legal, game.variables)
    along = max(range(len(sides)), key=lambda i: (sides[i] is None, box.shape[i]))
    others = [side for i, side in enumerate(sides) if i != along]
    if not box.size or None in others or box.size > box.shape[along] * _MOST_CASES or box.is_far:
        return None
    name = t.Name(game.variables[along])
    rest = [t.Name(v) for i, v in enumerate(game.variables) if i != along]
    cases, case_of = np.unique(np.delete(box.states, along, axis=1), axis=0, return_inverse=True)
    if len(cases) > _MOST_CASES:
        return None
    terms: dict[t.Term, list[t.Formula]] = {}
    for i, case in enumerate(cases.tolist()):
        rows = np.flatnonzero(case_of.ravel() == i)
        term = _of_case(name, box.states[rows, along], found.values[rows], sides[along] is not None)
        if term is None:
            return None
        here = conjunction(t.compare(v, "=", n) for v, n in zip(rest, case, strict=True))
        terms.setdefault(term, []).append(here)
    (whole, _), *more = sorted(terms.items(), key=lambda item: -len(item[1]))
    for term, where in more:
        whole = t.If(disjunction(where), term, whole)
    return whole


def _of_case(name: t.Name, numbers: Ints, values: Ints, is_all: bool) -> t.Term | None:
    """Return a term that has the ``values`` (n,), -1 for unknown, at the ``numbers`` (n,), and is
    periodic from some number on; None without one.  ``is_all``: no other numbers are legal."""
    unknown = np.flatnonzero(values < 0)
    if len(unknown):  # these values depend on states outside the box
        numbers, values, is_all = numbers[: unknown[0]], values[: unknown[0]], False
    if len(numbers) < 2 and not is_all:
        return None
    first = int(numbers[0])
    placed = np.full(int(numbers[-1]) - first + 1, -1)
    placed[numbers - first] = values
    fit = ultimate_period(placed, _REPEATS, rises=bool((placed >= 0).all()))
    if fit is None and not is_all:
        return None
    start, period, saltus = fit or (len(placed), 1, 0)
    base = values - saltus * (numbers // period)
    later = numbers - first >= start
    least = int(base[later].min(initial=0))
    shown = _by_value((base - least)[later], numbers[later] % period)
    term = _choose(t.Mod(name, t.Int(period)), shown)
    if saltus or least:
        grown = t.Div(name, t.Int(period)) if period > 1 else name
        parts = {grown: saltus} | ({} if term == t.Int(0) else {term: 1})
        term = linear_sum(parts, least)
    said = np.broadcast_to(columns(term, {name.name: numbers}), values.shape)
    wrong = np.flatnonzero(said != values)
    if len(wrong) > _MOST_EXCEPTIONS:
        return None
    for value, where in _by_value(values[wrong], numbers[wrong]).items():
        term = t.If(among(name, where), t.Int(value), term)
    return term


def _by_value(values: Ints, numbers: Ints) -> dict[int, list[int]]:
    """Return for each of ``values`` (n,) the list of those ``numbers`` (n,) that have it."""
    found = np.unique(values).tolist()
    return {value: np.unique(numbers[values == value]).tolist() for value in found}


def _choose(rest: t.Term, numbers: Mapping[int, list[int]]) -> t.Term:
    """Return a term of value v where ``rest`` is one of ``numbers[v]``: a quotient or cases."""
    width = len(numbers.get(0, ()))
    is_quotient = all(n // max(width, 1) == v for v, ns in numbers.items() for n in ns)
    if width > 1 and len(numbers) > 2 and is_quotient:
        return t.Div(rest, t.Int(width))
    (last, _), *others = sorted(numbers.items(), key=lambda item: -len(item[1])) or [(0, [])]
    term: t.Term = t.Int(last)
    for value, where in sorted(others, reverse=True):
        term = t.If(among(rest, where), t.Int(value), term)
    return term
