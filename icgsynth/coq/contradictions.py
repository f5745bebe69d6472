"""Ask z3 repeatedly which of some formulas contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from icgsynth.logic import term as t
from icgsynth.prove.deciders.smt import Labelled


class Contradictions:
    """Asks z3 repeatedly whether some of many formulas contradict each other. ``steps`` of z3's own
    bound each search, and not seconds, so that the same questions in the same order have the same
    answers. A formula that was asked about before costs little."""

    def __init__(self, steps: int = 2_000_000) -> None:
        self._asked = Labelled()
        self._asked.limit(steps)
        self._places: dict[t.Formula, int] = {}

    def core(self, parts: Sequence[t.Formula], *, least: bool = True) -> tuple[int, ...] | None:
        """Return the places of a few ``parts`` that contradict each other; None if z3 sees none. If
        ``least``, z3 sees no contradiction once any one of them is left out."""
        if not self.holds(parts):
            return None
        kept = self._asked.core(least)
        return tuple(i for i, part in enumerate(parts) if self._places[part] in kept)

    def holds(self, parts: Sequence[t.Formula]) -> bool:
        """Return whether z3 sees that ``parts`` contradict each other; faster than :meth:`core`."""
        for part in parts:
            if part not in self._places:
                self._places[part] = self._asked.add(part)
        return self._asked.contradict([self._places[part] for part in parts])
