"""Automata for functions of digits, and for ``at least j tuples complete this one``.

The first are read off their definitions.  For the second the subset construction, which in a
projection asks whether some numbers on the removed tracks are in the relation, counts them.  A
number has one word of each length, so the ways to fill the removed tracks of a word, counted along
runs of the automaton, are different tuples of numbers.  Counts stop at the largest asked for, so
that the states are finitely many.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import product
from math import inf
from typing import TypeAlias, TypeVar

import numpy as np

from icgsynth.digits.dfa import DFA, MAX_STATES, everything, explore_states, read_off, spread
from icgsynth.digits.minimise import minimised, reaching
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import Refused

_S = TypeVar("_S", bound=Hashable)


def define(
    system: Numeration,
    tracks: tuple[str, ...],
    start: _S,
    step: Callable[[_S, tuple[int, ...]], _S | None],
    accepts: Callable[[_S], bool],
) -> DFA:
    """Return the automaton of the tuples whose columns lead from ``start`` to an accepting state.
    ``step`` maps a state and a column of digits, in the order of ``tracks``, to the next state,
    None where nothing can follow any more; ``accepts`` tells which states accept.  Digits are of
    ``system``; columns of zeros at the left must change no answer."""
    columns = list(product(range(system.digits), repeat=len(tracks)))
    first: _S | None = start

    def after(state: _S | None) -> list[_S | None]:
        return [None if state is None else step(state, column) for column in columns]

    states, delta = explore_states(first, after, "a function of digits", inf)
    flags = np.array([state is not None and accepts(state) for state in states])
    return read_off(system, tracks, delta, flags)


def zero(system: Numeration, track: str) -> DFA:
    """Return the automaton on ``track`` that accepts only the number 0, as words of ``system``."""
    return define(system, (track,), 0, lambda s, d: None if d[0] else s, lambda _: True)


def same(system: Numeration, one: str, other: str) -> DFA:
    """Return the automaton of pairs in which ``one`` equals ``other``, as words of ``system``."""
    return define(system, (one, other), 0, lambda s, d: s if d[0] == d[1] else None, lambda _: True)


def less(system: Numeration, one: str, other: str) -> DFA:
    """Return the automaton of the pairs in which ``one`` comes before ``other`` in radix order.
    Words are of ``system`` and of one length, so the first digit that differs decides."""

    def step(state: str, column: tuple[int, ...]) -> str | None:
        if state == "<" or column[0] == column[1]:
            return state
        return "<" if column[0] < column[1] else None

    return define(system, (one, other), "=", step, lambda state: state == "<")


def shortened(system: Numeration, track: str, part: str) -> DFA:
    """Return the automaton of the pairs in which ``part`` is ``track`` without its last digit.
    :class:`~icgsynth.errors.Refused` where shortened words need not be valid in ``system``."""
    words = everything(system, (track,))
    if (reaching(words.delta, words.accepting) & ~words.accepting).any():
        raise Refused(f"a number in {system} without its last digit is not always a number")
    return define(
        system, (track, part), 0, lambda last, d: d[0] if d[1] == last else None, lambda _: True
    )


def ends_in_zeros(system: Numeration, track: str, modulus: int, residue: int) -> DFA:
    """Return the automaton of the numbers ``track`` whose number of final zeros, as digits in
    ``system``, is ``residue`` modulo ``modulus``; the number 0 counts as ending in none."""

    def step(state: int, column: tuple[int, ...]) -> int | None:
        if column[0]:
            return 0
        return -1 if state == -1 else (state + 1) % modulus

    return define(
        system, (track,), -1, step, lambda state: (0 if state == -1 else state) == residue
    )


def low_part(system: Numeration, track: str, part: str) -> DFA:
    """Return the automaton of the pairs in which ``part`` is the weight in ``system`` of the last
    digit of ``track`` that is not 0; or both are 0."""

    def step(state: str, column: tuple[int, ...]) -> str | None:
        digit, mark = column
        if state == "after":
            return None if digit or mark else state
        if mark:
            return "after" if mark == 1 and digit else None
        return "open" if digit else state

    return define(system, (track, part), "start", step, lambda state: state in ("start", "after"))


# For each state that some words lead to, in ascending order, how many of them do.
_Counts: TypeAlias = tuple[tuple[int, int], ...]
_Arcs: TypeAlias = list[dict[int, list[int]]]  # by state and kept symbol: the next states


def at_least(dfa: DFA, gone: Iterable[str], most: int) -> tuple[DFA, ...]:
    """Return for j = 1 .. ``most`` the set of those tuples on the other tracks that at least j
    tuples on the tracks ``gone`` complete in ``dfa``.  :class:`~icgsynth.errors.Refused` past
    ``MAX_STATES`` states."""
    digits = dfa.system.digits
    removed = {*gone} & {*dfa.tracks}
    kept = tuple(t for t in dfa.tracks if t not in removed)
    symbols = digits ** len(kept)
    arcs = _arcs(dfa, spread(digits, kept, dfa.tracks).tolist())
    start: _Counts = ((0, 1),) if reaching(dfa.delta, dfa.accepting)[0] else ()
    # Longer numbers on the removed tracks: any number of zero columns may come first.
    while (wider := _step(arcs, start, 0, most)) != start:
        start = wider

    def following(counts: _Counts) -> Iterator[_Counts]:
        return (_step(arcs, counts, symbol, most) for symbol in range(symbols))

    states, delta = explore_states(start, following, "a count of moves", MAX_STATES)
    accepting = set(np.flatnonzero(dfa.accepting).tolist())
    total = np.array([sum(n for q, n in counts if q in accepting) for counts in states])
    return tuple(DFA(dfa.system, kept, *minimised(delta, total >= j)) for j in range(1, most + 1))


def _arcs(dfa: DFA, kept: list[int]) -> _Arcs:
    """Return for each state, and for each symbol of the tracks that stay, the next states from
    which ``dfa`` accepts a word; ``kept`` maps each symbol of ``dfa`` to one of these symbols."""
    alive = reaching(dfa.delta, dfa.accepting).tolist()
    found: _Arcs = []
    for row in dfa.delta.tolist():
        after: dict[int, list[int]] = {}
        for symbol, target in zip(kept, row, strict=True):
            if alive[target]:
                after.setdefault(symbol, []).append(target)
        found.append(after)
    return found


def _step(arcs: _Arcs, counts: _Counts, symbol: int, most: int) -> _Counts:
    found: dict[int, int] = {}
    for state, count in counts:
        for target in arcs[state].get(symbol, ()):
            found[target] = min(most, found.get(target, 0) + count)
    return tuple(sorted(found.items()))
