"""Make the whole answer from a proved strategy: the last stage in linear arithmetic.

The answer has both formulas, a cover, a tree, a comparison with the labels, and a second proof.

A rule of a fast-and-frugal tree fires where its condition holds *and its action applies*, so a
well-ordered list often needs no condition at all: two-pile Nim is ``take_a(a - b)``, then
``take_b(b - a)``.  An action may stand without a condition where, on the states that no earlier
rule decides, it never applies without winning.  Two searches propose trees, and the shortest that
is proved is kept: the closure over all candidates, proved already when the strategy was looked for,
and the strategy's own pairs in every order, each with its condition dropped or shortened.

A formula symmetric in variables is written with their minimum and maximum.  Of
``(b = a + 1 and a mod 2 = 0) or (a = b + 1 and b mod 2 = 0)`` the part where a <= b is
``b = a + 1 and a mod 2 = 0``; so the whole is ``abs(a - b) = 1 and min(a, b) mod 2 = 0``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, combinations, islice, permutations
from operator import itemgetter

from icgsynth.budget import Budget
from icgsynth.claims.game import cell_obligations, fires
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import (
    conjunction,
    integers,
    map_names,
    negation,
    reading,
    size,
    substitute,
    walk,
)
from icgsynth.logic.ranges import has_products
from icgsynth.logic.simplify import linear_sum, simplified
from icgsynth.prove.boxcheck import check_on_box
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import discharge
from icgsynth.synth.checked import Run, free
from icgsynth.synth.linear.conditions import refine
from icgsynth.synth.linear.formula_learner import READ, FormulaLearner
from icgsynth.synth.linear.pairs import (
    LONGEST_CONDITION,
    Attempted,
    Growth,
    cost,
    is_right,
    plain_act,
    prove_tree,
    repeat_attempts,
)
from icgsynth.synth.linear.polish import Legal, plain, say_plainly, shorter, tidy
from icgsynth.synth.linear.sample import CandidateAction, StateSample
from icgsynth.synth.linear.stages import FoundStrategy

_WORDING = 0.1  # share of the time left for the wording of formulas and conditions
_SPLIT = 24  # most conditions on which cells are split
_LONG = 12  # leaves and connectives of a formula above which other wordings are searched


def finish(plan: FoundStrategy, run: Run) -> Solution:
    """Return the whole answer made of ``plan``, a proved losing formula with the strategy that was
    found; its status is "solved" only if everything is proved twice."""
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
    """Return the claim of a short formula, proved equivalent to ``formula`` in the legal states.
    ``learner`` tells whether it is minimal; for three variables and more it also looks for formulas
    over minimum and maximum in place of long ones."""
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
    symmetric = by_symmetry(legal, say_plainly(legal, claim.formula))
    return _claim(plain(legal, symmetric, legal.part()), learner)


def _is_in_order(formula: t.Formula) -> bool:
    """Return whether a minimum or maximum of three or more terms is in ``formula``."""
    extremes = (node for node in walk(formula) if isinstance(node, t.Min | t.Max))
    return any(isinstance(node.left, t.Min | t.Max) for node in extremes)


def _word(legal: Legal, formula: t.Formula) -> t.Formula:
    return plain(legal, min((shorter(formula), formula), key=reading), legal.part())


def _claim(formula: t.Formula, learner: FormulaLearner) -> Claim:
    """Return the claim of ``formula``; minimal if ``learner`` excludes all smaller formulas."""
    formula = _in_order(formula)
    within = max(integers(formula), default=0) <= learner.constants_up_to
    minimal = within and learner.excludes(below=size(formula))
    return Claim(formula, minimal, learner.constants_up_to)


def _in_order(formula: t.Formula) -> t.Formula:
    """Return ``formula`` with operands of ``and``, ``or`` sorted by text if only names differ."""
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
    """Return ``rules`` with plainly worded conditions, without those that match in no legal state.
    With ``is_tree`` a condition matters only where the action of its rule applies."""
    worded: list[Rule] = []
    for rule in rules:
        given = (fires(legal.game, rule.act),) if is_tree else ()
        when = t.TRUE if rule.when == t.TRUE else say_plainly(legal, shorter(rule.when), given)
        worded += [Rule(when, rule.act)] * (when != t.FALSE)
    return tuple(worded)


def _cover(plan: FoundStrategy, run: Run) -> tuple[t.Formula, ...]:
    """Return formulas whose disjunction is the winning formula: conjunctions of literals, so
    narrow, if possible, that one rule of ``plan`` wins in all states of each."""
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
    # The sample chose what to split; the prover decides whether the cells are complete.
    if not split or split == cells:
        return cells
    claims = cell_obligations(goal.game, winning, split)
    return split if discharge(claims, run.budget.share(0.5)).is_proved else cells


_ROUNDS = 8  # rounds of a search, each started by a counterexample
_ORDERS = 24  # most orders of the strategy's rules that are tried


def find_tree(sample: StateSample, pairs: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """Return a proved tree: a list of rules of which the first decides whose condition holds and
    whose action applies.  It is as plain as one is found, at worst ``pairs``, which are proved."""
    goal = sample.goal
    # Rules that each win under their own condition are already a tree.
    best = tuple(pairs)
    if sample.tree is not None and cost(sample.tree) <= cost(best):
        best = sample.tree
    if goal.is_long:
        return best

    def shorter(sample: StateSample, budget: Budget) -> Attempted:
        bare = [Rule(t.TRUE, pair.act) for pair in pairs]
        orders = _orders(sample, pairs) if cost(bare) < cost(best) else ()
        tree = _plainer(sample, min((best, *orders), key=cost))
        finding = Finding(Verdict.PROVED) if tree == best else prove_tree(goal, tree, budget)
        return tree, finding, sample

    with suppress(BudgetSpent, OutOfReach):
        tree, finding, _ = repeat_attempts(sample, budget, _ROUNDS, shorter)
        if tree is not None and finding.is_proved:
            return tree
    return best


def _plainer(sample: StateSample, tree: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return ``tree`` with plainer arguments of moves, where these are right in the sample: in the
    states that a rule decides they equal the old ones, and the tree still wins."""
    # An action with a plainer term may apply in more states.  This does no harm in the last rule,
    # which sees only states left by the others; in other rules a condition may prevent it.
    growth, plain = Growth(sample, sample.domain.copy()), list(tree)
    for i, rule in enumerate(tree):
        candidate = sample.candidate(rule.act)
        here = growth.open & candidate.applies & sample.holds(rule.when)
        if rule.when != t.TRUE or rule is tree[-1]:
            plain[i] = Rule(rule.when, plain_act(sample, rule.act, here))
        growth.decide(candidate, rule.when)
    named = [(rule.when, sample.candidate(rule.act)) for rule in plain]
    return tuple(plain) if is_right(sample, named) else (*tree[:-1], *plain[-1:])


def _orders(sample: StateSample, pairs: Sequence[Rule]) -> Iterator[tuple[Rule, ...]]:
    if not sample.domain.any():
        return
    named = [(pair.when, sample.candidate(pair.act)) for pair in pairs]
    for order in islice(permutations(named), _ORDERS):
        tree = _without_conditions(sample, order)
        if tree is not None:
            yield tree


def _without_conditions(
    sample: StateSample, order: Sequence[tuple[t.Formula, CandidateAction]]
) -> tuple[Rule, ...] | None:
    """Return rules, of which the first that applies decides, from ``order``: (condition, action).
    Conditions are left out or shortened where the sample allows it, and so are rules that then win
    in no open state.  None if the rules leave a state of the sample's domain undecided."""
    growth = Growth(sample, sample.domain.copy())
    rules: list[Rule] = []
    for when, candidate in order:
        if not (candidate.wins & growth.open).any():
            continue
        if growth.is_safe(candidate):
            when = t.TRUE
        else:
            when = growth.condition(candidate, min(LONGEST_CONDITION, size(when) - 1)) or when
        rules.append(Rule(when, candidate.act))
        growth.decide(candidate, when)
    return None if growth.open.any() else tuple(rules)


def by_symmetry(legal: Legal, formula: t.Formula, ordered: tuple[t.Name, ...] = ()) -> t.Formula:
    """Return a shorter formula with minima and maxima of variables in which ``formula`` is
    symmetric, proved equivalent to it in the legal states; else ``formula``.  Two or three
    variables are taken at once, none of ``ordered``."""
    parts = [*walk(formula)]
    known = all(isinstance(part, t.And | t.Or | t.Compare | t.Name | t.Int) for part in parts)
    if known and all({*part.ops} == {"="} for part in parts if isinstance(part, t.Compare)):
        return formula
    names = [name for name in map(t.Name, legal.game.variables) if name not in ordered]
    swaps = {p for p in combinations(names, 2) if legal.are_equal(formula, _swapped(formula, *p))}
    best, chosen = formula, ordered
    for order in chain(combinations(names, 2), combinations(names, 3)):
        if swaps.issuperset(combinations(order, 2)):
            half = tidy(legal, formula, (t.Compare(order, ("<=",) * (len(order) - 1)),))
            said = _Order(legal, order).restate(half)
            if size(said) < size(best) and legal.are_equal(formula, said):
                best, chosen = said, (*ordered, *order)
    return best if best == formula else by_symmetry(legal, best, chosen)


def _swapped(formula: t.Formula, one: t.Name, other: t.Name) -> t.Formula:
    return substitute(formula, {one.name: other, other.name: one})


@dataclass(frozen=True)
class _Order:
    """Rewrites formulas for two or three symmetric variables from smallest to largest."""

    legal: Legal
    names: tuple[t.Name, ...]

    def restate(self, formula: t.Formula) -> t.Formula:
        """Return ``formula``, which is right where the symmetric variables ascend, with minima and
        maxima in their place, so that it is right for any order."""
        if all(self.legal.are_equal(formula, other) for other in self._others(formula)):
            return formula
        if isinstance(formula, t.And | t.Or):
            parts = formula.args
            whole = (p if {*parts}.issuperset(self._others(p)) else self.restate(p) for p in parts)
            return type(formula)(tuple(whole))
        ways = [shorter(simplified(substitute(formula, terms))) for terms in self._in_order()]
        return plain(self.legal, min(ways, key=size), self.legal.part())

    def _others(self, formula: t.Formula) -> Iterator[t.Formula]:
        return (_swapped(formula, *pair) for pair in combinations(self.names, 2))

    def _in_order(self) -> Iterator[Mapping[str, t.Term]]:
        """Yield dicts that give each symmetric variable its value in sorted order, as a term with
        ``min`` and ``max``: the first the minimum, the last the maximum."""
        low, *middle, high = self.names
        terms: tuple[t.Term, ...] = self.names
        least, most = reduce(t.Min, terms), reduce(t.Max, terms)
        ends = {low.name: least, high.name: most}
        if middle:
            rest = linear_sum({**dict.fromkeys(terms, 1), least: -1, most: -1})
            yield ends | {middle[0].name: rest}
        else:
            yield ends
            distance = t.Abs(linear_sum({low: 1, high: -1}))
            yield ends | {high.name: t.Sum((least, distance))}
