"""A game of few legal states: all of them are played out, and an answer is compared with that.

This proves what no decider does where rules speak of primes, or divide by unknowns.  The second
opinion, :func:`~icgsynth.prove.recheck.far.check_all`, goes through all states and moves as well,
by other code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.arrays import distinct
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.explicit.box import ALL_STATES, Box, Flags
from icgsynth.explicit.labels import LOSING, Labels, label, listed_moves
from icgsynth.game.answers import NO_STRATEGY, PROVED, Finding, Verdict
from icgsynth.game.game import ParametricGame, PlayRule, State
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule
from icgsynth.logic import term as t
from icgsynth.logic.build import disjunction
from icgsynth.logic.evaluate import columns, on_states
from icgsynth.logic.ranges import sides_of
from icgsynth.prove.boxcheck import moves_well, must_move, wrong_parts

NAMES = ("play from every state", "play in plain Python")
_HUNDREDS = 2_000  # states that a table lists: two numbers up to 40 have 1,681


def few_states(legal: t.Formula, variables: tuple[str, ...]) -> Box | None:
    """Return all ``legal`` states of ``variables`` as a box; None where they are many, or none."""
    sides = sides_of(legal, variables)
    box = Box(variables, tuple(filter(None, sides)), legal)
    return None if None in sides or not 0 < box.cells <= ALL_STATES.states else box


def box_or_all(game: ParametricGame, bound: int) -> Box:
    """Return the legal states up to ``bound``, or all of them if those are farther out and few."""
    box = Box.of(game, bound)
    return box if box.cells else few_states(game.legal, game.variables) or box


def every_label(game: ParametricGame, rule: PlayRule) -> Labels | None:
    """The labels of all legal states; None where these, or their moves, are not few."""
    labels = labels_of_all(game, rule)
    return labels if labels is not None and labels.known.all() else None


@lru_cache(maxsize=8)
def labels_of_all(game: ParametricGame, rule: PlayRule) -> Labels | None:
    """The labels of all legal states, some of which may be unknown; None where they are not few."""
    if game.block or game.is_quantified or (box := few_states(game.legal, game.variables)) is None:
        return None
    most, budget = ALL_STATES.moves, Budget(ALL_STATES.seconds)
    try:
        return label(game, box, rule, max_cells=most, budget=budget)
    except (Refused, BudgetSpent):
        return None


@lru_cache(maxsize=8)
def outcomes_everywhere(game: ParametricGame, rule: PlayRule) -> Mapping[State, int] | None:
    """1 where the player to move wins, -1 where it loses, 0 where nobody does, of all legal states.

    Played out twice, by columns and in plain Python.  None where they are more than some hundreds,
    or their moves cannot be listed.
    """
    again = labels_of_all(game, rule)
    if again is None or len(again.states) > _HUNDREDS:
        return None
    from icgsynth.prove.recheck.played_members import outcomes

    states = list(map(tuple, again.states.tolist()))
    try:
        found = outcomes(game, rule, states, Budget(ALL_STATES.seconds))
    except (Refused, BudgetSpent):
        return None
    first = np.array([found[state] for state in states])
    differs = ((first < 0) != (again.outcome == LOSING)) | ((first != 0) != again.known)
    return None if differs.any() else {state: found[state] for state in states}


def judge_everywhere(solution: Solution) -> Mapping[str, Finding] | None:
    """Each part that ``solution`` states, proved or refuted; None where states are not few."""
    is_plain = all(isinstance(rule, Rule) for rule in solution.strategy)
    if solution.draws is not None or not is_plain:
        return None
    labels = every_label(solution.game, solution.rule)
    if labels is None:
        return None
    wrong = wrong_parts(solution, labels)
    if solution.cover:
        covered = on_states(disjunction(solution.cover), solution.game.variables, labels.states)
        wrong["cover"] = covered == (labels.outcome == LOSING)
    found = {part: _finding(labels.box, rows) for part, rows in wrong.items()}
    if not solution.strategy and not found["strategy"].is_proved:
        found["strategy"] = NO_STRATEGY
    return found


def losing_everywhere(game: ParametricGame, rule: PlayRule, losing: t.Formula) -> Finding | None:
    """Find whether exactly the states of the formula are lost; None where states are not few."""
    if (labels := every_label(game, rule)) is None:
        return None
    said = on_states(losing, game.variables, labels.states)
    return _finding(labels.box, said != (labels.outcome == LOSING))


def rules_everywhere(
    game: ParametricGame, rule: PlayRule, rules: Sequence[Rule], is_tree: bool
) -> Finding | None:
    """Return whether ``rules`` win wherever a move does; None where states are not few.

    The first rule decides that matches; with ``is_tree`` its move must apply as well.
    """
    if (labels := every_label(game, rule)) is None:
        return None
    good = moves_well(game, rules, labels, t.FALSE, is_tree)
    return _finding(labels.box, must_move(labels, rule) & ~good)


def values_everywhere(game: ParametricGame, value: t.Term) -> Finding | None:
    """That ``value`` is the Grundy value of each state, where play always ends; None where states
    or moves are not few."""
    box = few_states(game.legal, game.variables)
    if box is None or game.block or game.is_quantified:
        return None
    try:
        edges, barred = listed_moves(game, box, ALL_STATES.moves, Budget(ALL_STATES.seconds))
    except (Refused, BudgetSpent):
        return None
    said = np.broadcast_to(columns(value, box.columns()), (box.size,))
    if barred.any() or said.dtype == object:
        return None
    met, before = said[edges.target], said[edges.source]
    wrong = said < 0
    wrong[edges.source[met == before]] = True
    # How many different smaller values the moves of each state lead to.
    lower, width = (met < before) & (met >= 0), int(said.max()) + 1
    pairs = distinct(edges.source[lower].astype(np.int64) * width + met[lower])
    return _finding(box, wrong | (np.bincount(pairs // width, minlength=box.size) != said))


def _finding(box: Box, wrong: Flags) -> Finding:
    rows = np.flatnonzero(wrong)
    if not len(rows):
        return PROVED
    state = map(int, box.states[rows[0]])
    witness = dict(zip(box.variables, state, strict=True))
    return Finding(Verdict.REFUTED, "play from every state says otherwise", witness)
