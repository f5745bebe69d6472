"""The claims that make an answer right, as formulas without quantifiers.

With the strategy as witness, Definition 3.1 and the strategy constraints of Wu et al.
(AAMAS 2020) need no quantifier: effects are substituted, so there are no primed
variables, and "every move" is a free parameter.  An :class:`Obligation` is a conjunction
that must have no model; a model is a counterexample, read off at its variables.

A game is the sum of others if its states are theirs together, and its moves are theirs: an action
is one of one part, applies where it applies there, and changes that part as it does there and no
other.  Then the Grundy value is the xor of those of the parts (Sprague 1935, Grundy 1939).

Nothing here knows a solver: the same obligations are discharged by several and exported as
SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from icgsynth.errors import Refused
from icgsynth.game.game import Action, ParametricGame, PlayRule, without_blocking
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, free_names, negation, substitute

Ground: TypeAlias = Literal["movers", "end"]
"""What an obligation may rest on.

"movers": it says with certain moves that a state has a move; so a model may only mean that a move
is not among them.  "end": it is there because an end is declared.
"""


@dataclass(frozen=True, slots=True)
class Obligation:
    """A conjunction of ``parts`` that must be unsatisfiable, for one ``part`` of the proof."""

    part: str
    claim: str  # says in words what models refute
    names: tuple[str, ...]  # first state variables, then parameters: a model gives them values
    parts: tuple[t.Formula, ...]
    rests_on: frozenset[Ground] = frozenset()
    is_known: bool = False  # an answer says the part is proved, and nothing in it is guessed


def obligation(
    game: ParametricGame, part: str, claim: str, *parts: t.Formula, rests_on: Iterable[Ground] = ()
) -> Obligation:
    """Return the ``claim`` that no legal state, with any parameters, satisfies all ``parts``.

    ``part`` is the part of the answer it belongs to; ``rests_on`` names what it takes for granted.
    """
    extra = frozenset().union(*(free_names(p) for p in parts)) - set(game.variables)
    names = (*game.variables, *sorted(extra))
    return Obligation(part, claim, names, (game.legal, *parts), frozenset(rests_on))


def after(game: ParametricGame, formula: t.Formula, act: SemiGroundAction) -> t.Formula:
    """Return the formula that ``formula`` holds in the state after the move ``act`` of ``game``."""
    terms = game.after(game.action(act.action), dict(act.arguments))
    return substitute(formula, terms)


def fires(game: ParametricGame, act: SemiGroundAction) -> t.Formula:
    """Return the formula that ``act``, an action whose arguments are terms, applies."""
    return game.applicable(game.action(act.action), dict(act.arguments))


def moves_to(game: ParametricGame, act: SemiGroundAction, losing: t.Formula) -> t.Formula:
    """Return the formula that ``act`` applies and leads to a state where ``losing`` holds."""
    return conjunction((fires(game, act), after(game, losing, act)))


# --- the rules themselves ------------------------------------------------------


def closure(game: ParametricGame) -> Iterator[Obligation]:
    """Yield for each action the claim that it leads from no legal state to an illegal one."""
    for action in game.actions:
        leaves = negation(substitute(game.legal, game.after(action)))
        claim = f"{action.name} stays within the legal states"
        goes_on = negation(game.end)
        yield obligation(game, "closure", claim, goes_on, action.precondition, leaves)


def ending_has_no_move(game: ParametricGame) -> Iterator[Obligation]:
    """Yield the claims that no action leads from where a declared end holds to a legal state."""
    if game.end == t.FALSE:
        return
    for action in game.actions:
        moves = (action.precondition, substitute(game.legal, game.after(action)))
        claim = f"{action.name} does not apply where the game has ended"
        yield obligation(game, "ending", claim, game.end, *moves, rests_on=("end",))


def not_ended(game: ParametricGame, movers: Iterable[SemiGroundAction]) -> Iterator[Obligation]:
    """Yield the claim that one of ``movers`` applies where a declared end does not hold, if any."""
    if game.end == t.FALSE:
        return
    stuck = (negation(fires(game, act)) for act in movers)
    claim = "a state that has not ended has a move"
    grounds: tuple[Ground, ...] = ("movers", "end")
    yield obligation(game, "ending", claim, negation(game.end), *stuck, rests_on=grounds)


# --- play always ends ----------------------------------------------------------

_MEASURED = "icg.r"  # with a dot, so no name of a game


def ranking_of(solution: Solution) -> Iterator[Bounded]:
    """Yield the terms of the ranking that ``solution`` names, each with a lower bound."""
    return bound_components(solution.game, solution.ranking)


def bound_components(game: ParametricGame, ranking: Iterable[t.Term]) -> Iterator[Bounded]:
    """Yield the terms of ``ranking``, which decreases with each move, with their lower bounds.

    The bound is that of an interval around the component, computed from the rules.  Without one the
    guess is 0, where the search for a ranking starts as well."""
    for term in ranking:
        lowest = [_lowest(game, action, term) for action in game.actions]
        known = [low for low in lowest if low is not None]
        yield Bounded(term, min(known, default=0), is_sure=len(known) == len(lowest))


def _lowest(game: ParametricGame, action: Action, term: t.Term) -> int | None:
    """Return a lower bound, at most 0, of ``term`` where ``action`` applies; None if unknown."""
    from icgsynth.logic.ranges import ranges

    if not free_names(term):
        return 0  # nothing rests on it: such a term decreases along no move
    is_term = t.compare(t.Name(_MEASURED), "=", term)
    here = conjunction((game.legal, game.applicable(action), is_term))
    low, _ = ranges(here, (*game.variables, *action.parameters, _MEASURED), {})[_MEASURED]
    return min(0, low) if isinstance(low, int) else None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A component of the ranking, which is at least ``bound`` wherever there is a move."""

    term: t.Term
    bound: int
    is_sure: bool = True  # False where the bound was guessed


def termination(game: ParametricGame, ranking: Sequence[Bounded]) -> Iterator[Obligation]:
    """Yield the claims that each action decreases ``ranking``, whose components are bounded.

    A constant decreases only along actions that never apply, so that is claimed of each."""
    terms = tuple(component.term for component in ranking)
    shown = str(terms[0]) if len(terms) == 1 else f"({', '.join(map(str, terms))})"
    is_constant = not any(free_names(term) for term in terms)
    for action in game.actions if ranking else ():
        moved = game.after(action)
        if is_constant:
            yield for_moves(game, action, "termination", f"{action.name} never applies")
            continue
        claim = f"{action.name} decreases {shown}"
        yield for_moves(game, action, "termination", claim, _not_less(terms, moved))
        for i, component in enumerate(ranking):
            claim = f"{component.term} >= {component.bound} where {action.name} applies"
            if i:
                claim += f" and does not change {', '.join(map(str, terms[:i]))}"
            same = (t.compare(substitute(part, moved), "=", part) for part in terms[:i])
            below = t.compare(component.term, "<", component.bound)
            yield for_moves(game, action, "termination", claim, *same, below)


def _not_less(terms: Sequence[t.Term], moved: Mapping[str, t.Term]) -> t.Formula:
    """Return the formula that the tuple of ``terms`` is not lexicographically smaller after a move,
    which gives variables the values ``moved``."""
    smaller: t.Formula = t.FALSE
    for term in reversed(terms):
        there = substitute(term, moved)
        later = conjunction((t.compare(there, "=", term), smaller))
        smaller = disjunction((t.compare(there, "<", term), later))
    return negation(smaller)


def for_moves(
    game: ParametricGame, action: Action, part: str, claim: str, *parts: t.Formula
) -> Obligation:
    """Return the obligation ``claim``, for ``part`` of a proof: where ``action`` applies in a legal
    state, whatever its parameters, not all of ``parts`` hold."""
    names = (*game.variables, *action.parameters)
    return Obligation(part, claim, names, (game.legal, game.applicable(action), *parts))


# --- the winning formula -------------------------------------------------------


def winning_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """Yield claims: a state is either ``winning`` or ``losing``, and losing leads to no losing one.

    That a won state has a move to a lost one, item (2) of the definition, is left to the strategy.
    Under misère a state without a move wins, so a losing state must have one: ``movers`` are the
    semi-ground actions that show it.  Raises InputError for a blocking game."""
    without_blocking(game)
    neither = (negation(winning), negation(losing))
    yield obligation(game, "winning", "no state is both winning and losing", winning, losing)
    yield obligation(game, "winning", "each state is winning or losing", *neither)
    yield from end_obligations(game, rule, winning, losing, movers)
    for action in game.actions:
        there = substitute(losing, game.after(action))
        claim = f"{action.name} never leads from a losing state to a losing state"
        yield obligation(game, "winning", claim, losing, game.applicable(action), there)


def end_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    movers: Iterable[SemiGroundAction],
) -> Iterator[Obligation]:
    """Yield the claim of who wins at a declared end; under misère also that one of ``movers``
    applies in each losing state that has not ended."""
    word, here = ("losing", losing) if rule == "normal" else ("winning", winning)
    if game.end != t.FALSE:
        wrong = (game.end, negation(here))
        yield obligation(game, "winning", f"ending states are {word}", *wrong, rests_on=("end",))
    if rule == "misere":
        stuck = (negation(game.end), losing, *(negation(fires(game, act)) for act in movers))
        yield obligation(game, "winning", "a losing state has a move", *stuck, rests_on=("movers",))


# --- strategies ------------------------------------------------------------------


def strategy_obligations(
    game: ParametricGame,
    rule: PlayRule,
    winning: t.Formula,
    losing: t.Formula,
    strategy: Iterable[Rule],
) -> Iterator[Obligation]:
    """Yield the claims that each rule of ``strategy``, read first match, moves to ``losing``.

    Together the rules must cover ``winning``."""
    without_blocking(game)
    earlier: list[t.Formula] = []
    for pair in strategy:
        claim = f"where {pair.when}, {pair.act} applies and leads to a losing state"
        wins = moves_to(game, pair.act, losing)
        yield obligation(game, "strategy", claim, pair.when, *earlier, negation(wins))
        earlier.append(negation(pair.when))
    yield from _cover_obligations(game, rule, "strategy", winning, earlier)


def cell_obligations(
    game: ParametricGame, winning: t.Formula, cover: Sequence[t.Formula]
) -> Iterator[Obligation]:
    """Yield the claims that a legal state is ``winning`` iff a formula of ``cover`` holds there."""
    if not cover:
        return
    outside = map(negation, cover)
    yield obligation(game, "cover", "the cover has every winning state", winning, *outside)
    for cell in cover:
        yield obligation(game, "cover", f"the cell '{cell}' is winning", cell, negation(winning))


def existence_obligations(
    game: ParametricGame, rule: PlayRule, winning: t.Formula, losing: t.Formula
) -> Iterator[Obligation]:
    """Yield, quantified, the claim that a ``winning`` state has a move to a ``losing`` one.

    It is for answers without a strategy that shows it.  Under misère a state without a move is left
    out."""
    hopeless = [_never_wins(game, action, losing) for action in game.actions]
    claim = "a winning state has a move to a losing state"
    if rule == "normal":
        yield obligation(game, "winning", claim, winning, *hopeless)
        return
    # Under misère a winning state without a move is won already.
    for action in game.actions:
        where = f"{claim}, where {action.name} applies"
        yield obligation(game, "winning", where, game.applicable(action), winning, *hopeless)


def _never_wins(game: ParametricGame, action: Action, losing: t.Formula) -> t.Formula:
    """Return the formula that no move by ``action`` leads to a ``losing`` state."""
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
    """Yield the claims that ``tree`` moves from each ``winning`` state to a ``losing`` one.

    The first rule decides whose condition holds *and* whose action applies (fast and frugal)."""
    earlier: list[t.Formula] = [winning]
    for pair in tree:
        here = conjunction((pair.when, fires(game, pair.act)))
        claim = f"the rule '{pair}', where it is the first to apply, leads to a losing state"
        wrong = negation(after(game, losing, pair.act))
        yield obligation(game, "fft", claim, *earlier, here, wrong)
        earlier.append(negation(here))
    yield from _cover_obligations(game, rule, "fft", winning, earlier[1:])


def _cover_obligations(
    game: ParametricGame, rule: PlayRule, part: str, winning: t.Formula, outside: list[t.Formula]
) -> Iterator[Obligation]:
    claim = f"the {'tree' if part == 'fft' else part} covers every winning state"
    if rule == "normal":
        yield obligation(game, part, claim, winning, *outside)
        return
    # Under misère a winning state without a move is won already: outside the strategy.
    for action in game.actions:
        where = f"{claim} where {action.name} applies"
        yield obligation(game, part, where, winning, *outside, game.applicable(action))


def sum_obligations(game: ParametricGame, parts: Sequence[ParametricGame]) -> Iterator[Obligation]:
    """Yield the claims that ``game`` is the sum of ``parts``, whose variables have distinct names.

    :class:`~icgsynth.errors.Refused` where the parts have not each variable and action once."""
    variables = [name for part in parts for name in part.variables]
    actions = [action.name for part in parts for action in part.actions]
    if sorted(variables) != sorted(game.variables):
        raise Refused(f"the parts of {game.name} do not have each of its variables once")
    if sorted(actions) != sorted(action.name for action in game.actions):
        raise Refused(f"the parts of {game.name} do not have each of its actions once")
    whole = conjunction(part.legal for part in parts)
    yield obligation(game, "sum", "a legal state is one of each part", negation(whole))
    claim = "states of all parts together are a legal state"
    yield Obligation("sum", claim, game.variables, (whole, negation(game.legal)))
    for part in parts:
        for action in part.actions:
            yield from _of_action(game, part, action)


def _of_action(game: ParametricGame, part: ParametricGame, there: Action) -> Iterator[Obligation]:
    """Yield the claims that the action of ``game`` with the name of ``there`` applies where
    ``there`` applies in ``part``, and changes what that changes; Refused for other parameters."""
    here = game.action(there.name)
    if here.parameters != there.parameters:
        raise Refused(f"{there.name} has other parameters in {part.name}")
    applies, inside = game.applicable(here), part.applicable(there)
    claim = f"{here.name} applies in {part.name} where it applies"
    yield obligation(game, "sum", claim, applies, negation(inside))
    claim = f"{here.name} applies where it applies in {part.name}"
    yield obligation(game, "sum", claim, inside, negation(applies))
    after, unchanged = game.after(here), {v: t.Name(v) for v in game.variables}
    meant = unchanged | dict(part.after(there))
    differs = disjunction(t.compare(after[v], "!=", meant[v]) for v in game.variables)
    claim = f"{here.name} changes what it changes in {part.name}"
    yield obligation(game, "sum", claim, applies, differs)
