"""The search for an answer: which methods are tried in which order, each with a share of time.

A method takes the checked rules, finds a candidate and proves it.  The first proof is taken.

1. A theorem of the catalog, where a constant is so large that no box of states shows it.
2. The rules are checked.  Where play may never end, an answer with drawn states is looked for.
3. A game whose numbers begin far from 0 is solved with its variables shifted to begin near 0.
4. Rules with forbidden options, digits or multiples are left to automata; 5 to 10 are skipped.
5. A box of states is labelled, and formulas of a few leaves are tried: most games end here.
6. Once these fail in the first box: more states, where a bound of the rules only cuts states off;
   then the values of the parts, where the game is a sum.  Both are cheap, and tell at once.
7. Formulas that the labels suggest, such as periods and quotients.
8. Before the costly searches: what the parts say is proved, and small cubes are read in digits.
   An answer in digits that people can read is taken.  One that only an automaton tells is held,
   until linear arithmetic has had some seconds more.
9. Longer formulas in this box; then 5, 7 and 9 in wider boxes.  A candidate that is refuted means
   that the box was too small to tell.
10. At last digits of larger cubes, and the longest formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.errors import BudgetSpent, NotFound, OutOfReach, Refused
from icgsynth.game.game import ParametricGame, PlayRule, State, require_defined
from icgsynth.game.repeated import products, steps_of_multiples, stepwise
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.prove.boxcheck import every_label, outcomes_everywhere
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.well_formed import check_twice
from icgsynth.synth.checked import OPEN, CheckedRules, Recounted, Run, bounds, free, nearer
from icgsynth.synth.linear.finish import finish
from icgsynth.synth.linear.stages import (
    FoundStrategy,
    LabelledBox,
    Lesson,
    first_proved,
    label_box,
    lesson_from,
    still_finds_quotients,
)

if TYPE_CHECKING:
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.prove.well_formed import RulesReport
    from icgsynth.solve.by_values import PartsClaim
    from icgsynth.synth.digits.automatic_search import AutomaticSearch

# Largest constants, by the number of variables, that the boxes of a search still show.
_LARGE = {1: 1_000}
_LARGE_OF_SEVERAL = 40  # largest constant for more variables, whose boxes are smaller
_THEOREM = 0.3  # share of the budget for theorems of the catalog
_PARTS = 0.2  # share of the budget for the values of the parts of a sum
_READ = 25  # leaves and connectives; a formula up to this size is easier to read than cases
_WIDER = 0.3  # share of the budget for these rules on more states
_NEARER = 0.6  # share of the budget for rules with shifted variables: nothing else is tried
_LISTED = 5.0  # seconds for formulas with drawn states, where the states may be listed instead
_AFTER = 4.0  # seconds for linear arithmetic to go on, at most a quarter of the time left


class Moment(Enum):
    """A moment in the search at which to try methods other than linear arithmetic."""

    SHORT_FAILED = auto()  # no formula of a few leaves fits the first box
    BEFORE_COSTLY = auto()  # the next search in this box takes long
    BEFORE_LONGER = auto()  # the boxes are used up; longer formulas are the last resort


def solve(
    game: ParametricGame,
    rule: PlayRule = "normal",
    budget: Budget | None = None,
    progress: Progress = lambda _: None,
    finite_only: bool = True,
) -> Solution:
    """Return who wins ``game`` and how, as well as the budget allows; ``status`` says how sure.

    An answer may have drawn states only without ``finite_only``: who asks for one has to know that
    a state that is not winning need not be losing.  Raises :class:`~icgsynth.errors.InputError` for
    a game without a legal state, and for misère play of a blocking game."""
    return Search(game, rule, budget or Budget(60.0), progress, None, finite_only).solve()


class Search:
    """The search for an answer to one game under one rule of play.

    :meth:`solve` answers; :meth:`unknown` may be asked at any time, also from another
    thread, for what is known so far.  ``report`` is what a search under the other rule has proved
    of the rules of the game, which is the same for both.  With ``finite_only`` a game that may
    never end gets no answer; otherwise one with drawn states is looked for."""

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
        self._game = game
        self._stage: CheckedRules | LabelledBox | Lesson | None = None
        self._run = Run(rule, budget, progress)
        self._digits: AutomaticSearch | None = None  # none before digits are asked
        self._parts: PartsClaim | None = None  # of a sum, until it is proved
        self._held: Solution | None = None  # a proved answer that only an automaton tells
        self.values: GrundyAnswer | None = None  # proved values, where no formula says who wins

    def _by_theorem(self) -> Solution | None:
        """Return the answer by a theorem of the catalog; None if none applies, or if all constants
        are so small that boxes of states show what follows from them."""
        game, run = self._game, self._run
        large = _LARGE.get(len(game.variables), _LARGE_OF_SEVERAL)
        if game.block or max((abs(number) for _, number in game.constants), default=0) <= large:
            return None
        for theorems in wings.every("theorems"):
            run.progress("looking for a theorem of the catalog")
            found: Solution | None = theorems.by_theorem(game, run.rule, run.budget.share(_THEOREM))
            if found is not None:
                return replace(found, seconds=run.times())
        return None

    def solve(self) -> Solution:
        """Return the answer, or as much of it as the budget allows."""
        known = self._by_theorem()
        if known is not None:
            return known
        try:
            with self._run.measure("check"):
                share = self._run.budget.share(0.8)
                self.report = self.report or check_twice(self._game, share)
            checked = self._stage = CheckedRules(self._run.rule, self.report)
            if checked.report.cycle is not None:
                return self._endless(checked, checked.report.cycle)
            if checked.report.termination.verdict == "refuted":
                return self.unknown(checked.report.termination.why)
            solution = self._answer(checked)
        except (BudgetSpent, OutOfReach) as spent:
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
        """Return an answer with drawn states, or else that play may never end, as in ``cycle``."""
        from icgsynth.synth.linear.endless import endless_answer

        found = None
        if not (self._finite_only or _is_for_automata(checked.game)):
            run = self._run
            if outcomes_everywhere(checked.game, run.rule) is not None:  # a list says it as well
                run = replace(run, budget=run.budget.within(_LISTED))
            with suppress(BudgetSpent, OutOfReach, MemoryError):
                found = endless_answer(checked, run)
        if found is not None:
            return found
        shown = checked.game.show_path(cycle)
        unknown = self.unknown(f"the game may never end: {shown}")
        return replace(unknown, cycle=cycle, exhausted=not self._run.budget.is_spent)

    def unknown(self, why: str) -> Solution:
        """Return a proved answer that is held back, if there is one; else the answer "unknown" with
        all that is known so far and the note ``why``."""
        if self._held is not None:
            return self._held
        notes = tuple(dict.fromkeys((why, *self._run.notes, *self._notes())))
        if self._stage is None:
            known = Solution(self._game, self._run.rule, "unknown", proof=OPEN)
        else:
            known = self._stage.so_far()
        return replace(known, notes=notes, seconds=self._run.times())

    def _notes(self) -> tuple[str, ...]:
        return () if self._digits is None else tuple(self._digits.notes())

    def _answer(self, checked: CheckedRules) -> Solution | None:
        """Return an answer in linear arithmetic, or one by automata that read digits, which are
        tried at the pauses of the first search; None if neither is found."""
        # Some games are left to automata alone; but few states with digits can be listed.
        game, run = checked.game, self._run
        if (near := nearer(self._game)) is not None:
            return self._by_more(near, "solving the rules counted from their least number", _NEARER)
        if _is_for_automata(game):
            found = self._in_digits(checked, False) or self._in_digits(checked, True)
            if found is not None or not game.has_digits or every_label(game, run.rule) is None:
                return found
        return self._linear(checked, run, lambda moment: self._between(moment, checked))

    def _linear(
        self, checked: CheckedRules, run: Run, between: Callable[[Moment], Solution | None]
    ) -> Solution | None:
        """Return an answer in linear arithmetic, or the first one of ``between``, which is called
        at the pauses of this search; None if there is none."""
        # With one unbounded variable all boxes come before what is costly: a short box does not
        # show a long period, and a wider one costs little.
        tried: set[t.Formula] = set()
        lesson: Lesson | None = None
        several = len(free(checked.game)) > 1  # unbounded variables: a wider box costs much
        for bound in bounds(checked.game):
            box = label_box(checked, bound, run)
            if box is None:
                continue
            if lesson is None:
                self._stage = box
            new = lesson_from(box, run, two_level=lesson is None or not still_finds_quotients(box))
            if new is None:
                continue
            is_first, self._stage, lesson = lesson is None, new, new
            found = first_proved(lesson, lesson.learner.short(), tried, run)
            if found is None:
                if is_first and (other := between(Moment.SHORT_FAILED)):
                    return other
                guesses = filter(self._is_worth, self._guesses(lesson, run, is_first))
                found = first_proved(lesson, guesses, tried, run)
            if found is None and several:
                if other := between(Moment.BEFORE_COSTLY):
                    return other
                found = first_proved(lesson, lesson.learner.costly(), tried, run)
            if isinstance(found, FoundStrategy):
                return finish(found, run)
        if lesson is not None and not several:
            if other := between(Moment.BEFORE_COSTLY):
                return other
            found = first_proved(lesson, lesson.learner.costly(), tried, run)
            if isinstance(found, FoundStrategy):
                return finish(found, run)
        if (other := between(Moment.BEFORE_LONGER)) or lesson is None:
            return other
        found = first_proved(lesson, lesson.learner.longer(), tried, run, "longer formulas")
        return finish(found, run) if isinstance(found, FoundStrategy) else None

    @staticmethod
    def _guesses(lesson: Lesson, run: Run, is_first: bool) -> Iterator[t.Formula]:
        if is_first:
            from icgsynth.synth.linear.play_length import length_formulas

            yield from length_formulas(lesson.box.game, run)
        yield from lesson.learner.guesses()

    def _between(self, moment: Moment, checked: CheckedRules) -> Solution | None:
        """Return an answer by methods other than linear arithmetic, those due at ``moment``; None
        if they find none.  Raises :class:`~icgsynth.errors.NotFound` where Grundy values are
        proved, but no formula."""
        if moment is Moment.SHORT_FAILED:
            if (found := self._by_wider()) is not None:
                return found
            self._parts = parts = self._of_parts()
            waits = parts is None or parts.has_cases or parts.is_parity or parts.is_misere
            return None if waits else self._by_parts()
        if (found := self._by_parts()) is not None:
            return found
        if self.values is not None:
            if self._digits is None and (found := self._in_digits(checked, False)) is not None:
                return found
            raise NotFound("no formula was found, and Grundy values say who wins")
        is_late = moment is Moment.BEFORE_LONGER
        return self._in_digits(checked, is_late) if is_late or self._digits is None else None

    # --- sums -----------------------------------------------------------------------------------

    def _of_parts(self) -> PartsClaim | None:
        from icgsynth.solve.by_values import by_values
        from icgsynth.synth.values.grundy_search import grundy

        run, game = self._run, self._game
        within = run.budget.share(_PARTS)
        with run.measure("values"):
            found = by_values(game, run.rule, within, run.progress)
            if not isinstance(found, str):
                return found
            values = grundy(game, within, run.progress, has_strategy=False)
            self.values = values if values.is_proved else None
        return None

    def _by_parts(self) -> Solution | None:
        parts, self._parts, run = self._parts, None, self._run
        if parts is None:
            return None
        run.progress("proving what the values of the parts say")
        with run.measure("prove"):
            found = parts.prove(run.budget.share(0.5))
        return None if found is None else replace(found, seconds=run.times())

    def _is_worth(self, formula: t.Formula) -> bool:
        """Return whether ``formula``, of losing states, is short, or shorter than the claim that
        the values of the parts of a sum make."""
        return self._parts is None or size(formula) < max(self._parts.size, _READ)

    # --- the same rules on more states ----------------------------------------------------------

    def _by_wider(self) -> Solution | None:
        """Return a proved answer found with the rules on more states, without a bound that only
        cuts states off; None without one."""
        from icgsynth.solve.wider import wider

        if (more := wider(self._game)) is None:
            return None
        return self._by_more(more, "solving the same rules on more states", _WIDER)

    def _by_more(self, more: Recounted, what: str, share: float) -> Solution | None:
        """Return a proved answer found by solving ``more``, the rewritten rules, in a ``share`` of
        the time; None without one.  The message of progress is ``what``."""
        from icgsynth.solve.wider import said_of

        run, game = self._run, self._game
        run.progress(what)
        with suppress(BudgetSpent, Refused), run.measure("wider"):
            found = Search(more.game, run.rule, run.budget.share(share), run.progress).solve()
            claim = said_of(game, more, found) if found.is_proved else None
            if claim and (proved := certify(claim, run.budget.share(0.5)).solved):
                return replace(proved, seconds=run.times())
        return None

    # --- beyond linear arithmetic ---------------------------------------------------------------

    def _in_digits(self, checked: CheckedRules, is_late: bool) -> Solution | None:
        """Return a proved answer by automata that read digits, learned from small or (``is_late``)
        larger cubes of states; None without one."""
        report, run = checked.report, self._run
        is_read = not any(map(products, stepwise(checked.game).actions))
        if report.ranking is None or not report.termination.is_proved or not is_read:
            return None
        from icgsynth.synth.digits.automatic_search import AutomaticSearch
        from icgsynth.synth.digits.full_answer import best_said, is_readable

        if self._digits is None:
            self._digits = AutomaticSearch(checked.game, run.rule, report.components, run.progress)
        digits = self._digits
        try:
            with run.measure("learn"):
                found = digits.search(run.budget, is_late)
            if found is None:
                return None
            solution = best_said(found, digits, checked, run)
        except (BudgetSpent, Refused):
            return None
        with run.measure("confirm"):
            solution = certify(solution, run.budget, Given.of(report, solution)).answer
        solution = replace(solution, seconds=run.times())
        if not solution.is_proved:
            return None
        # Where the losing states have irrational slopes, no linear formula is to be expected.
        is_final = is_late or digits.telling or is_readable(solution)
        is_final |= _is_for_automata(checked.game)
        return solution if is_final else self._or_linear(solution, checked)

    def _or_linear(self, held: Solution, checked: CheckedRules) -> Solution:
        """Return a proved answer in linear arithmetic if one is found in seconds, else ``held``."""
        self._held = held
        run = replace(self._run, budget=self._run.budget.share(0.25).within(_AFTER))
        with suppress(BudgetSpent, OutOfReach, MemoryError):
            linear = self._linear(checked, run, lambda _: None)
            if linear is not None and linear.is_proved:
                held = linear
        return replace(held, seconds=self._run.times())


def _is_for_automata(game: ParametricGame) -> bool:
    return game.block > 0 or game.has_digits or bool(steps_of_multiples(game))
