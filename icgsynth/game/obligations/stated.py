"""The whole proof of a solution: every obligation, by the part that it belongs to.

The parts are those of ``icgsynth verify``.  A solution file leaves out some of what the proof
names: moves that show that a state has one, and how far down the ranking goes.  Who has them
gives them; otherwise they are guessed, and an obligation that rests on a guess says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import ParametricGame, PlayRule, without_blocking
from icgsynth.game.obligations.endless_play import (
    drawn_obligations,
    split_obligations,
    winner_obligations,
)
from icgsynth.game.obligations.game import (
    Obligation,
    cell_obligations,
    closure,
    ending_has_no_move,
    fires,
    never_wins,
    strategy_obligations,
    tree_obligations,
    winning_obligations,
)
from icgsynth.game.obligations.termination import (
    Bounded,
    for_moves,
    ranking_of,
    termination,
)
from icgsynth.game.solution import Solution, Verdict
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t
from icgsynth.logic.build import negation

# The claims that name moves: without a model means proved, but a model may only mean that a
# move is not among them.
_BY_MOVERS = ("a losing state has a move", "a state that has not ended has a move")
_SMALL = (0, 1, 2, 3)
_GUESSES = 400


@dataclass(frozen=True, slots=True)
class Stated:
    """An obligation, and the part of the proof that falls with it.

    ``is_known``: the solution says that the part is proved, and nothing is guessed.
    ``by_movers``: a model may only mean that a move is not among those tried.
    """

    part: str
    obligation: Obligation
    is_known: bool
    by_movers: bool


def stated(
    solution: Solution,
    movers: Iterable[SemiGroundAction] | None = None,
    ranking: Sequence[Bounded] | None = None,
    existence: bool | None = None,
) -> Iterator[Stated]:
    """Every obligation.  If none of them has a model, all that ``solution`` says is right.

    ``ranking`` has the components that decrease, by default those that the solution names, with
    bounds from the rules; ``movers`` are semi-ground actions one of which applies in each legal
    state that has not ended (for misère play, and where an end is declared).  ``existence`` adds
    that a winning state has *some* winning move, with quantifiers; by default where neither a
    strategy nor a tree names one.

    :class:`~icgsynth.errors.Refused` without a formula,
    :class:`~icgsynth.errors.InputError` where the answer is beyond linear arithmetic.
    """
    if solution.draws is not None:
        yield from _with_draws(solution, solution.draws, movers)
        return
    winning, losing = solution.sides()
    solution.refuse_digits("an SMT solver")
    ranking = tuple(ranking_of(solution) if ranking is None else ranking)
    game, rule = solution.game, solution.rule
    acts = tuple(_guessed(solution) if movers is None else movers)
    if existence is None:
        existence = not (solution.strategy or solution.tree)
    for part, obligation in (
        *of_the_rules(game, acts, ranking),
        *_of("winning", winning_obligations(game, rule, winning, losing, acts)),
        *_of("winning", _existence(game, rule, winning, losing) if existence else ()),
        *_of("strategy", _strategy(solution, winning, losing)),
        *_of("fft", _tree(solution, winning, losing)),
        *_of("cover", cell_obligations(game, winning, solution.cover)),
    ):
        by_movers = obligation.claim in _BY_MOVERS
        sure = (
            all(component.is_sure for component in ranking)
            if part == "termination"
            else movers is not None or not by_movers
        )
        yield Stated(part, obligation, sure and _is_proved(solution, part), by_movers)


def _with_draws(
    solution: Solution, draws: DrawnStates, movers: Iterable[SemiGroundAction] | None
) -> Iterator[Stated]:
    """The same where play may never end: nothing rests on a ranking of all moves."""
    solution.refuse_digits("an SMT solver")
    game, rule = without_blocking(solution.game), solution.rule
    sides = solution.three_sides()[:2]
    acts = tuple(_guessed(solution) if movers is None else movers)
    for part, obligation in (
        *(found for found in of_the_rules(game, acts, ()) if found[0] != "termination"),
        *_of("winning", split_obligations(game, rule, sides, draws, acts)),
        *_of("strategy", winner_obligations(game, rule, sides, draws, _pairs(solution))),
        *_of("drawn", drawn_obligations(game, sides[1], draws)),
        *_of("cover", cell_obligations(game, sides[0], solution.cover)),
    ):
        by_movers = obligation.claim in _BY_MOVERS
        sure = movers is not None or not by_movers
        yield Stated(part, obligation, sure and _is_proved(solution, part), by_movers)


def of_the_rules(
    game: ParametricGame, acts: Sequence[SemiGroundAction], ranking: Sequence[Bounded]
) -> Iterator[tuple[str, Obligation]]:
    """What is said of the rules alone: closure, ending and termination."""
    yield from _of("closure", closure(game))
    yield from _of("ending", ending_has_no_move(game))
    yield from _of("ending", _not_ended(game, acts))
    yield from _of("termination", termination(game, ranking))


def _of(part: str, obligations: Iterable[Obligation]) -> Iterator[tuple[str, Obligation]]:
    return ((part, obligation) for obligation in obligations)


def _is_proved(solution: Solution, part: str) -> bool:
    """Whether the solution calls the part proved; a file has no word for trees and covers."""
    key = {"fft": "strategy", "cover": "winning"}.get(part, part)
    return solution.proof.get(key) == Verdict.PROVED


# --- a move wherever play has not ended --------------------------------------------------


def _not_ended(game: ParametricGame, acts: Sequence[SemiGroundAction]) -> Iterator[Obligation]:
    if game.end == t.FALSE:
        return
    stuck = (negation(fires(game, act)) for act in acts)
    yield _states(game, _BY_MOVERS[1], negation(game.end), *stuck)


def _guessed(solution: Solution) -> Iterator[SemiGroundAction]:
    """Moves of the strategy, then each action with small integers and variables."""
    seen: dict[SemiGroundAction, None] = {}
    for pair in (*_pairs(solution), *solution.tree):
        seen[pair.act] = None
    yield from seen
    game = solution.game
    terms: list[t.Term] = [*map(t.Int, _SMALL), *map(t.Name, game.variables)]
    for action in game.actions:
        count = len(action.parameters)
        choices = terms if len(terms) ** count <= _GUESSES else terms[:1]
        for chosen in product(choices, repeat=count):
            act = SemiGroundAction(action.name, tuple(zip(action.parameters, chosen, strict=True)))
            if act not in seen:
                yield act


# --- the answer ----------------------------------------------------------------------------


def _existence(
    game: ParametricGame, rule: PlayRule, winning: t.Formula, losing: t.Formula
) -> Iterator[Obligation]:
    """Item (2) of Definition 3.1 (Wu et al., AAMAS 2020), where no strategy is its witness."""
    hopeless = [never_wins(game, action, losing) for action in game.actions]
    if rule == "normal":
        yield _states(game, "a winning state has a move to a losing state", winning, *hopeless)
        return
    # Under misère a winning state without a move is won already.
    for action in game.actions:
        claim = f"a winning state where {action.name} applies has a move to a losing state"
        yield for_moves(game, action, claim, winning, *hopeless)


def _strategy(solution: Solution, winning: t.Formula, losing: t.Formula) -> Iterable[Obligation]:
    if not (pairs := _pairs(solution)):
        return ()
    return strategy_obligations(solution.game, solution.rule, winning, losing, pairs)


def _pairs(solution: Solution) -> tuple[Rule, ...]:
    return tuple(rule for rule in solution.strategy if isinstance(rule, Rule))


def _tree(solution: Solution, winning: t.Formula, losing: t.Formula) -> Iterable[Obligation]:
    if not solution.tree:
        return ()
    return tree_obligations(solution.game, solution.rule, winning, losing, solution.tree)


def _states(game: ParametricGame, claim: str, *parts: t.Formula) -> Obligation:
    """A claim about all legal states."""
    return Obligation(claim, game.variables, (game.legal, *parts))
