"""x + y = z and congruences as automata, each proved by induction from radix order alone.

Both are built directly (Frougny 1992; Bruyère, Hansel, Bertrand numeration systems and
recognizability, TCS 181, 1997).  While n columns are still to come, what the columns read are
worth together is ``v_0 U_n + v_1 U_(n+1) + ..`` with integers v; a column is a linear step of v.
What is to come is worth 0 .. U_n - 1 on each track (:mod:`icgsynth.recheck.system`).

The proofs do not lean on that.  Radix order has 0 as its least element, and every representation
is reached from it by successors, so what holds at 0 and passes from each number to the next and
back holds for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from icgsynth.recheck.algebra import join, project, renamed
from icgsynth.recheck.machine import Machine, Symbol, difference, explore
from icgsynth.recheck.numbers import Numbers, places
from icgsynth.recheck.system import weights

__all__ = ["Addition"]

_Vector: TypeAlias = tuple[int, ...]
_STEPS = 64  # how far a vector is followed before it is kept; any number is sound


class Addition:
    """Addition and congruences of one system, unproved until the methods ``*_holds`` say so."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        system = numbers.system
        order = len(system.initial)
        self._recurrence = system.recurrence + (0,) * (order - len(system.recurrence))
        self._weights = weights(system, order)
        self.sum = renamed(self._sum(), dict(zip(places(3), "xyz", strict=True)))

    def _step(self, vector: _Vector, gained: int) -> _Vector:
        """``vector`` read one position further right, and ``gained`` more of that weight."""
        top = vector[-1]
        moved = [top * c for c in reversed(self._recurrence)]
        moved[0] += gained
        return tuple(m + v for m, v in zip(moved, (0, *vector[:-1]), strict=True))

    def _worth(self, vector: _Vector) -> int:
        return sum(v * u for v, u in zip(vector, self._weights, strict=True))

    # --- x + y = z --------------------------------------------------------------------

    def _is_positive(self, vector: _Vector, against: int) -> bool:
        """Whether ``vector`` stays positive for every n when ``against`` tracks, each worth at
        most U_n - 1, are taken off: w(n) + against > 0 for w = vector - against at U_n.

        Once all entries of w, written over U_n .. for a larger n, are natural, w(n) grows with n,
        for the weights do: from there on the first value is the least.
        """
        rest = (vector[0] - against, *vector[1:])
        for _ in range(_STEPS):
            if self._worth(rest) + against <= 0:
                return False
            if min(rest) >= 0:
                return True
            rest = self._step(rest, 0)
        return False

    def _sum(self) -> Machine:
        triples = self._numbers.tuples(places(3))

        @cache
        def is_lost(vector: _Vector) -> bool:
            opposite = tuple(-v for v in vector)
            return self._is_positive(vector, 1) or self._is_positive(opposite, 2)

        def step(state: tuple[_Vector, int]) -> Iterator[tuple[Symbol, tuple[_Vector, int]]]:
            for (x, y, z), place in triples.rows[state[1]].items():
                moved = self._step(state[0], x + y - z)
                if not is_lost(moved):
                    yield (x, y, z), (moved, place)

        def final(state: tuple[_Vector, int]) -> bool:
            return triples.accepting[state[1]] and self._worth(state[0]) == 0

        start = (0,) * len(self._weights), 0
        return explore(self._numbers.effort, triples.tracks, start, step, final)

    def sum_holds(self) -> bool:
        """Whether ``sum`` is addition, by induction on y.

        x + 0 = z iff x = z; and (x, y', z') with y' > 0 is in the relation iff (x, y, z) is for
        the numbers before y' and z'.  So it is total and functional, for the successor is.
        """
        numbers = self._numbers
        with_zero = join(numbers.effort, self.sum, numbers.zero("y"))
        base = project(numbers.effort, with_zero, ("y",))
        stepped = numbers.next(numbers.next(self.sum, "y"), "z")
        return (
            difference(base, numbers.equal("x", "z")) is None
            and difference(stepped, numbers.without_zero(self.sum, "y")) is None
        )

    # --- congruences ----------------------------------------------------------------------

    def congruence(self, factors: _Vector, constant: int, modulus: int) -> Machine:
        """Where ``sum(factor * track) + constant`` is divisible: vectors modulo ``modulus``."""
        tuples = self._numbers.tuples(places(len(factors)))

        def step(state: tuple[_Vector, int]) -> Iterator[tuple[Symbol, tuple[_Vector, int]]]:
            for symbol, place in tuples.rows[state[1]].items():
                moved = self._step(state[0], sum(map(int.__mul__, factors, symbol)))
                yield symbol, (tuple(v % modulus for v in moved), place)

        def final(state: tuple[_Vector, int]) -> bool:
            vector, place = state
            return tuples.accepting[place] and (self._worth(vector) + constant) % modulus == 0

        start = (0,) * len(self._weights), 0
        return explore(self._numbers.effort, tuples.tracks, start, step, final)

    def congruences_hold(self, factors: _Vector, family: list[Machine]) -> bool:
        """Whether ``family[c]`` is the congruence with the constant c, for every remainder c.

        By induction on the sum of the numbers: zeros alone are in ``family[0]`` alone; and a
        tuple with x' > 0 on a track is in ``family[c]`` iff the one with the number before x'
        is in ``family[c + factor]``.
        """
        numbers, modulus = self._numbers, len(family)
        if any(m.accepting[0] != (c == 0) for c, m in enumerate(family)):
            return False
        return all(
            difference(
                numbers.next(family[(c + factor) % modulus], track),
                numbers.without_zero(machine, track),
            )
            is None
            for c, machine in enumerate(family)
            for track, factor in zip(machine.tracks, factors, strict=True)
        )
