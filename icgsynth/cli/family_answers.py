"""Answers for all members of a family on the command line: proved again, or put to use.

``icgsynth family DIR`` finds the families that the files of a folder are members of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from icgsynth.batch.family.family_text import lifted_report, lifted_values
from icgsynth.batch.family.lifted_theorems import prove_families, read_folder
from icgsynth.batch.family.run import new_worker
from icgsynth.budget import Budget
from icgsynth.cli.codes import CRASH, DONE, REFUTED, UNKNOWN
from icgsynth.cli.kernel import code_with, opinion_of
from icgsynth.cli.output import OURS, Progress, deliver, watchdog
from icgsynth.cli.output import as_json as json_text
from icgsynth.cli.screen import say
from icgsynth.errors import InputError, Refused
from icgsynth.export import export
from icgsynth.export.report import as_text
from icgsynth.export.smt2 import family_smt2, family_smt2_files
from icgsynth.game.answers import KINDS
from icgsynth.game.family_claim import FamilyClaim
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.solution import Solution
from icgsynth.prove.families import FamilyProof, is_member, linear_claims, prove_family
from icgsynth.prove.kernel_opinion import KernelOpinion
from icgsynth.prove.recheck.drawn_members import put_constants
from icgsynth.prove.verdict_report import answer_text, proof_lines, proof_value
from icgsynth.spec.answer_file import game_of
from icgsynth.spec.catalog import resolve
from icgsynth.spec.family_file import read_family
from icgsynth.spec.icg import parse
from icgsynth.spec.lifted import lifted
from icgsynth.spec.source import Source

__all__ = ["exported_family", "family_folder", "member_answer", "theorem_files", "verify_family"]

# --- family answers ------------------------------------------------------------------------------

_FORMATS = ("fft", "python", "html", "smt2", "latex", "dot", "coq")
_PROOF_SECONDS = 120.0  # for the proof that smt2 shows
_WORDS = {"theorem": "proved", "refuted": "refuted", "conjecture": "unknown"}
_CODES = {"theorem": DONE, "refuted": REFUTED, "conjecture": UNKNOWN}


def verify_family(
    spec: str,
    source: Source,
    rule: PlayRule | None,
    constants: Mapping[str, int],
    timeout: float,
    as_json: bool,
    kernel: bool = False,
) -> int:
    """Prove the answer in ``source`` again, whatever it calls itself; the exit code.

    With ``kernel`` Coq is asked as well.
    """
    if kernel:
        from icgsynth.export.coq.coqc import installed_coq
        from icgsynth.export.coq.theorem_file import family_coq

        installed_coq()
    claim, fixed, _ = read_family(source, parse(Source.read(resolve(spec), spec)), rule)
    for name, number in constants.items():
        if name in claim.constants:
            message = f"the answer is for all {name}, and --set gives one"
            raise InputError(message, mend="leave --set out")
        if fixed.get(name, number) != number:
            message = f"the answer is for {name} = {fixed[name]}, not {number}"
            raise InputError(message, mend="leave --set out")

    def last_words() -> int:
        why = f"the budget of {timeout:g} s is spent"
        return _deliver(FamilyProof(claim, "conjecture", why), as_json)

    opinion = None
    with watchdog(timeout, last_words):
        proof = prove_family(claim, budget := Budget(timeout))
        if kernel:
            is_theorem = proof.status == "theorem"
            opinion = opinion_of(lambda: family_coq(proof.claim), is_theorem, budget)
    return _deliver(proof, as_json, opinion)


def _deliver(proof: FamilyProof, as_json: bool, kernel: KernelOpinion | None = None) -> int:
    game, rule, verdict = proof.claim.game, proof.claim.rule, _WORDS[proof.status]
    if as_json:
        value = {"game": game.name, "rule": rule, "verdict": verdict} | proof_value(proof)
        value |= {} if kernel is None else {"coq": kernel.value}
        click.echo(json_text(value))
    else:
        first, rest = f"{game.name}, {rule} play: {verdict}", ""
        if proof.certificate is not None:
            rest = answer_text(proof.certificate, None).partition("\n")[2]
        told = "" if kernel is None else kernel.line
        say("\n".join(filter(None, [first, rest, told, *proof_lines(proof)])))
    return code_with(_CODES[proof.status], kernel)


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
    return _member(claim, constants, game)


def exported_family(source: Source, spec: str | None, fmt: str) -> str:
    """The theorem in another format: its constants are the first variables of each state."""
    if fmt not in _FORMATS:
        message = f"{fmt} cannot say {KINDS['family']}"
        raise InputError(message, mend=f"export to {', '.join(_FORMATS)} instead")
    claim, solution = _stated(source, spec)
    if fmt == "coq":
        if solution.status != "solved":
            raise Refused(f"{source.name} is no theorem: Coq has nothing to check")
        from icgsynth.export.coq.theorem_file import family_coq

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


def _member(claim: FamilyClaim, constants: Mapping[str, int], game: ParametricGame) -> Solution:
    found = put_constants(claim.solution, (), constants).solution
    return replace(found, game=game, status="solved")


# --- family folders ------------------------------------------------------------------------------

_FAMILY = 10.0  # seconds for each family, where no time is given
_WARNINGS = 5  # of all files; icgsynth check has those of one


def family_folder(
    folder: str,
    rules: Sequence[PlayRule],
    seconds: float | None,
    is_json: bool,
    output: str | None,
    quiet: bool,
) -> int:
    """All families of a folder, within ``seconds`` for each rule or the usual; the exit code."""
    games, unread = read_folder(folder)
    if not quiet:
        _warn(list(dict.fromkeys(w for game in games.values() for w in game.warnings)))
    progress = Progress(quiet)
    try:
        families = lifted(games.items())
        count = max(1, sum(bool(family.constants) for family in families)) * len(rules)
        whole = count * _FAMILY if seconds is None else seconds * len(rules)
        with new_worker() as worker, watchdog(whole):
            worker.until = Budget(whole)
            results = list(prove_families(families, rules, whole / count, worker, progress))
    finally:
        progress.clear()
    text = as_text(lifted_report(folder, results, unread)).rstrip("\n")
    deliver(lifted_values(results, unread), text, is_json, output)
    crashes = [crash for result in results for crash in result.crashes]
    if crashes:
        click.echo(f"icgsynth: internal error: {crashes[0]}\n  {OURS}", err=True)
        return CRASH
    proved = [bool(result.theorems) for result in results if result.family.constants]
    return DONE if proved and all(proved) else UNKNOWN


def _warn(warnings: Sequence[str]) -> None:
    for warning in warnings[:_WARNINGS]:
        click.echo(f"warning: {warning}", err=True)
    if len(warnings) > _WARNINGS:
        click.echo(f"warning: and {len(warnings) - _WARNINGS:,} more", err=True)
