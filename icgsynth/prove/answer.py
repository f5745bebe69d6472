"""Is the answer right?  The obligations of a solution, discharged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.obligations.game import (
    cell_obligations,
    never_wins,
    obligation,
    strategy_obligations,
    tree_obligations,
    winning_obligations,
)
from icgsynth.game.solution import Solution, Verdict
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.discharge import PROVED, Finding, discharge
from icgsynth.prove.well_formed import RulesReport


@dataclass(frozen=True)
class AnswerReport:
    """How the parts of an answer stand."""

    winning: Finding
    strategy: Finding
    tree: Finding
    cover: Finding


def prove_winning(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Definition 3.1 but for the existence of a winning move (see :func:`some_winning_move`)."""
    finding = discharge(
        winning_obligations(report.game, rule, winning, losing, report.movers.acts), budget
    )
    if finding.verdict is Verdict.REFUTED and rule == "misere" and not report.movers.exact:
        # The witness may have a move that the movers miss: not a counterexample yet.
        return Finding(Verdict.UNKNOWN, finding.claim)
    return finding


def some_winning_move(
    report: RulesReport, rule: PlayRule, winning: t.Formula, losing: t.Formula, budget: Budget
) -> Finding:
    """Item (2) of Definition 3.1 as it stands, quantified: for answers without a strategy."""
    game, domain = report.game, _domain(report, rule, winning)
    if domain is None:
        return Finding(Verdict.UNKNOWN, "where no action applies is not known")
    hopeless = (never_wins(game, action, losing) for action in game.actions)
    claim = "a winning state has a move to a losing state"
    return discharge([obligation(game, "winning", claim, domain, *hopeless)], budget)


def _domain(report: RulesReport, rule: PlayRule, winning: t.Formula) -> t.Formula | None:
    """Where a move has to be made: under misère an ended state is won without one."""
    if rule == "normal":
        return winning
    return None if report.ended is None else conjunction((winning, negation(report.ended)))


def verify_answer(report: RulesReport, solution: Solution, budget: Budget) -> AnswerReport:
    """Everything that ``solution`` states, proved or refuted against the rules."""
    if report.game.block or not solution.is_linear:
        return _beyond(report.game, solution, budget)
    game, rule = report.game, solution.rule
    winning, losing = solution.winning_formula, solution.losing_formula
    right = prove_winning(report, rule, winning, losing, budget.share(0.5))
    strategy = Finding(Verdict.UNKNOWN, "there is no strategy")
    if solution.strategy:
        pairs = [pair for pair in solution.strategy if isinstance(pair, Rule)]
        obligations = strategy_obligations(game, rule, winning, losing, pairs)
        strategy = discharge(obligations, budget.share(0.5))
    elif _nothing_to_do(report, rule, winning, budget):
        strategy = PROVED
    if right.is_proved and not strategy.is_proved:
        right = some_winning_move(report, rule, winning, losing, budget.share(0.5))
    tree = Finding(Verdict.UNKNOWN, "there is no tree")
    if solution.tree:
        tree = discharge(
            tree_obligations(game, rule, winning, losing, solution.tree), budget.share(0.7)
        )
    cover = verify_cover(game, winning, solution.cover, budget)
    return AnswerReport(right, strategy, tree, cover)


def _beyond(game: ParametricGame, solution: Solution, budget: Budget) -> AnswerReport:
    """An answer that speaks of digits: automata judge it."""
    from icgsynth.prove.beyond import Judge

    def found(judge: Callable[[], Finding], is_stated: bool, what: str) -> Finding:
        if not is_stated:
            return Finding(Verdict.UNKNOWN, f"there is no {what}")
        try:
            return judge()
        except (Refused, BudgetSpent) as stopped:
            return Finding(Verdict.UNKNOWN, str(stopped))

    try:
        judge = Judge.of(game, solution, budget)
    except (Refused, BudgetSpent) as stopped:
        unknown = Finding(Verdict.UNKNOWN, str(stopped))
        return AnswerReport(unknown, unknown, unknown, unknown)
    return AnswerReport(
        winning=found(judge.winning, True, "formula"),
        strategy=found(judge.strategy, bool(solution.strategy) or game.block > 0, "strategy"),
        tree=found(judge.tree, bool(solution.tree), "tree"),
        cover=found(judge.cover, bool(solution.cover), "cover"),
    )


def _nothing_to_do(report: RulesReport, rule: PlayRule, winning: t.Formula, budget: Budget) -> bool:
    """Whether no winning state asks for a move."""
    domain, game = _domain(report, rule, winning), report.game
    if domain is None:
        return False
    return decide((game.legal, domain), game.variables, budget).kind == "unsat"


def verify_cover(
    game: ParametricGame, winning: t.Formula, cover: Sequence[t.Formula], budget: Budget
) -> Finding:
    """Whether the cells together are the winning formula, on legal states."""
    if not cover:
        return Finding(Verdict.UNKNOWN, "there is no cover")
    return discharge(cell_obligations(game, winning, cover), budget)
