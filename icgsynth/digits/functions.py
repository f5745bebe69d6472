"""Automata for functions of digits, each read off its definition."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import product
from math import inf
from typing import TypeVar

import numpy as np

from icgsynth.digits.dfa import DFA, everything, explored, read_off
from icgsynth.digits.minimise import reaching
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused

__all__ = ["defined", "ends_in_zeros", "less", "low_part", "same", "shortened", "zero"]

_S = TypeVar("_S", bound=Hashable)


def defined(
    system: Numeration,
    tracks: tuple[str, ...],
    start: _S,
    step: Callable[[_S, tuple[int, ...]], _S | None],
    accepts: Callable[[_S], bool],
) -> DFA:
    """The tuples whose columns lead ``step`` from ``start`` to a state that ``accepts``.

    ``step`` gives None where nothing can follow any more.  Columns are in the order of
    ``tracks``; columns of zeros at the left must change no answer.
    """
    columns = list(product(range(system.digits), repeat=len(tracks)))
    first: _S | None = start

    def after(state: _S | None) -> list[_S | None]:
        return [None if state is None else step(state, column) for column in columns]

    states, delta = explored(first, after, "a function of digits", inf)
    flags = np.array([state is not None and accepts(state) for state in states])
    return read_off(system, tracks, delta, flags)


def zero(system: Numeration, track: str) -> DFA:
    """``track = 0``, as a word."""
    return defined(system, (track,), 0, lambda s, d: None if d[0] else s, lambda _: True)


def same(system: Numeration, one: str, other: str) -> DFA:
    """Equal words."""
    return defined(
        system, (one, other), 0, lambda s, d: s if d[0] == d[1] else None, lambda _: True
    )


def less(system: Numeration, one: str, other: str) -> DFA:
    """The word of ``one`` before that of ``other`` in radix order: the first difference decides."""

    def step(state: str, column: tuple[int, ...]) -> str | None:
        if state == "<" or column[0] == column[1]:
            return state
        return "<" if column[0] < column[1] else None

    return defined(system, (one, other), "=", step, lambda state: state == "<")


def shortened(system: Numeration, track: str, part: str) -> DFA:
    """``part`` is ``track`` without its last digit, as words.

    :class:`~icgsynth.errors.Refused` where words shortened so need not be representations.
    """
    words = everything(system, (track,))
    if (reaching(words.delta, words.accepting) & ~words.accepting).any():
        raise Refused(f"a number in {system} without its last digit is not always a number")
    return defined(
        system, (track, part), 0, lambda last, d: d[0] if d[1] == last else None, lambda _: True
    )


def ends_in_zeros(system: Numeration, track: str, modulus: int, residue: int) -> DFA:
    """The numbers that end in ``residue`` zeros modulo ``modulus``; 0 ends in none."""

    def step(state: int, column: tuple[int, ...]) -> int | None:
        if column[0]:
            return 0
        return -1 if state == -1 else (state + 1) % modulus

    return defined(
        system, (track,), -1, step, lambda state: (0 if state == -1 else state) == residue
    )


def low_part(system: Numeration, track: str, part: str) -> DFA:
    """``part`` is the weight of the last digit of ``track`` that is not 0, or both are 0."""

    def step(state: str, column: tuple[int, ...]) -> str | None:
        digit, mark = column
        if state == "after":
            return None if digit or mark else state
        if mark:
            return "after" if mark == 1 and digit else None
        return "open" if digit else state

    return defined(system, (track, part), "start", step, lambda state: state in ("start", "after"))
