"""What has to hold for an answer to be right, as formulas without quantifiers.

With the strategy as witness, Definition 3.1 and the strategy constraints of Wu et al.
(AAMAS 2020) need no quantifier: effects are substituted, so there are no primed
variables, and "every move" is a free parameter.  An :class:`Obligation` is a conjunction
that must have no model; a model is a counterexample, read off at its variables.

Nothing here knows a solver: the same obligations are discharged by z3 and exported as
SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from icgsynth.game.game import Action, ParametricGame, PlayRule, without_blocking
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, free_names, negation, substitute


@dataclass(frozen=True, slots=True)
class Obligation:
    """``claim`` in words; ``parts`` whose conjunction must be unsatisfiable.

    ``names`` are the state variables first, then parameters: a model gives them values.
    """

    claim: str
    names: tuple[str, ...]
    parts: tuple[t.Formula, ...]

    @property
    def formula(self) -> t.Formula:
        return conjunction(self.parts)


def obligation(game: ParametricGame, claim: str, *parts: t.Formula) -> Obligation:
    extra = frozenset().union(*(free_names(p) for p in parts)) - set(game.variables)
    return Obligation(claim, (*game.variables, *sorted(extra)), (game.legal, *parts))


def after(game: ParametricGame, formula: t.Formula, act: SemiGroundAction) -> t.Formula:
    """``formula`` read in the state that ``act`` leads to."""
    terms = game.after(game.action(act.action), dict(act.arguments))
    return substitute(formula, terms)


def fires(game: ParametricGame, act: SemiGroundAction) -> t.Formula:
    """Where the semi-ground action applies."""
    return game.applicable(game.action(act.action), dict(act.arguments))


def moves_to(game: ParametricGame, act: SemiGroundAction, losing: t.Formula) -> t.Formula:
    """Where ``act`` applies and leads to ``losing``: its weakest precondition."""
    return conjunction((fires(game, act), after(game, losing, act)))


def _some_move(game: ParametricGame) -> Iterator[tuple[Action, t.Formula]]:
    for action in game.actions:
        yield action, game.applicable(action)


# --- the rules themselves ------------------------------------------------------


def closure(game: ParametricGame) -> Iterator[Obligation]:
    """No precondition lets an action leave the legal states."""
    for action in game.actions:
        leaves = negation(substitute(game.legal, game.after(action)))
        claim = f"{action.name} stays within the legal states"
        yield obligation(game, claim, negation(game.end), action.precondition, leaves)


def ending_has_no_move(game: ParametricGame) -> Iterator[Obligation]:
    """Where ``end`` holds, no precondition with a legal result does."""
    if game.end == t.FALSE:
        return
    for action in game.actions:
        legal_after = substitute(game.legal, game.after(action))
        claim = f"{action.name} does not apply where the game has ended"
        yield obligation(game, claim, game.end, action.precondition, legal_after)


# --- the winning formula -------------------------------------------------------


def winning_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """All of Definition 3.1 but item (2), whose witness is the strategy.

    Under misère a state without a move wins, so a losing state must have one: ``movers``
    are the semi-ground actions that show it.  Of a blocking game nothing here holds.
    """
    without_blocking(game)
    yield obligation(game, "no state is both winning and losing", winning, losing)
    yield obligation(game, "each state is winning or losing", negation(winning), negation(losing))
    yield from end_obligations(game, rule, winning, losing, movers)
    for action, applies in _some_move(game):
        there = substitute(losing, game.after(action))
        claim = f"{action.name} never leads from a losing state to a losing state"
        yield obligation(game, claim, losing, applies, there)


def end_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """Who wins where play has ended, and under misère that a losing state has a move."""
    if rule == "normal":
        if game.end != t.FALSE:
            yield obligation(game, "ending states are losing", game.end, negation(losing))
    else:
        if game.end != t.FALSE:
            yield obligation(game, "ending states are winning", game.end, negation(winning))
        stuck = (negation(fires(game, act)) for act in movers)
        yield obligation(game, "a losing state has a move", negation(game.end), losing, *stuck)


# --- strategies ------------------------------------------------------------------


def strategy_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    strategy: Iterable[Rule],
) -> Iterator[Obligation]:
    """Read first match: each pair wins where it is used, and together they cover ``winning``."""
    without_blocking(game)
    earlier: list[t.Formula] = []
    for pair in strategy:
        claim = f"where {pair.when}, {pair.act} applies and leads to a losing state"
        wins = moves_to(game, pair.act, losing)
        yield obligation(game, claim, pair.when, *earlier, negation(wins))
        earlier.append(negation(pair.when))
    yield from _covered(game, rule, "the strategy covers", winning, earlier)


def cover_obligations(
    game: ParametricGame, rule: PlayRule, winning: t.Formula, strategy: Iterable[Rule]
) -> Iterator[Obligation]:
    """The last of :func:`strategy_obligations` alone: the conditions leave nothing out."""
    outside = [negation(pair.when) for pair in strategy]
    yield from _covered(game, rule, "the strategy covers", winning, outside)


def cell_obligations(
    game: ParametricGame, winning: t.Formula, cover: Sequence[t.Formula]
) -> Iterator[Obligation]:
    """The cells of a disjunctive cover together are the winning formula, on legal states."""
    if not cover:
        return
    outside = map(negation, cover)
    yield obligation(game, "the cover has every winning state", winning, *outside)
    for cell in cover:
        yield obligation(game, f"the cell '{cell}' is winning", cell, negation(winning))


def never_wins(game: ParametricGame, action: Action, losing: t.Formula) -> t.Formula:
    """No parameters let ``action`` apply and lead to a state of ``losing``; quantified."""
    there = substitute(losing, game.after(action))
    body = t.Implies(game.applicable(action), negation(there))
    return t.Quantified("forall", action.parameters, body) if action.parameters else body


def tree_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    tree: Iterable[Rule],
) -> Iterator[Obligation]:
    """A fast-and-frugal tree: the first rule whose condition holds *and* whose action applies."""
    earlier: list[t.Formula] = [winning]
    for pair in tree:
        here = conjunction((pair.when, fires(game, pair.act)))
        claim = f"the rule '{pair}', where it is the first to apply, leads to a losing state"
        wrong = negation(after(game, losing, pair.act))
        yield obligation(game, claim, *earlier, here, wrong)
        earlier.append(negation(here))
    yield from _covered(game, rule, "the tree covers", winning, earlier[1:])


def _covered(
    game: ParametricGame, rule: PlayRule, what: str, winning: t.Formula, outside: list[t.Formula]
) -> Iterator[Obligation]:
    if rule == "normal":
        yield obligation(game, f"{what} every winning state", winning, *outside)
        return
    # Under misère a winning state without a move is won already: outside the strategy.
    for action, applies in _some_move(game):
        claim = f"{what} every winning state where {action.name} applies"
        yield obligation(game, claim, winning, *outside, applies)
