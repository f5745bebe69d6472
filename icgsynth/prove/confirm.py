"""No proof stands alone: each obligation is put to a second engine, as the rules state it.

The first proof searches: it eliminates quantifiers, rewrites, bounds, and asks whichever decider
is quickest.  Here each obligation of the finished answer is stated anew, from the rules as they
were written, and decided by an engine that the first did not rest on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from icgsynth.budget import Budget
from icgsynth.game.game import ParametricGame
from icgsynth.game.obligations.game import Obligation, strategy_obligations
from icgsynth.game.obligations.stated import of_the_rules, stated
from icgsynth.game.solution import Solution, Verdict
from icgsynth.logic.ranges import has_products
from icgsynth.prove.deciders.portfolio import decide, second_opinion
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.discharge import Finding, is_model
from icgsynth.prove.well_formed import RulesReport, check_rules

RULES = ("closure", "ending", "termination")
_ORDER = ("residue classes", "remainders", "isl", "z3")  # in which engines are named


@dataclass(frozen=True, slots=True)
class Confirmed:
    """How a part stands after the second opinion, and by which engines, the first one first."""

    finding: Finding
    by: tuple[str, ...] = ()


def check_twice(written: ParametricGame, budget: Budget) -> RulesReport:
    """The claims about the rules as they were written, each proved by two engines or not at all.

    :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated.
    """
    report = check_rules(eliminate_quantifiers(written, budget.share(0.3)), budget.share(0.8))
    acts, ranking = report.movers.acts, report.bounded
    proved = [part for part in RULES if getattr(report, part).is_proved]
    first = list(of_the_rules(report.game, acts, ranking))
    second = first if written == report.game else list(of_the_rules(written, acts, ranking))
    found = _all_confirmed(proved, first, second, budget)
    findings = {p: c.finding for p, c in found.items() if not c.finding.is_proved}
    if "termination" in findings:
        # A ranking that is refuted does not show that play goes on for ever.
        findings["termination"] = Finding(Verdict.UNKNOWN, findings["termination"].claim)
    by = {part: confirmed.by for part, confirmed in found.items() if confirmed.by}
    return replace(report, **findings, confirmed=by)  # type: ignore[arg-type]


def confirm_answer(
    report: RulesReport,
    plain: Solution,
    written: Solution,
    proved: Iterable[str],
    budget: Budget,
) -> dict[str, Confirmed]:
    """The ``proved`` parts of a linear answer and of its rules.

    ``plain`` is without quantifiers, ``written`` the same answer to the rules as they were
    written.
    """
    parts = list(proved)
    has_moves = "strategy" in parts
    first = _obligations(report, plain, has_moves)
    second = first if written == plain else _obligations(report, written, has_moves)
    return _all_confirmed(parts, first, second, budget)


def _obligations(
    report: RulesReport, solution: Solution, has_moves: bool
) -> list[tuple[str, Obligation]]:
    """``has_moves``: the strategy is proved; an empty one says that none is needed."""
    acts = report.movers.acts
    claims = stated(solution, acts, report.bounded, existence=not has_moves)
    listed = [(claim.part, claim.obligation) for claim in claims]
    if has_moves and not solution.strategy and solution.draws is None:
        none = strategy_obligations(solution.game, solution.rule, *solution.sides(), ())
        listed += [("strategy", obligation) for obligation in none]
    return listed


def _all_confirmed(
    parts: Iterable[str],
    plain: Sequence[tuple[str, Obligation]],
    written: Sequence[tuple[str, Obligation]],
    budget: Budget,
) -> dict[str, Confirmed]:
    """Each of ``parts``; the same obligations without quantifiers and as they were written.

    The rules as they were written say what has to be proved.  Without quantifiers an obligation
    may have gone, where an end turned out to be false: then it is read as it was written.
    """
    known, asked = _by_claim(plain), _by_claim(written)
    pairs: dict[str, list[tuple[Obligation, Obligation]]] = {part: [] for part in parts}
    for (part, claim), obligations in asked.items():
        if part in pairs:
            same = known.get((part, claim), [])
            ones = same if len(same) == len(obligations) else obligations
            pairs[part] += zip(ones, obligations, strict=True)
    return {part: _confirmed(listed, budget) for part, listed in pairs.items()}


def _by_claim(
    listed: Iterable[tuple[str, Obligation]],
) -> dict[tuple[str, str], list[Obligation]]:
    found: dict[tuple[str, str], list[Obligation]] = {}
    for part, obligation in listed:
        found.setdefault((part, obligation.claim), []).append(obligation)
    return found


def _confirmed(pairs: Iterable[tuple[Obligation, Obligation]], budget: Budget) -> Confirmed:
    """The first refutation, else the first doubt, else proved by both."""
    firsts: dict[str, None] = {}
    seconds: dict[str, None] = {}
    doubt: Finding | None = None
    for plain, written in pairs:
        first = decide(plain.parts, plain.names, budget)
        if first.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, plain.claim)
            continue
        second = second_opinion(written.parts, written.names, first.by, budget)
        if second.kind == "unknown" and plain is not written and has_products(plain.parts):
            # No engine decides quantifiers and products at once; that the quantifiers are
            # eliminated rightly is proved by two of them already.
            second = second_opinion(plain.parts, plain.names, first.by, budget)
        if is_model(written, second.model):
            return Confirmed(Finding(Verdict.REFUTED, written.claim, second.model))
        if second.kind != "unsat":
            doubt = doubt or Finding(Verdict.UNKNOWN, f"{written.claim} (nobody confirms it)")
            continue
        firsts |= dict.fromkeys(sorted(first.by, key=_ORDER.index))
        seconds |= dict.fromkeys(sorted(second.by, key=_ORDER.index))
    if doubt is not None:
        return Confirmed(doubt)
    return Confirmed(Finding(Verdict.PROVED), tuple(dict.fromkeys((*firsts, *seconds))))
