"""Connectives of automata whose tracks differ: a track that is missing does not matter."""

from __future__ import annotations

from collections.abc import Iterable

from icgsynth.prove.recheck.algebra import FALSE, TRUE, but_not, join, union
from icgsynth.prove.recheck.machine import Machine
from icgsynth.prove.recheck.numbers import Numbers


class Logic:
    """And, or, not over the natural numbers of one system."""

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.effort = numbers.effort

    def both(self, parts: Iterable[Machine]) -> Machine:
        """All hold; ``parts`` are not built past one that makes it impossible."""
        result = TRUE
        for part in parts:
            result = join(self.effort, result, part)
            if result.is_empty:
                return FALSE
        return result

    def some(self, parts: Iterable[Machine]) -> Machine:
        """At least one holds."""
        result = FALSE
        for part in parts:
            if part == TRUE:
                return TRUE
            if not part.is_empty:
                result = part if result.is_empty else self._either(result, part)
        return result

    def negation(self, machine: Machine) -> Machine:
        rest = but_not(self.effort, self._numbers.tuples(machine.tracks), machine)
        return FALSE if rest.is_empty else rest

    def over(self, machine: Machine, tracks: Iterable[str]) -> Machine:
        """The same, with all of ``tracks``."""
        missing = sorted(set(tracks) - set(machine.tracks))
        if not missing:
            return machine
        return join(self.effort, machine, self._numbers.tuples(missing))

    def _either(self, left: Machine, right: Machine) -> Machine:
        tracks = {*left.tracks, *right.tracks}
        return union(self.effort, self.over(left, tracks), self.over(right, tracks))
