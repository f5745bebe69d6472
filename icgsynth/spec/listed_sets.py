"""Sets of numbers that rules may name, as in ``k in squares``, and the states for which that is so.

Most such sets are beyond every logic that decides games for all states.  Their numbers are listed
up to a bound, which becomes a bound of the legal states: of others nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, takewhile
from math import isqrt
from typing import Any, TypeAlias

from icgsynth.errors import InputError, Span
from icgsynth.game.game import Action, ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, rebuild, substitute, walk

LARGEST = 10_000  # number that is listed
USUAL = 1_000  # bound of a variable that the rules do not bound

Sets: TypeAlias = "Mapping[tuple[t.Term, ...], Listed]"
"""The sets that rules speak of, by their numbers."""


def _primes() -> Iterator[int]:
    return (n for n in count(2) if all(n % d for d in range(2, isqrt(n) + 1)))


def _prime_powers() -> Iterator[int]:
    """``p**n`` with ``n`` of at least 1: all that leave 1 when divided by their least divisor."""
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
    """3 of ``powers_of_3``; 0 of other names."""
    powers = _POWERS.fullmatch(name)
    factor = int(powers[1]) if powers is not None else 0
    return factor if factor > 1 else 0


@cache
def numbers(name: str) -> tuple[t.Int, ...]:
    """The numbers of a set up to :data:`LARGEST`, in order; none where no set has that name."""
    if factor := factor_of(name):
        every: Iterator[int] = (factor**n for n in count())
    else:
        every = _SETS[name]() if name in _SETS else iter(())
    return tuple(map(t.Int, takewhile(lambda number: number <= LARGEST, every)))


@dataclass(frozen=True)
class Listed:
    """A set that rules speak of, by its name, and where they do first."""

    name: str
    place: Span


def bounded(game: ParametricGame, listed: Sequence[Listed]) -> ParametricGame:
    """``game`` on states for which the ``listed`` sets are known.

    A variable without an upper bound gets :data:`USUAL`, and a warning says so.
    :class:`InputError` where a move may raise such a variable, so that play could leave these
    states, or where a number that is asked about may be larger than those that are listed.
    """
    if not listed:
        return game
    sets: Sets = {numbers(one.name): one for one in listed}
    legal = _said([game.legal], sets)
    free = [v for v in game.variables if _ends(t.Name(v), legal)[1] is None]
    moves = {a.name: _said([game.legal, *_of_a_move(game, a)], sets) for a in game.actions}
    for variable in free:
        _require_falling(game, variable, moves, listed[0])
    usual = [t.compare(t.Name(v), "<=", USUAL) for v in free]
    put = {name: _Cut(sets, [*known, *usual]) for name, known in moves.items()}
    states = _Cut(sets, [*legal, *usual])
    found = replace(
        game,
        legal=conjunction([states(game.legal), *usual]),
        end=states(game.end),
        actions=tuple([action.mapped(put[action.name]) for action in game.actions]),
    )
    if not free:
        return found
    named = " and ".join(one.name for one in listed)
    said = (
        f"{game.name}: {named} are listed up to a bound, so the states are those with "
        f"{' and '.join(map(str, usual))}; 'legal' may give another bound, up to {LARGEST:,}"
    )
    return replace(found, warnings=(*found.warnings, said))


@dataclass(frozen=True)
class _Cut:
    """Leaves out the numbers that a term cannot be where the formulas ``known`` hold."""

    sets: Sets
    known: Sequence[t.Formula]

    def __call__(self, node: t.Kind, /) -> t.Kind:
        if isinstance(node, t.Member) and (listed := self.sets.get(node.values)) is not None:
            return self._member(node, listed)
        # Beside a part of a conjunction, the others hold; and the premise beside both its sides.
        beside: tuple[t.Formula, ...] = node.args if isinstance(node, t.And) else ()
        if isinstance(node, t.Implies):
            beside = (node.left,)
        inner = replace(self, known=[*self.known, *_said(beside, self.sets)]) if beside else self
        return rebuild(node, tuple([inner(child) for child in t.children(node)]))

    def _member(self, member: t.Member, listed: Listed) -> t.Formula:
        lo, hi = _ends(member.term, self.known)
        if hi is None or hi > LARGEST:
            message = f"{listed.name} are listed up to {LARGEST:,}, and {member.term} may be larger"
            raise InputError(message, listed.place, f"add '{member.term} <= {LARGEST}'")
        values = [
            n for n in numbers(listed.name) if (lo is None or lo <= n.value) and n.value <= hi
        ]
        return t.Member(member.term, tuple(values)) if values else t.FALSE


def _said(formulas: Sequence[t.Formula], sets: Sets) -> list[t.Formula]:
    """What follows from all ``formulas`` without the numbers of the sets but the least."""
    found: list[t.Formula] = []
    for part in conjuncts(*formulas):
        if isinstance(part, t.Member) and part.values in sets:
            found.append(t.compare(part.term, ">=", part.values[0]))
        elif not any(isinstance(node, t.Member) and node.values in sets for node in walk(part)):
            found.append(part)
    return found


def _of_a_move(game: ParametricGame, action: Action) -> tuple[t.Formula, t.Formula]:
    """What holds where ``action`` applies, beside the legal states before it."""
    return action.precondition, substitute(game.legal, dict(action.effects))


def _require_falling(
    game: ParametricGame,
    variable: str,
    moves: Mapping[str, Sequence[t.Formula]],
    listed: Listed,
) -> None:
    for action in game.actions:
        change = t.Sum((game.after(action)[variable], t.Neg(t.Name(variable))))
        most = _ends(change, moves[action.name])[1]
        if most is None or most > 0:
            message = (
                f"{listed.name} are listed up to a bound, and {action.name} may raise {variable}"
            )
            mend = f"bound it in 'legal': {variable} <= {USUAL}"
            raise InputError(message, listed.place, mend)


def _ends(term: t.Term, known: Sequence[t.Formula]) -> tuple[Any, Any]:
    from icgsynth.logic.ranges import ends_of

    return ends_of(term, known)
