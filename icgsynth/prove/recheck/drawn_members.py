"""Members of a family drawn at random, with the numbers of their constants put in.

Where a modulus or a factor is a variable that no action changes, that variable is a constant of a
family, and each of its values gives a member, a game without products of unknowns.  Constants are
drawn first, small and huge ones, and then far states are states of one member."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    conjuncts,
    fold,
    free_names,
    integers,
    substitute,
)
from icgsynth.prove.recheck.plain import holds, value

_SMALL, _LARGER = 7, 100  # numbers are drawn below 7 most often, below 100 one time in six
# numbers about the limits of machine words, drawn one time in six
_HUGE = (10**9 + 7, 2**31, 2**32 - 1, 2**62, 2**63, 2**64 + 1, 10**18 + 9, 10**30)
_ATTEMPTS = 200  # draws for each member wanted


class DrawnMember(NamedTuple):
    """A member of a family: ``solution`` and ``ranking`` with ``constants`` put in."""

    constants: Mapping[str, int]
    solution: Solution
    ranking: tuple[t.Term, ...]


def draw_members(
    solution: Solution,
    ranking: Sequence[t.Term],
    names: Sequence[str],
    count: int,
    rng: random.Random,
) -> Iterator[DrawnMember]:
    """Yield at most ``count`` different members of the family that ``solution`` answers.
    ``names`` are its constants, for which numbers are drawn and put into answer and ``ranking``."""
    range_ = conjunction(f for f in conjuncts(solution.game.legal) if free_names(f) <= set(names))
    special = sorted({0, *integers(range_)})
    ties = list(_ties(range_))
    seen: set[tuple[int, ...]] = set()
    for _ in range(_ATTEMPTS * count):
        drawn: list[int] = []
        for _ in names:
            drawn.append(_number(rng, drawn, special))
        constants = dict(zip(names, drawn, strict=True))
        try:
            for name, term in ties:
                constants[name] = value(term, constants)
            numbers = tuple(constants.values())
            if numbers in seen or not holds(range_, constants):
                continue
            seen.add(numbers)
            member = put_constants(solution, ranking, constants)
        except ZeroDivisionError:
            continue  # it is an obligation of its own that this does not happen
        yield member
        count -= 1
        if not count:
            return


def _ties(range_: t.Formula) -> Iterator[tuple[str, t.Term]]:
    """Yield (name, term) for each equation ``name = term`` that ``range_`` asks of constants."""
    for part in conjuncts(range_):
        match part:
            case t.Compare((t.Name(name), term), ("=",)) if name not in free_names(term):
                yield name, term


def _number(rng: random.Random, others: Sequence[int], special: Sequence[int]) -> int:
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice(_HUGE) + rng.randrange(-2, 3)
    if kind == 1 and others:
        return rng.choice((1, 1, 2)) * rng.choice(others) + rng.randrange(-2, 3)
    if kind == 2:
        return rng.randrange(_LARGER)
    if kind == 3:
        return rng.choice(special) * rng.choice((1, -1)) + rng.randrange(-1, 2)
    return rng.randrange(_SMALL)


def put_constants(
    solution: Solution, ranking: Sequence[t.Term], constants: Mapping[str, int]
) -> DrawnMember:
    """Return the member of the family with each name in ``constants`` replaced by its number.
    ``ranking`` are terms of the ranking of ``solution``; ZeroDivisionError for a divisor of 0."""
    by = {name: t.Int(number) for name, number in constants.items()}

    def put(node: t.Kind) -> t.Kind:
        return fold(substitute(node, by))

    variables = tuple(v for v in solution.game.variables if v not in by)
    game = replace(solution.game.mapped(put), variables=variables)
    rules = Strategy(tuple(r for r in solution.strategy if isinstance(r, Rule)))
    member = replace(replace(solution, strategy=rules).mapped(put), game=game)
    return DrawnMember(constants, member, tuple(map(put, ranking)))
