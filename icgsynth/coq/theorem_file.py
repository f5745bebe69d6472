"""Write an answer for all members of a family as a file that Coq checks.

The constants are variables that no move changes, and their range is part of what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from icgsynth.budget import Budget
from icgsynth.coq.linear_file import play_file
from icgsynth.coq.proofs import Lemma
from icgsynth.coq.same_rules import plain_rules
from icgsynth.errors import CannotExpress
from icgsynth.families.proof.families import divisor_obligations
from icgsynth.families.rules.family_claim import FamilyClaim
from icgsynth.logic import term as t
from icgsynth.prove.well_formed import check_rules

_SECONDS = 60.0  # of processor time, for the ranking, the movers and a member: one does


def family_coq(claim: FamilyClaim) -> str:
    """Return the Coq file that proves ``claim`` for all members; Coq prints that nothing is
    assumed. :class:`CannotExpress` where a part of the theorem is missing, or no proof is found."""
    if not claim.strategy:
        raise CannotExpress(f"{claim.game.name} has no strategy yet: Coq's theorem is about one")
    written = claim.solution.game if claim.game.is_quantified else None
    plain = replace(claim, game=plain_rules(claim.game)) if written else claim
    solution = plain.solution
    report = check_rules(solution.game, Budget(inf, work=_SECONDS))
    if not report.bounded:
        raise CannotExpress(f"nothing was found that each move of {claim.game.name} decreases")
    movers = report.movers.acts if claim.rule == "misere" else ()
    return play_file(solution, report.bounded, movers, written, [*_divisors(plain)])


def _divisors(claim: FamilyClaim) -> Iterator[Lemma]:
    """Yield lemmas that each divisor in ``claim`` is at least 1: no quotient is defined by 0."""
    for i, (divisor, _) in enumerate(divisor_obligations(claim), 1):
        aim = t.compare(1, "<=", divisor)
        yield Lemma(f"divisor_{i}", claim.constants, (claim.where,), (aim,))
