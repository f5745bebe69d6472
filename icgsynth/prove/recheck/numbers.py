"""Tuples of representations, and radix order on them: what needs no arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import product

from icgsynth.digits.numeration import Numeration
from icgsynth.prove.recheck.algebra import TRUE, but_not, join, project, renamed
from icgsynth.prove.recheck.machine import Effort, Machine, Symbol, TooLarge, explore
from icgsynth.prove.recheck.system import representations, weights

__all__ = ["Numbers", "places"]

_COLUMNS = 1 << 16  # different columns of digits; more would fill the memory


def places(count: int) -> tuple[str, ...]:
    """Names of tracks that sort by their place."""
    return tuple(f"{i:03}" for i in range(count))


class Numbers:
    """The natural numbers of one system."""

    def __init__(self, system: Numeration, effort: Effort) -> None:
        self.system = system
        self.effort = effort
        self._tuples = [TRUE, representations(effort, system, places(1)[0])]

    def columns(self, count: int) -> Iterator[Symbol]:
        """Every column of ``count`` digits; :class:`TooLarge` where they are too many."""
        if self.system.digits**count > _COLUMNS:
            raise TooLarge(f"{count} numbers in {self.system} at a time")
        return product(range(self.system.digits), repeat=count)

    def values(self, tracks: Sequence[str], word: Sequence[Symbol]) -> dict[str, int]:
        """The numbers on the tracks that ``word`` represents."""
        unit = weights(self.system, len(word))[::-1]
        return {
            track: sum(column[i] * u for column, u in zip(word, unit, strict=True))
            for i, track in enumerate(tracks)
        }

    def tuples(self, tracks: Collection[str]) -> Machine:
        """Every tuple of representations; :class:`TooLarge` where columns are too many."""
        self.columns(len(tracks))
        while len(self._tuples) <= len(tracks):
            names = places(len(self._tuples))
            last = replace(self._tuples[1], tracks=names[-1:])
            self._tuples.append(join(self.effort, self._tuples[-1], last))
        return replace(self._tuples[len(tracks)], tracks=tuple(sorted(tracks)))

    def zero(self, track: str) -> Machine:
        """The words of zeros."""
        numbers = self.tuples((track,))

        def step(state: int) -> list[tuple[Symbol, int]]:
            return [(d, q) for d, q in numbers.rows[state].items() if d == (0,)]

        return explore(self.effort, (track,), 0, step, lambda q: numbers.accepting[q])

    def less(self, left: str, right: str) -> Machine:
        """Radix order: of two representations padded to one length, the first difference."""
        pairs = self.tuples(places(2))

        def step(state: tuple[bool, int]) -> Iterator[tuple[Symbol, tuple[bool, int]]]:
            decided, place = state
            for (x, y), after in pairs.rows[place].items():
                if decided or x <= y:
                    yield (x, y), (decided or x < y, after)

        def final(state: tuple[bool, int]) -> bool:
            return state[0] and pairs.accepting[state[1]]

        machine = explore(self.effort, pairs.tracks, (False, 0), step, final)
        return renamed(machine, dict(zip(pairs.tracks, (left, right), strict=True)))

    def at_most(self, left: str, right: str) -> Machine:
        return but_not(self.effort, self.tuples((left, right)), self.less(right, left))

    def equal(self, left: str, right: str) -> Machine:
        return but_not(self.effort, self.at_most(left, right), self.less(left, right))

    def successor(self, left: str, right: str) -> Machine:
        """``right`` is the next representation after ``left`` in radix order."""
        between = join(self.effort, self.less(left, "between"), self.less("between", right))
        beyond = project(self.effort, between, ("between",))
        return but_not(self.effort, self.less(left, right), beyond)

    def next(self, machine: Machine, track: str) -> Machine:
        """The tuples of ``machine`` with the successor on ``track``."""
        stepped = join(self.effort, machine, self.successor(track, "next"))
        return renamed(project(self.effort, stepped, (track,)), {"next": track})

    def without_zero(self, machine: Machine, track: str) -> Machine:
        return but_not(self.effort, machine, self.zero(track))
