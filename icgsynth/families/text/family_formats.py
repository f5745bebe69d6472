"""Write theorems for all members; the constants are the first variables of each state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import inf

from icgsynth import wings
from icgsynth.budget import Budget
from icgsynth.errors import CannotExpress
from icgsynth.export import export
from icgsynth.export.json import answer_json
from icgsynth.export.report import Report
from icgsynth.export.solution_report import solution_report
from icgsynth.families.proof.families import linear_claims
from icgsynth.families.proof.linear_claim import LinearClaim
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.families.rules.family_file import FamilyFile
from icgsynth.families.text.family_smt2 import family_smt2

_PROOF_SECONDS = 120.0  # of the processor, for the proof that smt2 shows


def report(answer: FamilyFile) -> Report:
    """Return the report on ``answer``: on the one game whose variables include the constants."""
    return solution_report(answer.solution)


def writers(answer: FamilyFile) -> Mapping[str, Callable[[FamilyFile], str]]:
    """Return, by the name of the format, the functions that write an ``answer`` file as text."""
    return _WRITERS


def proof_claims(answer: FamilyFile) -> list[LinearClaim]:
    """Return the obligations of a proof of ``answer`` for all members, in linear arithmetic.
    InputError where a divisor in it is not proved to be positive."""
    return list(linear_claims(answer.claim, Budget(inf, work=_PROOF_SECONDS)))


def family_coq(claim: FamilyClaim) -> str:
    """Return a Coq file that states the theorem of ``claim`` and proves it."""
    text: str = wings.require("writer", "coq").family(claim)
    return text


def _coq(answer: FamilyFile) -> str:
    if answer.status != "theorem":
        raise CannotExpress(f"{answer.game.name} is no theorem: Coq has nothing to check")
    return family_coq(answer.claim)


def _smt2(answer: FamilyFile) -> str:
    return family_smt2(answer.solution, proof_claims(answer))


def _as_solution(fmt: str, answer: FamilyFile) -> str:
    return export(answer.solution, fmt)


_WRITERS: Mapping[str, Callable[[FamilyFile], str]] = {
    **{fmt: partial(_as_solution, fmt) for fmt in ("fft", "python", "html", "latex", "dot")},
    "smt2": _smt2,
    "coq": _coq,
    "json": answer_json,
}
