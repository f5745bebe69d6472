"""Is this the Grundy function?  Decided as the losing set of the game beside a Nim heap.

That z = g(x) are the lost states of the sum says two things: no move of the game keeps the value,
and some move reaches each smaller one.  Both are proved by the provers of winning formulas, then
by a second engine, and states of all sizes are put through the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.beside_heap import beside_heap
from icgsynth.game.components import components
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import LOSING_SET, Claim, FarCheck, Solution, Verdict
from icgsynth.logic.term import (
    Compare,
    Digital,
    Formula,
    Int,
    Name,
    Recognised,
    Term,
    free_names,
    negation,
)
from icgsynth.prove.answer import verify_answer
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.confirm import check_twice
from icgsynth.prove.discharge import Finding
from icgsynth.prove.recheck.far import check_far
from icgsynth.prove.twice import second_look
from icgsynth.prove.well_formed import RulesReport

__all__ = ["BesideHeap", "JudgedValue", "Value", "judge_value", "xor_of", "xored"]

_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked

Value: TypeAlias = "Term | Automaton"
"""A term over the variables; or the automaton of the states with their values, the last track."""


@dataclass(frozen=True)
class JudgedValue:
    """How the claim stands that a value is the Grundy function.

    ``by`` names who proved it, the first engine first; ``why`` says what is missing, or what is
    wrong at which state.  ``is_contradicted``: proved once, and then found to be wrong.
    """

    verdict: Verdict
    by: tuple[str, ...] = ()
    far: FarCheck | None = None
    why: str = ""
    is_contradicted: bool = False


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
        is_open = first.verdict is Verdict.UNKNOWN and not first.is_contradicted
        if not is_open or not claim.is_linear:
            return first
        with suppress(Refused, BudgetSpent):
            return self._judged(self._in_digits(claim, budget), budget)
        return first

    def _judged(self, claim: Solution, budget: Budget) -> JudgedValue:
        winning = verify_answer(self.report, claim, budget.share(0.5)).winning
        if not winning.is_proved:
            return JudgedValue(winning.verdict, why=_told(winning))
        as_written = replace(claim, game=self.written)
        look = second_look(self.report, claim, as_written, ("winning",), budget)
        if look.contradiction:
            why = f"the proof is contradicted, please report this: {look.contradiction}"
            return JudgedValue(Verdict.UNKNOWN, (), look.far, why, is_contradicted=True)
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


def judge_value(game: ParametricGame, value: Value, budget: Budget) -> JudgedValue:
    """Whether ``value`` is the Grundy function of ``game``; of a sum of games, part by part.

    Raises as :func:`~icgsynth.prove.confirm.check_twice` does.
    """
    report = check_twice(game, budget.share(0.3))
    if not report.termination.is_proved:
        return JudgedValue(Verdict.UNKNOWN, why="whether play always ends is not known")
    parts = components(report.game, report.ending.is_proved) if not game.is_quantified else ()
    if len(parts) > 1 and not isinstance(value, Automaton):
        judged = _judge_sum(game, parts, value, budget.share(0.5))
        if judged.verdict is Verdict.PROVED or judged.is_contradicted:
            return judged
    return BesideHeap.of(game, budget.share(0.3)).judge(value, budget)


def _judge_sum(
    game: ParametricGame, parts: Sequence[ParametricGame], term: Term, budget: Budget
) -> JudgedValue:
    """``game`` is the sum of ``parts``: its value is the xor of theirs.

    Proved where ``term`` is the xor of terms of which each speaks of one part.
    """
    engines: dict[str, None] = {}
    shares: list[list[Term]] = [[] for _ in parts]
    for pile in xored(term):
        at = [i for i, part in enumerate(parts) if free_names(pile) <= set(part.variables)]
        if not at:
            return JudgedValue(Verdict.UNKNOWN, why=f"{pile} speaks of several parts of a sum")
        shares[at[0]].append(pile)
    for i, (part, share) in enumerate(zip(parts, shares, strict=True)):
        within = budget.share(1 / (len(parts) - i + 1))
        judged = BesideHeap.of(part, within).judge(xor_of(share), within)
        if judged.verdict is not Verdict.PROVED:
            return replace(judged, why=f"{part.name}: {judged.why}")
        engines |= dict.fromkeys(judged.by)
    far = BesideHeap.of(game, budget.share(0.3)).far(term, budget.share(0.5))
    if far.disagreements:
        return JudgedValue(Verdict.UNKNOWN, (), far, far.claim, is_contradicted=True)
    return JudgedValue(Verdict.PROVED, tuple(engines), far)


def xor_of(terms: Sequence[Term]) -> Term:
    """The xor in base 2; 0 of none."""
    if len(terms) < 2:
        return terms[0] if terms else Int(0)
    return Digital("nimsum", tuple(pile for term in terms for pile in xored(term)), base(2))


def xored(term: Term) -> tuple[Term, ...]:
    """The terms that ``term`` is the xor of, in base 2; none of 0."""
    if term == Int(0):
        return ()
    is_xor = isinstance(term, Digital) and term == Digital("nimsum", term.args, base(2))
    return term.args if isinstance(term, Digital) and is_xor else (term,)


def _told(finding: Finding) -> str:
    if not finding.witness:
        return finding.claim
    return f"{finding.claim}, at {', '.join(f'{n} = {v}' for n, v in finding.witness.items())}"


def _heap_is(both: ParametricGame, value: Value) -> Formula:
    names = tuple(map(Name, both.variables))
    if isinstance(value, Automaton):
        return Recognised(value, names, LOSING_SET)
    return Compare((names[-1], value), ("=",))
