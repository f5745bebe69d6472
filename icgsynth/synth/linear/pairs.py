"""The strategy: few semi-ground actions, and for each a short condition under which it wins.

First a fast-and-frugal tree (:mod:`icgsynth.synth.linear.closure`), for it needs few conditions or
none, and its proof shows that its actions suffice.  Then conditions: cells of the winning
formula inside which one action wins, or else, for each action of the tree, the smallest
formula between the states that need the action and the states where it wins.  Counterexamples
join the sample.  Where nothing short is found, the condition is the weakest precondition, and
that the tree is proved says that these cover every winning state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

import numpy as np

from icgsynth.budget import Budget
from icgsynth.claims.game import strategy_obligations, tree_obligations
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import size
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.boxcheck import must_move
from icgsynth.prove.discharge import discharge
from icgsynth.prove.every_state import every_label, rules_everywhere
from icgsynth.synth.cover import cover_of
from icgsynth.synth.linear.closure import closure, covering
from icgsynth.synth.linear.conditions import is_weakest, narrowed, shape_rules, weakest_precondition
from icgsynth.synth.linear.plain_arguments import word_rules
from icgsynth.synth.linear.sample import Goal, StateSample
from icgsynth.synth.linear.winning_moves import WinningMoves, winning_moves

_ROUNDS = 24  # of a search that counterexamples start again
_TREES = 10  # of them with trees, before a cover is tried
_SHAPES = 8  # rounds of conditions, where weakest preconditions would do
_MOST_ACTS = 1_000  # of one action, with arguments of one kind, where states are few
_WRITTEN = 20_000  # leaves and connectives of all conditions of a strategy
_NO_ACTIONS = Finding(Verdict.UNKNOWN, "no semi-ground actions cover the winning states")

# Rules if there are any, what is proved of them, and the sample with what was learned on the way.
Attempted: TypeAlias = tuple[tuple[Rule, ...] | None, Finding, StateSample]


def find_pairs(
    sample: StateSample, budget: Budget
) -> tuple[tuple[Rule, ...], Finding, StateSample]:
    """The strategy with its proof; the finding is unknown where none was found in the budget.

    The sample comes back with the counterexamples that the search met, and with the proved
    tree if there is one.
    """
    if sample.goal.is_long:
        return _covering(sample, budget)
    tree, finding, sample = refined(sample.farther(), budget, _TREES, _tree)
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
        pairs, finding, sample = refined(sample, budget, rounds, with_conditions)
    except (BudgetSpent, OutOfReach):
        finding = Finding(Verdict.UNKNOWN, "the budget is spent")
    if is_proved and not finding.is_proved:
        return _weakest(sample, tree, budget), Finding(Verdict.PROVED), sample
    return pairs or (), finding, sample


def by_constants(goal: Goal, budget: Budget) -> tuple[tuple[Rule, ...], Finding]:
    """Moves with numbers for arguments, each where it leads to a losing state; of few states.

    With one variable, also moves to one number from wherever they lead there.  The finding is
    unknown where they are too many to write down.
    """
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
    """Numbers, ``n - 9`` and ``9 - n``, each with the rows of ``states`` where that wins."""
    for numbers, rows in _commonest(moves.values, moves.rows):
        yield [t.Int(number) for number in numbers], rows
    if len(variables) == moves.values.shape[1] == 1:
        name, here = t.Name(variables[0]), states[moves.rows]
        for (number,), rows in _commonest(moves.values - here, moves.rows):
            yield [linear_sum({name: 1}, number)], rows
        for (number,), rows in _commonest(moves.values + here, moves.rows):
            yield [t.Sum((t.Int(number), t.Neg(name)))], rows


def _commonest(keys: Ints, rows: Ints) -> Iterator[tuple[list[int], Ints]]:
    """Different ``keys`` (n, k), the commonest, each with the ``rows`` (n,) that have it."""
    found, which, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    parts = np.split(rows[np.argsort(which.ravel(), kind="stable")], np.cumsum(counts)[:-1])
    for i in np.argsort(-counts, kind="stable")[:_MOST_ACTS].tolist():
        yield found[i].tolist(), parts[i]


def refined(
    sample: StateSample,
    budget: Budget,
    rounds: int,
    attempt: Callable[[StateSample, Budget], Attempted],
) -> Attempted:
    """The last of several attempts: the counterexample to each joins the sample of the next.

    An attempt has no rules where none are right on the sample.  The finding is proved or unknown.
    """
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
    """Prove that in each winning state some rule fires, and that the first one that does wins."""
    known = rules_everywhere(goal.game, goal.rule, tree, is_tree=True)
    if known is not None:
        return known
    obligations = tree_obligations(goal.game, goal.rule, goal.winning, goal.losing, tree)
    return discharge(obligations, budget)


def prove_pairs(
    goal: Goal, pairs: Sequence[Rule], budget: Budget, right: Collection[Rule] = ()
) -> Finding:
    """Prove that each of ``pairs`` wins where it is used, and that together they cover ``winning``.

    The pairs that are ``right``, or under their weakest precondition, win by definition.
    """
    known = rules_everywhere(goal.game, goal.rule, pairs, is_tree=False)
    if known is not None:
        return known
    obligations = strategy_obligations(goal.game, goal.rule, goal.winning, goal.losing, pairs)
    rest = (
        obligation
        for i, obligation in enumerate(obligations)
        if i >= len(pairs) or not (pairs[i] in right or is_weakest(goal, pairs[i]))
    )
    return discharge(rest, budget)


def _covering(sample: StateSample, budget: Budget) -> tuple[tuple[Rule, ...], Finding, StateSample]:
    """Actions that cover the winning states, each under its weakest precondition or a part of it.

    For long formulas: to tell where an action wins takes a condition as long as the formula.
    But for plainer words one query is left to prove, that the preconditions together have every
    winning state.
    """
    pairs, finding, sample = refined(sample, budget, _ROUNDS, _cover)
    return pairs if pairs and finding.is_proved else (), finding, sample


def _cover(sample: StateSample, budget: Budget) -> Attempted:
    sample, acts = _covering_all(sample)
    if acts is None:
        return None, _NO_ACTIONS, sample
    right = narrowed(sample, acts)
    pairs = word_rules(sample, right)
    finding = prove_pairs(sample.goal, pairs, budget, right)
    return pairs, finding, sample.with_tree(pairs) if finding.is_proved else sample


def _covering_all(sample: StateSample) -> tuple[StateSample, list[SemiGroundAction] | None]:
    """Actions that cover the sample, and all the states in reserve, which join it as needed."""
    while True:
        acts = covering(sample) if sample.domain.any() else []
        if acts is None:
            return sample, None
        grown = sample.with_reserve(acts)
        if grown is sample:
            return sample, acts
        sample = grown


def _weakest(sample: StateSample, tree: Sequence[Rule], budget: Budget) -> tuple[Rule, ...]:
    """The actions of a proved tree under their weakest preconditions, in plain words if proved."""
    # Each wins where its condition holds, by definition.  In every winning state some rule of the
    # tree fires and wins, so its weakest precondition holds there: nothing is left to prove.
    acts = dict.fromkeys(rule.act for rule in tree)
    right = tuple(Rule(weakest_precondition(sample.goal, act), act) for act in acts)
    with suppress(BudgetSpent, OutOfReach):
        pairs = word_rules(sample, right)
        if prove_pairs(sample.goal, pairs, budget, right).is_proved:
            return pairs
    return right
