"""Whether the rules of a game are well formed, and whether the answer in a file is right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from icgsynth import wings
from icgsynth.budget import Budget, Progress
from icgsynth.export.verdict_report import (
    answer_text,
    answer_value,
    answer_verdict,
    rules_text,
    rules_value,
)
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, without_blocking
from icgsynth.prove.answer import check_twice
from icgsynth.prove.certificate import Certificate, certify
from icgsynth.prove.crosscheck import CrossCheck, cross_check, second_solver
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.well_formed import RulesReport
from icgsynth.spec.load import load_spec
from icgsynth.spec.resolve import Named
from icgsynth.spec.solution_file import file_constants, read_solution
from icgsynth.spec.source import Source
from icgsynth.subjects.question import (
    Question,
    Searching,
    Told,
    Work,
    opinion_of,
    plain_question,
    verdict_of,
    with_kernel,
)
from icgsynth.subjects.subject import AskedVerdict, remarks_on

# --- rules ------------------------------------------------------------------------------------


def to_check(game: ParametricGame) -> Question[RulesReport | str]:
    """Is it closed, does it end where it says, and always?  A string says why that is unknown."""
    return to_check_game(game.name, lambda budget: check_twice(game, budget), remarks_on(game))


def to_check_game(
    name: str, check: Callable[[Budget], RulesReport | str], remarks: tuple[str, ...] = ()
) -> Question[RulesReport | str]:
    """The question whether rules are well formed, which ``check`` answers."""

    def report(budget: Budget, _: Progress) -> RulesReport | str:
        return check(budget)

    def show(found: RulesReport | str) -> Told:
        if isinstance(found, str):
            parts = {part: {"verdict": "unknown"} for part in ("closure", "ending", "termination")}
            late = f"{name}\n  unknown  {found}"
            return Told(Verdict.UNKNOWN, lambda: late, lambda: {"game": name, **parts})
        return Told(
            found.termination.verdict,
            lambda: rules_text(found),
            lambda: rules_value(found),
            warnings=found.warnings,
        )

    return plain_question(report, show, lambda why: why, remarks)


# --- an answer --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Opinions:
    """What is known of an answer: the certificate, and what others say; ``why`` there is none."""

    certificate: Certificate | None = None
    second: CrossCheck | None = None
    kernel: KernelOpinion | None = None
    why: str = ""

    @property
    def verdict(self) -> Verdict:
        """Proved is what all accept who were asked."""
        certificate, second = self.certificate, self.second
        if certificate is None:
            return Verdict.UNKNOWN
        if answer_verdict(certificate, second) == "refuted":
            return Verdict.REFUTED
        agreed = second is None or second.verdict is Verdict.PROVED
        return with_kernel(verdict_of(certificate.is_proved and agreed), self.kernel)


def of_strategy(named: Named, source: Source, asked: AskedVerdict) -> Question[Opinions]:
    """Whether the strategy in ``source`` is right, for the constants of the file.

    By a second solver and by Coq too, where that is asked.
    """
    asked.require_plain("strategy", cross=True, coq=True, rule=True)
    constants = {**file_constants(source, asked.rule), **named.constants}
    game = load_spec(named.source, constants, blocking=True)
    solution = read_solution(source, game, asked.rule)
    if asked.coq:
        without_blocking(game)
    if asked.cross and solution.is_linear:
        second_solver()  # whether it is there at all

    def opinions(certificate: Certificate, budget: Budget) -> Opinions:
        second = cross_check(certificate, budget) if asked.cross else None
        return Opinions(certificate, second, _by_coq(certificate, budget) if asked.coq else None)

    def search(budget: Budget, _: Progress) -> Searching[Opinions]:
        known: list[Certificate] = []

        def run() -> Opinions:
            known.append(certify(solution, budget))
            return opinions(known[0], budget)

        def unknown(why: str) -> Opinions:
            # Of a certificate that others were being asked about, those say what they can at once.
            is_known = known and (asked.cross or asked.coq)
            return opinions(known[0], Budget(0)) if is_known else Opinions(why=why)

        return Work(run, unknown)

    def show(found: Opinions) -> Told:
        certificate = found.certificate
        if certificate is None:
            late = f"{game.name}, {solution.rule} play: unknown\n  {found.why}"
            value: dict[str, Any] = {"game": game.name, "rule": solution.rule}
            value |= {"verdict": "unknown", "parts": {}}
            return Told(Verdict.UNKNOWN, lambda: late, lambda: value)
        given = (certificate, found.second, found.kernel)
        return Told(found.verdict, lambda: answer_text(*given), lambda: answer_value(*given))

    return Question(search, show, remarks_on(game))


def _by_coq(certificate: Certificate, budget: Budget) -> KernelOpinion:
    """What Coq says of an answer that is proved, about the rules as they were written."""
    ranking = tuple(component.term for component in certificate.report.bounded)
    written, plain = certificate.solution.game, certificate.report.game
    solved = replace(
        certificate.solution,
        game=plain,
        written=written if written.is_quantified else None,
        status="solved",
        ranking=ranking,
    )
    acts = certificate.report.movers.acts
    return opinion_of(
        lambda: str(wings.required("writer", "coq").strategy(solved, acts)),
        certificate.is_proved,
        budget,
    )
