"""Is the answer right?  The obligations of a solution, discharged."""

from __future__ import annotations

from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.game.game import PlayRule
from icgsynth.game.obligations.game import existence_obligations, winning_obligations
from icgsynth.game.obligations.over_sets import parts_of
from icgsynth.game.obligations.stated import stated
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic import term as t
from icgsynth.prove.discharge import Finding, discharge
from icgsynth.prove.well_formed import RulesReport


def prove_winning(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Definition 3.1 but for the existence of a winning move (see :func:`some_winning_move`)."""
    claims = winning_obligations(report.game, rule, winning, losing, report.movers.acts)
    return discharge(claims, budget, report.movers.exact)


def some_winning_move(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Item (2) of Definition 3.1 as it stands, quantified: for answers without a strategy."""
    return discharge(existence_obligations(report.game, rule, winning, losing), budget)


def verify_answer(report: RulesReport, solution: Solution, budget: Budget) -> dict[str, Finding]:
    """Each part that ``solution`` states, proved or refuted against the rules.

    The parts are those of :func:`~icgsynth.game.obligations.over_sets.parts_of`.
    """
    stated_parts = parts_of(solution)
    if solution.draws is None and (report.game.block or not solution.is_linear):
        from icgsynth.prove.beyond import judge

        return judge(replace(solution, game=report.game), stated_parts, budget)
    found: dict[str, Finding] = {}
    claims = list(stated(solution, report.movers.acts, report.bounded, existence=False))
    for part in stated_parts:
        mine = [claim for claim in claims if claim.part == part]
        found[part] = discharge(mine, budget.share(0.5), report.movers.exact)
    if solution.draws is None and not solution.strategy and not found["strategy"].is_proved:
        found["strategy"] = Finding(Verdict.UNKNOWN, "there is no strategy")
    if solution.draws is None and found["winning"].is_proved and not found["strategy"].is_proved:
        sides, share = solution.sides(), budget.share(0.5)
        found["winning"] = some_winning_move(report, solution.rule, *sides, share)
    return found
