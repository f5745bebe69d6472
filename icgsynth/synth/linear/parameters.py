"""Bases: families of parameter terms that differ by an integer.

A base ``t`` stands for the terms ``t + c``, or ``(t + c) mod m``, over all integers ``c``.
Which ``c`` to take is read off the winning moves (:mod:`icgsynth.synth.linear.mined`), not tried.
The smallest bases are listed here; others come from what a move has to reach
(:mod:`icgsynth.synth.linear.points`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import size, walk
from icgsynth.logic.simplify import linear_sum

_MODULI = 8  # tried at most, the smallest first
LARGEST = 2**31  # modulus or divisor: machine words hold what is computed with them


@dataclass(frozen=True)
class Base:
    """``term + c`` for every c; with a ``modulus``, ``(term + c) mod modulus``."""

    term: t.Term
    modulus: int = 0

    def at(self, offset: int) -> t.Term:
        """The term with this offset, as people write it: ``3 - b``, ``(a - 2) mod 7``."""
        if not self.modulus:
            return _plus(self.term, offset)
        shift = offset % self.modulus
        if 2 * shift > self.modulus and not isinstance(self.term, t.Neg):
            shift -= self.modulus
        return t.Mod(_plus(self.term, shift), t.Int(self.modulus))

    @cached_property
    def size(self) -> int:
        """Leaves of the term without an offset; a number alone is an offset alone."""
        return 0 if self.term == t.Int(0) else size(self.at(0))


def _plus(term: t.Term, number: int) -> t.Term:
    if not number:
        return term
    if term == t.Int(0):
        return t.Int(number)
    if isinstance(term, t.Neg) and number > 0:
        return t.Sum((t.Int(number), term))
    head = term.args if isinstance(term, t.Sum) else (term,)
    return t.Sum((*head, t.Int(number)))


def simple_bases(game: ParametricGame, losing: t.Formula) -> Iterator[Base]:
    """Numbers, variables, the smaller of two, remainders, sums and differences of two or three."""
    names = [t.Name(v) for v in game.variables]
    divisors = moduli(game, losing)
    yield Base(t.Int(0))
    yield from map(Base, names)
    yield from map(Base, _sums(names, 2))
    yield from (Base(t.Min(x, y)) for x, y in combinations(names, 2))
    yield from (Base(t.Mod(x, t.Int(modulus))) for modulus in divisors for x in names)
    yield from map(Base, _sums(names, 3))
    yield from (Base(term, modulus) for modulus in divisors for term in _sums(names, 2))


def _sums(names: Sequence[t.Name], count: int) -> Iterator[t.Term]:
    for signs in product((1, -1), repeat=count):
        for some in combinations(names, count):
            if max(signs) > 0:
                yield linear_sum(dict(zip(some, signs, strict=True)))


def moduli(game: ParametricGame, losing: t.Formula) -> list[int]:
    """Divisors that the rules and ``losing`` name, the smallest first, not too many."""
    found = {
        n.divisor.value
        for formula in (losing, *game.formulas())
        for n in walk(formula)
        if isinstance(n, t.Mod) and isinstance(n.divisor, t.Int)
    }
    return sorted(m for m in found if 1 < m <= LARGEST)[:_MODULI]
