"""What automata decide about an answer in digits, as lemmas of a Coq file.

Each is a fact on numbers side by side: that some automata never accept together, or that for all
numbers some automaton finds others.  Coq computes the fact; the rest is linear arithmetic.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import cached_property, reduce

from icgsynth.coq.digits_cones import ConeMoves
from icgsynth.coq.digits_lemmas import DigitLemmas
from icgsynth.coq.digits_parts import joined
from icgsynth.coq.digits_stated import DigitClaims
from icgsynth.coq.digits_tracks import MoveUnknowns
from icgsynth.coq.statement import CoqStatement
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA, nothing
from icgsynth.game.solution import Solution
from icgsynth.prove.automata.cones import cones
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.beyond import system_of


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
        yield from self.stated.lemmas()
        if self.said.is_misere:
            losing = other.replace("No", "Yes")
            ready = joined([*legal, losing])
            yield from self.some("ready", "Onward", ready, None, moves=self._enough)
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
        form, moves = [*legal, other], self.moves
        if self.said.is_misere:
            form.append((yield from self._still()))
        if self.cones is not None:
            yield from self.cones.lemmas()
            form += [f"(No {place} {self.here})" for place in self.cones.places]
            form += self.stated.refused
            moves = []
        yield from self.some("win", "Into", joined(form), self.losing, moves=moves)

    def _still(self) -> Generator[str, None, str]:
        """That no action applies where an automaton accepts; and that it does not, as data."""
        place = self.table("Ended", self._ended.automaton(self.variables))
        for i, move in enumerate(self.moves, 1):
            accepts = f"recognised System Ended [{self.row}] = true"
            yield from self.never(
                "still", f"Still_{i}", move, [f"(Yes {place} {self.here})"], [accepts]
            )
        return f"(No {place} {self.here})"

    def _losing(self) -> Automaton:
        return self.losing.automaton(self.variables)

    # --- actions with cones -------------------------------------------------------------------

    @cached_property
    def _rules(self) -> Rules:
        return Rules.of(self.game, self.system, self.compiler.budget)

    @cached_property
    def _ended(self) -> DFA:
        """The legal states where no action applies."""
        return self._rules.ending().over(self.variables)

    @cached_property
    def _plain(self) -> list[MoveUnknowns]:
        """The moves of actions without cones: the relation of a cone is too large."""
        return [move for move in self.moves if cones(self.game, move.action) is None]

    @cached_property
    def _enough(self) -> list[MoveUnknowns]:
        """Actions of which one applies in each losing state, those without cones if these do."""
        empty = nothing(self.system, tuple(sorted(self.variables)))
        found = (self.relation(move, None).without(move.values) for move in self._plain)
        stuck = self.losing - reduce(lambda a, b: a | b, found, empty)
        return self._plain if stuck.is_empty else self.moves

    @cached_property
    def cones(self) -> ConeMoves | None:
        """Moves of a game with cones, for states in which no rule of the file wins; None where
        there are no cones, or these moves are not enough."""
        if len(self._plain) == len(self.moves) or self.stated.is_whole:
            return None
        open_ = self._rules.legal - self.losing
        for rule in self.said.rules:
            open_ = open_ - self.compiler.formula(rule.when)
        if self.said.is_misere:
            open_ = open_ - self._ended
        given = self.stated, self.parts, self.table, self._rules, self.losing
        found = ConeMoves(*given, self._plain, open_)
        return found if found.left.is_empty else None
