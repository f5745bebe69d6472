"""Solve games in which play may never end: formulas of winning, losing and drawn states.

The stages are formulas for the labelled states of a box, then rules that win and rules that keep a
draw, then a proof.  The level of a state is the number of moves in which it is won or lost at most.

A label "won" or "lost", by retrograde analysis of a box, is certain.  Other states are surely drawn
only where no move leads out of the box; elsewhere "drawn" is a guess, and the proof decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from icgsynth.budget import Budget
from icgsynth.claims.endless_play import split_obligations, winner_obligations
from icgsynth.digits.arrays import Flags, Ints
from icgsynth.errors import BudgetSpent, OutOfReach, Refused
from icgsynth.explicit.box import DRAWS
from icgsynth.explicit.labels import LOSING, UNKNOWN, WINNING, listed_moves, outcomes
from icgsynth.explicit.retrograde import Edges, settle
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.game import ParametricGame
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, disjunction, negation, reading
from icgsynth.logic.evaluate import on_states
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import discharge
from icgsynth.synth.checked import CheckedRules, Run, bounds, box_within, free
from icgsynth.synth.linear.finish import claim_shortly, tidied
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.literals import linear_term
from icgsynth.synth.linear.pairs import find_pairs
from icgsynth.synth.linear.polish import Legal
from icgsynth.synth.linear.sample import Goal
from icgsynth.synth.linear.stages import learner_of, sample_of

_WIDE = 8  # least half-width of a box from which two-level formulas are learned as well
_MANY = 4  # number of unbounded variables from which on boxes are small
_LEVELS = 16  # most moves for which each level gets a formula
_MOST_LEVELS = 32  # most moves, where no move leads out of the box, so that levels are complete
_FACTORS = (0, 1, 2, 3, -1)  # coefficients of variables in a term that falls with each move
_REWORDING = 0.1  # share of the time left for a smaller formula of one kind of states
_FIRST = 3  # formulas of a learner of which the shortest is taken


@dataclass(frozen=True, eq=False)
class RankedStates:
    """A box of ``states`` (n, d), labelled: ``kind`` (n,), and ``rank`` (n,), moves to the end.

    The rank is -1 where a state is neither won nor lost.  ``is_closed``: no move leads out of the
    box, so a state that is neither is certainly drawn.  In the states ``ended`` play is over.
    ``falling`` is a term that decreases with each move of play between won and lost states; it is
    searched where there are many ranks."""

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
        """Whether wins take so few moves that a formula for each number of moves can be learned."""
        return int(self.rank.max(initial=0)) < (_MOST_LEVELS if self.is_closed else _LEVELS)

    @property
    def known(self) -> Flags:
        """Flags (n,) of the states that are certainly won or lost."""
        return self.rank >= 0

    @property
    def inner(self) -> Flags:
        """Flags (n,) of the states to learn from: labels near the border are bad guesses."""
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
            box = box_within(game, 2 * bound, DRAWS.states)
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
    """Return a linear term, nonnegative in won and lost states of the box, that decreases in each
    move from a lost state and in some move from each won to a lost one; None if none is known."""
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
    """Formulas for the three kinds of states, with the levels of won and lost states."""

    winning: Claim
    losing: Claim
    draws: DrawnStates

    @property
    def both(self) -> tuple[t.Formula, t.Formula]:
        return self.winning.formula, self.losing.formula


def three_kinds(ranked: RankedStates, run: Run) -> ThreeKinds | None:
    """Return formulas for won, lost and drawn states that agree with the labels of ``ranked``, and
    for the states won or lost within each number of moves; None if some are not found.  Two of the
    three kinds suffice, for the third are all other states."""
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
    """Return for k = 0, 1, .. a formula of the states won or lost within k moves, the last one
    true; None if some is not found.  They need not be right where ``drawn`` holds."""
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
    """The task to learn a formula for a set of states of a box.  The ``learner`` sees the inner
    states; ``facts`` are states that are certainly won or lost."""

    ranked: RankedStates
    learner: FormulaLearner
    facts: Examples

    @property
    def game(self) -> ParametricGame:
        return self.ranked.checked.game

    def cheap(self) -> Iterator[t.Formula]:
        """Yield formulas that fit the examples and are cheap to find; that of ended states, if it
        fits, is the last one."""
        yield from self.learner.candidates()
        if not len(self.learner.examples.mismatches(self.ranked.ended)):
            yield self.ranked.ended

    def costly(self) -> Iterator[t.Formula]:
        """Yield disjunctions of conjunctions that fit the examples; none from a very small box."""
        if self.ranked.bound >= _WIDE or len(free(self.game)) >= _MANY:
            yield from self.learner.costly()

    def first(self, offered: Iterator[t.Formula]) -> t.Formula | None:
        """Return the most readable of the first few formulas of ``offered`` that agree with all
        certain labels; None if none does."""
        right = (formula for formula in offered if not len(self.facts.mismatches(formula)))
        return min(islice(right, _FIRST), key=reading, default=None)


def _question(ranked: RankedStates, target: Flags, rows: Flags, run: Run) -> _Question:
    """Return the task to learn a formula that holds in the states flagged in ``target`` (n,), and
    in no other of those flagged in ``rows`` (n,)."""
    game = ranked.checked.game

    def examples(kept: Flags) -> Examples:
        return Examples(game.variables, ranked.states[kept], target[kept])

    inner = examples(rows & ranked.inner)
    return _Question(ranked, learner_of(game, inner, inner, run), examples(rows & ranked.known))


def _reworded(question: _Question, formula: t.Formula, where: t.Formula, run: Run) -> Claim:
    """Return the claim of a short formula that is equivalent to ``formula`` in the legal states
    where ``where`` holds, as is proved."""
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


def endless_answer(checked: CheckedRules, run: Run) -> Solution | None:
    """Return a proved answer with drawn states for ``checked`` rules, under which play may never
    end; None if none is found, and ``run.notes`` tell why.  Raises
    :class:`~icgsynth.errors.BudgetSpent`."""
    ended = checked.report.ended
    if ended is None:
        run.notes.append("where no action applies is not known")
        return None
    for bound in _bounds(checked):
        run.budget.check()
        ranked = ranked_states(checked, ended, bound, run)
        if ranked is None:
            continue
        if not ranked.has_few_levels and ranked.falling is None:
            most = int(ranked.rank.max())
            run.notes.append(
                f"box {2 * bound}: a win may take {most} moves, and no term was found "
                "that falls with each of them"
            )
            continue
        run.progress(f"searching formulas on the states up to {bound}")
        with run.measure("search"):
            kinds = three_kinds(ranked, run)
        if kinds is None:
            run.notes.append(f"box {2 * bound}: no formulas for the three kinds of states")
            continue
        found = _answer(ranked, kinds, run)
        if found is not None:
            return found
    return None


def _bounds(checked: CheckedRules) -> Iterator[int]:
    """Yield rising bounds of the boxes to learn from, tiny ones first for several variables."""
    wanted = list(bounds(checked.game))
    smaller = {0: (), 1: (), 2: (4, 8), 3: (4, 8)}.get(len(free(checked.game)), (1, 2, 3, 4))
    yield from (b for b in smaller if b < wanted[0])
    yield from wanted


# --- rules -------------------------------------------------------------------------------------


def _answer(ranked: RankedStates, kinds: ThreeKinds, run: Run) -> Solution | None:
    """Return the proved answer made of the formulas ``kinds``, of rules that win and of rules that
    keep a draw; None, with a note in ``run``, if a part is not proved."""
    checked, draws = ranked.checked, kinds.draws
    game, acts = checked.game, checked.report.movers.acts
    with run.measure("prove"):
        obligations = split_obligations(game, run.rule, kinds.both, draws, acts)
        finding = discharge(obligations, run.budget.share(0.4))
    if not finding.is_proved:
        run.notes.append(f"box {2 * ranked.bound}: not proved: {finding.why}")
        return None
    run.progress("looking for rules that win, and rules that keep a draw")
    with run.measure("strategy"):
        legal = Legal(game, ranked.states, run.budget)
        wins = _winning_rules(ranked, kinds, legal, run)
        keeps = None if wins is None else _keeping_rules(ranked, draws.drawn, legal, run)
    if wins is None or keeps is None:
        run.notes.append(f"box {2 * ranked.bound}: no rules that could be proved")
        return None
    solution = replace(
        checked.so_far(),
        winning=kinds.winning,
        losing=kinds.losing,
        strategy=Strategy(wins),
        draws=replace(draws, keeping=Strategy(keeps)),
    )
    return _confirm(solution, checked, run)


def _confirm(solution: Solution, checked: CheckedRules, run: Run) -> Solution | None:
    """Return ``solution`` as solved if it is proved twice and play at some states agrees; else
    None, and a note is added to ``run``."""
    with run.measure("confirm"):
        found = certify(solution, run.budget, Given(checked.report))
    played, far = found.explicit, found.far
    if far.disagreements or (played and played.disagreements):
        run.notes.append(f"the proof and the labels disagree: please report this: {far.claim}")
        return None
    if not far.states and not (played and played.states):
        run.notes.append("there was no time to play it out at any state")
        return None
    if found.solved is None:
        doubts = [part for part in found.needed if len(found.parts[part].by) < 2]
        run.notes.append(f"not confirmed: {', '.join(doubts)}")
        return None
    return replace(found.solved, seconds=run.times())


def _winning_rules(
    ranked: RankedStates, kinds: ThreeKinds, legal: Legal, run: Run
) -> tuple[Rule, ...] | None:
    """Return rules, proved to lead from each winning state to a losing one that is nearer to the
    end of play; None if none are found."""
    game, draws, (winning, losing) = legal.game, kinds.draws, kinds.both

    def falls(rules: Sequence[Rule]) -> bool:
        claims = winner_obligations(game, run.rule, kinds.both, draws, rules)
        return discharge(claims, run.budget.share(0.4)).is_proved

    rules = _rules(ranked, Goal(game, run.rule, winning, losing, ranked.ended), run)
    if rules is not None and falls(rules):
        return tidied(legal, rules)
    found: list[Rule] = []
    for level in range(1, len(draws.levels)):
        here = conjunction((winning, draws.at(level)))
        there = conjunction((losing, draws.below(level)))
        if not legal.may_hold(here):
            continue
        rules = _rules(ranked, Goal(game, run.rule, here, there, ranked.ended), run)
        if rules is None:
            return None
        found += rules
    return tidied(legal, found) if falls(found) else None


def _keeping_rules(
    ranked: RankedStates, drawn: t.Formula, legal: Legal, run: Run
) -> tuple[Rule, ...] | None:
    """Return proved rules that lead from drawn to drawn states and match in drawn states alone; ()
    if no state may be drawn, None if none are found."""
    if not legal.may_hold(drawn):
        return ()
    rules = _rules(ranked, Goal(legal.game, "normal", drawn, drawn, t.FALSE), run)
    if rules is None:
        return None
    return tidied(legal, [Rule(conjunction((rule.when, drawn)), rule.act) for rule in rules])


def _rules(ranked: RankedStates, goal: Goal, run: Run) -> tuple[Rule, ...] | None:
    """Return rules proved to lead from each winning state of ``goal`` to a losing one; None if no
    proved rules are found in half of the time left."""
    sample = sample_of(goal, ranked.states, run)
    with suppress(BudgetSpent, OutOfReach):
        rules, finding, _ = find_pairs(sample, run.budget.share(0.5))
        if finding.is_proved:
            return rules
    return None
