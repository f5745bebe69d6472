"""Games in which play may never end: winning, losing and drawn states, each a formula.

states of a box with formulas -> rules that win and rules that keep a draw -> a proof.  The level of
a state says in how many moves it is won or lost, at most.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from icgsynth.digits.arrays import scattered
from icgsynth.errors import BudgetSpent
from icgsynth.game.obligations.endless_play import split_obligations, winner_obligations
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction, negation
from icgsynth.prove.deciders.portfolio import decide
from icgsynth.prove.discharge import discharge
from icgsynth.prove.drawn_states import PARTS_WITH_DRAWS, believed_draws
from icgsynth.synth.checked import CheckedRules, Run, bounds, free
from icgsynth.synth.linear.endless_states import (
    RankedStates,
    ThreeKinds,
    ranked_states,
    three_kinds,
)
from icgsynth.synth.linear.pairs import find_pairs
from icgsynth.synth.linear.sample import Goal, StateSample
from icgsynth.synth.linear.simple_acts import with_simple_acts

_SAMPLE = 300  # states that rules are looked for on


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
        with run.timed("search"):
            kinds = three_kinds(ranked, run)
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


# --- rules -------------------------------------------------------------------------------------


def _answer(ranked: RankedStates, kinds: ThreeKinds, run: Run) -> Solution | None:
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


def _winning_rules(ranked: RankedStates, kinds: ThreeKinds, run: Run) -> tuple[Rule, ...] | None:
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


def _falls(
    ranked: RankedStates, kinds: ThreeKinds, rules: list[Rule] | tuple[Rule, ...], run: Run
) -> bool:
    both = (kinds.winning, kinds.losing)
    claims = winner_obligations(ranked.checked.game, run.rule, both, kinds.draws, rules)
    return discharge(claims, run.budget.share(0.4)).is_proved


def _keeping_rules(ranked: RankedStates, kinds: ThreeKinds, run: Run) -> tuple[Rule, ...] | None:
    """Rules from drawn states to drawn ones, that match in drawn states alone."""
    game, drawn = ranked.checked.game, kinds.draws.drawn
    if not _may_hold(ranked, drawn, run):
        return ()
    rules = _rules(ranked, Goal(game, "normal", drawn, drawn, t.FALSE), run)
    if rules is None:
        return None

    def within(when: t.Formula) -> t.Formula:
        if not _may_hold(ranked, conjunction((when, negation(drawn))), run):
            return when
        if not _may_hold(ranked, conjunction((drawn, negation(when))), run):
            return drawn
        return conjunction((drawn, when))

    return tuple(Rule(within(rule.when), rule.act) for rule in rules)


def _may_hold(ranked: RankedStates, formula: t.Formula, run: Run) -> bool:
    game = ranked.checked.game
    return decide((game.legal, formula), game.variables, run.budget).kind != "unsat"


def _rules(ranked: RankedStates, goal: Goal, run: Run) -> tuple[Rule, ...] | None:
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
