"""Checks of an answer at far states, by the rules as written, in Python integers.

Thousands of random legal states, with coordinates up to 10^30 and next to every boundary of the
rules and of the answer, are put through the original rules.  A losing state's moves have to lead
to winning states, a winning state's move to a losing one, and the ranking has to fall.  This
shares nothing with the provers: formulas are read by :mod:`icgsynth.prove.recheck.plain`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from icgsynth.budget import Budget
from icgsynth.game.answers import FarCheck, Finding, Verdict
from icgsynth.game.game import ParametricGame, State
from icgsynth.game.repeated import stepwise
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import TargetRule
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, free_names, negation, walk
from icgsynth.prove.recheck.boundaries import TooHard
from icgsynth.prove.recheck.far_judges import (
    BlockingJudge,
    EveryMove,
    EveryValue,
    Judge,
    OrdinaryJudge,
)
from icgsynth.prove.recheck.plain import is_xor, limit_quantifiers

_DIGITS_COST = 2  # how many times longer a state takes where digits are read one by one
_BLOCKING_COST = 16  # the same where several moves are named at each state
_STEPS = 50_000  # numbers tried for quantifiers at one state
_ENOUGH = 20  # disagreements, after which no more are looked for
_PAUSE = 4  # states between two looks at the clock
_MEMBERS = 20  # of a family, among which the states are divided
_GIVEN_UP = 50  # states that are too hard to decide, after which the check stops


def check_far(
    solution: Solution,
    budget: Budget,
    states: int = 4_000,
    seed: int = 0,
    ranking: Sequence[t.Term] = (),
) -> FarCheck:
    """Return at how many of ``states`` random legal states ``solution`` is wrong, with the first.

    Fewer are checked where there are fewer, or no time.  ``seed`` chooses them.  A wrong answer is
    not checked to the end.  Answers in digits take longer to read, so they are checked at a part of
    the states.  ``ranking`` has the terms whose tuple falls with every move.  States where the
    rules or the answer take too long to evaluate are not counted.  Where constants of a family are
    variables, and factors or divisors, states are those of members."""
    if solution.winning is None or solution.losing is None:
        return FarCheck(0, 0, 0)
    tally, rng = _Tally(), random.Random(seed)
    try:
        if names := _constants_in_products(solution):
            from icgsynth.prove.recheck.drawn_members import draw_members

            # A factor or divisor that is a variable is no linear arithmetic: numbers are put in its
            # place, and ``states`` are shared among the members, rounded up.
            each = -(-states // _MEMBERS)
            drawn = draw_members(solution, ranking, names, _MEMBERS, rng)
            for constants, member, ranks in drawn:
                tally.constants = constants
                _check(OrdinaryJudge(member, ranks, rng), tally, each, budget)
        else:
            kind = BlockingJudge if solution.game.block else OrdinaryJudge
            judge = kind(solution, tuple(ranking), rng)
            _check(judge, tally, -(-states // _cost(solution)), budget)
    except (TooHard, RecursionError):
        return tally.result() if tally.failed else FarCheck(0, 0, 0)
    return tally.result()


def _constants_in_products(solution: Solution) -> tuple[str, ...]:
    """Return the variables that no move changes; () if no unknown multiplies or divides another."""
    game = solution.game
    assigned = {name for action in game.actions for name, _ in action.effects}
    still = tuple(v for v in game.variables if v not in assigned)
    nodes = (node for f in (*stepwise(game).formulas(), *solution.formulas()) for node in walk(f))
    return still if any(_is_beyond(node) for node in nodes) else ()


def _is_beyond(node: t.Node) -> bool:
    match node:
        case t.Mod(_, divisor) | t.Div(_, divisor):
            return not isinstance(fold(divisor), t.Int)
        case t.Mul(left, right):
            return bool(free_names(left)) and bool(free_names(right))
    return False


def check_all(
    solution: Solution, budget: Budget, most: int, ranking: Sequence[t.Term]
) -> FarCheck | None:
    """Return at how many of all legal states ``solution``, or a move that must lower ``ranking``,
    is wrong; None for blocking games, without a ranking, above ``most`` states, or lacking time."""
    if not ranking or solution.game.block:
        return None
    return _all(lambda: EveryMove(solution, tuple(ranking), random.Random(0)), budget, most)


def check_values(
    game: ParametricGame, value: t.Term, budget: Budget, most: int, ranking: Sequence[t.Term]
) -> FarCheck | None:
    """Return at how many of all legal states ``value`` is not the Grundy value, by all their moves.

    ``ranking`` has to fall with every move.  None where there are more than ``most`` states, for a
    blocking game, without a ranking, or where time ends first."""
    if not ranking or game.block:
        return None
    zero = t.compare(value, "=", 0)
    claim = Solution(game, "normal", "unknown", Claim(negation(zero)), Claim(zero))
    return _all(lambda: EveryValue(claim, value, tuple(ranking)), budget, most)


def _all(made: Callable[[], EveryMove], budget: Budget, most: int) -> FarCheck | None:
    tally = _Tally()
    try:
        judge = made()
        states = judge.states.every(most)
        if states is None:
            return None
        with limit_quantifiers(_STEPS) as left:
            for state in states:
                left[0] = _STEPS
                tally.states.append(state)
                if (failure := judge.failure(state)) is not None:
                    tally.failed.append(failure)
                    break
                if budget.is_spent:
                    return None
    except (TooHard, RecursionError):
        return None
    return tally.result()


def ask_judge(judge: Judge, near: Sequence[State], states: int, budget: Budget) -> FarCheck:
    """Return at how many states ``judge`` finds faults: ``near`` ones, and ``states`` random
    ones."""
    tally = _Tally()
    _check(judge, tally, states, budget, near)
    return tally.result()


def _check(
    judge: Judge, tally: _Tally, states: int, budget: Budget, near: Sequence[State] = ()
) -> None:
    constants = tuple(tally.constants.values())
    with limit_quantifiers(_STEPS) as left:  # anew for each state
        for number, state in enumerate(chain(near, judge.states.draw(states, budget))):
            left[0] = _STEPS
            try:
                failure = judge.failure(state)
            except TooHard:
                tally.skipped += 1
            else:
                tally.states.append((*constants, *state))
                if failure is not None:
                    witness = {**tally.constants, **(failure.witness or {})}
                    tally.failed.append(Finding(Verdict.REFUTED, failure.why, witness))
            # Enough failures to tell, or so many states too hard that others will be as well.
            is_enough = tally.skipped == _GIVEN_UP or len(tally.failed) >= _ENOUGH
            if is_enough or (number % _PAUSE == 0 and budget.is_spent):
                break


@dataclass
class _Tally:
    """The count of states looked at, and the disagreements found so far."""

    states: list[State] = field(default_factory=list)
    failed: list[Finding] = field(default_factory=list)
    skipped: int = 0
    constants: Mapping[str, int] = field(default_factory=dict)  # of the member at hand

    def result(self) -> FarCheck:
        reach = max(map(abs, chain.from_iterable(self.states)), default=0)
        counts = len(self.states), reach, len(self.failed)
        if not self.failed:
            return FarCheck(*counts)
        return FarCheck(*counts, self.failed[0].why, self.failed[0].witness)


def _cost(solution: Solution) -> int:
    """Return how many times longer a state takes to check than in linear arithmetic, roughly."""
    if solution.game.block:
        return _BLOCKING_COST
    nodes = (n for f in solution.formulas() for n in walk(f))
    digits = any(
        isinstance(n, t.Recognised) or (isinstance(n, t.Digital) and not is_xor(n)) for n in nodes
    )
    aimed = any(isinstance(rule, TargetRule) for rule in solution.strategy)
    return _DIGITS_COST if digits or aimed else 1
