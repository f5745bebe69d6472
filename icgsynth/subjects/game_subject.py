"""The subject for impartial games over integers: rules that begin with ``game``, or PDDL."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.game.answers import Verdict
from icgsynth.game.game import Move, ParametricGame, PlayRule, without_blocking
from icgsynth.game.solution import READABLE, Solution
from icgsynth.logic import term as t
from icgsynth.spec.resolve import Named, load_spec
from icgsynth.spec.source import Source
from icgsynth.subjects import (
    AskedTable,
    AskedValue,
    AskedVerdict,
    Subject,
    module_of,
    remarks_on,
)
from icgsynth.subjects.question import Question, Searching, Told, Work

if TYPE_CHECKING:
    from icgsynth.game.grundy import GrundyAnswer
    from icgsynth.prove.well_formed import RulesReport

_LONGEST = 25  # leaves and connectives of a formula; instead of a longer one states are listed


def subject(named: Named) -> GameSubject:
    """Return the object that answers questions about the impartial game ``named``."""
    return GameSubject(named)


class GameSubject(Subject):
    """The subject of one impartial game, or of a family of games with its constants set."""

    what = "an impartial game"
    loaded = ("icgsynth", "LoadedGame")

    def __init__(self, named: Named) -> None:
        super().__init__(named)
        self._reports: list[RulesReport] = []  # proofs about the rules, kept for the next search
        self._cases: Any = None  # short formulas, one for each value of a variable
        self._values: GrundyAnswer | None = None  # proved values, where no formula says who wins

    @cached_property
    def game(self) -> ParametricGame:
        """The game, read from its rules; it may be a blocking game."""
        return load_spec(self.named.source, self.named.constants, blocking=True)

    def __str__(self) -> str:
        return str(self.game)

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Solution]:
        def search(budget: Budget, progress: Progress) -> Searching[Solution]:
            from icgsynth.prove.boxcheck import outcomes_everywhere
            from icgsynth.solve.search import Search

            report = self._reports[0] if self._reports else None
            found = Search(self.game, rule, budget, progress, report, finite_only)

            def run() -> Solution:
                outcomes_everywhere(self.game, rule)  # kept: there may be no time for it later
                solution = found.solve()
                self._reports[:] = self._reports if found.report is None else [found.report]
                self._values = found.values
                self._cases, losing = None, solution.losing
                if losing and losing.size > READABLE and (cases := wings.find("list", "cases")):
                    self._cases = cases.flag_cases(solution, budget)
                return solution

            def unknown(why: str) -> Solution:
                self._values, self._cases = found.values, None
                return found.unknown(why)

            return Work(run, unknown)

        return Question(search, partial(self._show, finite_only), remarks_on(self.game))

    @property
    def _plain(self) -> ParametricGame:
        from icgsynth.prove.deciders.quantifiers import plain_rules

        return plain_rules(self.game)

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        from icgsynth.subjects.position_questions import to_position

        return to_position(self.to_solve(rule), self._plain, rule, at)

    def to_list(self, rule: PlayRule, where: str) -> Question[Any]:
        listing = wings.require("list", "where")
        question: Question[Any] = listing.to_list(self.to_solve(rule), self._plain, rule, where)
        return question

    def to_judge(self, kind: str, text: str, asked: AskedVerdict) -> Question[Any]:
        from icgsynth.subjects.position_questions import of_claim

        return of_claim(self._plain, kind, text, asked)

    def _show(self, finite_only: bool, solution: Solution) -> Told:
        from icgsynth.export.solution_report import solution_report
        from icgsynth.prove.boxcheck import outcomes_everywhere

        spec, verdict = self.named.spec, Verdict.PROVED
        endless = solution.proof.get("termination") == "refuted"
        may_list = _needs_list(solution) and not (finite_only and endless)
        writer = wings.find("list", "lost") if may_list else None
        if writer and (worth := outcomes_everywhere(self.game, solution.rule)):
            listed = partial(writer.list_report, solution, worth)
            return Told(verdict, listed, partial(writer.list_value, solution, worth))
        values = None if solution.is_proved or solution.rule == "misere" else self._values
        winners = wings.find("list", "winners") if values is not None else None
        if winners and values:
            return Told(verdict, lambda: winners.winner_report(values, spec), values.to_json)
        if not solution.is_proved:
            verdict = Verdict.REFUTED if endless else Verdict.UNKNOWN
        where = f"('icgsynth check {spec}' shows a state)"
        warnings = tuple(f"{warning} {where}" for warning in solution.warnings)
        # A proved formula that is not split into cases needs no list of states beside it.
        losing = solution.losing if solution.is_proved and not self._cases else None
        is_told = losing is not None and not isinstance(losing.formula, t.Recognised)
        module = None if is_told else wings.find("list", "cases")
        report = partial(solution_report, solution, spec)
        if module is not None:
            report = partial(module.case_report, solution, self._cases or (), spec)
        return Told(verdict, report, solution.to_json, warnings=warnings)

    def to_value(self, asked: AskedValue) -> Question[Any]:
        if asked.rule == "misere":
            rows: Question[Any] = module_of("sums").subject(self.named).to_value(asked)
            return rows
        from icgsynth.subjects.value_questions import to_value

        asked.without("most", of=f"{self.game.name}, but for games of heaps, as 0.77")
        return to_value(without_blocking(self.game), asked)

    def to_table(self, asked: AskedTable) -> Question[Any]:
        from icgsynth.subjects.value_questions import to_table

        return to_table(self.game, asked, self.to_solve(asked.rule) if asked.solve else None)

    def moves(self, state: Any) -> Iterator[Move]:
        plain = self._plain
        return plain.moves(plain.legal_state(state))

    def to_check(self) -> Question[Any]:
        from icgsynth.subjects.verdict_questions import to_check

        return to_check(self.game)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        from icgsynth.spec.answer_file import any_kind

        kind = any_kind(source)
        if kind == "strategy":
            from icgsynth.subjects.verdict_questions import of_strategy

            return of_strategy(self.named, source, asked)
        if kind == "value":
            from icgsynth.subjects.value_questions import of_value

            return of_value(self.named, source, asked)
        question: Question[Any] = wings.require("answer", kind).to_verify(self.named, source, asked)
        return question


def _needs_list(solution: Solution) -> bool:
    """Return whether no formula of ``solution`` is proved, or all have more than 25 nodes."""
    from icgsynth.logic.build import size

    formulas = [claim.formula for claim in (solution.winning, solution.losing) if claim is not None]
    return not solution.is_proved or min(map(size, formulas), default=0) > _LONGEST
