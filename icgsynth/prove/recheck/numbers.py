"""Tuples of representations, and radix order on them: what needs no arithmetic.

Sums of weights, read from the left, as vectors of integers.

While n columns are still to come, what the columns read are worth together is
``v_0 U_n + v_1 U_(n+1) + ..`` with integers v; a column is a linear step of v.  What is to come
is worth 0 .. U_n - 1 on each track (:mod:`icgsynth.prove.recheck.system`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from typing import TypeAlias

from icgsynth.digits.numeration import Numeration
from icgsynth.errors import TooLarge
from icgsynth.prove.recheck.algebra import FALSE, TRUE, but_not, join, project, renamed, union
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, explore
from icgsynth.prove.recheck.system import alternates, representations, weights

# --- vectors -------------------------------------------------------------------------------------

Vector: TypeAlias = tuple[int, ...]
_STEPS = 64  # how far a vector is followed before it is kept; any number is sound


class Vectors:
    """The vectors of integers that stand for prefixes of words in one system."""

    def __init__(self, system: Numeration) -> None:
        order = len(system.initial)
        self._recurrence = system.recurrence + (0,) * (order - len(system.recurrence))
        self._weights = weights(system, order)
        self.start = (0,) * order
        # No weight is more than this many times the one before it.
        ratios = [-(-v // u) for u, v in zip(self._weights, self._weights[1:], strict=False)]
        self.growth = max(sum(c for c in system.recurrence if c > 0), *ratios, 1)
        self._alternates = alternates(system)

    def step(self, vector: Vector, gained: int) -> Vector:
        """Return the vector after one more column, which adds ``gained`` times its weight."""
        top = vector[-1]
        moved = [top * c for c in reversed(self._recurrence)]
        moved[0] += gained
        return tuple(m + v for m, v in zip(moved, (0, *vector[:-1]), strict=True))

    def worth(self, vector: Vector) -> int:
        """Return ``v_0 U_0 + v_1 U_1 + ..``: what ``vector`` v is worth with no column to come."""
        return sum(v * u for v, u in zip(vector, self._weights, strict=True))

    def is_positive(self, vector: Vector, against: int) -> bool:
        """Return whether ``vector`` stays above 0, however many columns are to come, if each of
        ``against`` tracks takes at most U_n - 1 from it.

        For every n, w(n) + against > 0 for w = vector - against at U_n.  Once w(n) grows with n,
        the first value is the least."""
        rest = (vector[0] - against, *vector[1:])
        for _ in range(_STEPS):
            if self.worth(rest) + against <= 0:
                return False
            if self._grows(rest):
                return True
            rest = self.step(rest, 0)
        return False

    def _grows(self, vector: Vector) -> bool:
        """Return whether ``v_0 U_n + v_1 U_(n+1) + ..``, v the vector, never falls as n grows."""
        # The weights grow, so natural entries do.  Where the differences of the weights never fall,
        # v_0 (U_(n+1) - U_n) + v_1 (U_(n+2) - U_(n+1)) is at least v_0 + v_1 such differences if
        # v_1 is natural.
        if self._alternates:
            return vector[1] >= 0 and sum(vector) >= 0
        return min(vector) >= 0


# From the last digit kept and a column of digits at position i: what is gained of the weight
# U_(i+1) and what of U_i.
Gain: TypeAlias = Callable[[int, Symbol], tuple[int, int]]
VALUE = "z"


def add_gains(numbers: Numbers, count: int, most: int, gain: Gain, keeps: bool = False) -> Machine:
    """Return the tuples whose ``VALUE`` is the sum of what the columns of other numbers gain.

    These are ``count`` numbers, on the tracks ``places(count)``.  ``gain(last digit, column)`` says
    how often the next weight, and that of the column, is added; the last n columns gain at most
    ``most`` times U_n - 1.  With ``keeps`` the last digit is the first number's, else 0."""
    vectors, tuples = Vectors(numbers.system), numbers.tuples((*places(count), VALUE))

    @cache
    def is_lost(vector: Vector) -> bool:
        opposite = tuple(-v for v in vector)
        return vectors.is_positive(vector, 1) or vectors.is_positive(opposite, most)

    def step(state: tuple[Vector, int, int]) -> Iterator[tuple[Symbol, tuple[Vector, int, int]]]:
        vector, last, place = state
        for column, after in tuples.rows[place].items():
            early, now = gain(last, column[:-1])
            moved = vectors.step((vector[0] + early, *vector[1:]), now - column[-1])
            if not is_lost(moved):
                yield column, (moved, column[0] if keeps else 0, after)

    def final(state: tuple[Vector, int, int]) -> bool:
        return tuples.accepting[state[2]] and vectors.worth(state[0]) == 0

    return explore(numbers.effort, tuples.tracks, (vectors.start, 0, 0), step, final)


# --- numbers -------------------------------------------------------------------------------------

_COLUMNS = 1 << 16  # different columns of digits; more would fill the memory


def places(count: int) -> tuple[str, ...]:
    """Return ``count`` names of tracks, "000", "001", .., which sort as their numbers do."""
    return tuple(f"{i:03}" for i in range(count))


class Numbers:
    """The natural numbers of one system, and relations of them, as automata."""

    def __init__(self, system: Numeration, effort: Effort) -> None:
        self.system = system
        self.effort = effort
        self._tuples = [TRUE, representations(effort, system, places(1)[0])]

    def columns(self, count: int) -> Iterator[Symbol]:
        """Return all columns of ``count`` digits; raise :class:`TooLarge` if these are many."""
        if self.system.digits**count > _COLUMNS:
            raise TooLarge(f"{count} numbers in {self.system} at a time")
        return product(range(self.system.digits), repeat=count)

    def values(self, tracks: Sequence[str], word: Sequence[Symbol]) -> dict[str, int]:
        """Return by track the number that ``word``, columns of digits on ``tracks``, represents."""
        unit = weights(self.system, len(word))[::-1]
        return {
            track: sum(column[i] * u for column, u in zip(word, unit, strict=True))
            for i, track in enumerate(tracks)
        }

    def tuples(self, tracks: Collection[str]) -> Machine:
        """Return all tuples of numbers on ``tracks``; raise :class:`TooLarge` if these are many."""
        self.columns(len(tracks))
        while len(self._tuples) <= len(tracks):
            names = places(len(self._tuples))
            last = replace(self._tuples[1], tracks=names[-1:])
            self._tuples.append(join(self.effort, self._tuples[-1], last))
        return replace(self._tuples[len(tracks)], tracks=tuple(sorted(tracks)))

    def zero(self, track: str) -> Machine:
        """Return the automaton of the number 0 on ``track``: the words of zeros."""
        numbers = self.tuples((track,))

        def step(state: int) -> list[tuple[Symbol, int]]:
            return [(d, q) for d, q in numbers.rows[state].items() if d == (0,)]

        return explore(self.effort, (track,), 0, step, lambda q: numbers.accepting[q])

    def less(self, left: str, right: str) -> Machine:
        """Return the pairs of numbers with ``left`` before ``right`` in radix order."""
        pairs = self.tuples(places(2))

        def step(state: tuple[bool, int]) -> Iterator[tuple[Symbol, tuple[bool, int]]]:
            decided, place = state
            for (x, y), after in pairs.rows[place].items():
                if decided or x <= y:
                    yield (x, y), (decided or x < y, after)

        def final(state: tuple[bool, int]) -> bool:
            return state[0] and pairs.accepting[state[1]]

        machine = explore(self.effort, pairs.tracks, (False, 0), step, final)
        return renamed(machine, dict(zip(pairs.tracks, (left, right), strict=True)))

    def at_most(self, left: str, right: str) -> Machine:
        return but_not(self.effort, self.tuples((left, right)), self.less(right, left))

    def equal(self, left: str, right: str) -> Machine:
        return but_not(self.effort, self.at_most(left, right), self.less(left, right))

    def successor(self, left: str, right: str) -> Machine:
        """Return the pairs in which ``right`` is the next representation after ``left``."""
        between = join(self.effort, self.less(left, "between"), self.less("between", right))
        beyond = project(self.effort, between, ("between",))
        return but_not(self.effort, self.less(left, right), beyond)

    def next(self, machine: Machine, track: str) -> Machine:
        """Return the tuples of ``machine`` with each number on ``track`` replaced by the next."""
        stepped = join(self.effort, machine, self.successor(track, "next"))
        return renamed(project(self.effort, stepped, (track,)), {"next": track})

    def without_zero(self, machine: Machine, track: str) -> Machine:
        return but_not(self.effort, machine, self.zero(track))


class Logic:
    """Boolean operations on relations between the natural numbers of one system.
    Tracks may differ: one that is missing does not matter."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.effort = numbers.effort

    def both(self, parts: Iterable[Machine]) -> Machine:
        """Return the conjunction of all ``parts``; FALSE, and the rest unread, once it is empty."""
        result = TRUE
        for part in parts:
            result = join(self.effort, result, part)
            if result.is_empty:
                return FALSE
        return result

    def some(self, parts: Iterable[Machine]) -> Machine:
        """Return the disjunction of ``parts``, which may have different tracks."""
        result = FALSE
        for part in parts:
            if part == TRUE:
                return TRUE
            if not part.is_empty:
                result = part if result.is_empty else self._either(result, part)
        return result

    def negation(self, machine: Machine) -> Machine:
        rest = but_not(self.effort, self._numbers.tuples(machine.tracks), machine)
        return FALSE if rest.is_empty else rest

    def over(self, machine: Machine, tracks: Iterable[str]) -> Machine:
        """Return ``machine`` with all of ``tracks``; on those it lacks any number may stand."""
        missing = sorted(set(tracks) - set(machine.tracks))
        if not missing:
            return machine
        return join(self.effort, machine, self._numbers.tuples(missing))

    def _either(self, left: Machine, right: Machine) -> Machine:
        tracks = {*left.tracks, *right.tracks}
        return union(self.effort, self.over(left, tracks), self.over(right, tracks))
