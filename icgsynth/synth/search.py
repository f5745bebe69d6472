"""Solve a game: linear arithmetic first, then sets that automata recognise; one answer.

Where the labels show no linear structure, digits are tried before the costlier searches for
linear formulas.  An answer in digits that people can read is taken at once; one that only an
automaton can tell waits until linear arithmetic has had its chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic.term import Recognised, walk
from icgsynth.synth.linear import pipeline

if TYPE_CHECKING:
    from icgsynth.prove.rules import RulesReport
    from icgsynth.synth.digits.search import AutomaticSearch, Found

__all__ = ["Progress", "Solver", "solve"]

Progress = Callable[[str], None]

_AFTER = 4.0  # seconds, and a quarter of what is left at most, for linear arithmetic to go on


def solve(
    game: ParametricGame,
    rule: PlayRule = "normal",
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
) -> Solution:
    """The best answer within the budget; its ``status`` says how sure it is.

    Raises :class:`~icgsynth.errors.InputError` for a game without a legal state.
    """
    return Solver(game, rule, budget or Budget(60.0), progress).solve()


@dataclass
class Solver:
    """One run on one game under one rule.

    :meth:`solve` answers; :meth:`unknown` may be asked at any time, also from another
    thread, for what is known so far.
    """

    game: ParametricGame
    rule: PlayRule
    budget: Budget
    progress: Progress = lambda _: None
    linear: pipeline.Solver = field(init=False)
    _search: AutomaticSearch | None = None
    _held: Solution | None = None

    def __post_init__(self) -> None:
        self.linear = pipeline.Solver(
            self.game, self.rule, self.budget, self.progress, beyond=self._beyond
        )

    def solve(self) -> Solution:
        """The answer, or as much of it as the budget allows."""
        solution = self.linear.solve()
        if solution.is_proved or solution.cycle:
            return solution
        if self._held is not None:
            return self._held
        return replace(solution, notes=(*solution.notes, *self._notes()))

    def unknown(self, why: str) -> Solution:
        """What is known so far, claiming nothing more than is proved."""
        if self._held is not None:
            return self._held
        late = self.linear.unknown(why)
        return replace(late, notes=(*late.notes, *self._notes()))

    def _notes(self) -> tuple[str, ...]:
        return () if self._search is None else tuple(self._search.notes())

    # --- beyond linear arithmetic ---------------------------------------------------------------

    def _beyond(self, stage: str) -> Solution | None:
        """An answer in digits, if one is found and no better one is to be expected."""
        if self._held is not None:
            return self._held
        found = self._automatic(stage)
        if found is None or not found.is_proved or self._search is None:
            return None
        if stage == "thorough" or _is_readable(found):
            return found
        self._held = found
        if self._search.telling:  # irrational slopes: no linear formula is to be expected
            return found
        return self._second_chance(found)

    def _second_chance(self, held: Solution) -> Solution:
        """Linear arithmetic on its own for a little longer, then what is held."""
        left = self.budget.remaining() / 4
        alone = pipeline.Solver(
            self.game, self.rule, Budget(min(_AFTER, left)), self.progress, beyond=lambda _: None
        )
        linear = alone.solve()
        return linear if linear.is_proved else replace(held, seconds=self._seconds())

    def _automatic(self, stage: str) -> Solution | None:
        linear = self.linear
        report = linear.report
        if report is None or report.ranking is None:
            return None
        if report.termination.verdict is not Verdict.PROVED:
            return None
        if self._search is None:
            from icgsynth.synth.digits.search import AutomaticSearch

            self._search = AutomaticSearch(
                linear.game, self.rule, report.ranking.components, self.progress
            )
        search = self._search
        try:
            with linear.timed("learn"):
                found = (search.quick if stage == "quick" else search.thorough)(self.budget)
            if found is None:
                return None
            solution = self._best_said(found, report)
        except (BudgetSpent, Refused):
            return None
        with linear.timed("confirm"):
            solution = linear.confirmed(solution)
        return replace(solution, seconds=self._seconds())

    def _best_said(self, found: Found, report: RulesReport) -> Solution:
        """The answer in the system where it was found, unless another one says it shorter."""
        from icgsynth.synth.digits.answer import answer

        assert self._search is not None
        first = answer(found, report, self.rule, self.budget, self.linear.timed)
        if not _is_readable(first):
            for other in self._search.alternatives(found, self.budget.share(0.2)):
                solution = answer(other, report, self.rule, self.budget, self.linear.timed)
                if solution.is_proved and _is_readable(solution):
                    return solution
        return first

    def _seconds(self) -> dict[str, float]:
        return {"total": self.budget.elapsed(), **self.linear.seconds}


def _is_readable(solution: Solution) -> bool:
    """Whether the losing states are said by a formula rather than by an automaton alone."""
    assert solution.losing is not None
    return not any(isinstance(node, Recognised) for node in walk(solution.losing.formula))
