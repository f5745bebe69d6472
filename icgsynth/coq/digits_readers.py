"""The automata that a Coq file gives names to, and the moves that they find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.answer_file import DigitLibrary
from icgsynth.coq.claims import Offer, Try
from icgsynth.coq.digits_parts import Parts, system_text
from icgsynth.coq.digits_tracks import MoveUnknowns, unknowns
from icgsynth.coq.digits_ways import DigitWays
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import Numeration
from icgsynth.game.game import ParametricGame
from icgsynth.game.strategy import SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import free_names
from icgsynth.prove.automata.compiler import Compiler

_SECONDS = 60.0  # of processor time, for all automata of a file


class Readers:
    """The automata that a file names, in one system; ``beside`` are names after a state's.
    :class:`~icgsynth.errors.Refused` where automata cannot say the rules."""

    def __init__(
        self, game: ParametricGame, system: Numeration, beside: tuple[str, ...] = ()
    ) -> None:
        self.game, self.variables = game, (*game.variables, *beside)
        self.compiler, self._parts = Compiler(system, Budget(inf, work=_SECONDS)), Parts()
        self.digits = DigitLibrary(
            system_text(system), DigitWays(self._parts, self.compiler, game.variables)
        )
        wider = replace(game, variables=self.variables)
        self.moves = [unknowns(wider, action) for action in game.actions]

    def reader(self, label: str, dfa: DFA, tracks: tuple[str, ...]) -> t.Recognised:
        """Add the automaton ``dfa`` to the file as ``label``, and return the formula that it
        accepts the numbers that the names ``tracks`` have."""
        automaton = dfa.over(tracks).automaton(tracks)
        self._parts.reader(label, automaton)
        return t.Recognised(automaton, tuple(map(t.Name, tracks)), label)

    def states(self, label: str, dfa: DFA) -> t.Recognised:
        """Add ``dfa`` to the file as ``label``; return the formula that it accepts a state, and the
        numbers beside it if the file has any."""
        return self.reader(label, dfa, self.variables)

    def show_try(
        self,
        label: str,
        whence: t.Formula,
        into: DFA | None = None,
        moves: Sequence[MoveUnknowns] | None = None,
    ) -> Try:
        """Return the claim that where ``whence`` holds, one of ``moves`` (by default, all) applies
        and leads ``into`` a set of states, if one is given. The automata of the moves are added to
        the file, their names being ``label`` and a number."""
        offers = []
        for i, move in enumerate(self.moves if moves is None else moves, 1):
            # Numbers that tell the parameters: the others follow from these.
            told = frozenset[str]().union(*map(free_names, move.parameters.values()))
            guesses = tuple(name for name in move.values if name in told)
            others = tuple(name for name in move.values if name not in told)
            found = self.relation(move, into).without(others)
            met = self.reader(f"{label}_{i}", found, (*self.variables, *guesses))
            taken = ((p, move.parameters[p]) for p in move.action.parameters)
            offers.append(Offer(guesses, met, SemiGroundAction(move.action.name, tuple(taken))))
        return Try(whence, tuple(offers))

    def relation(self, move: MoveUnknowns, into: DFA | None) -> DFA:
        """Return the automaton that accepts a state with the unknown numbers of ``move`` where the
        move applies and leads ``into`` a set of states, if one is given."""
        found = self.compiler.all_of(move.parts)
        if into is not None:
            found = found & into.renamed(dict(zip(self.variables, move.after, strict=True)))
        return found.over((*self.variables, *move.values))
