"""Is an answer with drawn states right?  The same steps as for any other, on its own obligations.

Nothing here rests on a ranking of all moves: play may never end.
"""

from __future__ import annotations

from collections.abc import Mapping

from icgsynth.budget import Budget
from icgsynth.game.obligations.stated import stated
from icgsynth.game.solution import BoxCheck, Solution, Verdict
from icgsynth.prove.confirm import confirm_answer
from icgsynth.prove.discharge import Finding, discharge
from icgsynth.prove.recheck.play_with_draws import check_draws
from icgsynth.prove.well_formed import RulesReport

PARTS_WITH_DRAWS = ("winning", "strategy", "drawn")


def prove_draws(report: RulesReport, solution: Solution, budget: Budget) -> dict[str, Finding]:
    """Each part of the answer: proved, refuted or unknown."""
    claims = list(stated(solution, report.movers.acts))
    parts = [*PARTS_WITH_DRAWS, *["cover"] * bool(solution.cover)]
    found: dict[str, Finding] = {}
    for part in parts:
        mine = [claim for claim in claims if claim.part == part]
        found[part] = discharge(mine, budget)
        refuted = found[part].verdict is Verdict.REFUTED
        if (
            refuted
            and not report.movers.exact
            and any("movers" in claim.rests_on for claim in mine)
        ):
            # The witness may have a move that the movers miss: not a counterexample yet.
            found[part] = Finding(Verdict.UNKNOWN, found[part].claim)
    return found


def believed_draws(
    solution: Solution, report: RulesReport, plain: Solution, budget: Budget
) -> tuple[Mapping[str, Finding], Mapping[str, tuple[str, ...]], BoxCheck]:
    """The parts of ``plain`` after a second proof, by whom, and what explicit play says.

    ``plain`` is without quantifiers, ``solution`` about the rules as they were written.
    """
    parts = prove_draws(report, plain, budget.share(0.4))
    proved = [name for name, finding in parts.items() if finding.is_proved]
    again = confirm_answer(report, plain, solution, proved, budget.share(0.7))
    parts |= {name: found.finding for name, found in again.items()}
    by = {name: found.by for name, found in again.items() if found.by}
    return parts, by, check_draws(solution, plain.game, budget.share(0.7).within(15.0))
