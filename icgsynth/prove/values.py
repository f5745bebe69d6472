"""Is this the Grundy function?  Decided as the losing set of the game beside a Nim heap.

That z = g(x) are the lost states of the sum says two things: no move of the game keeps the value,
and some move reaches each smaller one.  Both are proved by the provers of winning formulas, then
by a second engine, and states of all sizes are put through the rules.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import LOSING_SET, Claim, FarCheck, Solution, Verdict
from icgsynth.logic.term import Compare, Formula, Name, Recognised, Term, negation
from icgsynth.prove.answer import verify_answer
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.confirm import check_twice
from icgsynth.prove.recheck.far import check_far
from icgsynth.prove.twice import second_look
from icgsynth.prove.well_formed import RulesReport

__all__ = ["BesideHeap", "JudgedValue", "Value"]

_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked

Value: TypeAlias = "Term | Automaton"
"""A term over the variables; or the automaton of the states with their values, the last track."""


@dataclass(frozen=True)
class JudgedValue:
    """How the claim stands that a value is the Grundy function.

    ``by`` names who proved it, the first engine first; ``why`` says what is missing.
    """

    verdict: Verdict
    by: tuple[str, ...] = ()
    far: FarCheck | None = None
    why: str = ""


@dataclass(frozen=True)
class BesideHeap:
    """A game beside a Nim heap, as it was written, and what is proved of its rules."""

    written: ParametricGame
    report: RulesReport

    @staticmethod
    def of(game: ParametricGame, budget: Budget) -> BesideHeap:
        """Raises as :func:`~icgsynth.prove.confirm.check_twice` does."""
        both = beside_heap(game)
        return BesideHeap(both, check_twice(both, budget))

    def judge(self, value: Value, budget: Budget) -> JudgedValue:
        """Proved only where play always ends, both proofs hold, and no far state disagrees."""
        if not self.report.termination.is_proved:
            return JudgedValue(Verdict.UNKNOWN, why="whether play always ends is not known")
        claim = self._claim(value)
        is_term = not isinstance(value, Automaton)
        first = self._judged(claim, Budget(min(_LINEAR, budget.remaining())) if is_term else budget)
        if first.verdict is not Verdict.UNKNOWN or not claim.is_linear:
            return first
        with suppress(Refused, BudgetSpent):
            return self._judged(self._in_digits(claim, budget), budget)
        return first

    def _judged(self, claim: Solution, budget: Budget) -> JudgedValue:
        winning = verify_answer(self.report, claim, budget.share(0.5)).winning
        if not winning.is_proved:
            return JudgedValue(winning.verdict, why=winning.claim)
        as_written = replace(claim, game=self.written)
        look = second_look(self.report, claim, as_written, ("winning",), budget)
        if look.contradiction:
            return JudgedValue(Verdict.UNKNOWN, far=look.far, why=look.contradiction)
        confirmed = look.parts["winning"]
        if not confirmed.finding.is_proved:
            return JudgedValue(Verdict.UNKNOWN, far=look.far, why=confirmed.finding.claim)
        return JudgedValue(Verdict.PROVED, confirmed.by, look.far)

    def _in_digits(self, claim: Solution, budget: Budget) -> Solution:
        """The same claim for automata to judge: what is linear can be said in any base.

        :class:`~icgsynth.errors.Refused` where states are not of natural numbers, or automata
        become too large.
        """
        game, system = self.report.game, base(2)
        require_natural(game, budget)
        _, losing = claim.sides()
        lost = Rules.of(game, system, budget).states_where(losing)
        return replace(claim, automaton=lost.automaton(game.variables), logic=str(system))

    def far(self, value: Value, budget: Budget) -> FarCheck:
        """States of all sizes against ``value``; no proof."""
        claim = replace(self._claim(value), game=self.written)
        return check_far(claim, budget, ranking=self.report.components)

    def _claim(self, value: Value) -> Solution:
        """That the lost states are those whose heap is ``value``."""
        game = self.report.game
        losing = _heap_is(game, value)
        return Solution(
            game=game,
            rule="normal",
            status="unknown",
            winning=Claim(negation(losing)),
            losing=Claim(losing),
            ranking=self.report.components,
            automaton=value if isinstance(value, Automaton) else None,
            logic=str(value.system) if isinstance(value, Automaton) else "lia",
        )


def _heap_is(both: ParametricGame, value: Value) -> Formula:
    names = tuple(map(Name, both.variables))
    if isinstance(value, Automaton):
        return Recognised(value, names, LOSING_SET)
    return Compare((names[-1], value), ("=",))
