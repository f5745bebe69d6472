"""Solve a game: short formulas, values of a sum, more formulas, automata; one answer.

Where the labels show no linear structure, digits are tried before the costlier searches for
linear formulas.  An answer in digits that people can read is taken at once; one that only an
automaton can tell waits until linear arithmetic has had its chance.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule, State, require_defined
from icgsynth.game.repeated import products, steps_of_multiples, stepwise
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.prove.certificate import believed
from icgsynth.prove.every_state import every_label
from icgsynth.synth.checked import CheckedRules, GivenRules, Run, check
from icgsynth.synth.linear.attempts import Pause, attempts
from icgsynth.synth.linear.finish import finished
from icgsynth.synth.linear.stages import LabelledBox, Lesson, Plan

if TYPE_CHECKING:
    from icgsynth.prove.well_formed import RulesReport
    from icgsynth.solving.by_values import PartsClaim
    from icgsynth.synth.digits.automatic_search import AutomaticSearch

_LARGE = {1: 1_000}  # constant, by the number of variables
_LARGE_OF_SEVERAL = 40  # the same for more of them, whose boxes are smaller
_PARTS = 0.2  # of the budget, for the values of the parts of a sum
_READ = 25  # leaves and connectives of a formula that is easier to read than cases
_WIDER = 0.3  # of the budget, for the same rules on more states
_AFTER = 4.0  # seconds, and a quarter of what is left at most, for linear arithmetic to go on


def solve(
    game: ParametricGame,
    rule: PlayRule = "normal",
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    finite_only: bool = True,
) -> Solution:
    """The best answer within the budget; its ``status`` says how sure it is.

    An answer may have drawn states only without ``finite_only``: who asks for one has to know that
    a state that is not winning need not be losing.

    Raises :class:`~icgsynth.errors.InputError` for a game without a legal state, and for misère
    play of a blocking game.
    """
    return Search(game, rule, budget or Budget(60.0), progress, None, finite_only).solve()


class Search:
    """One search on one game under one rule.

    :meth:`solve` answers; :meth:`unknown` may be asked at any time, also from another
    thread, for what is known so far.  ``report`` is what a search under the other rule has proved
    of the rules of the game, which is the same for both.  With ``finite_only`` a game that may
    never end gets no answer; otherwise one with drawn states is looked for.
    """

    def __init__(
        self,
        game: ParametricGame,
        rule: PlayRule,
        budget: Budget,
        progress: Progress = lambda _: None,
        report: RulesReport | None = None,
        finite_only: bool = True,
    ) -> None:
        require_defined(game, rule)
        self.report, self._finite_only = report, finite_only
        self._given = GivenRules(game, rule)
        self._stage: GivenRules | CheckedRules | LabelledBox | Lesson = self._given
        self._run = Run(rule, budget, progress)
        self._digits: AutomaticSearch | None = None  # none before digits are asked
        self._parts: PartsClaim | None = None  # of a sum, until it is proved
        self._held: Solution | None = None  # a proved answer that only an automaton tells

    def _by_theorem(self) -> Solution | None:
        """What a theorem of the catalog says, where a constant is past the boxes of a search."""
        game, run = self._given.game, self._run
        large = _LARGE.get(len(game.variables), _LARGE_OF_SEVERAL)
        if game.block or max((abs(number) for _, number in game.constants), default=0) <= large:
            return None
        from icgsynth.solving.by_theorem import by_theorem

        run.progress("looking for a theorem of the catalog")
        return by_theorem(game, run.rule, run.budget.share(0.3))

    def solve(self) -> Solution:
        """The answer, or as much of it as the budget allows."""
        known = self._by_theorem()
        if known is not None:
            return known
        try:
            checked = self._stage = check(self._given, self._run, self.report)
            self.report = checked.report
            if checked.report.cycle is not None:
                return self._endless(checked, checked.report.cycle)
            if checked.report.termination.verdict == "refuted":
                return self.unknown(checked.report.termination.claim)
            solution = self._answer(checked)
        except BudgetSpent as spent:
            return self.unknown(str(spent))
        except MemoryError:
            return self.unknown("the memory is spent")
        if solution is None:
            found = "formula was found that could be proved"
            if self._run.budget.is_spent:
                return self.unknown(f"the time was spent before a {found}")
            if self._digits is not None and self._digits.was_cut:
                wider = "the next larger box of states takes longer than the time that was left"
                return self.unknown(f"no {found}, and {wider}")
            return replace(self.unknown(f"no {found}"), exhausted=True)
        if solution.is_proved:
            return solution
        return replace(solution, notes=(*solution.notes, *self._notes()))

    def _endless(self, checked: CheckedRules, cycle: tuple[State, ...]) -> Solution:
        """An answer with drawn states, or only that play may never end, as in a blocking game."""
        from icgsynth.synth.linear.endless import endless_answer

        found = None
        if not (self._finite_only or _is_for_automata(checked.game)):
            with suppress(BudgetSpent, MemoryError):
                found = endless_answer(checked, self._run)
        if found is not None:
            return found
        shown = checked.game.show_path(cycle)
        unknown = self.unknown(f"the game may never end: {shown}")
        return replace(unknown, cycle=cycle, exhausted=not self._run.budget.is_spent)

    def unknown(self, why: str) -> Solution:
        """What is known so far, claiming nothing more than is proved."""
        if self._held is not None:
            return self._held
        notes = tuple(dict.fromkeys((why, *self._run.notes, *self._notes())))
        return replace(self._stage.so_far(), notes=notes, seconds=self._run.times())

    def _notes(self) -> tuple[str, ...]:
        return () if self._digits is None else tuple(self._digits.notes())

    def _answer(self, checked: CheckedRules) -> Solution | None:
        """Linear arithmetic, and digits where it pauses; None if neither finds an answer.

        Some games are for automata alone, but digits of few states may be said by a list.
        """
        game, rule = checked.game, self._run.rule
        if _is_for_automata(game):
            found = self._in_digits(checked, False) or self._in_digits(checked, True)
            if found is not None or not game.has_digits or every_label(game, rule) is None:
                return found
        for step in attempts(checked, self._run, self._is_worth):
            if isinstance(step, Plan):
                return finished(step, self._run)
            if not isinstance(step, Pause):
                self._stage = step
                continue
            found = self._meanwhile(step, checked)
            if found is not None:
                return found
        return None

    def _meanwhile(self, pause: Pause, checked: CheckedRules) -> Solution | None:
        """What more states, the values of parts and then digits say while linear search pauses."""
        if pause is Pause.AFTER_SHORT:
            if (found := self._by_wider()) is not None:
                return found
            self._parts = parts = self._of_parts()
            waits = parts is None or parts.has_cases or parts.is_parity
            return None if waits else self._by_parts()
        if (found := self._by_parts()) is not None:
            return found
        is_late = pause is Pause.BEFORE_LONGER
        return self._in_digits(checked, is_late) if is_late or self._digits is None else None

    # --- sums -----------------------------------------------------------------------------------

    def _of_parts(self) -> PartsClaim | None:
        from icgsynth.solving.by_values import by_values

        run = self._run
        within = run.budget.share(_PARTS)
        with run.timed("values"):
            return by_values(self._given.game, run.rule, within, run.progress)

    def _by_parts(self) -> Solution | None:
        """The proved answer that the values of parts give, once."""
        parts, self._parts, run = self._parts, None, self._run
        if parts is None:
            return None
        run.progress("proving what the values of the parts say")
        with run.timed("prove"):
            found = parts.proved(run.budget.share(0.5))
        return None if found is None else replace(found, seconds=run.times())

    def _is_worth(self, formula: t.Formula) -> bool:
        """Whether a formula for the losing states is shorter than what the parts say."""
        return self._parts is None or size(formula) < max(self._parts.size, _READ)

    # --- the same rules on more states ----------------------------------------------------------

    def _by_wider(self) -> Solution | None:
        """The proved answer in words that the same rules on more states give."""
        from icgsynth.solving.by_theorem import proved_anew
        from icgsynth.solving.wider import wider

        run, game = self._run, self._given.game
        if (more := wider(game)) is None:
            return None
        run.progress("solving the same rules on more states")
        with suppress(BudgetSpent, Refused), run.timed("wider"):
            found = Search(more.game, run.rule, run.budget.share(_WIDER), run.progress).solve()
            claim = more.said_of(game, found) if found.is_proved else None
            if claim and (proved := proved_anew(claim, run.budget.share(0.5))):
                return replace(proved, seconds=run.times())
        return None

    # --- beyond linear arithmetic ---------------------------------------------------------------

    def _in_digits(self, checked: CheckedRules, is_late: bool) -> Solution | None:
        """A proved answer in digits: from small cubes at first, from larger ones if ``is_late``."""
        report, run = checked.report, self._run
        is_read = not any(map(products, stepwise(checked.game).actions))  # as far as it divides
        if report.ranking is None or not report.termination.is_proved or not is_read:
            return None
        from icgsynth.synth.digits.automatic_search import AutomaticSearch
        from icgsynth.synth.digits.full_answer import best_said, is_readable

        if self._digits is None:
            self._digits = AutomaticSearch(checked.game, run.rule, report.components, run.progress)
        digits = self._digits
        try:
            with run.timed("learn"):
                found = digits.thorough(run.budget) if is_late else digits.quick(run.budget)
            if found is None:
                return None
            solution = best_said(found, digits, checked, run)
        except (BudgetSpent, Refused):
            return None
        with run.timed("confirm"):
            solution = believed(solution, report, checked.written, run.budget)
        solution = replace(solution, seconds=run.times())
        if not solution.is_proved:
            return None
        # Where the losing states have irrational slopes, no linear formula is to be expected.
        is_final = is_late or digits.telling or is_readable(solution)
        is_final |= _is_for_automata(checked.game)
        return solution if is_final else self._or_linear(solution, checked)

    def _or_linear(self, held: Solution, checked: CheckedRules) -> Solution:
        """An answer in linear arithmetic if there soon is one, else ``held``."""
        self._held = held
        left = self._run.budget.remaining() / 4
        run = replace(self._run, budget=Budget(min(_AFTER, left)))
        with suppress(BudgetSpent, MemoryError):
            for step in attempts(checked, run):
                if isinstance(step, Plan):
                    linear = finished(step, run)
                    held = linear if linear.is_proved else held
        return replace(held, seconds=self._run.times())


def _is_for_automata(game: ParametricGame) -> bool:
    """Whether linear arithmetic cannot say the rules: forbidden options, digits, multiples."""
    return game.block > 0 or game.has_digits or bool(steps_of_multiples(game))
