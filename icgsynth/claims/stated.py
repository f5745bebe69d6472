"""The whole proof of a solution: every obligation, by the part that it belongs to.

The parts are those of ``icgsynth verify``.  A solution file leaves out some of what the proof
names: moves that show that a state has one, and how far down the ranking goes.  Who has them
gives them; otherwise they are guessed, and an obligation that rests on a guess says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from icgsynth.claims.game import (
    Bounded,
    Obligation,
    cell_obligations,
    closure,
    ending_has_no_move,
    existence_obligations,
    not_ended,
    ranking_of,
    strategy_obligations,
    termination,
    tree_obligations,
    winning_obligations,
)
from icgsynth.game.answers import Verdict
from icgsynth.game.game import ParametricGame, without_blocking
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, SemiGroundAction
from icgsynth.logic import term as t

if TYPE_CHECKING:
    from icgsynth.game.drawn import DrawnStates

_SMALL = (0, 1, 2, 3)  # numbers tried as arguments of moves
_GUESSES = 400  # choices of arguments tried of one action


def state_claims(
    solution: Solution,
    movers: Iterable[SemiGroundAction] | None = None,
    ranking: Sequence[Bounded] | None = None,
    existence: bool | None = None,
) -> Iterator[Obligation]:
    """Yield every obligation of ``solution``, which is right if none of them has a model.

    ``ranking`` has the components that decrease, by default those that the solution names, with
    bounds from the rules; ``movers`` are semi-ground actions one of which applies in each legal
    state that has not ended (for misère play, and where an end is declared).  ``existence`` adds
    that a winning state has *some* winning move, with quantifiers; by default where neither a
    strategy nor a tree names one.  If it is False, the strategy names one wherever one is needed,
    even a strategy without rules.

    :class:`~icgsynth.errors.Refused` without a formula,
    :class:`~icgsynth.errors.InputError` where the answer is beyond linear arithmetic."""
    solution.refuse_digits("an SMT solver")
    acts = tuple(_guess_moves(solution) if movers is None else movers)
    if solution.draws is not None:
        ranking = ()
        listed = _with_draws(solution, solution.draws, acts)
    else:
        ranking = tuple(ranking_of(solution) if ranking is None else ranking)
        listed = _with_an_end(solution, acts, ranking, existence)
    has_bounds = all(component.is_sure for component in ranking)
    for each in listed:
        is_sure = movers is not None or "movers" not in each.rests_on
        is_sure = has_bounds if each.part == "termination" else is_sure
        yield replace(each, is_known=is_sure and _is_proved(solution, each.part))


def _with_an_end(
    solution: Solution,
    acts: Sequence[SemiGroundAction],
    ranking: Sequence[Bounded],
    existence: bool | None,
) -> Iterator[Obligation]:
    """Yield the obligations of an answer by whose ``ranking`` play ends, as :func:`state_claims`
    does; one of ``acts`` applies in each state that has not ended."""
    winning, losing = solution.sides()
    game, rule, pairs = solution.game, solution.rule, _pairs(solution)
    yield from of_the_rules(game, acts, ranking)
    yield from winning_obligations(game, rule, winning, losing, acts)
    if existence or (existence is None and not (solution.strategy or solution.tree)):
        yield from existence_obligations(game, rule, winning, losing)
    if pairs or existence is False:
        yield from strategy_obligations(game, rule, winning, losing, pairs)
    if solution.tree:
        yield from tree_obligations(game, rule, winning, losing, solution.tree)
    yield from cell_obligations(game, winning, solution.cover)


def _with_draws(
    solution: Solution, draws: DrawnStates, acts: Sequence[SemiGroundAction]
) -> Iterator[Obligation]:
    """Yield the obligations of an answer with ``draws``, whose play may never end; one of ``acts``
    applies in each state that has not ended."""
    from icgsynth.claims import endless_play as endless

    game, rule = without_blocking(solution.game), solution.rule
    sides = solution.three_sides()[:2]
    yield from of_the_rules(game, acts, ())
    yield from endless.split_obligations(game, rule, sides, draws, acts)
    yield from endless.winner_obligations(game, rule, sides, draws, _pairs(solution))
    yield from endless.drawn_obligations(game, sides[1], draws)
    yield from cell_obligations(game, sides[0], solution.cover)


def of_the_rules(
    game: ParametricGame, acts: Sequence[SemiGroundAction], ranking: Sequence[Bounded]
) -> Iterator[Obligation]:
    """Yield the claims on rules alone: moves stay legal, ``acts`` show that only declared ends have
    no move, and each move decreases ``ranking``."""
    yield from closure(game)
    yield from ending_has_no_move(game)
    yield from not_ended(game, acts)
    yield from termination(game, ranking)


def _is_proved(solution: Solution, part: str) -> bool:
    """Return whether ``solution`` says that ``part`` is proved: "cover" with "winning", "fft" with
    "strategy"."""
    key = {"fft": "strategy", "cover": "winning"}.get(part, part)
    return solution.proof.get(key) == Verdict.PROVED


def _guess_moves(solution: Solution) -> Iterator[SemiGroundAction]:
    """Yield actions with terms as arguments, one of which may apply where a move exists: those of
    the strategy, then those with small numbers and variables."""
    seen = dict.fromkeys(pair.act for pair in (*_pairs(solution), *solution.tree))
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


def _pairs(solution: Solution) -> tuple[Rule, ...]:
    return tuple(rule for rule in solution.strategy if isinstance(rule, Rule))
