"""How many tuples of numbers complete a tuple: ``there are at least j`` as automata.

A projection asks whether some numbers on the removed tracks are in the relation; here the subset
construction counts them.  A number has one word of each length, so the ways to fill the removed
tracks of a word, counted along the runs of the deterministic automaton, are different tuples of
numbers.  Counts stop at the largest that is asked for, so that the states are finitely many.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

import numpy as np

from icgsynth.digits.dfa import DFA, MAX_STATES, explored, spread
from icgsynth.digits.minimise import minimised, reaching

__all__ = ["at_least"]

# For each state that some words lead to, in ascending order, how many of them do.
_Counts: TypeAlias = tuple[tuple[int, int], ...]
_Arcs: TypeAlias = list[dict[int, list[int]]]  # by state and kept symbol: the next states


def at_least(dfa: DFA, gone: Iterable[str], most: int, cap: int = MAX_STATES) -> tuple[DFA, ...]:
    """For j = 1 .. ``most``: the tuples that at least j tuples on the tracks ``gone`` complete.

    :class:`~icgsynth.errors.Refused` past ``cap`` states.
    """
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

    states, delta = explored(start, following, "a count of moves", cap)
    accepting = set(np.flatnonzero(dfa.accepting).tolist())
    total = np.array([sum(n for q, n in counts if q in accepting) for counts in states])
    return tuple(DFA(dfa.system, kept, *minimised(delta, total >= j)) for j in range(1, most + 1))


def _arcs(dfa: DFA, kept: list[int]) -> _Arcs:
    """The transitions into states from which something is accepted."""
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
