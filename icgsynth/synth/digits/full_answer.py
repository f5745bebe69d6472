"""Make an answer from a proved automaton: a readable formula, a strategy, and the proof."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.labels import LOSING
from icgsynth.game.answers import Verdict
from icgsynth.game.game import PlayRule
from icgsynth.game.run_rule import RunRule
from icgsynth.game.solution import LOSING_SET, Claim, Solution
from icgsynth.game.strategy import Rule, Strategy, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import negation, walk
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.certificate import verify_answer
from icgsynth.synth.checked import CheckedRules, Run
from icgsynth.synth.digits.automatic_search import AutomaticSearch, ProvedSet
from icgsynth.synth.digits.readable import readable
from icgsynth.synth.digits.targets import whole_strategy
from icgsynth.synth.linear.formula_learner import Examples
from icgsynth.synth.linear.polish import shorter
from icgsynth.synth.linear.stages import learner_of

_FORMULA = 0.25  # share of the budget for a readable formula
_MOST_FORMULA = 10.0  # most seconds for a readable formula
_MOST_BLOCKING = 4.0  # most seconds for a formula of a blocking game, which seldom has one
_MOST_LINEAR = 3  # most formulas without digits that are compared with an automaton
_MOST_TARGETS = 12.0  # most seconds for actions with terms
_COMPARED = 40_000  # most states of the cube that the answer is compared with


def best_said(
    found: ProvedSet, search: AutomaticSearch, checked: CheckedRules, run: Run
) -> Solution:
    """Return the answer for the proved set ``found``, in another base if only there a readable
    formula is found; ``search`` can prove the set in other bases, ``checked`` are the rules."""
    first = _answer(found, checked, run)
    if is_readable(first):
        return first
    for other in search.alternatives(found, run.budget.share(0.2)):
        solution = _answer(other, checked, run)
        if solution.is_proved and is_readable(solution):
            return solution
    return first


def is_readable(solution: Solution) -> bool:
    """Return whether the losing states have a formula, and no automaton is in it."""
    losing = solution.losing
    return losing is not None and not any(isinstance(n, t.Recognised) for n in walk(losing.formula))


def _answer(found: ProvedSet, checked: CheckedRules, run: Run) -> Solution:
    """Return the whole answer for the proved set ``found``, with all claims proved once more."""
    game, losing = found.rules.game, found.losing
    with run.measure("formula"):
        formula = _formula(found, run)
    with run.measure("strategy"):
        strategy = _strategy(found, run.rule, run.budget)
    winning = Claim(negation(formula))
    solution = Solution(
        game=game,
        rule=run.rule,
        status="unknown",
        winning=winning,
        losing=Claim(formula),
        cover=_cover(formula, strategy),
        strategy=Strategy(strategy),
        logic=str(found.rules.compiler.system),
        automaton=losing.automaton(game.variables),
        ranking=checked.report.components,
        losing_states=_first(found),
        written=checked.report.written,
    )
    with run.measure("prove"):
        judged = verify_answer(checked.report, solution, run.budget)
    with run.measure("compare"):
        explicit = check_on_box(
            solution, found.cube.labels, found.cube.labelled_side - 1, _COMPARED
        )
    proof = checked.proof()
    proof |= {part: judged[part].verdict for part in ("winning", "strategy")}
    is_covered = "cover" in judged and judged["cover"].is_proved
    needed = (proof["termination"], proof["winning"], proof["strategy"])
    is_proved = all(v is Verdict.PROVED for v in needed) and not explicit.disagreements
    return replace(
        solution,
        status="solved" if is_proved else "conditional",
        cover=solution.cover if is_covered else (winning.formula,),
        proof=proof,
        explicit=explicit,
    )


def _formula(found: ProvedSet, run: Run) -> t.Formula:
    """Return the shortest readable formula of the losing states; if none is found, the formula that
    the proved automaton accepts the state."""
    game, rules = found.rules.game, found.rules
    most = _MOST_BLOCKING if game.block else _MOST_FORMULA
    share = run.budget.share(_FORMULA).within(most)
    unasked = game.block or game.has_digits
    formula = _linear(found, run, share.share(0.5)) if unasked else None
    if formula is None:
        with suppress(Refused, BudgetSpent):
            formula = readable(found.losing, rules.legal, rules.compiler, game.variables, share)
    if formula is not None:
        return formula
    automaton = found.losing.automaton(game.variables)
    return t.Recognised(automaton, tuple(map(t.Name, game.variables)), LOSING_SET)


def _linear(found: ProvedSet, run: Run, budget: Budget) -> t.Formula | None:
    """Return a formula in linear arithmetic, proved to hold in just the losing states, or None."""
    game, labels = found.rules.game, found.cube.labels
    target = labels.outcome == LOSING
    known = Examples(game.variables, labels.states[labels.known], target[labels.known])
    learner = learner_of(game, known, known, replace(run, budget=budget))
    compiler = replace(found.rules.compiler, budget=budget)
    with suppress(Refused, BudgetSpent):
        for formula in islice(learner.candidates(), _MOST_LINEAR):
            said = shorter(formula)
            if compiler.formula(said).over(game.variables) & found.rules.legal == found.losing:
                return said
    return None


def _strategy(found: ProvedSet, rule: PlayRule, budget: Budget) -> tuple[Rule | TargetRule, ...]:
    compiler = replace(found.rules.compiler, budget=budget)  # its own budget may be spent
    rules, losing = replace(found.rules, compiler=compiler), found.losing
    to_move = rules.legal - losing
    if rule == "misere":
        to_move = to_move - rules.ending()
    share = budget.share(_FORMULA).within(_MOST_TARGETS)
    runs = tuple(_repeating(rules, action, run) for action, run in found.runs.items())
    for run in found.runs.values():
        to_move = to_move - run
    return (*runs, *whole_strategy(rules, losing, to_move, share))


def _repeating(rules: Rules, action: str, run: DFA) -> RunRule:
    step = rules.step(action).action.effects
    return RunRule(t.TRUE, action, run.automaton(rules.states), step=step)


def _cover(formula: t.Formula, strategy: tuple[Rule | TargetRule, ...]) -> tuple[t.Formula, ...]:
    """Return the conditions of the rules ``strategy``; where one is an automaton, the negation of
    ``formula``, which is that of the losing states."""
    if strategy and all(isinstance(pair, Rule) for pair in strategy):
        return tuple(pair.when for pair in strategy)
    return (negation(formula),)


def _first(found: ProvedSet) -> tuple[tuple[int, ...], ...]:
    states = found.cube.labels.losing()[:12]
    return tuple(tuple(map(int, state)) for state in states)
