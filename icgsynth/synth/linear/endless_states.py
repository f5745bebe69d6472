"""The states of a game that may never end: won, lost or drawn, and in how many moves.

labels of a box, by retrograde analysis -> formulas for the three kinds and for the levels.  A label
"won" or "lost" is a fact.  What is neither is drawn for certain only where no move leads out of the
box; elsewhere that it is drawn is a guess, and the proof decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.digits.int64 import spoken_count
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.explicit.box import DRAWS
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, listed_moves, outcomes
from icgsynth.explicit.retrograde import Edges, settle
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Claim
from icgsynth.game.strategy import Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, reading
from icgsynth.logic.evaluate import on_states
from icgsynth.synth.checked import CheckedRules, Run, box_within, free
from icgsynth.synth.linear.finish import claim_shortly
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.literals import linear_term
from icgsynth.synth.linear.polish import Legal
from icgsynth.synth.linear.stages import learner_of

_WIDE = 8  # half of the width of a box from which formulas of two levels are looked for as well
_MANY = 4  # variables without bounds, with which boxes are small
_LEVELS = 16  # the most moves for which each level gets a formula
_MOST_LEVELS = 32  # the same where no move leads out of the box, so that these are all
_FACTORS = (0, 1, 2, 3, -1)  # of the variables in a term that falls with each move
_REWORDING = 0.1  # of what is left, for a smaller formula of one kind of states
_FIRST = 3  # of the formulas that a learner offers, the shortest is taken


@dataclass(frozen=True, eq=False)
class RankedStates:
    """The states (n, d) of a box: ``kind`` (n,), and ``rank`` (n,), the moves to the end.

    The rank is -1 where a state is neither won nor lost.  ``is_closed``: no move leads out of the
    box, so a state that is neither is drawn for certain.  In the states ``ended`` play is over.
    ``falling`` is a term that gets smaller with each move of play that is won and lost; it is
    looked for where there are many ranks.
    """

    checked: CheckedRules
    bound: int
    states: Ints
    kind: NDArray[np.int8]
    rank: NDArray[np.int32]
    is_closed: bool
    ended: t.Formula
    falling: t.Term | None = None

    @property
    def has_few_levels(self) -> bool:
        """Whether each level may get a formula of its own."""
        return int(self.rank.max(initial=0)) < (_MOST_LEVELS if self.is_closed else _LEVELS)

    @property
    def known(self) -> Flags:
        """Rows (n,) of states that are won or lost."""
        return self.rank >= 0

    @property
    def inner(self) -> Flags:
        """Rows (n,) that formulas are learned from: near the border a guess is a bad one."""
        near = np.abs(self.states[:, free(self.checked.game)]) <= self.bound
        return np.asarray(near.all(axis=1) | self.is_closed)


# --- labels ------------------------------------------------------------------------------------


def ranked_states(
    checked: CheckedRules, ended: t.Formula, bound: int, run: Run
) -> RankedStates | None:
    run.progress(f"labelling the states up to {2 * bound}")
    game = checked.game
    try:
        with run.measure("label"):
            box = box_within(game, 2 * bound)
            if box.cells > DRAWS.states:
                raise Refused(f"{spoken_count(box.cells)} states are too many to label")
            edges, barred = listed_moves(game, box, DRAWS.moves, run.budget)
            over = on_states(ended, game.variables, box.states)
            value = np.where(over, 1 if run.rule == "misere" else -1, 0).astype(np.int8)
            rank = np.where(over, 0, -1).astype(np.int32)
            settle(edges, value, rank, open_ended=barred, budget=run.budget)
            kind = outcomes(value)
    except Refused as refused:
        run.notes.append(f"box {2 * bound}: {refused}")
        return None
    found = RankedStates(checked, bound, box.states, kind, rank, not barred.any(), ended)
    return (
        found
        if found.has_few_levels
        else replace(found, falling=_falling(found, edges, run.budget))
    )


def _falling(ranked: RankedStates, edges: Edges, budget: Budget) -> t.Term | None:
    """A linear term, at least 0, that falls where a lost state is left and where one is reached."""
    # Each move from a lost state lowers it, and of each won state one to a lost state; the states
    # are those of the box.
    kind, known, names = ranked.kind, ranked.known, ranked.checked.game.variables
    if len(names) > _MANY or not known.any():
        return None
    leaves = kind[edges.source] == LOSING
    reaches = (kind[edges.source] == WINNING) & (kind[edges.target] == LOSING)
    must = np.zeros(len(kind), bool)
    must[edges.source[reaches]] = True
    for factors in sorted(product(_FACTORS, repeat=len(names)), key=lambda f: sum(map(abs, f))):
        budget.check()
        value = ranked.states @ np.array(factors)
        falls = value[edges.target] < value[edges.source]
        done = np.zeros(len(kind), bool)
        done[edges.source[reaches & falls]] = True
        if falls[leaves].all() and not (must & ~done).any():
            return linear_term(factors, names, max(0, -int(value[known].min())))
    return None


# --- formulas ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ThreeKinds:
    """The three kinds of states, and the levels of those that are won or lost."""

    winning: Claim
    losing: Claim
    draws: DrawnStates

    @property
    def both(self) -> tuple[t.Formula, t.Formula]:
        return self.winning.formula, self.losing.formula


def three_kinds(ranked: RankedStates, run: Run) -> ThreeKinds | None:
    """Guesses that agree with the labels; None where too few formulas are found.

    Two of the three are enough, for the third kind are all other states.
    """
    everything = np.ones(len(ranked.states), bool)
    kinds = (LOSING, UNKNOWN, WINNING)
    asked = {kind: _question(ranked, ranked.kind == kind, everything, run) for kind in kinds}
    found: dict[int, t.Formula] = {}
    for offered in (_Question.cheap, _Question.costly):
        for kind, question in asked.items():
            if kind in found or (offered is _Question.costly and len(found) > 1):
                continue
            formula = question.first(offered(question))
            if formula is not None:
                found[kind] = formula
    if len(found) < 2:
        return None
    for kind in kinds:
        if kind not in found:
            found[kind] = negation(disjunction(list(found.values())))
    levels = _levels(ranked, found[UNKNOWN], run) if ranked.has_few_levels else ()
    if levels is None:
        return None
    lost, drawn, won = (_reworded(asked[kind], found[kind], t.TRUE, run) for kind in kinds)
    rank = None if levels else ranked.falling
    told = (drawn.minimal, drawn.constants_up_to)
    draws = DrawnStates(drawn.formula, levels, Strategy(), rank, *told)
    return ThreeKinds(won, lost, draws)


def _levels(ranked: RankedStates, drawn: t.Formula, run: Run) -> tuple[t.Formula, ...] | None:
    """The states won or lost in at most 0, 1, 2, .. moves; the last level takes all the others."""
    levels: list[t.Formula] = []
    rank, known = ranked.rank, ranked.known
    everything = np.ones(len(rank), bool)
    for level in range(int(rank.max(initial=0))):
        within = known & (rank <= level)
        asked = [_question(ranked, within, rows, run) for rows in (known, everything)]
        tried = (
            (question, question.first(offered(question)))
            for offered in (_Question.cheap, _Question.costly)
            for question in asked
        )
        found = next(((q, formula) for q, formula in tried if formula is not None), None)
        if found is None:
            return None
        levels.append(_reworded(*found, negation(drawn), run).formula)
    return (*levels, t.TRUE)


@dataclass(frozen=True, eq=False)
class _Question:
    """Which formula tells a set of states of a box apart?

    The ``learner`` sees the inner states; ``facts`` are those that are won or lost for certain.
    """

    ranked: RankedStates
    learner: FormulaLearner
    facts: Examples

    @property
    def game(self) -> ParametricGame:
        return self.ranked.checked.game

    def cheap(self) -> Iterator[t.Formula]:
        """Yield short formulas, then those over a quotient, then that of the ended states."""
        yield from self.learner.candidates()
        if not len(self.learner.examples.mismatches(self.ranked.ended)):
            yield self.ranked.ended

    def costly(self) -> Iterator[t.Formula]:
        """A formula of two levels; from a small box only where there are many variables."""
        if self.ranked.bound >= _WIDE or len(free(self.game)) >= _MANY:
            yield from self.learner.costly()

    def first(self, offered: Iterator[t.Formula]) -> t.Formula | None:
        """The one with least to read of the first few that agree with all that is certain."""
        right = (formula for formula in offered if not len(self.facts.mismatches(formula)))
        return min(islice(right, _FIRST), key=reading, default=None)


def _question(ranked: RankedStates, target: Flags, rows: Flags, run: Run) -> _Question:
    """``target`` (n,) is to be told apart among the ``rows`` (n,)."""
    game = ranked.checked.game

    def examples(kept: Flags) -> Examples:
        return Examples(game.variables, ranked.states[kept], target[kept])

    inner = examples(rows & ranked.inner)
    return _Question(ranked, learner_of(game, inner, inner, run), examples(rows & ranked.known))


def _reworded(question: _Question, formula: t.Formula, where: t.Formula, run: Run) -> Claim:
    """The smallest equivalent that the enumeration reaches, for the legal states ``where``."""
    game, learner, states = question.game, question.learner, question.ranked.states
    asked = replace(game, legal=conjunction((game.legal, where)))
    here = states[on_states(where, game.variables, states)]
    legal = Legal(asked, here, run.budget.share(_REWORDING))
    if len(learner.examples.mismatches(formula)):
        return replace(claim_shortly(legal, formula, learner), minimal=False)
    with suppress(BudgetSpent, OutOfReach):
        equal = (other for other in learner.smaller(formula) if legal.are_equal(formula, other))
        formula = next(equal, formula)
    return claim_shortly(legal, formula, learner)
