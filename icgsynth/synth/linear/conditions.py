"""Conditions for semi-ground actions: short ones on a sample, or weakest preconditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icgsynth.game.obligations import moves_to
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.bits import pack
from icgsynth.logic.build import conjunction, disjunction, negation, size
from icgsynth.logic.comparisons import SWAPPED
from icgsynth.logic.simplify import simplified
from icgsynth.synth.linear.actions import CandidateAction
from icgsynth.synth.linear.cover import Weighted, as_integer, cheapest_cover
from icgsynth.synth.linear.disjunction import factored
from icgsynth.synth.linear.refine import split
from icgsynth.synth.linear.sample import Goal, StateSample
from icgsynth.synth.linear.short import smallest_between
from icgsynth.synth.linear.two_level import cells_inside

__all__ = ["is_weakest", "narrowed", "shaped", "weakest_precondition"]

_LONGEST_CONDITION = 7  # leaves and connectives of a condition that is searched for
_ACTION = 4  # what it costs a strategy to name one action more
_WHOLE_CELLS = 64  # cells of the winning formula that are looked at
_PER_CELL = 3  # actions that win on all of a cell, the lightest
_CELLS_PER_STATE = 3  # few, as cells are asked for once an action

Flags = NDArray[np.bool_]


def weakest_precondition(goal: Goal, act: SemiGroundAction) -> t.Formula:
    """Where ``act`` applies and leads to a losing state.

    Such a state is winning, and has not ended; that need not be said.
    """
    given = set(_links(simplified(goal.game.legal)))
    parts = _links(simplified(moves_to(goal.game, act, goal.losing)))
    return conjunction(p for p in parts if p not in given)


def narrowed(sample: StateSample, acts: Sequence[SemiGroundAction]) -> tuple[Rule, ...]:
    """The ``acts``, each where it leads into one of a few cells of the losing formula.

    The cells are so many that the sample is covered.  A condition is at most the weakest
    precondition, so its action wins there by definition.  Only where several parameters are
    chosen at once; elsewhere the conditions are the weakest preconditions.
    """
    goal, losing = sample.goal, sample.goal.losing
    if not sample.is_aiming or not isinstance(losing, t.Or):
        return tuple(Rule(weakest_precondition(goal, act), act) for act in acts)
    into: list[tuple[int, t.Formula]] = [
        (i, cell) for cell in losing.args for i in range(len(acts))
    ]
    wins = np.array([sample.holds(moves_to(goal.game, acts[i], cell)) for i, cell in into])
    rest = sample.domain & wins.any(axis=0)
    kept: dict[int, list[t.Formula]] = {}
    while rest.any():
        best = int((wins & rest).sum(axis=1).argmax())
        act, cell = into[best]
        kept.setdefault(act, []).append(cell)
        rest = rest & ~wins[best]
    return tuple(
        Rule(weakest_precondition(replace(goal, losing=disjunction(cells)), acts[i]), acts[i])
        for i, cells in kept.items()
    )


def _links(formula: t.Formula) -> list[t.Formula]:
    """The conjuncts, chains of comparisons taken apart, a number never on the left."""
    if isinstance(formula, t.And):
        return [link for part in formula.args for link in _links(part)]
    if not isinstance(formula, t.Compare):
        return [formula]
    pairs = zip(formula.terms, formula.ops, formula.terms[1:], strict=False)
    links = [t.Compare((x, y), (op,)) for x, op, y in pairs]
    plain = [simplified(_turned(link)) for link in links]
    return [p for p in plain if p != t.TRUE]


def _turned(link: t.Compare) -> t.Compare:
    (left, right), (op,) = link.terms, link.ops
    if not isinstance(left, t.Int):
        return link
    return t.Compare((right, left), (SWAPPED[op],))


def is_weakest(goal: Goal, rule: Rule) -> bool:
    """Whether the condition is the weakest precondition, as it is written here."""
    # Short ones are told apart without computing anything.
    return size(rule.when) > _LONGEST_CONDITION and rule.when == weakest_precondition(
        goal, rule.act
    )


def shaped(sample: StateSample, acts: Sequence[SemiGroundAction]) -> tuple[Rule, ...]:
    """Pairs that are right on the sample, for ``acts`` that can win everywhere on it.

    Other actions are taken where each wins on a whole cell of the winning formula.
    """
    if not sample.domain.any():
        return ()
    options = _whole_cells(sample)
    target = as_integer(pack(sample.domain[None])[0])
    cover = cheapest_cover([o.weighted for o in options], target)
    if cover is not None:
        return _merged(sample, [options[i] for i in cover])
    known = {c.act: c for c in sample.candidates}
    chosen = [known[act] for act in dict.fromkeys(acts) if act in known]
    return _conditioned(sample, chosen)


# --- whole cells -------------------------------------------------------------------


@dataclass(frozen=True)
class _Option:
    """An action with a condition inside which it wins."""

    candidate: CandidateAction
    condition: t.Formula
    weighted: Weighted


def _whole_cells(sample: StateSample) -> list[_Option]:
    """The winning formula, its disjuncts and its refined cells, where one action wins on all."""
    options: list[_Option] = []
    candidates = sample.candidates  # the lightest first
    if not candidates:
        return options
    wins = np.array([c.wins for c in candidates]) & sample.domain
    for formula in _given(sample.goal)[:_WHOLE_CELLS]:
        holds = sample.holds(formula)
        if not holds.any():
            continue
        states = as_integer(pack(holds[None])[0])
        for i in np.flatnonzero(wins[:, holds].all(axis=1))[:_PER_CELL]:
            price = _ACTION + candidates[i].act.size + size(formula)
            options.append(_Option(candidates[i], formula, Weighted(states, price)))
    return options


def _given(goal: Goal) -> list[t.Formula]:
    """Conditions that come for free: the domain, the winning formula and its cells."""
    given: dict[t.Formula, None] = {goal.winning: None, goal.domain: None}
    if isinstance(goal.winning, t.Or):
        given |= dict.fromkeys(goal.winning.args)
    given |= dict.fromkeys(split(goal.winning) or ())
    return list(given)


def _merged(sample: StateSample, chosen: Sequence[_Option]) -> tuple[Rule, ...]:
    """One rule an action, each with the smallest condition that still leaves nothing out."""
    by_act: dict[SemiGroundAction, list[_Option]] = {}
    for option in chosen:
        by_act.setdefault(option.candidate.act, []).append(option)
    groups = sorted(by_act.values(), key=lambda g: -sum(o.weighted.states.bit_count() for o in g))
    conditions = [factored([o.condition for o in g]) for g in groups]
    holds = [sample.holds(c) for c in conditions]
    rules: list[Rule] = []
    for i, group in enumerate(groups):
        needed = _needed(sample, holds, i)
        if not needed.any():
            holds[i] = np.zeros_like(needed)
            continue
        wins = group[0].candidate.wins & sample.domain
        shorter = smallest_between(
            sample, needed, wins, min(_LONGEST_CONDITION, size(conditions[i]) - 1)
        )
        if shorter is not None:
            conditions[i], holds[i] = shorter, sample.holds(shorter)
        rules.append(Rule(conditions[i], group[0].candidate.act))
    return tuple(rules)


def _needed(sample: StateSample, holds: Sequence[Flags], i: int) -> Flags:
    """The states that no condition but number ``i`` takes care of."""
    others = np.zeros(len(sample.states), bool)
    for j, vector in enumerate(holds):
        if j != i:
            others |= vector
    return sample.domain & ~others


# --- conditions for given actions ----------------------------------------------------


def _conditioned(sample: StateSample, chosen: Sequence[CandidateAction]) -> tuple[Rule, ...]:
    """Each action's weakest precondition, replaced by something short where there is such."""
    holds = [c.wins & sample.domain for c in chosen]
    # An action is left out if the others win all of its states as well.  Those that win in few
    # states are asked first.
    for i in sorted(range(len(chosen)), key=lambda i: int(holds[i].sum())):
        if not _needed(sample, holds, i).any():
            holds[i] = np.zeros_like(holds[i])
    rules: list[Rule] = []
    for i, candidate in enumerate(chosen):
        needed = _needed(sample, holds, i)
        if not needed.any():
            holds[i] = np.zeros_like(needed)
            continue
        condition = _short(sample, candidate, needed)
        if condition is None:
            condition = weakest_precondition(sample.goal, candidate.act)
        else:
            holds[i] = sample.holds(condition)
        rules.append(Rule(condition, candidate.act))
    return tuple(rules)


def _short(sample: StateSample, candidate: CandidateAction, needed: Flags) -> t.Formula | None:
    """A formula between the needed and the won states, shorter than the weakest precondition."""
    wins = candidate.wins & sample.domain
    found = smallest_between(sample, needed, wins, _LONGEST_CONDITION)
    if found is not None:
        return found
    weakest = weakest_precondition(sample.goal, candidate.act)
    options = [o for o in (_pruned(sample, weakest, wins), _cells(sample, wins, needed)) if o]
    return min(options, key=size, default=None)


def _pruned(sample: StateSample, weakest: t.Formula, wins: Flags) -> t.Formula | None:
    """The weakest precondition without the conjuncts that the others imply on the sample."""
    parts = list(weakest.args) if isinstance(weakest, t.And) else [weakest]
    vectors = [sample.holds(p) for p in parts]
    kept = list(range(len(parts)))
    for i in sorted(kept, key=lambda i: -size(parts[i])):
        rest = [j for j in kept if j != i]
        if rest and not (np.logical_and.reduce([vectors[j] for j in rest]) & ~wins).any():
            kept = rest
    return conjunction(parts[i] for i in kept) if len(kept) < len(parts) else None


def _cells(sample: StateSample, wins: Flags, needed: Flags) -> t.Formula | None:
    """A cheapest disjunction of cells inside the won states that has all the needed ones."""
    goal = sample.goal
    ended = sample.holds(goal.ended) & (goal.rule == "misere")
    cells = cells_inside(sample.literals, wins | ended, goal.game.variables, _CELLS_PER_STATE, 3, 0)
    target = as_integer(pack(needed[None])[0])
    cover = cheapest_cover([Weighted(c.states, c.weight) for c in cells], target)
    if cover is None:
        return None
    found = factored([cells[i].formula for i in cover])
    # A cell may reach into the ending states: excluding them is one condition more.
    if (sample.holds(found) & ended).any():
        found = conjunction((found, negation(goal.ended)))
    return found
