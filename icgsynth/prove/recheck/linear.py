"""Linear forms over named natural numbers, with rational coefficients."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd, lcm
from typing import Literal, TypeAlias

from icgsynth.prove.recheck.machine import TooLarge

__all__ = ["Environment", "Kind", "LinearForm", "fresh", "settled", "signs", "spoken_of"]

# A form is = 0, is >= 0, or is divisible by a positive number.
Kind: TypeAlias = Literal["=", ">="] | int

_MOST_SIGNED = 10  # names: an automaton is built for each combination of their signs

# The linear form over tracks that each name stands for.
Environment: TypeAlias = "Mapping[str, LinearForm]"


@dataclass(frozen=True)
class LinearForm:
    """``sum(coefficient * name) + constant``; names in alphabetical order, none with 0."""

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
        """The form with ``by`` for ``name``."""
        parts = dict(self.parts)
        factor = parts.pop(name, Fraction(0))
        return LinearForm.of(parts, self.constant) + by.scaled(factor)

    @property
    def track(self) -> str | None:
        """The one track that the form is, if it is nothing else."""
        is_one = len(self.parts) == 1 and self.parts[0][1] == 1 and self.constant == 0
        return self.parts[0][0] if is_one else None

    @property
    def is_natural(self) -> bool:
        """Whether no natural numbers make it negative."""
        return min((c for _, c in self.parts), default=0) >= 0 <= self.constant

    @property
    def tracks(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.parts)

    @property
    def denominator(self) -> int:
        """The least positive integer that makes every coefficient whole."""
        return lcm(self.constant.denominator, *(c.denominator for _, c in self.parts))


def settled(form: LinearForm, kind: Kind) -> LinearForm | bool:
    """An equivalent form in lowest terms, or the answer where the signs tell.

    Coefficients and constant are whole.
    """
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
    """The names over tracks for each combination of signs, all natural first."""
    if len(names) > _MOST_SIGNED:
        raise TooLarge(f"the signs of {len(names)} names are too many cases")
    for negative in product((False, True), repeat=len(names)):
        yield {
            name: LinearForm.of({track: -1}, -1) if below else LinearForm.of({track: 1})
            for name, track, below in zip(names, tracks, negative, strict=True)
        }


def spoken_of(env: Environment) -> frozenset[str]:
    """The tracks in the forms of ``env``."""
    return frozenset().union(*(form.tracks for form in env.values()))


def fresh(name: str, taken: Collection[str]) -> str:
    """A track for ``name`` that is not ``taken``."""
    while name in taken:
        name += "."
    return name
