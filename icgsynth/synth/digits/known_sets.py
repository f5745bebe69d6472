"""Formulas that are tried before anything is learned, in each numeration system."""

from __future__ import annotations

import numpy as np

from icgsynth.digits.arrays import Flags
from icgsynth.digits.numeration import Numeration
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction

_FEWEST = 9  # losing states that a formula has to explain


def said_at_once(
    system: Numeration, variables: tuple[str, ...], losing: Flags, known: Flags
) -> t.Formula | None:
    """A formula for the cells of ``losing`` among the ``known`` ones; None if there is none.

    ``y = shift(x) and zeros(x) mod 2 = 0``, or with x and y in each other's place: the pairs that
    Wythoff's game and Fraenkel's generalisations lose at.
    """
    if losing.ndim != 2 or np.count_nonzero(losing) < _FEWEST or len(system.recurrence) < 2:
        return None
    said: set[tuple[int, int]] = set()
    for n in range(len(losing)):
        if system.zeros(n) % 2 == 0 and (after := system.shift(n)) < len(losing):
            for pair in ((n, after), (after, n)):
                if known[pair] and not losing[pair]:
                    return None
                said.add(pair)
    if sum(bool(known[pair]) for pair in said) != np.count_nonzero(losing & known):
        return None
    x, y = map(t.Name, variables)
    return disjunction((_shifted(system, x, y), _shifted(system, y, x)))


def _shifted(system: Numeration, x: t.Name, y: t.Name) -> t.Formula:
    zeros = t.Mod(t.Digital("zeros", (x,), system, 2), t.Int(2))
    shift = t.Digital("shift", (x,), system, 2)
    return conjunction((t.Compare((y, shift), ("=",)), t.Compare((zeros, t.Int(0)), ("=",))))
