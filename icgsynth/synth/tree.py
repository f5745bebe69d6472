"""The fast-and-frugal tree of a strategy, minimised for order and applicability.

A rule of the tree fires where its condition holds *and its action applies*, so a
well-ordered list often needs no condition at all: two-pile Nim is ``take_a(a - b)``, then
``take_b(b - a)``.  An action may stand without a condition where, on the states that no
earlier rule decides, it never applies without winning.

Two searches propose trees, and the shortest that is proved is kept: a greedy closure over
all candidate actions (deciding states can only make more actions safe, so it finds an
unconditional tree whenever the candidates allow one), and the strategy's own pairs in every
order, each with its condition dropped or shortened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.obligations import tree_obligations
from icgsynth.strategy import Rule
from icgsynth.synth.actions import Candidate
from icgsynth.synth.bank import Target
from icgsynth.synth.literals import pack
from icgsynth.synth.pairs import Sample
from icgsynth.term import TRUE, Formula, size
from icgsynth.verify.discharge import discharge

__all__ = ["find_tree"]

_ROUNDS = 16
_LONGEST_CONDITION = 5
_POOL = 400
_ORDERS = 120  # of the strategy's pairs


def find_tree(sample: Sample, pairs: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """A proved tree: the shortest of those found, or the proved ``pairs`` themselves."""
    goal = sample.goal
    for _ in range(_ROUNDS):
        if budget.is_spent:
            break
        trees = sorted(_proposals(sample, pairs), key=_cost)
        if not trees or _cost(trees[0]) >= _cost(pairs):
            break
        obligations = tree_obligations(goal.game, goal.rule, goal.winning, goal.losing, trees[0])
        finding = discharge(obligations, budget)
        if finding.is_proved:
            return trees[0]
        state = finding.state(goal.game)
        if state is None:
            break
        grown = sample.with_state(state)
        if len(grown.states) == len(sample.states):
            break
        sample = grown
    # Pairs that each win under their own condition are a tree as they stand.
    return tuple(pairs)


def _cost(rules: Sequence[Rule]) -> int:
    return sum(4 + rule.act.size + size(rule.when) for rule in rules)


def _proposals(sample: Sample, pairs: Sequence[Rule]) -> Iterator[tuple[Rule, ...]]:
    if not sample.domain.any():
        yield ()
        return
    ranked = sorted(
        sample.candidates, key=lambda c: -int((c.wins & sample.domain).sum()) / c.weight
    )
    closed = _closure(sample, ranked[:_POOL])
    if closed is not None:
        yield closed
    vectors = {c.act: c for c in sample.candidates}
    if all(pair.act in vectors for pair in pairs):
        named = [(pair.when, vectors[pair.act]) for pair in pairs]
        for count, order in enumerate(permutations(named)):
            if count >= _ORDERS:
                break
            tree = _in_order(sample, order)
            if tree is not None:
                yield tree


@dataclass
class _Growth:
    """The states still undecided while rules are put one below the other."""

    sample: Sample
    open: NDArray[np.bool_]

    def is_safe(self, candidate: Candidate, when: NDArray[np.bool_] | None = None) -> bool:
        """It fires nowhere among the open states without winning."""
        here = candidate.applies & self.open
        if when is not None:
            here = here & when
        return not (here & ~candidate.wins).any()

    def value(self, candidate: Candidate) -> float:
        """Open states won, for each leaf of the rule."""
        return float((candidate.wins & self.open).sum()) / candidate.weight

    def condition(self, candidate: Candidate, longest: int) -> Formula | None:
        """The shortest that holds where the action wins and fails where it would go wrong."""
        here = candidate.applies & self.open
        good = here & candidate.wins
        target = Target(pack(good[None])[0], pack(~(here & ~candidate.wins)[None])[0])
        for s in range(2, longest + 1):
            found = self.sample.bank.fits(s, target, self.sample.goal.game.variables)
            if found is None:
                return None
            if found:
                return found[0]
        return None

    def decide(self, candidate: Candidate, when: Formula) -> None:
        self.open = self.open & ~(candidate.applies & self.sample.holds(when))


def _closure(sample: Sample, pool: list[Candidate]) -> tuple[Rule, ...] | None:
    """Safe actions as long as there are any, then one with a condition, and so on."""
    growth = _Growth(sample, sample.domain.copy())
    rules: list[tuple[Formula, Candidate]] = []
    while growth.open.any():
        useful = [c for c in pool if (c.applies & growth.open).any()]
        safe = [c for c in useful if growth.is_safe(c)]
        chosen: tuple[Formula, Candidate] | None = None
        if safe:
            chosen = TRUE, max(safe, key=growth.value)
        else:
            for candidate in sorted(useful, key=growth.value, reverse=True)[:6]:
                condition = growth.condition(candidate, _LONGEST_CONDITION)
                if condition is not None:
                    chosen = condition, candidate
                    break
        if chosen is None:
            return None
        rules.append(chosen)
        growth.decide(chosen[1], chosen[0])
    return tuple(Rule(when, c.act) for when, c in _pruned(sample, rules))


def _in_order(
    sample: Sample, order: Sequence[tuple[Formula, Candidate]]
) -> tuple[Rule, ...] | None:
    """The pairs in this order, without the conditions that the order makes superfluous."""
    growth = _Growth(sample, sample.domain.copy())
    rules: list[Rule] = []
    for when, candidate in order:
        if not (candidate.wins & growth.open).any():
            continue
        if growth.is_safe(candidate):
            when = TRUE
        else:
            when = growth.condition(candidate, min(_LONGEST_CONDITION, size(when) - 1)) or when
        rules.append(Rule(when, candidate.act))
        growth.decide(candidate, when)
    return None if growth.open.any() else tuple(rules)


def _pruned(
    sample: Sample, rules: list[tuple[Formula, Candidate]]
) -> list[tuple[Formula, Candidate]]:
    """Without the rules that the others can do without."""
    held = {when: sample.holds(when) for when, _ in rules}

    def is_right(kept: list[tuple[Formula, Candidate]]) -> bool:
        rest = sample.domain.copy()
        for when, candidate in kept:
            fires = rest & held[when] & candidate.applies
            if (fires & ~candidate.wins).any():
                return False
            rest &= ~fires
        return not rest.any()

    for rule in list(rules):
        fewer = [r for r in rules if r is not rule]
        if is_right(fewer):
            rules = fewer
    return rules
