"""Games in which play may never end: winning, losing and drawn states, each a formula.

labels of a box, by retrograde analysis -> formulas for the three kinds and for the levels -> rules
that win and rules that keep a draw -> a proof.  The level of a state is the number of moves in which
it is won or lost, at most.  A label "won" or "lost" is a fact.  What is neither is drawn for certain
only where no move leads out of the box; elsewhere that it is drawn is a guess, which the proof
decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import scattered
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.draws import Draws
from icgsynth.game.labels import LOSING, UNKNOWN, WINNING, LabelLimits, Labels, label, listed_moves
from icgsynth.game.solution import Claim, Solution, Verdict
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Formula,
    conjunction,
    disjunction,
    negation,
    size,
)
from icgsynth.prove.deciders import decide
from icgsynth.prove.discharge import discharge
from icgsynth.prove.draws import PARTS_WITH_DRAWS, believed_draws
from icgsynth.game.obligations.draws import split_obligations, winner_obligations
from icgsynth.synth.boxes import bounds, free, sides
from icgsynth.synth.checked import CheckedRules, Run
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.pairs import Goal, StateSample, find_pairs

__all__ = ["endless_answer"]

_MOVES = 6_000_000  # of a box, that are held at once
_CELLS = 100_000  # integer points of a box
_LEVELS = 16  # the most moves in which a state may be won or lost
_CONSTANTS = 24  # moduli and integers tried at least
_LARGEST_CONSTANT = 200  # of the rules, that formulas are tried with
_SAMPLE = 300  # states that rules are looked for on
_FIRST = 3  # of the formulas that a learner offers, the shortest is taken


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The labels of a box; ``rank`` (n,): moves to the end for states won or lost, else -1."""

    checked: CheckedRules
    bound: int
    labels: Labels
    rank: NDArray[np.int64]

    @property
    def known(self) -> NDArray[np.bool_]:
        return self.labels.known

    @property
    def inner(self) -> NDArray[np.bool_]:
        """Rows (n,) that formulas are learned from: a guess near the border is a bad one."""
        columns = free(self.checked.game)
        near = np.abs(self.labels.states[:, columns]) <= self.bound
        return np.asarray(near.all(axis=1))


def endless_answer(checked: CheckedRules, run: Run) -> Solution | None:
    """A proved answer with drawn states; None, with notes, where none is found.

    Raises :class:`~icgsynth.errors.BudgetSpent`.
    """
    if run.rule == "misere" and checked.report.ended is None:
        run.notes.append("where no action applies is not known")
        return None
    for bound in _bounds(checked):
        run.budget.check()
        ranked = _ranked(checked, bound, run)
        if ranked is None:
            continue
        if (ranked.rank[ranked.known] < 0).any():
            run.notes.append(f"box {2 * bound}: wins of more than {_LEVELS} moves")
            continue
        run.progress(f"searching formulas on the states up to {bound}")
        with run.timed("search"):
            kinds = _kinds(ranked, run)
        if kinds is None:
            run.notes.append(f"box {2 * bound}: no formulas for the three kinds of states")
            continue
        found = _answer(ranked, kinds, run)
        if found is not None:
            return found
    return None


def _bounds(checked: CheckedRules) -> Iterator[int]:
    """Half-widths of boxes, rising: smaller ones first where the moves are many."""
    wanted = list(bounds(checked.game))
    if len(free(checked.game)) > 1:
        yield from (b for b in (2, 4, 8) if b < wanted[0])
    yield from wanted


# --- labels ------------------------------------------------------------------------------------


def _ranked(checked: CheckedRules, bound: int, run: Run) -> _Ranked | None:
    run.progress(f"labelling the states up to {2 * bound}")
    game = checked.game
    try:
        with run.timed("label"):
            box = Box(game.variables, sides(game, 2 * bound), game.legal)
            if box.cells > _CELLS:
                raise Refused(f"{box.cells:,} states are too many to label")
            labels = label(game, box, run.rule, max_cells=_MOVES, budget=run.budget)
            edges, _ = listed_moves(game, box, LabelLimits(_MOVES, run.budget))
            rank = _ranks(labels, edges.source, edges.target)
    except Refused as refused:
        run.notes.append(f"box {2 * bound}: {refused}")
        return None
    return _Ranked(checked, bound, labels, rank)


def _ranks(
    labels: Labels, source: NDArray[np.int32], target: NDArray[np.int32]
) -> NDArray[np.int64]:
    """(n,): in how many moves each state is won or lost; -1 where it is neither, or in too many."""
    lost, won = labels.outcome == LOSING, labels.outcome == WINNING
    count = len(lost)
    moves = np.zeros(count, bool)
    moves[source] = True
    rank = np.full(count, -1, np.int64)
    rank[~moves & (lost | (won & labels.ending))] = 0
    for level in range(1, _LEVELS + 1):
        done = rank[target] >= 0
        wins, waits = np.zeros(count, bool), np.zeros(count, bool)
        wins[source[done & lost[target]]] = True
        waits[source[~done]] = True
        new = (rank < 0) & ((won & wins) | (lost & ~waits))
        if not new.any():
            break
        rank[new] = level
    return rank


# --- formulas ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kinds:
    """The three kinds of states, and the levels of those that are won or lost."""

    winning: Formula
    losing: Formula
    draws: Draws


def _kinds(ranked: _Ranked, run: Run) -> _Kinds | None:
    """Guesses that agree with the labels; None where too few formulas are found."""
    outcome = ranked.labels.outcome
    everything = np.ones(len(outcome), bool)
    found = {
        kind: _formula(ranked, outcome == kind, everything, run)
        for kind in (LOSING, WINNING, UNKNOWN)
    }
    missing = [kind for kind, formula in found.items() if formula is None]
    if len(missing) > 1:
        return None
    for kind in missing:
        others = disjunction([f for f in found.values() if f is not None])
        found[kind] = negation(others)
    winning, losing, drawn = found[WINNING], found[LOSING], found[UNKNOWN]
    assert winning is not None and losing is not None and drawn is not None
    levels = _levels(ranked, run)
    return None if levels is None else _Kinds(winning, losing, Draws(drawn, levels))


def _levels(ranked: _Ranked, run: Run) -> tuple[Formula, ...] | None:
    """The states won or lost in at most 0, 1, 2, .. moves; the last level takes all the others."""
    levels: list[Formula] = []
    rank, known = ranked.rank, ranked.known
    for level in range(int(rank.max(initial=0))):
        within = known & (rank <= level)
        narrow = _formula(ranked, within, known, run)
        found = narrow or _formula(ranked, within, np.ones(len(rank), bool), run)
        if found is None:
            return None
        levels.append(found)
    return (*levels, TRUE)


def _formula(
    ranked: _Ranked, target: NDArray[np.bool_], rows: NDArray[np.bool_], run: Run
) -> Formula | None:
    """A short formula that tells ``target`` (n,) apart among ``rows`` (n,) of the inner states."""
    game, states = ranked.checked.game, ranked.labels.states
    kept = rows & ranked.inner
    if not (target & kept).any():
        return FALSE
    examples = Examples(game.variables, states[kept], target[kept])
    given = [c + 1 for c in game.integers if c <= _LARGEST_CONSTANT]
    learner = FormulaLearner(
        examples, max([_CONSTANTS, *given]), run.budget, wide=examples, free=free(game)
    )
    sure = rows & ranked.known
    facts = Examples(game.variables, states[sure], target[sure])
    fits: list[Formula] = []
    for source in (learner.candidates(), learner.costly()):
        for formula in source:
            if not len(facts.mismatches(formula)):
                fits.append(formula)
            if len(fits) == _FIRST:
                break
        if fits:
            return min(fits, key=size)
    return None


# --- rules -------------------------------------------------------------------------------------


def _answer(ranked: _Ranked, kinds: _Kinds, run: Run) -> Solution | None:
    """The whole answer, proved; None, with a note, where a part of it is not."""
    checked, draws = ranked.checked, kinds.draws
    game, report = checked.game, checked.report
    both = (kinds.winning, kinds.losing)
    with run.timed("prove"):
        obligations = split_obligations(game, run.rule, both, draws, report.movers.acts)
        finding = discharge(obligations, run.budget.share(0.4))
    if not finding.is_proved:
        run.notes.append(f"box {2 * ranked.bound}: not proved: {finding.claim}")
        return None
    run.progress("looking for rules that win, and rules that keep a draw")
    with run.timed("strategy"):
        wins = _winning_rules(ranked, kinds, run)
        keeps = None if wins is None else _keeping_rules(ranked, kinds, run)
    if wins is None or keeps is None:
        run.notes.append(f"box {2 * ranked.bound}: no rules that could be proved")
        return None
    solution = Solution(
        game=game,
        rule=run.rule,
        status="unknown",
        winning=Claim(kinds.winning),
        losing=Claim(kinds.losing),
        strategy=Strategy(wins),
        proof=checked.proof(),
        confirmed=report.confirmed,
        cycle=report.cycle or (),
        written=checked.quantified,
        draws=replace(draws, keeping=Strategy(keeps)),
    )
    return _believed(solution, checked, run)


def _believed(solution: Solution, checked: CheckedRules, run: Run) -> Solution | None:
    """The answer where all of it is proved twice, and explicit play agrees."""
    with run.timed("confirm"):
        written = replace(solution, game=checked.written)
        parts, by, explicit = believed_draws(written, checked.report, solution, run.budget)
    open_parts = [p for p in PARTS_WITH_DRAWS if not parts[p].is_proved or len(by[p]) < 2]
    wrong = explicit.disagreements + (explicit.far.disagreements if explicit.far else 0)
    if wrong:
        claim = explicit.far.claim if explicit.far is not None else ""
        run.notes.append(f"the proof and the labels disagree: please report this: {claim}")
        return None
    if open_parts:
        run.notes.append(f"not confirmed: {', '.join(open_parts)}")
        return None
    proof = dict(solution.proof) | {part: parts[part].verdict for part in PARTS_WITH_DRAWS}
    return replace(
        solution,
        status="solved",
        proof=proof,
        confirmed={**solution.confirmed, **by},
        explicit=explicit,
        seconds=run.times(),
    )


def _winning_rules(ranked: _Ranked, kinds: _Kinds, run: Run) -> tuple[Rule, ...] | None:
    """Rules from winning states to losing ones of a lower level: at once, or level by level."""
    checked, draws = ranked.checked, kinds.draws
    ended = checked.report.ended if run.rule == "misere" else FALSE
    assert ended is not None
    both = (kinds.winning, kinds.losing)
    goal = Goal(checked.game, run.rule, *both, ended)
    rules = _rules(ranked, goal, run)
    if rules is not None and _falls(ranked, kinds, rules, run):
        return rules
    found: list[Rule] = []
    for level in range(1, len(draws.levels)):
        here = conjunction((kinds.winning, draws.at(level)))
        there = conjunction((kinds.losing, draws.below(level)))
        if not _may_hold(ranked, here, run):
            continue
        rules = _rules(ranked, Goal(checked.game, run.rule, here, there, ended), run)
        if rules is None:
            return None
        found += rules
    return tuple(found) if _falls(ranked, kinds, found, run) else None


def _falls(
    ranked: _Ranked, kinds: _Kinds, rules: list[Rule] | tuple[Rule, ...], run: Run
) -> bool:
    both = (kinds.winning, kinds.losing)
    claims = winner_obligations(ranked.checked.game, run.rule, both, kinds.draws, rules)
    return discharge(claims, run.budget.share(0.4)).is_proved


def _keeping_rules(ranked: _Ranked, kinds: _Kinds, run: Run) -> tuple[Rule, ...] | None:
    """Rules from drawn states to drawn ones, that match in drawn states alone."""
    game, drawn = ranked.checked.game, kinds.draws.drawn
    if not _may_hold(ranked, drawn, run):
        return ()
    rules = _rules(ranked, Goal(game, "normal", drawn, drawn, FALSE), run)
    if rules is None:
        return None

    def within(when: Formula) -> Formula:
        if not _may_hold(ranked, conjunction((when, negation(drawn))), run):
            return when
        if not _may_hold(ranked, conjunction((drawn, negation(when))), run):
            return drawn
        return conjunction((drawn, when))

    return tuple(Rule(within(rule.when), rule.act) for rule in rules)


def _may_hold(ranked: _Ranked, formula: Formula, run: Run) -> bool:
    game = ranked.checked.game
    return decide((game.legal, formula), game.variables, run.budget).kind != "unsat"


def _rules(ranked: _Ranked, goal: Goal, run: Run) -> tuple[Rule, ...] | None:
    """Rules that lead from the goal's winning states to its losing ones, proved."""
    states = ranked.labels.states
    nearest = np.argsort(np.abs(states).sum(axis=1), kind="stable")
    half = _SAMPLE // 2
    rest = nearest[half:]
    rows = np.sort(np.concatenate([nearest[:half], rest[scattered(len(rest), half)]]))
    reserve = np.delete(states, rows, axis=0)
    sample = StateSample(goal, states[rows], run.budget, reserve=reserve)
    with suppress(BudgetSpent):
        rules, finding, _ = find_pairs(sample, run.budget.share(0.5))
        if finding.is_proved:
            return rules
    return None
