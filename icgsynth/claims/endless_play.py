"""The claims of an answer whose play may never end: wins in bounded time, and draws.

The states are split into winning, losing and drawn ones.  From a losing state every move leads to
a winning state, and from a winning state the strategy's move to a losing one, both to a lower
level: so whoever wins does so within as many moves as the level says.  From a drawn state no move
leads to a losing state, and the rules that keep the draw lead to a drawn state: so nobody can
force a win, and each player can avoid to lose.  None of this needs that play always ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from icgsynth.claims.game import (
    Obligation,
    end_obligations,
    moves_to,
    obligation,
    strategy_obligations,
)
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import ParametricGame, PlayRule
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, substitute


def split_obligations(
    game: ParametricGame,
    rule: PlayRule,
    sides: tuple[t.Formula, t.Formula],
    draws: DrawnStates,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """Yield the claims on winning, losing and drawn states, and on the levels in ``draws``.

    ``sides`` are the winning and the losing formula; a level bounds the moves until somebody wins.
    Under misère a state without a move wins, so a losing state must have one: ``movers`` are the
    semi-ground actions that show it."""
    (winning, losing), drawn = sides, draws.drawn
    yield obligation(game, "winning", "no state is both winning and losing", winning, losing)
    yield obligation(game, "winning", "no state is both winning and drawn", winning, drawn)
    yield obligation(game, "winning", "no state is both losing and drawn", losing, drawn)
    none = map(negation, (winning, losing, drawn))
    yield obligation(game, "winning", "each state is winning, losing or drawn", *none)
    yield from end_obligations(game, rule, winning, losing, movers)
    decided = disjunction((winning, losing))
    unranked = negation(draws.ranked)
    yield obligation(game, "winning", "a winning or losing state has a level", decided, unranked)
    for action in game.actions:
        terms, applies = game.after(action), game.applicable(action)
        for level, here, lower in draws.falls(terms):
            claim = f"{action.name} leads from a losing state of {level} to a winning state"
            claim += " of a lower level"
            there = conjunction((substitute(winning, terms), lower))
            yield obligation(game, "winning", claim, losing, here, applies, negation(there))


def winner_obligations(
    game: ParametricGame,
    rule: PlayRule,
    sides: tuple[t.Formula, t.Formula],
    draws: DrawnStates,
    strategy: Sequence[Rule],
) -> Iterator[Obligation]:
    """Yield the claims that ``strategy``, read first match, leads from each winning state to a
    losing state of a lower level in ``draws``; ``sides`` are the winning and the losing formula."""
    winning, losing = sides
    yield from strategy_obligations(game, rule, winning, losing, strategy)
    earlier: list[t.Formula] = []
    for pair in strategy:
        terms = game.after(game.action(pair.act.action), dict(pair.act.arguments))
        for level, here, lower in draws.falls(terms):
            claim = f"where {pair.when}, {pair.act} leads from {level} to a lower one"
            wrong = (winning, pair.when, *earlier, here, negation(lower))
            yield obligation(game, "strategy", claim, *wrong)
        earlier.append(negation(pair.when))


def drawn_obligations(
    game: ParametricGame, losing: t.Formula, draws: DrawnStates
) -> Iterator[Obligation]:
    """Yield the claims that no move from a drawn state wins, and that ``draws`` keeps the draw.

    Its rules ``keeping`` are read first match, and match in drawn states alone.  ``losing`` is the
    formula of the losing states."""
    drawn = draws.drawn
    for action in game.actions:
        there = substitute(losing, game.after(action))
        claim = f"{action.name} never leads from a drawn state to a losing state"
        yield obligation(game, "drawn", claim, drawn, game.applicable(action), there)
    earlier: list[t.Formula] = []
    for pair in draws.keeping:
        claim = f"where {pair.when}, {pair.act} leads from a drawn state to a drawn state"
        keeps = conjunction((drawn, moves_to(game, pair.act, drawn)))
        yield obligation(game, "drawn", claim, pair.when, *earlier, negation(keeps))
        earlier.append(negation(pair.when))
    yield obligation(game, "drawn", "a rule keeps the draw in every drawn state", drawn, *earlier)
