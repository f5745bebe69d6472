"""Where the Grundy values that a term tells repeat along one variable, from some number on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, substitute, walk
from icgsynth.logic.evaluate import columns
from icgsynth.logic.ranges import is_product, ranges

_MOST_CASES = 16  # cases of the other variables that are listed
_MOST_TRIED = 10_000  # cases that are looked at, legal or not: some tenths of a second
_FARTHEST = 100_000  # number up to which values are computed to see a period: some 10 ms
_LONGEST = 2_000  # values that are listed

Ints = NDArray[np.int64]
_LINEAR = t.Int | t.Name | t.Sum | t.Neg | t.Mul
_PLAIN = _LINEAR | t.Mod | t.Div | t.If | t.Compare | t.Member | t.Truth | t.Not | t.And | t.Or


@dataclass(frozen=True)
class Period:
    """The values for the numbers ``first``, ``first`` + 1, .. of ``variable``, others ``given``.

    ``values`` has those before they repeat, ``preperiod`` of them, and one period.  Each later
    one is that a period before it, plus the ``saltus``.
    """

    variable: str
    given: Mapping[str, int]
    first: int
    preperiod: int
    period: int
    saltus: int
    values: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """As in an answer file; what is given only where there is another variable."""
        data: dict[str, Any] = {"given": dict(self.given)} if self.given else {}
        data |= {"first": self.first, "preperiod": self.preperiod, "period": self.period}
        return data | {"saltus": self.saltus, "values": list(self.values)}


def periods(term: t.Term | None, game: ParametricGame) -> tuple[Period, ...]:
    """One for each case of the variables that have few values; none where not all of them repeat.

    That values repeat follows from the form of the term: past all numbers that it compares the
    variable with, only remainders count.
    """
    ends = ranges(game.legal, game.variables, {})
    free = [name for name, (low, high) in ends.items() if low is None or high is None]
    if term is None or len(free) != 1 or not isinstance(first := ends[free[0]][0], int):
        return ()
    given_ends = [(low or 0, high or 0) for n, (low, high) in ends.items() if n != free[0]]
    if prod(high - low + 1 for low, high in given_ends) > _MOST_TRIED:
        return ()
    sides = [range(low, high + 1) for low, high in given_ends]
    others, found = [v for v in game.variables if v != free[0]], list[Period]()
    for numbers in product(*sides):
        given = dict(zip(others, numbers, strict=True))
        known = {name: t.Int(number) for name, number in given.items()}
        there = fold(substitute(game.legal, known))
        if there == t.FALSE:
            continue
        one = _of_case(free[0], given, first, fold(substitute(term, known)), there)
        if one is None or len(found) == _MOST_CASES:
            return ()
        found.append(one)
    return tuple(found)


def _of_case(
    name: str, given: Mapping[str, int], first: int, term: t.Term, legal: t.Formula
) -> Period | None:
    reach = _reach(term, name)
    if reach is None or (last := max(first, reach[0]) + 2 * reach[1]) > _FARTHEST:
        return None
    late, period = max(0, reach[0] - first), reach[1]
    numbers = np.arange(first, last + 1)
    env = {name: numbers}
    if not np.all(columns(legal, env)):  # a list would have gaps
        return None
    values = np.broadcast_to(columns(term, env), numbers.shape).astype(np.int64)
    for shorter in (p for p in range(1, period + 1) if period % p == 0):
        steps = values[shorter:] - values[:-shorter]
        saltus = int(steps[late])
        if (steps[late : late + period] == saltus).all():
            differs = np.flatnonzero(steps != saltus)
            start = int(differs[-1]) + 1 if len(differs) else 0
            shown = tuple(values[: start + shorter].tolist())
            is_short = len(shown) <= _LONGEST
            return Period(name, given, first, start, shorter, saltus, shown) if is_short else None
    return None


def _reach(term: t.Term, name: str) -> tuple[int, int] | None:
    """Return from which number on remainders by which number decide; None where that is unknown."""
    # The number itself is compared with numbers alone, and divided by numbers.
    parts = list(walk(term))
    rests = [part for part in parts if isinstance(part, t.Mod | t.Div)]
    inner = (node for rest in rests for node in walk(t.children(rest)[0]))
    is_linear = all(isinstance(node, _LINEAR) for node in inner)
    if not is_linear or not all(isinstance(node, _PLAIN) for node in parts):
        return None
    if not free_names(term) <= {name} or any(map(is_product, parts)):
        return None
    compared = [t.children(part) for part in parts if isinstance(part, t.Compare | t.Member)]
    numbers = [
        abs(side.value) + 1 for sides in compared for side in sides if isinstance(side, t.Int)
    ]
    for sides in compared:  # a remainder, or the variable, with numbers
        kinds = {type(side) for side in sides} - {t.Int}
        if len(kinds) > 1 or not kinds <= {t.Name, t.Mod}:
            return None
    divisors = (rest.divisor.value for rest in rests if isinstance(rest.divisor, t.Int))
    return max(numbers, default=0), lcm(*divisors)
