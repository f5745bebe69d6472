"""Decide claims on the Grundy values of a game of heaps by rules, with two engines of automata.

The engines share no code, and both prove the values from the definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from icgsynth.budget import Budget
from icgsynth.digits.automaton import Automaton
from icgsynth.errors import BudgetSpent, Refused
from icgsynth.game.answers import Finding, Verdict
from icgsynth.game.value_forms import WindowValue
from icgsynth.heaps.proof.heap_replay import of_least
from icgsynth.heaps.proof.nim_claims import AUTOMATA, refuse_long, unknown_replay
from icgsynth.heaps.rules.heap_rows import GamePeriod
from icgsynth.heaps.rules.heap_rules import HeapGame
from icgsynth.heaps.rules.heaps import Repeating
from icgsynth.logic import term as t
from icgsynth.logic.build import fold, substitute


def judge_by_rules(claim: GamePeriod, budget: Budget) -> Finding:
    """Return whether ``claim``, with least preperiod and period, is proved for all heaps, or
    refuted, or why unknown. The game has to be well formed
    (:func:`~icgsynth.heaps.proof.heap_play.check_heaps`)."""
    from icgsynth.heaps.proof.splitting import graph_on, legality_flaw

    game = claim.game
    if (early := refuse_long(claim)) is not None:
        return early
    if len(game.variables) != 1:
        return Finding(Verdict.UNKNOWN, "a sequence is of heaps of one variable")
    filled = replace(claim, values=np.maximum(claim.values, 0))  # of legal heaps alone
    try:
        if wrong := legality_flaw(game.legal, game.variables[0], claim, budget):
            return Finding(Verdict.REFUTED, wrong)
        graph = graph_on(game, filled, budget)
    except (Refused, BudgetSpent) as reason:
        return unknown_replay(str(reason))
    return of_least(claim, judge_graph(game, graph, filled, budget))


def heaps_repeat(periods: Mapping[tuple[tuple[str, int], ...], GamePeriod], budget: Budget) -> bool:
    """Return whether the set of legal heaps is proved to repeat as each claim in ``periods`` says.
    Each key has pairs (variable, number) for all variables but one; the claim is about that one."""
    from icgsynth.heaps.proof.splitting import legality_flaw

    for few, claim in periods.items():
        game, numbers = claim.game, {name: t.Int(number) for name, number in few}
        (long,) = (v for v in game.variables if v not in numbers)
        try:
            if legality_flaw(fold(substitute(game.legal, numbers)), long, claim, budget):
                return False
        except (Refused, BudgetSpent):
            return False
    return True


def judge_function(
    game: HeapGame, function: t.Term | Automaton | WindowValue, budget: Budget
) -> Finding:
    """Return whether ``function`` is proved to be the Grundy value of each legal heap, or refuted,
    or why that is unknown."""
    from icgsynth.heaps.proof.splitting import graph_of_term

    if isinstance(function, Automaton):
        return judge_graph(game, function, None, budget)
    if isinstance(function, WindowValue):
        return _judge_window(game, function, budget)
    try:
        graph = graph_of_term(game, function, budget)
    except (Refused, BudgetSpent) as reason:
        return unknown_replay(str(reason))
    return judge_graph(game, graph, function, budget)


def _judge_window(game: HeapGame, function: WindowValue, budget: Budget) -> Finding:
    from icgsynth.prove.windows import judge_window

    if not game.leaves_one:
        return unknown_replay("a window is of heaps of which each move leaves one")
    try:
        judged = judge_window(game.one_heap, function, budget)
    except (Refused, BudgetSpent) as reason:
        return unknown_replay(str(reason))
    return Finding(judged.verdict, judged.why, by=judged.by)


def judge_graph(
    game: HeapGame, graph: Automaton, claim: Repeating | t.Term | None, budget: Budget
) -> Finding:
    """Return whether ``graph`` is proved to accept exactly the pairs (legal heap, its Grundy
    value), or why not. A ``claim`` on these values, unless None, has to agree with ``graph``."""
    from icgsynth.heaps.proof.splitting import values_flaw
    from icgsynth.heaps.proof.splitting_recheck import recheck_heaps

    try:
        if wrong := values_flaw(game, graph, budget):
            return Finding(Verdict.REFUTED, wrong)
        why = recheck_heaps(game, graph, claim, budget)
    except (Refused, BudgetSpent) as reason:
        why = str(reason)
    return unknown_replay(why) if why else Finding(Verdict.PROVED, by=AUTOMATA)
