"""Winning moves as terms: ``if a > b xor c: take_a(a - (b xor c))``.

For each action, terms for the variables that it changes are guessed, the parameters solved for
them; or terms for the parameter itself.  What wins most often on a sample of states is proved:
where the action applies with these arguments and leads to a losing state is an automaton, and a
readable formula for it the condition.

Winning moves by actions that take within a cone: pairs of a condition and where to move.

The relation of such a move has four numbers.  Only the moves next to a bound of the cone are
written down: they follow a line, and an automaton reads one number and tells another.  A few small
losing states, into which a move leads wherever it begins, get pairs of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import TypeAlias

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.dfa import DFA
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.game import Action
from icgsynth.game.obligations.game import fires, moves_to
from icgsynth.game.steps import primed
from icgsynth.game.strategy import Rule, SemiGroundAction, TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, fold, free_names, size, substitute
from icgsynth.logic.evaluate import columns
from icgsynth.logic.simplify import linear_sum
from icgsynth.prove.automata.cones import Cone, Face, taken_from
from icgsynth.prove.automata.game_automata import Rules, StepRelation
from icgsynth.synth.digits.atoms import Flags, SetSample, offset
from icgsynth.synth.digits.readable import readable

# --- targets -------------------------------------------------------------------------------------

_MOST_RULES = 12  # of a strategy that people can follow
_MOST_GUESSES = 400  # for one action
_WORTH = 0.05  # of the winning states on the sample, for a rule
_SECONDS = 3.0  # for one condition
_LONGEST = 20  # the size of a condition

_Arguments: TypeAlias = tuple[tuple[str, t.Term], ...]
# A parameter, a variable, and the parameter from the variable's value after the move.
_Solved: TypeAlias = tuple[tuple[str, str, t.Term], ...]


def target_rules(rules: Rules, losing: DFA, to_move: DFA, budget: Budget) -> tuple[Rule, ...]:
    """Pairs of a condition and a semi-ground action that leads into ``losing`` there.

    Each is proved for all states; together they may leave out some of the states ``to_move``,
    those that a move is looked for in.
    """
    rules = replace(rules, compiler=replace(rules.compiler, budget=budget))
    search = _Search(rules, losing, SetSample.of(to_move, rules.legal))
    found: list[tuple[Rule, int]] = []
    to_win = left = search.sample.inside
    worth = int(_WORTH * to_win.sum()) + 1
    try:
        guesses = search.guesses(budget)
        # Rules for few states pay only where in the end no state is left to an automaton.
        is_whole = np.array_equal(np.logical_or.reduce([g.wins for g in guesses]), to_win)
        while guesses and left.any() and len(found) < _MOST_RULES:
            best = max(guesses, key=lambda g: (int((g.wins & left).sum()), -g.act.size))
            gain = int((best.wins & left).sum())
            if gain < (1 if is_whole else worth):
                break
            guesses.remove(best)
            if (pair := search.proved(best, budget)) is not None:
                found.append((pair, gain))
                left = left & ~best.wins
    except (BudgetSpent, Refused):
        pass
    return tuple(pair for pair, gain in found if gain >= worth or not left.any())


def whole_strategy(
    rules: Rules, losing: DFA, to_move: DFA, budget: Budget
) -> tuple[Rule | TargetRule, ...]:
    """A way into ``losing`` from each of the states ``to_move`` that has one.

    Pairs with terms where these exist, then for each action that is still needed an automaton of
    its moves into ``losing``.  ``budget`` is for the pairs.  In a blocking game there is such an
    automaton for each action: together they name all moves into ``losing``.
    """
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
    aims = []
    for step in rules.steps:
        if step.cones:
            continue
        moves = step.into(losing)
        here = step.sources(moves).over(rules.states)
        if not (here & left).is_empty:
            aims.append(_aim(step, moves))
            left = left - here
    return (*pairs, *aims, *cone_pairs(rules, losing, left))


def _aim(step: StepRelation, moves: DFA) -> TargetRule:
    return TargetRule(t.TRUE, step.action.name, moves.automaton(_tracks(step, moves)))


def _tracks(step: StepRelation, good: DFA) -> tuple[str, ...]:
    """State variables first, then those after the move."""
    primes = tuple(step.after.values())
    return (
        *(track for track in good.tracks if track not in primes),
        *(p for p in primes if p in good.tracks),
    )


@dataclass(frozen=True, eq=False)
class _Guess:
    """An action and where, on the sample, it applies and wins; ``aims`` to explain where."""

    act: SemiGroundAction
    wins: Flags
    aims: tuple[t.Formula, ...]


@dataclass(frozen=True, eq=False)
class _Search:
    rules: Rules
    losing: DFA
    sample: SetSample

    def guesses(self, budget: Budget) -> list[_Guess]:
        """Semi-ground actions that win somewhere."""
        found: dict[tuple[str, bytes], _Guess] = {}
        for action in self.rules.game.actions:
            for arguments, aims in islice(self._arguments(action), _MOST_GUESSES):
                budget.check()
                act = SemiGroundAction(action.name, arguments)
                wins = self._wins(act)
                key = action.name, np.packbits(wins).tobytes()
                if wins.any() and (key not in found or act.size < found[key].act.size):
                    found[key] = _Guess(act, wins, aims)
        return list(found.values())

    def proved(self, guess: _Guess, budget: Budget) -> Rule | None:
        """With the shortest condition, if there is one that says exactly where it wins."""
        rules, game = self.rules, self.rules.game
        names = self.losing.tracks
        losing = t.Recognised(self.losing.automaton(), tuple(map(t.Name, names)))
        try:
            where = rules.states_where(moves_to(game, guess.act, losing))
        except Refused:
            return None
        for aim in guess.aims:
            if rules.states_where(aim) == where:
                return Rule(aim, guess.act)
        share = budget.within(_SECONDS)
        when = readable(
            where, rules.legal, rules.compiler, game.variables, share, guess.aims, is_plain=True
        )
        return None if when is None or size(when) > _LONGEST else Rule(when, guess.act)

    def _wins(self, act: SemiGroundAction) -> Flags:
        game, env = self.rules.game, self.sample.env
        shape = self.sample.inside.shape
        wins = np.broadcast_to(columns(fires(game, act), env), shape) & self.sample.inside
        if not wins.any():
            return wins
        here = {name: column[wins] for name, column in env.items()}
        terms = game.after(game.action(act.action), dict(act.arguments))
        after = {
            name: np.broadcast_to(columns(terms[name], here), int(wins.sum()))
            for name in self.losing.tracks
        }
        hits = wins.copy()
        hits[wins] = self.losing.holds(after)
        return hits

    # --- guesses ---------------------------------------------------------------------------

    def _arguments(self, action: Action) -> Iterator[tuple[_Arguments, tuple[t.Formula, ...]]]:
        """Terms for the parameters, and what a condition may say of them."""
        if not action.parameters:
            yield (), ()
            return
        if len(action.parameters) == 1:
            for term in self._amounts():
                yield ((action.parameters[0], term),), ()
        for solved in _solutions(action):
            yield from self._aimed(solved)

    def _aimed(self, solved: _Solved) -> Iterator[tuple[_Arguments, tuple[t.Formula, ...]]]:
        """With terms for the variables after the move."""
        variables = [variable for _, variable, _ in solved]
        targets = [list(self._targets(variable, len(solved) > 1)) for variable in variables]
        for chosen in product(*targets):
            by = {primed(variable): term for variable, term in zip(variables, chosen, strict=True)}
            yield (
                tuple((parameter, _simplified(amount, by)) for parameter, _, amount in solved),
                tuple(
                    t.Compare((term, t.Name(variable)), (op,))
                    for variable, term in zip(variables, chosen, strict=True)
                    for op in ("<", "<=")
                ),
            )

    def _digital(self, kind: str, *args: t.Term, modulus: int = 2) -> t.Term:
        return t.Digital(kind, args, self.rules.compiler.system, modulus)

    def _amounts(self) -> Iterator[t.Term]:
        """Terms for a parameter itself."""
        yield from map(t.Int, range(4))
        for name in self.rules.states:
            for constant in (0, -1, 1):
                yield offset(t.Name(name), constant)
                yield self._digital("lowpart", offset(t.Name(name), constant))
            yield t.Mod(t.Name(name), t.Int(self.rules.compiler.system.digits))

    def _targets(self, variable: str, several: bool) -> Iterator[t.Term]:
        """Terms for the variable after the move; only simple ones for one of several."""
        others = [t.Name(name) for name in self.rules.states if name != variable]
        if several:
            yield t.Name(variable)
        yield from map(t.Int, range(1 if several else 4))
        yield from others
        if several:
            return
        if len(others) > 1:
            yield from self._sums(others)
        for other in others:
            yield from (offset(other, c) for c in (-2, -1, 1, 2))
            yield from (offset(self._digital("shift", other), c) for c in (0, 1, -1, 2))
            yield self._digital("unshift", other)
            yield self._digital("lowpart", other)
            # In Zeckendorf's system floor(n phi) = shift(n - 1) + 1.
            gap = (other, t.Neg(t.Name(variable)))
            yield self._digital("shift", t.Sum(gap))
            yield offset(self._digital("shift", t.Sum((*gap, t.Int(-1)))), 1)

    def _sums(self, others: list[t.Name]) -> Iterator[t.Term]:
        for modulus in (2, 3):
            yield self._digital("nimsum", *others, modulus=modulus)
        yield self._digital("nimsum", *others, t.Int(1))


def _solutions(action: Action) -> Iterator[_Solved]:
    """All ways to compute each parameter from a variable of its own after the move."""
    effects = dict(action.effects)
    for variables in permutations(effects, len(action.parameters)):
        amounts = [
            _amount(effects[variable], parameter, t.Name(primed(variable)))
            for parameter, variable in zip(action.parameters, variables, strict=True)
        ]
        solved = [a for a in amounts if a and not free_names(a) & {*action.parameters}]
        if len(solved) == len(amounts):
            yield tuple(zip(action.parameters, variables, solved, strict=True))


def _amount(effect: t.Term, parameter: str, after: t.Term) -> t.Term | None:
    """``parameter`` from ``effect = after``, where it is a summand and the only parameter.

    The summands stay in the order in which people wrote them.
    """
    summands = effect.args if isinstance(effect, t.Sum) else (effect,)
    own = [s for s in summands if s in (t.Name(parameter), t.Neg(t.Name(parameter)))]
    rest = tuple(s for s in summands if s not in own)
    if len(own) != 1 or any(parameter in free_names(s) for s in rest):
        return None
    if own[0] == t.Name(parameter):
        return fold(t.Sum((after, *map(t.Neg, rest)))) if rest else after
    return fold(t.Sum((*rest, t.Neg(after)))) if rest else None


def _simplified(term: t.Term, by: Mapping[str, t.Term]) -> t.Term:
    """With ``by`` put in, sums within sums opened, and what cancels removed."""
    parts: list[t.Term] = []
    for part in _summands(substitute(term, by), 1):
        opposite = fold(t.Neg(part))
        if opposite in parts:
            parts.remove(opposite)
        else:
            parts.append(part)
    if not parts:
        return t.Int(0)
    parts.sort(key=lambda part: isinstance(part, t.Neg))
    return fold(t.Sum(tuple(parts))) if len(parts) > 1 else parts[0]


def _summands(term: t.Term, sign: int) -> Iterator[t.Term]:
    match term:
        case t.Sum(args):
            for arg in args:
                yield from _summands(arg, sign)
        case t.Neg(arg):
            yield from _summands(arg, -sign)
        case _:
            yield term if sign > 0 else fold(t.Neg(term))


# --- cone moves ----------------------------------------------------------------------------------


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
