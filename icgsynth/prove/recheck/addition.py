"""x + y = z and congruences as automata, each proved by induction from radix order alone.

Both are built directly (Frougny 1992; Bruyère, Hansel, Bertrand numeration systems and
recognizability, TCS 181, 1997), from the vectors of :mod:`icgsynth.prove.recheck.vectors`.

The proofs do not lean on that.  Radix order has 0 as its least element, and every representation
is reached from it by successors, so what holds at 0 and passes from each number to the next and
back holds for all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from icgsynth.prove.recheck.algebra import join, project, renamed
from icgsynth.prove.recheck.machine import Machine, Symbol, difference, explore
from icgsynth.prove.recheck.numbers import Numbers, places
from icgsynth.prove.recheck.vectors import Vector, Vectors

__all__ = ["Addition"]


class Addition:
    """Addition and congruences of one system, unproved until the methods ``*_holds`` say so."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._vectors = Vectors(numbers.system)
        self.sum = renamed(self._sum(), dict(zip(places(3), "xyz", strict=True)))

    # --- x + y = z --------------------------------------------------------------------

    def _sum(self) -> Machine:
        vectors, triples = self._vectors, self._numbers.tuples(places(3))

        @cache
        def is_lost(vector: Vector) -> bool:
            opposite = tuple(-v for v in vector)
            return vectors.is_positive(vector, 1) or vectors.is_positive(opposite, 2)

        def step(state: tuple[Vector, int]) -> Iterator[tuple[Symbol, tuple[Vector, int]]]:
            for (x, y, z), place in triples.rows[state[1]].items():
                moved = vectors.step(state[0], x + y - z)
                if not is_lost(moved):
                    yield (x, y, z), (moved, place)

        def final(state: tuple[Vector, int]) -> bool:
            return triples.accepting[state[1]] and vectors.worth(state[0]) == 0

        start = vectors.start, 0
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

    def congruence(self, factors: Vector, constant: int, modulus: int) -> Machine:
        """Where ``sum(factor * track) + constant`` is divisible: vectors modulo ``modulus``."""
        vectors, tuples = self._vectors, self._numbers.tuples(places(len(factors)))

        def step(state: tuple[Vector, int]) -> Iterator[tuple[Symbol, tuple[Vector, int]]]:
            for symbol, place in tuples.rows[state[1]].items():
                moved = vectors.step(state[0], sum(map(int.__mul__, factors, symbol)))
                yield symbol, (tuple(v % modulus for v in moved), place)

        def final(state: tuple[Vector, int]) -> bool:
            vector, place = state
            return tuples.accepting[place] and (vectors.worth(vector) + constant) % modulus == 0

        start = vectors.start, 0
        return explore(self._numbers.effort, tuples.tracks, start, step, final)

    def congruences_hold(self, factors: Vector, family: list[Machine]) -> bool:
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
