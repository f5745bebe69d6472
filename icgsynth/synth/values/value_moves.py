"""Find rules that move to each smaller value, for a proved Grundy function, and prove them.

The target, a value smaller than that of the state, is one more variable of the state.
A rule is right if it moves to a state whose value is the target, so the search for winning
strategies applies: states with a smaller target win, states whose value is the target lose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import pick_scattered
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import base
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.grundy_box import ValueSample
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame
from icgsynth.game.grundy import GrundyAnswer
from icgsynth.game.strategy import Rule, SemiGroundAction, renamed
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, substitute, walk
from icgsynth.logic.simplify import simplified_term
from icgsynth.prove.automata.game_automata import Rules, require_natural
from icgsynth.prove.value_strategy import Moves, judge_moves
from icgsynth.prove.values import BesideHeap, unxor, xor_of
from icgsynth.synth.linear.pairs import find_pairs, prove_pairs
from icgsynth.synth.linear.sample import Goal, StateSample

_LINEAR_SECONDS = 2.0  # time for rules in linear arithmetic, which took a second at most
_DIGITS_SECONDS = 2.0  # time for rules with terms of digits, before automata of moves
_SHORT = 8  # leaves of an argument up to which no other rules are searched
_SAMPLE = 300  # states with targets from which rules are mined
_MOST = 20_000  # most states with targets from which this sample is chosen


def moves_of(
    both: BesideHeap, value: t.Term | Automaton, sample: ValueSample, target: str, budget: Budget
) -> Moves:
    """Return rules that lead to any smaller value, named ``target``, proved twice; () if not found.
    ``both`` is the game beside a Nim heap, ``value`` its Grundy function, ``sample`` has values."""
    names = {both.report.game.variables[-1]: target}
    for moves in _find(both, value, sample, budget):
        with suppress(Refused, BudgetSpent):
            if judge_moves(both, value, moves, budget.share(0.7)).verdict is Verdict.PROVED:
                return tuple(renamed(rule, names) for rule in moves)
    return ()


def _find(
    both: BesideHeap, value: t.Term | Automaton, sample: ValueSample, budget: Budget
) -> Iterable[Moves]:
    """Yield sets of rules that move to the value of the heap, readable first, each proved once."""
    if not isinstance(value, Automaton) and not any(isinstance(n, t.Digital) for n in walk(value)):
        within = budget.within(_LINEAR_SECONDS)
        with suppress(Refused, BudgetSpent):
            if found := _mine(both, value, sample, within):
                yield found
    with suppress(Refused, BudgetSpent):
        if found := _in_digits(both, value, budget):
            yield found


def moves_of_sum(found: Sequence[GrundyAnswer], values: Sequence[t.Term], target: t.Term) -> Moves:
    """Return strategy rules of a sum from those of its parts, ``found``; () if a part lacks them.
    As in Nim: where ``target`` is less than the xor of all ``values``, the value of some part is
    greater than the xor of the target and the other values, and that part moves there."""
    moves: list[Rule] = []
    for i, (own, value) in enumerate(zip(found, values, strict=True)):
        others = [term for other in (*values[:i], *values[i + 1 :]) for term in unxor(other)]
        aim = xor_of([*others, *unxor(target)])
        said = [rule for rule in own.strategy if isinstance(rule, Rule)]
        if len(said) < len(own.strategy) or (not said and value != t.Int(0)):
            return ()
        moves += [_in_sum(rule, {own.target: aim}, t.compare(aim, "<", value)) for rule in said]
    return tuple(moves)


def _in_sum(rule: Rule, aim: dict[str, t.Term], falls: t.Compare) -> Rule:
    """Return the ``rule`` of a part with the term in place of its target that ``aim`` has, and with
    the further condition ``falls``: that this term is less than the value of the part."""
    when = substitute(rule.when, aim)
    arguments = tuple((name, substitute(term, aim)) for name, term in rule.act.arguments)
    said = when.args if isinstance(when, t.And) else (when,)
    whole = when if falls in said else conjunction((falls, when))
    return Rule(whole, SemiGroundAction(rule.act.action, arguments))


# --- linear arithmetic ------------------------------------------------------------------------


def _mine(both: BesideHeap, term: t.Term, sample: ValueSample, budget: Budget) -> Moves:
    """Return linear rules that move to the value of the heap in ``both``, proved once; or ()."""
    game = _without_taking(both.report.game)
    heap = t.Name(game.variables[-1])
    smaller, there = (t.compare(heap, op, term) for op in ("<", "="))
    goal = Goal(game, "normal", smaller, there, t.FALSE)
    rows = np.argsort(np.abs(sample.states).sum(axis=1), kind="stable")
    rows = rows[np.cumsum(sample.values[rows] + 1) <= _MOST]
    count = sample.values[rows] + 1
    targets = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    states = np.column_stack([np.repeat(sample.states[rows], count, axis=0), targets])
    half = _SAMPLE // 2
    chosen = np.arange(len(states)) < half
    chosen[half + pick_scattered(len(states) - half, half)] = len(states) > half
    asked = StateSample(goal, states[chosen], budget, reserve=states[~chosen])
    by_fall = _by_fall(asked, term, budget)
    if by_fall and by_fall[0].act.size <= _SHORT:
        return by_fall
    if any(isinstance(node, t.Min | t.Max) for node in walk(term)):
        # The search is long and found rules for no such value yet; automata are quick.
        return by_fall
    pairs, finding, _ = find_pairs(asked, budget.share(0.8))
    return pairs if finding.is_proved else by_fall


def _by_fall(sample: StateSample, term: t.Term, budget: Budget) -> tuple[Rule, ...]:
    """Return one proved rule whose argument is the value ``term`` minus the target; or ()."""
    goal = sample.goal
    fall = simplified_term(t.Sum((term, t.Neg(t.Name(goal.game.variables[-1])))))
    for action in goal.game.actions:
        if len(action.parameters) != 1:
            continue
        act = SemiGroundAction(action.name, ((action.parameters[0], fall),))
        rule = Rule(goal.winning, act)
        if (sample.wins(act) | ~sample.domain).all():
            return (rule,) if prove_pairs(goal, (rule,), budget).is_proved else ()
    return ()


def _without_taking(both: ParametricGame) -> ParametricGame:
    return replace(both, actions=both.actions[:-1])


# --- digits ------------------------------------------------------------------------------------


def _in_digits(both: BesideHeap, value: t.Term | Automaton, budget: Budget) -> Moves:
    """Return rules for the game beside a heap h in ``both`` that move the game to the value h, from
    all states where h < ``value``, the game's value: all with terms of digits if these suffice,
    else all with automata.  Refused where a variable may be negative."""
    from icgsynth.synth.digits.targets import whole_strategy

    game = both.report.game
    require_natural(game, budget)
    nodes = () if isinstance(value, Automaton) else walk(value)
    spoken = {n.system for n in nodes if isinstance(n, t.Digital)}
    system = value.system if isinstance(value, Automaton) else next(iter(spoken), base(2))
    rules = Rules.of(game, system, budget)
    heap = t.Name(game.variables[-1])
    if isinstance(value, Automaton):
        there = DFA.of(replace(value, tracks=game.variables)) & rules.legal
    else:
        there = rules.states_where(t.compare(heap, "=", value))
    above = rules.steps[-1].sources(rules.steps[-1].into(there)).over(rules.states)
    alone = replace(rules, game=_without_taking(game), steps=rules.steps[:-1])
    to_move = (rules.legal - there) - above
    if spoken:
        within = budget.within(_DIGITS_SECONDS)
        said = whole_strategy(alone, there, to_move, within)
        if all(isinstance(rule, Rule) for rule in said):
            return said
    return whole_strategy(alone, there, to_move, Budget(0.0))  # automata alone
