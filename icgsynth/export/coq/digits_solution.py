"""What automata decide about an answer in digits, as lemmas of a Coq file.

Each is a fact on numbers side by side: that some automata never accept together, or that for all
numbers some automaton finds others.  Coq computes the fact; the rest is linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.export.coq.digits_lemmas import DigitLemmas
from icgsynth.export.coq.digits_parts import joined
from icgsynth.export.coq.digits_stated import DigitClaims
from icgsynth.export.coq.statement import CoqStatement
from icgsynth.game.solution import Solution
from icgsynth.prove.beyond import system_of

__all__ = ["SolutionLemmas"]


class SolutionLemmas(DigitLemmas):
    """The automata of the file of a solution and the lemmas about them.

    :class:`~icgsynth.errors.Refused` where automata cannot say the rules.
    """

    said: CoqStatement

    def __init__(self, solution: Solution) -> None:
        said, system = CoqStatement(solution), system_of(solution)
        super().__init__(said, system, "Losing", lambda state: f"accepted {state}")
        stated = solution.automaton
        losing = self.compiler.formula(said.losing) if stated is None else DFA.of(stated)
        self.losing = losing.over(self.variables) & self.compiler.formula(self.game.legal)
        self.stated = DigitClaims(said, self.compiler, self.parts, self.table, self._losing())

    def all(self) -> Iterator[str]:
        """What the theorem needs beside the ranking."""
        legal = self.legal(self.variables)
        other = f"(No {self.place} {self.here})"
        here = f"accepted {self.said.state}"
        for i, move in enumerate(self.moves, 1):
            lost = [self.reads(self.variables, move), self.reads(move.after, move)]
            there = f"accepted (after {self.said.state} ({self.said.pattern(move.action)}))"
            yield from self.never("lose", f"Stuck_{i}", move, lost, [here, there])
        yield from self.stated.lemmas(self.place)
        if self.said.is_misere:
            losing = other.replace("No", "Yes")
            yield from self.some("ready", "Onward", joined([*legal, losing]), None)
        if not self.stated.is_whole:
            yield from self._without_strategy(legal, other)
        elif self.said.is_misere:
            result = f"recognised System {{}} [{self.row}] <> true"
            names = ["Losing", *(f"When_{i}" for i, _ in enumerate(self.said.rules, 1))]
            denied = [other, *self.stated.refused]
            claims = [result.format(name) for name in names]
            for i, move in enumerate(self.moves, 1):
                yield from self.never("over", f"Over_{i}", move, denied, claims)

    def _without_strategy(self, legal: Sequence[str], other: str) -> Iterator[str]:
        """That a state which the automaton does not accept has a move to one that it does."""
        if not self.said.is_misere:
            yield from self.some("win", "Into", joined([*legal, other]), self.losing)
            return
        place = self.table("Moving", self._moving().automaton(self.variables))
        moving = f"(Yes {place} {self.here})"
        for i, move in enumerate(self.moves, 1):
            denied = f"recognised System Moving [{self.row}] <> true"
            still = [moving.replace("Yes", "No")]
            yield from self.never("still", f"Still_{i}", move, still, [denied])
        yield from self.some("win", "Into", joined([*legal, other, moving]), self.losing)

    def _losing(self) -> Automaton:
        return self.losing.automaton(self.variables)

    def _moving(self) -> DFA:
        """Where some action applies."""
        empty = nothing(self.system, tuple(sorted(self.variables)))
        applies = (self.relation(m, None).without(m.values) for m in self.moves)
        return reduce(lambda a, b: a | b, applies, empty)
