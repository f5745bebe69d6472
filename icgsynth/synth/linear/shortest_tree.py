"""The fast-and-frugal tree of a strategy, minimised for order and applicability.

A rule of the tree fires where its condition holds *and its action applies*, so a
well-ordered list often needs no condition at all: two-pile Nim is ``take_a(a - b)``, then
``take_b(b - a)``.  An action may stand without a condition where, on the states that no
earlier rule decides, it never applies without winning.

Two searches propose trees, and the shortest that is proved is kept: the closure over all
candidates (:mod:`icgsynth.synth.linear.closure`), proved already when the strategy was looked for,
and the strategy's own pairs in every order, each with its condition dropped or shortened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, permutations

from icgsynth.budget import Budget
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.synth.linear.actions import CandidateAction
from icgsynth.synth.linear.closure import LONGEST_CONDITION, Growth, is_right
from icgsynth.synth.linear.pairs import Attempted, prove_tree, refined
from icgsynth.synth.linear.plain_arguments import cost, plain_act
from icgsynth.synth.linear.sample import StateSample

_ROUNDS = 8  # of a search that counterexamples start again
_ORDERS = 24  # of the strategy's pairs


def find_tree(sample: StateSample, pairs: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """A proved tree: the plainest of those found, or the proved ``pairs`` themselves."""
    goal = sample.goal
    # Pairs that each win under their own condition are a tree as they stand.
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
        tree, finding, _ = refined(sample, budget, _ROUNDS, shorter)
        if tree is not None and finding.is_proved:
            return tree
    return best


def _plainer(sample: StateSample, tree: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The tree with plainer terms where the states that come to a rule allow them."""
    # An action with a plainer term may apply in more states.  In the last rule that does no harm,
    # for it sees only what the others leave; in others a condition may prevent it.
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
        tree = _in_order(sample, order)
        if tree is not None:
            yield tree


def _in_order(
    sample: StateSample, order: Sequence[tuple[t.Formula, CandidateAction]]
) -> tuple[Rule, ...] | None:
    """The pairs in this order, without the conditions that the order makes superfluous."""
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
