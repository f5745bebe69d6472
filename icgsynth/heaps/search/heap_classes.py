"""Periods of heaps of several numbers, all but one of which take a few values.

In Kayles on a circle a heap is a number of pins and 0 or 1, for a row or a circle.  The values of
the rows are one sequence, those of the circles another; where all seem to repeat, the values are a
term with a case for each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import product

import numpy as np

from icgsynth.budget import Budget
from icgsynth.game.game import State
from icgsynth.heaps.rules.heap_rows import GamePeriod
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import NO_HEAP
from icgsynth.heaps.search.heap_values import HeapValues
from icgsynth.heaps.search.nim_periods import seen_on_heaps
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.ranges import ranges
from icgsynth.synth.values.pieces import among

_MOST = 8  # sequences, one for each choice of the other numbers

Periods = Mapping[tuple[tuple[str, int], ...], GamePeriod]
"""A sequence for each choice of the variables that take a few values, by their names."""


def periods_seen(game: HeapGame, table: HeapValues, count: int, budget: Budget) -> Periods:
    """Return a period, seen and not proved, for each choice of the variables that take a few
    values.

    ``table`` computes the values where the other variable is below ``count``. {} if one of the
    sequences shows none. Refused where play may come back, or a heap has too many moves.
    """
    long, sides = long_and_few(game)
    if not long:
        return {}
    found = dict[tuple[tuple[str, int], ...], GamePeriod]()
    for chosen in product(*sides.values()):
        few = tuple(zip(sides, chosen, strict=True))
        heaps = ({**dict(few), long: n} for n in range(count))
        states = [tuple(heap[name] for name in game.variables) for heap in heaps]
        values = np.array([_value(game, table, state, budget) for state in states], np.int64)
        if (values == NO_HEAP).all():
            continue
        # One sequence without a period, and no term is the value.
        if (shift := seen_on_heaps(values)) is None:
            return {}
        cut = values[: shift.start + shift.step]
        found[few] = GamePeriod(game, shift.start, shift.step, cut, saltus=shift.rise)
    return found


def long_and_few(game: HeapGame) -> tuple[str, dict[str, range]]:
    """Return the only unbounded variable, and the range of each other one; "" and {} if several are
    unbounded, or the others have more than 8 choices."""
    bounds = ranges(game.legal, game.variables, {})
    long = [name for name, (_, high) in bounds.items() if high is None]
    sides, count = dict[str, range](), 1
    for name, (low, high) in bounds.items():
        if isinstance(low, int) and isinstance(high, int):
            sides[name] = range(low, high + 1)
            count *= len(sides[name])
    is_so = len(long) == 1 and len(sides) == len(game.variables) - 1 > 0 and 0 < count <= _MOST
    return (long[0], sides) if is_so else ("", {})


def as_term(game: HeapGame, periods: Periods) -> t.Term:
    """Return the values in ``periods``, which is not empty, as one term in the heap's numbers."""
    long = t.Name(long_and_few(game)[0])
    (_, last), *rest = periods.items()
    said = _of_sequence(long, last)
    for few, period in rest:
        here = conjunction(t.compare(t.Name(name), "=", number) for name, number in few)
        said = t.If(here, _of_sequence(long, period), said)
    return said


def _of_sequence(long: t.Name, period: GamePeriod) -> t.Term:
    """Return the value of heap ``long`` by ``period``: a term with a case for each value, the most
    frequent one last."""
    early, late = defaultdict[t.Term, list[int]](list), defaultdict[t.Term, list[int]](list)
    for heap, value in enumerate(period.values.tolist()):
        if value == NO_HEAP:
            continue
        if heap < period.preperiod:
            early[t.Int(value)].append(heap)
        else:
            late[_risen(long, period, heap)].append(heap % period.period)

    def where(value: t.Term) -> t.Formula:
        few = [among(long, early[value])] if value in early else []
        if value in late:
            residue = among(t.Mod(long, t.Int(period.period)), sorted(late[value]))
            few.append(conjunction((t.compare(long, ">=", period.preperiod), residue)))
        return disjunction(few)

    # The last value needs no condition: the longest one is spared.
    values = dict.fromkeys([*early, *late])
    *first, said = sorted(values, key=lambda v: len(early.get(v, ())) + len(late.get(v, ())))
    for value in first:
        said = t.If(where(value), value, said)
    return said


def _risen(long: t.Name, period: GamePeriod, heap: int) -> t.Term:
    """Return the value of heap ``long`` as a term, if it is ``heap`` plus whole periods."""
    value = t.Int(int(period.values[heap]))
    if not period.saltus:
        return value
    periods = t.Div(t.Sum((long, t.Int(-heap))), t.Int(period.period))
    return t.Sum((t.Mul(t.Int(period.saltus), periods), value))


def _value(game: HeapGame, table: HeapValues, heap: State, budget: Budget) -> int:
    return table.value(heap, budget) if game.is_legal(heap) else NO_HEAP
