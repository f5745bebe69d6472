"""Find strategy rules with terms of digits: ``if a > b xor c: take_a(a - (b xor c))``.

Rules are mined from winning moves as in linear arithmetic (:mod:`icgsynth.synth.linear.sample`),
with terms of digits for the value of a variable after the move.  Actions that win most often on a
sample are proved: the states where the action applies with these arguments and leads to a loss
are an automaton, and a readable formula of this set is the condition.

For actions that take within a cone, the relation of a move has four numbers.  Only moves next to a
bound of the cone become rules: they follow a line, and an automaton reads one number and gives
another.  A few small losing states get rules of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from icgsynth.budget import Budget
from icgsynth.claims.game import moves_to
from icgsynth.digits.dfa import DFA
from icgsynth.digits.numeration import Numeration
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.steps import primed
from icgsynth.game.beside_heap import fresh, names_in
from icgsynth.game.game import ParametricGame
from icgsynth.game.strategy import Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, size
from icgsynth.logic.ranges import linear
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.cones import Cone, taken_from
from icgsynth.prove.automata.game_automata import Rules, StepRelation
from icgsynth.synth.digits.atoms import SetSample, offset
from icgsynth.synth.digits.readable import readable
from icgsynth.synth.linear.sample import CandidateAction, candidates

_MOST_RULES = 12  # most rules of a strategy that people can follow
_REACH = 3  # largest number added to a term: with larger ones far states fit by chance
_NEAR = 200  # bound of the states whose moves are mined; all states are used to compare
_WORTH = 0.05  # least share of the winning states on the sample that a rule must win
_SECONDS = 3.0  # time for one condition
_LONGEST = 20  # largest size of a condition


def target_rules(rules: Rules, losing: DFA, to_move: DFA, budget: Budget) -> tuple[Rule, ...]:
    """Return rules of which each is proved to lead into ``losing`` wherever its condition holds;
    together they may leave out some of the states ``to_move``, in which a move is wanted."""
    rules = replace(rules, compiler=replace(rules.compiler, budget=budget))
    sample = SetSample.of(to_move, rules.legal)
    found: list[tuple[Rule, int]] = []
    to_win = left = sample.inside
    worth = int(_WORTH * to_win.sum()) + 1
    try:
        guesses = _candidates(rules, losing, sample, budget)
        # Rules for few states pay only where in the end no state is left to an automaton.
        won = np.logical_or.reduce([g.wins for g in guesses])
        is_whole = not (to_win & ~won).any()
        while guesses and left.any() and len(found) < _MOST_RULES:
            best = max(guesses, key=lambda g: (int((g.wins & left).sum()), -g.act.size))
            gain = int((best.wins & left).sum())
            if gain < (1 if is_whole else worth):
                break
            guesses.remove(best)
            if (pair := _prove(rules, losing, best.act, budget)) is not None:
                found.append((pair, gain))
                left = left & ~best.wins
    except (BudgetSpent, Refused):
        pass
    return tuple(pair for pair, gain in found if gain >= worth or not left.any())


def whole_strategy(
    rules: Rules, losing: DFA, to_move: DFA, budget: Budget
) -> tuple[Rule | TargetRule, ...]:
    """Return strategy rules that lead from the states ``to_move`` into ``losing``.

    Rules with terms come first, searched within ``budget``, then for each action that is still
    needed an automaton of its moves into ``losing``; rules that save no automaton are left out.  In
    a blocking game each action has an automaton: together they name all moves into ``losing``."""
    if rules.game.block:
        if to_move.is_empty:
            return ()
        into = ((step, step.into(losing)) for step in rules.steps)
        return tuple(_aim(step, good) for step, good in into if not good.is_empty)
    pairs: tuple[Rule, ...] = ()
    if any(step.cones for step in rules.steps):
        budget = budget.within(_SECONDS)
    with suppress(Refused, BudgetSpent):
        pairs = target_rules(rules, losing, to_move, budget)
    left = to_move
    for pair in pairs:
        left = left - rules.states_where(pair.when)
    aims, rest = _automata(rules, losing, left)
    alone, rest_alone = _automata(rules, losing, to_move)
    if 0 < len(alone) == len(aims) and rest_alone == rest:
        pairs, aims = (), alone  # the pairs have saved no automaton
    return (*pairs, *aims, *cone_pairs(rules, losing, rest))


def _automata(rules: Rules, losing: DFA, left: DFA) -> tuple[tuple[TargetRule, ...], DFA]:
    """Return (rules, rest): a rule with an automaton for each action that leads from some state of
    ``left`` into ``losing``, and the states of ``left`` from which none does."""
    # Actions with cones have no automaton.
    found: list[TargetRule] = []
    for step in rules.steps:
        if step.cones:
            continue
        moves = step.into(losing)
        here = step.sources(moves).over(rules.states)
        if not (here & left).is_empty:
            found.append(_aim(step, moves))
            left = left - here
    return tuple(found), left


def _aim(step: StepRelation, moves: DFA) -> TargetRule:
    return TargetRule(t.TRUE, step.action.name, moves.automaton(_tracks(step, moves)))


def _tracks(step: StepRelation, good: DFA) -> tuple[str, ...]:
    primes = tuple(step.after.values())
    return (
        *(track for track in good.tracks if track not in primes),
        *(p for p in primes if p in good.tracks),
    )


# --- candidates ----------------------------------------------------------------------------------


def _candidates(
    rules: Rules, losing: DFA, sample: SetSample, budget: Budget
) -> list[CandidateAction]:
    """Return actions that win in ``sample``, lightest first, without one all whose wins are also
    those of a lighter one with its name."""
    game = rules.game
    states = np.stack([sample.env[name] for name in game.variables], axis=1)
    aims = list(_aims(rules))
    near = sample.inside & (states.max(axis=1) < _NEAR)
    mined = candidates(game, _say(losing), states, near, budget, aims, _REACH)
    found: list[CandidateAction] = []
    for candidate in sorted(mined, key=lambda c: (c.weight, _terms(c.act))):
        wins = candidate.wins & sample.inside
        alike = (other for other in found if other.act.action == candidate.act.action)
        if all((wins > other.wins).any() for other in alike):
            found.append(candidate)
    return found


def _terms(act: SemiGroundAction) -> int:
    return sum(not isinstance(term, t.Int) for _, term in act.arguments)


def _say(losing: DFA) -> t.Formula:
    return t.Recognised(losing.automaton(), tuple(map(t.Name, losing.tracks)))


def _aims(rules: Rules) -> Iterator[t.Formula]:
    """Yield equations to solve for moves: of a term of digits, and of a parameter or a primed
    variable (its value after the move)."""
    names = [t.Name(name) for name in rules.states]
    system = rules.compiler.system
    low_parts = [t.Digital("lowpart", (offset(x, c),), system) for x in names for c in (0, -1, 1)]
    for parameter in dict.fromkeys(p for a in rules.game.actions for p in a.parameters):
        yield from (t.compare(t.Name(parameter), "=", term) for term in low_parts)
    for name in names:
        after = t.Name(primed(name.name))
        others = [other for other in names if other != name]
        for term in (t.Int(0), *others, *_digital(name, others, system)):
            yield t.compare(after, "=", term)


def _digital(name: t.Name, others: Sequence[t.Name], system: Numeration) -> Iterator[t.Term]:
    """Yield terms like xor and shift of digits of ``others``, and of differences with ``name``."""
    if len(others) > 1:
        for modulus in (2, 3):
            yield t.Digital("nimsum", tuple(others), system, modulus)
        yield t.Digital("nimsum", (*others, t.Int(1)), system, 2)
    for other in others:
        gap = (other, t.Neg(name))
        # In Zeckendorf's system floor(n phi) = shift(n - 1) + 1.
        for term in (other, t.Sum(gap), t.Sum((*gap, t.Int(-1)))):
            yield t.Digital("shift", (term,), system)
        yield t.Digital("unshift", (other,), system)
        yield t.Digital("lowpart", (other,), system)


def _prove(rules: Rules, losing: DFA, act: SemiGroundAction, budget: Budget) -> Rule | None:
    """Return the rule to play ``act`` just where it leads into ``losing``, or None if it is
    long."""
    game = rules.game
    try:
        where = rules.states_where(moves_to(game, act, _say(losing)))
    except Refused:
        return None
    hints = tuple(_hints(game, act))
    for hint in hints:
        if rules.states_where(hint) == where:
            return Rule(hint, act)
    share = budget.within(_SECONDS)
    when = readable(where, rules.legal, rules.compiler, game.variables, share, hints, is_plain=True)
    return None if when is None or size(when) > _LONGEST else Rule(when, act)


def _hints(game: ParametricGame, act: SemiGroundAction) -> Iterator[t.Formula]:
    """Yield ``term < x`` and ``term <= x`` for a variable x set by ``act`` to a term without x."""
    for name, term in game.after(game.action(act.action), dict(act.arguments)).items():
        form = linear(term)
        if t.Name(name) not in form.factors:
            after = linear_sum(form.factors, form.constant)
            yield from (t.compare(after, op, t.Name(name)) for op in ("<", "<="))


# --- cone moves ----------------------------------------------------------------------------------


def cone_pairs(rules: Rules, losing: DFA, left: DFA) -> tuple[Rule | TargetRule, ...]:
    """Return rules for states of ``left`` whose moves take (k, l) within a cone, a region like l <
    s k + t, and lead into ``losing``."""
    found: list[Rule | TargetRule] = []
    track = fresh("d", names_in(rules.game))
    for step in rules.steps:
        if not step.cones or left.is_empty:
            continue
        sandwich = rules.sandwich(losing)
        for face, half in sandwich.steep():
            if left.is_empty or not any(face in cone.faces() for cone in step.cones):
                continue
            for along in sandwich.along(face, half, track):
                here = along.sources(left)
                if not here.is_empty:
                    aims = along.aims.automaton()
                    found.append(TargetRule(t.TRUE, step.action.name, aims, along.line))
                    left = left - here
        for target in sandwich.first():
            if left.is_empty:
                break
            when = _when(rules, step.cones, target)
            here = rules.states_where(when)
            if not (here & left).is_empty:
                found.append(Rule(when, _into(rules, step, target)))
                left = left - here
    return tuple(found)


def _when(rules: Rules, cones: tuple[Cone, ...], target: dict[str, int]) -> t.Formula:
    x, y = rules.game.variables
    aim = t.Int(target[x]), t.Int(target[y])
    return disjunction(conjunction(cone.where((t.Name(x), t.Name(y)), aim)) for cone in cones)


def _into(rules: Rules, step: StepRelation, target: dict[str, int]) -> SemiGroundAction:
    taken = {
        parameter: linear_sum({t.Name(v): 1}, -target[v])
        for parameter, v in taken_from(rules.game, step.action)
    }
    names = step.action.parameters
    return SemiGroundAction(step.action.name, tuple((p, taken[p]) for p in names))
