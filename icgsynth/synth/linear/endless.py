"""Games in which play may never end: winning, losing and drawn states, each a formula.

states of a box with formulas -> rules that win and rules that keep a draw -> a proof.  The level of
a state says in how many moves it is won or lost, at most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from icgsynth.claims.endless_play import split_obligations, winner_obligations
from icgsynth.errors import BudgetSpent, OutOfReach
from icgsynth.game.solution import Solution
from icgsynth.game.strategy import Rule, Strategy
from icgsynth.logic import term as t
from icgsynth.logic.build import conjunction
from icgsynth.prove.certificate import Given, certify
from icgsynth.prove.discharge import discharge
from icgsynth.synth.checked import CheckedRules, Run, bounds, free
from icgsynth.synth.linear.endless_states import (
    RankedStates,
    ThreeKinds,
    ranked_states,
    three_kinds,
)
from icgsynth.synth.linear.finish import tidied
from icgsynth.synth.linear.pairs import find_pairs
from icgsynth.synth.linear.polish import Legal
from icgsynth.synth.linear.sample import Goal
from icgsynth.synth.linear.stages import sample_of


def endless_answer(checked: CheckedRules, run: Run) -> Solution | None:
    """Return a proved answer with drawn states for ``checked``; None, with notes, if none is found.

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
    """Half-widths of boxes, rising: smaller ones first where the moves are many."""
    wanted = list(bounds(checked.game))
    smaller = {0: (), 1: (), 2: (4, 8), 3: (4, 8)}.get(len(free(checked.game)), (1, 2, 3, 4))
    yield from (b for b in smaller if b < wanted[0])
    yield from wanted


# --- rules -------------------------------------------------------------------------------------


def _answer(ranked: RankedStates, kinds: ThreeKinds, run: Run) -> Solution | None:
    """The whole answer, proved; None, with a note, where a part of it is not."""
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
    """The answer where all of it is proved twice, and explicit play agrees."""
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
    """Rules from winning states to losing ones of a lower level: at once, or level by level."""
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
    """Rules from drawn states to drawn ones, that match in drawn states alone."""
    if not legal.may_hold(drawn):
        return ()
    rules = _rules(ranked, Goal(legal.game, "normal", drawn, drawn, t.FALSE), run)
    if rules is None:
        return None
    return tidied(legal, [Rule(conjunction((rule.when, drawn)), rule.act) for rule in rules])


def _rules(ranked: RankedStates, goal: Goal, run: Run) -> tuple[Rule, ...] | None:
    """Rules that lead from the goal's winning states to its losing ones, proved."""
    sample = sample_of(goal, ranked.states, run)
    with suppress(BudgetSpent, OutOfReach):
        rules, finding, _ = find_pairs(sample, run.budget.share(0.5))
        if finding.is_proved:
            return rules
    return None
