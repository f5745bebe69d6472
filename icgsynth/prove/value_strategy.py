"""Proofs that rules lead to each smaller value, as a winning strategy beside a Nim heap.

Where the heap is smaller than the value of the game, a move of the game wins beside it if it leads
to a state whose value is the heap.  So rules for smaller values are a strategy of the sum, with one
rule more: where the heap is larger, taking from it wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from icgsynth.budget import Budget
from icgsynth.claims.game import strategy_obligations
from icgsynth.digits.automaton import Automaton
from icgsynth.digits.dfa import DFA
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import FarCheck, Finding, Verdict
from icgsynth.game.beside_heap import aiming
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import PRIME, Rule, SemiGroundAction, Strategy, TargetRule, renamed
from icgsynth.game.value_forms import ExponentValue, SumValue, Value, WindowValue, power_of
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, conjuncts, free_names, replaced, walk
from icgsynth.prove.automata.game_automata import Rules
from icgsynth.prove.beyond import judge
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import discharge
from icgsynth.prove.values import BesideHeap, in_digits, judge_value, proved_parts, unxor, xor_of
from icgsynth.prove.well_formed import check_twice

_LINEAR = 4.0  # seconds for engines of linear arithmetic, before automata are asked
_FAR = 1_000  # far states that moves are checked at; the value is checked at more

Moves: TypeAlias = tuple[Rule | TargetRule, ...]
"""Rules that say how to move to a smaller value; read first match."""


def both_judged(game: ParametricGame, value: Value, moves: Moves, budget: Budget) -> Finding:
    """Return the finding whether ``value`` is the Grundy function of ``game``; if it is proved, and
    ``moves`` are not proved to reach each smaller value, the finding on ``moves``."""
    judged = judge_value(game, value, budget)
    if not judged.is_proved or not moves:
        return judged
    of_moves = judge_strategy(game, value, moves, budget)
    if of_moves.is_proved:
        return judged
    return replace(of_moves, why=f"the value is proved, and not the strategy: {of_moves.why}")


def judge_strategy(game: ParametricGame, value: Value, moves: Moves, budget: Budget) -> Finding:
    """Return the finding whether ``moves`` lead to each value smaller than ``value``.

    In ``moves`` the value to reach is the variable that ``aiming`` adds to ``game``; ``value`` is
    its Grundy function, proved before.  In a sum of games the rules of each part are judged alone
    if they name no other.  Raises as :func:`~icgsynth.prove.well_formed.check_twice` does."""
    if isinstance(value, ExponentValue | SumValue | WindowValue) or power_of(value):
        return Finding(Verdict.UNKNOWN, "rules for such a value cannot be judged")
    target = aiming(game).variables[-1]
    if not isinstance(value, Automaton):
        judged = _judge_parts(game, value, moves, target, budget.share(0.5))
        if judged is not None and (judged.is_proved or judged.is_contradicted):
            return judged
    both = BesideHeap.of(game, budget.share(0.3))
    return judge_moves(both, value, beside(both, moves, target), budget)


def beside(both: BesideHeap, moves: Moves, target: str) -> Moves:
    """Return ``moves`` with the variable ``target``, the value to reach, renamed to the heap, the
    last variable of the game in ``both``."""
    names = {target: both.report.game.variables[-1]}
    return tuple(renamed(rule, names) for rule in moves)


def far_with(
    both: BesideHeap, value: t.Term, moves: Moves, target: str, budget: Budget
) -> FarCheck:
    """Return at how many states, of all sizes, ``value`` or ``moves`` are wrong; this is no proof.
    ``both`` is the game beside a Nim heap; ``target`` is in ``moves`` the value to reach."""
    taking = (_taking(both, value, budget),) if moves else ()
    return both.far(value, budget, (*taking, *beside(both, moves, target)))


def judge_moves(
    both: BesideHeap, value: t.Term | Automaton, moves: Moves, budget: Budget
) -> Finding:
    """Return the finding whether ``moves`` lead to each value below ``value``, the Grundy function.

    ``both`` is the game beside a Nim heap, whose size is in ``moves`` the value to reach.  That
    ``value`` is right has been proved before."""
    try:
        rules = (_falling(rule, value, both.report.game) for rule in moves)
        taking = _taking(both, value, budget)
        claim = replace(both.claim(value), strategy=Strategy((taking, *rules)))
        first = _prove(claim, budget)
        if first.verdict is Verdict.UNKNOWN and claim.is_linear:
            claim = in_digits(claim, budget)
            first = _prove(claim, budget)
    except (Refused, BudgetSpent) as stopped:
        return Finding(Verdict.UNKNOWN, str(stopped))
    if not first.is_proved:
        return Finding(first.verdict, _tell(first, both))
    given = Given(both.report, {"strategy": first})
    return certify(claim, budget, given, states=_FAR).of_part("strategy")


def _tell(finding: Finding, both: BesideHeap) -> str:
    """Return in words from which state which value is not reached, as ``finding`` has it."""
    if (at := finding.state(both.report.game)) is None:
        return finding.why
    *state, heap = at
    where = zip(both.report.game.variables, state, strict=False)
    said = ", ".join(f"{name} = {number}" for name, number in where)
    return f"its rules do not lead from {said} to the value {heap}"


def _prove(claim: Solution, budget: Budget) -> Finding:
    """Return the finding, by one engine, on the strategy of ``claim``, for a game beside a heap."""
    if not claim.is_linear:
        return judge(claim, ["strategy"], budget.share(0.5))["strategy"]
    pairs = [rule for rule in claim.strategy if isinstance(rule, Rule)]
    obligations = strategy_obligations(claim.game, claim.rule, *claim.sides(), pairs)
    return discharge(obligations, budget.share(0.5).within(_LINEAR))


def _falling(
    rule: Rule | TargetRule, value: t.Term | Automaton, game: ParametricGame
) -> Rule | TargetRule:
    """Return ``rule`` with the condition that the heap, the last variable of ``game``, is less than
    ``value``; ``rule`` unchanged if ``value`` or its targets are given by an automaton."""
    if not isinstance(rule, Rule) or isinstance(value, Automaton):
        return rule
    falls = t.compare(t.Name(game.variables[-1]), "<", value)
    if falls in conjuncts(rule.when):
        return rule
    return replace(rule, when=conjunction((falls, rule.when)))


def _taking(both: BesideHeap, value: t.Term | Automaton, budget: Budget) -> Rule | TargetRule:
    game = both.report.game
    heap, action = t.Name(game.variables[-1]), game.actions[-1]
    if not isinstance(value, Automaton):
        act = SemiGroundAction(action.name, ((action.parameters[0], t.Sum((heap, t.Neg(value)))),))
        return Rule(t.compare(heap, ">", value), act)
    rules = Rules.of(game, value.system, budget)
    there = DFA.of(replace(value, tracks=game.variables)) & rules.legal
    moves = rules.step(action.name).into(there)
    return TargetRule(t.TRUE, action.name, moves.automaton((*game.variables, heap.name + PRIME)))


# --- sums ----------------------------------------------------------------------------------------


def _judge_parts(
    game: ParametricGame, value: t.Term, moves: Moves, target: str, budget: Budget
) -> Finding | None:
    """Return the finding on ``moves`` of a sum of games, judged part by part; None if some rule
    speaks of several parts.  ``value`` is the xor of the parts' Grundy functions, ``target`` the
    variable in ``moves`` for the value to reach."""
    # As in Nim: where the target is less than the xor of all values, the value of some part is
    # greater than the xor of the target and the other values.  A rule that moves this part there,
    # and says itself that the part's value falls, leads to the target.
    report = check_twice(game, budget.share(0.3))
    parts = proved_parts(game, report, budget.share(0.2))
    values = [
        xor_of([pile for pile in unxor(value) if free_names(pile) & set(part.variables)])
        for part in parts
    ]
    split = _split(parts, values, moves, target)
    if not parts or split is None:
        return None
    engines: dict[str, None] = {}
    for i, (part, own) in enumerate(zip(parts, values, strict=True)):
        within = budget.share(1 / (len(parts) - i + 1))
        both = BesideHeap.of(part, within)
        if split[i] or own != t.Int(0):
            judged = judge_moves(both, own, beside(both, split[i], target), within)
            if not judged.is_proved:
                return judged
            engines |= dict.fromkeys(judged.by)
    both = BesideHeap.of(game, budget.share(0.3))
    far = far_with(both, value, moves, target, budget.share(0.5))
    if far.disagreements:
        return Finding(Verdict.UNKNOWN, far.claim, checked=far, is_contradicted=True)
    return Finding(Verdict.PROVED, by=tuple(engines), checked=far)


def _split(
    parts: Sequence[ParametricGame], values: Sequence[t.Term], moves: Moves, target: str
) -> list[Moves] | None:
    """Return the rules of each of ``parts``, in which ``target`` is the value that this part shall
    reach; None if a rule, or the value of a part in ``values``, speaks of another part."""
    rules = [rule for rule in moves if isinstance(rule, Rule)]
    if len(rules) < len(moves):
        return None
    split: list[Moves] = []
    for i, (part, value) in enumerate(zip(parts, values, strict=True)):
        others = [term for other in (*values[:i], *values[i + 1 :]) for term in unxor(other)]
        names = {action.name for action in part.actions}
        aim = Counter([*others, t.Name(target)])
        own = [_alone(rule, aim, target) for rule in rules if rule.act.action in names]
        falls = t.compare(t.Name(target), "<", value)
        spoken = free_names(value).union(*map(_names, own))
        if not spoken <= {target, *part.variables} or any(
            falls not in conjuncts(r.when) for r in own
        ):
            return None
        split.append(tuple(own))
    return split


def _names(rule: Rule) -> frozenset[str]:
    return free_names(rule.when).union(*(free_names(term) for _, term in rule.act.arguments))


def _alone(rule: Rule, aim: Counter[t.Term], target: str) -> Rule:
    """Return ``rule`` with ``target`` for each xor whose terms are just ``aim``, in any order."""
    arguments = tuple((name, _aim(term, aim, target)) for name, term in rule.act.arguments)
    return Rule(_aim(rule.when, aim, target), replace(rule.act, arguments=arguments))


def _aim(node: t.Kind, aim: Counter[t.Term], target: str) -> t.Kind:
    for found in [n for n in walk(node) if isinstance(n, t.Digital) and Counter(unxor(n)) == aim]:
        node = replaced(node, found, t.Name(target))
    return node
