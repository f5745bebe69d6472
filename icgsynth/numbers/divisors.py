"""Rewrite greatest common divisors in formulas by remainders.

``gcd(t, 15) = 1`` is ``t mod 3 != 0 and t mod 5 != 0``: linear, for every integer t.  The gcd of
two unknowns can be rewritten too if one of them has a bound m and is not 0: it is then at
most m, and they are coprime where no prime up to m divides both.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache, reduce
from math import gcd

from icgsynth.errors import InputError, Span
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, rebuild, walk
from icgsynth.logic.nodes import MEANING, SWAPPED

_LARGEST_PRIME = 1_000_000  # largest prime that is tried; one prime factor may be larger
_MOST_DIVISORS = 1_024  # most divisors of a number in a gcd; 10^30 has 961
_MOST_CASES = 64  # most cases of a gcd that stands in a sum or comparison with a term
_MOST_EXACT = 8  # most values of a gcd that are written one by one

Divides = Callable[[int], t.Formula]
"""A function from d to the formula that d divides all terms of a greatest common divisor."""


def of_constants(node: t.Kind) -> t.Kind:
    """Return ``node`` with each gcd of a term and a number rewritten by remainders.

    A gcd of two unknowns stays.  Raises :class:`~icgsynth.errors.InputError` where the prime
    factors of the number are not found, or it has too many divisors.
    """
    if not any(isinstance(part, t.Gcd) for part in walk(node)):
        return node
    if isinstance(node, t.Gcd):
        return _in_cases(_simple(node))
    if isinstance(node, t.Compare) and any(isinstance(term, t.Gcd) for term in node.terms):
        return conjunction([_link(*link) for link in node.links])
    if isinstance(node, t.Member) and isinstance(node.term, t.Gcd):
        return disjunction([_link(node.term, "=", value) for value in node.values])
    return rebuild(node, tuple([of_constants(part) for part in t.children(node)]))


def require_divisors(term: t.Gcd, place: Span) -> None:
    """Raise InputError at ``place`` if the divisors of the number in the gcd are not found."""
    match term:
        case t.Gcd(_, t.Int(number)) | t.Gcd(t.Int(number), _) if number:
            try:
                divisors(abs(number))
            except InputError as fault:
                raise InputError(fault.message, place, fault.mend) from None


def _simple(term: t.Term) -> t.Term:
    """Return ``term`` with gcds rewritten; a gcd at its top is simplified, its number put last."""
    if not isinstance(term, t.Gcd):
        return of_constants(term)
    match sorted(map(of_constants, (term.left, term.right)), key=lambda x: isinstance(x, t.Int)):
        case t.Int(one), t.Int(other):
            return t.Int(gcd(one, other))
        case left, t.Int(0):
            return t.Abs(left)
        case _, t.Int(1 | -1):
            return t.Int(1)
        case left, t.Int(number):
            return t.Gcd(left, t.Int(abs(number)))
        case left, right:
            return t.Gcd(left, right)
    return term


def _link(left: t.Term, op: str, right: t.Term) -> t.Formula:
    """Return the comparison ``left op right``, of which a side is a gcd, by remainders."""
    left, right = _simple(left), _simple(right)
    if isinstance(right, t.Gcd) and isinstance(left, t.Int):
        left, op, right = right, SWAPPED[op], left
    match left, right:
        # A gcd with a number is one of its divisors: those that satisfy the comparison are listed.
        case t.Gcd(term, t.Int(number)), t.Int(bound):
            among = {d for d in divisors(number) if MEANING[op](d, bound)}
            return say_divisor(among, divisors(number), lambda d: divides(d, term))
    return t.compare(_in_cases(left), op, _in_cases(right))


def _in_cases(term: t.Term) -> t.Term:
    """Return ``term``, if a gcd with a number, as an if-then-else over its values; InputError if
    too many."""
    match term:
        case t.Gcd(inner, t.Int(number)):
            every = divisors(number)
            if len(every) > _MOST_CASES:
                message = f"{number} has more than {_MOST_CASES} divisors"
                raise InputError(message, mend=f"compare gcd({inner}, {number}) with a number")
            return reduce(
                lambda least, d: t.If(divides(d, inner), t.Int(d), least), every[1:], _ONE
            )
    return term


_ONE: t.Term = t.Int(1)


def say_divisor(among: Collection[int], every: Collection[int], divides: Divides) -> t.Formula:
    """Return the formula that a gcd has a value in ``among``; ``every`` lists its possible values.
    These are positive, with all divisors of each.  ``divides(d)`` says that d divides the terms."""
    for chosen, is_left_out in ((among, False), ({*every} - {*among}, True)):
        # If the chosen values are all the possible multiples of some least ones, it suffices that
        # one of the least divides the terms; for the values left out, that none does.
        least = [d for d in sorted(chosen) if not any(d % e == 0 for e in chosen if e < d)]
        multiples = {d for d in every if any(d % e == 0 for e in least)}
        if multiples == {*chosen}:  # the gcd is a multiple of one of the least
            found = disjunction(map(divides, least))
            return negation(found) if is_left_out else found
    if len(among) > _MOST_EXACT:
        among = {*every} - {*among}
        return negation(disjunction([_exactly(d, every, divides) for d in sorted(among)]))
    return disjunction([_exactly(d, every, divides) for d in sorted(among)])


def _exactly(value: int, every: Collection[int], divides: Divides) -> t.Formula:
    """Return the formula that a gcd is ``value``: it divides, and no multiple in ``every`` does."""
    larger = {d for d in every if d > value and d % value == 0}
    return conjunction([divides(value), say_divisor({*every} - larger, every, divides)])


def divides(number: int, *terms: t.Term) -> t.Formula:
    """Return the formula that the positive ``number`` divides all ``terms``."""
    if number == 1:
        return t.TRUE
    return conjunction([t.compare(t.Mod(term, t.Int(number)), "=", 0) for term in terms])


@cache
def divisors(number: int) -> tuple[int, ...]:
    """Return the positive divisors of a positive ``number``, in order; InputError if too many."""
    found = [1]
    for prime, power in _factors(number):
        found = [d * prime**k for d in found for k in range(power + 1)]
        if len(found) > _MOST_DIVISORS:
            message = f"gcd with {number}, which has more than {_MOST_DIVISORS:,} divisors"
            raise InputError(message, mend="use a number with fewer")
    return tuple(sorted(found))


def _factors(number: int) -> Iterator[tuple[int, int]]:
    """Yield each prime factor of ``number`` with its exponent; InputError if too large to find."""
    prime, left = 2, number
    while prime * prime <= left and prime <= _LARGEST_PRIME:
        power = 0
        while left % prime == 0:
            left, power = left // prime, power + 1
        if power:
            yield prime, power
        prime += 1 if prime == 2 else 2
    # Trial division ended early: the rest may have two prime factors past the limit.
    if prime * prime <= left:
        message = f"gcd with {number}, whose prime factors may be above {_LARGEST_PRIME:,}"
        raise InputError(message, mend="use a number with smaller ones")
    if left > 1:
        yield left, 1
