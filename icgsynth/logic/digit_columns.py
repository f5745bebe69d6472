"""Functions of digits, and automata, evaluated on numpy columns with one entry a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.numeration import Numeration
from icgsynth.logic import term as t

_FIRST = 1 << 15  # numbers whose digits are looked up: samples of states have few larger ones


def digital(
    term: t.Digital, columns: list[Any], one: Callable[[t.Digital, list[int]], int]
) -> NDArray[Any]:
    """Return the values of ``term``, a function of digits, elementwise on ``columns`` of arguments.
    There is an integer array for each argument; negative numbers count as 0.
    ``one(term, numbers)`` computes a single value; it is used where a column holds Python integers
    (dtype object)."""
    natural = [np.maximum(np.asarray(column), 0) for column in columns]
    if any(column.dtype == object for column in natural):
        return _one_by_one(term, natural, one)
    if term.kind != "nimsum" and natural[0].max(initial=0) < _FIRST:
        return np.asarray(_of_first(term.system, term.kind)[natural[0]])
    return _compute(term, natural)


@lru_cache(maxsize=64)
def _of_first(system: Numeration, kind: str) -> NDArray[Any]:
    return _compute(t.Digital(kind, (), system), [np.arange(_FIRST)])


def _compute(term: t.Digital, natural: list[NDArray[Any]]) -> NDArray[Any]:
    """Return the values of ``term``, a function of digits, elementwise for its arguments
    ``natural``, int64 arrays of numbers >= 0."""
    digits = words(term.system, natural)
    weights = np.array(term.system.weights(digits[0].shape[-1] + 1), dtype=np.int64)[::-1]
    match term.kind:
        case "nimsum":
            total = sum(digits[1:], start=digits[0].astype(np.int64))
            return np.asarray((total % term.modulus) @ weights[1:])
        case "shift":
            return np.asarray(digits[0] @ weights[:-1])
        case "unshift":
            return np.asarray(digits[0][..., :-1] @ weights[2:])
    if not digits[0].shape[-1]:  # all numbers are 0
        return np.zeros(natural[0].shape, np.int64)
    zeros = (digits[0][..., ::-1] != 0).argmax(axis=-1)  # of the number 0, none
    if term.kind == "zeros":
        return np.asarray(zeros)
    return np.asarray(np.where(natural[0] == 0, 0, weights[::-1][zeros]))


def recognise(formula: t.Recognised, columns: list[Any]) -> NDArray[np.bool_]:
    """Return elementwise whether the automaton of ``formula`` accepts the numbers in ``columns``.
    ``columns`` has an integer array for each track.  Negative numbers are not accepted."""
    automaton = formula.automaton
    arrays = np.broadcast_arrays(*map(np.asarray, columns))
    if any(array.dtype == object for array in arrays):
        tuples = zip(*(array.ravel().tolist() for array in arrays), strict=True)
        flags = np.array([automaton.accepts(numbers) for numbers in tuples], dtype=bool)
        return flags.reshape(arrays[0].shape)
    digits = words(automaton.system, [np.maximum(np.asarray(column), 0) for column in columns])
    base, symbols = automaton.system.digits, len(automaton.transitions[0])
    # Transitions in one flat table whose entries are offsets of rows: a step is one lookup.
    after = np.array(automaton.transitions, dtype=np.int64).ravel() * symbols
    row = np.zeros(arrays[0].shape, dtype=np.int64)  # of the state: where its transitions begin
    for i in range(digits[0].shape[-1]):
        symbol = digits[0][..., i].astype(np.int64)
        for word in digits[1:]:
            symbol = symbol * base + word[..., i]
        row = after[row + symbol]
    state = row // symbols
    natural = np.all([array >= 0 for array in arrays], axis=0)
    return np.asarray(np.array(automaton.accepting)[state] & natural)


def words(system: Numeration, columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """Return for each of ``columns`` the digits of its numbers, highest first, on a new last axis.
    All are written in ``system``, with leading zeros to the length of the largest number."""
    largest = max((int(column.max(initial=0)) for column in columns), default=0)
    weights = system.weights(system.length(largest))
    if largest < _FIRST:
        known = _words_of_first(system)[system.length(_FIRST - 1) - len(weights) :]
        return [np.moveaxis(known[:, column], 0, -1) for column in columns]
    return [np.moveaxis(_divided(column, weights), 0, -1) for column in columns]


@lru_cache(maxsize=16)
def _words_of_first(system: Numeration) -> NDArray[Any]:
    return _divided(np.arange(_FIRST), system.weights(system.length(_FIRST - 1)))


def _divided(column: NDArray[Any], weights: Sequence[int]) -> NDArray[Any]:
    left = column.astype(np.int64)
    digits = np.zeros((len(weights), *left.shape), dtype=np.int32)
    for i, weight in enumerate(reversed(weights)):
        digit = left // weight  # many times faster than numpy's divmod
        digits[i], left = digit, left - digit * weight
    return digits


def _one_by_one(
    term: t.Digital, columns: list[NDArray[Any]], one: Callable[[t.Digital, list[int]], int]
) -> NDArray[Any]:
    arrays = np.broadcast_arrays(*columns)
    tuples = zip(*(array.ravel().tolist() for array in arrays), strict=True)
    values = np.empty(arrays[0].size, dtype=object)
    values[:] = [one(term, list(numbers)) for numbers in tuples]
    return values.reshape(arrays[0].shape)
