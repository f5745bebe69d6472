"""The strategy: few semi-ground actions, and for each a short condition under which it wins.

For each promising semi-ground action, the cells (conjunctions of short literals) inside
which it wins; a cheapest cover of the winning states by such pairs of a cell and an action;
then one condition for all the cells of an action, the smallest formula between the states
that need the action and the states where it wins; then the proof, whose counterexamples
join the sample.  This splits a cell that no single action wins on where actions apply and on
atoms of the grammar, and merges cells that share an action.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.evaluate import columns
from icgsynth.game import ParametricGame, PlayRule
from icgsynth.obligations import moves_to, strategy_obligations
from icgsynth.simplify import simplified
from icgsynth.solution import Verdict
from icgsynth.strategy import Rule, SemiGroundAction
from icgsynth.synth.actions import Candidate, candidates
from icgsynth.synth.bank import Bank, Effort, Target
from icgsynth.synth.cover import Weighted, as_integer, cheapest_cover
from icgsynth.synth.disjunction import factored
from icgsynth.synth.literals import Literals, pack
from icgsynth.synth.refine import Legal, split, tidy
from icgsynth.synth.two_level import cells_inside
from icgsynth.term import Compare, Formula, Or, conjunction, integers, negation, size, walk
from icgsynth.verify.discharge import Finding, discharge

__all__ = ["Goal", "Sample", "find_pairs"]

_ROUNDS = 24
_PROMISING = 20  # actions for which cells are looked for
_CELLS_PER_STATE = 3
_LONGEST_CONDITION = 7
_ACTION = 4  # what it costs a strategy to name one action more
_EFFORT = Effort(rows=60_000, pairs=2_000_000)


@dataclass(frozen=True)
class Goal:
    """What a strategy is for: the game, the rule, and the formulas of its two sides.

    ``ended`` holds exactly where a legal state has no move.
    """

    game: ParametricGame
    rule: PlayRule
    winning: Formula
    losing: Formula
    ended: Formula

    @property
    def domain(self) -> Formula:
        """Where the strategy must move: winning states, less those won without a move."""
        if self.rule == "normal":
            return self.winning
        return conjunction((self.winning, negation(self.ended)))

    @property
    def constants_up_to(self) -> int:
        """Integers that conditions may use: those of the answer and the rules, and a little."""
        given = [c for c in integers(self.losing) | self.game.integers if c <= 60]
        return max([4, *given]) + 1


@dataclass(frozen=True)
class Sample:
    """States (n, d) that a strategy is looked for on, with what is computed over them."""

    goal: Goal
    states: NDArray[np.int64]
    budget: Budget

    def holds(self, formula: Formula) -> NDArray[np.bool_]:
        """The formula on every sample state, shape (n,)."""
        env = {v: self.states[:, i] for i, v in enumerate(self.goal.game.variables)}
        return np.array(np.broadcast_to(columns(formula, env), (len(self.states),)))

    @cached_property
    def domain(self) -> NDArray[np.bool_]:
        return self.holds(self.goal.domain)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Semi-ground actions that win somewhere; none that a simpler one always replaces."""
        return candidates(self.goal.game, self.goal.losing, self.states, self.domain)

    def wins(self, act: SemiGroundAction) -> NDArray[np.bool_]:
        """Where ``act`` applies and leads to a losing state, shape (n,)."""
        return self.holds(moves_to(self.goal.game, act, self.goal.losing))

    @cached_property
    def literals(self) -> Literals:
        return Literals(self.states, self.goal.constants_up_to, _EFFORT.rows, self.budget)

    @cached_property
    def bank(self) -> Bank:
        return Bank(self.literals, _EFFORT)

    def with_state(self, state: Sequence[int]) -> Sample:
        """One state more, and its neighbours: a sharp boundary is seen from both sides."""
        point = np.array(state, dtype=np.int64)
        unit = np.eye(len(point), dtype=np.int64)
        near = np.vstack([point[None], point + unit, point - unit])
        env = {v: near[:, i] for i, v in enumerate(self.goal.game.variables)}
        legal = np.broadcast_to(columns(self.goal.game.legal, env), (len(near),))
        states = np.unique(np.vstack([self.states, near[legal]]), axis=0)
        return Sample(self.goal, states, self.budget)


def find_pairs(sample: Sample, budget: Budget) -> tuple[tuple[Rule, ...], Finding, Sample]:
    """The strategy with its proof; the finding is unknown where none was found in the budget.

    The sample comes back with the counterexamples that the search met.
    """
    goal = sample.goal
    pairs: tuple[Rule, ...] = ()
    finding = Finding(Verdict.UNKNOWN, "no strategy was found")
    for _ in range(_ROUNDS):
        if budget.is_spent:
            break
        proposed = _propose(sample)
        if proposed is None:
            nothing = Finding(Verdict.UNKNOWN, "no semi-ground actions cover the winning states")
            return (), nothing, sample
        pairs = proposed
        obligations = strategy_obligations(goal.game, goal.rule, goal.winning, goal.losing, pairs)
        finding = discharge(obligations, budget)
        state = finding.state(goal.game)
        if state is None:
            return pairs, finding, sample
        grown = sample.with_state(state)
        if len(grown.states) == len(sample.states):
            break
        sample = grown
    return pairs, Finding(Verdict.UNKNOWN, finding.claim), sample


def _propose(sample: Sample) -> tuple[Rule, ...] | None:
    if not sample.domain.any():
        return ()
    target = as_integer(pack(sample.domain[None])[0])
    promising = _promising(sample)
    # The cells of the winning formula first; split further only where they do not suffice.
    options: list[_Option] = []
    for more in (_whole_cells, _short_cells, _long_cells):
        options += more(sample, promising)
        cover = cheapest_cover([o.weighted for o in options], target)
        if cover is not None:
            return _merged(sample, [options[i] for i in cover])
    return _weakest_preconditions(sample)


# --- a cell and an action ----------------------------------------------------------


@dataclass(frozen=True)
class _Option:
    """An action with a condition inside which it wins."""

    candidate: Candidate
    condition: Formula
    weighted: Weighted


def _whole_cells(sample: Sample, promising: Sequence[Candidate]) -> list[_Option]:
    """The winning formula, its disjuncts and its refined cells, where one action wins on all."""
    options: list[_Option] = []
    for formula in _given(sample.goal):
        holds = sample.holds(formula)
        if not holds.any():
            continue
        states = as_integer(pack(holds[None])[0])
        for candidate in promising:
            if not (holds & ~(candidate.wins & sample.domain)).any():
                price = _ACTION + candidate.act.size + size(formula)
                options.append(_Option(candidate, formula, Weighted(states, price)))
    return options


def _short_cells(sample: Sample, promising: Sequence[Candidate]) -> list[_Option]:
    return _split_cells(sample, promising, 3, 0)


def _long_cells(sample: Sample, promising: Sequence[Candidate]) -> list[_Option]:
    return _split_cells(sample, promising, 4, 3)


def _split_cells(
    sample: Sample, promising: Sequence[Candidate], largest: int, beyond: int
) -> list[_Option]:
    """Conjunctions of literals up to a size, inside which an action wins."""
    options: list[_Option] = []
    variables = sample.goal.game.variables
    ended = sample.holds(sample.goal.ended) & (sample.goal.rule == "misere")
    ended_states = as_integer(pack(ended[None])[0])
    for candidate in promising:
        sample.budget.check()
        wins = candidate.wins & sample.domain
        price = _ACTION + candidate.act.size
        # A cell may reach into the ending states: excluding them is one condition more.
        for cell in cells_inside(
            sample.literals, wins | ended, variables, _CELLS_PER_STATE, largest, beyond
        ):
            formula, states = cell.formula, cell.states
            if states & ended_states:
                formula = conjunction((formula, negation(sample.goal.ended)))
                states &= ~ended_states
            if states:
                options.append(_Option(candidate, formula, Weighted(states, price + size(formula))))
    return options


def _promising(sample: Sample) -> list[Candidate]:
    """The candidates that win most per leaf, and for each state one that wins there."""
    rows = pack(np.array([c.wins & sample.domain for c in sample.candidates]))
    sets = [as_integer(r) for r in rows]
    kept: list[int] = []
    for i, states in enumerate(sets):  # simplest first
        if not any(states & ~sets[j] == 0 for j in kept):
            kept.append(i)
    weights = [sample.candidates[i].weight for i in kept]
    ranked = sorted(range(len(kept)), key=lambda n: -sets[kept[n]].bit_count() / weights[n])
    chosen = ranked[:_PROMISING]
    covered = 0
    for n in chosen:
        covered |= sets[kept[n]]
    for n in ranked[_PROMISING:]:
        if sets[kept[n]] & ~covered:
            chosen.append(n)
            covered |= sets[kept[n]]
    return [sample.candidates[kept[n]] for n in chosen]


def _given(goal: Goal) -> list[Formula]:
    """Conditions that come for free: the domain, the winning formula and its cells."""
    given: dict[Formula, None] = {goal.winning: None, goal.domain: None}
    if isinstance(goal.winning, Or):
        given |= dict.fromkeys(goal.winning.args)
    given |= dict.fromkeys(split(goal.winning) or ())
    return list(given)


def _merged(sample: Sample, chosen: Sequence[_Option]) -> tuple[Rule, ...]:
    """One rule an action, each with the smallest condition that still leaves nothing out."""
    by_act: dict[SemiGroundAction, list[_Option]] = {}
    for option in chosen:
        by_act.setdefault(option.candidate.act, []).append(option)
    groups = sorted(by_act.values(), key=lambda g: -sum(o.weighted.states.bit_count() for o in g))
    conditions = [factored([o.condition for o in g]) for g in groups]
    holds = [sample.holds(c) for c in conditions]
    rules: list[Rule] = []
    for i, group in enumerate(groups):
        others = np.zeros(len(sample.states), bool)
        for j, vector in enumerate(holds):
            if j != i:
                others |= vector
        wins = group[0].candidate.wins & sample.domain
        needed = sample.domain & ~others
        if not needed.any():
            holds[i] = np.zeros_like(others)
            continue
        shorter = _smallest_between(sample, needed, wins, size(conditions[i]) - 1)
        if shorter is not None:
            conditions[i], holds[i] = shorter, sample.holds(shorter)
        rules.append(Rule(conditions[i], group[0].candidate.act))
    return tuple(rules)


def _smallest_between(
    sample: Sample, lower: NDArray[np.bool_], upper: NDArray[np.bool_], longest: int
) -> Formula | None:
    target = Target(pack(lower[None])[0], pack(upper[None])[0])
    for s in range(1, min(longest, _LONGEST_CONDITION) + 1):
        found = sample.bank.fits(s, target, sample.goal.game.variables)
        if found is None:
            return None
        if found:
            return min(found, key=_plainness)
    return None


def _plainness(formula: Formula) -> int:
    """Among formulas of one size ``=`` reads best, then ``!=``."""
    ops = [op for node in walk(formula) if isinstance(node, Compare) for op in node.ops]
    return sum({"=": 0, "!=": 1}.get(op, 2) for op in ops)


# --- when no short conditions suffice ----------------------------------------------


def _weakest_preconditions(sample: Sample) -> tuple[Rule, ...] | None:
    """The fewest actions that win everywhere, each under its weakest precondition."""
    pool = sample.candidates
    if not pool:
        return None
    rows = pack(np.array([c.wins & sample.domain for c in pool]))
    sets = [Weighted(as_integer(r), c.weight) for r, c in zip(rows, pool, strict=True)]
    cover = cheapest_cover(sets, as_integer(pack(sample.domain[None])[0]))
    if cover is None:
        return None
    goal = sample.goal
    rules: list[Rule] = []
    for i in cover:
        weakest = conjunction((goal.domain, moves_to(goal.game, pool[i].act, goal.losing)))
        legal = Legal(goal.game, sample.states, sample.budget)
        plain = tidy(legal, simplified(weakest))
        rules.append(Rule(plain, pool[i].act))
    return tuple(rules)
