"""Is an answer with drawn states right?  The same steps as for any other, on its own obligations.

Nothing here rests on a ranking of all moves: play may never end.
"""

from __future__ import annotations

from collections.abc import Mapping

from icgsynth.budget import Budget
from icgsynth.game.solution import BoxCheck, Solution
from icgsynth.prove.answer import verify_answer
from icgsynth.prove.confirm import confirm_answer
from icgsynth.prove.discharge import Finding
from icgsynth.prove.recheck.play_with_draws import check_draws
from icgsynth.prove.well_formed import RulesReport

PARTS_WITH_DRAWS = ("winning", "strategy", "drawn")


def believed_draws(
    solution: Solution, report: RulesReport, plain: Solution, budget: Budget
) -> tuple[Mapping[str, Finding], Mapping[str, tuple[str, ...]], BoxCheck]:
    """The parts of ``plain`` after a second proof, by whom, and what explicit play says.

    ``plain`` is without quantifiers, ``solution`` about the rules as they were written.
    """
    parts = verify_answer(report, plain, budget.share(0.4))
    proved = [name for name, finding in parts.items() if finding.is_proved]
    again = confirm_answer(report, plain, solution, proved, budget.share(0.7))
    parts |= {name: found.finding for name, found in again.items()}
    by = {name: found.by for name, found in again.items() if found.by}
    return parts, by, check_draws(solution, plain.game, budget.share(0.7).within(15.0))
