"""Proofs that the values of a pile are those of a recursion, for moves within a window.

That the moves from v lead exactly to low(v) .. v - 1 is a claim about who wins in a game of one
move, and is proved as such.  How low grows is a matter of linear arithmetic.  That the recursion
follows from both is shown at :class:`~icgsynth.game.value_forms.WindowValue`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from icgsynth.budget import Budget
from icgsynth.claims.game import Obligation
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.beside_heap import fresh, names_in
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.value_forms import WindowValue, value_at
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation, substitute
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.deciders.quantifiers import eliminate_quantifiers
from icgsynth.prove.discharge import confirm
from icgsynth.prove.well_formed import Movers, RulesReport


def judge_window(game: ParametricGame, value: WindowValue, budget: Budget) -> Finding:
    """Return the finding whether ``value`` is the Grundy function of ``game``.

    It says that the moves from a number v lead just to ``value.low`` .. v - 1.  Raises
    :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated."""
    if game.variables != (value.variable,):
        return Finding(Verdict.UNKNOWN, "a window is one of a pile, of one variable")
    growth = confirm(((each, each) for each in _growth(game, value)), budget.share(0.5))
    if not growth.is_proved:
        return Finding(growth.verdict, growth.told)
    judged = _judge_moves(game, value, budget)
    if not judged.is_proved:
        return judged
    return replace(judged, by=tuple(dict.fromkeys((*judged.by, *growth.by))))


def _judge_moves(game: ParametricGame, value: WindowValue, budget: Budget) -> Finding:
    """Return the finding whether each legal state v of ``game``, a number, has moves to all legal
    states m with ``value.low`` <= m < v, ``value.low`` a term of v, and to no others.
    :class:`~icgsynth.errors.BudgetSpent` where a quantifier cannot be eliminated."""
    written = one_move_to(game)
    here, there = map(t.Name, written.variables)
    plain = eliminate_quantifiers(written, budget.share(0.3))
    reached = t.Compare((value.low, there, here), ("<=", "<"))
    losing = Claim(negation(reached))
    claim = Solution(plain, "normal", "unknown", winning=Claim(reached), losing=losing)
    unknown = Finding(Verdict.UNKNOWN)  # of the rules of this game no more is needed
    report = RulesReport(plain, unknown, unknown, unknown, Movers((), exact=False), written=written)
    found = certify(claim, budget, Given(report), only=("winning",))
    return found.of_part("winning", partial(_say, value))


def one_move_to(game: ParametricGame) -> ParametricGame:
    """Return a game of states (v, m), with the moves of ``game``, of one variable, from v to m.

    Where no move leads from a state to itself, (m, m) has no move and is lost.  So (v, m) is won
    exactly where a move of ``game`` leads from v to m."""
    (variable,) = game.variables
    target = fresh("m", names_in(game))
    live = () if game.end == t.FALSE else (negation(game.end),)
    actions = []
    for action in game.actions:
        left = dict(action.effects).get(variable, t.Name(variable))
        aimed = t.compare(left, "=", t.Name(target))
        applies = conjunction((action.precondition, *live, aimed))
        there = ((variable, t.Name(target)),)
        actions.append(replace(action, precondition=applies, effects=there))
    return ParametricGame(
        f"{game.name}, one move",
        (variable, target),
        tuple(actions),
        conjunction((game.legal, substitute(game.legal, {variable: t.Name(target)}))),
        title=game.title,
        constants=game.constants,
    )


def _say(value: WindowValue, finding: Finding) -> str:
    """Return in words which move refutes that moves from v lead just to ``value.low`` .. v - 1.
    The witness of ``finding`` has v and the state reached; without one its reason is returned."""
    if finding.witness is None:
        return finding.why
    here, there = list(finding.witness.values())[:2]
    is_claimed = value_at(value.low, {value.variable: here}) <= there < here
    where = f"from {value.variable} = {here} to {there}"
    if is_claimed:
        return f"no move leads {where}, which is in the window"
    return f"a move leads {where}, which is not in the window"


def _growth(game: ParametricGame, value: WindowValue) -> Iterator[Obligation]:
    """Yield claims: the states are the numbers from ``value.least`` on; ``value.low`` is one of
    them, not above the state, and grows by 0 or 1 from a state to the next."""
    names, state, least = (value.variable,), t.Name(value.variable), t.Int(value.least)
    from_least = t.compare(state, ">=", least)
    said = f"the states are the numbers from {value.least} on"
    yield Obligation("window", said, names, (game.legal, negation(from_least)))
    yield Obligation("window", said, names, (negation(game.legal), from_least))
    within = t.Compare((least, value.low, state), ("<=", "<="))
    said = f"low = {value.low} is a state, and not more than {state}"
    yield Obligation("window", said, names, (from_least, negation(within)))
    before = substitute(value.low, {value.variable: t.Sum((state, t.Int(-1)))})
    grows = t.Compare((t.Int(0), t.Sum((value.low, t.Neg(before))), t.Int(1)), ("<=", "<="))
    said = f"low = {value.low} grows by 0 or 1"
    above = t.compare(state, ">", least)
    yield Obligation("window", said, names, (above, negation(grows)))
