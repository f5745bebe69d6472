"""Is the answer right?  The obligations of an answer and of its rules, decided and confirmed.

No proof stands alone.  The first one searches: it eliminates quantifiers, rewrites, bounds, and
asks whichever decider is quickest.  Then each obligation of the finished answer is stated anew,
from the rules as they were written, and decided by an engine that the first did not rest on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation, existence_obligations, winning_obligations
from icgsynth.claims.stated import of_the_rules, state_claims
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import NO_STRATEGY, Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, without_digits
from icgsynth.game.repeated import stepwise
from icgsynth.game.solution import Solution
from icgsynth.logic import term as t
from icgsynth.logic.build import negation
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.discharge import confirm, discharge
from icgsynth.prove.every_state import NAMES, few_states, judge_everywhere, losing_everywhere
from icgsynth.prove.well_formed import RULES, RulesReport, check_rules


def prove_winning(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Prove that ``winning`` and ``losing`` are the won and lost states, and no others.

    Left out is that a won state has a winning move (see :func:`some_winning_move`). Where legal
    states are few, play from all of them decides it.
    """
    known = losing_everywhere(report.game, rule, losing)
    if known is not None and winning == negation(losing):
        return known
    claims = winning_obligations(report.game, rule, winning, losing, report.movers.acts)
    return discharge(claims, budget, report.movers.exact)


def some_winning_move(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Prove that each ``winning`` state has a move to a ``losing`` one; needs no strategy."""
    known = losing_everywhere(report.game, rule, losing)
    if known is not None and known.is_proved:
        return known
    return discharge(existence_obligations(report.game, rule, winning, losing), budget)


def verify_answer(report: RulesReport, solution: Solution, budget: Budget) -> dict[str, Finding]:
    """Prove or refute each part that ``solution`` states, against the rules of the report.

    The parts are those of :func:`~icgsynth.claims.over_sets.parts_of`.
    """
    from icgsynth.claims.over_sets import parts_of

    known = judge_everywhere(replace(solution, game=report.game))
    # What labels refute is asked of those whose counterexamples are put to the rules.
    if known is not None and all(f.verdict is not Verdict.REFUTED for f in known.values()):
        return dict(known)
    stated_parts = parts_of(solution)
    if solution.draws is None and (report.game.block or not solution.is_linear):
        from icgsynth.prove.beyond import judge

        return judge(replace(solution, game=report.game), stated_parts, budget)
    found: dict[str, Finding] = {}
    claims = list(state_claims(solution, report.movers.acts, report.bounded, existence=False))
    for part in stated_parts:
        mine = [claim for claim in claims if claim.part == part]
        found[part] = discharge(mine, budget.share(0.5), report.movers.exact)
    if solution.draws is None and not solution.strategy and not found["strategy"].is_proved:
        found["strategy"] = NO_STRATEGY
    if solution.draws is None and found["winning"].is_proved and not found["strategy"].is_proved:
        sides, share = solution.sides(), budget.share(0.5)
        found["winning"] = some_winning_move(report, solution.rule, *sides, share)
    return found


def check_twice(written: ParametricGame, budget: Budget) -> RulesReport:
    """Return the report on the rules ``written``; a claim is proved by two engines or not at all.

    :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated.
    """
    if (once := stepwise(written)) is not written:
        return replace(check_twice(once, budget), game=written, written=None)
    if written.has_digits:
        return _of_more_moves(check_twice(without_digits(written), budget), written)
    report = check_rules(eliminate_quantifiers(written, budget.share(0.3)), budget.share(0.8))
    report = replace(report, written=written if written.is_quantified else None)
    acts, ranking = report.movers.acts, report.bounded
    proved = [part for part in RULES if getattr(report, part).is_proved]
    if not proved:
        return report
    first = list(of_the_rules(report.game, acts, ranking))
    second = first if written == report.game else list(of_the_rules(written, acts, ranking))
    found = _all_confirmed(proved, first, second, budget)
    for part, again in found.items():
        if again.is_proved:
            found[part] = replace(getattr(report, part), by=again.by)
    if (ends := found.get("termination")) is not None:
        if ends.is_proved and report.ranking is None:
            has_end = _plays_out(written, budget)
            ends = replace(ends, by=NAMES) if has_end else Finding(Verdict.UNKNOWN, ends.why)
        elif not ends.is_proved:
            # A ranking that is refuted does not show that play goes on for ever.
            ends = Finding(Verdict.UNKNOWN, ends.why)
        found["termination"] = ends
    return report.with_findings(found)


def _plays_out(written: ParametricGame, budget: Budget) -> bool:
    """Whether play from each of few states ends, in plain Python, by the rules as written."""
    if (box := few_states(written.legal, written.variables)) is None:
        return False
    from icgsynth.prove.recheck.definition import defined_values

    with suppress(Refused, BudgetSpent):  # a cycle is refused
        return bool(defined_values(written, [*map(tuple, box.states.tolist())], budget))
    return False


def _of_more_moves(report: RulesReport, game: ParametricGame) -> RulesReport:
    """Return a report on ``game`` from that on a game with more moves; what is open stays open."""
    unknown = Finding(Verdict.UNKNOWN, "digits in the rules")
    found = dict(report.findings)
    found = {part: each if each.is_proved else unknown for part, each in found.items()}
    found["ending"] = report.ending if game.end == t.FALSE else unknown
    return replace(report.with_findings(found), game=game, cycle=None, written=None)


def proved_parts(
    game: ParametricGame, report: RulesReport, budget: Budget
) -> tuple[ParametricGame, ...]:
    """Return games whose sum ``game`` is; that it is is proved twice.

    None where it does not come apart, and where no two engines prove that it does.
    """
    from icgsynth.claims.summands import sum_obligations
    from icgsynth.game.components import components

    parts = () if game.is_quantified else components(report.game, report.ending.is_proved)
    if len(parts) < 2:
        return ()
    claims = sum_obligations(report.game, parts)
    found = confirm(((claim, claim) for claim in claims), budget)
    return parts if found.is_proved else ()


def confirm_answer(
    report: RulesReport,
    plain: Solution,
    written: Solution,
    proved: Iterable[str],
    budget: Budget,
) -> dict[str, Finding]:
    """The ``proved`` parts of a linear answer and of its rules.

    ``plain`` is without quantifiers, ``written`` the same answer to the rules as they were
    written.
    """
    parts = list(proved)
    # Where the strategy is proved, an empty one says that no move is needed.
    existence = "strategy" not in parts
    given = report.movers.acts, report.bounded, existence
    first = list(state_claims(plain, *given))
    second = first if written == plain else list(state_claims(written, *given))
    return _all_confirmed(parts, first, second, budget)


def _all_confirmed(
    parts: Iterable[str],
    plain: Sequence[Obligation],
    written: Sequence[Obligation],
    budget: Budget,
) -> dict[str, Finding]:
    """Return findings on ``parts``, their obligations paired before and after elimination."""
    # If elimination turned the declared end into ``false``, the plain list lacks the obligations
    # that rest on it: they are used as written.  If the lists differ otherwise, all are.
    has_end = any("end" in obligation.rests_on for obligation in plain)
    missing = [each for each in written if "end" in each.rests_on and not has_end]
    others = [each for each in written if has_end or "end" not in each.rests_on]
    ones = plain if len(plain) == len(others) else others
    pairs = [*zip(missing, missing, strict=True), *zip(ones, others, strict=True)]
    return {
        part: confirm([pair for pair in pairs if pair[1].part == part], budget) for part in parts
    }
