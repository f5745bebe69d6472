"""The first legal numbers of one variable: where lists of values begin, and what they leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice, pairwise

from icgsynth.game.game import ParametricGame
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, free_names
from icgsynth.logic.evaluate import satisfies
from icgsynth.logic.ranges import ranges

_LOOKED_AT = 10_000  # numbers in search of legal ones: a fraction of a second


def first_legal(game: ParametricGame, variable: str, most: int) -> list[int]:
    """Return the first ``most`` legal numbers of ``variable`` in ``game``.  They rise from the
    least one; where there is none they fall from the largest; where there is neither they rise from
    0.  Empty where a condition on legal states ties the variable to another one."""
    parts = [part for part in conjuncts(game.legal) if variable in free_names(part)]
    if any(free_names(part) != {variable} for part in parts):
        return []
    legal = conjunction(parts)
    return list(islice(_legal_ones(legal, variable), most))


def _legal_ones(legal: t.Formula, variable: str) -> Iterator[int]:
    low, high = ranges(legal, (variable,), {})[variable]
    numbers = count(0) if not isinstance(low, int) else count(low)
    if not isinstance(low, int) and isinstance(high, int):
        numbers = count(high, -1)
    for number in islice(numbers, _LOOKED_AT):
        if satisfies(legal, {variable: number}):
            yield number


def beginning(variable: str, numbers: Sequence[int]) -> str:
    """Return a phrase that says which ``numbers`` a list has for ``variable``: ``from v = 3 on``,
    or where they do not follow each other ``at v = 3, 5, 8``."""
    steps = {after - here for here, after in pairwise(numbers)}
    if steps <= {1}:
        return f"from {variable} = {numbers[0]} on"
    if steps == {-1}:
        return f"from {variable} = {numbers[0]} down"
    return f"at {variable} = {', '.join(map(str, numbers))}"
