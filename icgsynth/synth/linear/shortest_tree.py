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
from itertools import islice, permutations

from icgsynth.budget import Budget
from icgsynth.game.obligations import tree_obligations
from icgsynth.game.strategy import Rule
from icgsynth.logic.term import TRUE, Formula, size
from icgsynth.prove.discharge import discharge
from icgsynth.synth.linear.actions import CandidateAction
from icgsynth.synth.linear.closure import LONGEST_CONDITION, Growth
from icgsynth.synth.linear.sample import StateSample

__all__ = ["find_tree"]

_ROUNDS = 8  # of a search that counterexamples start again
_ORDERS = 24  # of the strategy's pairs


def find_tree(sample: StateSample, pairs: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """A proved tree: the shortest of those found, or the proved ``pairs`` themselves."""
    goal = sample.goal
    # Pairs that each win under their own condition are a tree as they stand.
    best = tuple(pairs)
    if sample.tree is not None and _cost(sample.tree) <= _cost(best):
        best = sample.tree
    if goal.is_long:
        return best
    for _ in range(_ROUNDS):
        if budget.is_spent or not _can_shrink(best, pairs):
            break
        tree = min(_orders(sample, pairs), key=_cost, default=best)
        if _cost(tree) >= _cost(best):
            break
        obligations = tree_obligations(goal.game, goal.rule, goal.winning, goal.losing, tree)
        finding = discharge(obligations, budget)
        if finding.is_proved:
            return tree
        state = finding.state(goal.game)
        grown = sample if state is None else sample.with_state(state)
        if grown is sample:
            break
        sample = grown
    return best


def _cost(rules: Sequence[Rule]) -> int:
    return sum(4 + rule.act.size + size(rule.when) for rule in rules)


def _can_shrink(best: Sequence[Rule], pairs: Sequence[Rule]) -> bool:
    """Whether the pairs without any condition would be shorter than ``best``."""
    return _cost([Rule(TRUE, pair.act) for pair in pairs]) < _cost(best)


def _orders(sample: StateSample, pairs: Sequence[Rule]) -> Iterator[tuple[Rule, ...]]:
    vectors = {c.act: c for c in sample.candidates}
    if not sample.domain.any() or any(pair.act not in vectors for pair in pairs):
        return
    named = [(pair.when, vectors[pair.act]) for pair in pairs]
    for order in islice(permutations(named), _ORDERS):
        tree = _in_order(sample, order)
        if tree is not None:
            yield tree


def _in_order(
    sample: StateSample, order: Sequence[tuple[Formula, CandidateAction]]
) -> tuple[Rule, ...] | None:
    """The pairs in this order, without the conditions that the order makes superfluous."""
    growth = Growth(sample, sample.domain.copy())
    rules: list[Rule] = []
    for when, candidate in order:
        if not (candidate.wins & growth.open).any():
            continue
        if growth.is_safe(candidate):
            when = TRUE
        else:
            when = growth.condition(candidate, min(LONGEST_CONDITION, size(when) - 1)) or when
        rules.append(Rule(when, candidate.act))
        growth.decide(candidate, when)
    return None if growth.open.any() else tuple(rules)
