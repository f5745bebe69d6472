"""Sets of numbers that rules may name, as in ``k in squares``, listed up to a bound.

Most such sets are beyond every logic that decides games for all states.  Their numbers are listed
up to a bound, which becomes a bound of the legal states.  Common divisors of two unknowns without
bounds are treated alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, takewhile
from math import isqrt
from typing import Any, TypeAlias

from icgsynth.errors import InputError
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    conjuncts,
    disjunction,
    negation,
    rebuild,
    substitute,
    walk,
)
from icgsynth.logic.nodes import MEANING, SWAPPED
from icgsynth.numbers.divisors import divides, say_divisor
from icgsynth.spec.elaborate import COMMON_DIVISORS, Listed

LARGEST = 10_000  # largest number that is listed
USUAL = 1_000  # bound of a variable that the rules do not bound
MOST_COMPARED = 64  # largest gcd that is compared with a term, by a case for each value
OF_DIVISORS = 500  # bound of a variable that is not bounded, in rules with common divisors

Sets: TypeAlias = "Mapping[tuple[t.Term, ...], Listed]"
"""The named sets in rules, by the tuple of their listed numbers."""


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, isqrt(n) + 1)))


def _prime_powers() -> Iterator[int]:
    """Yield the prime powers ``p**n``, n at least 1, in order."""
    for number in count(2):
        least = next((d for d in range(2, isqrt(number) + 1) if number % d == 0), number)
        left = number
        while left % least == 0:
            left //= least
        if left == 1:
            yield number


def _factorials() -> Iterator[int]:
    product = 1
    for n in count(2):
        yield product
        product *= n


def _fibonacci_numbers() -> Iterator[int]:
    number, following = 0, 1
    while True:
        yield number
        number, following = following, max(2, number + following)


_SETS: dict[str, Callable[[], Iterator[int]]] = {
    "squares": lambda: (n * n for n in count()),
    "cubes": lambda: (n**3 for n in count()),
    "triangular_numbers": lambda: (n * (n + 1) // 2 for n in count()),
    "fibonacci_numbers": _fibonacci_numbers,
    "primes": _primes,
    "prime_powers": _prime_powers,
    "factorials": _factorials,
    "self_powers": lambda: (n**n for n in count(1)),
}
_POWERS = re.compile(r"powers_of_([0-9]{1,4})")
KNOWN = f"{', '.join(_SETS)}, powers_of_2, powers_of_3, .."


def factor_of(name: str) -> int:
    """Return the base of a set of powers from its name: 3 for ``powers_of_3``; 0 for others."""
    powers = _POWERS.fullmatch(name)
    factor = int(powers[1]) if powers is not None else 0
    return factor if factor > 1 else 0


@cache
def numbers(name: str) -> tuple[t.Int, ...]:
    """Return the numbers up to :data:`LARGEST` in the set ``name``, in order; () if unknown."""
    if factor := factor_of(name):
        every: Iterator[int] = (factor**n for n in count())
    else:
        every = _SETS[name]() if name in _SETS else iter(())
    return tuple(map(t.Int, takewhile(lambda number: number <= LARGEST, every)))


def bound_sets(game: ParametricGame, listed: Sequence[Listed]) -> ParametricGame:
    """Return ``game`` with ``listed`` sets and gcds written out, and its states bounded.

    If the rules give no bound, a variable without an upper bound gets
    :data:`USUAL` or :data:`OF_DIVISORS`, and a warning says so.  Raises :class:`InputError` where
    a move may raise such a variable, so that play could leave these states, or where a number may
    be larger than all that are listed.
    """
    sets: Sets = {numbers(one.name): one for one in listed if one.name != COMMON_DIVISORS}
    legal = _infer([game.legal], sets)
    free = [v for v in game.variables if _ends(t.Name(v), legal)[1] is None]
    place = next((one for one in listed if one.name == COMMON_DIVISORS), listed[0])
    cut = _Cut(sets, place, [])
    try:
        return _within(game, [], cut)
    except InputError:
        if not free:
            raise
    for variable in free:
        _require_falling(game, variable, cut, listed[0])
    most = OF_DIVISORS if place.name == COMMON_DIVISORS else USUAL
    usual = [t.compare(t.Name(v), "<=", most) for v in free]
    found = _within(game, usual, cut)
    named = " and ".join(one.name for one in listed)
    said = (
        f"{game.name}: {named} are listed up to a bound, so the states are those with "
        f"{' and '.join(map(str, usual))}; 'legal' may give another bound, up to {LARGEST:,}"
    )
    return replace(found, warnings=(*found.warnings, said))


def _within(game: ParametricGame, usual: Sequence[t.Formula], cut: _Cut) -> ParametricGame:
    """Return ``game`` on the states where ``usual`` holds; ``cut`` rewrites its sets and gcds."""
    states = replace(cut, known=[*_infer([game.legal], cut.sets), *usual])
    actions = []
    for action in game.actions:
        known = [*_infer([game.legal, *_of_a_move(game, action)], cut.sets), *usual]
        actions.append(action.mapped(replace(cut, known=known)))
    return replace(
        game,
        legal=conjunction([states(game.legal), *usual]),
        end=states(game.end),
        actions=tuple(actions),
    )


@dataclass(frozen=True)
class _Cut:
    """Rewrites named sets as lists of members possible where ``known`` holds, and gcds."""

    sets: Sets
    divisors: Listed  # the place of the first common divisor, if there is one
    known: Sequence[t.Formula]

    def __call__(self, node: t.Kind, /) -> t.Kind:
        if isinstance(node, t.Member) and (listed := self.sets.get(node.values)) is not None:
            return self._member(node, listed)
        if isinstance(node, t.Compare) and any(isinstance(x, t.Gcd) for x in node.terms):
            return conjunction([self._link(t.compare(*link)) for link in node.links])
        if isinstance(node, t.Member) and isinstance(node.term, t.Gcd):
            links = [t.compare(node.term, "=", value) for value in node.values]
            return disjunction(map(self._link, links))
        if isinstance(node, t.Gcd):
            raise self._fault(f"{node} is no number that is known", "compare it with a number")
        # In a part of a conjunction the other parts hold; in an implication its premise.
        beside: tuple[t.Formula, ...] = node.args if isinstance(node, t.And) else ()
        if isinstance(node, t.Implies):
            beside = (node.left,)
        inner = replace(self, known=[*self.known, *_infer(beside, self.sets)]) if beside else self
        return rebuild(node, tuple([inner(child) for child in t.children(node)]))

    def _member(self, member: t.Member, listed: Listed) -> t.Formula:
        # Only numbers within the bounds that hold here are listed, so formulas stay short.
        lo, hi = _ends(member.term, self.known)
        if hi is None or hi > LARGEST:
            message = f"{listed.name} are listed up to {LARGEST:,}, and {member.term} may be larger"
            raise InputError(message, listed.place, f"add '{member.term} <= {LARGEST}'")
        values = [
            n for n in numbers(listed.name) if (lo is None or lo <= n.value) and n.value <= hi
        ]
        return t.Member(member.term, tuple(values)) if values else t.FALSE

    def _link(self, link: t.Compare) -> t.Formula:
        """Return ``link``, a comparison of a gcd of two unknowns with a term, by remainders."""
        (left, right), (op,) = link.terms, link.ops
        if isinstance(right, t.Gcd) and not isinstance(left, t.Gcd):
            left, op, right = right, SWAPPED[op], left
        if not isinstance(left, t.Gcd):
            return rebuild(link, (self(left), self(right)))
        terms = left.left, left.right
        ends = [_ends(term, self.known) for term in terms]
        sizes = [None if lo is None or hi is None else max(-lo, hi) for lo, hi in ends]
        positive = [lo is not None and lo >= 1 for lo, _ in ends]
        # A common divisor of a number other than 0 is at most that number's size.
        known = [size for size, no_zero in zip(sizes, positive, strict=True) if no_zero and size]
        if not known and None not in sizes:
            known = [max(1, *(size or 1 for size in sizes))]
        if not known or min(known) > LARGEST:
            message = f"common divisors are listed up to {LARGEST:,}, and {left} may be larger"
            raise self._fault(message, f"bound {terms[0]} or {terms[1]}, up to {LARGEST:,}")
        is_known, right = isinstance(right, t.Int), self(right)
        if not is_known and min(known) > MOST_COMPARED:
            message = f"{left} may be up to {min(known):,}, and {right} is no number"
            room = f"bound {terms[0]} or {terms[1]}, up to {MOST_COMPARED}"
            raise self._fault(message, f"compare {left} with a number; or {room}")
        every = range(1, min(known) + 1)

        def say(among: Sequence[int]) -> t.Formula:
            found = say_divisor([d for d in among if d], every, lambda d: divides(d, *terms))
            if any(positive):
                return found
            zeros = conjunction([t.compare(term, "=", 0) for term in terms])
            if 0 in among:
                return disjunction([zeros, found])
            return conjunction([negation(zeros), found])

        if isinstance(right, t.Int):
            return say([d for d in (0, *every) if MEANING[op](d, right.value)])
        cases = ((say([d]), t.compare(t.Int(d), op, right)) for d in (0, *every))
        return disjunction(map(conjunction, cases))

    def _fault(self, message: str, mend: str) -> InputError:
        return InputError(message, self.divisors.place, mend)


def _infer(formulas: Sequence[t.Formula], sets: Sets) -> list[t.Formula]:
    """Return formulas that follow from ``formulas``, without gcds and ``sets``: of ``x in s``, s in
    ``sets``, x >= the least of s; others as they are, or left out if they have one inside."""
    found: list[t.Formula] = []
    for part in conjuncts(*formulas):
        if isinstance(part, t.Member) and part.values in sets:
            found.append(t.compare(part.term, ">=", part.values[0]))
        elif not any(
            isinstance(node, t.Gcd) or (isinstance(node, t.Member) and node.values in sets)
            for node in walk(part)
        ):
            found.append(part)
    return found


def _of_a_move(game: ParametricGame, action: Action) -> tuple[t.Formula, t.Formula]:
    """Return ``action``'s precondition, and the formula that the next state is legal."""
    return action.precondition, substitute(game.legal, dict(action.effects))


def _require_falling(
    game: ParametricGame,
    variable: str,
    cut: _Cut,
    listed: Listed,
) -> None:
    for action in game.actions:
        known = _infer([game.legal, *_of_a_move(game, action)], cut.sets)
        # The variable never rises by a move, so play never leaves the bounded states.
        change = t.Sum((game.after(action)[variable], t.Neg(t.Name(variable))))
        most = _ends(change, known)[1]
        if most is None or most > 0:
            message = (
                f"{listed.name} are listed up to a bound, and {action.name} may raise {variable}"
            )
            mend = f"bound it in 'legal': {variable} <= {USUAL}"
            raise InputError(message, listed.place, mend)


def _ends(term: t.Term, known: Sequence[t.Formula]) -> tuple[Any, Any]:
    from icgsynth.logic.ranges import ends_of

    return ends_of(term, known)
