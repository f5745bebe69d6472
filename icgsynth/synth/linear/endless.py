"""Games in which play may never end: winning, losing and drawn states, each a formula.

labels of a box, by retrograde analysis -> formulas for the three kinds and for the levels -> rules
that win and rules that keep a draw -> a proof.  The level of a state says in how many moves it is
won or lost, at most.  A label "won" or "lost" is a fact.  What is neither is drawn for certain only
where no move leads out of the box; elsewhere that it is drawn is a guess, and the proof decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from icgsynth.digits.arrays import scattered
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.box import Box
from icgsynth.game.drawn import DrawnStates
from icgsynth.game.labels import LOSING, UNKNOWN, WINNING, Edges, LabelLimits, listed_moves
from icgsynth.game.obligations.endless_play import split_obligations, winner_obligations
from icgsynth.game.solution import Claim, Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic.evaluate import on_states
from icgsynth.logic.term import (
    FALSE,
    TRUE,
    Formula,
    Iff,
    conjunction,
    disjunction,
    integers,
    negation,
    size,
)
from icgsynth.prove.deciders import decide
from icgsynth.prove.discharge import discharge
from icgsynth.prove.drawn_states import PARTS_WITH_DRAWS, believed_draws
from icgsynth.synth.boxes import bounds, free, sides
from icgsynth.synth.checked import CheckedRules, Run
from icgsynth.synth.linear.formula_learner import Examples, FormulaLearner
from icgsynth.synth.linear.pairs import Goal, StateSample, find_pairs
from icgsynth.synth.linear.polish import shorter
from icgsynth.synth.linear.simple_acts import with_simple_acts

__all__ = ["endless_answer"]

_MOVES = 6_000_000  # of a box, that are held at once
_CELLS = 100_000  # integer points of a box
_WIDE = 8  # half of the width of a box from which formulas of two levels are looked for as well
_MANY = 4  # variables without bounds, with which boxes are small
_SHORT = 16  # leaves and connectives of a formula of the ending states that is taken as it is
_LEVELS = 16  # the most moves in which a state may be won or lost
_CONSTANTS = 24  # moduli and integers tried at least
_LARGEST_CONSTANT = 200  # of the rules, that formulas are tried with
_SAMPLE = 300  # states that rules are looked for on
_REWORDING = 0.1  # of what is left, for a smaller formula of one kind of states
_FIRST = 3  # of the formulas that a learner offers, the shortest is taken


@dataclass(frozen=True, eq=False)
class _Ranked:
    """The states (n, d) of a box: ``kind`` (n,), and ``rank`` (n,), the moves to the end.

    The rank is -1 where a state is neither won nor lost, or in too many moves.  ``is_closed``: no
    move leads out of the box, so a state that is neither is drawn for certain.
    """

    checked: CheckedRules
    bound: int
    states: NDArray[np.int64]
    kind: NDArray[np.int8]
    rank: NDArray[np.int64]
    is_closed: bool

    @property
    def known(self) -> NDArray[np.bool_]:
        """Rows (n,) of states that are won or lost."""
        return self.rank >= 0

    @property
    def inner(self) -> NDArray[np.bool_]:
        """Rows (n,) that formulas are learned from: near the border a guess is a bad one."""
        near = np.abs(self.states[:, free(self.checked.game)]) <= self.bound
        return np.asarray(near.all(axis=1) | self.is_closed)


def endless_answer(checked: CheckedRules, run: Run) -> Solution | None:
    """A proved answer with drawn states; None, with notes, where none is found.

    Raises :class:`~icgsynth.errors.BudgetSpent`.
    """
    ended = checked.report.ended
    if ended is None:
        run.notes.append("where no action applies is not known")
        return None
    for bound in _bounds(checked):
        run.budget.check()
        ranked = _ranked(checked, ended, bound, run)
        if ranked is None:
            continue
        if int(ranked.rank.max(initial=0)) == _LEVELS:
            run.notes.append(f"box {2 * bound}: a win may take {_LEVELS} moves or more")
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
    smaller = {0: (), 1: (), 2: (4, 8), 3: (4, 8)}.get(len(free(checked.game)), (1, 2, 3, 4))
    yield from (b for b in smaller if b < wanted[0])
    yield from wanted


# --- labels ------------------------------------------------------------------------------------


def _ranked(checked: CheckedRules, ended: Formula, bound: int, run: Run) -> _Ranked | None:
    run.progress(f"labelling the states up to {2 * bound}")
    game = checked.game
    try:
        with run.timed("label"):
            box = Box(game.variables, sides(game, 2 * bound), game.legal)
            if box.cells > _CELLS:
                raise Refused(f"{box.cells:,} states are too many to label")
            edges, barred = listed_moves(game, box, LabelLimits(_MOVES, run.budget))
            over = on_states(ended, game.variables, box.states)
            first = WINNING if run.rule == "misere" else LOSING
            kind, rank = _ranks(edges, barred, np.where(over, first, UNKNOWN).astype(np.int8))
    except Refused as refused:
        run.notes.append(f"box {2 * bound}: {refused}")
        return None
    return _Ranked(checked, bound, box.states, kind, rank, not barred.any())


def _ranks(
    edges: Edges, barred: NDArray[np.bool_], kind: NDArray[np.int8]
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """The kind of each state (n,) and its rank (n,), level by level.

    ``kind`` is that of the states that have ended, and UNKNOWN elsewhere; from the ``barred``
    states there may be moves that are not among the edges, so these are never found to be lost.
    """
    count = len(kind)
    rank = np.where(kind == UNKNOWN, -1, 0).astype(np.int64)
    kind = kind.copy()
    for level in range(1, _LEVELS + 1):
        there = kind[edges.target]
        wins, waits = np.zeros(count, bool), barred.copy()
        wins[edges.source[there == LOSING]] = True
        waits[edges.source[there != WINNING]] = True
        new = kind == UNKNOWN
        if not (new & (wins | ~waits)).any():
            break
        rank[new & (wins | ~waits)] = level
        kind[new & ~waits] = LOSING
        kind[new & wins] = WINNING
    return kind, rank


# --- formulas ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Kinds:
    """The three kinds of states, and the levels of those that are won or lost.

    ``shortest`` are those of the formulas that no smaller one can replace, with the integers that
    were tried.
    """

    winning: Formula
    losing: Formula
    draws: DrawnStates
    shortest: Mapping[Formula, int]

    def claim(self, formula: Formula) -> Claim:
        """A proved formula; every smaller one that was tried is wrong at some state."""
        return Claim(formula, formula in self.shortest, self.shortest.get(formula, 0))


def _kinds(ranked: _Ranked, run: Run) -> _Kinds | None:
    """Guesses that agree with the labels; None where too few formulas are found.

    Two of the three are enough, for the third kind are all other states.
    """
    everything = np.ones(len(ranked.states), bool)
    found: dict[int, Formula] = {}
    for learner in (_cheap, _costly):
        for kind in (LOSING, UNKNOWN, WINNING):
            if kind in found or (learner is _costly and len(found) > 1):
                continue
            formula = learner(_Question(ranked, ranked.kind == kind, everything), run)
            if formula is not None:
                found[kind] = formula
    if len(found) < 2:
        return None
    for kind in {LOSING, UNKNOWN, WINNING} - found.keys():
        found[kind] = negation(disjunction(list(found.values())))
    levels = _levels(ranked, run)
    if levels is None:
        return None
    shortest: dict[Formula, int] = {}
    for kind, formula in found.items():
        question = _Question(ranked, ranked.kind == kind, everything)
        found[kind], tried = _reworded(question, formula, run)
        if tried is not None:
            shortest[found[kind]] = tried
    draws = DrawnStates(found[UNKNOWN], levels)
    return _Kinds(found[WINNING], found[LOSING], draws, shortest)


def _reworded(question: _Question, formula: Formula, run: Run) -> tuple[Formula, int | None]:
    """The smallest equivalent, on legal states, that the enumeration reaches.

    With the integers that were tried where no smaller formula agrees with the examples.
    """
    game, learner = question.ranked.checked.game, question.learner(run)
    learner.budget = run.budget.share(_REWORDING)
    if question.examples(question.ranked.inner).mismatches(formula).size:
        return formula, None
    with suppress(BudgetSpent):
        for other in learner.smaller(formula):
            differs = negation(Iff(formula, other))
            if decide((game.legal, differs), game.variables, learner.budget).kind == "unsat":
                formula = other
                break
    formula = min((formula, shorter(formula)), key=size)
    within = max(integers(formula), default=0) <= learner.constants_up_to
    is_shortest = within and learner.excludes(below=size(formula))
    return formula, learner.constants_up_to if is_shortest else None


def _levels(ranked: _Ranked, run: Run) -> tuple[Formula, ...] | None:
    """The states won or lost in at most 0, 1, 2, .. moves; the last level takes all the others."""
    levels: list[Formula] = []
    rank, known = ranked.rank, ranked.known
    everything = np.ones(len(rank), bool)
    for level in range(int(rank.max(initial=0))):
        within = known & (rank <= level)
        asked = [_Question(ranked, within, rows) for rows in (known, everything)]
        tried = ((q, learner(q, run)) for learner in (_cheap, _costly) for q in asked)
        found = next(((q, formula) for q, formula in tried if formula is not None), None)
        if found is None:
            return None
        levels.append(found[1] if level else _reworded(*found, run)[0])  # 0: play is over
    return (*levels, TRUE)


@dataclass(frozen=True, eq=False)
class _Question:
    """Which formula tells ``target`` (n,) apart among the ``rows`` (n,) of a box?"""

    ranked: _Ranked
    target: NDArray[np.bool_]
    rows: NDArray[np.bool_]

    def examples(self, rows: NDArray[np.bool_]) -> Examples:
        kept = self.rows & rows
        game = self.ranked.checked.game
        return Examples(game.variables, self.ranked.states[kept], self.target[kept])

    def learner(self, run: Run) -> FormulaLearner:
        """A learner that sees the inner states."""
        game, examples = self.ranked.checked.game, self.examples(self.ranked.inner)
        given = [c + 1 for c in game.integers if c <= _LARGEST_CONSTANT]
        most = max([_CONSTANTS, *given])
        return FormulaLearner(examples, most, run.budget, wide=examples, free=free(game))

    def shortest(self, offered: Iterator[Formula]) -> Formula | None:
        """The shortest of the first few that agree with all that is known for certain."""
        facts = self.examples(self.ranked.known)
        right = (formula for formula in offered if not len(facts.mismatches(formula)))
        return min(islice(right, _FIRST), key=size, default=None)


def _cheap(question: _Question, run: Run) -> Formula | None:
    """The states that have ended, a short formula, or one over a quotient."""
    ended = question.ranked.checked.report.ended
    examples = question.examples(question.ranked.inner)
    if not examples.target.any():
        return FALSE
    if ended is not None and size(ended) <= _SHORT and not len(examples.mismatches(ended)):
        return ended
    return question.shortest(question.learner(run).candidates())


def _costly(question: _Question, run: Run) -> Formula | None:
    """A formula of two levels; from a small box only where there are many variables."""
    ranked = question.ranked
    if ranked.bound < _WIDE and len(free(ranked.checked.game)) < _MANY:
        return None
    return question.shortest(question.learner(run).costly())


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
        winning=kinds.claim(kinds.winning),
        losing=kinds.claim(kinds.losing),
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
    if not explicit.states and not (explicit.far and explicit.far.states):
        run.notes.append("there was no time to play it out at any state")
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
    ended = checked.report.ended
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


def _falls(ranked: _Ranked, kinds: _Kinds, rules: list[Rule] | tuple[Rule, ...], run: Run) -> bool:
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
    states = ranked.states
    nearest = np.argsort(np.abs(states).sum(axis=1), kind="stable")
    half = _SAMPLE // 2
    rest = nearest[half:]
    rows = np.sort(np.concatenate([nearest[:half], rest[scattered(len(rest), half)]]))
    reserve = np.delete(states, rows, axis=0)
    sample = with_simple_acts(StateSample(goal, states[rows], run.budget, reserve=reserve))
    with suppress(BudgetSpent):
        rules, finding, _ = find_pairs(sample, run.budget.share(0.5))
        if finding.is_proved:
            return rules
    return None
