"""Functions of digits as relations, each with the track ``z`` for its value.

What they mean is said in :class:`~icgsynth.digits.numeration.Numeration`.  An exclusive or, a
shifted and a shortened word need not be representations: their values are added up as vectors
(:mod:`icgsynth.prove.recheck.numbers`), and ``z`` is the representation with the same value.  A
word is accepted only where the values are the same, so there is one ``z`` at most; that there is
one for all arguments is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from icgsynth.prove.recheck.algebra import project, renamed
from icgsynth.prove.recheck.machine import Machine, Symbol, difference, explore
from icgsynth.prove.recheck.numbers import VALUE, Numbers, Vectors, add_gains, places


class Digits:
    """The automata of the functions of digits in one system, each built once."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._built: dict[tuple[str, int, int], Machine | None] = {}

    def function(self, kind: str, count: int, modulus: int) -> Machine | None:
        """Return the relation of arguments, on ``places(count)``, and values, on the track ``z``.

        ``kind`` names the function of digits; "nimsum" adds digits modulo ``modulus``.  None where
        there is no such function, or it could not be shown to have a value for all arguments."""
        key = kind, count, modulus
        if key not in self._built:
            machine = self._function(kind, count, modulus)
            if machine is not None and not self._is_total(machine):
                machine = None
            self._built[key] = machine
        return self._built[key]

    def _function(self, kind: str, count: int, modulus: int) -> Machine | None:
        match kind:
            case "nimsum":
                # The sum of the digits is not less than its remainder.
                return add_gains(
                    self._numbers, count, count, lambda _, column: (0, sum(column) % modulus)
                )
            case "shift" if count == 1:
                growth = Vectors(self._numbers.system).growth
                return add_gains(self._numbers, 1, growth, lambda _, column: (column[0], 0))
            case "unshift" if count == 1:
                # The digits still to come, and the last one read.
                digits = self._numbers.system.digits
                return add_gains(self._numbers, 1, digits, lambda last, _: (0, last), keeps=True)
            case "lowpart" if count == 1:
                return self._low_part()
        return None

    def _is_total(self, machine: Machine) -> bool:
        numbers = self._numbers
        arguments = [t for t in machine.tracks if t != VALUE]
        every = project(numbers.effort, machine, (VALUE,))
        return difference(every, numbers.tuples(arguments)) is None

    def _low_part(self) -> Machine:
        """Return pairs (x, z): z has a 1 at the last digit of x other than 0, else zeros."""
        tuples = self._numbers.tuples((*places(1), VALUE))

        def step(state: tuple[str, int]) -> Iterator[tuple[Symbol, tuple[str, int]]]:
            seen, place = state
            for (x, z), after in tuples.rows[place].items():
                if z == 0 and (seen != "last" or x == 0):
                    yield (x, z), ("some" if x else seen, after)
                elif z == 1 and x != 0 and seen != "last":
                    yield (x, z), ("last", after)

        def final(state: tuple[str, int]) -> bool:
            return tuples.accepting[state[1]] and state[0] != "some"

        return explore(self._numbers.effort, tuples.tracks, ("none", 0), step, final)

    # --- how many zeros a word ends in ------------------------------------------------------

    def zeros(self, track: str, count: int, modulus: int) -> Machine:
        """Return the numbers on ``track`` whose final zeros number ``count`` modulo ``modulus``."""
        return self._zeros(track, count.__eq__, lambda zeros: (zeros + 1) % modulus)

    def few_zeros(self, track: str, accepts: Callable[[int], bool], most: int) -> Machine:
        """Return the numbers on ``track`` for which ``accepts(min(final zeros, most))``."""
        return self._zeros(track, accepts, lambda zeros: min(zeros + 1, most))

    def _zeros(
        self, track: str, accepts: Callable[[int], bool], following: Callable[[int], int]
    ) -> Machine:
        numbers = self._numbers.tuples((track,))

        def step(state: tuple[int | None, int]) -> Iterator[tuple[Symbol, tuple[int | None, int]]]:
            zeros, place = state
            for (digit,), after in numbers.rows[place].items():
                if digit:
                    yield (digit,), (0, after)
                else:
                    yield (digit,), (None if zeros is None else following(zeros), after)

        def final(state: tuple[int | None, int]) -> bool:
            # The number 0 has no digits and so no zeros.
            return numbers.accepting[state[1]] and accepts(state[0] or 0)

        start: tuple[int | None, int] = None, 0
        return explore(self._numbers.effort, (track,), start, step, final)


def name_tracks(machine: Machine, arguments: Sequence[str], value: str) -> Machine:
    """Return the relation ``machine`` with its tracks called ``arguments`` and ``value``."""
    names = dict(zip(places(len(arguments)), arguments, strict=True))
    return renamed(machine, {**names, VALUE: value})
