"""Winning moves by actions that take within a cone: pairs of a condition and where to move.

The relation of such a move has four numbers.  Only the moves next to a bound of the cone are
written down: they follow a line, and an automaton reads one number and tells another.  A few small
losing states, into which a move leads wherever it begins, get pairs of their own.
"""

from __future__ import annotations

from icgsynth.digits.dfa import DFA
from icgsynth.game.strategy import Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.cones import Cone, Face, taken_from
from icgsynth.prove.automata.game_automata import Rules, StepRelation

__all__ = ["cone_pairs"]


def cone_pairs(rules: Rules, losing: DFA, left: DFA) -> tuple[Rule | TargetRule, ...]:
    """Pairs for the states ``left``, as far as cones lead from them into ``losing``."""
    found: list[Rule | TargetRule] = []
    track = _unused(rules)
    for step in rules.steps:
        if not step.cones or left.is_empty:
            continue
        sandwich = rules.sandwich(losing)
        for face, half in sandwich.steep():
            if left.is_empty or not _belongs(step, face):
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


def _belongs(step: StepRelation, face: Face) -> bool:
    return any(face in cone.faces() for cone in step.cones)


def _unused(rules: Rules) -> str:
    """A name for the value of a line that the game has no other use for."""
    game, name = rules.game, "d"
    parameters = (p for action in game.actions for p in action.parameters)
    taken = {*game.variables, *dict(game.constants), *parameters}
    while name in taken:
        name += "_"
    return name


def _when(rules: Rules, cones: tuple[Cone, ...], target: dict[str, int]) -> t.Formula:
    """Where a move of one of the cones leads to ``target``."""
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
