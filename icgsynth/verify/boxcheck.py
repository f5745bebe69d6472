"""The answer against explicit play on a box, by code that shares nothing with the prover.

Labels come from backward induction over the rules; the formulas and the strategy are
evaluated state by state.  A disagreement means that something is wrong with this program,
and nothing is claimed then.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from icgsynth.evaluate import columns
from icgsynth.game import ParametricGame
from icgsynth.solution import BoxCheck, Solution
from icgsynth.solve.labels import LOSING, Labels
from icgsynth.strategy import Rule
from icgsynth.term import Formula

__all__ = ["check_on_box"]


def check_on_box(solution: Solution, labels: Labels, bound: int) -> BoxCheck:
    """Count the states of the box whose label, strategy move or tree move disagrees."""
    assert solution.winning is not None and solution.losing is not None
    game, states, known = solution.game, labels.states, labels.known
    wins = _holds(game, solution.winning.formula, states)
    loses = _holds(game, solution.losing.formula, states)
    lost = labels.outcome == LOSING
    wrong = known & ((wins == lost) | (loses != lost))
    must_move = known & ~lost
    if solution.rule == "misere":
        must_move &= ~labels.ending
    for rules, needs_applying in ((solution.strategy, False), (solution.tree, True)):
        if rules:
            good = _moves_well(game, rules, labels, solution.losing.formula, needs_applying)
            wrong |= must_move & ~good
    return BoxCheck(bound, int(known.sum()), int(wrong.sum()))


def _holds(game: ParametricGame, formula: Formula, states: NDArray[np.int64]) -> NDArray[np.bool_]:
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    return np.array(np.broadcast_to(columns(formula, env), (len(states),)))


def _moves_well(
    game: ParametricGame,
    rules: Sequence[Rule],
    labels: Labels,
    losing: Formula,
    needs_applying: bool,
) -> NDArray[np.bool_]:
    """Where the first matching rule makes a legal move to a state labelled losing.

    With ``needs_applying`` a rule matches only where its action applies (a tree's reading).
    Where the result has no label, outside the box say, the formula stands in for it.
    """
    states = labels.states
    good = np.zeros(len(states), bool)
    decided = np.zeros(len(states), bool)
    for rule in rules:
        matches = _holds(game, rule.when, states) & ~decided
        rows = np.flatnonzero(matches)
        if not len(rows):
            continue
        applies, wins = _outcome(game, rule, states[rows], labels, losing)
        if needs_applying:
            rows, wins = rows[applies], wins[applies]
        decided[rows] = True
        good[rows] = wins
    return good


def _outcome(
    game: ParametricGame,
    rule: Rule,
    states: NDArray[np.int64],
    labels: Labels,
    losing: Formula,
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether the rule's move applies, and whether it leads to a losing state."""
    shape = (len(states),)
    env = {v: states[:, i] for i, v in enumerate(game.variables)}
    move = {name: np.broadcast_to(columns(term, env), shape) for name, term in rule.act.arguments}
    action = game.action(rule.act.action)
    full = env | move
    effects = dict(action.effects)
    after = [
        np.broadcast_to(columns(effects[v], full), shape) if v in effects else env[v]
        for v in game.variables
    ]
    there = dict(zip(game.variables, after, strict=True))
    applies = (
        ~np.broadcast_to(columns(game.end, env), shape)
        & columns(action.precondition, full)
        & columns(game.legal, there)
    )
    rows = labels.box.rows(after)
    labelled = (rows >= 0) & labels.known[rows]
    lost = np.where(labelled, labels.outcome[rows] == LOSING, columns(losing, there))
    return applies, applies & lost
