"""Minimisation of automata: those of equal languages get equal tables.

Moore's refinement on whole arrays.  Classes are split by 64-bit hashes of their rows; that two
states are equivalent is checked exactly at the end, and a collision starts again with others.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import distinct, ranks

Table = NDArray[np.int32]
Flags = NDArray[np.bool_]
Numbers = NDArray[np.signedinteger[Any]]


def minimised(
    delta: Table, accepting: Flags, start: int = 0, all_reached: bool = False
) -> tuple[Table, Flags]:
    """Return (table, accepting flags) of the minimal complete automaton, with the states numbered
    in breadth-first order from its initial state 0.  ``delta`` (states, symbols) and ``accepting``
    are the given one; ``all_reached`` says that all of its states can be reached from ``start``."""
    reached, flags, begin = delta, accepting, start
    if not all_reached:
        seen = _reach(delta, start)
        number = np.cumsum(seen) - 1
        reached, flags, begin = number[delta[seen]], accepting[seen], int(number[start])
    seed = 1
    classes = _classes(reached, flags, seed)
    while not _is_congruence(reached, flags, classes):
        seed += 2
        classes = _classes(reached, flags, seed)
    first = _firsts(classes)
    return renumbered(classes[reached[first]], flags[first], int(classes[begin]))


def reaching(delta: Table, accepting: Flags) -> Flags:
    """Return for each state whether an ``accepting`` one can be reached; ``delta`` is the table."""
    alive = accepting.copy()
    while True:
        # One step back a round, until nothing is added.
        wider = alive | alive[delta].any(axis=1)
        if (wider == alive).all():
            return alive
        alive = wider


def _reach(delta: Table, start: int) -> Flags:
    seen = np.zeros(len(delta), dtype=bool)
    seen[start] = True
    frontier = np.array([start])
    while frontier.size:
        found = np.zeros(len(delta), dtype=bool)
        found[delta[frontier]] = True
        frontier = np.flatnonzero(found & ~seen)
        seen |= found
    return seen


def _classes(delta: Numbers, accepting: Flags, seed: int) -> NDArray[np.int64]:
    """Return a class number for each state, shape (states,): equivalent states have equal numbers.
    ``seed`` chooses hashes, by which others may have them, too."""
    # The hashes may put two classes into one: :func:`_is_congruence` looks.
    weights = _random(delta.shape[1], seed)
    numbers = _random(len(delta) + 1, seed + 1)
    classes = accepting.astype(np.int64)
    count = len(distinct(classes))
    while True:
        # A state's hash: its own class, and those after each symbol.
        marks = numbers[classes]
        hashes = (marks[delta] * weights).sum(axis=1, dtype=np.uint64) + marks
        finer = ranks(hashes)
        found = int(finer.max()) + 1
        # Each round refines the classes of the round before; no more classes, no more rounds. Fewer
        # can only come from two hashes that are equal by accident: the finer ones before are kept.
        if found <= count:
            return classes if found < count else finer
        classes, count = finer, found


@cache
def _random(count: int, seed: int) -> NDArray[np.uint64]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2**64, size=count, dtype=np.uint64) | np.uint64(1)


def _firsts(classes: NDArray[np.int64]) -> NDArray[np.int64]:
    first = np.full(int(classes.max()) + 1, -1, dtype=np.int64)
    first[classes[::-1]] = np.arange(len(classes))[::-1]
    return first


def _is_congruence(delta: Numbers, accepting: Flags, classes: NDArray[np.int64]) -> bool:
    """Return whether any two states of one class, by ``classes`` (states,), agree in acceptance and
    in the class of the next state for each symbol."""
    like = _firsts(classes)[classes]
    same = (accepting == accepting[like]).all()
    return bool(same and (classes[delta] == classes[delta[like]]).all())


def renumbered(delta: Numbers, accepting: Flags, start: int = 0) -> tuple[Table, Flags]:
    """Return (table, accepting flags) of the automaton with its states numbered breadth-first from
    ``start``, so that equal automata look equal; other states are left out."""
    rows = delta.tolist()
    place = [-1] * len(rows)
    place[start] = 0
    order = [start]
    for state in order:
        for target in dict.fromkeys(rows[state]):
            if place[target] < 0:
                place[target] = len(order)
                order.append(target)
    return np.array(place)[delta[order]].astype(np.int32), accepting[order]
