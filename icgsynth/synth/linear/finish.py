"""The last stage in linear arithmetic: a strategy that is proved -> the whole answer.

Both formulas, the cover, the tree, the comparison with the labels, and the second proof.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from operator import itemgetter

from icgsynth.claims.game import cell_obligations, fires
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, integers, map_names, negation, reading, size, walk
from icgsynth.logic.ranges import has_products
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import discharge
from icgsynth.synth.boxes import free
from icgsynth.synth.checked import Run
from icgsynth.synth.linear.conditions import refine
from icgsynth.synth.linear.formula_learner import READ, FormulaLearner
from icgsynth.synth.linear.polish import Legal, plain, say_plainly, shorter, tidy
from icgsynth.synth.linear.shortest_tree import find_tree
from icgsynth.synth.linear.stages import FoundStrategy

_WORDING = 0.1  # of what is left, for the wording of formulas and conditions
_SPLIT = 24  # conditions on which cells are split
_LONG = 12  # leaves and connectives, from where other words are looked for


def finish(plan: FoundStrategy, run: Run) -> Solution:
    """Return the answer for ``plan``; it is called solved only where all of it is proved twice."""
    box, learner = plan.lesson.box, plan.lesson.learner
    checked = box.checked
    with run.measure("cover"):
        cover = _cover(plan, run)
        tree = _tree(plan, run)
        legal = Legal(checked.game, plan.sample.states, run.budget.share(_WORDING))
        tree = tidied(legal, tree, is_tree=True)
        pairs = tidied(legal, plan.pairs) if plan.strategy.is_proved else ()
        losing = claim_shortly(legal, plan.goal.losing, learner)
        winning = negation(losing.formula)
        if not _is_in_order(losing.formula):
            said_anew = [_word(legal, f) for f in (plan.goal.winning, winning)]
            winning = min(said_anew, key=reading)
    proof = checked.proof()
    proof |= {"winning": plan.winning.verdict, "strategy": plan.strategy.verdict}
    solution = Solution(
        game=checked.game,
        rule=run.rule,
        status="unknown",
        winning=_claim(winning, learner),
        losing=losing,
        cover=cover,
        strategy=Strategy(pairs),
        tree=Strategy(tree),
        proof=proof,
        ranking=checked.report.components,
        written=checked.report.written,
    )
    with run.measure("compare"):
        check = check_on_box(solution, box.labels, 2 * box.bound if free(box.game) else box.bound)
    notes = ("the proof and the labels disagree: please report this",) * bool(check.disagreements)
    solution = replace(solution, explicit=check, notes=notes)
    with run.measure("confirm"):
        solution = certify(solution, run.budget, Given.of(checked.report, solution)).answer
    return replace(solution, seconds=run.times())


def claim_shortly(legal: Legal, formula: t.Formula, learner: FormulaLearner) -> Claim:
    """Return the states of ``formula``, said as shortly as is possible without a search.

    Of three variables and more, what is long is looked for in terms of the least and the largest.
    """
    claim = _claim(_word(legal, formula), learner)
    if claim.minimal:
        return claim
    if size(claim.formula) > _LONG and len(learner.free) > 2:
        with suppress(BudgetSpent, OutOfReach):
            for told, other in sorted(learner.of_sorted(), key=itemgetter(0)):
                if told < size(claim.formula) and legal.are_equal(claim.formula, other):
                    return _claim(other, learner)
    if size(claim.formula) > READ:
        return claim
    from icgsynth.synth.linear.swaps import by_symmetry

    symmetric = by_symmetry(legal, say_plainly(legal, claim.formula))
    return _claim(plain(legal, symmetric, legal.part()), learner)


def _is_in_order(formula: t.Formula) -> bool:
    """Whether it speaks of the least or the largest of three and more variables."""
    extremes = (node for node in walk(formula) if isinstance(node, t.Min | t.Max))
    return any(isinstance(node.left, t.Min | t.Max) for node in extremes)


def _word(legal: Legal, formula: t.Formula) -> t.Formula:
    return plain(legal, min((shorter(formula), formula), key=reading), legal.part())


def _claim(formula: t.Formula, learner: FormulaLearner) -> Claim:
    """``minimal`` only where every shorter formula is excluded."""
    formula = _in_order(formula)
    within = max(integers(formula), default=0) <= learner.constants_up_to
    minimal = within and learner.excludes(below=size(formula))
    return Claim(formula, minimal, learner.constants_up_to)


def _in_order(formula: t.Formula) -> t.Formula:
    """``a = 0 or b = 0 or c = 0``: parts that differ in names alone, in the order of these."""
    if not isinstance(formula, t.And | t.Or):
        return formula
    parts = [_in_order(part) for part in formula.args]
    shapes = {map_names(part, lambda _: "x") for part in parts}
    return type(formula)(tuple(sorted(parts, key=str) if len(shapes) == 1 else parts))


def _tree(plan: FoundStrategy, run: Run) -> tuple[Rule, ...]:
    if not plan.strategy.is_proved:
        return ()
    with suppress(BudgetSpent, OutOfReach):
        tree = find_tree(plan.sample, plan.pairs, run.budget.share(0.5))
        return plan.pairs if has_products(rule.when for rule in tree) else tree
    return plan.pairs


def tidied(legal: Legal, rules: Iterable[Rule], is_tree: bool = False) -> tuple[Rule, ...]:
    """The rules in plain words, without those that no state meets.

    A condition of a tree is asked only where its action applies.
    """
    worded: list[Rule] = []
    for rule in rules:
        given = (fires(legal.game, rule.act),) if is_tree else ()
        when = t.TRUE if rule.when == t.TRUE else say_plainly(legal, shorter(rule.when), given)
        worded += [Rule(when, rule.act)] * (when != t.FALSE)
    return tuple(worded)


def _cover(plan: FoundStrategy, run: Run) -> tuple[t.Formula, ...]:
    """The refined cells; one that no single pair wins is split on the pairs' conditions."""
    goal, sample, pairs = plan.goal, plan.sample, plan.pairs
    winning = goal.winning
    if goal.is_long or len(pairs) > _SPLIT:
        return winning.args if isinstance(winning, t.Or) else (winning,)
    legal = Legal(goal.game, sample.states, run.budget.share(0.4))
    cells = refine(legal, winning)
    conditions = [pair.when for pair in pairs]
    if run.rule == "misere":
        conditions.append(goal.ended)
    cover: dict[t.Formula, None] = {}
    for cell in cells:
        holds = sample.holds(cell) & sample.domain
        if not pairs or any(not (holds & ~sample.wins(p.act)).any() for p in pairs):
            cover[cell] = None
            continue
        for condition in conditions:
            if legal.may_hold(cell, condition):
                cover[tidy(legal, conjunction((cell, condition)))] = None
    split = tuple(cover)
    # The sample chose what to split; whether anything was lost is for the prover to say.
    claims = cell_obligations(goal.game, winning, split)
    is_whole = bool(split) and discharge(claims, run.budget.share(0.5)).is_proved
    return split if is_whole else cells
