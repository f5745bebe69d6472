"""Linear equations, inequalities and congruences as automata, in any of the systems.

One construction does for all (Frougny 1992; Bruyère and Hansel 1997).  After reading a prefix,
what the words say so far is ``s_0 U_i + s_1 U_(i-1) + ..`` where i digits are still to come, so
the integer vector s is all there is to remember; reading a digit is a linear step.  A vector
from which no continuation can change the answer becomes a sink.  For systems whose weights grow
like powers of a Pisot number finitely many others remain.

Whether a vector is a sink is decided in integers: its value at each of the next steps is
computed, and that it only moves away from there on follows by induction on the recurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, repeat
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.dfa import DFA, MAX_STATES, digits_of, explore_states, read_off, spread
from icgsynth.digits.int64 import WithinReach
from icgsynth.digits.minimise import Flags, Table
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused

Relation: TypeAlias = Literal["=", "<="]
_Vector: TypeAlias = tuple[int, ...]

_AHEAD = 24  # digits to come that are looked at before a vector is called a sink


@dataclass(frozen=True, eq=False)
class Reading:
    """A linear sum read digit by digit: for each symbol over sorted ``tracks``, what it adds.
    ``steps`` (symbols, order of the recurrence + 1): coefficients of U_(i+1), U_i, U_(i-1), ...
    for the column at position i.  :class:`~icgsynth.errors.Refused` where they have more than 62
    bits."""

    system: Numeration
    tracks: tuple[str, ...]
    steps: WithinReach

    def scaled(self, factor: int) -> Reading:
        return Reading(self.system, self.tracks, self.steps.times(factor))

    def plus(self, other: Reading) -> Reading:
        tracks = tuple(sorted({*self.tracks, *other.tracks}))
        return Reading(self.system, tracks, self._over(tracks).plus(other._over(tracks)))

    def _over(self, tracks: tuple[str, ...]) -> WithinReach:
        code = spread(self.system.digits, self.tracks, tracks)
        return self.steps.replace(self.steps.numbers[code])


def _reading(system: Numeration, tracks: tuple[str, ...], at: int, values: WithinReach) -> Reading:
    order = len(system.recurrence)
    steps = np.zeros((len(values.numbers), order + 1), dtype=np.int64)
    steps[:, at] = values.numbers
    return Reading(system, tracks, values.replace(steps))


def plain(system: Numeration, coefficients: Mapping[str, int]) -> Reading:
    """Return the sum of factor * number over {track: factor} in ``coefficients`` as a
    :class:`Reading`: what each column of digits in ``system`` adds to it."""
    tracks = tuple(sorted(t for t, c in coefficients.items() if c))
    columns = digits_of(system.digits, len(tracks))
    total = WithinReach.point(0, 1).replace(np.zeros(system.digits ** len(tracks), np.int64))
    for track, column in zip(tracks, columns, strict=True):
        total = total.plus(WithinReach(column, system.digits).times(coefficients[track]))
    return _reading(system, tracks, 1, total)


def read_shift(system: Numeration, track: str) -> Reading:
    """Return the number whose word in ``system`` is that of ``track`` with a 0 appended, as a
    :class:`Reading`: what each digit adds to it."""
    return _reading(system, (track,), 0, WithinReach(digits_of(system.digits, 1)[0], system.digits))


def read_digit_sum(system: Numeration, tracks: tuple[str, ...], modulus: int) -> Reading:
    """Return the number whose digits in ``system`` are the sums of the digits of ``tracks`` modulo
    ``modulus`` (:meth:`Numeration.nim_sum`) as a :class:`Reading`: what each column of digits adds
    to it.  ``tracks`` are sorted and different."""
    columns = digits_of(system.digits, len(tracks))
    added = WithinReach(columns.sum(axis=0), system.digits * len(tracks))
    return _reading(system, tracks, 1, added.modulo(modulus))


def linear(reading: Reading, relation: Relation, constant: int) -> DFA:
    """Return the automaton of the tuples whose linear sum ``reading`` is equal to ``constant``, or
    at most ``constant``, as ``relation`` says: "=" or "<="."""
    steps = reading.steps.numbers
    if relation == "=" and (steps[steps != 0][:1] < 0).any():  # of two equal equations one is built
        reading, constant = reading.scaled(-1), -constant
    return _atom(reading, (relation, constant), lambda: _linear(reading, relation, constant))


def _linear(reading: Reading, relation: Relation, constant: int) -> DFA:
    system = reading.system
    bounds = _Bounds.of(reading)
    goal = constant * bounds.scale

    @cache
    def settle(vector: _Vector) -> _Vector | None:
        """Return ``vector``; None if its value stays above the goal for ever, () if below."""
        if bounds.stays_above(vector, goal):
            return None
        return () if bounds.stays_below(vector, goal) else vector

    def accepts(vector: _Vector | None) -> bool:
        if vector is None:
            return False
        if vector == ():
            return relation == "<="
        value = bounds.value(vector, 0)
        return value == goal if relation == "=" else value <= goal

    return _explore(system, reading, settle, accepts)


def congruent(reading: Reading, modulus: int, residue: int) -> DFA:
    """Return the automaton of the tuples whose sum ``reading`` is ``residue`` modulo
    ``modulus``."""
    kind = ("mod", modulus, residue)
    return _atom(reading, kind, lambda: _congruent(reading, modulus, residue))


_atoms: dict[object, tuple[Table, Flags]] = {}  # by what is read; names do not matter
_MOST_ATOMS = 4_096  # automata that are kept


def _atom(reading: Reading, kind: tuple[object, ...], build: Callable[[], DFA]) -> DFA:
    """Return ``build()``, or the cached automaton of an earlier call with an equal ``kind`` and a
    ``reading`` that differs in the names of its tracks alone."""
    key = (reading.system, len(reading.tracks), reading.steps.numbers.tobytes(), kind)
    known = _atoms.get(key)
    if known is None:
        found = build()
        if len(_atoms) >= _MOST_ATOMS:
            _atoms.clear()
        known = _atoms[key] = (found.delta, found.accepting)
    return DFA(reading.system, reading.tracks, *known)


def _congruent(reading: Reading, modulus: int, residue: int) -> DFA:
    bounds = _Bounds.of(reading)
    whole = modulus * bounds.scale

    def settle(vector: _Vector) -> _Vector:
        # Values are multiplied by ``scale``: vectors modulo modulus * scale decide, so there are
        # finitely many.
        return tuple(x % whole for x in vector)

    def accepts(vector: _Vector | None) -> bool:
        wanted = residue * bounds.scale
        return vector is not None and (bounds.value(vector, 0) - wanted) % whole == 0

    return _explore(reading.system, reading, settle, accepts)


def _explore(
    system: Numeration,
    reading: Reading,
    settle: Callable[[_Vector], _Vector | None],
    accepts: Callable[[_Vector | None], bool],
) -> DFA:
    """Return the automaton whose states are the vectors reached from 0: coefficients of the weights
    U_i, U_(i-1), .., what the digits of ``reading`` so far add up to.  ``settle`` maps a vector to
    an equivalent one or to a sink, None or (); ``accepts`` tells which of them are accepting."""
    # Symbols that add one vector are one step; ``column`` spreads the table to all symbols again.
    different, column = np.unique(_settle_steps(system, reading.steps), axis=0, return_inverse=True)
    steps = [tuple(row) for row in different.tolist()]

    def after(vector: _Vector | None) -> Iterator[_Vector | None]:
        if vector is None or vector == ():
            yield from repeat(vector, len(steps))
            return
        moved = _advance(system, vector)
        for step in steps:
            yield settle(tuple(a + b for a, b in zip(moved, step, strict=True)))

    start = settle((0,) * len(system.recurrence))
    vectors, delta = explore_states(start, after, f"an atom in {system}", MAX_STATES)
    flags = np.array([accepts(vector) for vector in vectors])
    return read_off(system, reading.tracks, delta[:, column.reshape(-1)], flags)


def _settle_steps(system: Numeration, steps: WithinReach) -> NDArray[np.int64]:
    """Return ``steps`` (symbols, order + 1), coefficients of U_(i+1), U_i, .., as coefficients of
    U_i, U_(i-1), .. (symbols, order): the recurrence replaces U_(i+1)."""
    ahead = steps.replace(steps.numbers[:, :1])
    columns = [
        ahead.times(factor).plus(steps.replace(steps.numbers[:, i : i + 1])).numbers
        for i, factor in enumerate(system.recurrence, 1)
    ]
    return np.concatenate(columns, axis=1)


def _advance(system: Numeration, vector: _Vector) -> _Vector:
    """Return ``vector``, coefficients of the weights U_i, U_(i-1), .., as coefficients of U_(i-1),
    U_(i-2), .. by the recurrence."""
    # head U_i = head (c_1 U_(i-1) + c_2 U_(i-2) + ..) by the recurrence.
    head, rest = vector[0], (*vector[1:], 0)
    return tuple(c * head + r for c, r in zip(system.recurrence, rest, strict=True))


@dataclass(frozen=True)
class _Bounds:
    """Bounds on what further digits add.  All are multiplied by ``scale``, to stay integers.
    ``weights[i + order - 1]`` is U_i, for i from 1 - order on: the recurrence is read backwards
    below 0.  ``least[i]`` and ``most[i]`` bound what i more columns add; ``slowest`` and
    ``fastest`` by how much what a symbol adds grows from the last position but one to the last."""

    scale: int
    order: int
    weights: tuple[int, ...]
    least: tuple[int, ...]
    most: tuple[int, ...]
    slowest: int
    fastest: int
    alternates: bool  # the recurrence is U_i = a U_(i-1) - U_(i-2), a >= 2

    @staticmethod
    def of(reading: Reading) -> _Bounds:
        scale, weights = _weights_around(reading.system)
        order = len(reading.system.recurrence)
        least, most = [0], [0]
        added: list[Any] = []
        for i in range(_AHEAD):
            # The column at position i adds step[0] U_(i+1) + step[1] U_i + ...
            near = [weights[i + 1 - j + order - 1] for j in range(order + 1)]
            added.append(reading.steps.numbers.astype(object) @ np.array(near, dtype=object))
            least.append(least[-1] + min(0, int(added[-1].min(initial=0))))
            most.append(most[-1] + max(0, int(added[-1].max(initial=0))))
        # What one symbol adds at the last position but one and at the last: its growth, for _stays.
        grows = added[-1] - added[-2]
        recurrence = reading.system.recurrence
        alternates = order == 2 and recurrence[0] >= 2 and recurrence[1] == -1
        if not alternates and min(recurrence) < 0:
            raise Refused(f"the recurrence of {reading.system} has a negative coefficient")
        slowest, fastest = int(grows.min(initial=0)), int(grows.max(initial=0))
        adds = tuple(least), tuple(most)
        return _Bounds(scale, order, weights, *adds, slowest, fastest, alternates)

    def value(self, vector: _Vector, to_come: int) -> int:
        """Return the value of ``vector``, coefficients of weights, times ``scale``, if ``to_come``
        digits, all of them 0, still follow."""
        last = to_come + self.order - 1
        return sum(s * self.weights[last - j] for j, s in enumerate(vector))

    def stays_above(self, vector: _Vector, goal: int) -> bool:
        """Return whether no further digits bring the value of ``vector`` down to ``goal``."""
        return self._stays(vector, goal, self.least, 1)

    def stays_below(self, vector: _Vector, goal: int) -> bool:
        """Return whether no further digits bring the value of ``vector`` up to ``goal``."""
        return self._stays(vector, goal, self.most, -1)

    def _stays(self, vector: _Vector, goal: int, adds: tuple[int, ...], sign: int) -> bool:
        """Return whether the value of ``vector`` stays above ``goal``, or below for ``sign`` -1,
        whatever digits follow; ``adds[i]`` bounds what i digits add."""
        # The nearest value to ``goal`` is computed for the first numbers of digits to come.  For
        # the rest, take any one symbol: what the value changes by from one number of digits to the
        # next, the symbol read in between, obeys the recurrence of the weights.  Where that has no
        # negative coefficient, and as many of these changes in a row as it looks back on are not
        # negative for the worst symbols, hence for all, none is from there on.  Where it is x' = a
        # x - y, it is enough that the last change is not less than the one before, and that one not
        # negative: then so for ever.
        if sign * self.value(vector, 0) <= sign * goal:
            return False
        nearest = []
        for i in range(len(adds)):
            nearest.append(sign * (self.value(vector, i) + adds[i]))
            if nearest[-1] <= sign * goal:
                return False
        last = nearest[-self.order - 1 :]
        if not all(a <= b for a, b in pairwise(last)):
            return False
        if not self.alternates:
            return True
        values = [sign * self.value(vector, _AHEAD - back) for back in (2, 1, 0)]
        bends = values[2] - 2 * values[1] + values[0]
        return bends + (self.slowest if sign > 0 else -self.fastest) >= 0


@cache
def _weights_around(system: Numeration) -> tuple[int, tuple[int, ...]]:
    """Return (scale, weights): U_(1 - order) .. U_25 of ``system``, all multiplied by the scale, so
    that those below U_0, to which the recurrence is read backwards, are integers."""
    recurrence = system.recurrence
    order = len(recurrence)
    scale = abs(recurrence[-1]) ** (order - 1)
    known = [u * scale for u in system.weights(_AHEAD + 2)]
    for _ in range(order - 1):
        # U_(i-m) from U_i = c_1 U_(i-1) + .. + c_m U_(i-m), with i = the last known index + m.
        window = known[:order]
        rest = sum(c * window[order - 2 - j] for j, c in enumerate(recurrence[:-1]))
        value, remainder = divmod(window[order - 1] - rest, recurrence[-1])
        assert not remainder, "the scale makes these divisions exact"
        known.insert(0, value)
    return scale, tuple(known)
