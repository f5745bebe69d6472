"""Find a strategy: few semi-ground actions, each with a short condition under which it wins.

First a fast-and-frugal tree is built, for it needs few conditions or none, and its proof shows that
its actions suffice.  Deciding states can only make more actions safe, so a greedy closure finds an
unconditional tree whenever the candidates allow one.  Where no action is safe, one gets a short
condition, and if none is found its weakest precondition, which is always right.

Then conditions: cells of the winning formula on which one action wins, or, for each action
of the tree, the smallest formula between the states that need the action and the states where it
wins.  Counterexamples join the sample.  Where nothing short is found, the condition is the weakest
precondition; the proof of the tree shows that these conditions cover every winning state.

At last terms become numbers and variables where a case allows this: ``if v mod 5 = 4: take(3)`` for
``take(v mod 5 - 1)``.  The sample shows that a term has one value; the prover confirms it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.claims.game import after, strategy_obligations, tree_obligations
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size, substitute
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.ranges import has_products
from icgsynth.logic.simplify import linear_sum, simplified, simplified_term
from icgsynth.prove.boxcheck import every_label, must_move
from icgsynth.prove.certificate import prove_rules
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.conditions import (
    is_weakest,
    narrow_to_cells,
    shape_rules,
    smallest_between,
    split,
    weakest_precondition,
)
from icgsynth.synth.linear.mined import WINDOWS, WinningMoves, windows, winning_moves
from icgsynth.synth.linear.points import Base
from icgsynth.synth.linear.polish import shorter
from icgsynth.synth.linear.sample import CandidateAction, Goal, StateSample

_CELLS = 12  # most cells of one case: with more there would be more rules as well
_ROUNDS = 24  # rounds of a search, each started by a counterexample
_TREES = 10  # rounds with trees, before a cover is tried
_SHAPES = 8  # rounds of conditions, where weakest preconditions would suffice
_MOST_ACTS = 1_000  # most semi-ground actions of one action and kind, where states are few
_WRITTEN = 20_000  # most leaves and connectives of all conditions of a strategy
_NO_ACTIONS = Finding(Verdict.UNKNOWN, "no semi-ground actions cover the winning states")

# Rules or None, the finding of their proof, and the sample extended by counterexamples.
Attempted: TypeAlias = tuple[tuple[Rule, ...] | None, Finding, StateSample]
LONGEST_CONDITION = 5  # most leaves and connectives: the condition is read at the board
_TRIED = 6  # actions for which a condition is searched


@dataclass
class Growth:
    """The ``open`` states that no rule has decided yet, while a tree of rules grows."""

    sample: StateSample
    open: Flags

    def is_safe(self, candidate: CandidateAction) -> bool:
        """Return whether the action wins in every undecided sample state in which it applies."""
        return not (candidate.applies & self.open & ~candidate.wins).any()

    def condition(self, candidate: CandidateAction, longest: int) -> t.Formula | None:
        """Return a formula that holds in undecided states where the action wins, and not where it
        applies without a win; None if none of up to ``longest`` leaves and connectives is found."""
        here = candidate.applies & self.open
        good = here & candidate.wins
        return smallest_between(self.sample, good, ~(here & ~candidate.wins), longest)

    def decide(self, candidate: CandidateAction, when: t.Formula) -> None:
        self.open = self.open & ~(candidate.applies & self.sample.holds(when))


def closure(sample: StateSample) -> tuple[Rule, ...] | None:
    """Return a tree that wins in all sample states that need a move, with rules without condition
    where possible; None if the candidate actions of the sample do not win in all of them.  A tree
    is a list of rules; the first decides whose condition holds and whose action applies."""
    candidates = sample.candidates
    if not candidates:
        return None
    growth = Growth(sample, sample.domain.copy())
    wins = np.array([c.wins for c in candidates])
    misses = np.array([c.applies & ~c.wins for c in candidates])
    weights = np.array([c.weight for c in candidates], dtype=np.float64)
    rings = np.eye(WINDOWS)[windows(sample.states)]  # (states, windows)
    rules: list[tuple[t.Formula, CandidateAction]] = []
    # Each rule wins in all states that it decides, and decides at least one, so the loop ends.
    while growth.open.any():
        sample.budget.check()
        # The value of a candidate: open states won, times windows reached squared, by its weight.
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
    """Return few short actions, one of which wins in each sample state needing a move, or None."""
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
        fewer = [r for r in rules if r is not rule]  # the others may win in all its states
        if is_right(sample, fewer):
            rules = fewer
    return rules


def is_right(sample: StateSample, tree: Sequence[tuple[t.Formula, CandidateAction]]) -> bool:
    """Return whether in each sample state that needs a move some pair (condition, action) of
    ``tree`` fires, and the first one that fires wins."""
    rest = sample.domain.copy()
    for when, candidate in tree:
        fires = rest & candidate.applies & sample.holds(when)
        if (fires & ~candidate.wins).any():
            return False
        rest &= ~fires
    return not rest.any()


def find_pairs(
    sample: StateSample, budget: Budget
) -> tuple[tuple[Rule, ...], Finding, StateSample]:
    """Find a strategy; return (its rules, the finding of their proof, the extended sample).  The
    finding is unknown where no strategy was proved within ``budget``.  Counterexamples were added
    to the sample, and a proved tree if one was found."""
    if sample.goal.is_long:
        return _covering(sample, budget)
    tree, finding, sample = repeat_attempts(sample.farther(), budget, _TREES, _tree)
    if tree is None:
        return (), finding, sample
    if not finding.is_proved:
        # The tree is right on the sample only.  In a cover each action has to win just where its
        # own condition holds, whatever the other actions do, so a cover may exist all the same.
        tree, finding, sample = _covering(sample, budget)
    is_proved, acts = finding.is_proved, [rule.act for rule in tree]

    def with_conditions(sample: StateSample, budget: Budget) -> Attempted:
        pairs = word_rules(sample, shape_rules(sample, acts))
        return pairs, prove_pairs(sample.goal, pairs, budget), sample

    pairs: tuple[Rule, ...] | None = None
    try:
        rounds = _SHAPES if is_proved else _ROUNDS
        pairs, finding, sample = repeat_attempts(sample, budget, rounds, with_conditions)
    except (BudgetSpent, OutOfReach):
        finding = Finding(Verdict.UNKNOWN, "the budget is spent")
    if is_proved and not finding.is_proved:
        return _weakest(sample, tree, budget), Finding(Verdict.PROVED), sample
    return pairs or (), finding, sample


def by_constants(goal: Goal, budget: Budget) -> tuple[tuple[Rule, ...], Finding]:
    """Return (rules, the finding of their proof) for a game with few states: moves with numbers as
    arguments, or with one variable plus or minus a number, under their weakest preconditions.  The
    rules are () and the finding is unknown where the states are many, or the rules too long."""
    game, labels = goal.game, every_label(goal.game, goal.rule)
    if labels is None:
        return (), _NO_ACTIONS
    wanted = must_move(labels, goal.rule)
    won: dict[SemiGroundAction, Flags] = {}
    for action in game.actions:
        rows = np.flatnonzero(wanted)
        moves = winning_moves(game, goal.losing, action, labels.states, rows, budget)
        for terms, rows in _arguments(game.variables, labels.states, moves):
            budget.check()
            act = SemiGroundAction(action.name, tuple(zip(action.parameters, terms, strict=True)))
            won[act] = np.zeros(len(wanted), bool)
            won[act][rows] = True
    acts = list(won)
    chosen = cover_of([won[act] for act in acts], [1] * len(acts), wanted)
    if chosen is None or len(chosen) * size(goal.losing) > _WRITTEN:
        return (), _NO_ACTIONS
    rules = tuple(Rule(weakest_precondition(goal, acts[i]), acts[i]) for i in chosen)
    return rules, prove_pairs(goal, rules, budget)


def _arguments(
    variables: tuple[str, ...], states: Ints, moves: WinningMoves
) -> Iterator[tuple[list[t.Term], Ints]]:
    """Yield (terms, rows): arguments of moves, each a number n, or ``v + n`` or ``n - v`` for an
    only variable v, and the indices of the states from which these are among the ``moves``."""
    for numbers, rows in _commonest(moves.values, moves.rows):
        yield [t.Int(number) for number in numbers], rows
    if len(variables) == moves.values.shape[1] == 1:
        name, here = t.Name(variables[0]), states[moves.rows]
        for (number,), rows in _commonest(moves.values - here, moves.rows):
            yield [linear_sum({name: 1}, number)], rows
        for (number,), rows in _commonest(moves.values + here, moves.rows):
            yield [t.Sum((t.Int(number), t.Neg(name)))], rows


def _commonest(keys: Ints, rows: Ints) -> Iterator[tuple[list[int], Ints]]:
    """Yield (row of ``keys`` (n, k), those of ``rows`` (n,) that have it) for the distinct rows of
    keys, the commonest first, up to a fixed number of them."""
    found, which, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    parts = np.split(rows[np.argsort(which.ravel(), kind="stable")], np.cumsum(counts)[:-1])
    for i in np.argsort(-counts, kind="stable")[:_MOST_ACTS].tolist():
        yield found[i].tolist(), parts[i]


def repeat_attempts(
    sample: StateSample,
    budget: Budget,
    rounds: int,
    attempt: Callable[[StateSample, Budget], Attempted],
) -> Attempted:
    """Return (rules or None, finding, sample), the last of up to ``rounds`` results of ``attempt``.
    After each, a state that refutes its rules joins the sample for the next; without one it is the
    last.  None means that no rules are right in the sample.  The finding is never "refuted"."""
    rules: tuple[Rule, ...] | None = None
    finding = Finding(Verdict.UNKNOWN, "no strategy was found")
    for _ in range(rounds):
        if budget.is_spent:
            break
        rules, finding, sample = attempt(sample, budget)
        state = finding.state(sample.goal.game)
        grown = sample if state is None else sample.with_state(state)
        if grown is sample:
            break
        sample = grown
    if finding.verdict is Verdict.REFUTED:
        finding = Finding(Verdict.UNKNOWN, finding.why)
    return rules, finding, sample


def _tree(sample: StateSample, budget: Budget) -> Attempted:
    tree = closure(sample) if sample.domain.any() else ()
    if tree is None:
        return None, _NO_ACTIONS, sample
    finding = prove_tree(sample.goal, tree, budget)
    return tree, finding, sample.with_tree(tree) if finding.is_proved else sample


def prove_tree(goal: Goal, tree: Sequence[Rule], budget: Budget) -> Finding:
    """Return the finding whether in each winning state the first rule of ``tree`` wins whose
    condition holds and whose action applies."""
    claims = tree_obligations(goal.game, goal.rule, goal.winning, goal.losing, tree)
    return prove_rules(goal.game, goal.rule, tree, claims, budget, is_tree=True)


def prove_pairs(
    goal: Goal, pairs: Sequence[Rule], budget: Budget, right: Collection[Rule] = ()
) -> Finding:
    """Return the finding whether each rule of ``pairs`` wins where its condition holds, and one
    condition holds in each winning state that needs a move.  Rules in ``right``, and rules with
    their weakest precondition, win by definition."""
    obligations = strategy_obligations(goal.game, goal.rule, goal.winning, goal.losing, pairs)
    rest = (
        obligation
        for i, obligation in enumerate(obligations)
        if i >= len(pairs) or not (pairs[i] in right or is_weakest(goal, pairs[i]))
    )
    return prove_rules(goal.game, goal.rule, pairs, rest, budget)


def _covering(sample: StateSample, budget: Budget) -> tuple[tuple[Rule, ...], Finding, StateSample]:
    """Return (the rules of a proved strategy or (), the finding of its proof, the sample extended
    by counterexamples): rules for a goal with a long losing formula."""
    # This is for long formulas: a condition where an action wins is as long as the formula. Apart
    # from plainer wordings, one query is left to prove: the preconditions cover every winning
    # state.
    pairs, finding, sample = repeat_attempts(sample, budget, _ROUNDS, _cover)
    return pairs if pairs and finding.is_proved else (), finding, sample


def _cover(sample: StateSample, budget: Budget) -> Attempted:
    sample, acts = _covering_all(sample)
    if acts is None:
        return None, _NO_ACTIONS, sample
    right = narrow_to_cells(sample, acts)
    pairs = word_rules(sample, right)
    finding = prove_pairs(sample.goal, pairs, budget, right)
    return pairs, finding, sample.with_tree(pairs) if finding.is_proved else sample


def _covering_all(sample: StateSample) -> tuple[StateSample, list[SemiGroundAction] | None]:
    """Return (sample, actions): actions one of which wins in each state of sample and reserve that
    needs a move, and the sample with some reserve states added; None for actions if none do."""
    while True:
        acts = covering(sample) if sample.domain.any() else []
        if acts is None:
            return sample, None
        grown = sample.with_reserve(acts)
        if grown is sample:
            return sample, acts
        sample = grown


def _weakest(sample: StateSample, tree: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """Return the actions of ``tree``, a proved tree, each with its weakest precondition as
    condition, which is worded more plainly if that is proved to be right."""
    # Each wins where its condition holds, by definition.  In every winning state some rule of the
    # tree fires and wins, so its weakest precondition holds: only plainer wordings need a proof.
    acts = dict.fromkeys(rule.act for rule in tree)
    right = tuple(Rule(weakest_precondition(sample.goal, act), act) for act in acts)
    with suppress(BudgetSpent, OutOfReach):
        pairs = word_rules(sample, right)
        if prove_pairs(sample.goal, pairs, budget, right).is_proved:
            return pairs
    return right


def cost(rules: Sequence[Rule]) -> tuple[int, int, int]:
    """Return a key to sort strategies by: (number of rules, leaves of conditions and of distinct
    arguments, number of arguments that are no integers)."""
    terms = [
        part for rule in rules for _, part in rule.act.arguments if not isinstance(part, t.Int)
    ]
    reckoned = sum(1 + size(term) for term in set(terms))
    conditions = sum(size(rule.when) for rule in rules if rule.when != t.TRUE)
    return len(rules), conditions + reckoned, len(terms)


def word_rules(sample: StateSample, pairs: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return ``pairs`` with plainer arguments of moves, equal to the old ones in the sample states
    where the condition holds; rules of one action are joined."""
    plain: list[Rule] = []
    for pair in pairs:
        here = sample.holds(conjunction((sample.goal.game.legal, pair.when)))
        act = plain_act(sample, pair.act, here)
        plain.append(Rule(_plain_case(sample.goal, pair, act), act))
    return _in_numbers(sample, _joined(plain))


def plain_act(sample: StateSample, act: SemiGroundAction, here: Flags) -> SemiGroundAction:
    """Return ``act`` with plainer arguments, of equal value in the sample states ``here`` (n,)."""
    names, states = sample.goal.game.variables, sample.states[here]
    terms = (
        (name, min(_alike(term, names, states), key=size, default=term))
        for name, term in act.arguments
    )
    return replace(act, arguments=tuple(terms))


def _alike(term: t.Term, variables: Sequence[str], states: Ints) -> Iterator[t.Term]:
    """Yield shorter terms, or a number, that equal ``term`` in all of ``states`` (n, d)."""
    if not len(states):
        return
    fixed = {
        v: t.Int(int(c[0])) for v, c in zip(variables, states.T, strict=True) if np.ptp(c) == 0
    }
    found = [simplified_term(substitute(term, fixed))]
    values = on_states(term, variables, states)
    for base in (Base(t.Int(0)), *(Base(t.Name(v)) for v in variables)):
        offsets = values - on_states(base.term, variables, states)
        if np.ptp(offsets) == 0:
            found.append(base.at(int(offsets[0])))
    for plain in found:
        if size(plain) < size(term) or (isinstance(plain, t.Int) and plain != term):
            yield plain


def _plain_case(goal: Goal, pair: Rule, act: SemiGroundAction) -> t.Formula:
    """Return a short wording of the condition of ``pair``; if this is its weakest precondition, the
    shorter one of it and of that of ``act``, which has plainer arguments."""
    if not is_weakest(goal, pair):
        return shorter(pair.when)
    return min(pair.when, weakest_precondition(goal, act), key=size)


def _in_numbers(sample: StateSample, rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """Return ``rules`` with conditions split into cases whose moves have numbers for arguments, and
    rules of one action joined, as long as that lowers the cost."""
    parts = {rule: _by_cell(sample, rule) for rule in rules}
    tried = (_joined([q for r in rules for q in (parts[r] if r is p else (r,))]) for p in rules)
    best = min((rules, *tried), key=cost)
    return rules if best == rules else _in_numbers(sample, best)


def _by_cell(sample: StateSample, rule: Rule) -> list[Rule]:
    cells, game = split(rule.when), sample.goal.game
    in_numbers = all(isinstance(term, t.Int) for _, term in rule.act.arguments)
    if cells is None or len(cells) > _CELLS or in_numbers:
        return [rule]
    parts: list[Rule] = []
    for cell in cells:
        here = sample.holds(conjunction((game.legal, cell)))
        parts.append(Rule(cell, plain_act(sample, rule.act, here)))
    return parts


def _joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return one rule for each action of ``rules``, with the disjunction of their conditions."""
    cases: dict[SemiGroundAction, list[t.Formula]] = {}
    for rule in rules:
        cases.setdefault(rule.act, []).append(rule.when)
    whole = {act: c[0] if len(c) == 1 else shorter(disjunction(c)) for act, c in cases.items()}
    return tuple(Rule(when, act) for act, when in whole.items())
