"""A fast-and-frugal tree grown on a sample, rule by rule.

Deciding states can only make more actions safe, so a greedy closure finds an unconditional
tree whenever the candidates allow one.  Where no action is safe, one gets a short condition,
and where none is found the weakest precondition, which is always right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from icgsynth.claims.game import after
from icgsynth.digits.arrays import Flags
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.ranges import has_products
from icgsynth.logic.simplify import simplified
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.actions import CandidateAction
from icgsynth.synth.linear.conditions import smallest_between
from icgsynth.synth.linear.mined import WINDOWS, windows
from icgsynth.synth.linear.sample import StateSample

LONGEST_CONDITION = 5  # leaves and connectives: the condition is read at the board
_TRIED = 6  # actions for which a condition is looked for


@dataclass
class Growth:
    """The states still undecided while rules are put one below the other."""

    sample: StateSample
    open: Flags

    def is_safe(self, candidate: CandidateAction) -> bool:
        """It fires nowhere among the open states without winning."""
        return not (candidate.applies & self.open & ~candidate.wins).any()

    def condition(self, candidate: CandidateAction, longest: int) -> t.Formula | None:
        """Return the shortest formula that holds where the action wins, and not where it loses."""
        here = candidate.applies & self.open
        good = here & candidate.wins
        return smallest_between(self.sample, good, ~(here & ~candidate.wins), longest)

    def decide(self, candidate: CandidateAction, when: t.Formula) -> None:
        self.open = self.open & ~(candidate.applies & self.sample.holds(when))


def closure(sample: StateSample) -> tuple[Rule, ...] | None:
    """Return a tree: safe actions as long as there are any, then one with a condition, and so on.

    None where the candidates leave a state unwon.
    """
    candidates = sample.candidates
    if not candidates:
        return None
    growth = Growth(sample, sample.domain.copy())
    wins = np.array([c.wins for c in candidates])
    misses = np.array([c.applies & ~c.wins for c in candidates])
    weights = np.array([c.weight for c in candidates], dtype=np.float64)
    rings = np.eye(WINDOWS)[windows(sample.states)]  # (states, windows)
    rules: list[tuple[t.Formula, CandidateAction]] = []
    # Each rule wins in all states that it decides, and decides at least one: the loop ends.
    while growth.open.any():
        sample.budget.check()
        # For each candidate the open states won times windows reached squared, a leaf.
        counts = (wins & growth.open) @ rings
        values = counts.sum(axis=1) * (counts > 0).sum(axis=1) ** 2 / weights
        safe = np.where((misses & growth.open).any(axis=1), 0, values)
        if safe.max() > 0:
            chosen: tuple[t.Formula, CandidateAction] | None = (
                t.TRUE,
                candidates[int(safe.argmax())],
            )
        else:
            chosen = _conditional(growth, [candidates[i] for i in _best(values)])
        if chosen is None:
            return None
        rules.append(chosen)
        growth.decide(chosen[1], chosen[0])
    return tuple(Rule(when, c.act) for when, c in _pruned(sample, rules))


def covering(sample: StateSample) -> list[SemiGroundAction] | None:
    """Few short actions such that each state of the domain is won by one; None without."""
    found = sample.candidates
    chosen = cover_of([c.wins for c in found], [c.weight for c in found], sample.domain)
    return None if chosen is None else [found[i].act for i in chosen]


def _best(values: NDArray[np.float64]) -> Iterator[int]:
    order = np.argsort(-values, kind="stable")
    return (int(i) for i in order[:_TRIED] if values[i] > 0)


def _conditional(
    growth: Growth, best: Sequence[CandidateAction]
) -> tuple[t.Formula, CandidateAction] | None:
    for candidate in best:
        condition = growth.condition(candidate, LONGEST_CONDITION)
        if condition is not None:
            return condition, candidate
    goal = growth.sample.goal
    aims = ((simplified(after(goal.game, goal.losing, each.act)), each) for each in best)
    return next((aim for aim in aims if not has_products(aim[:1])), None)  # as in no answer


def _pruned(
    sample: StateSample, rules: list[tuple[t.Formula, CandidateAction]]
) -> list[tuple[t.Formula, CandidateAction]]:
    for rule in list(rules):
        fewer = [r for r in rules if r is not rule]  # others may win in all of its states
        if is_right(sample, fewer):
            rules = fewer
    return rules


def is_right(sample: StateSample, tree: Sequence[tuple[t.Formula, CandidateAction]]) -> bool:
    """Whether in each state of the domain some rule fires, and the first that does wins."""
    rest = sample.domain.copy()
    for when, candidate in tree:
        fires = rest & candidate.applies & sample.holds(when)
        if (fires & ~candidate.wins).any():
            return False
        rest &= ~fires
    return not rest.any()
