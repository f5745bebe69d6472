"""Impartial games over integer states: rules that begin with ``game``, or numeric PDDL."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from icgsynth.budget import Budget, Progress
from icgsynth.game.game import ParametricGame, PlayRule, without_blocking
from icgsynth.game.solution import Solution, Verdict
from icgsynth.spec.answer_file import any_kind
from icgsynth.spec.load import load_spec
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question, Searching, Told, Work
from icgsynth.subjects.subject import (
    AskedTable,
    AskedValue,
    AskedVerdict,
    Named,
    Subject,
    remarks_on,
)

if TYPE_CHECKING:
    from icgsynth.prove.well_formed import RulesReport


def subject(named: Named) -> GameSubject:
    """The impartial game that was named."""
    return GameSubject(named)


class GameSubject(Subject):
    """One impartial game, or a family with its constants set."""

    what = "an impartial game"

    def __init__(self, named: Named) -> None:
        super().__init__(named)
        self._reports: list[RulesReport] = []  # what one search has proved, for the next

    @cached_property
    def game(self) -> ParametricGame:
        """The rules, read; a blocking game as well."""
        return load_spec(self.named.source, self.named.constants, blocking=True)

    def __str__(self) -> str:
        return str(self.game)

    def to_solve(
        self, rule: PlayRule, finite_only: bool = False, for_file: bool = True
    ) -> Question[Solution]:
        def search(budget: Budget, progress: Progress) -> Searching[Solution]:
            from icgsynth.solving.search import Search as Synthesis

            report = self._reports[0] if self._reports else None
            synthesis = Synthesis(self.game, rule, budget, progress, report, finite_only)

            def run() -> Solution:
                solution = synthesis.solve()
                if synthesis.report is not None:
                    self._reports[:] = [synthesis.report]
                return solution

            return Work(run, synthesis.unknown)

        return Question(search, self._shown, remarks_on(self.game))

    def to_position(self, rule: PlayRule, at: str) -> Question[Any]:
        from icgsynth.prove.deciders.quantifiers import plain_rules
        from icgsynth.subjects.position_questions import to_position

        return to_position(self.to_solve(rule), plain_rules(self.game), rule, at)

    def to_judge(self, kind: str, text: str, asked: AskedVerdict) -> Question[Any]:
        from icgsynth.prove.deciders.quantifiers import plain_rules
        from icgsynth.subjects.position_questions import of_claim

        return of_claim(plain_rules(self.game), kind, text, asked)

    def _shown(self, solution: Solution) -> Told:
        from icgsynth.export.solution_report import solution_report

        spec, verdict = self.named.spec, Verdict.PROVED
        if not solution.is_proved:
            endless = solution.proof.get("termination") == "refuted"
            verdict = Verdict.REFUTED if endless else Verdict.UNKNOWN
        where = f"('icgsynth check {spec}' shows a state)"
        warnings = tuple(f"{warning} {where}" for warning in solution.warnings)
        return Told(
            verdict,
            lambda: solution_report(solution, spec),
            solution.to_json,
            warnings=warnings,
        )

    def to_value(self, asked: AskedValue) -> Question[Any]:
        if asked.rule == "misere":
            from icgsynth.subjects.sums_subject import SumSubject

            return SumSubject(self.named).to_value(asked)
        from icgsynth.subjects.value_questions import to_value

        asked.without("most", of=f"{self.game.name}, but for games of heaps, as 0.77")
        return to_value(without_blocking(self.game), asked)

    def to_table(self, asked: AskedTable) -> Question[Any]:
        from icgsynth.subjects.value_questions import to_table

        return to_table(self.game, asked, self.to_solve(asked.rule) if asked.solve else None)

    def to_check(self) -> Question[Any]:
        from icgsynth.subjects.verdict_questions import to_check

        return to_check(self.game)

    def to_verify(self, source: Source, asked: AskedVerdict) -> Question[Any]:
        kind = any_kind(source)
        if kind == "strategy":
            from icgsynth.subjects.verdict_questions import of_strategy

            return of_strategy(self.named, source, asked)
        if kind == "value":
            from icgsynth.subjects.value_questions import of_value

            return of_value(self.named, source, asked)
        if kind == "family":
            from icgsynth.subjects.family_questions import of_family

            return of_family(self.named, source, asked)
        from icgsynth.subjects.finite_subject import of_tree_or_learned

        return of_tree_or_learned(self.named, source, asked, kind)
