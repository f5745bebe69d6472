"""Digits and automata on numpy columns, one entry a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.numeration import Numeration
from icgsynth.logic import term as t


def digital(
    term: t.Digital, columns: list[Any], one: Callable[[t.Digital, list[int]], int]
) -> NDArray[Any]:
    """The value of ``term`` for columns of its arguments, which broadcast.

    ``one`` computes a single value, for numbers past 64 bits.
    """
    natural = [np.maximum(np.asarray(column), 0) for column in columns]
    if any(column.dtype == object for column in natural):
        return _one_by_one(term, natural, one)
    digits = words(term.system, [*natural])
    weights = np.array(term.system.weights(digits[0].shape[-1] + 1), dtype=np.int64)[::-1]
    match term.kind:
        case "nimsum":
            total = sum(digits[1:], start=digits[0].astype(np.int64))
            return np.asarray((total % term.modulus) @ weights[1:])
        case "shift":
            return np.asarray(digits[0] @ weights[:-1])
        case "unshift":
            return np.asarray(digits[0][..., :-1] @ weights[2:])
    after = np.cumsum(digits[0][..., ::-1] != 0, axis=-1) == 0
    zeros = np.where(natural[0] == 0, 0, after.sum(axis=-1))
    if term.kind == "zeros":
        return np.asarray(zeros)
    return np.asarray(np.where(natural[0] == 0, 0, weights[::-1][zeros]))


def recognised(formula: t.Recognised, columns: list[Any]) -> NDArray[np.bool_]:
    """Where the automaton accepts the tuples."""
    automaton = formula.automaton
    arrays = np.broadcast_arrays(*map(np.asarray, columns))
    if any(array.dtype == object for array in arrays):
        tuples = zip(*(array.ravel().tolist() for array in arrays), strict=True)
        flags = np.array([automaton.accepts(numbers) for numbers in tuples], dtype=bool)
        return flags.reshape(arrays[0].shape)
    digits = words(automaton.system, [np.maximum(array, 0) for array in arrays])
    delta = np.array(automaton.transitions, dtype=np.int32)
    state = np.zeros(arrays[0].shape, dtype=np.int32)
    for i in range(digits[0].shape[-1]):
        symbol = np.zeros(arrays[0].shape, dtype=np.int64)
        for word in digits:
            symbol = symbol * automaton.system.digits + word[..., i]
        state = delta[state, symbol]
    natural = np.all([array >= 0 for array in arrays], axis=0)
    return np.asarray(np.array(automaton.accepting)[state] & natural)


def words(system: Numeration, columns: list[NDArray[Any]]) -> list[NDArray[np.int64]]:
    """The digits of each number along a new last axis, all of one length."""
    largest = max((int(column.max(initial=0)) for column in columns), default=0)
    weights = system.weights(len(system.representation(largest)))
    found = []
    for column in columns:
        left = column.astype(np.int64)
        digits = np.zeros((*left.shape, len(weights)), dtype=np.int64)
        for i, weight in enumerate(reversed(weights)):
            digits[..., i], left = np.divmod(left, weight)
        found.append(digits)
    return found


def _one_by_one(
    term: t.Digital, columns: list[NDArray[Any]], one: Callable[[t.Digital, list[int]], int]
) -> NDArray[Any]:
    arrays = np.broadcast_arrays(*columns)
    tuples = zip(*(array.ravel().tolist() for array in arrays), strict=True)
    values = np.empty(arrays[0].size, dtype=object)
    values[:] = [one(term, list(numbers)) for numbers in tuples]
    return values.reshape(arrays[0].shape)
