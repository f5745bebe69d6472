"""From the rules to a proved answer.

check the rules -> label a box -> candidate formula -> strategy -> proof -> smaller formula ->
cover and tree -> comparison with the labels.  A candidate that the solver refutes means that
the box was too small to tell, so a wider one is labelled.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.labels import LOSING, Labels, label
from icgsynth.game.solution import Claim, Exclusion, Solution, Verdict
from icgsynth.game.strategy import Rule
from icgsynth.logic.term import (
    FALSE,
    Formula,
    Iff,
    Not,
    Or,
    Term,
    conjunction,
    integers,
    negation,
    size,
)
from icgsynth.prove.answer import prove_winning, some_winning_move, verify_cover
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.confirm import check_twice
from icgsynth.prove.deciders import decide
from icgsynth.prove.discharge import Finding
from icgsynth.prove.rules import RulesReport
from icgsynth.prove.twice import believed
from icgsynth.synth.boxes import bounds, free, sides
from icgsynth.synth.linear.bank import Effort
from icgsynth.synth.linear.candidates import Examples, Learner, scattered
from icgsynth.synth.linear.pairs import Goal, Sample, find_pairs
from icgsynth.synth.linear.refine import Legal, refine, tidy
from icgsynth.synth.linear.tree import find_tree

__all__ = ["Progress", "Solver", "solve"]

Progress = Callable[[str], None]
Beyond = Callable[[str], Solution | None]  # asked at a stage, "quick" or "thorough"

_CONSTANTS = 24  # moduli and integers tried at least
_LARGEST_CONSTANT = 200  # of the rules, that formulas are tried with
_SAMPLE = 300  # states that the strategy is looked for on
_STATES = 400_000  # largest box that is labelled while solving


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
class _Attempt:
    """A losing formula with what could be proved of it."""

    losing: Formula
    winning: Finding
    strategy: Finding
    pairs: tuple[Rule, ...]
    sample: Sample

    @property
    def is_proved(self) -> bool:
        return self.winning.is_proved and self.strategy.is_proved


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
    seconds: dict[str, float] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    report: RulesReport | None = None
    labels: Labels | None = None
    learner: Learner | None = None
    beyond: Beyond = lambda _: None
    written: ParametricGame | None = None  # the rules with their quantifiers
    _ended: Formula | None = None
    _tried: set[Formula] = field(default_factory=set)
    _refuted: bool = False  # whether the last candidates ended with one that is wrong

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - start

    # --- the whole way ---------------------------------------------------------

    def solve(self) -> Solution:
        """The answer, or as much of it as the budget allows."""
        try:
            return self._answer()
        except BudgetSpent as spent:
            return self.unknown(str(spent))
        except MemoryError:
            return self.unknown("the memory is spent")

    def _answer(self) -> Solution:
        with self.timed("check"):
            self.written = self.game
            self.report = check_twice(self.written, self.budget.share(0.8))
            self.game = self.report.game
        if self.report.termination.verdict is Verdict.REFUTED:
            assert self.report.cycle is not None
            shown = self.game.show_path(self.report.cycle)
            endless = self.unknown(f"play need not end: {shown}")
            return replace(endless, cycle=self.report.cycle)
        asked = False
        for bound in bounds(self.game):
            attempt = self._try_box(bound, is_first=self.learner is None)
            if attempt is None and self.learner is not None and not self._refuted:
                # What comes next is costly, and digits may tell at a glance what it never will.
                other = None if asked else self.beyond("quick")
                asked = True
                if other is not None:
                    return other
                attempt = self._first_proved(self.learner.costly(), self._whole(), f"box {bound}")
            if attempt is not None:
                return self._finish(attempt, bound)
        other = self.beyond("thorough")
        if other is not None:
            return other
        attempt = self._enumerate()
        if attempt is not None:
            return self._finish(attempt, bound)
        return self.unknown("no formula was found that could be proved")

    def _try_box(self, bound: int, is_first: bool) -> _Attempt | None:
        """Learn within ``bound`` and prove; None means that a wider box is needed."""
        self._refuted = True
        self.budget.check()
        self.progress(f"labelling the states up to {2 * bound}")
        try:
            with self.timed("label"):
                self._label(2 * bound)
        except Refused as refused:
            self.notes.append(f"box {2 * bound}: {refused}")
            return None
        assert self.labels is not None
        inner = self._inner(bound)
        examples = self._examples(inner & self.labels.known)
        if len(examples.target) < (3 if free(self.game) else 1):
            self.notes.append(f"box {bound}: too few states have a known label")
            return None
        self.learner = Learner(
            examples,
            self._constants_up_to(),
            self.budget,
            wide=self._examples(self._closed()),
            free=free(self.game),
            periods=sorted({c + d for c in self.game.integers for d in (0, 1) if c < 400}),
            covers=is_first or not self._shows_quotients(),
        )
        self.progress(f"searching formulas on {len(examples.target)} states up to {bound}")
        return self._first_proved(self.learner.candidates(), self._whole(), f"box {bound}")

    def _enumerate(self) -> _Attempt | None:
        """The last resort: longer formulas on the last box, which also says what is excluded."""
        if self.learner is None or self.labels is None:
            return None
        return self._first_proved(self.learner.longer(), self._whole(), "longer formulas")

    def _whole(self) -> Examples:
        """All states with a known label."""
        assert self.labels is not None
        return self._examples(self.labels.known)

    def _first_proved(
        self, candidates: Iterator[Formula], whole: Examples, where: str
    ) -> _Attempt | None:
        """The first candidate that is proved, then made smaller; None without one."""
        self._refuted = False
        for losing in self._timed_candidates(candidates):
            self.budget.check()
            if len(whole.mismatches(losing)):
                self.notes.append(f"{where}: {losing} fails on the wider box")
                continue
            if losing in self._tried:
                continue
            self._tried.add(losing)
            finding = self._prove(losing)
            if finding.verdict is Verdict.REFUTED:
                self.notes.append(f"{where}: losing where {losing} is refuted")
                self._refuted = True
                return None
            if finding.is_proved:
                shortest = self._smallest(losing, whole)
                attempt = self._attempt(shortest, finding)
                if attempt.winning.is_proved:
                    return attempt
            self.notes.append(f"{where}: losing where {losing} could not be proved")
        self.notes.append(f"{where}: nothing that could be proved")
        return None

    def _timed_candidates(self, found: Iterator[Formula]) -> Iterator[Formula]:
        while True:
            with self.timed("search"):
                formula = next(found, None)
            if formula is None:
                return
            yield formula

    def _label(self, bound: int) -> None:
        box = Box(self.game.variables, sides(self.game, bound), self.game.legal)
        if box.cells > _STATES:
            raise Refused(f"{box.cells:,} states are too many to label")
        ranking = None
        if self.report is not None and self.report.ranking is not None:
            ranking = self.report.ranking.components
        self.labels = label(self.game, box, self.rule, ranking)

    def _inner(self, bound: int) -> NDArray[np.bool_]:
        """Rows to learn from; a variable that the rules bound is taken whole."""
        assert self.labels is not None
        unbounded = free(self.game)
        if not unbounded:
            return np.ones(len(self.labels.states), bool)
        return np.asarray((np.abs(self.labels.states[:, unbounded]) <= bound).all(axis=1))

    def _shows_quotients(self) -> bool:
        """Whether a wide enough box would show the quotient of any set that has one."""
        assert self.labels is not None
        columns = self.labels.states[:, free(self.game)]
        return columns.shape[1] <= 2 and int(columns.min(initial=0)) >= 0

    def _closed(self) -> NDArray[np.bool_]:
        """Rows within the widest bound inside which every label is known."""
        assert self.labels is not None
        reach = np.abs(self.labels.states[:, free(self.game)]).max(axis=1, initial=0)
        unknown = reach[~self.labels.known]
        return np.asarray(reach < unknown.min() if len(unknown) else reach >= 0)

    def _examples(self, rows: NDArray[np.bool_]) -> Examples:
        assert self.labels is not None
        target = self.labels.outcome[rows] == LOSING
        return Examples(self.game.variables, self.labels.states[rows], target)

    def _constants_up_to(self) -> int:
        given = [c for c in self.game.integers if c <= _LARGEST_CONSTANT]
        return max([_CONSTANTS, *(c + 1 for c in given)])

    # --- one candidate ---------------------------------------------------------

    def _prove(self, losing: Formula) -> Finding:
        """All but that a winning state has a winning move."""
        assert self.report is not None
        if self.rule == "misere" and self.report.ended is None:
            return Finding(Verdict.UNKNOWN, "where no action applies is not known")
        winning = negation(losing)
        with self.timed("prove"):
            return prove_winning(self.report, self.rule, winning, losing, self.budget.share(0.5))

    def _attempt(self, losing: Formula, finding: Finding) -> _Attempt:
        """A strategy for ``losing``, of which ``finding`` proves the rest."""
        assert self.report is not None and self.labels is not None
        winning = negation(losing)
        sample = self._sample(winning, losing)
        attempt = _Attempt(losing, finding, Finding(Verdict.UNKNOWN), (), sample)
        self.progress(f"looking for a strategy for losing states {losing}")
        with self.timed("strategy"), suppress(BudgetSpent):
            found = find_pairs(sample, self.budget.share(0.7))
            attempt.pairs, attempt.strategy, attempt.sample = found
        if not attempt.strategy.is_proved:
            with self.timed("prove"):
                attempt.winning = some_winning_move(
                    self.report, self.rule, winning, losing, self.budget.share(0.3)
                )
        return attempt

    def _sample(self, winning: Formula, losing: Formula) -> Sample:
        assert self.report is not None and self.labels is not None
        ended = self._ended_formula() if self.rule == "misere" else FALSE
        goal = Goal(self.game, self.rule, winning, losing, ended)
        states = self.labels.states
        nearest = np.argsort(np.abs(states).sum(axis=1), kind="stable")
        # A long formula tells many classes of states apart.
        half = (3 * _SAMPLE if goal.is_long else _SAMPLE) // 2
        rest = nearest[half:]
        rows = np.sort(np.concatenate([nearest[:half], rest[scattered(len(rest), half)]]))
        reserve = np.delete(states, rows, axis=0)
        return Sample(goal, states[rows], self.budget, reserve=reserve)

    def _ended_formula(self) -> Formula:
        """Where a legal state has no move, as shortly as that can be said and proved."""
        assert self.report is not None and self.labels is not None
        exact = self.report.ended
        if exact is None:
            return FALSE
        if self._ended is None:
            self._ended = self._shortest_equivalent(exact)
        return self._ended

    def _shortest_equivalent(self, formula: Formula) -> Formula:
        assert self.labels is not None
        rows = ~self.labels.undecided
        examples = Examples(self.game.variables, self.labels.states[rows], self.labels.ending[rows])
        if not examples.target.any() or examples.target.all():
            return formula
        learner = Learner(examples, 4, self.budget, Effort(rows=20_000, pairs=1_000_000))
        for s in range(2, min(8, size(formula))):
            for shorter in learner.of_size(s) or ():
                differs = Not(Iff(shorter, formula))
                answer = decide((self.game.legal, differs), self.game.variables, self.budget)
                if answer.kind == "unsat":
                    return shorter
        return formula

    def _smallest(self, proved: Formula, whole: Examples) -> Formula:
        """The smallest equivalent that the enumeration reaches below the one proved."""
        assert self.learner is not None
        self.progress("looking for a smaller formula")
        try:
            for losing in self._timed_candidates(self.learner.smaller(proved)):
                if not len(whole.mismatches(losing)) and self._prove(losing).is_proved:
                    return losing
        except BudgetSpent:
            self.notes.append("the budget was spent before every smaller formula was looked at")
        return proved

    # --- the end ---------------------------------------------------------------

    def _finish(self, attempt: _Attempt, bound: int) -> Solution:
        assert self.report is not None and self.learner is not None
        winning, losing = self._claims(attempt)
        with self.timed("cover"):
            cover = self._cover(winning.formula, attempt.pairs, attempt.sample)
            tree = attempt.pairs if attempt.strategy.is_proved else ()
            if attempt.strategy.is_proved:
                with suppress(BudgetSpent):
                    tree = find_tree(attempt.sample, attempt.pairs, self.budget.share(0.5))
        proof = {
            "closure": self.report.closure.verdict,
            "ending": self.report.ending.verdict,
            "termination": self.report.termination.verdict,
            "winning": attempt.winning.verdict,
            "strategy": attempt.strategy.verdict,
        }
        solution = self._solution(
            winning=winning,
            losing=losing,
            cover=cover,
            strategy=attempt.pairs if attempt.strategy.is_proved else (),
            tree=tree,
            proof=proof,
        )
        with self.timed("compare"):
            solution = self._compared(solution, 2 * bound if free(self.game) else bound)
        with self.timed("confirm"):
            solution = self.confirmed(solution)
        return replace(solution, seconds=self._seconds())

    def confirmed(self, solution: Solution) -> Solution:
        """``solution`` as far as a second proof and far states bear it out."""
        assert self.report is not None and self.written is not None
        return believed(solution, self.report, self.written, self.budget)

    def _claims(self, attempt: _Attempt) -> tuple[Claim, Claim]:
        """Both formulas, each as short as it is known; ``minimal`` only where that is excluded."""
        assert self.learner is not None
        constants = self.learner.constants_up_to
        losing = attempt.losing
        winning = negation(losing)

        def claim(formula: Formula) -> Claim:
            within = max(integers(formula), default=0) <= constants
            assert self.learner is not None
            minimal = within and self.learner.excludes(below=size(formula))
            return Claim(formula, minimal, constants)

        return claim(winning), claim(losing)

    def _cover(
        self, winning: Formula, pairs: tuple[Rule, ...], sample: Sample
    ) -> tuple[Formula, ...]:
        """The refined cells; one that no single pair wins is split on the pairs' conditions."""
        assert self.report is not None
        if sample.goal.is_long:
            return winning.args if isinstance(winning, Or) else (winning,)
        legal = Legal(self.game, sample.states, self.budget.share(0.4))
        cells = refine(legal, winning)
        conditions = [pair.when for pair in pairs]
        if self.rule == "misere":
            conditions.append(self._ended_formula())
        cover: dict[Formula, None] = {}
        for cell in cells:
            holds = sample.holds(cell) & sample.domain
            if not pairs or any(not (holds & ~sample.wins(p.act)).any() for p in pairs):
                cover[cell] = None
                continue
            for condition in conditions:
                if legal.may_hold(cell, condition):
                    cover[tidy(legal, conjunction((cell, condition)))] = None
        split = tuple(cover)
        # The sample chose what to split; whether anything was lost is for the prover to say.
        is_whole = verify_cover(self.game, winning, split, self.budget.share(0.5)).is_proved
        return split if is_whole else cells

    def _compared(self, solution: Solution, bound: int) -> Solution:
        assert self.labels is not None
        check = check_on_box(solution, self.labels, bound)
        if check.disagreements:
            notes = (*solution.notes, "the proof and the labels disagree: please report this")
            return replace(solution, explicit=check, notes=notes)
        return replace(solution, explicit=check)

    def _seconds(self) -> dict[str, float]:
        return {"total": self.budget.elapsed(), **self.seconds}

    def _solution(self, **parts: object) -> Solution:
        ranking: tuple[Term, ...] = ()
        if self.report is not None and self.report.ranking is not None:
            ranking = self.report.ranking.components
        return Solution(
            game=self.game,
            rule=self.rule,
            status="unknown",
            ranking=ranking,
            **parts,  # type: ignore[arg-type]
        )

    def unknown(self, why: str) -> Solution:
        """What is known so far, claiming nothing more."""
        losing_states: tuple[State, ...] = ()
        excluded = None
        proof: dict[str, Verdict] = {}
        if self.report is not None:
            proof = {
                "closure": self.report.closure.verdict,
                "ending": self.report.ending.verdict,
                "termination": self.report.termination.verdict,
            }
        confirmed = {} if self.report is None else self.report.confirmed
        proof |= {"winning": Verdict.UNKNOWN, "strategy": Verdict.UNKNOWN}
        if self.labels is not None:
            losing_states = tuple(tuple(map(int, s)) for s in self.labels.losing()[:12])
        if self.learner is not None and self.learner.excluded > 0:
            excluded = Exclusion(self.learner.excluded, self.learner.constants_up_to)
        return replace(
            self._solution(
                proof=proof, confirmed=confirmed, losing_states=losing_states, excluded=excluded
            ),
            notes=(why, *self.notes),
            seconds=self._seconds(),
        )
