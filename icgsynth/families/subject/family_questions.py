"""Questions about families: find an answer for all members, prove it again, use it for one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from icgsynth.budget import Budget, Progress
from icgsynth.errors import InputError
from icgsynth.export.verdict_report import answer_text
from icgsynth.families.proof.families import FamilyProof, is_member, prove_family
from icgsynth.families.rules.family_file import FamilyFile, read_family
from icgsynth.families.search.members import FamilyAnswer, FamilyRequest
from icgsynth.families.search.run import answer_family
from icgsynth.families.text.family_formats import family_coq, proof_claims
from icgsynth.families.text.family_smt2 import family_smt2_files
from icgsynth.families.text.family_text import family_report
from icgsynth.families.text.proof_text import proof_lines, proof_value
from icgsynth.game.answers import KernelOpinion, Verdict
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.process.worker import Worker
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.spec.answer_file import game_and_rules
from icgsynth.spec.icg import parse
from icgsynth.spec.resolve import Named
from icgsynth.spec.source import Source
from icgsynth.subjects import AskedVerdict
from icgsynth.subjects.question import Question, Told, opinion_of, plain_question, with_kernel

_VERDICTS = {
    "theorem": Verdict.PROVED,
    "refuted": Verdict.REFUTED,
    "conjecture": Verdict.UNKNOWN,
}


class ProvedFamily(NamedTuple):
    """The result of a family's proof, and of Coq's check where that was asked for."""

    proof: FamilyProof
    kernel: KernelOpinion | None = None


def to_verify(named: Named, source: Source, asked: AskedVerdict) -> Question[ProvedFamily]:
    """Return the question whether the answer file ``source`` is right for all members of the family
    ``named``. ``asked`` has the options of the command; InputError where an option does not apply,
    or ``--set`` names a constant that the theorem covers or gives a fixed one another value."""
    asked.require_plain("family", coq=True, rule=True)
    found = read_family(source, parse(named.source), asked.rule)
    claim, fixed = found.claim, found.fixed
    for name, number in named.constants.items():
        if name in claim.constants:
            message = f"the answer is for all {name}, and --set gives one"
            raise InputError(message, mend="leave --set out")
        if fixed.get(name, number) != number:
            message = f"the answer is for {name} = {fixed[name]}, not {number}"
            raise InputError(message, mend="leave --set out")

    def prove(budget: Budget, _: Progress) -> ProvedFamily:
        proof = prove_family(claim, budget)
        if not asked.coq:
            return ProvedFamily(proof)
        is_theorem = proof.status == "theorem"
        return ProvedFamily(proof, opinion_of(lambda: family_coq(proof.claim), is_theorem, budget))

    def unknown(why: str) -> ProvedFamily:
        return ProvedFamily(FamilyProof(claim, "conjecture", why))

    return plain_question(prove, _show, unknown)


def _show(found: ProvedFamily) -> Told:
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
    """Return the question: which formula and strategy hold for all members in ``request``, under
    ``rule``? The process ``worker`` does the work."""

    def find(budget: Budget, progress: Progress) -> FamilyAnswer:
        worker.until = budget
        return answer_family(request, rule, worker, progress)

    def show(answer: FamilyAnswer) -> Told:
        verdicts = {"refuted": Verdict.REFUTED, "none": Verdict.UNKNOWN}
        verdict = verdicts.get(answer.status, Verdict.PROVED)
        return Told(verdict, lambda: family_report(answer), answer.to_json)

    return plain_question(find, show)


def member_answer(named: Named, source: Source, game: ParametricGame, rule: PlayRule) -> Solution:
    """Return the answer for ``game``, a member of the family ``named``: the answer for all members
    in the file ``source``, with the member's constants put in. Nothing is proved here. InputError
    where the file is no theorem, or the member is not in the theorem's range."""
    read = read_family(source, parse(named.source), rule)
    claim, fixed = read.claim, read.fixed
    given = dict(game.constants)
    for name, number in fixed.items():
        if given.get(name) != number:
            message = f"the answer is for {name} = {number}, the game has {given.get(name)}"
            raise InputError(message, mend=f"use --set {name}={number}")
    constants = {name: given[name] for name in claim.constants}
    if read.status != "theorem":
        raise InputError(f"{source.name} is no theorem", mend="prove it first: icgsynth verify")
    if not is_member(claim.where, constants):
        said = ", ".join(f"{name} = {number}" for name, number in constants.items())
        raise InputError(f"the answer is for {claim.where}, not for {said}", mend="use --set")
    found = put_constants(claim.solution, (), constants).solution
    return replace(found, game=game, status="solved")


# --- answers of a file --------------------------------------------------------------------------


def read_answer(source: Source, spec: str | None, rule: PlayRule | None = None) -> FamilyFile:
    """Return the answer for all members in the file ``source``, as claimed there. ``spec`` names
    the family, None where the file has its rules; ``rule`` chooses in a file with two answers."""
    named, text = game_and_rules(source, spec)
    return read_family(source, parse(Named(named, text=text).source), rule)


def obligations(
    source: Source, spec: str | None, rule: PlayRule | None = None
) -> list[tuple[str, str]]:
    """Return (file name, SMT-LIB script) for each obligation of the proof for all members in
    ``source``. ``spec`` and ``rule`` are as for :func:`read_answer`."""
    found = read_answer(source, spec, rule)
    return list(family_smt2_files(found.solution, proof_claims(found)))
