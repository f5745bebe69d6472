"""Sets of numbers that rules name, each by its definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from math import isqrt

from experiments.judge.steps import Undecided

__all__ = ["is_in"]

_TRIED = 100_000  # divisors that are tried one by one


def is_in(name: str, number: int) -> bool:
    """Whether ``number`` is in the set called ``name``; KeyError where none is called so."""
    if name.startswith("powers_of_"):
        return _is_power(number, int(name.removeprefix("powers_of_")))
    return _SETS[name](number)


def _is_power(number: int, factor: int) -> bool:
    while number > 1 and number % factor == 0:
        number //= factor
    return number == 1


def _least_divisor(number: int) -> int:
    """The least divisor of at least 2 of a number of at least 2."""
    if isqrt(number) > _TRIED:
        raise Undecided(f"the divisors of {number}")
    return next((d for d in range(2, isqrt(number) + 1) if number % d == 0), number)


def _is_reached(number: int, member: Callable[[int], int]) -> bool:
    """Whether ``number`` is one of member(1) <= member(2) <= ..."""
    return next(found for n in count(1) if (found := member(n)) >= number) == number


def _factorial(n: int) -> int:
    product = 1
    for factor in range(2, n + 1):
        product *= factor
    return product


def _is_square(number: int) -> bool:
    return number >= 0 and isqrt(number) ** 2 == number


_SETS: Mapping[str, Callable[[int], bool]] = {
    "squares": _is_square,
    "cubes": lambda number: number == 0 or (number > 0 and _is_reached(number, lambda n: n**3)),
    "triangular_numbers": lambda number: number >= 0 and _is_square(8 * number + 1),
    "fibonacci_numbers": lambda number: (
        number >= 0 and (_is_square(5 * number**2 + 4) or _is_square(5 * number**2 - 4))
    ),
    "primes": lambda number: number > 1 and _least_divisor(number) == number,
    "prime_powers": lambda number: number > 1 and _is_power(number, _least_divisor(number)),
    "factorials": lambda number: number > 0 and _is_reached(number, _factorial),
    "self_powers": lambda number: number > 0 and _is_reached(number, lambda n: n**n),
}
