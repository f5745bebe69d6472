"""That play always ends, as obligations: what a ranking has to fulfil.

Every move decreases the first component that it changes, and each component has a lower bound
wherever there is a move.  A solution file names the components and not their bounds.

The ranking of a solution, which names the components and not their bounds.

What has to hold where play may never end: three kinds of states, and a win in bounded time.

The states are split into winning, losing and drawn ones.  From a losing state every move leads to
a winning state, and from a winning state the strategy's move to a losing one, both to a lower
level: so whoever wins does so within as many moves as the level says.  From a drawn state no move
leads to a losing state, and the rules that keep the draw lead to a drawn state: so nobody can
force a win, and each player can avoid to lose.  None of this needs that play always ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import Action, ParametricGame, PlayRule
from icgsynth.game.obligations.game import Obligation, fires, moves_to, strategy_obligations
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, substitute

__all__ = [
    "Bounded",
    "bounded",
    "drawn_obligations",
    "for_moves",
    "ranking_of",
    "split_obligations",
    "termination",
    "winner_obligations",
]

# --- ranking -------------------------------------------------------------------------------------

_MEASURED = "icg.r"  # with a dot, so no name of a game


def ranking_of(solution: Solution) -> Iterator[Bounded]:
    """The ranking that ``solution`` names, with bounds; nothing where it names none."""
    return bounded(solution.game, solution.ranking)


def bounded(game: ParametricGame, ranking: Iterable[t.Term]) -> Iterator[Bounded]:
    """The components with bounds.

    The bound is that of an interval around the component, computed from the rules.  Without
    one the guess is 0, where the search for a ranking starts as well.
    """
    for term in ranking:
        lowest = [_lowest(game, action, term) for action in game.actions]
        known = [low for low in lowest if low is not None]
        yield Bounded(term, min(known, default=0), is_sure=len(known) == len(lowest))


def _lowest(game: ParametricGame, action: Action, term: t.Term) -> int | None:
    """A number up to 0 that ``term`` does not fall below where ``action`` applies."""
    from icgsynth.logic.ranges import ranges

    if not free_names(term):
        return 0  # nothing rests on it: such a term decreases along no move
    is_term = t.Compare((t.Name(_MEASURED), term), ("=",))
    here = conjunction((game.legal, game.applicable(action), is_term))
    low, _ = ranges(here, (*game.variables, *action.parameters, _MEASURED), {})[_MEASURED]
    return min(0, low) if isinstance(low, int) else None


# --- termination ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bounded:
    """A component of the ranking, which is at least ``bound`` wherever there is a move.

    ``is_sure`` is false where the bound was guessed.
    """

    term: t.Term
    bound: int
    is_sure: bool = True


def termination(game: ParametricGame, ranking: Sequence[Bounded]) -> Iterator[Obligation]:
    """For each action: it decreases the ranking, and the bound of each component.

    A constant decreases only along an action that never applies, so that is what is said.
    """
    terms = tuple(component.term for component in ranking)
    shown = str(terms[0]) if len(terms) == 1 else f"({', '.join(map(str, terms))})"
    is_constant = not any(free_names(term) for term in terms)
    for action in game.actions if ranking else ():
        if is_constant:
            yield for_moves(game, action, f"{action.name} never applies")
            continue
        claim = f"{action.name} decreases {shown}"
        yield for_moves(game, action, claim, _not_less(game, action, terms))
        for i, component in enumerate(ranking):
            claim = f"{component.term} >= {component.bound} where {action.name} applies"
            if i:
                claim += f" and does not change {', '.join(map(str, terms[:i]))}"
            same = (_compare(_after(game, action, part), "=", part) for part in terms[:i])
            below = _compare(component.term, "<", t.Int(component.bound))
            yield for_moves(game, action, claim, *same, below)


def _not_less(game: ParametricGame, action: Action, terms: Sequence[t.Term]) -> t.Formula:
    """After ``action`` the tuple of ``terms`` is not lexicographically smaller than before."""
    smaller: t.Formula = t.FALSE
    for term in reversed(terms):
        there = _after(game, action, term)
        later = conjunction((_compare(there, "=", term), smaller))
        smaller = disjunction((_compare(there, "<", term), later))
    return negation(smaller)


def for_moves(game: ParametricGame, action: Action, claim: str, *parts: t.Formula) -> Obligation:
    """A claim about all moves by ``action``; its parameters are free."""
    names = (*game.variables, *action.parameters)
    return Obligation(claim, names, (game.legal, game.applicable(action), *parts))


def _after(game: ParametricGame, action: Action, term: t.Term) -> t.Term:
    return substitute(term, game.after(action))


def _compare(left: t.Term, op: str, right: t.Term) -> t.Formula:
    return t.Compare((left, right), (op,))


# --- endless play --------------------------------------------------------------------------------


def _obligation(game: ParametricGame, claim: str, *parts: t.Formula) -> Obligation:
    extra = frozenset().union(*(free_names(p) for p in parts)) - set(game.variables)
    return Obligation(claim, (*game.variables, *sorted(extra)), (game.legal, *parts))


def split_obligations(
    game: ParametricGame,
    rule: PlayRule,
    sides: tuple[t.Formula, t.Formula],
    draws: DrawnStates,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """The three kinds of states, and that a losing state is lost in as many moves as it says.

    ``sides`` are the winning and the losing states.  Under misère a state without a move wins, so
    a losing state must have one: ``movers`` are the semi-ground actions that show it.
    """
    (winning, losing), drawn = sides, draws.drawn
    yield _obligation(game, "no state is both winning and losing", winning, losing)
    yield _obligation(game, "no state is both winning and drawn", winning, drawn)
    yield _obligation(game, "no state is both losing and drawn", losing, drawn)
    none = map(negation, (winning, losing, drawn))
    yield _obligation(game, "each state is winning, losing or drawn", *none)
    if rule == "normal":
        if game.end != t.FALSE:
            yield _obligation(game, "ending states are losing", game.end, negation(losing))
    else:
        if game.end != t.FALSE:
            yield _obligation(game, "ending states are winning", game.end, negation(winning))
        stuck = (negation(fires(game, act)) for act in movers)
        yield _obligation(game, "a losing state has a move", negation(game.end), losing, *stuck)
    decided = disjunction((winning, losing))
    unranked = negation(draws.ranked)
    yield _obligation(game, "a winning or losing state has a level", decided, unranked)
    for action in game.actions:
        terms, applies = game.after(action), game.applicable(action)
        for level, here, lower in draws.falls(terms):
            claim = f"{action.name} leads from a losing state of {level} to a winning state"
            claim += " of a lower level"
            there = conjunction((substitute(winning, terms), lower))
            yield _obligation(game, claim, losing, here, applies, negation(there))


def winner_obligations(
    game: ParametricGame,
    rule: PlayRule,
    sides: tuple[t.Formula, t.Formula],
    draws: DrawnStates,
    strategy: Sequence[Rule],
) -> Iterator[Obligation]:
    """The winner's rules, read first match, lead to losing states of a lower level."""
    winning, losing = sides
    yield from strategy_obligations(game, rule, winning, losing, strategy)
    earlier: list[t.Formula] = []
    for pair in strategy:
        terms = game.after(game.action(pair.act.action), dict(pair.act.arguments))
        for level, here, lower in draws.falls(terms):
            claim = f"where {pair.when}, {pair.act} leads from {level} to a lower one"
            yield _obligation(game, claim, winning, pair.when, *earlier, here, negation(lower))
        earlier.append(negation(pair.when))


def drawn_obligations(
    game: ParametricGame, losing: t.Formula, draws: DrawnStates
) -> Iterator[Obligation]:
    """No move from a drawn state wins, and the rules that keep the draw do keep it.

    They are read first match, and match in drawn states alone.
    """
    drawn = draws.drawn
    for action in game.actions:
        there = substitute(losing, game.after(action))
        claim = f"{action.name} never leads from a drawn state to a losing state"
        yield _obligation(game, claim, drawn, game.applicable(action), there)
    earlier: list[t.Formula] = []
    for pair in draws.keeping:
        claim = f"where {pair.when}, {pair.act} leads from a drawn state to a drawn state"
        keeps = conjunction((drawn, moves_to(game, pair.act, drawn)))
        yield _obligation(game, claim, pair.when, *earlier, negation(keeps))
        earlier.append(negation(pair.when))
    yield _obligation(game, "a rule keeps the draw in every drawn state", drawn, *earlier)
