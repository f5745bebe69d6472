"""The stages of the search for an answer in linear arithmetic.

They go from checked rules to labels of a box, a learner of formulas, a proved losing formula and
a strategy.  :mod:`icgsynth.solve.search` runs them in order, and
:mod:`icgsynth.synth.linear.finish` makes the answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from icgsynth.digits.arrays import Flags, Ints, near_and_scattered
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.explicit.box import LEARNING
from icgsynth.explicit.labels import LOSING, Labels, label
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Exclusion, Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation, size
from icgsynth.logic.ranges import has_products
from icgsynth.prove.boxcheck import every_label
from icgsynth.prove.certificate import prove_winning, some_winning_move
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.synth.checked import CheckedRules, Run, box_within, free
from icgsynth.synth.linear.bank import EnumerationEffort
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.pairs import by_constants, find_pairs
from icgsynth.synth.linear.sample import Goal, StateSample

_CONSTANTS = 24  # moduli and integers that are always tried up to this
_LARGEST_CONSTANT = 200  # largest constant of the rules that formulas are tried with
_LONGEST_PERIOD = 400  # longest period, from constants of the rules, tried besides short ones
_SAMPLE = 300  # states on which a strategy is searched
_ENDED = 7  # largest size of a short formula for the states without a move
_SHOWN = 12  # losing states that an answer without a formula lists


# --- labels ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class LabelledBox:
    """The labelled states of a box.  Formulas are learned from the states up to ``bound`` and
    compared with the whole box, which reaches twice as far."""

    checked: CheckedRules
    bound: int
    labels: Labels

    @property
    def game(self) -> ParametricGame:
        return self.checked.game

    def so_far(self) -> Solution:
        states = self.labels.losing()[:_SHOWN]
        shown = tuple(tuple(map(int, state)) for state in states)
        return replace(self.checked.so_far(), losing_states=shown)

    def examples(self, rows: Flags) -> Examples:
        """Return the states flagged in ``rows`` (n,) as examples, labelled as losing or not."""
        target = self.labels.outcome[rows] == LOSING
        return Examples(self.game.variables, self.labels.states[rows], target)

    def inner(self) -> Flags:
        """Return flags (n,) of states to learn from: unbounded variables go up to ``bound``."""
        unbounded = free(self.game)
        if not unbounded:
            return np.ones(len(self.labels.states), bool)
        return np.asarray((np.abs(self.labels.states[:, unbounded]) <= self.bound).all(axis=1))

    def find_closed(self) -> Flags:
        """Return flags (n,) of the states nearer to 0 than any whose label is not known."""
        reach = np.abs(self.labels.states[:, free(self.game)]).max(axis=1, initial=0)
        unknown = reach[~self.labels.known]
        return np.asarray(reach < unknown.min() if len(unknown) else reach >= 0)


def label_box(checked: CheckedRules, bound: int, run: Run) -> LabelledBox | None:
    """Return the states of the game in ``checked`` up to twice ``bound``, with who wins; None, with
    a note in ``run``, if they are refused as too many or too far out."""
    run.budget.check()
    run.progress(f"labelling the states up to {2 * bound}")
    game = checked.game
    try:
        with run.measure("label"):
            box = box_within(game, 2 * bound, LEARNING.states)
            labels = label(game, box, run.rule, checked.report.components, budget=run.budget)
    except Refused as refused:
        run.notes.append(f"box {2 * bound}: {refused}")
        return None
    return LabelledBox(checked, bound, labels)


# --- candidates ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Lesson:
    """A labelled box, with a learner of formulas for it.  ``whole`` are all states of the box with
    a known label; a formula has to agree with each."""

    box: LabelledBox
    learner: FormulaLearner
    whole: Examples

    def so_far(self) -> Solution:
        known = self.box.so_far()
        if self.learner.excluded <= 0:
            return known
        excluded = Exclusion(self.learner.excluded, self.learner.constants_up_to)
        return replace(known, excluded=excluded)


def lesson_from(box: LabelledBox, run: Run, two_level: bool) -> Lesson | None:
    """Return ``box`` with a learner of formulas; None, with a note, if few labels are known.  With
    ``two_level`` disjunctions of conjunctions are learned as well."""
    game = box.game
    examples = box.examples(box.inner() & box.labels.known)
    if len(examples.target) < (3 if free(game) else 1):
        run.notes.append(f"box {box.bound}: too few states have a known label")
        return None
    learner = learner_of(game, examples, box.examples(box.find_closed()), run, two_level)
    run.progress(f"searching formulas on {len(examples.target)} states up to {box.bound}")
    return Lesson(box, learner, box.examples(box.labels.known))


def learner_of(
    game: ParametricGame, examples: Examples, wide: Examples, run: Run, two_level: bool = True
) -> FormulaLearner:
    """Return a learner from ``examples`` that tries the integers in the rules of ``game``.
    ``wide`` are examples of a wider box, which show periods.  With ``two_level`` disjunctions of
    conjunctions are learned as well."""
    given = [c + 1 for c in game.integers if c <= _LARGEST_CONSTANT]
    return FormulaLearner(
        examples,
        max([_CONSTANTS, *given]),
        run.budget,
        wide=wide,
        free=free(game),
        periods=sorted({c + d for c in game.integers for d in (0, 1) if c < _LONGEST_PERIOD}),
        two_level=two_level,
    )


def still_finds_quotients(box: LabelledBox) -> bool:
    """Return whether wider boxes than ``box`` may show that residues and small values determine the
    labels: at most two variables are unbounded, and none of these is below 0."""
    columns = box.labels.states[:, free(box.game)]
    return columns.shape[1] <= 2 and int(columns.min(initial=0)) >= 0


# --- claims ----------------------------------------------------------------------------------


Refuted: TypeAlias = Literal["refuted"]  # a candidate is right in its box, but not everywhere


@dataclass(frozen=True, eq=False)
class FoundStrategy:
    """A proved losing formula and a strategy; ``strategy`` is the finding of its proof.  ``sample``
    has the states that the strategy was found on; ``goal`` has both formulas."""

    lesson: Lesson
    winning: Finding
    pairs: tuple[Rule, ...]
    strategy: Finding
    sample: StateSample

    @property
    def goal(self) -> Goal:
        return self.sample.goal


def first_proved(
    lesson: Lesson,
    candidates: Iterator[t.Formula],
    tried: set[t.Formula],
    run: Run,
    where: str = "",
) -> FoundStrategy | Refuted | None:
    """Return the first of ``candidates`` for the losing formula that is proved, made shorter, and
    with a strategy; "refuted" where one fits the box but is refuted, None where none is proved.

    Candidates in ``tried`` are skipped, new ones added; ``where`` tells their source in notes."""
    where = where or f"box {lesson.box.bound}"
    for losing in _time(candidates, run):
        run.budget.check()
        if len(lesson.whole.mismatches(losing)):
            run.notes.append(f"{where}: {losing} fails on the wider box")
            continue
        if losing in tried:
            continue
        tried.add(losing)
        finding = _prove(lesson.box.checked, losing, run)
        if finding.verdict is Verdict.REFUTED:
            run.notes.append(f"{where}: losing where {losing} is refuted")
            return "refuted"
        if finding.is_proved:
            plan = _plan(lesson, _smallest(lesson, losing, run), finding, run)
            if plan.winning.is_proved:
                return plan
        run.notes.append(f"{where}: losing where {losing} could not be proved")
    run.notes.append(f"{where}: nothing that could be proved")
    return None


def _time(candidates: Iterator[t.Formula], run: Run) -> Iterator[t.Formula]:
    """Yield ``candidates``; the time to find them is added to "search" in ``run``."""
    while True:
        with run.measure("search"):
            formula = next(candidates, None)
        if formula is None:
            return
        yield formula


def _prove(checked: CheckedRules, losing: t.Formula, run: Run) -> Finding:
    """Return the finding whether exactly the states where ``losing`` holds are lost, except for the
    claim that each winning state has a winning move."""
    report, is_open = checked.report, run.rule == "misere" and checked.report.ended is None
    if is_open and every_label(checked.game, run.rule) is None:
        return Finding(Verdict.UNKNOWN, "where no action applies is not known")
    with run.measure("prove"):
        return prove_winning(report, run.rule, negation(losing), losing, run.budget.share(0.5))


def _smallest(lesson: Lesson, proved: t.Formula, run: Run) -> t.Formula:
    """Return a proved formula smaller than ``proved``, if one is found; else ``proved``."""
    run.progress("looking for a smaller formula")
    try:
        for losing in _time(lesson.learner.smaller(proved), run):
            is_right = not len(lesson.whole.mismatches(losing))
            if is_right and _prove(lesson.box.checked, losing, run).is_proved:
                return losing
    except (BudgetSpent, OutOfReach):
        run.notes.append("the budget was spent before every smaller formula was looked at")
    return proved


# --- strategy --------------------------------------------------------------------------------


def _plan(lesson: Lesson, losing: t.Formula, finding: Finding, run: Run) -> FoundStrategy:
    """Return ``losing``, proved by ``finding``, with a strategy that may be unproved or empty."""
    sample = _sample(lesson, losing, run)
    pairs: tuple[Rule, ...] = ()
    strategy = Finding(Verdict.UNKNOWN)
    run.progress(f"looking for a strategy for losing states {losing}")
    with run.measure("strategy"), suppress(BudgetSpent, OutOfReach):
        pairs, strategy, sample = find_pairs(sample, run.budget.share(0.7))
        if not strategy.is_proved or has_products(pair.when for pair in pairs):
            pairs, strategy = by_constants(sample.goal, run.budget.share(0.7))
    if not strategy.is_proved:
        report, winning = lesson.box.checked.report, sample.goal.winning
        with run.measure("prove"):
            finding = some_winning_move(report, run.rule, winning, losing, run.budget.share(0.3))
    return FoundStrategy(lesson, finding, pairs, strategy, sample)


def _sample(lesson: Lesson, losing: t.Formula, run: Run) -> StateSample:
    ended = _describe_ends(lesson.box, run) if run.rule == "misere" else t.FALSE
    goal = Goal(lesson.box.game, run.rule, negation(losing), losing, ended)
    return sample_of(goal, lesson.box.labels.states, run)


def sample_of(goal: Goal, states: Ints, run: Run) -> StateSample:
    """Return a sample of ``states`` (n, d), near 0 and scattered; the others are its reserve."""
    # A long formula distinguishes many classes of states.
    half = (3 * _SAMPLE if goal.is_long else _SAMPLE) // 2
    rows = np.sort(near_and_scattered(states, half, half))
    reserve = np.delete(states, rows, axis=0)
    return StateSample(goal, states[rows], run.budget, reserve=reserve)


def _describe_ends(box: LabelledBox, run: Run) -> t.Formula:
    """Return a short formula, proved right, of legal states without a move; FALSE if not known."""
    exact, game, labels = box.checked.report.ended, box.game, box.labels
    if exact is None:
        return t.FALSE
    rows = ~labels.undecided
    examples = Examples(game.variables, labels.states[rows], labels.ending[rows])
    if examples.is_one_kind:
        return exact
    learner = FormulaLearner(
        examples, 4, run.budget, EnumerationEffort(rows=20_000, pairs=1_000_000)
    )
    for shorter in learner.up_to(min(_ENDED, size(exact) - 1)):
        differs = t.Not(t.Iff(shorter, exact))
        if decide((game.legal, differs), game.variables, run.budget).kind == "unsat":
            return shorter
    return exact
