"""Questions whether the rules of a game are well formed, and whether an answer file is right."""

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
from icgsynth.game.answers import KernelOpinion, Verdict
from icgsynth.game.game import ParametricGame, without_blocking
from icgsynth.game.solution import Solution
from icgsynth.prove.boxcheck import outcomes_everywhere
from icgsynth.prove.certificate import Certificate, certify
from icgsynth.prove.crosscheck import CrossCheck, cross_check, second_solver
from icgsynth.prove.well_formed import RulesReport, check_twice
from icgsynth.spec.json_text import Located, read_json
from icgsynth.spec.resolve import Named, load_spec
from icgsynth.spec.solution_file import file_constants, own_game, read_solution
from icgsynth.spec.solution_parts import chosen_answer
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict, remarks_on
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

# --- rules ------------------------------------------------------------------------------------


def to_check(game: ParametricGame) -> Question[RulesReport | str]:
    """Return the question whether moves stay legal and play ends; a string says why unknown."""
    return to_check_game(game.name, lambda budget: check_twice(game, budget), remarks_on(game))


def to_check_game(
    name: str, check: Callable[[Budget], RulesReport | str], remarks: tuple[str, ...] = ()
) -> Question[RulesReport | str]:
    """Return the question whether the rules of ``name`` are well formed, which ``check`` answers.

    ``remarks`` are printed first.
    """

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
    """The results of all checks of an answer: certificate, ``second`` solver, ``kernel`` (Coq)."""

    certificate: Certificate | None = None
    second: CrossCheck | None = None
    kernel: KernelOpinion | None = None
    why: str = ""  # why there is no certificate
    false_list: str = ""  # a sentence on a wrong list of states

    @property
    def verdict(self) -> Verdict:
        """The verdict: proved if all checks accept the answer, refuted if one refutes it."""
        certificate, second = self.certificate, self.second
        if certificate is None:
            return Verdict.UNKNOWN
        if self.false_list:
            return Verdict.REFUTED
        if answer_verdict(certificate, second) == "refuted":
            return Verdict.REFUTED
        agreed = second is None or second.verdict is Verdict.PROVED
        return with_kernel(verdict_of(certificate.is_proved and agreed), self.kernel)


def of_strategy(named: Named, source: Source, asked: AskedVerdict) -> Question[Opinions]:
    """Return the question whether the strategy in the file ``source`` is right.

    Constants that ``named`` lacks are the file's.  A second solver and Coq check too, if ``asked``.
    """
    asked.require_plain("strategy", cross=True, coq=True, rule=True)
    constants = {**file_constants(source, asked.rule), **named.constants}
    game = load_spec(named.source, constants, blocking=True)
    solution = read_solution(source, game, asked.rule)
    entry = chosen_answer(read_json(source), asked.rule)
    if asked.coq:
        without_blocking(game)
    if asked.cross and solution.is_linear:
        second_solver()  # whether it is there at all

    def opinions(certificate: Certificate, budget: Budget) -> Opinions:
        second = cross_check(certificate, budget) if asked.cross else None
        kernel = _by_coq(certificate, budget) if asked.coq else None
        return Opinions(certificate, second, kernel, false_list=_find_false_list(entry, solution))

    def search(budget: Budget, _: Progress) -> Searching[Opinions]:
        known: list[Certificate] = []

        def run() -> Opinions:
            known.append(certify(solution, budget))
            return opinions(known[0], budget)

        def unknown(why: str) -> Opinions:
            # The certificate may be known already: the other checkers then get no time.
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
        given, false = (certificate, found.second, found.kernel), found.false_list
        if false:
            value = answer_value(*given) | {"verdict": "refuted", "why": false}
            return Told(found.verdict, lambda: f"{answer_text(*given)}\n{false}", lambda: value)
        return Told(found.verdict, lambda: answer_text(*given), lambda: answer_value(*given))

    return Question(search, show, (*remarks_on(game), *_other_rules(entry, game)))


def _find_false_list(entry: Located, solution: Solution) -> str:
    """Return a sentence on a list of states in ``entry`` that play contradicts; "" for none."""
    if (table := entry.get("table")) is None:
        return ""
    if (worth := outcomes_everywhere(solution.game, solution.rule)) is None:
        return "the file lists all lost states, and the legal states are more than can be listed"
    for word, number in (("losing", -1), ("drawn", 0)):
        listed = [list(state) for state, found in sorted(worth.items()) if found == number]
        if table.need(word, "[[0]]").value != listed:
            return f"the list '{word}' in the file is not that of all {word} states"
    return ""


def _other_rules(entry: Located, game: ParametricGame) -> tuple[str, ...]:
    """Return a warning if the rules in the file differ from the rules of ``game``; else ()."""
    texts = [place.value for key in ("rules", "written") if (place := entry.get(key)) is not None]
    own = own_game(entry, blocking=True) if texts else game
    named = replace(own, name=game.name, title=game.title, citations=game.citations)
    if str(game) in (*texts, str(named)):
        return ()
    told = "the file has other rules than the game that was named, by which it is judged"
    return (f"warning: {told}",)


def _by_coq(certificate: Certificate, budget: Budget) -> KernelOpinion:
    """Return what Coq says of the answer of ``certificate``, for the rules as they were written."""
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
        lambda: str(wings.require("writer", "coq").strategy(solved, acts)),
        certificate.is_proved,
        budget,
    )
