"""Answers for all members of a family: found, proved again, or put to use for one member."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from icgsynth.batch.family.family_text import family_report
from icgsynth.batch.family.members import FamilyAnswer, FamilyRequest
from icgsynth.batch.family.run import answer_family
from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError, Refused
from icgsynth.export import export
from icgsynth.export.smt2 import family_smt2, family_smt2_files
from icgsynth.game.answers import KINDS
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution, Verdict
from icgsynth.process.worker import Worker
from icgsynth.prove.families import FamilyProof, is_member, linear_claims, prove_family
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.prove.verdict_report import answer_text, proof_lines, proof_value
from icgsynth.spec.answer_file import game_of
from icgsynth.spec.catalog import resolve
from icgsynth.spec.family_file import read_family
from icgsynth.spec.icg import parse
from icgsynth.spec.source import Source
from icgsynth.subjects.question import Question, Told, opinion_of, plain_question, with_kernel
from icgsynth.subjects.subject import AskedVerdict, Named

_VERDICTS = {
    "theorem": Verdict.PROVED,
    "refuted": Verdict.REFUTED,
    "conjecture": Verdict.UNKNOWN,
}


class ProvedFamily(NamedTuple):
    """What the proof came to, and what Coq says where it was asked."""

    proof: FamilyProof
    kernel: KernelOpinion | None = None


def of_family(named: Named, source: Source, asked: AskedVerdict) -> Question[ProvedFamily]:
    """Whether the answer in ``source`` is one for all members, whatever it calls itself."""
    asked.require_plain("family", coq=True, rule=True)
    claim, fixed, _ = read_family(source, parse(named.source), asked.rule)
    for name, number in named.constants.items():
        if name in claim.constants:
            message = f"the answer is for all {name}, and --set gives one"
            raise InputError(message, mend="leave --set out")
        if fixed.get(name, number) != number:
            message = f"the answer is for {name} = {fixed[name]}, not {number}"
            raise InputError(message, mend="leave --set out")

    def proved(budget: Budget, _: Progress) -> ProvedFamily:
        proof = prove_family(claim, budget)
        if not asked.coq:
            return ProvedFamily(proof)
        from icgsynth.coq.theorem_file import family_coq

        is_theorem = proof.status == "theorem"
        return ProvedFamily(proof, opinion_of(lambda: family_coq(proof.claim), is_theorem, budget))

    def unknown(why: str) -> ProvedFamily:
        return ProvedFamily(FamilyProof(claim, "conjecture", why))

    return plain_question(proved, _shown, unknown)


def _shown(found: ProvedFamily) -> Told:
    proof, kernel = found
    game, rule, verdict = proof.claim.game, proof.claim.rule, _VERDICTS[proof.status]

    def text() -> str:
        first, rest = f"{game.name}, {rule} play: {verdict}", ""
        if proof.certificate is not None:
            rest = answer_text(proof.certificate, None).partition("\n")[2]
        told = "" if kernel is None else kernel.line
        return "\n".join(filter(None, [first, rest, told, *proof_lines(proof)]))

    def value() -> dict[str, Any]:
        coq = {} if kernel is None else {"coq": kernel.value}
        head = {"game": game.name, "rule": rule, "verdict": str(verdict)}
        return head | proof_value(proof) | coq

    return Told(with_kernel(verdict, kernel), text, value)


def to_generalise(request: FamilyRequest, rule: PlayRule, worker: Worker) -> Question[FamilyAnswer]:
    """One formula and one strategy for all members; ``worker`` does the work."""

    def found(budget: Budget, progress: Progress) -> FamilyAnswer:
        worker.until = budget
        return answer_family(request, rule, worker, progress)

    def shown(answer: FamilyAnswer) -> Told:
        verdicts = {"refuted": Verdict.REFUTED, "none": Verdict.UNKNOWN}
        verdict = verdicts.get(answer.status, Verdict.PROVED)
        return Told(verdict, lambda: family_report(answer), answer.to_json)

    return plain_question(found, shown)


def member_answer(spec: str, source: Source, game: ParametricGame, rule: PlayRule) -> Solution:
    """The answer for the member ``game``, with its constants put into that for all members.

    InputError where the member is not in the range, or the file calls itself no theorem.
    """
    claim, fixed, status = read_family(source, parse(Source.read(resolve(spec), spec)), rule)
    given = dict(game.constants)
    for name, number in fixed.items():
        if given.get(name) != number:
            message = f"the answer is for {name} = {number}, the game has {given.get(name)}"
            raise InputError(message, mend=f"use --set {name}={number}")
    constants = {name: given[name] for name in claim.constants}
    if status != "theorem":
        raise InputError(f"{source.name} is no theorem", mend="prove it first: icgsynth verify")
    if not is_member(claim.where, constants):
        said = ", ".join(f"{name} = {number}" for name, number in constants.items())
        raise InputError(f"the answer is for {claim.where}, not for {said}", mend="use --set")
    found = put_constants(claim.solution, (), constants).solution
    return replace(found, game=game, status="solved")


# --- in other formats -------------------------------------------------------------------------

_FORMATS = ("fft", "python", "html", "smt2", "latex", "dot", "coq")
_PROOF_SECONDS = 120.0  # for the proof that smt2 shows


def exported_family(source: Source, spec: str | None, fmt: str) -> str:
    """The theorem in another format: its constants are the first variables of each state."""
    if fmt not in _FORMATS:
        message = f"{fmt} cannot say {KINDS['family']}"
        raise InputError(message, mend=f"export to {', '.join(_FORMATS)} instead")
    claim, solution = _stated(source, spec)
    if fmt == "coq":
        if solution.status != "solved":
            raise Refused(f"{source.name} is no theorem: Coq has nothing to check")
        from icgsynth.coq.theorem_file import family_coq

        return family_coq(claim)
    if fmt == "smt2":
        return family_smt2(solution, list(linear_claims(claim, Budget(_PROOF_SECONDS))))
    return export(solution, fmt)


def theorem_files(source: Source, spec: str | None) -> list[tuple[str, str]]:
    """``(file name, script)`` for each obligation of the proof for all members."""
    claim, solution = _stated(source, spec)
    claims = list(linear_claims(claim, Budget(_PROOF_SECONDS)))
    return list(family_smt2_files(solution, claims))


def _stated(source: Source, spec: str | None) -> tuple[FamilyClaim, Solution]:
    named = spec or game_of(source)
    if named is None:
        raise InputError(f"{source.name} does not say of which game", mend="use --spec SPEC")
    claim, _, status = read_family(source, parse(Source.read(resolve(named), named)))
    is_proved = status == "theorem"
    return claim, replace(claim.solution, status="solved" if is_proved else "conditional")
