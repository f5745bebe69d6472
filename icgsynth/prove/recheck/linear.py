"""Linear forms over named natural numbers, with rational coefficients.

x + y = z and congruences as automata, each proved by induction from radix order alone.

Both are built directly (Frougny 1992; Bruyère, Hansel, Bertrand numeration systems and
recognizability, TCS 181, 1997), from the vectors of :mod:`icgsynth.prove.recheck.numbers`.

The proofs do not lean on that.  Radix order has 0 as its least element, and every representation
is reached from it by successors, so what holds at 0 and passes from each number to the next and
back holds for all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Literal, TypeAlias

from icgsynth.errors import TooLarge
from icgsynth.prove.recheck.algebra import join, project, renamed
from icgsynth.prove.recheck.machine import Machine, Symbol, difference, explore
from icgsynth.prove.recheck.numbers import VALUE, Numbers, Vector, Vectors, add_gains, places

# --- addition ------------------------------------------------------------------------------------


class Addition:
    """Addition and congruences of one system, unproved until the methods ``*_holds`` say so."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self._vectors = Vectors(numbers.system)
        # The digits of two numbers gain at most twice what those of one do.
        plain = add_gains(numbers, 2, 2, lambda _, column: (0, sum(column)))
        self.sum = renamed(plain, dict(zip((*places(2), VALUE), "xyz", strict=True)))

    # --- x + y = z --------------------------------------------------------------------

    def sum_holds(self) -> bool:
        """Return whether ``sum`` is addition, by induction on y.

        x + 0 = z iff x = z; and (x, y', z') with y' > 0 is in the relation iff (x, y, z) is for
        the numbers before y' and z'.  So it is total and functional, for the successor is."""
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
        """Return the automaton of the tuples for which ``sum(factor * number) + constant`` is
        divisible by ``modulus``; that it is right is not yet proved."""
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
        """Return whether ``family[c]`` accepts just the tuples for which ``sum(factor * number) +
        c`` is divisible by the length of ``family``, for every c.

        By induction on the sum of the numbers: zeros alone are in ``family[0]`` alone; and a tuple
        with x' > 0 on a track is in ``family[c]`` iff the one with the number before x' is in
        ``family[c + factor]``.  ``factors`` are in the order of the tracks."""
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


# --- linear --------------------------------------------------------------------------------------

# A form is = 0, is >= 0, or is divisible by a positive number.
Kind: TypeAlias = Literal["=", ">="] | int

_MOST_SIGNED = 10  # names: an automaton is built for each combination of their signs

# The linear form over tracks that each name stands for.
Environment: TypeAlias = "Mapping[str, LinearForm]"


@dataclass(frozen=True)
class LinearForm:
    """A linear form ``sum(coefficient * name) + constant``; names ascend, none with 0."""

    parts: tuple[tuple[str, Fraction], ...]
    constant: Fraction

    @staticmethod
    def of(parts: Mapping[str, Fraction | int], constant: Fraction | int = 0) -> LinearForm:
        kept = sorted((name, Fraction(c)) for name, c in parts.items() if c)
        return LinearForm(tuple(kept), Fraction(constant))

    def __add__(self, other: LinearForm) -> LinearForm:
        parts = dict(self.parts)
        for name, c in other.parts:
            parts[name] = parts.get(name, Fraction(0)) + c
        return LinearForm.of(parts, self.constant + other.constant)

    def __sub__(self, other: LinearForm) -> LinearForm:
        return self + other.scaled(-1)

    def scaled(self, factor: Fraction | int) -> LinearForm:
        return LinearForm.of({n: c * factor for n, c in self.parts}, self.constant * factor)

    def replaced(self, name: str, by: LinearForm) -> LinearForm:
        """Return the form with ``by`` in place of ``name``."""
        parts = dict(self.parts)
        factor = parts.pop(name, Fraction(0))
        return LinearForm.of(parts, self.constant) + by.scaled(factor)

    @property
    def track(self) -> str | None:
        """Return the name if the form is one name, with the factor 1 and constant 0; else None."""
        is_one = len(self.parts) == 1 and self.parts[0][1] == 1 and self.constant == 0
        return self.parts[0][0] if is_one else None

    @property
    def is_natural(self) -> bool:
        """Return whether no natural numbers for the names make the form negative."""
        return min((c for _, c in self.parts), default=0) >= 0 <= self.constant

    @property
    def tracks(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.parts)

    @property
    def denominator(self) -> int:
        """Return the least positive integer that makes every coefficient whole."""
        return lcm(self.constant.denominator, *(c.denominator for _, c in self.parts))


def settle(form: LinearForm, kind: Kind) -> LinearForm | bool:
    """Return a form in lowest terms that is equivalent to ``form``; a bool where signs settle it.

    ``kind`` says what is asked of the form: to be 0 ("="), at least 0 (">="), or divisible by a
    number.  Coefficients and constant are whole."""
    if isinstance(kind, int):
        reduced = LinearForm.of({n: c % kind for n, c in form.parts}, form.constant % kind)
        return reduced if reduced.parts else reduced.constant == 0
    factors, constant = [int(c) for _, c in form.parts], int(form.constant)
    if not factors:
        return constant == 0 if kind == "=" else constant >= 0
    if min(factors) > 0 and constant >= (kind == "="):
        return kind == ">="
    divisor = gcd(*factors)
    if (max(factors) < 0 and constant < 0) or (kind == "=" and constant % divisor):
        return False
    return LinearForm.of({n: c / divisor for n, c in form.parts}, constant // divisor)


def signs(names: Sequence[str], tracks: Sequence[str]) -> Iterator[dict[str, LinearForm]]:
    """Yield for each choice of signs a dict from ``names`` to forms: n or -1 - n, n on its track.
    The first choice has all n.  ``tracks`` belong to ``names``.  Raises TooLarge for many names."""
    if len(names) > _MOST_SIGNED:
        raise TooLarge(f"the signs of {len(names)} names are too many cases")
    for negative in product((False, True), repeat=len(names)):
        chosen = zip(names, tracks, negative, strict=True)
        yield {name: read_signed(track, below) for name, track, below in chosen}


def read_signed(track: str, below: bool) -> LinearForm:
    """Return the form that the number n on ``track`` stands for: n, or -1 - n if ``below`` 0."""
    return LinearForm.of({track: -1}, -1) if below else LinearForm.of({track: 1})


def spoken_of(env: Environment) -> frozenset[str]:
    """Return the names of tracks that occur in the forms of ``env``."""
    return frozenset().union(*(form.tracks for form in env.values()))


def fresh(name: str, taken: Collection[str]) -> str:
    """Return ``name``, with dots appended until it is not in ``taken``."""
    while name in taken:
        name += "."
    return name
