"""Integers that matter modulo another only: 100 mod (n + 1), seen as 0, 1, 0, 0, 4, 2, ...

Such residues look like noise to a polynomial.  The number behind them is found with the Chinese
remainder theorem, and believed where the residues say clearly more than the number does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm, log2

from sympy.ntheory.modular import crt

from icgsynth.batch.family.fit import Fit
from icgsynth.batch.family.polynomial import Point, linear
from icgsynth.logic import term as t

__all__ = ["fit_residue"]

_SLOPES = (0, 1, -1, 2, -2, 3, -3)  # values of p, the plainest first
_SURPLUS = 10.0  # bits: residues by chance would fit so well once in a thousand times
_FEWEST = 4  # points


def fit_residue(
    points: Sequence[Point], moduli: Sequence[int], name: str, modulus: t.Term, inside: bool
) -> Fit | None:
    """``p * n + s``, whose residues modulo ``moduli`` are those of ``points``.

    It is made from a first part of the points, at least one less than all.  Where the integer
    stands ``inside`` a term that is read modulo ``modulus``, any number with the residue serves;
    elsewhere ``mod modulus`` is written.  None where no small ``p`` serves, or too little speaks
    for it; a modulus below 1, or an outside integer that is no residue, never fits.
    """
    if any(m < 1 or not (inside or 0 <= v < m) for (_, v), m in zip(points, moduli, strict=True)):
        return None
    for used in range(max(_FEWEST - 1, (len(points) + 1) // 2), len(points)):
        for slope in _SLOPES:
            rests = [v - slope * k for k, v in points[:used]]
            offset = _smallest(moduli[:used], rests)
            if offset is None or _surplus(moduli[:used], slope, offset) < _SURPLUS:
                continue
            term = linear(slope, offset, t.Name(name))
            exact = all(
                (slope * k + offset - v) % m == 0 for (k, v), m in zip(points, moduli, strict=True)
            )
            return Fit(term if inside else t.Mod(term, modulus), used, exact)
    return None


def _smallest(moduli: Sequence[int], rests: Sequence[int]) -> int | None:
    """The number nearest to 0 with these rests; None where there is none."""
    solved = crt(list(moduli), [rest % m for rest, m in zip(rests, moduli, strict=True)])
    if solved is None:
        return None
    number, period = int(solved[0]), lcm(*moduli)
    return number if 2 * number <= period else number - period


def _surplus(moduli: Sequence[int], slope: int, offset: int) -> float:
    """Bits that the residues say beyond those that choose slope and offset."""
    return sum(log2(m) for m in moduli) - log2(2 * abs(offset) + 1) - log2(2 * abs(slope) + 1)
