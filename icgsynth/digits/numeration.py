"""Numeration systems: natural numbers as words of digits, most significant digit first.

Position i, counted from the right, weighs ``U_i``; the weights obey a linear recurrence.
Which words are representations a finite automaton says, and each natural number has exactly
one of them, but for leading zeros.  Base k, Zeckendorf's system (Fibonacci numbers) and the
systems of Ostrowski and Parry are instances: see Frougny, Representations of numbers and
finite automata, Math. Systems Theory 25 (1992).

Plain integers only: players and exported programs use this without numpy.  That a system is
one is proved in :mod:`icgsynth.prove.automata.arithmetic`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import takewhile, zip_longest
from typing import Any

from icgsynth.errors import InputError


@dataclass(frozen=True)
class Numeration:
    """A numeration system, with the weights ``U_i = recurrence[0] U_(i-1) + ...``.  Digits are 0 ..
    ``digits`` - 1.  ``transitions[q][d]`` and ``accepting[q]`` are an automaton with initial state
    0 that accepts the representations, leading zeros allowed."""

    name: str
    recurrence: tuple[int, ...]
    initial: tuple[int, ...]
    digits: int
    transitions: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    _weights: list[int] = field(init=False, default_factory=list, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._weights.extend(self.initial)

    def __str__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def weight(self, position: int) -> int:
        """Return the weight ``U_position``; positions count from 0 at the right."""
        while len(self._weights) <= position:
            last = self._weights[: -len(self.recurrence) - 1 : -1]
            self._weights.append(sum(c * u for c, u in zip(self.recurrence, last, strict=True)))
        return self._weights[position]

    def weights(self, count: int) -> tuple[int, ...]:
        """Return the weights ``U_0 .. U_(count - 1)``."""
        self.weight(count)
        return tuple(self._weights[:count])

    def __reduce__(self) -> tuple[type[Numeration], tuple[object, ...]]:
        """Return what pickle needs, without the weights: another process computes its own."""
        kept = self.name, self.recurrence, self.initial, self.digits
        return Numeration, (*kept, self.transitions, self.accepting)

    def to_json(self) -> dict[str, Any]:
        """Return the system as JSON, with weights and automaton, for readers without its name."""
        accepting = [state for state, accepts in enumerate(self.accepting) if accepts]
        rows = [list(row) for row in self.transitions]
        return {
            "name": self.name,
            "recurrence": list(self.recurrence),
            "initial": list(self.initial),
            "digits": self.digits,
            "valid": {"transitions": rows, "accepting": accepting},
        }

    def representation(self, number: int) -> tuple[int, ...]:
        """Return the digits of ``number``, highest first, by the greedy algorithm; () for 0."""
        if number < 0:
            raise ValueError(f"only natural numbers have a representation, not {number}")
        if number == 0:
            return ()
        if (self.recurrence, self.initial) == ((2,), (1,)):  # many times faster than divisions
            return tuple(map(int, f"{number:b}"))
        return _greedy(self, number)

    def length(self, number: int) -> int:
        """Return how many digits the natural number ``number`` has; 0 for the number 0."""
        while self._weights[-1] <= number:
            self.weight(len(self._weights))
        return bisect_right(self._weights, number)

    def value(self, word: Sequence[int]) -> int:
        """Return the number for the digits ``word``, which need not be valid, highest first."""
        weights = self.weights(len(word))
        return sum(d * u for d, u in zip(word, reversed(weights), strict=True))

    # --- operations on digits ------------------------------------------------------

    def nim_sum(self, numbers: Iterable[int], modulus: int = 2) -> int:
        """Return the number whose digits are the digit sums of ``numbers`` modulo ``modulus``.
        With base 2 and modulus 2 this is the exclusive or; 0 iff every column is 0."""
        words = [self.representation(n)[::-1] for n in numbers]
        sums = [sum(column) % modulus for column in zip_longest(*words, fillvalue=0)]
        return self.value(sums[::-1])

    def shift(self, number: int) -> int:
        """Return the number whose representation is that of ``number`` with a 0 appended."""
        return self.value((*self.representation(number), 0))

    def unshift(self, number: int) -> int:
        """Return the number whose representation is that of ``number`` less its last digit."""
        return self.value(self.representation(number)[:-1])

    def zeros(self, number: int) -> int:
        """Return in how many zeros the representation of ``number`` ends; 0 for the number 0."""
        return len(list(takewhile(lambda digit: not digit, self.representation(number)[::-1])))

    def low_part(self, number: int) -> int:
        """Return the weight of the last digit that is not 0 in ``number``; 0 for the number 0."""
        return self.weight(self.zeros(number)) if number else 0


@lru_cache(maxsize=2048)
def _greedy(system: Numeration, number: int) -> tuple[int, ...]:
    word = []
    for weight in reversed(system.weights(system.length(number))):
        if number < weight:  # mostly; a comparison is many times faster than a division
            word.append(0)
        elif system.digits == 2:
            word.append(1)
            number -= weight
        else:
            digit, number = divmod(number, weight)
            word.append(digit)
    return tuple(word)


# --- the systems -------------------------------------------------------------------------


@cache
def base(k: int) -> Numeration:
    """Return the system of base ``k``, where every word is valid; ValueError for k < 2."""
    if k < 2:
        raise ValueError(f"a base is at least 2, not {k}")
    return Numeration(f"base-{k}", (k,), (1,), k, ((0,) * k,), (True,))


@cache
def ostrowski(a: int, second: int | None = None) -> Numeration:
    """Return the system ``U_i = a U_(i-1) + U_(i-2)`` from 1, ``second`` (``a + 1`` unless told).
    These are the q_i of the continued fraction [..; a, a, a, ...].  A digit is at most ``a``, a
    digit ``a`` is followed by 0, and the last digit is less than ``second``.  ``ostrowski(1)`` is
    Zeckendorf's system.  ValueError unless ``a >= 1`` and ``2 <= second <= a + 1``."""
    second = a + 1 if second is None else second
    if a < 1 or not 2 <= second <= a + 1:
        raise ValueError(f"no such system: a = {a}, U_1 = {second}")
    free, full, last, dead = range(4)

    def after(digit: int) -> int:
        if digit == a:
            return full
        return free if digit < second else last

    row = tuple(after(d) for d in range(a + 1))
    after_full = tuple(free if d == 0 else dead for d in range(a + 1))
    if a == 1:
        name = "zeckendorf"
    else:
        name = f"ostrowski-{a}" if second == a + 1 else f"ostrowski-{a}-{second}"
    rows = (row, after_full, row, (dead,) * (a + 1))
    accepting = (True, a < second, False, False)
    return Numeration(name, (a, 1), (1, second), a + 1, rows, accepting)


@cache
def parry(expansion: tuple[int, ...]) -> Numeration:
    """Return the system of a simple Parry number: ``expansion`` is c_1 .. c_m, the expansion of 1.
    ``U_i = c_1 U_(i-1) + .. + c_m U_(i-m)`` with Bertrand's initial values
    ``U_i = c_1 U_(i-1) + .. + c_i U_0 + 1``.  A word is a representation iff every part of it is
    lexicographically less than the expansion (Parry 1960): ``parry((1, 1, 1))`` forbids three ones
    in a row.  ValueError where no Parry number has this expansion."""
    m = len(expansion)
    if m == 1 and expansion[0] > 1:
        return base(expansion[0])
    if m == 2 and expansion[1] == 1:
        return ostrowski(expansion[0])
    if not m or expansion[0] < 1 or expansion[-1] < 1 or min(expansion) < 0:
        raise ValueError(f"no such expansion: {expansion}")
    if any(expansion[i:] + (0,) * i >= expansion for i in range(1, m)):
        raise ValueError(f"{expansion} is not the expansion of 1 of any base")
    initial: list[int] = []
    for i in range(m):
        initial.append(1 + sum(expansion[j] * initial[i - 1 - j] for j in range(i)))
    digits = expansion[0] + 1

    def after(read: int, digit: int) -> int:
        """Return the state after ``digit``; in state ``read`` the last digits equal so many first
        ones of the expansion, and in the last state the word is not valid."""
        if digit != expansion[read]:
            return 0 if digit < expansion[read] else m
        return read + 1

    rows = [tuple(after(read, d) for d in range(digits)) for read in range(m)]
    rows.append((m,) * digits)
    name = "tribonacci" if expansion == (1, 1, 1) else "parry-" + "-".join(map(str, expansion))
    return Numeration(name, expansion, tuple(initial), digits, tuple(rows), (*[True] * m, False))


@cache
def unit(a: int) -> Numeration:
    """Return the system ``U_i = a U_(i-1) - U_(i-2)`` from 1, ``a``; ValueError for ``a < 3``.  It
    belongs to units of norm 1 of quadratic fields, as ``ostrowski(a)`` to those of norm -1. Digits
    are less than ``a``; no part of a word is a - 1, then any number of a - 2, then a - 1 (Parry
    1960: the expansion of 1 is a - 1, a - 2, a - 2, ...)."""
    if a < 3:
        raise ValueError(f"no such system: a = {a}")
    free, full, dead = range(3)
    row = (*[free] * (a - 1), full)
    after_full = (*[free] * (a - 2), full, dead)
    rows = (row, after_full, (dead,) * a)
    return Numeration(f"unit-{a}", (a, -1), (1, a), a, rows, (True, True, False))


def numeration(name: str) -> Numeration:
    """Return the system called ``name``, as ``base-2`` or ``ostrowski-3``; InputError if none."""
    try:
        return _system_named(name)
    except (TypeError, ValueError) as error:
        known = '"base-2", "base-3", ..., "zeckendorf", "tribonacci", "ostrowski-2", ...'
        raise InputError(str(error), mend=f"known are {known}") from None


def _system_named(name: str) -> Numeration:
    if name == "zeckendorf":
        return ostrowski(1)
    if name == "tribonacci":
        return parry((1, 1, 1))
    if match := re.fullmatch(r"base-(\d{1,4})", name):
        return base(int(match[1]))
    if match := re.fullmatch(r"unit-(\d{1,3})", name):
        return unit(int(match[1]))
    if match := re.fullmatch(r"ostrowski-(\d{1,3})(?:-(\d{1,3}))?", name):
        return ostrowski(int(match[1]), int(match[2]) if match[2] else None)
    if match := re.fullmatch(r"parry-(\d{1,3}(?:-\d{1,3}){0,7})", name):
        return parry(tuple(map(int, match[1].split("-"))))
    raise ValueError(f"no numeration system is called {name!r}")
