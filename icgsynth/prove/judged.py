"""A claim about who wins, judged to the end: proved twice, and put to states of all sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import FarCheck, Solution, Verdict
from icgsynth.prove.answer import verify_answer
from icgsynth.prove.discharge import Finding
from icgsynth.prove.twice import second_look
from icgsynth.prove.well_formed import RulesReport

__all__ = ["JudgedValue", "confirmed", "judge_winning", "told"]

_FAR = {"winning": 4_000, "strategy": 1_000}  # far states that a value, and moves, are checked at


@dataclass(frozen=True)
class JudgedValue:
    """How the claim stands that a value is the Grundy function.

    ``by`` names who proved it, the first engine first; ``why`` says what is missing, or what is
    wrong at which state.  ``is_contradicted``: proved once, and then found to be wrong.
    """

    verdict: Verdict
    by: tuple[str, ...] = ()
    far: FarCheck | None = None
    why: str = ""
    is_contradicted: bool = False


def told(finding: Finding) -> str:
    """What one engine found, with the witness."""
    if not finding.witness:
        return finding.claim
    return f"{finding.claim}, at {', '.join(f'{n} = {v}' for n, v in finding.witness.items())}"


def judge_winning(
    report: RulesReport,
    written: ParametricGame,
    claim: Solution,
    budget: Budget,
    words: Callable[[Finding], str] = told,
) -> JudgedValue:
    """Whether the winning and losing formulas of ``claim`` are right.

    ``written`` is the game of ``report`` as it was written; ``words`` say what a finding means.
    """
    winning = verify_answer(report, claim, budget.share(0.5)).winning
    if not winning.is_proved:
        return JudgedValue(winning.verdict, why=words(winning))
    return confirmed(report, written, claim, "winning", budget)


def confirmed(
    report: RulesReport, written: ParametricGame, claim: Solution, part: str, budget: Budget
) -> JudgedValue:
    """A ``part`` of the claim that is proved once, after the second look."""
    as_written = replace(claim, game=written)
    look = second_look(report, claim, as_written, (part,), budget, _FAR[part])
    if look.contradiction:
        why = f"the proof is contradicted, please report this: {look.contradiction}"
        return JudgedValue(Verdict.UNKNOWN, (), look.far, why, is_contradicted=True)
    found = look.parts[part]
    if not found.finding.is_proved:
        return JudgedValue(Verdict.UNKNOWN, far=look.far, why=found.finding.claim)
    return JudgedValue(Verdict.PROVED, found.by, look.far)
