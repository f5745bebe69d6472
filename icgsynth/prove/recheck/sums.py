"""Functions of digits, in Python integers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from itertools import zip_longest
from operator import mul, xor

from icgsynth.digits.numeration import Numeration
from icgsynth.logic import term as t


def is_xor(term: t.Digital) -> bool:
    """Whether it is the exclusive or, which Python has."""
    return (term.kind, term.system.name, term.modulus) == ("nimsum", "base-2", 2)


def digits_function(term: t.Digital) -> Callable[..., int]:
    """The function of digits; a negative number counts as 0."""
    system = term.system
    if term.kind == "nimsum":
        if is_xor(term):
            return lambda *numbers: reduce(xor, (max(0, n) for n in numbers))
        return lambda *numbers: _column_sums(system, numbers, term.modulus)
    single: Callable[[int], int] = {
        "shift": system.shift,
        "unshift": system.unshift,
        "lowpart": system.low_part,
        "zeros": system.zeros,
    }[term.kind]
    return lambda number: single(max(0, number))


def _column_sums(system: Numeration, numbers: Sequence[int], modulus: int) -> int:
    """The digits of the numbers added column by column, without a carry."""
    words = [_word(system, max(0, n)) for n in numbers]
    sums = [sum(column) % modulus for column in zip_longest(*words, fillvalue=0)]
    return sum(map(mul, sums, system.weights(len(sums))))


@lru_cache(maxsize=4096)
def _word(system: Numeration, number: int) -> tuple[int, ...]:
    """The digits, the last one first."""
    return system.representation(number)[::-1]
