"""Who loses and what positions are worth, by the definitions alone, to compare with proofs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, reduce
from itertools import count
from operator import xor
from typing import TypeVar

from hypothesis import strategies as st

from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.heaps.rules.heaps import HeapCode

T = TypeVar("T")


def least_without(met: set[int]) -> int:
    return next(n for n in count() if n not in met)


def loser(game: ParametricGame, rule: PlayRule) -> Callable[[State], bool]:
    """Return a function: whether the player to move loses, by recursion over the moves."""

    @cache
    def is_lost(state: State) -> bool:
        after = [game.result(state, move) for move in game.moves(state)]
        return (bool(after) or rule == "normal") and not any(map(is_lost, after))

    return is_lost


def worth(game: ParametricGame) -> Callable[[State], int]:
    """Return a function: the Grundy value of a state, one state at a time."""

    @cache
    def value(state: State) -> int:
        return least_without({value(game.result(state, move)) for move in game.moves(state)})

    return value


def values_of(options: Callable[[T], Iterable[Iterable[T]]], heaps: Iterable[T]) -> list[int]:
    """Return the values of ``heaps``; ``options`` lists the rows that moves leave of a heap."""

    @cache
    def value(heap: T) -> int:
        return least_without({reduce(xor, map(value, left), 0) for left in options(heap)})

    return [value(heap) for heap in heaps]


def misere_wins(options: Callable[[T], Iterable[Iterable[T]]]) -> Callable[[Iterable[T]], bool]:
    """Return a function: whether the player to move wins a row of heaps under misère play."""

    @cache
    def wins(row: tuple[T, ...]) -> bool:
        after = {
            tuple(sorted((*row[:place], *left, *row[place + 1 :])))
            for place, heap in enumerate(row)
            for left in options(heap)
        }
        return not after or not all(map(wins, after))

    return lambda row: wins(tuple(sorted(row)))


def splits(size: int, heaps: int, least: int = 1) -> Iterator[tuple[int, ...]]:
    """Yield all ways to divide ``size`` into ``heaps`` nonempty heaps, the smallest first."""
    if heaps == 0:
        yield from [()] if size == 0 else []
    elif heaps == 1:
        yield from [(size,)] if size >= least else []
    else:
        for first in range(least, size // heaps + 1):
            for rest in splits(size - first, heaps - 1, first):
                yield (first, *rest)


def heap_options(code: HeapCode, heap: int) -> set[tuple[int, ...]]:
    """Return the rows of heaps that moves leave of ``heap``, read from the digits of the code."""
    return {
        parts
        for k, digit in enumerate(code.digits[: heap + 1])
        for heaps in range(4)
        if digit >> heaps & 1
        for parts in splits(heap - k, heaps)
        if not (heaps == 2 and k in code.unequal and parts[0] == parts[1]) and parts != (heap,)
    }


@cache
def heap_values(code: HeapCode, count: int) -> tuple[int, ...]:
    """Return the values of the first ``count`` heaps, by definition."""
    values: list[int] = []
    for heap in range(count):
        options = heap_options(code, heap)
        values.append(least_without({reduce(xor, (values[p] for p in o), 0) for o in options}))
    return tuple(values)


HEAP_CODES = st.builds(
    lambda first, rest, unequal: HeapCode(
        (first, *rest),
        frozenset(k for k, d in enumerate((first, *rest)) if d & 12 == 4 and k in unequal),
    ),
    st.sampled_from([0, 0, 4, 8]),
    st.lists(st.integers(0, 15) | st.integers(0, 7), min_size=1, max_size=3).filter(
        lambda d: d[-1]
    ),
    st.sets(st.integers(0, 2)),
)
"""Codes of games of heaps: octal ones, those that leave three heaps, and unequal ones."""
